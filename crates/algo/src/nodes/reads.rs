//! Loads pushed through stores: what is left reads memories as they were at the start of a block, which a solver treats as functions.

use crate::arrays::reads::memories;
use plumb_term::visit::{postorder, rebuild};
use plumb_term::{Cell, Kind, Scalar, Sort, Term};
use rustc_hash::FxHashMap;

/// Terms with their loads pushed through.
#[derive(Default)]
pub struct Pushed {
    done: FxHashMap<Term, Term>,
}

impl Pushed {
    /// An equal term that loads from variables only, as far as memories consist of cells of the types that are loaded.
    pub fn term(&mut self, t: Term) -> Term {
        for n in postorder([t]) {
            if self.done.contains_key(&n) || matches!(n.sort(), Sort::Mem(_)) {
                continue;
            }
            let new = match n.kind() {
                Kind::Load(ty, m, a) if m.sort() == Sort::Mem(Cell::Scalar(*ty)) => self.read(*ty, *m, self.done[a]),
                _ => rebuild(n, &|c| self.done.get(&c).copied().unwrap_or(c)),
            };
            self.done.insert(n, new);
        }
        self.done.get(&t).copied().unwrap_or(t)
    }

    /// What a memory holds at an address that is pushed through already.
    fn read(&mut self, ty: Scalar, memory: Term, address: Term) -> Term {
        let mut values: FxHashMap<Term, Term> = FxHashMap::default();
        for m in memories(memory) {
            let value = match m.kind() {
                Kind::Store(_, inner, a, v) => {
                    let (at, value) = (self.term(*a), self.term(*v));
                    let value = if let Scalar::Int(i) = ty { value.wrap(i) } else { value };
                    Term::ite(address.equals(at), value, values[inner])
                }
                Kind::Ite(c, a, b) => Term::ite(self.term(*c), values[a], values[b]),
                Kind::Splice { mem, src, lo, len } => {
                    let (lo, len) = (self.term(*lo), self.term(*len));
                    let inside = lo.less_eq(address).and(address.less(lo.add(len)));
                    Term::ite(inside, values[src], values[mem])
                }
                _ => Term::load(ty, m, address),
            };
            values.insert(m, value);
        }
        values[&memory]
    }
}
