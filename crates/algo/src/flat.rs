//! The program in one function, without idle wraps: where arithmetic is linear, it looks so.

use crate::dagger::control::Control;
use crate::dagger::search::Model;
use plumb_cfa::unwind::Orders;
use plumb_cfa::{Integers, Op, Program};
use plumb_term::{Budget, Term};
use plumb_transform::{interval, BackTranslation, Composed, Identity, Inline, Known, Pass, Pipeline, Slice, Unwrap};
use plumb_verdict::{Facts, Proof, Reason, ReasonKind};

/// Whether what cannot matter for the error is taken away.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sliced {
    Yes,
    No,
}

/// A program as a graph of linear actions, with what the intervals know assumed at its loop heads.
pub(crate) struct Bounded {
    program: Program,
    control: Control,
    back: Composed,
}

impl Bounded {
    /// Of any program without recursion.
    pub(crate) fn new(program: &Program, budget: &Budget) -> Result<Bounded, Reason> {
        let (flat, back) = flat(program, Sliced::Yes, budget)?;
        let bounds = interval::analyse(&flat, &Orders::new(&flat), &budget.part(8)).unwrap_or_default();
        let bounds = Facts(bounds.into_iter().map(|(p, ts)| (p, Term::all(ts))).collect());
        let (program, known) = Known(&bounds).apply(&flat).unwrap_or((flat, Box::new(Identity)));
        let control = Control::new(&program, program.function(program.entry), budget).ok_or(Reason::new(ReasonKind::Time))?;
        Ok(Bounded { program, control, back: Composed(vec![back, known]) })
    }

    /// The graph in the terms of numeric domains.
    pub(crate) fn model(&self) -> Model<'_> {
        Model::new(&self.program, &self.control)
    }

    /// A proof for the program as it was.
    pub(crate) fn proof(&self, proof: Proof) -> Proof {
        self.back.proof(proof)
    }
}

/// The new program and the way back; a reason if calls are left, which then are recursive.
pub(crate) fn flat(program: &Program, sliced: Sliced, budget: &Budget) -> Result<(Program, Box<dyn BackTranslation>), Reason> {
    let mut passes = Pipeline::new().then(Inline::default());
    if program.semantics.integers == Integers::Machine {
        let share = budget.part(8);
        passes = passes.then(Unwrap { budget: share });
    }
    if sliced == Sliced::Yes {
        passes = passes.then(Slice);
    }
    let (plain, back) = passes.run(program.clone()).map_err(|e| Reason::new(ReasonKind::Incomplete(e.to_string())))?;
    let call = plain.function(plain.entry).graph.edges().find_map(|(_, e)| match &e.op {
        Op::Call { func, .. } => Some((*func, e.span)),
        _ => None,
    });
    match call {
        None => Ok((plain, back)),
        Some((f, span)) => {
            let why = format!("the recursion of `{}` is not treated", plain.function(f).name);
            Err(Reason::new(ReasonKind::Incomplete(why)).at(span))
        }
    }
}
