//! Types as written: specifiers, declarators and attributes become [`Ty`]s.

use plumb_term::{IBig, Span, Term};

use super::place::Value;
use super::scope::{Entry, Tag};
use super::Lowerer;
use crate::ast::*;
use crate::lex::Fallible;
use crate::types::{FieldSpec, FloatKind, FuncType, IntKind, Kind, Len, Ty, Types};

/// The largest alignment that can be asked for.
const MAX_ALIGN: u64 = 1 << 28;

/// A type with the alignments that a declaration and a typedef that it names ask for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spec {
    pub ty: Ty,
    pub align: Option<u64>,
    pub type_align: Option<u64>,
}

impl Spec {
    pub fn plain(ty: Ty) -> Spec {
        Spec { ty, align: None, type_align: None }
    }

    /// What a variable of this declaration is aligned to, and a typedef says.
    pub fn any_align(&self) -> Option<u64> {
        self.align.or(self.type_align)
    }
}

impl<'a> Lowerer<'a> {
    /// The base type of a declaration.
    pub(super) fn specs(&mut self, specs: &'a DeclSpecs) -> Fallible<Spec> {
        let mut spec = self.type_spec(&specs.ty, specs.span)?;
        for align in &specs.align {
            let asked = match align {
                AlignAs::Type(t) => {
                    let ty = self.type_name(t)?;
                    self.types.align(ty)
                }
                AlignAs::Expr(e) => self.const_u64(e)?,
            };
            if asked != 0 && !asked.is_power_of_two() || asked > MAX_ALIGN {
                return self.invalid(specs.span, "an alignment must be a power of two up to 2^28");
            }
            spec.align = Some(spec.align.unwrap_or(1).max(asked));
        }
        self.apply_attrs(&mut spec, &specs.attrs)?;
        Ok(spec)
    }

    /// Attributes that change a type or its alignment.
    pub(super) fn apply_attrs(&mut self, spec: &mut Spec, attrs: &'a [Attribute]) -> Fallible<()> {
        for attr in attrs {
            match self.name(attr.name) {
                "aligned" => {
                    let asked = match attr.args.first() {
                        Some(AttrArg::Expr(e)) => self.const_u64(e)?,
                        Some(AttrArg::Type(t)) => {
                            let ty = self.type_name(t)?;
                            self.types.align(ty)
                        }
                        None => 16,
                    };
                    if !asked.is_power_of_two() || asked > MAX_ALIGN {
                        return self.invalid(attr.span, "an alignment must be a power of two up to 2^28");
                    }
                    spec.align = Some(spec.align.unwrap_or(1).max(asked));
                }
                "mode" => {
                    if let Some(AttrArg::Expr(Expr { kind: ExprKind::Ident(mode), .. })) = attr.args.first() {
                        spec.ty = self.mode(spec.ty, *mode);
                    }
                }
                "vector_size" => spec.ty = self.types.intern(Kind::Unsupported("a vector type")),
                _ => {}
            }
        }
        Ok(())
    }

    fn mode(&mut self, ty: Ty, mode: crate::Symbol) -> Ty {
        let name = self.name(mode).trim_matches('_');
        let signed = self.types.integer(ty).is_none_or(|t| t.signed);
        let bits = match name {
            "QI" | "byte" => 8,
            "HI" => 16,
            "SI" => 32,
            "DI" => 64,
            "TI" => 128,
            "word" | "pointer" => self.pointer_ty().bits,
            "SF" => return self.types.float(FloatKind::Float),
            "DF" => return self.types.float(FloatKind::Double),
            "XF" => return self.types.float(FloatKind::LongDouble),
            "TF" => return self.types.float(FloatKind::Float128),
            _ => return ty,
        };
        match self.types.kind_of_width(bits, signed) {
            Some(kind) => self.types.int(kind),
            None => ty,
        }
    }

