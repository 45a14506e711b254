//! Automata as text and as Graphviz graphs.

use plumb_cfa::{Edge, Function, Loc, Op, Program, Storage};
use plumb_term::{Term, VarId};
use std::fmt::Write;

fn var(program: &Program, v: VarId) -> String {
    let info = program.var(v);
    // Locals of several blocks may share a name.
    format!("{}_{}", info.name, v.0)
}

fn term(program: &Program, t: Term) -> String {
    plumb_term::print::show(t, &|v| var(program, v.id)).to_string()
}

/// An operation on one line.
pub fn op(program: &Program, op: &Op) -> String {
    let t = |x: &Term| term(program, *x);
    let v = |x: &VarId| var(program, *x);
    let into = |dst: &Option<VarId>| dst.as_ref().map(|d| format!("{} := ", v(d))).unwrap_or_default();
    match op {
        Op::Skip => "skip".to_owned(),
        Op::Assume(c) => format!("assume {}", t(c)),
        Op::Guard { cond, ub } => format!("guard {} else {}", t(cond), ub.describe()),
        Op::Assign(updates) => updates.iter().map(|(x, e)| format!("{} := {}", v(x), t(e))).collect::<Vec<_>>().join(", "),
        Op::Havoc { var: x, source } => format!("{} := input {source:?}", v(x)),
        Op::HavocMem { region, addr, len } => format!("input region {} at {} for {}", region.0, t(addr), t(len)),
        Op::EndLife { addr } => format!("end of life at {}", t(addr)),
        Op::Alloc { dst, size, region, storage, zeroed } => {
            let kind = match storage {
                Storage::Heap => "heap",
                Storage::Frame => "frame",
                Storage::Block => "block",
            };
            format!("{} := {kind} object of {} bytes in region {}{}", v(dst), t(size), region.0, if *zeroed { ", zeroed" } else { "" })
        }
        Op::Free { addr } => format!("free {}", t(addr)),
        Op::Call { func, args, dst } => {
            let list: Vec<String> = args.iter().map(t).collect();
            format!("{}{}({})", into(dst), program.function(*func).name, list.join(", "))
        }
        Op::Output { name, args, dst } => {
            let list: Vec<String> = args.iter().map(|a| t(&a.1)).collect();
            format!("{}{name}({})", into(dst), list.join(", "))
        }
        Op::Halt { status } => format!("halt {}", status.as_ref().map_or("by a signal".to_owned(), t)),
        Op::Unsupported(what) => format!("unsupported: {what}"),
    }
}

/// What is special about a location.
fn mark(f: &Function, l: Loc) -> String {
    let info = f.graph.loc(l);
    let mut out = String::new();
    if l == f.entry {
        out.push_str(" entry");
    }
    if l == f.exit {
        out.push_str(" exit");
    }
    if f.errors.contains(&l) {
        out.push_str(" error");
    }
    if info.loop_span.is_some() {
        out.push_str(" loop");
    }
    if let Some(label) = &info.label {
        let _ = write!(out, " {label}:");
    }
    out
}

fn edge_text(program: &Program, e: &Edge) -> String {
    op(program, &e.op)
}

/// The whole program, one edge a line.
pub fn text(program: &Program) -> String {
    let mut out = String::new();
    for (i, o) in program.objects.iter().enumerate() {
        let _ = writeln!(out, "object {i} {:?} at 0x{:x}, {} bytes, region {}", o.name, o.addr, o.size, o.region.0);
    }
    for (i, r) in program.regions.iter().enumerate() {
        let _ = writeln!(out, "region {i} {} of {:?}", var(program, r.var), r.cell);
    }
    for f in &program.functions {
        let params: Vec<String> = f.params.iter().map(|p| format!("{} {}", program.var(*p).c_type, var(program, *p))).collect();
        let _ = writeln!(out, "\nfunction {}({}) {{ // {}", f.name, params.join(", "), program.sources.show(f.span));
        for l in f.graph.locs() {
            let _ = writeln!(out, "  {}:{}", l.0, mark(f, l));
            for e in f.graph.out_edges(l).iter().map(|e| f.graph.edge(*e)) {
                let _ = writeln!(out, "    -> {}: {}    // {}", e.to.0, edge_text(program, e), program.sources.show(e.span));
            }
        }
        out.push_str("}\n");
    }
    out
}

fn escape(s: &str) -> String {
    let short: String = s.chars().take(120).collect();
    short.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', " ")
}

/// A Graphviz graph with one cluster per function.
pub fn dot(program: &Program) -> String {
    let mut out = String::from("digraph cfa {\n  node [shape=circle, fontsize=10, width=0.3, fixedsize=false];\n  edge [fontsize=9];\n");
    for (i, f) in program.functions.iter().enumerate() {
        let _ = writeln!(out, "  subgraph cluster_{i} {{\n    label=\"{}\";", escape(&f.name));
        for l in f.graph.locs() {
            let style = if f.errors.contains(&l) {
                ", color=red, style=bold"
            } else if f.graph.loc(l).loop_span.is_some() {
                ", shape=doublecircle"
            } else if l == f.entry || l == f.exit {
                ", shape=box"
            } else {
                ""
            };
            let _ = writeln!(out, "    f{i}_{} [label=\"{}{}\"{style}];", l.0, l.0, escape(&mark(f, l)));
        }
        for (_, e) in f.graph.edges() {
            let _ = writeln!(out, "    f{i}_{} -> f{i}_{} [label=\"{}\"];", e.from.0, e.to.0, escape(&edge_text(program, e)));
        }
        out.push_str("  }\n");
    }
    out.push_str("}\n");
    out
}
