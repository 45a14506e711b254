//! Bounds of array accesses as assertions (seed 003, Section 3: "the program is decorated with assertions in such a way to ensure that possible
//! out-of-bounds array accesses always lead to an assertion violation").
//!
//! The front end guards each access to an array whose length is known at that place, by its type or as a variable-length array: an execution that
//! does not pass the guard has no meaning and ends. Here each such guard becomes a branch, and failing it an error. The new program asks another question than
//! the old one, so there is no way back: proofs and traces are about the new one.
//!
//! Accesses through pointers whose object is not known at the place of the access have no such guard, and get no assertion.

use plumb_cfa::{EdgeId, LocInfo, Op, Program, Ub};
use plumb_term::{Span, Term};

/// The program in which a failing guard on an array access is an error, and how many such guards there are.
pub fn assert_bounds(program: &Program) -> (Program, usize) {
    let mut out = program.clone();
    let mut count = 0;
    for f in &mut out.functions {
        let guard = |(id, e): (EdgeId, &plumb_cfa::Edge)| match e.op {
            Op::Guard { cond, ub: Ub::OutOfBounds } => Some((id, cond, e.span)),
            _ => None,
        };
        let guards: Vec<(EdgeId, Term, Span)> = f.graph.edges().filter_map(guard).collect();
        count += guards.len();
        for (id, cond, span) in guards {
            let from = f.graph.edge(id).from;
            let error = f.graph.add_loc(LocInfo { span, ..LocInfo::default() });
            *f.graph.op_mut(id) = Op::Assume(cond);
            f.graph.add_edge(from, error, Op::Assume(cond.not()), span);
            f.errors.push(error);
        }
    }
    (out, count)
}
