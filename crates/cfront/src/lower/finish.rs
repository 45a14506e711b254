//! The last step: points-to classes become regions, raw edges become graphs, everything becomes a [`Program`].

use plumb_cfa::{FuncId, Function, Graph, Loc, LocInfo, Object, Op, Program, Region, RegionId, VarInfo, VarKind};
use plumb_term::{SourceMap, Term, VarId, VarTy};
use rustc_hash::{FxHashMap, FxHashSet};

use super::cx::{Cx, RawEdge};
use super::indirect;
use super::patch::Patcher;
use super::{Lowerer, MEMORY_BASE};
use crate::pointsto::{Node, PointsTo};

/// Regions as they are needed.
struct Regions<'p> {
    pts: &'p mut PointsTo,
    by_root: FxHashMap<Node, RegionId>,
    regions: Vec<Region>,
    vars: Vec<VarInfo>,
}

impl Regions<'_> {
    fn of(&mut self, node: Node) -> RegionId {
        let root = self.pts.find(node);
        if let Some(r) = self.by_root.get(&root) {
            return *r;
        }
        let id = RegionId(self.regions.len() as u32);
        let cell = self.pts.cell(root);
        let var = VarId(self.vars.len() as u32);
        self.vars.push(VarInfo {
            name: format!("<mem{}>", id.0),
            c_type: String::new(),
            ty: VarTy::Mem(cell),
            func: None,
            kind: VarKind::Region(id),
            span: plumb_term::Span::NONE,
        });
        self.regions.push(Region { var, cell });
        self.by_root.insert(root, id);
        id
    }

    fn memory(&mut self, node: Node) -> Term {
        let r = self.of(node);
        let var = self.regions[r.0 as usize].var;
        Term::program_var(var, self.vars[var.0 as usize].ty)
    }
}

impl Lowerer<'_> {
    pub(super) fn finish(mut self, sources: SourceMap) -> Program {
        let types = &self.types;
        self.pts.solve(&|r| types.record(r).size().unwrap_or(0));
        let heap_base = self.next_addr.next_multiple_of(0x10000);
        let dynamic: FxHashSet<Node> = {
            let nodes = std::mem::take(&mut self.dynamic_nodes);
            nodes.into_iter().map(|n| self.pts.find(n)).collect()
        };
        let mut addresses: Vec<u64> = Vec::with_capacity(self.instances.len());
        for i in 0..self.instances.len() {
            let f = self.instances[i].func;
            let own = if f == usize::MAX || self.funcs[f].id != Some(FuncId(i as u32)) { None } else { Some(self.address_of_body(f)) };
            addresses.push(own.unwrap_or(0));
        }
        let nodes: Vec<Option<Node>> = self.funcs.iter().map(|f| f.node).collect();
        let mut regions =
            Regions { pts: &mut self.pts, by_root: FxHashMap::default(), regions: Vec::new(), vars: std::mem::take(&mut self.vars) };
        let mut objects: Vec<Object> = Vec::with_capacity(self.objects.len());
        for o in &self.objects {
            let region = regions.of(o.node);
            objects.push(Object {
                name: o.name.clone(),
                addr: o.addr,
                size: o.size,
                region,
                func: o.func,
                read_only: o.read_only,
                layout: o.layout.clone(),
                span: o.span,
            });
        }
        objects.sort_by_key(|o| o.addr);
        let mut functions = Vec::with_capacity(self.instances.len());
        for (i, instance) in std::mem::take(&mut self.instances).into_iter().enumerate() {
            let Some(mut cx) = instance.body else { continue };
            let (name, span) = match self.funcs.get(instance.func) {
                Some(f) => (self.names.name(f.name).to_owned(), f.span),
                None => ("<entry>".to_owned(), cx.span),
            };
            indirect::narrow(&mut cx, regions.pts, &nodes);
            patch_edges(&mut cx.edges, &mut regions);
            functions.push((i, name, span, cx));
        }
        if let Some((0, _, _, entry)) = functions.first_mut() {
            let first = start_edges(&objects, &dynamic, &mut regions, self.heap_top, heap_base);
            splice_start(entry, first);
        }
        let (regions, vars) = (regions.regions, regions.vars);
        let functions = functions.into_iter().map(|(i, name, span, cx)| build(cx, name, span, addresses[i])).collect();
        Program {
            semantics: self.semantics,
            sources,
            vars,
            regions,
            objects,
            functions,
            entry: FuncId(0),
            heap_top: self.heap_top,
            heap_base,
            externs: self.externs,
        }
    }

    /// The address under which a body is called: that of its declaration.
    fn address_of_body(&mut self, f: usize) -> u64 {
        self.function_address(f)
    }
}

