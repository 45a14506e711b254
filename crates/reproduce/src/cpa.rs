//! Seed 001: Beyer, Gulwani, Schmidt, "Combining Model Checking and Data-Flow Analysis" (Handbook of Model Checking, 2018).
//!
//! The chapter has no measurements; it says that analyses of one framework differ in what they decide. So: its component analyses and composites over a sample of
//! all kinds of programs, what each solves, and what it alone solves.

use crate::markdown::table;
use crate::record::Record;
use crate::runner::{Runner, Sample};
use crate::set::Task;
use crate::tally::Tally;
use std::fmt::Write;

/// Component analyses, then composites.
const CONFIGS: [&str; 14] = [
    "value",
    "value-sep",
    "interval",
    "octagon",
    "polyhedra",
    "heap",
    "bdd",
    "predicate-edges",
    "predicate",
    "value-interval",
    "predicate-value-direct",
    "predicate-value",
    "predicate-value-interval",
    "predicate-heap",
];

/// The sets that are categories; a task belongs to the first that has it.
const CATEGORIES: [&str; 12] = [
    "controlflow",
    "loops",
    "arrays",
    "heap",
    "bitvectors",
    "floats",
    "recursive",
    "eca",
    "sequentialized",
    "productlines",
    "drivers",
    "invariants",
];

/// On these the strength of the predicate analysis with blocks is looked at.
const PREDICATE_SETS: [&str; 3] = ["controlflow", "ufo", "loops"];

/// Runs the experiment: the document and the last line.
pub fn run(runner: &Runner, only: &[String], strength: bool) -> Result<(String, String), String> {
    let known = |c: &String| CONFIGS.iter().copied().find(|k| k == c).ok_or_else(|| format!("{c} is not one of {}", CONFIGS.join(", ")));
    let configs: Vec<&str> = if only.is_empty() { CONFIGS.to_vec() } else { only.iter().map(known).collect::<Result<_, _>>()? };
    let all = runner.set("core")?;
    let samples = 1 + if strength { PREDICATE_SETS.len() as u32 } else { 0 };
    let Sample { tasks, records } = runner.sample(&configs, &all, samples)?;
    let tallies: Vec<Tally> = records.iter().map(|r| Tally::of(r, &tasks)).collect();
    let categories = categories(runner, &tasks)?;
    let mut out = format!(
        "# Configurable program analysis: what each analysis decides\n\nWritten by `cargo run --release --bin reproduce -- cpa`: {} s and {} per program, {} at once; {} of the {} programs of \
         `core.set`{}. Every verdict is certified under machine integers.\n\n",
        runner.limits().seconds,
        runner.limits().memory,
        runner.limits().jobs,
        tasks.len(),
        all.len(),
        if tasks.len() < all.len() { ", evenly spread" } else { "" },
    );
    out.push_str(&solved_table(&configs, &records, &tallies, &categories));
    out.push_str(&starved(&records, runner.limits().seconds));
    out.push_str(&alone(&configs, &records, &tasks));
    let mut share = String::new();
    if strength {
        let (section, solved) = with_blocks(runner)?;
        out.push_str(&section);
        share = solved;
    }
    let wrong: usize = tallies.iter().map(|t| t.wrong).sum();
    let each: Vec<String> = configs.iter().zip(&tallies).map(|(c, t)| format!("{c}={}", t.solved())).collect();
    Ok((out, format!("SOLVED {} of={} wrong={wrong}{share}", each.join(" "), tasks.len())))
}

