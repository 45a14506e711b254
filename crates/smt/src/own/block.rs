//! Labels from obligations: a state that leads to the error is made a cube of such states, and the cube is blocked.
//!
//! An obligation is a node and a [`cube`] of states from each of which a path leads to the error. While an edge enters the cube from a state that the label of the edge's start
//! allows, a cube of such states becomes the next obligation. When none does, a part of the cube that cannot be entered either is found, and its negation is a new clause of the
//! node's label. This is IC3 on a graph (Bradley, *SAT-based model checking without unrolling*, VMCAI 2011; with cubes by projection as Komuravelli, Gurfinkel and Chaki, CAV 2014,
//! have it). Each question is about one edge, and a clause asks for no more than the labels before it say already, so few states are excluded that do not lead to the error.
//!
//! At a node that is a copy of a place, the part of the cube is one that cannot be entered at the earlier copies either, where there is such a part; the clause then becomes theirs, too.
//!
//! **Contract.** `label(u) ∧ edge(u, v) ⇒ label(v)`, the entry's label is `true`, the error's `false`: every clause was implied when it was added, and labels only get stronger.

use super::alias::Shared;
use super::copies::Copies;
use super::solver::OwnSolver;
use crate::interpolate::cube::cube;
use crate::interpolate::nnf::conjuncts;
use crate::interpolate::resolve::resolve;
use crate::model::Model;
use crate::solver::{CheckResult, Limits, Reason, Solver};
use plumb_term::visit::size;
use plumb_term::{Budget, Kind, Sort, Term, Var};
use rustc_hash::FxHashSet;

/// Conflicts and steps of the theory that a question may take, and one that tries to make a clause smaller.
const MUCH: (u64, u64) = (50_000, 50_000_000);
const LITTLE: (u64, u64) = (500, 20_000);

/// A clause over a node's variables, as the cube that it excludes.
type Cube = Vec<Term>;

/// The computation.
pub(super) struct Blocking<'a> {
    dag: &'a Shared,
    copies: &'a Copies,
    budget: &'a Budget,
    /// The useful edges that enter each node, and those that leave it.
    into: Vec<Vec<usize>>,
    out: Vec<Vec<usize>>,
    keep: Vec<FxHashSet<Var>>,
    /// For each useful edge, its formula and the clauses of its start's label.
    solvers: Vec<Option<OwnSolver>>,
    clauses: Vec<Vec<Term>>,
}

/// Whether an edge enters a cube.
enum Entered {
    /// These conjuncts suffice to say no.
    Never(Vec<Term>),
    From(Model),
}

