//! Declarations inside functions.

use plumb_cfa::{InputSource, Op, VarKind};
use plumb_term::Term;

use super::link::Global;
use super::place::{LValue, Place};
use super::resolve::Spec;
use super::scan::DeclKey;
use super::scope::Entry;
use super::Lowerer;
use crate::ast::*;
use crate::lex::Fallible;
use crate::types::{Kind, Ty};

impl<'a> Lowerer<'a> {
    pub(super) fn local_declaration(&mut self, d: &'a Declaration) -> Fallible<()> {
        self.cx.span = d.span;
        if let TypeSpec::AutoType = &d.specs.ty {
            for i in &d.declarators {
                let Some(Init::Expr(e)) = &i.init else { return self.invalid(d.span, "'__auto_type' without an initialiser") };
                let ty = self.rvalue_type(e)?;
                self.local_one(d, i, Spec::plain(ty))?;
            }
            return Ok(());
        }
        let base = self.specs(&d.specs)?;
        for i in &d.declarators {
            let spec = self.declarator(base, &i.declarator)?;
            self.local_one(d, i, spec)?;
        }
        Ok(())
    }

    fn local_one(&mut self, d: &'a Declaration, i: &'a InitDeclarator, mut spec: Spec) -> Fallible<()> {
        let Some(name) = i.declarator.name else { return Ok(()) };
        self.cx.span = name.span;
        if d.specs.storage == Storage::Typedef {
            self.bind(name.symbol, Entry::Typedef(spec.ty, spec.any_align()));
            return Ok(());
        }
        if let Kind::Function(_) = self.types.kind(spec.ty) {
            let f = self.declare_function(&name, spec.ty, false);
            self.note_manner(f, &i.declarator);
            self.bind(name.symbol, Entry::Func(f));
            return Ok(());
        }
        if d.specs.storage == Storage::Extern {
            let g = self.declare_variable(name, spec, Storage::Extern, None, None)?;
            self.bind(name.symbol, Entry::Global(g));
            return Ok(());
        }
        self.odd_local(d, i);
        if let Some(init) = &i.init {
            spec.ty = self.complete_by_init(spec.ty, init)?;
        }
        let key = DeclKey::of(&i.declarator);
        let taken = self.units[self.unit].scan.taken.contains(&key);
        if d.specs.storage == Storage::Static {
            return self.static_local(name, spec, i.init.as_ref(), key, taken);
        }
        if let Kind::Unsupported(what) = self.types.kind(spec.ty) {
            let what = (*what).to_owned();
            self.unsupported(name.span, what);
        }
        let shown = self.name(name.symbol).to_owned();
        let scalar = self.types.scalar(spec.ty).is_some() || matches!(self.types.kind(spec.ty), Kind::Unsupported(_));
        if scalar && !taken {
            let v = self.new_local(shown.clone(), spec.ty, VarKind::Source, name.span);
            let place = LValue { ty: spec.ty, place: Place::Var(v) };
            self.bind(name.symbol, Entry::Local(place));
            self.havoc_before_jumps(v, spec.ty, &shown);
            match &i.init {
                Some(init) if self.reads_itself(init, name.symbol) => {
                    self.havoc_var(v, spec.ty, InputSource::Uninit(shown));
                    self.initialise(&place, init, false)?;
                }
                Some(init) => self.initialise(&place, init, false)?,
                None => self.havoc_var(v, spec.ty, InputSource::Uninit(shown)),
            }
            return Ok(());
        }
        let mem = self.auto_object(shown, spec.ty, spec.any_align().unwrap_or(1), name.span)?;
        let place = LValue { ty: spec.ty, place: Place::Mem(mem) };
        self.bind(name.symbol, Entry::Local(place));
        if let Some(init) = &i.init {
            self.initialise(&place, init, false)?;
        }
        Ok(())
    }

    /// `int x = x;`
    fn reads_itself(&self, init: &Init, name: crate::Symbol) -> bool {
        matches!(init, Init::Expr(Expr { kind: ExprKind::Ident(other), .. }) if *other == name)
    }

    /// Where a jump can pass the declaration, the variable's first value is chosen before the jump.
    fn havoc_before_jumps(&mut self, v: plumb_term::VarId, ty: Ty, name: &str) {
        if self.cx.unevaluated > 0 {
            return;
        }
        let op = |v| Op::Havoc { var: v, source: InputSource::Uninit(name.to_owned()) };
        let in_range = |l: &Self, v| {
            let term = l.term(v);
            Op::Assign(vec![(v, Term::ite(term.equals(Term::int(0)), Term::int(0), Term::int(1)))])
        };
        let is_bool = *self.types.kind(ty) == Kind::Bool;
        let mut marks = Vec::new();
        if self.cx.jumped_into {
            marks.push(super::cx::Mark { loc: self.cx.entry, edges: 0 });
        }
        if let (true, Some(switch)) = (self.cx.in_switch_body, self.cx.switches.last()) {
            marks.push(switch.mark);
        }
        for mark in marks {
            if is_bool {
                let op = in_range(self, v);
                self.cx.insert(mark, op);
            }
            self.cx.insert(mark, op(v));
        }
    }

    fn static_local(&mut self, name: Name, spec: Spec, init: Option<&'a Init>, key: DeclKey, taken: bool) -> Fallible<()> {
        self.check_size(name, spec.ty)?;
        let g = match self.static_locals.get(&key) {
            Some(&g) => g,
            None => {
                self.globals.push(Global {
                    name: name.symbol,
                    ty: spec.ty,
                    align: spec.any_align(),
                    span: name.span,
                    init: None,
                    defined: true,
                    taken,
                    place: None,
                    key: None,
                    within: Some(self.cx.name.clone()),
                    odd: false,
                });
                let g = self.globals.len() - 1;
                self.static_locals.insert(key, g);
                g
            }
        };
        self.bind(name.symbol, Entry::Global(g));
        let Some(init) = init else {
            self.global_place(g);
            return Ok(());
        };
        // An operand that was not evaluated, as of `sizeof`, may have asked for the place before.
        if self.initialised.contains(&g) || self.cx.unevaluated > 0 {
            return Ok(());
        }
        let place = self.global_place(g);
        self.initialised.insert(g);
        // The initialiser sees the names in scope here, but runs before `main`.
        let Some(entry) = self.suspended.take() else { return Ok(()) };
        let here = std::mem::replace(&mut self.cx, entry);
        let result = self.initialise(&place, init, true);
        let entry = std::mem::replace(&mut self.cx, here);
        self.suspended = Some(entry);
        result
    }
}
