//! General labels: from the error backwards, each says no more than its successors need.
//!
//! A state of a node is bad if an edge leads from it to where a later label does not hold. A label must exclude the bad states and hold in those that are reached; what is
//! between the two is a matter of taste, and generality is what makes the labels of later copies of a loop head imply those of earlier ones. So every clause of a label is made as
//! small as [`Reach`] allows, and only the clauses that exclude something are kept. Clauses come from the refutation of the whole graph, where it gives a
//! small formula. Otherwise bad states are found one after the other, each is made a [`cube`] of states that are bad alike, and the negation of a core of it is a
//! clause: this is how IC3 and Spacer generalise.
//!
//! **Contract.** Every clause holds whenever its node is reached, and all together exclude the bad states; so the labels are inductive, whatever the refutation's were.

use super::alias::Shared;
use super::local;
use super::reach::Reach;
use super::solver::OwnSolver;
use crate::interpolate::cube::cube;
use crate::interpolate::nnf::{conjuncts, negated};
use crate::interpolate::resolve::resolve;
use crate::solver::{CheckResult, Limits, Reason, Solver};
use plumb_itp::interpolate::Strength;
use plumb_term::visit::size;
use plumb_term::{Budget, Kind, Term, Var};
use rustc_hash::FxHashSet;
use std::time::Duration;

/// Clauses that are found one after the other, for one label.
const MAX_CLAUSES: usize = 60;
/// What a refutation gives is used if what is needed of it has at most this size.
const SMALL: usize = 40;
/// Clauses that are tried to be left out, at most.
const MAX_TRIED: usize = 60;

/// Conflicts and steps of the theory that the attempt to leave one out may take, and the search for a bad state.
const LITTLE: (u64, u64) = (1_000, 30_000);
const MUCH: (u64, u64) = (20_000, 20_000_000);

/// The computation.
pub(super) struct General<'a> {
    dag: &'a Shared,
    useful: &'a [bool],
    strength: Strength,
    /// The time for making clauses smaller.
    allowance: Duration,
    budget: &'a Budget,
    reach: Option<Reach>,
}

