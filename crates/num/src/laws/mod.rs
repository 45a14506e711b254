//! The obligations of [`Lattice`](crate::Lattice) and [`NumDomain`] as property tests: a domain gets all of them by one line.
//!
//! ```
//! plumb_num::laws!(boxes, plumb_num::Boxes, plumb_num::laws::Claims { adjoint: plumb_num::laws::Adjoint::Signed, linear: true });
//! ```
//!
//! The line expands to a module with one `#[test]` per group of laws. Each runs [`cases`] random cases; the environment
//! variable `PLUMB_NUM_CASES` sets their number. A failure names its case; `PLUMB_NUM_CASE=<number>` runs that one alone.
//! Cases are generated from their number by a generator of our own, so they are the same on every machine.
//!
//! The tests know the truth by points: every random element comes with integer points that are inside by construction
//! (see [`gen`]), and every law is checked on the elements and, independently of the domain's order, on the points.

pub mod gen;
mod lattice;
mod transfer;
mod widening;

use crate::domain::NumDomain;
use gen::Case;

pub use lattice::{interpolation, lattice, structure};
pub use transfer::{preimage, transfer};
pub use widening::widening;

/// The assignments whose image is the best abstraction and whose preimage is exact, so that
/// `image(a) ⊑ b ⟺ a ⊑ preimage(b)`. Each class includes those before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Adjoint {
    /// `x := x + c`.
    Shift,
    /// `x := y + c`, `x := c`.
    Copy,
    /// `x := ±y + c`.
    Signed,
}

/// What a domain claims beyond the traits' obligations.
#[derive(Clone, Copy, Debug)]
pub struct Claims {
    /// Where image and preimage are adjoint.
    pub adjoint: Adjoint,
    /// `constraints` describes the element completely: building it again, in any order, gives an equal element.
    pub linear: bool,
}

/// The number of cases per group of laws: `PLUMB_NUM_CASES`, or 500.
pub fn cases() -> u64 {
    std::env::var("PLUMB_NUM_CASES").ok().and_then(|v| v.parse().ok()).unwrap_or(500)
}

/// Runs a group of laws on random cases and panics with the case and the law that fails.
///
/// # Examples
///
/// ```
/// use plumb_num::laws::{self, Adjoint, Claims};
/// let claims = Claims { adjoint: Adjoint::Signed, linear: true };
/// laws::run(&plumb_num::Boxes, claims, laws::lattice);
/// let wrong = |_: &plumb_num::Boxes, _: Claims, _: &mut laws::gen::Case| Err("no law".to_string());
/// assert!(std::panic::catch_unwind(|| laws::run(&plumb_num::Boxes, claims, wrong)).is_err());
/// ```
pub fn run<D: NumDomain>(domain: &D, claims: Claims, group: fn(&D, Claims, &mut Case) -> Result<(), String>) {
    if let Some(only) = std::env::var("PLUMB_NUM_CASE").ok().and_then(|v| v.parse().ok()) {
        if let Err(law) = group(domain, claims, &mut Case::new(only)) {
            panic!("case {only}: {law}");
        }
        return;
    }
    for number in 0..cases() {
        if let Err(law) = group(domain, claims, &mut Case::new(number)) {
            panic!("case {number}: {law}\n(run it alone with PLUMB_NUM_CASE={number})");
        }
    }
}

/// Declares the property tests of a domain: `laws!(name, domain, claims)`. See [the module](mod@crate::laws).
#[macro_export]
macro_rules! laws {
    ($name:ident, $domain:expr, $claims:expr) => {
        #[cfg(test)]
        mod $name {
            #[allow(unused_imports)]
            use super::*;

            $crate::laws!(@group lattice, $domain, $claims);
            $crate::laws!(@group widening, $domain, $claims);
            $crate::laws!(@group transfer, $domain, $claims);
            $crate::laws!(@group preimage, $domain, $claims);
            $crate::laws!(@group structure, $domain, $claims);
            $crate::laws!(@group interpolation, $domain, $claims);
        }
    };
    (@group $group:ident, $domain:expr, $claims:expr) => {
        #[test]
        fn $group() {
            $crate::laws::run(&$domain, $claims, $crate::laws::$group);
        }
    };
}

/// Fails the law with a message unless the condition holds.
macro_rules! law {
    ($cond:expr, $($arg:tt)*) => {
        if !$cond {
            return Err(format!($($arg)*));
        }
    };
}
pub(crate) use law;
