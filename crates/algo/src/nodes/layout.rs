//! Where the heap's objects are and what they consist of.
//!
//! Addresses are never used again ([`Program::heap_top`]), so the objects that were allocated so far lie one after the other from the heap's base to its top. If all take up the
//! same room, they are the cells of an array, and "every node" is a range of addresses.

use crate::arrays::frame::gcd;
use crate::system::System;
use plumb_cfa::Program;
use plumb_smt::memories;
use plumb_term::visit::{linear_form, postorder, Rewriter};
use plumb_term::{IBig, IntTy, Kind, Scalar, Term, Var, VarId, VarTy};
use std::collections::{BTreeMap, BTreeSet};

/// More members of a node are not looked at.
const MAX_FIELDS: usize = 8;

/// A member of nodes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Field {
    /// The memory that holds it.
    pub memory: VarId,
    /// Its offset.
    pub offset: IBig,
    /// Its type.
    pub ty: Scalar,
}

/// The heap.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Where it begins.
    pub base: IBig,
    /// The room of an object; if they differ, what divides all.
    pub stride: IBig,
    /// The type of pointers.
    pub pointer: IntTy,
    /// The end of what is allocated.
    pub top: Term,
    /// The members of nodes that blocks read or write.
    pub fields: Vec<Field>,
}

impl Layout {
    /// Of a program that allocates; nothing if it accesses no member of a node.
    pub fn of(program: &Program, system: &System) -> Option<Layout> {
        let mut stride = IBig::ZERO;
        let mut heap: BTreeSet<VarId> = BTreeSet::new();
        for (room, region) in program.allocations() {
            stride = gcd(stride, room);
            heap.insert(program.region(region).var);
        }
        let base = IBig::from(program.heap_base);
        let mut fields: BTreeSet<Field> = BTreeSet::new();
        let all = system.transitions.iter().flat_map(|t| t.values.iter().copied().chain([t.condition]));
        for (memory, address, ty) in accesses(all.chain(system.errors.iter().map(|e| e.1))) {
            let (constant, parts) = linear_form(address);
            // The first nodes have addresses that are known.
            let offset = if parts.is_empty() && constant >= base { (constant - &base) % &stride } else { constant };
            if heap.contains(&memory) && offset >= IBig::ZERO && offset < stride {
                fields.insert(Field { memory, offset, ty });
            }
        }
        let fields: Vec<Field> = fields.into_iter().take(MAX_FIELDS).collect();
        let top = program.term(program.heap_top);
        (!fields.is_empty()).then(|| Layout { base, stride, pointer: program.pointer(), top, fields })
    }

    /// The variable that stands for every node.
    pub fn every(&self) -> Var {
        Var::new(VarId::FIRST_BOUND, VarTy::Scalar(Scalar::Int(self.pointer)))
    }

    /// That a node begins at an address.
    pub fn is_node(&self, a: Term) -> Term {
        self.is_end(a).and(a.less(self.top))
    }

    /// That an address is where a node begins, or would.
    pub fn is_end(&self, a: Term) -> Term {
        let base = Term::int(self.base.clone());
        let aligned = a.sub(base).rem(Term::int(self.stride.clone())).equals(Term::int(0));
        base.less_eq(a).and(aligned)
    }

    /// What a node has in a member.
    pub fn value(&self, program: &Program, node: Term, field: &Field) -> Term {
        Term::load(field.ty, program.term(field.memory), node.plus(field.offset.clone()))
    }

    /// The address in a member.
    pub fn target(&self, program: &Program, node: Term, field: &Field) -> Term {
        self.value(program, node, field).wrap(self.pointer)
    }

    /// Whether a member has room for a pointer.
    pub fn may_point(&self, field: &Field) -> bool {
        matches!(field.ty, Scalar::Int(ty) if ty.bits == self.pointer.bits)
    }
}

/// Accesses of terms: the variable of the memory, the address as if nothing wrapped, the type.
pub fn accesses(terms: impl IntoIterator<Item = Term>) -> Vec<(VarId, Term, Scalar)> {
    let mut out: BTreeMap<(VarId, Term), Scalar> = BTreeMap::new();
    let mut plain = Rewriter::new();
    for n in postorder(terms) {
        let (Kind::Load(ty, m, a) | Kind::Store(ty, m, a, _)) = n.kind() else { continue };
        let address = plain.rewrite(*a, &mut |n| match n.kind() {
            Kind::Load(..) | Kind::Ite(..) => Some(n),
            Kind::Wrap(_, a) if !matches!(a.kind(), Kind::Wrap(..)) => Some(*a),
            _ => None,
        });
        for v in memories(*m).into_iter().filter_map(Term::as_var).filter(|v| v.id < VarId::FIRST_AUX) {
            out.insert((v.id, address), *ty);
        }
    }
    out.into_iter().map(|((m, a), ty)| (m, a, ty)).collect()
}
