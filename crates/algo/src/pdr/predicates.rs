//! What the program compares: predicates that stand beside the bits of states.
//!
//! That two words are equal, or that one is below another, takes many clauses over bits and one predicate. Those that blocks compare before they change anything are
//! over states, and are followed like bits.

use crate::system::System;
use plumb_term::visit::{postorder, size, vars};
use plumb_term::{Kind, Sort, Term, VarId};

/// More are not followed.
const MOST: usize = 80;
/// Larger ones are seldom what is wanted.
const LARGEST: usize = 12;

/// Comparisons of variables with each other, and bounds of single ones, in the order of their first use.
pub(super) fn predicates(system: &System) -> Vec<Term> {
    let errors = system.errors.iter().map(|e| e.1);
    let blocks = system.transitions.iter().flat_map(|t| std::iter::once(t.condition).chain(t.values.iter().copied()));
    let is_wanted = |t: &Term| {
        let single = match t.kind() {
            Kind::Eq(a, _) if a.sort() == Sort::Int => false,
            Kind::Le(..) => true,
            _ => return false,
        };
        let about = vars([*t]);
        let enough = about.len() > 1 || single && !about.is_empty();
        enough && about.iter().all(|v| v.id < VarId::FIRST_AUX && v.version == 0) && size(*t) <= LARGEST && plain(*t)
    };
    postorder(errors.chain(blocks)).into_iter().filter(is_wanted).take(MOST).collect()
}

/// Whether a term reads no memory.
fn plain(t: Term) -> bool {
    !postorder([t]).iter().any(|n| matches!(n.sort(), Sort::Mem(_)))
}
