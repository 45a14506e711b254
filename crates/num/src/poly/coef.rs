//! Coefficients of the double description: machine words with overflow detection, or big integers.
//!
//! The conversion is generic over [`Coef`]. With `i64` every product and sum is formed in `i128`, where it cannot overflow
//! because entries stay below 2⁶⁰ in absolute value and rows have at most 127 columns; a result that leaves this range is an
//! [`Overflow`], and the caller repeats the whole operation with [`Int`].

use std::cell::Cell;
use std::fmt::Debug;
use std::hash::Hash;

use super::convert::Scratch;

use crate::int::{gcd_u64, Int};

/// An `i64` result left the range of the fast path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overflow;

/// A coefficient type.
pub trait Coef: Clone + Eq + Ord + Hash + Debug + Send + Sync + 'static {
    /// A type for scalar products, wide enough never to overflow.
    type Prod: Clone + Debug;

    /// The most columns a row may have.
    const MAX_COLS: usize;

    /// Zero.
    fn zero() -> Self;
    /// One.
    fn one() -> Self;
    /// The coefficient of that value, if it is in range.
    fn from_int(v: &Int) -> Result<Self, Overflow>;
    /// The value.
    fn to_int(&self) -> Int;
    /// -1, 0 or 1.
    fn sign(&self) -> i32;
    /// Changes the sign.
    fn negate(&mut self);
    /// The coefficient as a product.
    fn lift(&self) -> Self::Prod;
    /// The scalar product of two rows of the same length.
    fn dot(a: &[Self], b: &[Self]) -> Self::Prod;
    /// The sign of a product.
    fn prod_sign(p: &Self::Prod) -> i32;
    /// The product with the opposite sign.
    fn prod_neg(p: &Self::Prod) -> Self::Prod;
    /// The product as an integer.
    fn prod_to_int(p: &Self::Prod) -> Int;
    /// The product as a coefficient.
    fn prod_to_coef(p: &Self::Prod) -> Result<Self, Overflow>;
    /// Appends `p·a + q·b`, divided by the greatest common divisor of its entries, to `out`.
    fn combine(p: &Self::Prod, a: &[Self], q: &Self::Prod, b: &[Self], out: &mut Vec<Self>) -> Result<(), Overflow>;
    /// Divides the row by the greatest common divisor of its entries.
    fn normalize(row: &mut [Self]);

    /// Memory for a conversion, used before if possible.
    fn borrow_scratch() -> Scratch<Self> {
        Scratch::default()
    }

    /// Keeps the memory for the next conversion.
    fn return_scratch(_: Scratch<Self>) {}

    /// Whether the coefficient is zero.
    fn is_zero(&self) -> bool {
        self.sign() == 0
    }
}

/// Entries of the fast path are smaller than this in absolute value.
const LIMIT: i64 = 1 << 60;

thread_local! {
    /// Small polyhedra would otherwise spend their time allocating.
    static SCRATCH: Cell<Option<Scratch<i64>>> = const { Cell::new(None) };
}

impl Coef for i64 {
    type Prod = i128;
    const MAX_COLS: usize = 127;

    fn borrow_scratch() -> Scratch<i64> {
        SCRATCH.take().unwrap_or_default()
    }
    fn return_scratch(scratch: Scratch<i64>) {
        SCRATCH.set(Some(scratch));
    }

