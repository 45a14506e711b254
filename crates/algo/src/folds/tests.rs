//! What is proved of folds; the proofs are checked in the corpus.

use super::run;
use plumb_cfa::Program;
use plumb_cfront::{load, Input, Options};
use plumb_term::Budget;
use plumb_verdict::{Method, Verdict};
use std::time::Duration;

fn program(text: &str) -> Program {
    let header = "void reach_error(void); extern int __VERIFIER_nondet_int(void);\n";
    let bytes = format!("{header}{text}").into_bytes();
    load(&[Input { name: "test.c".into(), bytes }], &Options::default()).unwrap_or_else(|e| panic!("{e}"))
}

fn verdict(text: &str) -> Verdict {
    run(&program(text), &Budget::within(Duration::from_secs(20)), &mut |_| {}, &|_, _| true)
}

/// A program that folds an array, changes it and folds it again.
fn twice(step: &str, change: &str, again: &str) -> String {
    format!(
        "int a[1000]; int main(void) {{ long long s = 0, z = 0; int t;
         for (int i = 0; i < 1000; i++) a[i] = __VERIFIER_nondet_int();
         for (int i = 0; i < 1000; i++) s = {step};
         {change}
         for (int i = 0; i < 1000; i++) {again}
         if (s != z) reach_error(); return 0; }}"
    )
}

fn is_proved(text: &str) -> bool {
    match verdict(text) {
        Verdict::Safe(proof) => matches!(proof.method, Method::Recorded { .. }),
        Verdict::Unsafe(_) => panic!("folds are never refuted"),
        Verdict::Unknown(_) => false,
    }
}

#[test]
fn what_is_added_is_taken_away() {
    assert!(is_proved(&twice("s + a[i]", "", "s = s - a[i];")));
    assert!(!is_proved(&twice("s + a[i]", "a[3] = 0;", "s = s - a[i];")));
}

#[test]
fn a_sum_does_not_depend_on_the_order() {
    let exchange = "t = a[0]; a[0] = a[1]; a[1] = t;";
    assert!(is_proved(&twice("s + i + a[i]", exchange, "z = z + i + a[i];")));
    assert!(!is_proved(&twice("s + 2 * (i == 0) * a[i]", exchange, "z = z + 2 * (i == 0) * a[i];")));
    let rotate = "t = a[0]; for (int i = 0; i < 999; i++) a[i] = a[i + 1]; a[999] = t;";
    assert!(is_proved(&twice("s + a[i]", rotate, "z = z + a[i];")));
}

#[test]
fn a_fold_of_bits_begins_with_a_cell() {
    let folded = |s: &str| format!("{s} = a[0]; for (int i = 1; i < 1000; i++) {s} = {s} | a[i];");
    let program = |change: &str| {
        format!(
            "int a[1000]; int main(void) {{ long long s, z; int t;
             for (int i = 0; i < 1000; i++) a[i] = __VERIFIER_nondet_int();
             {} {change} {} if (s != z) reach_error(); return 0; }}",
            folded("s"),
            folded("z")
        )
    };
    assert!(is_proved(&program("t = a[0]; a[0] = a[1]; a[1] = t;")));
    assert!(is_proved(&program("t = a[0]; for (int i = 0; i < 999; i++) a[i] = a[i + 1]; a[999] = t;")));
    assert!(!is_proved(&program("a[1] = 0;")));
}

#[test]
fn lengths_may_have_several_names() {
    let program = "static int greatest(int *a, int n) { int m = a[0]; for (int i = 1; i < n; i++) if (a[i] > m) m = a[i]; return m; }
         int main(void) { int n = __VERIFIER_nondet_int(); if (n < 2 || n > 1000000) return 0; int a[n];
         for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
         int m = greatest(a, n), t = a[0]; a[0] = a[1]; a[1] = t;
         if (m != greatest(a, n)) reach_error(); return 0; }";
    assert!(is_proved(program));
}
