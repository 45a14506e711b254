//! Symbolic states: a term for each variable, cheap to copy and to compare.
//!
//! Values live in shared chunks, so a copy costs one pointer per chunk and joining two states looks only at chunks that differ. A variable
//! that was never written stands for itself. Activations of a recursive function have a level each, so that the
//! variables of the suspended ones survive.

use crate::program::Program;
use plumb_term::{Term, Var, VarId};
use std::sync::Arc;

const CHUNK: usize = 32;
type Chunk = Arc<[Option<Term>; CHUNK]>;

/// A term for each variable of each activation level.
#[derive(Clone, Debug, Default)]
pub struct Store {
    levels: Vec<Vec<Option<Chunk>>>,
}

/// The value of a variable that was never written at a level.
fn initial(program: &Program, level: u32, v: VarId) -> Term {
    Term::var(Var::new(v, program.var(v).ty).at(level))
}

impl Store {
    /// The value of `v` at an activation level.
    pub fn get(&self, program: &Program, level: u32, v: VarId) -> Term {
        let i = v.0 as usize;
        let chunk = self.levels.get(level as usize).and_then(|l| l.get(i / CHUNK)).and_then(Option::as_ref);
        chunk.and_then(|c| c[i % CHUNK]).unwrap_or_else(|| initial(program, level, v))
    }

    /// Sets the value of `v` at a level.
    pub fn set(&mut self, level: u32, v: VarId, value: Term) {
        let (level, i) = (level as usize, v.0 as usize);
        if self.levels.len() <= level {
            self.levels.resize_with(level + 1, Vec::new);
        }
        let chunks = &mut self.levels[level];
        if chunks.len() <= i / CHUNK {
            chunks.resize(i / CHUNK + 1, None);
        }
        let chunk = chunks[i / CHUNK].get_or_insert_with(|| Arc::new([None; CHUNK]));
        Arc::make_mut(chunk)[i % CHUNK] = Some(value);
    }

    /// Keeps, for every variable, the value of `self` where `own` holds and of `other` elsewhere.
    pub fn join(&mut self, program: &Program, own: Term, other: &Store) {
        for level in 0..self.levels.len().max(other.levels.len()) {
            let chunks = self.levels.get(level).map_or(0, Vec::len).max(other.levels.get(level).map_or(0, Vec::len));
            for c in 0..chunks {
                let a = self.levels.get(level).and_then(|l| l.get(c)).cloned().flatten();
                let b = other.levels.get(level).and_then(|l| l.get(c)).cloned().flatten();
                match (&a, &b) {
                    (Some(x), Some(y)) if Arc::ptr_eq(x, y) => continue,
                    (None, None) => continue,
                    _ => {}
                }
                for i in 0..CHUNK {
                    let (x, y) = (a.as_ref().and_then(|c| c[i]), b.as_ref().and_then(|c| c[i]));
                    if x == y {
                        continue;
                    }
                    let v = VarId((c * CHUNK + i) as u32);
                    let x = x.unwrap_or_else(|| initial(program, level as u32, v));
                    let y = y.unwrap_or_else(|| initial(program, level as u32, v));
                    self.set(level as u32, v, Term::ite(own, x, y));
                }
            }
        }
    }
}
