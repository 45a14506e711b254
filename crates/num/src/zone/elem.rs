//! Zones as data: a closed matrix over the constrained dimensions.

use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::square::Difference;
use crate::dbm::{each, map, Dbm, Size};
use crate::int::Int;
use crate::linear::{ConsKind, Dim, LinCons, LinExpr};

/// A dimension, or the constant zero.
pub(crate) type Node = Option<Dim>;

/// `to - from ≤ c`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Diff {
    pub(crate) from: Node,
    pub(crate) to: Node,
    pub(crate) c: Int,
}

impl Diff {
    /// The inequality `e ≥ 0`, if it is a difference.
    fn of_ge(e: &LinExpr) -> Option<Diff> {
        let (mut from, mut to) = (None, None);
        for (d, c) in e.terms() {
            let side = if c.is_one() {
                &mut from
            } else if *c == Int::MINUS_ONE {
                &mut to
            } else {
                return None;
            };
            if side.replace(*d).is_some() {
                return None;
            }
        }
        (from != to).then(|| Diff { from, to, c: e.constant_part().clone() })
    }

    /// The differences whose conjunction is `c`, if it is such a conjunction.
    pub(crate) fn of_cons(c: &LinCons) -> Option<Vec<Diff>> {
        if c.kind() == ConsKind::Ne {
            return None;
        }
        c.inequalities().iter().map(|i| Diff::of_ge(i.expr())).collect()
    }

    /// `c + from - to ≥ 0` as an expression.
    pub(crate) fn expr(&self) -> LinExpr {
        difference(self.from, self.to) + LinExpr::constant(self.c.clone())
    }

    pub(crate) fn nodes(&self) -> impl Iterator<Item = Dim> {
        self.from.into_iter().chain(self.to)
    }
}

/// `to - from`.
pub(crate) fn difference(to: Node, from: Node) -> LinExpr {
    let expr = |n: Node| n.map_or_else(LinExpr::default, LinExpr::var);
    expr(to) - expr(from)
}

/// A zone: a set of integer points given by constraints `x - y ≤ c` and `±x ≤ c`, in canonical form.
///
/// Like an octagon, a result of widening carries the constraints it was made of; they are no part of equality and hash.
#[derive(Clone)]
pub struct Zone {
    /// `None` is bottom.
    pub(crate) body: Option<Arc<Body>>,
    pub(crate) basis: Option<Arc<Vec<Diff>>>,
}

/// The constrained dimensions, sorted, and their closed matrix in canonical size.
#[derive(PartialEq, Eq, Hash, Debug)]
pub(crate) struct Body {
    pub(crate) dims: Vec<Dim>,
    pub(crate) m: Dbm<Difference>,
}

impl PartialEq for Zone {
    fn eq(&self, other: &Self) -> bool {
        self.body == other.body
    }
}

impl Eq for Zone {}

impl Hash for Zone {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.body.hash(state);
    }
}

impl Zone {
    pub(crate) fn bottom() -> Zone {
        Zone { body: None, basis: None }
    }

    pub(crate) fn top() -> Zone {
        Zone::of_matrix(Vec::new(), Dbm::top(0, Size::Small))
    }

    pub(crate) fn is_bottom(&self) -> bool {
        self.body.is_none()
    }

    /// The constrained dimensions; none for bottom.
    pub(crate) fn dims(&self) -> &[Dim] {
        self.body.as_ref().map_or(&[], |b| &b.dims)
    }

    /// The zone of a closed matrix; unconstrained dimensions are dropped.
    pub(crate) fn of_matrix(dims: Vec<Dim>, m: Dbm<Difference>) -> Zone {
        let keep = each!(&m, m => m.constrained());
        let (dims, m) =
            if keep.len() == dims.len() { (dims, m) } else { (keep.iter().map(|k| dims[*k]).collect(), map!(&m, m => m.select(&keep))) };
        Zone { body: Some(Arc::new(Body { dims, m: m.canonical() })), basis: None }
    }

    /// The place of a node in the matrix.
    pub(crate) fn place(&self, n: Node) -> Option<usize> {
        n.map_or(Some(0), |d| self.dims().binary_search(&d).ok().map(|p| p + 1))
    }

    /// The bound of `to - from`.
    pub(crate) fn bound(&self, from: Node, to: Node) -> Option<Int> {
        let body = self.body.as_ref()?;
        body.m.get(self.place(from)?, self.place(to)?)
    }

    /// The closed matrix over a sorted list of dimensions.
    pub(crate) fn matrix(&self, dims: &[Dim]) -> Dbm<Difference> {
        let Some(body) = self.body.as_ref().filter(|b| !b.dims.is_empty()) else { return Dbm::top(dims.len(), Size::Small) };
        if body.dims == dims {
            return body.m.clone();
        }
        let mut out = Dbm::top(dims.len(), body.m.size());
        for (i, from) in std::iter::once(None).chain(dims.iter().copied().map(Some)).enumerate() {
            for (j, to) in std::iter::once(None).chain(dims.iter().copied().map(Some)).enumerate() {
                if let (true, Some(c)) = (i != j, self.bound(from, to)) {
                    out.lower(i, j, &c);
                }
            }
        }
        out
    }

    /// Every finite bound.
    pub(crate) fn stored(&self) -> Vec<Diff> {
        let nodes: Vec<Node> = std::iter::once(None).chain(self.dims().iter().copied().map(Some)).collect();
        let mut out = Vec::new();
        for from in &nodes {
            for to in nodes.iter().filter(|to| *to != from) {
                out.extend(self.bound(*from, *to).map(|c| Diff { from: *from, to: *to, c }));
            }
        }
        out
    }

    /// Adds differences: one pass for each if they are few, closure if they are many.
    pub(crate) fn add_all(&self, cs: &[Diff]) -> Zone {
        if self.is_bottom() {
            return Zone::bottom();
        }
        let news: Vec<&Diff> = cs.iter().filter(|c| self.bound(c.from, c.to).is_none_or(|b| c.c < b)).collect();
        if news.is_empty() {
            return self.clone();
        }
        let all: BTreeSet<Dim> = self.dims().iter().copied().chain(news.iter().flat_map(|c| c.nodes())).collect();
        let dims: Vec<Dim> = all.into_iter().collect();
        let place = |n: Node| n.map_or(0, |d| dims.binary_search(&d).map_or(0, |p| p + 1));
        let mut m = self.matrix(&dims);
        let closed = if news.len() < dims.len() {
            news.iter().all(|c| m.add(place(c.from), place(c.to), &c.c))
        } else {
            news.iter().for_each(|c| m.lower(place(c.from), place(c.to), &c.c));
            m.close()
        };
        if closed {
            Zone::of_matrix(dims, m)
        } else {
            Zone::bottom()
        }
    }

    /// The element without the given dimensions.
    pub(crate) fn without(&self, gone: &[Dim]) -> Zone {
        let Some(body) = self.body.as_ref().filter(|b| b.dims.iter().any(|d| gone.contains(d))) else { return self.clone() };
        let keep: Vec<usize> = (0..body.dims.len()).filter(|k| !gone.contains(&body.dims[*k])).collect();
        Zone::of_matrix(keep.iter().map(|k| body.dims[*k]).collect(), map!(&body.m, m => m.select(&keep)))
    }
}

impl std::fmt::Debug for Zone {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        use crate::domain::NumDomain;
        if self.is_bottom() {
            return write!(f, "bottom");
        }
        f.debug_set().entries(super::Zones.constraints(self)).finish()
    }
}
