//! Formulas as C expressions.
//!
//! Terms compute over ℤ; C does not. An expression printed here has in C, under the program's data model, exactly the value the term
//! has: sums that could overflow are taken in `long long` (or turned into comparisons that cannot overflow), wraps are
//! computed in unsigned types, and comparisons of mixed signedness are cast. What has no such expression (temporaries, memory,
//! sums beyond 64 bits, names out of scope) is not expressible: [`conjuncts`] drops such conjuncts, which only weakens a formula.

mod compare;
mod float;
mod forall;
mod int;
#[cfg(test)]
mod tests;

pub use float::{c_float, float_expression, float_literal, float_text};
pub use int::c_int;

use crate::scope::Scopes;
use plumb_cfa::{FuncId, Integers};
use plumb_term::{FCmpOp, FTest, Kind, Sort, Span, Term};

/// Longer expressions are not worth reading.
const FOR_PEOPLE: usize = 1_500;
/// Longer ones are not worth writing either.
const FOR_TOOLS: usize = 200_000;
/// Deeper ones neither; also the bound of the recursion.
const MAX_DEPTH: u32 = 80;

/// C's precedence levels, higher binds tighter.
mod prec {
    pub const COND: u8 = 3;
    pub const OR: u8 = 4;
    pub const AND: u8 = 5;
    pub const BIT_OR: u8 = 6;
    pub const BIT_XOR: u8 = 7;
    pub const BIT_AND: u8 = 8;
    pub const EQ: u8 = 9;
    pub const REL: u8 = 10;
    pub const SHIFT: u8 = 11;
    pub const ADD: u8 = 12;
    pub const MUL: u8 = 13;
    pub const UNARY: u8 = 14;
    pub const PRIMARY: u8 = 16;
}

/// The text of an expression and how tightly its root binds.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Text {
    text: String,
    prec: u8,
}

impl Text {
    fn new(text: impl Into<String>, prec: u8) -> Text {
        Text { text: text.into(), prec }
    }

    /// As an operand of an operator of level `level`.
    fn under(&self, level: u8) -> String {
        // gcc warns about `a & b` and `a && b` as operands of `|` and `||` without parentheses; people prefer them too.
        let unclear = match level {
            prec::OR => self.prec == prec::AND,
            prec::BIT_OR..=prec::BIT_AND => self.prec < prec::UNARY,
            _ => false,
        };
        if self.prec >= level && !unclear {
            self.text.clone()
        } else {
            format!("({})", self.text)
        }
    }
}

/// Prints terms for one place of the source.
#[derive(Clone, Copy, Debug)]
pub struct Printer<'a> {
    scopes: &'a Scopes<'a>,
    func: FuncId,
    at: Span,
    ideal: bool,
    /// Whether bound variables have names.
    bound: bool,
    /// Whether this is a contract: the result and values at the entry have names.
    contract: bool,
    /// Longer expressions are not printed.
    longest: usize,
}

