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
/// use plumb_num::{Dim, LinCons, LinExpr};
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
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::octagon::OctMatrix;
    /// use plumb_num::{Dim, Interval, LinCons, LinExpr};
    /// let v = |i| LinExpr::var(Dim(i));
    /// let m = OctMatrix::from_constraints(2, &[LinCons::ge(v(0), 3.into()), LinCons::le(v(0), v(1)), LinCons::ge(v(2), 0.into())]);
    /// // Not closed: the bound of x1 is not there yet, that of x2 never will be.
    /// assert_eq!((m.bounds(Dim(0)).lo, m.bounds(Dim(1)), m.bounds(Dim(2))), (Some(3.into()), Interval::FULL, Interval::FULL));
    /// ```
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
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::octagon::OctMatrix;
    /// use plumb_num::{Dim, LinCons, LinExpr};
    /// let v = |i| LinExpr::var(Dim(i));
    /// // x0 + x1 = 1 and x0 - x1 = 0 have a rational solution only.
    /// let cs = [LinCons::eq(v(0) + v(1), 1.into()), LinCons::eq(v(0), v(1))];
    /// assert!(!OctMatrix::from_constraints(2, &cs).close() && OctMatrix::from_constraints(2, &cs[..1]).close());
    /// ```
    pub fn close(&mut self) -> bool {
        self.m.close()
    }

    /// The stored bounds of a dimension: after closure, the least ones.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::octagon::OctMatrix;
    /// use plumb_num::{Dim, Interval, LinCons, LinExpr};
    /// let v = |i| LinExpr::var(Dim(i));
    /// let mut m = OctMatrix::from_constraints(2, &[LinCons::ge(v(0), 3.into()), LinCons::le(v(0), v(1)), LinCons::le(v(1), 7.into())]);
    /// assert!(m.close());
    /// assert_eq!(m.bounds(Dim(1)), Interval::new(3, 7));
    /// ```
    pub fn bounds(&self, x: Dim) -> Interval {
        if x.index() >= self.m.len() {
            return Interval::FULL;
        }
        Interval { lo: self.m.upper(2 * x.index() + 1).map(|v| -v), hi: self.m.upper(2 * x.index()) }
    }
}
