//! Expressions and sorts.

use super::context::{from_c, Context};
use dashu_int::IBig;
use z3_sys::*;

/// A reference to a sort.
pub(crate) struct Sort {
    context: Context,
    pub(super) raw: Z3_sort,
}

impl Sort {
    pub(super) fn own(context: &Context, raw: Z3_sort) -> Sort {
        // SAFETY: `raw` is a sort of this context; `drop` gives the reference back.
        unsafe { Z3_inc_ref(context.0.raw, Z3_sort_to_ast(context.0.raw, raw).unwrap_or(raw.cast())) };
        Sort { context: context.clone(), raw }
    }
}

impl Drop for Sort {
    fn drop(&mut self) {
        // SAFETY: see `own`.
        unsafe { Z3_dec_ref(self.context.0.raw, Z3_sort_to_ast(self.context.0.raw, self.raw).unwrap_or(self.raw.cast())) };
    }
}

/// A reference to an expression of any sort.
pub(crate) struct Ast {
    pub(super) context: Context,
    pub(super) raw: Z3_ast,
}

impl Clone for Ast {
    fn clone(&self) -> Ast {
        Ast::own(&self.context, self.raw)
    }
}

impl Drop for Ast {
    fn drop(&mut self) {
        // SAFETY: see `own`.
        unsafe { Z3_dec_ref(self.context.0.raw, self.raw) };
    }
}

impl PartialEq for Ast {
    fn eq(&self, o: &Ast) -> bool {
        // Z3 shares expressions within a context.
        self.raw == o.raw
    }
}
impl Eq for Ast {}

impl std::fmt::Debug for Ast {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // SAFETY: a live handle; the string is copied at once.
        f.write_str(&from_c(unsafe { Z3_ast_to_string(self.context.0.raw, self.raw) }))
    }
}

