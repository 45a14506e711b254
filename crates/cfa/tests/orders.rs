//! Weak topological orders and the orders of unwindings, on random graphs and random nests of calls.

mod build;

use build::*;
use plumb_cfa::unwind::{Orders, Unwound};
use plumb_cfa::wto::Wto;
use plumb_cfa::*;
use proptest::prelude::*;
use std::collections::BTreeSet;

fn reachable(g: &Graph) -> Vec<bool> {
    let (mut seen, mut todo) = (vec![false; g.num_locs()], vec![Loc(0)]);
    while let Some(l) = todo.pop() {
        if !std::mem::replace(&mut seen[l.index()], true) {
            todo.extend(g.successors(l));
        }
    }
    seen
}

#[test]
fn heads_of_reducible_loops_are_their_headers() {
    let g = graph(6, &[(0, 1), (1, 2), (2, 3), (3, 2), (3, 4), (4, 1), (1, 5)]);
    let w = Wto::new(&g, Loc(0));
    assert_eq!(w.heads(), &[Loc(1), Loc(2)]);
    assert_eq!(w.components(Loc(3)).len(), 2);
    assert_eq!(w.body(w.headed_by(Loc(2)).expect("a head")), &[Loc(2), Loc(3)]);
}

#[test]
fn a_deep_nest_needs_no_stack() {
    let n = 3000;
    let mut es: Vec<(u32, u32)> = (0..n - 1).map(|i| (i, i + 1)).collect();
    es.extend((0..n / 2).map(|i| (n - 1 - i, i)));
    let w = Wto::new(&graph(n, &es), Loc(0));
    assert_eq!(w.heads().len(), n as usize / 2);
}

proptest! {
    #[test]
    fn backward_edges_go_to_heads_of_components_around_them(es in edges(10, 30)) {
        let g = graph(10, &es);
        let w = Wto::new(&g, Loc(0));
        let seen = reachable(&g);
        for l in g.locs() {
            prop_assert_eq!(w.position(l).is_some(), seen[l.index()]);
            if let Some(p) = w.position(l) {
                prop_assert_eq!(w.order()[p as usize], l);
            }
            for c in w.components(l) {
                prop_assert!(w.body(c).contains(&l));
            }
        }
        prop_assert_eq!(w.order().len(), seen.iter().filter(|s| **s).count());
        for (_, e) in g.edges() {
            if let (Some(p), Some(q)) = (w.position(e.from), w.position(e.to)) {
                let back = w.headed_by(e.to).is_some_and(|c| w.components(e.from).contains(&c));
                prop_assert!(p < q || back, "{:?} -> {:?}", e.from, e.to);
            }
        }
        for c in w.all() {
            prop_assert_eq!(w.body(c).iter().filter(|l| w.components(**l).contains(&c)).count(), w.body(c).len());
            prop_assert_eq!(g.locs().filter(|l| w.components(*l).contains(&c)).count(), w.body(c).len());
        }
    }

    /// Random graphs per function with random calls, recursion included: every step goes up in the order, so that the least
    /// pending point has no pending predecessor.
    #[test]
    fn unwinding_goes_up(graphs in proptest::collection::vec(proptest::collection::vec((0u32..6, 0u32..6, 0u32..6), 1..14), 3)) {
        let mut p = program(0, 3);
        for (f, es) in graphs.iter().enumerate() {
            let ops = es.iter().filter(|e| e.0 != 5).map(|(a, b, c)| (*a, *b, if *c < 3 { call(*c) } else { Op::Skip })).collect();
            set_graph(&mut p, f as u32, 6, 5, ops);
        }
        let orders = Orders::new(&p);
        let start = Unwound::start(&orders, &Point { stack: vec![], func: FuncId(0), loc: Loc(0) });
        let mut pending = BTreeSet::from([start]);
        let mut done = 0;
        let mut last: Option<Unwound> = None;
        while let Some(u) = pending.pop_first() {
            if let Some(l) = &last {
                prop_assert!(*l < u, "{:?} was visited after {:?}", u, l);
            }
            last = Some(u.clone());
            done += 1;
            if done > 400 {
                break;
            }
            let f = p.function(u.func);
            let mut next = Vec::new();
            if u.loc == f.exit {
                if let Some((site, back)) = u.ret(&orders) {
                    prop_assert_eq!(back.loc, p.function(site.func).graph.edge(site.edge).to);
                    prop_assert_eq!(back.depth() + 1, u.depth());
                    next.push(back);
                } else {
                    prop_assert_eq!(u.depth(), 0);
                }
            }
            for e in f.graph.out_edges(u.loc) {
                match &f.graph.edge(*e).op {
                    Op::Call { func, .. } if u.depth() < 4 => {
                        let into = u.call(&orders, *e, *func);
                        prop_assert_eq!(into.activations(*func), u.activations(*func) + 1);
                        prop_assert_eq!(into.point().stack.last().map(|s| s.edge), Some(*e));
                        next.push(into);
                    }
                    Op::Call { .. } => {}
                    _ => next.extend(u.step(&orders, f.graph.edge(*e).to)),
                }
            }
            for n in next {
                prop_assert!(n > u, "{:?} after {:?}", n, u);
                prop_assert!(n.iteration(&orders).is_none_or(|i| i <= 400));
                pending.insert(n);
            }
        }
    }
}

#[test]
fn iterations_are_counted_from_the_entry_of_the_loop() {
    let mut p = program(0, 1);
    // An inner loop 1 in an outer loop 0.
    set_graph(&mut p, 0, 3, 2, vec![(0, 1, Op::Skip), (1, 1, Op::Skip), (1, 0, Op::Skip), (0, 2, Op::Skip)]);
    let orders = Orders::new(&p);
    let mut u = Unwound::start(&orders, &Point { stack: vec![], func: FuncId(0), loc: Loc(0) });
    let mut seen = vec![];
    for l in [1, 1, 1, 0, 1, 1, 0] {
        u = u.step(&orders, Loc(l)).expect("reachable");
        seen.push(u.iteration(&orders).expect("a head"));
    }
    assert_eq!(seen, vec![0, 1, 2, 1, 0, 1, 2]);
}
