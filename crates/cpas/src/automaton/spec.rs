//! The specification language.
//!
//! ```text
//! # every input is validated before it is consumed
//! automaton validate_before_use
//! state init
//!     call scanf -> check
//! state check
//!     call validate -> init
//!     call consume -> error
//!
//! automaton precondition_of_foo
//! state init
//!     call foo split foo::x > 0 && foo::y < 0 -> init, error
//! ```
//!
//! A line is a keyword and its arguments; `#` starts a comment. The first state of an automaton is the initial one; `error` is a state of every
//! automaton and never left. A transition is a pattern (`call F`, `return F`, `assign X`, `label L`), perhaps `if CONDITION`, and `-> STATE`; `split CONDITION -> A, B`
//! is short for two, to A if the condition holds and to B otherwise. Conditions are C expressions over integer variables; `f::x` is the `x` of function `f`. They are about the state
//! after the step, so at a call the parameters have their values. Names of functions and labels need not occur in the program; variables must.

use super::condition;
use super::{Automaton, Pattern, StateId, Transition};
use plumb_cfa::{DataModel, Integers, Program};
use plumb_smt::{Encoding, Limits, Solver, Z3Solver};
use plumb_term::Term;
use std::collections::BTreeMap;
use std::fmt;

/// What is wrong with a specification.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SpecError {
    /// The line, from 1.
    pub line: usize,
    /// What, as a sentence.
    pub sentence: String,
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.sentence)
    }
}

impl std::error::Error for SpecError {}

const ERROR: &str = "error";

/// An automaton as it is read.
struct Draft {
    automaton: Automaton,
    line: usize,
    /// The states that have a line of their own.
    declared: Vec<StateId>,
    /// The line of each transition.
    lines: Vec<usize>,
}

impl Draft {
    fn state(&mut self, name: &str) -> StateId {
        let states = &mut self.automaton.states;
        let i = states.iter().position(|s| s == name).unwrap_or_else(|| {
            states.push(name.to_owned());
            states.len() - 1
        });
        StateId(i as u32)
    }
}

/// The names of the automata of a specification, in order, whatever else it says.
pub fn names(text: &str) -> Vec<String> {
    let words = text.lines().map(|l| l.split('#').next().unwrap_or("").split_whitespace());
    words.filter_map(|mut w| (w.next() == Some("automaton")).then(|| w.next().unwrap_or("?").to_owned())).collect()
}

/// Reads a specification for a program.
pub fn compile(text: &str, program: &Program) -> Result<Vec<Automaton>, SpecError> {
    let mut drafts: Vec<Draft> = Vec::new();
    let mut current: Option<StateId> = None;
    for (i, line) in text.lines().enumerate() {
        let line_number = i + 1;
        let fail = |sentence: String| SpecError { line: line_number, sentence };
        let line = line.split('#').next().unwrap_or("").trim();
        let (keyword, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match keyword {
            "" => {}
            "automaton" => {
                name(rest).map_err(fail)?;
                let automaton = Automaton { name: rest.to_owned(), states: Vec::new(), error: StateId(0), transitions: Vec::new() };
                drafts.push(Draft { automaton, line: line_number, declared: Vec::new(), lines: Vec::new() });
                current = None;
            }
            "state" => {
                let rest = rest.trim_end_matches(':').trim();
                name(rest).map_err(fail)?;
                let draft = drafts.last_mut().ok_or_else(|| fail("a state outside of an automaton".into()))?;
                if rest == ERROR {
                    return Err(fail("the state `error` is there already, and it is never left".into()));
                }
                let state = draft.state(rest);
                draft.declared.push(state);
                current = Some(state);
            }
            "call" | "return" | "assign" | "label" => {
                let (Some(draft), Some(from)) = (drafts.last_mut(), current) else {
                    return Err(fail("a transition outside of a state".into()));
                };
                transition(draft, from, keyword, rest, program).map_err(fail)?;
                draft.lines.resize(draft.automaton.transitions.len(), line_number);
            }
            other => return Err(fail(format!("`{other}` is none of automaton, state, call, return, assign and label"))),
        }
    }
    drafts.into_iter().map(|d| finish(d, program)).collect()
}

fn name(text: &str) -> Result<(), String> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    if !text.is_empty() && text.chars().all(is_word) {
        Ok(())
    } else {
        Err(format!("`{text}` is no name"))
    }
}

