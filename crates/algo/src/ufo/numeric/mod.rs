//! POST in a numeric domain: any of `plumb-num`, which the paper does not have.
//!
//! A label is the conjunction of an element's constraints over the numeric variables that matter at a cut point. A block is a formula with many
//! paths; its image is found by symbolic abstraction: while the solver has a model whose end is not in the element yet, the image of the model's
//! whole path ([`path`]) is joined. The last answer, that there is none, is the obligation of POST, so a label never rests on a
//! domain being right. After too many paths, constraints that models refute are dropped until the rest holds.
//!
//! **Convergence.** At the head of a component, once there are [`DELAY`] active heads, the element is widened against the last head's, up to the
//! comparisons of the program and those of labels that refinements have found: these make the domain more precise where it matters. The
//! widenings' convergence then ends the unrolling.
//!
//! **Beyond the domain.** What refinements find is tracked as predicates, too, since not all of it is an element; so are, from the start, the
//! comparisons of remainders in errors. And when a refinement has shown that a convex element is not enough, phases of loops get one each ([`phases`]), and
//! residue classes of the variables are kept beside it ([`classes`]).

mod classes;
mod lessons;
mod path;
mod phases;
#[cfg(test)]
mod tests;
pub mod track;

use super::post::{Block, Edge, Post, Predicates, Shape};
use crate::space::Space;
use crate::system::{CutId, System};
use lessons::Lessons;
use path::{path, refutes};
use phases::phases;
use plumb_cfa::Program;
use plumb_num::{Classes, Congruences, ConsKind, Dim, Lattice, LinCons, LinExpr, NumDomain};
use plumb_smt::Entailment;
use plumb_term::{visit, Term, Var};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// This many heads of a component are not widened.
const DELAY: usize = 2;
/// After this many paths of one block, widening takes the place of joins.
const JOINS: usize = 24;
/// After this many paths, constraints are only dropped.
const MAX_PATHS: usize = 40;
/// Where more variables are tracked, their residue classes are not.
const MAX_CLASSES: usize = 12;
/// Up to this many predicates are combined freely.
const FEW: usize = 6;
/// A label that takes longer is given up, and so are further ones at its cut point.
const PATIENCE: Duration = Duration::from_secs(2);
/// This many comparisons per cut point are widened up to.
const MAX_THRESHOLDS: usize = 400;

/// What is known in a phase.
#[derive(Clone, PartialEq)]
struct State<E> {
    element: E,
    /// Once they are wanted.
    classes: Option<Classes>,
}

/// POST in the domain `D`.
pub struct Numeric<D: NumDomain> {
    domain: D,
    space: Space,
    /// By cut point, the dimensions that matter and have room.
    tracked: Vec<Vec<Var>>,
    /// By cut point, what widening stops at.
    thresholds: Vec<BTreeSet<LinCons>>,
    /// By cut point, the phases of which each has an element.
    phases: Vec<Vec<Term>>,
    /// The phases to tell apart when the domain alone does not suffice; nothing once it did not.
    split: Option<Vec<Vec<Term>>>,
    lessons: Lessons,
    /// By cut point, comparisons of remainders to follow from then on.
    remainders: Vec<Vec<Term>>,
    /// Labels and the states they come from, one for each phase.
    states: FxHashMap<Term, Vec<State<D::Elem>>>,
    predicates: Predicates,
    /// When the label at hand was begun, and how long it may take.
    started: Instant,
    patience: Duration,
    /// Cut points where a label took too long: nothing is said there any more.
    hard: BTreeSet<CutId>,
}

