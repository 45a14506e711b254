//! Integers without a type get one where a formula bounds them.
//!
//! The encoding to bits needs a width for every integer. Variables of machine types have one; those without a type, such as the next free address,
//! often have bounds that conjuncts state. One that has a single value is replaced by it, another one by a number of a machine type above its
//! lower bound.

use plumb_term::visit::{linear_form, substitute, vars};
use plumb_term::{IBig, IntTy, Kind, Scalar, Sort, Term, Var, VarId, VarTy};
use std::collections::BTreeMap;

/// How often the values of some variables can show those of others.
const ROUNDS: usize = 4;

/// The widest type that a variable gets.
const MOST_BITS: u16 = 64;

/// A formula that has a model exactly if `formula` has one: integer variables without a type that its conjuncts bound occur no more.
pub fn typed(formula: Term) -> Term {
    match formula.kind() {
        // Each disjunct has bounds of its own.
        Kind::Or(ts) => Term::any(ts.iter().map(|t| conjunction(*t))),
        _ => conjunction(formula),
    }
}

fn conjunction(mut formula: Term) -> Term {
    for _ in 0..ROUNDS {
        let Some(mut next) = vars([formula]).iter().map(|v| v.id.0).max() else { break };
        let mut instead: BTreeMap<Var, Term> = BTreeMap::new();
        let mut facts = Vec::new();
        for (v, (low, high)) in bounds(formula) {
            let (Some(low), Some(high)) = (low, high) else { continue };
            if low > high {
                return Term::ff();
            }
            let room = high - &low;
            if room == IBig::ZERO {
                instead.insert(v, Term::int(low));
                continue;
            }
            let Some(ty) = (1..=MOST_BITS).map(IntTy::unsigned).find(|ty| room <= IntTy::max(*ty)) else { continue };
            let Some(id) = next.checked_add(1) else { continue };
            next = id;
            let above = Term::var(Var::new(VarId(id), VarTy::Scalar(Scalar::Int(ty))));
            facts.push(above.less_eq(Term::int(room)));
            instead.insert(v, above.add(Term::int(low)));
        }
        if instead.is_empty() {
            break;
        }
        formula = substitute(formula, &|v| instead.get(&v).copied()).and(Term::all(facts));
    }
    formula
}

/// The bounds that conjuncts state of variables without a type.
fn bounds(formula: Term) -> BTreeMap<Var, (Option<IBig>, Option<IBig>)> {
    let mut out: BTreeMap<Var, (Option<IBig>, Option<IBig>)> = BTreeMap::new();
    let mut open = vec![formula];
    while let Some(c) = open.pop() {
        // k·v + constant ⋈ 0
        let (difference, equal) = match c.kind() {
            Kind::Le(a, b) => (b.sub(*a), false),
            Kind::Eq(a, b) if a.sort() == Sort::Int => (b.sub(*a), true),
            Kind::And(ts) => {
                open.extend(ts.iter());
                continue;
            }
            _ => continue,
        };
        let (constant, parts) = linear_form(difference);
        let [(k, atom)] = parts.as_slice() else { continue };
        let Some(v) = atom.as_var().filter(|v| v.ty == VarTy::Int) else { continue };
        if *k != IBig::ONE && *k != IBig::NEG_ONE {
            continue;
        }
        let value = -&constant * k;
        let (low, high) = out.entry(v).or_default();
        if equal || *k == IBig::ONE {
            *low = Some(low.take().map_or_else(|| value.clone(), |l| l.max(value.clone())));
        }
        if equal || *k == IBig::NEG_ONE {
            *high = Some(high.take().map_or_else(|| value.clone(), |h| h.min(value.clone())));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn untyped(i: u32) -> Term {
        Term::var(Var::new(VarId(i), VarTy::Int))
    }

    #[test]
    fn what_two_bounds_fix_is_replaced_and_shows_more() {
        let (x, y, z) = (untyped(1), untyped(2), untyped(3));
        let machine = Term::var(Var::new(VarId(4), VarTy::Scalar(Scalar::Int(IntTy::I32))));
        let k = |k: i64| Term::int(k);
        let rest = z.bit_xor(machine).less_eq(y);
        let f = k(7).less_eq(x).and(x.less_eq(k(7))).and(y.equals(x.plus(1))).and(machine.equals(k(3))).and(rest);
        assert_eq!(typed(f), machine.equals(k(3)).and(z.bit_xor(machine).less_eq(k(8))));
        // A contradiction stays one; what no conjunct states is not known.
        assert!(typed(x.equals(k(1)).and(x.less_eq(k(0)))).is_false());
        assert_eq!(typed(k(1).less_eq(x).and(rest)), k(1).less_eq(x).and(rest));
        let either = x.equals(k(1)).or(y.equals(k(1))).and(rest);
        assert_eq!(typed(either), either);
        // Disjuncts have bounds of their own, conjunctions within conjunctions state theirs, too.
        let nested = x.equals(k(1)).and(machine.less_eq(k(5))).or(x.equals(k(2)).and(machine.less_eq(x)));
        assert_eq!(typed(nested), machine.less_eq(k(5)).or(machine.less_eq(k(2))));
    }

    #[test]
    fn what_bounds_leave_room_for_gets_a_type() {
        let (x, y) = (untyped(1), untyped(2));
        let k = |k: i64| Term::int(k);
        let f = typed(k(-3).less_eq(x).and(x.less_eq(k(6))).and(x.bit_xor(k(5)).equals(y)).and(y.less_eq(k(1))).and(k(-9).less_eq(y)));
        assert!(vars([f]).iter().all(|v| v.ty != VarTy::Int));
        // The same values: x from -3 to 6 with x ^ 5 from -9 to 1, which are -1 … -3 and 4, 5.
        let mut solver = crate::Z3Solver::new(crate::Encoding::BITS32, &crate::Limits::default()).unwrap();
        use crate::Solver;
        solver.assert(f);
        assert!(solver.check().is_sat());
        let widest = k(0).less_eq(x).and(x.less_eq(Term::int(IBig::ONE << 80)));
        assert_eq!(typed(widest), widest);
    }
}
