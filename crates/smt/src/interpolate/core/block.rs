//! Labels clause by clause: bad states are found one after the other and each is excluded together with all that look like it.
//!
//! A state at a node is bad if some values of the variables that go lead from it to where a later label does not hold. A model
//! gives such values; put in, they leave a conjunction over the node's variables all of whose states are bad. None of them is reached, so a
//! core of that conjunction says why, and its negation is a clause of the label. This is how IC3 and Spacer generalise, with the whole graph's condition as
//! the witness that the clause holds; it needs no quantifier elimination and no theory in particular, but it may not end.

use super::reach::Reach;
use crate::encode::Encoding;
use crate::interpolate::cube::cube;
use crate::interpolate::resolve::resolve;
use crate::solver::{CheckResult, Limits, Solver};
use crate::z3::Z3Solver;
use plumb_term::{Budget, Term, Var};
use rustc_hash::FxHashSet;
use std::time::Duration;

/// Clauses of one label.
const MAX_CLAUSES: usize = 200;
/// The time for one question.
const PATIENCE: Duration = Duration::from_secs(2);

/// A formula over `keep` that holds whenever `node` is reached and excludes all states that satisfy one of the cases for some values of the
/// other variables.
pub(super) fn label(
    node: usize,
    cases: &[Vec<Term>],
    keep: &[Var],
    reach: &mut Reach,
    encoding: Encoding,
    budget: &Budget,
) -> Option<Term> {
    let kept: FxHashSet<Var> = keep.iter().copied().collect();
    let cases: Vec<Vec<Term>> = cases.iter().map(|c| resolve(c.clone(), &kept)).collect();
    let limits = Limits { query_time: Some(PATIENCE), ..Limits::default() };
    let mut solver = Z3Solver::without_tactics(encoding, &limits).ok()?;
    solver.set_budget(budget);
    solver.assert(Term::any(cases.iter().map(|c| Term::all(c.iter().copied()))));
    let mut label = Vec::new();
    while label.len() < MAX_CLAUSES && !budget.is_over() {
        match solver.check() {
            CheckResult::Unsat => return Some(Term::all(label)),
            CheckResult::Sat => {}
            CheckResult::Unknown(_) => return None,
        }
        let model = solver.model()?;
        let cube = cube(&cases, &kept, &model)?;
        let needed = reach.refuted(node, &cube)?;
        let clause = Term::any(needed.into_iter().map(|t| t.not()));
        label.push(clause);
        solver.assert(clause);
    }
    None
}
