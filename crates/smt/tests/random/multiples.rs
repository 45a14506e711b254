//! Divisibility as an unknown predicate: with divisibility for it, a formula keeps its value, whatever the lemmas are. Loads that are pushed through stores.

use crate::common::{cases, Random};
use plumb_smt::{without_remainders, CheckResult, Encoding, Limits, Pushed, Solver, Z3Solver};
use plumb_term::eval::{eval, MemValue, Value};
use plumb_term::visit::{postorder, vars};
use plumb_term::{Cell, IBig, IntTy, Kind, Scalar, Term, Var, VarId, VarTy};

const CELL: Scalar = Scalar::Int(IntTy { bits: 8, signed: false });
const NIBBLE: IntTy = IntTy { bits: 4, signed: false };

fn number(i: u32) -> Term {
    Term::var(Var::new(VarId(i), VarTy::Int))
}

fn memory() -> Term {
    Term::var(Var::new(VarId(9), VarTy::Mem(Cell::Scalar(CELL))))
}

fn stored(r: &mut Random, modulus: u32) -> Term {
    let mut out = memory();
    for _ in 0..r.below(3) {
        let (at, value) = (integer(r, 1, modulus), integer(r, 1, modulus));
        out = Term::store(CELL, out, at, value);
    }
    out
}

fn integer(r: &mut Random, depth: u32, modulus: u32) -> Term {
    let small = |r: &mut Random| IBig::from(r.below(2 * modulus as usize + 3) as i64 - i64::from(modulus));
    if depth == 0 {
        return if r.one_in(4) { Term::int(small(r)) } else { number(r.below(4) as u32) };
    }
    let a = integer(r, depth - 1, modulus);
    match r.below(7) {
        0 => a.wrap(NIBBLE),
        1 => Term::load(CELL, stored(r, modulus), a),
        2 => Term::ite(formula(r, depth - 1, modulus), a, integer(r, depth - 1, modulus)),
        3 => a.scale(&IBig::from(modulus)).add(integer(r, depth - 1, modulus)),
        4 => a.sub(integer(r, depth - 1, modulus)),
        _ => a.add(Term::int(small(r))),
    }
}

fn formula(r: &mut Random, depth: u32, modulus: u32) -> Term {
    if depth == 0 || r.one_in(3) {
        let (a, b) = (integer(r, depth, modulus), integer(r, depth, modulus));
        return match r.below(3) {
            0 => a.add(Term::int(r.below(4) as i64)).rem(Term::int(modulus)).equals(Term::int(0)),
            1 => a.equals(b),
            _ => a.less_eq(b),
        };
    }
    let (a, b) = (formula(r, depth - 1, modulus), formula(r, depth - 1, modulus));
    match r.below(3) {
        0 => a.and(b),
        1 => a.or(b),
        _ => a.not(),
    }
}

#[test]
fn with_divisibility_for_the_predicate_a_formula_keeps_its_value() {
    let total = cases(20_000);
    let mut compared = 0;
    for seed in 0..total {
        let mut random = Random::new(seed);
        let modulus = [2, 3, 4, 12][random.below(4)];
        let f = formula(&mut random, 3, modulus);
        let Some(view) = without_remainders(f) else { continue };
        let values: Vec<IBig> = (0..4).map(|_| IBig::from(random.below(31) as i64 - 10)).collect();
        let mut cells = Value::default_of(VarTy::Mem(Cell::Scalar(CELL)));
        if let Value::Mem(m) = &mut cells {
            (-40..40).for_each(|at| m.store(CELL, &IBig::from(at), &Value::Int(IBig::from(random.below(6)))));
        }
        // What the view has and the formula has not is the predicate: zero where the modulus divides.
        let known = vars([f]);
        let predicate = vars([view]).into_iter().find(|v| v.id != VarId(9) && v.id.0 > 9 && !known.contains(v));
        let mut divides = Value::default_of(VarTy::Mem(Cell::Scalar(CELL)));
        let env = |divides: &Value| {
            let (values, cells, divides) = (values.clone(), cells.clone(), divides.clone());
            move |v: Var| match v.id.0 {
                9 => Some(cells.clone()),
                i @ 0..=3 => Some(Value::Int(values[i as usize].clone())),
                _ => Some(divides.clone()),
            }
        };
        for n in postorder([view]) {
            let Kind::Load(_, m, at) = n.kind() else { continue };
            if m.as_var() != predicate || predicate.is_none() {
                continue;
            }
            let Some(Value::Int(at)) = eval(*at, &env(&divides)) else { panic!("seed {seed}: no address") };
            let rest = u8::from(&at % IBig::from(modulus) != IBig::ZERO);
            if let Value::Mem(m) = &mut divides {
                m.store(CELL, &at, &Value::Int(IBig::from(rest)));
            }
        }
        assert_eq!(eval(view, &env(&divides)), eval(f, &env(&divides)), "seed {seed}: {f:?} became {view:?}, {values:?}");
        compared += 1;
    }
    assert!(total < 50 || compared * 4 > total, "only {compared} of {total} are compared");
}