/// What the predicate analysis with blocks solves of [`PREDICATE_SETS`]: the section and the end of the last line.
fn with_blocks(runner: &Runner) -> Result<(String, String), String> {
    let mut rows = Vec::new();
    let (mut programs, mut whole) = (0, Tally::default());
    let mut row = |name: String, programs: usize, t: &Tally| {
        let share = format!("{:.0} %", 100.0 * t.solved() as f64 / programs.max(1) as f64);
        let numbers = [programs, t.solved(), t.wrong].map(|n| n.to_string());
        rows.push([name].into_iter().chain(numbers).chain([share.clone(), format!("{:.0}", t.seconds)]).collect());
        share
    };
    for (left, name) in (1..=PREDICATE_SETS.len() as u32).rev().zip(PREDICATE_SETS) {
        let Sample { tasks, records } = runner.sample(&["predicate"], &runner.set(name)?, left)?;
        let t = Tally::of(&records[0], &tasks);
        row(format!("`{name}.set`"), tasks.len(), &t);
        programs += tasks.len();
        whole = whole.plus(&t);
    }
    let share = row("together".into(), programs, &whole);
    let section = format!(
        "## The predicate analysis with blocks\n\n{}\n",
        table(&["set", "programs", "solved", "wrong", "share", "time (s)"], &rows)
    );
    Ok((section, format!(" predicate-on-its-sets={}/{programs} ({share})", whole.solved())))
}

/// The category of each task.
fn categories(runner: &Runner, tasks: &[Task]) -> Result<Vec<&'static str>, String> {
    let mut out = vec!["other"; tasks.len()];
    for name in CATEGORIES.iter().rev() {
        let members = runner.set(name)?;
        for (task, category) in tasks.iter().zip(&mut out) {
            if members.iter().any(|m| m.path == task.path) {
                *category = name;
            }
        }
    }
    Ok(out)
}

/// Configurations by categories: solved, and the whole.
fn solved_table(configs: &[&str], records: &[Vec<Record>], tallies: &[Tally], categories: &[&str]) -> String {
    let kinds: Vec<&str> = CATEGORIES.iter().copied().chain(["other"]).filter(|k| categories.contains(k)).collect();
    let titles: Vec<String> = kinds.iter().map(|k| format!("{k} ({})", categories.iter().filter(|c| *c == k).count())).collect();
    let header: Vec<&str> = ["configuration"]
        .into_iter()
        .chain(titles.iter().map(String::as_str))
        .chain(["solved", "safe", "unsafe", "wrong", "time (s)"])
        .collect();
    let mut rows = Vec::new();
    for ((config, list), t) in configs.iter().zip(records).zip(tallies) {
        let mut row = vec![format!("`{config}`")];
        for kind in &kinds {
            let solved = list.iter().zip(categories).filter(|(r, c)| *c == kind && r.solved()).count();
            row.push(solved.to_string());
        }
        row.extend([t.solved(), t.safe, t.unsafe_, t.wrong].map(|n| n.to_string()));
        row.push(format!("{:.0}", t.seconds));
        rows.push(row);
    }
    table(&header, &rows)
}

/// How many runs were stopped by the clock long before they had used their time: then the machine was busy with other things, and the figures are too
/// low.
fn starved(records: &[Vec<Record>], seconds: u64) -> String {
    let by_time = |r: &&Record| r.reason.contains("time limit") || r.reason.contains("no answer within");
    let stopped: Vec<&Record> = records.iter().flatten().filter(by_time).collect();
    let starved = stopped.iter().filter(|r| r.seconds < seconds as f64 / 2.0).count();
    if starved == 0 {
        return String::new();
    }
    format!(
        "Of the {} runs that the time limit ended, {starved} had got less than half of it as CPU time: the machine was shared, and the figures are lower bounds.\n\n",
        stopped.len()
    )
}

/// What one configuration alone solves.
fn alone(configs: &[&str], records: &[Vec<Record>], tasks: &[Task]) -> String {
    let mut out = "## What one configuration alone solves\n\n".to_owned();
    let mut any = false;
    for (i, config) in configs.iter().enumerate() {
        let only = |t: &usize| records.iter().enumerate().all(|(k, list)| list[*t].solved() == (k == i));
        let names: Vec<&str> = (0..tasks.len()).filter(only).map(|t| tasks[t].name()).collect();
        if !names.is_empty() {
            any = true;
            let _ = writeln!(out, "- `{config}`: {}", names.join(", "));
        }
    }
    out.push_str(if any { "\n" } else { "Nothing.\n\n" });
    out
}
