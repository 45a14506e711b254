//! The reachability engine of Section VI: explore with a precision, refine it by the path to the error that no execution takes, and again.

use super::oracle::Prover;
use super::refine::{following, refined, Spurious};
use super::{Ends, NumPred};
use crate::callstack::Callstack;
use crate::dag::{between, walks, Dag};
use crate::location::Location;
use crate::path::{contradicts, feasibility, Feasibility};
use crate::verify::{conclude, not_excluded, path_to, search, settle, Accept, Goal};
use plumb_cfa::liveness::Liveness;
use plumb_cfa::{Integers, Program};
use plumb_cpa::{Cpa, Flow, Place, Product, StepId};
use plumb_num::{interruptible, Interrupted};
use plumb_numpred::program::Frame;
use plumb_numpred::{Full, NumPredDom, Structure, Timing, WithDomain};
use plumb_term::{Budget, Term, Var, VarId};
use plumb_transform::{Compact, Inline, Pass, Pipeline, Slice, Unwrap};
use plumb_verdict::{Notes, Proof, Reason, ReasonKind, Verdict};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// So many of the paths that were joined are looked at for a refinement.
const MAX_PATHS: usize = 150;

/// What may be followed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kinds {
    pub(super) numbers: bool,
    pub(super) predicates: bool,
}

/// A precision: V_N and V_P.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Precision {
    pub(super) numeric: BTreeSet<VarId>,
    pub(super) predicates: BTreeSet<Term>,
    /// Refinements by predicates so far.
    pub(super) refinements: u32,
}

fn kinds(structure: Structure) -> Kinds {
    Kinds { numbers: structure.numbers(), predicates: structure.predicates() }
}

/// Verifies a program; `accept` says whether a candidate is a proof.
pub fn run(
    structure: Structure,
    program: &Program,
    budget: &Budget,
    progress: &mut dyn FnMut(&str),
    accept: Accept<'_>,
    notes: &mut Notes,
) -> Verdict {
    progress("preparing the control flow");
    let mut passes = Pipeline::new().then(Inline::default());
    if program.semantics.integers == Integers::Machine {
        let share = budget.part(8);
        passes = passes.then(Unwrap { budget: share });
    }
    let (flat, back) = match passes.then(Slice).then(Compact::default()).run(program.clone()) {
        Ok(done) => done,
        Err(e) => return Verdict::Unknown(Reason::new(ReasonKind::Incomplete(e.to_string()))),
    };
    let accept = |p: &Proof, b: &Budget| accept(&back.proof(p.clone()), b);
    let mut search = || rounds(structure, &flat, budget, progress, &accept, notes);
    let found = interruptible(budget.watch(), &mut search).unwrap_or_else(|Interrupted| Verdict::Unknown(Reason::new(ReasonKind::Time)));
    match found {
        Verdict::Safe(proof) => Verdict::Safe(back.proof(proof)),
        Verdict::Unsafe(trace) => Verdict::Unsafe(back.trace(trace)),
        unknown => unknown,
    }
}

/// What one exploration ends with: a proof, or paths to the error.
type Round = Result<Result<Proof, Violation>, Reason>;

/// How the error was found.
struct Violation {
    steps: Vec<StepId>,
    dag: Option<Dag>,
    /// Paths to the same violation, this one among them: through what was joined, and around loops.
    walks: Vec<Vec<StepId>>,
    /// The invariants at cuts, by place.
    known: BTreeMap<Place, Term>,
}

impl Violation {
    /// The parts of a path from a cut on, the last cut first, with the invariant there, that no execution takes; then the whole path, if none takes it.
    fn spurious<'p>(&self, flow: &'p Flow<'_>, path: &'p [StepId], budget: &'p Budget) -> impl Iterator<Item = Spurious<'p>> + use<'p, '_> {
        let cuts = (1..path.len()).rev().filter_map(|i| {
            let given = *self.known.get(&flow.step(path[i - 1]).to)?;
            let path = &path[i..];
            Some(Spurious { given, path, contradiction: contradicts(flow, given, path, budget)? })
        });
        let whole = std::iter::once_with(|| match feasibility(flow, path, budget) {
            Feasibility::Infeasible(contradiction) => Some(Spurious { given: Term::tt(), path, contradiction }),
            Feasibility::Feasible(_) | Feasibility::Unknown(_) => None,
        });
        cuts.chain(whole.flatten())
    }
}

/// What the rounds of a refinement share.
pub(super) struct Shared<'a> {
    pub(super) flow: &'a Flow<'a>,
    pub(super) live: Liveness,
    pub(super) ends: Ends,
    pub(super) prover: RefCell<Prover>,
    pub(super) timing: Timing,
}

