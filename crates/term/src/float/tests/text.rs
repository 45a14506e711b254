//! Texts and patterns known from the standards and from glibc, without a compiler at hand.

use crate::float::{Float, FloatTy, RoundMode};
use dashu_int::IBig;

const ALL: [FloatTy; 4] = [FloatTy::F32, FloatTy::F64, FloatTy::F80, FloatTy::F128];

fn double(text: &str) -> Float {
    Float::parse(FloatTy::F64, text).expect("a constant")
}

#[test]
fn constants_have_their_patterns() {
    assert_eq!(Float::one(FloatTy::F80).bits, 0x3fff_8000_0000_0000_0000);
    assert_eq!(Float::inf(FloatTy::F80).bits, 0x7fff_8000_0000_0000_0000);
    assert_eq!(Float::nan(FloatTy::F80).bits, 0x7fff_c000_0000_0000_0000);
    assert_eq!(Float::max_finite(FloatTy::F80).bits, 0x7ffe_ffff_ffff_ffff_ffff);
    assert_eq!(Float::default_nan(FloatTy::F32).bits, 0xffc0_0000);
    assert_eq!(Float::max_finite(FloatTy::F64), Float::from_f64(f64::MAX));
    assert_eq!(Float::min_positive(FloatTy::F32), Float::from_f32(f32::MIN_POSITIVE));
    for ty in ALL {
        assert!(Float::max_finite(ty).is_normal() && Float::min_positive(ty).is_normal() && Float::min_subnormal(ty).is_subnormal());
        assert!(Float::max_finite(ty).add(Float::max_finite(ty)).is_infinite());
        assert_eq!(Float::min_positive(ty).sub(Float::min_subnormal(ty)).add(Float::min_subnormal(ty)), Float::min_positive(ty));
    }
}

#[test]
fn invalid_operations_give_the_default_nan() {
    for ty in ALL {
        let (zero, inf) = (Float::zero(ty), Float::inf(ty));
        for nan in [zero.div(zero), inf.sub(inf), inf.mul(zero), Float::one(ty).neg().sqrt(), inf.rem(inf), zero.fma(inf, zero)] {
            assert_eq!(nan, Float::default_nan(ty));
            assert_eq!((nan.format_f(3), nan.format_e(3, true)), ("-nan".to_owned(), "-NAN".to_owned()));
        }
        assert_eq!(zero.to_int(RoundMode::TowardZero), Some(IBig::ZERO));
        assert_eq!(inf.to_int(RoundMode::TowardZero), None);
        assert_eq!(Float::nan(ty).to_int(RoundMode::TowardZero), None);
    }
}

#[test]
fn nans_keep_their_payload() {
    let signaling = Float::from_bits(FloatTy::F64, 0x7ff0_0000_0000_0123);
    let quiet = Float::from_bits(FloatTy::F64, 0xfff8_0000_0000_0456);
    assert_eq!(signaling.add(quiet).bits, 0x7ff8_0000_0000_0123);
    assert_eq!(quiet.mul(signaling), quiet);
    assert_eq!(Float::one(FloatTy::F64).sub(quiet), quiet);
    assert_eq!(quiet.convert(FloatTy::F80).bits, 0xffff_c000_0000_0022_b000);
    let unnormal = Float::from_bits(FloatTy::F80, 0x3fff_4000_0000_0000_0000);
    assert!(unnormal.is_nan() && !unnormal.is_normal());
    assert_eq!(unnormal.add(Float::one(FloatTy::F80)), Float::default_nan(FloatTy::F80));
}

#[test]
fn pseudo_denormals_are_numbers() {
    let pseudo = Float::from_bits(FloatTy::F80, 0x8000_0000_0000_0000);
    assert!(pseudo.feq(Float::min_positive(FloatTy::F80)));
    assert_eq!(pseudo.add(Float::zero(FloatTy::F80)), Float::min_positive(FloatTy::F80));
}

