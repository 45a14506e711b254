//! Conjuncts with universally quantified variables, for people: C has no word for them, so they are never part of a witness.

use super::{Printer, MAX_DEPTH};
use plumb_cfa::Layout;
use plumb_term::visit::linear_form;
use plumb_term::{IBig, Scalar, Term, Var, VarId};
use plumb_verdict::bound;

impl Printer<'_> {
    /// The conjuncts that hold for all values of bound variables, where they can be written with array elements as C writes them.
    pub fn for_all(&self, t: Term) -> Vec<String> {
        let printer = Printer { bound: true, ideal: true, ..*self };
        let mut out: Vec<String> = Vec::new();
        for c in t.conjuncts() {
            let names: Vec<String> = bound(c).into_iter().map(|v| printer.bound_name(v)).collect();
            let text = if names.is_empty() { None } else { printer.boolean(c, MAX_DEPTH) };
            if let Some(text) = text.map(|t| format!("for all {}: {}", names.join(", "), t.text)).filter(|t| !out.contains(t)) {
                out.push(text);
            }
        }
        out
    }

    /// A name that no variable of the program has.
    pub(super) fn bound_name(&self, v: Var) -> String {
        let program = self.scopes.program();
        let mut name = match v.id.0 - VarId::FIRST_BOUND.0 {
            0 => "k".to_owned(),
            n => format!("k{n}"),
        };
        while program.vars.iter().any(|v| v.name == name) || program.objects.iter().any(|o| o.name == name) {
            name.push('_');
        }
        name
    }

    /// The element at an address that is not fixed: of the array that a pointer points to, or of an object.
    pub(super) fn element(&self, ty: Scalar, address: Term) -> Option<String> {
        let program = self.scopes.program();
        let (constant, parts) = linear_form(address);
        let pointer = parts.iter().find(|(n, t)| *n == IBig::ONE && self.is_pointer(*t));
        if let Some((_, p)) = pointer {
            let info = program.vars.get(p.as_var()?.id.0 as usize)?;
            return Some(format!("{}[{}]", info.name.trim_start_matches('&'), self.index(address.sub(*p), ty.bytes())?));
        }
        // The object below the least address that the expression has for an index from 0 on.
        let object = program.object_at(u64::try_from(&constant).ok()?)?;
        let offset = u64::try_from(&constant).ok()? - object.addr;
        let Layout::Array { elem, stride, .. } = &object.layout else { return None };
        let index = self.index(address.sub(Term::int(object.addr + offset % stride)), *stride)?;
        match elem.as_ref() {
            Layout::Array { .. } => {
                let index = self.index(address.sub(Term::int(object.addr)), ty.bytes())?;
                Some(format!("(&{}[0][0])[{index}]", object.name))
            }
            elem => elem.lvalue(&format!("{}[{index}]", object.name), offset % stride, ty),
        }
    }

    /// An offset in units, where it is a whole number of them.
    fn index(&self, offset: Term, unit: u64) -> Option<String> {
        let unit = IBig::from(unit);
        let (constant, parts) = linear_form(offset);
        let whole = |n: &IBig| n % &unit == IBig::ZERO;
        if !whole(&constant) || !parts.iter().all(|(n, _)| whole(n)) {
            return None;
        }
        let parts = parts.iter().map(|(n, t)| t.scale(&(n / &unit))).chain([Term::int(&constant / &unit)]);
        self.int(Term::sum(parts), MAX_DEPTH / 2).map(|i| i.text.text)
    }
}
