//! Objects and their lifetimes.

use super::super::inputs::Origin;
use super::super::outcome::UbKind;
use super::data::{Data, INIT};

/// How an object lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) enum Kind {
    /// From start to end.
    Static,
    /// At a fixed address, from `HavocMem` on.
    Automatic,
    /// Until `free`.
    Heap,
    /// Allocated, until the function returns or `EndLife`.
    Frame,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Life {
    Live,
    /// Before its scope, or after it.
    OutOfScope,
    Freed,
}

/// What the bytes hold that no chunk holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Base {
    /// Zeros.
    Zero,
    /// Nothing; what the contents are when they are asked for.
    Uninit(Contents),
}

/// Contents that no store determined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Contents {
    /// An input.
    Input(Origin),
    /// Zeros, because the whole region was set to zeros before.
    Zero,
}

#[derive(Clone, Debug)]
pub(super) struct Object {
    pub(super) addr: u64,
    pub(super) size: u64,
    pub(super) region: u32,
    pub(super) kind: Kind,
    pub(super) read_only: bool,
    pub(super) life: Life,
    pub(super) base: Base,
    /// Parts `[lo, hi)` that got other contents later, the latest last.
    pub(super) parts: Vec<(u64, u64, Contents)>,
    pub(super) data: Data,
}

impl Object {
    /// The state of the bytes of a new chunk.
    pub(super) fn fresh_state(&self) -> u8 {
        match self.base {
            Base::Zero => INIT,
            Base::Uninit(_) => 0,
        }
    }

    /// What an uninitialised byte holds.
    pub(super) fn contents(&self, offset: u64) -> Contents {
        let part = self.parts.iter().rev().find(|(lo, hi, _)| (*lo..*hi).contains(&offset));
        match (part, self.base) {
            (Some(p), _) => p.2,
            (None, Base::Uninit(c)) => c,
            (None, Base::Zero) => Contents::Zero,
        }
    }

    /// Records that `[lo, hi)` has new contents.
    pub(super) fn add_part(&mut self, lo: u64, hi: u64, contents: Contents) {
        self.parts.retain(|p| p.0 < lo || p.1 > hi);
        self.parts.push((lo, hi, contents));
    }

    /// Forgets all contents; returns how many bytes that frees.
    pub(super) fn clear(&mut self, base: Base) -> u64 {
        let freed = self.data.allocated();
        self.data = Data::default();
        self.parts = Vec::new();
        self.base = base;
        freed
    }

    /// Why it cannot be accessed now.
    pub(super) fn dead(&self) -> UbKind {
        match self.life {
            Life::Freed => UbKind::UseAfterFree,
            _ => UbKind::UseAfterScope,
        }
    }

    /// Whether `[addr, addr+n)` lies in it.
    pub(super) fn covers(&self, addr: u64, n: u64) -> bool {
        addr >= self.addr && n <= self.size && addr - self.addr <= self.size - n
    }
}
