//! The C library as far as it is not C source itself: printing, and block operations whose size is known.

use plumb_cfa::{InputSource, Op};
use plumb_term::{visit, IBig, IntTy, Scalar, Span, Term};

use super::copy::Part;
use super::place::{LValue, Mem, Place, Value};
use super::Lowerer;
use crate::ast::*;
use crate::lex::Fallible;
use crate::pointsto::Shape;
use crate::types::{Ty, Types};

/// Functions that only print.
const OUTPUT: [&str; 18] = [
    "printf",
    "vprintf",
    "fprintf",
    "vfprintf",
    "puts",
    "putchar",
    "putc",
    "fputc",
    "fputs",
    "fflush",
    "perror",
    "putchar_unlocked",
    "dprintf",
    "fwrite",
    "_IO_putc",
    "printk",
    "write",
    "syslog",
];

/// Block operations on more bytes than this are loops.
const MAX_INLINE: u64 = 256;

/// Functions that read and write memory, and that plumb's C library does not define.
const COPIERS: [&str; 12] = [
    "scanf",
    "fscanf",
    "sscanf",
    "__isoc99_scanf",
    "__isoc99_fscanf",
    "__isoc99_sscanf",
    "sprintf",
    "snprintf",
    "vsprintf",
    "vsnprintf",
    "mempcpy",
    "bzero",
];

impl<'a> Lowerer<'a> {
    /// Whether a call of this function by its name has a meaning that one through a pointer would lose. (Printing has no effect, so that nothing is lost.)
    pub(super) fn is_modelled(&self, name: &str) -> bool {
        super::math::is_function(name)
            || COPIERS.contains(&name)
            || matches!(name, "valloc" | "pvalloc" | "aligned_alloc" | "memalign" | "cfree" | "reallocarray" | "posix_memalign")
            || name.starts_with("__atomic_")
            || name.starts_with("__sync_")
    }

    pub(super) fn library_builtin(&mut self, name: &str, args: &'a [Expr], span: Span) -> Fallible<Option<Value>> {
        if OUTPUT.contains(&name) {
            return self.output(name, args, span).map(Some);
        }
        match (name, args.len()) {
            ("memset" | "__memset_chk" | "__builtin___memset_chk" | "bzero", 2..=4) => self.memset(name, args, span).map(Some),
            ("memcpy" | "memmove" | "mempcpy" | "__memcpy_chk" | "__memmove_chk" | "__builtin___memcpy_chk", 3 | 4) => {
                self.memcpy(name, args, span).map(Some)
            }
            ("scanf" | "__isoc99_scanf" | "__isoc23_scanf", 1..) => self.scan_values(name, args, 0, span).map(Some),
            ("fscanf" | "sscanf" | "__isoc99_fscanf" | "__isoc99_sscanf" | "__isoc23_fscanf" | "__isoc23_sscanf", 2..) => {
                self.scan_values(name, args, 1, span).map(Some)
            }
            ("sprintf" | "snprintf" | "vsprintf" | "vsnprintf", 2..) => self.print_to_buffer(name, args, span).map(Some),
            _ => Ok(None),
        }
    }

