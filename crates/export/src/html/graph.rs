//! Graphs for the page: the control flow of each function in blocks, and reachability graphs.

use crate::cexpr::Printer;
use crate::scope::Scopes;
use crate::subject::Subject;
use plumb_cfa::wto::Wto;
use plumb_cfa::{text, EdgeId, FuncId, Function, Loc, Op, VarKind};
use plumb_term::Span;
use plumb_verdict::ReachGraph;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A place in the files as they are shown: which file, which line of it.
type At = (usize, u32);

/// A node of a drawing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Node {
    /// What it says.
    pub lines: Vec<String>,
    /// `entry`, `exit`, `error`, `covered` or nothing.
    pub kind: String,
    /// The source lines it stands for.
    pub at: Vec<At>,
    /// The heads of the loops around it, outermost first, without itself.
    pub loops: Vec<usize>,
}

/// A graph to be drawn; the first node is its entry.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Drawing {
    /// What it shows.
    pub name: String,
    /// Its nodes.
    pub nodes: Vec<Node>,
    /// From, to, label, and whether it is dashed.
    pub edges: Vec<(usize, usize, String, bool)>,
}

/// What the page shows of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Drawings {
    /// The user's functions, those called first last.
    pub functions: Vec<Drawing>,
    /// The names of variables with static storage.
    pub globals: Vec<String>,
}

/// The control flow of the user's functions.
pub fn functions(subject: &Subject<'_>) -> Drawings {
    let program = subject.program;
    let scopes = Scopes::new(program, subject.sources);
    let mut out = Drawings::default();
    for (i, f) in program.functions.iter().enumerate() {
        let id = FuncId(i as u32);
        let is_users = subject.sources.line(&program.sources, f.span).is_some();
        if id != program.entry && is_users {
            let entry = Blocks { subject, scopes: &scopes, id, f, wto: Wto::new(&f.graph, f.entry) };
            out.functions.push(entry.drawing());
        }
    }
    // The program's own beginning first.
    if let Some(main) = out.functions.iter().position(|d| d.name == "main") {
        out.functions[..=main].rotate_right(1);
    }
    let statics = program.vars.iter().filter(|v| v.func.is_none() && v.kind == VarKind::Source).map(|v| v.name.clone());
    out.globals = statics.chain(program.objects.iter().filter(|o| o.func.is_none()).map(|o| o.name.clone())).collect();
    out
}

struct Blocks<'a> {
    subject: &'a Subject<'a>,
    scopes: &'a Scopes<'a>,
    id: FuncId,
    f: &'a Function,
    wto: Wto,
}

