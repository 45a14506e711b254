//! Integer values by small moves of nonbasic columns.
//!
//! A fractional basic column often becomes an integer when one nonbasic column of its row moves a little: any distance if that one is rational, a whole number
//! otherwise. A move counts if all bounds hold after it and no integer column loses its integer value. This finds most models without branching.

use super::num::Num;
use super::tableau::{Col, Row};
use super::value::Value;
use super::Arithmetic;
use plumb_num::Int;

/// Whole numbers that are tried as moves, in both directions.
const REACH: i64 = 6;

/// Columns with more entries are not moved.
const LONGEST_COLUMN: usize = 100;

/// Moves that are tried in one check.
const TRIALS: u32 = 2000;

impl Arithmetic {
    /// Makes some of the fractional columns integers.
    pub(crate) fn patch(&mut self, fractional: &[Col]) {
        let mut trials = TRIALS;
        for &col in fractional {
            let Some(row) = self.tableau.row_of(col) else { continue };
            if self.bounds.value(col).is_integer() {
                continue;
            }
            if let Some((entering, step)) = self.find_patch(row, col, &mut trials) {
                self.shift(entering, &step);
            }
        }
    }

    fn find_patch(&self, row: Row, basic: Col, trials: &mut u32) -> Option<(Col, Value)> {
        let value = self.bounds.value(basic);
        let divisor = self.tableau.basic_coefficient(row);
        for e in self.tableau.row(row) {
            if e.col == basic || self.tableau.occurrences(e.col) > LONGEST_COLUMN || self.bounds.of(e.col).fixed().is_some() {
                continue;
            }
            if self.forms[e.col.index()].integer {
                let rate = Num::ratio(&-&e.coefficient, divisor);
                if rate.is_integer() {
                    continue;
                }
                for size in 1..=REACH {
                    for step in [size, -size] {
                        let step = Value::from(Num::Small(step, 1));
                        let moved = value - &step.scaled(&e.coefficient, divisor);
                        if moved.is_integer() && self.allows(e.col, &step, trials) {
                            return Some((e.col, step));
                        }
                    }
                }
            } else {
                let down = &Value::from(Num::int(&value.real().floor())) - value;
                for target in [&down + &Value::from(Num::ONE), down] {
                    let step = -&target.scaled(divisor, &e.coefficient);
                    if self.allows(e.col, &step, trials) {
                        return Some((e.col, step));
                    }
                }
            }
        }
        None
    }

    /// Whether a nonbasic column can move without harm.
    fn allows(&self, col: Col, step: &Value, trials: &mut u32) -> bool {
        if *trials == 0 {
            return false;
        }
        *trials -= 1;
        let within = |col: Col, value: &Value| {
            let range = self.bounds.of(col);
            range.lower.as_ref().is_none_or(|l| l.value <= *value) && range.upper.as_ref().is_none_or(|u| u.value >= *value)
        };
        within(col, &(self.bounds.value(col) + step))
            && self.tableau.column_of(col).all(|(row, a): (Row, &Int)| {
                let basic = self.tableau.basic(row);
                let old = self.bounds.value(basic);
                let moved = old - &step.scaled(a, self.tableau.basic_coefficient(row));
                within(basic, &moved) && (!self.forms[basic.index()].integer || moved.is_integer() || !old.is_integer())
            })
    }
}
