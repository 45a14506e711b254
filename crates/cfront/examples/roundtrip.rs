//! Checks that the syntax tree means what the source does: prints the tree of every `.c` and `.i` file below a directory, and
//! compares the assembly gcc makes of the original and of the print. Also, a print parses to itself.
//!
//! `cargo run --release -p plumb-cfront --example roundtrip -- DIR [EVERY]` (EVERY = n takes each n-th file). Files that
//! gcc itself does not accept are counted and skipped. Exit code 1 on a difference.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use plumb_cfront::{parse, print, Interner};
use plumb_term::SourceMap;

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let Some(dir) = args.next() else {
        eprintln!("usage: roundtrip DIR [EVERY]");
        return ExitCode::from(3);
    };
    let every = args.next().and_then(|n| n.parse().ok()).unwrap_or(1usize).max(1);
    let mut files = Vec::new();
    collect(Path::new(&dir), &mut files);
    files.sort();
    let (mut same, mut rejected, mut different) = (0, 0, 0);
    for path in files.iter().step_by(every) {
        match compare(path) {
            Ok(true) => same += 1,
            Ok(false) => rejected += 1,
            Err(message) => {
                println!("{}: {message}", path.display());
                different += 1;
            }
        }
    }
    println!("{same} the same, {rejected} not accepted by gcc, {different} different");
    ExitCode::from(u8::from(different > 0))
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

/// Whether the file compiles; an error if its print does not compile to the same.
fn compare(path: &Path) -> Result<bool, String> {
    let text = std::fs::read(path).map_err(|error| error.to_string())?;
    let Ok(text) = gcc(&["-E"], &text) else { return Ok(false) };
    let printed = reprint(&text)?;
    if reprint(printed.as_bytes())? != printed {
        return Err("the print does not parse to itself".to_owned());
    }
    let Ok(expected) = gcc(&["-S"], &text) else { return Ok(false) };
    let found = gcc(&["-S"], printed.as_bytes()).map_err(|error| format!("the print does not compile: {error}"))?;
    // The positions of `asm` statements appear as comments.
    let code = |text: &[u8]| text.split(|&b| b == b'\n').filter(|line| !line.starts_with(b"# ")).map(<[u8]>::to_vec).collect::<Vec<_>>();
    if code(&found) != code(&expected) {
        return Err("the assembly differs".to_owned());
    }
    Ok(true)
}

fn reprint(text: &[u8]) -> Result<String, String> {
    let (mut sources, mut names) = (SourceMap::new(), Interner::new());
    let unit = parse(text, "print.c", &mut sources, &mut names).map_err(|error| error.show(&sources).to_string())?;
    Ok(print::unit(&unit, &names))
}

fn gcc(mode: &[&str], text: &[u8]) -> Result<Vec<u8>, String> {
    let mut child = Command::new("gcc")
        .args(mode)
        .args(["-O0", "-w", "-fno-ident", "-x", "c", "-", "-o", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| error.to_string())?;
    let mut stdin = child.stdin.take().ok_or("no standard input")?;
    let input = text.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().map_err(|error| error.to_string())?;
    let _ = writer.join();
    if output.status.success() {
        Ok(output.stdout)
    } else {
        Err(String::from_utf8_lossy(&output.stderr).lines().take(2).collect::<Vec<_>>().join(" / "))
    }
}
