//! The recorded problems of C programs.

use crate::{atoms, geometric_mean, heat, ratios, Heat};
use plumb_smt::interpolate::{Dag, Family, Interpolator};
use std::path::PathBuf;
use std::time::Duration;

/// The problems of `benches/data/*.pip`, in the order of the files.
fn problems() -> Vec<(String, Dag)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("benches/data");
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path());
    let mut files: Vec<PathBuf> = entries.filter(|p| p.extension().is_some_and(|x| x == "pip")).collect();
    files.sort();
    let mut out = Vec::new();
    for file in files {
        let families = std::fs::read_to_string(&file).map_err(|e| e.to_string()).and_then(|t| Family::read(&t).map_err(|e| e.to_string()));
        match families {
            Ok(list) => {
                for f in &list {
                    out.extend(f.members.iter().filter_map(|m| Some((format!("{}/{}", f.name, m.name), f.dag(m).ok()?))));
                }
            }
            Err(why) => println!("{}: {why}", file.display()),
        }
    }
    let every = std::env::var("PLUMB_EVERY").ok().and_then(|s| s.parse().ok()).unwrap_or(1);
    out.into_iter().step_by(every).collect()
}

/// Runs all problems and prints a summary for each engine.
pub fn run(engines: &mut [Box<dyn Interpolator>]) -> Vec<Heat> {
    let names: Vec<&str> = engines.iter().map(|e| e.name()).collect();
    let verbose = std::env::var_os("PLUMB_VERBOSE").is_some();
    let mut heats: Vec<Heat> = Vec::new();
    for (name, dag) in problems() {
        let h = heat(engines, &dag);
        if verbose {
            let times: Vec<String> = h.runs.iter().map(|r| crate::show(r.time)).collect();
            println!(
                "{name:>24} {:>5} nodes {:>6} terms: check {}, {}",
                dag.nodes().len(),
                dag.size(),
                crate::show(h.check),
                times.join(", ")
            );
        }
        heats.push(h);
    }
    let sat = heats.iter().filter(|h| h.sat).count();
    println!("recorded problems: {}, of which {sat} have a path; {} undecided by the check", heats.len(), undecided(&heats));
    println!(
        "{:>8} {:>8} {:>8} {:>10} {:>10} {:>10} {:>8} {:>8}",
        "engine", "solved", "unknown", "total", "/check", "/spacer", "atoms", "size"
    );
    for (i, name) in names.iter().enumerate() {
        let solved = heats.iter().filter(|h| h.runs[i].time.is_some()).count();
        let total: Duration = heats.iter().filter_map(|h| h.runs[i].time).sum();
        let to_check = ratios(heats.iter().map(|h| (h.runs[i].time, h.check)));
        let to_rival = ratios(heats.iter().map(|h| (h.runs[i].time, h.runs[1].time)));
        let (atoms, size) = generality(&heats, i);
        println!(
            "{name:>8} {solved:>8} {:>8} {:>10} {:>10.2} {:>10.3} {atoms:>8.1} {size:>8.1}",
            heats.len() - solved,
            crate::show(Some(total)),
            geometric_mean(&to_check),
            geometric_mean(&to_rival)
        );
    }
    heats
}

fn undecided(heats: &[Heat]) -> usize {
    heats.iter().filter(|h| h.check.is_none()).count()
}

/// The mean number and size of atoms of an engine, over the problems that it and the rival have labels for.
fn generality(heats: &[Heat], engine: usize) -> (f64, f64) {
    let both = heats.iter().filter(|h| h.runs[1].labels.is_some());
    let found: Vec<(usize, usize)> = both.filter_map(|h| h.runs[engine].labels.as_deref().map(atoms::measure)).collect();
    let mean = |f: &dyn Fn(&(usize, usize)) -> usize| found.iter().map(|a| f(a) as f64).sum::<f64>() / found.len().max(1) as f64;
    (mean(&|a| a.0), mean(&|a| a.1))
}
