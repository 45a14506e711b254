//! Composites that verify, by name.

use crate::bdd::{self, Diagrams};
use crate::heap::ExplicitHeap;
use crate::interval::Intervals;
use crate::numeric::Numeric;
use crate::predicate::{Blocks, Interpolate, Learn, PredicateAnalysis, Predicates, Shape};
use crate::value::{TrackMore, Tracked, Values};
use crate::verify::{self, verify, Accept, Fixed, OfFirst};
use plumb_cfa::{Point, Program};
use plumb_cpa::{Merge, Product, Separate};
use plumb_num::{Octagons, Polyhedra};
use plumb_term::{Budget, Term};
use plumb_verdict::{Reason, ReasonKind, Verdict};
use std::collections::BTreeMap;

/// Deeper structures are not followed explicitly.
pub(crate) const HEAP_DEPTH: usize = 8;

/// A composite that verifies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Config {
    /// Constant propagation: one state for each place and stack of calls.
    Value,
    /// Explicit values, never joined, of the variables that refinement finds.
    ValueSep,
    /// Intervals.
    Interval,
    /// Constants and intervals that strengthen each other.
    ValueInterval,
    /// Predicate abstraction after every edge, Cartesian, of linear arithmetic, predicates from interpolants (Section 4.4).
    PredicateEdges,
    /// The predicated lattice: constants, joined where predicates agree (Section 5.1).
    PredicateValueDirect,
    /// The same where predicates strengthen constants (Section 5.2).
    PredicateValue,
    /// The reduced product of predicates at loop heads with constants and intervals.
    PredicateValueInterval,
    /// Boolean predicate abstraction at loop heads, predicates from interpolants.
    PredicateLoops,
    /// Explicit heaps, bounded in depth (Section 4.5).
    Heap,
    /// Sets of values as decision diagrams (Section 4.6).
    Bdd,
    /// Predicates at loop heads that explicit heaps strengthen (Section 5.3).
    PredicateHeap,
    /// Octagons, with intervals.
    Octagon,
    /// Convex polyhedra, with intervals.
    Polyhedra,
}

/// Verifies a program; `accept` says whether a candidate is a proof.
pub fn run(config: Config, program: &Program, budget: &Budget, progress: &mut dyn FnMut(&str), accept: Accept<'_>) -> Verdict {
    let (value, interval) = (Values::new(program), Intervals::new(program));
    match config {
        Config::Value => verify(program, value, Tracked::All, &Fixed, budget, progress, accept),
        Config::ValueSep => verify(program, Separate(value), Tracked::Only([].into()), &TrackMore, budget, progress, accept),
        Config::Interval => verify(program, interval, (), &Fixed, budget, progress, accept),
        Config::ValueInterval => verify(program, Product::new(value, interval), (Tracked::All, ()), &Fixed, budget, progress, accept),
        Config::PredicateEdges
        | Config::PredicateLoops
        | Config::PredicateValueDirect
        | Config::PredicateValue
        | Config::PredicateHeap
        | Config::PredicateValueInterval => with_predicates(config, program, budget, progress, accept),
        Config::Bdd => bdd::run(program, budget, progress, accept),
        Config::Heap => verify(program, ExplicitHeap::new(program, HEAP_DEPTH).without_dead(), (), &Fixed, budget, progress, accept),
        Config::Octagon => {
            verify(program, Product::new(interval, Numeric::new(program, "octagon", Octagons)), ((), ()), &Fixed, budget, progress, accept)
        }
        Config::Polyhedra => verify(
            program,
            Product::new(interval, Numeric::new(program, "polyhedra", Polyhedra::default())),
            ((), ()),
            &Fixed,
            budget,
            progress,
            accept,
        ),
    }
}

