//! Elimination of variables: `∃ others. conjunction` as a formula over some variables.
//!
//! What a program computes is an equation, so most variables go by substitution. What is left falls into components that share
//! variables; each is tried by cases (disjunctions, Booleans), by combining bounds, by reading memories as values at their
//! addresses, and last by the solver's quantifier elimination. A component that resists is replaced by true, and the result is then not exact but implied.

use super::memory;
use crate::encode::Encoding;
use crate::interpolate::nnf::conjuncts;
use crate::interpolate::resolve::resolve;
use crate::solver::Limits;
use crate::z3::Z3Solver;
use plumb_term::linear::Sum;
use plumb_term::visit::{linear_form, size, vars};
use plumb_term::{Budget, IBig, IntTy, Kind, Scalar, Term, Var, VarId, VarTy};
use rustc_hash::FxHashSet;
use std::time::Duration;

/// The time for one quantifier elimination by the solver.
const PATIENCE: Duration = Duration::from_millis(700);
/// Larger formulas are not given to it.
const MAX_SIZE: usize = 3_000;
/// How deep cases nest.
const DEPTH: u32 = 12;
/// How many cases one elimination may look at.
const CASES: usize = 400;
/// The most inequalities that combining bounds may yield.
const PAIRS: usize = 64;

/// A projection.
pub(super) struct Projected {
    pub(super) term: Term,
    /// Whether it is equivalent, not only implied.
    pub(super) exact: bool,
}

/// Eliminates variables.
pub(super) struct Eliminator {
    solver: Option<Z3Solver>,
    /// The next fresh variable.
    next: u32,
    budget: Budget,
    /// Cases that are left.
    cases: usize,
    /// Whether the solver may be asked.
    hard: bool,
}

impl Eliminator {
    pub(super) fn new(next: u32, budget: &Budget) -> Eliminator {
        Eliminator { solver: None, next, budget: budget.clone(), cases: 0, hard: true }
    }

    /// What the conjunction says of `keep`; only if it may be `hard` the solver is asked.
    pub(super) fn exists(&mut self, parts: Vec<Term>, keep: &[Var], hard: bool) -> Projected {
        let kept: FxHashSet<Var> = keep.iter().copied().collect();
        self.cases = CASES;
        self.hard = hard;
        let mut exact = true;
        let term = self.project(parts, &kept, &mut exact, DEPTH);
        Projected { term, exact }
    }

    fn project(&mut self, parts: Vec<Term>, keep: &FxHashSet<Var>, exact: &mut bool, depth: u32) -> Term {
        let parts = resolve(parts, keep);
        let mut done = Vec::new();
        let mut open = Vec::new();
        for t in parts {
            let others: Vec<Var> = vars([t]).into_iter().filter(|v| !keep.contains(v)).collect();
            if others.is_empty() {
                done.push(t);
            } else {
                open.push((t, others));
            }
        }
        for (list, others) in components(open) {
            done.push(self.component(list, others, keep, exact, depth));
        }
        Term::all(done)
    }

    /// One component, all of whose conjuncts mention variables that go.
    fn component(&mut self, list: Vec<Term>, others: Vec<Var>, keep: &FxHashSet<Var>, exact: &mut bool, depth: u32) -> Term {
        if depth > 0 && self.cases > 0 {
            if let Some(less) = combine(&list, &others) {
                return self.project(less, keep, exact, depth - 1);
            }
            if let Some(cases) = cases(&list, &others) {
                self.cases = self.cases.saturating_sub(cases.len());
                let found: Vec<Term> = cases.into_iter().map(|c| self.project(conjuncts(c), keep, exact, depth - 1)).collect();
                return Term::any(found);
            }
            if let Some(values) = memory::as_values(&list, &others, &mut self.next) {
                return self.project(values, keep, exact, depth - 1);
            }
        }
        let whole = Term::all(list);
        match self.by_solver(whole, &others, keep) {
            Some(t) => t,
            None => {
                *exact = false;
                Term::tt()
            }
        }
    }

    fn by_solver(&mut self, t: Term, others: &[Var], keep: &FxHashSet<Var>) -> Option<Term> {
        let plain = |v: &Var| matches!(v.ty, VarTy::Bool | VarTy::Int | VarTy::Scalar(Scalar::Int(_)));
        if !self.hard || !others.iter().all(plain) || size(t) > MAX_SIZE || self.budget.is_over() {
            return None;
        }
        if self.solver.is_none() {
            let limits = Limits { query_time: Some(PATIENCE), ..Limits::default() };
            let mut solver = Z3Solver::new(Encoding::Int, &limits).ok()?;
            crate::solver::Solver::set_budget(&mut solver, &self.budget);
            self.solver = Some(solver);
        }
        let mut kept: Vec<Var> = keep.iter().copied().collect();
        kept.sort_unstable();
        self.solver.as_mut()?.project(t, &kept)
    }
}

/// Groups conjuncts that share variables that go.
fn components(open: Vec<(Term, Vec<Var>)>) -> Vec<(Vec<Term>, Vec<Var>)> {
    let mut groups: Vec<(Vec<Term>, Vec<Var>)> = Vec::new();
    for (t, others) in open {
        let (mut list, mut all) = (vec![t], others);
        let mut apart = Vec::new();
        for (ts, vs) in groups {
            if vs.iter().any(|v| all.contains(v)) {
                list.splice(0..0, ts);
                all.extend(vs);
            } else {
                apart.push((ts, vs));
            }
        }
        all.sort_unstable();
        all.dedup();
        apart.push((list, all));
        groups = apart;
    }
    groups
}

