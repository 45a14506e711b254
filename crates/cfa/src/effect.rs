//! The logical reading of an operation: condition, updates, inputs.
//!
//! This is the trusted bridge from edges to formulas: an execution crosses the edge exactly if `assume` holds before it, and
//! then each variable in `updates` has the value of its term, evaluated before the edge, for some values of the `inputs`; the
//! others keep theirs. Guards for memory errors are not repeated here: an access outside every object reads or
//! writes cells that no object owns, which only admits more executions.

use crate::op::{InputSource, Op};
use crate::program::Program;
use plumb_term::{Scalar, Term, Var, VarId, VarTy};

/// An input of an operation: a fresh variable for each crossing.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// The placeholder in the updates; unique within the effect.
    pub var: Var,
    /// Where the value comes from.
    pub source: InputSource,
}

/// Condition, updates and inputs.
#[derive(Clone, Debug, PartialEq)]
pub struct Effect {
    /// When the edge can be crossed.
    pub assume: Term,
    /// New values, over the state before and the inputs.
    pub updates: Vec<(VarId, Term)>,
    /// The inputs, in the order the interpreter asks for them.
    pub inputs: Vec<Input>,
}

impl Effect {
    fn new() -> Effect {
        Effect { assume: Term::tt(), updates: Vec::new(), inputs: Vec::new() }
    }

    fn input(&mut self, ty: VarTy, source: InputSource) -> Term {
        let var = Var::new(VarId(VarId::FIRST_AUX.0 + self.inputs.len() as u32), ty);
        self.inputs.push(Input { var, source });
        Term::var(var)
    }

    /// The reading of `op`; `None` for a call, which has none of its own, and for an unsupported construct.
    pub fn of(op: &Op, program: &Program) -> Option<Effect> {
        let mut e = Effect::new();
        match op {
            Op::Skip | Op::EndLife { .. } | Op::Free { .. } => {}
            Op::Assume(cond) | Op::Guard { cond, .. } => e.assume = *cond,
            Op::Assign(updates) => e.updates.clone_from(updates),
            Op::Havoc { var, source } => {
                let value = e.input(program.var(*var).ty, source.clone());
                e.updates.push((*var, value));
            }
            Op::HavocMem { region, addr, len } => {
                let r = program.region(*region);
                let fresh = e.input(VarTy::Mem(r.cell), InputSource::Uninit(String::new()));
                e.updates.push((r.var, Term::splice(program.memory(*region), fresh, *addr, *len)));
            }
            Op::Alloc { dst, size, region, zeroed, .. } => {
                let top = program.term(program.heap_top);
                e.updates.push((*dst, top));
                e.updates.push((program.heap_top, program.heap_after(top, *size)));
                if *zeroed {
                    let r = program.region(*region);
                    let zeros = Term::zero_mem(r.cell);
                    e.updates.push((r.var, Term::splice(program.memory(*region), zeros, top, *size)));
                }
            }
            Op::Output { dst, name, .. } => {
                if let Some(dst) = dst {
                    let value = e.input(program.var(*dst).ty, InputSource::Abstracted(name.clone()));
                    e.updates.push((*dst, value));
                }
            }
            Op::Halt { .. } => e.assume = Term::ff(),
            Op::Call { .. } | Op::Unsupported(_) => return None,
        }
        Some(e)
    }
}

/// The formula that a value of this type satisfies.
pub fn in_type(t: Term, ty: VarTy) -> Term {
    match ty {
        VarTy::Scalar(Scalar::Int(i)) => t.within(&i.min(), &i.max()),
        _ => Term::tt(),
    }
}
