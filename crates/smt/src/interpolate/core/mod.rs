//! Interpolants along an unsatisfiable core, for every theory that the solver decides.
//!
//! One check of the graph's condition, with an assumption for each conjunct of each edge, finds the conjuncts that matter; the others
//! are dropped, which leaves few variables alive. Weakest preconditions from the error backwards are labels: an edge that
//! computes the values of its end is a substitution, without a quantifier. Where a value is open and cannot be eliminated, the labels
//! of this node and of all before it are strongest postconditions instead. The two sorts fit together: what is reached at `u` leads over
//! an edge to what is safe at `v`, since no path is executable.
//!
//! Both are only the ends of a range. A label may be stronger than the precondition as long as it holds whenever its node is
//! reached, which the condition can tell. So where a precondition is large, or a value in it cannot be eliminated, the label is
//! built clause by clause ([`block`]).

mod block;
mod eliminate;
mod memory;
mod minimise;
mod reach;

use super::condition::{in_turn, Condition};
use super::dag::{Dag, Edge, Useful};
use super::nnf::{conjuncts, negated};
use super::{Answer, Interpolator, Witness};
use crate::encode::Encoding;
use crate::solver::{CheckResult, Reason, Solver};
use eliminate::Eliminator;
use plumb_term::visit::{size, vars};
use plumb_term::{Budget, Term, Var, VarId, VarTy};
use reach::Reach;
use rustc_hash::FxHashSet;

/// Preconditions of at most this size are taken as they are.
const SMALL: usize = 24;
/// Labels that grow beyond this many subterms together are given up.
const MAX_SIZE: usize = 200_000;

/// The engine.
#[derive(Clone, Copy, Debug, Default)]
pub struct CoreGuided;

/// What the guarded check says.
enum Checked {
    Sat(Witness),
    /// The formulas without what is not needed, and the encoding that told.
    Unsat(Vec<Term>, Encoding),
}

impl Interpolator for CoreGuided {
    fn name(&self) -> &'static str {
        "core"
    }

    fn dag(&mut self, dag: &Dag, budget: &Budget) -> Answer {
        let useful = dag.useful();
        if useful.is_empty() {
            return Answer::Labels((0..dag.nodes().len()).filter_map(|n| useful.plain(n)).collect());
        }
        match check(dag, &useful, budget) {
            Ok(Checked::Sat(w)) => Answer::Model(w),
            Ok(Checked::Unsat(formulas, encoding)) => {
                let relaxed = dag.with_formulas(formulas);
                match Labels::new(&relaxed, encoding, budget).and_then(Labels::compute) {
                    Ok(labels) => Answer::Labels(labels),
                    Err(why) => Answer::Unknown(why),
                }
            }
            Err(why) => Answer::Unknown(why),
        }
    }
}

/// The check with an assumption for each conjunct.
fn check(dag: &Dag, useful: &Useful, budget: &Budget) -> Result<Checked, Reason> {
    let mut next = dag.fresh();
    let parts: Vec<Vec<(Term, Term)>> = dag
        .edges()
        .iter()
        .enumerate()
        .map(|(i, e)| {
            let list = if useful.edges[i] { conjuncts(e.formula) } else { Vec::new() };
            let named = list.into_iter().map(|c| {
                next += 1;
                (Term::var(Var::new(VarId(next - 1), VarTy::Bool)), c)
            });
            named.collect()
        })
        .collect();
    let condition = Condition::new(dag, useful, next);
    in_turn(dag.edges().iter().map(|e| e.formula), budget, |solver| {
        condition.facts.iter().for_each(|t| solver.assert(*t));
        for (list, edge) in parts.iter().zip(&condition.edges) {
            list.iter().for_each(|(guard, c)| solver.assert(Term::any([guard.not(), edge.not(), *c])));
        }
        solver.assert(condition.nodes[dag.error().0]);
        let all: Vec<Term> = parts.iter().flatten().map(|p| p.0).collect();
        match solver.check_assuming(&all) {
            CheckResult::Sat => condition.witness(dag, solver).map(Checked::Sat),
            CheckResult::Unsat => {
                let needed = minimise::core(solver, &parts, budget);
                let kept = |list: &Vec<(Term, Term)>| Term::all(list.iter().filter(|p| needed.contains(&p.0)).map(|p| p.1));
                let formulas = parts.iter().zip(dag.edges()).map(|(list, e)| if e.formula.is_false() { e.formula } else { kept(list) });
                Ok(Checked::Unsat(formulas.collect(), solver.encoding()))
            }
            CheckResult::Unknown(why) => Err(why),
        }
    })
}

/// The computation of labels.
struct Labels<'d> {
    dag: &'d Dag,
    useful: Useful,
    /// The edges out of and into each node.
    out: Vec<Vec<&'d Edge>>,
    into: Vec<Vec<&'d Edge>>,
    eliminator: Eliminator,
    reach: Reach,
    encoding: Encoding,
    budget: &'d Budget,
}

