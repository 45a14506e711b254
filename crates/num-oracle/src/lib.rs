//! The Parma Polyhedra Library (PPL), for tests and benchmarks only.
//!
//! `libppl_c` is opened with `dlopen` when a [`Session`] is asked for, so nothing is needed to build the workspace, and a machine
//! without the library gets a sentence instead of a link error. The wrapper is safe: handles are owned, freed once, cannot outlive
//! the session, and the session holds a lock because PPL is not thread-safe.

mod ffi;
mod linear;
mod octagon;
mod poly;

pub use linear::{Constraints, Expression};
pub use octagon::Octagon;
pub use poly::Poly;

use std::sync::{Mutex, MutexGuard, OnceLock};

/// `k + Σ cᵢ·xᵢ ⋈ 0`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constraint {
    /// The coefficients in decimal; position is the dimension.
    pub coefficients: Vec<String>,
    /// The constant in decimal.
    pub constant: String,
    /// Whether it is `= 0` rather than `≥ 0`.
    pub equality: bool,
}

static LIBRARY: OnceLock<Result<ffi::Api, String>> = OnceLock::new();
static LOCK: Mutex<()> = Mutex::new(());

/// Exclusive use of the library.
pub struct Session {
    api: &'static ffi::Api,
    _exclusive: MutexGuard<'static, ()>,
}

impl Session {
    /// Opens the library, or says why it cannot.
    pub fn open() -> Result<Session, String> {
        let guard = LOCK.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        match LIBRARY.get_or_init(ffi::Api::load) {
            Ok(api) => Ok(Session { api, _exclusive: guard }),
            Err(e) => Err(e.clone()),
        }
    }
}
