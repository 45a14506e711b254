//! The interval analysis: sound on random programs, precise on simple loops, fast on long and deep ones.

mod support;

use plumb_cfa::unwind::Orders;
use plumb_cfa::*;
use plumb_term::eval::{eval, Value};
use plumb_term::{Budget, IBig, Range, Term, Var, VarId};
use plumb_transform::interval::{analyse, Ranges};
use proptest::prelude::*;
use std::time::Duration;
use support::*;

fn ranges(p: &Program) -> Ranges {
    Ranges::new(p, &Orders::new(p), &Budget::unlimited()).expect("no limit")
}

fn head(p: &Program, f: u32) -> Loc {
    Orders::new(p).wto(FuncId(f)).heads()[0]
}

/// The range of `x(i)` at the first loop of the entry.
fn at_head(s: Source, i: u8) -> Range {
    let p = build(&s);
    ranges(&p).at(FuncId(0), head(&p, 0)).expect("reached").var(&p, x(i))
}

fn main_only(body: Vec<S>) -> Source {
    (body, vec![], vec![], vec![])
}

/// `x1 < k`, `x1 = x1 + 1`, `x1 = k`.
const BELOW_10: C = C(1, 0, 9, 0);
const INC: E = E(1, 0, 1, 1);
const ZERO: E = E(0, 0, 0, 0);

#[test]
fn a_counting_loop_is_bounded_by_its_condition() {
    assert_eq!(at_head(main_only(vec![S::Assign(1, ZERO), S::While(BELOW_10, vec![S::Assign(1, INC)])]), 1), Range::new(0, 10));
}

#[test]
fn a_loop_without_a_bound_goes_to_the_end_of_the_type() {
    let endless = main_only(vec![S::Assign(1, ZERO), S::While(C(3, 0, 9, 0), vec![S::Assign(1, INC)])]);
    assert_eq!(at_head(endless, 1), Range::new(i128::from(i32::MIN), i128::from(i32::MAX)));
}

#[test]
fn nested_loops_keep_both_bounds() {
    let inner = vec![S::Assign(3, ZERO), S::While(C(3, 0, 4, 0), vec![S::Assign(3, E(3, 0, 1, 1))]), S::Assign(1, INC)];
    let s = main_only(vec![S::Assign(1, ZERO), S::While(BELOW_10, inner)]);
    let p = build(&s);
    let r = ranges(&p);
    let heads = Orders::new(&p).wto(FuncId(0)).heads().to_vec();
    assert_eq!(r.at(FuncId(0), heads[0]).expect("reached").var(&p, x(1)), Range::new(0, 10));
    assert_eq!(r.at(FuncId(0), heads[1]).expect("reached").var(&p, x(1)), Range::new(0, 9));
    assert_eq!(r.at(FuncId(0), heads[1]).expect("reached").var(&p, x(3)), Range::new(0, 5));
}

#[test]
fn a_cell_in_memory_counts_as_a_variable() {
    // o[0] = 3; while (x1 < 10) x1++; x3 = o[0]
    let s = main_only(vec![S::Store(0, E(0, 0, 3, 0)), S::While(BELOW_10, vec![S::Assign(1, INC)]), S::Load(3, 0)]);
    let p = build(&s);
    let exit = p.function(FuncId(0)).exit;
    assert_eq!(ranges(&p).at(FuncId(0), exit).expect("reached").constant(&p, x(3)), Some(3));
}

#[test]
fn facts_are_given_under_their_calls() {
    // g: while (x1 < 10) x1++, called with x1 = 0 and with x1 = 7.
    let s: Source =
        (vec![S::CallG, S::Assign(1, E(0, 0, 7, 0)), S::CallG], vec![], vec![S::While(BELOW_10, vec![S::Assign(1, INC)])], vec![]);
    let p = build(&s);
    let orders = Orders::new(&p);
    let facts = analyse(&p, &orders, &Budget::unlimited()).expect("no limit");
    assert_eq!(facts.len(), 2);
    let bounds: Vec<bool> = facts.values().map(|f| f.contains(&p.term(x(1)).within(&IBig::from(7), &IBig::from(10)))).collect();
    assert_eq!(bounds, vec![false, true]);
}

