//! POST in a domain of predicates and numbers (NUMPREDDOM, seed 000), which the paper does not have.
//!
//! A label is γ of an element over the numbers that matter and the atoms of the labels that refinements have found. The image of a block is its abstract transformer's
//! ([`plumb_numpred::program`]), made once for each block and vocabulary. With new predicates the domain is made anew; a label from before, or from an interpolant, is read into it.
//!
//! **Convergence.** At the head of a component, once there are [`DELAY`] active heads, the element is widened against the last head's, up to the comparisons of the program.

use super::entail::Entailment;
use super::numeric::track;
use super::post::{Block, Edge, Post};
use crate::space::Space;
use crate::system::{CutId, System};
use plumb_cfa::Program;
use plumb_num::{ConsKind, LinCons};
use plumb_numpred::program::{self, Frame, Oracle, Terms};
use plumb_numpred::transformer::{apply, compile, Abstracted};
use plumb_numpred::{Full, NumPredDom, Vocabulary};
use plumb_term::visit::{atoms, size, vars};
use plumb_term::{Term, Var, VarId};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// This many heads of a component are not widened.
const DELAY: usize = 2;
/// More predicates than this are not followed.
const MAX_PREDICATES: usize = 40;
/// Nor are longer ones.
const MAX_ATOM: usize = 40;
/// This many comparisons are widened up to.
const MAX_THRESHOLDS: usize = 400;

/// A block: where it ends, its condition, its values.
type Key = (CutId, Term, Vec<Term>);

/// Makes a domain over a vocabulary.
pub type Make<D> = fn(Vocabulary) -> Result<D, Full>;

/// POST in the domain `D`.
pub struct Combined<D: NumPredDom> {
    make: Make<D>,
    numbers: BTreeSet<Var>,
    predicates: BTreeSet<Term>,
    heard: BTreeSet<Term>,
    thresholds: Vec<LinCons>,
    frame: Frame,
    domain: D,
    elems: FxHashMap<Term, D::Elem>,
    transformers: FxHashMap<Key, Rc<Abstracted<D::Elem>>>,
}

impl<D: NumPredDom> Combined<D> {
    /// For a system; at most `room` variables are followed as numbers at each cut point.
    pub fn new(make: Make<D>, program: &Program, system: &System, room: usize) -> Result<Combined<D>, String> {
        let numbers: BTreeSet<Var> = track::tracked(program, system, room).into_iter().flatten().collect();
        let space = Space::new(numbers.clone());
        let conditions = system.transitions.iter().flat_map(track::decisions).chain(system.errors.iter().map(|e| e.1));
        let compared: BTreeSet<_> = conditions.flat_map(|c| space.compared(c)).collect();
        let frame = Frame::new(numbers.iter().copied(), []);
        // The space numbers its dimensions in the order of the variables; here a variable's number is its dimension.
        let order: Vec<Var> = numbers.iter().copied().collect();
        let own = |e: &plumb_num::LinExpr| -> Option<plumb_num::LinExpr> {
            let known: BTreeMap<_, _> = order.iter().filter_map(|v| Some((space.dim(v.id)?, plumb_num::Dim(v.id.0)))).collect();
            e.dims().all(|d| known.contains_key(&d)).then(|| e.rename(|d| known[&d]))
        };
        let both = compared.iter().filter_map(own).flat_map(|e| [e.clone(), -e]);
        let near = both.flat_map(|e| [-1, 0, 1].map(|slack: i64| LinCons::new(e.clone() + slack.into(), ConsKind::Ge)));
        let thresholds = near.take(MAX_THRESHOLDS).collect();
        let domain = make(frame.vocabulary().clone()).map_err(|e| e.to_string())?;
        Ok(Combined {
            make,
            numbers,
            predicates: BTreeSet::new(),
            heard: BTreeSet::new(),
            thresholds,
            frame,
            domain,
            elems: FxHashMap::default(),
            transformers: FxHashMap::default(),
        })
    }

    /// The element of a label: the one that it comes from, or what can be read of it.
    fn elem(&mut self, label: Term) -> Result<D::Elem, Full> {
        if let Some(known) = self.elems.get(&label) {
            return Ok(known.clone());
        }
        let read = self.domain.alpha(&program::read(&self.frame, label))?;
        let e = self.domain.reduce(&read)?;
        self.elems.insert(label, e.clone());
        Ok(e)
    }

