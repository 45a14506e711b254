//! Lowers every program of some task sets and counts what goes wrong.
//!
//! `cargo run --release -p plumb-cfront --example lower_sweep -- DIR|SET|FILE...`
//!
//! A `.set` file lists `path<TAB>verdict<TAB>data model`, relative to its own folder; a folder stands for all its `.set` files. Per
//! failure one line with position and sentence; at the end counts, the share of programs without a reachable unsupported
//! construct, and the speed.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Instant;

use plumb_cfa::{DataModel, Op, Program, Semantics};
use plumb_cfront::{load, Input, Options};

fn main() {
    let mut tasks: BTreeSet<(PathBuf, bool)> = BTreeSet::new();
    for arg in std::env::args().skip(1) {
        collect(Path::new(&arg), &mut tasks);
    }
    let (mut good, mut failed, mut unsupported, mut bytes) = (0usize, 0usize, 0usize, 0usize);
    let (mut slowest, mut edges) = ((0.0f64, PathBuf::new()), 0usize);
    let start = Instant::now();
    for (path, lp64) in &tasks {
        let Ok(source) = std::fs::read(path) else {
            println!("{}: cannot be read", path.display());
            failed += 1;
            continue;
        };
        bytes += source.len();
        let model = if *lp64 { DataModel::Lp64 } else { DataModel::Ilp32 };
        let options = Options { semantics: Semantics { model, ..Semantics::default() }, ..Options::default() };
        let before = Instant::now();
        let input = Input { name: path.display().to_string(), bytes: source };
        let result = load(&[input], &options);
        let took = before.elapsed().as_secs_f64();
        if took > slowest.0 {
            slowest = (took, path.clone());
        }
        match result {
            Err(error) => {
                failed += 1;
                println!("{}: {error}", path.display());
            }
            Ok(program) => {
                edges += program.functions.iter().map(|f| f.graph.num_edges()).sum::<usize>();
                if let Err(breach) = plumb_cfa::validate::validate(&program) {
                    failed += 1;
                    println!("{}: {}: internal error: {}", path.display(), program.sources.show(breach.span), breach.message);
                    continue;
                }
                match first_unsupported(&program) {
                    Some(message) => {
                        unsupported += 1;
                        println!("{}: {message}", path.display());
                    }
                    None => good += 1,
                }
            }
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    let all = tasks.len().max(1);
    println!("{all} programs: {good} lowered, {unsupported} with a reachable unsupported construct, {failed} refused");
    println!("{:.2} % without an unsupported construct", 100.0 * good as f64 / all as f64);
    println!(
        "{edges} edges; {:.1} MB in {seconds:.1} s, {:.2} MB/s; slowest {:.2} s {}",
        bytes as f64 / 1e6,
        bytes as f64 / 1e6 / seconds,
        slowest.0,
        slowest.1.display()
    );
}

fn first_unsupported(program: &Program) -> Option<String> {
    for f in &program.functions {
        for (_, e) in f.graph.edges() {
            if let Op::Unsupported(what) = &e.op {
                return Some(format!("{}: unsupported: {what}", program.sources.show(e.span)));
            }
        }
    }
    None
}

fn collect(path: &Path, tasks: &mut BTreeSet<(PathBuf, bool)>) {
    if path.is_dir() {
        let Ok(entries) = std::fs::read_dir(path) else { return };
        for entry in entries.flatten() {
            if entry.path().extension().is_some_and(|e| e == "set") {
                collect(&entry.path(), tasks);
            }
        }
    } else if path.extension().is_some_and(|e| e == "set") {
        let Ok(text) = std::fs::read_to_string(path) else { return };
        let folder = path.parent().unwrap_or(Path::new("."));
        for line in text.lines() {
            let mut columns = line.split('\t');
            if let Some(name) = columns.next().filter(|n| !n.is_empty() && !n.starts_with('#')) {
                tasks.insert((folder.join(name), columns.nth(1) == Some("LP64")));
            }
        }
    } else {
        tasks.insert((path.to_owned(), std::env::var("LP64").is_ok()));
    }
}
