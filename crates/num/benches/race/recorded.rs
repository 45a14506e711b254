//! Recorded traces: what analyses of loops asked of the domain, replayed in both libraries.
//!
//! The traces of C programs, which count, are the files `benches/data/*.pnt`; those of small linear programs, shown apart, are in
//! `benches/data/linear`. `benches/README.md` says how they were made. Another folder can be named by `PLUMB_TRACES`.

use std::path::{Path, PathBuf};

use crate::common::replay::Prepared;
use crate::{geometric_mean, race, Spent};
use plumb_num::trace::Trace;
use plumb_num::Polyhedra;
use plumb_num_oracle as ppl;

fn traces(folder: &Path) -> Vec<(String, Trace)> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path());
    let mut files: Vec<PathBuf> = entries.filter(|p| p.extension().is_some_and(|x| x == "pnt")).collect();
    files.sort();
    let read = |p: &PathBuf| {
        let name = p.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned());
        let trace = std::fs::read(p).map_err(|e| e.to_string()).and_then(|b| Trace::from_bytes(&b).map_err(|e| e.to_string()));
        match trace {
            Ok(t) => Some((name, t)),
            Err(e) => {
                println!("{}: {e}", p.display());
                None
            }
        }
    };
    files.iter().filter_map(read).collect()
}

/// The ratio of the traces of C programs.
pub fn run(session: &ppl::Session) -> f64 {
    let data = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("benches/data");
    match std::env::var_os("PLUMB_TRACES") {
        Some(folder) => contest(session, "named folder", Path::new(&folder)),
        None => {
            contest(session, "linear programs", &data.join("linear"));
            contest(session, "C programs", &data)
        }
    }
}

fn contest(session: &ppl::Session, what: &str, folder: &Path) -> f64 {
    println!("{:>16} {:>6} {:>12} {:>12} {:>7}   (recorded: {what})", "trace", "ops", "num", "PPL", "ratio");
    let d = Polyhedra::default();
    let mut total = Spent::default();
    let mut ratios = Vec::new();
    for (name, trace) in traces(folder) {
        let prepared = Prepared::new(session, &trace);
        let mine = || assert_eq!(trace.replay(&d), Ok(()), "{name}");
        let spent = race(5, mine, || prepared.run(|_| ()));
        println!("{name:>16} {:>6} {:>12.2?} {:>12.2?} {:>7.3}", trace.ops.len(), spent.num, spent.ppl, spent.ratio());
        total.add(spent);
        ratios.push(spent.ratio());
    }
    let mean = geometric_mean(&ratios);
    println!("{:>16} {:>6} {:>12.2?} {:>12.2?} {:>7.3}", "total", "", total.num, total.ppl, total.ratio());
    println!("{:>16} {:>6} {:>12} {:>12} {mean:>7.3}", "geometric mean", "", "", "");
    total.ratio().max(mean)
}
