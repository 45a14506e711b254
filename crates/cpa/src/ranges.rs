//! Evaluation of terms over ranges, for analyses that know bounds of variables in one form or another.

use plumb_term::visit::postorder;
use plumb_term::{Kind, Range, Sort, Term, Var, VarId};
use rustc_hash::FxHashMap;

/// Bounds of an integer term, given bounds of the program's variables. Machine arithmetic is exact in terms: a wrap whose operand lies across a border
/// of its type's periods gives any value of the type.
pub fn eval(t: Term, of: &dyn Fn(VarId) -> Range) -> Range {
    eval_with_inputs(t, &|v| (v.id < VarId::FIRST_AUX).then(|| of(v.id)))
}

/// The same with bounds of inputs as well, where they are known.
pub fn eval_with_inputs(t: Term, of: &dyn Fn(Var) -> Option<Range>) -> Range {
    let mut known: FxHashMap<Term, Range> = FxHashMap::default();
    for n in postorder([t]).into_iter().filter(|n| n.sort() == Sort::Int) {
        let r = match n.kind() {
            Kind::Var(v) => of(*v).unwrap_or_else(|| n.range()),
            Kind::Lin(lin) => lin.parts.iter().fold(Range::of_value(&lin.constant), |r, (k, a)| r.plus(known[a].scale(k))),
            Kind::Ite(_, a, b) => known[a].join(known[b]),
            Kind::Mul(a, b) => known[a].times(known[b]),
            Kind::Div(a, b) => known[a].quotients(known[b]),
            Kind::Rem(a, b) => known[a].remainders(known[b]),
            Kind::Wrap(ty, a) => known[a].wrapped(*ty),
            _ => n.range(),
        };
        let r = r.intersection(n.range());
        known.insert(n, r);
    }
    known.get(&t).copied().unwrap_or_else(|| t.range())
}

/// Whether a comparison, or the negation of an equality, is false for all values within the bounds; no for other conditions that are not false
/// outright.
pub fn refutes(of: &dyn Fn(VarId) -> Range, atom: Term) -> bool {
    let difference = |a: &Term, b: &Term| eval(a.sub(*b), of);
    match atom.kind() {
        Kind::Le(a, b) => difference(a, b).lo.is_some_and(|l| l > 0),
        Kind::Eq(a, b) if a.sort() == Sort::Int => !difference(a, b).contains(0),
        Kind::Not(n) => matches!(n.kind(), Kind::Eq(a, b) if a.sort() == Sort::Int && difference(a, b) == Range::new(0, 0)),
        _ => atom.is_false(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumb_term::{IntTy, Scalar, VarTy};

    #[test]
    fn bounds_of_terms_and_refuted_comparisons() {
        let int = VarTy::Scalar(Scalar::Int(IntTy::I32));
        let (x, y) = (Term::program_var(VarId(0), int), Term::program_var(VarId(1), int));
        let of = |v: VarId| if v.0 == 0 { Range::new(1, 5) } else { Range::new(-2, 0) };
        assert_eq!(eval(x.sub(y).plus(1), &of), Range::new(2, 8));
        assert_eq!(eval(x.mul(y), &of), Range::new(-10, 0));
        assert_eq!(eval(x.plus(1).wrap(IntTy::I32), &of), Range::new(2, 6));
        assert_eq!(eval(x.plus(i32::MAX).wrap(IntTy::I32), &of), Range::new(i32::MIN.into(), (i32::MIN + 4).into()));
        assert_eq!(eval(x.plus(i32::MAX - 2).wrap(IntTy::I32), &of), Range::of_type(IntTy::I32));
        assert!(refutes(&of, x.less_eq(y)) && !refutes(&of, y.less_eq(x)));
        assert!(refutes(&of, x.equals(y)) && !refutes(&of, x.equals(Term::int(3))) && refutes(&of, Term::ff()));
    }
}
