//! Which searches a program gets, and for how long.
//!
//! Without arrays of numbers there is one, with all the time. Otherwise the search about scalars alone has a first turn; then come distinguished cells ([`super::cells`]), all with one number and
//! each with its own; and what is left of the time goes to scalars again, if only time was missing.

use super::cells::{Cells, Numbering};
use super::control::Control;
use super::search::Model;
use super::{search, Accept, Options};
use plumb_cfa::unwind::Orders;
use plumb_cfa::{Point, Program};
use plumb_term::{Budget, Term};
use plumb_transform::interval;
use plumb_verdict::{Notes, Reason, ReasonKind, Verdict};
use std::collections::BTreeMap;
use std::time::Duration;

/// The part of the time that the first search about scalars has where there are arrays, and its limit.
const SCALARS: (u32, Duration) = (10, Duration::from_secs(2));
/// The part of what is left that a search with distinguished cells has, and its limit.
const CELLS: (u32, Duration) = (3, Duration::from_secs(600));

/// The searches of a program whose calls are inlined.
pub struct Turns<'a> {
    pub options: Options,
    pub program: &'a Program,
    pub control: &'a Control,
    pub budget: &'a Budget,
    pub accept: Accept<'a>,
}

impl Turns<'_> {
    /// Takes one after the other.
    pub fn run(&self, progress: &mut dyn FnMut(&str), notes: &mut Notes) -> Verdict {
        let numberings = [Numbering::Parallel, Numbering::Each];
        let views: Vec<Cells> = numberings.into_iter().filter_map(|n| Cells::new(self.program, self.control, n)).collect();
        if views.is_empty() {
            return self.scalars(self.budget, progress, notes);
        }
        let first = match self.scalars(&self.part(SCALARS), progress, notes) {
            Verdict::Safe(proof) if !(self.accept)(&proof, self.budget) => rejected(),
            Verdict::Unknown(reason) => reason,
            decided => return decided,
        };
        let again = matches!(first.kind, ReasonKind::Time);
        if !again && !matches!(first.kind, ReasonKind::Incomplete(_)) {
            return Verdict::Unknown(first);
        }
        let known = interval::analyse(self.program, &Orders::new(self.program), &self.part(SCALARS)).unwrap_or_default();
        let mut last = first;
        for view in &views {
            if self.budget.is_over() {
                return Verdict::Unknown(Reason::new(ReasonKind::Time));
            }
            match self.cells(view, &known, progress, notes) {
                Verdict::Unknown(reason) => last = reason,
                decided => return decided,
            }
        }
        if again && !self.budget.is_over() {
            return self.scalars(self.budget, progress, notes);
        }
        Verdict::Unknown(last)
    }

    fn part(&self, (part, most): (u32, Duration)) -> Budget {
        self.budget.part(part).at_most(most)
    }

    fn scalars(&self, budget: &Budget, progress: &mut dyn FnMut(&str), notes: &mut Notes) -> Verdict {
        search(self.options, &Model::new(self.program, self.control), budget, progress, notes)
    }

    /// Searches with distinguished cells; `known` is what intervals say.
    fn cells(&self, view: &Cells, known: &BTreeMap<Point, Vec<Term>>, progress: &mut dyn FnMut(&str), notes: &mut Notes) -> Verdict {
        let mut found = Notes::default();
        let model = Model::new(&view.program, &view.control);
        let verdict = search(self.options, &model, &self.part(CELLS), progress, &mut found);
        notes.remarks.extend(found.remarks.iter().map(|r| format!("distinguished cells: {r}")));
        let verdict = match verdict {
            Verdict::Safe(proof) => Verdict::Safe(view.proof(proof, known)),
            Verdict::Unknown(reason) => return Verdict::Unknown(reason),
            Verdict::Unsafe(trace) => Verdict::Unsafe(trace),
        };
        if matches!(&verdict, Verdict::Safe(proof) if !(self.accept)(proof, self.budget)) {
            return Verdict::Unknown(rejected());
        }
        notes.figures = found.figures;
        notes.figure("distinguished cells", view.width());
        verdict
    }
}

fn rejected() -> Reason {
    Reason::new(ReasonKind::Incomplete("invariants were found, but not accepted by the checker".into()))
}
