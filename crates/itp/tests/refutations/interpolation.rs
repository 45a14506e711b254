//! Interpolants of random refutations, checked at every point of a grid.

use crate::cases;
use crate::support::eval::{grid, is_common, Point};
use crate::support::prover::Answer;
use crate::support::random::{problem, Kind, Random, KINDS};
use plumb_itp::interpolate::{cuts, reduce, sequence, tree, Error, PartSet, Strength};
use plumb_itp::proof::{Certificate, Proof, Reason};
use plumb_itp::{proof_check, proof_text, Formula, Part};

const STRENGTHS: [Strength; 3] = [Strength::McMillan, Strength::Pudlak, Strength::Dual];

/// The refutations among the random problems of the given kind.
fn refutations(kind: Kind, cases: u64, visit: &mut dyn FnMut(u64, &Proof)) -> usize {
    let mut found = 0;
    for seed in 1..=cases {
        let p = problem(&mut Random::new(seed * 7 + kind as u64), kind);
        if let Answer::Proof(proof) = p.prove(400) {
            found += 1;
            visit(seed, &proof);
        }
    }
    found
}

fn holds(proof: &Proof, point: &Point, part: Part) -> bool {
    proof_check::inputs(proof).filter(|(p, _)| *p == part).all(|(_, c)| c.iter().any(|l| point.literal(proof, *l)))
}

/// Checks that with `I[set]` for each of the sets: A ⇒ I, I ∧ B ⇒ false, only common variables; and for each (premises, parts, conclusion) that premises ∧ parts ⇒ conclusion.
struct Family {
    sets: Vec<Vec<u32>>,
    interpolants: Vec<Option<Formula>>,
    implications: Vec<(Vec<usize>, u32, usize)>,
}

impl Family {
    fn check(&self, proof: &Proof, what: &str) {
        for (set, i) in self.sets.iter().zip(&self.interpolants) {
            let Some(i) = i else { continue };
            assert!(is_common(proof, i, &|p| set.contains(&p.0)), "{what}: {i:?} has other variables than common ones at {set:?}");
        }
        let radius = if proof.numbers.len() > 4 { 2 } else { 3 };
        grid(proof, radius, &mut |point| {
            if !point.is_functional(proof) {
                return;
            }
            let parts: Vec<bool> = (0..proof.parts).map(|p| holds(proof, point, Part(p))).collect();
            let values: Vec<Option<bool>> = self.interpolants.iter().map(|i| i.as_ref().map(|i| point.formula(i))).collect();
            for ((set, i), f) in self.sets.iter().zip(&values).zip(&self.interpolants) {
                let a = (0..proof.parts).filter(|p| set.contains(p)).all(|p| parts[p as usize]);
                let b = (0..proof.parts).filter(|p| !set.contains(p)).all(|p| parts[p as usize]);
                assert!(!(a && *i == Some(false)), "{what}: A does not imply {f:?} at {set:?}, {:?}", point.numbers);
                assert!(!(b && *i == Some(true)), "{what}: B does not exclude {f:?} at {set:?}, {:?}", point.numbers);
            }
            for (premises, part, conclusion) in &self.implications {
                let before = premises.iter().all(|p| values[*p] == Some(true)) && parts[*part as usize];
                assert!(!(before && values[*conclusion] == Some(false)), "{what}: {premises:?} and part {part} do not imply {conclusion}");
            }
        });
    }
}

fn settled(interpolants: Vec<Result<Formula, Error>>, kind: Kind) -> Vec<Option<Formula>> {
    interpolants
        .into_iter()
        .map(|i| match i {
            Ok(i) => Some(i),
            Err(Error::Mixed) if kind == Kind::Functions => None,
            Err(e) => panic!("{e}"),
        })
        .collect()
}

#[test]
fn proofs_check_and_survive_writing_and_reduction() {
    for kind in KINDS {
        let found = refutations(kind, cases(300), &mut |seed, proof| {
            proof_check::check(proof, &[]).unwrap_or_else(|e| panic!("{kind:?} {seed}: {e}"));
            let text = proof_text::write(proof);
            assert_eq!(proof_text::read(&text).as_ref(), Ok(proof), "{kind:?} {seed}");
            let small = reduce(proof);
            proof_check::check(&small, &[]).unwrap_or_else(|e| panic!("{kind:?} {seed}, reduced: {e}"));
            assert!(small.steps.len() <= proof.steps.len());
        });
        assert!(found > 40, "{kind:?}: {found}");
    }
}

