//! Observer automata 𝕆 (Sections 4.7 and 5.4): properties beside the program.
//!
//! An [`Automaton`] watches the steps of an exploration: calls, returns, assignments and labels move it from state to state, under conditions on the
//! program's variables. The analysis tracks its state; the condition of a transition is an assumption that the other components of the composite must
//! restrict themselves to, by their strengthening operators. A path is rejected when it reaches the error state.
//!
//! **Soundness.** An observer must not keep executions out: the conditions under which a state leaves by one pattern must cover all cases (the note on
//! soundness of Section 5.4). [`spec::compile`] checks that with a solver and rejects what does not.

mod condition;
mod observe;
pub mod spec;
mod weave;

pub use observe::{observe, Observation};
pub use weave::weave;

use plumb_cfa::{InputSource, Op, Program};
use plumb_cpa::{Cpa, Domain, Flow, Kind, Note, Site, Step};
use plumb_term::{Term, VarId};

/// Index of a state of an automaton.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StateId(pub u32);

/// What a transition watches for.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Pattern {
    /// A call of a function, with or without a body.
    Call(String),
    /// A return from a function.
    Return(String),
    /// An assignment to a variable.
    Assign(VarId),
    /// The first step after the label.
    Label(String),
}

/// A transition.
#[derive(Clone, PartialEq, Debug)]
pub struct Transition {
    /// From.
    pub from: StateId,
    /// On what.
    pub pattern: Pattern,
    /// If this holds after the step.
    pub condition: Term,
    /// To.
    pub to: StateId,
}

/// An observer automaton. It stays where it is on steps that no transition watches for.
#[derive(Clone, PartialEq, Debug)]
pub struct Automaton {
    /// Its name.
    pub name: String,
    /// The names of its states; the first is the initial one.
    pub states: Vec<String>,
    /// The state in which a path is rejected.
    pub error: StateId,
    /// The transitions.
    pub transitions: Vec<Transition>,
}

/// The analysis.
#[derive(Clone, Debug)]
pub struct Observer<'a> {
    program: &'a Program,
    automaton: &'a Automaton,
}

/// A control state, and the condition under which it was entered.
#[derive(Clone, PartialEq, Debug)]
pub struct Observed {
    /// The control state; none is ⊤.
    pub state: Option<StateId>,
    /// The condition ψ of the last transition.
    pub condition: Term,
}

impl<'a> Observer<'a> {
    /// Watches the steps of a program.
    pub fn new(flow: &'a Flow<'a>, automaton: &'a Automaton) -> Observer<'a> {
        Observer { program: flow.program(), automaton }
    }

    fn matches(&self, pattern: &Pattern, step: &Step) -> bool {
        let f = self.program.function(step.site.func);
        let op = &f.graph.edge(step.site.edge).op;
        let callee = |name: &str| matches!(op, Op::Call { func, .. } if self.program.function(*func).name == name);
        match pattern {
            Pattern::Call(name) => match op {
                Op::Call { .. } => step.kind == Kind::Call && callee(name),
                Op::Havoc { source: InputSource::Extern(n) | InputSource::Nondet(n), .. } => n == name,
                Op::Output { name: n, .. } => n.split(':').next() == Some(name),
                _ => false,
            },
            Pattern::Return(name) => step.kind == Kind::Return && callee(name),
            Pattern::Assign(v) => step.updates().iter().any(|u| u.0 == *v),
            Pattern::Label(name) => {
                let from = self.program.function(step.from.func).graph.loc(step.from.loc);
                step.kind != Kind::Return && from.label.as_ref() == Some(name)
            }
        }
    }
}

impl Domain for Observer<'_> {
    type State = Observed;

    fn leq(&self, a: &Observed, b: &Observed) -> bool {
        (b.state.is_none() || a.state == b.state) && (b.condition.is_true() || a.condition == b.condition)
    }

    fn join(&self, a: &Observed, b: &Observed) -> Observed {
        Observed { state: a.state.filter(|_| a.state == b.state), condition: a.condition.or(b.condition) }
    }
}

impl Cpa for Observer<'_> {
    type Key = Option<StateId>;
    type Prec = ();

    fn name(&self) -> &'static str {
        "automaton"
    }

    fn initial(&self) -> Vec<Observed> {
        vec![Observed { state: Some(StateId(0)), condition: Term::tt() }]
    }

    fn key(&self, e: &Observed) -> Option<StateId> {
        e.state
    }

    fn transfer(&self, e: &Observed, step: &Step) -> Vec<Observed> {
        let stay = || vec![Observed { state: e.state, condition: Term::tt() }];
        if e.state == Some(self.automaton.error) {
            return stay();
        }
        let from_here = self.automaton.transitions.iter().filter(|t| e.state.is_none_or(|s| s == t.from));
        let taken = from_here.filter(|t| self.matches(&t.pattern, step));
        let mut next: Vec<Observed> = taken.map(|t| Observed { state: Some(t.to), condition: t.condition }).collect();
        if next.is_empty() || e.state.is_none() {
            next.extend(stay());
        }
        next
    }

    fn merge(&self, new: &Observed, old: &Observed, _at: Site) -> Observed {
        if new.state == old.state {
            self.join(new, old)
        } else {
            old.clone()
        }
    }

    fn assumptions(&self, e: &Observed) -> Vec<Term> {
        if e.condition.is_true() {
            Vec::new()
        } else {
            vec![e.condition]
        }
    }

    fn is_target(&self, e: &Observed) -> bool {
        e.state.is_none_or(|s| s == self.automaton.error)
    }

    fn notes(&self, e: &Observed) -> Vec<Note> {
        let state = e.state.and_then(|s| self.automaton.states.get(s.0 as usize)).map_or("any state", String::as_str);
        vec![Note { analysis: "automaton", var: None, text: format!("{} in {state}", self.automaton.name) }]
    }
}
