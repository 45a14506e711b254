//! Parses every `.c` and `.i` file below a directory and reports speed and failures.
//!
//! `cargo run --release -p plumb-cfront --example parse_sweep -- DIR`. Files that need the preprocessor (`#include`,
//! `#define`) go through `gcc -E` first. Exit code 1 if a file does not parse.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use plumb_cfront::{needs_preprocessor, parse, Interner};
use plumb_term::SourceMap;

fn main() -> ExitCode {
    let Some(dir) = std::env::args().nth(1) else {
        eprintln!("usage: parse_sweep DIR");
        return ExitCode::from(3);
    };
    let mut files = Vec::new();
    collect(Path::new(&dir), &mut files);
    files.sort();
    let (mut bytes, mut spent, mut failures) = (0usize, Duration::ZERO, 0usize);
    let mut slowest = (Duration::ZERO, PathBuf::new());
    for path in &files {
        let text = match source(path) {
            Ok(text) => text,
            Err(message) => {
                println!("{}: {message}", path.display());
                failures += 1;
                continue;
            }
        };
        let (mut sources, mut names) = (SourceMap::new(), Interner::new());
        let start = Instant::now();
        let result = parse(&text, &path.to_string_lossy(), &mut sources, &mut names);
        let took = start.elapsed();
        if let Err(error) = result {
            println!("{}", error.show(&sources));
            failures += 1;
        }
        bytes += text.len();
        spent += took;
        if took > slowest.0 {
            slowest = (took, path.clone());
        }
    }
    let seconds = spent.as_secs_f64().max(1e-9);
    println!(
        "{} files, {failures} failures, {:.1} MB in {seconds:.2} s: {:.0} files/s, {:.1} MB/s; slowest {:.3} s ({})",
        files.len(),
        bytes as f64 / 1e6,
        files.len() as f64 / seconds,
        bytes as f64 / 1e6 / seconds,
        slowest.0.as_secs_f64(),
        slowest.1.display()
    );
    ExitCode::from(u8::from(failures > 0))
}

fn collect(dir: &Path, files: &mut Vec<PathBuf>) {
    if dir.is_file() {
        files.push(dir.to_owned());
        return;
    }
    let Ok(entries) = std::fs::read_dir(dir) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() || path.extension().is_some_and(|e| e == "c" || e == "i") {
            collect(&path, files);
        }
    }
}

/// The preprocessed text of a file.
fn source(path: &Path) -> Result<Vec<u8>, String> {
    let text = std::fs::read(path).map_err(|error| error.to_string())?;
    if !needs_preprocessor(&text) {
        return Ok(text);
    }
    let output = Command::new("gcc").arg("-E").arg(path).output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).trim().to_owned());
    }
    Ok(output.stdout)
}
