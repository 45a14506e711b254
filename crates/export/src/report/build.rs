//! Reports from verdicts.

use super::{summarise, Answer, Assigned, Contract, InputStep, Invariant, Missing, PathStep, Position, Report};
use crate::cexpr::{float_text, Printer};
use crate::execution::{input, Execution};
use crate::explain::exact_place;
use crate::scan;
use crate::scope::Scopes;
use crate::subject::Subject;
use plumb_cfa::interp::{Event, Write};
use plumb_cfa::{FuncId, InputSource, Op, Point, VarKind};
use plumb_term::eval::Value;
use plumb_term::{Scalar, Span, Term, VarId};
use plumb_verdict::{Facts, Method, Proof, Reason};
use std::collections::{BTreeMap, BTreeSet};

fn empty(subject: &Subject<'_>, verdict: Answer) -> Report {
    let missing = subject.program.externs.iter().map(|e| Missing { name: e.name.clone(), position: position(subject, e.span, None) });
    Report {
        verdict,
        property: subject.specification.to_owned(),
        config: subject.config.to_owned(),
        reason: String::new(),
        position: None,
        established: Vec::new(),
        invariants: Vec::new(),
        contracts: Vec::new(),
        path: Vec::new(),
        inputs: Vec::new(),
        missing_bodies: missing.collect(),
        remarks: Vec::new(),
        statistics: Vec::new(),
    }
}

/// A position for the user.
pub(crate) fn position(subject: &Subject<'_>, span: Span, func: Option<FuncId>) -> Position {
    let function = func.map(|f| subject.program.function(f).name.clone());
    Position { file: subject.program.sources.name(span.file).to_owned(), line: span.line, column: span.col, function }
}

/// More conjuncts of one place are not listed among what is established.
const MOST_FACTS: usize = 8;

/// No answer; what holds nevertheless.
pub fn unknown(subject: &Subject<'_>, reason: &Reason, facts: &Facts) -> Report {
    let known = invariants(subject, &facts.at).into_iter().filter(|i| !i.expressions.is_empty()).map(|i| {
        let more = if i.expressions.len() > MOST_FACTS { " && …" } else { "" };
        format!("{}: {}{more}", exact_place(&i.position), i.expressions[..i.expressions.len().min(MOST_FACTS)].join(" && "))
    });
    Report {
        reason: reason.kind.to_string(),
        position: reason.span.filter(|s| s.is_known()).map(|s| position(subject, s, None)),
        established: reason.established.iter().cloned().chain(known).collect(),
        ..empty(subject, Answer::Unknown)
    }
}

/// The property holds.
pub fn proved(subject: &Subject<'_>, proof: &Proof) -> Report {
    let reason = match &proof.method {
        Method::Inductive => "the invariants are inductive and exclude the error".to_owned(),
        Method::KInduction { k } => {
            let passes = if *k == 1 { "one pass".to_owned() } else { format!("{k} passes") };
            format!(
                "the invariants are inductive, and the error is not reached after {passes} from any state of them (k-induction, k = {k})"
            )
        }
        Method::Unwinding { bound: 0 } => "no execution enters a loop or a recursion again, and no path reaches the error".to_owned(),
        Method::Unwinding { bound } => {
            let times = if *bound == 1 { "once".to_owned() } else { format!("{bound} times") };
            format!("no loop or recursion is passed more than {times}, and no path of that length reaches the error")
        }
        Method::Execution => "the program takes no input, and its only execution ends without reaching the error".to_owned(),
        Method::Recorded { .. } => {
            "the invariants, which also speak of what the loops computed before, are inductive and exclude the error".to_owned()
        }
        Method::Contracts { .. } => {
            "every function keeps its contract, relying on those it calls; with the invariants they exclude the error".to_owned()
        }
    };
    Report {
        reason,
        invariants: invariants(subject, &proof.invariants),
        contracts: contracts(subject, proof),
        ..empty(subject, Answer::True)
    }
}

fn contracts(subject: &Subject<'_>, proof: &Proof) -> Vec<Contract> {
    let Method::Contracts { contracts } = &proof.method else { return Vec::new() };
    let scopes = Scopes::new(subject.program, subject.sources);
    let mut out = Vec::new();
    for (f, c) in contracts {
        let function = subject.program.function(*f);
        let printer = Printer::of_contract(&scopes, *f);
        let parameters: Vec<&str> = function.params.iter().map(|p| subject.program.var(*p).name.as_str()).collect();
        let said = |t: Term| t.conjuncts().into_iter().filter(|c| !c.is_true()).all(|c| printer.exactly(c).is_some());
        out.push(Contract {
            position: position(subject, function.span, Some(*f)),
            function: format!("{}({})", function.name, parameters.join(", ")),
            requires: printer.conjuncts(c.pre),
            ensures: printer.conjuncts(c.post),
            partial: !said(c.pre) || !said(c.post),
        });
    }
    out
}

