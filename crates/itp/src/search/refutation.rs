//! From the log to a proof: the records that the last one needs, with the clauses of chains computed.

use super::log::{Log, LogId, Record};
use crate::lit::{BoolVar, Lit};
use crate::proof::{Proof, Reason, Step, StepId};
use crate::vocabulary::Vocabulary;

/// The proof of the clause of `root`. Variables that are `hidden` (by index; false beyond the end) only ever occur negatively, so they are never
/// resolved on, and leaving them out of all clauses leaves a proof.
pub(super) fn build(log: &Log, root: LogId, vocabulary: &Vocabulary, parts: u32, hidden: &[bool]) -> Proof {
    let needed = log.reach([root]);
    let mut to = vec![StepId(u32::MAX); needed.len()];
    let mut steps: Vec<Step> = Vec::new();
    let mut resolvent = Resolvent::new(vocabulary.booleans().len());
    let visible = |words: &[u32]| -> Vec<Lit> {
        let lits = words.iter().map(|&w| Lit::from_word(w));
        lits.filter(|l| !hidden.get(l.var().index()).copied().unwrap_or(false)).collect()
    };
    for (i, _) in needed.iter().enumerate().filter(|n| *n.1) {
        let step = match log.record(LogId(i as u32)) {
            Record::Input(part, lits) => Step { clause: visible(lits), reason: Reason::Input(part) },
            Record::Lemma(certificate, lits) => Step { clause: visible(lits), reason: Reason::Lemma(certificate.clone()) },
            Record::Chain(first, rest) => {
                let first = to[first.0 as usize];
                let rest: Vec<(BoolVar, StepId)> = rest.chunks_exact(2).map(|p| (BoolVar(p[0]), to[p[1] as usize])).collect();
                resolvent.start(&steps[first.0 as usize].clause);
                for &(pivot, step) in &rest {
                    resolvent.resolve(pivot, &steps[step.0 as usize].clause);
                }
                Step { clause: resolvent.finish(), reason: Reason::Chain { first, rest } }
            }
        };
        to[i] = StepId(steps.len() as u32);
        steps.push(step);
    }
    Proof { parts, booleans: vocabulary.booleans().to_vec(), numbers: vocabulary.numbers().to_vec(), steps }
}

/// A clause under resolution: a set of literals that keeps their order.
struct Resolvent {
    lits: Vec<Lit>,
    present: Vec<bool>,
}

impl Resolvent {
    fn new(variables: usize) -> Resolvent {
        Resolvent { lits: Vec::new(), present: vec![false; 2 * variables] }
    }

    fn add(&mut self, lit: Lit) {
        if !std::mem::replace(&mut self.present[lit.code()], true) {
            self.lits.push(lit);
        }
    }

    fn start(&mut self, clause: &[Lit]) {
        clause.iter().for_each(|&l| self.add(l));
    }

    fn resolve(&mut self, pivot: BoolVar, clause: &[Lit]) {
        debug_assert!(self.present[pivot.positive().code()] != self.present[pivot.negative().code()]);
        self.present[pivot.positive().code()] = false;
        self.present[pivot.negative().code()] = false;
        clause.iter().filter(|l| l.var() != pivot).for_each(|&l| self.add(l));
    }

    fn finish(&mut self) -> Vec<Lit> {
        let present = &mut self.present;
        // A literal that was resolved away and came back is listed twice.
        self.lits.drain(..).filter(|l| std::mem::replace(&mut present[l.code()], false)).collect()
    }
}
