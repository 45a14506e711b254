//! Decision diagrams: sets that other analyses do not hold, bit-precise arithmetic, and no run outside.

use crate::support::{corpus, includes_concrete_states, load};
use crate::verify::{answer, Answer};
use plumb_cpa::{Exploration, Flow, Order, Outcome, Product};
use plumb_cpas::configs::Config;
use plumb_cpas::{Diagrams, Location};
use plumb_term::Budget;
use std::time::Duration;

/// Six numbers that go through squares modulo 256, each on its own: too many states to list, no invariant in linear arithmetic.
const SQUARES: &str = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
    unsigned char f(unsigned char x) { return x * x + 2; }
    int main(void) { unsigned char a = 0, b = 1, c = 2, d = 3, e = 4, g = 5; while (1) { int k = __VERIFIER_nondet_int();
        if (k == 0) a = f(a); if (k == 1) b = f(b); if (k == 2) c = f(c); if (k == 3) d = f(d); if (k == 4) e = f(e); if (k == 5) g = f(g);
        if (a == 7 || b == 8 || c == 9 || d == 10 || e == 13 || g == 14) reach_error(); } }";

#[test]
fn sets_that_only_diagrams_hold() {
    let program = load(SQUARES);
    for other in [Config::Value, Config::ValueSep, Config::ValueInterval, Config::Octagon, Config::PredicateLoops, Config::Heap] {
        assert_eq!(answer(other, &program, 1), Answer::Unknown, "{other:?}");
    }
    assert_eq!(answer(Config::Bdd, &program, 20), Answer::True);
    // 0, 2, 6, 38, …
    let reached = load(&SQUARES.replace("a == 7", "a == 38"));
    assert_ne!(answer(Config::Bdd, &reached, 20), Answer::True);
}

/// Operators against the machine's: what a computation on followed variables gives is known exactly.
#[test]
fn arithmetic_is_bit_precise() {
    for (expression, values) in [
        ("x + y", [4, 14, 16]),
        ("x - y", [2, 242, 12]),
        ("(x & y) | (x ^ 1)", [3, 1, 15]),
        ("3 * x - 2 * y + 5", [12, 233, 43]),
        ("x * y", [3, 105, 28]),
        ("x > y ? x : 0 - y", [3, 256 - 14, 14]),
        ("x <= y", [0, 1, 0]),
    ] {
        let text = format!(
            "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
            int main(void) {{ unsigned char x, y, r, k = 0; int n = __VERIFIER_nondet_int();
                if (n == 0) {{ x = 3; y = 1; }} else if (n == 1) {{ x = {}; y = {}; k = 1; }} else {{ x = 14; y = 2; k = 2; }}
                r = {expression};
                if (k == 0 && r != {}) reach_error(); if (k == 1 && r != {}) reach_error(); if (k == 2 && r != {}) reach_error(); return 0; }}",
            if expression == "x * y" { 15 } else { 0 },
            if expression == "x * y" { 7 } else { 14 },
            values[0],
            values[1] % 256,
            values[2]
        );
        assert_eq!(answer(Config::Bdd, &load(&text), 10), Answer::True, "{expression}");
    }
}

#[test]
fn no_run_leaves_the_diagrams() {
    let (mut compared, mut complete) = (0, 0);
    for (name, program) in corpus().into_iter().step_by(2) {
        let flow = Flow::forward(&program);
        let cpa = Product::new(Location::from_entry(&flow), Diagrams::new(&program));
        let prec = ((), ());
        let mut run = Exploration::new(&flow, &cpa, &prec, Order::WeakTopological);
        if run.run(&Budget::within(Duration::from_millis(300))) == Outcome::Complete {
            complete += 1;
            compared += includes_concrete_states(&name, &program, &cpa, run.arg(), 2);
        }
    }
    assert!(complete > 40 && compared > 1_000, "{complete} complete, {compared} comparisons");
}
