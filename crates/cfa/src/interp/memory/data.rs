//! The bytes of one object: allocated when touched, in one piece or in pages.

use rustc_hash::FxHashMap;

/// The byte has a value.
pub(in super::super) const INIT: u8 = 1;
/// The first byte of a scalar cell that was accessed.
pub(in super::super) const HEAD: u8 = 2;
/// Another byte of such a cell.
pub(in super::super) const TAIL: u8 = 4;
/// Without a value, but an input of the program: reading it is defined.
pub(in super::super) const INPUT: u8 = 8;

const PAGE: u64 = 4096;
const ONE_PIECE: u64 = 4 * PAGE;

/// Bytes and their states.
#[derive(Clone, Debug)]
pub(super) struct Chunk {
    pub(super) bytes: Box<[u8]>,
    pub(super) state: Box<[u8]>,
}

/// The bytes of an object that were touched; the others are as a new [`Chunk`] is.
#[derive(Clone, Debug, Default)]
pub(super) struct Data {
    one: Option<Box<Chunk>>,
    pages: FxHashMap<u64, Chunk>,
}

impl Data {
    /// How much memory (bytes of contents) is allocated.
    pub(super) fn allocated(&self) -> u64 {
        let one = self.one.as_ref().map_or(0, |c| c.bytes.len() as u64);
        one + self.pages.len() as u64 * PAGE
    }

    /// The contents at an offset, with at least one and at most `n` bytes; new chunks are zeros in state `state`, and `allocated` grows by
    /// their size.
    pub(super) fn at(&mut self, size: u64, offset: u64, n: u64, state: u8, allocated: &mut u64) -> (&mut [u8], &mut [u8]) {
        let fresh = |len: u64| Chunk { bytes: vec![0; len as usize].into(), state: vec![state; len as usize].into() };
        let (chunk, at) = if size <= ONE_PIECE {
            let chunk = self.one.get_or_insert_with(|| {
                *allocated += size;
                Box::new(fresh(size))
            });
            (&mut **chunk, offset as usize)
        } else {
            let chunk = self.pages.entry(offset / PAGE).or_insert_with(|| {
                *allocated += PAGE;
                fresh(PAGE)
            });
            (chunk, (offset % PAGE) as usize)
        };
        let end = chunk.bytes.len().min(at + n as usize);
        (&mut chunk.bytes[at..end], &mut chunk.state[at..end])
    }

    /// A byte and its state, without touching anything.
    pub(super) fn peek(&self, size: u64, offset: u64, state: u8) -> Option<(u8, u8)> {
        let (chunk, at) = if size <= ONE_PIECE {
            (self.one.as_deref(), offset as usize)
        } else {
            (self.pages.get(&(offset / PAGE)), (offset % PAGE) as usize)
        };
        match chunk {
            Some(c) => Some((*c.bytes.get(at)?, *c.state.get(at)?)),
            None => Some((0, state)),
        }
    }
}
