//! EUREKA: programs with arrays, by variables and indices (seed 003: Armando, Benerecetti, Mantovani, *Abstraction Refinement of Linear Programs with
//! Arrays*, TACAS 2007).
//!
//! Procedure AR (Fig. 1): the program is abstracted to the variables V and the array elements R ([`plumb_transform::array_index`]), a model checker for
//! programs without arrays looks for an error in it, the trace it finds is encoded over the original program with arrays ([`encode`]) and decided
//! ([`decide`]); a contradiction tells which variables and elements were missing ([`refine`], Fig. 3). So only the elements are kept that the property needs.
//!
//! The model checker is a parameter ([`Checker`]). Proofs of the abstract program are proofs of the original one, with elements of memory for their variables.

mod decide;
mod encode;
mod memory;
mod own;
mod reach;
mod refine;
#[cfg(test)]
mod tests;

use crate::flat::{flat, Sliced};
use crate::{dagger, trace, ufo};
use decide::{Decider, Decision};
use encode::Need;
use own::Linear;
use plumb_cfa::callgraph::CallGraph;
use plumb_cfa::{EdgeId, FuncId, Program, VarKind};
use plumb_term::visit::postorder;
use plumb_term::{Budget, Kind, VarId};
use plumb_transform::array_index::{Abstraction, ArrayIndex, Element, Precision};
use plumb_transform::{BackTranslation, Identity};
use plumb_verdict::{Figure, Notes, Proof, Reason, ReasonKind, Verdict};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// What checks the abstract programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Checker {
    /// A variant of UFO.
    Ufo(ufo::Variant),
    /// A member of DAGGER's family.
    Dagger(dagger::Options),
    /// The checker for linear programs: [`reach`], and [`crate::tabulation`] where calls are recursive.
    Linear,
}

/// What is kept at first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Start {
    /// Nothing (Fig. 1).
    Nothing,
    /// All scalar variables (as in Section 2's example).
    Scalars,
    /// All scalar variables, and the elements whose indices are numerals in the program, if they are few.
    Numerals,
}

/// The most numerals that are taken from the program's text.
const MAX_NUMERALS: usize = 16;

/// Parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// The model checker.
    pub checker: Checker,
    /// The starting precision.
    pub start: Start,
}

/// What procedure AR found.
#[derive(Debug)]
pub struct Outcome {
    /// The verdict on the program.
    pub verdict: Verdict,
    /// The precisions of the abstractions, from the first to the last.
    pub precisions: Vec<Precision>,
    /// The spurious traces, one for each refinement: edges of the program.
    pub traces: Vec<Vec<(FuncId, EdgeId)>>,
    /// Time in the model checker.
    pub checking: Duration,
    /// Time in deciding traces and finding what they ask for.
    pub deciding: Duration,
}

/// Whether a candidate is a proof.
type Accept<'a> = &'a dyn Fn(&Proof, &Budget) -> bool;

/// Runs EUREKA; `accept` says whether a candidate is a proof.
pub fn run(
    options: Options,
    program: &Program,
    budget: &Budget,
    progress: &mut dyn FnMut(&str),
    accept: Accept<'_>,
    notes: &mut Notes,
) -> Verdict {
    progress("preparing the program");
    let (plain, back) = match flat(program, Sliced::No, budget) {
        Ok(done) => done,
        // Tabulation treats recursive calls; the abstraction is a pass like any other.
        Err(_) if options.checker == Checker::Linear && is_recursive(program) => (program.clone(), Box::new(Identity) as _),
        Err(reason) => return Verdict::Unknown(reason),
    };
    let start = starting(options.start, &plain);
    let mut last = Notes::default();
    let outcome = abstraction_refinement(options, &plain, start, budget, progress, &|p, b| accept(&back.proof(p.clone()), b), &mut last);
    describe(&plain, &outcome, notes);
    notes.figures.extend(last.figures.into_iter().filter(|f| f.0 != "refinements"));
    notes.remarks.append(&mut last.remarks);
    match outcome.verdict {
        Verdict::Safe(proof) => Verdict::Safe(back.proof(proof)),
        Verdict::Unsafe(trace) => Verdict::Unsafe(back.trace(trace)),
        unknown => unknown,
    }
}

