//! Contexts: what the numeric terms of a path say together (Fig. 7), stored once each.
//!
//! `ctxApply` as published walks every path. Two paths that lead to one node need two walks only if they differ in what matters below: a context is therefore cut down to the parts of it
//! that are connected, through constraints, to variables that still occur, and results are remembered by node and context.

use crate::intern::Interned;
use crate::said::Said;
use plumb_num::{ConsKind, Dim, LinCons, NumDomain};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;

/// A context.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Ctx(u32);

/// A set of variables.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Dims(u32);

impl Ctx {
    /// The one that says nothing.
    pub(crate) const TOP: Ctx = Ctx(0);
}

impl Dims {
    /// No variable.
    pub(crate) const NONE: Dims = Dims(0);
}

/// All contexts.
#[derive(Debug)]
pub(crate) struct Contexts<E> {
    said: Interned<Said<E>>,
    assumed: FxHashMap<(Ctx, u32, bool), Rc<[Ctx]>>,
    sets: Interned<BTreeSet<Dim>>,
    unions: FxHashMap<(Dims, Dims), Dims>,
    about: FxHashMap<(Ctx, Dims), Ctx>,
}

impl<E: Clone + Eq + std::hash::Hash> Contexts<E> {
    pub(crate) fn new(top: E) -> Contexts<E> {
        Contexts {
            said: Interned::new([Said::of(top)]),
            assumed: FxHashMap::default(),
            sets: Interned::new([BTreeSet::new()]),
            unions: FxHashMap::default(),
            about: FxHashMap::default(),
        }
    }

    pub(crate) fn elem(&self, c: Ctx) -> &E {
        &self.said.get(c.0).elem
    }

    pub(crate) fn set(&self, dims: Dims) -> &BTreeSet<Dim> {
        self.sets.get(dims.0)
    }

    pub(crate) fn dims(&mut self, set: BTreeSet<Dim>) -> Dims {
        Dims(self.sets.id(set))
    }

    pub(crate) fn union(&mut self, a: Dims, b: Dims) -> Dims {
        if a == b || b == Dims::NONE {
            return a;
        }
        if let Some(known) = self.unions.get(&(a, b)) {
            return *known;
        }
        let set = self.set(a).union(self.set(b)).copied().collect();
        let out = self.dims(set);
        self.unions.insert((a, b), out);
        out
    }

    /// The contexts, none of them empty, that a literal of a level leaves of one: two where it is `≠`, since elements are convex.
    pub(crate) fn assume<D: NumDomain<Elem = E>>(&mut self, domain: &D, c: Ctx, level: u32, value: bool, term: &LinCons) -> Rc<[Ctx]> {
        let key = (c, level, value);
        if let Some(known) = self.assumed.get(&key) {
            return known.clone();
        }
        let term = if value { term.clone() } else { term.negated() };
        let before = self.said.get(c.0).clone();
        let mut parts: Vec<Said<E>> = before.and(domain, &term).into_iter().collect();
        if term.kind() == ConsKind::Ne && parts.iter().any(|p| !domain.entails(&p.elem, &term)) {
            parts = term.cases().iter().flat_map(|t| parts.iter().filter_map(|p| p.clone().and(domain, t))).collect();
        }
        let out: Rc<[Ctx]> = parts.into_iter().map(|e| Ctx(self.said.id(e))).collect();
        self.assumed.insert(key, out.clone());
        out
    }

    /// The part of a context that is connected to some variables.
    pub(crate) fn about<D: NumDomain<Elem = E>>(&mut self, domain: &D, c: Ctx, dims: Dims) -> Ctx {
        if c == Ctx::TOP {
            return c;
        }
        if let Some(known) = self.about.get(&(c, dims)) {
            return *known;
        }
        let Said { elem, pending } = self.said.get(c.0);
        let mut cs = domain.constraints(elem);
        let own = cs.len();
        cs.extend(pending.iter().cloned());
        let kept = connected(&cs, self.set(dims));
        let out = if kept.iter().all(|k| *k) {
            c
        } else {
            let some = |range: std::ops::Range<usize>| -> Vec<LinCons> { range.filter(|i| kept[*i]).map(|i| cs[i].clone()).collect() };
            let said = Said { elem: domain.of_constraints(&some(0..own)), pending: some(own..cs.len()) };
            Ctx(self.said.id(said))
        };
        self.about.insert((c, dims), out);
        out
    }
}

/// Which constraints are connected to some variables. One that never holds is: a polyhedron without integer points has it.
pub(crate) fn connected(cs: &[LinCons], start: &BTreeSet<Dim>) -> Vec<bool> {
    let mut inside = start.clone();
    let mut kept: Vec<bool> = cs.iter().map(LinCons::is_never).collect();
    loop {
        let mut grows = false;
        for (c, k) in cs.iter().zip(&mut kept).filter(|(_, k)| !**k) {
            if c.expr().dims().any(|d| inside.contains(&d)) {
                *k = true;
                inside.extend(c.expr().dims());
                grows = true;
            }
        }
        if !grows {
            return kept;
        }
    }
}