    #[inline]
    fn zero() -> Self {
        0
    }
    #[inline]
    fn one() -> Self {
        1
    }
    fn from_int(v: &Int) -> Result<Self, Overflow> {
        v.to_i64().filter(|v| v.unsigned_abs() < LIMIT as u64).ok_or(Overflow)
    }
    fn to_int(&self) -> Int {
        Int::from(*self)
    }
    #[inline]
    fn sign(&self) -> i32 {
        self.signum() as i32
    }
    #[inline]
    fn negate(&mut self) {
        *self = -*self;
    }
    #[inline]
    fn lift(&self) -> i128 {
        i128::from(*self)
    }
    #[inline]
    fn dot(a: &[i64], b: &[i64]) -> i128 {
        // Word arithmetic as long as it does not overflow, which is nearly always.
        let mut sum = 0i64;
        for (x, y) in a.iter().zip(b) {
            match x.checked_mul(*y).and_then(|p| sum.checked_add(p)) {
                Some(s) => sum = s,
                None => return dot_wide(a, b),
            }
        }
        i128::from(sum)
    }
    #[inline]
    fn prod_sign(p: &i128) -> i32 {
        p.signum() as i32
    }
    #[inline]
    fn prod_neg(p: &i128) -> i128 {
        -p
    }
    fn prod_to_int(p: &i128) -> Int {
        Int::from(*p)
    }
    fn prod_to_coef(p: &i128) -> Result<i64, Overflow> {
        if p.unsigned_abs() < LIMIT as u128 {
            Ok(*p as i64)
        } else {
            Err(Overflow)
        }
    }

    #[inline]
    fn combine(p: &i128, a: &[i64], q: &i128, b: &[i64], out: &mut Vec<i64>) -> Result<(), Overflow> {
        let (p, q) = reduce_factors(*p, *q)?;
        let start = out.len();
        out.reserve(a.len());
        let mut seen = 0u64;
        for (x, y) in a.iter().zip(b) {
            match p.checked_mul(*x).and_then(|v| q.checked_mul(*y).and_then(|w| v.checked_add(w))) {
                Some(v) => {
                    seen |= v.unsigned_abs();
                    out.push(v);
                }
                None => {
                    out.truncate(start);
                    return combine_wide(p, a, q, b, out);
                }
            }
        }
        i64::normalize(&mut out[start..]);
        if seen < LIMIT as u64 || out[start..].iter().all(|w| w.unsigned_abs() < LIMIT as u64) {
            Ok(())
        } else {
            out.truncate(start);
            Err(Overflow)
        }
    }

    #[inline]
    fn normalize(row: &mut [i64]) {
        let mut g = 0u64;
        for x in row.iter() {
            if *x != 0 {
                g = gcd_u64(g, x.unsigned_abs());
                if g == 1 {
                    return;
                }
            }
        }
        if g > 1 {
            match i64::try_from(g) {
                Ok(g) => row.iter_mut().for_each(|x| *x /= g),
                Err(_) => row.iter_mut().for_each(|x| *x = x.signum()),
            }
        }
    }
}

/// Divides both factors by their common divisor; both must then fit 62 bits.
#[inline]
fn reduce_factors(p: i128, q: i128) -> Result<(i64, i64), Overflow> {
    const MAX: u64 = 1 << 62;
    if let (Ok(p), Ok(q)) = (i64::try_from(p), i64::try_from(q)) {
        let g = gcd_u64(p.unsigned_abs(), q.unsigned_abs());
        let (p, q) = match i64::try_from(g) {
            Ok(1) | Ok(0) => (p, q),
            Ok(g) => (p / g, q / g),
            Err(_) => (p.signum(), q.signum()),
        };
        return if p.unsigned_abs() < MAX && q.unsigned_abs() < MAX { Ok((p, q)) } else { Err(Overflow) };
    }
    let g = gcd_u128(p.unsigned_abs(), q.unsigned_abs());
    let g = i128::try_from(g).map_err(|_| Overflow)?;
    let (p, q) = (p / g, q / g);
    if p.unsigned_abs() < MAX.into() && q.unsigned_abs() < MAX.into() {
        Ok((p as i64, q as i64))
    } else {
        Err(Overflow)
    }
}

#[cold]
fn dot_wide(a: &[i64], b: &[i64]) -> i128 {
    a.iter().zip(b).map(|(x, y)| i128::from(*x) * i128::from(*y)).sum()
}

/// `|p|, |q| < 2⁶²` and entries are below 2⁶⁰, so that the sums fit.
#[cold]
fn combine_wide(p: i64, a: &[i64], q: i64, b: &[i64], out: &mut Vec<i64>) -> Result<(), Overflow> {
    let wide: Vec<i128> = a.iter().zip(b).map(|(x, y)| i128::from(p) * i128::from(*x) + i128::from(q) * i128::from(*y)).collect();
    let g = wide.iter().fold(0u128, |g, v| gcd_u128(g, v.unsigned_abs()));
    let g = i128::try_from(g).map_err(|_| Overflow)?;
    if wide.iter().any(|v| (v / g).unsigned_abs() >= LIMIT as u128) {
        return Err(Overflow);
    }
    out.extend(wide.iter().map(|v| (v / g) as i64));
    Ok(())
}

