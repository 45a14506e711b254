//! Questions about what is reached at a node.

use crate::encode::Encoding;
use crate::interpolate::condition::Condition;
use crate::interpolate::dag::{Dag, Useful};
use crate::solver::{CheckResult, Limits, Reason, Solver};
use crate::z3::Z3Solver;
use plumb_term::visit::size;
use plumb_term::{Budget, Term};
use std::time::{Duration, Instant};

/// At most this many checks to make clauses smaller.
const CHECKS: usize = 300;
/// The time for one check.
const PATIENCE: Duration = Duration::from_secs(1);

/// A solver that knows the graph's condition.
pub(super) struct Reach {
    solver: Z3Solver,
    guards: Vec<Term>,
    checks: usize,
    /// When that ends.
    end: Option<Instant>,
}

impl Reach {
    pub(super) fn new(dag: &Dag, useful: &Useful, encoding: Encoding, budget: &Budget) -> Result<Reach, Reason> {
        let limits = Limits { query_time: Some(PATIENCE), ..Limits::default() };
        let mut solver = Z3Solver::new(encoding, &limits).map_err(|e| Reason::Incomplete(e.to_string()))?;
        solver.set_budget(budget);
        let condition = Condition::new(dag, useful, dag.fresh());
        solver.push();
        condition.facts.iter().for_each(|t| solver.assert(*t));
        for (i, e) in dag.edges().iter().enumerate().filter(|(i, _)| useful.edges[*i]) {
            solver.assert(condition.edges[i].implies(e.formula));
        }
        let end = budget.left().map(|left| Instant::now() + left / 3);
        Ok(Reach { solver, guards: condition.nodes, checks: 0, end })
    }

    /// Whether `label` holds whenever `node` is reached.
    pub(super) fn always(&mut self, node: usize, label: Term) -> bool {
        self.implied(&[self.guards[node]], label)
    }

    /// Whether the condition and `parts` imply `t`.
    pub(super) fn implied(&mut self, parts: &[Term], t: Term) -> bool {
        self.solver.push();
        parts.iter().for_each(|p| self.solver.assert(*p));
        self.solver.assert(t.not());
        let answer = self.solver.check();
        self.solver.pop();
        answer == CheckResult::Unsat
    }

    /// Some of the conjuncts of a cube that cannot all hold when `node` is reached; `None` if that is not so.
    pub(super) fn refuted(&mut self, node: usize, cube: &[Term]) -> Option<Vec<Term>> {
        self.solver.push();
        self.solver.assert(self.guards[node]);
        let found = self.shrink(cube);
        self.solver.pop();
        found
    }

    fn shrink(&mut self, cube: &[Term]) -> Option<Vec<Term>> {
        if self.solver.check_assuming(cube) != CheckResult::Unsat {
            return None;
        }
        let mut core = self.solver.unsat_core();
        // The largest first: what is left are small atoms.
        let mut order = core.clone();
        order.sort_by_key(|t| (std::cmp::Reverse(size(*t)), *t));
        for t in order {
            if core.len() < 2 || self.checks >= CHECKS || self.end.is_some_and(|e| Instant::now() > e) {
                break;
            }
            if !core.contains(&t) {
                continue;
            }
            self.checks += 1;
            let rest: Vec<Term> = core.iter().copied().filter(|c| *c != t).collect();
            if self.solver.check_assuming(&rest) == CheckResult::Unsat {
                core = self.solver.unsat_core();
            }
        }
        Some(core)
    }
}
