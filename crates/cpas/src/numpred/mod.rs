//! Predicate and numeric abstraction in one domain (Gurfinkel and Chaki, FMCAD 2008): the CPA over any structure of `plumb-numpred`.
//!
//! **Operators.** Within a block the transfer relation only collects the formula of the path, as predicate analysis does ([`crate::block`]); a block ends where paths meet, at loop heads and at
//! errors, so that within it there is one path. At its end `prec` applies the abstract transformer of the formula, which is made once for each block: conditions and linear assignments structurally,
//! predicates by the solver. `merge` joins, and widens at cuts; states of one block are replaced when its start has grown.
//!
//! A precision (V_N, V_P) is the same everywhere, but at a place only what is live counts: the rest is forgotten there. [`engine`] refines it.

mod engine;
mod oracle;
mod refine;
#[cfg(test)]
mod tests;

pub use engine::run;
pub use plumb_numpred::Structure;

use crate::block::Formula;
use crate::numeric::lin_cons;
use engine::Shared;
use plumb_cfa::Op;
use plumb_cpa::{Cpa, Domain, Flow, Note, Place, Site, Step};
use plumb_num::{Dim, LinCons};
use plumb_numpred::program::{transformer, Block, Frame, Kept, Terms};
use plumb_numpred::transformer::{apply, compile, Abstracted};
use plumb_numpred::{Full, NumPredDom, Part, Update};
use plumb_term::{Term, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Joins at a cut before widening.
const DELAY: u32 = 2;
/// Widenings up to thresholds before all constraints that move are given up.
const THRESHOLD_STEPS: u32 = 4;
/// So many rounds at a cut, and numbers are given up altogether.
const MAX_ROUNDS: u32 = 40;
/// So many conditions of the program are thresholds at most.
const MAX_THRESHOLDS: usize = 200;

/// What a transformer is made of: condition, values, and where the block ends.
type Key = (Term, Vec<(VarId, Term)>, Option<Place>);

/// The analysis with one precision.
pub(crate) struct NumPred<'a, D: NumPredDom> {
    name: &'static str,
    domain: D,
    frame: &'a Frame,
    shared: &'a Shared<'a>,
    thresholds: Vec<LinCons>,
    made: RefCell<FxHashMap<Key, Rc<Abstracted<D::Elem>>>>,
    starts: Cell<u64>,
}

/// Places where blocks end.
#[derive(Debug)]
pub(crate) struct Ends(FxHashSet<Place>);

impl Ends {
    /// Of a program.
    pub(crate) fn new(flow: &Flow<'_>) -> Ends {
        let mut entering: FxHashMap<Place, u32> = FxHashMap::default();
        for s in flow.steps() {
            *entering.entry(s.to).or_default() += 1;
        }
        let unsupported = |p: &Place| {
            let f = flow.program().function(p.func);
            f.graph.out_edges(p.loc).iter().any(|e| matches!(f.graph.edge(*e).op, Op::Unsupported(_)))
        };
        let ends = |p: &Place| entering.get(p).is_some_and(|n| *n > 1) || flow.is_cut(*p, true) || flow.is_error(*p) || unsupported(p);
        Ends(flow.places().filter(ends).collect())
    }

    /// Whether blocks end here.
    pub(crate) fn has(&self, at: Option<Place>) -> bool {
        at.is_none_or(|p| self.0.contains(&p))
    }
}

/// A state: the element at the start of the block, and the formula of the path since.
#[derive(Clone, Debug)]
pub(crate) struct State<E> {
    elem: E,
    since: Formula,
    /// The number of the start, which stays when it grows.
    start: u64,
    /// How often it has grown at a cut.
    rounds: u32,
}

impl<E: PartialEq> PartialEq for State<E> {
    fn eq(&self, o: &State<E>) -> bool {
        self.elem == o.elem && self.since == o.since
    }
}

