//! Relations, quantified clauses and the interpretations of relations in models.

use super::ast::{Ast, Sort};
use super::context::{c_string, Context};
use super::solver::RawModel;
use z3_sys::*;

/// A reference to the declaration of a relation.
pub(crate) struct Relation {
    context: Context,
    raw: Z3_func_decl,
}

impl Relation {
    /// A relation over the given sorts.
    pub(crate) fn new(context: &Context, name: &str, domain: &[Sort]) -> Option<Relation> {
        let sorts: Vec<Z3_sort> = domain.iter().map(|s| s.raw).collect();
        // SAFETY: live handles of one context; the declaration is held as an expression.
        unsafe {
            let c = context.0.raw;
            let name = Z3_mk_string_symbol(c, c_string(name).as_ptr())?;
            let raw = Z3_mk_func_decl(c, name, sorts.len() as u32, sorts.as_ptr(), Z3_mk_bool_sort(c)?)?;
            Z3_inc_ref(c, Z3_func_decl_to_ast(c, raw)?);
            Some(Relation { context: context.clone(), raw })
        }
    }

    /// The relation holds of these expressions.
    pub(crate) fn of(&self, arguments: &[Ast]) -> Ast {
        let raw: Vec<Z3_ast> = arguments.iter().map(|a| a.raw).collect();
        // SAFETY: live handles of one context; `raw` lives over the call.
        self.context.wrap(unsafe { Z3_mk_app(self.context.0.raw, self.raw, raw.len() as u32, raw.as_ptr()) })
    }

    /// The formula that a model gives the relation, with `arguments` for its places.
    pub(crate) fn meaning(&self, model: &RawModel, arguments: &[Ast]) -> Option<Ast> {
        if arguments.is_empty() {
            return model.eval(&self.of(&[]));
        }
        // SAFETY: live handles of one context; the interpretation is held while it is read.
        unsafe {
            let c = self.context.0.raw;
            let f = Z3_model_get_func_interp(c, model.raw, self.raw)?;
            Z3_func_interp_inc_ref(c, f);
            let finite = Z3_func_interp_get_num_entries(c, f) != 0;
            let formula = Z3_func_interp_get_else(c, f).map(|a| Ast::own(&self.context, a));
            Z3_func_interp_dec_ref(c, f);
            // A table of single points is not a formula.
            let formula = formula.filter(|_| !finite)?;
            let raw: Vec<Z3_ast> = arguments.iter().map(|a| a.raw).collect();
            Z3_substitute_vars(c, formula.raw, raw.len() as u32, raw.as_ptr()).map(|a| Ast::own(&self.context, a))
        }
    }
}

impl Drop for Relation {
    fn drop(&mut self) {
        // SAFETY: gives back the reference of `new`.
        unsafe {
            if let Some(ast) = Z3_func_decl_to_ast(self.context.0.raw, self.raw) {
                Z3_dec_ref(self.context.0.raw, ast);
            }
        }
    }
}

/// For all values of the constants `bound`, `body` holds.
pub(crate) fn forall(context: &Context, bound: &[Ast], body: &Ast) -> Ast {
    if bound.is_empty() {
        return body.clone();
    }
    // SAFETY: live handles of one context, the vectors live over the call; constants are applications.
    context.wrap(unsafe {
        let apps: Option<Vec<Z3_app>> = bound.iter().map(|a| Z3_to_app(context.0.raw, a.raw)).collect();
        apps.and_then(|apps| Z3_mk_forall_const(context.0.raw, 0, apps.len() as u32, apps.as_ptr(), 0, std::ptr::null(), body.raw))
    })
}