/// What happens before the static initialisers: the heap starts, static objects are zero.
fn start_edges(objects: &[Object], dynamic: &FxHashSet<Node>, regions: &mut Regions<'_>, heap_top: VarId, heap_base: u64) -> Vec<Op> {
    let mut ops = vec![Op::Assign(vec![(heap_top, Term::int(heap_base))])];
    let dynamic: FxHashSet<RegionId> = dynamic.iter().map(|n| regions.of(*n)).collect();
    let mut done: FxHashSet<RegionId> = FxHashSet::default();
    for o in objects.iter().filter(|o| o.func.is_none()) {
        let Region { var, cell } = regions.regions[o.region.0 as usize].clone();
        let zeros = Term::zero_mem(cell);
        if !dynamic.contains(&o.region) {
            if done.insert(o.region) {
                ops.push(Op::Assign(vec![(var, zeros)]));
            }
        } else {
            let memory = Term::program_var(var, VarTy::Mem(cell));
            ops.push(Op::Assign(vec![(var, Term::splice(memory, zeros, Term::int(o.addr), Term::int(o.size)))]));
        }
    }
    ops
}

/// The first edge of the entry function was kept free for them.
fn splice_start(cx: &mut Cx, ops: Vec<Op>) {
    let Some(first) = cx.edges.first().cloned() else { return };
    let mut at = first.from;
    let last = ops.len().saturating_sub(1);
    for (i, op) in ops.into_iter().enumerate() {
        let to = if i == last { first.to } else { cx.new_loc() };
        let edge = RawEdge { from: at, to, op, span: first.span };
        if i == 0 {
            cx.edges[0] = edge;
        } else {
            cx.edges.push(edge);
        }
        at = to;
    }
}

fn patch_edges(edges: &mut [RawEdge], regions: &mut Regions<'_>) {
    let regions = std::cell::RefCell::new(regions);
    let mut memory = |node: u32| regions.borrow_mut().memory(Node(node));
    let mut patcher = Patcher::new(&mut memory);
    let region = |r: RegionId| regions.borrow_mut().of(Node(r.0));
    for edge in edges {
        let op = std::mem::replace(&mut edge.op, Op::Skip);
        edge.op = match op {
            Op::Assume(t) => Op::Assume(patcher.patch(t)),
            Op::Guard { cond, ub } => Op::Guard { cond: patcher.patch(cond), ub },
            Op::Assign(updates) => Op::Assign(
                updates
                    .into_iter()
                    .map(|(v, t)| {
                        let t = patcher.patch(t);
                        if v.0 >= MEMORY_BASE && v < VarId::FIRST_AUX {
                            let r = region(RegionId(v.0 - MEMORY_BASE));
                            (regions.borrow().regions[r.0 as usize].var, t)
                        } else {
                            (v, t)
                        }
                    })
                    .collect(),
            ),
            Op::HavocMem { region: r, addr, len } => Op::HavocMem { region: region(r), addr: patcher.patch(addr), len: patcher.patch(len) },
            Op::EndLife { addr } => Op::EndLife { addr: patcher.patch(addr) },
            Op::Alloc { dst, size, region: r, storage, zeroed } => {
                Op::Alloc { dst, size: patcher.patch(size), region: region(r), storage, zeroed }
            }
            Op::Free { addr } => Op::Free { addr: patcher.patch(addr) },
            Op::Call { func, args, dst } => Op::Call { func, args: args.into_iter().map(|t| patcher.patch(t)).collect(), dst },
            Op::Output { name, args, dst } => {
                Op::Output { name, args: args.into_iter().map(|(s, t)| (s, patcher.patch(t))).collect(), dst }
            }
            Op::Halt { status } => Op::Halt { status: status.map(|t| patcher.patch(t)) },
            other => other,
        };
    }
}