#[test]
fn code_after_a_contradiction_is_unreached() {
    let p = build(&main_only(vec![S::If(C(1, 0, 5, 1), vec![S::While(BELOW_10, vec![])], vec![])]));
    let r = ranges(&p);
    let l = head(&p, 0);
    assert!(r.at(FuncId(0), l).is_none());
    let reasons = r.reasons(&p, &Orders::new(&p));
    assert!(reasons[&Point { stack: vec![], func: FuncId(0), loc: l }].is_false());
}

#[test]
fn twenty_thousand_edges_take_seconds() {
    let mut body = Vec::new();
    for i in 0..3000u32 {
        let v = (i % 4) as u8;
        body.push(S::Assign(v, E(v, 1, 1, 2)));
        body.push(S::If(C(v, 0, (i % 7) as i8, 0), vec![S::Assign(1, INC), S::Store(0, E(v, 0, 1, 1))], vec![S::Havoc(v)]));
    }
    let p = build(&main_only(vec![S::While(C(0, 0, 9, 2), body)]));
    assert!(p.functions[0].graph.num_edges() > 20_000);
    assert!(Ranges::new(&p, &Orders::new(&p), &Budget::within(Duration::from_secs(60))).is_some());
}

#[test]
fn a_deep_nest_of_loops_does_not_explode() {
    let mut body = vec![S::Assign(1, INC)];
    for _ in 0..14 {
        body = vec![S::Assign(3, ZERO), S::While(C(3, 0, 4, 0), body), S::Assign(3, E(3, 0, 1, 1))];
    }
    let p = build(&main_only(body));
    assert!(Ranges::new(&p, &Orders::new(&p), &Budget::within(Duration::from_secs(60))).is_some());
}

#[test]
fn a_budget_that_is_over_gives_nothing() {
    let p = build(&main_only((0..400).map(|_| S::Assign(1, INC)).collect()));
    assert!(Ranges::new(&p, &Orders::new(&p), &Budget::within(Duration::ZERO)).is_none());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// Every state of every execution lies in the ranges of its location, and the facts hold at the loop heads.
    #[test]
    fn executions_stay_in_the_ranges(s in source(true), seed in any::<u64>()) {
        let p = build(&s);
        let r = ranges(&p);
        let reasons = r.reasons(&p, &Orders::new(&p));
        let ints: Vec<VarId> = (0..p.vars.len() as u32).map(VarId).filter(|v| !p.is_memory(*v) && *v != HEAP).collect();
        let mut wrong: Option<String> = None;
        for k in 0..6 {
            let mut see = |stack: &[CallSite], f: FuncId, l: Loc, vars: &[Value]| {
                let Some(env) = r.at(f, l) else {
                    wrong = Some(format!("{f:?} {l:?} is reached"));
                    return;
                };
                for v in &ints {
                    let range = env.var(&p, *v);
                    let Value::Int(n) = &vars[v.0 as usize] else { continue };
                    if !range.contains(i128::try_from(n).expect("small")) {
                        wrong = Some(format!("{v:?} = {n} is not in {range:?} at {f:?} {l:?}"));
                    }
                }
                let facts = env.facts(&p, &|_| true).into_iter().chain(reasons.get(&Point { stack: stack.to_vec(), func: f, loc: l }).copied());
                for t in facts {
                    if eval(t, &|v: Var| vars.get(v.id.0 as usize).cloned()) != Some(Value::Bool(true)) {
                        wrong = Some(format!("{t} is wrong at {f:?} {l:?}"));
                    }
                }
            };
            run(&p, seed.wrapping_add(k), &mut see);
            prop_assert!(wrong.is_none(), "{:?}\n{}", wrong, text::Text(&p));
        }
    }

    /// Two runs say the same, and nothing that is empty.
    #[test]
    fn the_analysis_is_deterministic(s in source(true)) {
        let p = build(&s);
        let orders = Orders::new(&p);
        let facts = |_: u32| analyse(&p, &orders, &Budget::unlimited()).expect("no limit");
        prop_assert_eq!(facts(0), facts(1));
        prop_assert!(facts(2).values().flatten().all(|t: &Term| !t.is_true()));
    }
}