    fn type_spec(&mut self, spec: &'a TypeSpec, span: Span) -> Fallible<Spec> {
        let ty = match spec {
            TypeSpec::ImplicitInt => Types::INT,
            TypeSpec::Builtin(b) => self.builtin_type(*b),
            TypeSpec::Complex(_) => self.types.intern(Kind::Unsupported("a complex type")),
            TypeSpec::Typedef(name) => match self.lookup(name.symbol) {
                Some(Entry::Typedef(ty, type_align)) => return Ok(Spec { ty, align: None, type_align }),
                _ => return self.invalid(name.span, format!("unknown type name '{}'", self.name(name.symbol))),
            },
            TypeSpec::Record(r) => self.record_spec(r)?,
            TypeSpec::Enum(e) => self.enum_spec(e)?,
            TypeSpec::TypeofExpr(e) => self.type_of(e)?,
            TypeSpec::TypeofType(t) | TypeSpec::Atomic(t) => self.type_name(t)?,
            TypeSpec::AutoType => return self.invalid(span, "'__auto_type' without an initialiser"),
        };
        Ok(Spec::plain(ty))
    }

    fn builtin_type(&mut self, b: BuiltinType) -> Ty {
        use BuiltinType::*;
        let int = match b {
            Void => return Types::VOID,
            Bool => return Types::BOOL,
            Char => IntKind::Char,
            SignedChar => IntKind::SChar,
            UnsignedChar => IntKind::UChar,
            Short => IntKind::Short,
            UnsignedShort => IntKind::UShort,
            Int => IntKind::Int,
            UnsignedInt => IntKind::UInt,
            Long => IntKind::Long,
            UnsignedLong => IntKind::ULong,
            LongLong => IntKind::LLong,
            UnsignedLongLong => IntKind::ULLong,
            Int128 => IntKind::Int128,
            UnsignedInt128 => IntKind::UInt128,
            Float | Float32 => return self.types.float(FloatKind::Float),
            Double | Float64 | Float32x => return self.types.float(FloatKind::Double),
            LongDouble | Float64x | Float80 => return self.types.float(FloatKind::LongDouble),
            Float128 => return self.types.float(FloatKind::Float128),
            Float16 => return self.types.intern(Kind::Unsupported("_Float16")),
            Decimal32 | Decimal64 | Decimal128 => return self.types.intern(Kind::Unsupported("a decimal floating type")),
            VaList => return Types::CHAR_PTR,
        };
        self.types.int(int)
    }

    /// A type name, as in casts.
    pub(super) fn type_name(&mut self, t: &'a TypeName) -> Fallible<Ty> {
        let base = self.specs(&t.specs)?;
        self.derive(base.ty, &t.derived)
    }

    /// The alignment of a type by its name, where a typedef says it.
    pub(super) fn named_align(&mut self, t: &'a TypeName) -> Option<u64> {
        match &t.specs.ty {
            TypeSpec::Typedef(name) if t.derived.is_empty() => match self.lookup(name.symbol) {
                Some(Entry::Typedef(_, align)) => align,
                _ => None,
            },
            _ => None,
        }
    }

    /// A declarator's type.
    pub(super) fn declarator(&mut self, base: Spec, d: &'a Declarator) -> Fallible<Spec> {
        let ty = self.derive(base.ty, &d.derived)?;
        // The alignment of a typedef belongs to it, not to pointers to it.
        let pointer = matches!(d.derived.last(), Some(Derived::Pointer { .. } | Derived::Function { .. }));
        let mut spec = Spec { ty, align: base.align, type_align: base.type_align.filter(|_| !pointer) };
        self.apply_attrs(&mut spec, &d.attrs)?;
        Ok(spec)
    }