/// The random problems are worth something: their proofs have every kind of step, and their interpolants are not constants.
#[test]
fn random_refutations_are_not_trivial() {
    for kind in KINDS {
        let (mut counts, mut constant, mut other) = ([0; 5], 0, 0);
        refutations(kind, 300, &mut |_, proof| {
            for s in &proof.steps {
                counts[match &s.reason {
                    Reason::Input(_) => 0,
                    Reason::Chain { .. } => 1,
                    Reason::Lemma(Certificate::Farkas(_)) => 2,
                    Reason::Lemma(Certificate::Divisibility(_)) => 3,
                    Reason::Lemma(Certificate::Congruence(..)) => 4,
                }] += 1;
            }
            for i in settled(sequence(proof, Strength::McMillan).unwrap(), kind).into_iter().flatten() {
                *if matches!(i, Formula::Constant(_)) { &mut constant } else { &mut other } += 1;
            }
        });
        println!(
            "{kind:?}: inputs, chains, Farkas, divisibility, congruence {counts:?}, {constant} constant and {other} other interpolants"
        );
        assert!(other > 30 && counts[..2].iter().all(|c| *c > 100), "{kind:?} {counts:?} {constant} {other}");
        assert!(kind != Kind::Parity || counts[3] > 20);
        assert!(kind != Kind::Functions || counts[4] > 4);
    }
}

/// One of the checks, spread over the seeds, with all systems that have it.
pub fn check_all(proof: &Proof, kind: Kind, seed: u64) {
    match seed % 4 {
        0 => any_cut(proof, kind, seed),
        1 => trees(proof, kind, seed),
        2 => sequences(proof, kind, seed),
        _ => sequences(&reduce(proof), kind, seed),
    }
}

fn sequences(proof: &Proof, kind: Kind, seed: u64) {
    for strength in STRENGTHS {
        let interpolants = settled(sequence(proof, strength).unwrap(), kind);
        let n = interpolants.len();
        let family = Family {
            sets: (1..=n as u32).map(|k| (0..k).collect()).collect(),
            interpolants,
            implications: (1..n).map(|k| (vec![k - 1], k as u32, k)).collect(),
        };
        family.check(proof, &format!("{kind:?} {seed} {strength:?}"));
    }
}

fn trees(proof: &Proof, kind: Kind, seed: u64) {
    let mut r = Random::new(seed);
    let n = proof.parts;
    let parents: Vec<Option<Part>> =
        (0..n).map(|i| (i + 1 < n).then(|| Part(r.range(i64::from(i) + 1, i64::from(n) - 1) as u32))).collect();
    let mut sets: Vec<Vec<u32>> = (0..n).map(|i| vec![i]).collect();
    for i in 0..n as usize {
        if let Some(p) = parents[i] {
            let below = sets[i].clone();
            sets[p.0 as usize].extend(below);
        }
    }
    let children = |p: u32| (0..n as usize).filter(|i| parents[*i] == Some(Part(p))).collect::<Vec<_>>();
    for strength in [Strength::McMillan, Strength::Pudlak] {
        let family = Family {
            sets: sets.clone(),
            interpolants: settled(tree(proof, strength, &parents).unwrap(), kind),
            implications: (0..n).map(|p| (children(p), p, p as usize)).collect(),
        };
        family.check(proof, &format!("{kind:?} {seed} {strength:?} {parents:?}"));
    }
    assert_eq!(tree(proof, Strength::Dual, &parents), Err(Error::Unfit));
}

fn any_cut(proof: &Proof, kind: Kind, seed: u64) {
    let all: Vec<Vec<u32>> = (0..1u32 << proof.parts).map(|m| (0..proof.parts).filter(|p| m >> p & 1 == 1).collect()).collect();
    let sets: Vec<PartSet> = all.iter().map(|s| s.iter().map(|p| Part(*p)).collect()).collect();
    for strength in STRENGTHS {
        let family =
            Family { sets: all.clone(), interpolants: settled(cuts(proof, strength, &sets).unwrap(), kind), implications: Vec::new() };
        family.check(proof, &format!("{kind:?} {seed} {strength:?}"));
    }
}

#[test]
fn sequences_are_interpolants_and_imply_each_other() {
    for kind in KINDS {
        refutations(kind, cases(80), &mut |seed, proof| {
            sequences(proof, kind, seed);
            sequences(&reduce(proof), kind, seed);
        });
    }
}

#[test]
fn trees_are_interpolants_and_children_imply_parents() {
    for kind in KINDS {
        refutations(kind, cases(80), &mut |seed, proof| trees(proof, kind, seed));
    }
}

#[test]
fn any_cut_has_an_interpolant() {
    for kind in KINDS {
        refutations(kind, cases(80), &mut |seed, proof| any_cut(proof, kind, seed));
    }
}
