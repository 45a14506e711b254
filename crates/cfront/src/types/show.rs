//! Types as C writes them, for messages.

use super::{FloatKind, FuncType, IntKind, Kind, Len, Ty, Types};
use crate::Interner;

impl Types {
    /// The type name, as in a cast.
    pub fn show(&self, ty: Ty, names: &Interner) -> String {
        let (base, suffix) = self.declare(ty, String::new(), names, 0);
        if suffix.is_empty() {
            base
        } else if suffix.starts_with('*') || suffix.starts_with('(') {
            format!("{base} {suffix}")
        } else {
            format!("{base}{suffix}")
        }
    }

    /// Base type and declarator around `inner`.
    fn declare(&self, ty: Ty, inner: String, names: &Interner, depth: u32) -> (String, String) {
        if depth > 64 {
            return ("...".to_owned(), inner);
        }
        let grouped = |inner: String| if inner.starts_with('*') { format!("({inner})") } else { inner };
        match self.kind(ty) {
            Kind::Pointer(t) => self.declare(*t, format!("*{inner}"), names, depth + 1),
            Kind::Array(t, n) => {
                let n = match n {
                    Len::Fixed(n) => n.to_string(),
                    Len::Unknown => String::new(),
                    Len::Variable(_) => "*".to_owned(),
                };
                self.declare(*t, format!("{}[{n}]", grouped(inner)), names, depth + 1)
            }
            Kind::Function(f) => {
                let params = self.show_params(f, names);
                self.declare(f.ret, format!("{}({params})", grouped(inner)), names, depth + 1)
            }
            _ => (self.base_name(ty, names), inner),
        }
    }

    fn show_params(&self, f: &FuncType, names: &Interner) -> String {
        let Some(params) = &f.params else { return String::new() };
        let mut shown: Vec<String> = params.iter().map(|p| self.show(*p, names)).collect();
        if f.variadic {
            shown.push("...".to_owned());
        } else if shown.is_empty() {
            shown.push("void".to_owned());
        }
        shown.join(", ")
    }

    fn base_name(&self, ty: Ty, names: &Interner) -> String {
        let tagged = |keyword: &str, tag: Option<crate::Symbol>| match tag {
            Some(tag) => format!("{keyword} {}", names.name(tag)),
            None => format!("{keyword} {{...}}"),
        };
        match self.kind(ty) {
            Kind::Bool => "_Bool".to_owned(),
            Kind::Int(k) => int_name(*k).to_owned(),
            Kind::Enum(e) => tagged("enum", self.enumeration(*e).tag),
            Kind::Float(k) => match k {
                FloatKind::Float => "float",
                FloatKind::Double => "double",
                FloatKind::LongDouble => "long double",
                FloatKind::Float128 => "__float128",
            }
            .to_owned(),
            Kind::Record(r) => tagged(if self.record(*r).is_union() { "union" } else { "struct" }, self.record(*r).tag),
            Kind::Unsupported(what) => (*what).to_owned(),
            _ => "void".to_owned(),
        }
    }
}

fn int_name(kind: IntKind) -> &'static str {
    use IntKind::*;
    match kind {
        Char => "char",
        SChar => "signed char",
        UChar => "unsigned char",
        Short => "short",
        UShort => "unsigned short",
        Int => "int",
        UInt => "unsigned int",
        Long => "long",
        ULong => "unsigned long",
        LLong => "long long",
        ULLong => "unsigned long long",
        Int128 => "__int128",
        UInt128 => "unsigned __int128",
    }
}
