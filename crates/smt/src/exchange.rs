//! Operations on bits as unknown functions that are commutative and associative.
//!
//! **Problem.** That a checksum does not depend on the order of what it is computed from is a question about arrays, in which *and*, *or* and *exclusive or* could be any
//! functions that may be applied in any order. A solver that has their bits beside arrays of any size does not see that.
//!
//! **The picture.** A function of two numbers is a memory that holds its values, at one address for two numbers: `f(a, b)` is what lies at `a·2⁶⁶ + b`. What is known of it is said where a
//! formula applies it: `f(a, b) = f(b, a)`, and of nested applications `f(f(x, y), z) = f(f(x, z), y) = f(f(y, z), x)`.
//!
//! **Contract.** Only numbers of 65 bits are taken (in two's complement, which holds all values of machine types of 64 bits); the operations do not leave them, and addresses of
//! different pairs differ. With the operation's values in the memory every lemma is true and every term has the value that it had: what has a model has one afterwards. The
//! converse need not hold, so only a refutation counts.

use crate::bounds::{Bounds, Interval};
use crate::pushed::Pushed;
use plumb_term::visit::{postorder, rebuild, vars};
use plumb_term::{Cell, IBig, IntTy, Kind, Scalar, Term, Var, VarId, VarTy};
use rustc_hash::{FxHashMap, FxHashSet};

/// Larger formulas are not looked at.
const MOST_SIZE: usize = 50_000;
/// The numbers that are taken, and what is made of them.
const NUMBERS: IntTy = IntTy::signed(65);
/// The distance of the addresses for neighbouring first numbers: a power of two, more than there are second numbers.
const APART: u32 = 66;

/// A formula in which operations on bits are unknown functions and loads are pushed through stores, with the models of `formula`, and more; nothing if it has no
/// operations on bits beside loads (without loads it has bits enough for a circuit), or it is too large.
pub fn without_bits(formula: Term) -> Option<Term> {
    let parts = postorder([formula]);
    if parts.len() > MOST_SIZE || !parts.iter().any(|t| matches!(t.kind(), Kind::Load(..))) {
        return None;
    }
    let mut exchange = Exchange::of([formula])?;
    let plain = exchange.term(Pushed::default().term(formula));
    let whole = plain.and(exchange.lemmas());
    (postorder([whole]).len() <= MOST_SIZE).then_some(whole)
}

/// The functions that stand for the operations of some terms.
pub struct Exchange {
    first: u32,
    bounds: Bounds,
    done: FxHashMap<Term, Term>,
    /// The applications of functions, with the function and both sides.
    applied: FxHashMap<Term, (u32, Term, Term)>,
    lemmas: FxHashSet<Term>,
}

impl Exchange {
    /// Of terms with operations on bits; nothing if there is none.
    pub fn of(terms: impl IntoIterator<Item = Term>) -> Option<Exchange> {
        let terms: Vec<Term> = terms.into_iter().collect();
        if !postorder(terms.iter().copied()).iter().any(|n| operation(*n).is_some()) {
            return None;
        }
        let first = vars(terms).iter().map(|v| v.id.0).max().unwrap_or(0).max(VarId::FIRST_AUX.0).checked_add(1)?;
        first.checked_add(3)?;
        let (done, applied) = (FxHashMap::default(), FxHashMap::default());
        Some(Exchange { first, bounds: Bounds::default(), done, applied, lemmas: FxHashSet::default() })
    }

    /// A term with the functions instead of operations.
    pub fn term(&mut self, t: Term) -> Term {
        for n in postorder([t]) {
            if self.done.contains_key(&n) {
                continue;
            }
            let new = match operation(n) {
                Some((function, a, b)) if [a, b].into_iter().all(|side| self.is_taken(side)) => {
                    let whole = self.apply(function, self.done[&a], self.done[&b]);
                    if let Some(Interval { lo, hi }) = self.bounds.of(n) {
                        self.lemmas.insert(whole.within(&lo, &hi));
                    }
                    whole
                }
                _ => rebuild(n, &|c| self.done[&c]),
            };
            self.done.insert(n, new);
        }
        self.done[&t]
    }

    /// What is true of the functions as far as they have been applied.
    pub fn lemmas(&self) -> Term {
        Term::all(self.lemmas.iter().copied())
    }

    fn is_taken(&mut self, t: Term) -> bool {
        self.bounds.of(t).is_some_and(|i| NUMBERS.min() <= i.lo && i.hi <= NUMBERS.max())
    }

    fn apply(&mut self, function: u32, a: Term, b: Term) -> Term {
        let whole = self.value(function, a, b);
        for (inner, z) in [(a, b), (b, a)] {
            let Some((_, x, y)) = self.applied.get(&inner).copied().filter(|(f, ..)| *f == function) else { continue };
            for (x, y) in [(x, y), (y, x)] {
                let first = self.value(function, x, z);
                let other = self.value(function, first, y);
                self.lemmas.insert(whole.equals(other));
            }
        }
        whole
    }

    fn value(&mut self, function: u32, a: Term, b: Term) -> Term {
        let ty = Scalar::Int(NUMBERS);
        let memory = Term::var(Var::new(VarId(self.first + function), VarTy::Mem(Cell::Scalar(ty))));
        let of = |a: Term, b: Term| Term::load(ty, memory, a.scale(&(IBig::ONE << APART as usize)).add(b));
        let whole = of(a, b);
        self.lemmas.insert(whole.equals(of(b, a)));
        self.applied.insert(whole, (function, a, b));
        whole
    }
}

/// The operation that a term applies, with both sides.
fn operation(t: Term) -> Option<(u32, Term, Term)> {
    match t.kind() {
        Kind::BitAnd(a, b) => Some((0, *a, *b)),
        Kind::BitOr(a, b) => Some((1, *a, *b)),
        Kind::BitXor(a, b) => Some((2, *a, *b)),
        _ => None,
    }
}
