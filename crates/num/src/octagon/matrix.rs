//! A dense matrix of octagonal constraints, closed on demand: what [`Octagons`](super::Octagons) does inside a block, for those who
//! want to hold, close and measure it alone.

use super::cons::{Lit, OctCons};
use super::half::Octagonal;
use crate::dbm::{Dbm, Size};
use crate::interval::Interval;
use crate::linear::{Dim, LinCons};

/// Octagonal constraints over the dimensions `0 .. n`, closed or not.
///
/// ```
/// use plumb_num::octagon::OctMatrix;
/// use plumb_num::{Dim, Interval, LinCons, LinExpr};
/// let v = |i| LinExpr::var(Dim(i));
/// let mut m = OctMatrix::from_constraints(2, &[LinCons::ge(v(0) + v(1), 3.into()), LinCons::ge(v(0) - v(1), 0.into())]);
/// assert!(m.close());
/// assert_eq!(m.bounds(Dim(0)).lo, Some(2.into()));
/// ```
#[derive(Clone, Debug)]
pub struct OctMatrix {
    m: Dbm<Octagonal>,
}

impl OctMatrix {
    /// The conjunction of those of the constraints that are octagonal and over dimensions below `n`; not closed.
    pub fn from_constraints(n: usize, cs: &[LinCons]) -> OctMatrix {
        let mut m = Dbm::top(n, Size::Small);
        let at = |u: Lit| 2 * u.dim.index() + usize::from(u.neg);
        for c in cs.iter().filter_map(OctCons::of_cons).flatten() {
            if c.u.dim.index() < n && c.v.dim.index() < n {
                m.lower(at(c.u), at(c.v), &c.c);
            }
        }
        OctMatrix { m }
    }

    /// Tight closure. False if there is no integer solution; the matrix is then of no further use.
    pub fn close(&mut self) -> bool {
        self.m.close()
    }

    /// The stored bounds of a dimension: after closure, the least ones.
    pub fn bounds(&self, x: Dim) -> Interval {
        if x.index() >= self.m.len() {
            return Interval::FULL;
        }
        Interval { lo: self.m.upper(2 * x.index() + 1).map(|v| -v), hi: self.m.upper(2 * x.index()) }
    }
}
