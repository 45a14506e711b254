//! The interpreter does what the compiled program does, on every program of `programs/`, under both data models: same output, same status.

mod both_ways;

use both_ways::{available, compiled, interpreted, preprocessed, Scratch};
use plumb_cfa::DataModel;
use std::path::{Path, PathBuf};
use std::time::Duration;

const TIME: Duration = Duration::from_secs(60);

fn programs() -> Vec<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let mut all: Vec<PathBuf> = std::fs::read_dir(dir).expect("the programs").map(|e| e.expect("an entry").path()).collect();
    all.sort();
    all
}

fn check_all(model: DataModel, label: &str) {
    let scratch = Scratch::new(label);
    if !available(model, &scratch) {
        eprintln!("no compiler for {model:?} here: nothing to compare with");
        return;
    }
    let mut wrong = Vec::new();
    for path in programs() {
        let name = path.file_name().expect("a file").to_string_lossy().into_owned();
        if model == DataModel::Ilp32 && name == "wide.c" {
            continue; // gcc has no 128-bit integers there
        }
        let expected = compiled(&path, model, &[], &scratch, TIME).unwrap_or_else(|e| panic!("{name}: {e}"));
        let text = preprocessed(&path, model, &[]).unwrap_or_else(|e| panic!("{name}: {e}"));
        match interpreted(&name, text, model, true, TIME) {
            Ok(actual) if actual == expected => {}
            Ok(actual) => wrong.push(format!("{name}: {}", first_difference(&expected, &actual))),
            Err(e) => wrong.push(format!("{name}: {e}")),
        }
    }
    assert!(wrong.is_empty(), "{label}:\n{}", wrong.join("\n"));
}

fn first_difference(expected: &both_ways::Behaviour, actual: &both_ways::Behaviour) -> String {
    let lines = expected.stdout.lines().zip(actual.stdout.lines()).enumerate();
    for (i, (e, a)) in lines {
        if e != a {
            return format!("line {} is '{a}', compiled '{e}'", i + 1);
        }
    }
    let (e, a) = (expected.stdout.lines().count(), actual.stdout.lines().count());
    format!("{a} lines and status {}, compiled {e} lines and status {}", actual.status, expected.status)
}

#[test]
fn programs_of_32_bits_do_what_their_binaries_do() {
    check_all(DataModel::Ilp32, "m32");
}

#[test]
fn programs_of_64_bits_do_what_their_binaries_do() {
    check_all(DataModel::Lp64, "m64");
}
