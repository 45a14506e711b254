//! `plumb bench`: sets of tasks under limits, in parallel processes, with tables and plots.
//!
//! Every task is one `plumb check` in a process of its own. What counts is CPU time, of the process and of all it starts; wall
//! time is a backstop for what sleeps. A finished task is one line of an append-only journal ([`journal`]), on the disk before the next
//! task starts, so that whatever ends a run (a signal, a full disk, a power cut) loses nothing but the tasks that were under way,
//! and the same command goes on where it ended. A task that cannot be run is a message and a row; the rest goes on.

mod compare;
mod html;
mod journal;
mod plot;
mod runner;
mod table;
mod tasks;

use crate::args::BenchArgs;
use crate::exit::{self, say};
use crate::limits;
use journal::Journal;
use runner::{Limits, Slot};
use std::collections::VecDeque;
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::time::{Duration, Instant};
use table::{Row, Table};
use tasks::Item;

/// How often the processes are looked at.
const TICK: Duration = Duration::from_millis(10);

/// Runs the command; the exit code.
pub fn main(args: &BenchArgs) -> u8 {
    match &args.compare[..] {
        [a, b] => compare::main(a, b, args.html.as_deref()),
        _ => match run(args) {
            Ok(code) => code,
            Err(message) => exit::usage(&message),
        },
    }
}

fn run(args: &BenchArgs) -> Result<u8, String> {
    let mut items = tasks::collect(&args.inputs)?;
    if let Some(part) = &args.only {
        items.retain(|i| i.name.contains(part.as_str()));
    }
    if let Some(n) = args.sample.filter(|n| *n > 0 && *n < items.len()) {
        // Evenly spread, and the same ones every time.
        let count = items.len();
        items = (0..n).map(|i| items[i * count / n].clone()).collect();
    }
    if items.is_empty() {
        return Err("no tasks to run".to_owned());
    }
    let memory = args.memory.unwrap_or_else(|| limits::machine_memory().map_or(4 << 30, |m| m / 4 * 3 / u64::from(args.jobs)));
    let limits = Limits { cpu: args.time, memory, engines: args.engines, validate: args.validate };
    let parameters = serde_json::json!({
        "version": env!("CARGO_PKG_VERSION"), "time": args.time, "memory": memory, "engines": args.engines, "options": args.options,
        "validate": args.validate,
    });
    std::fs::create_dir_all(&args.out).map_err(|e| format!("{}: {e}", args.out.display()))?;
    let mut journal = Journal::open(&args.out.join("journal.tsv"), &parameters.to_string(), args.fresh)?;
    let rows = Bench { args, limits, done: 0, wrong: 0, begin: Instant::now() }.run(&items, &mut journal)?;
    let table = Table::new(rows);
    say(&table.summary());
    let title = args.inputs.iter().map(|p| p.display().to_string()).collect::<Vec<_>>().join(", ");
    let mut written = write(&args.out.join("results.tsv"), &table.tsv());
    written &= write(&args.out.join("table.html"), &html::page(&title, &[("this run", &table)], &parameters.to_string()));
    Ok(if table.wrong() > 0 {
        exit::REFUTED
    } else if !written || table.rows.iter().any(Row::was_not_run) {
        exit::UNKNOWN
    } else {
        exit::PROVED
    })
}

/// Writes a file, or says why not.
fn write(path: &Path, text: &str) -> bool {
    match std::fs::write(path, text) {
        Ok(()) => say(&format!("{}\n", path.display())),
        Err(e) => complain(&format!("{}: {e}", path.display())),
    }
    path.metadata().is_ok_and(|m| m.len() == text.len() as u64)
}

fn complain(message: &str) {
    let clear = if std::io::stderr().is_terminal() { "\r\x1b[K" } else { "" };
    let _ = writeln!(std::io::stderr(), "{clear}plumb: {message}");
}

struct Bench<'a> {
    args: &'a BenchArgs,
    limits: Limits,
    done: usize,
    wrong: usize,
    begin: Instant,
}

impl Bench<'_> {
    /// A row for each item, in their order.
    fn run(mut self, items: &[Item], journal: &mut Journal) -> Result<Vec<Row>, String> {
        let known = journal.rows().len();
        let mut rows: Vec<Option<Row>> = items.iter().map(|i| journal.row(&i.name).cloned()).collect();
        self.done = rows.iter().flatten().count();
        if known > 0 {
            let _ = writeln!(std::io::stderr(), "plumb: {} of {} tasks are in the journal", self.done, items.len());
        }
        let mut waiting: VecDeque<usize> = (0..items.len()).filter(|i| rows[*i].is_none()).collect();
        let mut slots: Vec<Slot> = (0..usize::from(self.args.jobs)).map(|n| Slot::new(n, &self.args.out)).collect();
        while !waiting.is_empty() || slots.iter().any(Slot::is_busy) {
            for slot in &mut slots {
                if let Some((index, row)) = slot.poll(&self.limits) {
                    rows[index] = Some(self.finished(row, journal));
                }
                while !slot.is_busy() {
                    let Some(index) = waiting.pop_front() else { break };
                    let item = &items[index];
                    let started = match &item.problem {
                        Some(problem) => Err(problem.clone()),
                        None => slot.start(index, item, &self.limits, &self.args.options),
                    };
                    if let Err(problem) = started {
                        complain(&problem);
                        rows[index] = Some(self.finished(Row::not_run(&item.name, &item.expected, &problem), journal));
                    }
                }
            }
            self.progress(items.len());
            std::thread::sleep(TICK);
        }
        if std::io::stderr().is_terminal() {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
        Ok(rows.into_iter().flatten().collect())
    }

    fn finished(&mut self, row: Row, journal: &mut Journal) -> Row {
        self.done += 1;
        if row.is_wrong() {
            self.wrong += 1;
            complain(&format!("WRONG: {} expected {} got {}", row.task, row.expected, row.got));
        }
        if let Err(e) = journal.append(&row) {
            complain(&e);
        }
        row
    }

    fn progress(&self, all: usize) {
        if !std::io::stderr().is_terminal() {
            return;
        }
        let filled = 30 * self.done / all.max(1);
        let elapsed = self.begin.elapsed().as_secs();
        let bar = format!("{}{}", "#".repeat(filled), ".".repeat(30 - filled));
        let wrong = if self.wrong > 0 { format!(", {} WRONG", self.wrong) } else { String::new() };
        let _ = write!(std::io::stderr(), "\r\x1b[K[{bar}] {}/{all}{wrong}  {}:{:02}", self.done, elapsed / 60, elapsed % 60);
        let _ = std::io::stderr().flush();
    }
}
