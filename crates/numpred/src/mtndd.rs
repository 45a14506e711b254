//! MTNDD (Section V.C): functions from valuations to numeric elements, 2^P → N, as multi-terminal diagrams.
//!
//! The paper simulates multi-terminal diagrams by binary ones whose later variables are numeric terms, and pays for the way between terms and elements at every operation. Here leaves
//! are elements, each stored once, and what was computed with two of them is remembered; so an operation costs the product of the diagrams' sizes, and each numeric
//! operation is done once. The functions, and so the precision, are those of [`crate::nex`].

use crate::domain::NumPredDom;
use crate::expr::{Literal, Logic, Pred};
use crate::intern::Interned;
use crate::props::{level, literal, pred, Props, MAX_NODES};
use crate::restrict::{Path, Restrict};
use crate::update::{self, Update};
use crate::vocabulary::Vocabulary;
use plumb_dd::{Bdd, Full, Multi, MultiManager, Test};
use plumb_num::{Dim, LinCons, NumDomain};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::BTreeSet;

/// The leaf ⊥.
pub(crate) const BOTTOM: u32 = 0;
/// The leaf ⊤.
const TOP: u32 = 1;

/// So many results of `reduce` are remembered.
const MAX_REDUCED: usize = 1_000_000;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Op {
    Join,
    Meet,
    Leq,
}

/// Elements, each once, and what was computed with them.
#[derive(Debug)]
struct Leaves<E> {
    elems: Interned<E>,
    done: FxHashMap<(Op, u32, u32), u32>,
}

/// The domain.
#[derive(Debug)]
pub struct Mtndd<D: NumDomain> {
    vocabulary: Vocabulary,
    domain: D,
    props: Props,
    multi: RefCell<MultiManager>,
    leaves: RefCell<Leaves<D::Elem>>,
    restrict: Restrict<D::Elem>,
    /// Results of `reduce` below a path.
    reduced: RefCell<FxHashMap<(Multi, Path), Multi>>,
    bottom: Multi,
    top: Multi,
}

impl<D: NumDomain> Mtndd<D> {
    /// Over a numeric domain.
    pub fn new(vocabulary: Vocabulary, domain: D) -> Result<Mtndd<D>, Full> {
        let mut multi = MultiManager::new(MAX_NODES);
        let (bottom, top) = (multi.leaf(BOTTOM)?, multi.leaf(TOP)?);
        let elems = Interned::new([domain.bottom(), domain.top()]);
        let leaves = RefCell::new(Leaves { elems, done: FxHashMap::default() });
        let (restrict, reduced) = (Restrict::new(domain.top()), RefCell::default());
        Ok(Mtndd { vocabulary, domain, props: Props::new(), multi: RefCell::new(multi), leaves, restrict, reduced, bottom, top })
    }

    /// The leaf of an element.
    pub(crate) fn id(&self, e: D::Elem) -> u32 {
        if self.domain.is_bottom(&e) {
            return BOTTOM;
        }
        self.leaves.borrow_mut().elems.id(e)
    }

    /// The leaf of an element that widening gave. An equal one that is stored may say more constraints than this one does (octagons that are closed): the next widening must not find these again.
    fn widened(&self, e: D::Elem) -> u32 {
        let id = self.id(e.clone());
        if id > TOP {
            self.leaves.borrow_mut().elems.replace(id, e);
        }
        id
    }

    /// The element of a leaf.
    pub(crate) fn elem(&self, id: u32) -> D::Elem {
        self.leaves.borrow().elems.get(id).clone()
    }

    /// What a diagram does first.
    pub(crate) fn test(&self, a: Multi) -> Test {
        self.multi.borrow().test(a)
    }

    /// The diagram of a leaf.
    pub(crate) fn leaf(&self, id: u32) -> Result<Multi, Full> {
        self.multi.borrow_mut().leaf(id)
    }

    /// The diagram that tests a level first.
    pub(crate) fn make(&self, level: u32, low: Multi, high: Multi) -> Result<Multi, Full> {
        self.multi.borrow_mut().make(level, low, high)
    }

