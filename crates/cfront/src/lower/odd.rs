//! Attributes and assembler names that change what a program does, and that plumb does not model.
//!
//! They are unsupported where they take effect, never ignored: functions that run before or after `main`, variables whose end calls a function, weak
//! functions and variables that nobody defines (their address is null), functions that a resolver chooses, and functions that the linker knows by the name of another one.

use plumb_term::Span;

use super::scope::Entry;
use super::Lowerer;
use crate::ast::*;
use crate::types::Types;

impl<'a> Lowerer<'a> {
    /// What the declarations of a function say that is not modelled, once all are known.
    pub(super) fn find_odd_functions(&mut self) {
        for unit in 0..self.units.len() {
            let tree = self.units[unit].tree;
            for item in &tree.items {
                let ExternalDecl::Decl(d) = item else { continue };
                for i in &d.declarators {
                    let Some(name) = i.declarator.name else { continue };
                    let f = match self.resolve(unit, name.symbol) {
                        Some(Entry::Func(f)) => f,
                        Some(Entry::Global(g)) => {
                            let weak = self.has_attr(&d.specs.attrs, &i.declarator.attrs, "weak");
                            self.globals[g].odd |= weak && !self.globals[g].defined;
                            continue;
                        }
                        _ => continue,
                    };
                    if self.has_attr(&d.specs.attrs, &i.declarator.attrs, "ifunc") {
                        let what = Some("the attribute 'ifunc'".to_owned());
                        (self.funcs[f].odd, self.funcs[f].odd_address) = (what.clone(), what);
                    }
                    if self.funcs[f].def.is_none() && self.has_attr(&d.specs.attrs, &i.declarator.attrs, "weak") {
                        let what = format!("the address of the weak function '{}', which is not defined", self.name(name.symbol));
                        self.funcs[f].odd_address = Some(what);
                    }
                    if let Some(label) = &i.declarator.asm_label {
                        self.note_label(unit, f, &label.bytes);
                    }
                }
            }
        }
    }

    /// Whoever calls one of two functions with one assembler name may mean the other.
    fn note_label(&mut self, unit: usize, f: usize, label: &[u8]) {
        let Some(symbol) = std::str::from_utf8(label).ok().and_then(|t| self.names.get(t)) else { return };
        let Some(Entry::Func(g)) = self.resolve(unit, symbol) else { return };
        let matters = |h: usize| self.funcs[h].def.is_some() || self.error_calls.contains(&self.funcs[h].name);
        if f != g && (matters(f) || matters(g)) {
            let what = format!("the assembler name '{}'", self.name(symbol));
            for h in [f, g] {
                (self.funcs[h].odd, self.funcs[h].odd_address) = (Some(what.clone()), Some(what.clone()));
            }
        }
    }

    /// Functions that run before or after `main`: unsupported at the start.
    pub(super) fn start_odd(&mut self) {
        let mut found: Option<(Span, &'static str)> = None;
        for unit in self.units.iter().filter(|u| !u.library) {
            for item in &unit.tree.items {
                let mut look = |attrs: &[Attribute]| {
                    for a in attrs {
                        if let Some(what) = ["constructor", "destructor"].into_iter().find(|n| *n == self.name(a.name)) {
                            found.get_or_insert((a.span, what));
                        }
                    }
                };
                match item {
                    ExternalDecl::Function(def) => {
                        look(&def.specs.attrs);
                        look(&def.declarator.attrs);
                    }
                    ExternalDecl::Decl(d) => {
                        look(&d.specs.attrs);
                        d.declarators.iter().for_each(|i| look(&i.declarator.attrs));
                    }
                    _ => {}
                }
            }
        }
        if let Some((span, what)) = found {
            self.unsupported(span, format!("the attribute '{what}'"));
        }
    }

    /// If the address of a function is unsupported, the execution ends here.
    pub(super) fn odd_address(&mut self, f: usize) {
        if let Some(what) = self.funcs[f].odd_address.clone().filter(|_| self.cx.unevaluated == 0) {
            self.unsupported(self.cx.span, what);
        }
    }

    /// If a variable may not exist, the execution ends where it is mentioned.
    pub(super) fn odd_global(&mut self, g: usize, span: Span) {
        if self.globals[g].odd && self.cx.unevaluated == 0 {
            self.unsupported(span, format!("the weak variable '{}', which is not defined", self.name(self.globals[g].name)));
        }
    }

    /// Whether a call of a function is unsupported; then the execution ends here.
    pub(super) fn is_odd(&mut self, f: usize, span: Span) -> bool {
        let Some(what) = self.funcs[f].odd.clone().filter(|_| self.cx.unevaluated == 0) else { return false };
        self.unsupported(span, what);
        true
    }

    /// A local variable whose end calls a function.
    pub(super) fn odd_local(&mut self, d: &'a Declaration, i: &'a InitDeclarator) {
        if self.has_attr(&d.specs.attrs, &i.declarator.attrs, "cleanup") {
            self.unsupported(i.declarator.name.map_or(d.span, |n| n.span), "the attribute 'cleanup'");
        }
    }

    /// Whether a record's members are stored in another order of bytes than the machine's.
    pub(super) fn is_odd_record(&self, attrs: &[Attribute]) -> bool {
        attrs.iter().any(|a| self.name(a.name) == "scalar_storage_order")
    }

    /// What a call of an unsupported function yields.
    pub(super) fn odd_result(&mut self, f: usize) -> super::place::Value {
        let ret = self.types.as_function(self.funcs[f].ty).map_or(Types::INT, |t| t.ret);
        self.dummy(ret)
    }
}
