//! One of several numeric domains, by how many variables there are: relations cost more the more there are.
//!
//! All structures over all domains would be a dozen copies of everything that is generic in them; this is one domain whose elements know which they are. Elements of different kinds never meet:
//! a domain makes its own.

use plumb_num::{Boxes, Dim, IntBox, Interval, Lattice, LinCons, LinExpr, NumDomain, Octagon, Octagons, Poly, Polyhedra};

/// Up to so many variables there are polyhedra, beyond octagons.
const FOR_POLYHEDRA: usize = 12;
/// Up to so many there are octagons, beyond intervals.
const FOR_OCTAGONS: usize = 40;

/// The domain.
#[derive(Clone, Debug)]
pub enum Numbers {
    /// Intervals.
    Boxes(Boxes),
    /// Octagons.
    Octagons(Octagons),
    /// Convex polyhedra.
    Polyhedra(Polyhedra),
}

/// An element.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Number {
    /// Of intervals.
    Box(IntBox),
    /// Of octagons.
    Octagon(Octagon),
    /// Of polyhedra.
    Poly(Poly),
}

impl Numbers {
    /// For so many variables.
    pub fn for_variables(n: usize) -> Numbers {
        match n {
            n if n <= FOR_POLYHEDRA => Numbers::Polyhedra(Polyhedra::default()),
            n if n <= FOR_OCTAGONS => Numbers::Octagons(Octagons),
            _ => Numbers::Boxes(Boxes),
        }
    }
}

/// An operation on one element that gives one.
macro_rules! map {
    ($own:expr, $e:expr, |$d:ident, $x:ident| $body:expr) => {
        match ($own, $e) {
            (Numbers::Boxes($d), Number::Box($x)) => Number::Box($body),
            (Numbers::Octagons($d), Number::Octagon($x)) => Number::Octagon($body),
            (Numbers::Polyhedra($d), Number::Poly($x)) => Number::Poly($body),
            (own, _) => own.top(),
        }
    };
}

/// An operation on two elements that gives one.
macro_rules! zip {
    ($own:expr, $a:expr, $b:expr, |$d:ident, $x:ident, $y:ident| $body:expr) => {
        match ($own, $a, $b) {
            (Numbers::Boxes($d), Number::Box($x), Number::Box($y)) => Number::Box($body),
            (Numbers::Octagons($d), Number::Octagon($x), Number::Octagon($y)) => Number::Octagon($body),
            (Numbers::Polyhedra($d), Number::Poly($x), Number::Poly($y)) => Number::Poly($body),
            (own, ..) => own.top(),
        }
    };
}

/// A question about one element.
macro_rules! ask {
    ($own:expr, $e:expr, $otherwise:expr, |$d:ident, $x:ident| $body:expr) => {
        match ($own, $e) {
            (Numbers::Boxes($d), Number::Box($x)) => $body,
            (Numbers::Octagons($d), Number::Octagon($x)) => $body,
            (Numbers::Polyhedra($d), Number::Poly($x)) => $body,
            _ => $otherwise,
        }
    };
}

impl Lattice for Numbers {
    type Elem = Number;

    fn bottom(&self) -> Number {
        match self {
            Numbers::Boxes(d) => Number::Box(d.bottom()),
            Numbers::Octagons(d) => Number::Octagon(d.bottom()),
            Numbers::Polyhedra(d) => Number::Poly(d.bottom()),
        }
    }

    fn top(&self) -> Number {
        match self {
            Numbers::Boxes(d) => Number::Box(d.top()),
            Numbers::Octagons(d) => Number::Octagon(d.top()),
            Numbers::Polyhedra(d) => Number::Poly(d.top()),
        }
    }

    fn is_bottom(&self, a: &Number) -> bool {
        ask!(self, a, false, |d, x| d.is_bottom(x))
    }

    fn is_top(&self, a: &Number) -> bool {
        ask!(self, a, false, |d, x| d.is_top(x))
    }

