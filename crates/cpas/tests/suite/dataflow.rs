//! Reaching definitions and live variables against what random runs really define and use, and against the liveness of `plumb-cfa`.

use crate::support::corpus;
use plumb_cfa::interp::{Discard, Event, Interpreter, Limits, Random, Recorder};
use plumb_cfa::liveness::Liveness;
use plumb_cfa::{CallSite, FuncId, Op, Program};
use plumb_cpa::{Cpa, Domain, Exploration, Flow, Kind, Order, Outcome, Place, Product, StepId};
use plumb_cpas::liveness::Live;
use plumb_cpas::{Callstack, LiveVariables, Location, ReachingDefinitions};
use plumb_term::visit::vars;
use plumb_term::{Budget, VarId};
use std::collections::{BTreeMap, BTreeSet};

type Steps = BTreeMap<(CallSite, u8), StepId>;

fn steps(flow: &Flow<'_>) -> Steps {
    flow.steps().iter().map(|s| ((s.site, s.kind as u8), s.id)).collect()
}

/// The steps of a run with the place before each; returns that define nothing are left out.
fn run(program: &Program, steps: &Steps, seed: u64) -> Vec<(Place, StepId)> {
    let limits = Limits { steps: 3000, memory: 1 << 24, call_depth: 1000 };
    let mut run = Interpreter::new(program, Box::new(Random::new(seed)), Box::new(Discard), limits).recording(Recorder::full());
    run.run();
    let mut stack: Vec<CallSite> = Vec::new();
    let mut out = Vec::new();
    let Some(recorder) = run.recorder() else { return out };
    for Event { depth, func, edge, .. } in &recorder.events {
        let (at, key) = match edge {
            Some(edge) => {
                stack.truncate(*depth);
                let site = CallSite { func: *func, edge: *edge };
                let e = program.function(*func).graph.edge(*edge);
                let call = matches!(e.op, plumb_cfa::Op::Call { .. });
                if call {
                    stack.push(site);
                }
                (Place { func: *func, loc: e.from }, (site, if call { Kind::Call } else { Kind::Edge } as u8))
            }
            None => {
                let site = stack[*depth];
                stack.truncate(*depth);
                let plumb_cfa::Op::Call { func: callee, .. } = program.function(site.func).graph.edge(site.edge).op else { panic!() };
                (Place { func: callee, loc: program.function(callee).exit }, (site, Kind::Return as u8))
            }
        };
        // Nothing follows the end of the program.
        out.extend(steps.get(&key).map(|s| (at, *s)));
    }
    out
}

fn is_recursive(flow: &Flow<'_>) -> bool {
    flow.functions().iter().any(|f| flow.orders().calls().is_recursive(*f))
}

#[test]
fn definitions_that_reach() {
    let mut compared = 0;
    for (name, program) in corpus() {
        let flow = Flow::forward(&program);
        for contexts in [false, true] {
            let control = Product::new(Location::from_entry(&flow), contexts.then(|| Callstack::new(&flow)));
            let cpa = Product::new(control, ReachingDefinitions::new(&flow));
            let prec = (((), ()), ());
            let mut exploration = Exploration::new(&flow, &cpa, &prec, Order::WeakTopological);
            assert_eq!(exploration.run(&Budget::unlimited()), Outcome::Complete, "{name}");
            let mut reached: BTreeMap<(Place, VarId), BTreeSet<StepId>> = BTreeMap::new();
            for (_, (control, e)) in exploration.arg().nodes() {
                let at = cpa.first.place(control).unwrap();
                for v in (0..program.vars.len() as u32).map(VarId) {
                    reached.entry((at, v)).or_default().extend(cpa.second.of(e, v));
                }
            }
            let recursive = |f: Option<FuncId>| f.is_some_and(|f| flow.orders().calls().is_recursive(f));
            for seed in 0..3 {
                let mut last: BTreeMap<VarId, StepId> = BTreeMap::new();
                for (at, step) in run(&program, &steps(&flow), seed) {
                    for (v, s) in last.iter().filter(|(v, _)| !recursive(program.var(**v).func)) {
                        compared += 1;
                        let found = reached.get(&(at, *v)).is_some_and(|d| d.contains(s));
                        assert!(found, "{name}: {} at {}", program.var(*v).name, plumb_cpa::runs::show(&program, at));
                    }
                    last.extend(flow.step(step).updates().iter().map(|(v, _)| (*v, step)));
                }
            }
        }
    }
    assert!(compared > 50_000, "{compared}");
}

fn live(flow: &Flow<'_>) -> BTreeMap<Place, Live> {
    let control = Product::new(Location::from_everywhere(flow), Callstack::from_anywhere(flow));
    let cpa = Product::new(control, LiveVariables::new(flow.program()));
    let prec = (((), ()), ());
    let mut run = Exploration::new(flow, &cpa, &prec, Order::WeakTopological);
    assert_eq!(run.run(&Budget::unlimited()), Outcome::Complete);
    let mut out: BTreeMap<Place, Live> = BTreeMap::new();
    for (_, (control, e)) in run.arg().nodes() {
        let known = out.entry(cpa.first.place(control).unwrap()).or_default();
        *known = cpa.second.join(known, e);
    }
    out
}

#[test]
fn variables_that_are_used_are_live() {
    let mut compared = 0;
    for (name, program) in corpus() {
        let (flow, back) = (Flow::forward(&program), Flow::backward(&program));
        if is_recursive(&flow) {
            continue;
        }
        let live = live(&back);
        for seed in 0..3 {
            let mut used: BTreeSet<VarId> = BTreeSet::new();
            for (at, step) in run(&program, &steps(&flow), seed).into_iter().rev() {
                let step = flow.step(step);
                let needed = step.updates().iter().filter(|u| used.contains(&u.0)).map(|u| u.1).chain([step.condition()]);
                let needed: Vec<VarId> = vars(needed).into_iter().map(|v| v.id).filter(|v| *v < VarId::FIRST_AUX).collect();
                used.retain(|v| step.updates().iter().all(|u| u.0 != *v));
                used.extend(needed);
                compared += used.len();
                for v in &used {
                    assert!(live[&at].contains(*v), "{name}: {} at {}", program.var(*v).name, plumb_cpa::runs::show(&program, at));
                }
            }
        }
    }
    assert!(compared > 20_000, "{compared}");
}

#[test]
fn as_live_as_the_automaton_says() {
    let mut compared = 0;
    for (name, program) in corpus() {
        let back = Flow::backward(&program);
        // Behind a call that nothing leads out of, the automaton of the caller goes on, and no execution does.
        let ends = program.functions.iter().any(|f| f.graph.edges().any(|(_, e)| matches!(e.op, Op::Unsupported(_))));
        if ends || is_recursive(&back) {
            continue;
        }
        let (live, own) = (live(&back), Liveness::new(&program));
        for at in back.places() {
            for v in own.live(at.func, at.loc) {
                compared += 1;
                assert!(live[&at].contains(v), "{name}: {} at {}", program.var(v).name, plumb_cpa::runs::show(&program, at));
            }
            // What the function mentions and the other analysis finds dead is dead here too.
            let mentioned: BTreeSet<VarId> = program.function(at.func).locals.iter().copied().collect();
            for v in live[&at].iter().filter(|v| mentioned.contains(v)) {
                assert!(own.is_live(at.func, at.loc, v), "{name}: {} at {}", program.var(v).name, plumb_cpa::runs::show(&program, at));
            }
        }
    }
    assert!(compared > 2_000, "{compared}");
}
