//! Placeholders for memories give way to the variables of regions.

use plumb_term::visit::rebuild;
use plumb_term::{Cell, Kind, Scalar, Sort, Term};
use rustc_hash::FxHashMap;

/// Rewrites terms; shared subterms once.
pub(crate) struct Patcher<'r> {
    done: FxHashMap<Term, Term>,
    /// The region's memory for a placeholder.
    memory: &'r mut dyn FnMut(u32) -> Term,
}

impl<'r> Patcher<'r> {
    pub fn new(memory: &'r mut dyn FnMut(u32) -> Term) -> Patcher<'r> {
        Patcher { done: FxHashMap::default(), memory }
    }

    pub fn patch(&mut self, t: Term) -> Term {
        let mut stack = vec![(t, false)];
        while let Some((n, expanded)) = stack.pop() {
            if self.done.contains_key(&n) {
                continue;
            }
            if !expanded && n.children().next().is_some() {
                stack.push((n, true));
                stack.extend(n.children().filter(|c| !self.done.contains_key(c)).map(|c| (c, false)));
                continue;
            }
            let new = self.node(n);
            self.done.insert(n, new);
        }
        self.done[&t]
    }

    fn node(&mut self, n: Term) -> Term {
        let done = &self.done;
        match n.kind() {
            Kind::Var(v) if v.id.0 >= super::MEMORY_BASE && matches!(v.ty, plumb_term::VarTy::Mem(_)) => {
                (self.memory)(v.id.0 - super::MEMORY_BASE)
            }
            Kind::Load(ty, m, a) => load(*ty, done[m], done[a]),
            Kind::Store(ty, m, a, v) => store(*ty, done[m], done[a], done[v]),
            Kind::Splice { mem, src, lo, len } => {
                let mem = done[mem];
                let src = match (src.kind(), mem.sort()) {
                    (Kind::ZeroMem(_), Sort::Mem(cell)) => Term::zero_mem(cell),
                    _ => done[src],
                };
                Term::splice(mem, src, done[lo], done[len])
            }
            _ => rebuild(n, &|c| done[&c]),
        }
    }
}

/// A load through the region's cells: integers of one width differ by a wrap.
fn load(ty: Scalar, mem: Term, addr: Term) -> Term {
    match (mem.sort(), ty) {
        (Sort::Mem(Cell::Scalar(cell @ Scalar::Int(c))), Scalar::Int(t)) if c != t => Term::load(cell, mem, addr).wrap(t),
        _ => Term::load(ty, mem, addr),
    }
}

fn store(ty: Scalar, mem: Term, addr: Term, value: Term) -> Term {
    match (mem.sort(), ty) {
        (Sort::Mem(Cell::Scalar(cell @ Scalar::Int(c))), Scalar::Int(t)) if c != t => Term::store(cell, mem, addr, value.wrap(c)),
        _ => Term::store(ty, mem, addr, value),
    }
}
