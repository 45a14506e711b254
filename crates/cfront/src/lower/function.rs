//! Function bodies, and the entry function around them.

use plumb_cfa::{FuncId, InputSource, Op, VarKind};
use plumb_term::{Span, Term};

use super::call::{Signature, Slot};
use super::cx::Cx;
use super::place::{LValue, Mem, Place, Value};
use super::scan::DeclKey;
use super::scope::{Entry, Scopes};
use super::{Instance, Lowerer};
use crate::ast::*;
use crate::lex::Fallible;
use crate::types::{Kind, Len, Ty, Types};
use crate::Symbol;

/// Further arguments of `main` are not modelled.
const MAX_ARGUMENTS: u64 = 64;

/// A parameter of a definition.
struct ParamDef<'a> {
    name: Option<Symbol>,
    span: Span,
    ty: Ty,
    key: DeclKey,
    proto: Option<&'a Param>,
}

impl<'a> Lowerer<'a> {
    /// Lowers `main`, what it needs, and the entry function.
    pub(super) fn lower_all(&mut self) -> Fallible<()> {
        let entry = FuncId(0);
        self.instances.push(Instance { func: usize::MAX, signature: Signature::default(), body: None });
        let Some(main) = self.main() else { return Ok(()) };
        let main_id = self.instance(main, true)?;
        let entry_cx = Cx::new(entry, "<entry>".to_owned(), self.funcs[main].span);
        self.cx = entry_cx;
        // The address counter's first value is known at the end; this edge becomes that assignment and the zeroing of static objects.
        self.cx.emit(Op::Skip);
        self.start_woven();
        self.start_rounding();
        self.start_odd();
        loop {
            while let Some(id) = self.queue.pop() {
                self.suspended = Some(std::mem::replace(&mut self.cx, Cx::new(id, String::new(), Span::NONE)));
                self.lower_instance(id)?;
                if let Some(entry) = self.suspended.take() {
                    let body = std::mem::replace(&mut self.cx, entry);
                    self.instances[id.0 as usize].body = Some(body);
                }
            }
            // Initialisers may mention further functions and variables.
            let waiting: Vec<usize> =
                (0..self.globals.len()).filter(|g| self.globals[*g].place.is_some() && !self.initialised.contains(g)).collect();
            if waiting.is_empty() && self.queue.is_empty() {
                break;
            }
            for g in waiting {
                self.initialised.insert(g);
                self.scopes = Scopes::default();
                self.initialise_global(g)?;
            }
        }
        self.initialise_strings();
        self.call_main(main, main_id)?;
        let cx = std::mem::replace(&mut self.cx, Cx::new(entry, String::new(), Span::NONE));
        self.instances[0].body = Some(cx);
        Ok(())
    }

    /// The characters of the string literals that were used.
    fn initialise_strings(&mut self) {
        let mut literals: Vec<(usize, Vec<u8>)> = self.strings.iter().map(|(k, i)| (*i, k.clone())).collect();
        literals.sort();
        for (index, mut key) in literals {
            let unit = usize::from(key.pop().unwrap_or(1));
            let encoding = match unit {
                1 => Encoding::Plain,
                2 => Encoding::Char16,
                _ => Encoding::Wide,
            };
            let (addr, node, span) = (self.objects[index].addr, self.objects[index].node, self.objects[index].span);
            // Nobody reads it through memory: only printing functions or nobody at all.
            let elem = self.string_elem(encoding);
            let ty = self.types.array(elem, Len::Fixed((key.len() / unit) as u64 + 1));
            let mem = super::place::Mem { addr: Term::int(addr), node, shape: crate::pointsto::Shape::Raw, known: true };
            self.cx.span = span;
            let text = StrConst { encoding, bytes: key.into() };
            self.initialise_literal(&LValue { ty, place: Place::Mem(mem) }, &text);
        }
    }

    fn call_main(&mut self, main: usize, id: FuncId) -> Fallible<()> {
        let span = self.funcs[main].span;
        self.cx.span = span;
        let signature = self.instances[id.0 as usize].signature.clone();
        let mut args: Vec<Value> = Vec::new();
        for (i, slot) in signature.params.iter().enumerate() {
            let Slot::Var(v, ty) = slot else { continue };
            let value = match i {
                0 => {
                    let argc = self.havoc(*ty, InputSource::Extern("argc".to_owned()));
                    self.assume(Term::int(0).less_eq(argc.term));
                    argc
                }
                1 => {
                    let (vector, mem) = self.argument_vector(*ty, "argv", span)?;
                    if let (Some(count), true) = (args.first().copied(), self.reads(id, *v)) {
                        self.end_of_arguments(count.term, mem);
                    }
                    vector
                }
                2 => self.argument_vector(*ty, "envp", span)?.0,
                _ => self.havoc(*ty, InputSource::Extern("main".to_owned())),
            };
            args.push(value);
        }
        let value = self.call_instance(id, &args, span)?;
        let status = if value.ty == Types::INT { value.term } else { Term::int(0) };
        self.cx.stop(Op::Halt { status: Some(status) });
        Ok(())
    }

