//! All formats against a C compiler: `reference.c` evaluates the same cases, and bit patterns and texts must agree.

use super::Random;
use crate::float::{Float, FloatTy, RoundMode};
use dashu_int::IBig;
use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// A folder of this process that goes when the test ends.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("plumb-float-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a temporary folder");
        Scratch(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Leaving files behind in the temporary folder is no failure of the test.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The lines that the reference program prints for these lines; none, with a message, where there is no compiler or no such format.
fn reference(name: &str, format: &str, cases: &[String]) -> Option<Vec<String>> {
    let scratch = Scratch::new(name);
    let (source, program, input) = (scratch.0.join("reference.c"), scratch.0.join("reference"), scratch.0.join("input"));
    std::fs::write(&source, include_str!("reference.c")).expect("writing the program");
    let mut compile = Command::new("cc");
    compile.args(["-std=gnu11", "-O0", "-ffp-contract=off", "-fno-builtin", "-w"]).arg(&source).arg("-o").arg(&program).arg("-lm");
    match compile.status() {
        Err(error) => {
            eprintln!("skipped: no C compiler ({error})");
            return None;
        }
        Ok(status) => assert!(status.success(), "the reference program does not compile"),
    }
    let mut file = File::create(&input).expect("the input");
    for case in cases {
        writeln!(file, "{case}").expect("the input");
    }
    drop(file);
    let stdin = Stdio::from(File::open(&input).expect("the input"));
    let output = Command::new(&program).arg(format).stdin(stdin).output().expect("running the program");
    if output.status.code() == Some(77) {
        eprintln!("skipped: the C compiler has no format {format}");
        return None;
    }
    assert!(output.status.success(), "the reference program failed: {}", output.status);
    let text = String::from_utf8(output.stdout).expect("text");
    Some(text.lines().map(|line| line.trim().to_owned()).collect())
}

fn pattern(x: Float) -> String {
    format!("{:x}_{:x}", x.bits >> 64, x.bits as u64)
}

/// Our answers to one case, named, in the order of the reference program.
fn answers(a: Float, b: Float, c: Float, n: usize) -> Vec<(&'static str, String)> {
    let ty = a.ty;
    let relations = format!("{}{}{}", u8::from(a.lt(b)), u8::from(a.le(b)), u8::from(a.feq(b)));
    let range = |x: &f64| a.lt(Float::from_f64(*x).convert(ty)) && Float::from_f64(-*x).convert(ty).lt(a);
    let integer = Some(9e18).filter(range).and_then(|_| a.to_int(RoundMode::TowardZero));
    let mut all = vec![
        ("add", pattern(a.add(b))),
        ("sub", pattern(a.sub(b))),
        ("mul", pattern(a.mul(b))),
        ("div", pattern(a.div(b))),
        ("sqrt", pattern(a.sqrt())),
        ("fma", pattern(a.fma(b, c))),
        ("fmod", pattern(a.rem(b))),
        ("remainder", pattern(a.remainder(b))),
        ("rint", pattern(a.rint())),
        ("floor", pattern(a.floor())),
        ("ceil", pattern(a.ceil())),
        ("trunc", pattern(a.trunc())),
        ("round", pattern(a.round())),
        ("fmin", pattern(a.fmin(b))),
        ("fmax", pattern(a.fmax(b))),
        ("relations", relations),
        ("float", pattern(a.convert(FloatTy::F32))),
        ("double", pattern(a.convert(FloatTy::F64))),
        ("integer", integer.map_or("none".to_owned(), |i| i.to_string())),
        ("from int64", pattern(Float::from_int(ty, &IBig::from(a.bits as i64)))),
        ("from int128", pattern(Float::from_int(ty, &IBig::from(b.bits as i128)))),
        ("%f", a.format_f(n)),
        ("%e", a.format_e(n, false)),
        ("%g", a.format_g(n, false, false)),
        ("%.a", a.format_a(Some(n), false)),
        ("%a", a.format_a(None, false)),
        ("%G", a.format_g(n, false, true)),
    ];
    if ty != FloatTy::F128 {
        all.push(("%#g", a.format_g(n, true, false)));
    }
    all
}

fn read_pattern(ty: FloatTy, text: &str) -> Option<Float> {
    let (high, low) = text.split_once('_')?;
    let bits = u128::from_str_radix(high, 16).ok()? << 64 | u128::from_str_radix(low, 16).ok()?;
    Some(Float::from_bits(ty, bits))
}

/// Whether an answer other than ours is one that the standards allow too.
///
/// Instructions on one NaN must agree bit for bit. On two, compilers swap the operands of commutative SSE instructions, and the routines
/// for quad differ in ties; only the x87 is symmetric. Which NaN a library function returns depends on the library's version, as does
/// which zero `fmin` and `fmax` return, and what those that are written in integer arithmetic make of unsupported patterns.
/// glibc's `printf` drops the integer bit of pseudo-denormals, which the processor counts.
fn is_allowed(name: &str, [a, b, c]: [Float; 3], ours: &str, theirs: &str) -> bool {
    let pseudo_denormal = a.is_subnormal() && a.significand_field() & a.ty.stored_integer_bit() != 0;
    if pseudo_denormal && name.starts_with('%') {
        return true;
    }
    let (Some(ours), Some(theirs)) = (read_pattern(a.ty, ours), read_pattern(a.ty, theirs)) else { return false };
    match name {
        "add" | "sub" | "mul" | "div" => a.ty != FloatTy::F80 && a.is_nan() && b.is_nan() && (theirs == a.quiet() || theirs == b.quiet()),
        "fma" | "fmin" | "fmax" | "round" if [a, b, c].iter().any(|x| x.is_unsupported()) => ours.is_nan(),
        "fmin" | "fmax" if ours.is_zero() => a.is_zero() && b.is_zero() && theirs.is_zero(),
        "fma" | "fmod" | "remainder" | "rint" | "floor" | "ceil" | "trunc" | "round" | "fmin" | "fmax" => ours.is_nan() && theirs.is_nan(),
        _ => false,
    }
}

fn agrees_on_operations(format: &str, ty: FloatTy, count: usize) {
    let mut random = Random(0x005e_ed00 + u64::from(ty.bits()));
    let mut operands = Vec::new();
    for _ in 0..count {
        let a = random.float(ty);
        let b = random.near(a);
        let c = if random.below(3) == 0 { random.near(a.mul(b).neg()) } else { random.float(ty) };
        let n = if random.below(20) == 0 { random.below(80) } else { random.below(24) };
        operands.push((a, b, c, n as usize));
    }
    let lines: Vec<String> = operands.iter().map(|(a, b, c, n)| format!("op {:x} {:x} {:x} {n}", a.bits, b.bits, c.bits)).collect();
    let Some(expected) = reference(&format!("op-{format}"), format, &lines) else { return };
    assert_eq!(expected.len(), count);
    let mut failures = Vec::new();
    for ((&(a, b, c, n), line), expected) in operands.iter().zip(&lines).zip(&expected) {
        let fields: Vec<&str> = expected.split(' ').collect();
        let ours = answers(a, b, c, n);
        assert_eq!(fields.len(), ours.len(), "{line}: {expected}");
        for ((name, ours), theirs) in ours.iter().zip(fields) {
            if ours != theirs && !is_allowed(name, [a, b, c], ours, theirs) {
                failures.push(format!("{name} of {line}: ours {ours}, theirs {theirs}"));
            }
        }
    }
    assert!(failures.is_empty(), "{} differences:\n{}", failures.len(), failures[..failures.len().min(40)].join("\n"));
}

/// Texts that are hard to round: midpoints of neighbours, exactly and next to it, and random digits.
fn hard_texts(ty: FloatTy, count: usize) -> Vec<String> {
    let mut random = Random(0x7e47 + u64::from(ty.bits()));
    let mut texts = Vec::new();
    while texts.len() < count {
        let x = random.float(ty).abs();
        let next = Float::from_bits(ty, x.bits + 1);
        if !x.is_finite() || !next.is_finite() {
            continue;
        }
        if ty != FloatTy::F128 && random.below(3) > 0 {
            // Quad holds the halves and the midpoint exactly.
            let half = Float::parse(FloatTy::F128, "0.5").expect("a constant");
            let middle = x.convert(FloatTy::F128).mul(half).add(next.convert(FloatTy::F128).mul(half));
            let digits = middle.format_e(800 + random.below(1000) as usize, false);
            let (mantissa, exponent) = digits.split_once('e').expect("scientific notation");
            texts.push(match random.below(3) {
                0 => digits.clone(),
                1 => format!("{mantissa}{}1e{exponent}", "0".repeat(random.below(50) as usize)),
                _ => format!("{}e{exponent}", &mantissa[..mantissa.len() - random.below(790) as usize]),
            });
        } else if random.below(3) == 0 {
            let point = ["", "."][random.below(2) as usize];
            let exponent = random.below(40_000) as i64 - 20_000;
            texts.push(format!("0x{:x}{point}{:x}{:x}p{exponent}", random.next() >> random.below(64), random.wide(), random.wide()));
        } else {
            let length = 1 + random.below(60) as usize;
            let digits: String = (0..length).map(|_| char::from(b'0' + random.below(10) as u8)).collect();
            let range = if random.below(4) == 0 { 10_200 } else { 80 };
            texts.push(format!("{}.{digits}e{}", random.below(1000), random.below(range) as i64 - range as i64 / 2));
        }
    }
    texts
}

fn agrees_on_texts(format: &str, ty: FloatTy, count: usize) {
    let texts = hard_texts(ty, count);
    let lines: Vec<String> = texts.iter().map(|text| format!("parse {text}")).collect();
    let Some(expected) = reference(&format!("parse-{format}"), format, &lines) else { return };
    assert_eq!(expected.len(), count);
    for (text, expected) in texts.iter().zip(&expected) {
        let ours = Float::parse(ty, text).map(pattern);
        assert_eq!(ours.as_deref(), Some(expected.as_str()), "{text}");
    }
}

#[test]
fn float_agrees_with_the_compiler() {
    agrees_on_operations("f32", FloatTy::F32, 6_000);
}

#[test]
fn double_agrees_with_the_compiler() {
    agrees_on_operations("f64", FloatTy::F64, 6_000);
}

#[test]
fn long_double_agrees_with_the_compiler() {
    agrees_on_operations("f80", FloatTy::F80, 12_000);
}

#[test]
fn quad_agrees_with_the_compiler() {
    agrees_on_operations("f128", FloatTy::F128, 6_000);
}

#[test]
fn constants_agree_with_the_library() {
    agrees_on_texts("f32", FloatTy::F32, 2_000);
    agrees_on_texts("f64", FloatTy::F64, 2_000);
    agrees_on_texts("f80", FloatTy::F80, 2_000);
    agrees_on_texts("f128", FloatTy::F128, 2_000);
}