    fn output(&mut self, name: &str, args: &'a [Expr], span: Span) -> Fallible<Value> {
        let values = self.evaluate_all(args)?;
        if self.cx.unevaluated > 0 {
            return Ok(self.dummy(Types::INT));
        }
        if name.contains("printf") && args.iter().any(|a| matches!(&a.kind, ExprKind::Str(s) if counts_what_is_printed(&s.bytes))) {
            self.unsupported(span, format!("the conversion '%n' of '{name}'"));
            return Ok(self.int_zero());
        }
        let mut printed = Vec::with_capacity(values.len());
        for v in &values {
            let v = self.promote_argument(v, span)?;
            match self.types.scalar(v.ty) {
                Some(Scalar::Int(t)) => printed.push((Scalar::Int(t), v.term.wrap(t))),
                Some(s) => printed.push((s, v.term)),
                None => {
                    self.unsupported(span, format!("a structure as an argument of '{name}'"));
                    return Ok(self.int_zero());
                }
            }
        }
        // The stream goes into the name: the interpreter must know it without knowing what a FILE is.
        let at = match name {
            "fprintf" | "vfprintf" | "fflush" => Some(0),
            "fputs" | "fputc" | "putc" | "_IO_putc" => Some(1),
            "fwrite" => Some(3),
            _ => None,
        };
        let mut name = name.to_owned();
        if let Some(stream) = at.and_then(|i| args.get(i)) {
            printed.remove(at.unwrap_or(0));
            name = match &stream.kind {
                ExprKind::Ident(s) if matches!(self.name(*s), "stdout" | "stderr") => format!("{name}:{}", self.name(*s)),
                _ => format!("{name}:"),
            };
        }
        let dst = self.temp(Types::INT);
        self.cx.emit(Op::Output { name, args: printed, dst: Some(dst) });
        Ok(self.read_var(dst, Types::INT))
    }

    /// The type behind a pointer argument, before it was converted to `void *`.
    fn pointee_of(&self, v: &Value) -> Option<Ty> {
        let ty = self.types.pointee(v.ty)?;
        (ty != Types::VOID && self.types.size(ty).is_some_and(|n| n > 0)).then_some(ty)
    }

    /// The argument of a cast to a pointer keeps its own pointee type.
    fn block_argument(&mut self, e: &'a Expr) -> Fallible<Value> {
        let mut inner = e;
        while let ExprKind::Cast { ty, operand } = &inner.kind {
            let to = self.unevaluated(|l| l.type_name(ty))?;
            let from = self.rvalue_type(operand)?;
            let untyped = to == Types::VOID_PTR || to == Types::CHAR_PTR;
            if !(untyped && self.types.is_pointer(from)) {
                break;
            }
            inner = operand;
        }
        self.expr(inner)
    }

    fn block_arguments(&mut self, args: &'a [Expr]) -> Fallible<Vec<Value>> {
        let mut values = Vec::with_capacity(args.len());
        for arg in args {
            let v = self.block_argument(arg)?;
            values.push((v, self.cx.mark()));
        }
        Ok(values.into_iter().map(|(v, mark)| self.protect(mark, &v)).collect())
    }

    fn memory_at(&mut self, p: &Value) -> Mem {
        let node = self.node_of(p);
        Mem { addr: p.term, node, shape: Shape::Raw, known: false }
    }

    /// The scalars of as many elements of type `ty` as `bytes` holds.
    fn block_parts(&mut self, ty: Ty, bytes: u64) -> Option<Vec<Part>> {
        let size = self.types.size(ty).filter(|n| *n > 0 && bytes % *n == 0)?;
        if bytes > 16 * MAX_INLINE {
            return None;
        }
        let array = self.types.array(ty, crate::types::Len::Fixed(bytes / size));
        let parts = self.parts_and_padding(if bytes == size { ty } else { array })?;
        (parts.len() as u64 <= MAX_INLINE).then_some(parts)
    }