impl<'a> Blocking<'a> {
    pub(super) fn new(dag: &'a Shared, copies: &'a Copies, useful: &[bool], budget: &'a Budget) -> Blocking<'a> {
        let n = dag.nodes.len();
        let (mut into, mut out) = (vec![Vec::new(); n], vec![Vec::new(); n]);
        for (i, e) in dag.edges.iter().enumerate().filter(|(i, _)| useful[*i]) {
            into[e.to.0].push(i);
            out[e.from.0].push(i);
        }
        let solver = |i: usize| {
            useful[i].then(|| {
                let mut solver = OwnSolver::new(&Limits::default());
                solver.set_budget(budget);
                solver.assert(dag.edges[i].formula);
                solver
            })
        };
        Blocking {
            dag,
            copies,
            budget,
            into,
            out,
            keep: dag.nodes.iter().map(|vars| vars.iter().copied().collect()).collect(),
            solvers: (0..dag.edges.len()).map(solver).collect(),
            clauses: vec![Vec::new(); n],
        }
    }

    /// Labels for the nodes on paths to the error, whatever `plain` says of the others.
    pub(super) fn labels(mut self, plain: &dyn Fn(usize) -> Option<Term>) -> Result<Vec<Term>, Reason> {
        let last = self.dag.nodes.len() - 1;
        let mut obligations: Vec<(usize, Cube)> = vec![(last, Vec::new())];
        while let Some((node, cube)) = obligations.last().cloned() {
            if self.budget.is_over() {
                return Err(Reason::Time);
            }
            match self.predecessor(node, &cube)? {
                Some((0, _)) => return Err(Reason::Incomplete("a bad state is reached".into())),
                Some(before) => obligations.push(before),
                None => {
                    obligations.pop();
                    if node != last {
                        self.block(node, cube);
                    }
                }
            }
        }
        Ok((0..=last).map(|n| plain(n).unwrap_or_else(|| Term::all(self.clauses[n].iter().copied()))).collect())
    }

    /// A node and a cube of its states from which an edge leads into the given one.
    fn predecessor(&mut self, node: usize, target: &Cube) -> Result<Option<(usize, Cube)>, Reason> {
        for k in 0..self.into[node].len() {
            let edge = self.into[node][k];
            if let Entered::From(model) = self.enters(edge, target, MUCH)? {
                let from = self.dag.edges[edge].from.0;
                let mut parts = conjuncts(self.dag.edges[edge].formula);
                parts.extend(target.iter().copied());
                let parts = resolve(parts, &self.keep[from]);
                let found = cube(&[parts], &self.keep[from], &model);
                return found.map(|c| Some((from, c))).ok_or_else(|| Reason::Incomplete("a model cannot be read".into()));
            }
        }
        Ok(None)
    }

    fn enters(&mut self, edge: usize, target: &[Term], effort: (u64, u64)) -> Result<Entered, Reason> {
        let Some(solver) = &mut self.solvers[edge] else { return Ok(Entered::Never(Vec::new())) };
        solver.limit_effort(Some(effort));
        match solver.check_assuming(target) {
            CheckResult::Unsat => Ok(Entered::Never(solver.unsat_core())),
            CheckResult::Sat => solver.model().map(Entered::From).ok_or_else(|| Reason::Incomplete("no model".into())),
            CheckResult::Unknown(why) => Err(why),
        }
    }

    /// Excludes a cube that no edge enters.
    fn block(&mut self, node: usize, mut cube: Cube) {
        // The largest go first, so that small atoms are left.
        cube.sort_by_key(|t| (std::cmp::Reverse(size(*t)), *t));
        let here = vec![(node, cube.clone())];
        let mut places = self.copies.of(node, &cube).unwrap_or_default();
        places.extend(here.iter().cloned());
        let (places, kept) = match self.smallest(&places) {
            Some(kept) => (places, kept),
            None => (here.clone(), self.smallest(&here).unwrap_or_else(|| (0..cube.len()).collect())),
        };
        for (n, cube) in self.halved(&places, &kept) {
            let clause = Term::any(cube.into_iter().map(|t| t.not()));
            if self.clauses[n].contains(&clause) {
                continue;
            }
            self.clauses[n].push(clause);
            for edge in self.out[n].clone() {
                if let Some(solver) = &mut self.solvers[edge] {
                    solver.assert(clause);
                }
            }
        }
    }

    /// The indices of conjuncts that suffice for a cube that no edge enters at any of the places; each place has the same conjuncts in its own variables.
    fn smallest(&mut self, places: &[(usize, Cube)]) -> Option<Vec<usize>> {
        let all: Vec<usize> = (0..places.first()?.1.len()).collect();
        let mut kept = self.core(places, &all)?;
        let mut i = 0;
        while i < kept.len() && !self.budget.is_over() {
            let mut fewer = kept.clone();
            fewer.remove(i);
            match self.core(places, &fewer) {
                Some(smaller) => kept = smaller,
                None => i += 1,
            }
        }
        Some(kept)
    }

    /// Those of the conjuncts that refutations for all edges into all places used; nothing if an edge enters, or may enter, one of them.
    fn core(&mut self, places: &[(usize, Cube)], indices: &[usize]) -> Option<Vec<usize>> {
        let mut needed = vec![false; places.first()?.1.len()];
        // The last place is the one that matters most.
        for (node, cube) in places.iter().rev() {
            for edge in self.into[*node].clone() {
                // What other edges need is assumed anyway.
                let mut asked: Vec<usize> = indices.iter().copied().filter(|i| needed[*i]).collect();
                asked.extend(indices.iter().filter(|i| !needed[**i]));
                let target: Vec<Term> = asked.iter().map(|i| cube[*i]).collect();
                let Ok(Entered::Never(core)) = self.enters(edge, &target, LITTLE) else { return None };
                asked.iter().zip(&target).filter(|(_, t)| core.contains(t)).for_each(|(i, _)| needed[*i] = true);
            }
        }
        Some(indices.iter().copied().filter(|i| needed[*i]).collect())
    }

    /// The cubes of the kept conjuncts, with equations replaced by one of their halves where that is enough.
    fn halved(&mut self, places: &[(usize, Cube)], kept: &[usize]) -> Vec<(usize, Cube)> {
        let mut cubes: Vec<(usize, Cube)> = places.iter().map(|(n, cube)| (*n, kept.iter().map(|i| cube[*i]).collect())).collect();
        let all: Vec<usize> = (0..kept.len()).collect();
        for i in 0..kept.len() {
            for upper in [true, false] {
                let halves: Option<Vec<(usize, Cube)>> = cubes.iter().map(|(n, c)| Some((*n, with_half(c, i, upper)?))).collect();
                let Some(halves) = halves else { break };
                if self.core(&halves, &all).is_some() {
                    cubes = halves;
                    break;
                }
            }
        }
        cubes
    }
}

/// A cube with an upper or lower bound instead of the equation at `i`.
fn with_half(cube: &Cube, i: usize, upper: bool) -> Option<Cube> {
    let Kind::Eq(a, b) = cube[i].kind() else { return None };
    if a.sort() != Sort::Int {
        return None;
    }
    let mut out = cube.clone();
    out[i] = if upper { a.less_eq(*b) } else { b.less_eq(*a) };
    Some(out)
}
