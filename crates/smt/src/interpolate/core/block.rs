//! Labels clause by clause: bad states are found one after the other and each is excluded together with all that look like it.
//!
//! A state at a node is bad if some values of the variables that go lead from it to where a later label does not hold. A model
//! gives such values; put in, they leave a conjunction over the node's variables all of whose states are bad. None of them is reached, so a
//! core of that conjunction says why, and its negation is a clause of the label. This is how IC3 and Spacer generalise, with the whole graph's condition as
//! the witness that the clause holds; it needs no quantifier elimination and no theory in particular, but it may not end.

use super::eliminate::resolve;
use super::nnf::conjuncts;
use super::reach::Reach;
use crate::encode::Encoding;
use crate::model::Model;
use crate::solver::{CheckResult, Limits, Solver};
use crate::z3::Z3Solver;
use plumb_term::eval::Value;
use plumb_term::visit::{substitute, vars, Rewriter};
use plumb_term::{Budget, Cell, Float, IntTy, Kind, Scalar, Sort, Term, Var};
use rustc_hash::{FxHashMap, FxHashSet};
use std::time::Duration;

/// Clauses of one label.
const MAX_CLAUSES: usize = 200;
/// The time for one question.
const PATIENCE: Duration = Duration::from_secs(2);
/// Cells that a memory's value may have.
const MAX_CELLS: usize = 32;
/// Choices among disjuncts nest this deep.
const DEPTH: u32 = 40;

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
        let case = cases.iter().find(|c| c.iter().all(|t| model.holds(*t) == Some(true)))?;
        let cube = cube(case, &kept, &model)?;
        let needed = reach.refuted(node, &cube)?;
        let clause = Term::any(needed.into_iter().map(|t| t.not()));
        label.push(clause);
        solver.assert(clause);
    }
    None
}

/// A conjunction of atoms over `keep` that the model satisfies and that implies the case for some values of the other variables.
fn cube(case: &[Term], keep: &FxHashSet<Var>, model: &Model) -> Option<Vec<Term>> {
    let mut values: FxHashMap<Var, Term> = FxHashMap::default();
    for v in vars(case.iter().copied()).into_iter().filter(|v| !keep.contains(v)) {
        values.insert(v, constant(&model.var(v)?)?);
    }
    let mut out = Vec::new();
    for t in case {
        implicant(substitute(*t, &|v| values.get(&v).copied()), model, DEPTH, &mut out);
    }
    let mut seen = FxHashSet::default();
    out.retain(|t| seen.insert(*t));
    Some(out)
}

/// Atoms that the model satisfies and that imply `t`, which it satisfies.
fn implicant(t: Term, model: &Model, depth: u32, out: &mut Vec<Term>) {
    let holds = |t: &Term| model.holds(*t) == Some(true);
    for c in conjuncts(t) {
        let chosen = match c.kind() {
            _ if depth == 0 => None,
            Kind::Or(ts) => ts.iter().copied().find(holds),
            Kind::Not(n) => match n.kind() {
                Kind::And(ts) => ts.iter().map(|t| t.not()).find(holds),
                _ => None,
            },
            Kind::Ite(c, a, b) => Some(if holds(c) { c.and(*a) } else { c.not().and(*b) }),
            Kind::Eq(a, b) if a.sort() == Sort::Bool => Some(if holds(a) { a.and(*b) } else { a.not().and(b.not()) }),
            _ => None,
        };
        match chosen {
            Some(chosen) => implicant(chosen, model, depth - 1, out),
            None if depth == 0 => out.push(c),
            None => {
                let mut conditions = Vec::new();
                out.push(chosen_values(c, model, &mut conditions));
                conditions.into_iter().for_each(|t| implicant(t, model, depth - 1, out));
            }
        }
    }
}

/// An atom with the conditional values in it replaced by those that the model chooses, and the conditions of that.
fn chosen_values(mut t: Term, model: &Model, conditions: &mut Vec<Term>) -> Term {
    for _ in 0..DEPTH {
        let mut found = false;
        let mut choose = |n: Term| {
            let Kind::Ite(c, a, b) = n.kind() else { return None };
            found = true;
            let yes = model.holds(*c) == Some(true);
            conditions.push(if yes { *c } else { c.not() });
            Some(if yes { *a } else { *b })
        };
        t = Rewriter::new().rewrite(t, &mut choose);
        if !found {
            break;
        }
    }
    t
}

/// The term that has this value, if it is short.
fn constant(value: &Value) -> Option<Term> {
    match value {
        Value::Bool(b) => Some(Term::bool(*b)),
        Value::Int(v) => Some(Term::int(v.clone())),
        Value::Float(f) => Some(Term::float(*f)),
        Value::Mem(m) => {
            if *m.background() != plumb_term::IBig::ZERO {
                return None;
            }
            let mut t = Term::zero_mem(m.cell());
            let mut cells = 0;
            for (lo, hi, v) in m.runs() {
                let mut at = lo.clone();
                while at < *hi {
                    cells += 1;
                    if cells > MAX_CELLS {
                        return None;
                    }
                    let (ty, value) = match m.cell() {
                        Cell::Byte => (Scalar::Int(IntTy::U8), Term::int(v.clone())),
                        Cell::Scalar(s @ Scalar::Int(_)) => (s, Term::int(v.clone())),
                        Cell::Scalar(s @ Scalar::Float(f)) => (s, Term::float(Float::from_bits(f, u128::try_from(v).ok()?))),
                    };
                    t = Term::store(ty, t, Term::int(at.clone()), value);
                    at += plumb_term::IBig::ONE;
                }
            }
            Some(t)
        }
    }
}
