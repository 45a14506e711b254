//! Seed 003: Armando, Benerecetti, Mantovani, "Abstraction Refinement of Linear Programs with Arrays" (TACAS 2007), Table 4.
//!
//! The families grow until a member is not decided within the limits; the paper's runs had 1800 s and 800 MB on a machine of its time.

mod families;
mod wide;

use crate::markdown::{seconds, table};
use crate::record::Record;
use crate::runner::Runner;
use crate::set::Task;
use crate::tally::Tally;
use families::{Family, FAMILIES};
use std::fmt::Write;

const CONFIG: &str = "eureka";
/// What `eureka` is compared with on its set and elsewhere.
const OTHERS: [&str; 3] = ["eureka", "eureka-ufo", "eureka-dagger"];

/// The runs of one family: sizes with the safe and the faulty member.
struct Curve {
    family: Family,
    safe: Vec<(usize, Record)>,
    faulty: Vec<(usize, Record)>,
}

/// Runs the experiment: the document and the last line.
pub fn run(runner: &Runner, every: usize, elsewhere: &[String]) -> Result<(String, String), String> {
    let mut curves = Vec::new();
    for family in FAMILIES {
        let safe = grow(runner, family, false)?;
        let faulty = grow(runner, family, true)?;
        curves.push(Curve { family, safe, faulty });
    }
    let limits = runner.limits();
    let mut out = format!(
        "# EUREKA: the paper's table, run again\n\nWritten by `cargo run --release --bin reproduce -- eureka`: {} s and {} per program, {} at once, machine integers; every proof has been checked \
         and every error replayed. A family grows until a member is not decided.\n\n## Table 4\n\nThe largest safe instance that `eureka` decides, its seconds, and the array elements that it keeps of all. The paper's \
         figures are EUREKA's, with 1800 s and 800 MB on a Pentium IV.\n\n",
        limits.seconds, limits.memory, limits.jobs
    );
    out.push_str(&table_4(&curves));
    out.push_str(
        "Elements whose indices are numerals in the program are kept from the start, if they are few: the one element of the string copy and the one of the partitioning are given in this way, \
         where the paper's refinement finds them, and so the loops of these two are never unrolled. An access out of bounds ends an execution here; in the paper it is a violation, as it is at the end of this page. \
        The Gray code of four digits of base three has 81 words: its programs do the same for every larger N. Seconds are CPU time.\n\n",
    );
    for c in &curves {
        out.push_str(&growth(c));
    }
    let mut wrong: usize = curves.iter().map(|c| against(&c.safe, "false") + against(&c.faulty, "true")).sum();
    for name in std::iter::once("eureka").chain(elsewhere.iter().map(String::as_str)) {
        let tasks = runner.set(name)?;
        let records = runner.run(&OTHERS, &tasks)?;
        wrong += records.iter().map(|r| Tally::of(r, &tasks).wrong).sum::<usize>();
        out.push_str(&strength(name, &tasks, &records));
    }
    let mut sets = Vec::new();
    for name in wide::SETS {
        let wide = wide::run(runner, name, every)?;
        wrong += wide.wrong;
        out.push_str(&wide.text);
        sets.push(format!("{name}={}/{}", wide.solved, wide.programs));
    }
    let bounds = bounds(runner)?;
    wrong += bounds.1;
    out.push_str(&bounds.0);
    let largest: Vec<String> = curves.iter().map(|c| format!("{}={}", c.family.name, last(&c.safe).map_or(0, |l| l.0))).collect();
    let summary = format!("LARGEST {} wrong={wrong}", largest.join(" "));
    let _ = writeln!(out, "SOLVED {}\n\n{summary}", sets.join(" "));
    Ok((out, summary))
}

/// The first members of the families with accesses out of bounds as violations, as the paper has it: what is said, and how much of it is wrong.
fn bounds(runner: &Runner) -> Result<(String, usize), String> {
    let mut rows = Vec::new();
    let mut wrong = 0;
    for family in FAMILIES {
        for faulty in [false, true] {
            let task = family.write(runner, family.sizes[0], faulty)?;
            let record =
                runner.run_with(&[CONFIG], &[task], &["--assert", "bounds"])?.pop().and_then(|mut r| r.pop()).ok_or("no record")?;
            wrong += usize::from(record.verdict == if faulty { "true" } else { "false" });
            let kind = if faulty { "faulty" } else { "safe" };
            let verdict = if record.solved() { record.verdict.clone() } else { "*".into() };
            rows.push(vec![family.name.into(), family.sizes[0].to_string(), kind.into(), verdict, seconds(Some(record.seconds))]);
        }
    }
    let text = format!(
        "## Accesses out of bounds\n\nThe paper's programs have an assertion before each access to an array that its index is within bounds. So they have with `--assert bounds`; `{CONFIG}` then says of the \
         first members:\n\n{}",
        table(&["family", "N", "", "verdict", "s"], &rows)
    );
    Ok((text, wrong))
}

