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
mod refine;
#[cfg(test)]
mod tests;

use crate::{dagger, trace, ufo};
use decide::{Decider, Decision};
use plumb_cfa::{EdgeId, FuncId, Integers, Program, VarKind};
use plumb_term::visit::postorder;
use plumb_term::{Budget, Kind};
use plumb_transform::array_index::{Abstraction, ArrayIndex, Element, Precision};
use plumb_transform::{BackTranslation, Identity, Pass, Unwrap};
use plumb_verdict::{Figure, Notes, Reason, ReasonKind, Verdict};
use std::collections::BTreeSet;

/// What checks the abstract programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Checker {
    /// A variant of UFO.
    Ufo(ufo::Variant),
    /// A member of DAGGER's family.
    Dagger(dagger::Options),
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
}

/// Runs EUREKA.
pub fn run(options: Options, program: &Program, budget: &Budget, progress: &mut dyn FnMut(&str), notes: &mut Notes) -> Verdict {
    progress("preparing the program");
    let (plain, back) = prepared(program, budget);
    let start = starting(options.start, &plain);
    let mut last = Notes::default();
    let outcome = abstraction_refinement(options, &plain, start, budget, progress, &mut last);
    describe(&plain, &outcome, notes);
    notes.figures.extend(last.figures.into_iter().filter(|f| f.0 != "refinements"));
    notes.remarks.append(&mut last.remarks);
    match outcome.verdict {
        Verdict::Safe(proof) => Verdict::Safe(back.proof(proof)),
        Verdict::Unsafe(trace) => Verdict::Unsafe(back.trace(trace)),
        unknown => unknown,
    }
}

/// The program without idle wraps: indices are linear then.
fn prepared(program: &Program, budget: &Budget) -> (Program, Box<dyn BackTranslation>) {
    if program.semantics.integers == Integers::Ideal {
        return (program.clone(), Box::new(Identity));
    }
    let share = budget.left().map_or_else(|| budget.clone(), |t| budget.at_most(t / 8));
    Unwrap { budget: share }.run(program.clone()).unwrap_or_else(|_| (program.clone(), Box::new(Identity)))
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

/// Procedure AR (Fig. 1), from a starting precision. `notes` get what the model checker says of the last abstraction.
pub fn abstraction_refinement(
    options: Options,
    program: &Program,
    start: Precision,
    budget: &Budget,
    progress: &mut dyn FnMut(&str),
    notes: &mut Notes,
) -> Outcome {
    let mut outcome =
        Outcome { verdict: Verdict::Unknown(Reason::new(ReasonKind::Time)), precisions: vec![start.clone()], traces: Vec::new() };
    let mut precision = start;
    outcome.verdict = loop {
        let kept = precision.elements.len();
        progress(&format!("EUREKA, {} refinements, {kept} array elements", outcome.traces.len()));
        let abstraction = ArrayIndex { precision: precision.clone() }.apply(program);
        *notes = Notes::default();
        let path = match model_check(options.checker, &abstraction, budget, progress, notes) {
            Verdict::Safe(proof) => break Verdict::Safe(abstraction.proof(proof)),
            Verdict::Unknown(reason) => break Verdict::Unknown(reason),
            Verdict::Unsafe(trace) => abstraction.path(&trace),
        };
        if !reaches_error(program, &path) {
            break Verdict::Unknown(Reason::new(ReasonKind::Internal("a trace of the abstract program does not reach the error".into())));
        }
        match next(program, &path, &precision, budget) {
            Ok(refined) => precision = refined,
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

/// `model-check(P̂)`.
fn model_check(checker: Checker, a: &Abstraction, budget: &Budget, progress: &mut dyn FnMut(&str), notes: &mut Notes) -> Verdict {
    match checker {
        Checker::Ufo(variant) => ufo::run(variant, &a.program, budget, progress, notes),
        Checker::Dagger(options) => dagger::run(options, &a.program, budget, progress, notes),
    }
}

fn reaches_error(program: &Program, path: &[(FuncId, EdgeId)]) -> bool {
    path.last().is_some_and(|(f, e)| {
        let f = program.function(*f);
        f.errors.contains(&f.graph.edge(*e).to)
    })
}

/// The precision that a spurious trace asks for; otherwise the verdict.
fn next(program: &Program, path: &[(FuncId, EdgeId)], precision: &Precision, budget: &Budget) -> Result<Precision, Verdict> {
    let encoded = encode::encode(program, path);
    let decider = Decider::new(program, budget);
    let core = match decider.decide(&encoded.formulae, &|f| refine::cost(program, precision, f)) {
        Decision::Sat(model) if !encoded.refuted => {
            return Err(Verdict::Unsafe(trace::from_model(program, &encoded.asked, &|v| model.var(v))))
        }
        Decision::Sat(_) => {
            return Err(Verdict::Unknown(Reason::new(ReasonKind::Internal("a condition that is false has a model".into()))));
        }
        Decision::Unknown(why) => return Err(Verdict::Unknown(Reason::new(why))),
        Decision::Unsat(core) => core,
    };
    refine::refine(program, &encoded, &core, precision, &decider).ok_or_else(|| {
        let why = "a spurious error path depends on array elements whose indices are not fixed";
        Verdict::Unknown(Reason::new(ReasonKind::Incomplete(why.into())))
    })
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
