//! No concrete state of a random run is outside the abstract ones, for every analysis on every program of the corpus.

use crate::support::{corpus, includes_concrete_states};
use plumb_cpa::descend::explore;
use plumb_cpa::{Cpa, Exploration, Flow, Order, Outcome, Product, Separate};
use plumb_cpas::{Callstack, Intervals, Location, Numeric, Tracked, Values};
use plumb_num::{interruptible, Boxes, Octagons, Polyhedra, Zones};
use plumb_term::Budget;
use std::time::Duration;

fn seconds(n: u64) -> Budget {
    Budget::within(Duration::from_secs(n))
}

/// Runs an analysis, with calls told apart or not, and compares; whether it was complete.
fn check<C: Cpa>(name: &str, flow: &Flow<'_>, data: C, prec: &C::Prec, contexts: bool, compared: &mut u64) -> bool
where
    C::Prec: Clone,
{
    let stack = contexts.then(|| Callstack::new(flow));
    let cpa = Product::new(Product::new(Location::from_entry(flow), stack), data);
    let prec = (((), ()), prec.clone());
    let budget = seconds(5);
    let explored = interruptible(budget.watch(), || explore(flow, &cpa, &prec, Order::WeakTopological, 2, &budget));
    let Ok((run, Outcome::Complete)) = explored else { return false };
    *compared += includes_concrete_states(name, flow.program(), &cpa, run.arg(), 3);
    true
}

#[test]
fn values() {
    let mut compared = 0;
    for (name, program) in corpus() {
        let flow = Flow::forward(&program);
        for contexts in [false, true] {
            assert!(check(&name, &flow, Values::new(&program), &Tracked::All, contexts, &mut compared), "{name}");
        }
    }
    assert!(compared > 20_000, "{compared}");
}

#[test]
fn explicit_values() {
    let (mut compared, mut complete, mut all) = (0, 0, 0);
    for (name, program) in corpus() {
        let flow = Flow::forward(&program);
        let cpa = Product::new(Product::new(Location::from_entry(&flow), Callstack::new(&flow)), Separate(Values::new(&program)));
        let prec = (((), ()), Tracked::All);
        let mut run = Exploration::new(&flow, &cpa, &prec, Order::ReversePostOrder);
        all += 1;
        // Explicit values of unbounded loops never end.
        if run.run(&Budget::within(Duration::from_millis(300))) == Outcome::Complete {
            complete += 1;
            compared += includes_concrete_states(&name, &program, &cpa, run.arg(), 3);
        }
    }
    assert!(complete * 2 > all && compared > 50_000, "{complete} of {all}, {compared}");
}

#[test]
fn intervals() {
    let mut compared = 0;
    for (name, program) in corpus() {
        let flow = Flow::forward(&program);
        for contexts in [false, true] {
            assert!(check(&name, &flow, Intervals::new(&program), &(), contexts, &mut compared), "{name}");
        }
    }
    assert!(compared > 50_000, "{compared}");
}

#[test]
fn values_and_intervals_strengthened() {
    let mut compared = 0;
    for (name, program) in corpus() {
        let flow = Flow::forward(&program);
        let data = Product::new(Values::new(&program), Intervals::new(&program));
        assert!(check(&name, &flow, data, &(Tracked::All, ()), true, &mut compared), "{name}");
    }
    assert!(compared > 50_000, "{compared}");
}

#[test]
fn numeric_domains() {
    let (mut compared, mut complete, mut all) = (0, 0, 0);
    for (name, program) in corpus() {
        let flow = Flow::forward(&program);
        all += 4;
        complete += usize::from(check(&name, &flow, Numeric::new(&program, "numeric", Boxes), &(), true, &mut compared));
        complete += usize::from(check(&name, &flow, Numeric::new(&program, "numeric", Zones), &(), true, &mut compared));
        complete += usize::from(check(&name, &flow, Numeric::new(&program, "numeric", Octagons), &(), true, &mut compared));
        complete += usize::from(check(&name, &flow, Numeric::new(&program, "numeric", Polyhedra::default()), &(), true, &mut compared));
    }
    assert!(complete * 20 > all * 19 && compared > 50_000, "{complete} of {all}, {compared}");
}
