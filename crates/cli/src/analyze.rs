//! `plumb analyze`: what data-flow analyses know, per source line.

use crate::args::AnalyzeArgs;
use crate::exit;
use crate::front::Loaded;
use crate::run::{load, with_stack};
use plumb_cpas::automaton::spec::compile;
use plumb_cpas::automaton::{observe, Observation};
use plumb_cpas::report::{analyse, analyses, Failure, Line, Report};
use plumb_term::{Budget, Span};
use serde_json::{json, Map, Value};
use std::collections::HashSet;
use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

/// Analyses a program and prints what was found.
pub fn main(args: &AnalyzeArgs) -> u8 {
    if args.list {
        for e in analyses() {
            exit::say(&format!("{:<12} {}\n", e.name, e.summary));
        }
        return 0;
    }
    with_stack(|| {
        let names: Vec<&str> = args.cpa.iter().map(|n| n.trim()).filter(|n| !n.is_empty()).collect();
        let known = analyses();
        if let Some(bad) = names.iter().find(|n| known.iter().all(|e| e.name != **n)) {
            return unknown_name(bad);
        }
        if names.is_empty() {
            return exit::usage("no analysis is named; `plumb analyze --list` shows them");
        }
        let loaded = match load(&args.files, args.meaning) {
            Ok(l) => l,
            Err(code) => return code,
        };
        let budget = Budget::within(Duration::from_secs_f64(args.time));
        if let Some(path) = &args.spec {
            return observed(&loaded, path, &names, args.json, &budget);
        }
        match analyse(&loaded.program, &names, &budget) {
            Ok(report) if args.json => exit::say(&format!("{:#}\n", as_json(&loaded, &report))),
            Ok(report) => exit::say(&as_text(&loaded, &report)),
            Err(Failure::UnknownName(name)) => return unknown_name(&name),
            Err(Failure::OutOfBudget) => {
                exit::usage("the time limit was reached before the analysis was complete");
                return exit::UNKNOWN;
            }
        }
        0
    })
}

/// Watches the program with automata and says what they saw.
fn observed(loaded: &Loaded, path: &Path, names: &[&str], json: bool, budget: &Budget) -> u8 {
    let text = match std::fs::read(path) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(e) => return exit::usage(&format!("{}: {e}", path.display())),
    };
    let automata = match compile(&text, &loaded.program) {
        Ok(automata) => automata,
        Err(e) => return exit::usage(&format!("{}: {e}", path.display())),
    };
    let Some(seen) = observe(&loaded.program, &automata, names, budget) else {
        exit::usage("the time limit was reached before the analysis was complete");
        return exit::UNKNOWN;
    };
    let show = |span: &Span| loaded.program.sources.show(*span).to_string();
    if json {
        let entry =
            |o: &Observation| json!({ "automaton": o.automaton, "may_be_violated_at": o.violations.iter().map(show).collect::<Vec<_>>() });
        exit::say(&format!("{:#}\n", json!({ "automata": seen.iter().map(entry).collect::<Vec<_>>() })));
    } else {
        for o in &seen {
            let places: Vec<String> = o.violations.iter().map(show).collect();
            let what = if places.is_empty() { "is not violated".to_owned() } else { format!("may be violated at {}", places.join(", ")) };
            exit::say(&format!("{}: {what}\n", o.automaton));
        }
    }
    if seen.iter().any(|o| !o.violations.is_empty()) {
        exit::UNKNOWN
    } else {
        0
    }
}

fn unknown_name(name: &str) -> u8 {
    let names: Vec<&str> = analyses().iter().map(|e| e.name).collect();
    exit::usage(&format!("there is no analysis `{name}`; there are {}", names.join(", ")))
}

/// The lines of the user's own files.
fn lines<'r>(loaded: &'r Loaded, report: &'r Report) -> impl Iterator<Item = &'r Line> {
    report.lines.iter().filter(|l| loaded.program.sources.name(l.file) != plumb_cfront::library::NAME)
}

/// The text of a line, if its file is one of those that were read.
fn source(loaded: &Loaded, line: &Line) -> Option<String> {
    let name = loaded.program.sources.name(line.file);
    let file = loaded.files.iter().find(|f| f.name == name)?;
    let text = file.bytes.split(|b| *b == b'\n').nth(line.line as usize - 1)?;
    Some(String::from_utf8_lossy(text).trim().to_owned())
}

/// Notes by analysis, without what another analysis has said already.
fn by_analysis(line: &Line) -> Vec<(&'static str, Vec<&str>)> {
    let mut out: Vec<(&'static str, Vec<&str>)> = Vec::new();
    let mut said: HashSet<&str> = HashSet::new();
    for e in analyses() {
        let notes = line.notes.iter().filter(|n| n.analysis == e.name).map(|n| n.text.as_str());
        let texts: Vec<&str> = notes.filter(|t| said.insert(t)).collect();
        if !texts.is_empty() {
            out.push((e.name, texts));
        }
    }
    out
}

fn as_text(loaded: &Loaded, report: &Report) -> String {
    let (program, mut out) = (&loaded.program, String::new());
    let mut function = None;
    for line in lines(loaded, report) {
        let file = program.sources.name(line.file);
        if function != Some((line.file, line.func)) {
            function = Some((line.file, line.func));
            let _ = writeln!(out, "{}{file}, function {}", if out.is_empty() { "" } else { "\n" }, program.function(line.func).name);
        }
        let text = source(loaded, line).unwrap_or_default();
        let what = match (line.is_loop, line.reached) {
            (_, false) => "  // not reached",
            (true, true) => "  // at the loop's head",
            (false, true) => "",
        };
        let _ = writeln!(out, "{:>5} | {text}{what}", line.line);
        for (analysis, texts) in by_analysis(line) {
            let _ = writeln!(out, "      |     {analysis}: {}", texts.join(", "));
        }
    }
    out
}

fn as_json(loaded: &Loaded, report: &Report) -> Value {
    let program = &loaded.program;
    let line = |l: &Line| {
        let facts: Map<String, Value> = by_analysis(l).into_iter().map(|(a, texts)| (a.to_owned(), json!(texts))).collect();
        json!({
            "file": program.sources.name(l.file),
            "line": l.line,
            "function": program.function(l.func).name,
            "loop": l.is_loop,
            "reached": l.reached,
            "facts": facts,
        })
    };
    json!({
        "lines": lines(loaded, report).map(line).collect::<Vec<_>>(),
        "states": report.states,
    })
}
