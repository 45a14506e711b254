//! Every pass on random programs: the same inputs lead to the error before and after, traces come back and replay, and what holds at the
//! loop heads of the new program comes back as something that holds in the old one.

mod support;

use plumb_cfa::unwind::Orders;
use plumb_cfa::*;
use plumb_term::eval::{eval, Value};
use plumb_term::{Budget, Term, Var};
use plumb_transform::interval::analyse;
use plumb_transform::walk::End;
use plumb_transform::*;
use plumb_verdict::{Facts, Method, Proof};
use proptest::prelude::*;
use std::collections::BTreeMap;
use support::*;

fn budget() -> Budget {
    Budget::unlimited()
}

fn is_error(e: End) -> bool {
    matches!(e, End::Error(..))
}

/// What the intervals say at the loop heads of a program, as an engine's proof: an inductive invariant, on dead variables too.
fn engine(p: &Program) -> Proof {
    let facts = analyse(p, &Orders::new(p), &budget()).expect("no limit");
    Proof { method: Method::Inductive, invariants: facts.into_iter().map(|(p, ts)| (p, Term::all(ts))).collect() }
}

/// Whether an invariant that has come back is inductive on the old program: from states near reachable ones that satisfy it at a loop
/// head, whatever follows satisfies it at the loop heads too.
fn inductive(old: &Program, proof: &Proof, seeds: &[u64]) -> Result<(), TestCaseError> {
    let orders = Orders::new(old);
    let heads = orders.wto(old.entry).heads();
    let mut states: Vec<(Loc, Vec<Value>)> = Vec::new();
    for seed in seeds {
        let mut seen = 0;
        run(old, *seed, &mut |stack, _, l, vars| {
            if stack.is_empty() && heads.contains(&l) && seen < 3 {
                seen += 1;
                states.push((l, vars.to_vec()));
            }
        });
    }
    for (i, (l, vars)) in states.into_iter().enumerate() {
        for k in 0..4 {
            let seed = seeds[0].wrapping_add(100 * i as u64 + k);
            let state = perturbed(&vars, seed);
            let here = Point { stack: vec![], func: old.entry, loc: l };
            if !proof.invariants.get(&here).is_none_or(|t| holds(*t, &state)) {
                continue;
            }
            let from = starting_at(old, l, &state);
            let mut broken = None;
            run(&from, seed, &mut |stack, func, loc, vars| {
                let point = Point { stack: stack.to_vec(), func, loc };
                if let Some(t) = proof.invariants.get(&point).filter(|t| !holds(**t, vars)) {
                    broken = broken.take().or(Some((point, *t)));
                }
            });
            prop_assert!(broken.is_none(), "{:?} from {:?} {:?}\n{}", broken, l, state, text::Text(old));
        }
    }
    Ok(())
}

fn holds(t: Term, vars: &[Value]) -> bool {
    eval(t, &|v: Var| vars.get(v.id.0 as usize).cloned()) == Some(Value::Bool(true))
}

fn check(pass: &dyn Pass, source: &Source, seeds: &[u64]) -> Result<(), TestCaseError> {
    let old = build(source);
    let (new, back) = pass.run(old.clone()).expect("small");
    let proof = back.proof(engine(&new));
    for seed in seeds {
        let mut broken = None;
        let mut see = |stack: &[CallSite], func: FuncId, loc: Loc, vars: &[Value]| {
            let point = Point { stack: stack.to_vec(), func, loc };
            if let Some(t) = proof.invariants.get(&point).filter(|t| !holds(**t, vars)) {
                broken = Some((point, *t));
            }
        };
        let (before, _) = run(&old, *seed, &mut see);
        prop_assert!(broken.is_none(), "{:?}\n{}\n{}", broken, text::Text(&old), text::Text(&new));
        let (after, trace) = run(&new, *seed, &mut |_, _, _, _| {});
        if before == End::Incomplete || after == End::Incomplete {
            continue;
        }
        prop_assert_eq!(is_error(before), is_error(after), "seed {}\n{}\n{}", seed, text::Text(&old), text::Text(&new));
        if is_error(after) {
            let trace = back.trace(trace);
            prop_assert!(replays(&old, &trace), "{:?}\n{}\n{}", trace, text::Text(&old), text::Text(&new));
        }
    }
    Ok(())
}

