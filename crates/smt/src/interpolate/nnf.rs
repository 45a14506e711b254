//! Negation that is pushed inwards, so that labels are conjunctions of disjunctions as far as they go.

use plumb_term::{Kind, Sort, Term};
use rustc_hash::FxHashMap;

/// Negations are pushed through this many operators.
const DEPTH: u32 = 48;

/// The negation, pushed inwards.
pub(crate) fn negated(t: Term) -> Term {
    push(t, false, DEPTH, &mut FxHashMap::default())
}

fn push(t: Term, sign: bool, depth: u32, done: &mut FxHashMap<(Term, bool), Term>) -> Term {
    if let Some(known) = done.get(&(t, sign)) {
        return *known;
    }
    let plain = |t: Term| if sign { t } else { t.not() };
    let new = match t.kind() {
        _ if depth == 0 => plain(t),
        Kind::Not(a) => push(*a, !sign, depth - 1, done),
        Kind::And(ts) | Kind::Or(ts) => {
            let list: Vec<Term> = ts.iter().map(|c| push(*c, sign, depth - 1, done)).collect();
            if matches!(t.kind(), Kind::And(_)) == sign {
                Term::all(list)
            } else {
                Term::any(list)
            }
        }
        Kind::Ite(c, a, b) if t.sort() == Sort::Bool => {
            let (a, b) = (push(*a, sign, depth - 1, done), push(*b, sign, depth - 1, done));
            Term::ite(*c, a, b)
        }
        _ => plain(t),
    };
    done.insert((t, sign), new);
    new
}

/// The conjuncts, through nested conjunctions.
pub(crate) fn conjuncts(t: Term) -> Vec<Term> {
    let mut out = Vec::new();
    let mut stack = vec![t];
    while let Some(t) = stack.pop() {
        match t.kind() {
            Kind::And(ts) => stack.extend(ts.iter().rev()),
            Kind::Not(a) => match a.kind() {
                Kind::Or(ts) => stack.extend(ts.iter().rev().map(|c| c.not())),
                _ => out.push(t),
            },
            Kind::Bool(true) => {}
            _ => out.push(t),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumb_term::{Var, VarId, VarTy};

    #[test]
    fn negation_goes_down_to_atoms() {
        let [a, b, c] = [0, 1, 2].map(|i| Term::var(Var::new(VarId(i), VarTy::Bool)));
        assert_eq!(negated(a.and(b.or(c.not()))), Term::any([a.not(), b.not().and(c)]));
        assert_eq!(negated(negated(Term::ite(a, b.and(c), c))), Term::ite(a, b.and(c), c));
        assert_eq!(conjuncts(a.or(b.not()).not()).len(), 2);
    }
}
