//! The report as text for a terminal.

use crate::report::{Answer, Figure, Invariant, PathStep, Position, Report};
use std::fmt::Write;

/// Source lines are cut to this width.
const SOURCE_WIDTH: usize = 60;
/// More steps than this are cut in the middle.
const MAX_STEPS: usize = 120;

/// The explanation of a definite answer, or of an attempt that gave none.
pub fn explain(report: &Report) -> String {
    let mut out = String::new();
    match report.verdict {
        Answer::True => proved(&mut out, report),
        Answer::False => refuted(&mut out, report),
        Answer::Unknown => unknown(&mut out, report),
    }
    for r in &report.remarks {
        let _ = writeln!(out, "Note: {r}.");
    }
    missing(&mut out, report);
    out
}

/// The figures of a run, one on each line.
pub fn statistics(report: &Report) -> String {
    let mut out = format!("Statistics of {}:\n", if report.config.is_empty() { "the run" } else { &report.config });
    let width = report.statistics.iter().map(|(n, _)| n.chars().count()).max().unwrap_or(0);
    for (name, value) in &report.statistics {
        let value = match value {
            Figure::Count(n) => n.to_string(),
            Figure::Seconds(s) => format!("{s:.3}"),
            Figure::Text(t) => t.clone(),
        };
        let _ = writeln!(out, "  {name:width$}  {value}");
    }
    out
}

/// `file:line`.
pub fn place(p: &Position) -> String {
    format!("{}:{}", p.file, p.line)
}

/// `file:line:column`.
pub fn exact_place(p: &Position) -> String {
    format!("{}:{}:{}", p.file, p.line, p.column)
}

fn proved(out: &mut String, report: &Report) {
    let _ = writeln!(out, "Proof, checked independently: {}.", report.reason);
    for c in &report.contracts {
        let _ = writeln!(out, "  {}: {}", exact_place(&c.position), c.function);
        for (word, clauses) in [("requires", &c.requires), ("ensures", &c.ensures)] {
            for e in clauses {
                let _ = writeln!(out, "      {word} {e}");
            }
        }
        if c.partial {
            out.push_str("      (and what has no short C expression)\n");
        } else if c.requires.is_empty() && c.ensures.is_empty() {
            out.push_str("      (nothing is required and nothing ensured)\n");
        }
    }
    let silent = |i: &&Invariant| i.expressions.is_empty() && i.for_all.is_empty();
    for i in report.invariants.iter().filter(|i| !silent(i)) {
        let function = i.position.function.as_deref().map(|f| format!(" in {f}")).unwrap_or_default();
        let _ = writeln!(out, "  {}{function}: {}", exact_place(&i.position), shorten(&i.source));
        for e in i.expressions.iter().chain(&i.for_all) {
            let _ = writeln!(out, "      {e}");
        }
    }
    let silent = report.invariants.iter().filter(silent).count();
    if silent > 0 {
        let _ = writeln!(
            out,
            "  ({silent} more {} an invariant that has no short C expression, or none but `true`)",
            if silent == 1 { "loop has" } else { "loops have" }
        );
    }
}

fn refuted(out: &mut String, report: &Report) {
    let _ = writeln!(out, "Error path, replayed from its inputs:");
    let width = report.path.iter().map(|s| place(&s.position).len()).max().unwrap_or(0);
    let total = report.path.len();
    let mut function = None;
    for (i, step) in report.path.iter().enumerate() {
        if total > MAX_STEPS && i >= MAX_STEPS / 2 && i < total - MAX_STEPS / 2 {
            if i == MAX_STEPS / 2 {
                let _ = writeln!(out, "  {:width$}  … {} steps …", "", total - MAX_STEPS);
            }
            continue;
        }
        if step.omitted > 0 {
            let _ = writeln!(out, "  {:width$}  … {} steps of further iterations …", "", step.omitted);
        }
        let here = (step.position.function.clone(), step.depth);
        if function.as_ref() != Some(&here) {
            if let Some(name) = &here.0 {
                let _ = writeln!(out, "  {:width$}  {}in {name}:", "", indent(step));
            }
            function = Some(here);
        }
        let _ = writeln!(out, "  {:width$}  {}{}", place(&step.position), indent(step), line(step));
    }
    if let Some(p) = &report.position {
        let _ = writeln!(out, "  {:width$}  the error", place(p));
    }
    let others: Vec<String> = report
        .inputs
        .iter()
        .filter(|i| i.kind != "nondet")
        .map(|i| format!("{} {} = {} ({})", i.kind, i.name, i.value, place(&i.position)))
        .collect();
    if !others.is_empty() {
        let _ = writeln!(out, "Values taken from elsewhere than __VERIFIER_nondet_*:");
        for o in others.iter().take(20) {
            let _ = writeln!(out, "  {o}");
        }
        if others.len() > 20 {
            let _ = writeln!(out, "  … and {} more", others.len() - 20);
        }
    }
}

fn indent(step: &PathStep) -> String {
    "  ".repeat(step.depth.saturating_sub(1).min(20))
}

fn line(step: &PathStep) -> String {
    let mut notes: Vec<String> = step.conditions.clone();
    notes.extend(step.assigned.iter().take(12).map(|a| format!("{} = {}", a.name, a.value)));
    if step.assigned.len() > 12 {
        notes.push("…".to_owned());
    }
    let source = shorten(&step.source);
    if notes.is_empty() {
        source
    } else {
        format!("{source:<44} // {}", notes.join(", "))
    }
}

fn unknown(out: &mut String, report: &Report) {
    let place = report.position.as_ref().map(|p| format!("{}: ", exact_place(p))).unwrap_or_default();
    let who = if report.config.is_empty() { String::new() } else { format!("{}: ", report.config) };
    let _ = writeln!(out, "{who}{place}{}", report.reason);
    for fact in &report.established {
        let _ = writeln!(out, "    established: {fact}");
    }
}

fn missing(out: &mut String, report: &Report) {
    if report.missing_bodies.is_empty() {
        return;
    }
    let names: Vec<String> = report.missing_bodies.iter().map(|m| format!("{} ({})", m.name, place(&m.position))).collect();
    let _ = writeln!(out, "Functions without a body, taken to return anything and to change nothing:");
    for n in names.iter().take(20) {
        let _ = writeln!(out, "  {n}");
    }
    if names.len() > 20 {
        let _ = writeln!(out, "  … and {} more", names.len() - 20);
    }
}

fn shorten(source: &str) -> String {
    let mut chars = source.chars();
    let head: String = chars.by_ref().take(SOURCE_WIDTH).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if chars.next().is_some() {
        format!("{head}…")
    } else {
        head
    }
}
