//! Formats print as glibc prints them. `printf.tsv` has a format, its arguments and what glibc 2.36 printed on x86-64, one per line.

mod support;

use plumb_cfa::interp::{Outcome, UbKind, Zero};
use plumb_cfa::{DataModel, FuncId, Op};
use plumb_term::{Cell, Float, FloatTy, IBig, IntTy, Scalar, Term};
use support::{Build, INT};

const ENTRY: FuncId = FuncId(0);
const FORMAT: u64 = 0x10000;
const HELLO: u64 = 0x20000;
const POINTER: Scalar = Scalar::Int(IntTy::U64);

fn argument(text: &str) -> (Scalar, Term) {
    let (kind, value) = text.split_once('=').unwrap();
    let float = |ty| {
        let f = match value {
            "inf" => Float::inf(ty),
            "-inf" => Float::inf(ty).neg(),
            _ => Float::parse(ty, value).unwrap(),
        };
        (Scalar::Float(ty), Term::float(f))
    };
    match kind {
        "i" => (INT, Term::int(value.parse::<i32>().unwrap())),
        "l" => (Scalar::Int(IntTy::I64), Term::int(value.parse::<i64>().unwrap())),
        "d" => float(FloatTy::F64),
        "ld" => float(FloatTy::F80),
        "s" => (POINTER, Term::int(HELLO)),
        "null" => (POINTER, Term::int(0)),
        other => panic!("unknown kind of argument {other}"),
    }
}

fn print(format: &str, args: Vec<(Scalar, Term)>) -> (Outcome, String) {
    let mut b = Build::with_model(DataModel::Lp64);
    let r = b.region(Cell::Byte);
    let init = vec![b.literal(FORMAT, r, format), b.literal(HELLO, r, "hello")];
    let n = b.result(ENTRY);
    let args = [(POINTER, Term::int(FORMAT))].into_iter().chain(args).collect();
    b.body(ENTRY, init.into_iter().chain([Op::Output { name: "printf".into(), args, dst: Some(n) }]).collect());
    b.run_with(Box::new(Zero))
}

#[test]
fn formats_print_as_glibc_prints_them() {
    let table = include_str!("printf.tsv");
    let mut rows = 0;
    for line in table.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let [format, args, expected] = fields[..] else { panic!("three fields in {line}") };
        let args = args.split(';').map(argument).collect();
        assert_eq!(print(format, args), (Outcome::Exit(expected.len() as i32), expected.to_owned()), "{line}");
        rows += 1;
    }
    assert!(rows > 600, "the table has its {rows} rows");
}

/// Where a carry lengthens the number, glibc 2.36 strips the zeros that `#` keeps (`1.e+06`); this follows ISO C11 7.21.6.1 instead. The
/// difference is known, and no row of the table has it.
#[test]
fn alternate_form_keeps_zeros_after_a_carry_unlike_glibc() {
    assert_eq!(print("%#g", vec![argument("d=999999.5")]).1, "1.00000e+06");
}

#[test]
fn wrong_arguments_are_undefined_and_rare_conversions_unsupported() {
    let int = || (INT, Term::int(1));
    let bad = |o: &Outcome| matches!(o, Outcome::Undefined { ub: UbKind::BadArgument(_), .. });
    assert!(bad(&print("%d %d", vec![int()]).0));
    assert!(bad(&print("%f", vec![int()]).0));
    assert!(bad(&print("%d", vec![argument("d=1.0")]).0));
    assert!(bad(&print("%", vec![]).0));
    for format in ["%n", "%ls", "%lc", "%m", "%2$d", "%2000000000d"] {
        assert!(matches!(print(format, vec![int(), int()]).0, Outcome::Unsupported { .. }), "{format}");
    }
}

#[test]
fn lengths_follow_the_data_model() {
    let minus = || vec![(Scalar::Int(IntTy::I64), Term::int(IBig::from(-1)))];
    assert_eq!(print("%lx %zx", [minus(), minus()].concat()).1, "ffffffffffffffff ffffffffffffffff");
    assert_eq!(print("%x %hx %hhx", [minus(), minus(), minus()].concat()).1, "ffffffff ffff ff");
}
