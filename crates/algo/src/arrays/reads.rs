//! Reads of memories as scalars: what Horn clauses over cells are made of.
//!
//! A read of a memory that was written is a choice between what was written and a read of the memory before; a read of a memory as it was
//! at the start of the block is a variable, listed with its address. Of memories that are not followed, a read is any value.

use plumb_smt::memories;
use plumb_term::visit::{postorder, rebuild};
use plumb_term::{Cell, Kind, Scalar, Sort, Term, Var, VarId, VarTy};
use rustc_hash::FxHashMap;

/// A read of a memory at the start of the block.
#[derive(Clone, Copy, Debug)]
pub struct Read {
    /// Which memory.
    pub memory: VarId,
    /// Where; without loads.
    pub address: Term,
    /// What was read.
    pub value: Term,
}

/// The reads of one clause.
pub struct Reads<'a> {
    /// The first variable that nothing else uses.
    next: &'a mut u32,
    known: FxHashMap<(VarId, Term), Term>,
    done: FxHashMap<Term, Term>,
    /// The reads so far, of inputs too.
    pub made: Vec<Read>,
}

impl<'a> Reads<'a> {
    /// None; variables are numbered from `next` on.
    pub fn new(next: &'a mut u32) -> Reads<'a> {
        Reads { next, known: FxHashMap::default(), done: FxHashMap::default(), made: Vec::new() }
    }

    /// A variable that nothing else speaks of.
    pub fn fresh(&mut self, ty: VarTy) -> Term {
        let id = VarId(*self.next);
        *self.next += 1;
        Term::var(Var::new(id, ty))
    }

    /// What a memory has at an address at the start of the block.
    pub fn cell(&mut self, memory: VarId, ty: Scalar, address: Term) -> Term {
        if let Some(v) = self.known.get(&(memory, address)) {
            return *v;
        }
        let value = self.fresh(VarTy::Scalar(ty));
        self.known.insert((memory, address), value);
        self.made.push(Read { memory, address, value });
        value
    }

    /// A term that is no memory, without loads.
    pub fn scalar(&mut self, t: Term) -> Term {
        for n in postorder([t]) {
            if self.done.contains_key(&n) || is_memory(n) {
                continue;
            }
            let new = match n.kind() {
                Kind::Load(ty, m, a) => {
                    let address = self.done[a];
                    self.read(*ty, *m, address)
                }
                _ if n.children().any(is_memory) => self.fresh(VarTy::Bool),
                _ => rebuild(n, &|c| self.done[&c]),
            };
            self.done.insert(n, new);
        }
        self.done[&t]
    }

    /// What a memory holds at an address that has no loads.
    pub fn read(&mut self, ty: Scalar, memory: Term, address: Term) -> Term {
        if memory.sort() != Sort::Mem(Cell::Scalar(ty)) {
            return self.fresh(VarTy::Scalar(ty));
        }
        let mut values: FxHashMap<Term, Term> = FxHashMap::default();
        for m in memories(memory) {
            let value = match m.kind() {
                Kind::Var(v) => self.cell(v.id, ty, address),
                Kind::Store(_, inner, a, v) => {
                    let (at, value) = (self.scalar(*a), self.scalar(*v));
                    let value = if let Scalar::Int(i) = ty { value.wrap(i) } else { value };
                    Term::ite(address.equals(at), value, values[inner])
                }
                Kind::Ite(c, a, b) => Term::ite(self.scalar(*c), values[a], values[b]),
                Kind::Splice { mem, src, lo, len } => {
                    let (lo, len) = (self.scalar(*lo), self.scalar(*len));
                    let inside = lo.less_eq(address).and(address.less(lo.add(len)));
                    Term::ite(inside, values[src], values[mem])
                }
                // All zeros.
                _ => Term::load(ty, m, address),
            };
            values.insert(m, value);
        }
        values[&memory]
    }

    /// Reads of one address have one value.
    pub fn consistent(&self) -> Term {
        let mut facts = Vec::new();
        for (i, x) in self.made.iter().enumerate() {
            for y in self.made[..i].iter().filter(|y| y.memory == x.memory) {
                facts.push(x.address.equals(y.address).implies(same(x.value, y.value)));
            }
        }
        Term::all(facts)
    }
}

fn same(a: Term, b: Term) -> Term {
    match a.sort() {
        Sort::Float(_) => Term::fbits(a).equals(Term::fbits(b)),
        _ => a.equals(b),
    }
}

fn is_memory(t: Term) -> bool {
    matches!(t.sort(), Sort::Mem(_))
}
