//! Live variables, backward (Sections 2.2 and 6.1): which variables can still influence whether an execution goes on.
//!
//! A variable is live at a place if some path from there uses it in a condition, or in the new value of a variable that is live after, before giving it
//! a value. So the analysis goes against executions and starts everywhere with nothing live ([`crate::Location::from_everywhere`]). A region counts as one
//! variable; a write to it keeps what it does not overwrite, which its term says: it mentions the old memory.

use plumb_cfa::chunks::Chunks;
use plumb_cfa::{Program, VarKind};
use plumb_cpa::{Cpa, Domain, Kind, Note, Step};
use plumb_term::visit::vars;
use plumb_term::{Term, VarId};
use std::collections::BTreeSet;

/// The analysis; it wants a backward [`plumb_cpa::Flow`].
#[derive(Clone, Copy, Debug)]
pub struct LiveVariables<'a> {
    program: &'a Program,
}

/// A set of variables.
#[derive(Clone, Debug, Default)]
pub struct Live(Chunks<()>);

impl PartialEq for Live {
    fn eq(&self, o: &Live) -> bool {
        self.0.differences(&o.0).is_empty()
    }
}

impl Live {
    /// Whether a variable is in the set.
    pub fn contains(&self, v: VarId) -> bool {
        self.0.get(v).is_some()
    }

    /// The variables, ascending.
    pub fn iter(&self) -> impl Iterator<Item = VarId> + '_ {
        self.0.iter().map(|v| v.0)
    }
}

impl<'a> LiveVariables<'a> {
    /// Of a program.
    pub fn new(program: &'a Program) -> LiveVariables<'a> {
        LiveVariables { program }
    }
}

impl Domain for LiveVariables<'_> {
    type State = Live;

    fn leq(&self, a: &Live, b: &Live) -> bool {
        a.0.differences(&b.0).iter().all(|(_, own, _)| own.is_none())
    }

    fn join(&self, a: &Live, b: &Live) -> Live {
        let mut out = b.clone();
        for (v, own, _) in a.0.differences(&b.0) {
            out.0.set(v, own.or(b.0.get(v)));
        }
        out
    }
}

impl Cpa for LiveVariables<'_> {
    type Key = ();
    type Prec = ();

    fn name(&self) -> &'static str {
        "liveness"
    }

    fn initial(&self) -> Vec<Live> {
        vec![Live::default()]
    }

    fn key(&self, _e: &Live) {}

    fn transfer(&self, e: &Live, step: &Step) -> Vec<Live> {
        let mut out = e.clone();
        let inputs: BTreeSet<Term> = step.effect.inputs.iter().map(|i| Term::var(i.var)).collect();
        // A return from a recursion gives the caller its own variables back: they were not overwritten.
        let overwrites = |t: &Term| step.kind != Kind::Return || !inputs.contains(t);
        for (v, _) in step.updates().iter().filter(|u| overwrites(&u.1)) {
            out.0.set(*v, None);
        }
        let used = step.updates().iter().filter(|u| e.contains(u.0)).map(|u| u.1);
        for v in vars(used.chain([step.condition()])).into_iter().filter(|v| v.id < VarId::FIRST_AUX) {
            out.0.set(v.id, Some(()));
        }
        vec![out]
    }

    fn notes(&self, e: &Live) -> Vec<Note> {
        let source = e.iter().filter(|v| self.program.var(*v).kind == VarKind::Source);
        source.map(|v| Note { analysis: "liveness", var: Some(v), text: format!("{} is live", self.program.var(v).name) }).collect()
    }
}
