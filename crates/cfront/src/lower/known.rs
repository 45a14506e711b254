//! Functions that plumb knows and that are called through pointers: their arguments are values already.
//!
//! What plumb's C library defines is called as any other function. This is the rest: the error, the end of the program, inputs, assumptions; and what only a call by name gives a meaning
//! to, which is unsupported here.

use plumb_cfa::Op;
use plumb_term::{Span, Term};

use super::builtin::{ABORTS, NO_OPS, UNSUPPORTED};
use super::place::Value;
use super::Lowerer;
use crate::lex::Fallible;
use crate::types::Types;

impl<'a> Lowerer<'a> {
    /// A call through a pointer of a function with a meaning of its own; `None` if it is not one.
    pub(super) fn known_by_value(&mut self, f: usize, args: &[Value], span: Span) -> Fallible<Option<Value>> {
        let symbol = self.funcs[f].name;
        let name = self.name(symbol);
        let ret = self.types.as_function(self.funcs[f].ty).map_or(Types::INT, |t| t.ret);
        if self.error_calls.contains(&symbol) {
            self.error_here();
            return Ok(Some(self.dummy(ret)));
        }
        let body = self.body_of(f);
        if self.funcs[body].def.is_some() {
            return Ok(None);
        }
        if NO_OPS.contains(&name) {
            return Ok(Some(Value::void()));
        }
        if let Some(kind) = name.strip_prefix("__VERIFIER_nondet_").filter(|_| args.is_empty()) {
            return self.nondet(symbol, kind).map(Some);
        }
        if ABORTS.contains(&name) {
            self.cx.stop(Op::Halt { status: None });
            return Ok(Some(self.dummy(ret)));
        }
        match (name, args) {
            ("__VERIFIER_assume" | "__CPROVER_assume", [cond]) if self.types.is_integer(cond.ty) => {
                self.assume(cond.term.differs(Term::int(0)));
                Ok(Some(Value::void()))
            }
            ("exit" | "_exit" | "_Exit" | "quick_exit", [status]) => {
                let status = self.convert(status, Types::INT, span)?;
                self.cx.stop(Op::Halt { status: Some(status.term) });
                Ok(Some(Value::void()))
            }
            _ if UNSUPPORTED.contains(&name) => {
                self.unsupported(span, format!("the function '{name}'"));
                Ok(Some(self.dummy(ret)))
            }
            _ if name.starts_with("__VERIFIER_nondet_") || self.is_builtin_function(name) || self.is_modelled(name) => {
                self.unsupported(span, format!("a call of '{name}' through a pointer"));
                Ok(Some(self.dummy(ret)))
            }
            _ => Ok(None),
        }
    }
}
