//! Keeps the repository as `ARCHITECTURE.md` says it is: arrows between crates, module docs, lengths of files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().to_path_buf()
}

/// `| crate | may use |` rows of ARCHITECTURE.md.
fn arrows() -> BTreeMap<String, BTreeSet<String>> {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let names = |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<BTreeSet<_>>();
    text.lines()
        .filter(|l| l.starts_with("| `"))
        .map(|l| {
            let cells: Vec<&str> = l.split('|').collect();
            (names(cells[1]).pop_first().unwrap(), names(cells[2]))
        })
        .collect()
}

fn crates() -> BTreeSet<String> {
    let dirs = fs::read_dir(root().join("crates")).unwrap().map(|d| d.unwrap());
    dirs.filter(|d| d.path().join("Cargo.toml").exists()).map(|d| d.file_name().into_string().unwrap()).collect()
}

/// The plumb crates in one section of a manifest.
fn dependencies(name: &str, section: &str) -> BTreeSet<String> {
    let text = fs::read_to_string(root().join("crates").join(name).join("Cargo.toml")).unwrap();
    let mut inside = false;
    let mut out = BTreeSet::new();
    for line in text.lines() {
        if line.starts_with('[') {
            inside = line == format!("[{section}]");
        } else if let (true, Some(rest)) = (inside, line.strip_prefix("plumb-")) {
            out.insert(rest.split(['.', ' ', '=']).next().unwrap().to_owned());
        }
    }
    out
}

fn reach(arrows: &BTreeMap<String, BTreeSet<String>>, from: &str) -> BTreeSet<String> {
    let mut seen = BTreeSet::new();
    let mut todo = vec![from.to_owned()];
    while let Some(n) = todo.pop() {
        for next in arrows.get(&n).into_iter().flatten() {
            if seen.insert(next.clone()) {
                todo.push(next.clone());
            }
        }
    }
    seen
}

#[test]
fn crates_use_only_what_their_arrows_reach() {
    let arrows = arrows();
    assert_eq!(arrows.keys().cloned().collect::<BTreeSet<_>>(), crates(), "the table of ARCHITECTURE.md lists the crates");
    for name in crates() {
        let allowed = reach(&arrows, &name);
        assert!(!allowed.contains(&name), "{name} reaches itself");
        let used = dependencies(&name, "dependencies");
        assert!(used.is_subset(&allowed), "{name} may use {allowed:?} but uses {used:?}");
    }
}

#[test]
fn the_checker_shares_nothing_with_the_engines() {
    let reached = reach(&arrows(), "check");
    for engine in ["algo", "cpa", "cpas", "transform", "engine", "cfront"] {
        assert!(!reached.contains(engine), "check reaches {engine}");
    }
    // Of the solver binding it uses what decides, not what searches for proofs.
    let mut sources = Vec::new();
    files(&root().join("crates/check/src"), &mut sources);
    assert!(!sources.is_empty());
    for path in sources {
        let text = fs::read_to_string(&path).unwrap();
        for word in text.split(|c: char| !c.is_alphanumeric() && c != '_') {
            let search = ["interpolate", "plumb_itp", "plumb_num", "Own", "OwnSolver", "Horn"].contains(&word);
            assert!(!search, "{}: the checker uses `{word}`", path.display());
        }
    }
}

fn files(dir: &Path, out: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).into_iter().flatten().map(|e| e.unwrap()) {
        let name = entry.file_name().into_string().unwrap();
        if name == "target" || (name.starts_with('.') && name != ".ci" && name != ".cargo") {
            continue;
        }
        if entry.file_type().unwrap().is_dir() {
            files(&entry.path(), out);
        } else {
            out.push(entry.path());
        }
    }
}

fn with_extension(extensions: &[&str]) -> Vec<(PathBuf, String)> {
    let mut all = Vec::new();
    files(&root(), &mut all);
    all.retain(|p| p.extension().is_some_and(|e| extensions.iter().any(|x| e == *x)));
    all.sort();
    all.into_iter().filter_map(|p| fs::read_to_string(&p).ok().map(|text| (p, text))).collect()
}

#[test]
fn modules_are_documented_and_short() {
    for (path, text) in with_extension(&["rs"]) {
        assert!(text.starts_with("//!"), "{} has no module documentation", path.display());
        let lines = text.lines().count();
        assert!(lines <= 700, "{} has {lines} lines", path.display());
        for stub in [concat!("todo", "!("), concat!("unimplemented", "!(")] {
            assert!(!text.contains(stub), "{} has a {stub}", path.display());
        }
    }
}

#[test]
fn nothing_names_a_place_of_one_machine() {
    for (path, text) in with_extension(&["rs", "md", "toml", "sh", "c"]) {
        for place in [concat!("/wo", "rk/"), concat!("/ro", "ot/"), concat!("/ho", "me/")] {
            assert!(!text.contains(place), "{} names {place}", path.display());
        }
    }
}

/// The crates that call C libraries: the binding to Z3, and the oracle, which is only ever a development dependency.
const FOREIGN: [&str; 2] = ["smt", "num-oracle"];

#[test]
fn every_crate_takes_the_workspace_lints() {
    for name in crates() {
        let text = fs::read_to_string(root().join("crates").join(&name).join("Cargo.toml")).unwrap();
        assert!(FOREIGN.contains(&name.as_str()) || text.contains("[lints]\nworkspace = true"), "{name} does not inherit the lints");
        assert!(!dependencies(&name, "dependencies").contains("num-oracle"), "{name} links the oracle");
    }
}

#[test]
fn foreign_calls_stay_in_their_folders() {
    for (path, text) in with_extension(&["rs"]) {
        let path = path.strip_prefix(root()).unwrap().to_string_lossy().into_owned();
        let allowed = path.starts_with("crates/smt/src/ffi/") || path.starts_with("crates/num-oracle/");
        assert!(allowed || !text.contains(concat!("uns", "afe {")), "{path} has foreign calls");
    }
}

#[test]
fn the_list_of_configurations_is_up_to_date() {
    let out = std::process::Command::new(env!("CARGO_BIN_EXE_plumb")).args(["configs", "--markdown"]).output().unwrap();
    let text = std::fs::read(root().join("docs/configurations.md")).unwrap();
    let hint = "run: cargo run -p plumb-cli -- configs --markdown > docs/configurations.md";
    assert!(text == out.stdout, "docs/configurations.md is out of date; {hint}");
}
