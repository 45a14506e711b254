//! Questions about what is reached at a node.

use super::nnf::conjuncts;
use crate::encode::Encoding;
use crate::interpolate::condition::Condition;
use crate::interpolate::dag::{Dag, Useful};
use crate::solver::{CheckResult, Limits, Reason, Solver};
use crate::z3::Z3Solver;
use plumb_term::visit::size;
use plumb_term::{Budget, Kind, Term};
use std::time::{Duration, Instant};

/// Labels of at most this size are left alone.
const SMALL: usize = 40;
/// At most this many checks to strengthen labels.
const CHECKS: usize = 300;
/// The time for one check.
const PATIENCE: Duration = Duration::from_secs(1);

/// A solver that knows the graph's condition.
pub(super) struct Reach {
    solver: Z3Solver,
    guards: Vec<Term>,
    checks: usize,
    /// When strengthening ends.
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

    /// A stronger label, without disjuncts that are not needed to cover what is reached.
    pub(super) fn strengthen(&mut self, node: usize, label: Term) -> Term {
        if size(label) <= SMALL {
            return label;
        }
        let mut done = Vec::new();
        for c in conjuncts(label) {
            let Kind::Or(ts) = c.kind() else {
                done.push(c);
                continue;
            };
            let mut left: Vec<Term> = ts.to_vec();
            let mut order = left.clone();
            order.sort_by_key(|t| std::cmp::Reverse(size(*t)));
            for t in order {
                if left.len() == 1 || self.checks == CHECKS || self.end.is_some_and(|e| Instant::now() > e) {
                    break;
                }
                let fewer: Vec<Term> = left.iter().copied().filter(|l| *l != t).collect();
                self.checks += 1;
                if self.always(node, Term::any(fewer.iter().copied())) {
                    left = fewer;
                }
            }
            done.push(Term::any(left));
        }
        Term::all(done)
    }
}
