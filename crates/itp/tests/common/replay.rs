//! Replays resolution proofs, naively.

use plumb_itp::proof::{Part, Proof, Reason};
use plumb_itp::Lit;
use std::collections::BTreeSet;

/// Panics unless every step follows; `input` and `lemma` judge the leaves. Returns the last clause.
pub fn replay(proof: &Proof, input: impl Fn(Part, &[Lit]) -> bool, lemma: impl Fn(&[Lit]) -> bool) -> Vec<Lit> {
    let sets: Vec<BTreeSet<Lit>> = proof.steps.iter().map(|s| s.clause.iter().copied().collect()).collect();
    for (i, step) in proof.steps.iter().enumerate() {
        assert_eq!(sets[i].len(), step.clause.len(), "a clause has no repetitions");
        match &step.reason {
            Reason::Input(part) => {
                assert!(part.0 < proof.parts);
                for l in &step.clause {
                    assert!(proof.booleans[l.var().index()].parts.contains(part), "{l:?} occurs in {part:?}");
                }
                assert!(input(*part, &step.clause), "{:?} was asserted in {part:?}", step.clause);
            }
            Reason::Lemma(_) => {
                let placed = |l: &Lit| proof.booleans[l.var().index()].mixed || !proof.booleans[l.var().index()].parts.is_empty();
                assert!(step.clause.iter().all(placed), "{:?} is placed", step.clause);
                assert!(lemma(&step.clause), "{:?} is valid", step.clause);
            }
            Reason::Chain { first, rest } => {
                assert!((first.0 as usize) < i);
                let mut clause = sets[first.0 as usize].clone();
                for (pivot, other) in rest {
                    assert!((other.0 as usize) < i);
                    let other = &sets[other.0 as usize];
                    let here = [pivot.positive(), pivot.negative()].into_iter().filter(|l| clause.contains(l)).collect::<Vec<_>>();
                    assert_eq!(here.len(), 1, "the pivot {pivot:?} has one sign in {clause:?}");
                    assert!(other.contains(&!here[0]) && !other.contains(&here[0]), "and the other one in {other:?}");
                    clause.remove(&here[0]);
                    clause.extend(other.iter().filter(|l| l.var() != *pivot));
                }
                assert_eq!(clause, sets[i]);
            }
        }
    }
    let last = proof.steps.last().expect("a proof has steps");
    // Trimmed: every step but the last is used.
    let mut used = vec![false; proof.steps.len()];
    for step in &proof.steps {
        if let Reason::Chain { first, rest } = &step.reason {
            used[first.0 as usize] = true;
            rest.iter().for_each(|(_, s)| used[s.0 as usize] = true);
        }
    }
    assert!(used[..used.len() - 1].iter().all(|&u| u), "nothing is superfluous");
    last.clause.clone()
}
