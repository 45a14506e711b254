//! What the user gets besides the verdict: explanations in the user's own terms, witnesses, C tests, JSON.
//!
//! Everything here is made from a [`Subject`] (the program, its sources and how it was asked about) and the evidence of a verdict that has already been
//! certified. Nothing here decides anything: an export that cannot express a part of the evidence leaves that part out, which
//! weakens an invariant or shortens a path, and says so where it matters.
//!
//! * [`cexpr`]: formulas as C expressions; [`scope`]: which names may be used where;
//! * [`execution`]: the error path with the values of variables and memory;
//! * [`report`]: the explanation as data (JSON); [`explain`]: as text; [`sarif`]: for code scanners; [`witness`]: YAML and GraphML; [`ctest`]: a C test; [`dot`]: the
//!   reachability graph.

pub mod cexpr;
pub mod ctest;
pub mod dot;
pub mod execution;
pub mod explain;
pub mod html;
pub mod report;
pub mod sarif;
pub mod scan;
pub mod scope;
pub mod sha256;
pub mod source;
mod subject;
pub mod witness;
pub mod xml;

pub use execution::Execution;
pub use report::{Answer, Figure, Report};
pub use source::{SourceFile, Sources};
pub use subject::Subject;
