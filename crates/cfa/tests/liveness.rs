//! Liveness: hand-made cases, and the theorem that dead variables do not matter, on random programs.

mod build;

use build::*;
use plumb_cfa::choice::not_preempted;
use plumb_cfa::liveness::Liveness;
use plumb_cfa::*;
use plumb_term::eval::{eval, Value};
use plumb_term::{IBig, IntTy, Term, Var, VarId};
use proptest::prelude::*;

fn v(i: u32) -> VarId {
    VarId(i)
}

fn inc(p: &Program, i: u32) -> Op {
    Op::Assign(vec![(v(i), p.term(v(i)).plus(1).wrap(IntTy::I32))])
}

#[test]
fn a_counter_that_only_counts_is_dead() {
    let mut p = program(2, 1);
    let small = p.term(v(1)).less_eq(Term::int(9));
    let es = vec![(0, 1, inc(&p, 0)), (1, 0, inc(&p, 1)), (0, 2, Op::Assume(small))];
    set_graph(&mut p, 0, 3, 2, es);
    let l = Liveness::new(&p);
    assert_eq!(l.live(FuncId(0), Loc(0)), vec![v(1)]);
    assert_eq!(l.live(FuncId(0), Loc(2)), vec![]);
}

#[test]
fn calls_pass_arguments_results_and_globals() {
    // main: x0 := 5; x1 := f(x2); assume x1 <= x0.   f(x3) -> x4: x4 := x3 + x5; x0 := 7
    let mut p = program(6, 2);
    let le = p.term(v(1)).less_eq(p.term(v(0)));
    let sum = p.term(v(3)).add(p.term(v(5)));
    let arg = p.term(v(2));
    set_graph(
        &mut p,
        0,
        4,
        3,
        vec![
            (0, 1, Op::Assign(vec![(v(0), Term::int(5))])),
            (1, 2, Op::Call { func: FuncId(1), args: vec![arg], dst: Some(v(1)) }),
            (2, 3, Op::Assume(le)),
        ],
    );
    set_graph(&mut p, 1, 3, 2, vec![(0, 1, Op::Assign(vec![(v(4), sum)])), (1, 2, Op::Assign(vec![(v(0), Term::int(7))]))]);
    (p.functions[1].params, p.functions[1].result) = (vec![v(3)], Some(v(4)));
    let l = Liveness::new(&p);
    assert_eq!(l.live(FuncId(0), Loc(2)), vec![v(0), v(1)]);
    // x0 is overwritten by the callee; the argument is needed for the result; x5 is read by the callee.
    assert_eq!(l.live(FuncId(0), Loc(1)), vec![v(2), v(5)]);
    assert_eq!(l.live(FuncId(1), Loc(0)), vec![v(3), v(5)]);
    assert_eq!(l.live(FuncId(1), Loc(2)), vec![v(0), v(4)]);
    let inside = Point { stack: vec![CallSite { func: FuncId(0), edge: EdgeId(1) }], func: FuncId(1), loc: Loc(0) };
    assert!(!l.is_live_at(&p, &inside, v(1)) && !l.is_live_at(&p, &inside, v(2)) && l.is_live_at(&p, &inside, v(3)));
}

#[test]
fn a_static_counter_carries_from_call_to_call() {
    // f: assume x0 <= 1; x0 := x0 + 1, called twice; nobody else mentions x0.
    let mut p = program(1, 2);
    let c = p.term(v(0)).less_eq(Term::int(1));
    let count = inc(&p, 0);
    set_graph(&mut p, 0, 3, 2, vec![(0, 1, call(1)), (1, 2, call(1))]);
    set_graph(&mut p, 1, 3, 2, vec![(0, 1, Op::Assume(c)), (1, 2, count)]);
    let l = Liveness::new(&p);
    assert!(l.is_live(FuncId(1), Loc(1), v(0)) && l.is_live(FuncId(1), Loc(2), v(0)) && l.is_live(FuncId(0), Loc(1), v(0)));
    assert!(!l.is_live(FuncId(0), Loc(2), v(0)));
}

#[test]
fn a_local_of_a_recursive_function_survives_the_call() {
    // f: x0 := 1; f(); assume x0 <= 3 with x0 local.
    let mut p = program(1, 1);
    p.vars[0].func = Some(FuncId(0));
    let c = p.term(v(0)).less_eq(Term::int(3));
    set_graph(
        &mut p,
        0,
        4,
        3,
        vec![(0, 1, Op::Assign(vec![(v(0), Term::int(1))])), (1, 2, call(0)), (2, 3, Op::Assume(c)), (1, 3, Op::Skip)],
    );
    let l = Liveness::new(&p);
    assert!(l.is_live(FuncId(0), Loc(1), v(0)) && !l.is_live(FuncId(0), Loc(0), v(0)));
}

fn op() -> impl Strategy<Value = (u8, u32, u32, i64)> {
    (0u8..4, 0u32..4, 0u32..4, -2i64..4)
}

proptest! {
    /// Two runs that agree on the live variables at the start take the same path, whatever the dead ones hold.
    #[test]
    fn dead_variables_do_not_matter(es in proptest::collection::vec((0u32..6, 0u32..6, op()), 1..16),
                                    start in 0u32..6, x in proptest::array::uniform4(-3i64..4), y in proptest::array::uniform4(-3i64..4)) {
        let mut p = program(4, 1);
        let ops = es.iter().map(|(a, b, (kind, i, j, k))| {
            let (ti, tj) = (p.term(v(*i)), p.term(v(*j)));
            let op = match kind {
                0 => Op::Assign(vec![(v(*i), Term::int(*k))]),
                1 => Op::Assign(vec![(v(*i), tj.plus(*k).wrap(IntTy::I32))]),
                2 => Op::Assume(ti.less_eq(tj.plus(*k))),
                _ => Op::Assign(vec![(v(*i), tj), (v((*i + 1) % 4), ti)]),
            };
            (*a, *b, op)
        }).collect();
        set_graph(&mut p, 0, 6, 5, ops);
        let live = Liveness::new(&p);
        let mut a = x;
        let mut b = x;
        for i in 0..4 {
            if !live.is_live(FuncId(0), Loc(start), v(i)) {
                b[i as usize] = y[i as usize];
            }
        }
        let (mut la, mut lb) = (Loc(start), Loc(start));
        for _ in 0..40 {
            let g = &p.functions[0].graph;
            let step = |l: Loc, s: &mut [i64; 4]| {
                let old = *s;
                let env = |x: Var| old.get(x.id.0 as usize).map(|x| Value::Int(IBig::from(*x)));
                for e in g.out_edges(l) {
                    let effect = Effect::of(&g.edge(*e).op, &p).expect("no calls");
                    if eval(effect.assume.and(not_preempted(g, *e)), &env) == Some(Value::Bool(true)) {
                        for (x, t) in &effect.updates {
                            if let Some(Value::Int(n)) = eval(*t, &env) {
                                s[x.0 as usize] = i64::try_from(n).unwrap_or(0);
                            }
                        }
                        return Some((*e, g.edge(*e).to));
                    }
                }
                None
            };
            let (ra, rb) = (step(la, &mut a), step(lb, &mut b));
            prop_assert_eq!(ra, rb);
            let Some((_, l)) = ra else { break };
            (la, lb) = (l, l);
        }
    }
}
