//! Finds values within all bounds, or a row that excludes them.
//!
//! Nonbasic columns are kept within their bounds; a violated basic column is exchanged for a nonbasic one that can still move. The least violated column
//! is taken first and the entering column by a greedy rule, until many pivots in one call suggest a cycle and Bland's rule takes over,
//! under which the method terminates.

use super::bounds::{Side, Time};
use super::tableau::{Col, Entry, Row};
use super::value::Value;
use super::Arithmetic;
use crate::theory::Lemma;
use plumb_num::Int;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Columns that may violate a bound. Every one that does is in here.
#[derive(Clone, Debug, Default)]
pub(crate) struct Repair {
    basic: BinaryHeap<Reverse<u32>>,
    nonbasic: Vec<u32>,
    queued: Vec<bool>,
    /// Columns that became fixed while they were basic.
    fixed: Vec<Col>,
}

impl Repair {
    pub(crate) fn column(&mut self) {
        self.queued.push(false);
    }

    #[inline]
    pub(crate) fn enqueue(&mut self, col: Col, is_basic: bool) {
        if !std::mem::replace(&mut self.queued[col.index()], true) {
            if is_basic {
                self.basic.push(Reverse(col.0));
            } else {
                self.nonbasic.push(col.0);
            }
        }
    }
}

impl Repair {
    pub(crate) fn became_fixed(&mut self, col: Col) {
        self.fixed.push(col);
    }
}

/// See [`Arithmetic::cost`].
type Cost = (u32, bool, usize);

/// Pivots in one call after which Bland's rule is used.
const GREEDY_PIVOTS: u32 = 500;
/// Pivots between two looks at the time.
const PIVOTS_BETWEEN_LOOKS: u32 = 16;

impl Arithmetic {
    /// Moves values so that all bounds hold; a conflict if there are none.
    pub(crate) fn make_feasible(&mut self) -> Result<(), Lemma> {
        while let Some(c) = self.repair.nonbasic.pop() {
            let col = Col(c);
            self.repair.queued[col.index()] = false;
            if self.tableau.row_of(col).is_some() {
                // It became basic after it was queued.
                if self.bounds.of(col).violated().is_some() {
                    self.repair.enqueue(col, true);
                }
                continue;
            }
            let Some((_, bound)) = self.bounds.of(col).violated() else { continue };
            let step = &bound.value - self.bounds.value(col);
            self.shift(col, &step);
        }
        let mut pivots = 0;
        while let Some(Reverse(c)) = self.repair.basic.pop() {
            let leaving = Col(c);
            self.repair.queued[leaving.index()] = false;
            let Some((side, bound)) = self.bounds.of(leaving).violated() else { continue };
            if pivots % PIVOTS_BETWEEN_LOOKS == PIVOTS_BETWEEN_LOOKS - 1 && self.time.as_ref().is_some_and(|t| t.is_over()) {
                self.repair.enqueue(leaving, true);
                self.is_late = true;
                return Ok(());
            }
            let Some(row) = self.tableau.row_of(leaving) else {
                // It left the basis after it was queued.
                let step = &bound.value - self.bounds.value(leaving);
                self.shift(leaving, &step);
                continue;
            };
            let target = bound.value.clone();
            match self.entering(row, leaving, side, pivots >= GREEDY_PIVOTS) {
                Some(entering) => self.exchange(row, leaving, entering, target),
                None => {
                    self.repair.enqueue(leaving, true);
                    self.statistics.conflicts += 1;
                    return Err(self.row_conflict(row, leaving, side));
                }
            }
            pivots += 1;
        }
        Ok(())
    }

    /// Exchanges fixed basic columns for others, best without bounds, so that rows show what equations imply. Values stay as they are.
    pub(crate) fn eliminate_fixed(&mut self) {
        while let Some(col) = self.repair.fixed.pop() {
            let Some(row) = self.tableau.row_of(col) else { continue };
            if self.bounds.of(col).fixed().is_none() {
                continue;
            }
            let open = self.tableau.row(row).iter().filter(|e| e.col != col && self.bounds.of(e.col).fixed().is_none());
            if let Some(entering) = open.map(|e| (self.cost(e), e.col)).min().map(|e| e.1) {
                self.statistics.pivots += 1;
                for changed in self.tableau.rows_with(entering) {
                    self.agenda.row(changed);
                }
                self.tableau.pivot(row, entering);
            }
        }
    }

