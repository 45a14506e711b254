//! Reading witnesses: the YAML formats 2.0 and 2.1, as far as plumb can check what they say.

use plumb_cfront::weave::{Place, Probe, ProbeKind, Weave, When};
use serde::de::DeserializeOwned;
use serde::Deserialize;
use std::collections::BTreeMap;

/// What a witness is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Invariants that prove the property.
    Correctness,
    /// The way to a violation.
    Violation,
}

/// A witness.
#[derive(Clone, Debug)]
pub struct Witness {
    /// What it is for.
    pub kind: Kind,
    /// The program and property it is about.
    pub task: Task,
    /// What it says.
    pub weave: Weave,
    /// What it says that plumb cannot check, with the reason.
    pub unsupported: Vec<String>,
}

/// The task of a witness; its files are those of the command line.
#[derive(Clone, Debug, Deserialize)]
pub struct Task {
    /// Their SHA-256, by name.
    pub input_file_hashes: BTreeMap<String, String>,
    /// The property.
    pub specification: String,
    /// The sizes of types.
    pub data_model: Model,
}

/// The data model of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[allow(missing_docs)]
pub enum Model {
    ILP32,
    LP64,
}

#[derive(Debug, Deserialize)]
struct Head {
    entry_type: String,
    metadata: Metadata,
}

#[derive(Debug, Deserialize)]
struct Metadata {
    format_version: String,
    task: Task,
}

#[derive(Debug, Deserialize)]
struct Invariants {
    content: Vec<Item>,
}

#[derive(Debug, Deserialize)]
struct Item {
    invariant: Option<Invariant>,
}