/// The reachable part of the raw graph, without idle steps.
fn build(cx: Cx, name: String, span: plumb_term::Span, addr: u64) -> Function {
    let Cx { locs, edges, entry, exit, errors, locals, params, result, .. } = cx;
    let n = locs.len();
    let mut out: Vec<Vec<usize>> = vec![Vec::new(); n];
    for (i, e) in edges.iter().enumerate() {
        let dead = matches!(e.op, Op::Assume(c) if c.is_false());
        if !dead {
            out[e.from.index()].push(i);
        }
    }
    let error_set: FxHashSet<Loc> = errors.iter().copied().collect();
    // A location with one idle step out of it is the one it leads to.
    let mut forward: Vec<Loc> = (0..n as u32).map(Loc).collect();
    for l in 0..n {
        let here = Loc(l as u32);
        if here == entry || here == exit || error_set.contains(&here) || locs[l].label.is_some() || locs[l].loop_span.is_some() {
            continue;
        }
        if let [only] = out[l][..] {
            if matches!(edges[only].op, Op::Skip) || matches!(edges[only].op, Op::Assume(c) if c.is_true()) {
                forward[l] = edges[only].to;
            }
        }
    }
    let resolve = |mut l: Loc| {
        for _ in 0..n {
            let next = forward[l.index()];
            if next == l {
                break;
            }
            l = next;
        }
        l
    };
    let target: Vec<Loc> = {
        // Path compression over the chains: each location is resolved once.
        let mut memo: Vec<Option<Loc>> = vec![None; n];
        for l in 0..n {
            if memo[l].is_some() {
                continue;
            }
            let mut chain = vec![l];
            let mut at = forward[l];
            while memo[at.index()].is_none() && forward[at.index()] != at && chain.len() <= n {
                chain.push(at.index());
                at = forward[at.index()];
            }
            let end = if chain.len() > n { resolve(at) } else { memo[at.index()].unwrap_or(at) };
            // A cycle of idle steps stays where it was entered.
            for c in chain {
                memo[c] = Some(end);
            }
        }
        memo.into_iter().enumerate().map(|(l, m)| m.unwrap_or(Loc(l as u32))).collect()
    };
    let crosses = |op: &Op| match op {
        Op::Halt { .. } | Op::Unsupported(_) => false,
        Op::Guard { cond, .. } => !cond.is_false(),
        _ => true,
    };
    let start = entry;
    let mut seen = vec![false; n];
    let mut ends = vec![false; n];
    let mut on_path = vec![false; n];
    let mut heads: FxHashSet<Loc> = FxHashSet::default();
    let mut stack = vec![(start, 0usize)];
    seen[start.index()] = true;
    on_path[start.index()] = true;
    while let Some((l, at)) = stack.last_mut() {
        let l = *l;
        let edges_out = &out[l.index()];
        if error_set.contains(&l) || *at >= edges_out.len() {
            on_path[l.index()] = false;
            stack.pop();
            continue;
        }
        let e = &edges[edges_out[*at]];
        *at += 1;
        let to = target[e.to.index()];
        if !crosses(&e.op) {
            ends[to.index()] = true;
            continue;
        }
        if on_path[to.index()] {
            heads.insert(to);
        }
        if !seen[to.index()] {
            seen[to.index()] = true;
            on_path[to.index()] = true;
            stack.push((to, 0));
        }
    }
    seen[exit.index()] = true;
    let mut graph = Graph::new();
    let mut map: Vec<Option<Loc>> = vec![None; n];
    for l in 0..n {
        if !(seen[l] || ends[l]) {
            continue;
        }
        let mut info: LocInfo = locs[l].clone();
        if info.label.is_none() {
            if let Some(first) = out[l].first().filter(|_| seen[l]) {
                info.span = edges[*first].span;
            }
        }
        if heads.contains(&Loc(l as u32)) && info.loop_span.is_none() {
            info.loop_span = Some(info.span);
        }
        map[l] = Some(graph.add_loc(info));
    }
    for l in 0..n {
        if !seen[l] || error_set.contains(&Loc(l as u32)) {
            continue;
        }
        for i in &out[l] {
            let e = &edges[*i];
            if let (Some(from), Some(to)) = (map[l], map[target[e.to.index()].index()]) {
                graph.add_edge(from, to, e.op.clone(), e.span);
            }
        }
    }
    let at = |l: Loc| map[l.index()].unwrap_or(Loc(0));
    Function {
        name,
        span,
        params,
        result,
        locals,
        entry: at(entry),
        exit: at(exit),
        errors: errors.iter().filter_map(|l| map[l.index()]).collect(),
        graph,
        addr,
    }
}
