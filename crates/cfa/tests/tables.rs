//! Call graphs, chunked maps, symbolic stores and the choice between edges.

mod build;

use build::*;
use plumb_cfa::callgraph::CallGraph;
use plumb_cfa::choice::not_preempted;
use plumb_cfa::chunks::Chunks;
use plumb_cfa::store::Store;
use plumb_cfa::*;
use plumb_term::eval::{eval, Value};
use plumb_term::{IBig, Span, Term, Var, VarId};
use proptest::prelude::*;
use std::collections::BTreeMap;

fn truth(t: Term, x: &[i64]) -> bool {
    let env = |v: Var| x.get(v.id.0 as usize).map(|x| Value::Int(IBig::from(*x)));
    matches!(eval(t, &env), Some(Value::Bool(true)))
}

proptest! {
    #[test]
    fn recursion_is_reaching_oneself(calls in edges(7, 16)) {
        let mut p = program(0, 7);
        for f in 0..7u32 {
            let mine: Vec<_> = calls.iter().filter(|c| c.0 == f).map(|c| (0, 1, call(c.1))).collect();
            set_graph(&mut p, f, 2, 1, mine);
        }
        let cg = CallGraph::new(&p);
        let mut reach = [[false; 7]; 7];
        for (a, b) in &calls {
            reach[*a as usize][*b as usize] = true;
        }
        for k in 0..7 {
            for i in 0..7 {
                for j in 0..7 {
                    reach[i][j] |= reach[i][k] && reach[k][j];
                }
            }
        }
        for (f, row) in reach.iter().enumerate() {
            prop_assert_eq!(cg.is_recursive(FuncId(f as u32)), row[f], "{}", f);
        }
        let order = cg.bottom_up(FuncId(0));
        let at = |f: FuncId| order.iter().position(|g| *g == f);
        prop_assert_eq!(order.len(), 1 + (1..7).filter(|f| reach[0][*f]).count());
        for f in &order {
            for c in cg.callees(*f) {
                let mutual = reach[c.0 as usize][f.0 as usize];
                prop_assert!(mutual || at(*c) < at(*f), "{:?} calls {:?}", f, c);
            }
        }
    }

    #[test]
    fn chunks_are_a_map(ops in proptest::collection::vec((0u32..100, proptest::option::of(0u8..4), any::<bool>()), 0..60)) {
        let (mut a, mut b) = (Chunks::default(), Chunks::default());
        let (mut ma, mut mb) = (BTreeMap::new(), BTreeMap::new());
        for (v, value, copy) in ops {
            a.set(VarId(v), value);
            match value {
                Some(x) => { ma.insert(VarId(v), x); }
                None => { ma.remove(&VarId(v)); }
            }
            if copy {
                (b, mb) = (a.clone(), ma.clone());
            }
        }
        prop_assert_eq!(a.iter().collect::<Vec<_>>(), ma.clone().into_iter().collect::<Vec<_>>());
        let expected: Vec<_> = (0..100).map(VarId).filter(|v| ma.get(v) != mb.get(v)).map(|v| (v, ma.get(&v).copied(), mb.get(&v).copied())).collect();
        prop_assert_eq!(a.differences(&b), expected);
        for v in 0..120 {
            prop_assert_eq!(a.get(VarId(v)), ma.get(&VarId(v)).copied());
        }
    }

    /// Joining two stores under a condition and reading gives the value of the store that the condition chooses.
    #[test]
    fn joined_stores_choose(left in proptest::collection::vec((0u32..4, 0u32..2, 0i64..5), 0..8),
                            right in proptest::collection::vec((0u32..4, 0u32..2, 0i64..5), 0..8), x in 0i64..2) {
        let p = program(4, 1);
        let cond = p.term(VarId(3)).equals(Term::int(1));
        let fill = |ws: &[(u32, u32, i64)]| {
            let mut s = Store::default();
            for (v, level, k) in ws {
                s.set(*level, VarId(*v), Term::int(*k));
            }
            s
        };
        let (l, r) = (fill(&left), fill(&right));
        let mut j = l.clone();
        j.join(&p, cond, &r);
        let env = |v: Var| Some(Value::Int(IBig::from(if v.id.0 == 3 && v.version == 0 { x } else { 10 * i64::from(v.id.0) + i64::from(v.version) + 100 })));
        for v in (0..4).map(VarId) {
            for level in 0..3 {
                let expected = if x == 1 { &l } else { &r };
                prop_assert_eq!(eval(j.get(&p, level, v), &env), eval(expected.get(&p, level, v), &env));
            }
        }
    }

    /// Exactly one edge is taken where any assumption holds: the first.
    #[test]
    fn the_first_edge_that_can_is_taken(conds in proptest::collection::vec((0u32..2, 0i64..3, 0u8..5), 1..5), x in 0i64..3, y in 0i64..3) {
        let p = program(2, 1);
        let mut g = graph(2, &[]);
        let mut terms = Vec::new();
        for (v, k, shape) in conds {
            let (t, other) = (p.term(VarId(v)), p.term(VarId(1 - v)));
            let c = match shape {
                0 => t.equals(Term::int(k)),
                1 => t.differs(Term::int(k)),
                2 => t.less_eq(Term::int(k)),
                3 => t.equals(Term::int(k)).and(other.differs(Term::int(1))),
                _ => t.less_eq(Term::int(k)).not().or(other.equals(Term::int(k))),
            };
            terms.push(c);
            g.add_edge(Loc(0), Loc(1), Op::Assume(c), Span::NONE);
        }
        let state = [x, y];
        let first = terms.iter().position(|c| truth(*c, &state));
        for (i, c) in terms.iter().enumerate() {
            let taken = truth(*c, &state) && truth(not_preempted(&g, EdgeId(i as u32)), &state);
            prop_assert_eq!(taken, first == Some(i));
        }
    }
}

#[test]
fn an_edge_that_always_goes_preempts_the_later_ones() {
    let mut g = graph(2, &[(0, 1)]);
    let e = g.add_edge(Loc(0), Loc(1), Op::Assume(Term::tt()), Span::NONE);
    assert!(not_preempted(&g, e).is_false());
    assert!(not_preempted(&g, EdgeId(0)).is_true());
}
