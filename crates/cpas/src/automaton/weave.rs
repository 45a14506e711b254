//! A program with an observer woven in: the automaton's state is a variable, its error state an error location.
//!
//! So every engine can check the property, and every verdict is certified like any other, for the program that observes itself. The automaton moves
//! after the steps it watches for, as [`super::Observer`] does: after an edge that assigns, at the entry of a function that is called (its
//! parameters have their values), in the caller when a function has returned.
//!
//! Executions are deterministic but for their inputs, so the automaton must be, too: one whose conditions overlap, or which leaves a state by two patterns at
//! one step, is refused.

use super::{Automaton, Pattern, StateId, Transition};
use plumb_cfa::validate::validate;
use plumb_cfa::{FuncId, Graph, InputSource, Loc, LocInfo, Op, Program, VarInfo, VarKind};
use plumb_smt::{CheckResult, Encoding, Limits, Solver, Z3Solver};
use plumb_term::{IntTy, Scalar, Span, Term, VarId, VarTy};
use rustc_hash::FxHashMap;
use std::time::Duration;

/// For the question whether two conditions overlap.
const PATIENCE: Duration = Duration::from_secs(5);

/// The program that observes itself; its only errors are the automaton's. The sentence says why there is none. `mentions` says whether a word
/// occurs in the program's text: what occurs there but leaves no trace in the automaton of the program (a call of a function without body and result, of
/// `malloc`) cannot be observed, and a proof would say nothing about it.
pub fn weave(program: &Program, automaton: &Automaton, mentions: &dyn Fn(&str) -> bool) -> Result<Program, String> {
    for t in &automaton.transitions {
        let (what, name) = match &t.pattern {
            Pattern::Call(name) => ("calls of", name),
            Pattern::Return(name) => ("returns from", name),
            Pattern::Label(name) => ("the label", name),
            Pattern::Assign(_) => continue,
        };
        if !leaves_trace(program, &t.pattern) && mentions(name) {
            let hint = if matches!(t.pattern, Pattern::Label(_)) { "" } else { "; give the function a body" };
            return Err(format!("{what} `{name}`, which the automaton `{}` watches, cannot be seen in the program{hint}", automaton.name));
        }
    }
    let mut out = program.clone();
    let ty = VarTy::Scalar(Scalar::Int(IntTy::I32));
    let state = VarId(out.vars.len() as u32);
    let (name, c_type) = (automaton.name.clone(), "state of an automaton".to_owned());
    out.vars.push(VarInfo { name, c_type, ty, func: None, kind: VarKind::Source, span: Span::default() });
    let mut weaver = Weaver { program, automaton, var: state, state: Term::program_var(state, ty), disjoint: FxHashMap::default() };
    for (i, f) in out.functions.iter_mut().enumerate() {
        weaver.function(FuncId(i as u32), f)?;
    }
    validate(&out).map_err(|b| {
        let place = program.sources.show(b.span);
        format!("a condition of the automaton `{}` cannot be evaluated at {place}: {}", automaton.name, b.message)
    })?;
    Ok(out)
}

/// Whether a step of the program matches a pattern.
fn leaves_trace(program: &Program, pattern: &Pattern) -> bool {
    let mut functions = program.functions.iter();
    match pattern {
        Pattern::Assign(_) => true,
        Pattern::Return(name) => functions.any(|f| f.name == *name),
        Pattern::Label(name) => functions.any(|f| f.graph.locs().any(|l| f.graph.loc(l).label.as_ref() == Some(name))),
        Pattern::Call(name) => functions.any(|f| f.name == *name || f.graph.edges().any(|(_, e)| is_call_without_body(&e.op, name))),
    }
}

/// Whether an operation is the call of a function that has no body.
fn is_call_without_body(op: &Op, name: &str) -> bool {
    match op {
        Op::Havoc { source: InputSource::Extern(n) | InputSource::Nondet(n), .. } => n == name,
        Op::Output { name: n, .. } => n.split(':').next() == Some(name),
        _ => false,
    }
}

struct Weaver<'a> {
    program: &'a Program,
    automaton: &'a Automaton,
    var: VarId,
    state: Term,
    /// Pairs of conditions that have been looked at.
    disjoint: FxHashMap<(Term, Term), bool>,
}

/// A function under construction.
struct Woven {
    graph: Graph,
    errors: Vec<Loc>,
}

