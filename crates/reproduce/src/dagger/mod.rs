//! Seed 002: Gulavani, Chakraborty, Nori, Rajamani, "Automatically Refining Abstract Interpretations" (TACAS 2008), Table 1.
//!
//! Of its programs 22 are public, in two versions; where a version has one assertion per file, each is run. Integers are mathematical, as in the
//! paper, which ran each program for up to 2000 s on a machine of its time.

mod growth;
mod paper;

use crate::markdown::{seconds, table};
use crate::record::Record;
use crate::runner::{Runner, Sample};
use crate::set::Task;
use crate::tally::Tally;
use paper::{Cell, NEED_INTERPOLANTS};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The paper's columns under plumb's names.
const CONFIGS: [&str; 5] = ["dagger", "tree-widen", "tree-iwiden", "dag-widen", "dag-iwiden"];
/// Those and what they are compared with elsewhere.
const ELSEWHERE: [&str; 7] = ["dagger", "tree-widen", "tree-iwiden", "dag-widen", "dag-iwiden", "ufo", "kinduction"];
const IDEAL: [&str; 2] = ["--integers", "ideal"];

/// Runs the experiment: the document and the last line.
pub fn run(runner: &Runner, elsewhere: &[String], with_growth: bool) -> Result<(String, String), String> {
    let tasks = runner.set("dagger")?;
    let records = columns(runner, &tasks)?;
    let tallies: Vec<Tally> = records.iter().map(|r| Tally::of(r, &tasks)).collect();
    let limits = runner.limits();
    let mut out = format!(
        "# DAGGER: the paper's table, run again\n\nWritten by `cargo run --release --bin reproduce -- dagger`: {} s and {} per program, {} at once. Integers are mathematical, as in the paper \
         (`--integers ideal`); every proof has been checked. A star is a run that did not end, here within {} s, there within 2000 s. \
         `dagger` chooses the domain and widens by the domain's own operator; the other columns have the paper's domains (octagons for the Sendmail programs and JM06, polyhedra for all others) \
         and its operator (the constraints that stay).\n\n## Table 1\n\nSeconds and refinements, the paper's in parentheses.\n\n",
        limits.seconds, limits.memory, limits.jobs, limits.seconds
    );
    out.push_str(&table_1(&tasks, &records));
    out.push_str(&observations(&tasks, &records));
    let machine = runner.run(&["dagger"], &tasks)?;
    out.push_str(&machine_integers(&tasks, &machine[0]));
    for (left, name) in (1..=elsewhere.len() as u32).rev().zip(elsewhere) {
        let all = runner.set(name)?;
        let sample = runner.sample(&ELSEWHERE, &all, left)?;
        out.push_str(&strength(name, all.len(), &sample));
    }
    if with_growth {
        let tasks = growth::write(runner)?;
        let ideal = runner.run_with(&["dagger"], &tasks, &IDEAL)?;
        let machine = runner.run(&["dagger"], &tasks)?;
        out.push_str(&curves(&ideal[0], &machine[0]));
    }
    let rest: Vec<String> = CONFIGS.iter().zip(&tallies).skip(1).map(|(c, t)| format!("{c}={}", t.safe)).collect();
    let wrong: usize = tallies.iter().map(|t| t.wrong).sum();
    let summary = format!("PROVED dagger={} of={} {} wrong={wrong}", tallies[0].safe, tasks.len(), rest.join(" "));
    let _ = writeln!(out, "{summary}");
    Ok((out, summary))
}

/// The records of the paper's columns: `dagger` chooses its domain, the others have the paper's.
fn columns(runner: &Runner, tasks: &[Task]) -> Result<Vec<Vec<Record>>, String> {
    let mut out = runner.run_with(&CONFIGS[..1], tasks, &IDEAL)?;
    for config in &CONFIGS[1..] {
        let one = |t: &Task| {
            let name = format!("{config}-{}", paper::domain(t.name()));
            let records = runner.run_with(&[&name], std::slice::from_ref(t), &IDEAL)?;
            records.into_iter().flatten().next().ok_or_else(|| format!("{}: no record", t.path))
        };
        out.push(tasks.iter().map(one).collect::<Result<_, String>>()?);
    }
    Ok(out)
}

