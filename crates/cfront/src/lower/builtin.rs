//! Functions that the program does not define and plumb knows: verifier functions, compiler builtins, the end of the program.

use plumb_cfa::{InputSource, Op, Ub};
use plumb_term::{Float, FloatTy, IBig, IntTy, Span, Term};

use super::place::{Mem, Value};
use super::Lowerer;
use crate::ast::*;
use crate::lex::Fallible;
use crate::pointsto::Shape;
use crate::types::{FloatKind, IntKind, Kind, Ty, Types};
use crate::Symbol;

/// What is unsupported when it is reached.
pub(super) const UNSUPPORTED: [&str; 22] = [
    "setjmp",
    "_setjmp",
    "__sigsetjmp",
    "sigsetjmp",
    "longjmp",
    "_longjmp",
    "siglongjmp",
    "pthread_create",
    "thrd_create",
    "clone",
    "fork",
    "vfork",
    "signal",
    "sigaction",
    "__builtin_setjmp",
    "__builtin_longjmp",
    "__builtin_apply",
    "getcontext",
    "setcontext",
    "swapcontext",
    "makecontext",
    "__builtin_return",
];

/// Functions that end the program abnormally, or its only thread.
pub(super) const ABORTS: [&str; 13] = [
    "abort",
    "__builtin_abort",
    "__builtin_trap",
    "__assert_fail",
    "__assert",
    "__assert_rtn",
    "__assert_perror_fail",
    "__stack_chk_fail",
    "__fortify_fail",
    "__chk_fail",
    "_abort",
    "pthread_exit",
    "thrd_exit",
];

/// Functions that do nothing plumb can see.
pub(super) const NO_OPS: [&str; 10] = [
    "__VERIFIER_atomic_begin",
    "__VERIFIER_atomic_end",
    "__builtin_prefetch",
    "__builtin_va_end",
    "va_end",
    "__sync_synchronize",
    "__atomic_thread_fence",
    "__atomic_signal_fence",
    "__builtin_ia32_pause",
    "__builtin___clear_cache",
];

impl<'a> Lowerer<'a> {
    pub(super) fn is_builtin_function(&self, name: &str) -> bool {
        name.starts_with("__builtin_")
    }

    /// A call of a known function; `None` if it is not one.
    pub(super) fn builtin(&mut self, symbol: Symbol, args: &'a [Expr], span: Span) -> Fallible<Option<Value>> {
        let name = self.name(symbol);
        if self.error_calls.contains(&symbol) {
            self.calls_in(args)?;
            self.error_here();
            return Ok(Some(Value::void()));
        }
        if NO_OPS.contains(&name) {
            self.evaluate_all(args)?;
            return Ok(Some(Value::void()));
        }
        if let ("__VERIFIER_nondet_memory", [_, _]) = (name, args) {
            return self.nondet_memory(args, span).map(Some);
        }
        if let Some(kind) = name.strip_prefix("__VERIFIER_nondet_") {
            let values = self.evaluate_all(args)?;
            if values.iter().any(|v| self.types.is_pointer(v.ty)) && self.cx.unevaluated == 0 {
                self.unsupported(span, format!("the effects of the function '{name}'"));
            }
            return self.nondet(symbol, kind).map(Some);
        }
        if ABORTS.contains(&name) {
            self.calls_in(args)?;
            if self.cx.unevaluated == 0 {
                self.cx.stop(Op::Halt { status: None });
            }
            return Ok(Some(Value::void()));
        }
        if UNSUPPORTED.contains(&name) {
            if self.cx.unevaluated == 0 {
                self.unsupported(span, format!("the function '{name}'"));
            }
            return Ok(Some(self.dummy(Types::INT)));
        }
        if let Some(value) = self.rounding_function(name, args, span)? {
            return Ok(Some(value));
        }
        if let Some(value) = self.compiler_builtin(name, args, span)? {
            return Ok(Some(value));
        }
        let plain = name.strip_prefix("__builtin_").unwrap_or(name);
        if let Some(value) = self.math_function(plain, args, span)? {
            return Ok(Some(value));
        }
        if let Some(value) = self.allocation(plain, args, span)? {
            return Ok(Some(value));
        }
        if let Some(value) = self.library_builtin(plain, args, span)? {
            return Ok(Some(value));
        }
        if plain != name {
            return self.builtin_alias(plain, args, span).map(Some);
        }
        Ok(None)
    }

