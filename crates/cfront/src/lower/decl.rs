//! Declarations at file scope, and of everything with linkage.

use plumb_cfa::{InputSource, Op, VarKind};
use plumb_term::{Span, Term};

use super::effects::Manner;
use super::link::{Func, Global};
use super::place::{LValue, Place};
use super::resolve::Spec;
use super::scan::DeclKey;
use super::scope::Entry;
use super::Lowerer;
use crate::ast::*;
use crate::lex::Fallible;
use crate::types::{FuncType, Kind, Len, Ty, Types};
use crate::Symbol;

/// The size given to objects of incomplete type that some other program part defines.
const UNKNOWN_SIZE: u64 = 4096;

impl<'a> Lowerer<'a> {
    /// Declares the file scope of the current unit.
    pub(super) fn declare_unit(&mut self) -> Fallible<()> {
        let tree = self.units[self.unit].tree;
        for item in &tree.items {
            match item {
                ExternalDecl::Decl(d) => self.declare_file_scope(d)?,
                ExternalDecl::Function(f) => self.define_function(f)?,
                ExternalDecl::StaticAssert(a) => self.static_assert(a)?,
                ExternalDecl::Asm(_) => {}
            }
        }
        Ok(())
    }

    fn declare_file_scope(&mut self, d: &'a Declaration) -> Fallible<()> {
        if let (TypeSpec::AutoType, [one]) = (&d.specs.ty, &d.declarators[..]) {
            if let Some(Init::Expr(e)) = &one.init {
                let ty = self.rvalue_type(e)?;
                return self.declare_one(d, one, Spec::plain(ty));
            }
        }
        let base = self.specs(&d.specs)?;
        for i in &d.declarators {
            let spec = self.declarator(base, &i.declarator)?;
            self.declare_one(d, i, spec)?;
        }
        Ok(())
    }

    fn declare_one(&mut self, d: &'a Declaration, i: &'a InitDeclarator, mut spec: Spec) -> Fallible<()> {
        let Some(name) = i.declarator.name else { return Ok(()) };
        if d.specs.storage == Storage::Typedef {
            self.bind(name.symbol, Entry::Typedef(spec.ty, spec.any_align()));
            return Ok(());
        }
        if let Kind::Function(_) = self.types.kind(spec.ty) {
            let noreturn = d.specs.noreturn || self.has_attr(&d.specs.attrs, &i.declarator.attrs, "noreturn");
            let f = self.declare_function(&name, spec.ty, d.specs.storage == Storage::Static);
            self.funcs[f].noreturn |= noreturn;
            self.note_manner(f, &i.declarator);
            return Ok(());
        }
        if let Some(init) = &i.init {
            spec.ty = self.complete_by_init(spec.ty, init)?;
        }
        self.declare_variable(name, spec, d.specs.storage, i.init.as_ref(), Some(DeclKey::of(&i.declarator)))?;
        Ok(())
    }

    pub(super) fn has_attr(&self, a: &[Attribute], b: &[Attribute], name: &str) -> bool {
        a.iter().chain(b).any(|x| self.name(x.name) == name)
    }

    /// A function declared by a prototype (anywhere), or implicitly.
    pub(super) fn declare_function(&mut self, name: &Name, ty: Ty, is_static: bool) -> usize {
        let unit = self.unit;
        let library = self.units[unit].library;
        let known = match self.units[unit].names.get(&name.symbol) {
            Some(Entry::Func(f)) => Some(*f),
            _ if is_static || library => None,
            _ => match self.linked.get(&name.symbol) {
                Some(Entry::Func(f)) => Some(*f),
                _ => None,
            },
        };
        let f = known.unwrap_or_else(|| {
            self.funcs.push(Func {
                name: name.symbol,
                span: name.span,
                ty,
                def: None,
                weak: false,
                id: None,
                addr: None,
                recursive: false,
                noreturn: false,
                library,
                node: None,
                manner: Manner::default(),
                odd: None,
                odd_address: None,
            });
            self.funcs.len() - 1
        });
        self.units[unit].names.insert(name.symbol, Entry::Func(f));
        if !is_static && !library {
            self.linked.entry(name.symbol).or_insert(Entry::Func(f));
        }
        // A prototype says more than an empty parameter list.
        let says_more = |l: &Self, ty: Ty| l.types.as_function(ty).is_some_and(|t| t.params.is_some());
        if self.funcs[f].def.is_none() && (says_more(self, ty) || !says_more(self, self.funcs[f].ty)) {
            self.funcs[f].ty = ty;
        }
        f
    }