impl<'a, D: NumPredDom> NumPred<'a, D> {
    fn new(name: &'static str, domain: D, frame: &'a Frame, shared: &'a Shared<'a>) -> NumPred<'a, D> {
        let mut found = BTreeSet::new();
        for (_, e) in shared.flow.program().functions.iter().flat_map(|f| f.graph.edges()) {
            if let Op::Assume(c) | Op::Guard { cond: c, .. } = &e.op {
                found.extend(lin_cons(*c));
            }
        }
        let followed = |c: &LinCons| c.expr().dims().all(|d| frame.is_number(VarId(d.0)));
        let thresholds = found.into_iter().filter(followed).take(MAX_THRESHOLDS).collect();
        NumPred { name, domain, frame, shared, thresholds, made: RefCell::new(FxHashMap::default()), starts: Cell::new(0) }
    }

    /// What the domain says; everything where its diagrams are full, which is sound.
    fn or_top(&self, e: Result<D::Elem, Full>) -> D::Elem {
        e.unwrap_or_else(|Full| {
            self.shared.timing.full();
            self.domain.top()
        })
    }

    fn transformer(&self, since: &Formula, to: Option<Place>) -> Result<Rc<Abstracted<D::Elem>>, Full> {
        let values: BTreeMap<VarId, Term> = since.values().collect();
        let key = (since.condition(), values.iter().map(|(v, t)| (*v, *t)).collect(), to);
        if let Some(known) = self.made.borrow().get(&key) {
            return Ok(known.clone());
        }
        let block = Block { condition: since.condition(), values };
        let live = |v: VarId| to.is_none_or(|p| self.shared.flow.program().is_memory(v) || self.shared.live.is_live(p.func, p.loc, v));
        let made = self.shared.timing.of(Part::Post, || {
            let kept = Kept { live: &live, predicates: &|_| true };
            let t = transformer(self.frame, &block, &kept, &mut *self.shared.prover.borrow_mut());
            compile(&self.domain, &t)
        })?;
        let made = Rc::new(made);
        self.made.borrow_mut().insert(key, made.clone());
        Ok(made)
    }

    /// The element at the end of a block; nothing if there are no states.
    fn end(&self, e: &State<D::Elem>, at: Option<Place>) -> Result<Option<D::Elem>, Full> {
        let t = self.transformer(&e.since, at)?;
        self.shared.timing.of(Part::Apply, || {
            let after = self.domain.reduce(&apply(&self.domain, &t, &e.elem)?)?;
            Ok((!self.domain.is_bottom(&after)?).then_some(after))
        })
    }

    fn merged(&self, new: &State<D::Elem>, old: &State<D::Elem>, at: Site) -> Result<D::Elem, Full> {
        let joined = self.shared.timing.of(Part::Join, || self.domain.join(&old.elem, &new.elem))?;
        self.shared.timing.of(Part::Join, || match old.rounds {
            r if !at.cut || r < DELAY => Ok(joined),
            r if r < DELAY + THRESHOLD_STEPS => self.domain.widen_up_to(&old.elem, &joined, &self.thresholds),
            r if r < MAX_ROUNDS => self.domain.widen(&old.elem, &joined),
            _ => {
                let all: Vec<(Dim, Update)> = self.frame.numeric().map(|v| (Dim(v.id.0), Update::any())).collect();
                self.domain.post_n(&joined, &all)
            }
        })
    }
}

impl<D: NumPredDom> Domain for NumPred<'_, D> {
    type State = State<D::Elem>;

    fn leq(&self, a: &Self::State, b: &Self::State) -> bool {
        let same = a.since == b.since && (a.since.is_empty() || a.start == b.start);
        same && (a.elem == b.elem || self.shared.timing.of(Part::Join, || self.domain.leq(&a.elem, &b.elem)).unwrap_or(false))
    }

    fn join(&self, a: &Self::State, b: &Self::State) -> Self::State {
        State { elem: self.or_top(self.domain.join(&b.elem, &a.elem)), ..b.clone() }
    }
}

impl<D: NumPredDom> Cpa for NumPred<'_, D> {
    /// Within a block, where it started.
    type Key = Option<u64>;
    type Prec = ();

    fn name(&self) -> &'static str {
        self.name
    }

    fn initial(&self) -> Vec<Self::State> {
        vec![State { elem: self.domain.top(), since: Formula::default(), start: 0, rounds: 0 }]
    }

    fn key(&self, e: &Self::State) -> Option<u64> {
        (!e.since.is_empty()).then_some(e.start)
    }

    fn transfer(&self, e: &Self::State, step: &Step) -> Vec<Self::State> {
        let since = e.since.extended(step, false);
        since.map(|since| State { elem: e.elem.clone(), since, start: e.start, rounds: 0 }).into_iter().collect()
    }

    fn merge(&self, new: &Self::State, old: &Self::State, at: Site) -> Self::State {
        if self.leq(new, old) {
            return old.clone();
        }
        if !old.since.is_empty() {
            // There is one path within a block: its start has grown.
            return new.clone();
        }
        State { elem: self.or_top(self.merged(new, old, at)), since: Formula::default(), start: old.start, rounds: old.rounds + 1 }
    }

    fn prec(&self, e: Self::State, (): &(), at: Site) -> Option<Self::State> {
        if !at.cut && !self.shared.ends.has(at.place) {
            return Some(e);
        }
        let elem = match self.end(&e, at.place) {
            Ok(elem) => elem?,
            Err(full) => self.or_top(Err(full)),
        };
        self.starts.set(self.starts.get() + 1);
        Some(State { elem, since: Formula::default(), start: self.starts.get(), rounds: 0 })
    }

    fn narrow(&self, old: &Self::State, new: &Self::State) -> Self::State {
        State { rounds: old.rounds, ..new.clone() }
    }

    fn formulas(&self, e: &Self::State) -> Vec<Term> {
        if !e.since.is_empty() {
            return Vec::new();
        }
        self.shared.timing.of(Part::Gamma, || self.domain.gamma_in(&e.elem, &mut Terms(self.frame))).conjuncts()
    }

    fn notes(&self, e: &Self::State) -> Vec<Note> {
        let name = |v: plumb_term::Var| self.shared.flow.program().var(v.id).name.clone();
        let shown = |t: Term| Note { analysis: self.name, var: None, text: plumb_term::print::show(t, &name).to_string() };
        self.formulas(e).into_iter().map(shown).collect()
    }
}
