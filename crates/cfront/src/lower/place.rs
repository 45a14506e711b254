//! Values and places: what expressions lower to.

use plumb_term::{Term, VarId};

use super::cx::Prov;
use crate::pointsto::{Node, Shape};
use crate::types::{Ty, Types};

/// A place in memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mem {
    /// Its first byte.
    pub addr: Term,
    /// The objects it may be in.
    pub node: Node,
    /// The record member it is (part of).
    pub shape: Shape,
    /// Whether the address is that of an object with a name, so never null.
    pub known: bool,
}

/// Where a scalar (or a whole aggregate) is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place {
    /// In a variable.
    Var(VarId),
    /// In memory.
    Mem(Mem),
    /// In a bit-field: `width` bits from bit `shift` (0 to 7) of the first byte on.
    Bits { mem: Mem, shift: u32, width: u32 },
}

/// An lvalue.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LValue {
    pub ty: Ty,
    pub place: Place,
}

/// The value of an expression: a scalar term, or the memory that holds an aggregate, or nothing (`void`).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Value {
    pub ty: Ty,
    /// The scalar; the address of an aggregate or a function; 0 for `void`.
    pub term: Term,
    /// What the scalar may point to.
    pub node: Prov,
    /// The memory of an aggregate.
    pub mem: Option<Mem>,
    /// The width of the bit-field that was read, if that is wider than `int`: compilers do not agree what type it has in arithmetic.
    pub wide: Option<u32>,
}

impl Value {
    pub fn new(ty: Ty, term: Term, node: Prov) -> Value {
        Value { ty, term, node, mem: None, wide: None }
    }

    /// A scalar that carries no pointer.
    pub fn plain(ty: Ty, term: Term) -> Value {
        Value { ty, term, node: None, mem: None, wide: None }
    }

    pub fn void() -> Value {
        Value::plain(Types::VOID, Term::int(0))
    }

    pub fn aggregate(ty: Ty, mem: Mem) -> Value {
        Value { ty, term: mem.addr, node: Some(mem.node), mem: Some(mem), wide: None }
    }
}
