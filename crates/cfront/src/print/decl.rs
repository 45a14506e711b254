//! Declarations, types and initialisers.

use std::fmt::Write;

use super::Printer;
use crate::ast::{
    AlignAs, ArraySize, AttrArg, Attribute, BuiltinType, DeclSpecs, Declaration, Declarator, Derived, DesignatorKind, EnumSpec, FieldGroup,
    FunctionDef, Init, InitList, Member, Params, Quals, RecordKind, RecordSpec, StaticAssert, Storage, TypeName, TypeSpec,
};

impl Printer<'_> {
    pub(super) fn declaration(&mut self, decl: &Declaration) {
        self.specs(&decl.specs);
        self.list(&decl.declarators, |p, item| {
            p.declarator(&item.declarator);
            p.labels_and_attributes(&item.declarator);
            if let Some(init) = &item.init {
                p.put(" = ");
                p.init(init);
            }
        });
        self.put(";");
    }

    pub(super) fn function(&mut self, function: &FunctionDef) {
        // Attributes may not stand between the declarator and the body.
        self.attributes(&function.declarator.attrs);
        self.specs(&function.specs);
        self.declarator(&function.declarator);
        self.put("\n");
        for decl in &function.old_params {
            self.declaration(decl);
            self.put("\n");
        }
        self.block(&function.body);
    }

    pub(super) fn static_assert(&mut self, assert: &StaticAssert) {
        self.put("_Static_assert(");
        self.expr(&assert.cond);
        if let Some(message) = &assert.message {
            self.put(", ");
            self.string(message);
        }
        self.put(");");
    }

    /// Specifiers and a blank.
    fn specs(&mut self, specs: &DeclSpecs) {
        self.attributes(&specs.attrs);
        self.put(match specs.storage {
            Storage::None => "",
            Storage::Typedef => "typedef ",
            Storage::Extern => "extern ",
            Storage::Static => "static ",
            Storage::Auto => "auto ",
            Storage::Register => "register ",
        });
        self.put(if specs.thread_local { "__thread " } else { "" });
        self.put(if specs.inline { "inline " } else { "" });
        self.put(if specs.noreturn { "_Noreturn " } else { "" });
        for align in &specs.align {
            self.put("_Alignas(");
            match align {
                AlignAs::Type(ty) => self.type_name(ty),
                AlignAs::Expr(expr) => self.expr(expr),
            }
            self.put(") ");
        }
        self.quals(specs.quals);
        self.type_spec(&specs.ty);
    }

    fn quals(&mut self, quals: Quals) {
        self.put(if quals.is_const { "const " } else { "" });
        self.put(if quals.is_volatile { "volatile " } else { "" });
        self.put(if quals.is_restrict { "__restrict " } else { "" });
        self.put(if quals.is_atomic { "_Atomic " } else { "" });
    }

    fn type_spec(&mut self, ty: &TypeSpec) {
        match ty {
            TypeSpec::ImplicitInt => return,
            TypeSpec::Builtin(builtin) => self.put(builtin.text()),
            TypeSpec::Complex(builtin) => {
                self.put("_Complex ");
                self.put(builtin.text());
            }
            TypeSpec::Typedef(name) => self.name(name.symbol),
            TypeSpec::Record(record) => self.record(record),
            TypeSpec::Enum(spec) => self.enumeration(spec),
            TypeSpec::TypeofExpr(expr) => {
                self.put("__typeof__(");
                self.expr(expr);
                self.put(")");
            }
            TypeSpec::TypeofType(ty) => {
                self.put("__typeof__(");
                self.type_name(ty);
                self.put(")");
            }
            TypeSpec::Atomic(ty) => {
                self.put("_Atomic(");
                self.type_name(ty);
                self.put(")");
            }
            TypeSpec::AutoType => self.put("__auto_type"),
        }
        self.put(" ");
    }

    fn record(&mut self, record: &RecordSpec) {
        self.put(match record.kind {
            RecordKind::Struct => "struct ",
            RecordKind::Union => "union ",
        });
        self.attributes(&record.attrs);
        if let Some(tag) = record.tag {
            self.name(tag.symbol);
            self.put(" ");
        }
        let Some(members) = &record.members else { return };
        self.put("{\n");
        for member in members {
            match member {
                Member::Fields(fields) => self.fields(fields),
                Member::StaticAssert(assert) => self.static_assert(assert),
            }
            self.put("\n");
        }
        if self.pack != record.pack {
            // Writing to a string cannot fail.
            let _ = match record.pack {
                Some(pack) => writeln!(self.out, "#pragma pack({pack})"),
                None => writeln!(self.out, "#pragma pack()"),
            };
            self.pack = record.pack;
        }
        self.put("}");
    }

    fn fields(&mut self, fields: &FieldGroup) {
        self.specs(&fields.specs);
        self.list(&fields.declarators, |p, field| {
            p.declarator(&field.declarator);
            if let Some(bits) = &field.bits {
                p.put(" : ");
                p.expr(bits);
            }
            p.labels_and_attributes(&field.declarator);
        });
        self.put(";");
    }

    fn enumeration(&mut self, spec: &EnumSpec) {
        self.put("enum ");
        self.attributes(&spec.attrs);
        if let Some(tag) = spec.tag {
            self.name(tag.symbol);
            self.put(" ");
        }
        let Some(enumerators) = &spec.enumerators else { return };
        self.put("{ ");
        self.list(enumerators, |p, enumerator| {
            p.name(enumerator.name.symbol);
            if !enumerator.attrs.is_empty() {
                p.put(" ");
                p.attributes(&enumerator.attrs);
            }
            if let Some(value) = &enumerator.value {
                p.put(" = ");
                p.expr(value);
            }
        });
        self.put(" }");
    }

    pub(super) fn type_name(&mut self, ty: &TypeName) {
        self.specs(&ty.specs);
        self.derived(String::new(), &ty.derived);
    }

    fn declarator(&mut self, declarator: &Declarator) {
        let name = declarator.name.map_or(String::new(), |name| self.names.name(name.symbol).to_owned());
        self.derived(name, &declarator.derived);
    }

    /// A declarator from the inside out: the last derivation is the closest to the name.
    fn derived(&mut self, name: String, derived: &[Derived]) {
        let mut text = name;
        for (index, step) in derived.iter().enumerate().rev() {
            let follows_pointer = matches!(derived.get(index + 1), Some(Derived::Pointer { .. }));
            text = match step {
                Derived::Pointer { quals, attrs, .. } => self.captured(|p| {
                    p.put("*");
                    p.quals(*quals);
                    p.attributes(attrs);
                    p.put(&text);
                }),
                suffix => self.captured(|p| {
                    p.put(if follows_pointer { "(" } else { "" });
                    p.put(&text);
                    p.put(if follows_pointer { ")" } else { "" });
                    p.suffix(suffix);
                }),
            };
        }
        self.put(&text);
    }

    fn suffix(&mut self, suffix: &Derived) {
        match suffix {
            Derived::Pointer { .. } => {}
            Derived::Array { quals, is_static, size, .. } => {
                self.put("[");
                self.put(if *is_static { "static " } else { "" });
                self.quals(*quals);
                match size {
                    ArraySize::Unspecified => {}
                    ArraySize::Star => self.put("*"),
                    ArraySize::Expr(size) => self.expr(size),
                }
                self.put("]");
            }
            Derived::Function { params, .. } => {
                self.put("(");
                match params {
                    Params::Unspecified => {}
                    Params::Names(names) => self.list(names, |p, name| p.name(name.symbol)),
                    Params::Prototype { params, variadic: false } if params.is_empty() => self.put("void"),
                    Params::Prototype { params, variadic } => {
                        self.list(params, |p, param| {
                            p.specs(&param.specs);
                            p.declarator(&param.declarator);
                            p.labels_and_attributes(&param.declarator);
                        });
                        self.put(match (*variadic, params.is_empty()) {
                            (false, _) => "",
                            (true, false) => ", ...",
                            (true, true) => "...",
                        });
                    }
                }
                self.put(")");
            }
        }
    }

    fn labels_and_attributes(&mut self, declarator: &Declarator) {
        if let Some(label) = &declarator.asm_label {
            self.put(" asm(");
            self.string(label);
            self.put(")");
        }
        if !declarator.attrs.is_empty() {
            self.put(" ");
            self.attributes(&declarator.attrs);
        }
    }

    pub(super) fn attributes(&mut self, attrs: &[Attribute]) {
        for attr in attrs {
            self.put("__attribute__((");
            self.name(attr.name);
            if !attr.args.is_empty() {
                self.put("(");
                self.list(&attr.args, |p, arg| match arg {
                    AttrArg::Expr(expr) => p.expr(expr),
                    AttrArg::Type(ty) => p.type_name(ty),
                });
                self.put(")");
            }
            self.put(")) ");
        }
    }

    fn init(&mut self, init: &Init) {
        match init {
            Init::Expr(expr) => self.expr(expr),
            Init::List(list) => self.init_list(list),
        }
    }

    pub(super) fn init_list(&mut self, list: &InitList) {
        self.put("{ ");
        self.list(&list.items, |p, item| {
            for designator in &item.designators {
                match &designator.kind {
                    DesignatorKind::Field(name) => {
                        p.put(".");
                        p.name(name.symbol);
                    }
                    DesignatorKind::Index(index) => {
                        p.put("[");
                        p.expr(index);
                        p.put("]");
                    }
                    DesignatorKind::Range(low, high) => {
                        p.put("[");
                        p.expr(low);
                        p.put(" ... ");
                        p.expr(high);
                        p.put("]");
                    }
                }
            }
            p.put(if item.designators.is_empty() { "" } else { " = " });
            p.init(&item.init);
        });
        self.put(" }");
    }
}

