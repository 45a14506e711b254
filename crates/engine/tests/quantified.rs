//! Invariants with "for all k": right ones are accepted, and whatever is changed in them is noticed.

use plumb_cfa::{Point, Program, Semantics};
use plumb_cfront::{load, ErrorSpec, Input, Options};
use plumb_check::check_proof;
use plumb_engine::verify;
use plumb_term::{Budget, FloatTy, IntTy, Scalar, Term, Var, VarId, VarTy};
use plumb_verdict::{bound, Facts, Method, Proof, Verdict};
use std::collections::BTreeMap;
use std::time::Duration;

const FILL: &str = "void reach_error(void); int a[1000];
  int main(void) { int i; for (i = 0; i < 1000; i++) a[i] = 7;
  for (int j = 0; j < 1000; j++) if (a[j] != 7) reach_error(); return 0; }";
/// The same with an error: the last cell is another.
const WRONG: &str = "void reach_error(void); int a[1000];
  int main(void) { int i; for (i = 0; i < 999; i++) a[i] = 7;
  for (int j = 0; j < 1000; j++) if (a[j] != 7) reach_error(); return 0; }";

fn program(text: &str) -> Program {
    let options = Options { semantics: Semantics::default(), property: ErrorSpec::Default };
    load(&[Input { name: "test.c".into(), bytes: text.into() }], &options).unwrap_or_else(|e| panic!("{e}"))
}

fn budget() -> Budget {
    Budget::within(Duration::from_secs(60))
}

fn key() -> Var {
    Var::new(VarId::FIRST_BOUND, VarTy::Scalar(Scalar::Int(IntTy::I64)))
}

fn named(p: &Program, name: &str) -> Term {
    let i = p.vars.iter().position(|v| v.name == name).unwrap_or_else(|| panic!("no {name}"));
    p.term(VarId(i as u32))
}

/// `0 ≤ k < end → a[k] = value`.
fn filled(p: &Program, k: Var, end: Term, value: i32) -> Term {
    let cell = |k: Term| {
        let a = p.objects.iter().find(|o| o.name == "a").unwrap();
        Term::load(Scalar::Int(IntTy::I32), p.memory(a.region), Term::int(a.addr).add(k.scale(&4.into())))
    };
    let k = Term::var(k);
    Term::int(0).less_eq(k).and(k.less(end)).implies(cell(k).equals(Term::int(value)))
}

/// The proof with these invariants at the two loops.
fn proof(p: &Program, first: Term, second: Term) -> Proof {
    let Some(Verdict::Safe(found)) = verify(&program(FILL), "arrays", &Facts::default(), &budget(), &mut |_| ()).map(|a| a.verdict) else {
        panic!("no proof")
    };
    let points: Vec<Point> = found.invariants.into_keys().filter(|q| !q.stack.is_empty()).collect();
    assert_eq!(points.len(), 2);
    let i = named(p, "i");
    let bounds = Term::int(0).less_eq(i).and(i.less_eq(Term::int(1000)));
    let j = Term::int(0).less_eq(named(p, "j"));
    Proof {
        method: Method::Inductive,
        invariants: BTreeMap::from([(points[0].clone(), first.and(bounds)), (points[1].clone(), second.and(j))]),
    }
}

#[test]
fn a_proof_for_all_cells_is_accepted_and_broken_ones_are_not() {
    let p = program(FILL);
    let (i, n) = (named(&p, "i"), Term::int(1000));
    let accepted = |first: Term, second: Term| check_proof(&p, &proof(&p, first, second), &budget()).is_ok();
    let good = filled(&p, key(), i, 7);
    assert!(accepted(good, filled(&p, key(), n, 7)));
    // One cell too many, another value, too little, nothing at all, the opposite.
    assert!(!accepted(filled(&p, key(), i.plus(1), 7), filled(&p, key(), n, 7)));
    assert!(!accepted(good, filled(&p, key(), n.plus(1), 7)));
    assert!(!accepted(filled(&p, key(), i, 8), filled(&p, key(), n, 7)));
    assert!(!accepted(good, filled(&p, key(), n.plus(-1), 7)));
    assert!(!accepted(Term::tt(), filled(&p, key(), n, 7)));
    assert!(!accepted(good, filled(&p, key(), n, 7).not()));
    // Bound variables of the two invariants are different ones even if they have one name.
    let other = Var::new(VarId(VarId::FIRST_BOUND.0 + 5), VarTy::Int);
    assert!(accepted(good, filled(&p, other, n, 7)));
}

#[test]
fn variables_without_a_meaning_are_rejected() {
    let p = program(FILL);
    let (i, n) = (named(&p, "i"), Term::int(1000));
    let rejected = |k: Var| check_proof(&p, &proof(&p, filled(&p, k, i, 7), filled(&p, k, n, 7)), &budget()).is_err_and(|r| !r.undecided);
    // Neither inputs, nor copies of variables, nor variables of another type.
    assert!(rejected(Var::new(VarId::FIRST_AUX, VarTy::Int)));
    assert!(rejected(Var::new(VarId(VarId::FIRST_BOUND.0 - 1), VarTy::Int)));
    assert!(rejected(key().at(1)));
    assert!(rejected(Var::new(VarId(100_000), VarTy::Int)));
    let float = Term::var(Var::new(VarId::FIRST_BOUND, VarTy::Scalar(Scalar::Float(FloatTy::F64))));
    let pattern = Term::fbits(float).equals(Term::int(0));
    assert!(check_proof(&p, &proof(&p, filled(&p, key(), i, 7).or(pattern), Term::tt()), &budget()).is_err_and(|r| !r.undecided));
}

#[test]
fn what_a_bound_variable_of_a_small_type_does_not_reach_is_not_known() {
    let p = program(FILL);
    let byte = Var::new(VarId::FIRST_BOUND, VarTy::Scalar(Scalar::Int(IntTy::U8)));
    let (i, n) = (named(&p, "i"), Term::int(1000));
    // It holds of the first 256 cells only.
    assert!(check_proof(&p, &proof(&p, filled(&p, byte, i, 7), filled(&p, byte, n, 7)), &budget()).is_err());
}

#[test]
fn found_proofs_are_for_all_cells_and_prove_nothing_else() {
    let p = program(FILL);
    let Some(Verdict::Safe(found)) = verify(&p, "arrays", &Facts::default(), &budget(), &mut |_| ()).map(|a| a.verdict) else {
        panic!("no proof")
    };
    assert!(found.invariants.values().any(|t| !bound(*t).is_empty()));
    let wrong = program(WRONG);
    assert!(check_proof(&wrong, &found, &budget()).is_err());
    for point in found.invariants.keys().filter(|q| !q.stack.is_empty()) {
        let mut broken = found.clone();
        broken.invariants.remove(point);
        assert!(check_proof(&p, &broken, &budget()).is_err(), "both loops need theirs");
    }
}