    fn leq(&self, a: &Number, b: &Number) -> bool {
        match (self, a, b) {
            (Numbers::Boxes(d), Number::Box(x), Number::Box(y)) => d.leq(x, y),
            (Numbers::Octagons(d), Number::Octagon(x), Number::Octagon(y)) => d.leq(x, y),
            (Numbers::Polyhedra(d), Number::Poly(x), Number::Poly(y)) => d.leq(x, y),
            _ => false,
        }
    }

    fn join(&self, a: &Number, b: &Number) -> Number {
        zip!(self, a, b, |d, x, y| d.join(x, y))
    }

    fn meet(&self, a: &Number, b: &Number) -> Number {
        zip!(self, a, b, |d, x, y| d.meet(x, y))
    }

    fn widen(&self, old: &Number, new: &Number) -> Number {
        zip!(self, old, new, |d, x, y| d.widen(x, y))
    }

    fn narrow(&self, old: &Number, new: &Number) -> Number {
        zip!(self, old, new, |d, x, y| d.narrow(x, y))
    }
}

impl NumDomain for Numbers {
    fn assume(&self, e: &Number, c: &LinCons) -> Number {
        map!(self, e, |d, x| d.assume(x, c))
    }

    fn assign(&self, e: &Number, v: Dim, expr: &LinExpr) -> Number {
        map!(self, e, |d, x| d.assign(x, v, expr))
    }

    fn assign_parallel(&self, e: &Number, assignments: &[(Dim, LinExpr)]) -> Number {
        map!(self, e, |d, x| d.assign_parallel(x, assignments))
    }

    fn assign_between(&self, e: &Number, v: Dim, lo: Option<&LinExpr>, hi: Option<&LinExpr>) -> Number {
        map!(self, e, |d, x| d.assign_between(x, v, lo, hi))
    }

    fn forget(&self, e: &Number, dims: &[Dim]) -> Number {
        map!(self, e, |d, x| d.forget(x, dims))
    }

    fn rename(&self, e: &Number, map: &[(Dim, Dim)]) -> Number {
        map!(self, e, |d, x| d.rename(x, map))
    }

    fn bounds(&self, e: &Number, expr: &LinExpr) -> Interval {
        ask!(self, e, Interval { lo: None, hi: None }, |d, x| d.bounds(x, expr))
    }

    fn constraints(&self, e: &Number) -> Vec<LinCons> {
        ask!(self, e, Vec::new(), |d, x| d.constraints(x))
    }

    fn support(&self, e: &Number) -> Vec<Dim> {
        ask!(self, e, Vec::new(), |d, x| d.support(x))
    }

    fn mentioned(&self, e: &Number) -> Vec<Dim> {
        ask!(self, e, Vec::new(), |d, x| d.mentioned(x))
    }

    fn assume_all(&self, e: &Number, cs: &[LinCons]) -> Number {
        map!(self, e, |d, x| d.assume_all(x, cs))
    }

    fn entails(&self, e: &Number, c: &LinCons) -> bool {
        ask!(self, e, false, |d, x| d.entails(x, c))
    }

    fn widen_up_to(&self, old: &Number, new: &Number, thresholds: &[LinCons]) -> Number {
        zip!(self, old, new, |d, x, y| d.widen_up_to(x, y, thresholds))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// x ≤ y and x + 2y ≤ 8 in each: intervals say neither, octagons the first, polyhedra both.
    #[test]
    fn the_number_of_variables_decides() {
        let (x, y) = (LinExpr::var(Dim(0)), LinExpr::var(Dim(1)));
        let said = [LinCons::le(x.clone(), y.clone()), LinCons::le(x.plus_scaled(&y, &2.into()), 8.into())];
        let entailed = |n: usize| {
            let d = Numbers::for_variables(n);
            let e = d.of_constraints(&said);
            assert!(d.leq(&e, &d.join(&e, &d.bottom())) && d.is_top(&d.top()) && d.is_bottom(&d.meet(&e, &d.bottom())));
            said.each_ref().map(|c| d.entails(&e, c))
        };
        assert_eq!([41, 40, 12].map(entailed), [[false, false], [true, false], [true, true]]);
    }
}
