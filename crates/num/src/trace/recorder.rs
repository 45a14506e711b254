//! A domain that writes down what is asked of it.

use std::hash::{Hash, Hasher};
use std::sync::{Mutex, MutexGuard};

use super::{ElemId, Trace, TraceOp};
use crate::domain::NumDomain;
use crate::interval::Interval;
use crate::lattice::Lattice;
use crate::linear::{ConsKind, Dim, LinCons, LinExpr};

/// Wraps a domain; every operation is carried out by it and logged. Derived operations appear as the core operations
/// they are made of.
///
/// ```
/// use plumb_num::trace::Recorder;
/// use plumb_num::{Dim, Lattice, LinCons, LinExpr, NumDomain, Polyhedra};
/// let d = Recorder::new(Polyhedra::default());
/// let e = d.assume(&d.top(), &LinCons::ge(LinExpr::var(Dim(0)), 1.into()));
/// assert!(!d.is_bottom(&e));
/// let trace = d.finish();
/// assert_eq!(trace.ops.len(), 3);
/// assert_eq!(trace.replay(&Polyhedra::default()), Ok(()));
/// ```
#[derive(Debug, Default)]
pub struct Recorder<D> {
    inner: D,
    log: Mutex<Log>,
}

#[derive(Debug, Default)]
struct Log {
    ops: Vec<TraceOp>,
    next: u32,
}

/// An element with its number in the trace; equality and hash are the element's.
#[derive(Clone, Debug)]
pub struct Traced<E> {
    /// The element of the wrapped domain.
    pub elem: E,
    id: ElemId,
}

impl<E: PartialEq> PartialEq for Traced<E> {
    fn eq(&self, other: &Self) -> bool {
        self.elem == other.elem
    }
}

impl<E: Eq> Eq for Traced<E> {}

impl<E: Hash> Hash for Traced<E> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.elem.hash(state);
    }
}

impl<D: NumDomain> Recorder<D> {
    /// Starts an empty trace.
    pub fn new(inner: D) -> Self {
        Recorder { inner, log: Mutex::default() }
    }

    /// The trace so far.
    pub fn finish(self) -> Trace {
        let log = self.log.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        Trace { ops: log.ops }
    }

    /// How many operations have been recorded.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{trace::Recorder, Boxes, Lattice};
    /// let d = Recorder::new(Boxes);
    /// d.join(&d.top(), &d.bottom());
    /// assert_eq!(d.recorded(), 3);
    /// ```
    pub fn recorded(&self) -> usize {
        self.log().ops.len()
    }

    fn log(&self) -> MutexGuard<'_, Log> {
        // A panic elsewhere leaves a log that is still a prefix of a trace.
        self.log.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn made(&self, op: TraceOp, elem: D::Elem) -> Traced<D::Elem> {
        let mut log = self.log();
        let id = ElemId(log.next);
        log.next += 1;
        log.ops.push(op);
        Traced { elem, id }
    }

    fn asked(&self, op: TraceOp) {
        self.log().ops.push(op);
    }

    /// A disequality is written down as the question for the bounds of its expression and the inequality that came of it, because
    /// no library has it as an operation.
    fn assume_ne(&self, e: &Traced<D::Elem>, c: &LinCons) -> Traced<D::Elem> {
        self.asked(TraceOp::Bounds(e.id, c.expr().clone()));
        let elem = self.inner.assume(&e.elem, c);
        if elem == e.elem {
            return e.clone();
        }
        if self.inner.is_bottom(&elem) {
            return self.made(TraceOp::Bottom, elem);
        }
        let side = c.cases().into_iter().find(|side| self.inner.assume(&e.elem, side) == elem);
        match side {
            Some(side) => self.made(TraceOp::Assume(e.id, vec![side]), elem),
            None => self.written_down(elem),
        }
    }

    /// An element that no operation of the trace makes.
    fn written_down(&self, elem: D::Elem) -> Traced<D::Elem> {
        let top = self.top();
        self.made(TraceOp::Assume(top.id, self.inner.constraints(&elem)), elem)
    }
}

impl<D: NumDomain> Lattice for Recorder<D> {
    type Elem = Traced<D::Elem>;

    fn bottom(&self) -> Self::Elem {
        self.made(TraceOp::Bottom, self.inner.bottom())
    }

    fn top(&self) -> Self::Elem {
        self.made(TraceOp::Top, self.inner.top())
    }

    fn is_bottom(&self, a: &Self::Elem) -> bool {
        let answer = self.inner.is_bottom(&a.elem);
        self.asked(TraceOp::IsBottom(a.id, answer));
        answer
    }

    fn is_top(&self, a: &Self::Elem) -> bool {
        self.inner.is_top(&a.elem)
    }

