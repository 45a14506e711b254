//! What the numeric terms of a path say together: an element, and the constraints that it does not say yet.
//!
//! A constraint that the numeric domain cannot say (`x ≤ y` of boxes, `x ≠ 3` of anything convex) stays pending: it is assumed again whenever more is known, so that the order of terms on
//! a path does not matter.

use plumb_num::{LinCons, NumDomain};

/// How often pending constraints are assumed again for one new one.
const ROUNDS: usize = 3;

/// An element and what is pending, ascending.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Said<E> {
    pub(crate) elem: E,
    pub(crate) pending: Vec<LinCons>,
}

impl<E: Clone + PartialEq> Said<E> {
    /// An element alone.
    pub(crate) fn of(elem: E) -> Said<E> {
        Said { elem, pending: Vec::new() }
    }

    /// With one more constraint; nothing if that leaves nothing.
    pub(crate) fn and<D: NumDomain<Elem = E>>(mut self, domain: &D, c: &LinCons) -> Option<Said<E>> {
        self.elem = domain.assume(&self.elem, c);
        if let Err(at) = self.pending.binary_search(c) {
            self.pending.insert(at, c.clone());
        }
        self.settled(domain)
    }

    /// With all that another one says; nothing if that leaves nothing.
    pub(crate) fn with<D: NumDomain<Elem = E>>(mut self, domain: &D, o: &Said<E>) -> Option<Said<E>> {
        self.elem = domain.meet(&self.elem, &o.elem);
        for c in &o.pending {
            if let Err(at) = self.pending.binary_search(c) {
                self.pending.insert(at, c.clone());
            }
        }
        self.settled(domain)
    }

    /// Assumes what is pending as long as that says more.
    fn settled<D: NumDomain<Elem = E>>(mut self, domain: &D) -> Option<Said<E>> {
        for _ in 0..ROUNDS {
            if domain.is_bottom(&self.elem) {
                return None;
            }
            self.pending.retain(|p| !domain.entails(&self.elem, p));
            if self.pending.is_empty() {
                break;
            }
            let next = domain.assume_all(&self.elem, &self.pending);
            if next == self.elem {
                break;
            }
            self.elem = next;
        }
        (!domain.is_bottom(&self.elem)).then_some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumb_num::{Boxes, Dim, LinExpr};

    /// x ≠ 3 and x ≤ y say nothing to a box at first, and all that they can say in the end.
    #[test]
    fn what_cannot_be_said_yet_is_said_later() {
        let (x, y) = (LinExpr::var(Dim(0)), LinExpr::var(Dim(1)));
        let not_three = LinCons::ne(x.clone(), 3.into());
        let less = LinCons::le(x.clone(), y.clone());
        let later = [LinCons::ge(x.clone(), 3.into()), LinCons::le(y.clone(), 4.into())];
        let first = Said::of(Boxes.of_constraints(&[])).and(&Boxes, &not_three).and_then(|s| s.and(&Boxes, &less)).unwrap();
        assert_eq!(first.pending.len(), 2);
        let last = later.iter().try_fold(first.clone(), |s, c| s.and(&Boxes, c)).unwrap();
        assert!(last.pending.is_empty(), "{last:?}");
        assert!(Boxes.entails(&last.elem, &LinCons::eq(x.clone(), 4.into())) && Boxes.entails(&last.elem, &LinCons::eq(y, 4.into())));
        let other = Said::of(Boxes.of_constraints(&later));
        assert_eq!(other.clone().with(&Boxes, &first), Some(last));
        let least = LinCons::eq(x, 3.into());
        assert_eq!(other.with(&Boxes, &first).and_then(|s| s.and(&Boxes, &least)), None);
    }
}
