//! Seed 004: Albarghouthi, Gurfinkel, Chechik, "From under-approximations to over-approximations and back" (TACAS 2012), Tables 1 and 2.
//!
//! The paper's 105 programs are those of SV-COMP 2012's ntdrivers-simplified, ssh-simplified and systemc, and pacemaker, which is not public: 97 are left. It ran them
//! for 300 s each on a machine of its time.

mod growth;
mod paper;

use crate::markdown::{seconds, table};
use crate::record::Record;
use crate::runner::{Runner, Sample};
use crate::set::Task;
use crate::tally::Tally;
use paper::{TABLE_1, TABLE_2};
use std::fmt::Write;

/// The paper's configurations under plumb's names.
const CONFIGS: [&str; 5] = ["ufo", "ufo-cp", "ufo-bp", "cp", "bp"];

/// Runs the experiment: the document and the last line.
pub fn run(runner: &mut Runner, only: &[String], elsewhere: &[String]) -> Result<(String, String), String> {
    let known = |c: &String| CONFIGS.iter().copied().find(|k| k == c).ok_or_else(|| format!("{c} is not one of {}", CONFIGS.join(", ")));
    let configs: Vec<&str> = if only.is_empty() { CONFIGS.to_vec() } else { only.iter().map(known).collect::<Result<_, _>>()? };
    let tasks = runner.set("ufo")?;
    let records = runner.run(&configs, &tasks)?;
    let tallies: Vec<Tally> = records.iter().map(|r| Tally::of(r, &tasks)).collect();
    let mut others = Vec::new();
    for (left, name) in (1..=elsewhere.len() as u32).rev().zip(elsewhere) {
        let all = runner.set(name)?;
        let Sample { tasks, records } = runner.sample(&configs, &all, left)?;
        let tallies = records.iter().map(|r| Tally::of(r, &tasks)).collect();
        others.push(Elsewhere { name: name.clone(), measured: tasks.len(), of: all.len(), tallies });
    }
    let curves = growth::curves(runner)?;
    let document = document(runner, &configs, &tasks, &records, &tallies, &others) + &curves;
    let each: Vec<String> = configs.iter().zip(&tallies).map(|(c, t)| format!("{c}={}", t.solved())).collect();
    let best = tallies.iter().map(Tally::solved).max().unwrap_or(0);
    let wrong: usize = tallies.iter().map(|t| t.wrong).sum();
    Ok((document, format!("SOLVED {} best={best} of={} wrong={wrong}", each.join(" "), tasks.len())))
}

/// What the configurations achieve on another set.
struct Elsewhere {
    name: String,
    measured: usize,
    of: usize,
    tallies: Vec<Tally>,
}

fn document(runner: &Runner, configs: &[&str], tasks: &[Task], records: &[Vec<Record>], tallies: &[Tally], others: &[Elsewhere]) -> String {
    let limits = runner.limits();
    let mut out = format!(
        "# UFO: the paper's tables, run again\n\nWritten by `cargo run --release --bin reproduce -- ufo`: {} s and {} per program, {} at once. Every verdict is certified under machine \
         integers. The paper's figures are for its 105 programs at 300 s each; {} of them are public.\n\n## Table 1\n\n",
        limits.seconds,
        limits.memory,
        limits.jobs,
        tasks.len()
    );
    out.push_str(&table_1(configs, tallies, tasks.len()));
    out.push_str(&certificates(configs, records, tallies));
    out.push_str("## Table 2\n\nTime in seconds and iterations, plumb's and the paper's in parentheses; then plumb's time in interpolation and in POST.\n\n");
    out.push_str(&table_2(configs, tasks, records));
    if !others.is_empty() {
        out.push_str(
            "## Elsewhere\n\nSolved, of the programs of other sets; where not all were run, of as many, evenly spread over the set.\n\n",
        );
        let header: Vec<&str> = ["set", "programs"].into_iter().chain(configs.iter().copied()).chain(["wrong"]).collect();
        let rows: Vec<Vec<String>> = others
            .iter()
            .map(|e| {
                let solved = e.tallies.iter().map(|t| t.solved().to_string());
                let wrong: usize = e.tallies.iter().map(|t| t.wrong).sum();
                let programs = if e.measured == e.of { e.of.to_string() } else { format!("{} of {}", e.measured, e.of) };
                [e.name.clone(), programs].into_iter().chain(solved).chain([wrong.to_string()]).collect()
            })
            .collect();
        out.push_str(&table(&header, &rows));
    }
    out.push_str("## What no configuration solved\n\n");
    let unsolved: Vec<&str> = (0..tasks.len()).filter(|i| records.iter().all(|r| !r[*i].solved())).map(|i| tasks[i].name()).collect();
    let _ = writeln!(out, "{}", if unsolved.is_empty() { "Nothing.".to_owned() } else { format!("{}.", unsolved.join(", ")) });
    out
}

