//! The graph of the function being lowered, under construction.
//!
//! Edges are appended at a current location. Two things are done after the fact, because only then it is known whether they are
//! needed: saving a value that a later part of the expression may change ([`Cx::protect`]), and making the second operand of
//! `&&`, `||` and `?:` conditional because it turned out to have effects. Both insert edges at a [`Mark`].

use plumb_cfa::{FuncId, Loc, LocInfo, Op};
use plumb_term::visit;
use plumb_term::{Span, Term, VarId, VarTy};
use rustc_hash::{FxHashMap, FxHashSet};

use super::place::Mem;
use crate::pointsto::Node;
use crate::types::{Ty, Types};
use crate::Symbol;

/// An edge whose ends may still move.
#[derive(Clone, Debug)]
pub(crate) struct RawEdge {
    pub from: Loc,
    pub to: Loc,
    pub op: Op,
    pub span: Span,
}

/// A point in the construction: the current location and what had been built.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    pub loc: Loc,
    pub edges: usize,
}

/// An automatic object that lives in a scope.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Live {
    pub addr: Term,
    /// Where its contents live and its size, if it has a fixed address.
    pub fixed: Option<(Node, Term)>,
}

/// A label of the function.
#[derive(Clone, Debug)]
pub(crate) struct LabelInfo {
    pub loc: Loc,
    /// The scopes around it, outermost first; `None` until its definition is seen.
    pub scopes: Option<Vec<u32>>,
    /// The objects that live there.
    pub live: Vec<(u32, Live)>,
    pub first_use: Span,
}

/// A jump whose target's scopes were not known.
#[derive(Clone, Debug)]
pub(crate) struct Goto {
    pub from: Loc,
    pub label: (u32, Symbol),
    pub live: Vec<(u32, Live)>,
    pub span: Span,
    pub cond: Option<Term>,
}

/// A jump through a label value.
#[derive(Clone, Debug)]
pub(crate) struct Computed {
    pub from: Loc,
    pub value: Term,
    pub live: Vec<(u32, Live)>,
    pub span: Span,
}

/// What `break` and `continue` mean.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target {
    pub loc: Loc,
    /// How many scopes stay open there.
    pub scopes: usize,
}

/// The cases of the innermost `switch`.
#[derive(Clone, Debug)]
pub(crate) struct Switch {
    pub value: Term,
    pub ty: Ty,
    /// Where the dispatch happens.
    pub cases: Vec<(Term, Loc, Span)>,
    pub default: Option<(Loc, Span)>,
    /// Before the dispatch, for locals whose declarations it jumps past.
    pub mark: Mark,
}

/// A scope's objects and its identity.
#[derive(Clone, Debug, Default)]
pub(crate) struct LiveScope {
    pub id: u32,
    pub objects: Vec<Live>,
    pub local_labels: Vec<Symbol>,
}

/// The function being lowered.
#[derive(Clone, Debug)]
pub(crate) struct Cx {
    pub func: FuncId,
    pub name: String,
    pub locs: Vec<LocInfo>,
    pub edges: Vec<RawEdge>,
    pub cur: Loc,
    pub entry: Loc,
    pub exit: Loc,
    pub errors: Vec<Loc>,
    /// Calls through pointers, to be narrowed when it is known what those point to.
    pub indirect: Vec<IndirectCall>,
    pub locals: Vec<VarId>,
    pub local_set: FxHashSet<VarId>,
    pub params: Vec<VarId>,
    pub result: Option<VarId>,
    pub result_object: Option<Mem>,
    pub ret: Ty,
    /// Automatic objects come from the allocator: the function may have several activations.
    pub recursive: bool,
    pub has_labels: bool,
    /// Whether the innermost block can be entered by `goto`.
    pub jumped_into: bool,
    /// Whether the innermost block is the body of the innermost `switch`.
    pub in_switch_body: bool,
    pub varargs: Option<VarId>,
    pub scopes: Vec<LiveScope>,
    pub next_scope: u32,
    pub breaks: Vec<Target>,
    pub continues: Vec<Target>,
    pub switches: Vec<Switch>,
    pub labels: FxHashMap<(u32, Symbol), LabelInfo>,
    pub gotos: Vec<Goto>,
    pub computed: Vec<Computed>,
    pub loads: u64,
    pub span: Span,
    pub unevaluated: u32,
}

impl Cx {
    pub fn new(func: FuncId, name: String, span: Span) -> Cx {
        let mut cx = Cx {
            func,
            name,
            locs: Vec::new(),
            edges: Vec::new(),
            cur: Loc(0),
            entry: Loc(0),
            exit: Loc(1),
            errors: Vec::new(),
            indirect: Vec::new(),
            locals: Vec::new(),
            local_set: FxHashSet::default(),
            params: Vec::new(),
            result: None,
            result_object: None,
            ret: Types::VOID,
            recursive: false,
            has_labels: false,
            jumped_into: false,
            in_switch_body: false,
            varargs: None,
            scopes: Vec::new(),
            next_scope: 0,
            breaks: Vec::new(),
            continues: Vec::new(),
            switches: Vec::new(),
            labels: FxHashMap::default(),
            gotos: Vec::new(),
            computed: Vec::new(),
            loads: 0,
            span,
            unevaluated: 0,
        };
        cx.new_loc();
        cx.new_loc();
        cx
    }

