//! The vocabulary of plumb: source spans, budgets, machine types and hash-consed terms.

pub mod span;

pub use span::{FileId, SourceMap, Span};
