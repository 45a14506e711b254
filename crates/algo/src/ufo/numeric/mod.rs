//! POST in a numeric domain: any of `plumb-num`, which the paper does not have.
//!
//! A label is the conjunction of an element's constraints over the numeric variables that matter at a cut point. A block is a formula with many
//! paths; its image is found by symbolic abstraction: while the solver has a model whose end is not in the element yet, the image of the model's
//! whole path ([`path`]) is joined. The last answer, that there is none, is the obligation of POST, so a label never rests on a
//! domain being right. After too many paths, constraints that models refute are dropped until the rest holds.
//!
//! **Convergence.** At the head of a component, once there are [`DELAY`] active heads, the element is widened against the last head's, up to the
//! comparisons of the program and those of labels that refinements have found: these make the domain more precise where it matters. The
//! widenings' convergence then ends the unrolling. What refinements find is tracked as predicates, too, with Cartesian abstraction, since not all of
//! it is in the domain; so are from the start the program's own comparisons of remainders, which no domain of inequalities has.

mod linear;
mod path;
#[cfg(test)]
mod tests;
mod track;

use super::entail::Entailment;
use super::post::{Block, Edge, Post, Predicates, Shape};
use crate::system::{CutId, System};
use linear::Space;
use path::{path, refutes};
use plumb_cfa::Program;
use plumb_num::{ConsKind, Dim, LinCons, LinExpr, NumDomain};
use plumb_term::{visit, Term, Var};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// This many heads of a component are not widened.
const DELAY: usize = 2;
/// After this many paths of one block, widening takes the place of joins.
const JOINS: usize = 24;
/// After this many paths, constraints are only dropped.
const MAX_PATHS: usize = 40;
/// Up to this many predicates are combined freely.
const FEW: usize = 6;
/// This many comparisons per cut point are widened up to.
const MAX_THRESHOLDS: usize = 400;

/// POST in the domain `D`.
pub struct Numeric<D: NumDomain> {
    domain: D,
    space: Space,
    /// By cut point, the dimensions that matter and have room.
    tracked: Vec<Vec<Var>>,
    /// By cut point, what widening stops at.
    thresholds: Vec<BTreeSet<LinCons>>,
    /// Labels and the elements they come from.
    elements: FxHashMap<Term, D::Elem>,
    predicates: Predicates,
}

impl<D: NumDomain> Numeric<D> {
    /// For a system; at most `room` variables are tracked at each cut point.
    pub fn new(domain: D, program: &Program, system: &System, room: usize) -> Numeric<D> {
        let tracked = track::tracked(program, system, room);
        let all: BTreeSet<Var> = tracked.iter().flatten().copied().collect();
        let space = Space::new(all);
        let mut post = Numeric {
            domain,
            space,
            thresholds: vec![BTreeSet::new(); tracked.len()],
            elements: FxHashMap::default(),
            predicates: Predicates::new(Shape::Mixed { boolean: FEW }, tracked.len()),
            tracked,
        };
        let conditions: Vec<Term> = system.transitions.iter().map(|t| t.condition).chain(system.errors.iter().map(|e| e.1)).collect();
        let compared: BTreeSet<LinExpr> = conditions.iter().flat_map(|c| post.space.compared(*c)).collect();
        let remainders = track::remainders(&conditions);
        for (i, cut) in system.cuts.iter().enumerate() {
            post.widen_to(i, compared.iter().cloned());
            for t in &remainders {
                if visit::vars([*t]).iter().all(|v| v.version == 0 && cut.needed.binary_search(&v.id).is_ok()) {
                    post.predicates.learn(CutId(i), *t);
                }
            }
        }
        post
    }

    /// Makes widenings at a cut point stop at comparisons with zero.
    fn widen_to(&mut self, cut: usize, compared: impl IntoIterator<Item = LinExpr>) {
        let here: BTreeSet<Dim> = self.tracked[cut].iter().filter_map(|v| self.space.dim(v.id)).collect();
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

    /// An element that includes `current` and the block's image of `label`; nothing if the solver does not decide.
    fn include(&self, solver: &mut Entailment, current: D::Elem, label: Term, block: &Block<'_>) -> Option<D::Elem> {
        let cut = block.to.0;
        let ends: Vec<(Dim, Term)> =
            self.tracked[cut].iter().filter_map(|v| Some((self.space.dim(v.id)?, block.before(Term::var(*v))))).collect();
        let facts = [label, block.condition];
        solver.with(&facts, |solver| {
            let mut current = current;
            for step in 0..MAX_PATHS {
                let outside = block.before(self.gamma(&current)).not();
                let Some(model) = solver.model_of(outside)? else { return Some(current) };
                let constraints = path(&model, &facts, &ends, self.space.end())?;
                let joined = self.domain.join(&current, &self.region(&constraints));
                current = if step < JOINS { joined } else { self.widened(&current, &joined, cut) };
            }
            self.weaken(solver, &current, &ends, block)
        })
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
        let last = active.last().filter(|_| active.len() >= DELAY).copied();
        let previous = last.and_then(|l| self.elements.get(&l)).cloned();
        let mut current = previous.clone().unwrap_or_else(|| self.domain.bottom());
        for e in edges {
            match self.include(solver, current, e.label, &e.block) {
                Some(next) => current = next,
                None => return Term::tt(),
            }
        }
        if let Some(previous) = previous {
            if current != previous {
                current = self.widened(&previous, &current, to.0);
            }
        }
        let label = self.gamma(&current);
        self.elements.insert(label, current);
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
        if let Some(e) = self.elements.get(&label).cloned() {
            self.elements.insert(both, e);
        }
        both
    }

    fn learn(&mut self, cut: CutId, label: Term) {
        let compared = self.space.compared(label);
        self.widen_to(cut.0, compared);
        self.predicates.learn(cut, label);
    }

    fn strengthens(&self) -> bool {
        true
    }

    fn predicates(&self) -> usize {
        self.predicates.predicates()
    }
}
