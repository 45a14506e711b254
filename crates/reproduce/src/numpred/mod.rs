//! Seed 000: Gurfinkel, Chaki, "Combining Predicate and Numeric Abstraction for Software Model Checking" (FMCAD 2008), Table IV and Fig. 8.
//!
//! The paper's programs (a suite by Zitser et al., OpenSSL, a metal casting plant, Micro-C OS, Windows device drivers) are not public as it used them; public ones of the same kinds stand for them:
//! programs of VeriSec, of the SSH handshake, simplified drivers, locks. The paper counts the time of the last iteration with a suitable precision; here all refinement is counted.

mod paper;
mod synthetic;

use crate::markdown::{seconds, table};
use crate::record::Record;
use crate::runner::Runner;
use crate::set::Task;
use crate::tally::Tally;
use paper::{PROGRAMS, TABLE_4};
use std::collections::BTreeSet;
use std::fmt::Write;

/// The rows of Table IV, then the automatic choice among them.
const CONFIGS: [&str; 7] = ["na", "pa", "nexpoint", "nex", "mtndd", "ndd", "numpred"];
/// Those that combine predicates and numbers.
const COMBINED: std::ops::Range<usize> = 2..6;
/// The structures of Fig. 8, from loop head to loop head and from join to join.
const SYNTHETIC: [&str; 6] = ["nex", "mtndd", "ndd", "cpa-nex", "cpa-mtndd", "cpa-ndd"];
/// The configuration that is run elsewhere.
const BEST: &str = "numpred";
/// What it is compared with, on the programs that it solves.
const OTHERS: [&str; 2] = ["ufo-cp", "dagger"];
/// The figures of Table IV.
const PARTS: [&str; 4] = ["gamma seconds", "join seconds", "transformer seconds", "apply seconds"];

/// Whether a program is of one of the paper's kinds, by its folder or suite.
fn realistic(task: &Task) -> bool {
    let folder = task.path.rsplit('/').nth(1).unwrap_or("");
    matches!(folder, "ssh" | "ssh-simplified" | "ntdrivers-simplified" | "locks") || task.name().starts_with("verisec")
}

/// Runs the experiment: the document and the last line.
pub fn run(runner: &Runner, every: usize, elsewhere: &[String]) -> Result<(String, String), String> {
    let (mut strengths, mut beyond) = (String::new(), Tally::default());
    for name in elsewhere {
        let (text, tally) = strength(runner, name, every)?;
        strengths.push_str(&text);
        beyond = beyond.plus(&tally);
    }
    let mut seen = BTreeSet::new();
    let mut tasks: Vec<Task> = Vec::new();
    for set in ["all", "ufo"] {
        tasks.extend(runner.set(set)?.into_iter().filter(|t| realistic(t) && seen.insert(t.name().to_owned())));
    }
    let tasks: Vec<Task> = tasks.into_iter().step_by(every.max(1)).collect();
    let records = runner.run(&CONFIGS, &tasks)?;
    let limits = runner.limits();
    let mut out = format!(
        "# NUMPREDDOM: the paper's table and curves, run again\n\nWritten by `cargo run --release --bin reproduce -- numpred`: {} s and {} per program, {} at once; every verdict is \
         certified. The paper's programs are not public as it used them: {} of the same kinds stand for them. Times include all refinement; the paper counts its last iteration alone.\n\n## Table IV\n\n\
         Programs analysed, and CPU seconds of these: in all, and in the operations of the domain. The paper's in parentheses, of {PROGRAMS} programs.\n\n",
        limits.seconds,
        limits.memory,
        limits.jobs,
        tasks.len()
    );
    out.push_str(&table_4(&tasks, &records));
    let members = synthetic::write(runner)?;
    out.push_str(&figure_8(&runner.run(&SYNTHETIC, &members)?, &synthetic::alone(runner, &members)?));
    out.push_str(&strengths);
    let tallies: Vec<Tally> = records.iter().map(|r| Tally::of(r, &tasks)).collect();
    let solved: Vec<String> = CONFIGS.iter().zip(&tallies).map(|(c, t)| format!("{c}={}", t.solved())).collect();
    let wrong = tallies.iter().map(|t| t.wrong).sum::<usize>() + beyond.wrong;
    let summary = format!("ANALYSED of={} {} wrong={wrong}", tasks.len(), solved.join(" "));
    let _ = writeln!(out, "{summary}");
    Ok((out, summary))
}

