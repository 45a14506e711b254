//! What `plumb check` prints and writes at the end.

use crate::args::CheckArgs;
use crate::check::Outcome;
use crate::exit::{self, say};
use crate::page;
use crate::task::Task;
use plumb_export::explain::{exact_place, explain, statistics};
use plumb_export::html::Drawings;
use plumb_export::sarif::{sarif, Context};
use plumb_export::sha256::sha256;
use plumb_export::{Answer, Figure, Report};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// The version of the JSON that plumb prints; see `docs/json.md`.
pub const JSON_FORMAT: &str = "1.0";

/// The JSON of `--json`; see `docs/json.md`.
#[derive(Debug, Serialize)]
struct Json<'a> {
    tool: &'static str,
    version: &'static str,
    format: &'static str,
    #[serde(flatten)]
    report: &'a Report,
    attempts: Vec<JsonAttempt<'a>>,
    wall_seconds: f64,
    cpu_seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    witness_file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    test_file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    no_test: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dot_file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sarif_file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    report_file: Option<String>,
}

#[derive(Debug, Serialize)]
struct JsonAttempt<'a> {
    config: &'a str,
    wall_seconds: f64,
    reason: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<String>,
    established: &'a [String],
    remarks: &'a [String],
    statistics: &'a [(String, Figure)],
}

/// A report of no answer, to be filled in.
pub fn blank(specification: &str, config: &str) -> Report {
    Report {
        verdict: Answer::Unknown,
        property: specification.to_owned(),
        config: config.to_owned(),
        reason: String::new(),
        position: None,
        established: Vec::new(),
        invariants: Vec::new(),
        contracts: Vec::new(),
        path: Vec::new(),
        inputs: Vec::new(),
        missing_bodies: Vec::new(),
        remarks: Vec::new(),
        statistics: Vec::new(),
    }
}

/// The property is not one that plumb checks.
pub fn unsupported(args: &CheckArgs, specification: &str) {
    let mut report = blank(specification, "");
    report.reason = format!("the property is not supported: {specification}");
    let outcome = Outcome { answer: None, attempts: Vec::new(), rule: None, seconds: 0.0, cpu_seconds: 0.0 };
    if args.json {
        say(&json(&report, &outcome, &Files::default()));
    } else {
        say(&format!("UNKNOWN: {}\n", report.reason));
    }
}

#[derive(Debug, Default)]
struct Files {
    witness: Option<String>,
    test: Option<String>,
    no_test: Option<String>,
    dot: Option<String>,
    sarif: Option<String>,
    report: Option<String>,
}

/// Announces the answer to one of several properties: its name, or what stands between JSON values.
pub fn between(args: &CheckArgs, name: &str, index: usize, several: bool) {
    match (args.json, several) {
        (true, true) => say(if index == 0 { "[\n" } else { ",\n" }),
        (true, false) => {}
        (false, _) => say(&format!("{}{name}\n", if index == 0 { "" } else { "\n" })),
    }
}

/// Prints the answer and writes the files; the exit code.
pub fn finish(args: &CheckArgs, asked: &Task, outcome: &Outcome, drawings: &Drawings) -> u8 {
    let mut files = Files::default();
    if let Some(answer) = &outcome.answer {
        if let (Some(path), Some(text)) = (&args.witness, &answer.witness) {
            match write(path, text) {
                Ok(name) => files.witness = Some(name),
                Err(message) => return exit::usage(&message),
            }
        }
        match (&args.test, &answer.test) {
            (Some(path), Some(Ok(text))) => match write(path, text) {
                Ok(name) => files.test = Some(name),
                Err(message) => return exit::usage(&message),
            },
            (Some(_), Some(Err(why))) => files.no_test = Some(why.clone()),
            _ => {}
        }
    }
    if let Some(path) = &args.dot {
        let graphs = outcome.attempts.iter().map(|a| &a.dot).chain(outcome.answer.iter().map(|a| &a.dot));
        if let Some(text) = graphs.flatten().last() {
            match write(path, text) {
                Ok(name) => files.dot = Some(name),
                Err(message) => return exit::usage(&message),
            }
        }
    }
    let report = outcome.answer.as_ref().map_or_else(|| combined(outcome), |a| a.report.clone());
    let code = match report.verdict {
        Answer::True => exit::PROVED,
        Answer::False => exit::REFUTED,
        Answer::Unknown => exit::UNKNOWN,
    };
    if let Some(path) = &args.sarif {
        match write(path, &sarif_log(&report, &asked.files, code)) {
            Ok(name) => files.sarif = Some(name),
            Err(message) => return exit::usage(&message),
        }
    }
    if let Some(path) = &args.report {
        match write(path, &page::page(args, asked, outcome, &report, drawings)) {
            Ok(name) => files.report = Some(name),
            Err(message) => return exit::usage(&message),
        }
    }
    if args.json {
        say(&json(&report, outcome, &files));
    } else {
        say(&text(&report, outcome, &files));
        match (&args.dot, &files.dot) {
            (Some(_), Some(name)) => say(&format!("Graph: {name}\n")),
            (Some(_), None) => say("No graph was written: no configuration that ran has one to show.\n"),
            _ => {}
        }
        if args.explain {
            say(&strategy(outcome));
        }
        if args.statistics {
            let attempts = outcome.attempts.iter().map(|a| &a.report);
            attempts.chain(outcome.answer.iter().map(|a| &a.report)).for_each(|r| say(&statistics(r)));
        }
    }
    code
}

