//! Inlining: all calls of functions that are not recursive become part of their caller's graph. Exact.
//!
//! A function that is not recursive has one activation at a time, so its variables need no copies: a call becomes an assignment to the
//! parameters, the body, and an assignment of the result. Recursive functions remain functions, with their own calls
//! inlined in the same way. Function numbers stay; functions that are no longer called are left without edges.
//!
//! **Points.** Each new location is an old location under a stack of calls: exactly a [`Point`]. Where a callee cannot return, an
//! `assume false` stands for the way back, so that a loop around the call stays one.

use crate::pass::{BackTranslation, Pass, PassError};
use plumb_cfa::unwind::Orders;
use plumb_cfa::{CallSite, EdgeId, FuncId, Function, Graph, Loc, LocInfo, Op, Point, Program};
use plumb_term::{Span, Term, VarId};
use plumb_verdict::{Proof, Trace};
use std::sync::Arc;

/// Inlines calls.
#[derive(Clone, Copy, Debug)]
pub struct Inline {
    /// The most edges that the new program may have.
    pub max_edges: usize,
}

impl Default for Inline {
    fn default() -> Inline {
        Inline { max_edges: 500_000 }
    }
}

/// The pending calls of a copy, outermost first.
type Context = Arc<Vec<CallSite>>;

/// Where the locations and edges of one new function come from.
#[derive(Debug, Default)]
struct Origin {
    locs: Vec<(Context, FuncId, Loc)>,
    /// The call edges that remain.
    calls: Vec<(EdgeId, Context, CallSite)>,
}

/// A copy of a function whose locations exist and whose edges do not yet.
struct Copy {
    func: FuncId,
    context: Context,
    locs: Vec<Option<Loc>>,
}

struct Host<'p> {
    program: &'p Program,
    orders: &'p Orders<'p>,
    graph: Graph,
    origin: Origin,
    errors: Vec<Loc>,
    locals: Vec<VarId>,
    left: usize,
}

impl Pass for Inline {
    fn name(&self) -> &'static str {
        "inline"
    }

    fn run(&self, program: Program) -> Result<(Program, Box<dyn BackTranslation>), PassError> {
        let orders = Orders::new(&program);
        let mut functions = Vec::new();
        let mut origins = Vec::new();
        let mut left = self.max_edges;
        let reachable = orders.calls().bottom_up(program.entry);
        for (i, f) in program.functions.iter().enumerate() {
            let id = FuncId(i as u32);
            let stays = reachable.contains(&id) && (id == program.entry || orders.calls().is_recursive(id));
            if !stays {
                functions.push(emptied(f));
                origins.push(Origin::default());
                continue;
            }
            let mut host = Host {
                program: &program,
                orders: &orders,
                graph: Graph::new(),
                origin: Origin::default(),
                errors: Vec::new(),
                locals: Vec::new(),
                left,
            };
            let (entry, exit) = host.expand(id).map_err(|()| PassError {
                pass: self.name(),
                sentence: format!("the program has more than {} edges once all calls are inlined", self.max_edges),
            })?;
            left = host.left;
            host.locals.sort_unstable();
            host.locals.dedup();
            functions.push(Function { graph: host.graph, entry, exit, errors: host.errors, locals: host.locals, ..emptied(f) });
            origins.push(host.origin);
        }
        drop(orders);
        Ok((Program { functions, ..program }, Box::new(Back { origins })))
    }
}

/// The function without its body.
fn emptied(f: &Function) -> Function {
    let mut graph = Graph::new();
    let entry = graph.add_loc(f.graph.loc(f.entry).clone());
    let exit = graph.add_loc(f.graph.loc(f.exit).clone());
    Function {
        name: f.name.clone(),
        span: f.span,
        params: f.params.clone(),
        result: f.result,
        locals: f.locals.clone(),
        graph,
        entry,
        exit,
        addr: f.addr,
        errors: Vec::new(),
    }
}

