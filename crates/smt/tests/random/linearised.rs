//! Products as unknowns: what holds of some values must not be refuted, and what holds in every ring must be shown.

use crate::common::{cases, Random};
use plumb_smt::{linearised, CheckResult, Encoding, Limits, Solver, Z3Solver};
use plumb_term::eval::{eval, Value};
use plumb_term::{IBig, IntTy, Scalar, Term, Var, VarId, VarTy};
use std::time::Duration;

const NIBBLE: IntTy = IntTy { bits: 4, signed: true };

fn typed(i: u32) -> Var {
    let types = [VarTy::Int, VarTy::Scalar(Scalar::Int(NIBBLE)), VarTy::Scalar(Scalar::Int(IntTy::I32))];
    Var::new(VarId(i), types[i as usize % 3])
}

fn integer(r: &mut Random, depth: u32) -> Term {
    let small = |r: &mut Random| IBig::from(r.below(9) as i64 - 4);
    if depth == 0 {
        return if r.one_in(4) { Term::int(small(r)) } else { Term::var(typed(r.below(4) as u32)) };
    }
    let (a, b) = (integer(r, depth - 1), integer(r, depth - 1));
    match r.below(9) {
        0 => a.wrap(NIBBLE),
        1 => a.wrap(IntTy::unsigned(3)),
        2 => a.rem(b),
        3 => a.div(if r.one_in(2) { b } else { Term::int(2) }),
        4 => Term::ite(formula(r, depth - 1), a, b),
        5 | 6 => a.mul(b),
        7 => a.mul(b).wrap(NIBBLE),
        _ => a.scale(&small(r)).add(b),
    }
}

fn formula(r: &mut Random, depth: u32) -> Term {
    if depth == 0 || r.one_in(3) {
        let (a, b) = (integer(r, depth), integer(r, depth));
        return if r.one_in(2) { a.equals(b) } else { a.less_eq(b) };
    }
    let (a, b) = (formula(r, depth - 1), formula(r, depth - 1));
    match r.below(3) {
        0 => a.and(b),
        1 => a.or(b),
        _ => a.not(),
    }
}

fn ask(t: Term) -> CheckResult {
    let limits = Limits { query_time: Some(Duration::from_millis(500)), ..Limits::default() };
    let mut z3 = Z3Solver::without_tactics(Encoding::Int, &limits).expect("a solver");
    z3.assert(t);
    z3.check()
}

#[test]
fn a_model_of_a_formula_is_one_of_its_linear_view() {
    let total = cases(600);
    let mut compared = 0;
    for seed in 0..total {
        let mut random = Random::new(seed);
        let f = formula(&mut random, 3);
        let values: Vec<i64> = (0..4).map(|_| random.below(7) as i64 - 3).collect();
        let env = |v: Var| values.get(v.id.0 as usize).map(|n| Value::Int(IBig::from(*n)));
        let holds = match eval(f, &env) {
            Some(Value::Bool(true)) => f,
            _ => f.not(),
        };
        let Some(view) = linearised(holds) else { continue };
        let here = (0..4u32).map(|i| Term::var(typed(i)).equals(Term::int(values[i as usize])));
        match ask(view.and(Term::all(here))) {
            CheckResult::Unsat => panic!("seed {seed}: {holds:?} is refuted, but holds of {values:?}"),
            CheckResult::Sat => compared += 1,
            CheckResult::Unknown(_) => {}
        }
    }
    assert!(total < 50 || compared * 4 > total, "only {compared} of {total} are compared");
}

fn int(i: u32) -> Term {
    Term::var(Var::new(VarId(i), VarTy::Scalar(Scalar::Int(IntTy::I32))))
}

fn wrapped(t: Term) -> Term {
    t.wrap(IntTy::I32)
}

fn refuted(t: Term) -> bool {
    ask(linearised(t).expect("products")).is_unsat()
}

#[test]
fn ring_identities_modulo_powers_of_two() {
    let (x, y) = (int(1), int(2));
    let sum = wrapped(x.add(y));
    let product = wrapped(sum.mul(wrapped(x.sub(y))));
    let squares = wrapped(wrapped(x.mul(x)).sub(wrapped(y.mul(y))));
    assert!(refuted(product.differs(squares)));
    assert!(!refuted(product.differs(wrapped(x.mul(x)))));
}

#[test]
fn consequences_of_equations() {
    let (q, y, r, x) = (int(1), int(2), int(3), int(4));
    // q·y + r = x, then q + 1 and r - y.
    let law = |q: Term, r: Term| wrapped(q.mul(y).add(r)).equals(x);
    assert!(refuted(law(q, r).and(law(wrapped(q.plus(1)), wrapped(r.sub(y))).not())));
    assert!(!refuted(law(q, r).and(law(wrapped(q.plus(1)), r).not())));
    // From two inequations, times a variable.
    let equal = x.less_eq(y).and(y.less_eq(x));
    assert!(refuted(equal.and(wrapped(x.mul(q)).differs(wrapped(y.mul(q))))));
    assert!(!refuted(x.less_eq(y).and(wrapped(x.mul(q)).differs(wrapped(y.mul(q))))));
    // A choice of factors.
    let c = x.less_eq(y);
    let (f, g) = (Term::ite(c, q, r), Term::ite(c, r, q));
    assert!(refuted(wrapped(f.mul(g)).differs(wrapped(q.mul(r)))));
    // A half, times a variable: only of an even number.
    let even = x.rem(Term::int(2)).equals(Term::int(0));
    let halves = wrapped(x.div(Term::int(2)).mul(y).scale(&IBig::from(2))).differs(wrapped(x.mul(y)));
    assert!(refuted(even.and(halves)));
    assert!(!refuted(halves));
}