impl Blocks<'_> {
    /// Whether a block begins here and not in the middle of the block before.
    fn begins(&self, l: Loc) -> bool {
        let g = &self.f.graph;
        let single = match g.in_edges(l) {
            [e] => g.out_edges(g.edge(*e).from).len() == 1,
            _ => false,
        };
        !single || l == self.f.entry || l == self.f.exit || self.f.errors.contains(&l) || self.wto.headed_by(l).is_some()
    }

    fn drawing(&self) -> Drawing {
        let g = &self.f.graph;
        let mut number: BTreeMap<Loc, usize> = BTreeMap::new();
        let starts: Vec<Loc> = self.wto.order().iter().copied().filter(|l| self.begins(*l)).collect();
        for (i, l) in starts.iter().enumerate() {
            number.insert(*l, i);
        }
        let mut out = Drawing { name: self.f.name.clone(), ..Drawing::default() };
        for start in &starts {
            let mut node = Node { kind: self.kind(*start), ..Node::default() };
            let heads = self.wto.components(*start).into_iter().map(|c| self.wto.head(c)).filter(|h| h != start);
            node.loops = heads.filter_map(|h| number.get(&h).copied()).collect();
            let from = number[start];
            let mut at = *start;
            loop {
                let edges = g.out_edges(at);
                if let [e] = edges {
                    let edge = g.edge(*e);
                    self.say(&mut node, *e);
                    match number.get(&edge.to) {
                        Some(to) => out.edges.push((from, *to, String::new(), false)),
                        None => {
                            at = edge.to;
                            continue;
                        }
                    }
                } else {
                    for e in edges {
                        let edge = g.edge(*e);
                        let Some(to) = number.get(&edge.to) else { continue };
                        out.edges.push((from, *to, self.condition(*e), false));
                        self.note_place(&mut node, edge.span);
                    }
                }
                break;
            }
            if node.lines.is_empty() {
                node.lines.push(self.title(*start));
            }
            out.nodes.push(node);
        }
        out
    }

    fn kind(&self, l: Loc) -> String {
        let kind = match l {
            _ if self.f.errors.contains(&l) => "error",
            _ if l == self.f.entry => "entry",
            _ if l == self.f.exit => "exit",
            _ => "",
        };
        kind.to_owned()
    }

    fn title(&self, l: Loc) -> String {
        match (self.kind(l).as_str(), self.f.graph.loc(l).loop_span) {
            ("error", _) => "the error".to_owned(),
            ("entry", _) => self.f.name.clone(),
            ("exit", _) => "return".to_owned(),
            (_, Some(span)) => format!("{}: {}", span.line, self.source(span).unwrap_or_default()),
            _ => "·".to_owned(),
        }
    }

    fn source(&self, span: Span) -> Option<String> {
        self.subject.sources.line(&self.subject.program.sources, span).map(|s| s.into_owned())
    }

    /// Notes the source line; whether it is a new one.
    fn note_place(&self, node: &mut Node, span: Span) -> bool {
        let map = &self.subject.program.sources;
        let Some(at) = self.subject.sources.physical(map.name(span.file), span.line) else { return false };
        let new = !node.at.contains(&at);
        if new {
            node.at.push(at);
            if let Some(source) = self.source(span) {
                node.lines.push(format!("{}: {source}", span.line));
            }
        }
        new
    }

    fn say(&self, node: &mut Node, e: EdgeId) {
        let edge = self.f.graph.edge(e);
        let known = edge.span.is_known() && self.source(edge.span).is_some();
        if known {
            self.note_place(node, edge.span);
        } else if !matches!(edge.op, Op::Skip) {
            node.lines.push(text::op(self.subject.program, &edge.op));
        }
    }

    fn condition(&self, e: EdgeId) -> String {
        let edge = self.f.graph.edge(e);
        match &edge.op {
            Op::Assume(t) => Printer::new(self.scopes, self.id, edge.span).exactly(*t).unwrap_or_default(),
            Op::Skip => String::new(),
            op => text::op(self.subject.program, op).chars().take(200).collect(),
        }
    }
}

/// A reachability graph.
pub fn reachability(subject: &Subject<'_>, graph: &ReachGraph) -> Drawing {
    let nodes = crate::dot::node_texts(subject, graph).into_iter().zip(&graph.nodes).map(|(lines, n)| {
        let kind = match n {
            n if n.point.is_none() && !n.label.is_false() => "error",
            n if !n.covered_by.is_empty() => "covered",
            _ => "",
        };
        let span = n.point.as_ref().map(|p| {
            let info = subject.program.function(p.func).graph.loc(p.loc);
            info.loop_span.unwrap_or(info.span)
        });
        let at = span.and_then(|s| subject.sources.physical(subject.program.sources.name(s.file), s.line));
        Node { lines, kind: kind.to_owned(), at: at.into_iter().collect(), loops: Vec::new() }
    });
    let mut edges: Vec<(usize, usize, String, bool)> = graph.edges.iter().map(|(a, b)| (*a, *b, String::new(), false)).collect();
    for (i, n) in graph.nodes.iter().enumerate() {
        edges.extend(n.covered_by.iter().map(|c| (i, *c, "covered".to_owned(), true)));
    }
    Drawing { name: "reachability graph".to_owned(), nodes: nodes.collect(), edges }
}
