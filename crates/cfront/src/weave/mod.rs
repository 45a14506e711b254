//! Witnesses, woven into a program: claims of somebody else about places of the source become part of the program.
//!
//! **Problem.** A witness speaks of the source: "this C expression holds whenever that loop is entered", "the execution goes this way
//! here and takes that value there". Only the front end knows what a C expression means at a place. So it is parsed with the
//! program's types, put into the syntax tree at its place, and lowered with everything else, in the scope it stands in.
//!
//! **Invariants** become assertions: where one does not hold, or has no defined value, there is an error location with the label
//! [`invariant_label`]. The woven program is safe if and only if the program is and all the invariants hold.
//!
//! **Waypoints** become a counter of the segments that have been passed. A `follow` waypoint that is passed in its turn
//! advances it, by one per visit of the place; an execution that passes an `avoid` waypoint of the current segment ends. An error counts only when
//! all segments have been passed, and only at the target. The inputs are those of the program, in the same order, so an error
//! of the woven program is one of the program, on an execution that the witness describes.
//!
//! Positions are those of the format 2.0: the first character of a statement, the keyword of a loop or branching, the
//! closing parenthesis of a call. Without a column the first place on the line that fits is meant.

mod claims;
mod places;
mod walk;

pub use claims::{failing_invariant, invariant_label, Place, Probe, ProbeKind, Weave, When};
pub(crate) use places::is_at;
pub(crate) use walk::weave;

/// The name by which a waypoint speaks of what a function returns (`\result`), as the parser sees it.
pub(crate) const RESULT: &str = "__plumb_result";
/// A call of this asserts its second argument; the first is the probe's number. No identifier of C is spelled so.
pub(crate) const INVARIANT: &str = "<invariant>";
/// A call of this visits the waypoints given as pairs of number and condition.
pub(crate) const WAYPOINTS: &str = "<waypoints>";
/// The same, after the value of the first argument, which it returns and [`RESULT`] stands for.
pub(crate) const TAP: &str = "<tap>";
