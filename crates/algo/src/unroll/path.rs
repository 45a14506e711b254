//! Path conditions: a list that shares its beginnings.

use plumb_term::Term;
use std::sync::Arc;

#[derive(Debug)]
struct Link {
    condition: Term,
    /// The conjunction of this condition and all before it.
    all: Term,
    length: u32,
    before: Path,
}

/// The conditions under which a state is reached, oldest first.
#[derive(Clone, Debug, Default)]
pub struct Path(Option<Arc<Link>>);

impl Path {
    /// The conjunction.
    pub fn condition(&self) -> Term {
        self.0.as_ref().map_or_else(Term::tt, |l| l.all)
    }

    fn length(&self) -> u32 {
        self.0.as_ref().map_or(0, |l| l.length)
    }

    /// With one more condition; `None` if that is obviously unsatisfiable.
    pub fn and(&self, condition: Term) -> Option<Path> {
        if condition.is_true() {
            return Some(self.clone());
        }
        let all = self.condition().and(condition);
        if all.is_false() {
            return None;
        }
        Some(self.with(condition))
    }

    /// With one more condition, whatever it is.
    pub fn with(&self, condition: Term) -> Path {
        let all = self.condition().and(condition);
        if all == self.condition() {
            return self.clone();
        }
        Path(Some(Arc::new(Link { condition, all, length: self.length() + 1, before: self.clone() })))
    }

    /// Splits two paths into their common beginning and what each adds.
    pub fn fork(&self, other: &Path) -> (Path, Term, Term) {
        let (mut a, mut b) = (self.clone(), other.clone());
        let (mut x, mut y) = (Vec::new(), Vec::new());
        loop {
            match (&a.0, &b.0) {
                (None, None) => break,
                (Some(l), Some(m)) if Arc::ptr_eq(l, m) => break,
                (Some(l), _) if a.length() >= b.length() => {
                    x.push(l.condition);
                    a = l.before.clone();
                }
                (_, Some(m)) => {
                    y.push(m.condition);
                    b = m.before.clone();
                }
                (Some(l), None) => {
                    x.push(l.condition);
                    a = l.before.clone();
                }
            }
        }
        (a, Term::all(x), Term::all(y))
    }
}
