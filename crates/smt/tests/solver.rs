//! The stack, assumptions, cores, limits and models of the solver.

use plumb_smt::{CheckResult, Encoding, Limits, Reason, Solver, Z3Solver};
use plumb_term::eval::Value;
use plumb_term::{Budget, Cell, IBig, IntTy, Scalar, Term, VarId, VarTy};
use std::time::{Duration, Instant};

const BOTH: [Encoding; 2] = [Encoding::Int, Encoding::BITS32];

fn solver(encoding: Encoding) -> Z3Solver {
    Z3Solver::new(encoding, &Limits::default()).expect("the pinned library")
}

fn int(id: u32, ty: IntTy) -> Term {
    Term::program_var(VarId(id), VarTy::Scalar(Scalar::Int(ty)))
}

fn boolean(id: u32) -> Term {
    Term::program_var(VarId(id), VarTy::Bool)
}

#[test]
fn ranges_of_variables_survive_push_and_pop() {
    for encoding in BOTH {
        let mut s = solver(encoding);
        let x = int(1, IntTy::U8);
        // Two of them, so that no constructor decides the comparison.
        let large = x.add(int(2, IntTy::U8)).greater(Term::int(509)).and(x.less(Term::int(255)));
        for _ in 0..3 {
            s.push();
            s.assert(large);
            assert_eq!(s.check(), CheckResult::Unsat, "{encoding:?}");
            s.pop();
        }
        assert_eq!(s.check_assuming(&[large]), CheckResult::Unsat);
        assert_eq!(s.check(), CheckResult::Sat);
        s.pop();
        s.assert(large);
        assert_eq!(s.check(), CheckResult::Unsat);
    }
}

#[test]
fn cores_name_the_assumptions_that_clash() {
    for encoding in BOTH {
        let mut s = solver(encoding);
        let (x, y) = (int(1, IntTy::I32), int(2, IntTy::I32));
        let (low, other, high) = (x.less(Term::int(3)), y.greater(Term::int(0)), x.greater(Term::int(5)));
        assert_eq!(s.check_assuming(&[low, other, high, boolean(3)]), CheckResult::Unsat);
        assert_eq!(s.unsat_core(), [low, high]);
        assert_eq!(s.check_assuming(&[low, other]), CheckResult::Sat);
        assert!(s.unsat_core().is_empty());
        assert_eq!((s.statistics().sat, s.statistics().unsat), (1, 1));
    }
}

#[test]
fn models_satisfy_what_was_asserted_and_outlive_it() {
    for encoding in BOTH {
        let mut s = solver(encoding);
        let (x, y) = (int(1, IntTy::I32), int(2, IntTy::U32));
        let m = Term::program_var(VarId(3), VarTy::Mem(Cell::Byte));
        let i32s = Scalar::Int(IntTy::I32);
        let fact = Term::all([
            x.mul(x).wrap(IntTy::I32).equals(Term::int(49)),
            x.less(Term::int(0)),
            y.add(x).wrap(IntTy::U32).equals(Term::int(5)),
            Term::load(i32s, m, y).equals(x),
            Term::load(i32s, m, y.plus(2)).equals(Term::int(-65536 - 1)),
        ]);
        s.push();
        s.assert(fact);
        assert_eq!(s.check(), CheckResult::Sat, "{encoding:?}");
        let model = s.model().expect("a model");
        s.pop();
        s.assert(Term::ff());
        assert_eq!(s.check(), CheckResult::Unsat);
        assert!(s.model().is_none());
        assert_eq!(model.holds(fact), Some(true), "{encoding:?}");
        // Never seen by the solver: completed.
        assert_eq!(model.eval(int(77, IntTy::I32)), Some(Value::Int(IBig::ZERO)));
    }
}

#[test]
fn memories_in_models_keep_their_background() {
    for encoding in BOTH {
        let mut s = solver(encoding);
        let cell = Cell::Scalar(Scalar::Int(IntTy::I32));
        let m = |id| Term::program_var(VarId(id), VarTy::Mem(cell));
        let n = int(9, IntTy::I32);
        let spliced = Term::splice(m(1), m(2), Term::int(10), n);
        let fact = Term::all([
            m(3).equals(spliced),
            Term::load(Scalar::Int(IntTy::I32), m(3), Term::int(1000)).equals(Term::int(-7)),
            Term::load(Scalar::Int(IntTy::I32), m(1), Term::int(1000)).equals(Term::int(8)),
            m(1).differs(m(2)),
            n.less(Term::int(2000)),
        ]);
        s.assert(fact);
        assert_eq!(s.check(), CheckResult::Sat);
        let model = s.model().expect("a model");
        assert_eq!(model.holds(fact), Some(true), "{encoding:?}: {:?}", (1..4).map(|i| model.eval(m(i))).collect::<Vec<_>>());
    }
}

