//! The files that `plumb check` writes for other tools: SARIF, and witnesses in all formats.

mod support;

use serde_json::Value;
use std::path::{Path, PathBuf};
use support::{plumb, Scratch};

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name)
}

fn check(program: &Path, extra: &[&str]) -> i32 {
    let out = plumb().arg("check").arg(program).args(["--time", "10", "--memory", "2G"]).args(extra).output().unwrap();
    out.status.code().unwrap_or(-1)
}

/// The properties that the schema of SARIF 2.1.0 allows here (`+` marks a required one); it forbids all others.
const OBJECTS: &[(&str, &[&str])] = &[
    ("log", &["$schema", "+version", "+runs"]),
    ("run", &["+tool", "columnKind", "artifacts", "invocations", "results"]),
    ("tool", &["+driver"]),
    ("driver", &["+name", "version", "semanticVersion", "rules"]),
    ("rule", &["+id", "shortDescription"]),
    ("text", &["+text"]),
    ("artifact", &["location", "hashes"]),
    ("uri", &["+uri"]),
    ("invocation", &["+executionSuccessful", "exitCode", "commandLine", "toolExecutionNotifications"]),
    ("notification", &["+message", "level", "locations"]),
    ("result", &["+message", "ruleId", "ruleIndex", "kind", "level", "locations", "codeFlows"]),
    ("location", &["physicalLocation", "logicalLocations", "message"]),
    ("physical", &["+artifactLocation", "region"]),
    ("region", &["startLine", "startColumn"]),
    ("logical", &["name", "kind"]),
    ("codeFlow", &["+threadFlows"]),
    ("threadFlow", &["+locations"]),
    ("step", &["location", "nestingLevel", "state", "importance"]),
];

/// What the value of a property is, for those that are objects or arrays of objects.
fn kind_of(parent: &str, key: &str) -> Option<&'static str> {
    Some(match (parent, key) {
        (_, "runs") => "run",
        (_, "tool") => "tool",
        (_, "driver") => "driver",
        (_, "rules") => "rule",
        (_, "shortDescription" | "message") => "text",
        (_, "artifacts") => "artifact",
        ("artifact", "location") | (_, "artifactLocation") => "uri",
        (_, "invocations") => "invocation",
        (_, "toolExecutionNotifications") => "notification",
        (_, "results") => "result",
        ("threadFlow", "locations") => "step",
        (_, "locations" | "location") => "location",
        (_, "physicalLocation") => "physical",
        (_, "region") => "region",
        (_, "logicalLocations") => "logical",
        (_, "codeFlows") => "codeFlow",
        (_, "threadFlows") => "threadFlow",
        _ => return None,
    })
}

fn conforms(value: &Value, kind: &str) {
    if let Value::Array(items) = value {
        return items.iter().for_each(|i| conforms(i, kind));
    }
    let object = value.as_object().unwrap_or_else(|| panic!("{kind}: {value}"));
    let (_, allowed) = OBJECTS.iter().find(|(k, _)| *k == kind).unwrap();
    for required in allowed.iter().filter_map(|a| a.strip_prefix('+')) {
        assert!(object.contains_key(required), "{kind} without {required}");
    }
    for (key, inner) in object {
        assert!(allowed.iter().any(|a| a.trim_start_matches('+') == key), "{kind} with {key}");
        if let Some(inner_kind) = kind_of(kind, key) {
            conforms(inner, inner_kind);
        }
    }
    if kind == "region" {
        assert!(object.values().all(|v| v.as_u64().is_some_and(|n| n >= 1)), "{value}");
    }
}

