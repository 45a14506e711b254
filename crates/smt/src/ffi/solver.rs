//! Solvers, models and tactics.

use super::ast::Ast;
use super::context::{c_string, from_c, Context, Params};
use z3_sys::*;

/// A reference to a solver.
pub(crate) struct RawSolver {
    context: Context,
    raw: Z3_solver,
}

impl RawSolver {
    /// A solver for a logic, or the general one, which picks tactics for the facts it finds.
    pub(crate) fn new(context: &Context, logic: Option<&str>) -> Option<RawSolver> {
        // SAFETY: the handle owns one reference.
        unsafe {
            let c = context.0.raw;
            let raw = match logic {
                Some(logic) => Z3_mk_solver_for_logic(c, Z3_mk_string_symbol(c, c_string(logic).as_ptr())?)?,
                None => Z3_mk_solver(c)?,
            };
            Z3_solver_inc_ref(c, raw);
            Some(RawSolver { context: context.clone(), raw })
        }
    }

    /// The incremental core alone, without tactics.
    pub(crate) fn core_only(context: &Context) -> Option<RawSolver> {
        // SAFETY: the handle owns one reference.
        unsafe {
            let c = context.0.raw;
            let raw = Z3_mk_simple_solver(c)?;
            Z3_solver_inc_ref(c, raw);
            Some(RawSolver { context: context.clone(), raw })
        }
    }

    pub(crate) fn set(&self, params: &Params) {
        // SAFETY: live handles of one context.
        unsafe { Z3_solver_set_params(self.context.0.raw, self.raw, params.raw) };
    }

    pub(crate) fn push(&self) {
        // SAFETY: a live handle.
        unsafe { Z3_solver_push(self.context.0.raw, self.raw) };
    }

    /// Takes back `n` scopes; the caller has counted them.
    pub(crate) fn pop(&self, n: u32) {
        // SAFETY: a live handle.
        unsafe { Z3_solver_pop(self.context.0.raw, self.raw, n) };
    }

    pub(crate) fn assert(&self, fact: &Ast) {
        // SAFETY: live handles of one context.
        unsafe {
            Z3_solver_assert(self.context.0.raw, self.raw, fact.raw);
            if Z3_get_error_code(self.context.0.raw) != ErrorCode::Ok {
                self.context.fail();
            }
        }
    }

    /// Satisfiable with these literals? `None` is unknown.
    pub(crate) fn check(&self, assumptions: &[Ast]) -> Option<bool> {
        let raw: Vec<Z3_ast> = assumptions.iter().map(|a| a.raw).collect();
        // SAFETY: live handles of one context; `raw` lives over the call.
        match unsafe { Z3_solver_check_assumptions(self.context.0.raw, self.raw, raw.len() as u32, raw.as_ptr()) } {
            Z3_L_TRUE => Some(true),
            Z3_L_FALSE => Some(false),
            _ => None,
        }
    }

    pub(crate) fn reason_unknown(&self) -> String {
        // SAFETY: a live handle; the string is copied at once.
        from_c(unsafe { Z3_solver_get_reason_unknown(self.context.0.raw, self.raw) })
    }

    /// The assumptions of the last check that do not go together.
    pub(crate) fn core(&self) -> Vec<Ast> {
        // SAFETY: the vector is held while it is read.
        unsafe {
            let c = self.context.0.raw;
            let Some(v) = Z3_solver_get_unsat_core(c, self.raw) else { return Vec::new() };
            Z3_ast_vector_inc_ref(c, v);
            let out = (0..Z3_ast_vector_size(c, v)).map(|i| self.context.wrap(Z3_ast_vector_get(c, v, i))).collect();
            Z3_ast_vector_dec_ref(c, v);
            out
        }
    }

    pub(crate) fn model(&self) -> Option<RawModel> {
        // SAFETY: the handle owns one reference.
        unsafe {
            let raw = Z3_solver_get_model(self.context.0.raw, self.raw)?;
            Z3_model_inc_ref(self.context.0.raw, raw);
            Some(RawModel { context: self.context.clone(), raw })
        }
    }

    /// The assertions as SMT-LIB text.
    pub(crate) fn text(&self) -> String {
        // SAFETY: a live handle; the string is copied at once.
        from_c(unsafe { Z3_solver_to_string(self.context.0.raw, self.raw) })
    }
}

impl Drop for RawSolver {
    fn drop(&mut self) {
        // SAFETY: gives back the reference of `new`.
        unsafe { Z3_solver_dec_ref(self.context.0.raw, self.raw) };
    }
}

/// A reference to a model.
pub(crate) struct RawModel {
    context: Context,
    pub(super) raw: Z3_model,
}

