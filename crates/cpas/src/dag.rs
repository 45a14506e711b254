//! All paths to the error that lead from cut to cut as one path does: can one of them be taken?
//!
//! Where an exploration merges states, the path along which a violation was found first is one of many through the same merged states. It may be one
//! that no execution takes while another is taken. So between two cuts of the path (loop heads, entries of recursive functions) all paths of the graph are executed symbolically
//! together; a model says which branches an execution takes.

use crate::block::Formula;
use crate::path::decide;
use plumb_cpa::{Cpa, Exploration, Flow, Kind, NodeId, StepId};
use plumb_smt::Model;
use plumb_term::Budget;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Larger graphs are not looked at.
const MAX_EDGES: usize = 50_000;

/// A node of the graph in one segment of the path.
type Here = (usize, NodeId);

/// The paths, from the first node of the first segment to the last one of the last.
pub(crate) struct Dag {
    start: Here,
    end: Here,
    /// The edges that leave each node; nodes in an order in which edges go forward.
    order: Vec<Here>,
    out: BTreeMap<Here, Vec<(StepId, Here)>>,
    /// Whether there is more than one path.
    pub(crate) branches: bool,
}

/// The paths that visit the same nodes at cuts as the path to a target; nothing if they are too many.
pub(crate) fn between<C: Cpa>(run: &Exploration<'_, C>, target: NodeId) -> Option<Dag> {
    let (arg, cpa, flow) = (run.arg(), run.cpa(), run.flow());
    let cut = |n: NodeId| cpa.place(arg.state(n)).is_none_or(|p| flow.is_cut(p, true));
    let root = arg.root(target);
    let trail = arg.trail(target);
    let mut stops: Vec<NodeId> = vec![root];
    stops.extend(trail.iter().copied().filter(|n| cut(*n) || *n == target));
    if stops.last() != Some(&target) {
        stops.push(target);
    }
    let mut dag = Dag { start: (0, root), end: (stops.len() - 1, target), order: Vec::new(), out: BTreeMap::new(), branches: false };
    let mut edges = 0;
    for (segment, pair) in stops.windows(2).enumerate() {
        let (from, to) = (pair[0], pair[1]);
        // Nodes of the segment after all that they lead to; cuts end it.
        let mut after: Vec<NodeId> = Vec::new();
        let mut seen: BTreeSet<NodeId> = BTreeSet::from([from]);
        let mut stack = vec![(from, 0)];
        while let Some((n, i)) = stack.pop() {
            let Some(edge) = arg.edges(n).get(i) else {
                after.push(n);
                continue;
            };
            stack.push((n, i + 1));
            if edge.to != to && !cut(edge.to) && seen.insert(edge.to) {
                stack.push((edge.to, 0));
            }
        }
        let mut leads: BTreeSet<NodeId> = BTreeSet::new();
        for n in &after {
            let here = |m: NodeId| if m == to { (segment + 1, m) } else { (segment, m) };
            let useful = arg.edges(*n).iter().filter(|e| e.to == to || leads.contains(&e.to));
            let out: Vec<(StepId, Here)> = useful.map(|e| (e.step, here(e.to))).collect();
            if !out.is_empty() {
                leads.insert(*n);
                edges += out.len();
                dag.branches |= out.len() > 1;
                dag.out.insert((segment, *n), out);
            }
        }
        if edges > MAX_EDGES || !leads.contains(&from) {
            return None;
        }
        dag.order.extend(after.into_iter().rev().filter(|n| leads.contains(n)).map(|n| (segment, n)));
    }
    Some(dag)
}

/// Paths of the graph to a target that pass each cut at most so many times, shorter ones first, at most so many.
pub(crate) fn walks<C: Cpa>(run: &Exploration<'_, C>, target: NodeId, visits: usize, limit: usize) -> Vec<Vec<StepId>> {
    let (arg, cpa, flow) = (run.arg(), run.cpa(), run.flow());
    let cut = |n: NodeId| cpa.place(arg.state(n)).is_none_or(|p| flow.is_cut(p, true));
    let mut into: BTreeMap<NodeId, Vec<NodeId>> = BTreeMap::new();
    for (n, _) in arg.nodes() {
        arg.edges(n).iter().for_each(|e| into.entry(e.to).or_default().push(n));
    }
    let mut leads: BTreeSet<NodeId> = BTreeSet::from([target]);
    let mut todo = vec![target];
    while let Some(n) = todo.pop() {
        todo.extend(into.get(&n).into_iter().flatten().copied().filter(|m| leads.insert(*m)));
    }
    let mut out = Vec::new();
    let mut open: VecDeque<(NodeId, Vec<StepId>, Vec<NodeId>)> = VecDeque::from([(arg.root(target), Vec::new(), Vec::new())]);
    let mut looked = 0;
    while let Some((n, path, cuts)) = open.pop_front() {
        looked += 1;
        if n == target {
            out.push(path);
            if out.len() == limit {
                break;
            }
            continue;
        }
        if looked > MAX_EDGES / 4 {
            break;
        }
        for e in arg.edges(n).iter().filter(|e| leads.contains(&e.to)) {
            let mut passed = cuts.clone();
            if cut(e.to) {
                passed.push(e.to);
                if passed.iter().filter(|c| **c == e.to).count() > visits {
                    continue;
                }
            }
            let mut longer = path.clone();
            longer.push(e.step);
            open.push_back((e.to, longer, passed));
        }
    }
    out
}

/// One of the paths that an execution takes, if there is one and the solver finds it.
pub(crate) fn taken(flow: &Flow<'_>, dag: &Dag, budget: &Budget) -> Option<Vec<StepId>> {
    let program = flow.program();
    let mut at: BTreeMap<Here, Formula> = BTreeMap::from([(dag.start, Formula::default())]);
    for here in &dag.order {
        if budget.is_over() {
            return None;
        }
        let Some(formula) = at.get(here).cloned() else { continue };
        for (step, to) in dag.out.get(here).into_iter().flatten() {
            let step = flow.step(*step);
            if step.kind == Kind::Return && !step.effect.inputs.is_empty() {
                return None;
            }
            let Some(next) = formula.extended(step, false) else { continue };
            let all = match at.get(to) {
                Some(other) => next.union(program, other),
                None => next,
            };
            at.insert(*to, all);
        }
    }
    let conditions: Vec<_> = at.get(&dag.end)?.condition().conjuncts().into_iter().enumerate().collect();
    let model = decide(program, &conditions, budget).ok()?.ok()?;
    walk(flow, dag, &at, &model)
}

/// The path that a model takes.
fn walk(flow: &Flow<'_>, dag: &Dag, at: &BTreeMap<Here, Formula>, model: &Model) -> Option<Vec<StepId>> {
    let mut path = Vec::new();
    let mut here = dag.start;
    while here != dag.end {
        let formula = at.get(&here)?;
        let out = dag.out.get(&here)?;
        let taken = |(step, _): &&(StepId, Here)| {
            formula.extended(flow.step(*step), false).is_some_and(|next| model.holds(next.condition()) == Some(true))
        };
        let (step, to) = if let [only] = out.as_slice() { only } else { out.iter().find(taken)? };
        path.push(*step);
        here = *to;
    }
    Some(path)
}
