//! Questions that are far too hard as circuits.

use super::{Boxes, Found};
use plumb_term::{Budget, Cell, FBinOp, FCmpOp, FUnOp, Float, FloatTy, IntTy, Scalar, Term, Var, VarId, VarTy};
use std::time::Duration;

fn variable(id: u32, ty: VarTy) -> Term {
    Term::var(Var::new(VarId(id), ty))
}

fn double(id: u32) -> Term {
    variable(id, VarTy::Scalar(Scalar::Float(FloatTy::F64)))
}

fn number(v: f64) -> Term {
    Term::float(Float::from_f64(v))
}

fn between(lo: f64, t: Term, hi: f64) -> Term {
    Term::fcmp(FCmpOp::Le, number(lo), t).and(Term::fcmp(FCmpOp::Le, t, number(hi)))
}

fn add(a: Term, b: Term) -> Term {
    Term::fbin(FBinOp::Add, a, b)
}

fn mul(a: Term, b: Term) -> Term {
    Term::fbin(FBinOp::Mul, a, b)
}

fn ask(formula: Term) -> Found {
    Boxes::new(formula).expect("a formula about floats").run(&Budget::within(Duration::from_secs(20)))
}

/// x³ - 3x.
fn cubic(x: Term) -> Term {
    add(mul(mul(x, x), x), mul(number(-3.0), x))
}

#[test]
fn the_range_of_a_polynomial() {
    let x = double(0);
    let inside = between(-2.0, x, 2.0);
    assert!(matches!(ask(inside.and(Term::fcmp(FCmpOp::Lt, number(2.01), cubic(x)))), Found::Unsat));
    // Nothing outside [-2, 2] is excluded, and NaN neither.
    assert!(matches!(ask(Term::fcmp(FCmpOp::Le, cubic(x), number(2.01)).not()), Found::Sat(_)));
    let Found::Sat(model) = ask(inside.and(Term::fcmp(FCmpOp::Lt, number(1.999_999), cubic(x)))) else {
        panic!("there is a maximum of 2 at -1, and another at 2")
    };
    assert_eq!(model.holds(inside), Some(true));
}

#[test]
fn branches_are_followed_one_by_one() {
    // Eight variables, each cut off at 1: halving them all would take forever.
    let cut = |x: Term| Term::ite(Term::fcmp(FCmpOp::Lt, number(1.0), x), number(1.0), x);
    let sum = (1..8).fold(cut(double(0)), |sum, i| add(sum, cut(double(i))));
    let numbers = Term::all((0..8).map(|i| between(0.0, double(i), 1e9)));
    assert!(matches!(ask(numbers.and(Term::fcmp(FCmpOp::Le, sum, number(8.0)).not())), Found::Unsat));
    assert!(matches!(ask(numbers.and(Term::fcmp(FCmpOp::Lt, sum, number(8.0)).not())), Found::Sat(_)));
}

#[test]
fn tables_are_read_where_the_index_can_be() {
    let ty = Scalar::Float(FloatTy::F64);
    let table = variable(9, VarTy::Mem(Cell::Scalar(ty)));
    let entries = Term::all((0..20).map(|i| {
        let cell = Term::load(ty, table, Term::int(1000 + 8 * i));
        between(f64::from(i), cell, f64::from(i))
    }));
    let x = double(0);
    let i = Term::fto_int(IntTy::I32, x);
    let entry = Term::load(ty, table, i.mul(Term::int(8)).add(Term::int(1000)));
    // entry ≤ x < entry + 1
    let right = Term::fcmp(FCmpOp::Le, entry, x).and(Term::fcmp(FCmpOp::Lt, x, add(entry, number(1.0))));
    let question = |lo: f64, hi: f64| entries.and(between(lo, x, hi)).and(right.not());
    assert!(matches!(ask(question(0.0, 19.5)), Found::Unsat));
    // Beyond the table anything can be.
    assert!(!matches!(ask(question(0.0, 20.0)), Found::Unsat));
}

#[test]
fn zeros_infinities_and_nan_count() {
    let x = double(0);
    let root = Term::fun(FUnOp::Sqrt, x);
    let quotient = Term::fbin(FBinOp::Div, number(1.0), x);
    let same = |a: Term, b: Term| Term::fcmp(FCmpOp::Eq, a, b);
    // sqrt(x) = x has the solutions 0, 1 and infinity; 1/x = x the solutions 1 and -1.
    assert!(matches!(ask(same(root, x).and(between(2.0, x, 1e300))), Found::Unsat));
    assert!(matches!(ask(same(root, x).and(Term::fcmp(FCmpOp::Lt, number(1e300), x))), Found::Sat(_)));
    assert!(matches!(ask(same(quotient, number(f64::NEG_INFINITY)).and(same(x, number(0.0)))), Found::Sat(_)));
    assert!(matches!(ask(same(x, x).not()), Found::Sat(_)));
    assert!(matches!(ask(same(x, x).not().and(between(0.0, x, f64::INFINITY))), Found::Unsat));
}
