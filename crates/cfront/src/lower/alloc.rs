//! `malloc` and its family.
//!
//! Where a program uses `realloc`, a heap block starts with a header that holds its size, below the address that the program
//! gets; other programs have plain blocks.

use plumb_cfa::{InputSource, Op, Storage, Ub};
use plumb_term::{Span, Term, VarId};

use super::place::{LValue, Mem, Place, Value};
use super::Lowerer;
use crate::ast::*;
use crate::lex::Fallible;
use crate::pointsto::Shape;
use crate::types::Types;

/// The size of the header of a block, which keeps its alignment.
const HEADER: u64 = 16;

/// Larger alignments are not modelled.
const MAX_ALIGN: u64 = 1 << 20;

impl<'a> Lowerer<'a> {
    pub(super) fn allocation(&mut self, name: &str, args: &'a [Expr], span: Span) -> Fallible<Option<Value>> {
        let size_at = match (name, args.len()) {
            ("malloc" | "valloc" | "pvalloc", 1) => 0,
            ("alloca" | "__alloca", 1) | ("alloca_with_align", 2) => 0,
            ("aligned_alloc" | "memalign", 2) => 1,
            ("calloc", 2) => 0,
            ("free" | "cfree", 1) | ("realloc", 2) | ("reallocarray", 3) | ("posix_memalign", 3) => 0,
            _ => return Ok(None),
        };
        let values = self.evaluate_all(args)?;
        if self.cx.unevaluated > 0 {
            return Ok(Some(self.dummy(Types::VOID_PTR)));
        }
        let size_t = self.types.size_t();
        let Some(align) = alignment(name, &values) else {
            self.unsupported(span, format!("an alignment for '{name}' that is not a constant"));
            return Ok(Some(self.dummy(Types::VOID_PTR)));
        };
        Ok(Some(match name {
            "free" | "cfree" => {
                let p = self.convert(&values[0], Types::VOID_PTR, span)?;
                self.free(&p);
                Value::void()
            }
            "calloc" => {
                let (n, size) = (self.convert(&values[0], size_t, span)?, self.convert(&values[1], size_t, span)?);
                self.heap(n.term.mul(size.term), true, align)
            }
            "realloc" | "reallocarray" => {
                let p = self.convert(&values[0], Types::VOID_PTR, span)?;
                let mut size = self.convert(&values[1], size_t, span)?.term;
                if let Some(each) = values.get(2) {
                    size = size.mul(self.convert(each, size_t, span)?.term);
                    let all = self.types.integer(size_t).map_or(Term::int(0), |t| Term::int(t.max()));
                    self.guard(size.less_eq(all), Ub::BadSize);
                    size = self.wrap(size, size_t);
                }
                self.realloc(&p, size, span)?
            }
            "posix_memalign" => {
                let size = self.convert(&values[2], size_t, span)?;
                let p = self.heap(size.term, false, align);
                let place = self.pointee_place(&values[0], true, span)?;
                self.assign_place(&place, &p, span)?;
                self.int_zero()
            }
            _ if name.contains("alloca") => {
                let size = self.convert(&values[size_at], size_t, span)?;
                let t = self.temp(Types::VOID_PTR);
                self.align_heap(align, 0);
                let mem = self.allocate_into(t, size.term, Storage::Frame, false);
                Value::new(Types::VOID_PTR, mem.addr, Some(mem.node))
            }
            _ => {
                let size = self.convert(&values[size_at], size_t, span)?;
                self.heap(size.term, false, align)
            }
        }))
    }

    /// A heap object; with `--malloc may-fail` perhaps none.
    fn heap(&mut self, size: Term, zeroed: bool, align: u64) -> Value {
        let t = self.temp(Types::VOID_PTR);
        if self.semantics.malloc_may_fail {
            let fails = self.havoc(Types::BOOL, InputSource::Extern("malloc".to_owned()));
            let (yes, no) = self.fork(fails.term.differs(Term::int(0)));
            let end = self.cx.new_loc();
            self.cx.edge(yes, end, Op::Assign(vec![(t, Term::int(0))]));
            self.cx.cur = no;
            self.heap_into(t, size, zeroed, align);
            let from = self.cx.cur;
            self.cx.edge(from, end, Op::Skip);
            self.cx.cur = end;
        } else {
            self.heap_into(t, size, zeroed, align);
        }
        self.read_var(t, Types::VOID_PTR)
    }

