//! Exact numeric abstract domains.
//!
//! An element of a domain stands for a set of integer points, that is of assignments of integers to dimensions ([`Dim`]).
//! All domains speak the same language: linear expressions ([`LinExpr`]) and constraints ([`LinCons`]) with integer
//! coefficients of any size, and all implement [`NumDomain`], whose documentation states what a caller may rely on.
//! Arithmetic is exact throughout: machine words while they suffice, big integers beyond, no floating point.

#![doc(test(attr(deny(unused))))]

pub mod affine;
pub mod boxes;
pub mod congruence;
mod dbm;
pub mod domain;
mod int;
pub mod integer;
pub mod interpolate;
mod interrupt;
mod interval;
pub mod lattice;
pub mod laws;
mod linear;
pub mod octagon;
mod poly;
pub mod product;
pub mod program;
mod rat;
pub mod simplex;
pub mod trace;
pub mod zone;

pub use affine::{Affine, AffineEqualities};
pub use boxes::{Boxes, IntBox};
pub use congruence::{Classes, Congruences};
pub use domain::NumDomain;
pub use int::Int;
pub use interrupt::{interruptible, Interrupted};
pub use interval::Interval;
pub use lattice::Lattice;
pub use linear::{ConsKind, Dim, LinCons, LinExpr, Point};
pub use octagon::{Octagon, Octagons};
pub use poly::{Generator, GeneratorKind, Poly, Polyhedra};
pub use product::{BoxWith, Boxed};
pub use rat::Rat;
pub use zone::{Zone, Zones};
