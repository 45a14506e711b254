//! SARIF 2.1.0 (OASIS): the answer for code scanners and editors.
//!
//! One run with one result for the property: `fail` with the error path as a code flow, `pass`, or `open` where nothing was
//! decided. The invariants of a proof are informational results at their loops. Functions without a body are notes of the
//! invocation.

use crate::report::{Answer, PathStep, Position, Report};
use serde_json::{json, Map, Value};

/// The rules, in the order of their indices.
const RULES: [(&str, &str); 2] = [
    ("unreachable-error", "No execution reaches the error that the property names."),
    ("loop-invariant", "What holds whenever the head of the loop is reached."),
];

/// What else a log says.
#[derive(Clone, Debug)]
pub struct Context<'a> {
    /// The version of plumb.
    pub version: &'a str,
    /// The command line.
    pub command_line: &'a str,
    /// The files with their SHA-256.
    pub files: &'a [(String, String)],
    /// The exit code.
    pub exit_code: u8,
}

/// The log of one answer.
pub fn sarif(report: &Report, context: &Context<'_>) -> String {
    let rules: Vec<Value> = RULES.iter().map(|(id, text)| json!({"id": id, "shortDescription": {"text": text}})).collect();
    let artifacts: Vec<Value> =
        context.files.iter().map(|(name, hash)| json!({"location": {"uri": uri(name)}, "hashes": {"sha-256": hash}})).collect();
    let mut results = vec![answer(report)];
    for i in report.invariants.iter().filter(|i| !i.expressions.is_empty()) {
        results.push(result(1, "informational", &i.expressions.join(" && "), Some(&i.position)));
    }
    for c in &report.contracts {
        let requires = c.requires.iter().map(|e| format!("requires {e}"));
        let clauses: Vec<String> = requires.chain(c.ensures.iter().map(|e| format!("ensures {e}"))).collect();
        if !clauses.is_empty() {
            results.push(result(1, "informational", &format!("{}: {}", c.function, clauses.join("; ")), Some(&c.position)));
        }
    }
    let notes: Vec<Value> = report.missing_bodies.iter().map(note).collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {"name": "plumb", "version": context.version, "semanticVersion": context.version, "rules": rules}},
            "columnKind": "unicodeCodePoints",
            "artifacts": artifacts,
            "invocations": [{
                "executionSuccessful": true,
                "exitCode": context.exit_code,
                "commandLine": context.command_line,
                "toolExecutionNotifications": notes,
            }],
            "results": results,
        }],
    });
    serde_json::to_string_pretty(&log).map_or_else(|_| String::new(), |s| s + "\n")
}

fn answer(report: &Report) -> Value {
    let position = report.position.as_ref();
    match report.verdict {
        Answer::True => result(0, "pass", &format!("The error is not reached by any execution: {}.", report.reason), position),
        Answer::Unknown => result(0, "open", &format!("Not decided: {}.", report.reason), position),
        Answer::False => {
            let mut result = result(0, "fail", "The error is reached.", position);
            let mut steps: Vec<Value> = report.path.iter().map(step).collect();
            if let Some(p) = position {
                steps.push(json!({"location": location(p, Some("the error")), "importance": "essential"}));
            }
            result["codeFlows"] = json!([{"threadFlows": [{"locations": steps}]}]);
            result
        }
    }
}

fn result(rule: usize, kind: &str, text: &str, position: Option<&Position>) -> Value {
    // A level other than `none` is for failures alone.
    let level = if kind == "fail" { "error" } else { "none" };
    let locations: Vec<Value> = position.map(|p| location(p, None)).into_iter().collect();
    json!({"ruleId": RULES[rule].0, "ruleIndex": rule, "kind": kind, "level": level, "message": {"text": text}, "locations": locations})
}

fn location(p: &Position, message: Option<&str>) -> Value {
    let region = json!({"startLine": p.line.max(1), "startColumn": p.column.max(1)});
    let mut out = json!({"physicalLocation": {"artifactLocation": {"uri": uri(&p.file)}, "region": region}});
    if let Some(f) = &p.function {
        out["logicalLocations"] = json!([{"name": f, "kind": "function"}]);
    }
    if let Some(text) = message {
        out["message"] = json!({"text": text});
    }
    out
}

fn step(s: &PathStep) -> Value {
    let mut says: Vec<String> = s.conditions.clone();
    says.extend(s.assigned.iter().map(|a| format!("{} = {}", a.name, a.value)));
    let text = if says.is_empty() { s.source.trim().to_owned() } else { says.join(", ") };
    let state: Map<String, Value> = s.assigned.iter().map(|a| (a.name.clone(), json!({"text": a.value}))).collect();
    json!({"location": location(&s.position, Some(&text)), "nestingLevel": s.depth, "state": state})
}

fn note(m: &crate::report::Missing) -> Value {
    let text = format!("The function {} has no body: its result was taken to be anything.", m.name);
    json!({"level": "note", "message": {"text": text}, "locations": [location(&m.position, None)]})
}

/// A file's name as a URI reference.
fn uri(path: &str) -> String {
    let mut out = String::from(if path.starts_with('/') { "file://" } else { "" });
    for b in path.bytes() {
        if b.is_ascii_alphanumeric() || b"/-._~".contains(&b) {
            out.push(char::from(b));
        } else {
            out.push_str(&format!("%{b:02X}"));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn names_become_references() {
        assert_eq!(uri("/a b/c.c"), "file:///a%20b/c.c");
        assert_eq!(uri("dir/f#.c"), "dir/f%23.c");
    }
}
