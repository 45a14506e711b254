//! Numeric updates τ_N: parallel assignments of linear expressions, of unknown values within linear bounds, of any value.

use plumb_num::{Dim, LinExpr, NumDomain};
use std::collections::BTreeSet;

/// What a variable becomes, over the values before.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Update {
    /// A linear expression.
    Linear(LinExpr),
    /// Any value between two expressions; an absent bound is none.
    Between(Option<LinExpr>, Option<LinExpr>),
}

impl Update {
    /// Any value.
    pub fn any() -> Update {
        Update::Between(None, None)
    }

    /// The variables that are read.
    pub fn dims(&self) -> Vec<Dim> {
        self.exprs().flat_map(|e| e.dims().collect::<Vec<_>>()).collect()
    }

    fn exprs(&self) -> impl Iterator<Item = &LinExpr> {
        match self {
            Update::Linear(e) => [Some(e), None],
            Update::Between(lo, hi) => [lo.as_ref(), hi.as_ref()],
        }
        .into_iter()
        .flatten()
    }
}

/// αPost of a numeric domain for a parallel update of distinct variables.
pub fn post<D: NumDomain>(domain: &D, e: &D::Elem, updates: &[(Dim, Update)]) -> D::Elem {
    // What becomes anything is read before: it is forgotten at the end.
    let (gone, kept): (Vec<_>, Vec<_>) = updates.iter().partition(|u| u.1 == Update::any());
    let after = assign(domain, e, &kept);
    if gone.is_empty() {
        return after;
    }
    domain.forget(&after, &gone.iter().map(|u| u.0).collect::<Vec<_>>())
}

fn assign<D: NumDomain>(domain: &D, e: &D::Elem, updates: &[&(Dim, Update)]) -> D::Elem {
    match updates {
        [] => return e.clone(),
        [(x, Update::Linear(expr))] => return domain.assign(e, *x, expr),
        [(x, Update::Between(lo, hi))] => return domain.assign_between(e, *x, lo.as_ref(), hi.as_ref()),
        _ => {}
    }
    let linear: Option<Vec<(Dim, LinExpr)>> = updates
        .iter()
        .map(|(x, u)| match u {
            Update::Linear(expr) => Some((*x, expr.clone())),
            Update::Between(..) => None,
        })
        .collect();
    if let Some(linear) = linear {
        return domain.assign_parallel(e, &linear);
    }
    // Into copies, then from them.
    let targets: Vec<Dim> = updates.iter().map(|u| u.0).collect();
    let mut used: BTreeSet<Dim> = domain.mentioned(e).into_iter().chain(targets.iter().copied()).collect();
    used.extend(updates.iter().flat_map(|(_, u)| u.dims()));
    let first = used.last().map_or(0, |d| d.0 + 1);
    let copies: Vec<Dim> = (0..updates.len() as u32).map(|i| Dim(first + i)).collect();
    let mut now = e.clone();
    for ((_, u), copy) in updates.iter().zip(&copies) {
        now = match u {
            Update::Linear(expr) => domain.assign(&now, *copy, expr),
            Update::Between(lo, hi) => domain.assign_between(&now, *copy, lo.as_ref(), hi.as_ref()),
        };
    }
    let map: Vec<(Dim, Dim)> = copies.into_iter().zip(targets.iter().copied()).collect();
    domain.rename(&domain.forget(&now, &targets), &map)
}
