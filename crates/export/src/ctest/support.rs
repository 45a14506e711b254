//! The definitions that a test adds to the program.

use crate::cexpr::{c_float, c_int, float_literal};
use crate::scan;
use crate::subject::Subject;
use plumb_term::eval::Value;
use plumb_term::{IBig, IntTy, Scalar};
use std::fmt::Write;

/// Definitions under construction.
#[derive(Debug)]
pub(super) struct Support<'a> {
    subject: &'a Subject<'a>,
    declarations: String,
    definitions: String,
    count: usize,
    taken: Vec<String>,
}

impl<'a> Support<'a> {
    pub(super) fn new(subject: &'a Subject<'a>) -> Support<'a> {
        let declarations = "extern void plumb_reached(void);\n".to_owned();
        let definitions = format!(
            "extern long plumb_write(int, const void *, unsigned long) __asm__(\"write\");\n\
             extern void plumb_abort(void) __asm__(\"abort\");\n\
             extern void plumb_exit(int) __asm__(\"_exit\");\n\
             void plumb_reached(void) {{\n  static const char message[] = \"{}\\n\";\n  \
             plumb_write(2, message, sizeof message - 1);\n  plumb_abort();\n}}\n",
            super::MESSAGE
        );
        Support { subject, declarations, definitions, count: 0, taken: Vec::new() }
    }

    /// What inserted code needs to see.
    pub(super) fn declarations(&self) -> String {
        self.declarations.clone()
    }

    /// All definitions.
    pub(super) fn text(&self) -> String {
        format!("extern void plumb_reached(void);\n{}", self.definitions)
    }

    /// Whether the program defines the function itself.
    pub(super) fn is_defined(&self, name: &str) -> bool {
        self.subject.sources.files().iter().any(|f| scan::function_body(&f.bytes, name).is_some())
    }

    /// Whether the program mentions the identifier.
    pub(super) fn is_mentioned(&self, name: &str) -> bool {
        self.subject.sources.files().iter().any(|f| scan::mentions(&f.bytes, name))
    }

    /// A C identifier that the program does not use.
    pub(super) fn fresh(&mut self, what: &str) -> String {
        self.count += 1;
        format!("plumb_{what}_{}", self.count)
    }

    /// Defines the function with symbol `symbol`, unless the program or an earlier call does.
    pub(super) fn function(&mut self, symbol: &str, result: &str, parameters: &str, body: &str) {
        let is_symbol = !symbol.is_empty() && symbol.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'$');
        if !is_symbol || self.taken.iter().any(|t| t == symbol) || self.is_defined(symbol) {
            return;
        }
        self.taken.push(symbol.to_owned());
        let name = self.fresh("function");
        let _ = writeln!(self.definitions, "{result} {name}({parameters}) __asm__(\"{symbol}\");");
        let _ = writeln!(self.definitions, "__attribute__((weak)) {result} {name}({parameters}) {{ {body} }}");
    }

    /// Defines the variable with symbol `symbol`, unless the program or an earlier call does; `rest` is what follows the name.
    pub(super) fn variable(&mut self, symbol: &str, ty: &str, rest: &str) {
        let is_symbol = !symbol.is_empty() && symbol.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'$');
        if !is_symbol || self.taken.iter().any(|t| t == symbol) {
            return;
        }
        self.taken.push(symbol.to_owned());
        let name = self.fresh("variable");
        let (array, value) = rest.split_at(rest.find(" =").unwrap_or(rest.len()));
        let _ = writeln!(self.definitions, "extern {ty} {name}{array} __asm__(\"{symbol}\");\n{ty} {name}{array}{value};");
    }

    /// Adds text to the definitions.
    pub(super) fn define(&mut self, text: &str) {
        self.definitions.push_str(text);
    }

    /// Makes a declaration visible to inserted code.
    pub(super) fn declare(&mut self, text: &str) {
        self.declarations.push_str(text);
    }
}

/// The C type of a scalar.
pub(super) fn c_type(ty: Scalar) -> &'static str {
    match ty {
        Scalar::Int(t) => c_int(t),
        Scalar::Float(t) => c_float(t),
    }
}

/// A C constant expression for a value.
pub(super) fn constant(value: &Value, ty: Scalar) -> String {
    match (value, ty) {
        (Value::Float(f), _) => float_literal(*f),
        (Value::Int(v), Scalar::Int(t)) => integer(v, t),
        (Value::Int(v), _) => v.to_string(),
        (Value::Bool(b), _) => u8::from(*b).to_string(),
        (Value::Mem(_), _) => "0".to_owned(),
    }
}

fn integer(v: &IBig, ty: IntTy) -> String {
    if *v == IntTy::I32.min() && ty.bits <= 32 {
        return "(-2147483647 - 1)".to_owned();
    }
    if *v == IntTy::I64.min() {
        return "(-9223372036854775807LL - 1)".to_owned();
    }
    match ty.bits {
        0..=31 => v.to_string(),
        32 if ty.signed => v.to_string(),
        32 => format!("{v}U"),
        33..=64 if ty.signed => format!("{v}LL"),
        33..=64 => format!("{v}ULL"),
        _ => {
            let bits = plumb_term::eval::low_bits(v, 128);
            format!("(({})(((unsigned __int128)0x{:x}ULL << 64) | 0x{:x}ULL))", c_int(ty), (bits >> 64) as u64, bits as u64)
        }
    }
}

/// The body of a function that returns the values in order, and zero after the last.
pub(super) fn listed(values: &[Value], ty: Scalar) -> String {
    if values.is_empty() {
        return "return 0;".to_owned();
    }
    let list: Vec<String> = values.iter().map(|v| constant(v, ty)).collect();
    format!(
        "static const {} values[] = {{{}}}; static unsigned next; return next < {}U ? values[next++] : 0;",
        c_type(ty),
        list.join(", "),
        values.len()
    )
}
