//! PPL's octagonal shapes with integer bounds.

use std::ffi::c_int;

use crate::ffi::{check, Handle, Owned};
use crate::{Constraint, Constraints, Session};

/// An octagonal shape over `mpz` bounds.
pub struct Octagon<'s> {
    session: &'s Session,
    owned: Owned<'s>,
    dims: usize,
}

impl<'s> Octagon<'s> {
    /// The whole space of `dims` dimensions.
    pub fn universe(session: &'s Session, dims: usize) -> Self {
        Self::make(session, dims, |h| {
            // SAFETY: an out pointer.
            unsafe { (session.api.new_octagon)(h, dims, 0) }
        })
    }

    fn make(session: &'s Session, dims: usize, f: impl FnOnce(*mut Handle) -> c_int) -> Self {
        let mut handle = std::ptr::null_mut();
        check(f(&mut handle));
        Octagon { session, owned: Owned { handle, delete: session.api.delete_octagon, _api: session.api }, dims }
    }

    /// Intersects with constraints, which must be octagonal.
    pub fn add(&mut self, constraints: &Constraints) {
        // SAFETY: live handles of the same dimension.
        unsafe { check((self.session.api.octagon_add_constraints)(self.owned.handle, constraints.owned.handle)) };
    }

    /// Closes the matrix and says whether the octagon is empty.
    pub fn close(&self) -> bool {
        // SAFETY: a live handle.
        unsafe { check((self.session.api.octagon_is_empty)(self.owned.handle)) > 0 }
    }

    /// The least octagon that includes both.
    pub fn join(&mut self, other: &Octagon) {
        // SAFETY: live handles of the same dimension.
        unsafe { check((self.session.api.octagon_join)(self.owned.handle, other.owned.handle)) };
    }

    /// Intersection.
    pub fn meet(&mut self, other: &Octagon) {
        // SAFETY: live handles of the same dimension.
        unsafe { check((self.session.api.octagon_meet)(self.owned.handle, other.owned.handle)) };
    }

    /// Whether `other` is included.
    pub fn contains(&self, other: &Octagon) -> bool {
        // SAFETY: live handles of the same dimension.
        unsafe { check((self.session.api.octagon_contains)(self.owned.handle, other.owned.handle)) > 0 }
    }

    /// The constraints as they are stored.
    pub fn constraints(&self) -> Vec<Constraint> {
        let mut system = std::ptr::null_mut();
        // SAFETY: a live handle and an out pointer; the C interface hands out a new system, which is small and kept for the process.
        unsafe { check((self.session.api.octagon_constraints)(self.owned.handle, &mut system)) };
        self.session.api.read_system(system, self.dims)
    }
}

impl Clone for Octagon<'_> {
    fn clone(&self) -> Self {
        Self::make(self.session, self.dims, |h| {
            // SAFETY: a live handle and an out pointer.
            unsafe { (self.session.api.copy_octagon)(h, self.owned.handle) }
        })
    }
}