    /// `argv`: pointers about which nothing is known.
    fn argument_vector(&mut self, ty: Ty, name: &str, span: Span) -> Fallible<(Value, Mem)> {
        let array = self.types.array(Types::CHAR_PTR, Len::Fixed(MAX_ARGUMENTS));
        let size = self.types.size(array).unwrap_or(0);
        let mem = self.new_object(format!("<{name}>"), array, size, 16, None, span);
        self.havoc_object(&mem, Term::int(size));
        self.mark_contents_external(&mem);
        self.dynamic_nodes.push(mem.node);
        let value = self.pointer_to(&mem, Types::CHAR_PTR);
        Ok((self.convert(&value, ty, span)?, mem))
    }

    /// `argv[0]` to `argv[argc - 1]` are not null, `argv[argc]` is.
    fn end_of_arguments(&mut self, count: Term, vector: Mem) {
        let size = self.types.size(Types::CHAR_PTR).unwrap_or(1);
        let at = |offset: Term| LValue { ty: Types::CHAR_PTR, place: Place::Mem(Mem { addr: vector.addr.add(offset), ..vector }) };
        self.pts.step(vector.node, size);
        let (few, many) = self.fork(count.less(Term::int(MAX_ARGUMENTS)));
        self.cx.cur = few;
        self.store(&at(count.mul(Term::int(size))), &Value::plain(Types::CHAR_PTR, Term::int(0)));
        let from = self.cx.cur;
        self.cx.cur = self.join(vec![from, many]);
        let arguments = (0..MAX_ARGUMENTS).map(|i| {
            let argument = self.load(&at(Term::int(i * size))).term;
            count.less_eq(Term::int(i)).or(argument.differs(Term::int(0)))
        });
        let arguments = Term::all(arguments.collect::<Vec<_>>());
        self.assume(arguments);
    }

    /// Whether the body of a function reads a variable.
    fn reads(&self, id: FuncId, v: plumb_term::VarId) -> bool {
        let body = self.instances[id.0 as usize].body.as_ref();
        body.is_none_or(|cx| cx.edges.iter().any(|e| plumb_term::visit::vars(e.op.operands()).iter().any(|x| x.id == v)))
    }

