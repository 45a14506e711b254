//! The GraphML format 1.0: a witness as an automaton that runs beside the program.
//!
//! A violation is a chain of states, from input to input, that ends in one with `violation`. Invariants belong to states that the automaton
//! enters with the loops' heads; from every state every loop can be next.

use super::{Producer, Waypoint};
use crate::report::Report;
use crate::sha256::sha256;
use crate::subject::Subject;
use crate::xml::escaped;
use std::fmt::Write;

/// The keys of the format: name, type, what they belong to, default.
const KEYS: [(&str, &str, &str, &str); 21] = [
    ("witness-type", "string", "graph", ""),
    ("sourcecodelang", "string", "graph", ""),
    ("producer", "string", "graph", ""),
    ("specification", "string", "graph", ""),
    ("programfile", "string", "graph", ""),
    ("programhash", "string", "graph", ""),
    ("architecture", "string", "graph", ""),
    ("creationtime", "string", "graph", ""),
    ("entry", "boolean", "node", "false"),
    ("violation", "boolean", "node", "false"),
    ("invariant", "string", "node", ""),
    ("invariant.scope", "string", "node", ""),
    ("startline", "int", "edge", ""),
    ("endline", "int", "edge", ""),
    ("enterLoopHead", "boolean", "edge", "false"),
    ("enterFunction", "string", "edge", ""),
    ("returnFromFunction", "string", "edge", ""),
    ("control", "string", "edge", ""),
    ("assumption", "string", "edge", ""),
    ("assumption.scope", "string", "edge", ""),
    ("assumption.resultfunction", "string", "edge", ""),
];

fn data(out: &mut String, key: &str, value: &str) {
    let _ = writeln!(out, "      <data key=\"{key}\">{}</data>", escaped(value));
}

fn header(subject: &Subject<'_>, producer: &Producer, kind: &str) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n");
    out.push_str("<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\n");
    for (name, ty, of, default) in KEYS {
        let _ = write!(out, "  <key id=\"{name}\" attr.name=\"{name}\" attr.type=\"{ty}\" for=\"{of}\"");
        if default.is_empty() {
            out.push_str("/>\n");
        } else {
            let _ = writeln!(out, "><default>{default}</default></key>");
        }
    }
    out.push_str("  <graph edgedefault=\"directed\">\n");
    data(&mut out, "witness-type", kind);
    data(&mut out, "sourcecodelang", "C");
    data(&mut out, "producer", &format!("plumb {}", producer.version));
    data(&mut out, "specification", subject.specification);
    for f in subject.sources.files() {
        data(&mut out, "programfile", &f.name);
        data(&mut out, "programhash", &sha256(&f.bytes));
    }
    let bits = if subject.data_model() == "LP64" { "64bit" } else { "32bit" };
    data(&mut out, "architecture", bits);
    data(&mut out, "creationtime", &producer.creation_time);
    out.push_str("    <node id=\"N0\">\n");
    data(&mut out, "entry", "true");
    out.push_str("    </node>\n");
    out
}

fn edge(out: &mut String, from: usize, to: usize, content: &[(&str, &str)]) {
    let _ = writeln!(out, "    <edge source=\"N{from}\" target=\"N{to}\">");
    content.iter().for_each(|(key, value)| data(out, key, value));
    out.push_str("    </edge>\n");
}

/// The invariants of a proof.
pub(super) fn correctness(subject: &Subject<'_>, report: &Report, producer: &Producer) -> String {
    let mut out = header(subject, producer, "correctness_witness");
    let said: Vec<_> = report.invariants.iter().filter(|i| !i.complete.is_empty()).collect();
    for (i, invariant) in said.iter().enumerate() {
        let _ = writeln!(out, "    <node id=\"N{}\">", i + 1);
        data(&mut out, "invariant", &invariant.complete.join(" && "));
        data(&mut out, "invariant.scope", invariant.position.function.as_deref().unwrap_or(""));
        out.push_str("    </node>\n");
    }
    for from in 0..=said.len() {
        for (i, invariant) in said.iter().enumerate() {
            let line = invariant.position.line.to_string();
            edge(&mut out, from, i + 1, &[("startline", &line), ("enterLoopHead", "true")]);
        }
    }
    out.push_str("  </graph>\n</graphml>\n");
    out
}

/// The way to the error.
pub(super) fn violation(subject: &Subject<'_>, points: &[Waypoint], producer: &Producer) -> String {
    let mut out = header(subject, producer, "violation_witness");
    for i in 1..=points.len() {
        if i == points.len() {
            let _ = writeln!(out, "    <node id=\"N{i}\">");
            data(&mut out, "violation", "true");
            out.push_str("    </node>\n");
        } else {
            let _ = writeln!(out, "    <node id=\"N{i}\"/>");
        }
    }
    for (i, p) in points.iter().enumerate() {
        let line = p.position.line.to_string();
        let assumption = p.constraint.as_ref().map(|(value, _)| format!("{value};"));
        let mut content = vec![("startline", line.as_str()), ("endline", line.as_str())];
        if let Some(a) = &assumption {
            content.push(("assumption", a));
            content.push(("assumption.scope", p.position.function.as_deref().unwrap_or("")));
        }
        if let Some(callee) = &p.callee {
            content.push(("assumption.resultfunction", callee));
        }
        edge(&mut out, i, i + 1, &content);
    }
    out.push_str("  </graph>\n</graphml>\n");
    out
}
