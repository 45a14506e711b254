//! Wraps, quotients and remainders as linear constraints with one new variable.

use super::translate::{not, Translator};
use plumb_itp::{Linear, Literal, Sort as NumSort};
use plumb_num::Int;
use plumb_term::{IBig, IntTy, Term};

/// A wrap with at most this many quotients is told apart by cases, which keeps every conflict linear over the rationals.
const CASES: i128 = 8;

impl Translator {
    /// `⌊x/k⌋` and `x - k·⌊x/k⌋` for `k > 0`.
    pub(super) fn floor(&mut self, x: &Linear, k: &Int) -> (Linear, Linear) {
        let q = Linear::var(self.solver.number(NumSort::Int));
        let r = x.plus(&-k, &q);
        self.bound(&r, Some(IBig::ZERO), None);
        let below = r.plus(&Int::ONE, &Linear::constant(Int::ONE - k));
        let l = self.solver.less_eq(&below);
        self.fact(l);
        (q, r)
    }

    /// C's quotient and remainder, which truncate towards zero, for a constant divisor that is not zero.
    pub(super) fn quotient(&mut self, a: Term, b: Term) -> (Linear, Linear) {
        let x = self.int(a);
        let k = b.as_int().map_or(Int::ONE, |k| Int::from(k.clone()));
        let (size, negative) = (k.abs(), k.is_negative());
        let (q, r) = if a.range().lo.is_some_and(|lo| lo >= 0) {
            self.floor(&x, &size)
        } else {
            // q rounds towards zero: 0 ≤ r < k where x ≥ 0, and -k < r ≤ 0 where x < 0.
            let q = Linear::var(self.solver.number(NumSort::Int));
            let r = x.plus(&-&size, &q);
            let one_less = Linear::constant(&size - &Int::ONE);
            let negative = self.solver.less(&x);
            let positive = not(negative);
            let minus = r.times(&Int::MINUS_ONE);
            for (guard, least, most) in [(positive, &minus, &r), (negative, &r, &minus)] {
                let sign = self.solver.less_eq(least);
                let limit = self.solver.less_eq(&most.plus(&Int::MINUS_ONE, &one_less));
                self.solver.add_clause(&[not(guard), sign]);
                self.solver.add_clause(&[not(guard), limit]);
            }
            (q, r)
        };
        (if negative { q.times(&Int::MINUS_ONE) } else { q }, r)
    }

    /// The value of type `ty` that is congruent to `a`.
    pub(super) fn wrap(&mut self, ty: IntTy, a: Term) -> Linear {
        let x = self.int(a);
        let modulus = Int::from(ty.modulus());
        let quotient = |v: i128| (IBig::from(v) - ty.wrap(&IBig::from(v))) / ty.modulus();
        let range = a.range();
        if let (Some(lo), Some(hi)) = (range.lo, range.hi) {
            let (first, last) = (quotient(lo), quotient(hi));
            if first == last {
                return x.plus(&-(modulus * Int::from(first)), &Linear::constant(Int::ONE));
            }
            if &last - &first < IBig::from(CASES) {
                return self.wrap_by_cases(ty, &x, &first, &last);
            }
        }
        let q = Linear::var(self.solver.number(NumSort::Int));
        let value = x.plus(&-modulus, &q);
        self.bound(&value, Some(ty.min()), Some(ty.max()));
        value
    }

    /// `x - q·2ⁿ` for the `q` of `first..=last` that brings `x` into the range.
    fn wrap_by_cases(&mut self, ty: IntTy, x: &Linear, first: &IBig, last: &IBig) -> Linear {
        let value = Linear::var(self.solver.number(NumSort::Int));
        self.bound(&value, Some(ty.min()), Some(ty.max()));
        let mut q = first.clone();
        // What must fail for the case before: x is above its range.
        let mut above = Literal::Constant(true);
        while q <= *last {
            let shift = ty.modulus() * &q;
            let shifted = x.plus(&Int::MINUS_ONE, &Linear::constant(Int::from(shift.clone())));
            let within = if q == *last {
                Literal::Constant(true)
            } else {
                self.solver.less_eq(&x.plus(&Int::MINUS_ONE, &Linear::constant(Int::from(ty.max() + shift))))
            };
            let d = value.plus(&Int::MINUS_ONE, &shifted);
            for side in [d.clone(), d.times(&Int::MINUS_ONE)] {
                let l = self.solver.less_eq(&side);
                self.solver.add_clause(&[not(above), not(within), l]);
            }
            above = not(within);
            q += IBig::ONE;
        }
        value
    }
}