/// [`Config::PredicateLoops`] on a program without calls, with somebody who finds out what holds always.
pub fn predicates(program: &Program, learn: Learn<'_>, budget: &Budget, progress: &mut dyn FnMut(&str), accept: Accept<'_>) -> Verdict {
    match PredicateAnalysis::new(program, Blocks::Loops, Shape::Boolean, budget) {
        Ok(p) => {
            let refiner = Interpolate::new(Blocks::Loops, budget).learning(learn);
            verify(program, p, Predicates::default(), &refiner, budget, progress, accept)
        }
        Err(why) => Verdict::Unknown(Reason::new(ReasonKind::Internal(why))),
    }
}

/// The composites with predicates.
fn with_predicates(config: Config, program: &Program, budget: &Budget, progress: &mut dyn FnMut(&str), accept: Accept<'_>) -> Verdict {
    let at_loops = matches!(config, Config::PredicateLoops | Config::PredicateValueInterval | Config::PredicateHeap);
    let (blocks, shape) = if at_loops { (Blocks::Loops, Shape::Boolean) } else { (Blocks::Edges, Shape::Cartesian) };
    let predicates = match PredicateAnalysis::new(program, blocks, shape, budget) {
        Ok(p) if at_loops => p,
        Ok(p) => p.linear(),
        Err(why) => return Verdict::Unknown(Reason::new(ReasonKind::Internal(why))),
    };
    let refiner = Interpolate::new(blocks, budget);
    let refiner = if at_loops { refiner } else { refiner.linear() };
    let none = Predicates::default();
    let (value, interval) = (Values::new(program), Intervals::new(program));
    let predicated = |p| Product::new(p, value).merging(Merge::SecondIfFirstEqual);
    match config {
        Config::PredicateValueDirect => {
            verify(program, predicated(predicates).direct(), (none, Tracked::All), &OfFirst(refiner), budget, progress, accept)
        }
        Config::PredicateValue => {
            verify(program, predicated(predicates), (none, Tracked::All), &OfFirst(refiner), budget, progress, accept)
        }
        Config::PredicateValueInterval => {
            let data = Product::new(predicates.reduced(), Product::new(value, interval));
            verify(program, data, (none, (Tracked::All, ())), &OfFirst(refiner), budget, progress, accept)
        }
        Config::PredicateHeap => {
            let data = Product::new(predicates.reduced(), ExplicitHeap::new(program, HEAP_DEPTH).without_dead());
            verify(program, data, (none, ()), &OfFirst(refiner), budget, progress, accept)
        }
        _ => verify(program, predicates, none, &refiner, budget, progress, accept),
    }
}

/// What the analysis of a configuration knows at the cut points, without refinement; nothing if the budget is over first, or where the
/// configuration is nothing without refinement.
pub fn invariants(config: Config, program: &Program, budget: &Budget) -> BTreeMap<Point, Term> {
    let (value, interval) = (Values::new(program), Intervals::new(program));
    match config {
        Config::Value => verify::invariants(program, value, Tracked::All, budget),
        Config::Interval => verify::invariants(program, interval, (), budget),
        Config::ValueInterval => verify::invariants(program, Product::new(value, interval), (Tracked::All, ()), budget),
        Config::Octagon => {
            verify::invariants(program, Product::new(interval, Numeric::new(program, "octagon", Octagons)), ((), ()), budget)
        }
        Config::Polyhedra => {
            let polyhedra = Numeric::new(program, "polyhedra", Polyhedra::default());
            verify::invariants(program, Product::new(interval, polyhedra), ((), ()), budget)
        }
        Config::Bdd => verify::invariants(program, Product::new(Diagrams::new(program), interval), ((), ()), budget),
        Config::Heap => verify::invariants(program, ExplicitHeap::new(program, HEAP_DEPTH).without_dead(), (), budget),
        Config::ValueSep
        | Config::PredicateEdges
        | Config::PredicateLoops
        | Config::PredicateValueDirect
        | Config::PredicateValue
        | Config::PredicateValueInterval
        | Config::PredicateHeap => BTreeMap::new(),
    }
}
