//! The vocabulary of plumb: source spans, budgets, machine types and hash-consed terms.

pub mod budget;
pub mod build;
pub mod eval;
pub mod float;
pub mod frange;
pub mod memory;
pub mod node;
pub mod poly;
pub mod print;
pub mod range;
pub mod span;
pub mod text;
pub mod ty;
pub mod visit;

pub use budget::Budget;
pub use build::linear;
pub use dashu_int::IBig;
pub use float::{Float, FloatTy, RoundMode};
pub use frange::FRange;
pub use node::{FBinOp, FCmpOp, FTest, FUnOp, Kind, Lin, Term};
pub use range::Range;
pub use span::{FileId, SourceMap, Span};
pub use ty::{Cell, IntTy, Scalar, Sort, Var, VarId, VarTy};