fn is_recursive(program: &Program) -> bool {
    let calls = CallGraph::new(program);
    calls.bottom_up(program.entry).into_iter().any(|f| calls.is_recursive(f))
}

/// The first precision.
fn starting(start: Start, program: &Program) -> Precision {
    match start {
        Start::Nothing => Precision::default(),
        Start::Scalars => Precision::scalars(program),
        Start::Numerals => {
            let elements = numerals(program);
            let few = elements.len() <= MAX_NUMERALS;
            Precision { elements: if few { elements } else { BTreeSet::new() }, ..Precision::scalars(program) }
        }
    }
}

/// The elements that the program reads at constant addresses.
fn numerals(program: &Program) -> BTreeSet<Element> {
    let mut out = BTreeSet::new();
    for f in &program.functions {
        for t in postorder(f.graph.edges().flat_map(|(_, e)| e.op.operands())) {
            let (Kind::Load(ty, m, a) | Kind::Store(ty, m, a, _)) = t.kind() else { continue };
            let mut base = *m;
            while let Kind::Store(_, inner, ..) | Kind::Splice { mem: inner, .. } = base.kind() {
                base = *inner;
            }
            let region = base.as_var().and_then(|v| program.vars.get(v.id.0 as usize)).map(|v| v.kind);
            let addr = a.as_int().and_then(|a| u64::try_from(a).ok());
            if let (Some(VarKind::Region(region)), Some(addr)) = (region, addr) {
                out.insert(Element { region, addr, ty: *ty });
            }
        }
    }
    out
}

/// Procedure AR (Fig. 1), from a starting precision. `accept` is about proofs of the program. `notes` get what the model checker says of the last abstraction.
pub fn abstraction_refinement(
    options: Options,
    program: &Program,
    start: Precision,
    budget: &Budget,
    progress: &mut dyn FnMut(&str),
    accept: Accept<'_>,
    notes: &mut Notes,
) -> Outcome {
    let mut outcome = Outcome {
        verdict: Verdict::Unknown(Reason::new(ReasonKind::Time)),
        precisions: vec![start.clone()],
        traces: Vec::new(),
        checking: Duration::ZERO,
        deciding: Duration::ZERO,
    };
    let mut precision = start;
    let mut linear = Linear::default();
    outcome.verdict = loop {
        let kept = precision.elements.len();
        progress(&format!("EUREKA, {} refinements, {kept} array elements", outcome.traces.len()));
        let abstraction = ArrayIndex { precision: precision.clone() }.apply(program);
        *notes = Notes::default();
        let clock = Instant::now();
        let found = match options.checker {
            Checker::Ufo(variant) => traced(&abstraction, ufo::run(variant, &abstraction.program, budget, progress, notes)),
            Checker::Dagger(options) => traced(&abstraction, dagger::run_scalars(options, &abstraction.program, budget, progress, notes)),
            Checker::Linear => linear.check(&abstraction, budget, progress, accept, notes),
        };
        outcome.checking += clock.elapsed();
        let path = match found {
            Checked::Safe(proof) => break Verdict::Safe(abstraction.proof(proof)),
            Checked::Unknown(reason) => break Verdict::Unknown(reason),
            Checked::Path(path) => path,
        };
        if !reaches_error(program, &path) {
            break Verdict::Unknown(Reason::new(ReasonKind::Internal("a trace of the abstract program does not reach the error".into())));
        }
        let clock = Instant::now();
        let next = next(program, &path, &precision, budget);
        outcome.deciding += clock.elapsed();
        match next {
            Ok(Next::Refined(refined)) => {
                precision = refined;
                linear.refined();
            }
            // What is kept excludes the path already: the checker has to look more closely.
            Ok(Next::Excluded(variables)) if options.checker == Checker::Linear && linear.closer(&variables) => continue,
            Ok(Next::Excluded(_)) => {
                let why = "a spurious error path depends on array elements whose indices are not fixed";
                break Verdict::Unknown(Reason::new(ReasonKind::Incomplete(why.into())));
            }
            Err(verdict) => break verdict,
        }
        outcome.traces.push(path);
        outcome.precisions.push(precision.clone());
        if budget.is_over() {
            break Verdict::Unknown(Reason::new(ReasonKind::Time));
        }
    };
    outcome
}

