//! Byte-exact memory: objects found by address, each with its bytes, their states and its lifetime.
//!
//! **Contract.** An access is defined if it lies in one live object; anything else is undefined behaviour of the C program. In a region where the program never puts an
//! object, a pointer can only come from outside (an input, or memory that nobody initialised): what it points to is lent by the program's environment when it is
//! accessed first, except in strict mode. An access through a
//! region that the object does not belong to, or that overlaps a scalar cell partially, is an error of the front end's points-to
//! analysis. An uninitialised byte (cell) takes its value from the inputs when it is read first; in strict mode it is poison instead.
//!
//! The addresses are those of the logical reading ([`crate::effect`]); so are the contents: a region that was set to zeros as a
//! whole has zeros also where objects are allocated later.

mod access;
mod data;
mod object;

pub(super) use access::Fill;
pub(super) use object::Kind;

use super::inputs::{CellAsk, Inputs, Origin};
use super::outcome::{Limit, Stop, UbKind};
use super::value::Val;
use crate::op::Ub;
use crate::program::{Program, Region, RegionId};
use data::{Data, INPUT};
use object::{Base, Contents, Life, Object};
use plumb_term::Cell;
use std::collections::BTreeSet;

/// Addresses below this one are what is left of null pointers.
const NULL_ZONE: u64 = 4096;
/// The environment's memory begins here.
pub const LENT_FROM: u64 = 0x2000_0000;
/// The environment lends memory in pieces of so many bytes.
const LENT: u64 = 16;
/// So many dead allocations are kept to tell their misuse from other wild accesses.
const KEPT_DEAD: usize = 1 << 16;

/// Inputs and what is done with uninitialised data.
pub(super) struct Supply {
    pub(super) inputs: Box<dyn Inputs>,
    pub(super) strict: bool,
    /// The cells asked for, if they are recorded.
    pub(super) asked: Option<Vec<(CellAsk, u128)>>,
}

struct RegionState {
    cell: Cell,
    /// What objects allocated from now on contain.
    background: Contents,
    /// The object that was accessed last.
    last: usize,
    /// Whether its objects are the environment's.
    lent: bool,
}

pub(super) struct Memory {
    /// Ascending, disjoint.
    objects: Vec<Object>,
    regions: Vec<RegionState>,
    used: u64,
    limit: u64,
    /// Where addresses end.
    end: u64,
    havocs: u64,
    dead: usize,
    /// Whether string literals may be written: while static objects are initialised.
    pub(super) writable_literals: bool,
}

fn undefined<T>(ub: UbKind) -> Result<T, Stop> {
    Err(Stop::Undefined(ub))
}

/// An address, as the machine has them.
fn address(v: &Val) -> Result<u64, Stop> {
    match v {
        Val::Int(a) => u64::try_from(*a).or(undefined(UbKind::OutOfBounds)),
        Val::Big(_) => undefined(UbKind::OutOfBounds),
        other => Err(other.misuse()),
    }
}

impl Memory {
    /// The fixed objects of a program; in the regions `lent`, objects are the environment's.
    pub(super) fn new(program: &Program, lent: &BTreeSet<RegionId>, limit: u64) -> Result<Memory, Stop> {
        let background = Contents::Input(Origin::Initial);
        let region = |(i, r): (usize, &Region)| {
            let lent = lent.contains(&RegionId(i as u32));
            RegionState { cell: r.cell, background, last: usize::MAX, lent }
        };
        let regions = program.regions.iter().enumerate().map(region).collect();
        let end = u64::try_from(program.pointer().max()).unwrap_or(u64::MAX);
        let mut m = Memory { objects: Vec::new(), regions, used: 0, limit, end, havocs: 0, dead: 0, writable_literals: true };
        for o in &program.objects {
            let kind = if o.func.is_some() { Kind::Automatic } else { Kind::Static };
            m.insert(o.addr, o.size, o.region, kind, o.read_only)?;
        }
        Ok(m)
    }

    /// No objects at all.
    pub(super) fn empty(limit: u64) -> Memory {
        Memory { objects: Vec::new(), regions: Vec::new(), used: 0, limit, end: u64::MAX, havocs: 0, dead: 0, writable_literals: true }
    }

