//! Verification with an analysis: explore, and turn "the error is not reached" into a proof, or a path to the error into an execution.
//!
//! Any analysis will do: it is composed with the tracking of places and calls. What it claims is evidence for the checker. A path to the error is
//! executed symbolically and exactly; if no execution takes it, a [`Refiner`] may refine the precision (CEGAR, Section 6.2), else the
//! answer is not known.

use crate::callstack::Callstack;
use crate::dag::{between, taken, Dag};
use crate::location::Location;
use crate::path::{feasibility, Feasibility};
use plumb_cfa::liveness::Liveness;
use plumb_cfa::{Point, Program};
use plumb_cpa::certificate;
use plumb_cpa::descend::explore;
use plumb_cpa::{Cpa, Exploration, Flow, NodeId, Order, Outcome, Product, StepId};
use plumb_num::{interruptible, Interrupted};
use plumb_term::{Budget, Term};
use plumb_verdict::{Proof, Reason, ReasonKind, Verdict};
use std::collections::BTreeMap;

/// Descending rounds of analyses that widen.
const NARROWINGS: u32 = 2;
/// So many violations are looked at together.
const MOST_PATHS: usize = 32;

/// Whether a candidate is a proof.
pub type Accept<'a> = &'a dyn Fn(&Proof, &Budget) -> bool;

/// A path to the error.
#[derive(Debug)]
pub struct Path<C: Cpa> {
    /// Its steps.
    pub steps: Vec<StepId>,
    /// The analysis's state after each.
    pub states: Vec<C::State>,
}

/// Refines the precision of an analysis so that a path which no execution takes is not found again.
pub trait Refiner<C: Cpa> {
    /// The refined precision, given the states after each step and the positions of steps whose conditions contradict each other; `None` if this path cannot be excluded by more
    /// precision. A result must differ from the old precision, so that the same path is never refined twice without progress.
    fn refine(&self, flow: &Flow<'_>, path: &Path<C>, contradiction: &[usize], prec: &C::Prec) -> Option<C::Prec>;

    /// The refined precision if the refiner itself finds that no execution goes through the states of any of the paths, along these paths or other ones; then nobody else has to
    /// be asked. A result must differ from the old precision.
    fn excluded(&self, _flow: &Flow<'_>, _paths: &[Path<C>], _prec: &C::Prec) -> Option<C::Prec> {
        None
    }

    /// Whether several paths may be refined together: then an exploration goes on for a while after the first violation.
    fn together(&self) -> bool {
        false
    }

    /// Whether there is anything to refine: then an exploration stops at the first state that violates the property.
    fn refines(&self) -> bool {
        true
    }
}

/// No refinement: the precision is fixed.
#[derive(Clone, Copy, Debug)]
pub struct Fixed;

impl<C: Cpa> Refiner<C> for Fixed {
    fn refine(&self, _: &Flow<'_>, _: &Path<C>, _: &[usize], _: &C::Prec) -> Option<C::Prec> {
        None
    }

