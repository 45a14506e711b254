//! The blocks from the start to violations as one problem for the interpolator.
//!
//! Every end of a block is a node with its own copies of the variables that matter from there on, and what the abstraction knew there is assumed: the
//! interpolants only add what was missing. All paths that the exploration united in a block are refuted together, and so are all violations
//! that it found. Ends of blocks at one place are copies of each other, so that the interpolator can prefer what holds at all of them: that
//! is what ends the search at a loop.

use super::refine::same;
use super::{Predicates, Region};
use crate::block::Formula;
use plumb_cfa::Program;
use plumb_cpa::Place;
use plumb_smt::interpolate::{Answer, Dag, Edge, Interpolator, NodeId};
use plumb_smt::{CheckResult, Limits, OwnSolver, Solver};
use plumb_term::visit::{substitute, vars, Rewriter};
use plumb_term::{Budget, Kind, Term, Var, VarId};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

/// A label that is harder to weaken stays as it is.
const PATIENCE: Duration = Duration::from_millis(100);

/// The end of a block.
struct Node {
    /// Nothing for the start and for the error.
    place: Option<Place>,
    /// What the abstraction says there.
    known: Term,
}

/// A block from one node to another.
struct Link {
    from: usize,
    to: usize,
    block: Arc<Formula>,
}

/// The blocks of paths to violations. The first node is the start, the last one the error; the others are in an order in which blocks go forward.
pub(super) struct Tree<'p> {
    program: &'p Program,
    nodes: Vec<Node>,
    links: Vec<Link>,
}

