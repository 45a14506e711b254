//! PRED(V_P): sets of valuations as diagrams. A predicate has the level `2i`, its primed one `2i + 1`, so that renaming keeps the order.

use crate::expr::{Literal, Logic, Pred};
use crate::vocabulary::Vocabulary;
use plumb_dd::{Bdd, Full, Manager};
use plumb_num::{LinCons, NumDomain};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

/// So many nodes the diagrams of one domain have at most.
pub(crate) const MAX_NODES: usize = 8_000_000;

/// The level of a predicate.
pub(crate) fn level(p: Pred, primed: bool) -> u32 {
    2 * p.0 + u32::from(primed)
}

/// The predicate of a level, and whether it is primed.
pub(crate) fn pred(level: u32) -> (Pred, bool) {
    (Pred(level / 2), level % 2 == 1)
}

/// The literal of a level.
pub(crate) fn literal(level: u32, value: bool) -> Literal {
    match pred(level) {
        (p, false) => Literal::Pred(p, value),
        (p, true) => Literal::Primed(p, value),
    }
}

/// The diagrams.
#[derive(Debug)]
pub(crate) struct Props {
    pub(crate) dd: RefCell<Manager>,
}

/// Disjoint sets of valuations with what is known in each.
pub(crate) type Pieces<E> = Vec<(Bdd, E)>;

impl Props {
    pub(crate) fn new() -> Props {
        Props { dd: RefCell::new(Manager::new(MAX_NODES)) }
    }

    pub(crate) fn literal(&self, p: Pred, primed: bool, positive: bool) -> Result<Bdd, Full> {
        let mut dd = self.dd.borrow_mut();
        let v = dd.var(level(p, primed))?;
        if positive {
            Ok(v)
        } else {
            dd.not(v)
        }
    }

    pub(crate) fn and(&self, a: Bdd, b: Bdd) -> Result<Bdd, Full> {
        self.dd.borrow_mut().and(a, b)
    }

    pub(crate) fn or(&self, a: Bdd, b: Bdd) -> Result<Bdd, Full> {
        self.dd.borrow_mut().or(a, b)
    }

    /// `a ∧ ¬b`.
    pub(crate) fn minus(&self, a: Bdd, b: Bdd) -> Result<Bdd, Full> {
        let mut dd = self.dd.borrow_mut();
        dd.ite(b, Bdd::FALSE, a)
    }

    pub(crate) fn implies(&self, a: Bdd, b: Bdd) -> Result<bool, Full> {
        self.dd.borrow_mut().implies(a, b)
    }

    pub(crate) fn exists(&self, predicates: &BTreeSet<Pred>, a: Bdd) -> Result<Bdd, Full> {
        let chosen = |l: u32| matches!(pred(l), (p, false) if predicates.contains(&p));
        self.dd.borrow_mut().exists(a, &chosen)
    }

    pub(crate) fn unprime(&self, a: Bdd) -> Result<Bdd, Full> {
        self.dd.borrow_mut().rename(a, &|l| l & !1)
    }

    pub(crate) fn gamma<L: Logic>(&self, a: Bdd, logic: &mut L) -> L::Formula {
        formula(&self.dd.borrow(), a, logic, &literal)
    }
}

/// Smaller diagrams are not worth another order.
const WORTH_SIFTING: usize = 400;

/// An order of the predicates in which functions have fewer nodes, if they have many. A predicate and its primed one stay together, and before all that is no predicate.
pub(crate) fn sifted(dd: &Manager, roots: &[Bdd], predicates: u32) -> Option<Vec<Pred>> {
    let before = dd.size(roots);
    if before < WORTH_SIFTING {
        return None;
    }
    let groups: Vec<Vec<u32>> = (0..predicates).map(|p| [false, true].map(|primed| level(Pred(p), primed)).to_vec()).collect();
    let (order, size) = plumb_dd::sift(dd, roots, &groups);
    (size < before).then(|| order.into_iter().map(|g| Pred(g as u32)).collect())
}

