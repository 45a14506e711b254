//! Formulas.

use super::{unencodable, Built, Encoder, Encoding, Stop, Task};
use crate::bounds::{bit_len, Interval, MAX_BITS};
use crate::ffi::Ast;
use plumb_term::{FCmpOp, IBig, Kind, Sort, Term};

impl Encoder {
    pub(super) fn build_bool(&mut self, t: Term) -> Built {
        use Kind::*;
        match t.kind() {
            Bool(b) => Ok(self.context.bool(*b)),
            Var(v) => Ok(self.symbol(*v)),
            Not(a) => Ok(self.need(Task::Bool(*a))?.not()),
            And(ts) => Ok(Ast::and(&self.context.clone(), &self.needs(ts.iter().map(|t| Task::Bool(*t)))?)),
            Or(ts) => Ok(Ast::or(&self.context.clone(), &self.needs(ts.iter().map(|t| Task::Bool(*t)))?)),
            Ite(c, a, b) => {
                let (c, a, b) = self.need3(Task::Bool(*c), Task::Bool(*a), Task::Bool(*b))?;
                Ok(c.ite(&a, &b))
            }
            Eq(a, b) => self.build_eq(*a, *b),
            Le(a, b) => match self.encoding {
                Encoding::Int => {
                    let (a, b) = self.need2(Task::Int(*a), Task::Int(*b))?;
                    Ok(a.le(&b))
                }
                Encoding::Bits { .. } => self.build_le(*a, *b),
            },
            FCmp(op, a, b) => {
                let (a, b) = self.need2(Task::Fp(*a), Task::Fp(*b))?;
                Ok(match op {
                    FCmpOp::Eq => a.fp_eq(&b),
                    FCmpOp::Lt => a.fp_lt(&b),
                    FCmpOp::Le => a.fp_le(&b),
                })
            }
            FTest(test, a) => self.build_ftest(*test, *a),
            _ => unencodable("a formula was expected"),
        }
    }

    fn build_eq(&mut self, a: Term, b: Term) -> Built {
        let view = match a.sort() {
            Sort::Bool => Task::Bool,
            Sort::Float(_) => Task::Pattern,
            Sort::Mem(cell) => {
                let (x, y) = self.need2(Task::Mem(a), Task::Mem(b))?;
                let same = x.equals(&y);
                if self.encoding == Encoding::Int {
                    self.difference(&x, &y, &same, cell);
                }
                return Ok(same);
            }
            Sort::Int => match self.encoding {
                Encoding::Int => Task::Int,
                Encoding::Bits { .. } => {
                    let w = self.distinguishing_width(a, b)?;
                    let (a, b) = self.need2(Task::Bv(a, w), Task::Bv(b, w))?;
                    return Ok(a.equals(&b));
                }
            },
        };
        let (a, b) = self.need2(view(a), view(b))?;
        Ok(a.equals(&b))
    }

    /// A width modulo which the two differ exactly if they differ.
    fn distinguishing_width(&mut self, a: Term, b: Term) -> Result<u32, Stop> {
        let (a, b) = (self.interval(a)?, self.interval(b)?);
        let gap = (&a.hi - &b.lo).max(&b.hi - &a.lo).max(IBig::ONE);
        Ok(bit_len(&gap))
    }

    /// The interval of a term, or the reason why it has no width.
    pub(super) fn interval(&mut self, t: Term) -> Result<Interval, Stop> {
        match self.bounds(t) {
            Some(i) => Ok(i),
            None => unencodable(format!("an integer without bounds within {MAX_BITS} bits")),
        }
    }

    /// `a ≤ b` as a comparison of bit-vectors, strict when one side carries the 1.
    fn build_le(&mut self, a: Term, b: Term) -> Built {
        // a ≤ b' − 1 and a' + 1 ≤ b need no bit more than a < b' and a' < b.
        if let Some(b) = without(b, &IBig::NEG_ONE) {
            return self.compare(a, b, true);
        }
        if let Some(a) = without(a, &IBig::ONE) {
            return self.compare(a, b, true);
        }
        self.compare(a, b, false)
    }

    fn compare(&mut self, a: Term, b: Term, strict: bool) -> Built {
        let (i, j) = (self.interval(a)?, self.interval(b)?);
        let unsigned = i.is_nonneg() && j.is_nonneg();
        let w = if unsigned { i.width().max(j.width()) } else { i.signed_width().max(j.signed_width()) };
        let (a, b) = self.need2(Task::Bv(a, w), Task::Bv(b, w))?;
        Ok(match (unsigned, strict) {
            (true, true) => a.bvult(&b),
            (true, false) => a.bvule(&b),
            (false, true) => a.bvslt(&b),
            (false, false) => a.bvsle(&b),
        })
    }
}

/// `t − constant`, if `t` is a linear form with this constant.
fn without(t: Term, constant: &IBig) -> Option<Term> {
    match t.kind() {
        Kind::Lin(lin) if lin.constant == *constant => Some(t.sub(Term::int(constant.clone()))),
        _ => None,
    }
}
