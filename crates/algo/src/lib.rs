//! Verification algorithms. Each takes a program and a budget and returns a verdict with its evidence, which the caller checks.

pub mod arrays;
pub mod backward;
pub mod bmc;
pub mod dagger;
pub mod eureka;
pub mod execute;
pub mod flat;
pub mod folds;
pub mod guess;
pub mod horn;
pub mod houdini;
mod ideal;
pub mod kinduction;
pub mod nodes;
pub mod pdr;
mod query;
mod realise;
mod space;
pub mod summaries;
pub mod system;
pub mod tabulation;
pub mod templates;
mod trace;
pub mod ufo;
mod unroll;