#[derive(Debug, Deserialize)]
struct Invariant {
    r#type: String,
    location: Location,
    value: Option<String>,
    format: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Location {
    #[serde(default)]
    file_name: String,
    line: u32,
    column: Option<u32>,
    function: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Sequence {
    content: Vec<SegmentItem>,
}

#[derive(Debug, Deserialize)]
struct SegmentItem {
    segment: Vec<WaypointItem>,
}

#[derive(Debug, Deserialize)]
struct WaypointItem {
    waypoint: Waypoint,
}

#[derive(Debug, Deserialize)]
struct Waypoint {
    r#type: PointType,
    action: Action,
    location: Location,
    constraint: Option<Constraint>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum PointType {
    Assumption,
    Branching,
    FunctionEnter,
    FunctionReturn,
    Target,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Action {
    Follow,
    Avoid,
    Cycle,
}

#[derive(Debug, Deserialize)]
struct Constraint {
    value: Scalar,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Scalar {
    Bool(bool),
    Int(i64),
    Text(String),
}

impl Scalar {
    fn text(&self) -> String {
        match self {
            Scalar::Bool(b) => b.to_string(),
            Scalar::Int(n) => n.to_string(),
            Scalar::Text(t) => t.trim().to_owned(),
        }
    }
}

fn place(l: &Location) -> Place {
    Place { file: l.file_name.clone(), line: l.line, column: l.column, function: l.function.clone() }
}

fn parse<T: DeserializeOwned>(yaml: &str) -> Result<T, String> {
    // A long execution has a long witness: only what aliases multiply has a limit of its own.
    let budget = serde_saphyr::budget! { max_nodes: yaml.len(), max_events: 2 * yaml.len() + 100, max_total_scalar_bytes: yaml.len() };
    serde_saphyr::from_str_with_options(yaml, serde_saphyr::options! { budget: budget }).map_err(|e| {
        let position = e.location().map(|l| format!("{}:{}:", l.line(), l.column())).unwrap_or_default();
        let message = e.to_string();
        format!("{position} not a witness: {}", message.lines().next().unwrap_or("broken YAML"))
    })
}

/// Reads the text of a witness; an error starts with the position in it.
pub fn read(yaml: &str) -> Result<Witness, String> {
    let heads: Vec<Head> = parse(yaml)?;
    let Some(first) = heads.first() else { return Err("1:1: not a witness: there is no entry".to_owned()) };
    if let Some(h) = heads.iter().find(|h| !matches!(h.metadata.format_version.as_str(), "2.0" | "2.1")) {
        return Err(format!("1:1: format version {} is not known (2.0 and 2.1 are)", h.metadata.format_version));
    }
    let mut witness =
        Witness { kind: Kind::Correctness, task: first.metadata.task.clone(), weave: Weave::default(), unsupported: Vec::new() };
    match first.entry_type.as_str() {
        "invariant_set" if heads.iter().all(|h| h.entry_type == "invariant_set") => {
            for entry in parse::<Vec<Invariants>>(yaml)? {
                entry.content.iter().for_each(|item| witness.invariant(item));
            }
        }
        "violation_sequence" if heads.len() == 1 => {
            witness.kind = Kind::Violation;
            for entry in parse::<Vec<Sequence>>(yaml)? {
                witness.sequence(&entry)?;
            }
        }
        "invariant_set" | "violation_sequence" => return Err("1:1: several entries that do not belong together".to_owned()),
        other => witness.unsupported.push(format!("entries of the type {other}")),
    }
    Ok(witness)
}

impl Witness {
    fn invariant(&mut self, item: &Item) {
        let Some(i) = &item.invariant else {
            return self.unsupported.push("an entry that is no invariant".to_owned());
        };
        let format = i.format.as_deref().unwrap_or("c_expression");
        let kind = match (i.r#type.as_str(), &i.value, format) {
            ("loop_invariant", Some(v), "c_expression") => ProbeKind::LoopInvariant(v.clone()),
            ("location_invariant", Some(v), "c_expression") => ProbeKind::LocationInvariant(v.clone()),
            (kind, _, format) => return self.unsupported.push(format!("the {kind} of line {} ({format})", i.location.line)),
        };
        self.weave.probes.push(Probe { place: place(&i.location), kind });
    }

    fn sequence(&mut self, entry: &Sequence) -> Result<(), String> {
        let segments = entry.content.len();
        for (number, item) in entry.content.iter().enumerate() {
            let last = number + 1 == segments;
            let Some((follow, avoid)) = item.segment.split_last() else {
                return Err(format!("1:1: segment {} has no waypoint", number + 1));
            };
            if follow.waypoint.action != Action::Follow || avoid.iter().any(|w| w.waypoint.action != Action::Avoid) {
                if item.segment.iter().any(|w| w.waypoint.action == Action::Cycle) {
                    self.unsupported.push("a cycle".to_owned());
                    return Ok(());
                }
                return Err(format!("1:1: segment {} is not a list of 'avoid' with one 'follow' at its end", number + 1));
            }
            for w in &item.segment {
                let (w, is_avoid) = (&w.waypoint, w.waypoint.action == Action::Avoid);
                if w.r#type == PointType::Target {
                    if is_avoid || !last {
                        return Err(format!("1:1: segment {}: the target comes last, and is followed", number + 1));
                    }
                    self.weave.target = Some((number as u32, place(&w.location)));
                } else {
                    match when(w) {
                        Ok(when) => {
                            let kind = ProbeKind::Waypoint { segment: number as u32, avoid: is_avoid, when };
                            self.weave.probes.push(Probe { place: place(&w.location), kind });
                        }
                        Err(what) => self.unsupported.push(what),
                    }
                }
            }
        }
        match self.weave.target {
            Some(_) => Ok(()),
            None => Err("1:1: the last segment does not end in a target".to_owned()),
        }
    }
}

fn when(w: &Waypoint) -> Result<When, String> {
    let value = w.constraint.as_ref().map(|c| c.value.text());
    let line = w.location.line;
    match (w.r#type, value) {
        (PointType::Assumption, Some(text)) => Ok(When::Assumption(text)),
        (PointType::Assumption, None) => Err(format!("the assumption of line {line}, which has no constraint")),
        (PointType::Branching, Some(text)) => match text.as_str() {
            "true" => Ok(When::Branch(true)),
            "false" => Ok(When::Branch(false)),
            number => number.parse().map(When::Case).map_err(|_| format!("the branching of line {line} to '{number}'")),
        },
        (PointType::Branching, None) => Err(format!("the branching of line {line}, which has no constraint")),
        (PointType::FunctionEnter, _) => Ok(When::Enter),
        (PointType::FunctionReturn, text) => Ok(When::Return(text)),
        (PointType::Target, _) => Err("a target that is not the end".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "  metadata:\n    format_version: \"2.0\"\n    uuid: x\n    creation_time: x\n    producer: {name: a, version: b}\n    task:\n      input_files: [a.c]\n      input_file_hashes: {a.c: aa}\n      specification: \"CHECK( init(main()), LTL(G ! call(reach_error())) )\"\n      data_model: LP64\n      language: C\n";

    #[test]
    fn both_kinds_are_read() {
        let text = format!("- entry_type: invariant_set\n{HEAD}  content:\n    - invariant:\n        type: loop_invariant\n        location: {{file_name: a.c, line: 3, column: 5, function: main}}\n        value: \"x >= 0\"\n        format: c_expression\n");
        let w = read(&text).unwrap();
        assert_eq!((w.kind, w.task.data_model), (Kind::Correctness, Model::LP64));
        assert_eq!(w.weave.probes[0].kind, ProbeKind::LoopInvariant("x >= 0".into()));
        let point = |t: &str, a: &str, c: &str| {
            format!("        - waypoint:\n            type: {t}\n            action: {a}\n            location: {{file_name: a.c, line: 3}}\n{c}")
        };
        let c = |v: &str| format!("            constraint: {{value: {v}}}\n");
        let text = format!(
            "- entry_type: violation_sequence\n{HEAD}  content:\n    - segment:\n{}{}    - segment:\n{}",
            point("assumption", "avoid", &c("\"y < 3\"")),
            point("branching", "follow", &c("false")),
            point("target", "follow", "")
        );
        let w = read(&text).unwrap();
        assert_eq!(w.weave.target.as_ref().map(|t| t.0), Some(1));
        let kinds: Vec<_> = w.weave.probes.iter().map(|p| p.kind.clone()).collect();
        let waypoint = |avoid, when| ProbeKind::Waypoint { segment: 0, avoid, when };
        assert_eq!(kinds, [waypoint(true, When::Assumption("y < 3".into())), waypoint(false, When::Branch(false))]);
    }

    #[test]
    fn what_is_broken_is_located() {
        let e = read("- entry_type: [\n").unwrap_err();
        assert!(e.starts_with(|c: char| c.is_ascii_digit()) && e.contains("not a witness"), "{e}");
        let e = read("- entry_type: invariant_set\n  metadata: 3\n").unwrap_err();
        assert!(e.starts_with("2:"), "{e}");
        let text = format!("- entry_type: violation_sequence\n{HEAD}  content:\n    - segment:\n        - waypoint: {{type: nonsense, action: follow, location: {{line: 1}}}}\n");
        assert!(read(&text).unwrap_err().contains("nonsense"));
        assert!(read("[]").is_err());
        let old = format!("- entry_type: invariant_set\n{}  content: []\n", HEAD.replace("2.0", "0.1"));
        assert!(read(&old).unwrap_err().contains("0.1"));
    }
}
