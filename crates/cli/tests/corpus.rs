//! Every program of `tests/corpus` under every configuration named in its first line.
//!
//! `// plumb: truth=false bmc=false kinduction=unknown` states what is the case and what each configuration says today (`default`
//! is the strategy without `--config`); `options=` adds options. A verdict against the truth is unsound. Where `unknown` is expected, little
//! time is given and a right answer is welcome: the line is then out of date. For every `false`, the generated test is compiled with
//! gcc and must reach the error, unless `test=none` states that there is none; for every definite verdict the witness must have the structure of the format.

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;
use support::{plumb, witness};

struct Case {
    path: PathBuf,
    truth: String,
    options: Vec<String>,
    /// Whether a violation has a test.
    tested: bool,
    expected: Vec<(String, String)>,
}

fn cases() -> Vec<Case> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus");
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(dir).unwrap().map(|e| e.unwrap().path()).filter(|p| p.extension().is_some_and(|e| e == "c")).collect();
    paths.sort();
    paths
        .into_iter()
        .map(|path| {
            let text = std::fs::read_to_string(&path).unwrap();
            let line = text
                .lines()
                .next()
                .and_then(|l| l.strip_prefix("// plumb: "))
                .unwrap_or_else(|| panic!("{}: no first line", path.display()));
            let mut case = Case { path: path.clone(), truth: String::new(), options: Vec::new(), tested: true, expected: Vec::new() };
            for word in line.split_whitespace() {
                let (key, value) = word.split_once('=').unwrap_or_else(|| panic!("{}: {word}", path.display()));
                match key {
                    "truth" => case.truth = value.to_owned(),
                    "test" => case.tested = value != "none",
                    "options" => case.options = value.split(',').map(str::to_owned).collect(),
                    _ => case.expected.push((key.to_owned(), value.to_owned())),
                }
            }
            assert!(matches!(case.truth.as_str(), "true" | "false") && !case.expected.is_empty(), "{}: {line}", path.display());
            case
        })
        .collect()
}

/// One configuration on one program; what is wrong, if anything.
fn run(case: &Case, config: &str, expected: &str, dir: &Path) -> Result<(), String> {
    let stem = case.path.file_stem().unwrap().to_string_lossy().into_owned();
    let (witness_file, test_file) = (dir.join(format!("{stem}.{config}.yml")), dir.join(format!("{stem}.{config}.c")));
    let mut command = plumb();
    let time = if expected == "unknown" { "2" } else { "60" };
    command.arg("check").arg(&case.path).args(["--time", time, "--memory", "4G"]).args(&case.options);
    // Neither format can say that an assertion is meant that the program does not state.
    let own = !case.options.iter().any(|o| o == "--assert");
    if own {
        command.arg("--witness").arg(&witness_file).arg("--test").arg(&test_file);
    }
    if config != "default" {
        command.args(["--config", config]);
    }
    let out = command.output().map_err(|e| e.to_string())?;
    let text = String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr);
    let verdict = match out.status.code() {
        Some(0) => "true",
        Some(1) => "false",
        Some(2) => "unknown",
        other => return Err(format!("exit status {other:?}\n{text}")),
    };
    if verdict != "unknown" && verdict != case.truth {
        return Err(format!("UNSOUND: {verdict}\n{text}"));
    }
    if verdict != expected && expected != "unknown" {
        return Err(format!("{verdict}, expected {expected}\n{text}"));
    }
    if verdict != "unknown" && own {
        let yaml = std::fs::read_to_string(&witness_file).map_err(|e| format!("no witness: {e}"))?;
        witness::check(&yaml, verdict == "true").map_err(|e| format!("witness: {e}\n{yaml}"))?;
    }
    if verdict == "false" && case.tested && own {
        reproduce(&test_file, &dir.join(format!("{stem}.{config}.bin"))).map_err(|e| format!("{e}\n{text}"))?;
    }
    if !case.tested && test_file.exists() {
        return Err("there is a test".to_owned());
    }
    Ok(())
}

/// Compiles the test as its first lines say and runs it.
fn reproduce(test: &Path, binary: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(test).map_err(|e| format!("no test: {e}"))?;
    let command = text.lines().find(|l| l.contains("gcc -fwrapv")).ok_or("the test does not say how to compile it")?;
    if command.contains("-m32") && !support::has_multilib() {
        return Ok(());
    }
    let words: Vec<&str> = command.split_whitespace().skip_while(|w| *w != "gcc").take_while(|w| *w != "&&").collect();
    let mut gcc = Command::new("gcc");
    gcc.arg("-w").args(words[1..].iter().map(|w| if *w == "test" { binary.as_os_str() } else { w.as_ref() }));
    let out = gcc.output().map_err(|e| format!("gcc: {e}"))?;
    if !out.status.success() {
        return Err(format!("the test does not compile: {}\n{text}", String::from_utf8_lossy(&out.stderr)));
    }
    let run = Command::new("timeout").arg("10").arg(binary).output().map_err(|e| e.to_string())?;
    let said = String::from_utf8_lossy(&run.stderr);
    if said.contains(plumb_export::ctest::MESSAGE) {
        Ok(())
    } else {
        Err(format!("the test does not reach the error: {:?} {said}\n{text}", run.status))
    }
}

#[test]
fn every_program_gets_its_verdict() {
    let dir = std::env::temp_dir().join(format!("plumb-corpus-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let jobs: Vec<(Case, String, String)> = cases()
        .into_iter()
        .flat_map(|c| {
            c.expected.clone().into_iter().map(move |(config, v)| {
                (
                    Case {
                        path: c.path.clone(),
                        truth: c.truth.clone(),
                        options: c.options.clone(),
                        tested: c.tested,
                        expected: Vec::new(),
                    },
                    config,
                    v,
                )
            })
        })
        .collect();
    let next = std::sync::atomic::AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    let failures: Vec<String> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|_| {
                scope.spawn(|| {
                    let mut wrong = Vec::new();
                    while let Some((case, config, expected)) = jobs.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed)) {
                        if let Err(e) = run(case, config, expected, &dir) {
                            wrong.push(format!("{} [{config}]: {e}", case.path.file_name().unwrap().to_string_lossy()));
                        }
                    }
                    wrong
                })
            })
            .collect();
        workers.into_iter().flat_map(|w| w.join().unwrap()).collect()
    });
    std::fs::remove_dir_all(&dir).unwrap();
    assert!(jobs.len() >= 60);
    assert!(failures.is_empty(), "{} of {} fail:\n{}", failures.len(), jobs.len(), failures.join("\n----\n"));
}
