//! Loads, stores and fills.

use super::super::inputs::CellAsk;
use super::super::outcome::{Stop, UbKind};
use super::super::value::{Taint, Val};
use super::data::{HEAD, INIT, INPUT, TAIL};
use super::object::{Base, Contents};
use super::{address, undefined, Memory, Supply};
use crate::program::RegionId;
use plumb_term::{Cell, IntTy, Scalar};

/// What a range of memory is overwritten with.
pub(in super::super) enum Fill {
    Zero,
    /// Bytes; `None` is an uninitialised one (strict mode).
    Bytes(Vec<Option<u8>>),
}

impl Memory {
    /// Reads a scalar.
    pub(in super::super) fn load(&mut self, ty: Scalar, region: u32, addr: &Val, supply: &mut Supply) -> Result<Val, Stop> {
        let n = ty.bytes();
        let a = address(addr)?;
        let (i, offset) = self.locate(region, a, n, false)?;
        let scalar = self.check_type(ty, region)?;
        let (bytes, state) = self.piece(i, offset, n)?;
        if bytes.len() as u64 == n {
            let ready = if scalar { state[0] == INIT | HEAD } else { state.iter().all(|s| s & INIT != 0) };
            if ready {
                return Ok(Val::from_bits(ty, little_endian(bytes)));
            }
        }
        if scalar {
            self.claim(i, offset, n)?;
        }
        match self.read(i, offset, n, scalar.then_some(ty), supply)? {
            Some(bits) => Ok(Val::from_bits(ty, bits)),
            None => Ok(Val::Poison(Taint::Memory)),
        }
    }

    /// Reads a scalar with zeros for its uninitialised bytes.
    pub(in super::super) fn load_known(&mut self, ty: Scalar, region: u32, addr: &Val, supply: &mut Supply) -> Result<Val, Stop> {
        let a = address(addr)?;
        let mut bits = 0;
        for k in 0..ty.bytes() {
            bits |= u128::from(self.byte(Some(region), a.wrapping_add(k), supply)?.unwrap_or(0)) << (8 * k);
        }
        Ok(Val::from_bits(ty, bits))
    }

    /// Writes a scalar; poison makes the bytes uninitialised.
    pub(in super::super) fn store(&mut self, ty: Scalar, region: u32, addr: &Val, value: &Val) -> Result<(), Stop> {
        let n = ty.bytes();
        let a = address(addr)?;
        let (i, offset) = self.locate(region, a, n, true)?;
        let bits = value.bits()?;
        if self.check_type(ty, region)? {
            self.claim(i, offset, n)?;
        }
        let mut rest = bits.unwrap_or(0);
        self.each_piece(i, offset, n, |bytes, state| {
            for (b, s) in bytes.iter_mut().zip(state) {
                *b = rest as u8;
                rest >>= 8;
                *s = if bits.is_some() { (*s | INIT) & !INPUT } else { *s & !(INIT | INPUT) };
            }
        })
    }

    /// Overwrites `[lo, lo+len)`.
    pub(in super::super) fn fill(&mut self, region: u32, lo: &Val, len: u64, fill: &Fill) -> Result<(), Stop> {
        let a = address(lo)?;
        let (i, offset) = self.locate(region, a, len, true)?;
        if matches!(fill, Fill::Zero) && offset == 0 && len == self.objects[i].size {
            self.used -= self.objects[i].clear(Base::Zero);
            return Ok(());
        }
        self.check_cut(i, offset, len)?;
        let mut at = 0;
        self.each_piece(i, offset, len, |bytes, state| {
            for (b, s) in bytes.iter_mut().zip(state) {
                let new = match fill {
                    Fill::Zero => Some(0),
                    Fill::Bytes(new) => new.get(at).copied().flatten(),
                };
                *b = new.unwrap_or(0);
                *s = if new.is_some() { (*s | INIT) & !INPUT } else { *s & !(INIT | INPUT) };
                at += 1;
            }
        })
    }

    /// Sets a whole region to zeros.
    pub(in super::super) fn zero_region(&mut self, region: u32) {
        self.regions[region as usize].background = Contents::Zero;
        for o in self.objects.iter_mut().filter(|o| o.region == region) {
            self.used -= o.clear(Base::Zero);
        }
    }

    /// One byte, wherever it lies; `region` is checked if given. `None` if it is uninitialised in strict mode.
    pub(in super::super) fn byte(&mut self, region: Option<u32>, addr: u64, supply: &mut Supply) -> Result<Option<u8>, Stop> {
        let (i, offset) = match region {
            Some(r) => self.locate(r, addr, 1, false)?,
            None => {
                let i = self.locate_any(addr, 1)?;
                (i, addr - self.objects[i].addr)
            }
        };
        let (bytes, state) = self.piece(i, offset, 1)?;
        if state[0] & INIT != 0 {
            return Ok(Some(bytes[0]));
        }
        let Cell::Scalar(ty) = self.regions[self.objects[i].region as usize].cell else {
            return Ok(self.read(i, offset, 1, None, supply)?.map(|b| b as u8));
        };
        // The whole cell is the input. One that was never accessed stands where an array of such cells has it.
        let mut head = offset;
        while head > 0 && self.piece(i, head, 1)?.1[0] & TAIL != 0 {
            head -= 1;
        }
        if self.piece(i, head, 1)?.1[0] & HEAD == 0 {
            head = offset - offset % ty.bytes();
            if head + ty.bytes() > self.objects[i].size {
                return undefined(UbKind::OutOfBounds);
            }
            self.claim(i, head, ty.bytes())?;
        }
        let bits = self.read(i, head, ty.bytes(), Some(ty), supply)?;
        Ok(bits.map(|b| (b >> (8 * (offset - head))) as u8))
    }

