//! Reaching definitions ℝ𝔻 (Section 4.3): which assignments may have given a variable the value it has.
//!
//! A state maps each variable to the set of steps that may have defined it last; a variable without definitions is not in the map. A write to
//! memory defines a part of it, so it adds to the definitions of its region. Sets are interned: states hold numbers, and a union is computed
//! once.

mod sets;

use plumb_cfa::chunks::Chunks;
use plumb_cfa::VarKind;
use plumb_cpa::{Cpa, Domain, Flow, Note, Step, StepId};
use plumb_term::VarId;
use sets::{SetId, Sets};
use std::cell::RefCell;

/// The analysis.
#[derive(Debug)]
pub struct ReachingDefinitions<'a> {
    flow: &'a Flow<'a>,
    sets: RefCell<Sets>,
}

/// The definitions of each variable.
#[derive(Clone, Debug, Default)]
pub struct Definitions(Chunks<SetId>);

impl PartialEq for Definitions {
    fn eq(&self, o: &Definitions) -> bool {
        self.0.differences(&o.0).is_empty()
    }
}

impl<'a> ReachingDefinitions<'a> {
    /// Of a program.
    pub fn new(flow: &'a Flow<'a>) -> ReachingDefinitions<'a> {
        ReachingDefinitions { flow, sets: RefCell::default() }
    }

    /// The steps that may have defined a variable.
    pub fn of(&self, e: &Definitions, v: VarId) -> Vec<StepId> {
        e.0.get(v).map_or_else(Vec::new, |s| self.sets.borrow().get(s).to_vec())
    }
}

impl Domain for ReachingDefinitions<'_> {
    type State = Definitions;

    fn leq(&self, a: &Definitions, b: &Definitions) -> bool {
        let mut sets = self.sets.borrow_mut();
        a.0.differences(&b.0).into_iter().all(|(_, x, y)| match (x, y) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(x), Some(y)) => sets.union(x, y) == y,
        })
    }

    fn join(&self, a: &Definitions, b: &Definitions) -> Definitions {
        let mut sets = self.sets.borrow_mut();
        let mut out = a.clone();
        for (v, x, y) in a.0.differences(&b.0) {
            let both = match (x, y) {
                (Some(x), Some(y)) => Some(sets.union(x, y)),
                (x, y) => x.or(y),
            };
            out.0.set(v, both);
        }
        out
    }
}

impl Cpa for ReachingDefinitions<'_> {
    type Key = ();
    type Prec = ();

    fn name(&self) -> &'static str {
        "reachdef"
    }

    fn initial(&self) -> Vec<Definitions> {
        vec![Definitions::default()]
    }

    fn key(&self, _e: &Definitions) {}

    fn transfer(&self, e: &Definitions, step: &Step) -> Vec<Definitions> {
        let mut out = e.clone();
        let mut sets = self.sets.borrow_mut();
        for (v, _) in step.updates() {
            let own = sets.intern(&[step.id]);
            let defined = match e.0.get(*v) {
                Some(old) if self.flow.program().is_memory(*v) => sets.union(old, own),
                _ => own,
            };
            out.0.set(*v, Some(defined));
        }
        vec![out]
    }

    fn notes(&self, e: &Definitions) -> Vec<Note> {
        let program = self.flow.program();
        let source = e.0.iter().filter(|(v, _)| program.var(*v).kind == VarKind::Source);
        let note = |(v, set): (VarId, SetId)| {
            let mut lines: Vec<u32> =
                self.sets.borrow().get(set).iter().map(|s| self.flow.step(*s).span).filter(|s| s.is_known()).map(|s| s.line).collect();
            lines.sort_unstable();
            lines.dedup();
            let lines: Vec<String> = lines.iter().map(u32::to_string).collect();
            let text = format!("{} from line {}", program.var(v).name, lines.join(", "));
            (!lines.is_empty()).then_some(Note { analysis: "reachdef", var: Some(v), text })
        };
        source.filter_map(note).collect()
    }
}