impl<D: NumDomain> Numeric<D> {
    /// For a system; at most `room` variables are tracked at each cut point.
    pub fn new(domain: D, program: &Program, system: &System, room: usize, solver: &mut Entailment) -> Numeric<D> {
        let tracked = track::tracked(program, system, room);
        let all: BTreeSet<Var> = tracked.iter().flatten().copied().collect();
        let space = Space::new(all);
        let mut post = Numeric {
            domain,
            space,
            thresholds: vec![BTreeSet::new(); tracked.len()],
            phases: vec![vec![Term::tt()]; tracked.len()],
            split: None,
            lessons: Lessons::default(),
            remainders: Vec::new(),
            states: FxHashMap::default(),
            predicates: Predicates::new(Shape::Mixed { boolean: FEW }, tracked.len()),
            started: Instant::now(),
            patience: PATIENCE,
            hard: BTreeSet::new(),
            tracked,
        };
        let conditions: Vec<Term> = system.transitions.iter().flat_map(track::decisions).chain(system.errors.iter().map(|e| e.1)).collect();
        let compared: BTreeSet<LinExpr> = conditions.iter().flat_map(|c| post.space.compared(*c)).collect();
        let errors: Vec<Term> = system.errors.iter().map(|e| e.1).collect();
        for (i, cut) in system.cuts.iter().enumerate() {
            post.widen_to(i, compared.iter().cloned());
            let here = |t: &Term| visit::vars([*t]).iter().all(|v| v.version == 0 && cut.needed.binary_search(&v.id).is_ok());
            track::remainders(&errors).into_iter().filter(here).for_each(|t| post.predicates.learn(CutId(i), t));
            post.remainders.push(track::remainders(&conditions).into_iter().filter(here).collect());
        }
        let split: Vec<Vec<Term>> = (0..system.cuts.len()).map(|i| phases(solver, &post.space, system, CutId(i), &post.dims(i))).collect();
        let small = post.tracked.iter().any(|t| (1..=MAX_CLASSES).contains(&t.len()));
        post.split = (small || split != post.phases).then_some(split);
        post
    }

    fn is_late(&self) -> bool {
        self.started.elapsed() > self.patience
    }

    fn dims(&self, cut: usize) -> BTreeSet<Dim> {
        self.tracked[cut].iter().filter_map(|v| self.space.dim(v.id)).collect()
    }

    /// Makes widenings at a cut point stop at comparisons with zero.
    fn widen_to(&mut self, cut: usize, compared: impl IntoIterator<Item = LinExpr>) {
        let here = self.dims(cut);
        for e in compared {
            if self.thresholds[cut].len() >= MAX_THRESHOLDS {
                return;
            }
            if e.dims().all(|d| here.contains(&d)) {
                // A step past a guard `e ≥ 0` or `e ≤ 0` leaves it by little.
                for side in [e.clone(), -e] {
                    for slack in [-1, 0, 1] {
                        self.thresholds[cut].insert(LinCons::new(side.clone() + slack.into(), ConsKind::Ge));
                    }
                }
            }
        }
    }

    /// The formula of an element.
    fn gamma(&self, e: &D::Elem) -> Term {
        Term::all(self.domain.constraints(e).iter().map(|c| self.space.term(c)))
    }

    /// The formula of a state at a cut point.
    fn formula(&self, s: &State<D::Elem>, cut: usize) -> Term {
        let classes = s.classes.as_ref().map_or_else(Term::tt, |c| classes::formula(&self.space, c, &self.dims(cut)));
        self.gamma(&s.element).and(classes)
    }

    /// Nothing.
    fn bottom(&self, cut: usize) -> State<D::Elem> {
        let wanted = self.split.is_none() && self.tracked[cut].len() <= MAX_CLASSES;
        State { element: self.domain.bottom(), classes: wanted.then(|| Congruences.bottom()) }
    }

    /// A state that includes `current` and what of the edge's image is in `phase`; nothing if the solver does not decide.
    fn include(&self, solver: &mut Entailment, current: State<D::Elem>, phase: Term, edge: &Edge<'_>) -> Option<State<D::Elem>> {
        let block = &edge.block;
        let cut = block.to.0;
        let ends: Vec<(Dim, Term)> =
            self.tracked[cut].iter().filter_map(|v| Some((self.space.dim(v.id)?, block.before(Term::var(*v))))).collect();
        let facts = [edge.label, block.condition, block.before(phase)];
        solver.with(&facts, |solver| {
            let element = self.include_paths(solver, current.element, &facts, &ends, block)?;
            let classes =
                current.classes.map(|c| classes::include(solver, &self.space, c, &ends, block).unwrap_or_else(|| Congruences.top()));
            Some(State { element, classes })
        })
    }

    /// An element that includes `current` and the ends of the block under the facts, which the solver has.
    fn include_paths(
        &self,
        solver: &mut Entailment,
        current: D::Elem,
        facts: &[Term],
        ends: &[(Dim, Term)],
        block: &Block<'_>,
    ) -> Option<D::Elem> {
        let mut current = current;
        for step in 0..MAX_PATHS {
            if self.is_late() {
                return None;
            }
            let outside = block.before(self.gamma(&current)).not();
            let Some(model) = solver.model_of(outside)? else { return Some(current) };
            let constraints = path(&model, facts, ends, self.space.end())?;
            let joined = self.domain.join(&current, &self.region(&constraints));
            current = if step < JOINS { joined } else { self.widened(&current, &joined, block.to.0) };
        }
        self.weaken(solver, &current, ends, block)
    }

