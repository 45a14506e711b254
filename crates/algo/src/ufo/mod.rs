//! UFO: from under-approximations to over-approximations and back (seed 004).
//!
//! UFOMAIN (Fig. 3) alternates between *exploring*, which unrolls the program's cut points into an abstract reachability graph and
//! labels it with POST ([`expand`](self), EXPANDARG), and *generalising*, which asks one query for all paths to the error and takes labels from
//! its refutation (REFINE, Section 5). It ends with a graph whose error is labelled `false`: the disjunction of the labels at each cut point
//! is an inductive invariant; or with a path that can be executed.
//!
//! What differs from the paper: edges are blocks between cut points, not statements; copies of variables exist where their values still matter
//! for the error; machine integers are exact: the interpolator tells the cases of a wrap apart; and what labels say of every copy of a cut point is
//! assumed there once it has been shown ([`inductive`](self)).

mod arg;
mod choose;
mod expand;
mod figures;
mod generalise;
mod inductive;
mod lemmas;
mod numeric;
mod numpred;
mod order;
mod post;
mod proof;
mod refine;

use crate::realise::realise;
use crate::system::{CutId, Step, System};
use arg::{Arg, NodeId};

use figures::Figures;
pub(crate) use inductive::independent;
use inductive::Inductive;
pub use lemmas::Lemmas;
use numeric::Numeric;
use numpred::Combined;
use order::Order;
use plumb_cfa::unwind::Orders;
use plumb_cfa::{Point, Program};
use plumb_num::{interruptible, Boxes, Octagons, Polyhedra};
use plumb_numpred::Structure;
use plumb_smt::interpolate::Chain;
use plumb_smt::Entailment;
use plumb_term::{Budget, Term};
use plumb_transform::interval;
use plumb_verdict::{Notes, Reason, ReasonKind, Verdict};
use post::{Block, Edge, Post, Predicates, Shape, True};
use refine::Refined;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::time::Instant;

/// So many variables are numbers at each cut point where refinements do not say which.
const ROOM: usize = 8;

/// Which member of the family runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Variant {
    /// POST is `true`: interpolants alone (the paper's uUFO).
    Plain,
    /// POST is Cartesian predicate abstraction (cpUFO).
    Cartesian,
    /// POST is Boolean predicate abstraction (bpUFO).
    Boolean,
    /// POST is computed with intervals.
    Box,
    /// POST is computed with octagons.
    Octagon,
    /// POST is computed with polyhedra.
    Polyhedra,
    /// POST is computed in a domain of predicates and numbers (NUMPREDDOM).
    Combined(Structure),
    /// One of these, by what the program is.
    Auto,
    /// Cartesian predicate abstraction alone, interpolants only give predicates (CP).
    OnlyCartesian,
    /// Boolean predicate abstraction alone (BP).
    OnlyBoolean,
    /// A domain of predicates and numbers alone, interpolants only say what to follow; the structure is chosen by what its elements are if none is named.
    OnlyCombined(Option<Structure>),
}

/// Why the search ends without an answer.
#[derive(Debug)]
enum Stop {
    Time,
    Interpolation(String),
    Internal(String),
    Unsupported(Reason),
}

/// The state of one search.
struct Ufo<'p> {
    program: &'p Program,
    orders: &'p Orders<'p>,
    budget: &'p Budget,
    system: System,
    order: Order,
    arg: Arg,
    walks: u32,
    post: Box<dyn Post>,
    entailment: Entailment,
    interpolator: Chain,
    /// Whether labels come from POST alone.
    over_only: bool,
    /// Whether what labels say is tried as invariants by itself.
    induces: bool,
    /// What labels have shown to hold always.
    inductive: Inductive,
    figures: Figures,
}

