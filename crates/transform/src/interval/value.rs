//! What is known of a scalar: a range of integers or of floats.

use plumb_term::{FCmpOp, FRange, FTest, Float, Range, Scalar, Term, VarTy};

/// The values that a scalar can have.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Interval {
    /// Of an integer.
    Int(Range),
    /// Of a float.
    Float(FRange),
}

impl Interval {
    /// All values of a scalar type.
    pub fn of_scalar(ty: Scalar) -> Interval {
        match ty {
            Scalar::Int(t) => Interval::Int(super::env::int_range(t)),
            Scalar::Float(t) => Interval::Float(FRange::all(t)),
        }
    }

    /// All values of a variable's type.
    pub fn of_type(ty: VarTy) -> Interval {
        match ty {
            VarTy::Scalar(s) => Interval::of_scalar(s),
            _ => Interval::Int(Range::ALL),
        }
    }

    /// The range of an integer; no bounds for a float.
    pub fn int(self) -> Range {
        match self {
            Interval::Int(r) => r,
            Interval::Float(_) => Range::ALL,
        }
    }

    /// Whether nothing is known that the type does not say. Of a cell any bound counts.
    pub fn is_unbounded(self) -> bool {
        match self {
            Interval::Int(r) => r == Range::ALL,
            Interval::Float(f) => f.is_all(),
        }
    }

    /// The least interval that holds both.
    #[must_use]
    pub fn join(self, o: Interval) -> Interval {
        match (self, o) {
            (Interval::Int(a), Interval::Int(b)) => Interval::Int(a.join(b)),
            (Interval::Float(a), Interval::Float(b)) if a.ty == b.ty => Interval::Float(a.join(b)),
            (Interval::Float(f), _) | (_, Interval::Float(f)) => Interval::Float(FRange::all(f.ty)),
        }
    }

    /// What both hold; `None` if that is nothing.
    pub fn meet(self, o: Interval) -> Option<Interval> {
        match (self, o) {
            (Interval::Int(a), Interval::Int(b)) => super::env::meet(a, b).map(Interval::Int),
            (Interval::Float(a), Interval::Float(b)) if a.ty == b.ty => Some(a.meet(b)).filter(|r| !r.is_empty()).map(Interval::Float),
            _ => Some(self),
        }
    }

    /// Whether everything in it is in the other.
    pub fn within(self, o: Interval) -> bool {
        self.join(o) == o
    }

    /// That the value of `t` is in it.
    pub fn formula(self, t: Term) -> Term {
        match self {
            Interval::Int(r) => {
                let lo = r.lo.map_or_else(Term::tt, |l| Term::int(l).less_eq(t));
                let hi = r.hi.map_or_else(Term::tt, |h| t.less_eq(Term::int(h)));
                lo.and(hi)
            }
            Interval::Float(f) => float_formula(f, t),
        }
    }
}

/// Comparisons do not see signs of zero, so those that matter are said.
fn float_formula(f: FRange, t: Term) -> Term {
    let nan = Term::ftest(FTest::Nan, t);
    let (Some(lo), Some(hi)) = (f.lo(), f.hi()) else { return if f.nan { nan } else { Term::ff() } };
    if f.is_all() {
        return Term::tt();
    }
    let (zero, minus_zero) = (Float::zero(f.ty), Float::zero(f.ty).neg());
    let mut parts = Vec::new();
    if lo.feq(hi) {
        parts.push(Term::fcmp(FCmpOp::Eq, t, Term::float(hi)));
    } else {
        let bounded = (!lo.is_infinite(), !hi.is_infinite());
        if bounded.0 || !bounded.1 || lo == Float::inf(f.ty) {
            parts.push(Term::fcmp(FCmpOp::Le, Term::float(lo), t));
        }
        if bounded.1 {
            parts.push(Term::fcmp(FCmpOp::Le, t, Term::float(hi)));
        }
    }
    if lo == zero {
        parts.push(Term::ftest(FTest::SignBit, t).not());
    }
    if hi == minus_zero {
        parts.push(Term::ftest(FTest::SignBit, t));
    }
    let numbers = Term::all(parts);
    if f.nan {
        nan.or(numbers)
    } else {
        numbers
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumb_term::FloatTy;

    #[test]
    fn a_formula_holds_exactly_inside() {
        let numbers = [f64::NEG_INFINITY, -3.5, -1.0, -0.0, 0.0, f64::from_bits(1), 2.5, f64::MAX, f64::INFINITY].map(Float::from_f64);
        let nan = Float::nan(FloatTy::F64);
        let mut ranges = vec![FRange::empty(FloatTy::F64), FRange::only_nan(FloatTy::F64)];
        for lo in numbers {
            ranges.extend(numbers.into_iter().flat_map(|hi| [FRange::between(lo, hi), FRange::between(lo, hi).join(FRange::of(nan))]));
        }
        for r in ranges {
            for f in numbers.into_iter().chain([nan, nan.neg()]) {
                let formula = Interval::Float(r).formula(Term::float(f));
                assert_eq!((formula.is_true(), formula.is_false()), (r.contains(f), !r.contains(f)), "{f:?} in {r:?}");
            }
        }
    }

    #[test]
    fn widening_stops_at_thresholds_and_then_goes_away() {
        let between = |lo: f64, hi: f64| Interval::Float(FRange::between(Float::from_f64(lo), Float::from_f64(hi)));
        let thresholds = super::super::widen::Thresholds::default();
        assert_eq!(thresholds.widen(between(0.0, 1.0), between(0.0, 2.0), false), between(0.0, f64::INFINITY));
        assert_eq!(thresholds.widen(between(0.0, 1.0), between(0.0, 1.0), true), between(0.0, 1.0));
    }
}