    fn leq(&self, a: &Self::Elem, b: &Self::Elem) -> bool {
        let answer = self.inner.leq(&a.elem, &b.elem);
        self.asked(TraceOp::Leq(a.id, b.id, answer));
        answer
    }

    fn join(&self, a: &Self::Elem, b: &Self::Elem) -> Self::Elem {
        self.made(TraceOp::Join(a.id, b.id), self.inner.join(&a.elem, &b.elem))
    }

    fn meet(&self, a: &Self::Elem, b: &Self::Elem) -> Self::Elem {
        self.made(TraceOp::Meet(a.id, b.id), self.inner.meet(&a.elem, &b.elem))
    }

    fn widen(&self, old: &Self::Elem, new: &Self::Elem) -> Self::Elem {
        self.made(TraceOp::Widen(old.id, new.id), self.inner.widen(&old.elem, &new.elem))
    }

    /// Narrowing has no operation of its own: its result is one of the arguments or is written down as constraints.
    fn narrow(&self, old: &Self::Elem, new: &Self::Elem) -> Self::Elem {
        let elem = self.inner.narrow(&old.elem, &new.elem);
        if elem == old.elem {
            return old.clone();
        }
        if elem == new.elem {
            return new.clone();
        }
        self.written_down(elem)
    }
}

impl<D: NumDomain> NumDomain for Recorder<D> {
    fn assume(&self, e: &Self::Elem, c: &LinCons) -> Self::Elem {
        if c.kind() == ConsKind::Ne {
            return self.assume_ne(e, c);
        }
        self.made(TraceOp::Assume(e.id, vec![c.clone()]), self.inner.assume(&e.elem, c))
    }

    fn assume_all(&self, e: &Self::Elem, cs: &[LinCons]) -> Self::Elem {
        let (ne, convex): (Vec<_>, Vec<_>) = cs.iter().cloned().partition(|c| c.kind() == ConsKind::Ne);
        let elem = self.inner.assume_all(&e.elem, &convex);
        ne.iter().fold(self.made(TraceOp::Assume(e.id, convex), elem), |e, c| self.assume_ne(&e, c))
    }

    fn assign(&self, e: &Self::Elem, x: Dim, expr: &LinExpr) -> Self::Elem {
        self.made(TraceOp::Assign(e.id, x, expr.clone()), self.inner.assign(&e.elem, x, expr))
    }

    fn preimage_assign(&self, e: &Self::Elem, x: Dim, expr: &LinExpr) -> Self::Elem {
        self.made(TraceOp::Preimage(e.id, x, expr.clone()), self.inner.preimage_assign(&e.elem, x, expr))
    }

    fn forget(&self, e: &Self::Elem, dims: &[Dim]) -> Self::Elem {
        self.made(TraceOp::Forget(e.id, dims.to_vec()), self.inner.forget(&e.elem, dims))
    }

    fn rename(&self, e: &Self::Elem, map: &[(Dim, Dim)]) -> Self::Elem {
        self.made(TraceOp::Rename(e.id, map.to_vec()), self.inner.rename(&e.elem, map))
    }

    fn bounds(&self, e: &Self::Elem, expr: &LinExpr) -> Interval {
        self.asked(TraceOp::Bounds(e.id, expr.clone()));
        self.inner.bounds(&e.elem, expr)
    }

    fn entails(&self, e: &Self::Elem, c: &LinCons) -> bool {
        let answer = self.inner.entails(&e.elem, c);
        self.asked(TraceOp::Entails(e.id, c.clone(), answer));
        answer
    }

    /// Written down as the widening and the thresholds that came of it.
    fn widen_up_to(&self, old: &Self::Elem, new: &Self::Elem, thresholds: &[LinCons]) -> Self::Elem {
        let widened = self.widen(old, new);
        let elem = self.inner.widen_up_to(&old.elem, &new.elem, thresholds);
        if elem == widened.elem {
            return widened;
        }
        let convex = thresholds.iter().filter(|c| c.kind() != ConsKind::Ne);
        let kept: Vec<LinCons> = convex
            .filter(|c| self.inner.leq(&elem, &self.inner.assume(&elem, c)) && !self.inner.entails(&widened.elem, c))
            .cloned()
            .collect();
        if self.inner.assume_all(&widened.elem, &kept) == elem {
            self.made(TraceOp::Assume(widened.id, kept), elem)
        } else {
            self.written_down(elem)
        }
    }

    fn constraints(&self, e: &Self::Elem) -> Vec<LinCons> {
        self.inner.constraints(&e.elem)
    }

    fn support(&self, e: &Self::Elem) -> Vec<Dim> {
        self.inner.support(&e.elem)
    }
}
