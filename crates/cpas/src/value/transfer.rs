//! The transfer relation of constant propagation: case (1), assume operations, and (2), assignments.

use super::state::{is_constant, Valuation};
use crate::cells::slot;
use plumb_cfa::Program;
use plumb_cpa::Step;
use plumb_term::visit::linear_form;
use plumb_term::{IBig, Kind, Range, Sort, Term, VarId};
use std::collections::BTreeMap;

/// The successor along a step, if the constants do not exclude it.
pub(super) fn post(program: &Program, e: &Valuation, step: &Step) -> Option<Valuation> {
    let before = assume(program, e, step.condition())?;
    let mut after = before.clone();
    for (v, t) in step.updates() {
        let value = before.eval(*t);
        if program.is_memory(*v) {
            after.set_memory(*v, value);
        } else {
            after.set_var(*v, is_constant(value).then_some(value));
        }
    }
    Some(after)
}

/// The states in which the condition holds: a variable whose only value under it is `c` gets that constant. `None` if there are none.
pub(super) fn assume(program: &Program, e: &Valuation, cond: Term) -> Option<Valuation> {
    let mut out = e.clone();
    let mut left = out.eval(cond);
    // Each round finds a constant; most conditions have few variables.
    for _ in 0..8 {
        if left.is_false() {
            return None;
        }
        if !learn(program, &mut out, left)? {
            break;
        }
        left = out.eval(left);
    }
    Some(out)
}

/// Takes constants from the conjuncts; whether there were any. `None` if they contradict each other.
fn learn(program: &Program, e: &mut Valuation, cond: Term) -> Option<bool> {
    let mut bounds: BTreeMap<Term, Range> = BTreeMap::new();
    for c in cond.conjuncts() {
        match c.kind() {
            Kind::Var(v) => bounds.extend([(c, Range::new(1, 1))].into_iter().filter(|_| v.id < VarId::FIRST_AUX)),
            Kind::Not(n) if n.as_var().is_some() => bounds.extend([(*n, Range::new(0, 0))]),
            Kind::Eq(a, b) if a.sort() == Sort::Int => {
                if let Some((atom, k, constant)) = single(a.sub(*b)) {
                    if &constant % &k != IBig::ZERO {
                        return None;
                    }
                    let value = Range::of_value(&-(&constant / &k));
                    restrict(&mut bounds, atom, value);
                }
            }
            Kind::Le(a, b) => {
                if let Some((atom, k, constant)) = single(a.sub(*b)) {
                    // k·atom + constant ≤ 0
                    let (Ok(k), Ok(limit)) = (i128::try_from(&k), i128::try_from(&-constant)) else { continue };
                    let half = if k > 0 {
                        Range { lo: None, hi: Some(limit.div_euclid(k)) }
                    } else {
                        Range { lo: k.checked_neg().map(|k| -limit.div_euclid(k)), hi: None }
                    };
                    restrict(&mut bounds, atom, half);
                }
            }
            _ => {}
        }
    }
    let mut learnt = false;
    for (atom, r) in bounds {
        let (Some(lo), Some(hi)) = (r.lo, r.hi) else { continue };
        if lo > hi {
            return None;
        }
        if lo == hi {
            let c = if atom.sort() == Sort::Bool { Term::bool(lo == 1) } else { Term::int(lo) };
            match (atom.as_var(), slot(atom)) {
                (Some(v), _) if v.id < VarId::FIRST_AUX && !program.is_memory(v.id) => {
                    e.set_var(v.id, Some(c));
                    learnt = true;
                }
                (_, Some((s, ty))) => {
                    e.set_cell(s, ty, c);
                    learnt = true;
                }
                _ => {}
            }
        }
    }
    Some(learnt)
}

/// The only atom of a linear term, with its coefficient and the constant, if it is a variable or a cell.
fn single(t: Term) -> Option<(Term, IBig, IBig)> {
    let (constant, mut parts) = linear_form(t);
    let (k, atom) = parts.pop().filter(|_| parts.is_empty())?;
    (atom.as_var().is_some() || slot(atom).is_some()).then_some((atom, k, constant))
}

fn restrict(bounds: &mut BTreeMap<Term, Range>, atom: Term, r: Range) {
    let known = bounds.entry(atom).or_insert_with(|| atom.range());
    known.lo = known.lo.max(r.lo);
    known.hi = match (known.hi, r.hi) {
        (Some(x), Some(y)) => Some(x.min(y)),
        (x, y) => x.or(y),
    };
}
