//! Programs with recursion and with arrays, by the default strategy: how many are solved, and which proofs hold for every size of an array.

use crate::markdown::{seconds, table};
use crate::record::Record;
use crate::runner::{Runner, DEFAULT};
use crate::set::Task;
use crate::tally::{is_disputed, Tally};
use std::fmt::Write;

/// The sets.
pub const SETS: [&str; 2] = ["recursive", "arrays"];

/// What came of a set.
pub struct Wide {
    /// For the document.
    pub text: String,
    /// How many programs were run.
    pub programs: usize,
    /// How many were solved.
    pub solved: usize,
    /// How many wrongly.
    pub wrong: usize,
}

/// Runs every so manyth program of a set.
pub fn run(runner: &Runner, name: &str, every: usize) -> Result<Wide, String> {
    let tasks: Vec<Task> = runner.set(name)?.into_iter().step_by(every.max(1)).collect();
    let records = runner.run(&[DEFAULT], &tasks)?.pop().unwrap_or_default();
    Ok(summary(name, every, &tasks, &records))
}

fn summary(name: &str, every: usize, tasks: &[Task], records: &[Record]) -> Wide {
    let t = Tally::of(records, tasks);
    let mut text = format!("## {name}.set\n\n{} programs", tasks.len());
    if every > 1 {
        let _ = write!(text, " (one in {every})");
    }
    text.push_str(", by the strategy without `--config`.\n\n");
    let proofs = |figure: &str| {
        let with = |(t, r): (&Task, &Record)| (r.verdict == "true" && r.figure(figure).is_some_and(|n| n > 0.0)).then(|| t.path.clone());
        tasks.iter().zip(records).filter_map(with).collect::<Vec<String>>()
    };
    let (contracts, quantified) = (proofs("contracts"), proofs("quantified invariants"));
    let share = 100.0 * t.solved() as f64 / tasks.len().max(1) as f64;
    let mut row = vec![format!("{} ({share:.0} %)", t.solved())];
    row.extend([t.safe, t.unsafe_, t.wrong, t.rejected, contracts.len(), quantified.len()].map(|n| n.to_string()));
    row.push(seconds(Some(t.seconds)));
    let head = ["solved", "safe", "unsafe", "wrong", "certificates refused", "by contracts", "by quantified invariants", "time (s)"];
    text.push_str(&table(&head, &[row]));
    let contradicts = |(t, r): &(&Task, &Record)| is_disputed(t) && r.verdict == if t.safe { "false" } else { "true" };
    let disputed: Vec<&str> = tasks.iter().zip(records).filter(contradicts).map(|(t, _)| t.path.as_str()).collect();
    if !disputed.is_empty() {
        let _ = writeln!(
            text,
            "Against the listed verdict, with evidence ([disputed tasks](../disputed-tasks.md)): {}.\n",
            disputed.join(", ")
        );
    }
    if !quantified.is_empty() {
        text.push_str("Proved by invariants that hold for all indices, so that the size of the arrays does not matter: ");
        let _ = writeln!(text, "{}.\n", quantified.join(", "));
    }
    Wide { text, programs: tasks.len(), solved: t.solved(), wrong: t.wrong }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn proofs_are_told_by_their_kind() {
        let task = |path: &str, safe| Task::listed(path, safe, "ILP32");
        let record = |verdict: &str, figure: &str| Record {
            config: DEFAULT.into(),
            task: String::new(),
            verdict: verdict.into(),
            reason: String::new(),
            seconds: 1.0,
            figures: BTreeMap::from([(figure.to_owned(), 2.0)]),
            ..Record::default()
        };
        let tasks = [task("a.c", true), task("b.c", true), task("c.c", false), task("d.c", true)];
        let records =
            [record("true", "quantified invariants"), record("true", "contracts"), record("false", ""), record("unknown", "contracts")];
        let wide = summary("arrays", 3, &tasks, &records);
        assert_eq!((wide.solved, wide.wrong, wide.programs), (3, 0, 4));
        assert!(wide.text.contains("| 3 (75 %) | 2 | 1 | 0 | 0 | 1 | 1 | 4.00 |"), "{}", wide.text);
        assert!(wide.text.contains("one in 3") && wide.text.contains("does not matter: a.c."), "{}", wide.text);
        assert_eq!(summary("arrays", 1, &tasks[..1], &[record("false", "")]).wrong, 1);
    }
}
