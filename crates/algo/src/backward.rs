//! Backward analysis from the error (seed 001, Section 6.1): the states from which it can be reached, over-approximated.
//!
//! At the error every state is bad, elsewhere the preimages of what is bad after a step, joined over all steps and widened at loop heads. If nothing is
//! bad at the entry, no execution reaches the error, and *not bad* is an inductive invariant: a step from a state that is not bad leads to
//! one that is not bad either. So the invariant of a loop head is the negation of a convex set, a disjunction that no forward analysis with
//! the same domain finds.
//!
//! Locations, edges and their linear actions are those of DAGGER; what the intervals know is assumed at loop heads. Errors are not found here.

use crate::dagger::search::Model;
use crate::flat::Bounded;
use plumb_cfa::{Loc, Point, Program};
use plumb_num::{interruptible, LinCons, NumDomain, Octagons, Polyhedra};
use plumb_term::{Budget, Term};
use plumb_verdict::{Method, Notes, Proof, Reason, ReasonKind, Verdict};
use std::collections::BTreeSet;

/// A loop head is joined so often before it is widened.
const JOINS: u32 = 3;

/// How often the result is computed once more without widening.
const DESCENTS: usize = 2;

/// More comparisons of the program are not kept by a widening.
const MOST_THRESHOLDS: usize = 60;

/// Runs the analysis.
pub fn run(program: &Program, budget: &Budget, progress: &mut dyn FnMut(&str), notes: &mut Notes) -> Verdict {
    progress("preparing the control flow");
    let bounded = match Bounded::new(program, budget) {
        Ok(done) => done,
        Err(reason) => return Verdict::Unknown(reason),
    };
    let model = bounded.model();
    progress("backward from the error, octagons");
    let half = budget.part(2);
    let octagons = interruptible(half.watch(), || Analysis::new(Octagons, &model, &half).proof());
    let (found, domain) = match octagons {
        Ok(Some(Some(proof))) => (Ok(Some(Some(proof))), "octagon"),
        _ => {
            progress("backward from the error, polyhedra");
            (interruptible(budget.watch(), || Analysis::new(Polyhedra::default(), &model, budget).proof()), "polyhedra")
        }
    };
    match found {
        Ok(Some(Some(proof))) => {
            notes.figure("domain", domain);
            Verdict::Safe(bounded.proof(proof))
        }
        Ok(Some(None)) => {
            let why = "the backward analysis does not exclude that the error is reached from the entry".to_owned();
            Verdict::Unknown(Reason::new(ReasonKind::Incomplete(why)))
        }
        Ok(None) | Err(_) => Verdict::Unknown(Reason::new(ReasonKind::Time)),
    }
}

struct Analysis<'a, D: NumDomain> {
    domain: D,
    model: &'a Model<'a>,
    budget: &'a Budget,
    /// By location, the states from which the error can be reached.
    bad: Vec<D::Elem>,
    joined: Vec<u32>,
    thresholds: Vec<LinCons>,
}

impl<'a, D: NumDomain> Analysis<'a, D> {
    fn new(domain: D, model: &'a Model<'a>, budget: &'a Budget) -> Analysis<'a, D> {
        let locs = model.control.needed.len();
        let of = |l: usize| if model.control.targets.contains_key(&Loc(l as u32)) { domain.top() } else { domain.bottom() };
        let guards: BTreeSet<LinCons> = model.edges.iter().flat_map(|e| e.action.guards.iter().cloned()).collect();
        let inputs: BTreeSet<_> = model.edges.iter().flat_map(|e| e.action.inputs.iter().copied()).collect();
        let own = |c: &LinCons| c.expr().dims().all(|d| !inputs.contains(&d));
        let thresholds = guards.into_iter().filter(own).take(MOST_THRESHOLDS).collect();
        Analysis { bad: (0..locs).map(of).collect(), joined: vec![0; locs], domain, model, budget, thresholds }
    }

    /// What is bad at a location, by the edges that leave it.
    fn before(&self, l: usize) -> D::Elem {
        self.model.out[l].iter().fold(self.domain.bottom(), |sum, e| {
            let edge = &self.model.edges[*e];
            let after = &self.bad[edge.to.index()];
            if self.domain.is_bottom(after) {
                return sum;
            }
            self.domain.join(&sum, &edge.action.preimage(&self.domain, after))
        })
    }

    /// Computes a fixpoint; nothing without time.
    fn fixpoint(&mut self) -> Option<()> {
        let control = self.model.control;
        let mut into: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); self.bad.len()];
        for e in &self.model.edges {
            into[e.to.index()].insert(e.from.index());
        }
        // Later locations first: what they need has come from still later ones.
        let mut work: BTreeSet<usize> = control.targets.keys().flat_map(|l| into[l.index()].iter().copied()).collect();
        while let Some(l) = work.pop_last() {
            if self.budget.is_over() {
                return None;
            }
            let new = self.before(l);
            if self.domain.leq(&new, &self.bad[l]) {
                continue;
            }
            let sum = self.domain.join(&self.bad[l], &new);
            let head = control.cuts.contains(&Loc(l as u32));
            self.joined[l] += 1;
            let widen = head && self.joined[l] > JOINS;
            self.bad[l] = if widen { self.domain.widen_up_to(&self.bad[l], &sum, &self.thresholds) } else { sum };
            work.extend(&into[l]);
        }
        Some(())
    }

    /// The proof, if nothing is bad at the entry; nothing at all without time.
    fn proof(mut self) -> Option<Option<Proof>> {
        self.fixpoint()?;
        for _ in 0..DESCENTS {
            for l in (0..self.bad.len()).rev() {
                if !self.model.control.targets.contains_key(&Loc(l as u32)) && !self.domain.is_bottom(&self.bad[l]) {
                    self.bad[l] = self.domain.meet(&self.bad[l], &self.before(l));
                }
                if self.budget.is_over() {
                    return None;
                }
            }
        }
        if !self.domain.is_bottom(&self.bad[self.model.control.entry.index()]) {
            return Some(None);
        }
        let formula = |l: &Loc| {
            let bad = &self.bad[l.index()];
            Term::all(self.domain.constraints(bad).iter().map(|c| self.model.space.term(c))).not()
        };
        let at = |l: &Loc| Point { stack: Vec::new(), func: self.model.program.entry, loc: *l };
        let invariants = self.model.control.cuts.iter().map(|l| (at(l), formula(l))).collect();
        Some(Some(Proof { method: Method::Inductive, invariants }))
    }
}
