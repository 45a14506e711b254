//! POST (seed 004, Section 4): the abstract effect of a block, the parameter that places UFO between under- and over-approximation.
//!
//! **Obligation.** `post(ψ, τ)` is a formula φ over the variables at the block's end with `ψ ∧ τ ⇒ φ'`. The weakest, `true`, makes UFO guess by
//! interpolants alone.

use crate::system::CutId;
use plumb_smt::abstraction::{boolean, cartesian, MOST_ROWS};
use plumb_smt::Entailment;
use plumb_term::visit::{atoms, substitute};
use plumb_term::{Term, VarId};
use plumb_verdict::Notes;
use std::collections::BTreeSet;

/// One block: when it is taken and the values at its end.
#[derive(Clone, Copy, Debug)]
pub struct Block<'a> {
    /// Where it ends.
    pub to: CutId,
    /// When it is taken.
    pub condition: Term,
    /// The variables that matter at its end, ascending.
    pub needed: &'a [VarId],
    /// Their values, over the variables at its start.
    pub values: &'a [Term],
}

impl Block<'_> {
    /// A formula over the variables at the block's end, over those at its start.
    pub fn before(&self, t: Term) -> Term {
        substitute(t, &|v| self.needed.binary_search(&v.id).ok().map(|i| self.values[i]))
    }
}

/// An edge into a node: the label of its source and its block.
#[derive(Clone, Copy, Debug)]
pub struct Edge<'a> {
    /// The source's label.
    pub label: Term,
    /// The block.
    pub block: Block<'a>,
}

/// An abstract post operator.
pub trait Post {
    /// What holds after the block, starting in `label`.
    fn post(&mut self, solver: &mut Entailment, label: Term, block: Block<'_>) -> Term;

    /// The label of a node at `to` that these edges enter; `active` are the labels of the heads of the same cut point that are being unrolled, the
    /// last one last. An operator with infinitely many answers must see to it that labels along such a sequence do not become weaker for ever.
    fn arrive(&mut self, solver: &mut Entailment, _to: CutId, edges: &[Edge<'_>], _active: &[Term]) -> Term {
        let mut label = Term::ff();
        for e in edges {
            label = label.or(self.post(solver, e.label, e.block));
            if label.is_true() {
                break;
            }
        }
        label
    }

    /// A label that a refinement gave to a node of the cut point.
    fn learn(&mut self, cut: CutId, label: Term);

    /// The same, where a label brought nothing new to an operator that gives all labels: afterwards it can tell states inside the label from states outside.
    fn learn_whole(&mut self, cut: CutId, label: Term) {
        self.learn(cut, label);
    }

    /// Whether it says `true` whatever it is asked.
    fn is_trivial(&self) -> bool {
        false
    }

    /// Called after a refinement: whether it has become more precise by itself, so that the graph should be built anew.
    fn sharpen(&mut self) -> bool {
        false
    }

    /// Whether its labels say what interpolants do not: refinements then assume and keep them.
    fn strengthens(&self) -> bool {
        false
    }

    /// How many predicates there are.
    fn predicates(&self) -> usize {
        0
    }

    /// What grows when it learns something new.
    fn size(&self) -> usize {
        self.predicates()
    }

    /// Says how it went.
    fn describe(&self, _notes: &mut Notes) {}
}

/// The weakest operator (uUFO).
#[derive(Debug, Default)]
pub struct True;

impl Post for True {
    fn post(&mut self, _: &mut Entailment, _: Term, _: Block<'_>) -> Term {
        Term::tt()
    }

    fn learn(&mut self, _: CutId, _: Term) {}

    fn is_trivial(&self) -> bool {
        true
    }
}

/// Which combinations of predicates an abstraction tells apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// The strongest conjunction of predicates and their negations.
    Cartesian,
    /// The strongest Boolean combination.
    Boolean,
    /// Boolean where there are few predicates, Cartesian elsewhere.
    Mixed {
        /// The greatest number of predicates that is few.
        boolean: usize,
    },
}

/// Predicate abstraction with the atoms of labels as predicates.
#[derive(Debug)]
pub struct Predicates {
    shape: Shape,
    /// By cut point.
    known: Vec<BTreeSet<Term>>,
}

impl Predicates {
    /// Without predicates.
    pub fn new(shape: Shape, cuts: usize) -> Predicates {
        Predicates { shape, known: vec![BTreeSet::new(); cuts] }
    }

    /// How many predicates there are at a cut point.
    pub fn at(&self, cut: CutId) -> usize {
        self.known[cut.0].len()
    }
}

impl Post for Predicates {
    fn post(&mut self, solver: &mut Entailment, label: Term, block: Block<'_>) -> Term {
        let predicates: Vec<(Term, Term)> = self.known[block.to.0].iter().map(|p| (*p, block.before(*p))).collect();
        solver.with(&[label, block.condition], |solver| {
            if matches!(solver.model_of(Term::tt()), Some(None)) {
                return Term::ff();
            }
            let shape = match self.shape {
                Shape::Mixed { boolean } if predicates.len() <= boolean => Shape::Boolean,
                shape => shape,
            };
            match shape {
                Shape::Boolean => boolean(solver, &predicates, MOST_ROWS),
                Shape::Cartesian | Shape::Mixed { .. } => cartesian(solver, &predicates),
            }
        })
    }

    /// A Cartesian abstraction cannot say a clause unless it is a predicate itself.
    fn learn(&mut self, cut: CutId, label: Term) {
        self.known[cut.0].extend(atoms(label));
        if self.shape == Shape::Cartesian {
            self.learn_whole(cut, label);
        }
    }

    fn learn_whole(&mut self, cut: CutId, label: Term) {
        self.known[cut.0].extend(label.conjuncts().into_iter().filter(|t| !t.is_true() && !t.is_false()));
    }

    fn predicates(&self) -> usize {
        self.known.iter().map(BTreeSet::len).sum()
    }
}