/// A split into cases: a lone disjunction's, or the values of a Boolean.
fn cases(list: &[Term], others: &[Var]) -> Option<Vec<Term>> {
    if let [one] = list {
        match one.kind() {
            Kind::Or(ts) => return Some(ts.to_vec()),
            Kind::Ite(c, a, b) => return Some(vec![c.and(*a), c.not().and(*b)]),
            Kind::Not(n) => {
                if let Kind::And(ts) = n.kind() {
                    return Some(ts.iter().map(|t| t.not()).collect());
                }
            }
            _ => {}
        }
    }
    let y = *others.iter().find(|v| v.ty == VarTy::Bool)?;
    let whole = Term::all(list.iter().copied());
    Some([false, true].map(|b| plumb_term::visit::substitute(whole, &|v| (v == y).then(|| Term::bool(b)))).to_vec())
}

/// Fourier and Motzkin's combination of bounds, for an integer that occurs with factors ±1 in inequalities only: exact over integers.
fn combine(list: &[Term], others: &[Var]) -> Option<Vec<Term>> {
    others.iter().find_map(|y| combine_one(list, *y))
}

fn combine_one(list: &[Term], y: Var) -> Option<Vec<Term>> {
    let (mut lower, mut upper) = match y.ty {
        VarTy::Int => (Vec::new(), Vec::new()),
        VarTy::Scalar(Scalar::Int(ty)) => (vec![Term::int(IntTy::min(ty))], vec![Term::int(IntTy::max(ty))]),
        _ => return None,
    };
    let mut rest = Vec::new();
    for t in list {
        if !vars([*t]).contains(&y) {
            rest.push(*t);
            continue;
        }
        let Kind::Le(a, b) = t.kind() else { return None };
        let (constant, parts) = linear_form(a.sub(*b));
        // k·y + others ≤ 0
        let (mine, others): (Vec<_>, Vec<_>) = parts.into_iter().partition(|p| p.1 == Term::var(y));
        let [(k, _)] = mine.as_slice() else { return None };
        if vars(others.iter().map(|p| p.1)).contains(&y) {
            return None;
        }
        let mut other = Sum::constant(constant);
        others.iter().for_each(|(c, atom)| other.add(c, *atom));
        let other = other.term();
        if *k == IBig::ONE {
            upper.push(other.neg());
        } else if *k == IBig::NEG_ONE {
            lower.push(other);
        } else {
            return None;
        }
    }
    if lower.len() * upper.len() > PAIRS {
        return None;
    }
    for l in &lower {
        rest.extend(upper.iter().map(|u| l.less_eq(*u)));
    }
    Some(rest)
}

/// A fresh variable.
pub(super) fn fresh(next: &mut u32, ty: VarTy) -> Var {
    *next += 1;
    Var::new(VarId(*next - 1), ty)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(id: u32) -> Var {
        Var::new(VarId(id), VarTy::Int)
    }

    fn eliminated(parts: Vec<Term>, keep: &[Var]) -> Term {
        let p = Eliminator::new(1 << 30, &Budget::unlimited()).exists(parts, keep, true);
        assert!(p.exact);
        p.term
    }

    #[test]
    fn equations_are_substituted() {
        let [x, y, z] = [1, 2, 3].map(int);
        let (a, b, c) = (Term::var(x), Term::var(y), Term::var(z));
        let parts = vec![b.equals(a.plus(1)), c.equals(b.add(b)), c.less(Term::int(10))];
        assert_eq!(eliminated(parts, &[x]), a.plus(1).less(Term::int(5)));
    }

    #[test]
    fn a_machine_variable_keeps_its_range() {
        let (x, y) = (int(1), Var::new(VarId(2), VarTy::Scalar(Scalar::Int(IntTy::U8))));
        let got = eliminated(vec![Term::var(y).equals(Term::var(x).plus(1))], &[x]);
        assert_eq!(got, Term::var(x).plus(1).within(&IBig::ZERO, &IBig::from(255)));
    }

    #[test]
    fn bounds_are_combined_and_cases_split() {
        let [x, y, z] = [1, 2, 3].map(int);
        let (a, b, c) = (Term::var(x), Term::var(y), Term::var(z));
        assert_eq!(eliminated(vec![a.less(b), b.less(c)], &[x, z]), a.plus(2).less_eq(c));
        let either = a.less(b).and(b.less(Term::int(0))).or(b.equals(Term::int(3)).and(c.equals(b)));
        assert_eq!(eliminated(vec![either], &[x, z]), a.plus(1).less(Term::int(0)).or(c.equals(Term::int(3))));
    }

    #[test]
    fn what_resists_is_left_out() {
        let ty = plumb_term::FloatTy::F64;
        let (x, f) = (int(1), Var::new(VarId(2), VarTy::Scalar(Scalar::Float(ty))));
        let odd = Term::fcmp(plumb_term::FCmpOp::Lt, Term::ffrom_int(ty, Term::var(x)), Term::var(f));
        let p = Eliminator::new(1 << 30, &Budget::unlimited()).exists(vec![odd, Term::var(x).less(Term::int(3))], &[x], true);
        assert!(!p.exact);
        assert_eq!(p.term, Term::var(x).less(Term::int(3)));
    }
}
