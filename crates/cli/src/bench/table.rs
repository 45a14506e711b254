//! Results: rows, scores, and their text.

use std::collections::BTreeMap;
use std::fmt::Write;

/// The columns of a row in TSV files; the first seven are what other scripts read.
pub const COLUMNS: [&str; 10] = ["task", "expected", "got", "verdict", "cpu", "wall", "mib", "config", "reason", "witness"];

/// The result of one task.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Its name.
    pub task: String,
    /// The expected verdict; empty if unknown.
    pub expected: String,
    /// `true`, `false`, or why there is neither.
    pub got: String,
    /// CPU seconds.
    pub cpu: f64,
    /// Wall seconds.
    pub wall: f64,
    /// The most memory seen, in MiB.
    pub mib: u64,
    /// The configuration that answered.
    pub config: String,
    /// What stood in the way, for what was not solved.
    pub reason: String,
    /// What came of the validation of the witness; empty if there was none.
    pub witness: String,
}

impl Row {
    /// A task that could not be run.
    pub fn not_run(task: &str, expected: &str, problem: &str) -> Row {
        let (task, expected) = (task.to_owned(), expected.to_owned());
        let (got, reason) = ("not-run".to_owned(), problem.to_owned());
        Row { task, expected, got, cpu: 0.0, wall: 0.0, mib: 0, config: String::new(), reason, witness: String::new() }
    }

    /// Whether it could not be run.
    pub fn was_not_run(&self) -> bool {
        self.got == "not-run"
    }

    /// Whether there is a verdict.
    pub fn is_definite(&self) -> bool {
        matches!(self.got.as_str(), "true" | "false")
    }

    /// `correct`, `WRONG`, or what was got instead of a verdict; a verdict that nobody can judge is one.
    pub fn verdict(&self) -> &str {
        match self.is_definite() {
            false => &self.got,
            true if self.expected.is_empty() => "answered",
            true if self.expected == self.got => "correct",
            true => "WRONG",
        }
    }

    /// Whether the verdict is against the expected one.
    pub fn is_wrong(&self) -> bool {
        self.verdict() == "WRONG"
    }

    /// Whether it counts as solved.
    pub fn is_solved(&self) -> bool {
        matches!(self.verdict(), "correct" | "answered")
    }

    /// Whether it ran out of time on the wall clock, waiting for the processor.
    fn was_starved(&self) -> bool {
        self.got == "timeout" && self.cpu < 0.3 * self.wall
    }

    /// As SV-COMP counts.
    pub fn points(&self) -> i64 {
        match (self.verdict(), self.got.as_str()) {
            ("correct", "true") => 2,
            ("correct", _) => 1,
            ("WRONG", "true") => -32,
            ("WRONG", _) => -16,
            _ => 0,
        }
    }

    /// One line without its end.
    pub fn line(&self) -> String {
        let clean = |s: &str| s.replace(['\t', '\n', '\r'], " ");
        let figures = format!("{:.2}\t{:.2}\t{}", self.cpu, self.wall, self.mib);
        let texts = [&self.task, &self.expected, &self.got, self.verdict()].map(clean).join("\t");
        format!("{texts}\t{figures}\t{}\t{}\t{}", clean(&self.config), clean(&self.reason), clean(&self.witness))
    }

    /// The row of a line; the last three columns may be missing.
    pub fn parse(line: &str) -> Option<Row> {
        let f: Vec<&str> = line.split('\t').collect();
        let text = |i: usize| f.get(i).map(|s| (*s).to_owned()).unwrap_or_default();
        if f.len() < 7 {
            return None;
        }
        let (cpu, wall, mib) = (f[4].parse().ok()?, f[5].parse().ok()?, f[6].parse().ok()?);
        Some(Row { task: text(0), expected: text(1), got: text(2), cpu, wall, mib, config: text(7), reason: text(8), witness: text(9) })
    }
}

/// The results of a run.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// In the order of the tasks.
    pub rows: Vec<Row>,
}

impl Table {
    /// These rows.
    pub fn new(rows: Vec<Row>) -> Table {
        Table { rows }
    }

    /// Reads a TSV file's text, of `plumb bench` or with the same first columns; an error names the line.
    pub fn parse(text: &str) -> Result<Table, String> {
        let lines = text.lines().enumerate().filter(|(_, l)| !l.is_empty() && !l.starts_with('#') && !l.starts_with("task\t"));
        let rows = lines.map(|(i, l)| Row::parse(l).ok_or_else(|| format!("{}:1: not a row of results", i + 1)));
        Ok(Table { rows: rows.collect::<Result<_, _>>()? })
    }

    /// As a TSV file.
    pub fn tsv(&self) -> String {
        let mut out = COLUMNS.join("\t") + "\n";
        self.rows.iter().for_each(|r| out.push_str(&(r.line() + "\n")));
        out
    }

