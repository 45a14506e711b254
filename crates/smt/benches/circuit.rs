//! Circuits beside Z3 on questions of unrolled programs, in one run: `cargo bench -p plumb-smt --bench circuit`.
//!
//! `cells N`: N stores at unknown places of a small memory, then every cell holds what was stored last or what was there before. `transfers N`: what N transfers
//! between four cells leave is the sum that was there. `floats N`: a sum of N numbers between 0 and 1 is not above N. A question that takes longer than 20 s counts as not decided.

use plumb_smt::{CheckResult, Circuit, Encoding, Found, Limits, Solver, Z3Solver};
use plumb_term::{Budget, Cell, FBinOp, FCmpOp, Float, FloatTy, IntTy, Scalar, Term, VarId, VarTy};
use std::time::{Duration, Instant};

const MOST: Duration = Duration::from_secs(20);

fn byte(id: u32) -> Term {
    Term::program_var(VarId(id), VarTy::Scalar(Scalar::Int(IntTy::U8)))
}

fn cells(n: u32) -> Term {
    let ty = Scalar::Int(IntTy::U8);
    let start = Term::program_var(VarId(1), VarTy::Mem(Cell::Byte));
    let base = Term::int(4096);
    let places: Vec<(Term, Term)> = (0..n).map(|k| (byte(10 + 2 * k), byte(11 + 2 * k))).collect();
    let bounded = Term::all(places.iter().map(|(i, _)| i.less(Term::int(8))));
    let end = places.iter().fold(start, |m, (i, v)| Term::store(ty, m, base.add(*i), *v));
    let at = byte(2);
    let last = places.iter().fold(Term::load(ty, start, base.add(at)), |old, (i, v)| Term::ite(i.equals(at), *v, old));
    bounded.and(at.less(Term::int(8))).and(Term::load(ty, end, base.add(at)).equals(last).not())
}

fn transfers(n: u32) -> Term {
    let ty = Scalar::Int(IntTy::U8);
    let mut memory = Term::zero_mem(Cell::Byte);
    let at = |place: Term| place.plus(4096);
    let mut facts = Vec::new();
    for k in 0..n {
        let [from, to, amount] = [0, 1, 2].map(|i| byte(10 + 3 * k + i));
        facts.extend([from, to].map(|p| p.less(Term::int(4))));
        for (place, change) in [(from, amount.neg()), (to, amount)] {
            let value = Term::load(ty, memory, at(place)).add(change).wrap(IntTy::U8);
            memory = Term::store(ty, memory, at(place), value);
        }
    }
    let total = (0..4).fold(Term::int(0), |sum, k| sum.add(Term::load(ty, memory, at(Term::int(k)))));
    Term::all(facts).and(total.wrap(IntTy::U8).equals(Term::int(0)).not())
}

fn floats(n: u32) -> Term {
    let ty = FloatTy::F32;
    let number = |v: i64| Term::float(Float::from_int(ty, &v.into()));
    let xs: Vec<Term> = (0..n).map(|k| Term::program_var(VarId(10 + k), VarTy::Scalar(Scalar::Float(ty)))).collect();
    let within = |x: &Term| Term::fcmp(FCmpOp::Le, number(0), *x).and(Term::fcmp(FCmpOp::Le, *x, number(1)));
    let sum = xs.iter().fold(number(0), |s, x| Term::fbin(FBinOp::Add, s, *x));
    Term::all(xs.iter().map(within)).and(Term::fcmp(FCmpOp::Lt, number(i64::from(n)), sum))
}

/// A name, the question of each size, and the sizes.
type Family = (&'static str, fn(u32) -> Term, &'static [u32]);

fn shown(answer: Option<bool>, start: Instant) -> String {
    answer.map_or_else(|| "-".into(), |_| format!("{:.3}", start.elapsed().as_secs_f64()))
}

fn main() {
    println!("{:<12} {:>10} {:>10}", "question", "circuit s", "Z3 s");
    let families: [Family; 3] = [("cells", cells, &[4, 8, 16, 32]), ("transfers", transfers, &[1, 2]), ("floats", floats, &[2, 4, 6])];
    for (name, family, sizes) in families {
        for n in sizes {
            let formula = family(*n);
            let start = Instant::now();
            let by_gates = match Circuit::new(formula).map(|mut c| c.run(MOST, &Budget::unlimited())) {
                Some(Found::Unsat) => Some(false),
                Some(Found::Sat(_)) => Some(true),
                _ => None,
            };
            let gates = shown(by_gates, start);
            let start = Instant::now();
            let limits = Limits { query_time: Some(MOST), ..Limits::default() };
            let mut solver = Z3Solver::new(Encoding::BITS32, &limits).expect("the pinned library");
            solver.assert(formula);
            let by_z3 = match solver.check() {
                CheckResult::Unsat => Some(false),
                CheckResult::Sat => Some(true),
                CheckResult::Unknown(_) => None,
            };
            assert!(by_gates.is_none() || by_z3.is_none() || by_gates == by_z3, "{name} {n}: {by_gates:?} and {by_z3:?}");
            println!("{:<12} {gates:>10} {:>10}", format!("{name} {n}"), shown(by_z3, start));
        }
    }
}
