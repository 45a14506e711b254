//! The program in one function, without idle wraps: where arithmetic is linear, it looks so.

use plumb_cfa::unwind::Orders;
use plumb_cfa::{Integers, Op, Program};
use plumb_term::{Budget, Term};
use plumb_transform::{interval, BackTranslation, Identity, Inline, Known, Pass, Pipeline, Slice, Unwrap};
use plumb_verdict::{Facts, Reason, ReasonKind};

/// Whether what cannot matter for the error is taken away.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sliced {
    Yes,
    No,
}

/// The program with what the intervals know assumed at its loop heads.
pub(crate) fn bounded(flat: Program, budget: &Budget) -> (Program, Box<dyn BackTranslation>) {
    let bounds = interval::analyse(&flat, &Orders::new(&flat), &budget.part(8)).unwrap_or_default();
    let bounds = Facts(bounds.into_iter().map(|(p, ts)| (p, Term::all(ts))).collect());
    Known(&bounds).apply(&flat).unwrap_or((flat, Box::new(Identity)))
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