#[test]
fn absurd_exponents_are_cheap() {
    for ty in ALL {
        assert_eq!(Float::parse(ty, "1e999999999"), Some(Float::inf(ty)));
        assert_eq!(Float::parse(ty, "-1e99999999999999999999999999"), Some(Float::inf(ty).neg()));
        assert_eq!(Float::parse(ty, "1e-99999999999999999999999999"), Some(Float::zero(ty)));
        assert_eq!(Float::parse(ty, "0e999999999"), Some(Float::zero(ty)));
        assert_eq!(Float::parse(ty, "0x1p99999999999999999999"), Some(Float::inf(ty)));
        assert_eq!(Float::parse(ty, "-0x1p-99999999999999999999"), Some(Float::zero(ty).neg()));
        // Large scale and exponent that cancel.
        assert_eq!(Float::parse(ty, &format!("0.{}1e100001", "0".repeat(100_000))), Some(Float::one(ty)));
        assert_eq!(Float::parse(ty, &format!("1{}e-100000", "0".repeat(100_000))), Some(Float::one(ty)));
        // A tail beyond every significant digit breaks the tie.
        let next = Float::from_bits(ty, Float::one(ty).bits + 1);
        let middle = Float::one(FloatTy::F128).add(next.convert(FloatTy::F128)).mul(double("0.5").convert(FloatTy::F128));
        if ty != FloatTy::F128 {
            let digits = middle.format_f(200);
            assert_eq!(Float::parse(ty, &digits), Some(Float::one(ty)));
            assert_eq!(Float::parse(ty, &format!("{digits}{}1", "0".repeat(50_000))), Some(next));
        }
    }
}

#[test]
fn malformed_constants_are_refused() {
    for text in
        ["", ".", "-", "e5", "1e", "1e+", "0x", "0x.", "0x1p", "1.2.3", "1f", "0x1g", "1 ", " 1", "1e5.0", "--1", "inf", "nan", "1_0", "١"]
    {
        assert_eq!(Float::parse(FloatTy::F64, text), None, "{text:?}");
    }
    for (text, value) in [("1.", 1.0), (".5", 0.5), ("0x.8p1", 1.0), ("0X1.8P+1", 3.0), ("1E2", 100.0), ("010", 10.0), ("+7", 7.0)] {
        assert_eq!(double(text), Float::from_f64(value), "{text:?}");
    }
}

#[test]
fn printing_rounds_the_exact_value_half_to_even() {
    for (text, precision, expected) in [
        ("0.5", 0, "0"),
        ("1.5", 0, "2"),
        ("2.5", 0, "2"),
        ("0.125", 2, "0.12"),
        ("0.375", 2, "0.38"),
        ("9.995", 2, "9.99"),
        ("9.999", 2, "10.00"),
        ("0.05", 0, "0"),
        ("0.96", 1, "1.0"),
        ("-0.001", 2, "-0.00"),
        ("1e22", 1, "10000000000000000000000.0"),
        ("0.1", 25, "0.1000000000000000055511151"),
    ] {
        assert_eq!(double(text).format_f(precision), expected, "{text}");
    }
    assert_eq!(double("99.5").format_e(1, false), "1.0e+02");
    assert_eq!(double("1e100").format_e(0, true), "1E+100");
    assert_eq!(double("0").format_e(2, false), "0.00e+00");
    assert_eq!(double("4.9e-324").format_f(1080).trim_start_matches(['0', '.']).len(), 1080 - 323);
}

#[test]
fn general_notation_strips_and_chooses() {
    for (text, precision, alt, expected) in [
        ("100000", 6, false, "100000"),
        ("1000000", 6, false, "1e+06"),
        ("999999.5", 6, false, "1e+06"),
        ("0.0001", 6, false, "0.0001"),
        ("0.00001", 6, false, "1e-05"),
        ("0.5", 0, false, "0.5"),
        ("100", 3, true, "100."),
        ("1e10", 1, true, "1.e+10"),
        ("0", 6, true, "0.00000"),
        ("0", 6, false, "0"),
        ("-0.25", 2_000_000_000, false, "-0.25"),
    ] {
        assert_eq!(double(text).format_g(precision, alt, false), expected, "{text}");
    }
}

#[test]
fn hexadecimal_notation_is_that_of_the_format() {
    let parse = |ty, text| Float::parse(ty, text).expect("a constant");
    assert_eq!(double("1").format_a(None, false), "0x1p+0");
    assert_eq!(double("1").format_a(Some(3), true), "0X1.000P+0");
    assert_eq!(double("0x1.fp0").format_a(Some(0), false), "0x2p+0");
    assert_eq!(double("-0").format_a(None, false), "-0x0p+0");
    assert_eq!(Float::min_subnormal(FloatTy::F64).format_a(None, false), "0x0.0000000000001p-1022");
    assert_eq!(parse(FloatTy::F32, "1e-45").format_a(None, false), "0x1p-149");
    assert_eq!(parse(FloatTy::F80, "1").format_a(None, false), "0x8p-3");
    assert_eq!(parse(FloatTy::F80, "0xf.ffp0").format_a(Some(0), false), "0x1p+4");
    assert_eq!(Float::min_subnormal(FloatTy::F80).format_a(None, false), "0x0.000000000000001p-16385");
    assert_eq!(parse(FloatTy::F128, "0.1").format_a(None, false), "0x1.999999999999999999999999999ap-4");
}
