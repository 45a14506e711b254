//! The functions of `<math.h>` that have exact terms; the others are over-approximated.

use plumb_cfa::{InputSource, Op};
use plumb_term::{FBinOp, FCmpOp, FTest, FUnOp, Scalar, Span, Term};

use super::expr::bool_value;
use super::place::Value;
use super::scope::Entry;
use super::Lowerer;
use crate::ast::*;
use crate::lex::Fallible;
use crate::types::{FloatKind, Ty, Types};

/// Functions whose results are only known to be of their type.
const ABSTRACTED: [&str; 35] = [
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "atan2",
    "sinh",
    "cosh",
    "tanh",
    "asinh",
    "acosh",
    "atanh",
    "exp",
    "exp2",
    "expm1",
    "log",
    "log2",
    "log10",
    "log1p",
    "pow",
    "cbrt",
    "hypot",
    "erf",
    "erfc",
    "tgamma",
    "lgamma",
    "fma",
    "remainder",
    "nextafter",
    "ldexp",
    "scalbn",
    "logb",
    "exp10",
    "drem",
];

/// Functions with exact terms.
const EXACT: [&str; 18] = [
    "fabs",
    "sqrt",
    "floor",
    "ceil",
    "trunc",
    "round",
    "rint",
    "nearbyint",
    "fmod",
    "fmin",
    "fmax",
    "copysign",
    "lround",
    "llround",
    "lrint",
    "llrint",
    "fdim",
    "finite",
];

/// Whether a name is that of a function of mathematics that a call by name gives a meaning to.
pub(super) fn is_function(name: &str) -> bool {
    split_suffix(name).is_some_and(|(base, _)| EXACT.contains(&base) || ABSTRACTED.contains(&base))
        || is_class(name.trim_start_matches('_'))
}

impl<'a> Lowerer<'a> {
    pub(super) fn math_function(&mut self, name: &str, args: &'a [Expr], span: Span) -> Fallible<Option<Value>> {
        if let Some(value) = self.classification(name, args, span)? {
            return Ok(Some(value));
        }
        let (base, kind) = match split_suffix(name) {
            Some(found) => found,
            None => return Ok(None),
        };
        let ty = self.types.float(kind);
        let unary = match base {
            "fabs" => Some(FUnOp::Abs),
            "sqrt" => Some(FUnOp::Sqrt),
            "floor" => Some(FUnOp::Floor),
            "ceil" => Some(FUnOp::Ceil),
            "trunc" => Some(FUnOp::Trunc),
            "round" => Some(FUnOp::Round),
            "rint" | "nearbyint" => Some(FUnOp::Rint),
            _ => None,
        };
        if let (Some(op), [x]) = (unary, args) {
            let v = self.expr(x)?;
            let v = self.convert(&v, ty, span)?;
            let result = match op {
                FUnOp::Rint => self.rounded(v.term),
                FUnOp::Sqrt => self.nearest(Term::fun(op, v.term), span),
                _ => Term::fun(op, v.term),
            };
            return Ok(Some(Value::plain(ty, result)));
        }
        let binary = match base {
            "fmod" => Some(FBinOp::Rem),
            "fmin" => Some(FBinOp::Min),
            "fmax" => Some(FBinOp::Max),
            "copysign" => Some(FBinOp::CopySign),
            _ => None,
        };
        if let (Some(op), [_, _]) = (binary, args) {
            let values = self.evaluate_all(args)?;
            let x = self.convert(&values[0], ty, span)?;
            let y = self.convert(&values[1], ty, span)?;
            return Ok(Some(Value::plain(ty, Term::fbin(op, x.term, y.term))));
        }
        let rounding = match base {
            "lround" | "llround" => Some(FUnOp::Round),
            "lrint" | "llrint" => Some(FUnOp::Rint),
            _ => None,
        };
        if let (Some(op), [x]) = (rounding, args) {
            let v = self.expr(x)?;
            let v = self.convert(&v, ty, span)?;
            let rounded = if op == FUnOp::Rint { self.rounded(v.term) } else { Term::fun(op, v.term) };
            let rounded = Value::plain(ty, rounded);
            let result = self.types.int(if base.starts_with("ll") { crate::types::IntKind::LLong } else { crate::types::IntKind::Long });
            return self.integral_or_any(&rounded, result, name, span).map(Some);
        }
        if let ("fdim", [_, _]) = (base, args) {
            let values = self.evaluate_all(args)?;
            let (x, y) = (self.convert(&values[0], ty, span)?.term, self.convert(&values[1], ty, span)?.term);
            let difference = self.nearest(Term::fbin(FBinOp::Sub, x, y), span);
            // A NaN compares false, and its difference is NaN.
            return Ok(Some(Value::plain(ty, Term::ite(Term::fcmp(FCmpOp::Le, x, y), self.zero(ty), difference))));
        }
        if ABSTRACTED.contains(&base) && !args.is_empty() {
            self.evaluate_all(args)?;
            if self.cx.unevaluated > 0 {
                return Ok(Some(self.dummy(ty)));
            }
            return Ok(Some(self.havoc(ty, InputSource::Abstracted(name.to_owned()))));
        }
        Ok(None)
    }