macro_rules! operators {
    ($($(#[$doc:meta])* $name:ident($($arg:ident),*) = $f:ident;)*) => {
        $($(#[$doc])* pub(crate) fn $name(&self $(, $arg: &Ast)*) -> Ast {
            // SAFETY: live handles of one context.
            self.context.wrap(unsafe { $f(self.context.0.raw, self.raw $(, $arg.raw)*) })
        })*
    };
}

macro_rules! indexed {
    ($($name:ident = $f:ident;)*) => {
        $(pub(crate) fn $name(&self, n: u32) -> Ast {
            // SAFETY: live handles of one context.
            self.context.wrap(unsafe { $f(self.context.0.raw, n, self.raw) })
        })*
    };
}

macro_rules! listed {
    ($($name:ident = $f:ident;)*) => {
        $(pub(crate) fn $name(context: &Context, list: &[Ast]) -> Ast {
            let raw: Vec<Z3_ast> = list.iter().map(|a| a.raw).collect();
            // SAFETY: live handles of one context, `raw` lives over the call.
            context.wrap(unsafe { $f(context.0.raw, raw.len() as u32, raw.as_ptr()) })
        })*
    };
}

/// Rounding with a direction.
macro_rules! rounded {
    ($($name:ident($($arg:ident),*) = $f:ident;)*) => {
        $(pub(crate) fn $name(&self, direction: &Ast $(, $arg: &Ast)*) -> Ast {
            // SAFETY: live handles of one context.
            self.context.wrap(unsafe { $f(self.context.0.raw, direction.raw, self.raw $(, $arg.raw)*) })
        })*
    };
}

impl Ast {
    pub(super) fn own(context: &Context, raw: Z3_ast) -> Ast {
        // SAFETY: `raw` is an expression of this context; `drop` gives the reference back.
        unsafe { Z3_inc_ref(context.0.raw, raw) };
        Ast { context: context.clone(), raw }
    }

    operators! {
        not() = Z3_mk_not;
        equals(o) = Z3_mk_eq;
        implies(o) = Z3_mk_implies;
        ite(a, b) = Z3_mk_ite;
        le(o) = Z3_mk_le;
        lt(o) = Z3_mk_lt;
        neg() = Z3_mk_unary_minus;
        /// Euclidean: the remainder is never negative.
        div(o) = Z3_mk_div;
        modulo(o) = Z3_mk_mod;
        bvneg() = Z3_mk_bvneg;
        bvand(o) = Z3_mk_bvand;
        bvor(o) = Z3_mk_bvor;
        bvxor(o) = Z3_mk_bvxor;
        bvadd(o) = Z3_mk_bvadd;
        bvsub(o) = Z3_mk_bvsub;
        bvmul(o) = Z3_mk_bvmul;
        bvudiv(o) = Z3_mk_bvudiv;
        bvsdiv(o) = Z3_mk_bvsdiv;
        bvurem(o) = Z3_mk_bvurem;
        bvsrem(o) = Z3_mk_bvsrem;
        bvult(o) = Z3_mk_bvult;
        bvule(o) = Z3_mk_bvule;
        bvslt(o) = Z3_mk_bvslt;
        bvsle(o) = Z3_mk_bvsle;
        bvshl(o) = Z3_mk_bvshl;
        bvlshr(o) = Z3_mk_bvlshr;
        bvashr(o) = Z3_mk_bvashr;
        concat(o) = Z3_mk_concat;
        select(at) = Z3_mk_select;
        store(at, value) = Z3_mk_store;
        fp_neg() = Z3_mk_fpa_neg;
        fp_abs() = Z3_mk_fpa_abs;
        fp_eq(o) = Z3_mk_fpa_eq;
        fp_lt(o) = Z3_mk_fpa_lt;
        fp_le(o) = Z3_mk_fpa_leq;
        fp_is_nan() = Z3_mk_fpa_is_nan;
        fp_is_infinite() = Z3_mk_fpa_is_infinite;
        fp_is_normal() = Z3_mk_fpa_is_normal;
        fp_is_subnormal() = Z3_mk_fpa_is_subnormal;
        fp_is_zero() = Z3_mk_fpa_is_zero;
        /// The interchange format; any pattern for NaN.
        fp_pattern() = Z3_mk_fpa_to_ieee_bv;
        simplify() = Z3_simplify;
    }

    indexed! {
        sign_extend = Z3_mk_sign_ext;
        zero_extend = Z3_mk_zero_ext;
        int_to_bv = Z3_mk_int2bv;
    }

    listed! {
        and = Z3_mk_and;
        or = Z3_mk_or;
        add = Z3_mk_add;
        mul = Z3_mk_mul;
    }

    rounded! {
        fp_add(o) = Z3_mk_fpa_add;
        fp_sub(o) = Z3_mk_fpa_sub;
        fp_mul(o) = Z3_mk_fpa_mul;
        fp_div(o) = Z3_mk_fpa_div;
        fp_sqrt() = Z3_mk_fpa_sqrt;
        fp_round() = Z3_mk_fpa_round_to_integral;
    }

    /// Bits `high` to `low`.
    pub(crate) fn extract(&self, high: u32, low: u32) -> Ast {
        // SAFETY: a live handle.
        self.context.wrap(unsafe { Z3_mk_extract(self.context.0.raw, high, low, self.raw) })
    }

    /// The number that the bits stand for.
    pub(crate) fn bv_to_int(&self, signed: bool) -> Ast {
        // SAFETY: a live handle.
        self.context.wrap(unsafe { Z3_mk_bv2int(self.context.0.raw, self.raw, signed) })
    }

    /// The float with this interchange pattern.
    pub(crate) fn pattern_to_fp(&self, sort: &Sort) -> Ast {
        // SAFETY: live handles of one context.
        self.context.wrap(unsafe { Z3_mk_fpa_to_fp_bv(self.context.0.raw, self.raw, sort.raw) })
    }

    /// The float nearest to the number that the bits stand for.
    pub(crate) fn bv_to_fp(&self, signed: bool, direction: &Ast, sort: &Sort) -> Ast {
        let f = if signed { Z3_mk_fpa_to_fp_signed } else { Z3_mk_fpa_to_fp_unsigned };
        // SAFETY: live handles of one context.
        self.context.wrap(unsafe { f(self.context.0.raw, direction.raw, self.raw, sort.raw) })
    }

    /// The float of another format.
    pub(crate) fn fp_to_fp(&self, direction: &Ast, sort: &Sort) -> Ast {
        // SAFETY: live handles of one context.
        self.context.wrap(unsafe { Z3_mk_fpa_to_fp_float(self.context.0.raw, direction.raw, self.raw, sort.raw) })
    }

    /// The integer near a float, unspecified when it does not fit.
    pub(crate) fn fp_to_bv(&self, signed: bool, direction: &Ast, w: u32) -> Ast {
        let f = if signed { Z3_mk_fpa_to_sbv } else { Z3_mk_fpa_to_ubv };
        // SAFETY: live handles of one context.
        self.context.wrap(unsafe { f(self.context.0.raw, direction.raw, self.raw, w) })
    }

    /// The array that is this value everywhere.
    pub(crate) fn constant_array(&self, domain: &Sort) -> Ast {
        // SAFETY: live handles of one context.
        self.context.wrap(unsafe { Z3_mk_const_array(self.context.0.raw, domain.raw, self.raw) })
    }

    /// `λ bound. self`.
    pub(crate) fn lambda(&self, bound: &Ast) -> Ast {
        // SAFETY: live handles of one context; `bound` is a constant, hence an application.
        let bound = unsafe { Z3_to_app(self.context.0.raw, bound.raw) };
        self.context.wrap(bound.and_then(|b| unsafe { Z3_mk_lambda_const(self.context.0.raw, 1, &b, self.raw) }))
    }

    /// `∃ bound. self`, for constants `bound`.
    pub(crate) fn exists(&self, bound: &[Ast]) -> Ast {
        if bound.is_empty() {
            return self.clone();
        }
        // SAFETY: live handles of one context; constants are applications.
        let apps: Vec<Z3_app> = bound.iter().filter_map(|b| unsafe { Z3_to_app(self.context.0.raw, b.raw) }).collect();
        self.context
            .wrap(unsafe { Z3_mk_exists_const(self.context.0.raw, 0, apps.len() as u32, apps.as_ptr(), 0, std::ptr::null(), self.raw) })
    }

    /// The operator of an application.
    pub(crate) fn operator(&self) -> Option<DeclKind> {
        // SAFETY: a live handle, asked for its kind before it is taken as an application.
        unsafe {
            let c = self.context.0.raw;
            match Z3_get_ast_kind(c, self.raw) {
                AstKind::Numeral | AstKind::App => Some(Z3_get_decl_kind(c, Z3_get_app_decl(c, Z3_to_app(c, self.raw)?)?)),
                _ => None,
            }
        }
    }

    /// Whether this is a `λ`.
    pub(crate) fn is_lambda(&self) -> bool {
        // SAFETY: a live handle.
        unsafe { Z3_get_ast_kind(self.context.0.raw, self.raw) == AstKind::Quantifier && Z3_is_lambda(self.context.0.raw, self.raw) }
    }

    /// The body of a quantifier or lambda with its one variable (number 0) replaced.
    pub(crate) fn apply(&self, argument: &Ast) -> Ast {
        // SAFETY: live handles of one context.
        let c = self.context.0.raw;
        let body = unsafe { Z3_get_quantifier_body(c, self.raw) };
        self.context.wrap(body.and_then(|b| unsafe { Z3_substitute_vars(c, b, 1, &argument.raw) }))
    }

    /// The operands of an application; empty for anything else.
    pub(crate) fn operands(&self) -> Vec<Ast> {
        if self.operator().is_none() {
            return Vec::new();
        }
        // SAFETY: a live handle of an application, indices below its arity.
        unsafe {
            let c = self.context.0.raw;
            let Some(app) = Z3_to_app(c, self.raw) else { return Vec::new() };
            (0..Z3_get_app_num_args(c, app)).map(|i| self.context.wrap(Z3_get_app_arg(c, app, i))).collect()
        }
    }

    /// The value of an integer or (unsigned) bit-vector numeral.
    pub(crate) fn as_numeral(&self) -> Option<IBig> {
        // SAFETY: a live handle; the string is copied at once.
        unsafe {
            if !Z3_is_numeral_ast(self.context.0.raw, self.raw) {
                return None;
            }
            from_c(Z3_get_numeral_string(self.context.0.raw, self.raw)).parse().ok()
        }
    }

    /// The sort.
    pub(crate) fn sort(&self) -> Sort {
        // SAFETY: a live handle.
        self.context.wrap_sort(unsafe { Z3_get_sort(self.context.0.raw, self.raw) })
    }

    /// Whether the sort is the integers.
    pub(crate) fn is_int(&self) -> bool {
        // SAFETY: a live handle.
        unsafe {
            let c = self.context.0.raw;
            Z3_get_sort(c, self.raw).is_some_and(|s| Z3_get_sort_kind(c, s) == SortKind::Int)
        }
    }

    /// Whether this is an array given by a function table.
    pub(crate) fn is_as_array(&self) -> bool {
        // SAFETY: a live handle.
        unsafe { Z3_is_as_array(self.context.0.raw, self.raw) }
    }

    /// A number that tells expressions of one context apart while they live.
    pub(crate) fn key(&self) -> usize {
        self.raw.as_ptr() as usize
    }

    /// The context.
    pub(crate) fn context(&self) -> &Context {
        &self.context
    }
}

macro_rules! directions {
    ($($name:ident = $f:ident;)*) => {
        $(pub(crate) fn $name(&self) -> Ast {
            // SAFETY: no arguments but the context.
            self.wrap(unsafe { $f(self.0.raw) })
        })*
    };
}

impl Context {
    directions! {
        nearest_even = Z3_mk_fpa_rne;
        nearest_away = Z3_mk_fpa_rna;
        toward_zero = Z3_mk_fpa_rtz;
        upward = Z3_mk_fpa_rtp;
        downward = Z3_mk_fpa_rtn;
    }
}