    fn refines(&self) -> bool {
        false
    }
}

/// Refines the first component of a composite; the second one's precision is fixed.
#[derive(Clone, Copy, Debug)]
pub struct OfFirst<R>(pub R);

impl<A: Cpa, B: Cpa, R: Refiner<A>> Refiner<Product<A, B>> for OfFirst<R>
where
    B::Prec: Clone,
{
    fn refine(&self, flow: &Flow<'_>, path: &Path<Product<A, B>>, why: &[usize], prec: &(A::Prec, B::Prec)) -> Option<(A::Prec, B::Prec)> {
        Some((self.0.refine(flow, &first(path), why, &prec.0)?, prec.1.clone()))
    }

    fn excluded(&self, flow: &Flow<'_>, paths: &[Path<Product<A, B>>], prec: &(A::Prec, B::Prec)) -> Option<(A::Prec, B::Prec)> {
        let own: Vec<Path<A>> = paths.iter().map(first).collect();
        Some((self.0.excluded(flow, &own, &prec.0)?, prec.1.clone()))
    }

    fn together(&self) -> bool {
        self.0.together()
    }

    fn refines(&self) -> bool {
        self.0.refines()
    }
}

/// The first component's part of a path.
fn first<A: Cpa, B: Cpa>(path: &Path<Product<A, B>>) -> Path<A> {
    Path { steps: path.steps.clone(), states: path.states.iter().map(|e| e.0.clone()).collect() }
}

/// What one exploration found.
enum Found<C: Cpa> {
    Proof(Proof),
    /// Paths to the error, and for each all that go from cut to cut as it does.
    Paths(Vec<Path<C>>, Vec<Option<Dag>>),
}

/// The control part of a composite that verifies.
pub(crate) type Located<'a, C> = Product<Product<Location<'a>, Callstack<'a>>, C>;

/// Verifies a program with an analysis, from a first precision on.
pub fn verify<C: Cpa>(
    program: &Program,
    data: C,
    prec: C::Prec,
    refiner: &dyn Refiner<C>,
    budget: &Budget,
    progress: &mut dyn FnMut(&str),
    accept: Accept<'_>,
) -> Verdict {
    let rounds = || refine(program, data, prec, refiner, budget, progress, accept);
    interruptible(budget.watch(), rounds).unwrap_or_else(|Interrupted| Verdict::Unknown(Reason::new(ReasonKind::Time)))
}

/// Analyses and refines until there is an answer.
fn refine<C: Cpa>(
    program: &Program,
    data: C,
    prec: C::Prec,
    refiner: &dyn Refiner<C>,
    budget: &Budget,
    progress: &mut dyn FnMut(&str),
    accept: Accept<'_>,
) -> Verdict {
    let flow = Flow::forward(program);
    let name = data.name();
    let cpa = Product::new(Product::new(Location::from_entry(&flow), Callstack::new(&flow)), data);
    let mut prec = (((), ()), prec);
    for round in 0.. {
        progress(&if round == 0 { format!("{name} analysis") } else { format!("{name} analysis, refinement {round}") });
        match once(&flow, &cpa, &prec, Goal::of(refiner), budget, accept) {
            Ok(Found::Proof(proof)) => return Verdict::Safe(proof),
            Ok(Found::Paths(paths, dags)) => match excluded(&flow, &paths, &dags, refiner, &prec.1, name, budget) {
                Ok(refined) => prec.1 = refined,
                Err(verdict) => return verdict,
            },
            Err(reason) => return Verdict::Unknown(reason),
        }
    }
    Verdict::Unknown(Reason::new(ReasonKind::Time))
}

/// A precision that excludes paths to the error, or the answer that ends the search.
fn excluded<C: Cpa>(
    flow: &Flow<'_>,
    paths: &[Path<C>],
    dags: &[Option<Dag>],
    refiner: &dyn Refiner<C>,
    prec: &C::Prec,
    name: &str,
    budget: &Budget,
) -> Result<C::Prec, Verdict> {
    if let Some(refined) = refiner.excluded(flow, paths, prec) {
        return Ok(refined);
    }
    let mut better = None;
    let mut open = Verdict::Unknown(Reason::new(ReasonKind::Time));
    for (path, dag) in paths.iter().zip(dags) {
        if paths.len() > 1 {
            if let Some(refined) = refiner.excluded(flow, std::slice::from_ref(path), prec) {
                better.get_or_insert(refined);
                continue;
            }
        }
        match settle(flow, &path.steps, dag.as_ref(), budget) {
            Feasibility::Feasible(trace) => return Err(Verdict::Unsafe(trace)),
            Feasibility::Infeasible(contradiction) => match refiner.refine(flow, path, &contradiction, prec) {
                Some(refined) => {
                    better.get_or_insert(refined);
                }
                None if budget.is_over() => return Err(Verdict::Unknown(Reason::new(ReasonKind::Time))),
                None => open = Verdict::Unknown(not_excluded(flow, &path.steps, name)),
            },
            Feasibility::Unknown(why) => open = Verdict::Unknown(Reason::new(why)),
        }
    }
    better.ok_or(open)
}

/// Whether an execution takes a path, or one that goes from cut to cut as it does.
pub(crate) fn settle(flow: &Flow<'_>, path: &[StepId], dag: Option<&Dag>, budget: &Budget) -> Feasibility {
    let found = feasibility(flow, path, budget);
    if let Feasibility::Infeasible(_) = &found {
        // Where that is hard, refinement must have time left.
        let part = budget.part(8);
        let other = dag.filter(|d| d.branches).and_then(|d| taken(flow, d, &part));
        if let Some(feasible @ Feasibility::Feasible(_)) = other.map(|path| feasibility(flow, &path, &part)) {
            return feasible;
        }
    }
    found
}

/// What an analysis knows at the cut points, whether or not it excludes the error: for algorithms that need invariants. Nothing if the budget is over first.
pub fn invariants<C: Cpa>(program: &Program, data: C, prec: C::Prec, budget: &Budget) -> BTreeMap<Point, Term> {
    let flow = Flow::forward(program);
    let cpa = Product::new(Product::new(Location::from_entry(&flow), Callstack::new(&flow)), data);
    let prec = (((), ()), prec);
    let explored = interruptible(budget.watch(), || explore(&flow, &cpa, &prec, Order::WeakTopological, NARROWINGS, budget));
    let Ok((run, Outcome::Complete)) = explored else { return BTreeMap::new() };
    certificate::proof(&run, Some(&Liveness::new(program))).map(|p| p.invariants).unwrap_or_default()
}

/// Explores with one precision.
fn once<C: Cpa>(
    flow: &Flow<'_>,
    cpa: &Located<'_, C>,
    prec: &(((), ()), C::Prec),
    goal: Goal,
    budget: &Budget,
    accept: Accept<'_>,
) -> Result<Found<C>, Reason> {
    let run = search(flow, cpa, prec, goal, budget)?;
    let wanted = if goal == Goal::Violations { MOST_PATHS } else { 1 };
    let targets: Vec<NodeId> = run.targets().iter().copied().take(wanted).collect();
    if targets.is_empty() {
        return conclude(&run, budget, accept).map(Found::Proof);
    }
    let (paths, dags) = targets.iter().map(|t| (path_to(&run, *t), between(&run, *t))).unzip();
    Ok(Found::Paths(paths, dags))
}

/// How far an exploration goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Goal {
    /// To the end: a violation cannot be excluded by more precision.
    End,
    /// To the first violation.
    Violation,
    /// To the first violation, and to others near it.
    Violations,
}