/// A diagram as a formula; shared nodes are shared formulas.
pub(crate) fn formula<L: Logic>(dd: &Manager, f: Bdd, logic: &mut L, literal: &dyn Fn(u32, bool) -> Literal) -> L::Formula {
    formula_in(dd, f, logic, literal, &mut FxHashMap::default())
}

fn formula_in<L: Logic>(
    dd: &Manager,
    f: Bdd,
    logic: &mut L,
    literal: &dyn Fn(u32, bool) -> Literal,
    done: &mut FxHashMap<Bdd, L::Formula>,
) -> L::Formula {
    let Some((level, low, high)) = dd.node(f) else { return logic.constant(f == Bdd::TRUE) };
    if let Some(known) = done.get(&f) {
        return known.clone();
    }
    let (yes, no) = (logic.literal(&literal(level, true)), logic.literal(&literal(level, false)));
    let out = match (low, high) {
        (Bdd::FALSE, _) => {
            let high = formula_in(dd, high, logic, literal, done);
            logic.and(vec![yes, high])
        }
        (_, Bdd::FALSE) => {
            let low = formula_in(dd, low, logic, literal, done);
            logic.and(vec![no, low])
        }
        (Bdd::TRUE, _) => {
            let high = formula_in(dd, high, logic, literal, done);
            logic.or(vec![no, high])
        }
        (_, Bdd::TRUE) => {
            let low = formula_in(dd, low, logic, literal, done);
            logic.or(vec![yes, low])
        }
        _ => {
            let (low, high) = (formula_in(dd, low, logic, literal, done), formula_in(dd, high, logic, literal, done));
            let (low, high) = (logic.and(vec![no, low]), logic.and(vec![yes, high]));
            logic.or(vec![high, low])
        }
    };
    done.insert(f, out.clone());
    out
}

/// Predicates with their truth.
pub(crate) type Signs = Vec<(Pred, bool)>;

/// So many elements are remembered with what they imply.
const MAX_REMEMBERED: usize = 100_000;

/// What elements say of the predicates that are numeric terms: the same elements come again and again.
#[derive(Debug)]
pub(crate) struct Implied<E>(RefCell<FxHashMap<E, Rc<Signs>>>);

impl<E: Clone + Eq + std::hash::Hash> Implied<E> {
    pub(crate) fn new() -> Implied<E> {
        Implied(RefCell::default())
    }

    /// The literals of such predicates that an element implies.
    fn of<D: NumDomain<Elem = E>>(&self, vocabulary: &Vocabulary, domain: &D, e: &E) -> Rc<Signs> {
        if let Some(known) = self.0.borrow().get(e) {
            return known.clone();
        }
        let mut implied = Vec::new();
        for (p, c) in vocabulary.tied() {
            if domain.entails(e, c) {
                implied.push((p, true));
            } else if domain.entails(e, &c.negated()) {
                implied.push((p, false));
            }
        }
        let implied = Rc::new(implied);
        let mut known = self.0.borrow_mut();
        if known.len() >= MAX_REMEMBERED {
            known.clear();
        }
        known.insert(e.clone(), implied.clone());
        implied
    }

    /// What the predicates of a path, ascending, and an element say together: the element restricted by the predicates that are numeric terms, and the literals of such predicates that it
    /// implies; nothing if they contradict each other. This is α(γ(·)) of one path. What the element implies by itself costs nothing.
    pub(crate) fn refined<D: NumDomain<Elem = E>>(
        &self,
        vocabulary: &Vocabulary,
        domain: &D,
        path: &[(Pred, bool)],
        e: &E,
    ) -> Option<(E, Rc<Signs>)> {
        let own = self.of(vocabulary, domain, e);
        let mut open: Vec<LinCons> = Vec::new();
        for (p, b) in path {
            match own.binary_search_by_key(p, |s| s.0) {
                Ok(i) if own[i].1 != *b => return None,
                Ok(_) => {}
                Err(_) => open.extend(vocabulary.signed(*p, *b)),
            }
        }
        if open.is_empty() {
            return Some((e.clone(), own));
        }
        let mut now = domain.assume_all(e, &open);
        if open.iter().any(|c| c.kind() == plumb_num::ConsKind::Ne) {
            now = domain.assume_all(&now, &open);
        }
        if domain.is_bottom(&now) {
            return None;
        }
        let implied = self.of(vocabulary, domain, &now);
        Some((now, implied))
    }
}