    fn memset(&mut self, name: &str, args: &'a [Expr], span: Span) -> Fallible<Value> {
        let values = self.block_arguments(args)?;
        if self.cx.unevaluated > 0 {
            return Ok(self.dummy(Types::VOID_PTR));
        }
        let size_t = self.types.size_t();
        let p = values[0];
        let result = self.convert(&p, Types::VOID_PTR, span)?;
        let (byte, len) = if name == "bzero" { (self.int_zero(), values[1]) } else { (values[1], values[2]) };
        let byte = self.convert(&byte, Types::UCHAR, span)?;
        let len = self.convert(&len, size_t, span)?;
        let bytes = len.term.as_int().and_then(|n| u64::try_from(n).ok());
        if bytes == Some(0) {
            return Ok(result);
        }
        let elem = self.pointee_of(&p);
        let mem = self.memory_at(&p);
        if let (Some(elem), Some(bytes), Some(b)) = (elem, bytes, byte.term.as_int().and_then(|b| u128::try_from(b).ok())) {
            if let Some(parts) = self.block_parts(elem, bytes) {
                let plain = b == 0 || parts.iter().all(|p| matches!(self.types.scalar(p.ty), Some(Scalar::Int(_))));
                if plain {
                    self.guard_pointer(&result);
                    self.set_parts(mem, &parts, b);
                    return Ok(result);
                }
            }
        }
        if byte.term.as_int() == Some(&IBig::ZERO) {
            // Zeros of any length: whole cells if the length is a multiple of theirs.
            let unit = elem.and_then(|e| self.uniform_unit(e));
            if !unit.is_some_and(|u| divides(u, len.term)) {
                self.touch_bytes(&mem);
            }
            let (some, none) = self.fork(len.term.differs(Term::int(0)));
            self.cx.cur = some;
            self.guard_pointer(&result);
            self.zero_bytes(mem, len.term, span)?;
            let from = self.cx.cur;
            self.cx.cur = self.join(vec![from, none]);
            return Ok(result);
        }
        let args = [result, Value::plain(Types::INT, byte.term), len];
        self.call_library("memset", &args, span)?;
        Ok(result)
    }

    fn set_parts(&mut self, mem: Mem, parts: &[Part], byte: u128) {
        let mut memory = self.memory(mem.node);
        let mut var = None;
        for part in parts {
            let place = self.part_place(mem, part);
            let term = match self.types.scalar(part.ty) {
                Some(Scalar::Int(t)) => {
                    let pattern = (0..t.bytes()).fold(IBig::ZERO, |acc, _| (acc << 8) + IBig::from(byte));
                    Term::int(t.wrap(&pattern))
                }
                _ => self.zero(part.ty),
            };
            if let Some((v, updated)) = self.store_term(&place, &Value::plain(part.ty, term), memory) {
                var = Some(v);
                memory = updated;
            }
        }
        if let Some(var) = var {
            self.cx.emit(Op::Assign(vec![(var, memory)]));
        }
    }

    /// The one width of all integers in a type.
    fn uniform_unit(&self, ty: Ty) -> Option<u64> {
        let mut base = ty;
        while let Some((elem, _)) = self.types.as_array(base) {
            base = elem;
        }
        let parts = self.parts(base)?;
        let widths: Vec<u64> = parts.iter().filter_map(|p| self.types.scalar(p.ty)).map(Scalar::bytes).collect();
        let first = *widths.first()?;
        (widths.len() == parts.len() && widths.iter().all(|w| *w == first)).then_some(first)
    }

    fn memcpy(&mut self, name: &str, args: &'a [Expr], span: Span) -> Fallible<Value> {
        let values = self.block_arguments(args)?;
        if self.cx.unevaluated > 0 {
            return Ok(self.dummy(Types::VOID_PTR));
        }
        let size_t = self.types.size_t();
        let (to, from) = (values[0], values[1]);
        let (to_ptr, from_ptr) = (self.convert(&to, Types::VOID_PTR, span)?, self.convert(&from, Types::VOID_PTR, span)?);
        let len = self.convert(&values[2], size_t, span)?;
        let result = if name == "mempcpy" { Value { term: to_ptr.term.add(len.term).wrap(self.pointer_ty()), ..to_ptr } } else { to_ptr };
        let bytes = len.term.as_int().and_then(|n| u64::try_from(n).ok());
        if bytes == Some(0) {
            return Ok(result);
        }
        let (a, b) = (self.pointee_of(&to), self.pointee_of(&from));
        let (target, source) = (self.memory_at(&to), self.memory_at(&from));
        if let Some(bytes) = bytes {
            if let Some(parts) = self.common_parts(a, b, bytes) {
                self.guard_pointer(&to_ptr);
                self.guard_pointer(&from_ptr);
                self.copy_parts(target, source, &parts);
                return Ok(result);
            }
        }
        let unit = match (a.and_then(|t| self.uniform_unit(t)), b.and_then(|t| self.uniform_unit(t))) {
            (Some(x), Some(y)) if x == y => x,
            (Some(x), None) if b.is_none() => x,
            (None, Some(y)) if a.is_none() => y,
            _ => 1,
        };
        let unit = if matches!(unit, 2 | 4 | 8) && divides(unit, len.term) { unit } else { 1 };
        let args = [to_ptr, from_ptr, len];
        self.call_library(&format!("__plumb_copy{unit}"), &args, span)?;
        Ok(result)
    }