    fn remembered(&self, op: Op, a: u32, b: u32, compute: &dyn Fn(&D::Elem, &D::Elem) -> u32) -> u32 {
        let key = (op, a, b);
        if let Some(known) = self.leaves.borrow().done.get(&key) {
            return *known;
        }
        let out = compute(&self.elem(a), &self.elem(b));
        self.leaves.borrow_mut().done.insert(key, out);
        out
    }

    pub(crate) fn join_leaves(&self, a: u32, b: u32) -> u32 {
        match (a.min(b), a.max(b)) {
            (BOTTOM, x) => x,
            (TOP, _) => TOP,
            (x, y) if x == y => x,
            _ => self.remembered(Op::Join, a, b, &|x, y| self.id(self.domain.join(x, y))),
        }
    }

    fn meet_leaves(&self, a: u32, b: u32) -> u32 {
        match (a.min(b), a.max(b)) {
            (BOTTOM, _) => BOTTOM,
            (TOP, x) => x,
            (x, y) if x == y => x,
            _ => self.remembered(Op::Meet, a, b, &|x, y| self.id(self.domain.meet(x, y))),
        }
    }

    fn leq_leaves(&self, a: u32, b: u32) -> bool {
        a == BOTTOM || a == b || b == TOP || self.remembered(Op::Leq, a, b, &|x, y| u32::from(self.domain.leq(x, y))) == 1
    }

    fn map(&self, a: Multi, op: &mut dyn FnMut(u32) -> u32) -> Result<Multi, Full> {
        self.multi.borrow_mut().map(a, op)
    }

    fn apply(&self, a: Multi, b: Multi, op: &mut dyn FnMut(u32, u32) -> u32) -> Result<Multi, Full> {
        self.multi.borrow_mut().apply(a, b, op)
    }

    /// An element for the valuations of a set, ⊥ for the others.
    fn on(&self, set: Bdd, id: u32) -> Result<Multi, Full> {
        self.multi.borrow_mut().choose(&self.props.dd.borrow(), set, id, BOTTOM)
    }

    fn literals(&self, ls: &[(Pred, bool, bool)]) -> Result<Bdd, Full> {
        let mut set = Bdd::TRUE;
        for (p, primed, b) in ls {
            set = self.props.and(set, self.props.literal(*p, *primed, *b)?)?;
        }
        Ok(set)
    }

    fn reduce_at(&self, a: Multi, path: Path) -> Result<Multi, Full> {
        if let Some(known) = self.reduced.borrow().get(&(a, path)) {
            return Ok(*known);
        }
        let out = match self.test(a) {
            Test::Leaf(BOTTOM) => a,
            Test::Leaf(id) => match self.restrict.refined(&self.vocabulary, &self.domain, path, &self.elem(id)) {
                None => self.bottom,
                Some((e, implied)) => self.on(self.props.cube(&implied)?, self.id(e))?,
            },
            Test::Level { level, low, high } => {
                let mut sum = self.bottom;
                for (value, below) in [(false, low), (true, high)] {
                    let Some(path) = self.restrict.after(&self.vocabulary, &self.domain, path, level, value) else { continue };
                    let part = self.reduce_at(below, path)?;
                    let (p, primed) = pred(level);
                    let here = self.on(self.props.literal(p, primed, value)?, TOP)?;
                    let part = self.apply(part, here, &mut |a, b| self.meet_leaves(a, b))?;
                    sum = self.apply(sum, part, &mut |a, b| self.join_leaves(a, b))?;
                }
                sum
            }
        };
        self.reduced.borrow_mut().insert((a, path), out);
        Ok(out)
    }

    fn gamma_at<L: Logic>(&self, a: Multi, logic: &mut L, done: &mut FxHashMap<Multi, L::Formula>) -> L::Formula {
        if let Some(known) = done.get(&a) {
            return known.clone();
        }
        let out = match self.test(a) {
            Test::Leaf(id) => {
                let cs = self.domain.constraints(&self.elem(id));
                let parts =
                    cs.into_iter().map(|c| if c.is_never() { logic.constant(false) } else { logic.literal(&Literal::Cons(c)) }).collect();
                logic.and(parts)
            }
            Test::Level { level, low, high } => {
                let (low, high) = (self.gamma_at(low, logic, done), self.gamma_at(high, logic, done));
                let (no, yes) = (logic.literal(&literal(level, false)), logic.literal(&literal(level, true)));
                let (low, high) = (logic.and(vec![no, low]), logic.and(vec![yes, high]));
                logic.or(vec![high, low])
            }
        };
        done.insert(a, out.clone());
        out
    }
}

