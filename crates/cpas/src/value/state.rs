//! Abstract variable assignments.

use crate::cells::{assign, slot, MAX_CELLS};
use plumb_cfa::cells::{Cells, Slot};
use plumb_cfa::chunks::Chunks;
use plumb_term::visit::{postorder, rebuild};
use plumb_term::{Kind, Scalar, Term, VarId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Constants for some variables and cells. Copies share what they have in common.
#[derive(Clone, Debug, Default)]
pub struct Valuation {
    vars: Chunks<Term>,
    cells: Cells<Term>,
}

impl PartialEq for Valuation {
    fn eq(&self, o: &Valuation) -> bool {
        self.vars.differences(&o.vars).is_empty() && self.cells == o.cells
    }
}

/// Whether a term is a constant of a scalar sort.
pub(super) fn is_constant(t: Term) -> bool {
    matches!(t.kind(), Kind::Int(_) | Kind::Bool(_) | Kind::Float(_))
}

impl Valuation {
    /// The constant of a variable.
    pub fn var(&self, v: VarId) -> Option<Term> {
        self.vars.get(v)
    }

    /// Gives a variable a constant, or takes it away.
    pub fn set_var(&mut self, v: VarId, c: Option<Term>) {
        self.vars.set(v, c);
    }

    /// The variables with constants, ascending.
    pub fn vars(&self) -> impl Iterator<Item = (VarId, Term)> + '_ {
        self.vars.iter()
    }

    /// The cells with constants, ascending: memory and address, type, constant.
    pub fn cells(&self) -> impl Iterator<Item = ((VarId, i128), Scalar, Term)> + '_ {
        self.cells.iter()
    }

    pub(super) fn cell(&self, (mem, addr): Slot, ty: Scalar) -> Option<Term> {
        self.cells.get(mem, addr, ty)
    }

    pub(super) fn set_cell(&mut self, (mem, addr): Slot, ty: Scalar, c: Term) {
        self.cells.write(mem, ty, plumb_term::Range::new(addr, addr), Some(c), MAX_CELLS);
    }

    /// Memory `m` becomes the memory term `t`, which has been evaluated.
    pub(super) fn set_memory(&mut self, m: VarId, t: Term) {
        assign(&mut self.cells, m, t, &|v| is_constant(v).then_some(v));
    }

    /// The term with constants put in, simplified; a constant if they determine it.
    pub fn eval(&self, t: Term) -> Term {
        if is_constant(t) {
            return t;
        }
        let mut done: FxHashMap<Term, Term> = FxHashMap::default();
        for n in postorder([t]) {
            let new = match n.kind() {
                Kind::Var(v) if v.id < VarId::FIRST_AUX => self.vars.get(v.id).unwrap_or(n),
                _ => rebuild(n, &|c| done[&c]),
            };
            let new = slot(new).and_then(|(s, ty)| self.cell(s, ty)).unwrap_or(new);
            done.insert(n, new);
        }
        done[&t]
    }

    /// Whether everything that this knows `other` knows too, so that it stands for more.
    pub fn is_part_of(&self, other: &Valuation) -> bool {
        self.vars.differences(&other.vars).iter().all(|(_, own, _)| own.is_none()) && self.cells.is_part_of(&other.cells)
    }

    /// What both know.
    #[must_use]
    pub fn common(&self, other: &Valuation) -> Valuation {
        let mut out = self.clone();
        for (v, _, _) in self.vars.differences(&other.vars) {
            out.vars.set(v, None);
        }
        out.cells.combine(&other.cells, &mut |c, theirs| theirs.filter(|t| *t == c));
        out
    }

    /// What is known of some variables and memories.
    #[must_use]
    pub fn restricted(mut self, to: &BTreeSet<VarId>) -> Valuation {
        let gone: Vec<VarId> = self.vars.iter().map(|v| v.0).filter(|v| !to.contains(v)).collect();
        gone.into_iter().for_each(|v| self.vars.set(v, None));
        self.cells.retain(|(m, _), _, _| to.contains(&m));
        self
    }
}
