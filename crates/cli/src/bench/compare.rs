//! Two runs side by side.

use super::html;
use super::table::{Row, Table};
use crate::exit::{self, say};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// More tasks than this are not listed.
const LISTED: usize = 60;

/// Compares two files of results; the exit code.
pub fn main(a: &Path, b: &Path, page: Option<&Path>) -> u8 {
    let read = |p: &Path| {
        let text = std::fs::read_to_string(p).map_err(|e| format!("{}: {e}", p.display()))?;
        Table::parse(&text).map_err(|e| format!("{}:{e}", p.display()))
    };
    let (ta, tb) = match (read(a), read(b)) {
        (Ok(x), Ok(y)) => (x, y),
        (Err(e), _) | (_, Err(e)) => return exit::usage(&e),
    };
    say(&compare(&ta, &tb));
    if let Some(path) = page {
        let names = [a.display().to_string(), b.display().to_string()];
        let text = html::page("comparison", &[(&names[0], &ta), (&names[1], &tb)], "");
        if let Err(e) = std::fs::write(path, text) {
            return exit::usage(&format!("{}: {e}", path.display()));
        }
    }
    exit::PROVED
}

fn compare(a: &Table, b: &Table) -> String {
    let others: BTreeMap<&str, &Row> = b.rows.iter().map(|r| (r.task.as_str(), r)).collect();
    let common: Vec<(&Row, &Row)> = a.rows.iter().filter_map(|r| others.get(r.task.as_str()).map(|o| (r, *o))).collect();
    let only_a: Vec<&Row> = common.iter().filter(|(x, y)| x.is_solved() && !y.is_solved()).map(|p| p.0).collect();
    let only_b: Vec<&Row> = common.iter().filter(|(x, y)| !x.is_solved() && y.is_solved()).map(|p| p.1).collect();
    let both: Vec<&(&Row, &Row)> = common.iter().filter(|(x, y)| x.is_solved() && y.is_solved()).collect();
    let wrong = |f: &dyn Fn(&(&Row, &Row)) -> bool| common.iter().filter(|p| f(p)).count();
    let mut out = format!(
        "common tasks {}; both solve {}; only A {}; only B {}; wrong A {}, B {}\n",
        common.len(),
        both.len(),
        only_a.len(),
        only_b.len(),
        wrong(&|p| p.0.is_wrong()),
        wrong(&|p| p.1.is_wrong())
    );
    if !both.is_empty() {
        let logs: f64 = both.iter().map(|(x, y)| (x.cpu.max(0.01) / y.cpu.max(0.01)).ln()).sum();
        let limit = common.iter().flat_map(|(x, y)| [x.cpu, y.cpu]).fold(0.0, f64::max);
        let par2 = |rows: Vec<&Row>| -> f64 { rows.iter().map(|r| if r.is_solved() { r.cpu } else { 2.0 * limit }).sum() };
        let _ = writeln!(
            out,
            "CPU ratio A/B on tasks both solve, geometric mean: {:.3}; PAR-2 A {:.0}, B {:.0}",
            (logs / both.len() as f64).exp(),
            par2(common.iter().map(|p| p.0).collect()),
            par2(common.iter().map(|p| p.1).collect())
        );
    }
    for (label, rows) in [("only A", only_a), ("only B", only_b)] {
        for r in rows.iter().take(LISTED) {
            let _ = writeln!(out, "{label}: {} ({})", r.task, if r.expected.is_empty() { &r.got } else { &r.expected });
        }
        if rows.len() > LISTED {
            let _ = writeln!(out, "{label}: {} more", rows.len() - LISTED);
        }
    }
    for (x, y) in common.iter().filter(|(x, y)| x.is_solved() && y.is_solved() && x.got != y.got) {
        let _ = writeln!(out, "they disagree: {} ({}, {})", x.task, x.got, y.got);
    }
    out
}
