//! Calls through pointers, narrowed by what the pointers may point to.
//!
//! Lowering makes a branch for each function whose address is taken and whose type fits. When the points-to analysis is done, the
//! branches of functions whose address does not flow to the pointer go. A pointer that may come from outside the program keeps all
//! of them; so does one to which no function flows as far as the analysis sees (an integer that became a pointer).

use plumb_cfa::{Op, Ub};
use plumb_term::Term;

use super::cx::{Cx, IndirectCall};
use crate::pointsto::{Node, PointsTo};

/// Removes the branches of `cx` that cannot be taken; `nodes` has the node of each function whose address is taken.
pub(super) fn narrow(cx: &mut Cx, pts: &mut PointsTo, nodes: &[Option<Node>]) {
    for IndirectCall { node, known, start, branches } in std::mem::take(&mut cx.indirect) {
        if pts.is_external(node) {
            continue;
        }
        let root = pts.find(node);
        let (kept, gone): (Vec<_>, Vec<_>) =
            branches.into_iter().partition(|(f, ..)| nodes.get(*f).copied().flatten().is_some_and(|n| pts.find(n) == root));
        if kept.is_empty() || gone.is_empty() {
            continue;
        }
        let narrowed = Term::any(kept.iter().map(|(_, chosen, _)| *chosen));
        for edge in &mut cx.edges {
            match &mut edge.op {
                Op::Guard { cond, ub: Ub::BadCall } if edge.to == start && *cond == known => *cond = narrowed,
                Op::Assume(c) if gone.iter().any(|(_, chosen, to)| c == chosen && edge.to == *to) => *c = Term::ff(),
                _ => {}
            }
        }
    }
}
