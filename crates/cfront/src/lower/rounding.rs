//! The rounding mode of `<fenv.h>`.
//!
//! Terms round to nearest even. A program that calls `fesetround` gets a hidden variable for the mode, with the numbers of x86: the functions that
//! round to an integral value, whose result in each direction is an operator of its own, choose by it, and any other operation that rounds is
//! unsupported in another mode than the first. What a compiler folds counts as folded in that one.

use plumb_cfa::{Op, VarKind};
use plumb_term::{FUnOp, FloatTy, IntTy, Scalar, Span, Term, VarTy};

use super::place::Value;
use super::Lowerer;
use crate::ast::*;
use crate::lex::Fallible;
use crate::types::Types;

/// The modes, and what `rint` is in each.
const MODES: [(i32, FUnOp); 4] = [(0, FUnOp::Rint), (0x400, FUnOp::Floor), (0x800, FUnOp::Ceil), (0xc00, FUnOp::Trunc)];

impl<'a> Lowerer<'a> {
    /// Makes the variable if the program calls `fesetround`.
    pub(super) fn expect_rounding(&mut self) {
        let Some(setter) = self.names.get("fesetround") else { return };
        if self.units.iter().any(|u| u.scan.mentions.values().any(|m| m.called.contains(&setter))) {
            let ty = VarTy::Scalar(Scalar::Int(IntTy::I32));
            self.rounding = Some(self.new_global_var("<rounding mode>".to_owned(), "int", ty, VarKind::Temp, Span::NONE));
        }
    }

    /// A program begins in the mode to nearest.
    pub(super) fn start_rounding(&mut self) {
        if let Some(mode) = self.rounding {
            self.cx.emit(Op::Assign(vec![(mode, Term::int(0))]));
        }
    }

    /// `fegetround` and `fesetround`.
    pub(super) fn rounding_function(&mut self, name: &str, args: &'a [Expr], span: Span) -> Fallible<Option<Value>> {
        match (name, args, self.rounding) {
            ("fegetround", [], None) => Ok(Some(self.int_zero())),
            ("fegetround", [], Some(mode)) => Ok(Some(Value::plain(Types::INT, self.term(mode)))),
            ("fesetround", [to], Some(mode)) => {
                let to = self.expr(to)?;
                let to = self.convert(&to, Types::INT, span)?.term;
                let known = Term::any(MODES.iter().map(|m| to.equals(Term::int(m.0))));
                if self.cx.unevaluated == 0 {
                    self.cx.emit(Op::Assign(vec![(mode, Term::ite(known, to, self.term(mode)))]));
                }
                Ok(Some(Value::plain(Types::INT, Term::ite(known, Term::int(0), Term::int(1)))))
            }
            _ => Ok(None),
        }
    }

    /// `rint` of a float in the mode of the moment.
    pub(super) fn rounded(&self, x: Term) -> Term {
        let Some(mode) = self.rounding else { return Term::fun(FUnOp::Rint, x) };
        let mode = self.term(mode);
        let [first, rest @ ..] = MODES;
        rest.iter().fold(Term::fun(first.1, x), |otherwise, (m, op)| Term::ite(mode.equals(Term::int(*m)), Term::fun(*op, x), otherwise))
    }

    /// The result of an operation that rounds: only the mode to nearest is followed.
    pub(super) fn nearest(&mut self, result: Term, span: Span) -> Term {
        if let (Some(mode), 0, None) = (self.rounding, self.cx.unevaluated, result.as_float()) {
            let nearest = self.term(mode).equals(Term::int(0));
            let (before, after) = (self.cx.cur, self.cx.new_loc());
            self.cx.edge(before, after, Op::Assume(nearest));
            self.cx.emit(Op::Assume(nearest.not()));
            self.unsupported(span, "arithmetic in another rounding mode than to nearest");
            self.cx.cur = after;
        }
        result
    }

    /// Whether every value of a scalar type is one of a format.
    pub(super) fn is_exact(from: Scalar, to: FloatTy) -> bool {
        match from {
            Scalar::Int(t) => u32::from(t.bits) <= to.precision(),
            Scalar::Float(f) => f.precision() <= to.precision(),
        }
    }
}