    /// The element of constraints on dimensions of the space and others, which are projected away.
    fn region(&self, constraints: &[LinCons]) -> D::Elem {
        let mut e = self.domain.of_constraints(constraints);
        // What a domain cannot express it may still learn from when more is known.
        e = self.domain.assume_all(&e, constraints);
        let before: Vec<Dim> = self.domain.mentioned(&e).into_iter().filter(|d| *d >= self.space.end()).collect();
        self.domain.forget(&e, &before)
    }

    fn widened(&self, old: &D::Elem, new: &D::Elem, cut: usize) -> D::Elem {
        let thresholds: Vec<LinCons> = self.thresholds[cut].iter().cloned().collect();
        self.domain.widen_up_to(old, new, &thresholds)
    }

    /// Drops the constraints that models refute until the others hold after the block.
    fn weaken(&self, solver: &mut Entailment, e: &D::Elem, ends: &[(Dim, Term)], block: &Block<'_>) -> Option<D::Elem> {
        let ends: FxHashMap<Dim, Term> = ends.iter().copied().collect();
        let mut kept: Vec<LinCons> = self.domain.constraints(e).iter().flat_map(LinCons::inequalities).collect();
        loop {
            let all = Term::all(kept.iter().map(|c| self.space.term(c)));
            let Some(model) = solver.model_of(block.before(all).not())? else { return Some(self.domain.of_constraints(&kept)) };
            let before = kept.len();
            kept.retain(|c| refutes(&model, &ends, c) == Some(false));
            if kept.len() == before {
                return None;
            }
        }
    }

    /// The numeric part of a node's label.
    fn numeric(&mut self, solver: &mut Entailment, to: CutId, edges: &[Edge<'_>], active: &[Term]) -> Term {
        if self.hard.contains(&to) {
            return Term::tt();
        }
        self.started = Instant::now();
        let last = active.last().filter(|_| active.len() >= DELAY).copied();
        let previous = last.and_then(|l| self.states.get(&l)).cloned();
        let mut states = Vec::new();
        for (i, phase) in self.phases[to.0].iter().enumerate() {
            let previous = previous.as_ref().and_then(|p| p.get(i));
            let mut current = previous.cloned().unwrap_or_else(|| self.bottom(to.0));
            for e in edges {
                match self.include(solver, current, *phase, e) {
                    Some(next) => current = next,
                    None => {
                        if self.is_late() {
                            self.hard.insert(to);
                        }
                        return Term::tt();
                    }
                }
            }
            if let Some(previous) = previous.filter(|p| p.element != current.element) {
                current.element = self.widened(&previous.element, &current.element, to.0);
            }
            states.push(current);
        }
        let label = Term::any(self.phases[to.0].iter().zip(&states).map(|(p, s)| p.and(self.formula(s, to.0))));
        self.states.insert(label, states);
        label
    }
}

impl<D: NumDomain> Post for Numeric<D> {
    fn post(&mut self, solver: &mut Entailment, label: Term, block: Block<'_>) -> Term {
        self.arrive(solver, block.to, &[Edge { label, block }], &[])
    }

    fn arrive(&mut self, solver: &mut Entailment, to: CutId, edges: &[Edge<'_>], active: &[Term]) -> Term {
        let label = self.numeric(solver, to, edges, active);
        if label.is_false() || self.predicates.at(to) == 0 {
            return label;
        }
        let both = label.and(self.predicates.arrive(solver, to, edges, active));
        if let Some(s) = self.states.get(&label).cloned() {
            self.states.insert(both, s);
        }
        both
    }

    fn learn(&mut self, cut: CutId, label: Term) {
        self.lessons.hear(cut, label);
    }

    fn sharpen(&mut self) -> bool {
        for (cut, atom) in self.lessons.take() {
            let compared = self.space.compared(atom);
            self.widen_to(cut.0, compared);
            self.predicates.learn(cut, atom);
        }
        let Some(split) = self.split.take() else { return false };
        for (cut, remainders) in std::mem::take(&mut self.remainders).into_iter().enumerate() {
            remainders.into_iter().for_each(|t| self.predicates.learn(CutId(cut), t));
        }
        self.phases = split;
        self.states.clear();
        true
    }

    fn strengthens(&self) -> bool {
        true
    }

    fn predicates(&self) -> usize {
        self.predicates.predicates()
    }
}
