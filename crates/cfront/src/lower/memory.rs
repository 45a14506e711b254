//! Automatic objects: where they live, and for how long.
//!
//! In a function with one activation at a time an object has a fixed address; its lifetime starts with arbitrary contents and ends with its
//! scope. In a recursive function, and for variable-length arrays, it comes from the allocator.

use plumb_cfa::{Op, Storage, Ub};
use plumb_term::{Span, Term};

use super::cx::{Live, LiveScope};
use super::place::{Mem, Value};
use super::Lowerer;
use crate::lex::Fallible;
use crate::pointsto::Shape;
use crate::types::{Ty, Types};
use crate::Symbol;

impl Lowerer<'_> {
    /// A new automatic object in the innermost scope.
    pub(super) fn auto_object(&mut self, name: String, ty: Ty, align: u64, span: Span) -> Fallible<Mem> {
        let Some(size) = self.size_term(ty) else {
            return self.invalid(span, format!("the size of '{name}' of type '{}' is not known", self.show(ty)));
        };
        if self.cx.unevaluated > 0 {
            let node = self.pts.object();
            return Ok(Mem { addr: Term::int(0x10000), node, shape: Shape::Raw, known: true });
        }
        let fixed = self.types.size(ty).filter(|_| !self.cx.recursive);
        let align = align.max(self.types.align(ty));
        let mem = match fixed {
            Some(bytes) => {
                let mem = self.new_object(name, ty, bytes, align, Some(self.cx.func), span);
                self.havoc_object(&mem, Term::int(bytes));
                mem
            }
            None => {
                if self.types.size(ty).is_none() {
                    self.guard(Term::int(0).less(size), Ub::BadSize);
                }
                let pointer = self.new_local(format!("&{name}"), Types::VOID_PTR, plumb_cfa::VarKind::Temp, span);
                self.align_heap(align, 0);
                self.allocate_into(pointer, size, Storage::Block, false)
            }
        };
        if let Some(scope) = self.cx.scopes.last_mut() {
            scope.objects.push(Live { addr: mem.addr, fixed: fixed.map(|bytes| (mem.node, Term::int(bytes))) });
        }
        Ok(mem)
    }

    /// An object for an intermediate result.
    pub(super) fn temp_object(&mut self, ty: Ty, span: Span) -> Fallible<Mem> {
        let name = format!("<t{}>", self.objects.len());
        self.auto_object(name, ty, 1, span)
    }

    /// Any contents: the region is patched in later.
    pub(super) fn havoc_object(&mut self, mem: &Mem, len: Term) {
        self.cx.emit(Op::HavocMem { region: Self::region_of(mem), addr: mem.addr, len });
    }

    /// What is stored in the object comes from outside the program.
    pub(super) fn mark_contents_external(&mut self, mem: &Mem) {
        for pointer in [true, false] {
            let contents = self.pts.contents(mem.node, pointer);
            self.pts.mark_external(contents);
        }
    }

    /// A placeholder for the region of a place.
    pub(super) fn region_of(mem: &Mem) -> plumb_cfa::RegionId {
        plumb_cfa::RegionId(mem.node.0)
    }

    /// The next allocated object will have a multiple of `align` at the distance `lead` from its start.
    pub(super) fn align_heap(&mut self, align: u64, lead: u64) {
        if align > plumb_cfa::program::HEAP_ALIGN {
            let top = self.term(self.heap_top);
            let aligned = top.plus(lead + align - 1).div(Term::int(align)).mul(Term::int(align)).plus(-i64::try_from(lead).unwrap_or(0));
            self.cx.emit(Op::Assign(vec![(self.heap_top, aligned)]));
        }
    }

    /// `dst` gets the address of a new object of `size` bytes.
    pub(super) fn allocate_into(&mut self, dst: plumb_term::VarId, size: Term, storage: Storage, zeroed: bool) -> Mem {
        let top = self.term(self.heap_top);
        let limit = plumb_term::IBig::from(match self.semantics.model {
            plumb_cfa::DataModel::Ilp32 => 0xf000_0000u64,
            plumb_cfa::DataModel::Lp64 => 0x7fff_0000_0000u64,
        });
        let room = top.add(size).plus(2 * plumb_cfa::program::HEAP_ALIGN).less_eq(Term::int(limit));
        self.cx.emit(Op::Guard { cond: room, ub: Ub::BadSize });
        let node = self.pts.object();
        self.dynamic_nodes.push(node);
        let mem = Mem { addr: self.term(dst), node, shape: Shape::Raw, known: true };
        let var_node = self.var_node(dst);
        self.pts.unify(var_node, node);
        self.cx.emit(Op::Alloc { dst, size, region: Self::region_of(&mem), storage, zeroed });
        mem
    }

    pub(super) fn enter_scope(&mut self, local_labels: Vec<Symbol>) {
        self.scopes.enter();
        self.cx.next_scope += 1;
        let id = self.cx.next_scope;
        self.cx.scopes.push(LiveScope { id, objects: Vec::new(), local_labels });
    }

    pub(super) fn leave_scope(&mut self) {
        self.scopes.leave();
        if let Some(scope) = self.cx.scopes.pop() {
            for object in scope.objects.iter().rev() {
                self.cx.emit(Op::EndLife { addr: object.addr });
            }
        }
    }

    /// Ends the lifetimes of the scopes from `depth` on, which a jump leaves.
    pub(super) fn end_lifetimes(&mut self, depth: usize) {
        for (_, object) in self.cx.live_from(depth) {
            self.cx.emit(Op::EndLife { addr: object.addr });
        }
    }

    /// The address of an object as a value.
    pub(super) fn pointer_to(&mut self, mem: &Mem, ty: Ty) -> Value {
        let pointer = self.types.pointer(ty);
        Value::new(pointer, mem.addr.wrap(self.pointer_ty()), Some(mem.node))
    }
}
