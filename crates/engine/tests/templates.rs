//! Invariants from templates: the example of Section 6.3 of seed 001, and what they are good for.

use plumb_cfa::{Integers, Program, Semantics};
use plumb_cfront::{load, ErrorSpec, Input, Options};
use plumb_engine::verify;
use plumb_term::{Budget, Term, Var, VarId};
use plumb_verdict::{Facts, Proof, Verdict};
use std::time::Duration;

fn program(body: &str, integers: Integers) -> Program {
    let bytes = format!("int __VERIFIER_nondet_int(void); void reach_error(void);\n{body}").into_bytes();
    let options = Options { semantics: Semantics { integers, ..Semantics::default() }, property: ErrorSpec::Default };
    load(&[Input { name: "test.c".into(), bytes }], &options).unwrap_or_else(|e| panic!("{e}"))
}

fn answer(p: &Program, seconds: u64) -> Verdict {
    let budget = Budget::within(Duration::from_secs(seconds));
    verify(p, "templates", &Facts::default(), &budget, &mut |_| ()).expect("a configuration").verdict
}

/// The proof, which has passed the checker.
fn proved(body: &str, integers: Integers) -> (Program, Proof) {
    let p = program(body, integers);
    match answer(&p, 20) {
        Verdict::Safe(proof) => (p, proof),
        other => panic!("{other:?}"),
    }
}

fn var(p: &Program, name: &str) -> Term {
    let i = p.vars.iter().position(|v| v.name == name).expect("a variable");
    Term::var(Var::new(VarId(i as u32), p.vars[i].ty))
}

const SECTION_6_3: &str = "int main(void) { int n = __VERIFIER_nondet_int(), x, y;
  if (n <= 0) { return 1; }
  x = 0; y = 1;
  while (x != n) { x = x + 1; y = y + 2; }
  if (y != 2 * n + 1) reach_error(); return 0; }";

/// `c = 0 ∧ b + d = 0 ∧ 2b + a + c = 0 ∧ b ≠ 0`: whichever solution, the invariant is y = 2x + 1.
#[test]
fn the_example_of_section_6_3() {
    let (p, proof) = proved(SECTION_6_3, Integers::Ideal);
    let expected = var(&p, "y").equals(var(&p, "x").scale(&2.into()).add(Term::int(1)));
    let found: Vec<Term> = proof.invariants.values().flat_map(|t| t.conjuncts()).collect();
    assert!(found.contains(&expected), "{found:?}");
}

/// With machine integers the equation keeps y from wrapping, as the bound of x is known.
#[test]
fn wraps_are_excluded_by_the_equation() {
    let body = "int main(void) { int x = 0, y = 1; while (x < 100000) { x = x + 1; y = y + 2; }
      if (y != 200001) reach_error(); return 0; }";
    proved(body, Integers::Machine);
}

/// A relation of three variables, which no octagon has.
#[test]
fn relations_of_three_variables() {
    let body = "int main(void) { int n = __VERIFIER_nondet_int(), i = 0, a = 0, b = 0; if (n < 0) return 0;
      while (i < n) { if (__VERIFIER_nondet_int()) a++; else b++; i++; }
      if (a + b != n) reach_error(); return 0; }";
    proved(body, Integers::Ideal);
}

#[test]
fn wrong_programs_are_not_proved() {
    let wrong = SECTION_6_3.replace("y = 1;", "y = 2;");
    for integers in [Integers::Ideal, Integers::Machine] {
        assert!(matches!(answer(&program(&wrong, integers), 2), Verdict::Unknown(_)));
    }
}