impl BuiltinType {
    /// The type as gcc spells it.
    pub fn text(self) -> &'static str {
        match self {
            BuiltinType::Void => "void",
            BuiltinType::Bool => "_Bool",
            BuiltinType::Char => "char",
            BuiltinType::SignedChar => "signed char",
            BuiltinType::UnsignedChar => "unsigned char",
            BuiltinType::Short => "short",
            BuiltinType::UnsignedShort => "unsigned short",
            BuiltinType::Int => "int",
            BuiltinType::UnsignedInt => "unsigned int",
            BuiltinType::Long => "long",
            BuiltinType::UnsignedLong => "unsigned long",
            BuiltinType::LongLong => "long long",
            BuiltinType::UnsignedLongLong => "unsigned long long",
            BuiltinType::Int128 => "__int128",
            BuiltinType::UnsignedInt128 => "unsigned __int128",
            BuiltinType::Float => "float",
            BuiltinType::Double => "double",
            BuiltinType::LongDouble => "long double",
            BuiltinType::Float16 => "_Float16",
            BuiltinType::Float32 => "_Float32",
            BuiltinType::Float64 => "_Float64",
            BuiltinType::Float128 => "_Float128",
            BuiltinType::Float32x => "_Float32x",
            BuiltinType::Float64x => "_Float64x",
            BuiltinType::Float80 => "__float80",
            BuiltinType::Decimal32 => "_Decimal32",
            BuiltinType::Decimal64 => "_Decimal64",
            BuiltinType::Decimal128 => "_Decimal128",
            BuiltinType::VaList => "__builtin_va_list",
        }
    }
}