fn rounds(
    structure: Structure,
    program: &Program,
    budget: &Budget,
    progress: &mut dyn FnMut(&str),
    accept: Accept<'_>,
    notes: &mut Notes,
) -> Verdict {
    let flow = Flow::forward(program);
    let prover = match Prover::new(budget) {
        Ok(p) => RefCell::new(p),
        Err(why) => return Verdict::Unknown(Reason::new(ReasonKind::Internal(why))),
    };
    let shared = Shared { flow: &flow, live: Liveness::new(program), ends: Ends::new(&flow), prover, timing: Timing::default() };
    let mut prec = Precision::default();
    let mut count = 0usize;
    let verdict = loop {
        count += 1;
        let (numbers, predicates) = (prec.numeric.len(), prec.predicates.len());
        progress(&format!("{} analysis: {numbers} variables, {predicates} predicates", structure.name()));
        let violation = match round(structure, &shared, &prec, budget, accept) {
            Ok(Ok(proof)) => break Verdict::Safe(proof),
            Ok(Err(violation)) => violation,
            Err(reason) => break Verdict::Unknown(reason),
        };
        let steps = &violation.steps;
        match settle(&flow, steps, violation.dag.as_ref(), budget) {
            Feasibility::Feasible(trace) => break Verdict::Unsafe(trace),
            Feasibility::Infeasible(_) => {
                let by = |s: Spurious<'_>| refined(&flow, &s, &prec, kinds(structure), (&shared.ends, &shared.live), budget);
                // The path is the first of those that were joined on the way; others may be the ones that the abstraction does not exclude.
                let paths = || std::iter::once(steps).chain(&violation.walks).take_while(|_| !budget.is_over());
                let contradicted = || paths().find_map(|p| violation.spurious(&flow, p, budget).find_map(by));
                // All of them are excluded by what is followed, but for an invariant that admits a part of one: then what decides about that part is missing.
                let cut = |p: &[StepId], i: &usize| flow.is_cut(flow.step(p[*i - 1]).to, true);
                let admitted = || {
                    paths().find_map(|p| {
                        let from = (1..p.len()).rev().filter(|i| cut(p, i));
                        { from }.find_map(|i| following(&flow, &p[i..], &prec, kinds(structure)))
                    })
                };
                match contradicted().or_else(admitted) {
                    Some(more) => prec = more,
                    None if budget.is_over() => break Verdict::Unknown(Reason::new(ReasonKind::Time)),
                    None => break Verdict::Unknown(not_excluded(&flow, steps, structure.name())),
                }
            }
            Feasibility::Unknown(why) => break Verdict::Unknown(Reason::new(why)),
        }
    };
    notes.figure("structure", structure.name());
    notes.figure("explorations", count);
    notes.figure("numeric variables", prec.numeric.len());
    notes.figure("predicates", prec.predicates.len());
    for (name, time) in shared.timing.figures() {
        notes.figure(name, time);
    }
    if shared.timing.was_full() {
        notes.remarks.push(Full.to_string());
    }
    verdict
}

/// Explores with one precision.
fn round(structure: Structure, shared: &Shared<'_>, prec: &Precision, budget: &Budget, accept: Accept<'_>) -> Round {
    let program = shared.flow.program();
    let variables = prec.numeric.iter().map(|v| Var::new(*v, program.var(*v).ty));
    let frame = Frame::new(variables, prec.predicates.iter().copied());
    let explore = Explore { name: structure.name(), shared, frame: &frame, budget, accept };
    structure.make(frame.vocabulary().clone(), explore).map_err(|Full| Reason::new(ReasonKind::Internal(Full.to_string())))?
}

struct Explore<'a> {
    name: &'static str,
    shared: &'a Shared<'a>,
    frame: &'a Frame,
    budget: &'a Budget,
    accept: Accept<'a>,
}

impl WithDomain for Explore<'_> {
    type Out = Round;

    fn with<D: NumPredDom + 'static>(self, domain: D) -> Round {
        explore(domain, self.name, self.shared, self.frame, self.budget, self.accept)
    }
}

fn explore<D: NumPredDom>(domain: D, name: &'static str, shared: &Shared<'_>, frame: &Frame, budget: &Budget, accept: Accept<'_>) -> Round {
    let flow = shared.flow;
    let data = NumPred::new(name, domain, frame, shared);
    let cpa = Product::new(Product::new(Location::from_entry(flow), Callstack::new(flow)), data);
    let run = search(flow, &cpa, &(((), ()), ()), Goal::End, budget)?;
    let Some(target) = run.targets().first().copied() else { return conclude(&run, budget, accept).map(Ok) };
    let mut known: BTreeMap<Place, Term> = BTreeMap::new();
    for (_, e) in run.arg().nodes() {
        if let Some(at) = cpa.place(e).filter(|p| flow.is_cut(*p, true)) {
            let here = Term::all(cpa.formulas(e));
            known.entry(at).and_modify(|t| *t = t.or(here)).or_insert(here);
        }
    }
    let mut all = walks(&run, target, 1, MAX_PATHS);
    all.extend(walks(&run, target, 3, MAX_PATHS));
    Ok(Err(Violation { steps: path_to(&run, target).steps, dag: between(&run, target), walks: all, known }))
}
