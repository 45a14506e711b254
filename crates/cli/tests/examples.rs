//! The examples have the verdicts that their task definitions expect.

mod support;

use std::path::Path;
use support::{plumb, Scratch};

#[test]
fn examples_have_their_verdicts() {
    let dir = Scratch::new("examples");
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let out =
        plumb().arg("bench").arg(&examples).args(["--time", "60", "--memory", "2G", "--jobs", "2", "--out"]).arg(&dir.0).output().unwrap();
    let table = std::fs::read_to_string(dir.0.join("results.tsv")).unwrap();
    assert_eq!(out.status.code(), Some(0), "{out:?}");
    let wanted = std::fs::read_dir(&examples).unwrap().flatten().filter(|e| e.path().extension().is_some_and(|x| x == "c")).count();
    assert_eq!(table.matches("\tcorrect\t").count(), wanted, "{table}");
    let readme = std::fs::read_to_string(examples.join("README.md")).unwrap();
    for row in table.lines().skip(1) {
        let fields: Vec<&str> = row.split('\t').collect();
        let name = fields[0].replace(".yml", ".c");
        assert!(readme.contains(&format!("[{name}]({name}) | {} |", fields[2].to_uppercase())), "{name} in README.md");
    }
}
