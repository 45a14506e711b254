//! Comparisons of integer terms in C, without overflow and with the right signedness.

use super::int::CInt;
use super::{prec, Printer, Text};
use plumb_term::linear::Sum;
use plumb_term::{IBig, IntTy, Term};

impl Printer<'_> {
    /// `a ≤ b`.
    pub(super) fn less_eq(&self, a: Term, b: Term, depth: u32) -> Option<Text> {
        if let Some(text) = self.pointer_bound(a, b) {
            return Some(text);
        }
        // `x ≤ y − 1` is `x < y`, and `x + 1 ≤ y` never arises: constants stand on the right.
        let (constant, parts) = Sum::of(b).parts();
        if !parts.is_empty() && constant == IBig::NEG_ONE && !is_constant(a) {
            return self.compare("<", a, b.plus(1), depth);
        }
        if is_constant(a) {
            return self.compare(">=", b, a, depth);
        }
        self.compare("<=", a, b, depth)
    }

    /// `a = b` or `a ≠ b`.
    pub(super) fn equality(&self, a: Term, b: Term, equal: bool, depth: u32) -> Option<Text> {
        let op = if equal { "==" } else { "!=" };
        for (p, q) in [(a, b), (b, a)] {
            if self.is_pointer(p) {
                let right = if is_zero(q) { "0".to_owned() } else { self.pointer_text(q)? };
                return Some(Text::new(format!("{} {op} {right}", self.leaf(p)?), prec::EQ));
            }
        }
        if is_constant(a) {
            return self.compare(op, b, a, depth);
        }
        self.compare(op, a, b, depth)
    }

    /// Bounds of pointers make sense only as tests for null.
    fn pointer_bound(&self, a: Term, b: Term) -> Option<Text> {
        if self.is_pointer(b) && a.as_i128() == Some(1) {
            return Some(Text::new(format!("{} != 0", self.leaf(b)?), prec::EQ));
        }
        None
    }

    fn pointer_text(&self, t: Term) -> Option<String> {
        if self.is_pointer(t) {
            return self.leaf(t);
        }
        let addr = u64::try_from(t.as_int()?).ok()?;
        let object = self.scopes.program().object_at(addr)?;
        (object.addr == addr && self.scopes.object(object, self.func, self.at)).then(|| format!("(void *)&{}", object.name))
    }

    fn compare(&self, op: &str, a: Term, b: Term, depth: u32) -> Option<Text> {
        let level = if matches!(op, "==" | "!=") { prec::EQ } else { prec::REL };
        let (x, y) = (self.int(a, depth)?, self.int(b, depth)?);
        let plain = |x: &CInt, y: &CInt| Text::new(format!("{} {op} {}", x.text.under(level + 1), y.text.under(level + 1)), level);
        if self.ideal || converts(&x, &y) {
            return Some(plain(&x, &y));
        }
        let nonneg = |t: Term| t.range().lo.is_some_and(|l| l >= 0);
        // The conversion to an unsigned type keeps a value that is not negative.
        if (x.ty.signed && nonneg(a)) || (y.ty.signed && nonneg(b)) {
            return Some(plain(&x, &y));
        }
        if x.ty.bits.max(y.ty.bits) == 32 {
            return Some(plain(&x.to(IntTy::I64), &y));
        }
        // Signed against 64-bit unsigned: decide negative values first.
        let signed = if x.ty.signed { &x } else { &y };
        let s = signed.text.under(prec::REL + 1);
        let body = plain(&x, &y);
        let true_if_negative = match op {
            "!=" => true,
            "<" | "<=" => x.ty.signed,
            ">" | ">=" => y.ty.signed,
            _ => false,
        };
        Some(if true_if_negative {
            Text::new(format!("{s} < 0 || {}", body.under(prec::OR)), prec::OR)
        } else {
            Text::new(format!("{s} >= 0 && {}", body.under(prec::AND)), prec::AND)
        })
    }
}

fn is_constant(t: Term) -> bool {
    t.as_int().is_some()
}

fn is_zero(t: Term) -> bool {
    t.as_i128() == Some(0)
}

/// Whether the usual arithmetic conversions keep both values.
fn converts(x: &CInt, y: &CInt) -> bool {
    x.ty.signed == y.ty.signed || (x.ty.signed && x.ty.bits > y.ty.bits) || (y.ty.signed && y.ty.bits > x.ty.bits)
}
