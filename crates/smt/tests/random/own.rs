//! The own solver against Z3: random facts in scopes, random assumptions.

use crate::common::{cases, Random};
use plumb_smt::{CheckResult, Encoding, Limits, OwnSolver, Solver, Z3Solver};
use plumb_term::{Cell, IBig, IntTy, Scalar, Term, Var, VarId, VarTy};
use std::time::Duration;

fn limits() -> Limits {
    Limits { query_time: Some(Duration::from_millis(300)), ..Limits::default() }
}

const BYTE: IntTy = IntTy::U8;

fn variable(r: &mut Random) -> Term {
    let types = [VarTy::Int, VarTy::Scalar(Scalar::Int(BYTE)), VarTy::Scalar(Scalar::Int(IntTy::I32))];
    let i = r.below(6);
    Term::var(Var::new(VarId(i as u32), types[i % 3]))
}

/// A linear integer term with the operators that the own solver knows exactly.
fn integer(r: &mut Random, depth: u32) -> Term {
    let small = |r: &mut Random| IBig::from(r.below(9) as i64 - 4);
    if depth == 0 {
        return if r.one_in(4) { Term::int(small(r)) } else { variable(r) };
    }
    let a = integer(r, depth - 1);
    match r.below(8) {
        0 => a.wrap(BYTE),
        1 => a.rem(Term::int(3)),
        2 => a.div(Term::int(-2)),
        3 => Term::ite(formula(r, depth - 1), a, integer(r, depth - 1)),
        4 => a.bit_and(Term::int(7)),
        5 => a.shr(Term::int(1)),
        _ => a.scale(&small(r)).add(integer(r, depth - 1)),
    }
}

fn formula(r: &mut Random, depth: u32) -> Term {
    if depth == 0 || r.one_in(3) {
        let (a, b) = (integer(r, depth), integer(r, depth));
        return if r.one_in(3) { a.equals(b) } else { a.less_eq(b) };
    }
    let (a, b) = (formula(r, depth - 1), formula(r, depth - 1));
    match r.below(3) {
        0 => a.and(b),
        1 => a.or(b),
        _ => a.not(),
    }
}

/// What both say of `facts` and `assumptions`; how many answers could be compared.
fn compare(own: &mut OwnSolver, facts: &[Term], assumptions: &[Term], context: &str) -> u64 {
    let answer = own.check_assuming(assumptions);
    let mut z3 = Z3Solver::new(Encoding::Int, &limits()).expect("a solver");
    facts.iter().for_each(|t| z3.assert(*t));
    match (&answer, z3.check_assuming(assumptions)) {
        (CheckResult::Sat, CheckResult::Unsat) | (CheckResult::Unsat, CheckResult::Sat) => {
            panic!("{context}: the own solver says {answer:?} of {facts:?} and {assumptions:?}")
        }
        (CheckResult::Unknown(_), _) | (_, CheckResult::Unknown(_)) => return 0,
        _ => {}
    }
    if answer.is_sat() {
        let model = own.model().expect("a model");
        assert!(facts.iter().chain(assumptions).all(|t| model.holds(*t) == Some(true)), "{context}: no model of {facts:?}");
    } else {
        let core = own.unsat_core();
        assert!(core.iter().all(|t| assumptions.contains(t)), "{context}: {core:?}");
        assert!(!z3.check_assuming(&core).is_sat(), "{context}: {core:?} is no core of {assumptions:?} under {facts:?}");
    }
    1
}

#[test]
fn answers_models_and_cores() {
    let total = cases(400);
    let mut compared = [0u64; 2];
    for seed in 0..total {
        let mut random = Random::new(seed);
        let mut fact = || formula(&mut random, 2);
        let (base, inner): (Vec<Term>, Vec<Term>) = ((0..2).map(|_| fact()).collect(), (0..2).map(|_| fact()).collect());
        let assumptions: Vec<Term> = (0..3).map(|_| fact()).collect();
        let mut own = OwnSolver::new(&limits());
        base.iter().for_each(|t| own.assert(*t));
        own.push();
        inner.iter().for_each(|t| own.assert(*t));
        let both: Vec<Term> = base.iter().chain(&inner).copied().collect();
        let n = compare(&mut own, &both, &assumptions, &format!("seed {seed}, inner scope"));
        compared[usize::from(own.model().is_some())] += n;
        own.pop();
        let n = compare(&mut own, &base, &assumptions, &format!("seed {seed}, outer scope"));
        compared[usize::from(own.model().is_some())] += n;
    }
    assert!(total < 50 || compared.iter().all(|n| n * 10 > total), "only {compared:?} of {total} are compared");
}

/// An address or a content: one of few, so that addresses meet.
fn few(r: &mut Random) -> Term {
    if r.one_in(2) {
        Term::int(IBig::from(r.below(3) as i64))
    } else {
        Term::program_var(VarId(r.below(3) as u32), VarTy::Scalar(Scalar::Int(BYTE)))
    }
}

/// Stores, choices and copies over two memories of cells.
fn memory(r: &mut Random, cell: Cell, depth: u32) -> Term {
    if depth == 0 {
        return Term::program_var(VarId(100 + r.below(2) as u32), VarTy::Mem(cell));
    }
    let inner = memory(r, cell, depth - 1);
    match r.below(6) {
        0 => Term::ite(few(r).less_eq(few(r)), inner, memory(r, cell, depth - 1)),
        1 => Term::splice(inner, memory(r, cell, depth - 1), few(r), Term::int(2)),
        _ => Term::store(content(cell), inner, few(r), few(r)),
    }
}

/// What is stored: cells of bytes hold parts of it.
fn content(cell: Cell) -> Scalar {
    match cell {
        Cell::Byte => Scalar::Int(IntTy { bits: 16, signed: true }),
        Cell::Scalar(ty) => ty,
    }
}

/// What is read, compared.
fn about_memory(r: &mut Random, cell: Cell) -> Term {
    let load = |r: &mut Random, depth: u32| Term::load(content(cell), memory(r, cell, depth), few(r));
    let depth = r.below(4) as u32;
    let (a, b) = (load(r, depth), if r.one_in(2) { load(r, 0) } else { few(r) });
    match r.below(4) {
        0 => a.less_eq(b),
        1 => a.equals(b).not(),
        _ => a.equals(b),
    }
}

#[test]
fn memories() {
    for (name, cell) in [("bytes", Cell::Byte), ("cells", Cell::Scalar(Scalar::Int(IntTy::I32)))] {
        let total = cases(300);
        let mut compared = [0u64; 2];
        for seed in 0..total {
            let mut random = Random::new(seed + 0x3a11);
            let facts: Vec<Term> = (0..4).map(|_| about_memory(&mut random, cell)).collect();
            let assumptions: Vec<Term> = (0..3).map(|_| about_memory(&mut random, cell)).collect();
            let mut own = OwnSolver::new(&limits());
            own.push();
            facts.iter().for_each(|t| own.assert(*t));
            let n = compare(&mut own, &facts, &assumptions, &format!("{name}, seed {seed}"));
            compared[usize::from(own.model().is_some())] += n;
        }
        assert!(total < 50 || compared.iter().all(|n| n * 10 > total), "{name}: only {compared:?} of {total} are compared");
    }
}