    fn derive(&mut self, base: Ty, derived: &'a [Derived]) -> Fallible<Ty> {
        let mut ty = base;
        for d in derived {
            ty = match d {
                Derived::Pointer { .. } => self.types.pointer(ty),
                Derived::Array { size, span, .. } => {
                    let len = match size {
                        ArraySize::Unspecified | ArraySize::Star => Len::Unknown,
                        ArraySize::Expr(e) => self.array_len(e, *span)?,
                    };
                    self.types.array(ty, len)
                }
                Derived::Function { params, .. } => {
                    let f = self.function_type(ty, params)?;
                    self.types.intern(Kind::Function(f.into()))
                }
            };
        }
        Ok(ty)
    }

    fn array_len(&mut self, e: &'a Expr, span: Span) -> Fallible<Len> {
        let mark = self.cx.mark();
        let locs = self.cx.locs.len();
        let value = self.expr(e)?;
        if let Some(n) = value.term.as_int() {
            self.cx.rollback(mark, locs);
            return match u64::try_from(n) {
                Ok(n) if n < 1 << 60 => Ok(Len::Fixed(n)),
                _ => self.invalid(span, "the size of an array is negative or too large"),
            };
        }
        if self.scopes.depth() == 0 {
            return self.invalid(span, "the size of an array at file scope is not constant");
        }
        let size_t = self.types.size_t();
        let value = self.convert(&value, size_t, span)?;
        let count = self.temp(size_t);
        self.set_var(count, &value);
        let id = self.types.new_vla();
        self.vla_counts.insert(id.0, self.term(count));
        Ok(Len::Variable(id))
    }

    /// Parameter types after adjustment.
    fn function_type(&mut self, ret: Ty, params: &'a Params) -> Fallible<FuncType> {
        let Params::Prototype { params, variadic } = params else { return Ok(FuncType { ret, params: None, variadic: false }) };
        let mut types = Vec::with_capacity(params.len());
        self.scopes.enter();
        for p in params {
            // Sizes in a prototype may use earlier parameters; they do not matter, since arrays are pointers here.
            let result = self.param_type(p);
            match result {
                Ok(spec) => types.push(spec.ty),
                Err(error) => {
                    self.scopes.leave();
                    return Err(error);
                }
            }
            if let (Some(name), Some(ty)) = (p.declarator.name, types.last()) {
                let value = super::place::LValue { ty: *ty, place: super::place::Place::Var(self.heap_top) };
                self.scopes.bind(name.symbol, Entry::Local(value));
            }
        }
        self.scopes.leave();
        Ok(FuncType { ret, params: Some(types), variadic: *variadic })
    }

    /// The type of a parameter: arrays and functions are pointers.
    pub(super) fn param_type(&mut self, p: &'a Param) -> Fallible<Spec> {
        let base = self.specs(&p.specs)?;
        // The outermost array is a pointer whatever its size: do not evaluate that.
        if let Some((Derived::Array { .. }, inner)) = p.declarator.derived.split_last() {
            let elem = self.derive(base.ty, inner)?;
            return Ok(Spec::plain(self.types.pointer(elem)));
        }
        let mut spec = self.declarator(base, &p.declarator)?;
        spec.ty = self.adjust(spec.ty);
        Ok(spec)
    }

    /// Arrays and functions as parameters are pointers.
    pub(super) fn adjust(&mut self, ty: Ty) -> Ty {
        match self.types.kind(ty) {
            Kind::Array(elem, _) => {
                let elem = *elem;
                self.types.pointer(elem)
            }
            Kind::Function(_) => self.types.pointer(ty),
            _ => ty,
        }
    }

