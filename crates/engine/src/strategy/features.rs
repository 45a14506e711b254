//! What the default strategy looks at: never at a name, a path or a text, only at what the program does.

use plumb_cfa::callgraph::CallGraph;
use plumb_cfa::wto::Wto;
use plumb_cfa::{Op, Program, Storage};
use plumb_term::visit::postorder;
use plumb_term::{Kind, Term, VarTy};

/// What the functions that can be called contain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Features {
    /// Loops.
    pub loops: usize,
    /// A function that calls itself, directly or through others.
    pub recursion: bool,
    /// Memory at places that are computed.
    pub arrays: bool,
    /// Allocations.
    pub heap: bool,
    /// Floating-point arithmetic.
    pub floats: bool,
    /// Products and quotients of variables.
    pub nonlinear: bool,
    /// Bit operations.
    pub bits: bool,
    /// Edges.
    pub size: usize,
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
            out.loops += Wto::new(&f.graph, f.entry).heads().len();
            for (_, e) in f.graph.edges() {
                out.size += 1;
                out.heap |= matches!(&e.op, Op::Alloc { storage: Storage::Heap, .. });
                terms.extend(e.op.operands());
            }
        }
        postorder(terms).into_iter().for_each(|t| out.look(t));
        out
    }

    fn look(&mut self, t: Term) {
        match t.kind() {
            Kind::Load(_, _, at) | Kind::Store(_, _, at, _) => self.arrays |= !is_constant(*at),
            Kind::Mul(..) => self.nonlinear = true,
            Kind::Div(_, by) | Kind::Rem(_, by) => self.nonlinear |= !is_constant(*by),
            Kind::BitAnd(..) | Kind::BitOr(..) | Kind::BitXor(..) => self.bits = true,
            Kind::Shl(_, by) | Kind::Shr(_, by) => self.bits |= !is_constant(*by),
            Kind::FBin(..) | Kind::FUn(..) | Kind::FCmp(..) | Kind::FTest(..) | Kind::FFromInt(..) | Kind::FToInt(..) => self.floats = true,
            Kind::Var(v) => self.floats |= matches!(v.ty, VarTy::Scalar(plumb_term::Scalar::Float(_))),
            _ => {}
        }
    }
}

fn is_constant(t: Term) -> bool {
    matches!(t.kind(), Kind::Int(_))
}
