//! The operations of IEEE 754 on floats: sums, products, quotients, square roots, and rounding to integers.
//!
//! A sum needs three digits beyond the precision, the last of them sticky. Quotients and roots are computed digit by digit; what remains is sticky.

use super::gates::{Gates, Lit};
use super::round::{bias, precision, Fields};
use super::words::{resize, Word};
use plumb_term::{Float, IBig, RoundMode};

/// In an order that does not depend on which operand is the first, so that `a + b` and `b + a` share their gates.
fn ordered<'a>(a: &'a Fields, b: &'a Fields) -> (&'a Fields, &'a Fields) {
    let key = |f: &Fields| (f.magnitude(), f.sign);
    if key(b) < key(a) {
        (b, a)
    } else {
        (a, b)
    }
}

/// The significand that begins with a digit that may be zero, shifted if it is.
fn led(gates: &mut Gates, significand: &[Lit]) -> Word {
    let lead = significand[significand.len() - 1];
    gates.choose(lead, significand, &Gates::shifted(significand, 1))
}

impl Gates {
    /// `a + b`, or `a − b`.
    pub(super) fn fsum(&mut self, a: &Fields, b: &Fields, subtract: bool) -> Word {
        let ty = a.ty;
        let negated = Fields { sign: if subtract { !b.sign } else { b.sign }, ..b.clone() };
        let (x, y) = ordered(a, &negated);
        let swap = self.below(&x.magnitude(), &y.magnitude());
        let (scale_x, scale_y) = (x.scale(self), y.scale(self));
        let mut split = |x: &[Lit], y: &[Lit]| (self.choose(swap, y, x), self.choose(swap, x, y));
        let ((large, small), (scale, other)) = (split(&x.significand(), &y.significand()), split(&scale_x, &scale_y));
        let (sign_large, sign_small) = (self.ite(swap, y.sign, x.sign), self.ite(swap, x.sign, y.sign));
        let distance = self.minus(&scale, &other);
        let extended = |w: &[Lit]| -> Vec<Lit> { std::iter::repeat_n(Lit::FALSE, 3).chain(w.iter().copied()).collect() };
        let aligned = self.shift_sticky(&extended(&small), &distance);
        let differ = self.xor(x.sign, y.sign);
        let wide = precision(ty) as u32 + 4;
        let addend: Word = resize(&aligned, false, wide).iter().map(|l| self.xor(*l, differ)).collect();
        let (sum, _) = self.adder(&resize(&extended(&large), false, wide), &addend, differ);
        // The top bit is for the carry: its place is that of the larger operand, plus one.
        let (significand, place) = self.normalised_within(&sum, &scale);
        // A difference of zero is positive.
        let some = self.any(sum.iter().copied());
        let kept = self.or(some, sign_small);
        let sign = self.and(sign_large, kept);
        let infinite = self.or(a.infinite, b.infinite);
        let result = self.rounded(ty, sign, infinite, (&place, &significand));
        let both = self.and(a.infinite, b.infinite);
        let invalid = self.and(both, differ);
        self.unless_nan(&[a, b], invalid, &result)
    }

    pub(super) fn fproduct(&mut self, a: &Fields, b: &Fields) -> Word {
        let (ty, p) = (a.ty, precision(a.ty));
        let (x, y) = ordered(a, b);
        let (x, y) = (self.normal(x), self.normal(y));
        let wide = 2 * p as u32;
        let product = self.times(&resize(&x.significand, false, wide), &resize(&y.significand, false, wide));
        let carry = product[2 * p - 1];
        let cut = self.cut(&product, p + 3);
        let significand = led(self, &cut);
        let (exponent, _) = self.adder(&x.exponent, &y.exponent, carry);
        let exponent = self.offset(&exponent, -bias(ty));
        let (place, significand) = self.denormal(ty, &exponent, &significand);
        let sign = self.xor(a.sign, b.sign);
        let infinite = self.or(a.infinite, b.infinite);
        let result = self.rounded(ty, sign, infinite, (&place, &significand));
        let zero = self.or(a.zero, b.zero);
        let invalid = self.and(infinite, zero);
        self.unless_nan(&[a, b], invalid, &result)
    }

    pub(super) fn fquotient(&mut self, a: &Fields, b: &Fields) -> Word {
        let (ty, p) = (a.ty, precision(a.ty));
        let (x, y) = (self.normal(a), self.normal(b));
        let inverted: Word = y.significand.iter().chain([&Lit::FALSE]).map(|l| !*l).collect();
        // Divided by infinity, all is zero.
        let mut rest: Vec<Lit> = x.significand.iter().map(|l| self.and(!b.infinite, *l)).chain([Lit::FALSE]).collect();
        let mut digits = Vec::with_capacity(p + 3);
        for step in 0..p + 2 {
            if step > 0 {
                rest = Gates::shifted(&rest, 1).to_vec();
            }
            let (difference, fits) = self.adder(&rest, &inverted, Lit::TRUE);
            digits.push(fits);
            rest = self.choose(fits, &difference, &rest).to_vec();
        }
        let first = digits[0];
        digits.push(self.any(rest));
        digits.reverse();
        let significand = led(self, &digits);
        let minus: Word = y.exponent.iter().map(|l| !*l).collect();
        let (exponent, _) = self.adder(&x.exponent, &minus, first);
        let exponent = self.offset(&exponent, bias(ty));
        let (place, significand) = self.denormal(ty, &exponent, &significand);
        let sign = self.xor(a.sign, b.sign);
        let infinite = self.or(a.infinite, b.zero);
        let result = self.rounded(ty, sign, infinite, (&place, &significand));
        let (zeros, infinities) = (self.and(a.zero, b.zero), self.and(a.infinite, b.infinite));
        let invalid = self.or(zeros, infinities);
        self.unless_nan(&[a, b], invalid, &result)
    }

