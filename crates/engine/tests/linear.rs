//! The checker for linear programs: recursive programs, each answer certified, by the coarsest polyhedra that do.

use plumb_cfa::{Integers, Program, Semantics};
use plumb_cfront::{load, ErrorSpec, Input, Options};
use plumb_engine::verify;
use plumb_term::Budget;
use plumb_verdict::{Facts, Figure, Method, Verdict};
use std::time::Duration;

const PRELUDE: &str = "int __VERIFIER_nondet_int(void); void reach_error(void);\n";

fn program(body: &str, integers: Integers) -> Program {
    let bytes = format!("{PRELUDE}{body}").into_bytes();
    let options = Options { semantics: Semantics { integers, ..Semantics::default() }, property: ErrorSpec::Default };
    load(&[Input { name: "test.c".into(), bytes }], &options).unwrap_or_else(|e| panic!("{e}"))
}

/// The verdict, and the polyhedra that proved it.
fn answer(config: &str, body: &str, integers: Integers) -> (Verdict, String) {
    let budget = Budget::within(Duration::from_secs(60));
    let a = verify(&program(body, integers), config, &Facts::default(), &budget, &mut |_| {}).unwrap();
    let domain = a.notes.figures.iter().find_map(|f| match f {
        ("domain", Figure::Text(t)) => Some(t.clone()),
        _ => None,
    });
    (a.verdict, domain.unwrap_or_default())
}

/// Proved with contracts by these polyhedra.
fn proved(body: &str, integers: Integers, by: &str) {
    let (verdict, domain) = answer("linear", body, integers);
    let Verdict::Safe(proof) = verdict else { panic!("{verdict:?}: {body}") };
    assert!(matches!(proof.method, Method::Contracts { .. }), "{:?}", proof.method);
    assert_eq!(domain, by, "{body}");
}

fn refuted(body: &str, integers: Integers) {
    let (verdict, _) = answer("linear", body, integers);
    assert!(matches!(verdict, Verdict::Unsafe(_)), "{verdict:?}: {body}");
}

const DOWN: &str = "int down(int n) { if (n <= 0) return 0; return 1 + down(n - 1); }
  int main(void) { int n = __VERIFIER_nondet_int(); if (n >= 0 && n < 1000000 && down(n) != n) reach_error(); return 0; }";

#[test]
fn the_depth_of_recursion_does_not_matter() {
    for integers in [Integers::Ideal, Integers::Machine] {
        proved(DOWN, integers, "rational polyhedra, one for each relation");
    }
    refuted(&DOWN.replace("!= n)", "!= n - (n == 5))"), Integers::Machine);
    refuted(&DOWN.replace("n <= 0", "n <= 1"), Integers::Ideal);
}

#[test]
fn loops_and_recursion_share_their_relations() {
    let text = "int gap(int lo, int hi) { if (lo >= hi) return 0; return 1 + gap(lo + 1, hi); }
      int main(void) { int n = __VERIFIER_nondet_int(), sum = 0, i = 0; if (n < 0 || n > 100000) return 0;
        while (i < 50) { sum = sum + gap(i, n + i); i = i + 1; }
        if (sum < 0) reach_error(); return 0; }";
    proved(text, Integers::Machine, "rational polyhedra, one for each relation");
}

#[test]
fn paths_are_told_apart_where_one_polyhedron_does_not_do() {
    let text = "int f(int n) { return n > 100 ? n - 10 : f(f(n + 11)); }
      int main(void) { int n = __VERIFIER_nondet_int(), r = f(n); if (n <= 101 && r != 91) reach_error(); return 0; }";
    proved(text, Integers::Machine, "integer polyhedra, one for each path");
    refuted(&text.replace("n > 100", "n > 101"), Integers::Machine);
}

#[test]
fn calls_are_told_apart_where_no_relation_is_linear() {
    let text = "int fib(int n) { if (n < 2) return n; return fib(n - 1) + fib(n - 2); }
      int main(void) { if (fib(12) != 144) reach_error(); return 0; }";
    proved(text, Integers::Machine, "machine integer polyhedra, one for each path and known call");
    refuted(&text.replace("144", "145"), Integers::Machine);
}

#[test]
fn machine_integers_wrap_and_others_do_not() {
    let text = "int up(int n) { if (n > 2147483647 - 1) return n + 1; return up(n + 1); }
      int main(void) { if (up(2147483640) < 0) reach_error(); return 0; }";
    proved(text, Integers::Ideal, "rational polyhedra, one for each relation");
    refuted(text, Integers::Machine);
}

#[test]
fn the_abstraction_is_just_a_pass() {
    // One element of memory is kept, which the recursion writes through a pointer.
    let text = "int calls, seen; void visit(int n, int *last) { if (n <= 0) return; calls++; *last = 1; visit(n - 1, last); }
      int main(void) { int n = __VERIFIER_nondet_int(); if (n < 0) return 0; visit(n, &seen); if (n > 0 && seen != 1) reach_error(); return 0; }";
    let (verdict, domain) = answer("eureka", text, Integers::Machine);
    assert!(matches!(&verdict, Verdict::Safe(p) if matches!(p.method, Method::Contracts { .. })), "{verdict:?}");
    assert!(domain.contains("polyhedra"), "{domain}");
    let (verdict, _) = answer("eureka", &text.replace("n > 0 &&", ""), Integers::Machine);
    assert!(matches!(verdict, Verdict::Unsafe(_)), "{verdict:?}");
}