    fn transformer(&mut self, solver: &mut Entailment, block: &Block<'_>) -> Result<Rc<Abstracted<D::Elem>>, Full> {
        let key = (block.to, block.condition, block.values.to_vec());
        if let Some(known) = self.transformers.get(&key) {
            return Ok(known.clone());
        }
        let values: BTreeMap<VarId, Term> = block.needed.iter().copied().zip(block.values.iter().copied()).collect();
        let values = values.into_iter().filter(|(v, t)| t.as_var().is_none_or(|x| x.id != *v)).collect();
        let taken = program::Block { condition: block.condition, values };
        let live = |v: VarId| block.needed.binary_search(&v).is_ok();
        let t = program::transformer(&self.frame, &taken, &live, &mut Asked(solver));
        let made = Rc::new(compile(&self.domain, &t)?);
        self.transformers.insert(key, made.clone());
        Ok(made)
    }

    fn label(&mut self, solver: &mut Entailment, edges: &[Edge<'_>], active: &[Term]) -> Result<Term, Full> {
        let mut sum = self.domain.bottom();
        for e in edges {
            let before = self.elem(e.label)?;
            let t = self.transformer(solver, &e.block)?;
            let after = self.domain.reduce(&apply(&self.domain, &t, &before)?)?;
            sum = self.domain.join(&sum, &after)?;
        }
        if let Some(last) = active.last().filter(|_| active.len() >= DELAY) {
            let last = self.elem(*last)?;
            sum = self.domain.widen_up_to(&last, &sum, &self.thresholds)?;
        }
        if self.domain.is_bottom(&sum)? {
            return Ok(Term::ff());
        }
        let label = self.domain.gamma_in(&sum, &mut Terms(&self.frame));
        self.elems.insert(label, sum);
        Ok(label)
    }
}

impl<D: NumPredDom> Post for Combined<D> {
    fn post(&mut self, solver: &mut Entailment, label: Term, block: Block<'_>) -> Term {
        self.arrive(solver, block.to, &[Edge { label, block }], &[])
    }

    /// Diagrams that have become too large say nothing.
    fn arrive(&mut self, solver: &mut Entailment, _to: CutId, edges: &[Edge<'_>], active: &[Term]) -> Term {
        self.label(solver, edges, active).unwrap_or_else(|Full| Term::tt())
    }

    fn learn(&mut self, _cut: CutId, label: Term) {
        let useful = |p: &Term| size(*p) <= MAX_ATOM && vars([*p]).iter().all(|v| v.version == 0 && v.id < VarId::FIRST_AUX);
        self.heard.extend(atoms(label).into_iter().filter(useful).filter(|p| p.as_bool().is_none()));
    }

    fn sharpen(&mut self) -> bool {
        let heard = std::mem::take(&mut self.heard);
        let before = self.predicates.len();
        let room = MAX_PREDICATES.saturating_sub(before);
        let new: Vec<Term> =
            heard.into_iter().filter(|p| !self.predicates.contains(p) && !self.predicates.contains(&p.not())).take(room).collect();
        self.predicates.extend(new);
        if self.predicates.len() > before {
            let frame = Frame::new(self.numbers.iter().copied(), self.predicates.iter().copied());
            if let Ok(domain) = (self.make)(frame.vocabulary().clone()) {
                (self.frame, self.domain) = (frame, domain);
                self.elems.clear();
                self.transformers.clear();
            }
        }
        false
    }

    fn strengthens(&self) -> bool {
        true
    }

    fn predicates(&self) -> usize {
        self.predicates.len()
    }
}

/// The solver as the oracle of predicate updates.
struct Asked<'a>(&'a mut Entailment);

impl Oracle for Asked<'_> {
    fn core(&mut self, facts: &[Term], assumptions: &[Term]) -> Option<Vec<Term>> {
        self.0.with(facts, |solver| {
            let mut refuted = |ts: &[Term]| matches!(solver.model_of(Term::all(ts.iter().copied())), Some(None));
            if !refuted(assumptions) {
                return None;
            }
            let mut core = assumptions.to_vec();
            let mut i = 0;
            while i < core.len() {
                let mut without = core.clone();
                without.remove(i);
                if refuted(&without) {
                    core = without;
                } else {
                    i += 1;
                }
            }
            Some(core)
        })
    }

    fn model(&mut self, facts: &[Term], about: &[Term]) -> Option<Vec<bool>> {
        let model = self.0.with(facts, |solver| solver.model_of(Term::tt()))??;
        about.iter().map(|t| model.holds(*t)).collect()
    }
}