    fn heap_into(&mut self, t: VarId, size: Term, zeroed: bool, align: u64) {
        self.align_heap(align, if self.sized_blocks { HEADER } else { 0 });
        if !self.sized_blocks {
            self.allocate_into(t, size, Storage::Heap, zeroed);
            return;
        }
        let mem = self.allocate_into(t, size.plus(HEADER), Storage::Heap, zeroed);
        let size_t = self.types.size_t();
        let place = LValue { ty: size_t, place: Place::Mem(mem) };
        self.store(&place, &Value::plain(size_t, self.wrap(size, size_t)));
        self.pts.stride(mem.node, HEADER);
        let block = self.term(t).plus(HEADER).wrap(self.pointer_ty());
        self.cx.emit(Op::Assign(vec![(t, block)]));
    }

    /// `free`, given the pointer that the program has.
    fn free(&mut self, p: &Value) {
        let addr = if self.sized_blocks {
            Term::ite(p.term.equals(Term::int(0)), p.term, p.term.plus(-i64::try_from(HEADER).unwrap_or(0)).wrap(self.pointer_ty()))
        } else {
            p.term
        };
        self.cx.emit(Op::Free { addr });
    }

    /// A new block with as much of the old one's contents as both hold.
    fn realloc(&mut self, p: &Value, size: Term, span: Span) -> Fallible<Value> {
        let size_t = self.types.size_t();
        let (p, size) = (self.save(p), self.save(&Value::plain(size_t, size)));
        let result = self.temp(Types::VOID_PTR);
        let end = self.cx.new_loc();
        let (fresh, old) = self.fork(p.term.equals(Term::int(0)));
        self.cx.cur = fresh;
        let new = self.heap(size.term, false, 1);
        self.set_var(result, &new);
        let from = self.cx.cur;
        self.cx.edge(from, end, Op::Skip);
        self.cx.cur = old;
        // As in glibc, no size means `free`.
        let (gone, grown) = self.fork(size.term.equals(Term::int(0)));
        self.cx.cur = gone;
        self.free(&p);
        self.set_var(result, &Value::plain(Types::VOID_PTR, Term::int(0)));
        let from = self.cx.cur;
        self.cx.edge(from, end, Op::Skip);
        self.cx.cur = grown;
        let node = self.node_of(&p);
        self.pts.stride(node, HEADER);
        let header = Mem { addr: p.term.plus(-i64::try_from(HEADER).unwrap_or(0)), node, shape: Shape::Raw, known: false };
        let known = self.load(&LValue { ty: size_t, place: Place::Mem(header) });
        let shorter = Term::ite(known.term.less_eq(size.term), known.term, size.term);
        let shorter = self.save(&Value::plain(size_t, shorter));
        let new = self.heap(size.term, false, 1);
        let (some, none) = self.fork(new.term.differs(Term::int(0)));
        self.cx.cur = some;
        self.call_library("__plumb_copy1", &[new, p, shorter], span)?;
        self.free(&p);
        let from = self.cx.cur;
        self.cx.cur = self.join(vec![from, none]);
        self.set_var(result, &new);
        let from = self.cx.cur;
        self.cx.edge(from, end, Op::Skip);
        self.cx.cur = end;
        Ok(self.read_var(result, Types::VOID_PTR))
    }

    /// A guard that a pointer is not null.
    pub(super) fn guard_pointer(&mut self, p: &Value) {
        self.guard(p.term.differs(Term::int(0)), Ub::NullDereference);
    }
}

/// What the result of an allocating function is a multiple of; `None` if that is not constant, or no power of two.
fn alignment(name: &str, args: &[Value]) -> Option<u64> {
    let constant = |at: usize| u64::try_from(args.get(at)?.term.as_int()?).ok().filter(|n| n.is_power_of_two() && *n <= MAX_ALIGN);
    match name {
        "valloc" | "pvalloc" => Some(4096),
        "aligned_alloc" | "memalign" => constant(0),
        "posix_memalign" => constant(1),
        // In bits.
        "alloca_with_align" => constant(1).map(|bits| bits / 8),
        _ => Some(1),
    }
}
