//! Blocks of a program, and graphs that unroll them.

use plumb_algo::system::System;
use plumb_cfa::Program;
use plumb_smt::interpolate::{Block, Family, Member, NodeId};
use plumb_term::{Term, Var};
use std::collections::{BTreeMap, BTreeSet};

/// The blocks of a transition system; the cut point after the last is the error.
pub fn blocks(program: &Program, system: &System) -> Family {
    let vars = |list: &[plumb_term::VarId]| list.iter().map(|v| Var::new(*v, program.var(*v).ty)).collect::<Vec<Var>>();
    let mut family = Family { name: "program".into(), ..Family::default() };
    family.cuts = system.cuts.iter().map(|c| vars(&c.needed)).collect();
    family.cuts.push(Vec::new());
    let error = system.cuts.len();
    for t in &system.transitions {
        let after = family.cuts[t.to.0].iter().map(|v| Term::var(v.at(1)));
        let values = after.zip(&t.values).map(|(v, value)| v.equals(*value));
        let formula = Term::all(values.chain([t.condition]));
        family.blocks.push(Block { from: t.from.0, to: t.to.0, formula });
    }
    for (from, condition) in &system.errors {
        family.blocks.push(Block { from: from.0, to: error, formula: *condition });
    }
    family.blocks.retain(|b| !b.formula.is_false());
    family
}

/// A layer and a position in the order of the cut points.
type Place = (usize, usize);

/// The graph of cut points.
pub struct Graph {
    /// For each block its number and ends.
    blocks: Vec<(usize, usize, usize)>,
    /// The position of each cut point that is reached in reverse post-order.
    order: BTreeMap<usize, usize>,
    error: usize,
}

impl Graph {
    /// The graph of a family's blocks, from its first cut point.
    pub fn new(family: &Family) -> Graph {
        let blocks: Vec<(usize, usize, usize)> = family.blocks.iter().enumerate().map(|(i, b)| (i, b.from, b.to)).collect();
        let mut seen: BTreeSet<usize> = BTreeSet::new();
        let mut post = Vec::new();
        let mut stack = vec![(0, false)];
        while let Some((c, left)) = stack.pop() {
            if left {
                post.push(c);
            } else if seen.insert(c) {
                stack.push((c, true));
                stack.extend(blocks.iter().filter(|b| b.1 == c && !seen.contains(&b.2)).map(|b| (b.2, false)));
            }
        }
        let order = post.into_iter().rev().enumerate().map(|(i, c)| (c, i)).collect();
        Graph { blocks, order, error: family.cuts.len() - 1 }
    }

    /// The graph in which at most `depth` blocks go back in the order: a layer of cut points for each. Only what lies on a way to the error
    /// is kept; `None` if nothing does.
    pub fn unroll(&self, depth: usize) -> Option<Member> {
        // The error is one node after all.
        let error = (depth + 1, 0);
        let mut edges: Vec<(usize, Place, Place)> = Vec::new();
        for layer in 0..=depth {
            for (b, from, to) in &self.blocks {
                let Some(from) = self.order.get(from) else { continue };
                let end = match self.order.get(to) {
                    _ if *to == self.error => error,
                    Some(to) if to > from => (layer, *to),
                    Some(to) if layer < depth => (layer + 1, *to),
                    _ => continue,
                };
                edges.push((*b, (layer, *from), end));
            }
        }
        let entry = (0, 0);
        let useful = closure(entry, edges.iter().map(|e| (e.1, e.2)));
        let useful: BTreeSet<_> = closure(error, edges.iter().map(|e| (e.2, e.1))).intersection(&useful).copied().collect();
        if !useful.contains(&entry) || entry == error {
            return None;
        }
        edges.retain(|e| useful.contains(&e.1) && useful.contains(&e.2));
        let cut_of: BTreeMap<usize, usize> = self.order.iter().map(|(c, p)| (*p, *c)).collect();
        let number: BTreeMap<Place, usize> = useful.iter().enumerate().map(|(i, n)| (*n, i)).collect();
        let nodes = useful.iter().map(|n| if *n == error { self.error } else { cut_of[&n.1] }).collect();
        let edges = edges.into_iter().map(|(b, u, v)| (b, NodeId(number[&u]), NodeId(number[&v]))).collect();
        Some(Member { name: format!("d{depth}"), nodes, edges })
    }
}

/// What can be reached.
fn closure(from: Place, edges: impl Iterator<Item = (Place, Place)>) -> BTreeSet<Place> {
    let mut next: BTreeMap<Place, Vec<Place>> = BTreeMap::new();
    edges.for_each(|(u, v)| next.entry(u).or_default().push(v));
    let mut seen = BTreeSet::from([from]);
    let mut stack = vec![from];
    while let Some(u) = stack.pop() {
        for v in next.get(&u).into_iter().flatten() {
            if seen.insert(*v) {
                stack.push(*v);
            }
        }
    }
    seen
}
