//! The values of columns and the bounds that asserted literals put on them.

use super::tableau::Col;
use super::value::Value;
use crate::lit::Lit;

/// Which way a bound goes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Side {
    /// `x ≥ bound`.
    Lower,
    /// `x ≤ bound`.
    Upper,
}

impl Side {
    #[inline]
    pub(crate) fn opposite(self) -> Side {
        match self {
            Side::Lower => Side::Upper,
            Side::Upper => Side::Lower,
        }
    }

    fn bit(self) -> u8 {
        match self {
            Side::Lower => 1,
            Side::Upper => 2,
        }
    }
}

/// A bound and the asserted literal that says so.
#[derive(Clone, Debug)]
pub(crate) struct Bound {
    pub(crate) value: Value,
    pub(crate) lit: Lit,
    pub(crate) time: Time,
}

/// When a bound was set: later ones are greater.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Time(u32);

/// What is known of a column.
#[derive(Clone, Debug)]
pub(crate) struct Range {
    pub(crate) value: Value,
    pub(crate) lower: Option<Bound>,
    pub(crate) upper: Option<Bound>,
}

impl Range {
    #[inline]
    pub(crate) fn bound(&self, side: Side) -> Option<&Bound> {
        match side {
            Side::Lower => self.lower.as_ref(),
            Side::Upper => self.upper.as_ref(),
        }
    }

    /// The bound that the value violates.
    #[inline]
    pub(crate) fn violated(&self) -> Option<(Side, &Bound)> {
        match (&self.lower, &self.upper) {
            (Some(l), _) if self.value < l.value => Some((Side::Lower, l)),
            (_, Some(u)) if self.value > u.value => Some((Side::Upper, u)),
            _ => None,
        }
    }

    /// Whether the value, which is in the range, can grow.
    #[inline]
    pub(crate) fn can_grow(&self) -> bool {
        self.upper.as_ref().is_none_or(|u| self.value < u.value)
    }

    /// Whether the value, which is in the range, can shrink.
    #[inline]
    pub(crate) fn can_shrink(&self) -> bool {
        self.lower.as_ref().is_none_or(|l| self.value > l.value)
    }

    /// The bounds, if they meet.
    pub(crate) fn fixed(&self) -> Option<(&Bound, &Bound)> {
        match (&self.lower, &self.upper) {
            (Some(l), Some(u)) if l.value == u.value => Some((l, u)),
            _ => None,
        }
    }
}

/// A change of a bound.
#[derive(Clone, Debug)]
struct Change {
    col: Col,
    side: Side,
    value: Value,
    lit: Lit,
    before: Option<Time>,
}

/// All columns, with a trail that undoes changes of bounds. Values stay as they are when bounds go.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bounds {
    ranges: Vec<Range>,
    /// Which bounds a column has, in two bits: for scans of rows that look at nothing else.
    has: Vec<u8>,
    trail: Vec<Change>,
}

impl Bounds {
    /// Adds a column with this value.
    pub(crate) fn column(&mut self, value: Value) {
        self.ranges.push(Range { value, lower: None, upper: None });
        self.has.push(0);
    }

    #[inline]
    pub(crate) fn of(&self, col: Col) -> &Range {
        &self.ranges[col.index()]
    }

    /// Whether a column has a bound.
    #[inline]
    pub(crate) fn has(&self, col: Col, side: Side) -> bool {
        self.has[col.index()] & side.bit() != 0
    }

    /// How many bounds a column has.
    #[inline]
    pub(crate) fn count(&self, col: Col) -> u32 {
        self.has[col.index()].count_ones()
    }

    #[inline]
    pub(crate) fn value(&self, col: Col) -> &Value {
        &self.ranges[col.index()].value
    }

    #[inline]
    pub(crate) fn set_value(&mut self, col: Col, value: Value) {
        self.ranges[col.index()].value = value;
    }

    pub(crate) fn set(&mut self, col: Col, side: Side, value: Value, lit: Lit) {
        let bound = Bound { value: value.clone(), lit, time: Time(self.trail.len() as u32) };
        let range = &mut self.ranges[col.index()];
        let old = match side {
            Side::Lower => range.lower.replace(bound),
            Side::Upper => range.upper.replace(bound),
        };
        self.has[col.index()] |= side.bit();
        self.trail.push(Change { col, side, value, lit, before: old.map(|b| b.time) });
    }

    /// The value and the literal of the bound that was set then.
    #[inline]
    pub(crate) fn set_at(&self, time: Time) -> (&Value, Lit) {
        let change = &self.trail[time.0 as usize];
        (&change.value, change.lit)
    }

    /// When the weaker bound was set that held before the one set at `time`.
    #[inline]
    pub(crate) fn before(&self, time: Time) -> Option<Time> {
        self.trail[time.0 as usize].before
    }

    pub(crate) fn mark(&self) -> usize {
        self.trail.len()
    }

    pub(crate) fn undo_to(&mut self, mark: usize) {
        while self.trail.len() > mark {
            if let Some(change) = self.trail.pop() {
                let old = change.before.map(|time| {
                    let (value, lit) = self.set_at(time);
                    Bound { value: value.clone(), lit, time }
                });
                if old.is_none() {
                    self.has[change.col.index()] &= !change.side.bit();
                }
                let range = &mut self.ranges[change.col.index()];
                match change.side {
                    Side::Lower => range.lower = old,
                    Side::Upper => range.upper = old,
                }
            }
        }
    }
}
