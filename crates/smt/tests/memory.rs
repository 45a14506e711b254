//! The memory limit, which is one for the whole process: this test has a process of its own.

use plumb_smt::{CheckResult, Encoding, Limits, Reason, SetupError, Solver, Z3Solver};
use plumb_term::{IntTy, Scalar, Term, VarId, VarTy};
use std::time::Duration;

#[test]
fn the_memory_limit_ends_a_check_with_a_reason() {
    let limits = Limits { memory: Some(60), query_time: Some(Duration::from_secs(60)), ..Limits::default() };
    let mut s = Z3Solver::new(Encoding::BITS64, &limits).expect("a solver");
    let v = |id| Term::program_var(VarId(id), VarTy::Scalar(Scalar::Int(IntTy::signed(128))));
    let mut product = v(0);
    for i in 1..40 {
        product = product.mul(v(i)).wrap(IntTy::signed(128));
    }
    s.assert(product.equals(Term::int(12345)));
    s.assert(product.mul(v(50)).wrap(IntTy::signed(128)).equals(Term::int(77)));
    assert_eq!(s.check(), CheckResult::Unknown(Reason::Memory));
    // Still an honest solver, if a useless one.
    assert!(matches!(s.check(), CheckResult::Unknown(Reason::Memory)));
    drop(s);
    // Z3 remembers for the rest of the process that it ran out; the error is a value.
    assert_eq!(Z3Solver::new(Encoding::Int, &limits).err(), Some(SetupError::Library));
}
