//! The vocabulary of plumb: source spans, budgets, machine types and hash-consed terms.

pub mod float;
pub mod span;

pub use float::{Float, FloatTy, RoundMode};
pub use span::{FileId, SourceMap, Span};
