//! Memories behind single questions: facts over memories become facts over cells, and a model's cells become contents again.
//!
//! A cell is a variable that stands for the load of a memory variable at an address. That cells at equal addresses are equal is stated when a model needs to hear it, pair by pair.

use super::reads::{cell_type, Holder, Reads};
use crate::encode::Unencodable;
use plumb_term::eval::{Evaluator, MemValue, Value};
use plumb_term::visit::postorder;
use plumb_term::{IBig, Sort, Term, Var, VarId, VarTy};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Cells are numbered from here on, beyond the variables of programs and engines.
const FIRST_CELL: u32 = 3 << 30;
/// More cells than this are not followed.
const MAX_CELLS: usize = 2_000;

/// The cells that facts read.
#[derive(Debug, Default)]
pub(super) struct Contents {
    /// Facts that read no memory: most are asked about again and again.
    plain: FxHashSet<Term>,
    reads: Reads,
    cells: Cells,
}

#[derive(Debug, Default)]
struct Cells(BTreeMap<(Var, Term), Var>);

impl Holder for Cells {
    fn cell(&mut self, memory: Var, address: Term) -> Result<Term, Unencodable> {
        let ty = cell_type(memory)?;
        let next = self.0.len();
        if next >= MAX_CELLS {
            return Err(Unencodable("so many reads of memory, for the own solver".into()));
        }
        let cell = self.0.entry((memory, address)).or_insert_with(|| Var::new(VarId(FIRST_CELL + next as u32), VarTy::Scalar(ty)));
        Ok(Term::var(*cell))
    }
}

/// Whether a term reads memory.
pub(crate) fn reads_memory(t: Term) -> bool {
    postorder([t]).iter().any(|n| matches!(n.sort(), Sort::Mem(_)))
}

impl Contents {
    /// A fact over cells.
    pub(super) fn scalar(&mut self, t: Term) -> Result<Term, Unencodable> {
        if self.plain.contains(&t) || !reads_memory(t) {
            self.plain.insert(t);
            return Ok(t);
        }
        self.reads.scalar(t, &mut self.cells)
    }

    /// The contents of the memories under values of all other variables and cells: or what these violate, that some cells at equal addresses are equal.
    pub(super) fn memories(&self, value: &dyn Fn(Var) -> Option<Value>) -> Result<FxHashMap<Var, MemValue>, Vec<Term>> {
        let mut out: FxHashMap<Var, MemValue> = FxHashMap::default();
        let mut first: FxHashMap<(Var, IBig), (Term, Var, IBig)> = FxHashMap::default();
        let mut violated = Vec::new();
        let mut addresses = Evaluator::new(value);
        for ((memory, address), cell) in &self.cells.0 {
            let (Some(Value::Int(at)), Some(Value::Int(holds)), VarTy::Mem(kind)) = (addresses.eval(*address), value(*cell), memory.ty)
            else {
                continue;
            };
            match first.get(&(*memory, at.clone())) {
                Some((a, x, v)) if *v != holds => violated.push(a.equals(*address).implies(Term::var(*x).equals(Term::var(*cell)))),
                Some(_) => {}
                None => {
                    out.entry(*memory).or_insert_with(|| MemValue::zero(kind)).set(at.clone(), holds.clone());
                    first.insert((*memory, at), (*address, *cell, holds));
                }
            }
        }
        if violated.is_empty() {
            Ok(out)
        } else {
            Err(violated)
        }
    }
}
