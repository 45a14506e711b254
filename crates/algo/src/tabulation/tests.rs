//! Summaries of small programs; that they are proofs is checked where configurations are tested.

use super::*;
use plumb_cfa::{Integers, Semantics};
use plumb_cfront::{load, ErrorSpec, Input, Options as Front};
use plumb_verdict::Method;
use std::time::Duration;

const PRELUDE: &str = "int __VERIFIER_nondet_int(void); void reach_error(void);\n";

fn program(text: &str, integers: Integers) -> Program {
    let options = Front { semantics: Semantics { integers, ..Semantics::default() }, property: ErrorSpec::Default };
    let bytes = format!("{PRELUDE}{text}").into_bytes();
    load(&[Input { name: "test.c".into(), bytes }], &options).unwrap_or_else(|e| panic!("{e}"))
}

/// How the program was proved, and the postconditions of its functions.
fn proved(text: &str, integers: Integers) -> Option<(String, Vec<String>)> {
    let program = program(text, integers);
    let mut notes = Notes::default();
    let budget = Budget::within(Duration::from_secs(30));
    let proof = prove(&program, &budget, &mut |_| {}, &|_, _| true, &mut notes).unwrap_or_else(|r| panic!("{r:?}"))?;
    let Method::Contracts { contracts } = proof.method else { panic!("no contracts") };
    let domain = notes.figures.iter().find(|f| f.0 == "domain").map(|f| format!("{:?}", f.1)).unwrap_or_default();
    Some((domain, contracts.values().map(|c| c.post.to_string()).collect()))
}

const DOWN: &str = "int down(int n) { if (n <= 0) return 0; return 1 + down(n - 1); }
  int main(void) { int n = __VERIFIER_nondet_int(); if (n >= 0 && n < 1000000 && down(n) != n) reach_error(); return 0; }";

#[test]
fn the_depth_of_recursion_does_not_matter() {
    for integers in [Integers::Ideal, Integers::Machine] {
        let (domain, posts) = proved(DOWN, integers).unwrap();
        assert!(domain.contains("rational polyhedra, one for each"), "{domain}");
        assert_eq!(posts.len(), 1);
    }
}

#[test]
fn paths_are_told_apart_where_one_polyhedron_does_not_do() {
    let text = "int f(int n) { return n > 100 ? n - 10 : f(f(n + 11)); }
      int main(void) { int n = __VERIFIER_nondet_int(), r = f(n); if (n <= 101 && r != 91) reach_error(); return 0; }";
    let (domain, _) = proved(text, Integers::Machine).unwrap();
    assert!(domain.contains("each path"), "{domain}");
}

#[test]
fn calls_are_told_apart_where_no_relation_is_linear() {
    let text = "int fib(int n) { if (n < 2) return n; return fib(n - 1) + fib(n - 2); }
      int main(void) { if (fib(12) != 144) reach_error(); return 0; }";
    let (domain, posts) = proved(text, Integers::Machine).unwrap();
    assert!(domain.contains("known call") && posts[0].contains("144"), "{domain} {posts:?}");
}

#[test]
fn what_is_wrong_is_not_proved() {
    assert!(proved(&DOWN.replace("!= n)", "!= n - 1)"), Integers::Machine).is_none());
    assert!(proved(&DOWN.replace("n <= 0", "n <= 1"), Integers::Ideal).is_none());
    // Machine integers wrap, the others do not.
    let wraps = "int up(int n) { if (n > 2147483647 - 1) return n + 1; return up(n + 1); }
      int main(void) { if (up(2147483000) < 0) reach_error(); return 0; }";
    assert!(proved(wraps, Integers::Ideal).is_some());
    assert!(proved(wraps, Integers::Machine).is_none());
}
