//! A formula with products as a disjunction, so that equations become visible.
//!
//! **Problem.** What products are equal to depends on which equations hold, and these are often behind a disjunction, a choice between factors, or two inequalities that meet.
//!
//! **Contract.** The formula is equivalent to the disjunction of what [`split`] gives. Conditions of choices below products are told apart, and small disjunctions; in each case the
//! bounds of variables are propagated, opposite inequalities that meet become an equation, and those that exclude each other end the case.

use crate::cases::{alternatives, conjuncts, settled};
use crate::reduce::Bounds;
use plumb_term::visit::{linear_form, postorder, size, Rewriter};
use plumb_term::{IBig, Kind, Term};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// How often a case is split.
const MOST_DEPTH: u32 = 5;
/// Cases, about.
const MOST_CASES: usize = 32;
/// Larger disjunctions are not split.
const MOST_SIZE: usize = 60;

/// The cases of a formula.
pub(crate) fn split(formula: Term) -> Vec<Term> {
    let mut out = Vec::new();
    let mut open = vec![(formula, MOST_DEPTH)];
    while let Some((f, depth)) = open.pop() {
        let Some(parts) = settled(f, Bounds::new()).and_then(|(rest, bounds)| {
            let bounded = bounds.iter().map(|(v, r)| match (r.lo, r.hi) {
                (Some(lo), Some(hi)) if lo == hi => Term::var(*v).equals(Term::int(lo)),
                _ => Term::var(*v).in_range(*r),
            });
            tightened(bounded.flat_map(conjuncts).chain(conjuncts(rest)).collect())
        }) else {
            continue;
        };
        let case = Term::all(parts.iter().copied());
        let may_split = depth > 0 && out.len() + open.len() < MOST_CASES;
        if let Some(c) = choice(case).filter(|_| may_split) {
            let with = |value: bool| {
                Rewriter::new().rewrite(case, &mut |n| match n {
                    n if n == c => Some(Term::bool(value)),
                    n if n == c.not() => Some(Term::bool(!value)),
                    _ => None,
                })
            };
            open.extend([c.and(with(true)), c.not().and(with(false))].map(|f| (f, depth - 1)));
        } else if let Some(d) = disjunction(&parts).filter(|_| may_split) {
            let others = Term::all(parts.iter().copied().filter(|c| *c != d));
            open.extend(alternatives(d).into_iter().map(|a| (a.and(others), depth - 1)));
        } else {
            out.push(case);
        }
    }
    out
}

/// The smallest disjunction.
fn disjunction(parts: &[Term]) -> Option<Term> {
    let several = parts.iter().copied().filter(|c| alternatives(*c).len() > 1);
    several.map(|c| (size(c), c)).filter(|(size, _)| *size <= MOST_SIZE).min_by_key(|(size, _)| *size).map(|(_, c)| c)
}

/// The condition of a choice that is a factor of a product.
fn choice(formula: Term) -> Option<Term> {
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    for t in postorder([formula]).into_iter().filter(|t| matches!(t.kind(), Kind::Mul(..))) {
        let mut stack = vec![t];
        while let Some(n) = stack.pop() {
            match n.kind() {
                _ if !seen.insert(n) => {}
                Kind::Ite(c, ..) => return Some(*c),
                Kind::Lin(_) | Kind::Mul(..) | Kind::Wrap(..) => stack.extend(n.children()),
                _ => {}
            }
        }
    }
    None
}

/// The conjuncts with an equation where two inequalities meet; nothing if two exclude each other.
fn tightened(parts: Vec<Term>) -> Option<Vec<Term>> {
    // Of the sums that are not negative: the least constants, by the rest.
    let mut least: BTreeMap<Vec<(Term, IBig)>, IBig> = BTreeMap::new();
    let mut out = parts;
    for c in out.clone() {
        let Kind::Le(a, b) = c.kind() else { continue };
        let (constant, sum) = linear_form(b.sub(*a));
        if sum.is_empty() {
            continue;
        }
        let form = |sign: IBig| {
            let mut form: Vec<(Term, IBig)> = sum.iter().map(|(k, t)| (*t, k * &sign)).collect();
            form.sort();
            form
        };
        let opposite = least.get(&form(IBig::NEG_ONE)).map(|other| other + &constant);
        match opposite {
            Some(room) if room < IBig::ZERO => return None,
            Some(room) if room == IBig::ZERO => out.push(a.equals(*b)),
            _ => {}
        }
        let known = least.entry(form(IBig::ONE)).or_insert_with(|| constant.clone());
        *known = constant.min(known.clone());
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumb_term::{IntTy, Scalar, VarId, VarTy};

    fn var(id: u32) -> Term {
        Term::program_var(VarId(id), VarTy::Scalar(Scalar::Int(IntTy::I32)))
    }

    #[test]
    fn inequalities_meet_or_exclude_each_other() {
        let [x, y, z] = [1, 2, 3].map(var);
        let met = split(x.less_eq(y).and(y.less_eq(x)).and(x.mul(z).equals(Term::int(5))));
        assert!(met.len() == 1 && met[0].conjuncts().contains(&x.equals(y)), "{met:?}");
        assert!(split(x.less_eq(y).and(y.plus(1).less_eq(x))).is_empty());
        assert!(split(x.plus(2).less_eq(y).and(y.less_eq(x.plus(1)))).is_empty());
        let apart = split(x.less_eq(y).and(y.less_eq(x.plus(1))));
        assert!(apart.len() == 1 && apart[0].conjuncts().len() == 2, "{apart:?}");
    }

    #[test]
    fn disjunctions_are_cases_and_bounds_end_them() {
        let [n, a, x] = [1, 2, 3].map(var);
        let zero = Term::int(0);
        // After a loop with a counter that may not have been entered.
        let left = a.less_eq(n.plus(-1));
        let entered = n.equals(zero).or(n.less_eq(a.plus(1)));
        let empty = x.equals(zero).or(zero.less_eq(a));
        let cases = split(left.and(entered).and(empty).and(x.less_eq(n)));
        let says = |t: Term| cases.iter().filter(|c| c.conjuncts().contains(&t)).count();
        assert_eq!((says(n.equals(zero)), says(a.equals(n.plus(-1)))), (1, 2), "{cases:?}");
        assert_eq!(cases.len(), 3, "{cases:?}");
    }
}