impl Goal {
    fn of<C: Cpa>(refiner: &dyn Refiner<C>) -> Goal {
        match (refiner.refines(), refiner.together()) {
            (false, _) => Goal::End,
            (true, false) => Goal::Violation,
            (true, true) => Goal::Violations,
        }
    }
}

/// An exploration with one precision, to the end or to the first violation.
pub(crate) fn search<'a, C: Cpa>(
    flow: &'a Flow<'a>,
    cpa: &'a Located<'a, C>,
    prec: &'a (((), ()), C::Prec),
    goal: Goal,
    budget: &Budget,
) -> Result<Exploration<'a, Located<'a, C>>, Reason> {
    let (run, outcome) = if goal != Goal::End || cpa.never_merges() {
        let order = if cpa.never_merges() { Order::ReversePostOrder } else { Order::WeakTopological };
        let mut run = Exploration::new(flow, cpa, prec, order);
        let outcome = if goal == Goal::Violations { run.run_past_target(budget) } else { run.run_to_target(budget) };
        (run, outcome)
    } else {
        explore(flow, cpa, prec, Order::WeakTopological, NARROWINGS, budget)
    };
    match outcome {
        Outcome::OutOfBudget => Err(Reason::new(ReasonKind::Time)),
        Outcome::Complete | Outcome::Target(_) => Ok(run),
    }
}

/// The path along which a state was found.
pub(crate) fn path_to<C: Cpa>(run: &Exploration<'_, Located<'_, C>>, target: NodeId) -> Path<C> {
    let states = run.arg().trail(target).into_iter().map(|n| run.arg().state(n).1.clone()).collect();
    Path { steps: run.arg().path(target), states }
}

/// The proof of an exploration without violations.
pub(crate) fn conclude<C: Cpa>(run: &Exploration<'_, Located<'_, C>>, budget: &Budget, accept: Accept<'_>) -> Result<Proof, Reason> {
    let (flow, cpa) = (run.flow(), run.cpa());
    for (_, e) in run.arg().nodes() {
        if let Some((what, span)) = cpa.place(e).and_then(|at| flow.unsupported(at)) {
            return Err(Reason::new(ReasonKind::Unsupported(what.clone())).at(*span));
        }
    }
    // What is dead costs the checker time; but a relation may need it. Where time is what was lacking, a longer proof is none the better.
    let short = certificate::proof(run, Some(&Liveness::new(flow.program())))?;
    if accept(&short, budget) || budget.is_over() {
        return Ok(short);
    }
    certificate::proof(run, None)
}

pub(crate) fn not_excluded(flow: &Flow<'_>, path: &[StepId], name: &str) -> Reason {
    let reason =
        Reason::new(ReasonKind::Incomplete(format!("the {name} analysis does not exclude a path to the error that no execution takes")));
    match path.last().map(|s| flow.step(*s).span).filter(|s| s.is_known()) {
        Some(span) => reason.at(span),
        None => reason,
    }
}
