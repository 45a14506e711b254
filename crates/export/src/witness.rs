//! Witnesses in the YAML format 2.0 of SV-COMP: for others to check what plumb says.
//!
//! A correctness witness holds the invariants of the report. A violation witness follows the values of `__VERIFIER_nondet_*`
//! calls to the error: the execution is determined by them, up to uninitialised variables, whose values become assumptions.

use crate::cexpr::float_literal;
use crate::execution::Execution;
use crate::report::{Position, Report};
use crate::scan;
use crate::scope::Scopes;
use crate::sha256::sha256;
use crate::subject::Subject;
use plumb_cfa::interp::{Event, Write as Change};
use plumb_cfa::{InputSource, Op, VarKind};
use plumb_term::eval::Value;
use plumb_term::{Span, VarId};
use std::fmt::Write;

/// Who made the witness, and when.
#[derive(Clone, Debug)]
pub struct Producer {
    /// The version of plumb.
    pub version: String,
    /// The time in ISO 8601.
    pub creation_time: String,
    /// The command line.
    pub command_line: String,
}

/// A string in YAML's double quotes.
fn quoted(s: &str) -> String {
    let mut out = String::from("\"");
    for c in s.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() || c == '\u{feff}' => {
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

fn header(subject: &Subject<'_>, producer: &Producer, kind: &str) -> String {
    let hashes: Vec<(String, String)> = subject.sources.files().iter().map(|f| (f.name.clone(), sha256(&f.bytes))).collect();
    let seed = format!("{kind}{}{}{hashes:?}", producer.creation_time, subject.specification);
    let digest = sha256(seed.as_bytes());
    let uuid = format!("{}-{}-4{}-8{}-{}", &digest[..8], &digest[8..12], &digest[13..16], &digest[17..20], &digest[20..32]);
    let mut out = format!("- entry_type: {}\n  metadata:\n    format_version: \"2.0\"\n    uuid: {}\n", quoted(kind), quoted(&uuid));
    let _ = writeln!(out, "    creation_time: {}", quoted(&producer.creation_time));
    let _ = writeln!(out, "    producer:\n      name: \"plumb\"\n      version: {}", quoted(&producer.version));
    let _ = writeln!(out, "      configuration: {}", quoted(subject.config));
    let _ = writeln!(out, "      command_line: {}", quoted(&producer.command_line));
    let _ = writeln!(out, "    task:\n      input_files:");
    for (name, _) in &hashes {
        let _ = writeln!(out, "        - {}", quoted(name));
    }
    let _ = writeln!(out, "      input_file_hashes:");
    for (name, hash) in &hashes {
        let _ = writeln!(out, "        {}: {}", quoted(name), quoted(hash));
    }
    let _ = writeln!(out, "      specification: {}", quoted(subject.specification));
    let _ = writeln!(out, "      data_model: {}\n      language: \"C\"", quoted(subject.data_model()));
    out
}

fn location(out: &mut String, indent: &str, p: &Position) {
    let _ = writeln!(out, "{indent}location:");
    let _ = writeln!(out, "{indent}  file_name: {}", quoted(&p.file));
    let _ = writeln!(out, "{indent}  line: {}\n{indent}  column: {}", p.line, p.column);
    if let Some(f) = &p.function {
        let _ = writeln!(out, "{indent}  function: {}", quoted(f));
    }
}

/// The invariants of a proof.
pub fn correctness(subject: &Subject<'_>, report: &Report, producer: &Producer) -> String {
    let mut out = header(subject, producer, "invariant_set");
    let said: Vec<_> = report.invariants.iter().filter(|i| !i.expressions.is_empty()).collect();
    if said.is_empty() {
        out.push_str("  content: []\n");
        return out;
    }
    out.push_str("  content:\n");
    for i in said {
        let kind = if i.at_loop { "loop_invariant" } else { "location_invariant" };
        let _ = writeln!(out, "    - invariant:\n        type: {}", quoted(kind));
        location(&mut out, "        ", &i.position);
        let _ = writeln!(out, "        value: {}\n        format: \"c_expression\"", quoted(&i.expressions.join(" && ")));
    }
    out
}

struct Waypoint {
    kind: &'static str,
    position: Position,
    /// Value and its format.
    constraint: Option<(String, &'static str)>,
}

/// The way to the error.
pub fn violation(subject: &Subject<'_>, report: &Report, execution: &Execution, producer: &Producer) -> String {
    let mut points = waypoints(subject, execution);
    if let Some(p) = &report.position {
        points.push(Waypoint { kind: "target", position: p.clone(), constraint: None });
    }
    let mut out = header(subject, producer, "violation_sequence");
    out.push_str("  content:\n");
    for p in points {
        let _ = writeln!(out, "    - segment:\n        - waypoint:\n            type: {}\n            action: \"follow\"", quoted(p.kind));
        if let Some((value, format)) = &p.constraint {
            let _ =
                writeln!(out, "            constraint:\n              value: {}\n              format: {}", quoted(value), quoted(format));
        }
        location(&mut out, "            ", &p.position);
    }
    out
}

fn literal(value: &Value) -> Option<String> {
    match value {
        Value::Int(v) => Some(v.to_string()),
        Value::Float(f) if !f.is_nan() => Some(float_literal(*f)),
        _ => None,
    }
}

/// The value of a variable that nothing initialised.
struct Assumed {
    depth: usize,
    var: VarId,
    declared: Span,
    text: String,
}

/// Of a very long execution, only what functions return: an assumption needs the statement that comes next.
fn waypoints(subject: &Subject<'_>, execution: &Execution) -> Vec<Waypoint> {
    let program = subject.program;
    let events = if execution.complete { &execution.events } else { &execution.inputs };
    let mut out = Vec::new();
    let scopes = Scopes::new(program, subject.sources);
    // Assumptions on variables that have just been declared, to be stated at the next statement of the same activation that sees them.
    let mut pending: Vec<Assumed> = Vec::new();
    for event in events {
        let Some(edge) = event.edge.map(|e| program.function(event.func).graph.edge(e)) else { continue };
        if let Some(at) = line_start(subject, edge.span, event).filter(|_| !pending.is_empty()) {
            let start = Span { col: at.column, ..edge.span };
            let ready = |p: &Assumed| {
                let name = program.var(p.var).span;
                let declared = (name.line, name.col) < (start.line, start.col) && p.declared.line != start.line;
                p.depth == event.depth && declared && scopes.var(p.var, event.func, start).is_some()
            };
            let (now, later): (Vec<Assumed>, _) = pending.into_iter().partition(ready);
            pending = later;
            if !now.is_empty() {
                let value = now.into_iter().map(|p| p.text).collect::<Vec<_>>().join(" && ");
                out.push(Waypoint { kind: "assumption", position: at, constraint: Some((value, "c_expression")) });
            }
        }
        let Op::Havoc { var, source } = &edge.op else { continue };
        let Some(value) = written(event, *var).and_then(literal) else { continue };
        match source {
            InputSource::Nondet(name) | InputSource::Extern(name) => {
                if let Some(position) = call_end(subject, edge.span, name, event) {
                    let constraint = Some((format!("\\result == {value}"), "acsl_expression"));
                    out.push(Waypoint { kind: "function_return", position, constraint });
                }
            }
            InputSource::Uninit(name)
                if execution.complete && execution.unset.contains(var) && program.var(*var).kind == VarKind::Source =>
            {
                pending.retain(|p| p.depth != event.depth || p.var != *var);
                let text = format!("{name} == {value}");
                pending.push(Assumed { depth: event.depth, var: *var, declared: edge.span, text });
            }
            _ => {}
        }
    }
    out
}

fn written(event: &Event, var: VarId) -> Option<&Value> {
    event.writes.iter().find_map(|w| match w {
        Change::Var(v, value) if *v == var => value.as_ref(),
        _ => None,
    })
}

/// The closing parenthesis of a call that starts at `span`.
fn call_end(subject: &Subject<'_>, span: Span, name: &str, event: &Event) -> Option<Position> {
    let map = &subject.program.sources;
    let place = subject.sources.place(map, span)?;
    let text = subject.sources.text(place);
    if scan::ident_at(text, place.offset) != name {
        return None;
    }
    let close = scan::call_end(text, place.offset)?;
    let (line, column) = subject.sources.position_after(map, span, close)?;
    let function = Some(subject.program.function(event.func).name.clone());
    Some(Position { file: map.name(span.file).to_owned(), line, column, function })
}

/// The first character of the line of `span`.
fn line_start(subject: &Subject<'_>, span: Span, event: &Event) -> Option<Position> {
    let map = &subject.program.sources;
    let first = subject.sources.place(map, Span { col: 1, ..span }).filter(|_| span.is_known())?;
    let blanks = subject.sources.text(first)[first.offset..].iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
    let function = Some(subject.program.function(event.func).name.clone());
    Some(Position { file: map.name(span.file).to_owned(), line: span.line, column: blanks as u32 + 1, function })
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn strings_survive_yaml() {
        assert_eq!(quoted("a\"b\\c\n\u{1}é"), "\"a\\\"b\\\\c\\n\\u0001é\"");
    }
}
