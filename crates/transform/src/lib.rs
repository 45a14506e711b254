//! Passes over programs and the range analysis they share.

pub mod interval;
