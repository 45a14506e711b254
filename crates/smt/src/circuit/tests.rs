//! Circuits on small formulas whose answers are known.

use super::*;
use plumb_term::VarId;

fn var(id: u32, ty: IntTy) -> Term {
    Term::program_var(VarId(id), VarTy::Scalar(Scalar::Int(ty)))
}

fn memory(id: u32, cell: Cell) -> Term {
    Term::program_var(VarId(id), VarTy::Mem(cell))
}

pub(super) fn ask(formula: Term) -> Found {
    Circuit::new(formula).expect("a circuit").run(Duration::MAX, &Budget::unlimited())
}

fn is_sat(formula: Term) -> bool {
    match ask(formula) {
        Found::Sat(model) => model.holds(formula) == Some(true),
        Found::Unsat => false,
        Found::Open | Found::Undecided => panic!("{formula} is not decided"),
    }
}

#[test]
fn machine_arithmetic_wraps() {
    let x = var(1, IntTy::I32);
    assert!(is_sat(x.plus(1).wrap(IntTy::I32).less(x)));
    assert!(!is_sat(x.plus(1).less(x)));
    assert!(is_sat(x.mul(x).wrap(IntTy::I32).less(Term::int(0))));
    let odd = x.bit_and(Term::int(1)).equals(Term::int(1));
    assert!(!is_sat(odd.and(x.mul(Term::int(2)).equals(x))));
}

#[test]
fn reads_meet_stores_where_addresses_are_equal() {
    let (i, j, m) = (var(1, IntTy::U8), var(2, IntTy::U8), memory(3, Cell::Byte));
    let ty = Scalar::Int(IntTy::I32);
    let (base, seven) = (Term::int(1000), Term::int(7));
    let at = |k: Term| base.add(k.scale(&IBig::from(4)));
    let after = Term::store(ty, m, at(i), seven);
    let read = Term::load(ty, after, at(j));
    assert!(!is_sat(i.equals(j).and(read.equals(seven).not())));
    assert!(is_sat(i.equals(j).not().and(read.equals(seven).not())));
    // A byte of the number next to it.
    let skewed = Term::load(Scalar::Int(IntTy::U8), after, at(j).plus(1));
    assert!(!is_sat(i.equals(j).and(skewed.equals(Term::int(0)).not())));
    // A variable is a function of the address.
    let same = Term::load(ty, m, at(i)).equals(Term::load(ty, m, at(j)));
    assert!(!is_sat(i.equals(j).and(same.not())));
    assert!(is_sat(same.not()));
    // Also where the address comes from the memory.
    let byte = Scalar::Int(IntTy::U8);
    let there = Term::load(byte, m, Term::load(byte, m, i));
    assert!(is_sat(there.equals(seven).and(i.equals(there).not())));
}

#[test]
fn what_is_not_about_machine_integers_has_no_circuit() {
    let x = Term::program_var(VarId(1), VarTy::Int);
    let formula = x.less_eq(Term::int(3));
    assert!(Circuit::new(formula).is_none());
    let (m, n) = (memory(1, Cell::Byte), memory(2, Cell::Byte));
    assert!(Circuit::new(m.equals(n)).is_none());
}

#[test]
fn a_search_is_interrupted_and_goes_on() {
    // Two numbers below 2^20 whose product is a product of two primes.
    let (x, y) = (var(1, IntTy::unsigned(20)), var(2, IntTy::unsigned(20)));
    let product = Term::int(1_048_573i64 * 1_048_571);
    let formula = x.mul(y).equals(product).and(Term::int(1).less(x)).and(x.less(y));
    let mut circuit = Circuit::new(formula).expect("a circuit");
    assert!(matches!(circuit.run(Duration::ZERO, &Budget::unlimited()), Found::Open));
    let Found::Sat(model) = circuit.run(Duration::MAX, &Budget::unlimited()) else { panic!("no factors") };
    assert_eq!(model.int(x), Some(IBig::from(1_048_571)));
}

#[test]
fn a_circuit_is_built_in_slices() {
    // The cells at 40 addresses of one memory, one of which is that of another.
    let (m, byte) = (memory(100, Cell::Byte), Scalar::Int(IntTy::U8));
    let at: Vec<Term> = (0..40).map(|id| var(id, IntTy::unsigned(16))).collect();
    let ordered = at.windows(2).map(|w| Term::load(byte, m, w[0]).less(Term::load(byte, m, w[1])));
    let formula = Term::all(ordered).and(at[3].equals(at[31]));
    let mut circuit = Circuit::new(formula).expect("a circuit");
    let mut slices = 0;
    while let State::Building(_) = circuit.state {
        circuit.run(Duration::ZERO, &Budget::unlimited());
        slices += 1;
        assert!(slices < 100_000, "each slice starts anew");
    }
    assert!(slices > 1, "the building is not interrupted");
    assert!(matches!(circuit.run(Duration::MAX, &Budget::unlimited()), Found::Unsat));
}

#[test]
fn what_is_too_large_has_no_circuit_and_says_why() {
    let (x, m) = (var(1, IntTy::U32), memory(2, Cell::Byte));
    let byte = Scalar::Int(IntTy::U8);
    let reads = (0..1000).map(|k| Term::load(byte, m, x.mul(Term::int(k)).wrap(IntTy::U32)).less(Term::int(9)));
    let mut circuit = Circuit::new(Term::all(reads)).expect("a formula about machine integers");
    assert!(matches!(circuit.run(Duration::MAX, &Budget::unlimited()), Found::Undecided));
    assert!(circuit.beyond().is_some());
}
