//! The iteration orders, the budget, and the graph that is left.

use crate::support::load;
use plumb_cpa::{Cpa, Exploration, Flow, Order, Outcome, Product};
use plumb_cpas::{Callstack, Intervals, Location, ReachingDefinitions, Tracked, Values};
use plumb_term::Budget;

const NESTED: &str = "extern int __VERIFIER_nondet_int(void);
int f(int n) { int s = 0; for (int i = 0; i < n; i++) { for (int j = 0; j < 10; j++) s = j; } return s; }
int main(void) { int a = f(10), b = 0; while (__VERIFIER_nondet_int()) { if (a > 3) b = f(a); else b = 1; } return b; }";

fn expanded(order: Order) -> u64 {
    let program = load(NESTED);
    let flow = Flow::forward(&program);
    let cpa = Product::new(Product::new(Location::from_entry(&flow), Callstack::new(&flow)), Intervals::new(&program));
    let prec = (((), ()), ());
    let mut run = Exploration::new(&flow, &cpa, &prec, order);
    assert_eq!(run.run(&Budget::unlimited()), Outcome::Complete);
    run.expanded()
}

/// Section 3.5: depth-first search explores again what follows a meeting of branches; orders along the program wait for the other branch.
#[test]
fn without_loops_orders_along_the_program_expand_every_state_once() {
    let branch = "if (__VERIFIER_nondet_int()) x = 1; else x = 2;\n";
    let text = format!("extern int __VERIFIER_nondet_int(void); int x; int main(void) {{ {} return x; }}", branch.repeat(8));
    let program = load(&text);
    let flow = Flow::forward(&program);
    let cpa = Product::new(Location::from_entry(&flow), ReachingDefinitions::new(&flow));
    let explored = |order: Order| {
        let mut run = Exploration::new(&flow, &cpa, &((), ()), order);
        assert_eq!(run.run(&Budget::unlimited()), Outcome::Complete);
        (run.expanded(), run.arg().len() as u64)
    };
    for order in [Order::ReversePostOrder, Order::WeakTopological] {
        let (expanded, states) = explored(order);
        assert_eq!(expanded, states, "{order:?}");
    }
    let (expanded, states) = explored(Order::Dfs);
    assert!(2 * expanded > 3 * states, "{expanded} expansions of {states} states");
}

#[test]
fn a_run_depends_on_nothing_but_program_order_and_seed() {
    for order in [Order::Bfs, Order::Dfs, Order::ReversePostOrder, Order::WeakTopological, Order::Random(3)] {
        assert_eq!(expanded(order), expanded(order), "{order:?}");
    }
}

#[test]
fn the_budget_is_honoured_and_the_run_can_go_on() {
    let program = load(NESTED);
    let flow = Flow::forward(&program);
    let cpa = Product::new(Location::from_entry(&flow), Values::new(&program));
    let prec = ((), Tracked::All);
    let over = Budget::unlimited();
    over.cancel();
    let mut run = Exploration::new(&flow, &cpa, &prec, Order::Bfs);
    assert_eq!(run.run(&over), Outcome::OutOfBudget);
    assert!(run.arg().nodes().any(|(n, _)| run.arg().is_waiting(n)));
    assert_eq!(run.run(&Budget::unlimited()), Outcome::Complete);
    assert!(!run.arg().nodes().any(|(n, _)| run.arg().is_waiting(n)));
    let mut whole = Exploration::new(&flow, &cpa, &prec, Order::Bfs);
    whole.run(&Budget::unlimited());
    assert_eq!(whole.arg().len(), run.arg().len());
}

#[test]
fn the_graph_has_the_edges_and_the_paths() {
    let program = load(NESTED);
    let flow = Flow::forward(&program);
    let cpa = Product::new(Product::new(Location::from_entry(&flow), Callstack::new(&flow)), Values::new(&program));
    let prec = (((), ()), Tracked::All);
    let mut run = Exploration::new(&flow, &cpa, &prec, Order::WeakTopological);
    run.run(&Budget::unlimited());
    let mut covered = 0;
    for (n, e) in run.arg().nodes() {
        let at = cpa.place(e).unwrap();
        for edge in run.arg().edges(n) {
            assert_eq!(flow.step(edge.step).from, at);
            assert_eq!(Some(flow.step(edge.step).to), cpa.place(run.arg().state(edge.to)));
            covered += usize::from(edge.covered);
        }
        // The path leads from the entry to the node, step by step.
        let mut now = flow.entry();
        for s in run.arg().path(n) {
            assert_eq!(flow.step(s).from, now);
            now = flow.step(s).to;
        }
        assert_eq!(now, at);
    }
    assert!(covered > 0, "loops are closed by covering");
}

/// What refines violations together sees those near the first one; what does not stops there.
#[test]
fn a_run_past_the_first_violation_finds_others_near_it() {
    let program = load(
        "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) { int x = __VERIFIER_nondet_int(); if (x == 1) reach_error(); if (x == 2) reach_error(); return 0; }",
    );
    let flow = Flow::forward(&program);
    let cpa = Location::from_entry(&flow);
    let targets = |past: bool| {
        let mut run = Exploration::new(&flow, &cpa, &(), Order::WeakTopological);
        let outcome = if past { run.run_past_target(&Budget::unlimited()) } else { run.run_to_target(&Budget::unlimited()) };
        assert!(past || matches!(outcome, Outcome::Target(_)), "{outcome:?}");
        run.targets().len()
    };
    assert_eq!(targets(false), 1);
    assert!(targets(true) > 1);
}