    /// `isnan` and its like, also under their names in glibc.
    fn classification(&mut self, name: &str, args: &'a [Expr], span: Span) -> Fallible<Option<Value>> {
        let base = name.trim_start_matches('_');
        let base = base.strip_suffix(['f', 'l']).filter(|b| is_class(b)).unwrap_or(base);
        match (base, args) {
            ("isnan" | "isinf" | "isfinite" | "finite" | "isnormal" | "signbit" | "isinf_sign", [x]) => {
                let x = self.float_operand(x, span)?;
                let test = |t| Term::ftest(t, x);
                Ok(Some(match base {
                    "isnan" => bool_value(test(FTest::Nan)),
                    "isinf" if !name.starts_with("__") => bool_value(test(FTest::Infinite)),
                    "isinf" | "isinf_sign" => {
                        let sign = Term::ite(test(FTest::SignBit), Term::int(-1), Term::int(1));
                        Value::plain(Types::INT, Term::ite(test(FTest::Infinite), sign, Term::int(0)))
                    }
                    "isnormal" => bool_value(test(FTest::Normal)),
                    "signbit" => self.some_nonzero(test(FTest::SignBit), name)?,
                    _ => bool_value(test(FTest::Nan).or(test(FTest::Infinite)).not()),
                }))
            }
            // `fpclassify` as glibc's function numbers the classes: NaN 0, infinite 1, zero 2, subnormal 3, normal 4.
            ("fpclassify", [x]) => {
                let x = self.float_operand(x, span)?;
                let numbers = [0, 1, 4, 3, 2].map(|n| Value::plain(Types::INT, Term::int(n)));
                Ok(Some(classify(x, &numbers)))
            }
            ("fpclassify", [_, _, _, _, _, x]) => {
                let x = self.float_operand(x, span)?;
                let mut numbers = [self.int_zero(); 5];
                for (slot, e) in numbers.iter_mut().zip(args) {
                    *slot = self.expr(e)?;
                }
                Ok(Some(classify(x, &numbers)))
            }
            ("isgreater" | "isgreaterequal" | "isless" | "islessequal" | "islessgreater" | "isunordered", [_, _]) => {
                let values = self.evaluate_all(args)?;
                let ty = self.types.usual(values[0].ty, values[1].ty);
                let ty = if self.types.is_float(ty) { ty } else { Types::DOUBLE };
                let (x, y) = (self.convert(&values[0], ty, span)?.term, self.convert(&values[1], ty, span)?.term);
                let less = |a, b| Term::fcmp(FCmpOp::Lt, a, b);
                Ok(Some(bool_value(match base {
                    "isgreater" => less(y, x),
                    "isgreaterequal" => Term::fcmp(FCmpOp::Le, y, x),
                    "isless" => less(x, y),
                    "islessequal" => Term::fcmp(FCmpOp::Le, x, y),
                    "islessgreater" => less(x, y).or(less(y, x)),
                    _ => Term::ftest(FTest::Nan, x).or(Term::ftest(FTest::Nan, y)),
                })))
            }
            _ => Ok(None),
        }
    }