impl<'p> Tree<'p> {
    /// Of paths, given as states with the places they are at; the last state of each violates the property.
    pub(super) fn new<'s>(program: &'p Program, paths: &[Vec<(Place, &'s Region)>], prec: &Predicates) -> Tree<'p> {
        let mut nodes = vec![Node { place: None, known: Term::tt() }];
        let (mut links, mut last) = (Vec::new(), Vec::new());
        let mut known: BTreeMap<u64, usize> = BTreeMap::new();
        for path in paths {
            let ends: Vec<(Place, &Region, &Arc<Formula>)> =
                path.iter().filter_map(|(at, state)| Some((*at, *state, state.block.as_ref()?))).collect();
            let Some(((_, _, into_error), before)) = ends.split_last() else { continue };
            let mut from = 0;
            for (at, state, block) in before {
                from = *known.entry(state.start).or_insert_with(|| {
                    nodes.push(Node { place: Some(*at), known: state.region.and(prec.known(Some(*at))) });
                    links.push(Link { from, to: nodes.len() - 1, block: Arc::clone(block) });
                    nodes.len() - 1
                });
            }
            last.push((from, Arc::clone(into_error)));
        }
        nodes.push(Node { place: None, known: Term::tt() });
        links.extend(last.into_iter().map(|(from, block)| Link { from, to: nodes.len() - 1, block }));
        Tree { program, nodes, links }
    }

    /// What holds at the ends of blocks and excludes the error; nothing if a path can be taken or that is not found out.
    pub(super) fn labels(&self, engine: &mut dyn Interpolator, budget: &Budget) -> Option<Vec<(Place, Term)>> {
        let needed = self.needed();
        let copy = |v: VarId, node: usize| Var::new(v, self.program.var(v).ty).at(node as u32 + 1);
        let variables: Vec<Vec<Var>> = needed.iter().enumerate().map(|(i, vs)| vs.iter().map(|v| copy(*v, i)).collect()).collect();
        let edge = |(i, link): (usize, &Link)| {
            let mut rewriter = Rewriter::new();
            let mut now = |t: Term| {
                rewriter.rewrite(t, &mut |n| match n.kind() {
                    Kind::Var(v) if v.id < VarId::FIRST_AUX => Some(Term::var(v.at(link.from as u32 + 1))),
                    Kind::Var(v) => Some(Term::var(v.at(i as u32 + 1))),
                    _ => None,
                })
            };
            let mut all = vec![now(self.nodes[link.from].known), now(link.block.condition())];
            all.extend(variables[link.to].iter().map(|x| same(Term::var(*x), now(link.block.before(self.program.term(x.id))))));
            Edge { from: NodeId(link.from), to: NodeId(link.to), formula: Term::all(all) }
        };
        let edges = self.links.iter().enumerate().map(edge).collect();
        let mut numbers: BTreeMap<Place, usize> = BTreeMap::new();
        let mut number = |p: Place| {
            let next = numbers.len();
            *numbers.entry(p).or_insert(next)
        };
        let places = self.nodes.iter().map(|n| n.place.map(&mut number)).collect();
        let dag = Dag::new(variables, edges).ok()?.with_places(places);
        let Answer::Labels(labels) = engine.dag(&dag, budget) else { return None };
        let back = |t: Term| substitute(t, &|v| Some(Term::var(v.at(0))));
        let mut labels: Vec<Term> = labels.into_iter().map(back).collect();
        self.generalise(&mut labels, budget);
        Some(self.nodes.iter().zip(labels).filter_map(|(n, t)| Some((n.place?, t))).collect())
    }

    /// The variables at each node that matter from there on; the same at all ends of blocks at one place.
    fn needed(&self) -> Vec<BTreeSet<VarId>> {
        let mut found: FxHashMap<Term, Vec<VarId>> = FxHashMap::default();
        let mut of = |t: Term| {
            let new = || vars([t]).into_iter().map(|v| v.id).filter(|v| *v < VarId::FIRST_AUX).collect();
            found.entry(t).or_insert_with(new).clone()
        };
        let mut needed: Vec<BTreeSet<VarId>> = self.nodes.iter().map(|n| of(n.known).into_iter().collect()).collect();
        loop {
            let size = |sets: &[BTreeSet<VarId>]| sets.iter().map(BTreeSet::len).sum::<usize>();
            let before = size(&needed);
            for link in self.links.iter().rev() {
                let mut here = of(link.block.condition());
                for v in &needed[link.to] {
                    here.extend(of(link.block.before(self.program.term(*v))));
                }
                needed[link.from].extend(here);
            }
            let mut at: BTreeMap<Place, BTreeSet<VarId>> = BTreeMap::new();
            for (node, set) in self.nodes.iter().zip(&needed) {
                if let Some(p) = node.place {
                    at.entry(p).or_default().extend(set);
                }
            }
            for (node, set) in self.nodes.iter().zip(&mut needed) {
                if let Some(all) = node.place.and_then(|p| at.get(&p)) {
                    set.clone_from(all);
                }
            }
            if size(&needed) == before {
                return needed;
            }
        }
    }

    /// Going backwards from the error, each label keeps the conjuncts that the next blocks need: what is general holds elsewhere, too.
    fn generalise(&self, labels: &mut [Term], budget: &Budget) {
        for n in (1..self.nodes.len() - 1).rev() {
            let conjuncts = labels[n].conjuncts();
            if conjuncts.len() < 2 || budget.is_over() {
                continue;
            }
            let leaving = self.links.iter().filter(|l| l.from == n);
            let bad = leaving.map(|l| l.block.condition().and(l.block.before(labels[l.to]).not()));
            let mut solver = OwnSolver::new(&Limits { query_time: Some(PATIENCE), ..Limits::default() });
            solver.set_budget(budget);
            solver.assert(self.nodes[n].known);
            solver.assert(Term::any(bad));
            if let Some(kept) = smallest(&mut solver, &conjuncts) {
                labels[n] = Term::all(kept);
            }
        }
    }
}

/// Assumptions that suffice for a refutation and of which none can be left out; nothing if there are none.
fn smallest(solver: &mut OwnSolver, assumptions: &[Term]) -> Option<Vec<Term>> {
    let mut core = |assumptions: &[Term]| match solver.check_assuming(assumptions) {
        CheckResult::Unsat => {
            let core = solver.unsat_core();
            Some(assumptions.iter().copied().filter(|t| core.contains(t)).collect::<Vec<Term>>())
        }
        _ => None,
    };
    let mut kept = core(assumptions)?;
    let mut i = 0;
    while i < kept.len() {
        let mut fewer = kept.clone();
        fewer.remove(i);
        match core(&fewer) {
            Some(smaller) => kept = smaller,
            None => i += 1,
        }
    }
    Some(kept)
}
