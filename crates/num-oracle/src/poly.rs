//! PPL's closed convex polyhedra.

use std::ffi::c_int;

use crate::ffi::{check, Handle, Owned, Value};
use crate::{Constraint, Constraints, Expression, Session};

/// A closed convex polyhedron in a space of fixed dimension.
pub struct Poly<'s> {
    session: &'s Session,
    owned: Owned<'s>,
    dims: usize,
}

impl<'s> Poly<'s> {
    /// The whole space of `dims` dimensions.
    pub fn universe(session: &'s Session, dims: usize) -> Self {
        Self::make(session, dims, |h| {
            // SAFETY: an out pointer.
            unsafe { (session.api.new_poly)(h, dims, 0) }
        })
    }

    /// The empty set.
    pub fn empty(session: &'s Session, dims: usize) -> Self {
        Self::make(session, dims, |h| {
            // SAFETY: an out pointer.
            unsafe { (session.api.new_poly)(h, dims, 1) }
        })
    }

    fn make(session: &'s Session, dims: usize, f: impl FnOnce(*mut Handle) -> c_int) -> Self {
        let mut handle = std::ptr::null_mut();
        check(f(&mut handle));
        Poly { session, owned: Owned { handle, delete: session.api.delete_poly, _api: session.api }, dims }
    }

    /// The number of dimensions of the space.
    pub fn dims(&self) -> usize {
        self.dims
    }

    /// Intersects with constraints.
    pub fn add(&mut self, constraints: &Constraints) {
        // SAFETY: live handles of the same dimension.
        unsafe { check((self.session.api.poly_add_constraints)(self.owned.handle, constraints.owned.handle)) };
    }

    /// Intersection.
    pub fn meet(&mut self, other: &Poly) {
        // SAFETY: live handles of the same dimension.
        unsafe { check((self.session.api.poly_meet)(self.owned.handle, other.owned.handle)) };
    }

    /// Convex hull.
    pub fn hull(&mut self, other: &Poly) {
        // SAFETY: live handles of the same dimension.
        unsafe { check((self.session.api.poly_hull)(self.owned.handle, other.owned.handle)) };
    }

    /// Whether the convex hull has no rational point that is in neither.
    pub fn hull_is_exact(&self, other: &Poly) -> bool {
        let hull = self.clone();
        // SAFETY: live handles of the same dimension.
        unsafe { check((self.session.api.poly_hull_if_exact)(hull.owned.handle, other.owned.handle)) > 0 }
    }

    /// The standard widening `old ∇ self`; `self` must include `old`.
    pub fn widen_from(&mut self, old: &Poly) {
        // SAFETY: live handles of the same dimension.
        unsafe { check((self.session.api.poly_h79)(self.owned.handle, old.owned.handle)) };
    }

    /// The image of `x := e`.
    pub fn assign(&mut self, x: usize, e: &Expression) {
        let one = self.session.api.coefficient(Value::Word(1));
        // SAFETY: live handles of the same dimension, `x` is one of them.
        unsafe { check((self.session.api.poly_image)(self.owned.handle, x, e.owned.handle, one.handle)) };
    }

    /// The preimage of `x := e`.
    pub fn preimage(&mut self, x: usize, e: &Expression) {
        let one = self.session.api.coefficient(Value::Word(1));
        // SAFETY: live handles of the same dimension, `x` is one of them.
        unsafe { check((self.session.api.poly_preimage)(self.owned.handle, x, e.owned.handle, one.handle)) };
    }

    /// Whether every point satisfies the constraints.
    pub fn entails(&self, constraints: &Constraints) -> bool {
        const IS_INCLUDED: c_int = 4;
        constraints.each.iter().all(|c| {
            // SAFETY: live handles of the same dimension.
            let relation = unsafe { check((self.session.api.poly_relation)(self.owned.handle, c.handle)) };
            relation & IS_INCLUDED != 0
        })
    }

    /// The least and the greatest value of an expression on a non-empty polyhedron, each as numerator and denominator in
    /// decimal, if there is one.
    pub fn bounds(&self, e: &Expression) -> [Option<(String, String)>; 2] {
        let api = self.session.api;
        let (n, d) = (api.coefficient(Value::Word(0)), api.coefficient(Value::Word(0)));
        let mut attained: c_int = 0;
        [api.poly_minimize, api.poly_maximize].map(|optimize| {
            // SAFETY: live handles and an out pointer.
            let found = unsafe { check(optimize(self.owned.handle, e.owned.handle, n.handle, d.handle, &mut attained)) };
            (found > 0).then(|| (api.decimal(n.handle), api.decimal(d.handle)))
        })
    }

    /// Existential quantification, the space stays.
    pub fn forget(&mut self, dims: &[usize]) {
        // SAFETY: a live handle and an array with its length.
        unsafe { check((self.session.api.poly_forget)(self.owned.handle, dims.as_ptr(), dims.len())) };
    }

    /// Moves dimension `i` to `map[i]`; `map` is a permutation.
    pub fn permute(&mut self, map: &[usize]) {
        assert_eq!(map.len(), self.dims);
        // SAFETY: a live handle and an array with its length.
        unsafe { check((self.session.api.poly_map)(self.owned.handle, map.as_ptr(), map.len())) };
    }

    /// Whether there is no point.
    pub fn is_empty(&self) -> bool {
        // SAFETY: a live handle.
        unsafe { check((self.session.api.poly_is_empty)(self.owned.handle)) > 0 }
    }

    /// Whether `other` is included.
    pub fn contains(&self, other: &Poly) -> bool {
        // SAFETY: live handles of the same dimension.
        unsafe { check((self.session.api.poly_contains)(self.owned.handle, other.owned.handle)) > 0 }
    }

    /// Minimises both descriptions, as reading them would.
    pub fn minimize(&self) {
        let mut system = std::ptr::null_mut();
        // SAFETY: a live handle and an out pointer; the systems stay the polyhedron's.
        unsafe {
            check((self.session.api.poly_constraints)(self.owned.handle, &mut system));
            check((self.session.api.poly_generators)(self.owned.handle, &mut system));
        }
    }

    /// The minimal constraints.
    pub fn constraints(&self) -> Vec<Constraint> {
        let mut system = std::ptr::null_mut();
        // SAFETY: a live handle and an out pointer; the system stays the polyhedron's and is read before it changes.
        unsafe { check((self.session.api.poly_constraints)(self.owned.handle, &mut system)) };
        self.session.api.read_system(system, self.dims)
    }
}

impl Clone for Poly<'_> {
    fn clone(&self) -> Self {
        Self::make(self.session, self.dims, |h| {
            // SAFETY: a live handle and an out pointer.
            unsafe { (self.session.api.copy_poly)(h, self.owned.handle) }
        })
    }
}

impl PartialEq for Poly<'_> {
    fn eq(&self, other: &Self) -> bool {
        // SAFETY: live handles of the same dimension.
        unsafe { check((self.session.api.poly_equals)(self.owned.handle, other.owned.handle)) > 0 }
    }
}
