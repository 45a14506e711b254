//! Expressions of the abstract program (Section 4 of the paper): `ê` and `abs(a[e], [k₁, …, kₙ])`.
//!
//! A read of memory becomes a choice among the elements that are kept, by the abstract address; what is not kept is the undefined value u,
//! a variable that takes any value before it is read. Terms that are equal have one u: within one state they have one value, so no execution is
//! lost by that. Reads within addresses need no fresh variables: they become choices like all others.

use super::precision::{Element, Precision};
use plumb_cfa::{Program, RegionId, VarKind};
use plumb_term::visit::{postorder, rebuild};
use plumb_term::{Cell, IBig, IntTy, Kind, Scalar, Sort, Term, VarId, VarTy};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Memories that are copied from are followed so deep.
const MAX_COPIES: u32 = 4;

/// What an undefined value stands for: its value in an execution of the concrete program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// That of a term, before the edge.
    Before(Term),
    /// That of an element, after the edge.
    After(Element),
}

/// An undefined value that the edges of a location read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Undefined {
    /// The variable that takes any value.
    pub var: VarId,
    /// What it stands for.
    pub meaning: Meaning,
}

/// The variables of the abstract program that stand for elements.
#[derive(Clone, Debug, Default)]
pub struct Elements {
    /// By element.
    pub by_element: BTreeMap<Element, VarId>,
    /// By variable.
    pub by_var: BTreeMap<VarId, Element>,
}

impl Elements {
    /// The elements of a region, ascending.
    pub fn of(&self, region: RegionId) -> impl Iterator<Item = (Element, VarId)> + '_ {
        self.by_element.iter().filter(move |(e, _)| e.region == region).map(|(e, v)| (*e, *v))
    }
}

/// Makes a new variable of a type for the undefined value with a number.
pub type NewVar<'a> = &'a mut dyn FnMut(VarTy, usize) -> VarId;

/// What is abstracted, and what is kept.
#[derive(Clone, Copy, Debug)]
pub struct Scope<'a> {
    /// The concrete program.
    pub program: &'a Program,
    /// V and R.
    pub precision: &'a Precision,
    /// The variables for R.
    pub elements: &'a Elements,
}

/// Abstracts the expressions at one location.
pub struct Reader<'a> {
    scope: Scope<'a>,
    new_var: NewVar<'a>,
    done: FxHashMap<Term, Term>,
    known: FxHashMap<Term, Term>,
    /// The undefined values that were read, in order.
    pub undefined: Vec<Undefined>,
    used: BTreeMap<VarTy, usize>,
}

