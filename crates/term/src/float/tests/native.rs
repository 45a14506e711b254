//! The generic way against the host's instructions, which are exact for `f32` and `f64`, over random patterns.

use crate::float::{Float, FloatTy, RoundMode};
use dashu_int::IBig;
use proptest::prelude::*;

/// Patterns of a format: uniform ones, and ones whose exponent is at an end of its range or in the middle.
fn floats(ty: FloatTy) -> impl Strategy<Value = Float> {
    let bias = ty.max_exponent() as u32;
    let exponents = prop_oneof![Just(0), Just(1), Just(ty.exponent_mask()), Just(ty.exponent_mask() - 1), bias - 3..bias + 4];
    let fields = (any::<bool>(), exponents, any::<u64>(), 0u32..60);
    prop_oneof![
        any::<u128>().prop_map(move |bits| Float::from_bits(ty, bits)),
        fields.prop_map(move |(sign, exponent, significand, shift)| {
            let mask = (1 << ty.significand_bits()) - 1;
            Float::from_fields(ty, sign, exponent, u128::from(significand >> shift) & mask)
        }),
    ]
}

/// Equal bit for bit; which NaN it is, the host's compiler may decide.
fn same(ours: Float, host: Float) -> bool {
    ours == host || (ours.is_nan() && host.is_nan())
}

macro_rules! agrees_with_host {
    ($name:ident, $ty:expr, $host:ident, $bits:ident, $from:ident) => {
        proptest! {
            #![proptest_config(ProptestConfig::with_cases(20_000))]
            #[test]
            fn $name(a in floats($ty), b in floats($ty), c in floats($ty), i in any::<i128>(), drop in 0u32..127) {
                let (x, y, z) = ($host::from_bits(a.bits as $bits), $host::from_bits(b.bits as $bits), $host::from_bits(c.bits as $bits));
                let i = i >> drop;
                for (name, ours, host) in [
                    ("add", a.soft_add(b), x + y),
                    ("sub", a.soft_sub(b), x - y),
                    ("mul", a.soft_mul(b), x * y),
                    ("div", a.soft_div(b), x / y),
                    ("sqrt", a.soft_sqrt(), x.sqrt()),
                    ("fma", a.fma(b, c), x.mul_add(y, z)),
                    ("rem", a.rem(b), x % y),
                    ("floor", a.floor(), x.floor()),
                    ("ceil", a.ceil(), x.ceil()),
                    ("trunc", a.trunc(), x.trunc()),
                    ("round", a.round(), x.round()),
                    ("rint", a.rint(), x.round_ties_even()),
                    ("from_int", Float::from_int($ty, &IBig::from(i)), i as $host),
                ] {
                    prop_assert!(same(ours, Float::$from(host)), "{} of {:?} {:?} {:?} {}: {:?} {:?}", name, a, b, c, i, ours, host);
                }
                prop_assert!(same(Float::from_f32(x as f32), a.convert(FloatTy::F32)));
                prop_assert!(same(Float::from_f64(x as f64), a.convert(FloatTy::F64)));
                prop_assert_eq!(a.compare(b), x.partial_cmp(&y));
                prop_assert_eq!((a.lt(b), a.le(b), a.feq(b)), (x < y, x <= y, x == y));
                prop_assert_eq!((a.is_nan(), a.is_infinite(), a.is_finite()), (x.is_nan(), x.is_infinite(), x.is_finite()));
                prop_assert_eq!((a.is_normal(), a.is_subnormal(), a.sign_bit()), (x.is_normal(), x.is_subnormal(), x.is_sign_negative()));
                let integer = a.to_int(RoundMode::TowardZero);
                prop_assert_eq!(integer.is_some(), x.is_finite());
                if let Some(Ok(integer)) = integer.map(i128::try_from) {
                    prop_assert_eq!(integer, x as i128);
                }
                if x.is_finite() {
                    prop_assert_eq!(Float::parse($ty, &format!("{x:e}")), Some(a), "shortest decimal");
                    prop_assert_eq!(Float::parse($ty, &a.format_a(None, false)), Some(a), "hexadecimal");
                }
            }
        }
    };
}

agrees_with_host!(single_agrees_with_the_host, FloatTy::F32, f32, u32, from_f32);
agrees_with_host!(double_agrees_with_the_host, FloatTy::F64, f64, u64, from_f64);

/// Laws that hold in every format, and are the only check there is for what no host computes.
fn laws(a: Float, b: Float) -> Result<(), TestCaseError> {
    let ty = a.ty;
    if a.is_nan() || b.is_nan() {
        prop_assert!(a.add(b).is_nan() && a.mul(b).is_nan() && !a.le(b) && !a.feq(b));
        return Ok(());
    }
    prop_assert_eq!(a.add(b), b.add(a));
    prop_assert_eq!(a.mul(b), b.mul(a));
    prop_assert_eq!(a.sub(b), a.add(b.neg()));
    prop_assert_eq!(a.fma(Float::one(ty), b), a.add(b));
    prop_assert_eq!(u8::from(a.lt(b)) + u8::from(b.lt(a)) + u8::from(a.feq(b)), 1);
    if a.is_finite() {
        // Printing enough digits and reading them gives the number back, up to the spelling of pseudo-denormals.
        prop_assert!(Float::parse(ty, &a.format_e(ty.decimal_digits() - 1, false)).is_some_and(|x| x.feq(a)));
        prop_assert!(Float::parse(ty, &a.format_a(None, true)).is_some_and(|x| x.feq(a)));
        let integer = a.to_int(RoundMode::TowardZero).unwrap_or_default();
        prop_assert!(Float::from_int(ty, &integer).feq(a.trunc()));
        if b.is_finite() && !b.is_zero() {
            let rest = a.rem(b);
            prop_assert!(rest.abs().lt(b.abs()) && rest.sign_bit() == a.sign_bit());
            let two = Float::from_int(ty, &IBig::from(2));
            prop_assert!(a.remainder(b).abs().le(b.abs().sub(a.remainder(b).abs())) || b.abs().lt(Float::min_positive(ty).mul(two)));
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3_000))]
    #[test]
    fn extended_obeys_the_laws(a in floats(FloatTy::F80), b in floats(FloatTy::F80)) {
        laws(a, b)?;
    }

    #[test]
    fn quad_obeys_the_laws(a in floats(FloatTy::F128), b in floats(FloatTy::F128)) {
        laws(a, b)?;
    }

    #[test]
    fn widening_loses_nothing(bits in any::<u64>()) {
        let x = Float::from_bits(FloatTy::F64, u128::from(bits));
        for ty in [FloatTy::F80, FloatTy::F128] {
            let back = x.convert(ty).convert(FloatTy::F64);
            prop_assert_eq!(back, if x.is_nan() { x.quiet() } else { x });
        }
    }
}