    /// A call of an undeclared function declares it.
    pub(super) fn declare_implicit(&mut self, name: Symbol, span: Span) -> usize {
        let ty = self.types.intern(Kind::Function(FuncType { ret: Types::INT, params: None, variadic: false }.into()));
        self.declare_function(&Name { symbol: name, span }, ty, false)
    }

    fn define_function(&mut self, def: &'a FunctionDef) -> Fallible<()> {
        let Some(name) = def.name() else { return Ok(()) };
        let base = self.specs(&def.specs)?;
        let spec = self.declarator(base, &def.declarator)?;
        let is_static = def.specs.storage == Storage::Static;
        let f = self.declare_function(&name, spec.ty, is_static);
        let weak = self.has_attr(&def.specs.attrs, &def.declarator.attrs, "weak");
        // GNU `extern inline` bodies give way to a definition elsewhere.
        let weak = weak || (def.specs.inline && def.specs.storage == Storage::Extern);
        let func = &mut self.funcs[f];
        if func.def.is_none() || func.weak {
            func.def = Some((self.unit, def));
            func.weak = weak;
            func.span = name.span;
            func.ty = spec.ty;
        } else if !weak && !def.specs.inline {
            return self.invalid(name.span, format!("the function '{}' is defined twice", self.name(name.symbol)));
        }
        Ok(())
    }

    /// Static objects have a constant size that machines have room for.
    pub(super) fn check_size(&mut self, name: Name, ty: Ty) -> Fallible<()> {
        if self.types.is_complete(ty) && self.types.size(ty).is_none() {
            return self.invalid(name.span, format!("the size of '{}' is not constant or too large", self.name(name.symbol)));
        }
        Ok(())
    }

    /// A variable with linkage.
    pub(super) fn declare_variable(
        &mut self,
        name: Name,
        spec: Spec,
        storage: Storage,
        init: Option<&'a Init>,
        key: Option<DeclKey>,
    ) -> Fallible<usize> {
        self.check_size(name, spec.ty)?;
        let unit = self.unit;
        let is_static = storage == Storage::Static;
        let known = match self.units[unit].names.get(&name.symbol) {
            Some(Entry::Global(g)) => Some(*g),
            _ if is_static => None,
            _ => match self.linked.get(&name.symbol) {
                Some(Entry::Global(g)) => Some(*g),
                _ => None,
            },
        };
        let g = known.unwrap_or_else(|| {
            self.globals.push(Global {
                name: name.symbol,
                ty: spec.ty,
                align: spec.any_align(),
                span: name.span,
                init: None,
                defined: false,
                taken: false,
                place: None,
                key: None,
                within: None,
                odd: false,
            });
            self.globals.len() - 1
        });
        if self.scopes.depth() == 0 {
            self.units[unit].names.insert(name.symbol, Entry::Global(g));
        }
        if !is_static {
            self.linked.entry(name.symbol).or_insert(Entry::Global(g));
        }
        let old = self.globals[g].ty;
        let complete = self.types.is_complete(spec.ty);
        if known.is_some() && (complete && !self.types.is_complete(old) || init.is_some()) {
            self.globals[g].ty = spec.ty;
        }
        let global = &mut self.globals[g];
        global.defined |= storage != Storage::Extern || init.is_some();
        global.align = global.align.max(spec.any_align());
        if let Some(init) = init {
            if global.init.is_some() {
                return self.invalid(name.span, format!("the variable '{}' is defined twice", self.name(name.symbol)));
            }
            global.init = Some((init, unit));
            global.key = key;
            global.span = name.span;
        }
        Ok(g)
    }