/// Adds a piece to disjoint ones; pieces with equal elements are one.
pub(crate) fn add<E: PartialEq>(props: &Props, pieces: &mut Pieces<E>, set: Bdd, e: E) -> Result<(), Full> {
    if set == Bdd::FALSE {
        return Ok(());
    }
    match pieces.iter_mut().find(|p| p.1 == e) {
        Some(known) => known.0 = props.or(known.0, set)?,
        None => pieces.push((set, e)),
    }
    Ok(())
}

/// `reduce` of disjoint pieces: along every path of the function that they are, what [`Implied::refined`] says. The paths are those of its multi-terminal diagram, so that the result depends on the
/// function alone.
pub(crate) struct Reducer<'a, D: NumDomain> {
    pub(crate) props: &'a Props,
    pub(crate) vocabulary: &'a Vocabulary,
    pub(crate) domain: &'a D,
    pub(crate) implied: &'a Implied<D::Elem>,
    pub(crate) pieces: &'a [(Bdd, D::Elem)],
    pub(crate) done: FxHashMap<Node, Rc<Pieces<D::Elem>>>,
}

/// The cofactors of the pieces along a path, by piece, and what the path says of predicates that are numeric terms.
type Node = (Vec<(Bdd, usize)>, Signs);

impl<D: NumDomain> Reducer<'_, D> {
    pub(crate) fn run(&mut self) -> Result<Pieces<D::Elem>, Full> {
        let start: Vec<(Bdd, usize)> = self.pieces.iter().enumerate().map(|(i, p)| (p.0, i)).collect();
        Ok(self.walk(start, Vec::new())?.to_vec())
    }

    fn walk(&mut self, mut at: Vec<(Bdd, usize)>, path: Signs) -> Result<Rc<Pieces<D::Elem>>, Full> {
        at.retain(|p| p.0 != Bdd::FALSE);
        if let Some(known) = self.done.get(&(at.clone(), path.clone())) {
            return Ok(known.clone());
        }
        let first = at.iter().filter_map(|p| self.props.dd.borrow().node(p.0).map(|n| n.0)).min();
        let mut out: Pieces<D::Elem> = Vec::new();
        match (first, at.as_slice()) {
            (None, []) => {}
            (None, [(_, i), ..]) => {
                if let Some((e, implied)) = self.implied.refined(self.vocabulary, self.domain, &path, &self.pieces[*i].1) {
                    let mut set = Bdd::TRUE;
                    for (p, b) in implied.iter() {
                        set = self.props.and(set, self.props.literal(*p, false, *b)?)?;
                    }
                    out.push((set, e));
                }
            }
            (Some(level), _) => {
                for value in [false, true] {
                    let part = |f: Bdd| self.props.dd.borrow().branch(f, level, value);
                    let below: Vec<(Bdd, usize)> = at.iter().map(|(f, i)| (part(*f), *i)).collect();
                    let mut path = path.clone();
                    if let Literal::Pred(p, b) = literal(level, value) {
                        path.extend(self.vocabulary.meaning(p).map(|_| (p, b)));
                    }
                    let (p, primed) = pred(level);
                    let here = self.props.literal(p, primed, value)?;
                    for (set, e) in self.walk(below, path)?.iter() {
                        add(self.props, &mut out, self.props.and(*set, here)?, e.clone())?;
                    }
                }
            }
        }
        let out = Rc::new(out);
        self.done.insert((at, path), out.clone());
        Ok(out)
    }
}
