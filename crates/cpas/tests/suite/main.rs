//! The tests of the analyses, in one program: they share how programs are loaded and compared with runs.

mod automaton;
mod bdd;
mod bounds;
mod chapter;
mod classic;
mod dataflow;
mod growth;
mod heap;
mod numpred;
mod orders;
mod sign;
mod soundness;
mod support;
mod verify;