    /// The place of a variable with static storage; asking for it makes it part of the program.
    pub(super) fn global_place(&mut self, g: usize) -> LValue {
        if let Some(place) = self.globals[g].place {
            return place;
        }
        let Global { name, mut ty, align, span, taken, ref within, .. } = self.globals[g];
        let shown = match within {
            Some(f) => format!("{f}::{}", self.name(name)),
            None => self.name(name).to_owned(),
        };
        // A tentative definition of an array of unknown size has one element.
        if let (Kind::Array(elem, Len::Unknown), true) = (self.types.kind(ty).clone(), self.globals[g].defined) {
            ty = self.types.array(elem, Len::Fixed(1));
        }
        if self.cx.unevaluated > 0 && (self.types.scalar(ty).is_none() || taken) {
            let node = self.pts.fresh();
            let mem = super::place::Mem { addr: Term::int(0x10000), node, shape: crate::pointsto::Shape::Raw, known: true };
            return LValue { ty, place: Place::Mem(mem) };
        }
        let place = if self.types.scalar(ty).is_some() && !taken {
            let (var_ty, c_type) = (self.var_ty(ty), self.show(ty));
            Place::Var(self.new_global_var(shown, &c_type, var_ty, VarKind::Source, span))
        } else {
            let size = self.types.size(ty).unwrap_or(UNKNOWN_SIZE);
            let size = size + self.flexible_bytes(g, ty);
            Place::Mem(self.new_object(shown, ty, size, align.unwrap_or(1).max(self.types.align(ty)), None, span))
        };
        let place = LValue { ty, place };
        self.globals[g].place = Some(place);
        place
    }

    /// What the initialiser of a trailing flexible array adds to the size of an object.
    fn flexible_bytes(&mut self, g: usize, ty: Ty) -> u64 {
        let (Some((Init::List(list), unit)), Some(r)) = (self.globals[g].init, self.types.as_record(ty)) else { return 0 };
        let Some(last) = self.types.record(r).fields.last() else { return 0 };
        let Some((elem, Len::Unknown | Len::Fixed(0))) = self.types.as_array(last.ty) else { return 0 };
        let (name, size) = (last.name, self.types.size(elem).unwrap_or(1));
        let count = self.types.record(r).fields.len();
        let before = std::mem::replace(&mut self.unit, unit);
        let item = list.items.iter().enumerate().find(|(i, item)| match item.designators.first() {
            Some(Designator { kind: DesignatorKind::Field(f), .. }) => Some(f.symbol) == name,
            Some(_) => false,
            None => *i + 1 == count,
        });
        let array = self.types.array(elem, Len::Unknown);
        let bytes = match item {
            Some((_, item)) => self.complete_by_init(array, &item.init).ok().and_then(|t| self.fixed_len(t)).unwrap_or(0) * size,
            None => 0,
        };
        self.unit = before;
        bytes
    }

    /// The first value of a variable with static storage, as edges of the entry function.
    pub(super) fn initialise_global(&mut self, g: usize) -> Fallible<()> {
        let Some(place) = self.globals[g].place else { return Ok(()) };
        let Global { name, span, init, defined, .. } = self.globals[g];
        self.cx.span = span;
        if !defined {
            let source = InputSource::Extern(self.name(name).to_owned());
            match place.place {
                Place::Var(v) => self.havoc_var(v, place.ty, source),
                Place::Mem(mem) => {
                    let size = self.types.size(place.ty).unwrap_or(UNKNOWN_SIZE);
                    self.havoc_object(&mem, Term::int(size));
                    self.mark_contents_external(&mem);
                }
                Place::Bits { .. } => {}
            }
            return Ok(());
        }
        if let Place::Var(v) = place.place {
            if init.is_none() {
                let zero = self.zero(place.ty);
                self.cx.emit(Op::Assign(vec![(v, zero)]));
                return Ok(());
            }
        }
        let Some((init, unit)) = init else { return Ok(()) };
        self.unit = unit;
        self.initialise(&place, init, true)
    }
}