    fn param_defs(&mut self, f: usize) -> Fallible<Vec<ParamDef<'a>>> {
        let Some((unit, def)) = self.funcs[f].def else { return Ok(Vec::new()) };
        let (scopes, before) = (std::mem::take(&mut self.scopes), std::mem::replace(&mut self.unit, unit));
        let result = self.param_defs_here(f, def);
        self.scopes = scopes;
        self.unit = before;
        result
    }

    fn param_defs_here(&mut self, f: usize, def: &'a FunctionDef) -> Fallible<Vec<ParamDef<'a>>> {
        let types = self.types.as_function(self.funcs[f].ty).and_then(|t| t.params.clone()).unwrap_or_default();
        let mut out = Vec::new();
        match def.params() {
            Some(Params::Prototype { params, .. }) => {
                for (p, ty) in params.iter().zip(types) {
                    out.push(ParamDef {
                        name: p.declarator.name.map(|n| n.symbol),
                        span: p.span,
                        ty,
                        key: DeclKey::of(&p.declarator),
                        proto: Some(p),
                    });
                }
            }
            Some(Params::Names(names)) => {
                for name in names {
                    out.push(ParamDef { name: Some(name.symbol), span: name.span, ty: Types::INT, key: DeclKey::of(name), proto: None });
                }
                for d in &def.old_params {
                    let base = self.specs(&d.specs)?;
                    for i in &d.declarators {
                        let spec = self.declarator(base, &i.declarator)?;
                        let ty = self.adjust(spec.ty);
                        let named = i.declarator.name;
                        if let Some(p) = out.iter_mut().find(|p| p.name.is_some() && p.name == named.map(|n| n.symbol)) {
                            p.ty = ty;
                            p.key = DeclKey::of(&i.declarator);
                        }
                    }
                }
            }
            _ => {}
        }
        Ok(out)
    }

    /// The variables and objects through which a function is called.
    pub(super) fn signature(&mut self, f: usize, id: FuncId) -> Fallible<Signature> {
        let span = self.funcs[f].span;
        let mut signature = Signature::default();
        for p in self.param_defs(f)? {
            let name = p.name.map_or_else(|| "<unnamed>".to_owned(), |n| self.name(n).to_owned());
            if self.types.scalar(p.ty).is_some() {
                let (var_ty, c_type) = (self.var_ty(p.ty), self.show(p.ty));
                let v = self.new_var(name, c_type, var_ty, VarKind::Source, Some(id), p.span);
                signature.params.push(Slot::Var(v, p.ty));
            } else {
                let Some(size) = self.types.size(p.ty) else {
                    return self.invalid(p.span, format!("the parameter '{name}' has an incomplete type"));
                };
                let align = self.types.align(p.ty);
                // Its life is that of the program, so that its name must not seem to be known everywhere.
                let name = format!("<{name} of {}>", self.name(self.funcs[f].name));
                let mem = self.new_object(name, p.ty, size, align, None, p.span);
                self.dynamic_nodes.push(mem.node);
                signature.params.push(Slot::Object(mem, p.ty));
            }
        }
        let Some(ty) = self.types.as_function(self.funcs[f].ty) else { return Ok(signature) };
        if ty.variadic {
            let (var_ty, c_type) = (self.var_ty(Types::CHAR_PTR), self.show(Types::CHAR_PTR));
            signature.varargs = Some(self.new_var("<varargs>".to_owned(), c_type, var_ty, VarKind::Temp, Some(id), span));
        }
        if self.types.scalar(ty.ret).is_some() {
            signature.result = Some(Slot::Var(self.result_var(ty.ret, id, span), ty.ret));
        } else if let (Kind::Record(_), Some(size)) = (self.types.kind(ty.ret), self.types.size(ty.ret)) {
            let name = format!("<result of {}>", self.name(self.funcs[f].name));
            let mem = self.new_object(name, ty.ret, size, self.types.align(ty.ret), None, span);
            self.dynamic_nodes.push(mem.node);
            signature.result = Some(Slot::Object(mem, ty.ret));
        }
        Ok(signature)
    }

    fn lower_instance(&mut self, id: FuncId) -> Fallible<()> {
        let Instance { func: f, signature, .. } = self.instances[id.0 as usize].clone();
        let Some((unit, def)) = self.funcs[f].def else { return Ok(()) };
        self.unit = unit;
        self.scopes = Scopes::default();
        let name = self.name(self.funcs[f].name).to_owned();
        let ret = self.types.as_function(self.funcs[f].ty).map_or(Types::INT, |t| t.ret);
        self.cx = Cx::new(id, name, self.funcs[f].span);
        self.cx.recursive = self.funcs[f].recursive;
        self.cx.ret = ret;
        self.cx.has_labels = self.units[unit].scan.mentions.get(&DeclKey::of(def)).is_some_and(|m| m.labels);
        match signature.result {
            Some(Slot::Var(v, _)) => {
                self.cx.result = Some(v);
                self.cx.locals.push(v);
            }
            Some(Slot::Object(mem, _)) => self.cx.result_object = Some(mem),
            None => {}
        }
        self.enter_scope(Vec::new());
        self.bind_params(f, &signature)?;
        if let Some(v) = signature.varargs {
            self.cx.params.push(v);
            self.cx.locals.push(v);
            self.cx.varargs = Some(v);
        }
        self.block_items(&def.body)?;
        self.cx.span = def.body.close;
        self.fall_off(f)?;
        self.leave_scope();
        let exit = self.cx.exit;
        self.cx.jump(exit);
        self.resolve_gotos()
    }

    fn bind_params(&mut self, f: usize, signature: &Signature) -> Fallible<()> {
        let defs = self.param_defs(f)?;
        for (slot, p) in signature.params.iter().zip(defs) {
            self.cx.span = p.span;
            let place = match *slot {
                Slot::Var(v, mut ty) => {
                    self.cx.params.push(v);
                    self.cx.locals.push(v);
                    if let (Some(proto), true) = (p.proto, self.has_variable_length(ty)) {
                        ty = self.param_type(proto)?.ty;
                    }
                    if self.units[self.unit].scan.taken.contains(&p.key) {
                        let name = p.name.map_or_else(String::new, |n| self.name(n).to_owned());
                        let mem = self.auto_object(name, ty, 1, p.span)?;
                        let place = LValue { ty, place: Place::Mem(mem) };
                        let value = self.read_var(v, ty);
                        self.store(&place, &value);
                        place
                    } else {
                        LValue { ty, place: Place::Var(v) }
                    }
                }
                Slot::Object(mem, ty) if self.cx.recursive => {
                    let name = p.name.map_or_else(String::new, |n| self.name(n).to_owned());
                    let own = self.auto_object(name, ty, 1, p.span)?;
                    self.copy(own, mem, ty, p.span)?;
                    LValue { ty, place: Place::Mem(own) }
                }
                Slot::Object(mem, ty) => LValue { ty, place: Place::Mem(mem) },
            };
            if let Some(name) = p.name {
                self.scopes.bind(name, Entry::Local(place));
            }
        }
        Ok(())
    }

    /// Whether a pointer leads to an array of variable length.
    fn has_variable_length(&self, ty: Ty) -> bool {
        let mut at = ty;
        loop {
            match self.types.kind(at) {
                Kind::Pointer(t) => at = *t,
                Kind::Array(_, Len::Variable(_)) => return true,
                Kind::Array(t, _) => at = *t,
                _ => return false,
            }
        }
    }

    /// The end of a body without `return`.
    fn fall_off(&mut self, f: usize) -> Fallible<()> {
        let Some(v) = self.cx.result else { return Ok(()) };
        if Some(self.funcs[f].name) == self.known.main {
            self.cx.emit(Op::Assign(vec![(v, self.zero(self.cx.ret))]));
        } else {
            let name = format!("result of {}", self.cx.name);
            self.cx.emit(Op::Havoc { var: v, source: InputSource::Uninit(name) });
        }
        Ok(())
    }
}
