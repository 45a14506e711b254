//! The cost of the reached set: comparisons, not seconds, so that the test says the same on every machine.

use crate::support::load;
use plumb_cpa::{Cpa, Domain, Exploration, Flow, Order, Outcome, Product, Separate, Site, Step};
use plumb_cpas::value::Valuation;
use plumb_cpas::{Location, Tracked, Values};
use plumb_term::Budget;
use std::cell::Cell;

/// Explicit values that count how often two states are compared or merged.
struct Counting<'a>(Values<'a>, Cell<u64>);

impl Domain for Counting<'_> {
    type State = Valuation;

    fn leq(&self, a: &Valuation, b: &Valuation) -> bool {
        self.1.set(self.1.get() + 1);
        self.0.leq(a, b)
    }

    fn join(&self, a: &Valuation, b: &Valuation) -> Valuation {
        self.0.join(a, b)
    }
}

impl Cpa for Counting<'_> {
    type Key = ();
    type Prec = Tracked;

    fn name(&self) -> &'static str {
        "counting"
    }

    fn initial(&self) -> Vec<Valuation> {
        self.0.initial()
    }

    fn key(&self, _e: &Valuation) {}

    fn transfer(&self, e: &Valuation, step: &Step) -> Vec<Valuation> {
        self.0.transfer(e, step)
    }

    fn merge(&self, new: &Valuation, old: &Valuation, at: Site) -> Valuation {
        self.1.set(self.1.get() + 1);
        self.0.merge(new, old, at)
    }

    fn probe(&self, e: &Valuation, like: &Valuation) -> Option<u64> {
        self.0.probe(e, like)
    }
}

fn explored(n: u32) -> (usize, u64) {
    let text = format!(
        "extern int __VERIFIER_nondet_int(void);
        int main(void) {{ int i = 0, j = 0; while (i < {n}) {{ if (__VERIFIER_nondet_int()) j = i; else j = 0; i++; }} return j; }}"
    );
    let program = load(&text);
    let flow = Flow::forward(&program);
    let cpa = Product::new(Location::from_entry(&flow), Separate(Counting(Values::new(&program), Cell::new(0))));
    let prec = ((), Tracked::Only([crate::support::var(&program, "i")].into()));
    let mut run = Exploration::new(&flow, &cpa, &prec, Order::WeakTopological);
    assert_eq!(run.run(&Budget::unlimited()), Outcome::Complete);
    (run.arg().len(), cpa.second.0 .1.get())
}

#[test]
fn a_hundred_thousand_states_take_a_linear_number_of_comparisons() {
    let (small, few) = explored(2_000);
    let (large, many) = explored(20_000);
    assert!(large > 100_000 && large > 9 * small, "{small}, {large}");
    assert!(many <= 3 * large as u64, "{many} comparisons for {large} states");
    assert!(many <= 11 * few, "{few} and {many} comparisons");
}
