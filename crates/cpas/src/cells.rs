//! Writes and reads of memory terms, on what is known of cells.

use plumb_cfa::cells::{Cells, Slot};
use plumb_term::{Kind, Scalar, Term, VarId};

/// So many cells are known at most: a write copies a shared table.
pub(crate) const MAX_CELLS: usize = 1024;

/// The writes that turn memory `m` into `t`, done on the cells; `value` gives what is known of a written term, whose addresses are
/// terms that have been simplified already.
pub(crate) fn assign<T: Copy + PartialEq>(cells: &mut Cells<T>, m: VarId, t: Term, value: &dyn Fn(Term) -> Option<T>) {
    let mut writes = Vec::new();
    let mut now = t;
    loop {
        match now.kind() {
            Kind::Store(_, inner, ..) => {
                writes.push(now);
                now = *inner;
            }
            Kind::Splice { mem, .. } => {
                writes.push(now);
                now = *mem;
            }
            Kind::Var(v) if v.id == m => break,
            _ => {
                cells.forget(m, i128::MIN, i128::MAX);
                break;
            }
        }
    }
    for w in writes.into_iter().rev() {
        match w.kind() {
            Kind::Store(ty, _, addr, v) => cells.write(m, *ty, addr.range(), value(*v), MAX_CELLS),
            Kind::Splice { lo, len, .. } => {
                let end = lo.range().plus(len.range()).hi.unwrap_or(i128::MAX);
                cells.forget(m, lo.range().lo.unwrap_or(i128::MIN), end);
            }
            _ => {}
        }
    }
}

/// The cell that a term loads, if its address is a constant.
pub(crate) fn slot(t: Term) -> Option<(Slot, Scalar)> {
    match t.kind() {
        Kind::Load(ty, m, a) => Some(((m.as_var().filter(|v| v.id < VarId::FIRST_AUX)?.id, a.as_i128()?), *ty)),
        _ => None,
    }
}
