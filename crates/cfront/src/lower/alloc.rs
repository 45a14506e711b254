//! `malloc` and its family.

use plumb_cfa::{InputSource, Op, Storage, Ub};
use plumb_term::{Span, Term};

use super::place::Value;
use super::Lowerer;
use crate::ast::*;
use crate::lex::Fallible;
use crate::types::Types;

impl<'a> Lowerer<'a> {
    pub(super) fn allocation(&mut self, name: &str, args: &'a [Expr], span: Span) -> Fallible<Option<Value>> {
        let size_at = match (name, args.len()) {
            ("malloc" | "valloc" | "pvalloc", 1) => 0,
            ("alloca" | "__alloca", 1) | ("alloca_with_align", 2) => 0,
            ("aligned_alloc" | "memalign", 2) => 1,
            ("calloc", 2) => 0,
            ("free" | "cfree", 1) | ("realloc", 2) | ("posix_memalign", 3) => 0,
            _ => return Ok(None),
        };
        let values = self.evaluate_all(args)?;
        if self.cx.unevaluated > 0 {
            return Ok(Some(self.dummy(Types::VOID_PTR)));
        }
        let size_t = self.types.size_t();
        Ok(Some(match name {
            "free" | "cfree" => {
                let p = self.convert(&values[0], Types::VOID_PTR, span)?;
                self.cx.emit(Op::Free { addr: p.term });
                Value::void()
            }
            "calloc" => {
                let (n, size) = (self.convert(&values[0], size_t, span)?, self.convert(&values[1], size_t, span)?);
                self.heap(n.term.mul(size.term), true)
            }
            "realloc" => {
                let p = self.convert(&values[0], Types::VOID_PTR, span)?;
                let n = self.convert(&values[1], size_t, span)?;
                self.realloc(&p, n.term, span)?
            }
            "posix_memalign" => {
                let size = self.convert(&values[2], size_t, span)?;
                let p = self.heap(size.term, false);
                let place = self.pointee_place(&values[0], true, span)?;
                self.assign_place(&place, &p, span)?;
                self.int_zero()
            }
            _ if name.contains("alloca") => {
                let size = self.convert(&values[size_at], size_t, span)?;
                let t = self.temp(Types::VOID_PTR);
                let mem = self.allocate_into(t, size.term, Storage::Frame, false);
                Value::new(Types::VOID_PTR, mem.addr, Some(mem.node))
            }
            _ => {
                let size = self.convert(&values[size_at], size_t, span)?;
                self.heap(size.term, false)
            }
        }))
    }

    /// A heap object; with `--malloc may-fail` perhaps none.
    fn heap(&mut self, size: Term, zeroed: bool) -> Value {
        let t = self.temp(Types::VOID_PTR);
        if self.semantics.malloc_may_fail {
            let fails = self.havoc(Types::BOOL, InputSource::Extern("malloc".to_owned()));
            let (yes, no) = self.fork(fails.term.differs(Term::int(0)));
            let end = self.cx.new_loc();
            self.cx.edge(yes, end, Op::Assign(vec![(t, Term::int(0))]));
            self.cx.cur = no;
            self.allocate_into(t, size, Storage::Heap, zeroed);
            let from = self.cx.cur;
            self.cx.edge(from, end, Op::Skip);
            self.cx.cur = end;
        } else {
            self.allocate_into(t, size, Storage::Heap, zeroed);
        }
        self.read_var(t, Types::VOID_PTR)
    }

    /// `realloc` of a null pointer allocates; the size of another block is not kept, so what to copy is not known.
    fn realloc(&mut self, p: &Value, size: Term, span: Span) -> Fallible<Value> {
        let p = self.save(p);
        let (fresh, grown) = self.fork(p.term.equals(Term::int(0)));
        self.cx.cur = grown;
        self.unsupported(span, "the function 'realloc' on an existing block");
        self.cx.cur = fresh;
        Ok(self.heap(size, false))
    }

    /// A guard that a pointer is not null.
    pub(super) fn guard_pointer(&mut self, p: &Value) {
        self.guard(p.term.differs(Term::int(0)), Ub::NullDereference);
    }
}
