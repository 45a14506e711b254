//! Linear actions: what one case of a way does to an element of a numeric domain, forwards and backwards.
//!
//! An action is a conjunction of linear guards and a parallel assignment of linear expressions, both over the variables before it and inputs, numbers
//! that it takes from outside. `Image` and `Preimage` (Section 2) are as exact as the domain's guards, assignments and projections.

use plumb_num::{Dim, Lattice, LinCons, LinExpr, NumDomain, Polyhedra};
use std::collections::BTreeSet;

/// Guards over more dimensions than this are not put into a normal form.
const MAX_DIMS: usize = 16;

/// What one case of a way does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// When it can be taken.
    pub guards: Vec<LinCons>,
    /// The new values; other dimensions keep theirs.
    pub updates: Vec<(Dim, LinExpr)>,
    /// The dimensions of inputs.
    pub inputs: Vec<Dim>,
    /// The dimensions that no longer matter afterwards.
    pub dead: Vec<Dim>,
    /// Whether it is all that the way does in this case: no operator was approximated.
    pub exact: bool,
}

impl Action {
    /// The same action with inputs that only guards mention eliminated; nothing if it can never be taken.
    pub fn reduced(mut self) -> Option<Action> {
        let read: BTreeSet<Dim> = self.updates.iter().flat_map(|(_, e)| e.dims().collect::<Vec<_>>()).collect();
        let dims: BTreeSet<Dim> = self.guards.iter().flat_map(|c| c.expr().dims().collect::<Vec<_>>()).collect();
        if dims.len() <= MAX_DIMS {
            let d = Polyhedra::default();
            let e = d.of_constraints(&self.guards);
            if d.is_bottom(&e) {
                return None;
            }
            let gone: Vec<Dim> = self.inputs.iter().copied().filter(|x| !read.contains(x)).collect();
            // Rational elimination is exact for integers only where coefficients are units.
            let rational = |c: &LinCons| c.expr().terms().iter().any(|(x, k)| gone.contains(x) && !k.abs().is_one());
            self.exact &= !self.guards.iter().any(rational);
            self.guards = d.constraints(&d.forget(&e, &gone));
            self.guards.sort();
        }
        let dims: BTreeSet<Dim> = self.guards.iter().flat_map(|c| c.expr().dims().collect::<Vec<_>>()).collect();
        self.inputs.retain(|x| dims.contains(x) || read.contains(x));
        Some(self)
    }

    /// `Image`: the states after the action from a state of `e`.
    pub fn image<D: NumDomain>(&self, domain: &D, e: &D::Elem) -> D::Elem {
        let taken = domain.assume_all(e, &self.guards);
        if domain.is_bottom(&taken) {
            return domain.bottom();
        }
        let after = domain.assign_parallel(&taken, &self.updates);
        let gone: Vec<Dim> = self.inputs.iter().chain(&self.dead).copied().collect();
        domain.forget(&after, &gone)
    }

    /// `Preimage`: the states before the action of which some successor is in `e`.
    pub fn preimage<D: NumDomain>(&self, domain: &D, e: &D::Elem) -> D::Elem {
        let before = domain.preimage_parallel(e, &self.updates);
        let taken = domain.assume_all(&before, &self.guards);
        if domain.is_bottom(&taken) {
            return domain.bottom();
        }
        domain.forget(&taken, &self.inputs)
    }

    /// Whether octagons can express it: all guards and values have at most two variables with unit coefficients.
    pub fn is_octagonal(&self) -> bool {
        let unit = |e: &LinExpr| e.terms().iter().all(|(_, k)| k.abs().is_one());
        let guards = self.guards.iter().all(|c| c.expr().terms().len() <= 2 && unit(c.expr()));
        guards && self.updates.iter().all(|(_, e)| e.terms().len() <= 1 && unit(e))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumb_num::{Lattice, Octagons};

    fn v(i: u32) -> LinExpr {
        LinExpr::var(Dim(i))
    }

    /// `assume(x < y); x := x + 2; y := *`.
    fn step() -> Action {
        Action {
            guards: vec![LinCons::lt(v(0), v(1))],
            updates: vec![(Dim(0), v(0) + 2.into()), (Dim(1), v(9))],
            inputs: vec![Dim(9)],
            dead: Vec::new(),
            exact: true,
        }
    }

    #[test]
    fn image_and_preimage_are_exact() {
        let before = |d: &Octagons| d.of_constraints(&[LinCons::ge(v(0), 3.into()), LinCons::le(v(1), 7.into())]);
        let d = Octagons;
        let after = step().image(&d, &before(&d));
        assert_eq!(after, d.of_constraints(&[LinCons::ge(v(0), 5.into()), LinCons::le(v(0), 8.into())]));
        let back = step().preimage(&d, &d.of_constraints(&[LinCons::eq(v(0), 8.into()), LinCons::ge(v(1), 100.into())]));
        assert_eq!(back, d.of_constraints(&[LinCons::eq(v(0), 6.into()), LinCons::gt(v(1), v(0))]));
    }

    #[test]
    fn inputs_of_guards_alone_vanish() {
        let mut a = step();
        a.updates.pop();
        a.guards.push(LinCons::ge(v(9), v(1)));
        a.guards.push(LinCons::le(v(9), 4.into()));
        let a = a.reduced().unwrap();
        assert!(a.inputs.is_empty());
        assert!(a.guards.contains(&LinCons::le(v(1), 4.into())));
        let never = Action { guards: vec![LinCons::lt(v(0), 0.into()), LinCons::gt(v(0), 0.into())], ..step() };
        assert_eq!(never.reduced(), None);
    }

    #[test]
    fn sums_of_three_are_not_octagonal() {
        assert!(step().is_octagonal());
        let sum = Action { updates: vec![(Dim(0), v(0) + v(1))], ..step() };
        assert!(!sum.is_octagonal());
        assert_eq!(Polyhedra::default().bounds(&sum.image(&Polyhedra::default(), &Polyhedra::default().top()), &v(0)).lo, None);
    }
}
