//! A matrix of whichever size of bound its numbers need.
//!
//! The size is canonical: the smallest whose limit holds every finite bound. Computation happens in a size that is large enough
//! for its intermediate sums, so no result is ever rounded or lost.

use std::borrow::Cow;

use super::bound::{Big, Bound};
use super::{Family, Matrix};
use crate::int::Int;

/// A matrix with bounds of one of three sizes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Dbm<F: Family> {
    Small(F::Of<i64>),
    Wide(F::Of<i128>),
    Big(F::Of<Big>),
}

/// The size of a matrix's bounds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Size {
    Small,
    Wide,
    Big,
}

/// Runs an expression on the matrix, whatever its size.
macro_rules! each {
    ($dbm:expr, $m:ident => $body:expr) => {
        match $dbm {
            $crate::dbm::Dbm::Small($m) => $body,
            $crate::dbm::Dbm::Wide($m) => $body,
            $crate::dbm::Dbm::Big($m) => $body,
        }
    };
}
pub(crate) use each;

/// Runs an expression on the matrix and wraps the resulting one.
macro_rules! map {
    ($dbm:expr, $m:ident => $body:expr) => {
        match $dbm {
            $crate::dbm::Dbm::Small($m) => $crate::dbm::Dbm::Small($body),
            $crate::dbm::Dbm::Wide($m) => $crate::dbm::Dbm::Wide($body),
            $crate::dbm::Dbm::Big($m) => $crate::dbm::Dbm::Big($body),
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

impl<F: Family> Dbm<F> {
    pub(crate) fn top(n: usize, size: Size) -> Dbm<F> {
        match size.max(Size::of_len(n)) {
            Size::Small => Dbm::Small(Matrix::top(n)),
            Size::Wide => Dbm::Wide(Matrix::top(n)),
            Size::Big => Dbm::Big(Matrix::top(n)),
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

    /// The bound at a place, `None` for infinity.
    pub(crate) fn get(&self, i: usize, j: usize) -> Option<Int> {
        each!(self, m => m.at(i, j).to_int())
    }

    /// The matrix in at least the given size.
    pub(crate) fn raised(&self, size: Size) -> Cow<'_, Dbm<F>> {
        if self.size() >= size {
            return Cow::Borrowed(self);
        }
        let raised = match size {
            Size::Small => None,
            Size::Wide => each!(self, m => convert(m)).map(Dbm::Wide),
            Size::Big => each!(self, m => convert(m)).map(Dbm::Big),
        };
        // Conversion to a larger size always succeeds.
        raised.map_or(Cow::Borrowed(self), Cow::Owned)
    }

    /// The matrix in its canonical size.
    pub(crate) fn canonical(self) -> Dbm<F> {
        let fits = each!(&self, m => m.cells().iter().all(Bound::fits));
        if self.size() == Size::Small && fits {
            return self;
        }
        if let Some(m) = each!(&self, m => convert(m)) {
            return Dbm::Small(m);
        }
        if let Some(m) = each!(&self, m => convert(m)) {
            return Dbm::Wide(m);
        }
        self.raised(Size::Big).into_owned()
    }

    /// Lowers the bound at a place without closing; the matrix grows to the size of the bound.
    pub(crate) fn lower(&mut self, i: usize, j: usize, c: &Int) {
        if let Cow::Owned(larger) = self.raised(Size::of(c)) {
            *self = larger;
        }
        each!(self, m => if let Some(c) = Bound::from_int(c) { m.lower(i, j, c) });
    }

    /// Adds one constraint to a closed matrix. False if there is no integer solution.
    pub(crate) fn add(&mut self, i: usize, j: usize, c: &Int) -> bool {
        if let Cow::Owned(larger) = self.raised(Size::of(c)) {
            *self = larger;
        }
        let ok = each!(self, m => Bound::from_int(c).is_none_or(|c| m.add(i, j, &c)));
        // Bounds may have left the limit; the next addition needs them back inside.
        if ok && !each!(&*self, m => m.cells().iter().all(Bound::fits)) {
            let grown = std::mem::replace(self, Dbm::Small(Matrix::top(0)));
            *self = grown.canonical();
        }
        ok
    }

    /// Tight closure. False if there is no integer solution.
    pub(crate) fn close(&mut self) -> bool {
        each!(self, m => m.close())
    }

    /// Combines two matrices over the same variables in a common size.
    pub(crate) fn common<'a>(a: &'a Dbm<F>, b: &'a Dbm<F>) -> (Cow<'a, Dbm<F>>, Cow<'a, Dbm<F>>) {
        let size = a.size().max(b.size());
        (a.raised(size), b.raised(size))
    }

    /// The entrywise maximum.
    pub(crate) fn max(a: &Dbm<F>, b: &Dbm<F>) -> Dbm<F> {
        let (a, b) = Dbm::common(a, b);
        match (&*a, &*b) {
            (Dbm::Small(a), Dbm::Small(b)) => Dbm::Small(max(a, b)),
            (Dbm::Wide(a), Dbm::Wide(b)) => Dbm::Wide(max(a, b)),
            (Dbm::Big(a), Dbm::Big(b)) => Dbm::Big(max(a, b)),
            _ => unreachable!("both matrices have the common size"),
        }
    }

    /// Whether every entry of `a` is at most that of `b`.
    pub(crate) fn leq(a: &Dbm<F>, b: &Dbm<F>) -> bool {
        let (a, b) = Dbm::common(a, b);
        match (&*a, &*b) {
            (Dbm::Small(a), Dbm::Small(b)) => leq(a, b),
            (Dbm::Wide(a), Dbm::Wide(b)) => leq(a, b),
            (Dbm::Big(a), Dbm::Big(b)) => leq(a, b),
            _ => unreachable!("both matrices have the common size"),
        }
    }
}

fn max<B: Bound, M: Matrix<B>>(a: &M, b: &M) -> M {
    M::from_cells(a.len(), a.cells().iter().zip(b.cells()).map(|(x, y)| x.max(y).clone()).collect())
}

fn leq<B: Bound, M: Matrix<B>>(a: &M, b: &M) -> bool {
    a.cells().iter().zip(b.cells()).all(|(x, y)| x <= y)
}

/// The matrix with each entry converted; `None` if one cannot be.
fn convert<A: Bound, B: Bound, N: Matrix<B>>(m: &impl Matrix<A>) -> Option<N> {
    let cells = m.cells().iter().map(|b| b.to_int().map_or(Some(B::INF), |v| B::from_int(&v)));
    Some(N::from_cells(m.len(), cells.collect::<Option<Vec<B>>>()?))
}