/// Runs a variant.
pub fn run(variant: Variant, program: &Program, budget: &Budget, progress: &mut dyn FnMut(&str), notes: &mut Notes) -> Verdict {
    let orders = Orders::new(program);
    progress("interval analysis");
    let share = budget.part(8);
    let facts: BTreeMap<Point, Vec<Term>> = interval::analyse(program, &orders, &share).unwrap_or_default();
    let system = match System::new(program, &orders, &facts, budget) {
        Ok(s) => s,
        Err(r) => return Verdict::Unknown(r),
    };
    let variant = match variant {
        Variant::Auto => {
            let (variant, why) = choose::Features::of(program, &system).choose();
            notes.remarks.push(why);
            variant
        }
        named => named,
    };
    let fact = |p: &Point| facts.get(p).map_or_else(Term::tt, |ts| Term::all(ts.iter().copied()));
    let mut ufo = match Ufo::new(variant, program, &orders, budget, system) {
        Ok(u) => u,
        Err(why) => return Verdict::Unknown(Reason::new(ReasonKind::Internal(why))),
    };
    let found = interruptible(budget.watch(), || ufo.search(progress, &fact)).unwrap_or(Err(Stop::Time));
    let verdict = found.unwrap_or_else(|stop| Verdict::Unknown(ufo.reason(stop)));
    ufo.describe(variant, &fact, notes);
    verdict
}

