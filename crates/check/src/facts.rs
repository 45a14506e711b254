//! Facts that hold by themselves: the greatest inductive part of what engines believe.
//!
//! Candidates are conjuncts at cut points. All of them are assumed, and those that a block does not preserve are dropped until none is left
//! to drop (Houdini: Flanagan and Leino, FME 2001), with the blocks and the solver of the proof checker. What remains is an accepted
//! invariant of the original program, so a proof may be strengthened by it without being rejected.

use crate::contracts::Contracts;
use crate::obligation::{Prover, Refuted};
use crate::proof::{at_heads, entry, is_well_formed};
use crate::records::Records;
use crate::symex::{Executor, State};
use plumb_cfa::unwind::Orders;
use plumb_cfa::{Point, Program};
use plumb_term::{Budget, Term};
use plumb_verdict::{is_ground, Facts};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// A question that takes longer counts against the candidate it is about.
const PATIENCE: Duration = Duration::from_millis(300);

/// The greatest part of `candidates` that holds at the entry and that every block preserves; quantified ones are left out. Nothing if
/// the budget is over before it is found, or the program is recursive where it matters.
pub fn inductive_part(program: &Program, candidates: &Facts, budget: &Budget) -> Facts {
    let orders = Orders::new(program);
    let mut left: BTreeMap<Point, Vec<Term>> = BTreeMap::new();
    for (p, t) in candidates.at.iter().filter(|(p, t)| **p != entry(program) && is_well_formed(program, [**t], false, &Records::default()))
    {
        left.insert(p.clone(), t.conjuncts().into_iter().filter(|c| is_ground(*c)).collect());
    }
    let filter = Filter { program, orders: &orders, budget };
    match filter.greatest(left) {
        Some(left) => Facts::new(left.into_iter().filter(|(_, ts)| !ts.is_empty()).map(|(p, ts)| (p, Term::all(ts))).collect()),
        None => Facts::default(),
    }
}

struct Filter<'p> {
    program: &'p Program,
    orders: &'p Orders<'p>,
    budget: &'p Budget,
}

impl Filter<'_> {
    fn greatest(&self, mut left: BTreeMap<Point, Vec<Term>>) -> Option<BTreeMap<Point, Vec<Term>>> {
        let contracts = Contracts::default();
        let mut executor = Executor::new(self.program, self.orders, &contracts);
        let mut seen = BTreeSet::from([entry(self.program)]);
        let mut work = seen.clone();
        while let Some(from) = work.pop_first() {
            if left.values().all(Vec::is_empty) {
                return Some(left);
            }
            let assumed = left.get(&from).map_or_else(Term::tt, |ts| Term::all(ts.iter().copied()));
            let ends = at_heads(&mut executor, self.orders, &from, State::assuming(assumed), self.budget).ok()?;
            for (at, s) in &ends.stopped {
                let to = at.point();
                let asked = left.get(&to).cloned().unwrap_or_default();
                let after: Vec<Term> = asked.iter().map(|t| s.value(self.program, self.orders, at, *t)).collect();
                let kept = self.preserved(s.condition(), &asked, &after)?;
                // What follows from the state at `to` is to be shown again from less.
                if kept.len() < asked.len() || !seen.contains(&to) {
                    work.insert(to.clone());
                }
                seen.insert(to.clone());
                left.insert(to, kept);
            }
        }
        // Points that no block reaches: nothing is known of them, and nobody comes there.
        left.retain(|p, _| seen.contains(p));
        Some(left)
    }

    /// Those of `asked` whose values `after` hold under the condition; nothing without time.
    fn preserved(&self, condition: Term, asked: &[Term], after: &[Term]) -> Option<Vec<Term>> {
        if self.holds(condition, Term::all(after.iter().copied())) {
            return Some(asked.to_vec());
        }
        let mut kept = Vec::new();
        for (t, value) in asked.iter().zip(after) {
            if self.budget.is_over() {
                return None;
            }
            if asked.len() > 1 && self.holds(condition, *value) {
                kept.push(*t);
            }
        }
        Some(kept)
    }

    fn holds(&self, condition: Term, value: Term) -> bool {
        let patience = self.budget.at_most(PATIENCE);
        matches!(Prover::new(self.program, &patience).refute(condition.and(value.not())), Refuted::Yes)
    }
}