impl<'d> Labels<'d> {
    fn new(dag: &'d Dag, encoding: Encoding, budget: &'d Budget) -> Result<Labels<'d>, Reason> {
        let useful = dag.useful();
        let n = dag.nodes().len();
        let (mut out, mut into) = (vec![Vec::new(); n], vec![Vec::new(); n]);
        for (_, e) in dag.edges().iter().enumerate().filter(|(i, _)| useful.edges[*i]) {
            out[e.from.0].push(e);
            into[e.to.0].push(e);
        }
        let reach = Reach::new(dag, &useful, encoding, budget)?;
        Ok(Labels { dag, useful, out, into, eliminator: Eliminator::new(dag.fresh(), budget), reach, encoding, budget })
    }

    fn compute(mut self) -> Result<Vec<Term>, Reason> {
        let n = self.dag.nodes().len();
        let mut labels: Vec<Option<Term>> = (0..n).map(|i| self.useful.plain(i)).collect();
        let mut backward = labels.clone();
        for u in (1..n - 1).rev() {
            if labels[u].is_none() {
                backward[u] = self.precondition(u, &backward);
            }
            if self.budget.is_over() {
                return Err(Reason::Time);
            }
        }
        // Nodes without a precondition, and all before them.
        let mut early = vec![false; n];
        for v in (1..n).rev() {
            if backward[v].is_none() || early[v] {
                early[v] = true;
                self.into[v].iter().for_each(|e| early[e.from.0] = true);
            }
        }
        let mut exact = true;
        for v in 1..n {
            if labels[v].is_none() {
                labels[v] = if early[v] { self.postcondition(v, &labels, &mut exact) } else { backward[v] };
            }
            if self.budget.is_over() {
                return Err(Reason::Time);
            }
        }
        let labels: Option<Vec<Term>> = labels.into_iter().collect();
        let labels = labels.ok_or_else(|| Reason::Incomplete("a label was not found".into()))?;
        if !exact {
            let crossing = self.dag.edges().iter().filter(|e| early[e.from.0] && !early[e.to.0]);
            for e in crossing {
                if !self.reach.implied(&[labels[e.from.0], e.formula], labels[e.to.0]) {
                    return Err(Reason::Incomplete("a variable could not be eliminated".into()));
                }
            }
        }
        Ok(labels)
    }

    /// What makes sure, at `u`, that the labels after it hold and is true whenever `u` is reached; `None` if it is not found.
    fn precondition(&mut self, u: usize, labels: &[Option<Term>]) -> Option<Term> {
        let mut cases: Vec<Vec<Term>> = Vec::new();
        for e in &self.out[u] {
            let mut parts = conjuncts(e.formula);
            parts.extend(conjuncts(negated(labels[e.to.0]?)));
            cases.push(parts);
        }
        let (quick, exact) = self.weakest(u, &cases, false);
        if size(quick) <= SMALL && (exact || self.reach.always(u, quick)) {
            return Some(quick);
        }
        if let Some(label) = block::label(u, &cases, &self.dag.nodes()[u], &mut self.reach, self.encoding, self.budget) {
            return Some(label);
        }
        if exact && size(quick) <= MAX_SIZE {
            return Some(quick);
        }
        let (slow, exact) = self.weakest(u, &cases, true);
        (size(slow) <= MAX_SIZE && (exact || self.reach.always(u, slow))).then_some(slow)
    }

    /// The weakest precondition, or what is stronger if it is not exact.
    fn weakest(&mut self, u: usize, cases: &[Vec<Term>], hard: bool) -> (Term, bool) {
        let found: Vec<_> = cases.iter().map(|c| self.eliminator.exists(c.clone(), &self.dag.nodes()[u], hard)).collect();
        (negated(Term::any(found.iter().map(|p| p.term))), found.iter().all(|p| p.exact))
    }

    /// What holds at `v` after its predecessors' labels, or a little more.
    fn postcondition(&mut self, v: usize, labels: &[Option<Term>], exact: &mut bool) -> Option<Term> {
        let used: FxHashSet<Var> = vars(self.out[v].iter().map(|e| e.formula)).into_iter().collect();
        let keep: Vec<Var> = self.dag.nodes()[v].iter().copied().filter(|x| used.contains(x)).collect();
        let mut cases = Vec::new();
        for e in &self.into[v] {
            let mut parts = conjuncts(e.formula);
            parts.extend(conjuncts(labels[e.from.0]?));
            let p = self.eliminator.exists(parts, &keep, true);
            *exact &= p.exact;
            cases.push(p.term);
        }
        let label = Term::any(cases);
        (size(label) <= MAX_SIZE).then_some(label)
    }
}
