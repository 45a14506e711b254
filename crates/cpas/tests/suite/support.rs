//! Programs, places by source line, and concrete states to compare with.

use plumb_cfa::{Loc, Program};
use plumb_cfront::{Input, Options};
use plumb_cpa::{runs, Arg, Cpa, Place};
use plumb_term::VarId;
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

/// Checks that no concrete state is outside of what was reached; how many comparisons were made.
pub fn includes_concrete_states<C: Cpa>(name: &str, program: &Program, cpa: &C, arg: &Arg<C>, seeds: u64) -> u64 {
    runs::includes_concrete_states(program, cpa, arg, seeds).unwrap_or_else(|wrong| panic!("{name}: {wrong}"))
}