impl<'a> General<'a> {
    pub(super) fn new(dag: &'a Shared, useful: &'a [bool], strength: Strength, allowance: Duration, budget: &'a Budget) -> General<'a> {
        General { dag, useful, strength, allowance, budget, reach: None }
    }

    /// Labels for all nodes; the given ones are those of a refutation, where it has some.
    pub(super) fn labels(mut self, read: Vec<Option<Term>>) -> Result<Vec<Term>, Reason> {
        let last = read.len() - 1;
        let mut labels: Vec<Term> = read.iter().map(|t| t.unwrap_or_else(Term::tt)).collect();
        labels[last] = Term::ff();
        for n in (1..last).rev() {
            if self.budget.is_over() {
                return Err(Reason::Time);
            }
            labels[n] = self.label(n, read[n], &labels)?;
        }
        Ok(labels)
    }

    fn label(&mut self, node: usize, read: Option<Term>, labels: &[Term]) -> Result<Term, Reason> {
        let keep: FxHashSet<Var> = self.dag.nodes[node].iter().copied().collect();
        let (mut cases, mut steps): (Vec<Vec<Term>>, Vec<Term>) = (Vec::new(), Vec::new());
        let mut open = false;
        for (_, e) in self.dag.edges.iter().enumerate().filter(|(i, e)| self.useful[*i] && e.from.0 == node) {
            open = true;
            let mut parts = conjuncts(e.formula);
            parts.extend(conjuncts(negated(labels[e.to.0])));
            let step = Term::all(parts.iter().copied());
            let parts = resolve(parts, &keep);
            if !parts.iter().any(|t| t.is_false()) {
                cases.push(parts);
                steps.push(step);
            }
        }
        if !open {
            // Not on a path to the error.
            return Ok(labels[node]);
        }
        let mut bad = OwnSolver::new(&Limits::default());
        bad.set_budget(self.budget);
        // With the variables that cubes are without: what they name is shared.
        bad.assert(Term::any(steps));
        match self.exclude(node, read, &cases, &keep, &mut bad) {
            Ok(clauses) => Ok(Term::all(clauses)),
            Err(Reason::Time) if self.budget.is_over() => Err(Reason::Time),
            // Arithmetic that no finite number of cases describes, an operator that is taken as unknown: from one more proof.
            Err(_) => {
                let label = local::label(self.dag, self.useful, labels, node, self.strength, self.budget)?;
                let needed = fewest(&mut bad, conjuncts(label)).unwrap_or_else(|| conjuncts(label));
                Ok(Term::all(needed))
            }
        }
    }

    /// Clauses that hold whenever the node is reached and that exclude all bad states.
    fn exclude(
        &mut self,
        node: usize,
        read: Option<Term>,
        cases: &[Vec<Term>],
        keep: &FxHashSet<Var>,
        bad: &mut OwnSolver,
    ) -> Result<Vec<Term>, Reason> {
        let mut clauses: Vec<Term> = Vec::new();
        if let Some(read) = read.filter(|t| !t.is_true()) {
            let all = fewest(bad, conjuncts(read)).unwrap_or_default();
            if !all.is_empty() && all.iter().map(|t| size(*t)).sum::<usize>() <= SMALL {
                for c in all {
                    clauses.push(self.smaller(node, c)?);
                }
                if let Some(few) = fewest(bad, clauses.clone()) {
                    return Ok(few);
                }
            }
        }
        for _ in 0..MAX_CLAUSES {
            bad.limit_effort(Some(MUCH));
            match bad.check_assuming(&clauses) {
                CheckResult::Unsat => return Ok(fewest(bad, clauses.clone()).unwrap_or(clauses)),
                CheckResult::Sat => {}
                CheckResult::Unknown(why) => return Err(why),
            }
            let none = || Reason::Incomplete("a model cannot be read".into());
            let model = bad.model().ok_or_else(none)?;
            let cube = cube(cases, keep, &model).ok_or_else(none)?;
            let needed = self.reach()?.refuted(node, &cube)?;
            clauses.push(Term::any(needed.into_iter().map(|t| t.not())));
        }
        Err(Reason::Incomplete("too many clauses".into()))
    }

    /// A part of a disjunction that holds whenever the node is reached, as the whole does.
    fn smaller(&mut self, node: usize, clause: Term) -> Result<Term, Reason> {
        let Kind::Or(ts) = clause.kind() else { return Ok(clause) };
        let cube: Vec<Term> = ts.iter().map(|t| negated(*t)).collect();
        let needed = match self.reach()?.refuted(node, &cube) {
            Ok(needed) => needed,
            Err(_) => return Ok(clause),
        };
        Ok(Term::any(needed.into_iter().map(negated)))
    }

    fn reach(&mut self) -> Result<&mut Reach, Reason> {
        if self.reach.is_none() {
            self.reach = Some(Reach::new(self.dag, self.useful, self.allowance, self.budget).map_err(Reason::Unencodable)?);
        }
        self.reach.as_mut().ok_or_else(|| Reason::Incomplete("no solver".into()))
    }
}

/// Those of the clauses without which not all bad states would be excluded; large ones are left out first. Nothing if all together do not exclude them.
fn fewest(bad: &mut OwnSolver, mut clauses: Vec<Term>) -> Option<Vec<Term>> {
    clauses.sort_by_key(|t| (std::cmp::Reverse(size(*t)), *t));
    clauses.dedup();
    let mut core = |clauses: &[Term], effort: Option<(u64, u64)>| {
        bad.limit_effort(effort);
        let refuted = bad.check_assuming(clauses) == CheckResult::Unsat;
        let core = if refuted { bad.unsat_core() } else { Vec::new() };
        bad.limit_effort(None);
        refuted.then(|| clauses.iter().copied().filter(|t| core.contains(t)).collect::<Vec<Term>>())
    };
    let mut clauses = core(&clauses, Some(MUCH))?;
    let mut i = 0;
    for _ in 0..MAX_TRIED {
        if i >= clauses.len() {
            break;
        }
        let mut fewer = clauses.clone();
        fewer.remove(i);
        match core(&fewer, Some(LITTLE)) {
            Some(smaller) => clauses = smaller,
            None => i += 1,
        }
    }
    Some(clauses)
}
