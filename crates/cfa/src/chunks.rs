//! A map from variables to small values that is cheap to copy and to compare.
//!
//! Values live in shared chunks: a copy costs one pointer per chunk, and walking the differences of two maps skips the
//! chunks they share.

use plumb_term::VarId;
use std::sync::Arc;

const CHUNK: usize = 32;

/// A partial map from [`VarId`] to `T`.
#[derive(Clone, Debug)]
pub struct Chunks<T> {
    chunks: Vec<Option<Arc<[Option<T>; CHUNK]>>>,
}

impl<T> Default for Chunks<T> {
    fn default() -> Self {
        Chunks { chunks: Vec::new() }
    }
}

impl<T: Copy + PartialEq> Chunks<T> {
    /// The value of `v`, if it has one.
    pub fn get(&self, v: VarId) -> Option<T> {
        let i = v.0 as usize;
        self.chunks.get(i / CHUNK)?.as_ref()?[i % CHUNK]
    }

    /// Gives `v` a value, or takes it away.
    pub fn set(&mut self, v: VarId, value: Option<T>) {
        if self.get(v) == value {
            return;
        }
        let i = v.0 as usize;
        if self.chunks.len() <= i / CHUNK {
            self.chunks.resize(i / CHUNK + 1, None);
        }
        let chunk = self.chunks[i / CHUNK].get_or_insert_with(|| Arc::new([None; CHUNK]));
        Arc::make_mut(chunk)[i % CHUNK] = value;
    }

    /// The variables on which two maps differ, with both values, ascending.
    pub fn differences(&self, other: &Chunks<T>) -> Vec<(VarId, Option<T>, Option<T>)> {
        let mut out = Vec::new();
        for c in 0..self.chunks.len().max(other.chunks.len()) {
            let a = self.chunks.get(c).and_then(Option::as_ref);
            let b = other.chunks.get(c).and_then(Option::as_ref);
            match (a, b) {
                (Some(x), Some(y)) if Arc::ptr_eq(x, y) => continue,
                (None, None) => continue,
                _ => {}
            }
            for i in 0..CHUNK {
                let (x, y) = (a.and_then(|c| c[i]), b.and_then(|c| c[i]));
                if x != y {
                    out.push((VarId((c * CHUNK + i) as u32), x, y));
                }
            }
        }
        out
    }

    /// The variables with values, ascending.
    pub fn iter(&self) -> impl Iterator<Item = (VarId, T)> + '_ {
        self.chunks.iter().enumerate().flat_map(|(c, chunk)| {
            let values = chunk.iter().flat_map(|a| a.iter().enumerate());
            values.filter_map(move |(i, v)| v.map(|v| (VarId((c * CHUNK + i) as u32), v)))
        })
    }
}
