//! What each pass does to programs made for it.

mod support;

use plumb_cfa::unwind::Orders;
use plumb_cfa::*;
use plumb_term::visit::postorder;
use plumb_term::{Budget, IBig, Kind, Scalar, Term};
use plumb_transform::walk::End;
use plumb_transform::*;
use plumb_verdict::{Method, Proof, Trace};
use std::collections::BTreeMap;
use support::*;

const INC: E = E(1, 0, 1, 1);
const BELOW_10: C = C(1, 0, 9, 0);

fn constant(k: i8) -> E {
    E(0, 0, k, 0)
}

fn budget() -> Budget {
    Budget::unlimited()
}

fn main_only(body: Vec<S>) -> Program {
    build(&(body, vec![], vec![], vec![]))
}

fn ops(p: &Program) -> Vec<Op> {
    p.functions[0].graph.edges().map(|(_, e)| e.op.clone()).collect()
}

fn proof(invariants: BTreeMap<Point, Term>) -> Proof {
    Proof { method: Method::Inductive, invariants }
}

fn heads(p: &Program) -> Vec<Loc> {
    Orders::new(p).wto(FuncId(0)).heads().to_vec()
}

fn point(l: Loc) -> Point {
    Point { stack: vec![], func: FuncId(0), loc: l }
}

#[test]
fn inlining_leaves_no_call_and_knows_where_locations_come_from() {
    let looping = vec![S::While(BELOW_10, vec![S::Assign(1, INC), S::Call(INC, 3)])];
    let old = build(&(vec![S::CallG, S::Assign(1, constant(4)), S::CallG], vec![S::Error(C(0, 0, 3, 1))], looping, vec![]));
    let (new, back) = Inline::default().run(old.clone()).expect("small");
    assert!(ops(&new).iter().all(|o| !matches!(o, Op::Call { .. })));
    assert_eq!(new.functions[1].graph.num_edges() + new.functions[2].graph.num_edges(), 0);
    assert_eq!(new.functions[0].errors.len(), 2);
    let hs = heads(&new);
    assert_eq!(hs.len(), 2);
    let marks = hs.iter().enumerate().map(|(i, h)| (point(*h), new.term(x(1)).less_eq(Term::int(i))));
    let back = back.proof(proof(marks.collect()));
    let g = FuncId(2);
    let head = Orders::new(&old).wto(g).heads()[0];
    let sites: Vec<CallSite> = old.functions[0]
        .graph
        .edges()
        .filter(|(_, e)| matches!(e.op, Op::Call { .. }))
        .map(|(edge, _)| CallSite { func: FuncId(0), edge })
        .collect();
    let expected: Vec<Point> = sites.iter().map(|s| Point { stack: vec![*s], func: g, loc: head }).collect();
    assert_eq!(back.invariants.keys().cloned().collect::<Vec<_>>(), expected);
    assert_ne!(back.invariants[&expected[0]], back.invariants[&expected[1]]);
}

#[test]
fn inlining_keeps_recursive_calls_with_their_points() {
    // start calls g, g calls f, f calls itself and has a loop.
    let mut old = build(&(vec![S::CallG], vec![S::While(BELOW_10, vec![])], vec![S::Call(INC, 1)], vec![]));
    let f = &mut old.functions[1];
    let (from, to) = (f.entry, f.exit);
    let again = f.graph.add_edge(from, to, Op::Call { func: FuncId(1), args: vec![Term::int(0)], dst: None }, plumb_term::Span::NONE);
    let (new, back) = Inline::default().run(old.clone()).expect("small");
    assert_eq!(ops(&new).iter().filter(|o| matches!(o, Op::Call { func: FuncId(1), .. })).count(), 1);
    let call = new.functions[0].graph.edges().find(|(_, e)| matches!(e.op, Op::Call { .. })).expect("kept").0;
    let inner = new.functions[1].graph.edges().find(|(_, e)| matches!(e.op, Op::Call { .. })).expect("kept").0;
    let head = Orders::new(&new).wto(FuncId(1)).heads()[0];
    let site = |func, edge| CallSite { func: FuncId(func), edge };
    let p = Point { stack: vec![site(0, call), site(1, inner)], func: FuncId(1), loc: head };
    let back = back.proof(proof(BTreeMap::from([(p, Term::tt())])));
    let stack = &back.invariants.keys().next().expect("one").stack;
    assert_eq!(stack.iter().map(|s| s.func.0).collect::<Vec<_>>(), vec![0, 2, 1]);
    assert_eq!(stack[2].edge, again);
}