    /// The condition of `signbit(x)` where nothing but its truth counts.
    pub(super) fn sign_test(&mut self, e: &'a Expr) -> Fallible<Option<Term>> {
        let ExprKind::Call { callee, args, .. } = &e.kind else { return Ok(None) };
        let (ExprKind::Ident(symbol), [x]) = (&callee.kind, &args[..]) else { return Ok(None) };
        let name = self.name(*symbol);
        let plain = name.strip_prefix("__builtin_").unwrap_or(name).trim_start_matches('_');
        let own = match self.lookup(*symbol) {
            Some(Entry::Func(f)) => self.funcs[f].def.is_some() || self.is_foreign(f),
            entry => entry.is_some(),
        };
        if own || !matches!(plain, "signbit" | "signbitf" | "signbitl") {
            return Ok(None);
        }
        let x = self.float_operand(x, e.span)?;
        Ok(Some(Term::ftest(FTest::SignBit, x)))
    }

    /// The same of `signbit(x) == 0` and `signbit(x) != 0`.
    pub(super) fn sign_compared(&mut self, op: BinaryOp, lhs: &'a Expr, rhs: &'a Expr) -> Fallible<Option<Term>> {
        let with_zero = matches!(op, BinaryOp::Eq | BinaryOp::Ne) && matches!(&rhs.kind, ExprKind::Int(c) if c.value == 0);
        if !with_zero {
            return Ok(None);
        }
        let test = self.sign_test(lhs)?;
        Ok(test.map(|t| if op == BinaryOp::Eq { t.not() } else { t }))
    }

    /// Zero, or where the condition holds any other number: C says no more.
    fn some_nonzero(&mut self, holds: Term, name: &str) -> Fallible<Value> {
        if self.cx.unevaluated > 0 {
            return Ok(bool_value(holds));
        }
        let result = self.temp(Types::INT);
        let end = self.cx.new_loc();
        let (yes, no) = self.fork(holds);
        self.cx.edge(no, end, Op::Assign(vec![(result, Term::int(0))]));
        self.cx.cur = yes;
        let number = self.havoc(Types::INT, InputSource::Abstracted(name.to_owned()));
        let number = Term::ite(number.term.equals(Term::int(0)), Term::int(1), number.term);
        let from = self.cx.cur;
        self.cx.edge(from, end, Op::Assign(vec![(result, number)]));
        self.cx.cur = end;
        Ok(self.read_var(result, Types::INT))
    }

    fn float_operand(&mut self, x: &'a Expr, span: Span) -> Fallible<Term> {
        let v = self.expr(x)?;
        let ty: Ty = match self.types.scalar(v.ty) {
            Some(Scalar::Float(_)) => v.ty,
            _ => Types::DOUBLE,
        };
        Ok(self.convert(&v, ty, span)?.term)
    }
}

fn is_class(name: &str) -> bool {
    matches!(name, "isnan" | "isinf" | "isfinite" | "finite" | "isnormal" | "signbit" | "fpclassify")
}

/// Numbers for NaN, infinite, normal, subnormal and zero.
fn classify(x: Term, numbers: &[Value; 5]) -> Value {
    let test = |t| Term::ftest(t, x);
    let [nan, infinite, normal, subnormal, zero] = numbers.map(|v| v.term);
    let finite = Term::ite(test(FTest::Zero), zero, Term::ite(test(FTest::Subnormal), subnormal, normal));
    Value::plain(Types::INT, Term::ite(test(FTest::Nan), nan, Term::ite(test(FTest::Infinite), infinite, finite)))
}

/// The function for `double` and the type that the suffix `f` or `l` selects.
fn split_suffix(name: &str) -> Option<(&str, FloatKind)> {
    const EXACT: [&str; 16] = [
        "fabs",
        "sqrt",
        "floor",
        "ceil",
        "trunc",
        "round",
        "rint",
        "nearbyint",
        "fmod",
        "fmin",
        "fmax",
        "copysign",
        "fdim",
        "lround",
        "llround",
        "lrint",
    ];
    let known = |n: &str| EXACT.contains(&n) || n == "llrint" || ABSTRACTED.contains(&n);
    if known(name) {
        return Some((name, FloatKind::Double));
    }
    let base = name.get(..name.len().checked_sub(1)?)?;
    match name.as_bytes().last() {
        Some(b'f') if known(base) => Some((base, FloatKind::Float)),
        Some(b'l') if known(base) => Some((base, FloatKind::LongDouble)),
        _ => None,
    }
}
