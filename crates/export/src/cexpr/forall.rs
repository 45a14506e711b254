//! Conjuncts with universally quantified variables, for people: C has no word for them, so they are never part of a witness.

use super::{c_int, Printer, MAX_DEPTH};
use plumb_cfa::Layout;
use plumb_term::visit::linear_form;
use plumb_term::{IBig, Kind, Scalar, Term, Var, VarId};
use plumb_verdict::bound;

/// Offsets beyond are no members: no object with a fixed address lies below.
const HEAP_MEMBERS: u32 = 4096;

impl Printer<'_> {
    /// The conjuncts that hold for all values of bound variables, where they can be written with array elements as C writes them.
    pub fn for_all(&self, t: Term) -> Vec<String> {
        let printer = Printer { bound: true, ideal: true, ..*self };
        let mut out: Vec<String> = Vec::new();
        for c in t.conjuncts() {
            let names: Vec<String> = bound(c).into_iter().map(|v| printer.bound_name(v)).collect();
            let (of, c) = match printer.of_objects(c) {
                Some(rest) => ("every heap object ", rest),
                None => ("all ", c),
            };
            let text = if names.is_empty() { None } else { printer.boolean(c, MAX_DEPTH) };
            if let Some(text) = text.map(|t| format!("for {of}{}: {}", names.join(", "), t.text)).filter(|t| !out.contains(t)) {
                out.push(text);
            }
        }
        out
    }

    /// What is said of a bound variable that is the address of an object of the heap, whichever: the other disjuncts of a conjunct one of whose disjuncts is that it is none.
    fn of_objects(&self, c: Term) -> Option<Term> {
        let program = self.scopes.program();
        let [k] = bound(c)[..] else { return None };
        let (k, base) = (Term::var(k), Term::int(program.heap_base));
        let says = |t: Term| {
            let is_aligned = |t: &Term| {
                let Kind::Eq(a, b) = t.kind() else { return false };
                [(a, b), (b, a)].iter().any(|(x, y)| match x.kind() {
                    Kind::Rem(d, n) => {
                        *d == k.sub(base) && y.as_int() == Some(&IBig::ZERO) && n.as_int().is_some_and(|n| self.objects_start_at(n))
                    }
                    _ => false,
                })
            };
            let range = [base.less_eq(k), k.less(program.term(program.heap_top))];
            let parts = t.conjuncts();
            parts.len() == 3 && parts.iter().all(|p| range.contains(p) || is_aligned(p))
        };
        let Kind::Or(parts) = c.kind() else { return None };
        let guard = parts.iter().position(|p| matches!(p.kind(), Kind::Not(inner) if says(*inner)))?;
        Some(Term::any(parts.iter().enumerate().filter(|(i, _)| *i != guard).map(|(_, p)| *p)))
    }

    /// Whether all objects of the heap are multiples of a number away from its base.
    fn objects_start_at(&self, n: &IBig) -> bool {
        self.scopes.program().allocations().all(|(room, _)| room % n == IBig::ZERO)
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
        // A member of an object of the heap, whose type is not known.
        if let ([(n, k)], Scalar::Int(ty)) = (&parts[..], ty) {
            let is_object =
                *n == IBig::ONE && k.as_var().is_some_and(|v| v.id >= VarId::FIRST_BOUND) && constant < IBig::from(HEAP_MEMBERS);
            if is_object && constant >= IBig::ZERO {
                let k = self.leaf(*k)?;
                let place = if constant == IBig::ZERO { k } else { format!("({k} + {constant})") };
                return Some(format!("*({} *){place}", c_int(ty)));
            }
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
