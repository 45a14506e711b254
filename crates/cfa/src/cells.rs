//! What is known of memory cells at constant addresses: a map that is cheap to copy and to compare.
//!
//! Cells live in one shared table per memory, so that a write copies the table of its memory only, and walking what two maps do not share
//! skips the memories that neither has written since they parted. Cells that overlap are never both known.

use plumb_term::{Range, Scalar, VarId};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A cell: the memory and the address of its first byte.
pub type Slot = (VarId, i128);

type Table<T> = BTreeMap<i128, (Scalar, T)>;

/// A partial map from cells to what is known of them.
#[derive(Clone, Debug)]
pub struct Cells<T> {
    tables: Arc<BTreeMap<VarId, Arc<Table<T>>>>,
    len: usize,
}

impl<T> Default for Cells<T> {
    fn default() -> Cells<T> {
        Cells { tables: Arc::default(), len: 0 }
    }
}

impl<T: PartialEq> PartialEq for Cells<T> {
    fn eq(&self, o: &Cells<T>) -> bool {
        let same = |(a, b): (&Arc<Table<T>>, &Arc<Table<T>>)| Arc::ptr_eq(a, b) || a == b;
        Arc::ptr_eq(&self.tables, &o.tables)
            || (self.len == o.len && self.tables.keys().eq(o.tables.keys()) && self.tables.values().zip(o.tables.values()).all(same))
    }
}

/// No scalar is larger.
const MAX_BYTES: i128 = 16;

fn end(at: i128, ty: Scalar) -> i128 {
    at.saturating_add(i128::from(ty.bytes() as u32))
}

impl<T: Copy + PartialEq> Cells<T> {
    /// How many cells are known.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// What is known of a cell.
    pub fn get(&self, mem: VarId, addr: i128, ty: Scalar) -> Option<T> {
        self.tables.get(&mem)?.get(&addr).filter(|c| c.0 == ty).map(|c| c.1)
    }