fn table_1(configs: &[&str], tallies: &[Tally], of: usize) -> String {
    let mut rows = Vec::new();
    for (config, t) in configs.iter().zip(tallies) {
        let cells = [t.solved(), t.safe, t.unsafe_, t.wrong].map(|n| n.to_string());
        rows.push([format!("plumb `{config}`, of {of}")].into_iter().chain(cells).chain([format!("{:.0}", t.seconds)]).collect());
        if let Some((name, solved, safe, unsafe_, wrong, time)) = CONFIGS.iter().position(|c| c == config).map(|i| TABLE_1[i]) {
            let cells = [solved, safe, unsafe_, wrong].map(|n| n.to_string());
            rows.push([format!("paper, {name}, of 105")].into_iter().chain(cells).chain([time.to_owned()]).collect());
        }
    }
    table(&["configuration", "solved", "safe", "unsafe", "wrong", "total time (s)"], &rows)
}

fn certificates(configs: &[&str], records: &[Vec<Record>], tallies: &[Tally]) -> String {
    let mut out = "### Certificates\n\n".to_owned();
    let sum = |list: &[Record], name: &str| list.iter().filter(|r| r.solved()).filter_map(|r| r.figure(name)).sum::<f64>();
    let rows: Vec<Vec<String>> = configs
        .iter()
        .zip(records)
        .zip(tallies)
        .map(|((c, list), t)| {
            let (search, check) = (sum(list, "search seconds"), sum(list, "check seconds"));
            let ratio = if search > 0.0 { format!("{:.2}", check / search) } else { "–".into() };
            vec![format!("`{c}`"), seconds(Some(search)), seconds(Some(check)), ratio, t.rejected.to_string()]
        })
        .collect();
    out.push_str(&table(&["solved by", "search (s)", "check (s)", "check / search", "rejected"], &rows));
    for r in records.iter().flatten().filter(|r| r.rejected()) {
        let _ = writeln!(out, "- `{}` on {}: {}", r.config, r.task, r.reason);
    }
    out
}

fn table_2(configs: &[&str], tasks: &[Task], records: &[Vec<Record>]) -> String {
    /// Where a configuration stands in the rows of the table; CP is not there.
    fn column(config: &str) -> Option<usize> {
        ["ufo", "ufo-cp", "ufo-bp", "bp"].iter().position(|c| *c == config)
    }
    let mut header = vec!["program".to_owned()];
    for c in configs {
        header.extend([format!("{c}: time"), "iterations".into(), "interpolation".into(), "post".into()]);
    }
    let mut rows = Vec::new();
    for (name, safe, paper) in &TABLE_2 {
        let Some(i) = tasks.iter().position(|t| of_paper(t.name()) == *name && t.safe == *safe) else { continue };
        let mut row = vec![format!("{name} ({})", if *safe { "safe" } else { "unsafe" })];
        for (c, list) in configs.iter().zip(records) {
            let run = Some(&list[i]).filter(|r| r.solved());
            let printed = column(c).and_then(|k| paper[k]);
            let count = run.and_then(|r| r.figure("iterations")).map_or("–".into(), |n| format!("{n:.0}"));
            row.push(format!("{} ({})", seconds(run.map(|r| r.seconds)), seconds(printed.map(|p| p.0))));
            row.push(format!("{count} ({})", printed.map_or("–".into(), |p| p.1.to_string())));
            row.push(seconds(run.and_then(|r| r.figure("interpolation seconds"))));
            row.push(seconds(run.and_then(|r| r.figure("post seconds"))));
        }
        rows.push(row);
    }
    table(&header.iter().map(String::as_str).collect::<Vec<_>>(), &rows)
}

/// The paper's name of a program: it does not say again that the unsafe ones are.
fn of_paper(name: &str) -> &str {
    ["_BUG", ".BUG"].iter().find_map(|e| name.strip_suffix(e)).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn run(verdict: &str, reason: &str) -> Record {
        let figures = BTreeMap::from([("search seconds".to_owned(), 2.0), ("check seconds".to_owned(), 1.0)]);
        Record {
            config: "ufo".into(),
            task: "x".into(),
            verdict: verdict.into(),
            reason: reason.into(),
            seconds: 3.0,
            figures,
            ..Record::default()
        }
    }

    fn task(path: &str, safe: bool) -> Task {
        Task::listed(path, safe, "ILP32")
    }

    #[test]
    fn right_and_wrong_are_told_apart() {
        let tasks = [task("a.c", true), task("b.c", true), task("c.c", false), task("d.c", false), task("e.c", false)];
        let records = [
            run("true", ""),
            run("false", ""),
            run("false", ""),
            run("true", ""),
            run("unknown", "an error path was found but could not be replayed: x"),
        ];
        let tally = Tally::of(&records, &tasks);
        assert_eq!(tally, Tally { safe: 1, unsafe_: 1, wrong: 2, rejected: 1, seconds: 15.0 });
        assert_eq!(tally.solved(), 2);
    }

    #[test]
    fn rows_stand_beside_the_papers() {
        let tasks = [task("f/s3_clnt_1.cil.c", true)];
        let text = table_2(&["ufo", "cp"], &tasks, &[vec![run("true", "")], vec![run("unknown", "")]]);
        assert!(text.contains("| s3_clnt_1 (safe) | 3.00 (11.0) | – (10) |"), "{text}");
        assert!(text.contains("| – (–) |"), "{text}");
        let text = table_2(&["ufo"], &[task("f/toy1_BUG.cil.c", false)], &[vec![run("false", "")]]);
        assert!(text.contains("| toy1 (unsafe) | 3.00 (96.5) | – (10) |"), "{text}");
    }
}
