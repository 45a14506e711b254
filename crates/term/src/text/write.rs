//! Terms as text.

use super::{name_of, FBIN, FCMP, FTESTS, FUN};
use crate::node::{Kind, Term};
use crate::ty::{Cell, Var, VarTy};
use crate::visit::postorder;
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// Terms that nest deeper than this get definitions in between.
const DEPTH: u32 = 24;
/// Shorter texts are repeated instead of defined.
const SHORT: usize = 8;

/// The name of a variable's type.
pub fn type_name(ty: VarTy) -> String {
    match ty {
        VarTy::Bool => "bool".into(),
        VarTy::Int => "int".into(),
        VarTy::Scalar(s) => s.to_string(),
        VarTy::Mem(c) => format!("mem:{}", cell_name(c)),
    }
}

fn cell_name(c: Cell) -> String {
    match c {
        Cell::Byte => "byte".into(),
        Cell::Scalar(s) => s.to_string(),
    }
}

/// The texts of some terms, with definitions for what they share.
#[derive(Debug)]
pub struct Writer {
    texts: FxHashMap<Term, (String, u32)>,
    definitions: Vec<String>,
}

impl Writer {
    /// Writes the roots with these names of variables.
    pub fn new(roots: &[Term], name: &dyn Fn(Var) -> String) -> Writer {
        let order = postorder(roots.iter().copied());
        let mut uses: FxHashMap<Term, u32> = FxHashMap::default();
        for t in order.iter().flat_map(|t| t.children()).chain(roots.iter().copied()) {
            *uses.entry(t).or_default() += 1;
        }
        let mut w = Writer { texts: FxHashMap::default(), definitions: Vec::new() };
        for t in order {
            let text = w.node(t, name);
            let depth = 1 + t.children().map(|c| w.texts[&c].1).max().unwrap_or(0);
            let entry = if text.len() > SHORT && (uses[&t] > 1 || depth > DEPTH) {
                w.definitions.push(text);
                (format!("${}", w.definitions.len() - 1), 0)
            } else {
                (text, depth)
            };
            w.texts.insert(t, entry);
        }
        w
    }

    /// The definitions `$0`, `$1`, …; each mentions only earlier ones.
    pub fn definitions(&self) -> &[String] {
        &self.definitions
    }

    /// The text of a root or of one of its subterms.
    pub fn text(&self, t: Term) -> Option<&str> {
        self.texts.get(&t).map(|e| e.0.as_str())
    }

    fn node(&self, t: Term, name: &dyn Fn(Var) -> String) -> String {
        use Kind::*;
        let head: String = match t.kind() {
            Bool(b) => return if *b { "T".into() } else { "F".into() },
            Int(v) => return v.to_string(),
            Float(x) => return format!("f{}:{:x}", x.ty.bits(), x.bits),
            Var(v) => return name(*v),
            ZeroMem(c) => return format!("zeros:{}", cell_name(*c)),
            Lin(lin) => {
                let mut out = format!("(+ {}", lin.constant);
                for (k, a) in &lin.parts {
                    // Writing to a string does not fail.
                    let _ = write!(out, " {k} {}", self.texts[a].0);
                }
                out.push(')');
                return out;
            }
            Not(_) => "!".into(),
            And(_) => "&".into(),
            Or(_) => "|".into(),
            Ite(..) => "?".into(),
            Eq(..) => "=".into(),
            Le(..) => "<=".into(),
            Mul(..) => "*".into(),
            Div(..) => "/".into(),
            Rem(..) => "%".into(),
            Wrap(ty, _) => format!("wrap {ty}"),
            BitAnd(..) => "bitand".into(),
            BitOr(..) => "bitor".into(),
            BitXor(..) => "bitxor".into(),
            Shl(..) => "shl".into(),
            Shr(..) => "shr".into(),
            FBin(op, ..) => name_of(&FBIN, op).into(),
            FUn(op, _) => name_of(&FUN, op).into(),
            FCmp(op, ..) => name_of(&FCMP, op).into(),
            FTest(test, _) => name_of(&FTESTS, test).into(),
            FFromInt(ty, _) => format!("fromint f{}", ty.bits()),
            FToInt(ty, _) => format!("toint {ty}"),
            FCast(ty, _) => format!("fcast f{}", ty.bits()),
            FBits(_) => "bits".into(),
            FFromBits(ty, _) => format!("frombits f{}", ty.bits()),
            Load(ty, ..) => format!("load {ty}"),
            Store(ty, ..) => format!("store {ty}"),
            Splice { .. } => "splice".into(),
        };
        let mut out = format!("({head}");
        for c in t.children() {
            out.push(' ');
            out.push_str(&self.texts[&c].0);
        }
        out.push(')');
        out
    }
}
