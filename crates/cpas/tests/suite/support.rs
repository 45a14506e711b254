//! Programs, places by source line, and concrete states to compare with.

use plumb_cfa::interp::{Discard, Interpreter, Limit, Limits, Outcome, Random};
use plumb_cfa::{Loc, Program};
use plumb_cfront::{Input, Options};
use plumb_cpa::{Arg, Cpa, Place};
use plumb_term::eval::{eval, Value};
use plumb_term::visit::Rewriter;
use plumb_term::{IBig, Kind, Scalar, Term, Var, VarId};
use std::path::Path;

pub fn load(text: &str) -> Program {
    let input = Input { name: "test.c".into(), bytes: text.as_bytes().to_vec() };
    plumb_cfront::load(&[input], &Options::default()).unwrap_or_else(|e| panic!("{e}"))
}

/// The programs of `tests/corpus` that load without options.
pub fn corpus() -> Vec<(String, Program)> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus");
    let mut paths: Vec<_> = std::fs::read_dir(dir).unwrap().map(|e| e.unwrap().path()).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "c"));
    paths.sort();
    let mut out = Vec::new();
    for path in paths {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let input = Input { name: path.to_string_lossy().into_owned(), bytes: std::fs::read(&path).unwrap() };
        if let Ok(p) = plumb_cfront::load(&[input], &Options::default()) {
            out.push((name, p));
        }
    }
    assert!(out.len() >= 90, "only {} programs", out.len());
    out
}

/// The place before a line of a function is executed.
pub fn before_line(program: &Program, function: &str, line: u32) -> Place {
    let (i, f) = program.functions.iter().enumerate().find(|(_, f)| f.name == function).unwrap();
    let wto = plumb_cfa::wto::Wto::new(&f.graph, f.entry);
    let starts = |l: &Loc| f.graph.out_edges(*l).iter().any(|e| f.graph.edge(*e).span.line == line);
    let loc = wto.order().iter().copied().find(starts).unwrap_or_else(|| panic!("no line {line}"));
    Place { func: plumb_cfa::FuncId(i as u32), loc }
}

pub fn var(program: &Program, name: &str) -> VarId {
    VarId(program.vars.iter().position(|v| v.name == name).unwrap_or_else(|| panic!("no variable {name}")) as u32)
}

/// The reached states at a place.
pub fn states_at<'r, C: Cpa>(cpa: &C, arg: &'r Arg<C>, at: Place) -> Vec<&'r C::State> {
    arg.nodes().map(|n| n.1).filter(|e| cpa.place(e) == Some(at)).collect()
}

/// Runs a program with random inputs and looks at the state before each of its first steps: all of the first ones, then ever fewer.
pub fn concrete_states(program: &Program, seed: u64, see: &mut dyn FnMut(Place, &Interpreter<'_>)) {
    let mut k = 0u64;
    while k < 2000 {
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

/// Checks that at every place a concrete state is in one of the reached states, as far as their formulas say; how many comparisons were made.
pub fn includes_concrete_states<C: Cpa>(name: &str, program: &Program, cpa: &C, arg: &Arg<C>, seeds: u64) -> u64 {
    let mut by_place: std::collections::BTreeMap<Place, Vec<Vec<Term>>> = std::collections::BTreeMap::new();
    for (_, e) in arg.nodes() {
        by_place.entry(cpa.place(e).unwrap()).or_default().push(cpa.formulas(e));
    }
    let mut compared = 0;
    for seed in 0..seeds {
        concrete_states(program, seed, &mut |at, run| {
            let states = by_place.get(&at).unwrap_or_else(|| panic!("{name}: {} is reached, but not in the abstract", show(program, at)));
            let fits = |fs: &Vec<Term>| fs.iter().all(|f| holds(program, run, *f) != Some(false));
            compared += states.iter().map(|s| s.len() as u64).sum::<u64>();
            if !states.iter().any(fits) {
                let wrong: Vec<String> =
                    states.iter().flatten().filter(|f| holds(program, run, **f) == Some(false)).map(|f| format!("{f}")).collect();
                panic!("{name} (seed {seed}): a state before {} is outside: {wrong:?}", show(program, at));
            }
        });
    }
    compared
}

pub fn show(program: &Program, at: Place) -> String {
    let f = program.function(at.func);
    format!("{} in {} ({})", program.sources.show(f.graph.loc(at.loc).span), f.name, at.loc.0)
}