impl<D: NumDomain> NumPredDom for Mtndd<D> {
    type Num = D;
    type Elem = Multi;

    fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    fn top(&self) -> Multi {
        self.top
    }

    fn bottom(&self) -> Multi {
        self.bottom
    }

    fn is_bottom(&self, a: &Multi) -> Result<bool, Full> {
        Ok(*a == self.bottom)
    }

    fn is_top(&self, a: &Multi) -> Result<bool, Full> {
        Ok(*a == self.top)
    }

    fn leq(&self, a: &Multi, b: &Multi) -> Result<bool, Full> {
        let out = self.apply(*a, *b, &mut |x, y| if self.leq_leaves(x, y) { TOP } else { BOTTOM })?;
        Ok(out == self.top)
    }

    fn join(&self, a: &Multi, b: &Multi) -> Result<Multi, Full> {
        self.apply(*a, *b, &mut |x, y| self.join_leaves(x, y))
    }

    fn meet(&self, a: &Multi, b: &Multi) -> Result<Multi, Full> {
        self.apply(*a, *b, &mut |x, y| self.meet_leaves(x, y))
    }

    fn widen_up_to(&self, old: &Multi, new: &Multi, thresholds: &[LinCons]) -> Result<Multi, Full> {
        let mut done: FxHashMap<(u32, u32), u32> = FxHashMap::default();
        self.apply(*old, *new, &mut |x, y| {
            let both = self.join_leaves(x, y);
            if x == BOTTOM || both == x {
                return both;
            }
            *done.entry((x, both)).or_insert_with(|| self.widened(self.domain.widen_up_to(&self.elem(x), &self.elem(both), thresholds)))
        })
    }

    fn alpha_p(&self, p: Pred, primed: bool, positive: bool) -> Result<Multi, Full> {
        self.on(self.props.literal(p, primed, positive)?, TOP)
    }

    fn alpha_n(&self, c: &LinCons) -> Result<Multi, Full> {
        self.leaf(self.id(self.domain.of_constraints(std::slice::from_ref(c))))
    }

    fn gamma_in<L: Logic>(&self, a: &Multi, logic: &mut L) -> L::Formula {
        self.gamma_at(*a, logic, &mut FxHashMap::default())
    }

    fn exists(&self, predicates: &BTreeSet<Pred>, a: &Multi) -> Result<Multi, Full> {
        let chosen = |l: u32| predicates.iter().any(|p| level(*p, false) == l);
        self.multi.borrow_mut().combine(*a, &chosen, &mut |x, y| self.join_leaves(x, y))
    }

    fn unprime(&self, a: &Multi) -> Result<Multi, Full> {
        self.multi.borrow_mut().rename(*a, &|l| l & !1)
    }

    fn reduce(&self, a: &Multi) -> Result<Multi, Full> {
        if self.vocabulary.tied().next().is_none() {
            return Ok(*a);
        }
        if self.restrict.trim() || self.reduced.borrow().len() > MAX_REDUCED {
            self.reduced.borrow_mut().clear();
        }
        self.reduce_at(*a, Path::START)
    }

    fn post_n(&self, a: &Multi, updates: &[(Dim, Update)]) -> Result<Multi, Full> {
        let mut done: FxHashMap<u32, u32> = FxHashMap::default();
        self.map(*a, &mut |x| *done.entry(x).or_insert_with(|| self.id(update::post(&self.domain, &self.elem(x), updates))))
    }

    fn assume_literal(&self, a: &Multi, l: &Literal) -> Result<Multi, Full> {
        let mut ls = Vec::new();
        for p in self.vocabulary.proj_p(l) {
            if let Literal::Pred(p, b) | Literal::Primed(p, b) = p {
                ls.push((p, matches!(l, Literal::Primed(..)), b));
            }
        }
        let mut out = self.meet(a, &self.on(self.literals(&ls)?, TOP)?)?;
        if let Some(c) = self.vocabulary.proj_n(l) {
            out = self.map(out, &mut |x| self.id(self.domain.assume(&self.elem(x), &c)))?;
        }
        Ok(out)
    }
}