    /// Moves a nonbasic column, and with it the basic ones of its rows.
    pub(crate) fn shift(&mut self, col: Col, step: &Value) {
        let value = self.bounds.value(col) + step;
        self.bounds.set_value(col, value);
        for (row, a) in self.tableau.column_of(col) {
            let basic = self.tableau.basic(row);
            let moved = self.bounds.value(basic) - &step.scaled(a, self.tableau.basic_coefficient(row));
            self.bounds.set_value(basic, moved);
            if self.bounds.of(basic).violated().is_some() {
                self.repair.enqueue(basic, true);
            }
        }
    }

    /// What it costs to let a column enter: one without bounds does not leave the basis again, a coefficient ±1 keeps the others small, and each
    /// row that has it will change.
    #[inline]
    fn cost(&self, entry: &Entry) -> Cost {
        let is_unit = matches!(entry.coefficient.to_i64(), Some(1 | -1));
        (self.bounds.count(entry.col), !is_unit, self.tableau.occurrences(entry.col))
    }

    /// A nonbasic column of `row` that can move so that the basic one leaves the violated `side`.
    fn entering(&self, row: Row, leaving: Col, side: Side, bland: bool) -> Option<Col> {
        let must_grow = side == Side::Lower;
        let positive = self.tableau.basic_coefficient(row).is_positive();
        let mut best: Option<(Cost, Col)> = None;
        for e in self.tableau.row(row) {
            if e.col == leaving {
                continue;
            }
            // c_b·x_b + c_j·x_j + … = 0: with equal signs, one grows as the other shrinks.
            let grows = (e.coefficient.is_positive() == positive) != must_grow;
            let range = self.bounds.of(e.col);
            if !(if grows { range.can_grow() } else { range.can_shrink() }) {
                continue;
            }
            let cost = if bland { (0, false, 0) } else { self.cost(e) };
            if best.is_none_or(|b| (cost, e.col) < b) {
                best = Some((cost, e.col));
            }
        }
        best.map(|b| b.1)
    }

    /// Sets the basic column of `row` to `target` by moving `entering`, and exchanges them.
    fn exchange(&mut self, row: Row, leaving: Col, entering: Col, target: Value) {
        self.statistics.pivots += 1;
        let Some(c) = self.tableau.row(row).iter().find(|e| e.col == entering).map(|e| &e.coefficient) else { return };
        let distance = &target - self.bounds.value(leaving);
        let step = -&distance.scaled(self.tableau.basic_coefficient(row), c);
        self.shift(entering, &step);
        debug_assert_eq!(self.bounds.value(leaving), &target);
        for changed in self.tableau.rows_with(entering) {
            self.agenda.row(changed);
        }
        self.tableau.pivot(row, entering);
        if self.bounds.of(entering).violated().is_some() {
            self.repair.enqueue(entering, true);
        }
    }

    /// Why the basic column of `row` cannot leave the violated `side`.
    fn row_conflict(&self, row: Row, basic: Col, side: Side) -> Lemma {
        let positive = self.tableau.basic_coefficient(row).is_positive();
        let up = side == Side::Upper;
        let mut terms: Vec<(Time, Int)> = Vec::with_capacity(self.tableau.row(row).len());
        for e in self.tableau.row(row) {
            let side = match e.col == basic {
                true => side,
                // The basic column is too low: columns with the other sign are at their upper bounds.
                false if (e.coefficient.is_positive() == positive) == up => Side::Upper,
                false => Side::Lower,
            };
            let Some(bound) = self.bounds.of(e.col).bound(side) else { unreachable!("the column could move") };
            terms.push((bound.time, e.coefficient.clone()));
        }
        self.weakened(terms, None)
    }
}