fn transition(draft: &mut Draft, from: StateId, keyword: &str, rest: &str, program: &Program) -> Result<(), String> {
    let (left, targets) = rest.rsplit_once("->").ok_or("a transition needs `-> STATE`")?;
    let (subject, guard) = left.trim().split_once(char::is_whitespace).unwrap_or((left.trim(), ""));
    let pattern = match keyword {
        "call" => Pattern::Call(subject.to_owned()),
        "return" => Pattern::Return(subject.to_owned()),
        "label" => Pattern::Label(subject.to_owned()),
        _ => Pattern::Assign(condition::variable(program, subject)?),
    };
    let targets: Vec<&str> = targets.split(',').map(str::trim).collect();
    targets.iter().try_for_each(|t| name(t))?;
    let guard = guard.trim();
    let cases = match (guard.split_once(char::is_whitespace), targets.as_slice()) {
        (None, [to]) if guard.is_empty() => vec![(Term::tt(), *to)],
        (Some(("if", c)), [to]) => vec![(condition::parse(c, program)?, *to)],
        (Some(("split", c)), [yes, no]) => {
            let c = condition::parse(c, program)?;
            vec![(c, *yes), (c.not(), *no)]
        }
        _ => return Err("expected `-> STATE`, `if CONDITION -> STATE` or `split CONDITION -> STATE, STATE`".into()),
    };
    for (condition, to) in cases {
        let to = draft.state(to);
        draft.automaton.transitions.push(Transition { from, pattern: pattern.clone(), condition, to });
    }
    Ok(())
}

/// Checks an automaton: its states are declared, and it keeps no execution out.
fn finish(mut draft: Draft, program: &Program) -> Result<Automaton, SpecError> {
    if draft.declared.is_empty() {
        return Err(SpecError { line: draft.line, sentence: format!("the automaton `{}` has no state", draft.automaton.name) });
    }
    draft.automaton.error = draft.state(ERROR);
    let a = &draft.automaton;
    for (t, line) in a.transitions.iter().zip(&draft.lines) {
        if t.to != a.error && !draft.declared.contains(&t.to) {
            let sentence = format!("there is no state `{}`", a.states[t.to.0 as usize]);
            return Err(SpecError { line: *line, sentence });
        }
    }
    let mut cases: BTreeMap<(StateId, &Pattern), (Term, usize)> = BTreeMap::new();
    for (t, line) in a.transitions.iter().zip(&draft.lines) {
        let known = cases.entry((t.from, &t.pattern)).or_insert((Term::ff(), *line));
        known.0 = known.0.or(t.condition);
    }
    for (covered, line) in cases.into_values() {
        if !is_valid(covered, program) {
            let sentence = "the conditions of this pattern do not cover all cases, so the automaton would keep executions out".into();
            return Err(SpecError { line, sentence });
        }
    }
    Ok(draft.automaton)
}

fn is_valid(t: Term, program: &Program) -> bool {
    if let Some(b) = t.as_bool() {
        return b;
    }
    let encoding = match (program.semantics.integers, program.semantics.model) {
        (Integers::Ideal, _) => Encoding::Int,
        (Integers::Machine, DataModel::Ilp32) => Encoding::BITS32,
        (Integers::Machine, DataModel::Lp64) => Encoding::BITS64,
    };
    let limits = Limits { query_time: Some(std::time::Duration::from_secs(5)), ..Limits::default() };
    Z3Solver::new(encoding, &limits).is_ok_and(|mut s| s.entails(t) == Some(true))
}
