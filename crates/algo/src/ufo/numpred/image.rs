//! The image of an element under a block, path by path.

use super::super::post::{Block, Edge};
use crate::system::CutId;
use plumb_num::LinCons;
use plumb_numpred::program::{self, path, transformer, Frame, Kept, Oracle, Terms};
use plumb_numpred::transformer::{apply, compile, Abstracted};
use plumb_numpred::{Full, NumPredDom, Part, Timing};
use plumb_smt::Answers;
use plumb_smt::Entailment;
use plumb_term::{Term, VarId};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;

/// More paths of one block are not told apart: it is abstracted as a whole.
const MAX_PATHS: usize = 1_000;

/// A block: where it ends, its condition, its values.
type Key = (CutId, Term, Vec<Term>);

/// The paths of blocks that are known, and what the solver has said of predicates: both serve every precision.
pub(super) struct Paths {
    answers: Answers,
    ids: FxHashMap<Key, usize>,
    /// By block, its paths in the order they were found.
    found: Vec<Vec<Rc<program::Block>>>,
}

impl Paths {
    pub(super) fn new(answers: Answers) -> Paths {
        Paths { answers, ids: FxHashMap::default(), found: Vec::new() }
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.found.iter().map(Vec::len).sum()
    }

    /// The number of a block.
    fn id(&mut self, block: &Block<'_>) -> usize {
        let next = self.found.len();
        let id = *self.ids.entry((block.to, block.condition, block.values.to_vec())).or_insert(next);
        if id == next {
            self.found.push(Vec::new());
        }
        id
    }
}

/// A block, and one of its paths; the whole block has none.
type Which = (usize, Option<usize>);

/// What is kept at a cut point of the predicates.
pub(super) type Predicates<'a> = &'a dyn Fn(Term) -> bool;

/// How a label is widened.
pub(super) struct Widen {
    /// Against the last label of its cut point.
    pub(super) last: Term,
    /// Whether it stops at thresholds.
    pub(super) stops: bool,
}