    /// Scalars by which a block of known size can be copied.
    fn common_parts(&mut self, a: Option<Ty>, b: Option<Ty>, bytes: u64) -> Option<Vec<Part>> {
        let mut candidates = Vec::new();
        for ty in [a, b].into_iter().flatten() {
            let parts = self.block_parts(ty, bytes)?;
            candidates.push(parts);
        }
        let same = |x: &[Part], y: &[Part]| x.len() == y.len() && x.iter().zip(y).all(|(p, q)| p.offset == q.offset && p.ty == q.ty);
        match &candidates[..] {
            [one] => Some(one.clone()),
            [x, y] if same(x, y) => Some(x.clone()),
            _ if bytes <= 64 => {
                let part = |i| Part { offset: i, ty: Types::UCHAR, shape: None };
                Some((0..bytes).map(part).collect())
            }
            _ => None,
        }
    }

    fn copy_parts(&mut self, to: Mem, from: Mem, parts: &[Part]) {
        let mut memory = self.memory(to.node);
        let mut var = None;
        for part in parts {
            let (source, target) = (self.part_place(from, part), self.part_place(to, part));
            let value = self.load(&source);
            if let Some((v, updated)) = self.store_term(&target, &value, memory) {
                var = Some(v);
                memory = updated;
            }
        }
        if let Some(var) = var {
            self.cx.emit(Op::Assign(vec![(var, memory)]));
        }
    }

    /// `scanf` and its like: as many of the values that the format asks for as the result says are any value, the others stay as they are.
    fn scan_values(&mut self, name: &str, args: &'a [Expr], format_at: usize, span: Span) -> Fallible<Value> {
        let values = self.evaluate_all(args)?;
        if self.cx.unevaluated > 0 {
            return Ok(self.dummy(Types::INT));
        }
        let ExprKind::Str(format) = &args[format_at].kind else {
            self.unsupported(span, format!("'{name}' with a format that is not a literal"));
            return Ok(self.int_zero());
        };
        // What a string holds determines what is read from it; plumb does not compute that.
        let from_string = name.contains("sscanf");
        self.note_extern(name, span);
        // How many of them were read, or `EOF`.
        let conversions = conversions(&format.bytes);
        if conversions.iter().any(|c| c.specifier == b'n') {
            self.unsupported(span, format!("the conversion '%n' of '{name}'"));
            return Ok(self.int_zero());
        }
        let count = if from_string { InputSource::Abstracted(name.to_owned()) } else { InputSource::Extern(name.to_owned()) };
        let result = self.havoc(Types::INT, count);
        self.assume(Term::int(-1).less_eq(result.term).and(result.term.less_eq(Term::int(conversions.len() as u64))));
        let end = self.cx.new_loc();
        for (i, (pointer, conversion)) in values.iter().skip(format_at + 1).zip(&conversions).enumerate() {
            let (some, none) = self.fork(Term::int(i as u64).less(result.term));
            self.cx.edge(none, end, Op::Skip);
            self.cx.cur = some;
            let scalar = self.pointee_of(pointer).filter(|t| self.types.scalar(*t).is_some());
            if scalar.is_none() || !conversion.is_of_scalar() {
                self.unsupported(span, format!("'{name}' into a buffer"));
                continue;
            }
            let place = self.pointee_place(pointer, true, span)?;
            // A width bounds what can be read.
            let determined = from_string || conversion.has_width;
            let source = if determined { InputSource::Abstracted(name.to_owned()) } else { InputSource::Written(name.to_owned()) };
            let value = self.havoc(place.ty, source);
            self.store(&place, &value);
        }
        let from = self.cx.cur;
        self.cx.edge(from, end, Op::Skip);
        self.cx.cur = end;
        Ok(result)
    }