fn invariants(subject: &Subject<'_>, formulas: &BTreeMap<Point, Term>) -> Vec<Invariant> {
    let scopes = Scopes::new(subject.program, subject.sources);
    let map = &subject.program.sources;
    // One location can be reached under several stacks of calls: whichever it was, one of the formulas holds.
    let mut at: BTreeMap<(Span, FuncId), Term> = BTreeMap::new();
    for (point, formula) in formulas {
        let info = subject.program.function(point.func).graph.loc(point.loc);
        if let Some(span) = info.loop_span.filter(|s| s.is_known()) {
            at.entry((span, point.func)).and_modify(|t| *t = t.or(*formula)).or_insert(*formula);
        }
    }
    let mut out = Vec::new();
    for ((span, func), formula) in at {
        let Some(source) = subject.sources.line(map, span) else { continue };
        let word = subject.sources.place(map, span).map(|p| scan::ident_at(subject.sources.text(p), p.offset));
        let printer = Printer::new(&scopes, func, span);
        out.push(Invariant {
            position: position(subject, span, Some(func)),
            source: source.into_owned(),
            at_loop: matches!(word, Some("for" | "while" | "do")),
            expressions: printer.conjuncts(formula),
            for_all: printer.for_all(formula),
            complete: printer.at_length().conjuncts(formula),
        });
    }
    out
}

/// The property is violated.
pub fn refuted(subject: &Subject<'_>, execution: &Execution) -> Report {
    let mut path = Path {
        subject,
        unset: &execution.unset,
        scopes: Scopes::new(subject.program, subject.sources),
        steps: Vec::new(),
        inputs: Vec::new(),
        heads: Vec::new(),
    };
    for event in &execution.events {
        path.event(event);
    }
    let graph = &subject.program.function(execution.func).graph;
    let last = execution.events.iter().rev().find_map(|e| e.edge.map(|edge| subject.program.function(e.func).graph.edge(edge).span));
    let here = graph.loc(execution.loc).span;
    let span = if here.is_known() { here } else { last.unwrap_or(here) };
    let steps = summarise::summarise(path.steps, &path.heads);
    Report {
        reason: "the execution was replayed from its inputs".to_owned(),
        position: Some(position(subject, span, Some(execution.func))),
        path: steps,
        inputs: path.inputs,
        ..empty(subject, Answer::False)
    }
}

struct Path<'a> {
    subject: &'a Subject<'a>,
    /// The uninitialised variables that were read.
    unset: &'a BTreeSet<VarId>,
    scopes: Scopes<'a>,
    steps: Vec<PathStep>,
    inputs: Vec<InputStep>,
    /// Which step is the first after which loop head: (step, depth, location).
    heads: Vec<summarise::Head>,
}

