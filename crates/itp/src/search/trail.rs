//! The partial assignment: values, in the order in which they were set, with levels and reasons.

use super::clause::ClauseRef;
use crate::lit::{BoolVar, Lit};

/// Why a variable has its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Reason(u32);

impl Reason {
    /// It was decided or assumed, or is a fact of level 0 with a step of its own.
    pub(crate) const NONE: Reason = Reason(u32::MAX);
    /// The theory implied it and can explain.
    pub(crate) const THEORY: Reason = Reason(u32::MAX - 1);

    #[inline]
    pub(crate) fn clause(c: ClauseRef) -> Reason {
        Reason(c.0)
    }

    #[inline]
    pub(crate) fn as_clause(self) -> Option<ClauseRef> {
        (self.0 < u32::MAX - 1).then_some(ClauseRef(self.0))
    }
}

#[derive(Clone, Copy)]
struct Info {
    level: u32,
    reason: Reason,
    position: u32,
}

/// The assignment.
#[derive(Default)]
pub(crate) struct Trail {
    values: Vec<i8>,
    info: Vec<Info>,
    lits: Vec<Lit>,
    limits: Vec<u32>,
}

impl Trail {
    pub(crate) fn grow(&mut self, count: usize) {
        self.values.resize(2 * count, 0);
        self.info.resize(count, Info { level: 0, reason: Reason::NONE, position: 0 });
    }

    pub(crate) fn variables(&self) -> usize {
        self.info.len()
    }

    /// 1 for true, -1 for false, 0 for none.
    #[inline]
    pub(crate) fn value(&self, lit: Lit) -> i8 {
        self.values[lit.code()]
    }

    #[inline]
    pub(crate) fn is_assigned(&self, var: BoolVar) -> bool {
        self.values[var.positive().code()] != 0
    }

    /// The current level.
    #[inline]
    pub(crate) fn level(&self) -> u32 {
        self.limits.len() as u32
    }

    /// The level at which `var` got its value.
    #[inline]
    pub(crate) fn level_of(&self, var: BoolVar) -> u32 {
        self.info[var.index()].level
    }

    #[inline]
    pub(crate) fn reason(&self, var: BoolVar) -> Reason {
        self.info[var.index()].reason
    }

    #[inline]
    pub(crate) fn set_reason(&mut self, var: BoolVar, reason: Reason) {
        self.info[var.index()].reason = reason;
    }

    #[inline]
    pub(crate) fn position(&self, var: BoolVar) -> u32 {
        self.info[var.index()].position
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.lits.len()
    }

    #[inline]
    pub(crate) fn lit(&self, i: usize) -> Lit {
        self.lits[i]
    }

    #[inline]
    pub(crate) fn assign(&mut self, lit: Lit, reason: Reason) {
        debug_assert_eq!(self.value(lit), 0);
        self.values[lit.code()] = 1;
        self.values[(!lit).code()] = -1;
        self.info[lit.var().index()] = Info { level: self.limits.len() as u32, reason, position: self.lits.len() as u32 };
        self.lits.push(lit);
    }

    pub(crate) fn open_level(&mut self) {
        self.limits.push(self.lits.len() as u32);
    }

    /// Where the assignments above `level` begin.
    pub(crate) fn end_of(&self, level: u32) -> usize {
        self.limits.get(level as usize).map_or(self.lits.len(), |&l| l as usize)
    }

    /// Takes back the last assignment above `level`; nothing when there is none, and then `level` is the current one.
    #[inline]
    pub(crate) fn undo_above(&mut self, level: u32) -> Option<Lit> {
        if self.lits.len() == self.end_of(level) {
            self.limits.truncate(level as usize);
            return None;
        }
        let lit = self.lits.pop()?;
        self.values[lit.code()] = 0;
        self.values[(!lit).code()] = 0;
        Some(lit)
    }
}