fn version(task: &Task) -> String {
    let folder = task.path.split('/').rev().nth(2).unwrap_or("");
    format!("{} ({folder})", task.name().strip_suffix(".norm").unwrap_or(task.name()))
}

fn table_1(tasks: &[Task], records: &[Vec<Record>]) -> String {
    let header: Vec<&str> = std::iter::once("program").chain(CONFIGS).collect();
    let mut rows = Vec::new();
    for (i, t) in tasks.iter().enumerate() {
        let printed = paper::row(t.name());
        let cells = records.iter().enumerate().map(|(k, list)| cell(&list[i], printed.and_then(|r| r.1[k])));
        rows.push(std::iter::once(version(t)).chain(cells).collect());
    }
    table(&header, &rows)
}

fn cell(run: &Record, paper: Cell) -> String {
    let ours =
        if run.solved() { format!("{} / {:.0}", seconds(Some(run.seconds)), run.figure("refinements").unwrap_or(0.0)) } else { "*".into() };
    match paper {
        Some((s, n)) => format!("{ours} ({} / {n})", seconds(Some(s))),
        None => format!("{ours} (*)"),
    }
}

/// What the paper says of its table, of ours.
fn observations(tasks: &[Task], records: &[Vec<Record>]) -> String {
    let mut out = String::from("## What the paper observes\n\n");
    let programs: BTreeMap<&str, Vec<usize>> =
        tasks.iter().enumerate().filter_map(|(i, t)| Some((paper::row(t.name())?.0, i))).fold(BTreeMap::new(), |mut m, (name, i)| {
            m.entry(name).or_insert_with(Vec::new).push(i);
            m
        });
    let proved = programs.values().filter(|v| v.iter().all(|i| records[0][*i].verdict == "true")).count();
    let _ = writeln!(out, "- `dagger` proves {proved} of the {} programs in all their versions.", programs.len());
    let over: Vec<String> = tasks
        .iter()
        .enumerate()
        .filter_map(|(i, t)| {
            let allowed = 2 * paper::row(t.name())?.1[0]?.1 + 2;
            let made = records[0][i].figure("refinements")?;
            (made > allowed as f64).then(|| format!("{}: {made:.0} against {}", version(t), (allowed - 2) / 2))
        })
        .collect();
    let _ = writeln!(
        out,
        "- Refinements of `dagger` beyond twice the paper's plus two: {}.",
        if over.is_empty() { "none".into() } else { over.join("; ") }
    );
    let fails = |config: usize, name: &str| programs.get(name).is_some_and(|v| v.iter().any(|i| !records[config][*i].solved()));
    for config in [1, 3] {
        let (fail, other): (Vec<&str>, Vec<&str>) = NEED_INTERPOLANTS.iter().partition(|n| fails(config, n));
        let _ = writeln!(
            out,
            "- Of the ten programs that need interpolated widening in the paper, {} fail under `{}` ({}); it proves {}.",
            fail.len(),
            CONFIGS[config],
            fail.join(", "),
            if other.is_empty() { "none".into() } else { other.join(", ") }
        );
    }
    let _ = writeln!(
        out,
        "- The public version of `hsort1` asserts one conjunct, `r + 1 >= 2l`, which holds in every join: a widening that becomes a join once is enough. `barbr` in the tree ends since \
         inner paths are explored before outer ones; the paper's order is not known."
    );
    if let Some(i) = programs.get("ex2").and_then(|v| v.first()) {
        let nodes = |c: usize| records[c][*i].figure("nodes made").unwrap_or(0.0);
        let _ = writeln!(out, "- Nodes on `ex2`: {:.0} in the DAG, {:.0} in the tree.", nodes(0), nodes(2));
    }
    let repairs: f64 = records[0].iter().filter_map(|r| r.figure("repairs from the cache")).sum();
    let _ = writeln!(
        out,
        "- The cache made {repairs:.0} widenings precise before an error was reached; these are not counted as refinements.\n"
    );
    out
}

