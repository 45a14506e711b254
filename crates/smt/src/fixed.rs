//! Variables that a formula fixes are replaced by their values.
//!
//! The encoding to bits needs bounds for every integer. Variables of machine types have them; those without a type, such as the next free address, often have one
//! value that a conjunct states, and with it in their place the formula has a width.

use plumb_term::visit::{linear_form, substitute};
use plumb_term::{IBig, Kind, Sort, Term, Var, VarTy};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// How often the values of some variables can show those of others.
const ROUNDS: usize = 4;

/// A formula that has a model exactly if `formula` has one: integer variables without a type that its conjuncts fix are replaced, and occur no more.
pub fn without_fixed(formula: Term) -> Term {
    let mut formula = formula;
    for _ in 0..ROUNDS {
        let Some(fixed) = fixed(formula) else { return Term::ff() };
        if fixed.is_empty() {
            break;
        }
        formula = substitute(formula, &|v| fixed.get(&v).map(|k| Term::int(k.clone())));
    }
    formula
}

/// The variables that conjuncts fix, and their values; nothing if they leave none for one.
fn fixed(formula: Term) -> Option<BTreeMap<Var, IBig>> {
    let mut bounds: BTreeMap<Var, (Option<IBig>, Option<IBig>)> = BTreeMap::new();
    for c in formula.conjuncts() {
        // k·v + constant ⋈ 0
        let (difference, equal) = match c.kind() {
            Kind::Le(a, b) => (b.sub(*a), false),
            Kind::Eq(a, b) if a.sort() == Sort::Int => (b.sub(*a), true),
            _ => continue,
        };
        let (constant, parts) = linear_form(difference);
        let [(k, atom)] = parts.as_slice() else { continue };
        let Some(v) = atom.as_var().filter(|v| v.ty == VarTy::Int) else { continue };
        if *k != IBig::ONE && *k != IBig::NEG_ONE {
            continue;
        }
        let value = -&constant * k;
        let (low, high) = bounds.entry(v).or_default();
        if equal || *k == IBig::ONE {
            *low = Some(low.take().map_or_else(|| value.clone(), |l| l.max(value.clone())));
        }
        if equal || *k == IBig::NEG_ONE {
            *high = Some(high.take().map_or_else(|| value.clone(), |h| h.min(value.clone())));
        }
    }
    let mut out = BTreeMap::new();
    for (v, (low, high)) in bounds {
        let (Some(low), Some(high)) = (low, high) else { continue };
        match low.cmp(&high) {
            Ordering::Less => {}
            Ordering::Equal => {
                out.insert(v, low);
            }
            Ordering::Greater => return None,
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumb_term::{IntTy, Scalar, VarId};

    fn untyped(i: u32) -> Term {
        Term::var(Var::new(VarId(i), VarTy::Int))
    }

    #[test]
    fn what_two_bounds_fix_is_replaced_and_shows_more() {
        let (x, y, z) = (untyped(1), untyped(2), untyped(3));
        let typed = Term::var(Var::new(VarId(4), VarTy::Scalar(Scalar::Int(IntTy::I32))));
        let k = |k: i64| Term::int(k);
        let rest = z.bit_xor(typed).less_eq(y);
        let f = k(7).less_eq(x).and(x.less_eq(k(7))).and(y.equals(x.plus(1))).and(typed.equals(k(3))).and(rest);
        assert_eq!(without_fixed(f), typed.equals(k(3)).and(z.bit_xor(typed).less_eq(k(8))));
        // A contradiction stays one, bounds alone fix nothing, nor does what is not stated.
        assert!(without_fixed(x.equals(k(1)).and(x.less_eq(k(0)))).is_false());
        let open = k(1).less_eq(x).and(x.less_eq(k(2)));
        assert_eq!(without_fixed(open), open);
        let either = x.equals(k(1)).or(y.equals(k(1)));
        assert_eq!(without_fixed(either), either);
    }
}