    pub(super) fn froot(&mut self, a: &Fields) -> Word {
        let (ty, p) = (a.ty, precision(a.ty));
        let x = self.normal(a);
        // Half of it is the exponent of the root; what is left over goes to the radicand, which has two digits before the point.
        let exponent = self.offset(&x.exponent, bias(ty));
        let plain = resize(&x.significand, false, p as u32 + 1);
        let radicand = self.choose(exponent[0], &Gates::shifted(&plain, 1), &plain);
        let digit = |i: usize| p.checked_sub(i).map_or(Lit::FALSE, |i| radicand[i]);
        let (mut rest, mut root): (Vec<Lit>, Vec<Lit>) = (Vec::new(), Vec::new());
        for i in 0..p + 1 {
            // The rest is at most twice the root; what is subtracted is 4·root + 1.
            let wide = i as u32 + 3;
            let next: Vec<Lit> = [digit(2 * i + 1), digit(2 * i)].into_iter().chain(rest).collect();
            let next = resize(&next, false, wide);
            let trial: Vec<Lit> = [Lit::TRUE, Lit::FALSE].into_iter().chain(root.iter().copied()).collect();
            let inverted: Word = resize(&trial, false, wide).iter().map(|l| !*l).collect();
            let (difference, fits) = self.adder(&next, &inverted, Lit::TRUE);
            rest = self.choose(fits, &difference, &next)[..i + 2].to_vec();
            root.insert(0, fits);
        }
        let sticky = self.any(rest);
        root.insert(0, sticky);
        let place = self.offset(&exponent[1..], -1);
        let result = self.rounded(ty, a.sign, a.infinite, (&place, &root));
        let invalid = self.and(a.sign, !a.zero);
        self.unless_nan(&[a], invalid, &result)
    }

    /// Rounded to an integral number.
    pub(super) fn fintegral(&mut self, a: &Fields, mode: RoundMode) -> Word {
        let (ty, f) = (a.ty, precision(a.ty) - 1);
        let wide = ty.exponent_bits() + 1;
        let exponent = self.offset(&resize(&a.exponent, false, wide), -bias(ty));
        let (exponent, small) = (&exponent[..wide as usize - 1], exponent[wide as usize - 1]);
        // The digits behind the point, for numbers from one on. Infinities and NaNs have none, nor have numbers below one: read without its sign, their exponent is large.
        let behind = self.shift(&vec![Lit::TRUE; f], exponent, false, Lit::FALSE);
        let above = |i: usize| behind.get(i + 1).copied().unwrap_or(Lit::FALSE);
        // Where the units are: above the first digit behind the point.
        let units: Vec<Lit> = std::iter::once(Lit::FALSE).chain((0..f).map(|i| self.and(behind[i], !above(i)))).collect();
        let significand: Vec<Lit> = a.fraction.iter().copied().chain([Lit::TRUE]).collect();
        let mut meets = |x: &[Lit], y: &[Lit]| {
            let common = self.bitwise(x, y, Gates::and);
            self.any(common.iter().copied())
        };
        let (odd, half, rest) = (meets(&significand, &units), meets(&a.fraction, &units[1..]), meets(&a.fraction[..f - 1], &behind[1..]));
        // Below one: a half has the exponent −1.
        let is_half = self.all(exponent.iter().copied());
        let half = self.ite(small, is_half, half);
        let (part, some) = (self.any(a.fraction.iter().copied()), !a.zero);
        let below = self.ite(is_half, part, some);
        let rest = self.ite(small, below, rest);
        let inexact = self.or(half, rest);
        let up = match mode {
            RoundMode::NearestEven => {
                let beyond = self.or(rest, odd);
                self.and(half, beyond)
            }
            RoundMode::NearestAway => half,
            RoundMode::TowardZero => Lit::FALSE,
            RoundMode::Up => self.and(!a.sign, inexact),
            RoundMode::Down => self.and(a.sign, inexact),
        };
        let whole: Vec<Lit> = (0..f).map(|i| self.and(a.fraction[i], !behind[i])).chain(a.exponent.iter().copied()).collect();
        let step: Vec<Lit> = units.iter().map(|l| self.and(up, *l)).collect();
        let sum = self.plus(&whole, &resize(&step, false, whole.len() as u32));
        let one = self.numeral(&IBig::from(Float::one(ty).bits), ty.bits() - 1);
        let unit: Word = one.iter().map(|l| self.and(up, *l)).collect();
        let mut out = self.choose(small, &unit, &sum).to_vec();
        out.push(a.sign);
        self.unless_nan(&[a], Lit::FALSE, &out)
    }
}