fn refuted(t: Term) -> bool {
    let mut z3 = Z3Solver::without_tactics(Encoding::Int, &Limits::default()).expect("a solver");
    z3.assert(without_remainders(t).expect("remainders"));
    z3.check() == CheckResult::Unsat
}

#[test]
fn objects_are_apart() {
    let (p, q) = (number(0), number(1));
    let begins = |p: Term| p.sub(Term::int(65_540)).rem(Term::int(24)).equals(Term::int(0));
    let both = begins(p).and(begins(q));
    // Members at different offsets, objects below others, the room between.
    assert!(refuted(both.and(p.plus(4).equals(q.plus(8)))));
    assert!(!refuted(both.and(p.plus(8).equals(q.plus(8)))));
    assert!(refuted(both.and(p.less(q)).and(q.less(p.plus(24)))));
    assert!(!refuted(both.and(p.less(q)).and(q.less_eq(p.plus(24)))));
    assert!(refuted(begins(p).and(q.equals(p.plus(48))).and(begins(q).not())));
    assert!(refuted(begins(p).and(p.less(Term::int(65_564))).and(Term::int(65_540).less(p))));
    // A store into one object leaves the members of others.
    let written = Term::store(CELL, memory(), p.plus(4), Term::int(7));
    let after = Term::load(CELL, written, q.plus(8));
    assert!(refuted(both.and(after.differs(Term::load(CELL, memory(), q.plus(8))))));
    assert!(!refuted(both.and(after.differs(Term::load(CELL, memory(), p.plus(8))))));
}

#[test]
fn loads_pushed_through_stores_are_equal() {
    let cell = Scalar::Int(IntTy::U32);
    let memory = Term::var(Var::new(VarId(0), VarTy::Mem(Cell::Scalar(cell))));
    let scalars: Vec<Term> = (1..4).map(|i| Term::var(Var::new(VarId(i), VarTy::Scalar(cell)))).collect();
    for seed in 0..cases(200) {
        let mut random = Random::new(seed);
        let mut m = memory;
        for _ in 0..random.below(4) {
            let [a, v] = [0; 2].map(|_| scalars[random.below(3)]);
            let stored = Term::store(cell, m, a.plus(4 * random.below(2)), v);
            m = match random.below(3) {
                0 => Term::ite(a.less(v), stored, m),
                1 => Term::splice(stored, memory, v, Term::int(8)),
                _ => stored,
            };
        }
        let read = Term::load(cell, m, Term::load(cell, m, scalars[random.below(3)]));
        let pushed = Pushed::default().term(read);
        let plain = |t: Term| postorder([t]).iter().all(|n| !matches!(n.kind(), Kind::Store(..) | Kind::Splice { .. }));
        assert!(plain(pushed), "{pushed}");
        let values = [0; 3].map(|_| IBig::from(4 * random.below(4)));
        let mut contents = MemValue::zero(Cell::Scalar(cell));
        (0..6).for_each(|i| contents.set(IBig::from(4 * i), IBig::from(4 * random.below(5))));
        let env = |v: Var| match v.id.0 {
            0 => Some(Value::Mem(contents.clone())),
            i => Some(Value::Int(values[i as usize - 1].clone())),
        };
        assert_eq!(eval(read, &env), eval(pushed, &env), "{read}");
    }
}
