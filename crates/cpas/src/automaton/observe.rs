//! Running observers: one exploration for each, with other analyses beside it.

use super::{Automaton, Observer};
use crate::callstack::Callstack;
use crate::composite::{composite, precision};
use crate::location::Location;
use plumb_cfa::Program;
use plumb_cpa::descend::explore;
use plumb_cpa::{Cpa, Flow, Order, Outcome, Product};
use plumb_term::{Budget, Span};
use std::collections::BTreeSet;

/// Descending rounds of analyses that widen.
const NARROWINGS: u32 = 2;

/// What an observer saw.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Observation {
    /// The automaton's name.
    pub automaton: String,
    /// Where it may enter its error state, each place once; none if no execution makes it.
    pub violations: Vec<Span>,
}

/// Watches a program with each automaton, in a composite with the named analyses, which decide conditions; `None` if the budget is over first.
pub fn observe(program: &Program, automata: &[Automaton], names: &[&str], budget: &Budget) -> Option<Vec<Observation>> {
    let flow = Flow::forward(program);
    let mut out = Vec::new();
    for automaton in automata {
        let control = Product::new(Location::from_entry(&flow), Callstack::new(&flow));
        let data = Product::new(Observer::new(&flow, automaton), composite(&flow, names));
        let cpa = Product::new(control, data);
        let prec = (((), ()), ((), precision()));
        let (run, outcome) = explore(&flow, &cpa, &prec, Order::WeakTopological, NARROWINGS, budget);
        if outcome != Outcome::Complete {
            return None;
        }
        let mut violations: BTreeSet<Span> = BTreeSet::new();
        for (n, (_, (observed, _))) in run.arg().nodes() {
            for edge in run.arg().edges(n) {
                let next = &run.arg().state(edge.to).1 .0;
                if cpa.second.first.is_target(next) && !cpa.second.first.is_target(observed) {
                    violations.insert(flow.step(edge.step).span);
                }
            }
        }
        out.push(Observation { automaton: automaton.name.clone(), violations: violations.into_iter().collect() });
    }
    Some(out)
}