/// A finite function: pairs of argument and value, and the value elsewhere.
pub(crate) type FuncTable = (Vec<(Ast, Ast)>, Ast);

impl RawModel {
    /// The value of an expression; symbols without one get a default.
    pub(crate) fn eval(&self, t: &Ast) -> Option<Ast> {
        let mut out = t.raw;
        // SAFETY: live handles of one context; `out` is a valid place.
        unsafe { Z3_model_eval(self.context.0.raw, self.raw, t.raw, true, &mut out).then(|| Ast::own(&self.context, out)) }
    }

    /// The table behind an array that [`Ast::is_as_array`].
    pub(crate) fn table(&self, array: &Ast) -> Option<FuncTable> {
        // SAFETY: live handles of one context; the interpretation is held while it is read.
        unsafe {
            let c = self.context.0.raw;
            let decl = Z3_get_as_array_func_decl(c, array.raw)?;
            let f = Z3_model_get_func_interp(c, self.raw, decl)?;
            Z3_func_interp_inc_ref(c, f);
            let entry = |i| {
                let e = Z3_func_interp_get_entry(c, f, i)?;
                Z3_func_entry_inc_ref(c, e);
                let pair = Z3_func_entry_get_arg(c, e, 0).zip(Z3_func_entry_get_value(c, e));
                let pair = pair.map(|(a, v)| (Ast::own(&self.context, a), Ast::own(&self.context, v)));
                Z3_func_entry_dec_ref(c, e);
                pair
            };
            let entries: Option<Vec<_>> = (0..Z3_func_interp_get_num_entries(c, f)).map(entry).collect();
            let otherwise = Z3_func_interp_get_else(c, f).map(|a| Ast::own(&self.context, a));
            Z3_func_interp_dec_ref(c, f);
            entries.zip(otherwise)
        }
    }

    /// Model-based projection: a formula over other symbols that this model satisfies and that implies `∃ bound. body`.
    pub(crate) fn project(&self, bound: &[Ast], body: &Ast) -> Option<Ast> {
        // SAFETY: live handles of one context; constants are applications.
        unsafe {
            let c = self.context.0.raw;
            let apps: Vec<Z3_app> = bound.iter().filter_map(|b| Z3_to_app(c, b.raw)).collect();
            Z3_qe_model_project(c, self.raw, apps.len() as u32, apps.as_ptr(), body.raw).map(|a| Ast::own(&self.context, a))
        }
    }
}

impl Drop for RawModel {
    fn drop(&mut self) {
        // SAFETY: gives back the reference of `RawSolver::model`.
        unsafe { Z3_model_dec_ref(self.context.0.raw, self.raw) };
    }
}

/// A reference to a tactic.
pub(crate) struct Tactic {
    context: Context,
    raw: Z3_tactic,
}

impl Tactic {
    /// The tactic of this name.
    pub(crate) fn new(context: &Context, name: &str) -> Option<Tactic> {
        // SAFETY: the handle owns one reference.
        unsafe {
            let raw = Z3_mk_tactic(context.0.raw, c_string(name).as_ptr())?;
            Z3_tactic_inc_ref(context.0.raw, raw);
            Some(Tactic { context: context.clone(), raw })
        }
    }

    /// The disjunction over subgoals of the conjunction of their formulas; `None` when the tactic fails.
    pub(crate) fn apply(&self, formula: &Ast) -> Option<Ast> {
        // SAFETY: every object is held while it is read.
        unsafe {
            let c = self.context.0.raw;
            let goal = Z3_mk_goal(c, true, false, false)?;
            Z3_goal_inc_ref(c, goal);
            Z3_goal_assert(c, goal, formula.raw);
            let result = Z3_tactic_apply(c, self.raw, goal);
            Z3_goal_dec_ref(c, goal);
            let result = result?;
            Z3_apply_result_inc_ref(c, result);
            let mut subgoals = Vec::new();
            for i in 0..Z3_apply_result_get_num_subgoals(c, result) {
                let Some(g) = Z3_apply_result_get_subgoal(c, result, i) else { continue };
                Z3_goal_inc_ref(c, g);
                let parts: Vec<Ast> = (0..Z3_goal_size(c, g)).map(|k| self.context.wrap(Z3_goal_formula(c, g, k))).collect();
                subgoals.push(Ast::and(&self.context, &parts));
                Z3_goal_dec_ref(c, g);
            }
            Z3_apply_result_dec_ref(c, result);
            Some(Ast::or(&self.context, &subgoals))
        }
    }
}

impl Drop for Tactic {
    fn drop(&mut self) {
        // SAFETY: gives back the reference of `new`.
        unsafe { Z3_tactic_dec_ref(self.context.0.raw, self.raw) };
    }
}
