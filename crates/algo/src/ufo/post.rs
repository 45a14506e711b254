//! POST (seed 004, Section 4): the abstract effect of a block, the parameter that places UFO between under- and over-approximation.
//!
//! **Obligation.** `post(ψ, τ)` is a formula φ over the variables at the block's end with `ψ ∧ τ ⇒ φ'`. The weakest, `true`, makes UFO guess by
//! interpolants alone.

use super::entail::Entailment;
use crate::system::CutId;
use plumb_term::visit::{postorder, substitute};
use plumb_term::{Kind, Sort, Term, VarId};
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

/// A Boolean abstraction with more cubes than this is made Cartesian for the block at hand.
const MAX_CUBES: usize = 256;

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

    /// The strongest conjunction of literals over `predicates` (each with its form before the block) that follows from the solver's facts.
    fn cartesian(solver: &mut Entailment, predicates: &[(Term, Term)]) -> Term {
        // What a model refutes needs no question.
        let mut may_hold: Vec<bool> = vec![false; predicates.len()];
        let mut may_fail: Vec<bool> = vec![false; predicates.len()];
        let mut out = Vec::new();
        for i in 0..predicates.len() {
            let (after, before) = predicates[i];
            for (value, literal) in [(true, after), (false, after.not())] {
                let open = if value { !may_fail[i] } else { !may_hold[i] };
                if !open {
                    continue;
                }
                let counter = if value { before.not() } else { before };
                match solver.model_of(counter) {
                    None => {}
                    Some(None) => {
                        out.push(literal);
                        break;
                    }
                    Some(Some(model)) => {
                        for (j, (_, p)) in predicates.iter().enumerate() {
                            match model.holds(*p) {
                                Some(true) => may_hold[j] = true,
                                Some(false) => may_fail[j] = true,
                                None => {}
                            }
                        }
                    }
                }
            }
        }
        Term::all(out)
    }

    /// The disjunction of all cubes over `predicates` that are consistent with the solver's facts; nothing if there are too many.
    fn boolean(solver: &mut Entailment, predicates: &[(Term, Term)]) -> Option<Term> {
        let mut cubes = Vec::new();
        let mut blocked = Term::tt();
        loop {
            match solver.model_of(blocked)? {
                None => return Some(Term::any(cubes)),
                Some(model) => {
                    let mut cube = Vec::new();
                    let mut before = Vec::new();
                    for (after, p) in predicates {
                        match model.holds(*p)? {
                            true => {
                                cube.push(*after);
                                before.push(*p);
                            }
                            false => {
                                cube.push(after.not());
                                before.push(p.not());
                            }
                        }
                    }
                    if cubes.len() == MAX_CUBES {
                        return None;
                    }
                    cubes.push(Term::all(cube));
                    blocked = blocked.and(Term::all(before).not());
                }
            }
        }
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
                Shape::Boolean => Self::boolean(solver, &predicates).unwrap_or_else(|| Self::cartesian(solver, &predicates)),
                Shape::Cartesian | Shape::Mixed { .. } => Self::cartesian(solver, &predicates),
            }
        })
    }

    fn learn(&mut self, cut: CutId, label: Term) {
        self.known[cut.0].extend(atoms(label));
    }

    fn predicates(&self) -> usize {
        self.known.iter().map(BTreeSet::len).sum()
    }
}

/// The atoms of a formula: what no Boolean connective is at the top of.
pub fn atoms(t: Term) -> Vec<Term> {
    let mut out = Vec::new();
    let mut inside: BTreeSet<Term> = BTreeSet::from([t]);
    let mut order = postorder([t]);
    order.reverse();
    for n in order {
        if !inside.contains(&n) {
            continue;
        }
        match n.kind() {
            Kind::Bool(_) => {}
            Kind::Not(_) | Kind::And(_) | Kind::Or(_) => inside.extend(n.children()),
            Kind::Ite(..) if n.sort() == Sort::Bool => inside.extend(n.children()),
            Kind::Eq(a, _) if a.sort() == Sort::Bool => inside.extend(n.children()),
            _ => out.push(n),
        }
    }
    out
}