#[test]
fn inlining_refuses_what_is_too_large() {
    let g = vec![S::Call(INC, 1), S::Call(INC, 1), S::Call(INC, 1)];
    let old = build(&(vec![S::CallG, S::CallG, S::CallG], vec![S::Assign(1, INC)], g, vec![]));
    let error = Inline { max_edges: 30 }.run(old).err().expect("too large");
    assert_eq!(error.to_string(), "inline: the program has more than 30 edges once all calls are inlined");
}

#[test]
fn folding_decides_branches_on_constants() {
    let old = main_only(vec![S::Assign(1, constant(5)), S::If(C(1, 0, 5, 1), vec![S::Assign(3, INC)], vec![S::Error(C(0, 0, 0, 1))])]);
    let (new, _) = Fold { budget: budget() }.run(old).expect("always");
    assert!(new.functions[0].errors.is_empty());
    assert!(ops(&new).contains(&Op::Assign(vec![(x(3), Term::int(6))])));
    assert!(ops(&new).iter().all(|o| !matches!(o, Op::Assume(_))));
}

#[test]
fn folding_keeps_the_heads_of_loops_that_never_repeat() {
    // do … while (0): the back edge is never taken, but the checker cuts there.
    let old = main_only(vec![S::Assign(1, constant(20)), S::While(BELOW_10, vec![S::Assign(1, INC)]), S::Error(C(1, 0, 20, 2))]);
    let (new, back) = Fold { budget: budget() }.run(old.clone()).expect("always");
    assert_eq!(heads(&new).len(), 1);
    let back = back.proof(proof(BTreeMap::new()));
    let at = &back.invariants[&point(heads(&old)[0])];
    let bounds = old.term(x(1)).within(&IBig::from(20), &IBig::from(20)).conjuncts();
    assert!(bounds.iter().all(|b| at.conjuncts().contains(b)), "{at}");
}

#[test]
fn slicing_removes_what_cannot_matter_and_fills_in_its_inputs() {
    // A faint counter, its inputs, a branch that does nothing, an assignment after the last use.
    let counting = vec![S::Havoc(3), S::Assign(2, E(2, 3, 0, 2)), S::Assign(1, INC)];
    let body = vec![
        S::Havoc(0),
        S::Havoc(3),
        S::If(C(3, 0, 1, 0), vec![S::Assign(2, INC)], vec![S::Havoc(2)]),
        S::While(BELOW_10, counting),
        S::Error(C(0, 0, 3, 1)),
        S::Assign(1, constant(0)),
    ];
    let old = main_only(body);
    let (new, back) = Slice.run(old.clone()).expect("always");
    let havocs: Vec<Op> = ops(&new).into_iter().filter(|o| matches!(o, Op::Havoc { .. })).collect();
    assert_eq!(havocs.len(), 1);
    assert!(ops(&new).iter().all(|o| !matches!(o, Op::Assign(us) if us.iter().any(|u| u.0 == x(2) || u.0 == x(3)))));
    assert_eq!(heads(&new).len(), 1, "the loop could run for ever: it stays");
    let (mut short, mut long) = (0, 0);
    for seed in 0..400 {
        if let (End::Error(..), trace) = run(&new, seed, &mut |_, _, _, _| {}) {
            let returned = back.trace(trace.clone());
            (short, long) = (trace.inputs.len(), returned.inputs.len());
            assert!(replays(&old, &returned));
        }
    }
    // The two before the branch, none in the branch that zero takes, one in each iteration.
    assert_eq!((short, long), (1, 12));
}

