//! Exact IEEE-754 binary floating point in software.
//!
//! **Problem.** Constant folding and the concrete interpreter must compute what the compiled C program computes, for `float`,
//! `double`, x87 `long double` and `__float128`, on any host. Host arithmetic covers only the first two.
//!
//! **Picture.** A [`Float`] is a format and its memory bit pattern. An operation unpacks its operands to sign, exponent and a
//! 128-bit significand, computes the exact result (or a truncation of it with a sticky bit), and rounds once, to nearest
//! even; `F32` and `F64` take the host's instructions where those are exact, and every result of that shortcut is tested against the
//! generic way.
//!
//! **Contract.** Every operation is total. Binary operations expect operands of one format; an operand of another is converted to
//! the receiver's first. An invalid operation yields the x86 default NaN ([`Float::default_nan`], printed as `-nan`), a NaN operand is
//! propagated quieted with its payload. The derived `Eq`, `Ord` and `Hash` are those of the bit pattern, so that floats can be
//! hash-consed; the comparisons of C are [`Float::feq`], [`Float::lt`] and [`Float::le`].
//!
//! **Source.** IEEE 754-2008, clauses 4 to 7; ISO C11 annex F; Intel SDM vol. 1, chapters 4.8 and 8 for NaNs and the extended format.

mod arith;
mod class;
mod compare;
mod convert;
mod decimal;
mod format;
mod integral;
mod nan;
mod number;
mod parse;
mod rem;
#[cfg(test)]
mod tests;
mod ty;

pub use ty::{FloatTy, RoundMode};

/// A floating-point datum: a format and the bit pattern it has in memory.
///
/// Equality, order and hash are those of the pattern, not of the number: use [`Float::feq`], [`Float::lt`] and [`Float::le`] for the
/// comparisons of C.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Float {
    /// The format.
    pub ty: FloatTy,
    /// The pattern, in the low [`FloatTy::bits`] bits; the others are zero.
    pub bits: u128,
}
