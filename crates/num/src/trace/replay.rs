//! Repeating a trace on a domain.

use super::{ElemId, Trace, TraceOp};
use crate::domain::NumDomain;

/// The domain answered a question differently from the recorded one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mismatch {
    /// The index of the operation.
    pub op: usize,
    /// The recorded answer.
    pub recorded: bool,
}

impl Trace {
    /// Carries out every operation and checks the recorded answers. Elements are dropped after their last use.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::trace::{ElemId, Mismatch, Trace, TraceOp};
    /// let trace = Trace { ops: vec![TraceOp::Bottom, TraceOp::IsBottom(ElemId(0), false)] };
    /// assert_eq!(trace.replay(&plumb_num::Boxes), Err(Mismatch { op: 1, recorded: false }));
    /// ```
    pub fn replay<D: NumDomain>(&self, domain: &D) -> Result<(), Mismatch> {
        self.replay_seeing(domain, |_| ())
    }

    /// The same, showing every element as it is made.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::trace::{ElemId, Trace, TraceOp};
    /// use plumb_num::{Boxes, Dim, Interval, LinCons};
    /// let one = vec![LinCons::eq(Dim(0).into(), 1.into())];
    /// let mut seen = Vec::new();
    /// let trace = Trace { ops: vec![TraceOp::Top, TraceOp::Assume(ElemId(0), one)] };
    /// trace.replay_seeing(&Boxes, |e| seen.push(e.get(Dim(0)))).unwrap();
    /// assert_eq!(seen, [Interval::FULL, Interval::new(1, 1)]);
    /// ```
    pub fn replay_seeing<D: NumDomain>(&self, domain: &D, mut see: impl FnMut(&D::Elem)) -> Result<(), Mismatch> {
        let last = self.last_uses();
        let mut elems: Vec<Option<D::Elem>> = Vec::new();
        for (i, op) in self.ops.iter().enumerate() {
            let answer = apply(domain, op, &mut elems);
            if let Some((given, recorded)) = answer {
                if given != recorded {
                    return Err(Mismatch { op: i, recorded });
                }
            }
            if op.makes_element() {
                elems.last().and_then(Option::as_ref).into_iter().for_each(&mut see);
            }
            for id in &last[i] {
                elems[id.0 as usize] = None;
            }
        }
        Ok(())
    }
}

/// Carries out one operation; for a question, the given and the recorded answer.
fn apply<D: NumDomain>(d: &D, op: &TraceOp, elems: &mut Vec<Option<D::Elem>>) -> Option<(bool, bool)> {
    let at = |id: &ElemId| elems[id.0 as usize].as_ref().unwrap_or_else(|| unreachable!("an operand is live until its last use"));
    let made = match op {
        TraceOp::Top => d.top(),
        TraceOp::Bottom => d.bottom(),
        TraceOp::Assume(a, cs) => match &cs[..] {
            [c] => d.assume(at(a), c),
            _ => d.assume_all(at(a), cs),
        },
        TraceOp::Assign(a, x, e) => d.assign(at(a), *x, e),
        TraceOp::Preimage(a, x, e) => d.preimage_assign(at(a), *x, e),
        TraceOp::Forget(a, ds) => d.forget(at(a), ds),
        TraceOp::Rename(a, map) => d.rename(at(a), map),
        TraceOp::Join(a, b) => d.join(at(a), at(b)),
        TraceOp::Meet(a, b) => d.meet(at(a), at(b)),
        TraceOp::Widen(a, b) => d.widen(at(a), at(b)),
        TraceOp::Leq(a, b, r) => return Some((d.leq(at(a), at(b)), *r)),
        TraceOp::IsBottom(a, r) => return Some((d.is_bottom(at(a)), *r)),
        TraceOp::Entails(a, c, r) => return Some((d.entails(at(a), c), *r)),
        TraceOp::Bounds(a, e) => {
            d.bounds(at(a), e);
            return None;
        }
    };
    elems.push(Some(made));
    None
}