fn gcd_u128(mut a: u128, mut b: u128) -> u128 {
    if a == 0 || b == 0 {
        return a | b;
    }
    let shift = (a | b).trailing_zeros();
    a >>= a.trailing_zeros();
    loop {
        b >>= b.trailing_zeros();
        if a > b {
            std::mem::swap(&mut a, &mut b);
        }
        b -= a;
        if b == 0 {
            return a << shift;
        }
    }
}

impl Coef for Int {
    type Prod = Int;
    const MAX_COLS: usize = usize::MAX;

    fn zero() -> Self {
        Int::ZERO
    }
    fn one() -> Self {
        Int::ONE
    }
    fn from_int(v: &Int) -> Result<Self, Overflow> {
        Ok(v.clone())
    }
    fn to_int(&self) -> Int {
        self.clone()
    }
    fn sign(&self) -> i32 {
        self.signum()
    }
    fn negate(&mut self) {
        *self = -&*self;
    }
    fn lift(&self) -> Int {
        self.clone()
    }
    fn dot(a: &[Int], b: &[Int]) -> Int {
        let mut sum = Int::ZERO;
        for (x, y) in a.iter().zip(b) {
            if !x.is_zero() && !y.is_zero() {
                sum += &(x * y);
            }
        }
        sum
    }
    fn prod_sign(p: &Int) -> i32 {
        p.signum()
    }
    fn prod_neg(p: &Int) -> Int {
        -p
    }
    fn prod_to_int(p: &Int) -> Int {
        p.clone()
    }
    fn prod_to_coef(p: &Int) -> Result<Int, Overflow> {
        Ok(p.clone())
    }
    fn combine(p: &Int, a: &[Int], q: &Int, b: &[Int], out: &mut Vec<Int>) -> Result<(), Overflow> {
        let g = p.gcd(q);
        let (p, q) = if g.is_one() || g.is_zero() { (p.clone(), q.clone()) } else { (p.div_exact(&g), q.div_exact(&g)) };
        let start = out.len();
        out.extend(a.iter().zip(b).map(|(x, y)| &p * x + &q * y));
        Int::normalize(&mut out[start..]);
        Ok(())
    }
    fn normalize(row: &mut [Int]) {
        let mut g = Int::ZERO;
        for x in row.iter() {
            g = g.gcd(x);
            if g.is_one() {
                return;
            }
        }
        if !g.is_zero() {
            row.iter_mut().for_each(|x| *x = x.div_exact(&g));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn entry() -> impl Strategy<Value = i64> {
        prop_oneof![-9i64..10, -(1i64 << 40)..(1 << 40), (-LIMIT + 1)..LIMIT, Just(LIMIT - 1), Just(1 - LIMIT)]
    }

    proptest! {
        #[test]
        fn words_agree_with_big_integers(
            a in proptest::collection::vec(entry(), 5), b in proptest::collection::vec(entry(), 5), p in entry(), q in entry(),
        ) {
            let big = |v: &[i64]| v.iter().map(|x| Int::from(*x)).collect::<Vec<_>>();
            prop_assert_eq!(i64::prod_to_int(&i64::dot(&a, &b)), Int::dot(&big(&a), &big(&b)));
            let (mut small, mut exact) = (Vec::new(), Vec::new());
            Int::combine(&p.into(), &big(&a), &q.into(), &big(&b), &mut exact).unwrap();
            match i64::combine(&p.into(), &a, &q.into(), &b, &mut small) {
                Ok(()) => prop_assert_eq!(big(&small), exact),
                Err(Overflow) => prop_assert!(small.is_empty() && exact.iter().any(|v| i64::from_int(v).is_err())),
            }
        }
    }
}
