//! Abstract states against concrete ones: no state of an execution may be outside of what an analysis reached.
//!
//! Executions with random inputs, by the interpreter that defines the semantics, are stopped at many of their steps; each state must satisfy the
//! formulas of one of the reached states at its place. A new analysis gets this test by one line.

use crate::arg::Arg;
use crate::cpa::Cpa;
use crate::flow::Place;
use plumb_cfa::interp::{Discard, Interpreter, Limit, Limits, Outcome, Random};
use plumb_cfa::Program;
use plumb_term::eval::{eval, Value};
use plumb_term::visit::Rewriter;
use plumb_term::{IBig, Kind, Scalar, Term, Var};
use std::collections::BTreeMap;

/// Of an execution the first so many steps are looked at.
const STEPS: u64 = 2000;

/// Runs a program with random inputs and looks at the state before each of its first steps: all of the first ones, then ever fewer.
pub fn concrete_states(program: &Program, seed: u64, see: &mut dyn FnMut(Place, &Interpreter<'_>)) {
    let mut k = 0u64;
    while k < STEPS {
        let limits = Limits { steps: k, memory: 1 << 24, call_depth: 1000 };
        let mut run = Interpreter::new(program, Box::new(Random::new(seed)), Box::new(Discard), limits);
        if run.run() != Outcome::LimitReached(Limit::Steps) {
            return;
        }
        let Some((func, loc)) = run.stack().last() else { return };
        see(Place { func, loc }, &run);
        k += 1 + k / 24;
    }
}

/// Whether a formula over the program's variables holds in a concrete state; `None` if it is about something that has no value there.
pub fn holds(program: &Program, run: &Interpreter<'_>, formula: Term) -> Option<bool> {
    let mut missing = false;
    let with_cells = Rewriter::new().rewrite(formula, &mut |t| match t.kind() {
        Kind::Load(ty, _, a) => {
            let (bytes, at) = (ty.bytes(), u64::try_from(a.as_i128()?).ok()?);
            let mut bits = 0u128;
            for i in 0..bytes {
                match run.byte(at + i) {
                    Some(b) => bits |= u128::from(b) << (8 * i),
                    None => missing = true,
                }
            }
            Some(match ty {
                Scalar::Int(t) => Term::int(t.wrap(&IBig::from(bits))),
                Scalar::Float(t) => Term::float(plumb_term::Float::from_bits(*t, bits)),
            })
        }
        _ => None,
    });
    if missing {
        return None;
    }
    let value = |v: Var| if program.is_memory(v.id) { None } else { run.value(v.id) };
    match eval(with_cells, &value) {
        Some(Value::Bool(b)) => Some(b),
        _ => None,
    }
}

/// Checks that at every place a concrete state is in one of the reached states, as far as their formulas say: how many formulas were compared,
/// or what is outside. The analysis must know places.
pub fn includes_concrete_states<C: Cpa>(program: &Program, cpa: &C, arg: &Arg<C>, seeds: u64) -> Result<u64, String> {
    let mut by_place: BTreeMap<Place, Vec<Vec<Term>>> = BTreeMap::new();
    for (_, e) in arg.nodes() {
        let Some(at) = cpa.place(e) else { return Err("the analysis does not know places".into()) };
        by_place.entry(at).or_default().push(cpa.formulas(e));
    }
    let mut compared = 0;
    for seed in 0..seeds {
        let mut wrong = None;
        concrete_states(program, seed, &mut |at, run| {
            let Some(states) = by_place.get(&at).filter(|_| wrong.is_none()) else {
                wrong.get_or_insert_with(|| format!("{} is reached (seed {seed}), but not in the abstract", show(program, at)));
                return;
            };
            let fails = |f: &Term| holds(program, run, *f) == Some(false);
            compared += states.iter().map(|s| s.len() as u64).sum::<u64>();
            if states.iter().all(|s| s.iter().any(fails)) {
                let outside: Vec<String> = states.iter().flatten().filter(|f| fails(f)).map(|f| format!("{f}")).collect();
                wrong = Some(format!("a state before {} (seed {seed}) is outside: {outside:?}", show(program, at)));
            }
        });
        if let Some(wrong) = wrong {
            return Err(wrong);
        }
    }
    Ok(compared)
}

/// A place, for messages.
pub fn show(program: &Program, at: Place) -> String {
    let f = program.function(at.func);
    format!("{} in {} ({})", program.sources.show(f.graph.loc(at.loc).span), f.name, at.loc.0)
}
