//! Feeds the parser mutants of the C files below a directory: `cargo run --release -p plumb-cfront --example fuzz -- DIR SECONDS
//! [SEED]`.
//!
//! No mutant may panic, take long or overflow the stack; a tree's print must parse to itself. The first mutant that breaks
//! this is written to `fuzz-failure.c` and ends the run with exit code 1.

#[path = "../tests/mutate/mod.rs"]
mod mutate;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use mutate::{mutate, Random};
use plumb_cfront::{parse, print, Diagnostic, Interner, Problem};
use plumb_term::SourceMap;

const LARGEST: usize = 200_000;
const SLOWEST: Duration = Duration::from_secs(5);

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().collect();
    let (Some(dir), Some(seconds)) = (args.get(1), args.get(2).and_then(|n| n.parse().ok())) else {
        eprintln!("usage: fuzz DIR SECONDS [SEED]");
        return ExitCode::from(3);
    };
    let mut paths = Vec::new();
    collect(Path::new(dir), &mut paths);
    paths.sort();
    let corpus: Vec<Vec<u8>> = paths.iter().filter_map(|path| std::fs::read(path).ok()).filter(|text| text.len() <= LARGEST).collect();
    if corpus.is_empty() {
        eprintln!("no C files below {dir}");
        return ExitCode::from(3);
    }
    let mut random = Random::new(args.get(3).and_then(|n| n.parse().ok()).unwrap_or(1));
    let end = Instant::now() + Duration::from_secs(seconds);
    let (mut good, mut bad, mut slowest) = (0u64, 0u64, Duration::ZERO);
    while Instant::now() < end {
        let text = mutate(&corpus[random.below(corpus.len())], &corpus[random.below(corpus.len())], &mut random);
        let start = Instant::now();
        let outcome = std::panic::catch_unwind(|| check(&text));
        let took = start.elapsed();
        slowest = slowest.max(took);
        let failure = match outcome {
            Ok(Ok(true)) => {
                good += 1;
                None
            }
            Ok(Ok(false)) => {
                bad += 1;
                None
            }
            Ok(Err(message)) => Some(message),
            Err(_) => Some("a panic".to_owned()),
        };
        let failure = failure.or_else(|| (took > SLOWEST).then(|| format!("{took:?}")));
        if let Some(message) = failure {
            eprintln!("{message}, see fuzz-failure.c");
            if let Err(error) = std::fs::write("fuzz-failure.c", &text) {
                eprintln!("{error}");
            }
            return ExitCode::from(1);
        }
    }
    println!("{good} accepted and {bad} refused mutants of {} files, slowest {slowest:?}", corpus.len());
    ExitCode::SUCCESS
}

/// Whether `text` parses; an error if its print does not parse to itself.
fn check(text: &[u8]) -> Result<bool, String> {
    let Ok(printed) = reprint(text)? else { return Ok(false) };
    match reprint(printed.as_bytes())? {
        Ok(again) if again == printed => Ok(true),
        Ok(_) => Err("the print does not parse to itself".to_owned()),
        // A long chain of operators is a deep nest of parentheses in print.
        Err(error) if error.problem == Problem::Unsupported => Ok(true),
        Err(error) => Err(format!("the print does not parse: {error:?}")),
    }
}

fn reprint(text: &[u8]) -> Result<Result<String, Diagnostic>, String> {
    let mut names = Interner::new();
    match parse(text, "mutant.c", &mut SourceMap::new(), &mut names) {
        Ok(unit) => plumb_cfront::parse::on_deep_stack(|| Ok(print::unit(&unit, &names))).map_err(|error| error.to_string()),
        Err(error) => Ok(Err(error)),
    }
}

fn collect(dir: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(dir) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|e| e == "c" || e == "i") {
            files.push(path);
        }
    }
}
