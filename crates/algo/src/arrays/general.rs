//! Clauses for every size: large constants become parameters.
//!
//! Spacer proves `a[i] = 0` for `i < N` in a moment if `N` is any number, but counts up to 100,000 if it is that. So in the general view constants that
//! are large, and different by a little at most, become one parameter, of which nothing is said but that it is positive and less
//! than the next one; and integers are unbounded, since the bounds of machine types are large constants, too. A solution for all
//! parameters is one for the program's constants.

use plumb_term::visit::{postorder, rebuild};
use plumb_term::{IBig, Kind, Scalar, Term, Var, VarId, VarTy};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Constants below this are kept.
const LARGE: u32 = 20;
/// Constants of one parameter differ by no more.
const NEAR: u32 = 4;
/// More parameters are not made.
const MAX_PARAMETERS: usize = 6;

/// Parameters and the view with them.
#[derive(Default)]
pub struct General {
    parameters: Vec<(IBig, Var)>,
    done: FxHashMap<Term, Term>,
}

impl General {
    /// The parameters of some terms, numbered from `first` on.
    pub fn new(terms: impl IntoIterator<Item = Term>, first: u32) -> General {
        let mut constants: BTreeSet<IBig> = BTreeSet::new();
        for t in postorder(terms) {
            let children = t.children().filter_map(|c| c.as_int()).filter(|_| linear(t));
            let own = if let Kind::Lin(lin) = t.kind() { Some(&lin.constant) } else { None };
            constants.extend(children.chain(own).map(magnitude).filter(|c| *c >= IBig::from(LARGE)));
        }
        let mut parameters: Vec<(IBig, Var)> = Vec::new();
        for c in constants {
            if parameters.last().is_none_or(|(p, _)| &c - p > IBig::from(NEAR)) && parameters.len() < MAX_PARAMETERS {
                parameters.push((c, Var::new(VarId(first + parameters.len() as u32), VarTy::Int)));
            }
        }
        General { parameters, done: FxHashMap::default() }
    }

    /// The parameters.
    pub fn parameters(&self) -> impl Iterator<Item = Var> + '_ {
        self.parameters.iter().map(|p| p.1)
    }

    /// What is said of the parameters.
    pub fn order(&self) -> Term {
        let mut last = Term::int(0);
        let mut facts = Vec::new();
        for (_, v) in &self.parameters {
            facts.push(last.less(Term::var(*v)));
            last = Term::var(*v);
        }
        Term::all(facts)
    }

    /// The constant that a parameter stands for.
    pub fn constant(&self, v: Var) -> Option<Term> {
        self.parameters.iter().find(|p| p.1 == v).map(|p| Term::int(p.0.clone()))
    }

    /// A constant in the view.
    fn number(&self, n: &IBig) -> Term {
        let size = magnitude(n);
        let near = self.parameters.iter().find(|(p, _)| *p <= size && &size - p <= IBig::from(NEAR));
        match near {
            Some((p, v)) if *n > IBig::ZERO => Term::var(*v).plus(size - p),
            Some((p, v)) => Term::var(*v).plus(size - p).neg(),
            None => Term::int(n.clone()),
        }
    }

    /// A term in the view.
    pub fn term(&mut self, t: Term) -> Term {
        for n in postorder([t]) {
            if self.done.contains_key(&n) {
                continue;
            }
            let new = match n.kind() {
                Kind::Var(v) => Term::var(unbounded(*v)),
                Kind::Lin(lin) => {
                    let parts = lin.parts.iter().map(|(k, atom)| self.done[atom].scale(k));
                    Term::sum(parts.chain([self.number(&lin.constant)]))
                }
                _ if linear(n) => rebuild(n, &|c| c.as_int().map_or_else(|| self.done[&c], |v| self.number(v))),
                _ => rebuild(n, &|c| self.done[&c]),
            };
            self.done.insert(n, new);
        }
        match t.as_int() {
            Some(v) => self.number(v),
            None => self.done[&t],
        }
    }
}

/// Whether the operator stays linear when a constant operand becomes a variable.
fn linear(t: Term) -> bool {
    matches!(t.kind(), Kind::Le(..) | Kind::Eq(..) | Kind::Ite(..) | Kind::Lin(_))
}

fn magnitude(n: &IBig) -> IBig {
    if *n < IBig::ZERO {
        -n
    } else {
        n.clone()
    }
}

/// A variable without the bounds of its type, where those are large.
pub fn unbounded(v: Var) -> Var {
    match v.ty {
        VarTy::Scalar(Scalar::Int(ty)) if ty.bits >= 32 => Var { ty: VarTy::Int, ..v },
        _ => v,
    }
}

/// What remains of the bounds: unsigned integers are not negative.
pub fn nonnegative(v: Var) -> Option<Term> {
    match v.ty {
        VarTy::Scalar(Scalar::Int(ty)) if ty.bits >= 32 && !ty.signed => Some(Term::int(0).less_eq(Term::var(unbounded(v)))),
        _ => None,
    }
}
