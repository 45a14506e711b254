//! Questions about what is reached at a node, to one solver that knows all paths.
//!
//! A node's guard implies that of an edge into it, an edge's guard implies its formula and the guard of its start. So a node's guard and a conjunction over its
//! variables have a model exactly if a path leads there. What one question taught serves the next ones.

use super::alias::Shared;
use super::translate::{not, Translator};
use crate::encode::Unencodable;
use crate::solver::Reason;
use plumb_itp::solver::{Answer, Budget as Limits, Config, Solver};
use plumb_itp::{Lit, Literal};
use plumb_term::visit::size;
use plumb_term::{Budget, Kind, Sort, Term};
use std::time::{Duration, Instant};

/// Conflicts and steps of the theory that the first question about a conjunction may take, and those that try to make it smaller.
const MUCH: (u64, u64) = (20_000, 50_000_000);
const LITTLE: (u64, u64) = (1_000, 30_000);

/// The solver.
pub(super) struct Reach {
    translator: Translator,
    guards: Vec<Literal>,
    budget: Budget,
    /// The time that was spent to make conjunctions smaller, and the most.
    spent: Duration,
    allowance: Duration,
}

impl Reach {
    /// Knows the useful edges. `allowance` is the time for making conjunctions smaller.
    pub(super) fn new(dag: &Shared, useful: &[bool], allowance: Duration, budget: &Budget) -> Result<Reach, Unencodable> {
        let mut translator = Translator::new(Solver::new(Config { proofs: false, ..Config::default() }));
        let mut guards = vec![Literal::Constant(true)];
        guards.extend((1..dag.nodes.len()).map(|_| Literal::Lit(translator.solver.boolean())));
        let mut choices: Vec<Vec<Literal>> = guards.iter().map(|g| vec![not(*g)]).collect();
        // The error is asked about by what leads to it.
        for (_, e) in dag.edges.iter().enumerate().filter(|(i, e)| useful[*i] && e.to.0 + 1 < dag.nodes.len()) {
            let taken = Literal::Lit(translator.solver.boolean());
            choices[e.to.0].push(taken);
            translator.solver.add_clause(&[not(taken), guards[e.from.0]]);
            translator.imply(&[taken], e.formula)?;
        }
        choices.iter().filter(|c| c.len() > 1).for_each(|c| translator.solver.add_clause(c));
        Ok(Reach { translator, guards, budget: budget.clone(), spent: Duration::ZERO, allowance })
    }

    /// Some of the conjuncts of a cube that cannot all hold when `node` is reached.
    pub(super) fn refuted(&mut self, node: usize, cube: &[Term]) -> Result<Vec<Term>, Reason> {
        let mut named: Vec<(Lit, Term)> = Vec::new();
        for t in cube {
            match self.translator.literal(*t).map_err(Reason::Unencodable)? {
                Literal::Lit(l) => named.push((l, *t)),
                Literal::Constant(true) => {}
                Literal::Constant(false) => return Ok(vec![*t]),
            }
        }
        // The largest go first, so that small atoms are left.
        named.sort_by_key(|(l, t)| (std::cmp::Reverse(size(*t)), *l));
        let all: Vec<Lit> = named.iter().map(|n| n.0).collect();
        let mut core = self.core(node, &all, MUCH)?.ok_or_else(|| Reason::Incomplete("a bad state is reached".into()))?;
        let start = Instant::now();
        let mut i = 0;
        while i < core.len() && core.len() > 1 && self.spent + start.elapsed() < self.allowance {
            let mut fewer = core.clone();
            fewer.remove(i);
            match self.core(node, &fewer, LITTLE) {
                Ok(Some(smaller)) => core = smaller,
                _ => i += 1,
            }
        }
        let mut out = Vec::new();
        for (_, t) in named.iter().filter(|n| core.contains(&n.0)) {
            out.push(*t);
        }
        self.halve(node, &mut out, start);
        self.spent += start.elapsed();
        Ok(out)
    }

    /// Replaces equations by one of their halves where that is enough.
    fn halve(&mut self, node: usize, cube: &mut [Term], start: Instant) {
        for i in 0..cube.len() {
            let Kind::Eq(a, b) = cube[i].kind() else { continue };
            if a.sort() != Sort::Int || self.spent + start.elapsed() > self.allowance {
                continue;
            }
            let whole = cube[i];
            for half in [a.less_eq(*b), b.less_eq(*a)] {
                cube[i] = half;
                let lits: Result<Vec<Literal>, _> = cube.iter().map(|t| self.translator.literal(*t)).collect();
                let lits: Option<Vec<Lit>> =
                    lits.ok().map(|ls| ls.into_iter().filter_map(|l| if let Literal::Lit(l) = l { Some(l) } else { None }).collect());
                if lits.is_some_and(|ls| matches!(self.core(node, &ls, LITTLE), Ok(Some(_)))) {
                    break;
                }
                cube[i] = whole;
            }
        }
    }

    /// Those of the literals, in their order, that suffice for a refutation at `node`; nothing if they have a model.
    fn core(&mut self, node: usize, lits: &[Lit], effort: (u64, u64)) -> Result<Option<Vec<Lit>>, Reason> {
        let mut asked: Vec<Lit> = Vec::with_capacity(lits.len() + 1);
        if let Literal::Lit(g) = self.guards[node] {
            asked.push(g);
        }
        asked.extend(lits);
        let limits = Limits { conflicts: Some(effort.0), work: Some(effort.1), ..Limits::within(self.budget.clone()) };
        match self.translator.solver.check(&asked, &limits) {
            Answer::Unsat => {
                let core = self.translator.solver.core().unwrap_or_default();
                Ok(Some(lits.iter().copied().filter(|l| core.contains(l)).collect()))
            }
            Answer::Sat => Ok(None),
            Answer::Unknown(_) if self.budget.is_over() => Err(Reason::Time),
            Answer::Unknown(why) => Err(Reason::Incomplete(format!("{why:?}"))),
        }
    }
}
