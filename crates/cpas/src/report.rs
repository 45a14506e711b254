//! What analyses found, per source line: for `plumb analyze`.
//!
//! The chosen analyses run as one composite with the tracking of places, and of calls if asked for; so they strengthen each other. At each line the
//! states before it, under all calls, are joined, and each analysis says what it knows. A line that no state reaches is dead.

use crate::bounds::Bounds;
use crate::callstack::Callstack;
use crate::composite::{composite, precision, Entry, FORWARD};
use crate::liveness::LiveVariables;
use crate::location::Location;
use plumb_cfa::{FuncId, Loc, Op, Program};
use plumb_cpa::descend::explore;
use plumb_cpa::{Cpa, Exploration, Flow, Note, Order, Outcome, Place, Product};
use plumb_num::interruptible;
use plumb_term::visit::vars;
use plumb_term::{Budget, FileId, Span, VarId};
use std::collections::{BTreeMap, BTreeSet};

/// Descending rounds of analyses that widen.
const NARROWINGS: u32 = 2;

/// What is known before a line of a function is executed, or whenever its loop is entered anew.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The file.
    pub file: FileId,
    /// The line.
    pub line: u32,
    /// The function.
    pub func: FuncId,
    /// Whether this is the head of the loop on the line.
    pub is_loop: bool,
    /// Whether it is reached.
    pub reached: bool,
    /// What the analyses say.
    pub notes: Vec<Note>,
}

/// The result of an analysis.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// Lines, by file and line.
    pub lines: Vec<Line>,
    /// How many abstract states were reached.
    pub states: usize,
}

/// Why there is no report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// There is no analysis of this name.
    UnknownName(String),
    /// The budget was over.
    OutOfBudget,
}

/// All names that can be given, in the order of reports.
pub fn analyses() -> Vec<Entry> {
    let mut all = vec![
        Entry { name: "location", summary: "which lines are reached at all (always on)" },
        Entry { name: "callstack", summary: "tells apart the calls of a function: more precise, slower" },
    ];
    all.extend(FORWARD);
    all.push(Entry { name: "liveness", summary: "live variables, backward" });
    all.push(Entry { name: crate::bounds::NAME, summary: "how often loops turn, what calls of recursive functions cost" });
    all
}

/// Runs the named analyses.
pub fn analyse(program: &Program, names: &[&str], budget: &Budget) -> Result<Report, Failure> {
    let known = analyses();
    if let Some(bad) = names.iter().find(|n| known.iter().all(|e| e.name != **n)) {
        return Err(Failure::UnknownName((*bad).to_owned()));
    }
    let flow = Flow::forward(program);
    let mut report = Report::default();
    let places: Vec<Place>;
    {
        let control = Product::new(Location::from_entry(&flow), names.contains(&"callstack").then(|| Callstack::new(&flow)));
        let cpa = Product::new(control, composite(&flow, names));
        let prec = (((), ()), precision());
        let explored = interruptible(budget.watch(), || explore(&flow, &cpa, &prec, Order::WeakTopological, NARROWINGS, budget));
        let Ok((run, Outcome::Complete)) = explored else { return Err(Failure::OutOfBudget) };
        report.states += run.arg().len();
        let joined = joined(&run, &cpa.first, &cpa.second);
        (places, report.lines) = lines(&flow, &|at| joined.contains_key(&at)).into_iter().unzip();
        add_notes(program, &mut report.lines, &places, &joined, &cpa.second);
    }
    if names.contains(&"liveness") {
        let back = Flow::backward(program);
        let control = Product::new(Location::from_everywhere(&back), Callstack::from_anywhere(&back));
        let cpa = Product::new(control, LiveVariables::new(program));
        let prec = (((), ()), ());
        let mut run = Exploration::new(&back, &cpa, &prec, Order::WeakTopological);
        if run.run(budget) != Outcome::Complete {
            return Err(Failure::OutOfBudget);
        }
        report.states += run.arg().len();
        add_notes(program, &mut report.lines, &places, &joined(&run, &cpa.first, &cpa.second), &cpa.second);
    }
    if names.contains(&crate::bounds::NAME) {
        let bounds = Bounds::new(program, budget).ok_or(Failure::OutOfBudget)?;
        let mut first: BTreeSet<FuncId> = BTreeSet::new();
        for (line, at) in report.lines.iter_mut().zip(&places).filter(|(l, _)| l.reached) {
            if line.is_loop {
                line.notes.extend(bounds.of_loop(program, *at));
            } else if first.insert(line.func) {
                line.notes.extend(bounds.of_function(program, line.func));
            }
        }
    }
    Ok(report)
}

