//! Dominators: which locations every path from the entry to a location passes.
//!
//! Immediate dominators by the iteration of Cooper, Harvey and Kennedy ("A Simple, Fast Dominance Algorithm", 2001) over a
//! reverse postorder, then an interval numbering of the dominator tree, so that [`Dominators::dominates`] takes constant time.
//! The same on the reversed graph gives post-dominators.

use crate::graph::{Graph, Loc};

/// The dominator tree of the part of a graph that is reachable from its root.
#[derive(Clone, Debug)]
pub struct Dominators {
    /// The immediate dominator; none for the root and for unreachable locations.
    idom: Vec<Option<Loc>>,
    /// When the walk over the tree enters and leaves a location; none if it is unreachable.
    visit: Vec<Option<(u32, u32)>>,
}

impl Dominators {
    /// Of the locations reachable from `entry`.
    pub fn new(graph: &Graph, entry: Loc) -> Dominators {
        let n = graph.num_locs();
        let successors = |v: usize| graph.successors(Loc(v as u32)).map(Loc::index).collect();
        let predecessors = |v: usize| graph.predecessors(Loc(v as u32)).map(Loc::index).collect();
        Dominators::solve(n, n, entry.index(), &successors, &predecessors)
    }

    /// Of the locations from which a location without successors can be reached: which locations every way to such an end
    /// passes. Several ends have no common post-dominator.
    pub fn post(graph: &Graph) -> Dominators {
        let n = graph.num_locs();
        let is_end = |v: usize| v < n && graph.out_edges(Loc(v as u32)).is_empty();
        // The node n stands for "after every end".
        let successors = |v: usize| match v {
            v if v == n => (0..n).filter(|v| is_end(*v)).collect(),
            v => graph.predecessors(Loc(v as u32)).map(Loc::index).collect(),
        };
        let predecessors = |v: usize| match v {
            v if v == n => Vec::new(),
            v if is_end(v) => vec![n],
            v => graph.successors(Loc(v as u32)).map(Loc::index).collect(),
        };
        Dominators::solve(n, n + 1, n, &successors, &predecessors)
    }

    /// Over the nodes `0..nodes`, of which the first `n` are locations.
    fn solve(n: usize, nodes: usize, root: usize, succ: &dyn Fn(usize) -> Vec<usize>, pred: &dyn Fn(usize) -> Vec<usize>) -> Dominators {
        let order = reverse_postorder(nodes, root, succ);
        let mut number = vec![usize::MAX; nodes];
        for (i, v) in order.iter().enumerate() {
            number[*v] = i;
        }
        let preds: Vec<Vec<usize>> =
            order.iter().map(|v| pred(*v).into_iter().map(|p| number[p]).filter(|p| *p != usize::MAX).collect()).collect();
        // In terms of numbers: a dominator has a smaller one.
        let mut idom = vec![usize::MAX; order.len()];
        if let Some(root) = idom.first_mut() {
            *root = 0;
        }
        let mut changed = true;
        while changed {
            changed = false;
            for v in 1..order.len() {
                let mut known = preds[v].iter().copied().filter(|p| idom[*p] != usize::MAX);
                let Some(first) = known.next() else { continue };
                let new = known.fold(first, |a, b| intersect(&idom, a, b));
                if idom[v] != new {
                    idom[v] = new;
                    changed = true;
                }
            }
        }
        let visit = walk(&idom);
        let mut out = Dominators { idom: vec![None; n], visit: vec![None; n] };
        for (i, v) in order.iter().enumerate().filter(|(_, v)| **v < n) {
            out.visit[*v] = Some(visit[i]);
            out.idom[*v] = (i > 0).then(|| order[idom[i]]).filter(|d| *d < n).map(|d| Loc(d as u32));
        }
        out
    }

    /// The closest dominator other than the location itself; none for the root and for unreachable locations.
    pub fn idom(&self, l: Loc) -> Option<Loc> {
        self.idom[l.index()]
    }

    /// Whether every path from the root to `b` passes `a`; false if either is unreachable.
    pub fn dominates(&self, a: Loc, b: Loc) -> bool {
        match (self.visit[a.index()], self.visit[b.index()]) {
            (Some(a), Some(b)) => a.0 <= b.0 && b.1 <= a.1,
            _ => false,
        }
    }

    /// Whether the location is reachable from the root.
    pub fn is_reachable(&self, l: Loc) -> bool {
        self.visit[l.index()].is_some()
    }
}

fn intersect(idom: &[usize], mut a: usize, mut b: usize) -> usize {
    while a != b {
        while a > b {
            a = idom[a];
        }
        while b > a {
            b = idom[b];
        }
    }
    a
}

