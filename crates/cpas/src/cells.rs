//! What is known of memory cells at constant addresses, shared between states until one writes.

use plumb_term::{Kind, Range, Scalar, Term, VarId};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A cell: the memory and the address of its first byte.
pub(crate) type Slot = (VarId, i128);

/// So many cells are known at most: a write copies a shared table.
const MAX_CELLS: usize = 1024;

/// A map from cells to what is known of them; cells that overlap are never both known.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Cells<T: Copy + PartialEq> {
    map: Arc<BTreeMap<Slot, (Scalar, T)>>,
}

impl<T: Copy + PartialEq> Default for Cells<T> {
    fn default() -> Cells<T> {
        Cells { map: Arc::default() }
    }
}

impl<T: Copy + PartialEq> Cells<T> {
    pub(crate) fn get(&self, mem: VarId, addr: i128, ty: Scalar) -> Option<T> {
        self.map.get(&(mem, addr)).filter(|c| c.0 == ty).map(|c| c.1)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (Slot, Scalar, T)> + '_ {
        self.map.iter().map(|(s, (ty, v))| (*s, *ty, *v))
    }

    /// A write of a scalar to one of the addresses.
    pub(crate) fn write(&mut self, mem: VarId, ty: Scalar, addr: Range, value: Option<T>) {
        let (lo, hi) = (addr.lo.unwrap_or(i128::MIN), addr.hi.unwrap_or(i128::MAX));
        self.forget(mem, lo, hi.saturating_add(i128::from(ty.bytes() as u32)));
        if let (true, Some(value), true) = (lo == hi, value, self.map.len() < MAX_CELLS) {
            Arc::make_mut(&mut self.map).insert((mem, lo), (ty, value));
        }
    }

    /// Forgets the cells of `mem` that overlap `[lo, hi)`.
    pub(crate) fn forget(&mut self, mem: VarId, lo: i128, hi: i128) {
        // No scalar is larger than 16 bytes.
        let range = (mem, lo.saturating_sub(16))..=(mem, i128::MAX);
        let hit = |slot: &Slot, ty: Scalar| slot.1 < hi && slot.1.saturating_add(i128::from(ty.bytes() as u32)) > lo;
        let gone: Vec<Slot> = self.map.range(range).take_while(|(s, _)| s.1 < hi).filter(|(s, c)| hit(s, c.0)).map(|(s, _)| *s).collect();
        if !gone.is_empty() {
            let map = Arc::make_mut(&mut self.map);
            for s in &gone {
                map.remove(s);
            }
        }
    }

    /// Keeps the cells that the function admits.
    pub(crate) fn retain(&mut self, keep: impl Fn(Slot, Scalar, T) -> bool) {
        if self.map.iter().any(|(s, (ty, v))| !keep(*s, *ty, *v)) {
            Arc::make_mut(&mut self.map).retain(|s, (ty, v)| keep(*s, *ty, *v));
        }
    }

    /// Whether both share their table, and so are equal.
    pub(crate) fn is_shared(&self, other: &Cells<T>) -> bool {
        Arc::ptr_eq(&self.map, &other.map)
    }

    /// The writes that turn memory `m` into `t`, done on the cells; `value` gives what is known of a written term, whose addresses are
    /// terms that have been simplified already.
    pub(crate) fn assign(&mut self, m: VarId, t: Term, value: &dyn Fn(Term) -> Option<T>) {
        let mut writes = Vec::new();
        let mut now = t;
        loop {
            match now.kind() {
                Kind::Store(_, inner, ..) => {
                    writes.push(now);
                    now = *inner;
                }
                Kind::Splice { mem, .. } => {
                    writes.push(now);
                    now = *mem;
                }
                Kind::Var(v) if v.id == m => break,
                _ => {
                    self.forget(m, i128::MIN, i128::MAX);
                    break;
                }
            }
        }
        for w in writes.into_iter().rev() {
            match w.kind() {
                Kind::Store(ty, _, addr, v) => self.write(m, *ty, addr.range(), value(*v)),
                Kind::Splice { lo, len, .. } => {
                    let end = lo.range().plus(len.range()).hi.unwrap_or(i128::MAX);
                    self.forget(m, lo.range().lo.unwrap_or(i128::MIN), end);
                }
                _ => {}
            }
        }
    }
}

/// The cell that a term loads, if its address is a constant.
pub(crate) fn slot(t: Term) -> Option<(Slot, Scalar)> {
    match t.kind() {
        Kind::Load(ty, m, a) => Some(((m.as_var().filter(|v| v.id < VarId::FIRST_AUX)?.id, a.as_i128()?), *ty)),
        _ => None,
    }
}