impl Host<'_> {
    fn expand(&mut self, root: FuncId) -> Result<(Loc, Loc), ()> {
        let f = self.program.function(root);
        let first = self.copy(root, Arc::default());
        let at = |l: Loc| first.locs[l.index()].ok_or(());
        let ends = (at(f.entry)?, at(f.exit)?);
        let mut todo = vec![first];
        while let Some(copy) = todo.pop() {
            for (id, e) in self.program.function(copy.func).graph.edges() {
                let (Some(from), Some(to)) = (copy.locs[e.from.index()], copy.locs[e.to.index()]) else { continue };
                let site = CallSite { func: copy.func, edge: id };
                match &e.op {
                    Op::Call { func, args, dst } if !self.orders.calls().is_recursive(*func) => {
                        let callee = self.program.function(*func);
                        let mut context = copy.context.to_vec();
                        context.push(site);
                        let inner = self.copy(*func, Arc::new(context));
                        let at = |l: Loc| inner.locs[l.index()].ok_or(());
                        let (entry, exit) = (at(callee.entry)?, at(callee.exit)?);
                        self.edge(from, entry, assign(callee.params.iter().copied().zip(args.iter().copied())), e.span)?;
                        let result = dst.zip(callee.result).map(|(d, r)| (d, self.program.term(r)));
                        if self.orders.wto(*func).position(callee.exit).is_none() {
                            self.edge(entry, exit, Op::Assume(Term::ff()), e.span)?;
                        }
                        self.edge(exit, to, assign(result), e.span)?;
                        todo.push(inner);
                    }
                    op => {
                        let new = self.edge(from, to, op.clone(), e.span)?;
                        if matches!(op, Op::Call { .. }) {
                            self.origin.calls.push((new, copy.context.clone(), site));
                        }
                    }
                }
            }
        }
        self.origin.calls.sort_by_key(|c| c.0);
        Ok(ends)
    }

    /// New locations for those of a function that are reachable, and for its exit.
    fn copy(&mut self, func: FuncId, context: Context) -> Copy {
        let f = self.program.function(func);
        let wto = self.orders.wto(func);
        let mut locs = Vec::with_capacity(f.graph.num_locs());
        for l in f.graph.locs() {
            let wanted = wto.position(l).is_some() || l == f.exit;
            locs.push(wanted.then(|| {
                let LocInfo { span, loop_span, label } = f.graph.loc(l).clone();
                self.origin.locs.push((context.clone(), func, l));
                self.graph.add_loc(LocInfo { span, loop_span, label })
            }));
        }
        self.errors.extend(f.errors.iter().filter_map(|l| locs[l.index()]));
        self.locals.extend(&f.locals);
        Copy { func, context, locs }
    }

    fn edge(&mut self, from: Loc, to: Loc, op: Op, span: Span) -> Result<EdgeId, ()> {
        self.left = self.left.checked_sub(1).ok_or(())?;
        Ok(self.graph.add_edge(from, to, op, span))
    }
}

fn assign(updates: impl IntoIterator<Item = (VarId, Term)>) -> Op {
    let updates: Vec<(VarId, Term)> = updates.into_iter().collect();
    if updates.is_empty() {
        Op::Skip
    } else {
        Op::Assign(updates)
    }
}

/// The way back.
struct Back {
    origins: Vec<Origin>,
}

impl Back {
    fn point(&self, p: &Point) -> Option<Point> {
        let mut stack = Vec::new();
        for s in &p.stack {
            let calls = &self.origins[s.func.0 as usize].calls;
            let (_, context, site) = &calls[calls.binary_search_by_key(&s.edge, |c| c.0).ok()?];
            stack.extend(context.iter().copied());
            stack.push(*site);
        }
        let (context, func, loc) = self.origins[p.func.0 as usize].locs.get(p.loc.index())?;
        stack.extend(context.iter().copied());
        Some(Point { stack, func: *func, loc: *loc })
    }
}

impl BackTranslation for Back {
    fn proof(&self, proof: Proof) -> Proof {
        let invariants = proof.invariants.iter().filter_map(|(p, t)| Some((self.point(p)?, *t))).collect();
        Proof { method: proof.method.moved(&|p| self.point(p)), invariants }
    }

    /// The same inputs are taken in the same order.
    fn trace(&self, trace: Trace) -> Trace {
        trace
    }
}
