//! Terms as if arithmetic never left its type: the view in which most programs are written, and linear.

use plumb_term::visit::{linear_form, postorder, rebuild};
use plumb_term::{Kind, Term, VarId};
use rustc_hash::FxHashMap;

/// Splices of at most this many bytes are kept in any case.
const SHORT: i128 = 64;

/// Takes the wraps of arithmetic away.
#[derive(Default)]
pub struct Ideal {
    done: FxHashMap<Term, Term>,
    without_splices: bool,
    counters_only: bool,
}

impl Ideal {
    /// One that takes away long splices of memories, too: they have no short formula; the source alone is the view of it.
    pub fn without_splices() -> Ideal {
        Ideal { without_splices: true, ..Ideal::default() }
    }

    /// One for linear arithmetic on the program's variables, which is what counters do; not for data, which may well wrap.
    pub fn of_counters() -> Ideal {
        Ideal { counters_only: true, ..Ideal::default() }
    }

    /// The view of a term.
    pub fn term(&mut self, t: Term) -> Term {
        for n in postorder([t]) {
            if !self.done.contains_key(&n) {
                let new = match n.kind() {
                    // Narrow ones are conversions that are meant to cut off.
                    Kind::Wrap(ty, a) if ty.bits >= 32 && (!self.counters_only || counts(self.done[a])) => self.done[a],
                    Kind::Splice { src, len, .. } if self.without_splices && len.as_i128().is_none_or(|n| n > SHORT) => self.done[src],
                    _ => rebuild(n, &|c| self.done[&c]),
                };
                self.done.insert(n, new);
            }
        }
        self.done[&t]
    }
}

/// Whether a term is linear over variables of the program.
fn counts(t: Term) -> bool {
    linear_form(t).1.iter().all(|(_, atom)| atom.as_var().is_some_and(|v| v.id < VarId::FIRST_AUX))
}

/// Takes the wraps of arithmetic away where it makes addresses, and only there.
#[derive(Default)]
pub struct Addresses {
    done: FxHashMap<Term, Term>,
    inside: Ideal,
}

impl Addresses {
    /// The view of a term.
    pub fn term(&mut self, t: Term) -> Term {
        for n in postorder([t]) {
            if self.done.contains_key(&n) {
                continue;
            }
            let new = match n.kind() {
                Kind::Load(ty, m, a) => Term::load(*ty, self.done[m], self.inside.term(self.done[a])),
                Kind::Store(ty, m, a, v) => Term::store(*ty, self.done[m], self.inside.term(self.done[a]), self.done[v]),
                Kind::Splice { mem, src, lo, len } => {
                    let (lo, len) = (self.inside.term(self.done[lo]), self.inside.term(self.done[len]));
                    Term::splice(self.done[mem], self.done[src], lo, len)
                }
                _ => rebuild(n, &|c| self.done[&c]),
            };
            self.done.insert(n, new);
        }
        self.done[&t]
    }
}
