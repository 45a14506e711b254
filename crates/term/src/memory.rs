//! Values of memories: total maps from ℤ to cells, constant but for finitely many intervals.
//!
//! A memory is written as its value far out and the addresses where the value changes. That is closed under stores and splices
//! (whose length may be huge), has one representation per map, so that equality is structural, and holds the array values of a
//! solver's model, whose default cell need not be zero.

use crate::eval::{floor_shr, low_bits, Value};
use crate::float::Float;
use crate::ty::{Cell, Scalar};
use dashu_int::IBig;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A memory: bytes, or the integer value (bit pattern for floats) of scalar cells.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MemValue {
    cell: Cell,
    /// The value below the first change and from the last on.
    background: IBig,
    /// From this address up to the next one the cells have this value; neighbours differ.
    changes: Arc<BTreeMap<IBig, IBig>>,
}

impl MemValue {
    /// The memory of zeros.
    pub fn zero(cell: Cell) -> MemValue {
        MemValue::filled(cell, IBig::ZERO)
    }

    /// The memory with one value in every cell.
    pub fn filled(cell: Cell, value: IBig) -> MemValue {
        MemValue { cell, background: value, changes: Arc::default() }
    }

    /// What a cell holds.
    pub fn cell(&self) -> Cell {
        self.cell
    }

    /// The value of all but finitely many cells.
    pub fn background(&self) -> &IBig {
        &self.background
    }

    /// The content of one cell: a byte, an integer, or the bit pattern of a float.
    pub fn get(&self, addr: &IBig) -> IBig {
        self.changes.range(..=addr).next_back().map_or_else(|| self.background.clone(), |c| c.1.clone())
    }

    /// Sets one cell.
    pub fn set(&mut self, addr: IBig, value: IBig) {
        let end = &addr + IBig::ONE;
        self.fill(addr, end, value);
    }

    /// Sets the cells at `lo..hi`.
    pub fn fill(&mut self, lo: IBig, hi: IBig, value: IBig) {
        if lo >= hi {
            return;
        }
        let after = self.get(&hi);
        let before = self.get(&(&lo - IBig::ONE));
        let changes = Arc::make_mut(&mut self.changes);
        if changes.range(&lo..=&hi).next().is_some() {
            let inner: Vec<IBig> = changes.range(&lo..=&hi).map(|c| c.0.clone()).collect();
            for a in inner {
                changes.remove(&a);
            }
        }
        if after != value {
            changes.insert(hi, after);
        }
        if before != value {
            changes.insert(lo, value);
        }
    }

    /// The maximal intervals `lo..hi` whose cells have one value other than the background, by address.
    pub fn runs(&self) -> impl Iterator<Item = (&IBig, &IBig, &IBig)> {
        let ends = self.changes.keys().skip(1);
        self.changes.iter().zip(ends).map(|((lo, v), hi)| (lo, hi, v)).filter(|r| *r.2 != self.background)
    }

    /// Reads a scalar.
    pub fn load(&self, ty: Scalar, addr: &IBig) -> Value {
        let raw = match self.cell {
            Cell::Scalar(_) => self.get(addr),
            Cell::Byte => (0..ty.bytes()).rev().fold(IBig::ZERO, |acc, i| (acc << 8) + self.get(&(addr + IBig::from(i)))),
        };
        match ty {
            Scalar::Int(t) => Value::Int(t.wrap(&raw)),
            Scalar::Float(t) => Value::Float(Float { ty: t, bits: low_bits(&raw, t.bits() as u16) }),
        }
    }

    /// Writes a scalar; an integer outside the type is wrapped.
    pub fn store(&mut self, ty: Scalar, addr: &IBig, value: &Value) {
        let raw = match value {
            Value::Int(v) => v.clone(),
            Value::Float(f) => IBig::from(f.bits),
            Value::Bool(b) => IBig::from(u8::from(*b)),
            Value::Mem(_) => IBig::ZERO,
        };
        match (self.cell, ty) {
            (Cell::Scalar(_), Scalar::Int(t)) => self.set(addr.clone(), t.wrap(&raw)),
            (Cell::Scalar(_), Scalar::Float(_)) => self.set(addr.clone(), raw),
            (Cell::Byte, _) => {
                for i in 0..ty.bytes() {
                    let byte = low_bits(&floor_shr(&raw, 8 * i as usize), 8);
                    self.set(addr + IBig::from(i), IBig::from(byte));
                }
            }
        }
    }

    /// `src` on `[lo, lo+len)`, `self` elsewhere.
    #[must_use]
    pub fn splice(&self, src: &MemValue, lo: &IBig, len: &IBig) -> MemValue {
        let hi = lo + len;
        let mut out = self.clone();
        if *lo >= hi {
            return out;
        }
        out.fill(lo.clone(), hi.clone(), src.get(lo));
        let inner: Vec<(IBig, IBig)> = src.changes.range(lo..&hi).map(|(a, v)| (a.clone(), v.clone())).collect();
        for (a, v) in inner {
            out.fill(a, hi.clone(), v);
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn big(v: i64) -> IBig {
        IBig::from(v)
    }

    #[test]
    fn one_map_has_one_representation() {
        let mut a = MemValue::zero(Cell::Byte);
        a.set(big(5), big(7));
        a.set(big(6), big(7));
        let mut b = MemValue::zero(Cell::Byte);
        b.fill(big(4), big(9), big(7));
        b.set(big(4), big(0));
        b.fill(big(7), big(20), big(0));
        assert_eq!(a, b);
        assert_eq!(a.runs().collect::<Vec<_>>(), [(&big(5), &big(7), &big(7))]);
        a.fill(big(5), big(7), big(0));
        assert_eq!(a, MemValue::zero(Cell::Byte));
    }

    #[test]
    fn a_splice_takes_the_source_inside_only() {
        let mut mem = MemValue::zero(Cell::Byte);
        let mut src = MemValue::filled(Cell::Byte, big(9));
        (0..8).for_each(|i| mem.set(big(i), big(i + 1)));
        src.set(big(3), big(100));
        let out = mem.splice(&src, &big(2), &big(3));
        let got: Vec<IBig> = (0..8).map(|i| out.get(&big(i))).collect();
        assert_eq!(got, [1, 2, 9, 100, 9, 6, 7, 8].map(big));
        let far = mem.splice(&src, &big(-1), &(IBig::ONE << 70));
        assert_eq!((far.get(&big(-2)), far.get(&(IBig::ONE << 69)), far.get(&(IBig::ONE << 70))), (big(0), big(9), big(0)));
    }
}
