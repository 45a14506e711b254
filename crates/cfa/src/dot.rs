//! Programs for Graphviz: one cluster for each function, loop heads doubled, errors filled, calls dashed.

use crate::graph::Loc;
use crate::op::Op;
use crate::program::{FuncId, Function, Program};
use crate::text;
use crate::wto::Wto;
use std::fmt;

/// Labels longer than this are cut.
const MAX_LABEL: usize = 120;

/// A program in the language of Graphviz.
pub struct Dot<'p>(pub &'p Program);

impl fmt::Display for Dot<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "digraph program {{")?;
        writeln!(f, "  node [shape=circle, fontname=monospace, fontsize=10];")?;
        writeln!(f, "  edge [fontname=monospace, fontsize=9];")?;
        for (i, function) in self.0.functions.iter().enumerate() {
            cluster(self.0, FuncId(i as u32), function, f)?;
        }
        writeln!(f, "}}")
    }
}

fn node(id: FuncId, l: Loc) -> String {
    format!("f{}_{}", id.0, l.0)
}

fn cluster(p: &Program, id: FuncId, function: &Function, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let wto = Wto::new(&function.graph, function.entry);
    writeln!(f, "  subgraph cluster_{} {{", id.0)?;
    writeln!(f, "    label={};", quoted(&function.name))?;
    for l in function.graph.locs() {
        let mut style = String::new();
        if wto.headed_by(l).is_some() {
            style.push_str(", shape=doublecircle");
        }
        if function.errors.contains(&l) {
            style.push_str(", style=filled, fillcolor=salmon");
        } else if l == function.entry || l == function.exit {
            style.push_str(", style=bold");
        }
        let info = function.graph.loc(l);
        let tip = p.sources.show(info.loop_span.unwrap_or(info.span)).to_string();
        writeln!(f, "    {} [label=\"{}\", tooltip={}{style}];", node(id, l), l.0, quoted(&tip))?;
    }
    for (_, e) in function.graph.edges() {
        let style = if matches!(e.op, Op::Call { .. }) { ", style=dashed" } else { "" };
        let label = quoted(&text::op(p, &e.op));
        writeln!(f, "    {} -> {} [label={label}{style}];", node(id, e.from), node(id, e.to))?;
    }
    writeln!(f, "  }}")
}

fn quoted(s: &str) -> String {
    let mut out = String::from("\"");
    for (i, c) in s.chars().enumerate() {
        if i == MAX_LABEL {
            out.push('…');
            break;
        }
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
