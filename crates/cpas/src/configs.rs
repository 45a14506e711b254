//! Composites that verify, by name.

use crate::interval::Intervals;
use crate::numeric::Numeric;
use crate::predicate::{Blocks, Interpolate, PredicateAnalysis, Predicates, Shape};
use crate::value::{TrackMore, Tracked, Values};
use crate::verify::{verify, Accept, Fixed};
use plumb_cfa::Program;
use plumb_cpa::{Product, Separate};
use plumb_num::{Octagons, Polyhedra};
use plumb_term::Budget;
use plumb_verdict::{Reason, ReasonKind, Verdict};

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
    /// Predicate abstraction after every edge, Cartesian, predicates from interpolants.
    PredicateEdges,
    /// Boolean predicate abstraction at loop heads, predicates from interpolants.
    PredicateLoops,
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
        Config::PredicateEdges => predicate(Blocks::Edges, Shape::Cartesian, program, budget, progress, accept),
        Config::PredicateLoops => predicate(Blocks::Loops, Shape::Boolean, program, budget, progress, accept),
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

fn predicate(
    blocks: Blocks,
    shape: Shape,
    program: &Program,
    budget: &Budget,
    progress: &mut dyn FnMut(&str),
    accept: Accept<'_>,
) -> Verdict {
    match PredicateAnalysis::new(program, blocks, shape) {
        Ok(data) => verify(program, data, Predicates::default(), &Interpolate::new(blocks, budget), budget, progress, accept),
        Err(why) => Verdict::Unknown(Reason::new(ReasonKind::Internal(why))),
    }
}
