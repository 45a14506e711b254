//! Evidence of safety.

use plumb_cfa::Point;
use plumb_term::visit::vars;
use plumb_term::{Term, Var, VarId};
use std::collections::BTreeMap;

/// How the invariants of a [`Proof`] prove safety. *Cut points* are the entry and the loop heads, each under its calls (see
/// [`Point`]); a *block* is the loop-free part of the program from one cut point to the next ones and to the error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Method {
    /// The invariants hold at the entry, are preserved by every block, and exclude the error in every block.
    Inductive,
    /// The invariants hold at the entry and are preserved by every block; no error is reached within `k` blocks from the entry, and
    /// none in the block after any `k` blocks that start in a state of the invariants and pass no error.
    KInduction {
        /// How many blocks, at least 1.
        k: u32,
    },
    /// Unwinding every loop and recursion `bound` times covers all executions, and none reaches the error. Invariants are not needed.
    Unwinding {
        /// How often a loop head is entered, or a function re-entered, at most.
        bound: u32,
    },
}

/// Evidence that no execution reaches the error.
#[derive(Clone, Debug)]
pub struct Proof {
    /// The argument.
    pub method: Method,
    /// A formula over the program's variables (version 0) at each cut point; true where none is given.
    ///
    /// Integer variables with an index from [`VarId::FIRST_BOUND`] on are universally quantified, each over the values of its type and around
    /// the whole formula: `¬(0 ≤ k < i) ∨ load(m, base + 4·k) = 0` says it for all `k`. So conjuncts are quantified one by one.
    pub invariants: BTreeMap<Point, Term>,
}

/// The universally quantified variables of an invariant, in order.
pub fn bound(invariant: Term) -> Vec<Var> {
    vars([invariant]).into_iter().filter(|v| v.id >= VarId::FIRST_BOUND).collect()
}