    fn insert(&mut self, addr: u64, size: u64, region: RegionId, kind: Kind, read_only: bool) -> Result<&mut Object, Stop> {
        let Some(r) = self.regions.get(region.0 as usize) else {
            return Err(Stop::Internal(format!("an object lies in the unknown region {}", region.0)));
        };
        let i = self.objects.partition_point(|o| o.addr <= addr);
        let free_before = i == 0 || self.objects[i - 1].addr + self.objects[i - 1].size <= addr;
        let free_after = self.objects.get(i).is_none_or(|o| addr.checked_add(size).is_some_and(|end| end <= o.addr));
        if !free_before || !free_after || addr.checked_add(size).is_none() {
            return Err(Stop::Internal(format!("objects overlap at address {addr:#x}")));
        }
        let life = if kind == Kind::Automatic { Life::OutOfScope } else { Life::Live };
        let base = Base::Uninit(r.background);
        let object = Object { addr, size, region: region.0, kind, read_only, life, base, parts: Vec::new(), data: Data::default() };
        self.objects.insert(i, object);
        Ok(&mut self.objects[i])
    }

    /// A new object; its bytes are zeros or not initialised.
    pub(super) fn allocate(&mut self, addr: &Val, size: &Val, region: RegionId, kind: Kind, zeroed: bool) -> Result<u64, Stop> {
        let (a, n) = match (addr, size) {
            (Val::Int(a), Val::Int(n)) => (u64::try_from(*a), u64::try_from(*n)),
            (Val::Poison(_), _) => return Err(addr.misuse()),
            (_, Val::Poison(_)) => return Err(size.misuse()),
            _ => return undefined(UbKind::Guard(Ub::BadSize)),
        };
        let (Ok(a), Ok(n)) = (a, n) else { return undefined(UbKind::Guard(Ub::BadSize)) };
        let object = self.insert(a, n, region, kind, false)?;
        if zeroed {
            object.base = Base::Zero;
        }
        Ok(a)
    }

    /// `HavocMem`; tells the address if a lifetime begins.
    pub(super) fn havoc(&mut self, region: u32, addr: &Val, len: &Val, supply: &mut Supply) -> Result<Option<u64>, Stop> {
        let nth = self.havocs;
        supply.inputs.havoc_mem(nth).map_err(Stop::Input)?;
        self.havocs += 1;
        let contents = Contents::Input(Origin::Havoc(nth));
        let a = address(addr)?;
        let n = match len {
            Val::Int(n) if *n <= 0 => return Ok(None),
            Val::Int(n) => u64::try_from(*n).or(undefined(UbKind::OutOfBounds))?,
            Val::Big(_) => return undefined(UbKind::OutOfBounds),
            other => return Err(other.misuse()),
        };
        if let Some(i) = self.find(a) {
            let o = &mut self.objects[i];
            if o.kind == Kind::Automatic && o.addr == a && o.size == n {
                if o.region != region {
                    return Err(wrong_region(a));
                }
                let begins = o.life != Life::Live;
                o.life = Life::Live;
                self.used -= o.clear(Base::Uninit(contents));
                return Ok(begins.then_some(a));
            }
        }
        let (i, offset) = self.locate(region, a, n, false)?;
        if self.objects[i].covers(a, n) && offset == 0 && n == self.objects[i].size && !supply.strict {
            self.used -= self.objects[i].clear(Base::Uninit(contents));
            return Ok(None);
        }
        self.check_cut(i, offset, n)?;
        self.each_piece(i, offset, n, |_, state| state.fill(INPUT))?;
        self.objects[i].add_part(offset, offset + n, contents);
        Ok(None)
    }

    /// The end of an object's lifetime at the end of its scope or function.
    pub(super) fn end_life(&mut self, addr: u64) {
        if let Some(i) = self.find(addr) {
            let o = &mut self.objects[i];
            if o.addr == addr && o.life == Life::Live && matches!(o.kind, Kind::Automatic | Kind::Frame) {
                o.life = Life::OutOfScope;
                self.used -= o.clear(o.base);
                let allocated = o.kind == Kind::Frame;
                self.bury(allocated);
            }
        }
    }

    /// `free`.
    pub(super) fn free(&mut self, addr: &Val) -> Result<(), Stop> {
        let a = match addr {
            Val::Int(0) => return Ok(()),
            Val::Int(a) => u64::try_from(*a).or(undefined(UbKind::InvalidFree))?,
            Val::Big(_) => return undefined(UbKind::InvalidFree),
            other => return Err(other.misuse()),
        };
        match self.find(a).map(|i| &mut self.objects[i]) {
            Some(o) if o.addr == a && o.kind == Kind::Heap => {
                if o.life == Life::Freed {
                    return undefined(UbKind::DoubleFree);
                }
                o.life = Life::Freed;
                self.used -= o.clear(o.base);
                self.bury(true);
                Ok(())
            }
            _ => undefined(UbKind::InvalidFree),
        }
    }