    /// `sprintf` and its like: the buffer's contents are not computed.
    fn print_to_buffer(&mut self, name: &str, args: &'a [Expr], span: Span) -> Fallible<Value> {
        let sized = name.contains("snprintf");
        let room = if sized {
            self.try_const(&args[1])?.and_then(|v| v.term.as_int().and_then(|n| u64::try_from(n).ok()))
        } else {
            let ty = self.type_of(&args[0])?;
            self.types.size(ty).filter(|_| self.types.as_array(ty).is_some())
        };
        let values = self.evaluate_all(args)?;
        if self.cx.unevaluated > 0 {
            return Ok(self.dummy(Types::INT));
        }
        let Some(room) = room.filter(|n| *n <= MAX_INLINE) else {
            self.unsupported(span, format!("'{name}' into a buffer of unknown or large size"));
            return Ok(self.int_zero());
        };
        let mem = self.memory_at(&values[0]);
        if room > 0 {
            self.guard_pointer(&values[0]);
        }
        for i in 0..room {
            let value = self.havoc(Types::UCHAR, InputSource::Abstracted(name.to_owned()));
            self.pts.step(mem.node, i);
            let place = LValue { ty: Types::UCHAR, place: Place::Mem(Mem { addr: mem.addr.plus(i), ..mem }) };
            self.store(&place, &value);
        }
        Ok(self.havoc(Types::INT, InputSource::Abstracted(name.to_owned())))
    }
}

/// A value that a format of `scanf` asks for.
struct Conversion {
    specifier: u8,
    has_width: bool,
}

impl Conversion {
    /// Whether it reads one number, pointer or character.
    fn is_of_scalar(&self) -> bool {
        b"diouxXaAeEfFgGp".contains(&self.specifier) || self.specifier == b'c' && !self.has_width
    }
}

/// The conversions of a format of `scanf` that store something.
fn conversions(format: &[u8]) -> Vec<Conversion> {
    let mut out = Vec::new();
    let mut chars = format.iter().copied().peekable();
    while let Some(c) = chars.next() {
        if c != b'%' {
            continue;
        }
        let skipped = chars.next_if_eq(&b'*').is_some();
        let mut has_width = false;
        while chars.next_if(u8::is_ascii_digit).is_some() {
            has_width = true;
        }
        while chars.next_if(|c| b"hlLzjtq".contains(c)).is_some() {}
        match chars.next() {
            Some(specifier) if specifier != b'%' && !skipped => out.push(Conversion { specifier, has_width }),
            _ => {}
        }
        // A set of characters may hold a '%', but a buffer is unsupported wherever what follows would be stored.
    }
    out
}

/// Whether every value of the term is a multiple of `unit`, a power of two.
fn divides(unit: u64, t: Term) -> bool {
    let inner = match t.kind() {
        plumb_term::Kind::Wrap(IntTy { .. }, x) => *x,
        _ => t,
    };
    let (constant, parts) = visit::linear_form(inner);
    let unit = IBig::from(unit);
    &constant % &unit == IBig::ZERO && parts.iter().all(|(k, _)| k % &unit == IBig::ZERO)
}

/// Whether a format has a conversion `%n`, which writes.
fn counts_what_is_printed(format: &[u8]) -> bool {
    let mut rest = format.iter().copied();
    while let Some(c) = rest.next() {
        if c != b'%' {
            continue;
        }
        if rest.by_ref().find(|c| *c == b'%' || c.is_ascii_alphabetic() && !b"hlLzjtq".contains(c)) == Some(b'n') {
            return true;
        }
    }
    false
}