fn machine_integers(tasks: &[Task], records: &[Record]) -> String {
    let mut out = String::from(
        "## Machine integers\n\n`dagger` on the same programs with 32-bit integers that wrap. `false` is an execution with an overflow that was replayed from its inputs: the assertion does not \
         hold for machine integers.\n\n",
    );
    for verdict in ["true", "false", "unknown"] {
        let names: Vec<String> = tasks.iter().zip(records).filter(|(_, r)| r.verdict == verdict).map(|(t, _)| version(t)).collect();
        let _ = writeln!(out, "- {verdict}: {}: {}.", names.len(), names.join(", "));
    }
    out.push('\n');
    out
}

fn strength(name: &str, of: usize, sample: &Sample) -> String {
    let Sample { tasks, records } = sample;
    let mut out = format!("## Elsewhere: {name}\n\n");
    if tasks.len() < of {
        let _ = writeln!(out, "{} of the {of} programs, evenly spread.\n", tasks.len());
    }
    let tallies: Vec<Tally> = records.iter().map(|r| Tally::of(r, tasks)).collect();
    let rows: Vec<Vec<String>> = ELSEWHERE
        .iter()
        .zip(&tallies)
        .map(|(c, t)| {
            let counts = [t.solved(), t.safe, t.unsafe_, t.wrong, t.rejected].map(|n| n.to_string());
            std::iter::once((*c).to_owned()).chain(counts).chain([seconds(Some(t.seconds))]).collect()
        })
        .collect();
    out.push_str(&table(&["configuration", "solved", "safe", "unsafe", "wrong", "certificates refused", "time (s)"], &rows));
    let rivals: Vec<usize> = (0..ELSEWHERE.len()).filter(|c| !CONFIGS.contains(&ELSEWHERE[*c])).collect();
    let only: Vec<&str> = (0..tasks.len())
        .filter(|i| records[0][*i].solved() && rivals.iter().all(|c| !records[*c][*i].solved()))
        .map(|i| tasks[i].name())
        .collect();
    let names = if only.is_empty() { String::new() } else { format!(": {}", only.join(", ")) };
    let _ = writeln!(
        out,
        "Of {} programs, {} are solved by `dagger` and neither by `ufo` nor by `kinduction`{names}.\n",
        tasks.len(),
        only.len()
    );
    out
}

fn curves(ideal: &[Record], machine: &[Record]) -> String {
    let mut out = String::from("## Growth\n\nSeconds / refinements / nodes made by `dagger`.\n\n");
    let shown = |r: &Record| {
        let n = |name| r.figure(name).unwrap_or(0.0);
        if r.solved() {
            format!("{} / {:.0} / {:.0}", seconds(Some(r.seconds)), n("refinements"), n("nodes made"))
        } else {
            "*".into()
        }
    };
    let members = growth::FAMILIES.iter().flat_map(|(f, sizes)| sizes.iter().map(move |n| (*f, *n)));
    let rows: Vec<Vec<String>> =
        members.zip(ideal.iter().zip(machine)).map(|((f, n), (a, b))| vec![f.to_owned(), n.to_string(), shown(a), shown(b)]).collect();
    out.push_str(&table(&["family", "N", "mathematical integers", "machine integers"], &rows));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_show_both() {
        let run = Record {
            config: "dagger".into(),
            task: "a".into(),
            verdict: "true".into(),
            reason: String::new(),
            seconds: 0.5,
            figures: BTreeMap::from([("refinements".to_owned(), 2.0)]),
            ..Record::default()
        };
        assert_eq!(cell(&run, Some((0.04, 1))), "0.50 / 2 (0.04 / 1)");
        assert_eq!(cell(&Record { verdict: "unknown".into(), ..run }, None), "* (*)");
        let task = Task::listed("p/aig/dagger/ex1.norm.i", true, "ILP32");
        assert_eq!(version(&task), "ex1 (aig)");
    }
}
