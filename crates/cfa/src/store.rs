//! Symbolic states: a term for each variable.
//!
//! A variable that was never written stands for itself. Activations of a recursive function have a level each, so that the
//! variables of the suspended ones survive.

use crate::chunks::Chunks;
use crate::program::Program;
use plumb_term::{Term, Var, VarId};

/// A term for each variable of each activation level.
#[derive(Clone, Debug, Default)]
pub struct Store {
    levels: Vec<Chunks<Term>>,
}

/// The value of a variable that was never written at a level.
fn initial(program: &Program, level: u32, v: VarId) -> Term {
    Term::var(Var::new(v, program.var(v).ty).at(level))
}

impl Store {
    /// The value of `v` at an activation level.
    pub fn get(&self, program: &Program, level: u32, v: VarId) -> Term {
        self.levels.get(level as usize).and_then(|l| l.get(v)).unwrap_or_else(|| initial(program, level, v))
    }

    /// Sets the value of `v` at a level.
    pub fn set(&mut self, level: u32, v: VarId, value: Term) {
        if self.levels.len() <= level as usize {
            self.levels.resize_with(level as usize + 1, Chunks::default);
        }
        self.levels[level as usize].set(v, Some(value));
    }

    /// Keeps, for every variable, the value of `self` where `own` holds and of `other` elsewhere.
    pub fn join(&mut self, program: &Program, own: Term, other: &Store) {
        let none = Chunks::default();
        for level in 0..self.levels.len().max(other.levels.len()) {
            let theirs = other.levels.get(level).unwrap_or(&none);
            for (v, x, y) in self.levels.get(level).unwrap_or(&none).differences(theirs) {
                let x = x.unwrap_or_else(|| initial(program, level as u32, v));
                let y = y.unwrap_or_else(|| initial(program, level as u32, v));
                self.set(level as u32, v, Term::ite(own, x, y));
            }
        }
    }
}