    fn record_spec(&mut self, r: &'a RecordSpec) -> Fallible<Ty> {
        let defines = r.members.is_some();
        let known = r.tag.and_then(|tag| self.lookup_tag(tag.symbol, defines));
        let id = match known {
            Some(Tag::Record(id)) if !defines || self.types.record(id).size().is_none() => id,
            _ => {
                let id = self.types.new_record(r.kind, r.tag.map(|t| t.symbol));
                if let Some(tag) = r.tag {
                    self.bind_tag(tag.symbol, Tag::Record(id));
                }
                id
            }
        };
        if let Some(members) = &r.members {
            let mut fields = Vec::new();
            for member in members {
                match member {
                    Member::Fields(group) => self.fields(group, &mut fields)?,
                    Member::StaticAssert(a) => self.static_assert(a)?,
                }
            }
            let mut own = Spec::plain(Types::VOID);
            self.apply_attrs(&mut own, &r.attrs)?;
            if self.is_odd_record(&r.attrs) {
                return Err(Box::new(crate::Diagnostic::unsupported(r.span, "the attribute 'scalar_storage_order'")));
            }
            let packed = r.attrs.iter().any(|a| self.name(a.name) == "packed");
            self.types.complete_record(id, &fields, packed, r.pack.map(u64::from), own.align);
            if self.types.record(id).size().is_none() {
                return self.invalid(r.span, "the record is too large");
            }
        }
        Ok(self.types.intern(Kind::Record(id)))
    }

    fn fields(&mut self, group: &'a FieldGroup, out: &mut Vec<FieldSpec>) -> Fallible<()> {
        let base = self.specs(&group.specs)?;
        let group_packed = group.specs.attrs.iter().any(|a| self.name(a.name) == "packed");
        if group.declarators.is_empty() && self.types.is_record(base.ty) {
            let Spec { ty, align, type_align } = base;
            out.push(FieldSpec { name: None, ty, bits: None, align, type_align, packed: group_packed });
        }
        for f in &group.declarators {
            let spec = self.declarator(base, &f.declarator)?;
            let packed = group_packed || f.declarator.attrs.iter().any(|a| self.name(a.name) == "packed");
            let bits = match &f.bits {
                Some(e) => {
                    let width = self.const_u64(e)?;
                    if !self.types.is_integer(spec.ty) || width > 8 * self.types.size(spec.ty).unwrap_or(0) {
                        return self.invalid(e.span, format!("a bit-field of {width} bits in type '{}'", self.show(spec.ty)));
                    }
                    Some(width as u32)
                }
                None => None,
            };
            let at = f.declarator.name.map_or(group.span, |n| n.span);
            if self.types.is_variable(spec.ty) {
                return Err(Box::new(crate::Diagnostic::unsupported(at, "a member of variable size")));
            }
            if self.types.size(spec.ty).is_none() && !matches!(self.types.as_array(spec.ty), Some((_, Len::Unknown))) {
                return self.invalid(at, format!("a member of type '{}', whose size is not known or too large", self.show(spec.ty)));
            }
            let Spec { ty, align, type_align } = spec;
            out.push(FieldSpec { name: f.declarator.name.map(|n| n.symbol), ty, bits, align, type_align, packed });
        }
        Ok(())
    }

    fn enum_spec(&mut self, e: &'a EnumSpec) -> Fallible<Ty> {
        let defines = e.enumerators.is_some();
        let known = e.tag.and_then(|tag| self.lookup_tag(tag.symbol, defines));
        let id = match known {
            Some(Tag::Enum(id)) => id,
            _ => {
                let id = self.types.new_enum(e.tag.map(|t| t.symbol));
                if let Some(tag) = e.tag {
                    self.bind_tag(tag.symbol, Tag::Enum(id));
                }
                id
            }
        };
        let ty = self.types.intern(Kind::Enum(id));
        if let Some(list) = &e.enumerators {
            let mut next = IBig::ZERO;
            let (mut min, mut max) = (IBig::ZERO, IBig::ZERO);
            for item in list {
                if let Some(e) = &item.value {
                    next = self.const_int(e)?;
                }
                min = min.min(next.clone());
                max = max.max(next.clone());
                let const_ty = self.constant_type(&next);
                self.bind(item.name.symbol, Entry::Const(Term::int(next.clone()), const_ty));
                next += IBig::ONE;
            }
            let packed = e.attrs.iter().any(|a| self.name(a.name) == "packed");
            use IntKind::*;
            let kinds: &[IntKind] = match (packed, min < IBig::ZERO) {
                (true, true) => &[SChar, Short, Int, Long, LLong],
                (true, false) => &[UChar, UShort, UInt, ULong, ULLong],
                (false, true) => &[Int, Long, LLong],
                (false, false) => &[UInt, ULong, ULLong],
            };
            let fits = |k: &&IntKind| self.types.int_ty(**k).contains(&min) && self.types.int_ty(**k).contains(&max);
            let repr = kinds.iter().find(fits).copied().unwrap_or(LLong);
            self.types.complete_enum(id, repr);
        }
        Ok(ty)
    }