#[test]
fn slicing_everything_leaves_nothing() {
    let (new, _) = Slice.run(main_only(vec![S::Havoc(1), S::While(BELOW_10, vec![S::Assign(1, INC)])])).expect("always");
    assert_eq!(new.functions.iter().map(|f| f.graph.num_edges()).sum::<usize>(), 0);
}

#[test]
fn slicing_forgets_dead_variables_in_proofs() {
    let old = main_only(vec![S::Assign(3, INC), S::While(BELOW_10, vec![S::Assign(3, INC), S::Assign(1, INC)]), S::Error(C(1, 0, 11, 1))]);
    let (new, back) = Slice.run(old.clone()).expect("always");
    let (a, dead) = (new.term(x(1)), new.term(x(3)));
    let t = dead.equals(a.plus(2)).and(dead.less_eq(Term::int(12))).and(a.less_eq(Term::int(10)));
    let back = back.proof(proof(BTreeMap::from([(point(heads(&new)[0]), t)])));
    let t = back.invariants[&point(heads(&old)[0])];
    assert_eq!(plumb_term::visit::vars([t]).len(), 1, "{t}");
    assert!(t.conjuncts().contains(&a.less_eq(Term::int(10))));
}

#[test]
fn compacting_merges_rows_and_drops_skips() {
    let row = vec![S::Assign(1, INC), S::Skip, S::Assign(3, INC), S::Assign(1, E(1, 3, 0, 2)), S::Skip];
    let old = main_only(vec![S::While(BELOW_10, row), S::Error(C(1, 0, 10, 1))]);
    let (new, _) = Compact::default().run(old.clone()).expect("always");
    // The start, into the body, the body, to the exit test, the error and the exit.
    assert_eq!(new.functions[0].graph.num_edges(), 6, "{}", text::Text(&new));
    assert!(ops(&new).iter().all(|o| !matches!(o, Op::Skip)));
    assert_eq!(heads(&new).len(), 1);
}

/// An error location and an edge to it, tried after the other edges of `from`.
fn add_error(p: &mut Program, from: Loc, op: Op) {
    let error = p.functions[0].graph.add_loc(LocInfo::default());
    p.functions[0].graph.add_edge(from, error, op, plumb_term::Span::NONE);
    p.functions[0].errors.push(error);
}

fn is_error(p: &Program) -> bool {
    matches!(run(p, 0, &mut |_, _, _, _| {}).0, End::Error(..))
}

#[test]
fn compacting_does_not_let_later_edges_overtake() {
    // At L3 a skip to L4, where x1 == 5 is assumed and fails, stands before an edge to the error.
    let mut old = main_only(vec![S::Skip, S::Skip, S::Assume(C(1, 0, 5, 1)), S::Skip]);
    add_error(&mut old, Loc(3), Op::Skip);
    let (new, _) = Compact::default().run(old.clone()).expect("always");
    assert!(!is_error(&old) && !is_error(&new), "{}", text::Text(&new));
}

#[test]
fn slicing_does_not_let_later_edges_overtake() {
    // x1 is 0: the first edge is taken, after which there is no error; the second would admit it too.
    let mut old = main_only(vec![S::Skip, S::Skip]);
    let first = old.functions[0].graph.out_edges(Loc(2))[0];
    *old.functions[0].graph.op_mut(first) = Op::Assume(C(1, 0, 5, 0).term(&old));
    let second = Op::Assume(BELOW_10.term(&old));
    add_error(&mut old, Loc(2), second);
    let (new, _) = Slice.run(old.clone()).expect("always");
    assert!(!new.functions[0].errors.is_empty() && !is_error(&old) && !is_error(&new), "{}", text::Text(&new));
}

#[test]
fn compacting_limits_the_growth_of_terms() {
    let row: Vec<S> = (0..64).map(|_| S::Assign(1, E(1, 1, 0, 4))).collect();
    let (new, _) = Compact { max_term: 20 }.run(main_only(row)).expect("always");
    for op in ops(&new) {
        if let Op::Assign(us) = op {
            assert!(us.iter().all(|u| plumb_term::visit::size(u.1) <= 20));
        }
    }
}

