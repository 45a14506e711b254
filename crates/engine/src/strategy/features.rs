//! What the default strategy looks at: never at a name, a path or a text, only at what the program does.

use plumb_cfa::callgraph::CallGraph;
use plumb_cfa::wto::Wto;
use plumb_cfa::{InputSource, Op, Program};
use plumb_term::visit::postorder;
use plumb_term::Kind;

/// What the functions that can be called contain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Features {
    /// Loops.
    pub loops: bool,
    /// A function that calls itself, directly or through others.
    pub recursion: bool,
    /// Memory at addresses that are computed.
    pub indexing: bool,
    /// Objects of the heap.
    pub allocates: bool,
    /// Products of integers that are computed.
    pub products: bool,
    /// Inputs, other than what variables hold before their first assignment.
    pub inputs: bool,
    /// How many edges their automata have.
    pub edges: usize,
}

impl Features {
    /// Those of a program.
    pub fn of(program: &Program) -> Features {
        let calls = CallGraph::new(program);
        let mut out = Features::default();
        let mut terms = Vec::new();
        for id in calls.bottom_up(program.entry) {
            let f = program.function(id);
            out.recursion |= calls.is_recursive(id);
            out.loops |= !Wto::new(&f.graph, f.entry).heads().is_empty();
            out.edges += f.graph.edges().count();
            out.allocates |= f.graph.edges().any(|(_, e)| matches!(e.op, Op::Alloc { .. }));
            out.inputs |=
                f.graph.edges().any(|(_, e)| matches!(&e.op, Op::Havoc { source, .. } if !matches!(source, InputSource::Uninit(_))));
            terms.extend(f.graph.edges().flat_map(|(_, e)| e.op.operands()));
        }
        for t in postorder(terms) {
            match t.kind() {
                Kind::Load(_, _, at) | Kind::Store(_, _, at, _) => out.indexing |= at.as_int().is_none(),
                Kind::Mul(..) => out.products = true,
                _ => {}
            }
        }
        out
    }
}