    /// The type of an enumeration constant: `int` where that holds it.
    fn constant_type(&mut self, value: &IBig) -> Ty {
        use IntKind::*;
        let kind = [Int, UInt, Long, ULong, LLong, ULLong].into_iter().find(|k| self.types.int_ty(*k).contains(value)).unwrap_or(LLong);
        self.types.int(kind)
    }

    // Constants and types of expressions, without evaluating them.

    /// Lowers without leaving a trace.
    pub(super) fn unevaluated<T>(&mut self, work: impl FnOnce(&mut Self) -> Fallible<T>) -> Fallible<T> {
        let mark = self.cx.mark();
        let locs = self.cx.locs.len();
        self.cx.unevaluated += 1;
        let result = work(self);
        self.cx.unevaluated -= 1;
        self.cx.rollback(mark, locs);
        result
    }

    /// The type of an expression, not decayed.
    pub(super) fn type_of(&mut self, e: &'a Expr) -> Fallible<Ty> {
        self.unevaluated(|l| l.operand(e, false).map(|o| o.ty()))
    }

    /// The type of an expression after lvalue conversion.
    pub(super) fn rvalue_type(&mut self, e: &'a Expr) -> Fallible<Ty> {
        self.unevaluated(|l| l.expr(e).map(|v| v.ty))
    }

    /// The value of an expression if it is an integer constant.
    pub(super) fn try_const(&mut self, e: &'a Expr) -> Fallible<Option<Value>> {
        let value = self.unevaluated(|l| l.expr(e))?;
        Ok(value.term.as_int().is_some().then_some(value))
    }

    pub(super) fn const_int(&mut self, e: &'a Expr) -> Fallible<IBig> {
        match self.try_const(e)?.and_then(|v| v.term.as_int()) {
            Some(n) => Ok(n.clone()),
            None => self.invalid(e.span, "expected an integer constant"),
        }
    }

    pub(super) fn const_u64(&mut self, e: &'a Expr) -> Fallible<u64> {
        let n = self.const_int(e)?;
        match u64::try_from(&n) {
            Ok(n) => Ok(n),
            Err(_) => self.invalid(e.span, "the constant is negative or too large"),
        }
    }

    pub(super) fn static_assert(&mut self, a: &'a StaticAssert) -> Fallible<()> {
        if self.const_int(&a.cond)? == IBig::ZERO {
            let text = a.message.as_ref().map_or(String::new(), |m| format!(": {}", String::from_utf8_lossy(&m.bytes)));
            return self.invalid(a.span, format!("static assertion failed{text}"));
        }
        Ok(())
    }

    /// The size of a complete type as a term (variable-length arrays included).
    pub(super) fn size_term(&self, ty: Ty) -> Option<Term> {
        if let Some(n) = self.types.size(ty) {
            return Some(Term::int(n));
        }
        let (elem, len) = self.types.as_array(ty)?;
        let count = match len {
            Len::Fixed(n) => Term::int(n),
            Len::Variable(id) => *self.vla_counts.get(&id.0)?,
            Len::Unknown => return None,
        };
        Some(self.size_term(elem)?.mul(count))
    }
}
