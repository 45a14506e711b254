//! Results next to the midpoint of two neighbours, which random operands do not meet: the sticky bit decides.

use crate::float::{Float, FloatTy};
use dashu_int::{IBig, UBig};

fn quad(text: &str) -> Float {
    Float::parse(FloatTy::F128, text).expect("a constant")
}

/// The sum of powers of two with these exponents.
fn powers(exponents: &[i32]) -> Float {
    exponents.iter().fold(Float::zero(FloatTy::F128), |sum, e| sum.add(quad(&format!("0x1p{e}"))))
}

#[test]
fn products_just_above_a_midpoint_round_up() {
    // Both products have 2^-113 as their half unit; the second has 2^-168 beyond.
    let exact = powers(&[0, -56]).mul(powers(&[0, -57]));
    assert_eq!(exact, powers(&[0, -56, -57]));
    let above = powers(&[0, -56, -111]).mul(powers(&[0, -57]));
    assert_eq!(above, powers(&[0, -56, -57, -111, -112]));
}

#[test]
fn quotients_next_to_a_midpoint_round_by_the_rest() {
    // (1 + 2^-112) / (1 - 2^-113) = 1 + 3 * 2^-113 + 3 * 2^-226 + ...: above the midpoint, and the lower neighbour is odd.
    assert_eq!(powers(&[0, -112]).div(Float::one(FloatTy::F128).sub(powers(&[-113]))), powers(&[0, -111]));
    // 1 / (1 - 2^-113) = 1 + 2^-113 + 2^-226 + ...: above the midpoint, and the lower neighbour is even.
    assert_eq!(Float::one(FloatTy::F128).div(Float::one(FloatTy::F128).sub(powers(&[-113]))), powers(&[0, -112]));
}

#[test]
fn fused_products_cancel_exactly() {
    for ty in [FloatTy::F32, FloatTy::F64, FloatTy::F80, FloatTy::F128] {
        let next = Float::from_bits(ty, Float::one(ty).bits + 1);
        let epsilon = next.sub(Float::one(ty));
        // (1 + e)^2 = 1 + 2e + e^2, of which the plain product keeps the first two terms.
        assert_eq!(next.fma(next, next.mul(next).neg()), epsilon.mul(epsilon));
    }
}

/// A number `n` of the given number of bits with `n^2 + c` divisible by `2^(bits + 1)`, by lifting a root of `-c` from one power of two to the next.
fn root_of_minus(c: u128, bits: u32) -> u128 {
    let mut n = 1u128;
    for k in 3..=bits {
        // Now n^2 + c = 0 modulo 2^k; adding 2^(k-1) to n changes the next bit of the square.
        let square = UBig::from(n) * UBig::from(n) + UBig::from(c);
        if !(square >> k as usize).is_multiple_of(&UBig::from(2u8)) {
            n += 1 << (k - 1);
        }
    }
    let modulus = 1u128 << bits;
    n %= modulus;
    if n >> (bits - 1) == 0 {
        modulus - n
    } else {
        n
    }
}

/// With `n = 2m + 1` and `n^2 + c` a small multiple of a large power of two, `(n^2 + c) / 4` is a number of the format, and its root is above
/// the midpoint `m + 1/2` by less than any sane number of guard bits shows.
#[test]
fn roots_just_above_a_midpoint_round_up() {
    for ty in [FloatTy::F32, FloatTy::F64, FloatTy::F80, FloatTy::F128] {
        let bits = ty.precision() + 1;
        let mut tried = 0;
        for c in (7..200).step_by(8) {
            let n = root_of_minus(c, bits);
            let m = n / 2;
            let radicand: UBig = (UBig::from(n) * UBig::from(n) + UBig::from(c)) >> 2;
            let x = Float::from_int(ty, &IBig::from(radicand.clone()));
            if x.is_infinite() {
                continue;
            }
            assert_eq!(x.to_int(crate::float::RoundMode::TowardZero), Some(IBig::from(radicand)), "{ty:?} represents the radicand for {c}");
            assert_eq!(x.soft_sqrt(), Float::from_int(ty, &IBig::from(m + 1)), "{ty:?} {c}");
            assert_eq!(x.sqrt(), x.soft_sqrt());
            tried += u32::from(m % 2 == 0);
        }
        assert!(tried > 0, "no even neighbour below a midpoint in {ty:?}");
    }
}
