//! The program in one function, without idle wraps: where arithmetic is linear, it looks so.

use plumb_cfa::{Integers, Op, Program};
use plumb_term::Budget;
use plumb_transform::{BackTranslation, Inline, Pass, Pipeline, Slice, Unwrap};
use plumb_verdict::{Reason, ReasonKind};

/// Whether what cannot matter for the error is taken away.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sliced {
    Yes,
    No,
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