/// The members of a family up to the first that is not decided.
fn grow(runner: &Runner, family: Family, faulty: bool) -> Result<Vec<(usize, Record)>, String> {
    let mut out = Vec::new();
    for n in family.sizes {
        let task = family.write(runner, *n, faulty)?;
        let record = runner.run(&[CONFIG], &[task])?.pop().and_then(|mut r| r.pop()).ok_or("no record")?;
        let solved = record.solved();
        out.push((*n, record));
        if !solved {
            break;
        }
    }
    Ok(out)
}

fn against(runs: &[(usize, Record)], verdict: &str) -> usize {
    runs.iter().filter(|(_, r)| r.verdict == verdict).count()
}

/// The largest member that was decided.
fn last(runs: &[(usize, Record)]) -> Option<&(usize, Record)> {
    runs.iter().rfind(|(_, r)| r.solved())
}

fn elements(r: &Record) -> String {
    let n = |name: &str| r.figure(name).unwrap_or(0.0);
    format!("{:.0}/{:.0}", n("array elements kept"), n("array elements"))
}

fn table_4(curves: &[Curve]) -> String {
    let mut rows = Vec::new();
    for c in curves {
        let (n, s, e) = last(&c.safe).map_or((0, None, "–".into()), |(n, r)| (*n, Some(r.seconds), elements(r)));
        let paper = c.family.paper;
        let faulty = last(&c.faulty).map_or_else(|| "–".into(), |(n, r)| format!("{n} ({} s)", seconds(Some(r.seconds))));
        rows.push(vec![
            c.family.name.into(),
            n.to_string(),
            seconds(s),
            e,
            paper.0.to_string(),
            seconds(Some(paper.1)),
            paper.2.into(),
            faulty,
        ]);
    }
    table(&["family", "largest N", "s", "elements", "paper: N", "s", "elements", "largest faulty N"], &rows)
}

fn growth(c: &Curve) -> String {
    let shown = |runs: &[(usize, Record)], n: usize| match runs.iter().find(|r| r.0 == n) {
        None => "".into(),
        Some((_, r)) if !r.solved() => "*".into(),
        Some((_, r)) => format!("{} / {:.0} / {}", seconds(Some(r.seconds)), r.figure("refinements").unwrap_or(0.0), elements(r)),
    };
    let sizes = c.family.sizes.iter().filter(|n| c.safe.iter().chain(&c.faulty).any(|r| r.0 == **n));
    let rows: Vec<Vec<String>> = sizes.map(|n| vec![n.to_string(), shown(&c.safe, *n), shown(&c.faulty, *n)]).collect();
    format!("### {}\n\nSeconds / refinements / elements.\n\n{}", c.family.name, table(&["N", "safe", "faulty"], &rows))
}

fn strength(name: &str, tasks: &[Task], records: &[Vec<Record>]) -> String {
    let mut out = format!("## {name}.set\n\n{} programs.\n\n", tasks.len());
    let rows: Vec<Vec<String>> = OTHERS
        .iter()
        .zip(records)
        .map(|(c, r)| {
            let t = Tally::of(r, tasks);
            let counts = [t.solved(), t.safe, t.unsafe_, t.wrong, t.rejected].map(|n| n.to_string());
            std::iter::once((*c).to_owned()).chain(counts).chain([seconds(Some(t.seconds))]).collect()
        })
        .collect();
    out.push_str(&table(&["configuration", "solved", "safe", "unsafe", "wrong", "certificates refused", "time (s)"], &rows));
    let open: Vec<&str> = tasks.iter().zip(&records[0]).filter(|(_, r)| !r.solved()).map(|(t, _)| t.path.as_str()).collect();
    let _ = writeln!(out, "Not decided by `eureka`: {}.\n", if open.is_empty() { "none".into() } else { open.join(", ") });
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn run(verdict: &str) -> Record {
        let figures = [("array elements kept", 3.0), ("array elements", 4.0), ("refinements", 2.0)];
        Record {
            config: CONFIG.into(),
            task: "a".into(),
            verdict: verdict.into(),
            reason: String::new(),
            seconds: 0.5,
            figures: figures.map(|(k, v)| (k.to_owned(), v)).into_iter().collect::<BTreeMap<_, _>>(),
            ..Record::default()
        }
    }

    #[test]
    fn the_largest_is_the_last_decided() {
        let family = FAMILIES[3];
        let c = Curve { family, safe: vec![(4, run("true")), (8, run("true")), (12, run("unknown"))], faulty: vec![(4, run("true"))] };
        assert_eq!(last(&c.safe).map(|l| l.0), Some(8));
        assert_eq!(against(&c.faulty, "true"), 1);
        let shown = table_4(std::slice::from_ref(&c));
        assert!(shown.contains("| bubble | 8 | 0.50 | 3/4 | 8 | 91.9 | N/N | 4 (0.50 s) |"), "{shown}");
        assert!(growth(&c).contains("| 12 | * |  |"), "{}", growth(&c));
    }
}
