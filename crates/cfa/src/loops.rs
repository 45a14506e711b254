//! Loops with their bodies, entries, exits and nesting.
//!
//! A loop is a component of the weak topological order (see [`crate::wto`]): for a reducible graph these are the natural loops,
//! those of one header united; an irreducible loop, which can be entered elsewhere than at its head, is one too, and says so.

use crate::graph::{EdgeId, Graph, Loc};
use crate::wto::{Component, Wto};

/// A loop. Edges are those of reachable locations only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// Where paths are cut.
    pub head: Loc,
    /// The loop around it.
    pub parent: Option<Component>,
    /// How many loops are around it.
    pub depth: u32,
    /// Its locations, the head first, those of inner loops included.
    pub body: Vec<Loc>,
    /// The edges that come in from outside.
    pub entries: Vec<EdgeId>,
    /// The edges from the body to the head.
    pub back_edges: Vec<EdgeId>,
    /// The edges that leave the body.
    pub exits: Vec<EdgeId>,
}

impl Loop {
    /// Whether it can be entered elsewhere than at its head.
    pub fn is_irreducible(&self, graph: &Graph) -> bool {
        self.entries.iter().any(|e| graph.edge(*e).to != self.head)
    }
}

/// The loops of one graph, indexed by the components of its weak topological order.
#[derive(Clone, Debug)]
pub struct Loops {
    loops: Vec<Loop>,
    innermost: Vec<Option<Component>>,
}

impl Loops {
    /// The loops of the part of `graph` that `wto` orders.
    pub fn new(graph: &Graph, wto: &Wto) -> Loops {
        let innermost: Vec<Option<Component>> = graph.locs().map(|l| wto.innermost(l)).collect();
        let mut loops: Vec<Loop> = Vec::new();
        for c in wto.all() {
            let parent = wto.parent(c);
            let depth = parent.map_or(0, |p| loops[p.0 as usize].depth + 1);
            let none = Vec::new;
            let body = wto.body(c).to_vec();
            loops.push(Loop { head: wto.head(c), parent, depth, body, entries: none(), back_edges: none(), exits: none() });
        }
        let mut out = Loops { loops, innermost };
        for (id, e) in graph.edges() {
            let (Some(p), Some(q)) = (wto.position(e.from), wto.position(e.to)) else { continue };
            for c in out.around(e.from).collect::<Vec<_>>() {
                if !wto.span(c).contains(&(q as usize)) {
                    out.loops[c.0 as usize].exits.push(id);
                } else if wto.head(c) == e.to {
                    out.loops[c.0 as usize].back_edges.push(id);
                }
            }
            for c in out.around(e.to).collect::<Vec<_>>() {
                if !wto.span(c).contains(&(p as usize)) {
                    out.loops[c.0 as usize].entries.push(id);
                }
            }
        }
        out
    }

    /// A loop.
    pub fn get(&self, c: Component) -> &Loop {
        &self.loops[c.0 as usize]
    }

    /// All loops, outer ones before inner ones.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (Component, &Loop)> {
        self.loops.iter().enumerate().map(|(i, l)| (Component(i as u32), l))
    }

    /// The innermost loop that contains a location.
    pub fn innermost(&self, l: Loc) -> Option<Component> {
        self.innermost[l.index()]
    }

    /// The loops that contain a location, innermost first.
    pub fn around(&self, l: Loc) -> impl Iterator<Item = Component> + '_ {
        std::iter::successors(self.innermost(l), |c| self.get(*c).parent)
    }

    /// How many loops contain a location.
    pub fn depth(&self, l: Loc) -> u32 {
        self.innermost(l).map_or(0, |c| self.get(c).depth + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dominators::Dominators;
    use proptest::prelude::*;

    fn loops(g: &Graph) -> Loops {
        Loops::new(g, &Wto::new(g, Loc(0)))
    }

    #[test]
    fn nested_loops_know_their_edges() {
        // 0 -> 1 {2 {3} 4} -> 5; 6 is unreachable and enters the inner loop.
        let g = Graph::of_edges(7, &[(0, 1), (1, 2), (2, 3), (3, 2), (2, 4), (4, 1), (1, 5), (3, 5), (6, 3)]);
        let ls = loops(&g);
        let all: Vec<&Loop> = ls.iter().map(|l| l.1).collect();
        assert_eq!(all.len(), 2);
        let (outer, inner) = (all[0], all[1]);
        assert_eq!((outer.head, outer.depth, inner.head, inner.depth), (Loc(1), 0, Loc(2), 1));
        assert_eq!(inner.parent, Some(Component(0)));
        assert_eq!(outer.exits, vec![EdgeId(6), EdgeId(7)]);
        assert_eq!(inner.exits, vec![EdgeId(4), EdgeId(7)]);
        assert_eq!((outer.entries.clone(), outer.back_edges.clone()), (vec![EdgeId(0)], vec![EdgeId(5)]));
        assert_eq!((inner.entries.clone(), inner.back_edges.clone()), (vec![EdgeId(1)], vec![EdgeId(3)]));
        assert_eq!((ls.depth(Loc(3)), ls.depth(Loc(4)), ls.depth(Loc(5))), (2, 1, 0));
        assert!(!outer.is_irreducible(&g) && !inner.is_irreducible(&g));
    }

    #[test]
    fn a_loop_with_two_entries_is_irreducible() {
        let g = Graph::of_edges(4, &[(0, 1), (0, 2), (1, 2), (2, 1), (2, 3)]);
        let ls = loops(&g);
        let (_, l) = ls.iter().next().expect("one loop");
        assert_eq!(ls.iter().count(), 1);
        assert!(l.is_irreducible(&g));
        assert_eq!(l.entries.len(), 2);
    }

    proptest! {
        #[test]
        fn bodies_cycle_through_their_heads(edges in proptest::collection::vec((0u32..9, 0u32..9), 0..24)) {
            let g = Graph::of_edges(9, &edges);
            let wto = Wto::new(&g, Loc(0));
            let ls = Loops::new(&g, &wto);
            let dom = Dominators::new(&g, Loc(0));
            for (c, l) in ls.iter() {
                prop_assert_eq!(l.body[0], l.head);
                prop_assert!(!l.back_edges.is_empty());
                let inside = |x: Loc| ls.around(x).any(|d| d == c);
                prop_assert!(l.body.iter().all(|x| inside(*x)));
                prop_assert_eq!(l.body.len(), g.locs().filter(|x| inside(*x)).count());
                // Within the body, every location reaches the head.
                for x in &l.body {
                    let (mut seen, mut todo) = (vec![false; 9], vec![*x]);
                    while let Some(y) = todo.pop() {
                        if !std::mem::replace(&mut seen[y.index()], true) {
                            todo.extend(g.successors(y).filter(|s| inside(*s)));
                        }
                    }
                    prop_assert!(seen[l.head.index()]);
                }
                // Reducible means: the head dominates the body, a natural loop.
                if !l.is_irreducible(&g) {
                    prop_assert!(l.body.iter().all(|x| dom.dominates(l.head, *x)));
                }
            }
            // A natural loop's header heads a component, unless an irreducible loop contains it.
            for (_, e) in g.edges().filter(|(_, e)| dom.dominates(e.to, e.from)) {
                prop_assert!(wto.headed_by(e.to).is_some() || ls.around(e.to).any(|c| ls.get(c).is_irreducible(&g)));
            }
        }
    }
}
