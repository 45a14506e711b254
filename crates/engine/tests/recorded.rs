//! Proofs that write down what loops compute: right ones are accepted, and whatever is changed in them is noticed.

use plumb_cfa::{Program, Semantics};
use plumb_cfront::{load, ErrorSpec, Input, Options};
use plumb_check::check_proof;
use plumb_engine::verify;
use plumb_term::{Budget, Cell, IntTy, Scalar, Term, Var, VarId, VarTy};
use plumb_verdict::{Facts, Method, Proof, Record, Verdict};
use std::time::Duration;

/// What is added is taken away.
const UNDONE: &str = "void reach_error(void); int __VERIFIER_nondet_int(void); int a[1000];
  int main(void) { long long s = 0; for (int i = 0; i < 1000; i++) a[i] = __VERIFIER_nondet_int();
  for (int i = 0; i < 1000; i++) s += a[i]; /* here */
  for (int i = 0; i < 1000; i++) s -= a[i];
  if (s != 0) reach_error(); return 0; }";

fn program(text: &str) -> Program {
    let options = Options { semantics: Semantics::default(), property: ErrorSpec::Default };
    load(&[Input { name: "test.c".into(), bytes: text.into() }], &options).unwrap_or_else(|e| panic!("{e}"))
}

fn budget() -> Budget {
    Budget::within(Duration::from_secs(60))
}

fn found(p: &Program) -> (Proof, Vec<Record>) {
    let Some(Verdict::Safe(proof)) = verify(p, "folds", &Facts::default(), &budget(), &mut |_| ()).map(|a| a.verdict) else {
        panic!("no proof")
    };
    let Method::Recorded { records } = &proof.method else { panic!("nothing is recorded") };
    let records = records.clone();
    (proof, records)
}

#[test]
fn a_proof_with_records_is_accepted_and_proves_nothing_else() {
    let p = program(UNDONE);
    let (proof, _) = found(&p);
    check_proof(&p, &proof, &budget()).unwrap();
    let wrong = program(&UNDONE.replace("/* here */", "a[7] = 1;"));
    assert!(check_proof(&wrong, &proof, &budget()).is_err());
    for point in proof.invariants.keys().filter(|q| !q.stack.is_empty()) {
        let mut broken = proof.clone();
        if broken.invariants.remove(point).is_some_and(|t| t.conjuncts().len() > 2) {
            assert!(check_proof(&p, &broken, &budget()).is_err(), "{point:?}");
        }
    }
}

#[test]
fn records_that_are_others_do_not_prove_it() {
    let p = program(UNDONE);
    let (proof, records) = found(&p);
    let with = |records: Vec<Record>| Proof { method: Method::Recorded { records }, ..proof.clone() };
    let accepted = |records: Vec<Record>| check_proof(&p, &with(records), &budget()).is_ok();
    assert!(accepted(records.clone()));
    assert!(!accepted(Vec::new()));
    assert!(check_proof(&p, &Proof { method: Method::Inductive, ..proof.clone() }, &budget()).is_err());
    let changed = |change: &dyn Fn(&mut Record)| {
        let mut all = records.clone();
        change(&mut all[0]);
        all
    };
    assert!(!accepted(changed(&|r| r.value = r.value.plus(1))));
    assert!(!accepted(changed(&|r| r.index = r.index.plus(1))));
    // Another record of the same memory comes after it.
    let mut twice = records.clone();
    twice.push(Record { value: Term::int(0), ..records[0].clone() });
    assert!(!accepted(twice));
}

#[test]
fn records_of_what_is_not_the_programs_are_rejected() {
    let p = program(UNDONE);
    let (proof, records) = found(&p);
    let rejected = |change: &dyn Fn(&mut Record)| {
        let mut all = records.clone();
        change(&mut all[0]);
        let proof = Proof { method: Method::Recorded { records: all }, ..proof.clone() };
        check_proof(&p, &proof, &budget()).is_err_and(|r| !r.undecided)
    };
    // A memory of the program, a scalar, another copy, a value of another sort.
    let memory = p.memory(p.objects.iter().find(|o| o.name == "a").unwrap().region).as_var().unwrap();
    assert!(rejected(&|r| r.memory = memory));
    assert!(rejected(&|r| r.memory = Var::new(VarId::FIRST_RECORD, VarTy::Scalar(Scalar::Int(IntTy::I64)))));
    assert!(rejected(&|r| r.memory = r.memory.at(1)));
    assert!(rejected(&|r| r.memory = Var::new(VarId::FIRST_BOUND, VarTy::Mem(Cell::Scalar(Scalar::Int(IntTy::I64))))));
    assert!(rejected(&|r| r.value = Term::tt()));
    // Inputs, bound variables, what has been recorded.
    assert!(rejected(&|r| r.value = Term::var(Var::new(VarId::FIRST_AUX, VarTy::Int))));
    assert!(rejected(&|r| r.value = Term::var(Var::new(VarId::FIRST_BOUND, VarTy::Int))));
    assert!(rejected(&|r| r.value = Term::load(Scalar::Int(IntTy::I64), Term::var(r.memory), r.index)));
}