    /// `__builtin_f` without a meaning of its own is `f`.
    fn builtin_alias(&mut self, plain: &str, args: &'a [Expr], span: Span) -> Fallible<Value> {
        let plain = plain.strip_prefix("__").and_then(|p| p.strip_suffix("_chk")).unwrap_or(plain);
        let symbol = self.names.get(plain);
        if let Some(f) = symbol.and_then(|s| self.library_function(s)) {
            if self.cx.unevaluated > 0 {
                let ret = self.types.as_function(self.funcs[f].ty).map_or(Types::INT, |t| t.ret);
                return Ok(self.dummy(ret));
            }
            let values = self.evaluate_all(args)?;
            let id = self.instance(f, false)?;
            return self.call_instance(id, &values, span);
        }
        if self.cx.unevaluated == 0 {
            self.unsupported(span, format!("the builtin function '__builtin_{plain}'"));
        }
        Ok(self.dummy(Types::INT))
    }

    /// `__VERIFIER_nondet_*`: any value of the declared return type, or of the type its name says.
    pub(super) fn nondet(&mut self, symbol: Symbol, kind: &str) -> Fallible<Value> {
        let declared = match self.lookup(symbol) {
            Some(super::scope::Entry::Func(f)) => self.types.as_function(self.funcs[f].ty),
            _ => None,
        };
        let ty = match declared {
            // An implicit declaration says `int`; so may an old-style one.
            Some(t) if t.params.is_some() || t.ret != Types::INT => t.ret,
            _ => self.nondet_type(kind),
        };
        if self.cx.unevaluated > 0 {
            return Ok(self.dummy(ty));
        }
        let name = self.name(symbol).to_owned();
        if self.types.scalar(ty).is_none() {
            if ty == Types::VOID {
                return Ok(Value::void());
            }
            let mem = self.temp_object(ty, self.cx.span)?;
            self.mark_contents_external(&mem);
            return Ok(Value::aggregate(ty, mem));
        }
        Ok(self.havoc(ty, InputSource::Nondet(name)))
    }

    /// `__VERIFIER_nondet_memory(p, n)`: the bytes take any values.
    fn nondet_memory(&mut self, args: &'a [Expr], span: Span) -> Fallible<Value> {
        let values = self.evaluate_all(args)?;
        if self.cx.unevaluated > 0 {
            return Ok(Value::void());
        }
        let p = self.convert(&values[0], Types::VOID_PTR, span)?;
        let size_t = self.types.size_t();
        let len = self.convert(&values[1], size_t, span)?;
        let node = self.node_of(&p);
        let mem = Mem { addr: p.term, node, shape: Shape::Raw, known: false };
        self.touch_bytes(&mem);
        self.mark_contents_external(&mem);
        let (some, none) = self.fork(len.term.differs(Term::int(0)));
        self.cx.cur = some;
        self.guard_pointer(&p);
        self.havoc_object(&mem, len.term);
        let from = self.cx.cur;
        self.cx.cur = self.join(vec![from, none]);
        Ok(Value::void())
    }

    fn nondet_type(&mut self, kind: &str) -> Ty {
        use IntKind::*;
        let int = match kind {
            "bool" | "_Bool" => return Types::BOOL,
            "char" => Char,
            "schar" | "s8" | "int8" | "int8_t" => SChar,
            "uchar" | "u8" | "unsigned_char" | "uint8" | "uint8_t" => UChar,
            "short" | "s16" | "int16" | "int16_t" => Short,
            "ushort" | "u16" | "uint16" | "uint16_t" => UShort,
            "uint" | "u32" | "unsigned" | "uint32" | "uint32_t" => UInt,
            "long" | "loff_t" => Long,
            "ulong" => ULong,
            "longlong" | "s64" | "int64" | "int64_t" => LLong,
            "ulonglong" | "u64" | "uint64" | "uint64_t" | "sector_t" => ULLong,
            "int128" => Int128,
            "uint128" => UInt128,
            "size_t" => return self.types.size_t(),
            "float" => return self.types.float(FloatKind::Float),
            "double" => return Types::DOUBLE,
            "pointer" => return Types::VOID_PTR,
            "pchar" | "charp" => return Types::CHAR_PTR,
            _ => Int,
        };
        self.types.int(int)
    }

