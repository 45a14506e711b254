//! Evidence of safety.

use plumb_cfa::{FuncId, Point};
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
    /// The program takes no input, so it has one execution, and that ends without reaching the error. Invariants are not needed.
    Execution,
    /// As [`Method::Inductive`], with each call of a function that has a contract replaced by the contract, and the body of each such function
    /// shown once, from any state of its precondition: it reaches no error, and where it returns its postcondition holds. Its cut points
    /// have the stacks of calls within it, the function itself outermost. The induction is over the number of steps of an execution, so
    /// recursive functions may rely on their own contracts.
    Contracts {
        /// The contracts; every function that is called recursively needs one somewhere on each cycle.
        contracts: BTreeMap<FuncId, Contract>,
    },
    /// As [`Method::Inductive`], of the program with history variables (Owicki and Gries, 1976): memories of which invariants may speak,
    /// which hold anything at the entry and into which executions write as they leave cut points. They never influence an execution.
    Recorded {
        /// What is written, in this order where several concern one cut point.
        records: Vec<Record>,
    },
}

impl Method {
    /// The method with its formulas, those of contracts and records, rewritten.
    #[must_use]
    pub fn rewritten(self, rewrite: &mut dyn FnMut(Term) -> Term) -> Method {
        match self {
            Method::Recorded { records } => {
                let mut record = |r: Record| Record { index: rewrite(r.index), value: rewrite(r.value), ..r };
                Method::Recorded { records: records.into_iter().map(&mut record).collect() }
            }
            Method::Contracts { contracts } => {
                let mut contract = |c: Contract| Contract { pre: rewrite(c.pre), post: rewrite(c.post) };
                Method::Contracts { contracts: contracts.into_iter().map(|(f, c)| (f, contract(c))).collect() }
            }
            other => other,
        }
    }

    /// The method with its cut points elsewhere; what is nowhere is left out.
    #[must_use]
    pub fn moved(self, to: &dyn Fn(&Point) -> Option<Point>) -> Method {
        match self {
            Method::Recorded { records } => {
                let moved = |r: Record| to(&r.at).map(|at| Record { at, ..r });
                Method::Recorded { records: records.into_iter().filter_map(moved).collect() }
            }
            other => other,
        }
    }
}

/// What executions write down as they leave a cut point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The cut point.
    pub at: Point,
    /// The memory, with an index from [`VarId::FIRST_RECORD`] on, whose cells are scalars of the value's type.
    pub memory: Var,
    /// The cell that is written, over the program's variables at the cut point.
    pub index: Term,
    /// The value, likewise.
    pub value: Term,
}

/// What a function needs from its callers and promises them, over variables that exist outside its activations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contract {
    /// Holds at each call: over the parameters and the variables of no function (globals, memories).
    pub pre: Term,
    /// Holds at each return: over the result and the variables of no function then, and, as [`at_entry`] has it, over the parameters and
    /// those variables at the call. Variables that neither the function nor its callees write keep their values in any case.
    pub post: Term,
}

/// The version of variables that means: when the function was called.
pub const AT_ENTRY: u32 = u32::MAX;

/// The value of a variable when the function was called whose contract, or whose cut point in a proof by contracts, this is about.
pub fn at_entry(v: Var) -> Var {
    v.at(AT_ENTRY)
}

/// Evidence that no execution reaches the error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The argument.
    pub method: Method,
    /// A formula over the program's variables (version 0) at each cut point; true where none is given.
    ///
    /// Integer variables with an index from [`VarId::FIRST_BOUND`] on are universally quantified, each over the values of its type and around
    /// the whole formula: `¬(0 ≤ k < i) ∨ load(m, base + 4·k) = 0` says it for all `k`. So conjuncts are quantified one by one. Those from
    /// [`VarId::FIRST_RECORD`] on are the memories of [`Method::Recorded`].
    pub invariants: BTreeMap<Point, Term>,
}

/// The universally quantified variables of an invariant, in order.
pub fn bound(invariant: Term) -> Vec<Var> {
    vars([invariant]).into_iter().filter(|v| v.id >= VarId::FIRST_BOUND && v.id < VarId::FIRST_RECORD).collect()
}

/// Whether a formula speaks of the program's variables only: neither of bound ones nor of records.
pub fn is_ground(t: Term) -> bool {
    vars([t]).iter().all(|v| v.id < VarId::FIRST_BOUND)
}
