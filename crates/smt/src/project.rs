//! Projection: what a formula says of some of its variables, and simplification under facts.

use crate::back::Back;
use crate::encode::{Encoding, Task};
use crate::ffi::{Ast, DeclKind, Tactic};
use crate::model::Model;
use crate::solver::Solver;
use crate::z3::Z3Solver;
use plumb_term::{visit, Kind, Sort, Term, Var};
use rustc_hash::{FxHashMap, FxHashSet};

/// The most atoms that are looked at one by one under facts.
const ATOMS: usize = 256;

impl Z3Solver {
    /// A formula over `keep` that is equivalent to `∃ others. formula`; `None` if Z3 does not eliminate them within the
    /// limits, or not into terms. Facts that were asserted play no part. Works in [`Encoding::Int`] only.
    pub fn project(&mut self, formula: Term, keep: &[Var]) -> Option<Term> {
        let (body, bound) = self.existential(formula, keep)?;
        if bound.is_empty() {
            // Without a quantifier the tactic would decide the formula.
            return Some(formula);
        }
        let budget = self.query_budget();
        let quantified = body.exists(&bound);
        let result = self.guarded(budget.as_ref(), |s| Tactic::new(&s.encoder.context, "qe2")?.apply(&quantified))?;
        self.back(&result, keep)
    }

    /// A formula over `keep` that the model satisfies and that implies `∃ others. formula`, by model-based projection; cheaper than
    /// [`Z3Solver::project`]. `None` if the model does not satisfy the formula, and as there.
    pub fn project_model(&mut self, model: &Model, formula: Term, keep: &[Var]) -> Option<Term> {
        if model.holds(formula) != Some(true) {
            return None;
        }
        let (body, bound) = self.existential(formula, keep)?;
        let result = model.raw()?.project(&bound, &body)?;
        self.back(&result, keep)
    }

    /// The formula with its axioms, and the constants in it that are not kept.
    fn existential(&mut self, formula: Term, keep: &[Var]) -> Option<(Ast, Vec<Ast>)> {
        if self.encoder.encoding != Encoding::Int {
            return None;
        }
        let task = Task::Bool(formula);
        let mut parts = vec![self.encoder.encode(task).ok()?];
        parts.extend(self.encoder.axioms_of(task));
        let body = Ast::and(&self.encoder.context, &parts);
        let symbols = self.encoder.symbols.borrow();
        let kept: FxHashSet<usize> = keep.iter().filter_map(|v| symbols.get(v).map(Ast::key)).collect();
        let bound = constants(&body).into_iter().filter(|c| !kept.contains(&c.key())).collect();
        Some((body, bound))
    }

    fn back(&self, result: &Ast, keep: &[Var]) -> Option<Term> {
        if self.encoder.context.failure().is_some() {
            return None;
        }
        let t = Back::new(&self.encoder.symbols).term(result)?;
        visit::vars([t]).iter().all(|v| keep.contains(v)).then_some(t)
    }

    /// A formula that is equivalent to `t` wherever the facts and `given` hold: atoms that are decided there are replaced by their
    /// truth value.
    pub fn simplify_under(&mut self, given: Term, t: Term) -> Term {
        self.push();
        self.assert(given);
        let mut decided: FxHashMap<Term, Term> = FxHashMap::default();
        let atoms = visit::postorder([t]).into_iter().filter(|n| n.sort() == Sort::Bool && is_atom(*n));
        for atom in atoms.take(ATOMS) {
            if self.entails(atom) == Some(true) {
                decided.insert(atom, Term::tt());
            } else if self.entails(atom.not()) == Some(true) {
                decided.insert(atom, Term::ff());
            }
        }
        self.pop();
        visit::Rewriter::new().rewrite(t, &mut |n| decided.get(&n).copied())
    }
}

fn is_atom(t: Term) -> bool {
    match t.kind() {
        Kind::Var(_) | Kind::Le(..) | Kind::FCmp(..) | Kind::FTest(..) => true,
        Kind::Eq(a, _) => a.sort() != Sort::Bool,
        _ => false,
    }
}

/// The uninterpreted constants of an expression, in order of appearance.
fn constants(t: &Ast) -> Vec<Ast> {
    let (mut out, mut seen, mut stack) = (Vec::new(), FxHashSet::default(), vec![t.clone()]);
    while let Some(n) = stack.pop() {
        if seen.insert(n.key()) {
            let operands = n.operands();
            if operands.is_empty() && n.operator() == Some(DeclKind::Uninterpreted) {
                out.push(n);
            }
            stack.extend(operands);
        }
    }
    out
}