    /// Counts a dead allocation; when there are too many, all of them are forgotten.
    fn bury(&mut self, allocated: bool) {
        self.dead += usize::from(allocated);
        if self.dead > KEPT_DEAD.max(self.objects.len() / 2) {
            self.objects.retain(|o| o.life == Life::Live || o.kind == Kind::Automatic);
            self.dead = 0;
            self.regions.iter_mut().for_each(|r| r.last = usize::MAX);
        }
    }

    /// The last object that starts at or before an address.
    fn find(&self, addr: u64) -> Option<usize> {
        self.objects.partition_point(|o| o.addr <= addr).checked_sub(1)
    }

    /// The object of a region that holds `[addr, addr+n)` and the offset in it.
    fn locate(&mut self, region: u32, addr: u64, n: u64, write: bool) -> Result<(usize, u64), Stop> {
        let last = self.regions[region as usize].last;
        if let Some(o) = self.objects.get(last) {
            if o.covers(addr, n) && o.life == Life::Live && o.region == region && !(write && o.read_only) {
                return Ok((last, addr - o.addr));
            }
        }
        let i = match self.locate_any(addr, n) {
            Err(_) if self.regions[region as usize].lent && addr >= LENT_FROM => self.lend(region, addr, n)?,
            found => found?,
        };
        let o = &self.objects[i];
        if o.region != region {
            return Err(wrong_region(addr));
        }
        if write && o.read_only && !self.writable_literals {
            return undefined(UbKind::ReadOnly);
        }
        self.regions[region as usize].last = i;
        Ok((i, addr - o.addr))
    }

    /// An object of the environment around `[addr, addr+n)`, as far as there is room.
    fn lend(&mut self, region: u32, addr: u64, n: u64) -> Result<usize, Stop> {
        let i = self.objects.partition_point(|o| o.addr <= addr);
        let before = i.checked_sub(1).map_or(1, |p| self.objects[p].addr + self.objects[p].size);
        let after = self.objects.get(i).map_or(u64::MAX, |o| o.addr);
        let lo = (addr / LENT * LENT).max(before);
        let hi = addr.checked_add(n).and_then(|end| end.checked_next_multiple_of(LENT)).unwrap_or(u64::MAX).min(after).min(self.end);
        if addr < lo || hi < addr || hi - addr < n {
            return undefined(UbKind::OutOfBounds);
        }
        self.insert(lo, hi - lo, RegionId(region), Kind::Static, false)?;
        self.regions.iter_mut().for_each(|r| r.last = usize::MAX);
        Ok(i)
    }

    /// The environment's objects: addresses and sizes, ascending.
    pub(super) fn lent(&self) -> Vec<(u64, u64)> {
        let lent = |o: &&Object| self.regions[o.region as usize].lent;
        self.objects.iter().filter(lent).map(|o| (o.addr, o.size)).collect()
    }

    /// The live object that holds `[addr, addr+n)`.
    fn locate_any(&self, addr: u64, n: u64) -> Result<usize, Stop> {
        match self.find(addr) {
            Some(i) if self.objects[i].covers(addr, n) => {
                let o = &self.objects[i];
                if o.life == Life::Live {
                    Ok(i)
                } else {
                    undefined(o.dead())
                }
            }
            _ if addr < NULL_ZONE => undefined(UbKind::NullDereference),
            _ => undefined(UbKind::OutOfBounds),
        }
    }

    /// Visits the bytes and states of a part of an object.
    fn each_piece(&mut self, i: usize, mut offset: u64, mut n: u64, mut f: impl FnMut(&mut [u8], &mut [u8])) -> Result<(), Stop> {
        while n > 0 {
            let (bytes, state) = self.piece(i, offset, n)?;
            f(bytes, state);
            let done = bytes.len() as u64;
            offset += done;
            n -= done;
        }
        Ok(())
    }

    /// The first bytes, at most `n`, of an object from an offset on, as far as they lie together.
    fn piece(&mut self, i: usize, offset: u64, n: u64) -> Result<(&mut [u8], &mut [u8]), Stop> {
        let o = &mut self.objects[i];
        let state = o.fresh_state();
        let piece = o.data.at(o.size, offset, n, state, &mut self.used);
        if self.used > self.limit {
            return Err(Stop::Limit(Limit::Memory));
        }
        Ok(piece)
    }
}

fn wrong_region(addr: u64) -> Stop {
    Stop::Internal(format!("an access at {addr:#x} goes through a region that does not hold the object there"))
}