impl Path<'_> {
    fn event(&mut self, event: &Event) {
        let program = self.subject.program;
        let function = program.function(event.func);
        let Some(edge_id) = event.edge else {
            // A return: what it assigned belongs to the line of the call.
            let assigned = self.assigned(event);
            if let Some(step) = self.steps.iter_mut().rev().find(|s| s.depth == event.depth).filter(|_| !assigned.is_empty()) {
                extend(&mut step.assigned, assigned);
            }
            return;
        };
        let edge = function.graph.edge(edge_id);
        if let Some(head) = function.graph.loc(edge.from).loop_span {
            self.heads.push(summarise::Head { step: self.steps.len(), depth: event.depth, span: head });
        }
        // The function that initialises static objects is not the user's.
        if event.func == program.entry || !edge.span.is_known() || self.subject.sources.line(&program.sources, edge.span).is_none() {
            return;
        }
        let mut assigned = self.assigned(event);
        if let Op::Havoc { var, source } = &edge.op {
            self.input(event, *var, source, edge.span);
            match source {
                InputSource::Uninit(_) => assigned.clear(),
                InputSource::Nondet(name) | InputSource::Extern(name) if assigned.is_empty() => {
                    let value = input(program, event, *var).as_ref().map(show).unwrap_or_default();
                    assigned.push(Assigned { name: format!("{name}()"), value });
                }
                _ => {}
            }
        }
        let condition = match &edge.op {
            Op::Assume(t) if function.graph.out_edges(edge.from).len() > 1 => Printer::new(&self.scopes, event.func, edge.span).exactly(*t),
            _ => None,
        };
        let is_call = matches!(edge.op, Op::Call { .. });
        if assigned.is_empty() && condition.is_none() && !is_call && !matches!(edge.op, Op::Free { .. } | Op::Alloc { .. }) {
            return;
        }
        let place = position(self.subject, edge.span, Some(event.func));
        let same = |s: &&mut PathStep| s.depth == event.depth && s.position.line == place.line && s.position.file == place.file;
        let at_head = self.heads.last().is_some_and(|h| h.step == self.steps.len());
        match self.steps.last_mut().filter(same).filter(|_| !at_head) {
            Some(step) => {
                extend(&mut step.assigned, assigned);
                step.conditions.extend(condition);
            }
            None => {
                let source = self.subject.sources.line(&program.sources, edge.span).unwrap_or_default().into_owned();
                let conditions = condition.into_iter().collect();
                self.steps.push(PathStep { position: place, source, depth: event.depth, assigned, conditions, omitted: 0 });
            }
        }
    }

    fn input(&mut self, event: &Event, var: VarId, source: &InputSource, span: Span) {
        let value = input(self.subject.program, event, var);
        let (kind, name) = match source {
            InputSource::Nondet(name) => ("nondet", name.as_str()),
            InputSource::Uninit(_) if !self.unset.contains(&var) => return,
            InputSource::Uninit(name) => ("uninitialised", name.as_str()),
            InputSource::Extern(name) => ("extern", name.as_str()),
            InputSource::Written(name) => ("written", name.as_str()),
            InputSource::Asm => ("asm", ""),
            InputSource::Abstracted(name) => ("abstracted", name.as_str()),
        };
        if let Some(value) = value {
            let position = position(self.subject, span, Some(event.func));
            self.inputs.push(InputStep { position, kind: kind.into(), name: name.into(), value: show(&value) });
        }
    }

    /// The writes that a user can name.
    fn assigned(&self, event: &Event) -> Vec<Assigned> {
        let program = self.subject.program;
        let mut out = Vec::new();
        for write in &event.writes {
            match write {
                Write::Var(v, Some(value)) if program.var(*v).kind == VarKind::Source => {
                    out.push(Assigned { name: program.var(*v).name.clone(), value: self.show_typed(*v, value) });
                }
                Write::Memory { addr, ty, value: Some(value) } => {
                    if let Some(name) = self.memory_name(*addr, *ty) {
                        out.push(Assigned { name, value: show(value) });
                    }
                }
                _ => {}
            }
        }
        out
    }

    fn memory_name(&self, addr: u64, ty: Scalar) -> Option<String> {
        let program = self.subject.program;
        match program.object_at(addr) {
            Some(o) => o.layout.lvalue(&o.name, addr - o.addr, ty).or_else(|| Some(format!("{}@{}", o.name, addr - o.addr))),
            None => (addr >= program.heap_base).then(|| format!("*(0x{addr:x})")),
        }
    }

    fn show_typed(&self, v: VarId, value: &Value) -> String {
        let info = self.subject.program.var(v);
        match value {
            Value::Int(n) if info.c_type.contains('*') => match u64::try_from(n) {
                Ok(0) => "NULL".to_owned(),
                Ok(addr) => match self.subject.program.object_at(addr) {
                    Some(o) if o.addr == addr => format!("&{}", o.name),
                    Some(o) => format!("(char *)&{} + {}", o.name, addr - o.addr),
                    None => format!("0x{addr:x}"),
                },
                Err(_) => n.to_string(),
            },
            _ => show(value),
        }
    }
}

/// Later values replace earlier ones of the same name on one line, and a variable the input that it takes.
fn extend(into: &mut Vec<Assigned>, new: Vec<Assigned>) {
    for a in new {
        if into.last().is_some_and(|b| b.name.ends_with("()") && b.value == a.value && !a.name.ends_with("()")) {
            into.pop();
        }
        match into.iter_mut().find(|b| b.name == a.name) {
            Some(b) => b.value = a.value,
            None => into.push(a),
        }
    }
}

/// A value as C writes it.
pub(crate) fn show(value: &Value) -> String {
    match value {
        Value::Bool(b) => u8::from(*b).to_string(),
        Value::Int(v) => v.to_string(),
        Value::Float(f) => float_text(*f),
        Value::Mem(_) => "{…}".to_owned(),
    }
}