    fn compiler_builtin(&mut self, name: &str, args: &'a [Expr], span: Span) -> Fallible<Option<Value>> {
        let value = match (name, args) {
            ("__VERIFIER_assume" | "__CPROVER_assume", [cond]) => {
                let (yes, _) = self.branch(cond)?;
                self.cx.cur = yes;
                Value::void()
            }
            ("assert", [cond]) => {
                let (yes, no) = self.branch(cond)?;
                self.cx.cur = no;
                if self.assert_is_error {
                    self.error_here();
                } else {
                    self.cx.stop(Op::Halt { status: None });
                }
                self.cx.cur = yes;
                Value::void()
            }
            ("exit" | "_exit" | "_Exit" | "quick_exit" | "__builtin_exit" | "__builtin__exit", [status]) => {
                let status = self.expr(status)?;
                let status = self.convert(&status, Types::INT, span)?;
                if self.cx.unevaluated == 0 {
                    self.cx.stop(Op::Halt { status: Some(status.term) });
                }
                Value::void()
            }
            ("__builtin_unreachable", _) => {
                if self.cx.unevaluated == 0 {
                    self.cx.stop(Op::Guard { cond: Term::ff(), ub: Ub::Unreachable });
                }
                Value::void()
            }
            ("__builtin_expect" | "__builtin_expect_with_probability", [value, rest @ ..]) => {
                let v = self.expr(value)?;
                let long = self.types.int(IntKind::Long);
                let v = self.convert(&v, long, span)?;
                for e in rest {
                    self.effect(e)?;
                }
                v
            }
            ("__builtin_assume_aligned", [value, ..]) => {
                let v = self.expr(value)?;
                self.convert(&v, Types::VOID_PTR, span)?
            }
            ("__builtin_constant_p", [value]) => {
                let v = self.unevaluated(|l| l.expr(value))?;
                let known = v.mem.is_none() && (v.term.as_int().is_some() || v.term.as_float().is_some());
                Value::plain(Types::INT, Term::int(u8::from(known)))
            }
            ("__builtin_object_size" | "__builtin_dynamic_object_size", [_, kind]) => {
                let kind = self.const_u64(kind)?;
                let size_t = self.types.size_t();
                let all = self.types.integer(size_t).map_or(IBig::ZERO, IntTy::max);
                Value::plain(size_t, Term::int(if kind < 2 { all } else { IBig::ZERO }))
            }
            ("__builtin_frame_address" | "__builtin_return_address" | "__builtin_extract_return_addr", _) => {
                if self.cx.unevaluated > 0 {
                    self.dummy(Types::VOID_PTR)
                } else {
                    self.havoc(Types::VOID_PTR, InputSource::Abstracted(name.to_owned()))
                }
            }
            ("__builtin_classify_type", [operand]) => {
                let ty = self.rvalue_type(operand)?;
                let class = match self.types.kind(ty) {
                    Kind::Void => 0,
                    Kind::Pointer(_) | Kind::Function(_) | Kind::Array(..) => 5,
                    Kind::Float(_) => 8,
                    Kind::Record(r) if self.types.record(*r).is_union() => 13,
                    Kind::Record(_) => 12,
                    _ => 1,
                };
                Value::plain(Types::INT, Term::int(class))
            }
            ("__builtin_va_start" | "va_start" | "__builtin_stdarg_start" | "__builtin_c23_va_start", [list, ..]) => {
                self.va_start(list, span)?;
                Value::void()
            }
            ("__builtin_va_copy" | "va_copy" | "__va_copy", [to, from]) => {
                self.va_copy(to, from, span)?;
                Value::void()
            }
            ("__builtin_huge_val" | "__builtin_inf", []) => self.float_constant(FloatKind::Double, Float::inf),
            ("__builtin_huge_valf" | "__builtin_inff", []) => self.float_constant(FloatKind::Float, Float::inf),
            ("__builtin_huge_vall" | "__builtin_infl", []) => self.float_constant(FloatKind::LongDouble, Float::inf),
            ("__builtin_nan" | "__builtin_nans", [_]) => self.float_constant(FloatKind::Double, Float::nan),
            ("__builtin_nanf" | "__builtin_nansf", [_]) => self.float_constant(FloatKind::Float, Float::nan),
            ("__builtin_nanl" | "__builtin_nansl", [_]) => self.float_constant(FloatKind::LongDouble, Float::nan),
            ("__builtin_LINE", []) => Value::plain(Types::INT, Term::int(span.line)),
            _ => {
                if let Some(value) = self.overflow_builtin(name, args, span)? {
                    return Ok(Some(value));
                }
                if let Some(value) = self.atomic_builtin(name, args, span)? {
                    return Ok(Some(value));
                }
                return self.bit_builtin(name, args, span);
            }
        };
        Ok(Some(value))
    }