/// The join of the data states at each place.
fn joined<A: Cpa, B: Cpa>(run: &Exploration<'_, Product<A, B>>, control: &A, data: &B) -> BTreeMap<Place, B::State> {
    let mut out: BTreeMap<Place, B::State> = BTreeMap::new();
    for (_, (c, e)) in run.arg().nodes() {
        let Some(at) = control.place(c) else { continue };
        let all = out.get(&at).map_or_else(|| e.clone(), |old| data.join(e, old));
        out.insert(at, all);
    }
    out
}

/// Lets the analyses speak about the lines that are reached, of the variables that their functions mention.
fn add_notes<B: Cpa>(program: &Program, lines: &mut [Line], places: &[Place], states: &BTreeMap<Place, B::State>, data: &B) {
    let mut mentioned: BTreeMap<FuncId, BTreeSet<VarId>> = BTreeMap::new();
    for (line, at) in lines.iter_mut().zip(places).filter(|(l, _)| l.reached) {
        let Some(e) = states.get(at) else { continue };
        let own = mentioned.entry(line.func).or_insert_with(|| mentions(program, line.func));
        let visible = |n: &Note| n.var.is_none_or(|v| own.contains(&v));
        line.notes.extend(data.notes(e).into_iter().filter(visible));
        line.notes.sort_by(|a, b| a.analysis.cmp(b.analysis).then(a.var.cmp(&b.var)));
    }
}

/// The variables that a function mentions.
fn mentions(program: &Program, f: FuncId) -> BTreeSet<VarId> {
    let mut out: BTreeSet<VarId> = program.function(f).params.iter().copied().collect();
    for (_, e) in program.function(f).graph.edges() {
        out.extend(vars(e.op.operands()).into_iter().map(|v| v.id));
        match &e.op {
            Op::Assign(updates) => out.extend(updates.iter().map(|u| u.0)),
            Op::Havoc { var, .. } | Op::Alloc { dst: var, .. } => out.extend([*var]),
            Op::Call { dst, .. } | Op::Output { dst, .. } => out.extend(*dst),
            _ => {}
        }
    }
    out
}

/// For each line of each function the place before it, and the head of its loop; without notes yet.
fn lines(flow: &Flow<'_>, is_reached: &dyn Fn(Place) -> bool) -> Vec<(Place, Line)> {
    let program = flow.program();
    let mut out: BTreeMap<(FileId, u32, FuncId, bool), (Place, Line)> = BTreeMap::new();
    // What calls `main` is no function of the user's.
    for func in flow.functions().iter().filter(|f| **f != program.entry) {
        let f = program.function(*func);
        let wto = flow.orders().wto(*func);
        let rest = f.graph.locs().filter(|l| wto.position(*l).is_none());
        let order: Vec<Loc> = wto.order().iter().copied().chain(rest).collect();
        for loc in order {
            let at = Place { func: *func, loc };
            let reached = is_reached(at);
            let starts = f.graph.out_edges(loc).iter().map(|e| f.graph.edge(*e).span).find(|s| s.is_known());
            let head = f.graph.loc(loc).loop_span.filter(|s| s.is_known() && flow.is_head(at));
            let line = |s: Span, is_loop| (at, Line { file: s.file, line: s.line, func: *func, is_loop, reached, notes: Vec::new() });
            if let Some(span) = head {
                out.entry((span.file, span.line, *func, true)).or_insert_with(|| line(span, true));
            }
            if let Some(span) = starts {
                // A line is reached if any part of it is; what is known is known before its first part that is reached.
                let known = out.entry((span.file, span.line, *func, false)).or_insert_with(|| line(span, false));
                if !known.1.reached && reached {
                    *known = line(span, false);
                }
            }
        }
    }
    out.into_values().collect()
}
