//! Passes over programs, each with its way back, and the range analysis they share.
//!
//! A [`Pass`] turns a program into one that is easier to verify and returns a [`BackTranslation`] for what an engine finds there: a proof
//! or a trace. Neither a pass nor its way back is trusted: proofs are checked and traces are replayed on the original program. So an
//! error here costs an answer, never the truth.
//!
//! All passes keep the loop heads that matter as loop heads (see [`draft`]), because proofs speak about these: a proof by k-induction
//! counts the same blocks before and after.

pub mod array_index;
pub mod bounds;
pub mod compact;
pub mod draft;
pub mod fold;
pub mod inline;
pub mod interval;
pub mod known;
pub mod pass;
pub mod points;
pub mod promote;
pub mod slice;
pub mod unwrap;
pub mod walk;

pub use array_index::ArrayIndex;
pub use bounds::assert_bounds;
pub use compact::Compact;
pub use fold::Fold;
pub use inline::Inline;
pub use known::Known;
pub use pass::{BackTranslation, Composed, Identity, Pass, PassError, Pipeline};
pub use promote::Promote;
pub use slice::Slice;
pub use unwrap::Unwrap;
