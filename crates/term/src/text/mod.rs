//! A textual form of terms that can be read back: S-expressions with names for shared subterms.
//!
//! Variables are written as the caller likes; constants are `T`, `F`, decimal integers, `f64:` and the pattern in hexadecimal, `zeros:` and
//! the type of a cell. Everything else is a list whose first word is the operator, as in `(<= (+ 1 2 x0) x1)` for `2·x0 + 1 ≤ x1`; `$n` is the
//! n-th definition. Reading goes through the normalising constructors and checks sorts: any text yields a term or an error.

mod read;
mod sexp;
mod write;

pub use read::{read_scalar, read_term, read_type};
pub use sexp::{parse, Sexp, TextError};
pub use write::{type_name, Writer};

use crate::node::{FBinOp, FCmpOp, FTest, FUnOp};

const FBIN: [(&str, FBinOp); 8] = [
    ("fadd", FBinOp::Add),
    ("fsub", FBinOp::Sub),
    ("fmul", FBinOp::Mul),
    ("fdiv", FBinOp::Div),
    ("frem", FBinOp::Rem),
    ("fmin", FBinOp::Min),
    ("fmax", FBinOp::Max),
    ("fcopysign", FBinOp::CopySign),
];

const FUN: [(&str, FUnOp); 8] = [
    ("fneg", FUnOp::Neg),
    ("fabs", FUnOp::Abs),
    ("fsqrt", FUnOp::Sqrt),
    ("ffloor", FUnOp::Floor),
    ("fceil", FUnOp::Ceil),
    ("ftrunc", FUnOp::Trunc),
    ("fround", FUnOp::Round),
    ("frint", FUnOp::Rint),
];

const FCMP: [(&str, FCmpOp); 3] = [("feq", FCmpOp::Eq), ("flt", FCmpOp::Lt), ("fle", FCmpOp::Le)];

const FTESTS: [(&str, FTest); 6] = [
    ("nan", FTest::Nan),
    ("infinite", FTest::Infinite),
    ("normal", FTest::Normal),
    ("subnormal", FTest::Subnormal),
    ("zero", FTest::Zero),
    ("signbit", FTest::SignBit),
];

fn name_of<T: PartialEq>(table: &[(&'static str, T)], op: &T) -> &'static str {
    table.iter().find(|e| e.1 == *op).map_or("?", |e| e.0)
}

fn named<T: Copy>(table: &[(&'static str, T)], name: &str) -> Option<T> {
    table.iter().find(|e| e.0 == name).map(|e| e.1)
}
