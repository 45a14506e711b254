//! The HTML report: one self-contained page about one answer.
//!
//! Source with invariants in the margin, the error path to step through with the values of variables, control flow (and reachability)
//! graphs to zoom and fold, figures of the engines, configuration and certificate. The page is data ([`Page`]) and a script that shows it; it
//! loads nothing.

mod graph;

pub use graph::{functions, reachability, Drawing, Drawings, Node};

use crate::report::{Answer, Figure, Position, Report};
use crate::sha256::sha256;
use crate::source::Sources;
use serde::Serialize;
use std::collections::BTreeMap;

/// One configuration's run.
#[derive(Clone, Debug, Serialize)]
pub struct Ran {
    /// Which.
    pub config: String,
    /// Wall seconds.
    pub seconds: f64,
    /// What it says for itself.
    pub reason: String,
    /// Its figures.
    pub statistics: Vec<(String, Figure)>,
}

/// What the page is made from.
#[derive(Clone, Debug)]
pub struct Content<'a> {
    /// The answer.
    pub report: &'a Report,
    /// The user's files.
    pub sources: &'a Sources,
    /// The program, where it could be drawn.
    pub drawings: &'a Drawings,
    /// The reachability graph of the engine, if it has one.
    pub arg: Option<&'a Drawing>,
    /// What ran, in order.
    pub attempts: &'a [Ran],
    /// The witness, if one was made.
    pub witness: Option<&'a str>,
    /// The version of plumb.
    pub version: &'a str,
    /// The command line.
    pub command_line: &'a str,
    /// What the program means, in words.
    pub meaning: &'a str,
    /// Wall seconds.
    pub seconds: f64,
    /// CPU seconds.
    pub cpu_seconds: f64,
}

#[derive(Serialize)]
struct File<'a> {
    name: &'a str,
    text: std::borrow::Cow<'a, str>,
    sha256: String,
}

/// The data of a page.
#[derive(Serialize)]
struct Page<'a> {
    report: &'a Report,
    /// Where the positions of the report are in the files as they are shown: file and line.
    places: BTreeMap<String, (usize, u32)>,
    files: Vec<File<'a>>,
    graphs: &'a [Drawing],
    globals: &'a [String],
    arg: Option<&'a Drawing>,
    attempts: &'a [Ran],
    witness: Option<&'a str>,
    certificate: &'static str,
    version: &'a str,
    command_line: &'a str,
    meaning: &'a str,
    seconds: f64,
    cpu_seconds: f64,
}

/// The page.
pub fn page(c: &Content<'_>) -> String {
    let report = c.report;
    let positions = report
        .position
        .iter()
        .chain(report.invariants.iter().map(|i| &i.position))
        .chain(report.contracts.iter().map(|c| &c.position))
        .chain(report.path.iter().map(|s| &s.position));
    let place = |p: &Position| Some((format!("{}:{}", p.file, p.line), c.sources.physical(&p.file, p.line)?));
    let files = c.sources.files().iter().map(|f| File { name: &f.name, text: String::from_utf8_lossy(&f.bytes), sha256: sha256(&f.bytes) });
    let data = Page {
        report,
        places: positions.filter_map(place).collect(),
        files: files.collect(),
        graphs: &c.drawings.functions,
        globals: &c.drawings.globals,
        arg: c.arg,
        attempts: c.attempts,
        witness: c.witness,
        certificate: certificate(report.verdict),
        version: c.version,
        command_line: c.command_line,
        meaning: c.meaning,
        seconds: c.seconds,
        cpu_seconds: c.cpu_seconds,
    };
    let json = serde_json::to_string(&data).unwrap_or_default().replace('<', "\\u003c");
    let title = c.sources.files().first().map_or("plumb", |f| f.name.as_str()).replace('&', "&amp;").replace('<', "&lt;");
    // The data goes in last: nothing in it is a place to fill.
    let page = include_str!("page.html").replace("@TITLE@", &title).replace("@STYLE@", include_str!("page.css"));
    let (before, after) = page.split_once("@DATA@").unwrap_or((&page, ""));
    format!("{before}{json}{}", after.replace("@SCRIPT@", include_str!("page.js")))
}

fn certificate(verdict: Answer) -> &'static str {
    match verdict {
        Answer::True => "The invariants were checked to be inductive, and the error to be out of reach, on the program as read, by a checker that shares with the engines terms, automata and the solver only.",
        Answer::False => "The execution was replayed from its inputs by the interpreter, which defines what the program means, up to the error and without undefined behaviour.",
        Answer::Unknown => "There is none: what an engine claims without accepted evidence is not an answer.",
    }
}
