//! Passes and the way back.

use plumb_cfa::Program;
use plumb_verdict::{Proof, Trace};
use std::fmt;

/// A transformation of programs.
///
/// **Obligations.** If the new program is safe, so is the old one, and [`BackTranslation::proof`] turns a proof of the one into a proof of the
/// other wherever it can. A pass that is *exact* also promises that the new program is safe if the old one is; a trace then comes back
/// as one that reaches the error. Each pass says which it is.
pub trait Pass {
    /// A name for messages.
    fn name(&self) -> &'static str;

    /// The new program, and the way back to the old one.
    fn run(&self, program: Program) -> Result<(Program, Box<dyn BackTranslation>), PassError>;
}

/// Turns evidence for the new program into evidence for the old one.
pub trait BackTranslation {
    /// A proof, over the old program's points and variables.
    fn proof(&self, proof: Proof) -> Proof;

    /// A trace with the old program's inputs.
    fn trace(&self, trace: Trace) -> Trace;
}

/// Why a pass cannot be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PassError {
    /// Which pass.
    pub pass: &'static str,
    /// Why, as a sentence.
    pub sentence: String,
}

impl fmt::Display for PassError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.pass, self.sentence)
    }
}

impl std::error::Error for PassError {}

/// Evidence that needs no translation.
#[derive(Clone, Copy, Debug, Default)]
pub struct Identity;

impl BackTranslation for Identity {
    fn proof(&self, proof: Proof) -> Proof {
        proof
    }

    fn trace(&self, trace: Trace) -> Trace {
        trace
    }
}

/// Passes one after the other.
#[derive(Default)]
pub struct Pipeline {
    passes: Vec<Box<dyn Pass>>,
}

impl Pipeline {
    /// No passes.
    pub fn new() -> Pipeline {
        Pipeline::default()
    }

    /// The same with one more at the end.
    #[must_use]
    pub fn then(mut self, pass: impl Pass + 'static) -> Pipeline {
        self.passes.push(Box::new(pass));
        self
    }
}

impl Pass for Pipeline {
    fn name(&self) -> &'static str {
        "pipeline"
    }

    fn run(&self, mut program: Program) -> Result<(Program, Box<dyn BackTranslation>), PassError> {
        let mut back = Vec::new();
        for pass in &self.passes {
            let (next, b) = pass.run(program)?;
            program = next;
            back.push(b);
        }
        Ok((program, Box::new(Composed(back))))
    }
}

/// Several ways back, of passes in their order: the last pass's is taken first.
pub struct Composed(pub Vec<Box<dyn BackTranslation>>);

impl BackTranslation for Composed {
    fn proof(&self, proof: Proof) -> Proof {
        self.0.iter().rev().fold(proof, |p, b| b.proof(p))
    }

    fn trace(&self, trace: Trace) -> Trace {
        self.0.iter().rev().fold(trace, |t, b| b.trace(t))
    }
}