impl<'a> Printer<'a> {
    /// For the names visible at `at` in `func`.
    pub fn new(scopes: &'a Scopes<'a>, func: FuncId, at: Span) -> Printer<'a> {
        let ideal = scopes.program().semantics.integers == Integers::Ideal;
        Printer { scopes, func, at, ideal, bound: false, contract: false, longest: FOR_PEOPLE }
    }

    /// For the contract of `func`, as ACSL writes it: `\result`, and `\old(x)` for values at the entry; a parameter means its value there anyway.
    pub fn of_contract(scopes: &'a Scopes<'a>, func: FuncId) -> Printer<'a> {
        let at = scopes.program().function(func).span;
        Printer { contract: true, ..Printer::new(scopes, func, at) }
    }

    /// The same, with expressions that are too long to read.
    pub fn at_length(self) -> Printer<'a> {
        Printer { longest: FOR_TOOLS, ..self }
    }

    /// The expressible conjuncts of a formula; empty where nothing is left.
    pub fn conjuncts(&self, t: Term) -> Vec<String> {
        let mut out: Vec<String> = Vec::new();
        for c in t.conjuncts() {
            if let Some(text) = self.weaken(c, MAX_DEPTH).filter(|t| t.text != "1") {
                let text = text.under(prec::AND);
                if !out.contains(&text) {
                    out.push(text);
                }
            }
        }
        out
    }

    /// The formula as one expression, if all of it is expressible.
    pub fn exactly(&self, t: Term) -> Option<String> {
        self.boolean(t, MAX_DEPTH).map(|t| t.text)
    }

    /// A formula implied by `t`: inexpressible conjuncts are dropped where that weakens.
    fn weaken(&self, t: Term, depth: u32) -> Option<Text> {
        let depth = depth.checked_sub(1)?;
        match t.kind() {
            Kind::And(ts) => {
                let kept: Vec<Text> = ts.iter().filter_map(|c| self.weaken(*c, depth)).collect();
                self.join(kept, " && ", prec::AND)
            }
            Kind::Or(ts) => {
                let all: Option<Vec<Text>> = ts.iter().map(|c| self.weaken(*c, depth)).collect();
                self.join(all?, " || ", prec::OR)
            }
            _ => self.boolean(t, depth),
        }
    }

    fn boolean(&self, t: Term, depth: u32) -> Option<Text> {
        let depth = depth.checked_sub(1)?;
        let all = |ts: &[Term]| -> Option<Vec<Text>> { ts.iter().map(|c| self.boolean(*c, depth)).collect() };
        let text = match t.kind() {
            Kind::Bool(b) => Text::new(if *b { "1" } else { "0" }, prec::PRIMARY),
            Kind::And(ts) => self.join(all(ts)?, " && ", prec::AND)?,
            Kind::Or(ts) => self.join(all(ts)?, " || ", prec::OR)?,
            Kind::Not(inner) => match inner.kind() {
                Kind::Eq(a, b) if a.sort() == Sort::Int => self.equality(*a, *b, false, depth)?,
                Kind::Eq(a, b) if a.sort() == Sort::Bool => self.equivalence(*a, *b, "!=", depth)?,
                Kind::FCmp(FCmpOp::Eq, a, b) => self.float_comparison("!=", *a, *b, depth)?,
                _ => Text::new(format!("!{}", self.boolean(*inner, depth)?.under(prec::UNARY)), prec::UNARY),
            },
            Kind::Ite(c, a, b) => {
                let (c, a, b) = (self.boolean(*c, depth)?, self.boolean(*a, depth)?, self.boolean(*b, depth)?);
                Text::new(format!("{} ? {} : {}", c.under(prec::OR), a.under(prec::COND), b.under(prec::COND)), prec::COND)
            }
            Kind::Eq(a, b) if a.sort() == Sort::Int => self.equality(*a, *b, true, depth)?,
            Kind::Eq(a, b) if a.sort() == Sort::Bool => self.equivalence(*a, *b, "==", depth)?,
            Kind::Le(a, b) => self.less_eq(*a, *b, depth)?,
            Kind::FCmp(op, a, b) => {
                let op = match op {
                    FCmpOp::Eq => "==",
                    FCmpOp::Lt => "<",
                    FCmpOp::Le => "<=",
                };
                self.float_comparison(op, *a, *b, depth)?
            }
            Kind::FTest(FTest::Nan, a) => self.float_comparison("!=", *a, *a, depth)?,
            Kind::FTest(FTest::Zero, a) => Text::new(format!("{} == 0", self.float(*a, depth)?.under(prec::REL)), prec::EQ),
            _ => return None,
        };
        (text.text.len() <= self.longest).then_some(text)
    }

    fn equivalence(&self, a: Term, b: Term, op: &str, depth: u32) -> Option<Text> {
        // Both sides are 0 or 1: comparisons, or negations that yield them.
        let (a, b) = (self.boolean(a, depth)?, self.boolean(b, depth)?);
        Some(Text::new(format!("({}) {op} ({})", a.text, b.text), prec::EQ))
    }

    fn float_comparison(&self, op: &str, a: Term, b: Term, depth: u32) -> Option<Text> {
        let level = if matches!(op, "==" | "!=") { prec::EQ } else { prec::REL };
        let (a, b) = (self.float(a, depth)?, self.float(b, depth)?);
        Some(Text::new(format!("{} {op} {}", a.under(level + 1), b.under(level + 1)), level))
    }

    fn join(&self, mut parts: Vec<Text>, op: &str, level: u8) -> Option<Text> {
        match parts.len() {
            0 => None,
            1 => parts.pop(),
            _ => {
                let text = parts.iter().map(|p| p.under(level)).collect::<Vec<_>>().join(op);
                (text.len() <= self.longest).then(|| Text::new(text, level))
            }
        }
    }
}