/// Invariants come back inductive. The loop heads that executions pass are the same before and after, so that proofs have formulas where the checker wants them; a
/// slice may lose loops from which no error is reached.
fn heads_stay(pass: &dyn Pass, source: &Source, seeds: &[u64], all: bool) -> Result<(), TestCaseError> {
    let mut s = source.clone();
    // Jumps into loops make them irreducible: another head may do.
    s.3.clear();
    let old = build(&s);
    let (new, back) = pass.run(old.clone()).expect("small");
    let visited = |p: &Program| {
        let orders = Orders::new(p);
        let mut points = BTreeMap::new();
        let mut complete = true;
        for seed in seeds {
            let (end, _) = run(p, *seed, &mut |stack, func, loc, _| {
                if orders.wto(func).headed_by(loc).is_some() {
                    points.insert(Point { stack: stack.to_vec(), func, loc }, Term::tt());
                }
            });
            complete &= end != End::Incomplete;
        }
        (points, complete)
    };
    inductive(&old, &back.proof(engine(&new)), seeds)?;
    let ((before, complete), (after, also)) = (visited(&old), visited(&new));
    let after = back.proof(Proof { method: Method::Inductive, invariants: after }).invariants;
    let old_orders = Orders::new(&old);
    for p in after.keys() {
        prop_assert!(old_orders.wto(p.func).headed_by(p.loc).is_some(), "{:?}\n{}\n{}", p, text::Text(&old), text::Text(&new));
    }
    if all && complete && also {
        prop_assert!(before.keys().all(|p| after.contains_key(p)), "{:?}\n{:?}\n{}\n{}", before, after, text::Text(&old), text::Text(&new));
    }
    Ok(())
}

fn everything() -> Pipeline {
    Pipeline::new()
        .then(Inline::default())
        .then(Promote)
        .then(Fold { budget: budget() })
        .then(Unwrap { budget: budget() })
        .then(Slice)
        .then(Compact::default())
        .then(Slice)
}

/// Assumes what the intervals know.
struct Assuming;

impl Pass for Assuming {
    fn name(&self) -> &'static str {
        "assuming"
    }

    fn run(&self, program: Program) -> Result<(Program, Box<dyn BackTranslation>), PassError> {
        let facts = Facts::new(engine(&program).invariants);
        Ok(Known(&facts).apply(&program).unwrap_or((program, Box::new(Identity))))
    }
}

macro_rules! pass_tests {
    ($($name:ident: $pass:expr, $all:expr;)*) => { proptest! {
        #![proptest_config(ProptestConfig { cases: 120, failure_persistence: None, ..ProptestConfig::default() })]
        $(
            #[test]
            fn $name(s in source(true), seed in any::<u64>()) {
                let seeds: Vec<u64> = (0..6).map(|i| seed.wrapping_add(i)).collect();
                check(&$pass, &s, &seeds)?;
                heads_stay(&$pass, &s, &seeds, $all)?;
            }
        )*
    } };
}

pass_tests! {
    inlining: Inline::default(), true;
    folding: Fold { budget: budget() }, true;
    unwrapping: Unwrap { budget: budget() }, true;
    slicing: Slice, false;
    compacting: Compact::default(), true;
    assuming: Assuming, true;
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn promoting(s in source(false), seed in any::<u64>()) {
        let seeds: Vec<u64> = (0..6).map(|i| seed.wrapping_add(i)).collect();
        check(&Promote, &s, &seeds)?;
        heads_stay(&Promote, &s, &seeds, true)?;
    }

    #[test]
    fn all_of_them(s in source(false), seed in any::<u64>()) {
        let seeds: Vec<u64> = (0..6).map(|i| seed.wrapping_add(i)).collect();
        check(&everything(), &s, &seeds)?;
        heads_stay(&everything(), &s, &seeds, false)?;
    }
}