impl<'a> Reader<'a> {
    /// For the edges of one location.
    pub fn new(scope: Scope<'a>, new_var: NewVar<'a>) -> Reader<'a> {
        Reader { scope, new_var, done: FxHashMap::default(), known: FxHashMap::default(), undefined: Vec::new(), used: BTreeMap::new() }
    }

    /// A value of which nothing is known.
    pub fn undefined(&mut self, ty: VarTy, meaning: Meaning) -> Term {
        let n = self.used.entry(ty).or_default();
        let var = (self.new_var)(ty, *n);
        *n += 1;
        self.undefined.push(Undefined { var, meaning });
        Term::program_var(var, ty)
    }

    /// The undefined value of a scalar term of the concrete program.
    fn unknown(&mut self, t: Term, ty: VarTy) -> Term {
        if let Some(u) = self.known.get(&t) {
            return *u;
        }
        let u = self.undefined(ty, Meaning::Before(t));
        self.known.insert(t, u);
        u
    }

    /// `ê`: the abstract version of a scalar term.
    pub fn expr(&mut self, t: Term) -> Term {
        if let Some(known) = self.done.get(&t) {
            return *known;
        }
        for n in postorder([t]) {
            if matches!(n.sort(), Sort::Mem(_)) || self.done.contains_key(&n) {
                continue;
            }
            let new = match n.kind() {
                Kind::Var(v) if v.id < VarId::FIRST_AUX && !self.scope.precision.variables.contains(&v.id) => self.unknown(n, v.ty),
                Kind::Load(ty, m, a) => self.select(*ty, *m, *a, 0),
                // A comparison of whole memories.
                Kind::Eq(a, _) if matches!(a.sort(), Sort::Mem(_)) => {
                    let one = Term::ite(n, Term::int(1), Term::int(0));
                    self.unknown(one, VarTy::Scalar(Scalar::Int(IntTy::U8))).differs(Term::int(0))
                }
                Kind::Ite(_, a, b) if self.is_undefined(*a) && self.is_undefined(*b) && self.done[a].sort() == self.done[b].sort() => {
                    self.either(n, *a, *b)
                }
                _ => rebuild(n, &|c| self.done.get(&c).copied().unwrap_or(c)),
            };
            self.done.insert(n, new);
        }
        self.done.get(&t).copied().unwrap_or(t)
    }

    fn is_undefined(&self, t: Term) -> bool {
        self.done.get(&t).is_some_and(|d| self.undefined.iter().any(|u| d.as_var().is_some_and(|v| v.id == u.var)))
    }

    /// `(e' ? u : u)` is u, if the two have one type.
    fn either(&mut self, t: Term, a: Term, b: Term) -> Term {
        let ty = |x: Term| self.done[&x].as_var().map(|v| v.ty);
        match (ty(a), ty(b)) {
            (Some(x), Some(y)) if x == y => self.unknown(t, x),
            _ => rebuild(t, &|c| self.done.get(&c).copied().unwrap_or(c)),
        }
    }

    /// The abstract value of reading a scalar at an address of a memory, which are terms of the concrete program.
    pub fn select(&mut self, ty: Scalar, memory: Term, addr: Term, depth: u32) -> Term {
        let mut layers = Vec::new();
        let mut base = memory;
        while let Kind::Store(_, inner, ..) | Kind::Splice { mem: inner, .. } = base.kind() {
            layers.push(base);
            base = *inner;
        }
        let at = self.expr(addr);
        let mut value = match base.kind() {
            Kind::ZeroMem(_) => zero(ty),
            Kind::Var(v) => self.read(ty, base, v.id, addr, at),
            _ => self.unknown(Term::load(ty, base, addr), VarTy::Scalar(ty)),
        };
        for layer in layers.into_iter().rev() {
            let here = Term::load(ty, layer, addr);
            value = match layer.kind() {
                Kind::Store(stored, _, a, v) => {
                    let (to, v) = (self.expr(*a), self.expr(*v));
                    let (same, apart) = (at.equals(to), apart(layer, (at, ty), (to, *stored)));
                    match converted(v, *stored, ty) {
                        // Where the place is the same it does not matter what lies below.
                        Some(v) if apart.or(same).is_true() => Term::ite(same, v, value),
                        Some(v) => Term::ite(same, v, self.when(apart, value, here, ty)),
                        None => self.when(apart, value, here, ty),
                    }
                }
                Kind::Splice { src, lo, len, .. } => {
                    let (lo, len) = (self.expr(*lo), self.expr(*len));
                    let width = width(ty, layer);
                    let (end, hi) = (at.plus(width), lo.add(len));
                    let inside = lo.less_eq(at).and(end.less_eq(hi));
                    let outside = end.less_eq(lo).or(hi.less_eq(at));
                    let from = if inside.is_false() || depth >= MAX_COPIES {
                        self.unknown(here, VarTy::Scalar(ty))
                    } else {
                        self.select(ty, *src, addr, depth + 1)
                    };
                    let rest = self.when(outside, value, here, ty);
                    Term::ite(inside, from, rest)
                }
                _ => value,
            };
        }
        value
    }

    /// A value where a condition holds, u elsewhere.
    fn when(&mut self, condition: Term, value: Term, here: Term, ty: Scalar) -> Term {
        if condition.is_true() {
            return value;
        }
        let u = self.unknown(here, VarTy::Scalar(ty));
        Term::ite(condition, value, u)
    }

    /// `abs(a[e], [k₁, …, kₙ])`.
    fn read(&mut self, ty: Scalar, memory: Term, v: VarId, addr: Term, at: Term) -> Term {
        let region = match self.scope.program.var(v).kind {
            VarKind::Region(r) => Some(r),
            _ => None,
        };
        let mut found = Vec::new();
        for (element, var) in region.into_iter().flat_map(|r| self.scope.elements.of(r)) {
            let here = at.equals(Term::int(element.addr));
            let value = converted(Term::program_var(var, VarTy::Scalar(element.ty)), element.ty, ty);
            if let Some(value) = value.filter(|_| !here.is_false()) {
                if here.is_true() {
                    return value;
                }
                found.push((here, value));
            }
        }
        let rest = self.unknown(Term::load(ty, memory, addr), VarTy::Scalar(ty));
        found.into_iter().rev().fold(rest, |rest, (here, value)| Term::ite(here, value, rest))
    }
}

/// When a read does not overlap a store: in a memory of scalars they are at the same place or apart.
fn apart(memory: Term, (at, ty): (Term, Scalar), (to, stored): (Term, Scalar)) -> Term {
    match memory.sort() {
        Sort::Mem(Cell::Byte) => at.plus(ty.bytes()).less_eq(to).or(to.plus(stored.bytes()).less_eq(at)),
        _ => Term::tt(),
    }
}

/// How many addresses an access touches.
fn width(ty: Scalar, memory: Term) -> u64 {
    match memory.sort() {
        Sort::Mem(Cell::Scalar(_)) => 1,
        _ => ty.bytes(),
    }
}

/// What a read of type `ty` finds exactly where a scalar of type `stored` was written; nothing if that is no simple matter.
fn converted(value: Term, stored: Scalar, ty: Scalar) -> Option<Term> {
    match (stored, ty) {
        (Scalar::Int(s), Scalar::Int(t)) if s.bytes() == t.bytes() && s.bits == t.bits => Some(value.wrap(t)),
        (Scalar::Float(s), Scalar::Float(t)) if s == t => Some(value),
        _ => None,
    }
}

fn zero(ty: Scalar) -> Term {
    match ty {
        Scalar::Int(_) => Term::int(IBig::ZERO),
        Scalar::Float(t) => Term::float(plumb_term::Float { ty: t, bits: 0 }),
    }
}