    /// What a byte holds now, for observers; none outside live objects and for uninitialised ones.
    pub(in super::super) fn peek(&self, addr: u64) -> Option<u8> {
        let i = self.locate_any(addr, 1).ok()?;
        let o = &self.objects[i];
        o.data.peek(o.size, addr - o.addr, o.fresh_state()).filter(|(_, s)| s & INIT != 0).map(|(b, _)| b)
    }

    /// Reads bytes, asking for those that are uninitialised: the whole cell in a region of scalars.
    fn read(&mut self, i: usize, offset: u64, n: u64, cell: Option<Scalar>, supply: &mut Supply) -> Result<Option<u128>, Stop> {
        let mut bits = 0u128;
        let mut answer = None;
        for k in 0..n {
            let (bytes, state) = self.piece(i, offset + k, 1)?;
            let (byte, state) = (bytes[0], state[0]);
            let byte = if state & INIT != 0 {
                byte
            } else {
                if supply.strict && state & INPUT == 0 {
                    return Ok(None);
                }
                let byte = match cell {
                    None => self.ask(i, offset + k, Scalar::Int(IntTy::U8), supply)? as u8,
                    Some(ty) => {
                        let whole = match answer {
                            Some(whole) => whole,
                            None => *answer.insert(self.ask(i, offset, ty, supply)?),
                        };
                        (whole >> (8 * k)) as u8
                    }
                };
                let (bytes, state) = self.piece(i, offset + k, 1)?;
                bytes[0] = byte;
                state[0] = (state[0] | INIT) & !INPUT;
                byte
            };
            bits |= u128::from(byte) << (8 * k);
        }
        Ok(Some(bits))
    }

    /// The content of an uninitialised cell.
    fn ask(&mut self, i: usize, offset: u64, ty: Scalar, supply: &mut Supply) -> Result<u128, Stop> {
        let o = &self.objects[i];
        match o.contents(offset) {
            Contents::Zero => Ok(0),
            Contents::Input(origin) => {
                let ask = CellAsk { region: RegionId(o.region), addr: o.addr + offset, ty, origin };
                let bits = supply.inputs.cell(&ask).map_err(Stop::Input)?;
                if let Some(asked) = &mut supply.asked {
                    asked.push((ask, bits));
                }
                Ok(bits)
            }
        }
    }

    /// Whether the region has scalar cells; an access of another type is an error of the front end.
    fn check_type(&self, ty: Scalar, region: u32) -> Result<bool, Stop> {
        match self.regions[region as usize].cell {
            Cell::Byte => Ok(false),
            Cell::Scalar(s) if s == ty => Ok(true),
            Cell::Scalar(s) => Err(Stop::Internal(format!("an access of type {ty} goes through a region of {s}"))),
        }
    }

    /// Notes that a scalar cell stands at an offset.
    fn claim(&mut self, i: usize, offset: u64, n: u64) -> Result<(), Stop> {
        let mut mark = HEAD;
        let mut overlap = false;
        self.each_piece(i, offset, n, |_, state| {
            for s in state {
                overlap |= *s & (HEAD | TAIL) & !mark != 0;
                *s |= mark;
                mark = TAIL;
            }
        })?;
        // A cell that begins earlier or later would show in the marks; one that ends in this one too.
        let follows = offset + n < self.objects[i].size && self.piece(i, offset + n, 1)?.1[0] & TAIL != 0;
        if overlap || follows {
            let addr = self.objects[i].addr + offset;
            return Err(Stop::Internal(format!("an access at {addr:#x} overlaps a scalar cell partially")));
        }
        Ok(())
    }

    /// Fails if a border of `[offset, offset+n)` cuts a scalar cell.
    pub(super) fn check_cut(&mut self, i: usize, offset: u64, n: u64) -> Result<(), Stop> {
        for border in [offset, offset + n] {
            if border < self.objects[i].size && self.piece(i, border, 1)?.1[0] & TAIL != 0 {
                return Err(Stop::Internal("a fill covers a part of a scalar cell".to_owned()));
            }
        }
        Ok(())
    }
}

fn little_endian(bytes: &[u8]) -> u128 {
    let mut whole = [0; 16];
    whole[..bytes.len()].copy_from_slice(bytes);
    u128::from_le_bytes(whole)
}
