//! Configurable program analysis: data-flow analysis and model checking as one algorithm with different operators.
//!
//! **Problem.** A data-flow analysis joins what it knows where control flow meets and is fast; a model checker keeps states apart and is
//! precise. Beyer, Gulwani and Schmidt ("Combining Model Checking and Data-Flow Analysis", Section 3) give both, and everything between, by one
//! algorithm whose behaviour is set by operators of the analysis.
//!
//! **Picture.**
//!
//! ```text
//!            ┌──────────────── waitlist (choose: an Order) ◄───────────────┐
//!            ▼                                                             │ changed or new
//!   state ─► Cpa::transfer along a Step of the Flow ─► strengthen ─► prec ─► merge with the states of the same key ─► stop?
//!                                                                                                                       │ covered
//!                                                                                                    covering edge of the Arg
//! ```
//!
//! * [`Domain`] is the semilattice, [`Cpa`] adds the operators; both state what an implementation owes. An analysis says what it must and
//!   inherits the rest: the defaults are merge-join and stop-sep.
//! * [`Product`] composes two analyses and nests; components learn from each other by the typed questions of [`Facts`], never by looking into
//!   each other's states. [`Separate`] turns any analysis into the model checker's variant of it (merge-sep), [`StopJoin`] its termination
//!   check into stop-join, `Option` switches one off.
//! * [`Flow`] is the program as a graph of [`Step`]s, calls and returns among them, forward or backward; every step has a logical reading.
//! * [`Exploration`] is Algorithm 2; [`classic`] has Algorithms 1(a) and 1(b) as instances of it.
//! * [`certificate`] turns "the error is not reached" into a proof that the checker accepts or rejects, whatever the analysis was.

pub mod algorithm;
pub mod arg;
pub mod certificate;
pub mod classic;
pub mod cpa;
pub mod descend;
pub mod facts;
pub mod flow;
pub mod laws;
mod optional;
pub mod product;
pub mod ranges;
mod reached;
pub mod runs;
pub mod variants;
pub mod waitlist;

pub use algorithm::{Exploration, Outcome};
pub use arg::{Arg, NodeId};
pub use cpa::{Cover, Cpa, Domain, Note, Site};
pub use facts::{Both, Facts, Known, Nothing};
pub use flow::{Direction, Flow, Kind, Move, Place, Stack, Step, StepId};
pub use product::{Merge, Product};
pub use variants::{Separate, StopJoin};
pub use waitlist::Order;