    fn float_constant(&mut self, kind: FloatKind, value: fn(FloatTy) -> Float) -> Value {
        let ty = self.types.float(kind);
        Value::plain(ty, Term::float(value(Types::float_ty(kind))))
    }

    /// `__builtin_clz` and its like.
    fn bit_builtin(&mut self, name: &str, args: &'a [Expr], span: Span) -> Fallible<Option<Value>> {
        let Some(rest) = name.strip_prefix("__builtin_") else { return Ok(None) };
        let [arg] = args else { return Ok(None) };
        if let Some(bits) = rest.strip_prefix("bswap").and_then(|b| b.parse::<u16>().ok()) {
            let Some(kind) = self.types.kind_of_width(bits, false) else { return Ok(None) };
            let ty = self.types.int(kind);
            let v = self.expr(arg)?;
            let v = self.convert(&v, ty, span)?;
            let bytes = u32::from(bits / 8);
            let byte = |i: u32| v.term.shr(Term::int(8 * i)).wrap(IntTy::U8).shl(Term::int(8 * (bytes - 1 - i)));
            return Ok(Some(Value::plain(ty, Term::sum((0..bytes).map(byte)))));
        }
        let base = rest.trim_end_matches('l');
        let kind = match rest.len() - base.len() {
            0 => IntKind::UInt,
            1 => IntKind::ULong,
            _ => IntKind::ULLong,
        };
        if !matches!(base, "clz" | "ctz" | "popcount" | "parity" | "ffs" | "clrsb") {
            return Ok(None);
        }
        let ty = self.types.int(kind);
        let t = self.types.int_ty(kind);
        let v = self.expr(arg)?;
        let v = self.convert(&v, ty, span)?;
        let x = v.term.wrap(t);
        let bits = u32::from(t.bits);
        let leading = |x: Term, ty_bits: u32| {
            (0..ty_bits).fold(Term::int(ty_bits), |rest, i| {
                Term::ite(Term::int(IBig::ONE << i as usize).less_eq(x), Term::int(ty_bits - 1 - i), rest)
            })
        };
        let trailing = |none: Term, plus: u32| {
            (0..bits).rev().fold(none, |rest, i| {
                let low = x.wrap(IntTy::unsigned(i as u16 + 1));
                Term::ite(low.differs(Term::int(0)), Term::int(i + plus), rest)
            })
        };
        let count = || Term::sum((0..bits).map(|i| x.shr(Term::int(i)).wrap(IntTy::unsigned(1))));
        let result = match base {
            "clz" => {
                self.guard(x.differs(Term::int(0)), Ub::ShiftCount);
                // The largest power decides: fold keeps the last (highest) one outermost.
                leading(x, bits)
            }
            "ctz" => {
                self.guard(x.differs(Term::int(0)), Ub::ShiftCount);
                trailing(Term::int(bits), 0)
            }
            "ffs" => trailing(Term::int(0), 1),
            "popcount" => count(),
            "parity" => count().rem(Term::int(2)),
            _ => {
                let signed = x.wrap(IntTy::signed(t.bits));
                let magnitude = Term::ite(signed.less(Term::int(0)), signed.bit_not(), signed);
                leading(magnitude, bits).plus(-1)
            }
        };
        Ok(Some(Value::plain(Types::INT, result)))
    }
}