#[test]
fn sarif_conforms() {
    let dir = Scratch::new("sarif");
    let unknown = dir.file(
        "u.c",
        "extern int f(void); void reach_error(void);\nint main(void) { asm goto(\"\" : : : : l); reach_error(); l: return f(); }\n",
    );
    for (program, code, kind, level) in
        [(example("lock.c"), 0, "pass", "none"), (example("search.c"), 1, "fail", "error"), (unknown, 2, "open", "none")]
    {
        let file = dir.0.join("s.sarif");
        assert_eq!(check(&program, &["--sarif", file.to_str().unwrap()]), code, "{}", program.display());
        let log: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
        conforms(&log, "log");
        assert_eq!(log["version"], "2.1.0");
        let run = &log["runs"][0];
        let result = &run["results"][0];
        assert_eq!((result["kind"].as_str(), result["level"].as_str()), (Some(kind), Some(level)));
        for r in run["results"].as_array().unwrap() {
            let rule = r["ruleIndex"].as_u64().unwrap() as usize;
            assert_eq!(run["tool"]["driver"]["rules"][rule]["id"], r["ruleId"]);
        }
        match code {
            0 => assert!(run["results"][1]["message"]["text"].as_str().unwrap().contains("locked"), "{run}"),
            1 => {
                let steps = result["codeFlows"][0]["threadFlows"][0]["locations"].as_array().unwrap();
                assert!(steps.len() > 5 && steps.iter().any(|s| s["state"]["high"]["text"].is_string()), "{result}");
                assert_eq!(steps.last().unwrap()["location"]["physicalLocation"]["region"]["startLine"], 13);
            }
            _ => assert_eq!(run["invocations"][0]["exitCode"], 2),
        }
    }
}

#[test]
fn witnesses_in_every_format() {
    let dir = Scratch::new("witness-formats");
    for (program, code) in [(example("lock.c"), 0), (example("search.c"), 1)] {
        let file = dir.0.join("w.yml");
        let path = file.to_str().unwrap();
        assert_eq!(check(&program, &["--witness", path, "--witness-format", "2.1"]), code);
        assert!(std::fs::read_to_string(&file).unwrap().contains("format_version: \"2.1\""));
        let out = plumb().arg("validate").arg(&file).arg(&program).args(["--time", "10", "--memory", "2G"]).output().unwrap();
        assert_eq!(out.status.code(), Some(0), "{out:?}");
        assert_eq!(check(&program, &["--witness", path, "--witness-format", "graphml"]), code);
        graphml(&std::fs::read_to_string(&file).unwrap(), code == 0);
    }
}

/// An automaton of known states, one of them the entry, with what its kind needs.
fn graphml(text: &str, correctness: bool) {
    let mut open: Vec<&str> = Vec::new();
    for tag in text.split('<').skip(2).map(|t| &t[..t.find('>').unwrap()]) {
        match (tag.strip_prefix('/'), tag.ends_with('/')) {
            (Some(end), _) => assert_eq!(open.pop(), Some(end)),
            (None, false) => open.push(tag.split(' ').next().unwrap_or_default()),
            (None, true) => {}
        }
    }
    assert!(open.is_empty(), "{open:?}");
    let attribute = |line: &str, name: &str| line.split(&format!("{name}=\"")).nth(1).and_then(|r| r.split('"').next().map(str::to_owned));
    let nodes: Vec<String> = text.lines().filter(|l| l.contains("<node ")).filter_map(|l| attribute(l, "id")).collect();
    let edges: Vec<&str> = text.lines().filter(|l| l.contains("<edge ")).collect();
    assert!(!edges.is_empty());
    for e in edges {
        assert!(["source", "target"].iter().all(|a| nodes.contains(&attribute(e, a).unwrap())), "{e}");
    }
    assert_eq!(text.matches("<data key=\"entry\">true</data>").count(), 1);
    let keys: Vec<String> = text.lines().filter(|l| l.contains("<key ")).filter_map(|l| attribute(l, "id")).collect();
    for used in text.lines().filter(|l| l.contains("<data ")).filter_map(|l| attribute(l, "key")) {
        assert!(keys.contains(&used), "{used}");
    }
    if correctness {
        assert!(text.contains("<data key=\"invariant\">locked &gt;= 0 &amp;&amp; locked &lt;= 1</data>"), "{text}");
    } else {
        assert!(text.contains("<data key=\"violation\">true</data>") && text.contains("\\result == "), "{text}");
    }
}
