//! A reachability graph as a Graphviz graph: labels as C expressions, covered nodes dashed, with dashed edges to what covers them.

use crate::cexpr::Printer;
use crate::report::position;
use crate::scope::Scopes;
use crate::subject::Subject;
use plumb_term::print::show;
use plumb_term::Term;
use plumb_verdict::{GraphNode, ReachGraph};
use std::fmt::Write;

/// Longer expressions are cut.
const WIDTH: usize = 120;
/// More conjuncts than this are not shown.
const LINES: usize = 24;

/// The graph in Graphviz' language.
pub fn dot(subject: &Subject<'_>, graph: &ReachGraph) -> String {
    let scopes = Scopes::new(subject.program, subject.sources);
    let mut out = String::from("digraph arg {\n  node [shape=box, fontname=monospace];\n");
    for (i, node) in graph.nodes.iter().enumerate() {
        let mut lines = vec![format!("{i}: {}", place(subject, node))];
        lines.extend(label(subject, &scopes, node));
        let text: String = lines.iter().map(|l| escape(l) + "\\l").collect();
        let style = match node {
            GraphNode { point: None, label, .. } if label.is_false() => ", color=gray",
            GraphNode { point: None, .. } => ", color=red, penwidth=2",
            n if n.label.is_false() => ", color=gray",
            n if !n.covered_by.is_empty() => ", style=dashed",
            _ => "",
        };
        let _ = writeln!(out, "  n{i} [label=\"{text}\"{style}];");
    }
    for (from, to) in &graph.edges {
        let _ = writeln!(out, "  n{from} -> n{to};");
    }
    for (i, node) in graph.nodes.iter().enumerate() {
        for c in &node.covered_by {
            let _ = writeln!(out, "  n{i} -> n{c} [style=dashed, color=blue, constraint=false, label=covered];");
        }
    }
    out.push_str("}\n");
    out
}

/// What each node says, line by line.
pub(crate) fn node_texts(subject: &Subject<'_>, graph: &ReachGraph) -> Vec<Vec<String>> {
    let scopes = Scopes::new(subject.program, subject.sources);
    let text = |node: &GraphNode| std::iter::once(place(subject, node)).chain(label(subject, &scopes, node)).collect();
    graph.nodes.iter().map(text).collect()
}

/// Where a node is, as the user would say it.
fn place(subject: &Subject<'_>, node: &GraphNode) -> String {
    let Some(point) = &node.point else { return "error".to_owned() };
    let function = subject.program.function(point.func);
    let info = function.graph.loc(point.loc);
    if point.func == subject.program.entry && point.loc == function.entry {
        return "entry".to_owned();
    }
    match info.loop_span.or(Some(info.span)).filter(|s| s.is_known()) {
        Some(span) => {
            let p = position(subject, span, Some(point.func));
            let source = subject.sources.line(&subject.program.sources, span).unwrap_or_default();
            format!("{}, line {}: {}", function.name, p.line, cut(source.trim()))
        }
        None => function.name.clone(),
    }
}

/// The conjuncts of a label and of what was known before.
fn label(subject: &Subject<'_>, scopes: &Scopes<'_>, node: &GraphNode) -> Vec<String> {
    let printer = node.point.as_ref().map(|p| {
        let info = subject.program.function(p.func).graph.loc(p.loc);
        Printer::new(scopes, p.func, info.loop_span.unwrap_or(info.span))
    });
    let mut out = match node.label {
        t if t.is_true() || t.is_false() => vec![t.to_string()],
        t => conjuncts(subject, printer, t),
    };
    if !node.label.is_false() {
        let known = printer.map_or_else(Vec::new, |p| p.conjuncts(node.known));
        out.extend(known.iter().take(LINES).map(|c| format!("known: {}", cut(c))));
    }
    out
}

/// The conjuncts of a formula; what has no C expression is shown as the term that it is.
fn conjuncts(subject: &Subject<'_>, printer: Option<Printer<'_>>, t: Term) -> Vec<String> {
    let text = |c: &Term| printer.and_then(|p| p.exactly(*c)).unwrap_or_else(|| named(subject, *c));
    let all: Vec<Term> = t.conjuncts().into_iter().filter(|c| !c.is_true()).collect();
    let mut out: Vec<String> = all.iter().take(LINES).map(|c| cut(&text(c))).collect();
    if all.len() > LINES {
        out.push(format!("… {} more", all.len() - LINES));
    }
    out
}

/// A term with the names of the variables, wherever they are declared.
fn named(subject: &Subject<'_>, t: Term) -> String {
    let name = |v: plumb_term::Var| subject.program.vars.get(v.id.0 as usize).map_or_else(|| format!("v{}", v.id.0), |i| i.name.clone());
    let text = show(t, &name).to_string();
    text
}

fn cut(text: &str) -> String {
    let mut chars = text.chars();
    let head: String = chars.by_ref().take(WIDTH).collect();
    if chars.next().is_some() {
        head + "…"
    } else {
        head
    }
}

fn escape(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
