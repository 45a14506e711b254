//! The program in one function, without idle wraps: where arithmetic is linear, it looks so.

use crate::dagger::control::Control;
use crate::dagger::search::Model;
use plumb_cfa::unwind::Orders;
use plumb_cfa::{Integers, Op, Program};
use plumb_term::{Budget, Term};
use plumb_transform::{interval, BackTranslation, Composed, Identity, Inline, Known, Pass, Pipeline, Slice, Unwrap};
use plumb_verdict::{Facts, Proof, Reason, ReasonKind, Verdict};

/// Whether what cannot matter for the error is taken away.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sliced {
    Yes,
    No,
}

/// A program in one function, with what the intervals know assumed at its loop heads, and the way back.
pub struct Flat {
    /// The program.
    pub program: Program,
    back: Composed,
}

impl Flat {
    /// Of any program without recursion.
    pub fn new(program: &Program, budget: &Budget) -> Result<Flat, Reason> {
        let (flat, back) = flat(program, Sliced::Yes, budget)?;
        let bounds = interval::analyse(&flat, &Orders::new(&flat), &budget.part(8)).unwrap_or_default();
        let bounds = Facts::new(bounds.into_iter().map(|(p, ts)| (p, Term::all(ts))).collect());
        let (program, known) = Known(&bounds).apply(&flat).unwrap_or((flat, Box::new(Identity)));
        Ok(Flat { program, back: Composed(vec![back, known]) })
    }

    /// The same with facts that hold at points of the program assumed there.
    #[must_use]
    pub fn knowing(self, facts: Facts) -> Flat {
        match Known(&facts).apply(&self.program) {
            Some((program, known)) => Flat { program, back: Composed(vec![Box::new(self.back), known]) },
            None => self,
        }
    }

    /// A proof for the program as it was.
    pub fn proof(&self, proof: Proof) -> Proof {
        self.back.proof(proof)
    }

    /// A verdict about the program as it was.
    pub fn verdict(&self, verdict: Verdict) -> Verdict {
        match verdict {
            Verdict::Safe(proof) => Verdict::Safe(self.back.proof(proof)),
            Verdict::Unsafe(trace) => Verdict::Unsafe(self.back.trace(trace)),
            unknown => unknown,
        }
    }
}

/// The same as a graph of linear actions.
pub(crate) struct Bounded {
    flat: Flat,
    control: Control,
}

impl Bounded {
    /// Of any program without recursion.
    pub(crate) fn new(program: &Program, budget: &Budget) -> Result<Bounded, Reason> {
        let flat = Flat::new(program, budget)?;
        let whole = &flat.program;
        let control = Control::new(whole, whole.function(whole.entry), budget).ok_or(Reason::new(ReasonKind::Time))?;
        Ok(Bounded { flat, control })
    }

    /// The graph in the terms of numeric domains.
    pub(crate) fn model(&self) -> Model<'_> {
        Model::new(&self.flat.program, &self.control)
    }

    /// A proof for the program as it was.
    pub(crate) fn proof(&self, proof: Proof) -> Proof {
        self.flat.proof(proof)
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
