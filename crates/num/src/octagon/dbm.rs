//! A half matrix of whichever size of bound its numbers need.
//!
//! The size is canonical: the smallest whose limit holds every finite bound. Computation happens in a size that is large enough
//! for its intermediate sums, so no result is ever rounded or lost.

use std::borrow::Cow;

use super::bound::{Big, Bound};
use super::half::Half;
use crate::int::Int;

/// A half matrix with bounds of one of three sizes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Dbm {
    Small(Half<i64>),
    Wide(Half<i128>),
    Big(Half<Big>),
}

/// The size of a matrix's bounds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Size {
    Small,
    Wide,
    Big,
}

/// Runs an expression on the half matrix, whatever its size.
macro_rules! each {
    ($dbm:expr, $m:ident => $body:expr) => {
        match $dbm {
            $crate::octagon::dbm::Dbm::Small($m) => $body,
            $crate::octagon::dbm::Dbm::Wide($m) => $body,
            $crate::octagon::dbm::Dbm::Big($m) => $body,
        }
    };
}
pub(crate) use each;

/// Runs an expression on the half matrix and wraps the resulting one.
macro_rules! map {
    ($dbm:expr, $m:ident => $body:expr) => {
        match $dbm {
            $crate::octagon::dbm::Dbm::Small($m) => $crate::octagon::dbm::Dbm::Small($body),
            $crate::octagon::dbm::Dbm::Wide($m) => $crate::octagon::dbm::Dbm::Wide($body),
            $crate::octagon::dbm::Dbm::Big($m) => $crate::octagon::dbm::Dbm::Big($body),
        }
    };
}
pub(crate) use map;

impl Size {
    /// The size whose limit holds the number.
    pub(crate) fn of(v: &Int) -> Size {
        if i64::from_int(v).is_some() {
            Size::Small
        } else if i128::from_int(v).is_some() {
            Size::Wide
        } else {
            Size::Big
        }
    }

    /// A size in which paths over so many variables cannot overflow.
    pub(crate) fn of_len(n: usize) -> Size {
        match n {
            0..=512 => Size::Small,
            513..=8192 => Size::Wide,
            _ => Size::Big,
        }
    }
}

impl Dbm {
    pub(crate) fn top(n: usize, size: Size) -> Dbm {
        match size.max(Size::of_len(n)) {
            Size::Small => Dbm::Small(Half::top(n)),
            Size::Wide => Dbm::Wide(Half::top(n)),
            Size::Big => Dbm::Big(Half::top(n)),
        }
    }

    pub(crate) fn size(&self) -> Size {
        match self {
            Dbm::Small(_) => Size::Small,
            Dbm::Wide(_) => Size::Wide,
            Dbm::Big(_) => Size::Big,
        }
    }

    pub(crate) fn len(&self) -> usize {
        each!(self, m => m.len())
    }

    /// The bound of `V_u + V_v`, `None` for infinity.
    pub(crate) fn sum(&self, u: usize, v: usize) -> Option<Int> {
        each!(self, m => m.sum(u, v).to_int())
    }

    /// The bound of `V_u`, `None` for infinity.
    pub(crate) fn upper(&self, u: usize) -> Option<Int> {
        each!(self, m => m.sum(u, u).half().to_int())
    }

    /// The matrix in at least the given size.
    pub(crate) fn raised(&self, size: Size) -> Cow<'_, Dbm> {
        if self.size() >= size {
            return Cow::Borrowed(self);
        }
        let raised = match size {
            Size::Small => None,
            Size::Wide => each!(self, m => m.convert()).map(Dbm::Wide),
            Size::Big => each!(self, m => m.convert()).map(Dbm::Big),
        };
        // Conversion to a larger size always succeeds.
        raised.map_or(Cow::Borrowed(self), Cow::Owned)
    }

    /// The matrix in its canonical size.
    pub(crate) fn canonical(self) -> Dbm {
        let fits = each!(&self, m => m.cells().iter().all(Bound::fits));
        if self.size() == Size::Small && fits {
            return self;
        }
        if let Some(m) = each!(&self, m => m.convert()) {
            return Dbm::Small(m);
        }
        if let Some(m) = each!(&self, m => m.convert()) {
            return Dbm::Wide(m);
        }
        self.raised(Size::Big).into_owned()
    }

    /// Lowers the bound of `V_u + V_v` without closing; the matrix grows to the size of the bound.
    pub(crate) fn lower_sum(&mut self, u: usize, v: usize, c: &Int) {
        if let Cow::Owned(larger) = self.raised(Size::of(c)) {
            *self = larger;
        }
        each!(self, m => if let Some(c) = Bound::from_int(c) { m.lower_sum(u, v, c) });
    }

    /// Adds one constraint to a closed matrix. False if there is no integer solution.
    pub(crate) fn add(&mut self, u: usize, v: usize, c: &Int) -> bool {
        if let Cow::Owned(larger) = self.raised(Size::of(c)) {
            *self = larger;
        }
        let ok = each!(self, m => Bound::from_int(c).is_none_or(|c| m.add(u, v, &c)));
        // Bounds may have left the limit; the next addition needs them back inside.
        if ok && !each!(&*self, m => m.cells().iter().all(Bound::fits)) {
            let grown = std::mem::replace(self, Dbm::Small(Half::top(0)));
            *self = grown.canonical();
        }
        ok
    }

    /// Tight closure. False if there is no integer solution.
    pub(crate) fn close(&mut self) -> bool {
        each!(self, m => m.close())
    }

    /// Combines two matrices over the same variables in a common size.
    pub(crate) fn common<'a>(a: &'a Dbm, b: &'a Dbm) -> (Cow<'a, Dbm>, Cow<'a, Dbm>) {
        let size = a.size().max(b.size());
        (a.raised(size), b.raised(size))
    }

    /// The entrywise maximum.
    pub(crate) fn max(a: &Dbm, b: &Dbm) -> Dbm {
        let (a, b) = Dbm::common(a, b);
        match (&*a, &*b) {
            (Dbm::Small(a), Dbm::Small(b)) => Dbm::Small(a.zip(b, |x, y| *x.max(y))),
            (Dbm::Wide(a), Dbm::Wide(b)) => Dbm::Wide(a.zip(b, |x, y| *x.max(y))),
            (a, b) => Dbm::Big(big(a).zip(&big(b), |x, y| x.max(y).clone())),
        }
    }

    /// Whether every entry of `a` is at most that of `b`.
    pub(crate) fn leq(a: &Dbm, b: &Dbm) -> bool {
        let (a, b) = Dbm::common(a, b);
        match (&*a, &*b) {
            (Dbm::Small(a), Dbm::Small(b)) => a.cells().iter().zip(b.cells()).all(|(x, y)| x <= y),
            (Dbm::Wide(a), Dbm::Wide(b)) => a.cells().iter().zip(b.cells()).all(|(x, y)| x <= y),
            (a, b) => big(a).cells().iter().zip(big(b).cells()).all(|(x, y)| x <= y),
        }
    }
}

fn big(m: &Dbm) -> Cow<'_, Half<Big>> {
    match m {
        Dbm::Big(m) => Cow::Borrowed(m),
        other => Cow::Owned(each!(other, m => m.convert()).unwrap_or_else(|| Half::top(other.len()))),
    }
}