#[test]
fn what_cannot_be_encoded_never_counts_as_satisfied() {
    let mut s = solver(Encoding::BITS32);
    let x = Term::program_var(VarId(1), VarTy::Int);
    let odd = x.less(Term::int(5));
    assert!(s.encodable(odd).is_err() && s.encodable(x).is_err());
    s.push();
    s.assert(odd);
    assert!(matches!(s.check(), CheckResult::Unknown(Reason::Unencodable(_))));
    s.assert(Term::ff());
    assert_eq!(s.check(), CheckResult::Unsat);
    s.pop();
    assert!(matches!(s.check_assuming(&[odd]), CheckResult::Unknown(Reason::Unencodable(_))));
    assert_eq!(s.check(), CheckResult::Sat);
}

/// a·b = product of two primes near 2^40, in 128 bits: far beyond any time that a test has.
fn hard() -> Term {
    let (a, b) = (int(1, IntTy::U64), int(2, IntTy::U64));
    let product = IBig::from(1_099_511_627_791u64) * IBig::from(1_099_511_627_803u64);
    Term::all([a.mul(b).equals(Term::int(product)), a.greater(Term::int(1)), b.greater(Term::int(1))])
}

#[test]
fn time_limits_hold() {
    let limits = Limits { query_time: Some(Duration::from_millis(300)), ..Limits::default() };
    let mut s = Z3Solver::new(Encoding::BITS64, &limits).expect("a solver");
    s.push();
    s.assert(hard());
    for _ in 0..2 {
        let start = Instant::now();
        assert_eq!(s.check(), CheckResult::Unknown(Reason::Time));
        assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
    }
    s.pop();
    s.assert(int(1, IntTy::U64).equals(Term::int(4)));
    assert_eq!(s.check(), CheckResult::Sat, "usable after an interrupt");
}

#[test]
fn a_check_that_ran_out_of_time_can_be_given_more() {
    // A product of two primes of 16 bits: too hard for a millisecond.
    let (x, y) = (int(1, IntTy::unsigned(16)), int(2, IntTy::unsigned(16)));
    let limits = Limits { query_time: Some(Duration::from_millis(1)), ..Limits::default() };
    let mut s = Z3Solver::new(Encoding::BITS64, &limits).expect("the pinned library");
    s.assert(x.mul(y).equals(Term::int(65_521i64 * 65_519)));
    s.assert(Term::int(1).less(x).and(Term::int(1).less(y)));
    assert_eq!(s.check(), CheckResult::Unknown(Reason::Time));
    s.set_query_time(Duration::from_secs(600));
    assert_eq!(s.check(), CheckResult::Sat);
}

#[test]
fn a_budget_can_be_cancelled_from_another_thread() {
    let mut s = solver(Encoding::BITS64);
    let budget = Budget::unlimited();
    s.set_budget(&budget);
    s.assert(hard());
    let remote = budget.clone();
    let thread = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        remote.cancel();
    });
    let start = Instant::now();
    assert_eq!(s.check(), CheckResult::Unknown(Reason::Time));
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
    thread.join().expect("the thread ends");
    s.set_budget(&Budget::within(Duration::from_secs(20)));
    assert_eq!(s.check_assuming(&[Term::ff()]), CheckResult::Unsat);
}

#[test]
fn deep_terms_do_not_exhaust_the_stack() {
    for encoding in BOTH {
        let mut s = solver(encoding);
        let mut t = int(1, IntTy::I32);
        let mut m = Term::program_var(VarId(5), VarTy::Mem(Cell::Byte));
        for i in 0..20_000 {
            t = t.mul(int(2, IntTy::I32)).plus(i).wrap(IntTy::I32);
            m = Term::ite(boolean(6), m, Term::store(Scalar::Int(IntTy::U8), m, int(3, IntTy::U32), Term::int(i % 256)));
        }
        assert_eq!(s.encodable(t.equals(Term::int(0))), Ok(()));
        assert_eq!(s.encodable(Term::load(Scalar::Int(IntTy::I32), m, int(4, IntTy::U32)).equals(Term::int(0))), Ok(()));
    }
}