fn table_4(tasks: &[Task], records: &[Vec<Record>]) -> String {
    let mut rows = Vec::new();
    for ((domain, config, analysed, times), list) in TABLE_4.iter().zip(records) {
        let right: Vec<&Record> = list.iter().zip(tasks).filter(|(r, t)| r.verdict == t.safe.to_string()).map(|(r, _)| r).collect();
        let total: f64 = right.iter().map(|r| r.seconds).sum();
        let parts = PARTS.iter().map(|p| right.iter().filter_map(|r| r.figure(p)).sum::<f64>());
        let cells = std::iter::once(total).chain(parts).zip(times).map(|(ours, printed)| both(ours, *printed));
        rows.push([format!("{domain} (`{config}`)"), format!("{} ({analysed})", right.len())].into_iter().chain(cells).collect());
    }
    let mut out = table(&["domain", "analysed", "total", "γ", "join", "αPost", "apply"], &rows);
    let right = |c: usize, i: usize| records[c][i].verdict == tasks[i].safe.to_string();
    let count = |c: usize| (0..tasks.len()).filter(|i| right(c, *i)).count();
    let (numbers, predicates) = (count(0), count(1));
    let says = |weaker: Vec<&str>| if weaker.is_empty() { "yes".to_owned() } else { format!("not {}", weaker.join(", ")) };
    let fewer = COMBINED.filter(|c| count(*c) <= numbers.max(predicates)).map(|c| CONFIGS[c]).collect();
    let _ = writeln!(out, "- Every combination analyses more programs than `na` and `pa`: {}.", says(fewer));
    let time =
        |c: usize, with: usize| (0..tasks.len()).filter(|i| right(c, *i) && right(with, *i)).map(|i| records[c][i].seconds).sum::<f64>();
    let slower = COMBINED.filter(|c| time(*c, 1) >= time(1, *c)).map(|c| CONFIGS[c]).collect();
    let pairs: Vec<String> =
        COMBINED.map(|c| format!("`{}` {} against {}", CONFIGS[c], seconds(Some(time(c, 1))), seconds(Some(time(1, c))))).collect();
    let _ = writeln!(out, "- In less time than `pa` on the programs that both analyse: {} ({} s).", says(slower), pairs.join(", "));
    let auto = CONFIGS.len() - 1;
    let _ = writeln!(out, "- The automatic choice (`numpred`) analyses {} in {} s.", count(auto), seconds(Some(time(auto, auto))));
    let used = |c: usize, what: &str| records[c].iter().filter(|r| r.solved()).filter_map(|r| r.figure(what)).fold(0.0, f64::max);
    let most: Vec<String> = (1..COMBINED.end).map(|c| format!("`{}` {:.0}", CONFIGS[c], used(c, "predicates"))).collect();
    let _ = writeln!(
        out,
        "- Predicates of a program that was analysed, at most: {} (the paper: 10 for PA, 8 for the combinations, 6 for NDD).\n",
        most.join(", ")
    );
    out
}

fn both(ours: f64, printed: f64) -> String {
    format!("{} ({})", seconds(Some(ours)), seconds(Some(printed)))
}