    /// How many verdicts are wrong.
    pub fn wrong(&self) -> usize {
        self.rows.iter().filter(|r| r.is_wrong()).count()
    }

    /// CPU times of what was solved, ascending.
    pub fn solved_times(&self) -> Vec<f64> {
        let mut times: Vec<f64> = self.rows.iter().filter(|r| r.is_solved()).map(|r| r.cpu).collect();
        times.sort_by(f64::total_cmp);
        times
    }

    /// Figures by folder, and what was not solved.
    pub fn summary(&self) -> String {
        let mut groups: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
        for r in &self.rows {
            groups.entry(r.task.rsplit_once('/').map_or("", |p| p.0)).or_default().push(r);
        }
        let mut out = format!(
            "{:<34} {:>5} {:>9} {:>9} {:>5} {:>8} {:>6} {:>9}\n",
            "folder", "tasks", "true", "false", "WRONG", "unsolved", "score", "cpu s"
        );
        let all: Vec<&Row> = self.rows.iter().collect();
        for (name, rows) in groups.iter().map(|(n, r)| (*n, r)).chain([("TOTAL", &all)]) {
            let count = |f: &dyn Fn(&Row) -> bool| rows.iter().filter(|r| f(r)).count();
            let of = |v: &str| format!("{}/{}", count(&|r| r.is_solved() && r.got == v), count(&|r| r.expected == v));
            let tail: String = name.chars().rev().take(34).collect::<Vec<_>>().into_iter().rev().collect();
            let _ = writeln!(
                out,
                "{tail:<34} {:>5} {:>9} {:>9} {:>5} {:>8} {:>6} {:>9.1}",
                rows.len(),
                of("true"),
                of("false"),
                count(&Row::is_wrong),
                count(&|r| !r.is_solved() && !r.is_wrong()),
                rows.iter().map(|r| r.points()).sum::<i64>(),
                rows.iter().map(|r| r.cpu).sum::<f64>()
            );
        }
        let mut other: BTreeMap<&str, usize> = BTreeMap::new();
        self.rows.iter().filter(|r| !r.is_solved() && !r.is_wrong()).for_each(|r| *other.entry(r.verdict()).or_default() += 1);
        let list: Vec<String> = other.iter().map(|(k, n)| format!("{k} {n}")).collect();
        let _ = writeln!(out, "not solved: {}", if list.is_empty() { "none".to_owned() } else { list.join(", ") });
        let times = self.solved_times();
        if let Some(median) = times.get(times.len() / 2) {
            let _ = writeln!(out, "median CPU of solved tasks: {median:.2} s");
        }
        let mut witnesses: BTreeMap<&str, usize> = BTreeMap::new();
        self.rows.iter().filter(|r| !r.witness.is_empty()).for_each(|r| *witnesses.entry(r.witness.as_str()).or_default() += 1);
        if !witnesses.is_empty() {
            let list: Vec<String> = witnesses.iter().map(|(k, n)| format!("{k} {n}")).collect();
            let _ = writeln!(out, "witnesses: {}", list.join(", "));
        }
        let starved = self.rows.iter().filter(|r| r.was_starved()).count();
        if starved > 0 {
            let _ = writeln!(out, "{starved} of the timeouts had the processor for less than 30 % of their time: the machine was busy");
        }
        for r in self.rows.iter().filter(|r| r.is_wrong()) {
            let _ = writeln!(out, "WRONG: {} expected {} got {}", r.task, r.expected, r.got);
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(expected: &str, got: &str) -> Row {
        Row { expected: expected.into(), got: got.into(), cpu: 1.25, wall: 1.5, mib: 7, ..Row::not_run("a/b.c", "", "why\tnot\n") }
    }

    #[test]
    fn rows_survive_the_file_and_are_judged() {
        let r = row("true", "false");
        let again = Row::parse(&r.line()).unwrap();
        assert_eq!((again.reason.as_str(), again.cpu, again.verdict()), ("why not ", 1.25, "WRONG"));
        assert_eq!([row("true", "true"), row("false", "false"), r, row("false", "true")].map(|r| r.points()), [2, 1, -16, -32]);
        assert_eq!((row("", "true").verdict(), row("true", "unknown").verdict()), ("answered", "unknown"));
        assert!(Row::parse("a\tb").is_none());
        let t = Table::new(vec![row("true", "true"), row("false", "timeout")]);
        assert_eq!(Table::parse(&t.tsv()).unwrap().rows.len(), 2);
        assert!(t.summary().contains("timeout 1") && !t.summary().contains("busy"));
        let slept = Row { cpu: 0.3, ..row("true", "timeout") };
        assert!(Table::new(vec![slept]).summary().contains("1 of the timeouts had the processor"));
    }
}
