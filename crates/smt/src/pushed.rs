//! Loads pushed through stores: what is left reads memories as they are in variables, which a solver treats as functions.

use plumb_term::visit::{postorder, rebuild};
use plumb_term::{Cell, Kind, Scalar, Sort, Term};
use rustc_hash::{FxHashMap, FxHashSet};

/// Terms with their loads pushed through.
#[derive(Default)]
pub struct Pushed {
    done: FxHashMap<Term, Term>,
}

impl Pushed {
    /// An equal term that loads from variables only, as far as memories consist of cells of the types that are loaded.
    pub fn term(&mut self, t: Term) -> Term {
        for n in postorder([t]) {
            if self.done.contains_key(&n) || is_memory(n) {
                continue;
            }
            let new = match n.kind() {
                Kind::Load(ty, m, a) if m.sort() == Sort::Mem(Cell::Scalar(*ty)) => self.read(*ty, *m, self.done[a]),
                _ => rebuild(n, &|c| self.of(c)),
            };
            self.done.insert(n, new);
        }
        self.of(t)
    }

    /// What has become of a term whose parts have been looked at.
    fn of(&self, t: Term) -> Term {
        self.done.get(&t).copied().unwrap_or(t)
    }

    /// What a memory holds at an address that is pushed through already.
    fn read(&mut self, ty: Scalar, memory: Term, address: Term) -> Term {
        let mut values: FxHashMap<Term, Term> = FxHashMap::default();
        for m in memories(memory) {
            let value = match m.kind() {
                Kind::Store(_, inner, a, v) => {
                    let (at, value) = (self.of(*a), self.of(*v));
                    let value = if let Scalar::Int(i) = ty { value.wrap(i) } else { value };
                    Term::ite(address.equals(at), value, values[inner])
                }
                Kind::Ite(c, a, b) => Term::ite(self.of(*c), values[a], values[b]),
                Kind::Splice { mem, src, lo, len } => {
                    let (lo, len) = (self.of(*lo), self.of(*len));
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

fn is_memory(t: Term) -> bool {
    matches!(t.sort(), Sort::Mem(_))
}

/// The memories that a memory is made of, operands first, itself last.
pub fn memories(m: Term) -> Vec<Term> {
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let mut out = Vec::new();
    let mut stack = vec![(m, false)];
    while let Some((m, expanded)) = stack.pop() {
        if expanded {
            out.push(m);
        } else if seen.insert(m) {
            stack.push((m, true));
            stack.extend(m.children().filter(|c| is_memory(*c)).map(|c| (c, false)));
        }
    }
    out
}
