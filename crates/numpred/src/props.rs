//! PRED(V_P): sets of valuations as diagrams. A predicate has the level `2i`, its primed one `2i + 1`, so that renaming keeps the order.

use crate::expr::{Literal, Logic, Pred};
use plumb_dd::{Bdd, Full, Manager};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::BTreeSet;

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

    /// The conjunction of literals of this state, ascending.
    pub(crate) fn cube(&self, signs: &[(Pred, bool)]) -> Result<Bdd, Full> {
        let mut dd = self.dd.borrow_mut();
        signs.iter().rev().try_fold(Bdd::TRUE, |below, (p, positive)| {
            let v = dd.var(level(*p, false))?;
            let (high, low) = if *positive { (below, Bdd::FALSE) } else { (Bdd::FALSE, below) };
            dd.ite(v, high, low)
        })
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