/// What a model checker says of an abstract program.
enum Checked {
    /// No error is reachable.
    Safe(Proof),
    /// A path of the concrete program whose abstraction leads to an error.
    Path(Vec<(FuncId, EdgeId)>),
    /// Not decided.
    Unknown(Reason),
}

/// The answer of an engine that gives traces.
fn traced(a: &Abstraction, verdict: Verdict) -> Checked {
    match verdict {
        Verdict::Safe(proof) => Checked::Safe(proof),
        Verdict::Unsafe(trace) => Checked::Path(a.path(&trace)),
        Verdict::Unknown(reason) => Checked::Unknown(reason),
    }
}

fn reaches_error(program: &Program, path: &[(FuncId, EdgeId)]) -> bool {
    path.last().is_some_and(|(f, e)| {
        let f = program.function(*f);
        f.errors.contains(&f.graph.edge(*e).to)
    })
}

/// What a spurious trace asks for.
enum Next {
    /// A larger precision.
    Refined(Precision),
    /// No other: these variables alone exclude it.
    Excluded(BTreeSet<VarId>),
}

/// What follows from a trace: what it asks for, or the verdict.
fn next(program: &Program, path: &[(FuncId, EdgeId)], precision: &Precision, budget: &Budget) -> Result<Next, Verdict> {
    let Some(encoded) = encode::encode(program, path, budget) else {
        return Err(Verdict::Unknown(Reason::new(ReasonKind::Time)));
    };
    let decider = Decider::new(program, budget);
    let core = match decider.decide(&encoded.formulae, &|f| refine::cost(precision, f)) {
        Decision::Sat(model) => return Err(Verdict::Unsafe(trace::from_model(program, &encoded.asked, &|v| model.var(v)))),
        Decision::Unknown(why) => return Err(Verdict::Unknown(Reason::new(why))),
        Decision::Unsat(core) => core,
    };
    Ok(match refine::refine(program, &encoded, &core, precision, &decider) {
        Some(refined) => Next::Refined(refined),
        None => Next::Excluded(core.iter().flat_map(|i| encoded.formulae[*i].needs.iter()).filter_map(variable).collect()),
    })
}

fn variable(need: Need) -> Option<VarId> {
    match need {
        Need::Variable(v) => Some(v),
        _ => None,
    }
}

/// The figures of Table 4, and what is kept.
fn describe(program: &Program, outcome: &Outcome, notes: &mut Notes) {
    let text = |p: &Precision| {
        let names: Vec<String> = p.elements.iter().take(40).map(|e| e.name(program)).collect();
        format!(
            "{} variables, {} elements{}{}",
            p.variables.len(),
            p.elements.len(),
            if names.is_empty() { "" } else { ": " },
            names.join(" ")
        )
    };
    if let (Some(first), Some(last)) = (outcome.precisions.first(), outcome.precisions.last()) {
        notes.figures.push(("starting precision", Figure::Text(text(first))));
        notes.figures.push(("final precision", Figure::Text(text(last))));
        notes.figure("array elements kept", last.elements.len());
    }
    notes.figure("array elements", array_elements(program));
    notes.figure("refinements", outcome.traces.len());
    notes.figure("model checking seconds", outcome.checking);
    notes.figure("trace seconds", outcome.deciding);
}

/// How many scalars the objects in memory are made of.
fn array_elements(program: &Program) -> u64 {
    use plumb_cfa::Layout;
    fn count(l: &Layout, size: u64) -> u64 {
        match l {
            Layout::Scalar(_) => 1,
            Layout::Array { elem, stride, len } => len.saturating_mul(count(elem, *stride)),
            Layout::Struct(members) => members.iter().map(|m| count(&m.2, 0)).sum(),
            Layout::Opaque => size,
        }
    }
    program.objects.iter().map(|o| count(&o.layout, o.size)).sum()
}