    /// All cells, ascending.
    pub fn iter(&self) -> impl Iterator<Item = (Slot, Scalar, T)> + '_ {
        self.tables.iter().flat_map(|(m, table)| table.iter().map(|(a, (ty, v))| ((*m, *a), *ty, *v)))
    }

    /// The memories of which a cell is known, ascending.
    pub fn memories(&self) -> impl Iterator<Item = VarId> + '_ {
        self.tables.keys().copied()
    }

    /// The cells of `mem` that overlap `[lo, hi)`.
    pub fn overlapping(&self, mem: VarId, lo: i128, hi: i128) -> Vec<(i128, Scalar, T)> {
        let Some(table) = self.tables.get(&mem) else { return Vec::new() };
        let from = lo.saturating_sub(MAX_BYTES);
        let near = table.range(from..).take_while(|(a, _)| **a < hi);
        near.filter(|(a, (ty, _))| end(**a, *ty) > lo).map(|(a, (ty, v))| (*a, *ty, *v)).collect()
    }

    /// Makes a cell known; those that overlap it are forgotten.
    pub fn insert(&mut self, mem: VarId, addr: i128, ty: Scalar, value: T) {
        if self.get(mem, addr, ty) == Some(value) {
            return;
        }
        self.forget(mem, addr, end(addr, ty));
        Arc::make_mut(Arc::make_mut(&mut self.tables).entry(mem).or_default()).insert(addr, (ty, value));
        self.len += 1;
    }

    /// Forgets a cell.
    pub fn remove(&mut self, mem: VarId, addr: i128) {
        if !self.tables.get(&mem).is_some_and(|t| t.contains_key(&addr)) {
            return;
        }
        let tables = Arc::make_mut(&mut self.tables);
        let Some(table) = tables.get_mut(&mem) else { return };
        let table = Arc::make_mut(table);
        table.remove(&addr);
        self.len -= 1;
        if table.is_empty() {
            tables.remove(&mem);
        }
    }

    /// Forgets the cells of `mem` that overlap `[lo, hi)`.
    pub fn forget(&mut self, mem: VarId, lo: i128, hi: i128) {
        if lo == i128::MIN && hi == i128::MAX {
            if let Some(table) = self.tables.get(&mem) {
                self.len -= table.len();
                Arc::make_mut(&mut self.tables).remove(&mem);
            }
            return;
        }
        for (addr, ..) in self.overlapping(mem, lo, hi) {
            self.remove(mem, addr);
        }
    }

    /// A write of a scalar to one of the addresses: what it may overlap is forgotten, the cell is known if there is one address and a value.
    pub fn write(&mut self, mem: VarId, ty: Scalar, addr: Range, value: Option<T>, limit: usize) {
        let (lo, hi) = (addr.lo.unwrap_or(i128::MIN), addr.hi.unwrap_or(i128::MAX));
        match value {
            Some(value) if lo == hi && (self.len < limit || self.get(mem, lo, ty).is_some()) => self.insert(mem, lo, ty, value),
            _ => self.forget(mem, lo, end(hi, ty)),
        }
    }

    /// Keeps the cells that the function admits.
    pub fn retain(&mut self, keep: impl Fn(Slot, Scalar, T) -> bool) {
        let gone: Vec<Slot> = self.iter().filter(|(s, ty, v)| !keep(*s, *ty, *v)).map(|c| c.0).collect();
        gone.into_iter().for_each(|(m, a)| self.remove(m, a));
    }

    /// Combines each cell with what the other map knows of it, where they do not share what they know anyway; `None` forgets the cell.
    /// Whether anything changed.
    pub fn combine(&mut self, other: &Cells<T>, with: &mut dyn FnMut(T, Option<T>) -> Option<T>) -> bool {
        if Arc::ptr_eq(&self.tables, &other.tables) {
            return false;
        }
        let mut news: Vec<(Slot, Scalar, Option<T>)> = Vec::new();
        for (m, table) in self.tables.iter() {
            let theirs = other.tables.get(m);
            if theirs.is_some_and(|t| Arc::ptr_eq(t, table)) {
                continue;
            }
            for (a, (ty, v)) in table.iter() {
                let new = with(*v, theirs.and_then(|t| t.get(a)).filter(|c| c.0 == *ty).map(|c| c.1));
                if new != Some(*v) {
                    news.push(((*m, *a), *ty, new));
                }
            }
        }
        for ((m, a), ty, new) in &news {
            match new {
                Some(v) => self.insert(*m, *a, *ty, *v),
                None => self.remove(*m, *a),
            }
        }
        !news.is_empty()
    }

    /// Whether a relation holds between each cell and what the other map knows of it; of what they share it is taken to hold.
    pub fn all(&self, other: &Cells<T>, holds: &mut dyn FnMut(T, Option<T>) -> bool) -> bool {
        Arc::ptr_eq(&self.tables, &other.tables)
            || self.tables.iter().all(|(m, table)| {
                let theirs = other.tables.get(m);
                let of = |a: &i128, ty: Scalar| theirs.and_then(|t| t.get(a)).filter(|c| c.0 == ty).map(|c| c.1);
                theirs.is_some_and(|t| Arc::ptr_eq(t, table)) || table.iter().all(|(a, (ty, v))| holds(*v, of(a, *ty)))
            })
    }

    /// Whether the other map knows all that this one does, and the same of it.
    pub fn is_part_of(&self, other: &Cells<T>) -> bool {
        self.len <= other.len && self.all(other, &mut |v, theirs| theirs == Some(v))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumb_term::IntTy;

    const INT: Scalar = Scalar::Int(IntTy::I32);
    const BYTE: Scalar = Scalar::Int(IntTy::U8);
    const M: VarId = VarId(7);

    #[test]
    fn writes_forget_what_they_overlap() {
        let mut c: Cells<u8> = Cells::default();
        c.insert(M, 100, INT, 1);
        c.insert(M, 104, INT, 2);
        c.insert(VarId(8), 100, INT, 3);
        c.insert(M, 103, BYTE, 4);
        assert_eq!((c.get(M, 100, INT), c.get(M, 103, BYTE), c.get(M, 104, INT), c.len()), (None, Some(4), Some(2), 3));
        c.write(M, INT, Range::new(101, 105), Some(9), 10);
        assert_eq!((c.len(), c.get(VarId(8), 100, INT)), (1, Some(3)));
        c.write(M, INT, Range::new(0, 0), Some(9), 1);
        assert_eq!(c.len(), 1, "the limit");
        c.forget(VarId(8), i128::MIN, i128::MAX);
        assert!(c.is_empty() && c == Cells::default());
    }

    #[test]
    fn combining_skips_what_is_shared() {
        let mut a: Cells<u8> = Cells::default();
        a.insert(M, 0, INT, 1);
        a.insert(VarId(8), 0, INT, 1);
        let mut b = a.clone();
        b.insert(M, 0, INT, 2);
        b.insert(M, 4, INT, 2);
        let mut seen = 0;
        let changed = a.combine(&b, &mut |x, y| {
            seen += 1;
            y.map(|y| x.max(y))
        });
        assert!(changed && seen == 1);
        assert_eq!(a.get(M, 0, INT), Some(2));
        assert!(a.is_part_of(&b) && !b.is_part_of(&a) && a != b);
        assert!(b.combine(&a, &mut |_, y| y) && a == b);
    }
}