fn reverse_postorder(nodes: usize, root: usize, succ: &dyn Fn(usize) -> Vec<usize>) -> Vec<usize> {
    let mut seen = vec![false; nodes];
    let mut out = Vec::new();
    seen[root] = true;
    let mut stack = vec![(root, succ(root).into_iter())];
    while let Some((v, rest)) = stack.last_mut() {
        match rest.next() {
            Some(s) if !seen[s] => {
                seen[s] = true;
                stack.push((s, succ(s).into_iter()));
            }
            Some(_) => {}
            None => {
                out.push(*v);
                stack.pop();
            }
        }
    }
    out.reverse();
    out
}

/// Entry and exit times of a walk over the tree, by node number.
fn walk(idom: &[usize]) -> Vec<(u32, u32)> {
    let mut children = vec![Vec::new(); idom.len()];
    for v in 1..idom.len() {
        children[idom[v]].push(v);
    }
    let mut out = vec![(0, 0); idom.len()];
    let mut time = 0;
    let mut stack = vec![(0, 0)];
    while let Some((v, i)) = stack.last_mut() {
        let v = *v;
        if *i == 0 {
            out[v].0 = time;
            time += 1;
        }
        if let Some(c) = children[v].get(*i) {
            *i += 1;
            stack.push((*c, 0));
        } else {
            out[v].1 = time;
            time += 1;
            stack.pop();
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Locations reachable from `from` without passing `without`.
    fn reach(g: &Graph, from: Loc, without: Option<Loc>) -> Vec<bool> {
        let mut seen = vec![false; g.num_locs()];
        let mut todo = vec![from];
        while let Some(l) = todo.pop() {
            if Some(l) != without && !std::mem::replace(&mut seen[l.index()], true) {
                todo.extend(g.successors(l));
            }
        }
        seen
    }

    #[test]
    fn a_diamond_is_dominated_by_its_fork_and_post_dominated_by_its_join() {
        let g = Graph::of_edges(5, &[(0, 1), (1, 2), (1, 3), (2, 4), (3, 4)]);
        let d = Dominators::new(&g, Loc(0));
        assert_eq!(d.idom(Loc(4)), Some(Loc(1)));
        assert_eq!(d.idom(Loc(0)), None);
        assert!(d.dominates(Loc(1), Loc(4)) && !d.dominates(Loc(2), Loc(4)) && d.dominates(Loc(4), Loc(4)));
        let p = Dominators::post(&g);
        assert_eq!(p.idom(Loc(1)), Some(Loc(4)));
        assert!(p.dominates(Loc(4), Loc(0)) && !p.dominates(Loc(2), Loc(1)));
    }

    proptest! {
        #[test]
        fn dominance_is_what_removing_a_location_cuts_off(edges in proptest::collection::vec((0u32..9, 0u32..9), 0..24)) {
            let g = Graph::of_edges(9, &edges);
            let d = Dominators::new(&g, Loc(0));
            let all = reach(&g, Loc(0), None);
            for a in g.locs() {
                let rest = reach(&g, Loc(0), Some(a));
                for b in g.locs() {
                    let expected = all[a.index()] && all[b.index()] && !rest[b.index()];
                    prop_assert_eq!(d.dominates(a, b), expected, "{:?} {:?}", a, b);
                }
                prop_assert_eq!(d.is_reachable(a), all[a.index()]);
                if let Some(i) = d.idom(a) {
                    prop_assert!(i != a && d.dominates(i, a));
                    prop_assert!(g.locs().all(|x| x == a || !d.dominates(x, a) || d.dominates(x, i)));
                }
            }
        }

        #[test]
        fn post_dominance_is_what_removing_a_location_cuts_off(edges in proptest::collection::vec((0u32..8, 0u32..8), 0..20)) {
            let g = Graph::of_edges(8, &edges);
            let p = Dominators::post(&g);
            let ends: Vec<Loc> = g.locs().filter(|l| g.out_edges(*l).is_empty()).collect();
            for b in g.locs() {
                let all = reach(&g, b, None);
                let finishes = ends.iter().any(|e| all[e.index()]);
                prop_assert_eq!(p.is_reachable(b), finishes);
                for a in g.locs() {
                    let rest = reach(&g, b, Some(a));
                    let expected = finishes && all[a.index()] && !ends.iter().any(|e| rest[e.index()]);
                    prop_assert_eq!(p.dominates(a, b), expected, "{:?} {:?}", a, b);
                }
            }
        }
    }
}
