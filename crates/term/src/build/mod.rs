//! The constructors of terms. Each normalises a little and cheaply: constants fold, linear forms and comparisons take a
//! canonical shape, idle wraps vanish. Every rule preserves the value under every assignment; the property tests in
//! `tests/` compare each constructor with the evaluator's definition.

mod boolean;
mod compare;
mod float;
mod int;
pub mod linear;
mod memory;

use crate::node::{Kind, Term};
use crate::ty::{Var, VarId, VarTy};
use dashu_int::IBig;

impl Term {
    /// A truth value.
    pub fn bool(b: bool) -> Term {
        Term::intern(Kind::Bool(b))
    }

    /// The true term.
    pub fn tt() -> Term {
        Term::bool(true)
    }

    /// The false term.
    pub fn ff() -> Term {
        Term::bool(false)
    }

    /// An integer constant.
    pub fn int(v: impl Into<IBig>) -> Term {
        Term::intern(Kind::Int(v.into()))
    }

    /// A variable.
    pub fn var(v: Var) -> Term {
        Term::intern(Kind::Var(v))
    }

    /// The current-state variable `id` of type `ty`.
    pub fn program_var(id: VarId, ty: VarTy) -> Term {
        Term::var(Var::new(id, ty))
    }

    /// The constant truth value, if it is one.
    pub fn as_bool(self) -> Option<bool> {
        match self.kind() {
            Kind::Bool(b) => Some(*b),
            _ => None,
        }
    }

    /// The constant integer, if it is one.
    pub fn as_int(self) -> Option<&'static IBig> {
        match self.kind() {
            Kind::Int(v) => Some(v),
            _ => None,
        }
    }

    /// The constant integer as `i128`, if it is one and fits.
    pub fn as_i128(self) -> Option<i128> {
        self.as_int().and_then(|v| i128::try_from(v).ok())
    }

    /// The variable, if it is one.
    pub fn as_var(self) -> Option<Var> {
        match self.kind() {
            Kind::Var(v) => Some(*v),
            _ => None,
        }
    }

    /// Whether this is the constant true.
    pub fn is_true(self) -> bool {
        self.as_bool() == Some(true)
    }

    /// Whether this is the constant false.
    pub fn is_false(self) -> bool {
        self.as_bool() == Some(false)
    }

    /// `c ? a : b` on any sort.
    pub fn ite(c: Term, a: Term, b: Term) -> Term {
        if let Some(c) = c.as_bool() {
            return if c { a } else { b };
        }
        if a == b {
            return a;
        }
        if let Kind::Not(n) = c.kind() {
            return Term::ite(*n, b, a);
        }
        match (a.as_bool(), b.as_bool()) {
            (Some(true), _) => return c.or(b),
            (Some(false), _) => return c.not().and(b),
            (_, Some(true)) => return c.not().or(a),
            (_, Some(false)) => return c.and(a),
            _ => {}
        }
        let a = match a.kind() {
            Kind::Ite(d, x, _) if *d == c => *x,
            _ => a,
        };
        let b = match b.kind() {
            Kind::Ite(d, _, y) if *d == c => *y,
            _ => b,
        };
        if a == b {
            return a;
        }
        Term::intern(Kind::Ite(c, a, b))
    }
}
