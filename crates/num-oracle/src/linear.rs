//! Expressions and systems of constraints, made once and used often: a race should not time their construction.

use crate::ffi::{check, Owned, Value};
use crate::{Constraint, Session};

/// A linear expression.
pub struct Expression<'s> {
    pub(crate) owned: Owned<'s>,
}

impl<'s> Expression<'s> {
    /// `Σ cᵢ·xᵢ + k` with coefficients in decimal, in a space of `dims` dimensions.
    pub fn new<'a>(session: &'s Session, dims: usize, terms: impl IntoIterator<Item = (usize, &'a str)>, constant: &str) -> Self {
        let terms = terms.into_iter().map(|(d, c)| (d, Value::Text(c)));
        Expression { owned: session.api.expression(dims, terms, Value::Text(constant)) }
    }
}

/// A conjunction of constraints.
pub struct Constraints<'s> {
    pub(crate) owned: Owned<'s>,
    /// The constraints one by one, for those questions PPL asks of single ones.
    pub(crate) each: Vec<Owned<'s>>,
}

impl<'s> Constraints<'s> {
    /// The system of the given constraints in a space of `dims` dimensions.
    pub fn new(session: &'s Session, dims: usize, constraints: &[Constraint]) -> Self {
        let api = session.api;
        let mut handle = std::ptr::null_mut();
        // SAFETY: an out pointer.
        unsafe { check((api.new_system)(&mut handle)) };
        let owned = Owned { handle, delete: api.delete_system, _api: api };
        let mut each = Vec::with_capacity(constraints.len());
        for c in constraints {
            let terms = c.coefficients.iter().enumerate().map(|(d, v)| (d, Value::Text(v)));
            let expression = api.expression(dims, terms, Value::Text(&c.constant));
            let made = api.constraint(&expression, c.equality);
            // SAFETY: live handles; the system copies the constraint.
            unsafe { check((api.system_insert)(owned.handle, made.handle)) };
            each.push(made);
        }
        Constraints { owned, each }
    }
}