    /// A location for what stands at the current position of the source.
    pub fn new_loc(&mut self) -> Loc {
        self.locs.push(LocInfo { span: self.span, ..LocInfo::default() });
        Loc(self.locs.len() as u32 - 1)
    }

    /// Appends an operation.
    pub fn emit(&mut self, op: Op) {
        let to = self.new_loc();
        self.edge(self.cur, to, op);
        self.cur = to;
    }

    /// Adds an edge between given locations.
    pub fn edge(&mut self, from: Loc, to: Loc, op: Op) {
        self.edges.push(RawEdge { from, to, op, span: self.span });
    }

    /// Jumps to `to`; what follows is unreachable until a label.
    pub fn jump(&mut self, to: Loc) {
        self.edge(self.cur, to, Op::Skip);
        self.cur = self.new_loc();
    }

    /// Ends the execution here with an operation that is never crossed.
    pub fn stop(&mut self, op: Op) {
        let to = self.new_loc();
        self.edge(self.cur, to, op);
        self.cur = self.new_loc();
    }

    /// The current point.
    pub fn mark(&self) -> Mark {
        Mark { loc: self.cur, edges: self.edges.len() }
    }

    /// Whether an edge was added since.
    pub fn changed(&self, mark: Mark) -> bool {
        self.edges.len() != mark.edges
    }

    /// Splits the marked location: what was added at it since then now starts at the returned one.
    pub fn split(&mut self, mark: Mark) -> Loc {
        let new = self.new_loc();
        for edge in &mut self.edges[mark.edges..] {
            if edge.from == mark.loc {
                edge.from = new;
            }
        }
        if self.cur == mark.loc {
            self.cur = new;
        }
        new
    }

    /// Inserts an operation at the mark.
    pub fn insert(&mut self, mark: Mark, op: Op) {
        let new = self.split(mark);
        self.edges.push(RawEdge { from: mark.loc, to: new, op, span: self.span });
    }

    /// Undoes everything since the mark.
    pub fn rollback(&mut self, mark: Mark, locs: usize) {
        self.edges.truncate(mark.edges);
        self.locs.truncate(locs);
        self.cur = mark.loc;
    }

    /// Whether an operation since the mark may have changed the value of `term`. `is_global` tells globals and memories.
    pub fn disturbed(&self, mark: Mark, term: Term, is_global: &dyn Fn(VarId) -> bool) -> bool {
        if !self.changed(mark) || term.as_int().is_some() {
            return false;
        }
        let mut written: FxHashSet<VarId> = FxHashSet::default();
        let (mut called, mut stored) = (false, false);
        for edge in &self.edges[mark.edges..] {
            match &edge.op {
                Op::Assign(updates) => {
                    for (v, t) in updates {
                        stored |= matches!(t.sort(), plumb_term::Sort::Mem(_));
                        written.insert(*v);
                    }
                }
                Op::Havoc { var, .. } => {
                    written.insert(*var);
                }
                Op::Alloc { dst, zeroed, .. } => {
                    written.insert(*dst);
                    stored |= *zeroed;
                }
                Op::HavocMem { .. } => stored = true,
                Op::Call { dst, .. } => {
                    called = true;
                    written.extend(dst);
                }
                Op::Output { dst, .. } => written.extend(dst),
                _ => {}
            }
        }
        visit::vars([term]).iter().any(|v| {
            let memory = matches!(v.ty, VarTy::Mem(_));
            written.contains(&v.id) || (memory && (stored || called)) || (called && is_global(v.id))
        })
    }

    /// The objects of the scopes from `depth` on, innermost first.
    pub fn live_from(&self, depth: usize) -> Vec<(u32, Live)> {
        self.scopes[depth.min(self.scopes.len())..].iter().rev().flat_map(|s| s.objects.iter().rev().map(|o| (s.id, *o))).collect()
    }

    /// The scopes that are open.
    pub fn scope_path(&self) -> Vec<u32> {
        self.scopes.iter().map(|s| s.id).collect()
    }
}

/// A call through a pointer: a guard that it is one of the functions, and a branch for each.
#[derive(Clone, Debug)]
pub(crate) struct IndirectCall {
    /// What the pointer may point to.
    pub node: Node,
    /// The condition of the guard.
    pub known: Term,
    /// Where the guard leads.
    pub start: Loc,
    /// Each function, the condition of its branch, and where that leads.
    pub branches: Vec<(usize, Term, Loc)>,
}

/// A pointer's target, or nothing for what was no pointer.
pub(crate) type Prov = Option<Node>;
