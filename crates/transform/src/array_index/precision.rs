//! What an abstraction by variables and array elements keeps: the pair (V, R) of the paper.

use plumb_cfa::{Program, RegionId, VarKind};
use plumb_term::{Scalar, VarId};
use std::collections::BTreeSet;

/// An element of an array: the scalar at a fixed address of a region. Elements of arrays of arrays, members of structs in arrays and
/// arrays in structs are all that.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Element {
    /// The region it lies in.
    pub region: RegionId,
    /// Its first byte.
    pub addr: u64,
    /// How it is read.
    pub ty: Scalar,
}

impl Element {
    /// Its C expression, or one for messages.
    pub fn name(self, program: &Program) -> String {
        program.lvalue(self.addr, self.ty).unwrap_or_else(|| match program.object_at(self.addr) {
            Some(o) => format!("{}+{}", o.name, self.addr - o.addr),
            None => format!("*{:#x}", self.addr),
        })
    }
}

/// The pair (V, R): the scalar variables and the array elements that are kept.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Precision {
    /// V.
    pub variables: BTreeSet<VarId>,
    /// R.
    pub elements: BTreeSet<Element>,
}

impl Precision {
    /// V_P with no element: all scalar variables of a program.
    pub fn scalars(program: &Program) -> Precision {
        let scalar = |v: &VarId| !matches!(program.var(*v).kind, VarKind::Region(_));
        let variables = (0..program.vars.len() as u32).map(VarId).filter(scalar).collect();
        Precision { variables, elements: BTreeSet::new() }
    }

    /// The order ⪯: whether the other pair keeps all that this one does.
    pub fn is_part_of(&self, other: &Precision) -> bool {
        self.variables.is_subset(&other.variables) && self.elements.is_subset(&other.elements)
    }
}
