//! Component analyses, one folder each, and the composites made of them.
//!
//! An analysis implements [`plumb_cpa::Domain`] and [`plumb_cpa::Cpa`] and nothing else; [`report`] makes it print, [`verify`] makes it
//! verify; [`composite`] registers it. What it can say about the program's variables it says through the questions of [`plumb_cpa::Facts`].

pub mod automaton;
pub mod bdd;
mod block;
pub mod bounds;
pub mod callstack;
mod cells;
pub mod composite;
pub mod configs;
mod dag;
pub mod heap;
pub mod interval;
pub mod liveness;
pub mod location;
pub mod numeric;
pub mod numpred;
pub mod path;
mod place;
pub mod predicate;
pub mod reachdef;
pub mod report;
pub mod sign;
pub mod value;
pub mod verify;

pub use bdd::Diagrams;
pub use callstack::Callstack;
pub use heap::ExplicitHeap;
pub use interval::Intervals;
pub use liveness::LiveVariables;
pub use location::Location;
pub use numeric::Numeric;
pub use predicate::PredicateAnalysis;
pub use reachdef::ReachingDefinitions;
pub use value::{Tracked, Values};