fn figure_8(programs: &[Vec<Record>], alone: &[Vec<Record>]) -> String {
    let rows = |records: &[Vec<Record>], shown: &dyn Fn(f64) -> String| {
        let members = synthetic::TEMPLATES.iter().flat_map(|(t, sizes)| sizes.iter().map(move |c| (*t, *c)));
        let mut rows = Vec::new();
        for (i, (template, c)) in members.enumerate() {
            let cell = |r: &Vec<Record>| if r[i].solved() { shown(r[i].seconds) } else { "*".to_owned() };
            rows.push([format!("({template})"), c.to_string()].into_iter().chain(records.iter().map(cell)).collect());
        }
        rows
    };
    let header = |names: &[&'static str]| -> Vec<&str> { ["template", "C"].into_iter().chain(names.iter().copied()).collect() };
    let mut out = String::from(
        "## Fig. 8\n\nIn the paper NEX and MTNDD go beyond C = 10,000 on (a), where NDD ends at 400; on (b) with C = 10 NDD takes seconds, the others minutes.\n\n\
         The domain alone, statement by statement and without widening: every round of the loop of (a) is joined, and every branch of (b), whose predicates are all its conditions and \
         whose numbers are all its variables. Milliseconds (`cargo bench -p plumb-numpred --bench figure_8`).\n\n",
    );
    out.push_str(&table(&header(&["NEX", "MTNDD", "NDD"]), &rows(alone, &|s| format!("{:.1}", 1e3 * s))));
    out.push_str(
        "As C programs, CPU seconds. `nex`, `mtndd` and `ndd` go from loop head to loop head: an interval analysis before them has the loop's invariant, and (b) is one block, which the \
         solver decides. `cpa-nex`, `cpa-mtndd` and `cpa-ndd` go from join to join and find numbers and predicates by refinement; widening stops at the loop's condition.\n\n",
    );
    out.push_str(&table(&header(&SYNTHETIC), &rows(programs, &|s| seconds(Some(s)))));
    out
}

/// [`BEST`] on a set, and whether the others solve what it solves.
fn strength(runner: &Runner, name: &str, every: usize) -> Result<(String, Tally), String> {
    let tasks: Vec<Task> = runner.set(name)?.into_iter().step_by(every.max(1)).collect();
    let best = runner.run(&[BEST], &tasks)?.remove(0);
    let tally = Tally::of(&best, &tasks);
    let solved: Vec<Task> = tasks.iter().zip(&best).filter(|(_, r)| r.solved()).map(|(t, _)| t.clone()).collect();
    let others = runner.run(&OTHERS, &solved)?;
    let mut out = format!("## Elsewhere: {name}\n\n`{BEST}` on {} programs:\n\n", tasks.len());
    let counts = [tally.solved(), tally.safe, tally.unsafe_, tally.wrong, tally.rejected].map(|n| n.to_string());
    let row = counts.into_iter().chain([seconds(Some(tally.seconds))]).collect();
    out.push_str(&table(&["solved", "safe", "unsafe", "wrong", "certificates refused", "time (s)"], &[row]));
    for (config, records) in OTHERS.iter().zip(&others) {
        let _ = writeln!(out, "- {} of the solved ones are not solved by `{config}`.", records.iter().filter(|r| !r.solved()).count());
    }
    let only: Vec<&str> = (0..solved.len()).filter(|i| others.iter().all(|r| !r[*i].solved())).map(|i| solved[i].name()).collect();
    let names = if only.is_empty() { String::new() } else { format!(": {}", only.join(", ")) };
    let _ = writeln!(out, "- {} are solved by neither{names}.\n", only.len());
    Ok((out, others.iter().fold(tally, |sum, r| sum.plus(&Tally::of(r, &solved)))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_told_by_folder_and_suite() {
        let task = |path: &str| Task::listed(path, true, "ILP32");
        assert!(realistic(&task("ssh/a.c")) && realistic(&task("x/locks/b.c")) && realistic(&task("loops/verisec_c.i")));
        assert!(!realistic(&task("loops/d.c")));
        assert_eq!(both(1.0, 42.3), "1.00 (42.3)");
    }
}