/// A domain as POST needs it, whichever it is.
pub(super) trait Transfer {
    /// The label of a node that edges enter, widened if that is asked for.
    fn label(
        &mut self,
        paths: &mut Paths,
        kept: Predicates<'_>,
        solver: &mut Entailment,
        edges: &[Edge<'_>],
        widen: Option<Widen>,
    ) -> Result<Term, Full>;

    /// The greatest number of parts that an element has had.
    fn parts(&self) -> usize;

    /// The predicates in an order that suits the elements so far, if there is one that suits them much better.
    fn suited(&self) -> Option<Vec<Term>>;
}

/// A domain with what was computed in it.
pub(super) struct Domain<D: NumPredDom> {
    domain: D,
    frame: Frame,
    thresholds: Vec<LinCons>,
    timing: Rc<Timing>,
    elems: FxHashMap<Term, D::Elem>,
    parts: usize,
    transformers: FxHashMap<Which, Rc<Abstracted<D::Elem>>>,
}

/// The whole block, with the values that change.
fn whole(block: &Block<'_>) -> program::Block {
    let values: BTreeMap<VarId, Term> = block.needed.iter().copied().zip(block.values.iter().copied()).collect();
    let changed = |(v, t): &(VarId, Term)| t.as_var().is_none_or(|x| x.id != *v);
    program::Block { condition: block.condition, values: values.into_iter().filter(changed).collect() }
}

impl<D: NumPredDom> Domain<D> {
    pub(super) fn new(domain: D, frame: Frame, thresholds: Vec<LinCons>, timing: Rc<Timing>) -> Domain<D> {
        Domain { domain, frame, thresholds, timing, elems: FxHashMap::default(), parts: 0, transformers: FxHashMap::default() }
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

    fn gamma(&self, e: &D::Elem) -> Term {
        self.timing.of(Part::Gamma, || self.domain.gamma_in(e, &mut Terms(&self.frame)))
    }

    fn join(&self, a: &D::Elem, b: &D::Elem) -> Result<D::Elem, Full> {
        self.timing.of(Part::Join, || self.domain.join(a, b))
    }

    /// αPost of a path of a block, or of the block.
    fn transformer(
        &mut self,
        key: Which,
        taken: &program::Block,
        needed: &[VarId],
        kept: Predicates<'_>,
        answers: &mut Answers,
    ) -> Result<Rc<Abstracted<D::Elem>>, Full> {
        if let Some(known) = self.transformers.get(&key) {
            return Ok(known.clone());
        }
        let live = |v: VarId| needed.binary_search(&v).is_ok();
        let kept = Kept { live: &live, predicates: kept };
        let made = self.timing.of(Part::Post, || {
            let t = transformer(&self.frame, taken, &kept, &mut Asked(answers));
            compile(&self.domain, &t)
        })?;
        let made = Rc::new(made);
        self.transformers.insert(key, made.clone());
        Ok(made)
    }

    fn after(&self, t: &Abstracted<D::Elem>, before: &D::Elem) -> Result<D::Elem, Full> {
        self.timing.of(Part::Apply, || self.domain.reduce(&apply(&self.domain, t, before)?))
    }

    /// An element that includes `sum` and the image of an edge.
    fn include(
        &mut self,
        sum: D::Elem,
        paths: &mut Paths,
        kept: Predicates<'_>,
        solver: &mut Entailment,
        edge: &Edge<'_>,
    ) -> Result<D::Elem, Full> {
        let before = self.elem(edge.label)?;
        let (id, block) = (paths.id(&edge.block), &edge.block);
        let mut sum = sum;
        for k in 0..paths.found[id].len() {
            let taken = paths.found[id][k].clone();
            let t = self.transformer((id, Some(k)), &taken, block.needed, kept, &mut paths.answers)?;
            sum = self.join(&sum, &self.after(&t, &before)?)?;
        }
        solver.with(&[edge.label, block.condition], |solver| loop {
            let lacking = block.before(self.gamma(&sum)).not();
            if lacking.is_false() {
                return Ok(sum);
            }
            let model = match solver.model_of(lacking) {
                Some(None) => return Ok(sum),
                Some(Some(model)) => Some(model),
                None => None,
            };
            let found = model.filter(|_| paths.found[id].len() < MAX_PATHS).and_then(|m| path(&whole(block), &|v| m.var(v)));
            let (key, taken) = match found {
                Some(taken) => {
                    paths.found[id].push(Rc::new(taken.clone()));
                    ((id, Some(paths.found[id].len() - 1)), taken)
                }
                None => ((id, None), whole(block)),
            };
            let t = self.transformer(key, &taken, block.needed, kept, &mut paths.answers)?;
            let more = self.join(&sum, &self.after(&t, &before)?)?;
            if key.1.is_none() {
                return Ok(more);
            }
            if more == sum {
                // The transformer lacks the state it was made for: nothing is known then.
                return Ok(self.domain.top());
            }
            sum = more;
        })
    }
}

impl<D: NumPredDom> Transfer for Domain<D> {
    fn label(
        &mut self,
        paths: &mut Paths,
        kept: Predicates<'_>,
        solver: &mut Entailment,
        edges: &[Edge<'_>],
        widen: Option<Widen>,
    ) -> Result<Term, Full> {
        let mut sum = self.domain.bottom();
        for e in edges {
            sum = self.include(sum, paths, kept, solver, e)?;
        }
        if let Some(Widen { last, stops }) = widen {
            let last = self.elem(last)?;
            let thresholds: &[LinCons] = if stops { &self.thresholds } else { &[] };
            sum = self.timing.of(Part::Join, || self.domain.widen_up_to(&last, &sum, thresholds))?;
        }
        if self.domain.is_bottom(&sum)? {
            return Ok(Term::ff());
        }
        let label = self.gamma(&sum);
        self.parts = self.parts.max(self.domain.parts(&sum));
        self.elems.insert(label, sum);
        Ok(label)
    }

    fn parts(&self) -> usize {
        self.parts
    }

    fn suited(&self) -> Option<Vec<Term>> {
        let mut elems: Vec<(&Term, &D::Elem)> = self.elems.iter().collect();
        elems.sort_by_key(|e| e.0);
        let order = self.domain.sifted(&elems.into_iter().map(|e| e.1).collect::<Vec<_>>())?;
        let terms: Vec<Term> = self.frame.predicates().map(|p| p.1).collect();
        Some(order.into_iter().map(|p| terms[p.0 as usize]).collect())
    }
}

/// The solver as the oracle of predicate updates.
struct Asked<'a>(&'a mut Answers);

impl Oracle for Asked<'_> {
    fn core(&mut self, facts: &[Term], assumptions: &[Term]) -> Option<Vec<Term>> {
        self.0.core(facts, assumptions)
    }

    fn model(&mut self, facts: &[Term], about: &[Term]) -> Option<Vec<bool>> {
        self.0.model(facts, about)
    }
}
