//! Witnesses in the formats of SV-COMP: for others to check what plumb says.
//!
//! YAML 2.0 and 2.1 ([`yaml`]; what plumb has to say is the same in both) and GraphML 1.0 ([`graphml`]). A correctness witness holds the invariants of the report. A violation witness follows the values of `__VERIFIER_nondet_*`
//! calls to the error: the execution is determined by them, up to uninitialised variables, whose values become assumptions.

mod graphml;
mod yaml;

use crate::cexpr::float_expression;
use crate::execution::{input, Execution};
use crate::report::{Position, Report};
use crate::scan;
use crate::scope::Scopes;
use crate::subject::Subject;
use plumb_cfa::interp::Event;
use plumb_cfa::{InputSource, Op, VarKind};
use plumb_term::eval::Value;
use plumb_term::{Span, VarId};
use serde::{Deserialize, Serialize};

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

/// A format of witnesses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Format {
    /// YAML, version 2.0.
    #[default]
    Yaml20,
    /// YAML, version 2.1.
    Yaml21,
    /// GraphML, version 1.0.
    GraphMl,
}

/// More waypoints than this nobody follows: a longer execution is told by its target alone.
const MAX_WAYPOINTS: usize = 2_000;

/// The witness of a proof: the invariants of its report.
pub fn correctness(subject: &Subject<'_>, report: &Report, producer: &Producer, format: Format) -> String {
    match format {
        Format::Yaml20 => yaml::correctness(subject, report, producer, "2.0"),
        Format::Yaml21 => yaml::correctness(subject, report, producer, "2.1"),
        Format::GraphMl => graphml::correctness(subject, report, producer),
    }
}

/// The witness of a violation: the way to the error.
pub fn violation(subject: &Subject<'_>, report: &Report, execution: &Execution, producer: &Producer, format: Format) -> String {
    let mut points = waypoints(subject, execution);
    if points.len() > MAX_WAYPOINTS {
        points.clear();
    }
    if let Some(p) = &report.position {
        points.push(Waypoint { kind: "target", position: p.clone(), constraint: None, callee: None });
    }
    match format {
        Format::Yaml20 => yaml::violation(subject, &points, producer, "2.0"),
        Format::Yaml21 => yaml::violation(subject, &points, producer, "2.1"),
        Format::GraphMl => graphml::violation(subject, &points, producer),
    }
}

struct Waypoint {
    kind: &'static str,
    position: Position,
    /// Value and its format.
    constraint: Option<(String, &'static str)>,
    /// The function that returns, of a `function_return`.
    callee: Option<String>,
}

fn literal(value: &Value) -> Option<String> {
    match value {
        Value::Int(v) => Some(v.to_string()),
        Value::Float(f) if !f.is_nan() => Some(float_expression(*f)),
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
                out.push(Waypoint { kind: "assumption", position: at, constraint: Some((value, "c_expression")), callee: None });
            }
        }
        let Op::Havoc { var, source } = &edge.op else { continue };
        let Some(value) = input(program, event, *var).as_ref().and_then(literal) else { continue };
        match source {
            InputSource::Nondet(name) | InputSource::Extern(name) => {
                if let Some(position) = call_end(subject, edge.span, name, event) {
                    let constraint = Some((format!("\\result == {value}"), "acsl_expression"));
                    out.push(Waypoint { kind: "function_return", position, constraint, callee: Some(name.clone()) });
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
