//! Contents of an array along a path: what was written last at numerals is kept apart, so that reading it does not depend on how many writes came since.

use super::encode::Needs;
use plumb_term::{Cell, IBig, Scalar, Sort, Term};
use std::collections::BTreeMap;

/// Contents of a region.
#[derive(Clone, Debug)]
pub struct Memory {
    /// What lies below.
    base: Term,
    /// The values written at numerals since the base was made.
    above: BTreeMap<u64, (Scalar, Term)>,
    /// What the writes at numerals were computed from.
    needs: BTreeMap<u64, Needs>,
    /// What other writes were computed from: any read may need it.
    other: Needs,
}

impl Memory {
    /// The contents that a term is.
    pub fn new(base: Term) -> Memory {
        Memory { base, above: BTreeMap::new(), needs: BTreeMap::new(), other: Needs::default() }
    }

    /// As one term.
    pub fn term(&self) -> Term {
        self.above.iter().fold(self.base, |m, (a, (ty, v))| Term::store(*ty, m, Term::int(*a), *v))
    }

    /// Whether accesses at different addresses never overlap.
    fn is_scalar(&self) -> bool {
        matches!(self.base.sort(), Sort::Mem(Cell::Scalar(_)))
    }

    /// What a read finds, and what that was computed from.
    pub fn load(&self, ty: Scalar, addr: Term) -> (Term, Needs) {
        let mut needs = self.other.clone();
        let Some(a) = numeral(addr).filter(|_| self.is_scalar()) else {
            needs.extend(&self.all());
            return (Term::load(ty, self.term(), addr), needs);
        };
        if let Some(n) = self.needs.get(&a) {
            needs.extend(n);
        }
        let value = match self.above.get(&a) {
            Some((stored, v)) => Term::load(ty, Term::store(*stored, self.base, addr, *v), addr),
            None => Term::load(ty, self.base, addr),
        };
        (value, needs)
    }

    /// What all writes were computed from.
    pub fn all(&self) -> Needs {
        let mut out = self.other.clone();
        self.needs.values().for_each(|n| out.extend(n));
        out
    }

    /// Writes a scalar.
    pub fn store(&mut self, ty: Scalar, addr: Term, value: Term, needs: Needs) {
        match numeral(addr).filter(|_| self.is_scalar()) {
            Some(a) => {
                self.above.insert(a, (ty, value));
                self.needs.insert(a, needs);
            }
            None => {
                self.base = Term::store(ty, self.term(), addr, value);
                self.above.clear();
                self.other.extend(&needs);
            }
        }
    }

    /// Takes the cells `[lo, lo+len)` from another memory.
    pub fn splice(&mut self, src: Term, lo: Term, len: Term, needs: &Needs) {
        self.base = Term::splice(self.term(), src, lo, len);
        self.above.clear();
        self.other.extend(needs);
        if let (Some(lo), Some(len)) = (numeral(lo), numeral(len)) {
            self.needs.retain(|a, _| *a < lo || *a >= lo.saturating_add(len));
        }
    }
}

fn numeral(t: Term) -> Option<u64> {
    let v: &IBig = t.as_int()?;
    u64::try_from(v).ok()
}
