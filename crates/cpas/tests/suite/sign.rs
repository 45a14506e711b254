//! The sign analysis of `docs/writing-an-analysis.md`: the page has the code, and the code does what the page says.

use crate::support::{corpus, includes_concrete_states, load, var};
use plumb_check::check_proof;
use plumb_cpa::descend::explore;
use plumb_cpa::{laws, Cpa, Flow, Order, Outcome, Product, Separate, Site};
use plumb_cpas::sign::{Sign, SignAnalysis, Signs};
use plumb_cpas::verify::{verify, Fixed};
use plumb_cpas::{Callstack, Intervals, Location};
use plumb_term::{Budget, Range};
use plumb_verdict::Verdict;
use std::path::Path;

fn text(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

#[test]
fn the_page_has_the_code() {
    let (page, code) = (text("../../docs/writing-an-analysis.md"), text("src/sign/mod.rs"));
    let blocks = page.split("```rust\n").skip(1).map(|b| b.split("```").next().unwrap());
    let lines = |s: &str| s.lines().filter(|l| !l.trim().is_empty()).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(blocks.flat_map(lines).collect::<Vec<_>>(), lines(&code));
    assert!(code.lines().count() < 150);
    let (table, list) = (text("src/composite.rs"), text("src/lib.rs"));
    let registered = page.split("```text\n").skip(1).map(|b| b.split("\n```").next().unwrap());
    assert_eq!(registered.filter(|line| table.contains(line) || list.contains(line)).count(), 2);
}

/// States of a program with a few variables, by exploring it.
fn samples(program: &plumb_cfa::Program) -> Vec<Signs> {
    let flow = Flow::forward(program);
    let cpa = Product::new(Location::from_entry(&flow), Separate(SignAnalysis(program)));
    let (run, outcome) = explore(&flow, &cpa, &((), ()), Order::Bfs, 0, &Budget::unlimited());
    assert_eq!(outcome, Outcome::Complete);
    run.arg().nodes().map(|n| n.1 .1.clone()).collect()
}

const PROGRAM: &str = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void); int f(void) { return 1; }
int main(void) { int x = __VERIFIER_nondet_int(), y = 1, z = 0;
    if (x > 0) { z = y; } else if (x < 0) { y = x; z = -5; } else { y = 0; }
    if (z > 0 && x <= 0) reach_error();
    return f(); }";

#[test]
fn laws_of_the_domain() {
    let program = load(PROGRAM);
    let states = samples(&program);
    assert!(states.len() > 10);
    laws::semilattice(&SignAnalysis(&program), &states).unwrap();
    laws::operators(&SignAnalysis(&program), &states, &()).unwrap();
    laws::convergence(&SignAnalysis(&program), states, 3 * program.vars.len()).unwrap();
}

#[test]
fn signs_of_ranges_and_back() {
    for (lo, hi, signs) in [(1, 9, Range { lo: Some(1), hi: None }), (0, 0, Range::new(0, 0)), (-3, 4, Range::ALL)] {
        assert_eq!(Sign::of(Range::new(lo, hi)).range(), signs);
    }
}

#[test]
fn no_execution_is_outside() {
    let mut compared = 0;
    for (name, program) in corpus() {
        let flow = Flow::forward(&program);
        let data = Product::new(SignAnalysis(&program), Intervals::new(&program));
        let cpa = Product::new(Product::new(Location::from_entry(&flow), Callstack::new(&flow)), data);
        let (run, outcome) = explore(&flow, &cpa, &(((), ()), ((), ())), Order::WeakTopological, 2, &Budget::unlimited());
        assert_eq!(outcome, Outcome::Complete, "{name}");
        compared += includes_concrete_states(&name, &program, &cpa, run.arg(), 2);
        let cpa = Product::new(Location::from_entry(&flow), SignAnalysis(&program));
        let (run, outcome) = explore(&flow, &cpa, &((), ()), Order::Bfs, 0, &Budget::unlimited());
        assert_eq!(outcome, Outcome::Complete, "{name}");
        compared += includes_concrete_states(&name, &program, &cpa, run.arg(), 2);
    }
    assert!(compared > 20_000, "{compared}");
}

#[test]
fn it_verifies_and_learns() {
    let budget = Budget::within(std::time::Duration::from_secs(20));
    let program = load(PROGRAM);
    let verdict = verify(&program, Separate(SignAnalysis(&program)), (), &Fixed, &budget, &mut |_| {}, &|_, _| true);
    let Verdict::Safe(proof) = verdict else { panic!("{verdict:?}") };
    check_proof(&program, &proof, &budget).unwrap();

    // Alone it does not know that the increment does not wrap; with intervals it does.
    let counter = load(
        "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
        int main(void) { int i = 1; while (__VERIFIER_nondet_int()) { if (i < 100) i = i + 1; if (i <= 0) reach_error(); } return 0; }",
    );
    let alone = verify(&counter, SignAnalysis(&counter), (), &Fixed, &budget, &mut |_| {}, &|_, _| true);
    assert!(matches!(alone, Verdict::Unknown(_)), "{alone:?}");
    let flow = Flow::forward(&counter);
    let both = Product::new(Location::from_entry(&flow), Product::new(Intervals::new(&counter), SignAnalysis(&counter)));
    let (run, _) = explore(&flow, &both, &((), ((), ())), Order::WeakTopological, 2, &budget);
    assert!(run.targets().is_empty());
    let i = var(&counter, "i");
    let head = run.arg().nodes().map(|n| n.1).find(|e| flow.is_head(both.place(e).unwrap())).unwrap();
    assert_eq!(both.second.second.of(&head.1 .1, i).range(), Range { lo: Some(1), hi: None });
    assert_eq!(both.merge(head, head, Site { place: None, cut: false }), *head);
}