impl<'p> Ufo<'p> {
    fn new(variant: Variant, program: &'p Program, orders: &'p Orders<'p>, budget: &'p Budget, system: System) -> Result<Ufo<'p>, String> {
        let cuts = system.cuts.len();
        let mut entailment = Entailment::new(budget)?;
        let post: Box<dyn Post> = match variant {
            Variant::Plain | Variant::Auto => Box::new(True),
            Variant::Cartesian | Variant::OnlyCartesian => Box::new(Predicates::new(Shape::Cartesian, cuts)),
            Variant::Boolean | Variant::OnlyBoolean => Box::new(Predicates::new(Shape::Boolean, cuts)),
            Variant::Box => Box::new(Numeric::new(Boxes, program, &system, 256, &mut entailment)),
            Variant::Octagon => Box::new(Numeric::new(Octagons, program, &system, 32, &mut entailment)),
            Variant::Polyhedra => Box::new(Numeric::new(Polyhedra::default(), program, &system, 12, &mut entailment)),
            Variant::Combined(s) => Box::new(Combined::new(Some(s), program, &system, Some(ROOM), budget)?),
            Variant::OnlyCombined(s) => Box::new(Combined::new(s, program, &system, None, budget)?),
        };
        Ok(Ufo {
            program,
            orders,
            budget,
            order: Order::new(&system),
            arg: Arg::new(&system),
            walks: 0,
            post,
            entailment,
            interpolator: Chain::default(),
            over_only: matches!(variant, Variant::OnlyCartesian | Variant::OnlyBoolean | Variant::OnlyCombined(_)),
            induces: !matches!(variant, Variant::OnlyCombined(_)),
            inductive: Inductive::new(&system),
            figures: Figures::default(),
            system,
        })
    }

    /// UFOMAIN.
    fn search(&mut self, progress: &mut dyn FnMut(&str), fact: &dyn Fn(&Point) -> Term) -> Result<Verdict, Stop> {
        let mut labels = FxHashMap::default();
        let mut size = 0;
        for iteration in 1.. {
            progress(&format!("UFO, iteration {iteration}, {} nodes, {} predicates", self.arg.size(), self.post.predicates()));
            let visited = self.expand(&labels)?;
            self.figures.finished = self.walks;
            let error = self.arg.node(Arg::ERROR);
            if error.walk != self.walks || self.is_false(error.label) {
                return Ok(Verdict::Safe(self.proof(&visited, fact)));
            }
            let start = Instant::now();
            let refined = self.refine(&visited);
            self.figures.interpolation += start.elapsed();
            self.figures.refinements += 1;
            if let Some(engine) = self.interpolator.report().answered {
                *self.figures.answered.entry(engine).or_default() += 1;
            }
            match refined? {
                Refined::Labels(mut new) => {
                    if self.induces {
                        if let Some(verdict) = self.induce(&new, fact)? {
                            return Ok(verdict);
                        }
                    }
                    if self.post.strengthens() {
                        self.learn(&new)?;
                    }
                    new.iter_mut().for_each(|(n, t)| *t = self.arg.node(*n).label.and(*t));
                    // A graph that does not grow must not lose what its labels say: the same labels would come back for ever.
                    let grew = std::mem::replace(&mut size, self.arg.size()) != self.arg.size();
                    if !self.post.strengthens() {
                        if grew || self.over_only {
                            self.generalise(&visited, &mut new);
                        }
                        self.learn(&new)?;
                    }
                    let sharper = self.post.sharpen();
                    labels = if self.over_only || sharper { self.start_again() } else { new };
                }
                Refined::Path(path) => {
                    let steps = path.iter().map(|(_, step)| *step);
                    let verdict = realise(self.program, self.orders, &self.system, steps, self.budget).map_err(|r| match r.kind {
                        ReasonKind::Time => Stop::Time,
                        _ => Stop::Unsupported(r),
                    })?;
                    return verdict.ok_or_else(|| Stop::Internal("a path of the graph could not be executed".into()));
                }
            }
        }
        Err(Stop::Time)
    }

    /// Tells POST what a refinement found.
    fn learn(&mut self, labels: &FxHashMap<NodeId, Term>) -> Result<(), Stop> {
        let mut found: Vec<(CutId, Term)> = labels.iter().filter_map(|(n, t)| Some((self.arg.node(*n).cut?, *t))).collect();
        found.sort_unstable();
        let before = self.post.size();
        found.iter().for_each(|(cut, t)| self.post.learn(*cut, *t));
        if self.over_only && self.post.size() == before {
            found.iter().for_each(|(cut, t)| self.post.learn_whole(*cut, *t));
            if self.post.size() == before {
                return Err(Stop::Internal("the abstraction is not refined by any new predicate".into()));
            }
        }
        Ok(())
    }

    /// Forgets the graph: with more predicates, all labels are computed anew.
    fn start_again(&mut self) -> FxHashMap<NodeId, Term> {
        self.arg = Arg::new(&self.system);
        FxHashMap::default()
    }

    fn is_false(&mut self, t: Term) -> bool {
        t.is_false() || self.entailment.entails(t, Term::ff())
    }

    fn entails(&mut self, a: Term, b: Term) -> Result<bool, Stop> {
        if self.budget.is_over() {
            return Err(Stop::Time);
        }
        let start = Instant::now();
        let answer = self.entailment.entails(a, b);
        self.figures.covering += start.elapsed();
        Ok(answer)
    }

    /// The label that POST gives to a node which the steps enter from nodes with the given labels.
    fn arrive(&mut self, steps: &[(Term, Step)], active: &[Term]) -> Result<Term, Stop> {
        if self.budget.is_over() {
            return Err(Stop::Time);
        }
        let start = Instant::now();
        let label = self.label(steps, active);
        self.figures.post += start.elapsed();
        Ok(label)
    }

    fn label(&mut self, steps: &[(Term, Step)], active: &[Term]) -> Term {
        let mut edges: Vec<Edge<'_>> = Vec::new();
        for (label, step) in steps {
            let (condition, values) = effect(&self.system, *step);
            if label.is_false() || condition.is_false() {
                continue;
            }
            if let Step::Block(i) = step {
                let to = self.system.transitions[*i].to;
                edges.push(Edge { label: *label, block: Block { to, condition, needed: &self.system.cuts[to.0].needed, values } });
            } else if self.post.is_trivial() || !self.entailment.entails(label.and(condition), Term::ff()) {
                // There is nothing to say about the error but whether it is reached.
                return Term::tt();
            }
        }
        edges.first().map_or_else(Term::ff, |e| self.post.arrive(&mut self.entailment, e.block.to, &edges, active))
    }

    fn reason(&self, stop: Stop) -> Reason {
        match stop {
            Stop::Time => Reason::new(ReasonKind::Time),
            Stop::Interpolation(why) => Reason::new(ReasonKind::Solver(why)),
            Stop::Internal(why) => Reason::new(ReasonKind::Incomplete(why)),
            Stop::Unsupported(reason) => reason,
        }
    }
}

/// When a step is taken, and the values at its end.
fn effect(system: &System, step: Step) -> (Term, &[Term]) {
    match step {
        Step::Block(i) => {
            let t = &system.transitions[i];
            (t.condition, &t.values)
        }
        Step::Error(i) => (system.errors[i].1, &[]),
        Step::Unsupported(i) => (system.unsupported[i].1, &[]),
    }
}

/// A formula over the variables at a step's end, over those at its start.
fn before(system: &System, step: Step, t: Term) -> Term {
    match step {
        Step::Block(i) => system.before(&system.transitions[i], t),
        _ => t,
    }
}