fn sarif_log(report: &Report, sources: &[PathBuf], exit_code: u8) -> String {
    let hash = |p: &PathBuf| std::fs::read(p).map(|b| (p.to_string_lossy().into_owned(), sha256(&b)));
    let files: Vec<(String, String)> = sources.iter().filter_map(|p| hash(p).ok()).collect();
    let command_line = std::env::args().collect::<Vec<_>>().join(" ");
    sarif(report, &Context { version: env!("CARGO_PKG_VERSION"), command_line: &command_line, files: &files, exit_code })
}

/// What ran, how long, and what came of it.
fn strategy(outcome: &Outcome) -> String {
    let mut out = match &outcome.rule {
        Some(rule) => format!("Strategy {rule}:\n"),
        None => "What ran:\n".to_owned(),
    };
    let mut before = 0.0;
    for a in &outcome.attempts {
        before += a.seconds;
        out.push_str(&format!("  {:18} {:7.2} s  {}\n", a.config, a.seconds, a.report.reason));
        a.report.established.iter().for_each(|e| out.push_str(&format!("  {:18} {:7}    established: {e}\n", "", "")));
    }
    if let Some(answer) = &outcome.answer {
        let verdict = if answer.report.verdict == Answer::True { "proved" } else { "refuted" };
        out.push_str(&format!("  {:18} {:7.2} s  {verdict}\n", answer.report.config, (outcome.seconds - before).max(0.0)));
    }
    out
}

fn write(path: &Path, text: &str) -> Result<String, String> {
    std::fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))?;
    Ok(path.to_string_lossy().into_owned())
}

/// One report for all attempts that gave no answer.
fn combined(outcome: &Outcome) -> Report {
    let Some(last) = outcome.attempts.last() else {
        let mut report = blank("", "");
        report.reason = "no configuration could be run".to_owned();
        return report;
    };
    let mut report = last.report.clone();
    report.missing_bodies = outcome.attempts.iter().map(|a| &a.report.missing_bodies).find(|m| !m.is_empty()).cloned().unwrap_or_default();
    report.established = outcome.attempts.iter().flat_map(|a| a.report.established.clone()).collect();
    report.established.dedup();
    if let [_, _, ..] = outcome.attempts.as_slice() {
        let mut configs: Vec<&str> = Vec::new();
        for a in &outcome.attempts {
            if !configs.contains(&a.config.as_str()) {
                configs.push(&a.config);
            }
        }
        report.config = configs.join(", ");
        report.reason = outcome.attempts.iter().map(|a| format!("{}: {}", a.config, a.report.reason)).collect::<Vec<_>>().join("; ");
    }
    report
}

fn json(report: &Report, outcome: &Outcome, files: &Files) -> String {
    let attempts = outcome.attempts.iter().map(|a| JsonAttempt {
        config: &a.config,
        wall_seconds: a.seconds,
        reason: &a.report.reason,
        position: a.report.position.as_ref().map(exact_place),
        established: &a.report.established,
        remarks: &a.report.remarks,
        statistics: &a.report.statistics,
    });
    let value = Json {
        tool: "plumb",
        version: env!("CARGO_PKG_VERSION"),
        format: JSON_FORMAT,
        report,
        attempts: attempts.collect(),
        wall_seconds: outcome.seconds,
        cpu_seconds: outcome.cpu_seconds,
        witness_file: files.witness.clone(),
        test_file: files.test.clone(),
        no_test: files.no_test.clone(),
        dot_file: files.dot.clone(),
        sarif_file: files.sarif.clone(),
        report_file: files.report.clone(),
    };
    serde_json::to_string_pretty(&value).map_or_else(|_| String::new(), |s| s + "\n")
}

fn text(report: &Report, outcome: &Outcome, files: &Files) -> String {
    let how = format!("[{}{}{:.2} s]", report.config, if report.config.is_empty() { "" } else { ", " }, outcome.seconds);
    let mut out = match report.verdict {
        Answer::True => format!("TRUE: the error is not reached by any execution {how}\n{}", explain(report)),
        Answer::False => {
            let place = report.position.as_ref().map(exact_place).unwrap_or_default();
            format!("FALSE: the error at {place} is reached {how}\n{}", explain(report))
        }
        Answer::Unknown => {
            let mut out = format!("UNKNOWN {how}\n");
            for a in &outcome.attempts {
                let mut quiet = a.report.clone();
                quiet.missing_bodies.clear();
                out.push_str(&format!("  {}", explain(&quiet)));
            }
            let mut only_missing = blank("", "");
            only_missing.missing_bodies.clone_from(&report.missing_bodies);
            let extra = explain(&only_missing);
            // The first line of an empty report says nothing.
            out.push_str(extra.split_once('\n').map_or("", |p| p.1));
            if outcome.attempts.is_empty() {
                out.push_str(&format!("  {}\n", report.reason));
            }
            out
        }
    };
    if let Some(w) = &files.witness {
        out.push_str(&format!("Witness: {w}\n"));
    }
    if let Some(t) = &files.test {
        out.push_str(&format!("Test: {t} (its first lines say how to compile it)\n"));
    }
    if let Some(s) = &files.sarif {
        out.push_str(&format!("SARIF: {s}\n"));
    }
    if let Some(r) = &files.report {
        out.push_str(&format!("Report: {r}\n"));
    }
    if let Some(why) = &files.no_test {
        out.push_str(&format!("No test was written: {why}.\n"));
    }
    out
}
