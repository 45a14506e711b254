//! Literals that the bounds imply.
//!
//! A bound on a column settles the atoms of the same form whose thresholds it passes. A row bounds each of its columns by the bounds of the
//! others; that is tried for rows in which a bound changed. A bound derived from a row is not kept: it only settles atoms.

use super::bounds::{Bound, Side};
use super::tableau::{Col, Row};
use super::value::Value;
use super::Arithmetic;
use crate::lit::Lit;
use plumb_num::Int;

/// What changed since literals were last implied.
#[derive(Clone, Debug, Default)]
pub(crate) struct Agenda {
    bounds: Vec<(Col, Side)>,
    atoms: Vec<u32>,
    rows: Vec<Row>,
    listed: Vec<bool>,
}

impl Agenda {
    pub(crate) fn bound(&mut self, col: Col, side: Side) {
        self.bounds.push((col, side));
    }

    pub(crate) fn atom(&mut self, threshold: u32) {
        self.atoms.push(threshold);
    }

    pub(crate) fn row(&mut self, row: Row) {
        if self.listed.len() <= row.index() {
            self.listed.resize(row.index() + 1, false);
        }
        if !std::mem::replace(&mut self.listed[row.index()], true) {
            self.rows.push(row);
        }
    }

    /// Forgets changes of bounds; new atoms stay to be looked at.
    pub(crate) fn clear(&mut self) {
        self.bounds.clear();
        for row in self.rows.drain(..) {
            self.listed[row.index()] = false;
        }
    }
}

/// Rows with more entries are not worth their scan.
const LONGEST_ROW: usize = 60;

/// Rows looked at for one change of a bound.
const MOST_ROWS: usize = 40;

impl Arithmetic {
    /// Adds literals that the bounds imply.
    pub(crate) fn imply(&mut self, implied: &mut Vec<Lit>) {
        for id in std::mem::take(&mut self.agenda.atoms) {
            let col = self.thresholds[id as usize].col;
            self.imply_from_bound(col, Side::Lower, implied);
            self.imply_from_bound(col, Side::Upper, implied);
        }
        let changed = std::mem::take(&mut self.agenda.bounds);
        for &(col, side) in &changed {
            self.imply_from_bound(col, side, implied);
            for row in self.tableau.rows_with(col).take(MOST_ROWS) {
                self.agenda.row(row);
            }
        }
        self.agenda.bounds = changed;
        self.agenda.bounds.clear();
        let rows = std::mem::take(&mut self.agenda.rows);
        for &row in &rows {
            self.agenda.listed[row.index()] = false;
            if self.tableau.row(row).len() <= LONGEST_ROW {
                self.imply_from_row(row, Side::Lower, implied);
                self.imply_from_row(row, Side::Upper, implied);
            }
        }
        self.agenda.rows = rows;
        self.agenda.rows.clear();
    }

    /// Settles the atoms of `col` that its asserted bound on `side` decides.
    fn imply_from_bound(&mut self, col: Col, side: Side, implied: &mut Vec<Lit>) {
        let Some(Bound { value, lit: reason }) = self.bounds.of(col).bound(side).cloned() else { return };
        for id in self.passed(col, side, &value) {
            let lit = self.settled(id, side);
            if !self.is_known(lit) {
                self.know(lit);
                self.records.add(lit, [(reason, Int::ONE), (!lit, Int::ONE)]);
                self.statistics.implied_by_bounds += 1;
                implied.push(lit);
            }
        }
    }

    /// The literal of a threshold that a bound on `side` implies.
    fn settled(&self, threshold: u32, side: Side) -> Lit {
        let le = self.thresholds[threshold as usize].le;
        match side {
            Side::Upper => le,
            Side::Lower => !le,
        }
    }

    /// The thresholds of `col` that a bound decides, the nearest first as far as that is cheap.
    fn passed(&self, col: Col, side: Side, value: &Value) -> Vec<u32> {
        let atoms = &self.forms[col.index()].atoms;
        match side {
            Side::Upper => {
                let from = atoms.partition_point(|&i| self.thresholds[i as usize].at_least <= *value);
                atoms[from..].iter().copied().filter(|&i| !self.is_known(self.thresholds[i as usize].le)).collect()
            }
            Side::Lower => {
                let to = atoms.partition_point(|&i| self.thresholds[i as usize].at_most < *value);
                atoms[..to].iter().rev().copied().filter(|&i| !self.is_known(self.thresholds[i as usize].le)).collect()
            }
        }
    }

    /// Settles atoms of columns of `row` by the least (`Side::Lower`) or greatest value of the others' sum.
    fn imply_from_row(&mut self, row: Row, side: Side, implied: &mut Vec<Lit>) {
        // The bound of each term c·x on `side`: of x on the same side where c is positive.
        let own = |c: &Int| if c.is_positive() == (side == Side::Lower) { Side::Lower } else { Side::Upper };
        let mut open = None;
        let mut sum = Value::ZERO;
        for e in self.tableau.row(row) {
            match self.bounds.of(e.col).bound(own(&e.coefficient)) {
                Some(b) => sum = &sum + &b.value.scaled(&e.coefficient, &Int::ONE),
                None if open.is_none() => open = Some(e.col),
                None => return,
            }
        }
        let mut found: Vec<(Col, Side, u32)> = Vec::new();
        for e in self.tableau.row(row) {
            if open.is_some_and(|c| c != e.col) || self.forms[e.col.index()].atoms.is_empty() {
                continue;
            }
            let range = self.bounds.of(e.col);
            let rest = match range.bound(own(&e.coefficient)) {
                Some(b) => &sum - &b.value.scaled(&e.coefficient, &Int::ONE),
                None => sum.clone(),
            };
            // c·x = -rest, and rest is at least (at most) this.
            let value = rest.scaled(&Int::MINUS_ONE, &e.coefficient);
            let opposite = match own(&e.coefficient) {
                Side::Lower => Side::Upper,
                Side::Upper => Side::Lower,
            };
            found.extend(self.passed(e.col, opposite, &value).into_iter().map(|id| (e.col, opposite, id)));
        }
        for (col, opposite, id) in found {
            let lit = self.settled(id, opposite);
            if self.is_known(lit) {
                continue;
            }
            let mut items: Vec<(Lit, Int)> = Vec::with_capacity(self.tableau.row(row).len());
            for e in self.tableau.row(row) {
                if e.col == col {
                    items.push((!lit, e.coefficient.abs()));
                } else if let Some(b) = self.bounds.of(e.col).bound(own(&e.coefficient)) {
                    items.push((b.lit, e.coefficient.abs()));
                }
            }
            self.know(lit);
            self.records.add(lit, items);
            self.statistics.implied_by_rows += 1;
            implied.push(lit);
        }
    }
}
