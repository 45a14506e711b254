//! The page of `--report`: everything about a run, for `plumb_export::html`.

use crate::args::CheckArgs;
use crate::check::Outcome;
use crate::task::Task;
use plumb_cfa::{Integers, Semantics, SignedOverflow};
use plumb_export::html::{self, Content, Drawings, Ran};
use plumb_export::{Report, SourceFile, Sources};

/// The page.
pub fn page(args: &CheckArgs, asked: &Task, outcome: &Outcome, report: &Report, drawings: &Drawings) -> String {
    let read = |p: &std::path::PathBuf| std::fs::read(p).ok().map(|bytes| SourceFile { name: p.to_string_lossy().into_owned(), bytes });
    let sources = Sources::new(asked.files.iter().filter_map(read).collect());
    let mut attempts: Vec<Ran> = Vec::new();
    for a in &outcome.attempts {
        let (config, reason, statistics) = (a.config.clone(), a.report.reason.clone(), a.report.statistics.clone());
        attempts.push(Ran { config, seconds: a.seconds, reason, statistics });
    }
    if let Some(a) = &outcome.answer {
        let before: f64 = outcome.attempts.iter().map(|a| a.seconds).sum();
        let r = &a.report;
        let seconds = (outcome.seconds - if args.jobs == 1 { before } else { 0.0 }).max(0.0);
        attempts.push(Ran { config: r.config.clone(), seconds, reason: r.reason.clone(), statistics: r.statistics.clone() });
    }
    let last_graph = outcome.attempts.iter().map(|a| &a.arg).chain(outcome.answer.iter().map(|a| &a.arg)).flatten().last();
    let command_line = std::env::args().collect::<Vec<_>>().join(" ");
    html::page(&Content {
        report,
        sources: &sources,
        drawings,
        arg: last_graph,
        attempts: &attempts,
        witness: outcome.answer.as_ref().and_then(|a| a.witness.as_deref()),
        version: env!("CARGO_PKG_VERSION"),
        command_line: &command_line,
        meaning: &meaning(args.meaning.semantics(asked.model)),
        seconds: outcome.seconds,
        cpu_seconds: outcome.cpu_seconds,
    })
}

fn meaning(s: Semantics) -> String {
    let model = match s.model {
        plumb_cfa::DataModel::Ilp32 => "ILP32",
        plumb_cfa::DataModel::Lp64 => "LP64",
    };
    let integers = match (s.integers, s.signed_overflow) {
        (Integers::Ideal, _) => "mathematical integers",
        (_, SignedOverflow::Wrap) => "machine integers, signed overflow wraps around",
        (_, SignedOverflow::Assume) => "machine integers, signed overflow is assumed not to happen",
    };
    format!("{model}, {integers}, malloc {}", if s.malloc_may_fail { "may fail" } else { "succeeds" })
}