impl Weaver<'_> {
    fn function(&mut self, id: FuncId, f: &mut plumb_cfa::Function) -> Result<(), String> {
        let old = std::mem::take(&mut f.graph);
        let mut new = Woven { graph: Graph::new(), errors: Vec::new() };
        for l in old.locs() {
            new.graph.add_loc(old.loc(l).clone());
        }
        // Before anything of the function happens: the initial state, and what watches for its call.
        let mut entry = f.entry;
        let called = |p: &Pattern| match p {
            Pattern::Call(name) => *name == f.name,
            Pattern::Assign(v) => f.params.contains(v),
            _ => false,
        };
        let watching = self.watching(&called);
        if !watching.is_empty() {
            let before = new.graph.add_loc(LocInfo { span: f.span, ..LocInfo::default() });
            self.observe(&mut new, before, entry, &watching, f.span)?;
            entry = before;
        }
        if id == self.program.entry {
            let before = new.graph.add_loc(LocInfo::default());
            new.graph.add_edge(before, entry, Op::Assign(vec![(self.var, Term::int(0))]), Span::default());
            entry = before;
        }
        f.entry = entry;
        for (_, e) in old.edges() {
            let label = old.loc(e.from).label.as_deref();
            let is_call = matches!(e.op, Op::Call { .. });
            let watching = self.watching(&|p| self.watches(p, &e.op, label.filter(|_| !is_call)));
            // A labelled call is seen when it begins.
            let before = self.watching(&|p| matches!(p, Pattern::Label(l) if is_call && Some(l.as_str()) == label));
            if before.iter().any(|t| !t.condition.is_true()) {
                let place = self.program.sources.show(e.span);
                return Err(format!("the automaton `{}` watches a label before a call under a condition, at {place}", self.automaton.name));
            }
            let mut from = e.from;
            if !before.is_empty() {
                let between = new.graph.add_loc(LocInfo { span: e.span, ..LocInfo::default() });
                self.observe(&mut new, from, between, &before, e.span)?;
                from = between;
            }
            if watching.is_empty() {
                new.graph.add_edge(from, e.to, e.op.clone(), e.span);
            } else {
                let after = new.graph.add_loc(LocInfo { span: e.span, ..LocInfo::default() });
                new.graph.add_edge(from, after, e.op.clone(), e.span);
                self.observe(&mut new, after, e.to, &watching, e.span)?;
            }
        }
        (f.graph, f.errors) = (new.graph, new.errors);
        Ok(())
    }

    fn watching(&self, matches: &dyn Fn(&Pattern) -> bool) -> Vec<Transition> {
        self.automaton.transitions.iter().filter(|t| matches(&t.pattern)).cloned().collect()
    }

    /// Whether a pattern is about an edge's end; `label` is the one the edge starts at.
    fn watches(&self, pattern: &Pattern, op: &Op, label: Option<&str>) -> bool {
        match (pattern, op) {
            (Pattern::Return(name), Op::Call { func, .. }) => self.program.function(*func).name == *name,
            (Pattern::Call(name), op) => is_call_without_body(op, name),
            (Pattern::Assign(v), Op::Assign(updates)) => updates.iter().any(|u| u.0 == *v),
            (Pattern::Assign(v), Op::Havoc { var: dst, .. } | Op::Alloc { dst, .. }) => dst == v,
            (Pattern::Assign(v), Op::Call { dst, .. } | Op::Output { dst, .. }) => *dst == Some(*v),
            (Pattern::Label(name), _) => label == Some(name.as_str()),
            _ => false,
        }
    }

    /// The automaton's step from one location to another.
    fn observe(&mut self, f: &mut Woven, from: Loc, to: Loc, watching: &[Transition], span: Span) -> Result<(), String> {
        self.refuse_overlaps(watching, span)?;
        let mut taken = Vec::new();
        for t in watching.iter().filter(|t| t.to != t.from) {
            let condition = self.state.equals(number(t.from)).and(t.condition);
            if condition.is_false() {
                continue;
            }
            taken.push(condition);
            let next = f.graph.add_loc(LocInfo { span, ..LocInfo::default() });
            f.graph.add_edge(from, next, Op::Assume(condition), span);
            if t.to == self.automaton.error {
                f.errors.push(next);
            } else {
                f.graph.add_edge(next, to, Op::Assign(vec![(self.var, number(t.to))]), span);
            }
        }
        f.graph.add_edge(from, to, Op::Assume(Term::any(taken).not()), span);
        Ok(())
    }

    fn refuse_overlaps(&mut self, watching: &[Transition], span: Span) -> Result<(), String> {
        for (i, a) in watching.iter().enumerate() {
            for b in watching[..i].iter().filter(|b| b.from == a.from && b.to != a.to) {
                let known = self.disjoint.get(&(a.condition, b.condition)).copied();
                let disjoint =
                    known.unwrap_or_else(|| a.condition.and(b.condition).is_false() || is_unsatisfiable(a.condition.and(b.condition)));
                self.disjoint.insert((a.condition, b.condition), disjoint);
                if !disjoint {
                    let (name, state) = (&self.automaton.name, self.automaton.states.get(a.from.0 as usize));
                    let place = self.program.sources.show(span);
                    let state = state.map_or("?", String::as_str);
                    return Err(format!(
                        "the automaton `{name}` can leave its state `{state}` in two ways at {place}; a verdict needs one that cannot"
                    ));
                }
            }
        }
        Ok(())
    }
}

fn number(s: StateId) -> Term {
    Term::int(s.0)
}

fn is_unsatisfiable(t: Term) -> bool {
    let limits = Limits { query_time: Some(PATIENCE), ..Limits::default() };
    let Ok(mut solver) = Z3Solver::new(Encoding::Int, &limits) else { return false };
    solver.assert(t);
    matches!(solver.check(), CheckResult::Unsat)
}
