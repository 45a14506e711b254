//! Operations on bits as unknown functions: with the operations for them, a formula keeps its value, whatever the lemmas are.

use crate::common::{cases, Random};
use plumb_smt::{without_bits, CheckResult, Encoding, Limits, Solver, Z3Solver};
use plumb_term::eval::{eval, MemValue, Value};
use plumb_term::visit::{postorder, vars};
use plumb_term::{Cell, IBig, IntTy, Kind, Scalar, Term, Var, VarId, VarTy};

const TYPES: [IntTy; 4] = [IntTy::U8, IntTy::I32, IntTy::signed(64), IntTy::unsigned(64)];

fn number(i: usize) -> Term {
    Term::var(Var::new(VarId(i as u32), VarTy::Scalar(Scalar::Int(TYPES[i % TYPES.len()]))))
}

fn integer(r: &mut Random, depth: u32) -> Term {
    if depth == 0 {
        return if r.one_in(5) { Term::int(r.below(9) as i64 - 4) } else { number(r.below(8)) };
    }
    let (a, b) = (integer(r, depth - 1), integer(r, depth - 1));
    match r.below(8) {
        0 | 1 => a.bit_or(b),
        2 | 3 => a.bit_xor(b),
        4 | 5 => a.bit_and(b),
        6 => a.add(b),
        _ => a.wrap(TYPES[r.below(4)]),
    }
}

fn formula(r: &mut Random) -> Term {
    let (a, b) = (integer(r, 3), integer(r, 3));
    let f = match r.below(3) {
        0 => a.equals(b),
        1 => a.less_eq(b),
        _ => a.equals(b).or(a.less_eq(integer(r, 2))),
    };
    f.or(cell(number(r.below(8))).less(a))
}

/// What lies in a memory at an address.
fn cell(at: Term) -> Term {
    let ty = Scalar::Int(IntTy::I32);
    Term::load(ty, Term::var(Var::new(VarId(8), VarTy::Mem(Cell::Scalar(ty)))), at)
}

/// Numbers at the borders of types, and small ones.
fn any(r: &mut Random, ty: IntTy) -> IBig {
    let n = match r.below(4) {
        0 => ty.min(),
        1 => ty.max(),
        2 => IBig::from(r.below(5) as i64 - 2),
        _ => IBig::from(r.below(1 << 30) as i64) << r.below(40),
    };
    ty.wrap(&n)
}

#[test]
fn with_the_operations_for_the_functions_a_formula_keeps_its_value() {
    let total = cases(20_000);
    let mut compared = 0;
    for seed in 0..total {
        let mut random = Random::new(seed);
        let f = formula(&mut random);
        let Some(view) = without_bits(f) else { continue };
        let values: Vec<IBig> = (0..8).map(|i| any(&mut random, TYPES[i % 4])).collect();
        let first = vars([f]).iter().map(|v| v.id.0).max().unwrap_or(0).max(VarId::FIRST_AUX.0) + 1;
        let mut functions = vec![MemValue::zero(Cell::Scalar(Scalar::Int(IntTy::signed(65)))); 3];
        let env = |functions: &[MemValue]| {
            let (values, functions) = (values.clone(), functions.to_vec());
            move |v: Var| match v.id.0 {
                8 => Some(Value::Mem(MemValue::zero(Cell::Scalar(Scalar::Int(IntTy::I32))))),
                i if i >= first => functions.get((i - first) as usize).cloned().map(Value::Mem),
                i => Some(Value::Int(values[i as usize].clone())),
            }
        };
        for n in postorder([view]) {
            let Kind::Load(ty, m, at) = n.kind() else { continue };
            if m.as_var().is_some_and(|m| m.id == VarId(8)) {
                continue;
            }
            let Some(Value::Int(at)) = eval(*at, &env(&functions)) else { panic!("seed {seed}: no address") };
            // The pair that the address stands for.
            let half = IBig::ONE << 65usize;
            let a = (&at + &half) >> 66usize;
            let b = &at - (&a << 66usize);
            let (a, b) = (Term::int(a), Term::int(b));
            let function = m.as_var().expect("a variable").id.0 - first;
            let result = [a.bit_and(b), a.bit_or(b), a.bit_xor(b)][function as usize];
            functions[function as usize].store(*ty, &at, &Value::Int(result.as_int().expect("a number").clone()));
        }
        assert_eq!(eval(view, &env(&functions)), eval(f, &env(&functions)), "seed {seed}: {f:?} became {view:?}, {values:?}");
        compared += 1;
    }
    assert!(total < 50 || compared * 4 > total, "only {compared} of {total} are compared");
}

fn refuted(t: Term) -> bool {
    let mut z3 = Z3Solver::without_tactics(Encoding::Int, &Limits::default()).expect("a solver");
    z3.assert(without_bits(t).expect("operations"));
    z3.check() == CheckResult::Unsat
}

#[test]
fn operations_may_be_exchanged() {
    let [a, b, c] = [1, 5, 2].map(number);
    let d = cell(number(0));
    let folded = |x: Term, y: Term, z: Term| x.bit_xor(y).bit_xor(z);
    assert!(refuted(folded(a, b, d).differs(folded(d, b, a))));
    assert!(refuted(folded(a, b, d).differs(a.bit_xor(b.bit_xor(d)))));
    assert!(without_bits(folded(a, b, c).differs(folded(c, b, a))).is_none(), "there is nothing to load");
    assert!(refuted(a.bit_or(b).equals(d).and(a.bit_or(c).bit_or(b).differs(d.bit_or(c)))));
    assert!(!refuted(a.bit_or(d).differs(a.bit_xor(d))));
    assert!(!refuted(folded(a, b, c).differs(folded(a, b, d))));
}
