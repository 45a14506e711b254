//! Algorithm 2 computes what Algorithms 1(a) and 1(b) compute, with merge-join and merge-sep, in every iteration order.

use crate::support::corpus;
use plumb_cpa::{classic, Cpa, Exploration, Flow, Order, Outcome, Place, Product, Separate};
use plumb_cpas::{Location, ReachingDefinitions, Tracked, Values};
use plumb_term::Budget;
use std::collections::BTreeMap;
use std::time::Duration;

const ORDERS: [Order; 5] = [Order::Bfs, Order::Dfs, Order::ReversePostOrder, Order::WeakTopological, Order::Random(7)];

fn by_place<C: Cpa>(flow: &Flow<'_>, data: C, prec: &C::Prec, order: Order, budget: &Budget) -> Option<BTreeMap<Place, Vec<C::State>>>
where
    C::Prec: Clone,
{
    let cpa = Product::new(Location::from_entry(flow), data);
    let prec = ((), prec.clone());
    let mut run = Exploration::new(flow, &cpa, &prec, order);
    if run.run(budget) != Outcome::Complete {
        return None;
    }
    let mut out: BTreeMap<Place, Vec<C::State>> = BTreeMap::new();
    for (_, (l, e)) in run.arg().nodes() {
        out.entry(cpa.first.place(l).unwrap()).or_default().push(e.clone());
    }
    Some(out)
}

#[test]
fn merge_join_is_data_flow_analysis() {
    let budget = Budget::within(Duration::from_secs(100));
    for (name, program) in corpus() {
        let flow = Flow::forward(&program);
        let classic = classic::dfa(&flow, &Values::new(&program), &budget).unwrap();
        let definitions = ReachingDefinitions::new(&flow);
        let classic_definitions = classic::dfa(&flow, &definitions, &budget).unwrap();
        for order in ORDERS {
            let ours = by_place(&flow, Values::new(&program), &Tracked::All, order, &budget).unwrap();
            assert!(ours.values().all(|s| s.len() == 1), "{name}");
            // Constant propagation is not distributive, but its join is least: the fixed point does not depend on the order.
            for (l, e) in &classic {
                assert_eq!(ours[l][0], *e, "{name}, {order:?}, {}", plumb_cpa::runs::show(&program, *l));
            }
            assert_eq!(ours.len(), classic.len(), "{name}");
            let again = ReachingDefinitions::new(&flow);
            let ours = by_place(&flow, again, &(), order, &budget).unwrap();
            assert_eq!(ours.len(), classic_definitions.len(), "{name}");
        }
    }
}

#[test]
fn merge_sep_is_model_checking() {
    let mut compared = 0;
    for (name, program) in corpus() {
        let flow = Flow::forward(&program);
        let budget = Budget::within(Duration::from_millis(200));
        let Some(classic) = classic::reach(&flow, &Values::new(&program), &budget) else { continue };
        for order in ORDERS {
            let budget = Budget::within(Duration::from_secs(5));
            let Some(ours) = by_place(&flow, Separate(Values::new(&program)), &Tracked::All, order, &budget) else { continue };
            compared += 1;
            assert_eq!(ours.len(), classic.len(), "{name}");
            // Which of two comparable states is found first depends on the order; each set covers the other.
            let cpa = Values::new(&program);
            for (l, states) in &classic {
                let covers = |a: &[_], b: &[_]| b.iter().all(|y| a.iter().any(|x| plumb_cpa::Domain::leq(&cpa, y, x)));
                assert!(covers(&ours[l], states) && covers(states, &ours[l]), "{name}, {order:?}, {}", plumb_cpa::runs::show(&program, *l));
            }
        }
    }
    assert!(compared > 200, "{compared}");
}