#[test]
fn unwrapping_leaves_its_reason_in_the_proof() {
    let old = main_only(vec![S::Assign(1, constant(0)), S::While(BELOW_10, vec![S::Assign(1, INC)]), S::Error(C(1, 0, 11, 1))]);
    let wraps = |p: &Program| {
        let terms = ops(p).into_iter().flat_map(|o| match o {
            Op::Assign(us) => us.into_iter().map(|u| u.1).collect::<Vec<_>>(),
            _ => vec![],
        });
        postorder(terms).into_iter().filter(|t| matches!(t.kind(), Kind::Wrap(..))).count()
    };
    let (new, back) = Unwrap { budget: budget() }.run(old.clone()).expect("always");
    assert_eq!((wraps(&old), wraps(&new)), (1, 0));
    let back = back.proof(proof(BTreeMap::new()));
    let reason = back.invariants[&point(heads(&old)[0])];
    let bounds = old.term(x(1)).within(&IBig::from(0), &IBig::from(10)).conjuncts();
    assert!(bounds.iter().all(|b| reason.conjuncts().contains(b)), "{reason}");
}

#[test]
fn promoting_turns_fixed_cells_into_variables() {
    let body = vec![S::HavocObject, S::Store(0, INC), S::While(BELOW_10, vec![S::Assign(1, INC)]), S::Load(3, 1), S::Error(C(3, 0, 5, 1))];
    let old = main_only(body);
    let (new, back) = Promote.run(old.clone()).expect("always");
    let names: Vec<&str> = new.vars[old.vars.len()..].iter().map(|v| v.name.as_str()).collect();
    assert_eq!(names, vec!["o[0]", "o[1]"]);
    for op in ops(&new) {
        if let Op::Assign(us) = &op {
            assert!(us
                .iter()
                .all(|u| !matches!(u.1.kind(), Kind::Store(..)) && postorder([u.1]).iter().all(|t| !matches!(t.kind(), Kind::Load(..)))));
        }
    }
    let cell = new.term(plumb_term::VarId(old.vars.len() as u32 + 1));
    let back_proof = back.proof(proof(BTreeMap::from([(point(heads(&new)[0]), cell.equals(Term::int(5)))])));
    let load = Term::load(Scalar::Int(I32), old.term(MEM), Term::int(OBJECT + 4));
    assert_eq!(back_proof.invariants[&point(heads(&old)[0])], load.equals(Term::int(5)));
    let reached = (0..400).filter(|seed| {
        let (end, trace) = run(&new, *seed, &mut |_, _, _, _| {});
        assert!(!matches!(end, End::Error(..)) || replays(&old, &back.trace(trace)));
        matches!(end, End::Error(..))
    });
    assert!(reached.count() > 0);
}

#[test]
fn a_symbolic_address_keeps_the_region_in_memory() {
    let old = main_only(vec![S::Store(0, INC), S::Index(1), S::Load(3, 1)]);
    let (new, _) = Promote.run(old.clone()).expect("always");
    assert_eq!(new.vars.len(), old.vars.len());
}

#[test]
fn cells_read_before_anything_writes_them_are_inputs_at_the_entry() {
    let mut old = main_only(vec![S::Load(1, 0), S::Error(C(1, 0, 5, 1))]);
    // Without the zeros at the start.
    let zeros = old.functions[0].graph.edges().find(|(_, e)| matches!(&e.op, Op::Assign(us) if us[0].0 == MEM)).expect("there").0;
    *old.functions[0].graph.op_mut(zeros) = Op::Skip;
    let (new, back) = Promote.run(old.clone()).expect("always");
    assert!(matches!(ops(&new)[0], Op::Havoc { .. }));
    let value = plumb_term::eval::Value::Int(IBig::from(5));
    let input = plumb_verdict::InputValue { source: InputSource::Uninit("o[0]".into()), span: plumb_term::Span::NONE, value };
    let trace = back.trace(Trace { inputs: vec![input], memory: BTreeMap::new() });
    assert!(trace.inputs.is_empty());
    assert_eq!(trace.memory[&RegionId(0)].get(&IBig::from(OBJECT)), IBig::from(5));
    assert!(replays(&old, &trace));
}
