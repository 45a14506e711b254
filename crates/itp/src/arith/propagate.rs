//! Literals that the bounds imply.
//!
//! A bound on a column settles the atoms of the same form whose thresholds it passes. A row bounds each of its columns by the bounds of the
//! others; that is tried for rows in which a bound changed. A bound derived from a row is not kept: it only settles atoms.

use super::bounds::{Bound, Side};
use super::num::Num;
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
    blocks: Vec<Block>,
}

/// Why a row implies nothing: two columns without a bound that the least value of its sum needs, and two for the greatest. As long as
/// the row is the same and these bounds are missing, there is no need to look at it.
#[derive(Clone, Copy, Debug)]
struct Block {
    version: u32,
    missing: [(Col, Side); 4],
}

const NOT_BLOCKED: Block = Block { version: u32::MAX, missing: [(Col(0), Side::Lower); 4] };

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
            self.blocks.resize(row.index() + 1, NOT_BLOCKED);
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
const LONGEST_ROW: usize = 300;

/// Rows looked at for one change of a bound.
const MOST_ROWS: usize = 400;

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
                self.imply_from_row(row, implied);
            }
        }
        self.agenda.rows = rows;
        self.agenda.rows.clear();
    }

    /// Settles the atoms of `col` that its asserted bound on `side` decides.
    fn imply_from_bound(&mut self, col: Col, side: Side, implied: &mut Vec<Lit>) {
        let Some(Bound { value, time, .. }) = self.bounds.of(col).bound(side).cloned() else { return };
        for id in self.passed(col, side, &value) {
            let lit = self.settled(id, side);
            if !self.is_known(lit) {
                self.know(lit);
                // The row x - x = 0.
                self.records.add(lit, Int::MINUS_ONE, [(time, Int::ONE)]);
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

    /// Settles atoms of columns of `row` by the bounds of the others, where at most one has no bound.
    fn imply_from_row(&mut self, row: Row, implied: &mut Vec<Lit>) {
        let block = &self.agenda.blocks[row.index()];
        let version = self.tableau.version(row);
        if block.version == version && block.missing.iter().all(|(c, side)| !self.bounds.has(*c, *side)) {
            return;
        }
        let (mut low, mut high) = (Open::None, Open::None);
        for e in self.tableau.row(row) {
            let side = side_of_term(Side::Lower, &e.coefficient);
            if !self.bounds.has(e.col, side) {
                low = low.and(e.col, side);
            }
            if !self.bounds.has(e.col, side.opposite()) {
                high = high.and(e.col, side.opposite());
            }
            if let (Open::Many(a, b), Open::Many(c, d)) = (low, high) {
                self.agenda.blocks[row.index()] = Block { version, missing: [a, b, c, d] };
                return;
            }
        }
        let mut found = Vec::new();
        for (side, open) in [(Side::Lower, low), (Side::Upper, high)] {
            if !matches!(open, Open::Many(..)) {
                self.scan_row(row, side, open, &mut found);
            }
        }
        for Implied { side, col, lit } in found {
            if self.is_known(lit) {
                continue;
            }
            self.know(lit);
            let entries = self.tableau.row(row);
            let Some(own) = entries.iter().find(|e| e.col == col) else { continue };
            let others = entries.iter().filter(|e| e.col != col).filter_map(|e| {
                let bound = self.bounds.of(e.col).bound(side_of_term(side, &e.coefficient))?;
                Some((bound.time, e.coefficient.clone()))
            });
            self.records.add(lit, own.coefficient.clone(), others);
            self.statistics.implied_by_rows += 1;
            implied.push(lit);
        }
    }

    /// Finds literals that follow from the least (`Side::Lower`) or greatest value of the sum of all columns of `row` but one.
    fn scan_row(&self, row: Row, side: Side, open: Open, found: &mut Vec<Implied>) {
        let Some(sum) = self.sum_of_words(row, side) else { return self.scan_row_exactly(row, side, open, found) };
        for e in self.tableau.row(row) {
            if matches!(open, Open::One((c, _)) if c != e.col) || self.forms[e.col.index()].atoms.is_empty() {
                continue;
            }
            let range = self.bounds.of(e.col);
            let own = side_of_term(side, &e.coefficient);
            // Words, as the sum was one.
            let coefficient = i128::from(e.coefficient.to_i64().unwrap_or(0));
            let word = |s: Side| range.bound(s).and_then(|b| b.value.to_word()).map(i128::from);
            let rest = sum - word(own).map_or(0, |w| w * coefficient);
            // c·x = -rest, and rest is at least (at most) this: news if the other bound of x leaves the sum off zero.
            if let Some(b) = word(own.opposite()) {
                let extreme = rest + b * coefficient;
                if if side == Side::Lower { extreme <= 0 } else { extreme >= 0 } {
                    continue;
                }
            }
            self.passed_by(e.col, own.opposite(), &Value::from(Num::quotient(-rest, coefficient)), side, found);
        }
    }

    /// The extreme value of the sum of a row, without columns that have no bound, if all numbers are words.
    fn sum_of_words(&self, row: Row, side: Side) -> Option<i128> {
        let mut sum = 0i128;
        for e in self.tableau.row(row) {
            let coefficient = e.coefficient.to_i64()?;
            if let Some(b) = self.bounds.of(e.col).bound(side_of_term(side, &e.coefficient)) {
                // At most LONGEST_ROW products of a word and half a word.
                let coefficient = i32::try_from(coefficient).ok()?;
                sum += i128::from(b.value.to_word()?) * i128::from(coefficient);
            }
        }
        Some(sum)
    }

    fn scan_row_exactly(&self, row: Row, side: Side, open: Open, found: &mut Vec<Implied>) {
        let mut sum = Value::ZERO;
        for e in self.tableau.row(row) {
            if let Some(b) = self.bounds.of(e.col).bound(side_of_term(side, &e.coefficient)) {
                sum = &sum + &b.value.scaled(&e.coefficient, &Int::ONE);
            }
        }
        for e in self.tableau.row(row) {
            if matches!(open, Open::One((c, _)) if c != e.col) || self.forms[e.col.index()].atoms.is_empty() {
                continue;
            }
            let own = side_of_term(side, &e.coefficient);
            let rest = match self.bounds.of(e.col).bound(own) {
                Some(b) => &sum - &b.value.scaled(&e.coefficient, &Int::ONE),
                None => sum.clone(),
            };
            let value = rest.scaled(&Int::MINUS_ONE, &e.coefficient);
            self.passed_by(e.col, own.opposite(), &value, side, found);
        }
    }

    fn passed_by(&self, col: Col, bounded: Side, value: &Value, side: Side, found: &mut Vec<Implied>) {
        let ids = self.passed(col, bounded, value);
        found.extend(ids.into_iter().map(|id| Implied { side, col, lit: self.settled(id, bounded) }));
    }
}

/// A literal that a row implies.
struct Implied {
    /// The side of the row's sum that implies it.
    side: Side,
    col: Col,
    lit: Lit,
}

/// The columns of a row that have no bound on the side in question.
#[derive(Clone, Copy)]
enum Open {
    None,
    One((Col, Side)),
    /// Two of them.
    Many((Col, Side), (Col, Side)),
}

impl Open {
    #[inline]
    fn and(self, col: Col, side: Side) -> Open {
        match self {
            Open::None => Open::One((col, side)),
            Open::One(first) => Open::Many(first, (col, side)),
            Open::Many(..) => self,
        }
    }
}

/// The side of a column that makes a term extreme on `side`.
#[inline]
fn side_of_term(side: Side, coefficient: &Int) -> Side {
    if coefficient.is_positive() == (side == Side::Lower) {
        Side::Lower
    } else {
        Side::Upper
    }
}
