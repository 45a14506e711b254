//! History variables: what a proof writes down as executions go.
//!
//! A memory of a record is no variable of the program. It holds anything at the entry; on leaving a cut point its cells get the values that the
//! records there say, and nothing else writes it. No operation reads it, so the executions of the program with records are those of the program
//! (Owicki and Gries, 1976), and an invariant may speak of what it holds.

use crate::proof::{is_well_formed, Rejected};
use crate::symex::State;
use plumb_cfa::unwind::{Orders, Unwound};
use plumb_cfa::{Point, Program};
use plumb_term::visit::substitute;
use plumb_term::{Cell, Sort, Term, Var, VarId, VarTy};
use plumb_verdict::{Method, Record};

/// The records of a proof.
#[derive(Default)]
pub struct Records<'r>(&'r [Record]);

impl<'r> Records<'r> {
    /// Of a method; rejected if one writes a variable of the program, what is no cell of its memory, or what is not the program's.
    pub fn new(program: &Program, method: &'r Method) -> Result<Records<'r>, Rejected> {
        let Method::Recorded { records } = method else { return Ok(Records::default()) };
        if records.iter().all(|r| is_memory(r) && is_well_formed(program, [r.index, r.value], false, &Records::default())) {
            return Ok(Records(records));
        }
        let why = "a record is not of values of the program's variables in a memory of its own".into();
        Err(Rejected { why, span: None, undecided: false })
    }

    /// Whether a variable is a memory that is recorded in.
    pub fn has(&self, v: Var) -> bool {
        self.0.iter().any(|r| r.memory == v)
    }

    /// A formula at the end of a block from `from`, over the values of the program's variables and the memories of records at its start.
    pub fn after(&self, program: &Program, orders: &Orders<'_>, from: &Point, goal: Term) -> Term {
        let (start, at) = (State::default(), Unwound::start(orders, from));
        self.0.iter().rev().filter(|r| r.at == *from).fold(goal, |goal, r| {
            let VarTy::Mem(Cell::Scalar(ty)) = r.memory.ty else { return goal };
            let [index, value] = [r.index, r.value].map(|t| start.value(program, orders, &at, t));
            let written = Term::store(ty, Term::var(r.memory), index, value);
            substitute(goal, &|v| (v == r.memory).then_some(written))
        })
    }
}

/// Whether a record writes a scalar of its memory's cells, and no variable of the program.
fn is_memory(r: &Record) -> bool {
    let own = r.memory.id >= VarId::FIRST_RECORD && r.memory.version == 0;
    match r.memory.ty {
        VarTy::Mem(Cell::Scalar(ty)) => own && r.index.sort() == Sort::Int && r.value.sort() == VarTy::Scalar(ty).sort(),
        _ => false,
    }
}
