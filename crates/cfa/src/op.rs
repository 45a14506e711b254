//! What an edge does.
//!
//! All operands are evaluated in the state before the edge. Every subterm of an operand is evaluated, also those in
//! the branch of an `ite` that is not taken: the front end turns expressions whose evaluation can be undefined into control flow.

use crate::program::{FuncId, RegionId};
use plumb_term::{Scalar, Term, VarId};

/// An operation. The logical reading of each is in [`crate::effect`]; the concrete one in the interpreter.
#[derive(Clone, Debug, PartialEq)]
pub enum Op {
    /// Nothing.
    Skip,
    /// Goes on only if the Boolean term holds. Of several edges that leave a location the first whose assumption holds is taken
    /// (see [`crate::choice`]); an execution that none admits ends there.
    Assume(Term),
    /// Goes on only if the condition holds; otherwise the behaviour is undefined and the execution ends.
    Guard {
        /// The condition.
        cond: Term,
        /// What is wrong when it fails.
        ub: Ub,
    },
    /// Parallel assignment to distinct variables; memory is written by assigning a `store` term to a region's variable.
    /// A value lies in the range of its variable's type.
    Assign(Vec<(VarId, Term)>),
    /// The variable takes any value of its type: an input.
    Havoc {
        /// Which variable (scalar).
        var: VarId,
        /// Where the value comes from.
        source: InputSource,
    },
    /// The bytes `[addr, addr+len)` take any values: the lifetime of an automatic object begins.
    HavocMem {
        /// The region of the object.
        region: RegionId,
        /// Its first byte.
        addr: Term,
        /// Its size in bytes.
        len: Term,
    },
    /// The lifetime of the object at `addr` ends: later accesses are undefined. No logical effect.
    EndLife {
        /// Its first byte.
        addr: Term,
    },
    /// A new object with any contents (or zeros); `dst` gets its address. The front end puts a guard on the size before it.
    Alloc {
        /// The pointer.
        dst: VarId,
        /// The size in bytes.
        size: Term,
        /// The region of the object.
        region: RegionId,
        /// When its lifetime ends.
        storage: Storage,
        /// Whether it is all zeros (`calloc`).
        zeroed: bool,
    },
    /// `free`: the lifetime of a heap object ends; a null pointer is ignored. No logical effect.
    Free {
        /// Its first byte.
        addr: Term,
    },
    /// A call. Parameters take the arguments' values; after the callee's exit `dst` takes its result. The callee's other
    /// locals are the callee's business.
    Call {
        /// Whom.
        func: FuncId,
        /// One value for each parameter, in range of its type.
        args: Vec<Term>,
        /// What takes the result.
        dst: Option<VarId>,
    },
    /// A C library function that prints; reads memory through its arguments, changes no state but `dst`, which takes any value.
    Output {
        /// Its C name (`printf`, `puts`, `putchar`, …). A function that takes a stream has the stream's name appended
        /// (`fprintf:stdout`, `fputs:stderr`), or `:` alone if that is not known, and the stream is not among the arguments.
        name: String,
        /// The arguments after default promotions, with their types.
        args: Vec<(Scalar, Term)>,
        /// What takes the result.
        dst: Option<VarId>,
    },
    /// The program ends here: `exit`, `_exit`, `abort` and their like, on an edge to a location without successors. Never crossed.
    Halt {
        /// The exit status (an `int`); none if the program dies by a signal (`abort`).
        status: Option<Term>,
    },
    /// A construct that plumb cannot handle; an execution that gets here makes the verdict unknown. Never crossed.
    Unsupported(String),
}

impl Op {
    /// The terms that it evaluates.
    pub fn operands(&self) -> Vec<Term> {
        match self {
            Op::Assume(t) | Op::Guard { cond: t, .. } | Op::EndLife { addr: t } | Op::Free { addr: t } | Op::Alloc { size: t, .. } => {
                vec![*t]
            }
            Op::Assign(updates) => updates.iter().map(|u| u.1).collect(),
            Op::HavocMem { addr, len, .. } => vec![*addr, *len],
            Op::Call { args, .. } => args.clone(),
            Op::Output { args, .. } => args.iter().map(|a| a.1).collect(),
            Op::Halt { status } => status.iter().copied().collect(),
            Op::Skip | Op::Havoc { .. } | Op::Unsupported(_) => Vec::new(),
        }
    }

    /// Whether a value comes in, or an object begins whose contents do.
    pub fn takes_input(&self) -> bool {
        matches!(self, Op::Havoc { .. } | Op::HavocMem { .. } | Op::Alloc { .. })
    }
}

/// Where an input comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputSource {
    /// A call of `__VERIFIER_nondet_*`, by name.
    Nondet(String),
    /// An automatic variable before its first assignment, by its C name.
    Uninit(String),
    /// The result of a function without a body, or the value of a variable without a definition, by its name.
    Extern(String),
    /// What a function without a body (`scanf`) wrote through a pointer, by the function's name.
    Written(String),
    /// An output of an `asm` statement.
    Asm,
    /// An over-approximation of something the program determines; a counterexample must not depend on it.
    Abstracted(String),
}

/// The lifetime of an allocated object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// Until `free`.
    Heap,
    /// Until the function returns (`alloca`, automatic objects of recursive functions).
    Frame,
    /// Until an [`Op::EndLife`] or the function returns (variable-length arrays, objects of a block).
    Block,
}

/// Kinds of undefined behaviour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Ub {
    DivisionByZero,
    SignedOverflow,
    ShiftCount,
    NullDereference,
    OutOfBounds,
    FloatToInt,
    /// Control reached the end of a function whose result is used.
    NoReturnValue,
    /// `__builtin_unreachable` or a return from a `noreturn` function.
    Unreachable,
    /// A call through a pointer that is no function of the right type.
    BadCall,
    /// A non-positive size of a variable-length array, or more memory than there is.
    BadSize,
    /// An overlap of the arguments of `memcpy` and its like.
    Overlap,
}

impl Ub {
    /// A phrase for messages.
    pub fn describe(self) -> &'static str {
        match self {
            Ub::DivisionByZero => "division by zero",
            Ub::SignedOverflow => "signed integer overflow",
            Ub::ShiftCount => "shift by a negative or too large count",
            Ub::NullDereference => "dereference of a null pointer",
            Ub::OutOfBounds => "access out of bounds",
            Ub::FloatToInt => "floating-point value out of range of the integer type",
            Ub::NoReturnValue => "use of the result of a function that returned none",
            Ub::Unreachable => "execution of code declared unreachable",
            Ub::BadCall => "call through an invalid function pointer",
            Ub::BadSize => "invalid size of an object",
            Ub::Overlap => "overlapping memory regions",
        }
    }
}
