//! What an export is about.

use crate::source::Sources;
use plumb_cfa::{DataModel, Program, Semantics};

/// A program under a question.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The program, as lowered.
    pub program: &'a Program,
    /// The user's files.
    pub sources: &'a Sources,
    /// The property as a `CHECK` line.
    pub specification: &'a str,
    /// The functions whose call is the error, as asked for.
    pub error_functions: &'a [String],
    /// The configuration that answered.
    pub config: &'a str,
}

impl Subject<'_> {
    /// `ILP32` or `LP64`.
    pub fn data_model(&self) -> &'static str {
        data_model(self.program.semantics)
    }
}

/// `ILP32` or `LP64`.
pub fn data_model(s: Semantics) -> &'static str {
    match s.model {
        DataModel::Ilp32 => "ILP32",
        DataModel::Lp64 => "LP64",
    }
}
