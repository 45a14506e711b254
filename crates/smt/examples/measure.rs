//! Times of unrolled loops under both encodings: `cargo run --release -p plumb-smt --example measure [STEPS]`.
//!
//! Each family is asked step by step, as bounded model checking does: is the error reachable after k rounds?

use plumb_smt::{CheckResult, Encoding, Limits, Solver, Z3Solver};
use plumb_term::{Cell, IBig, IntTy, Scalar, Term, Var, VarId, VarTy};
use std::time::{Duration, Instant};

type Start = fn() -> Vec<Term>;
type Step = fn(&[Term], u32) -> (Term, Vec<Term>, Term);

fn int(id: u32, version: u32, ty: IntTy) -> Term {
    Term::var(Var::new(VarId(id), VarTy::Scalar(Scalar::Int(ty))).at(version))
}

/// State, then (assumption, next state, error).
const FAMILIES: [(&str, Start, Step); 7] = [
    (
        "counter",
        || vec![Term::int(0), int(1, 0, IntTy::I32)],
        |s, _| {
            let next = s[0].plus(1).wrap(IntTy::I32);
            (s[0].less(s[1]), vec![next, s[1]], next.greater(s[1]))
        },
    ),
    (
        "sum",
        || vec![int(1, 0, IntTy::I32), Term::int(0), Term::int(0)],
        |s, k| {
            let x = int(2, k + 1, IntTy::I32);
            let i = s[2].plus(1).wrap(IntTy::I32);
            let sum = s[1].add(x).wrap(IntTy::I32);
            let ok = x.within(&IBig::from(1), &IBig::from(1000));
            (ok.and(i.less_eq(s[0])), vec![s[0], sum, i], sum.less(i))
        },
    ),
    (
        "unsigned",
        || vec![int(1, 0, IntTy::U32), int(2, 0, IntTy::U32)],
        |s, _| {
            let x = s[0].add(s[1]).wrap(IntTy::U32);
            let y = s[1].scale(&IBig::from(2)).plus(1).wrap(IntTy::U32);
            (s[0].differs(s[1]), vec![x, y], x.sub(s[1]).wrap(IntTy::U32).differs(s[0]))
        },
    ),
    (
        "hash",
        || vec![int(1, 0, IntTy::U32)],
        |s, k| {
            let c = int(2, k + 1, IntTy::U8);
            let h = s[0].mul(Term::int(31)).add(c).wrap(IntTy::U32);
            let letter = c.within(&IBig::from(97), &IBig::from(122));
            (letter, vec![h], h.equals(Term::int(5)).and(c.equals(Term::int(97))))
        },
    ),
    (
        "bits",
        || vec![int(1, 0, IntTy::U32), Term::int(0)],
        |s, _| {
            let x = s[0].bit_and(s[0].sub(Term::int(1)).wrap(IntTy::U32));
            let n = s[1].plus(1).wrap(IntTy::I32);
            (s[0].differs(Term::int(0)), vec![x, n], n.greater(Term::int(32)))
        },
    ),
    (
        "array",
        || vec![Term::program_var(VarId(9), VarTy::Mem(Cell::Byte)), Term::int(0), int(1, 0, IntTy::U32)],
        |s, _| {
            let ty = Scalar::Int(IntTy::I32);
            let at = s[2].add(s[1].scale(&IBig::from(4))).wrap(IntTy::U32);
            let m = Term::store(ty, s[0], at, s[1]);
            let i = s[1].plus(1).wrap(IntTy::I32);
            let room = s[2].within(&IBig::from(4096), &IBig::from(1 << 20));
            (room, vec![m, i, s[2]], Term::load(ty, m, s[2]).differs(Term::int(0)))
        },
    ),
    (
        "sort",
        || {
            let m = Term::program_var(VarId(9), VarTy::Mem(Cell::Scalar(Scalar::Int(IntTy::I32))));
            vec![m, Term::int(0)]
        },
        |s, _| {
            let ty = Scalar::Int(IntTy::I32);
            let at = |t: Term| Term::int(4096).add(t.scale(&IBig::from(4)));
            let (a, b) = (Term::load(ty, s[0], at(s[1])), Term::load(ty, s[0], at(s[1].plus(1))));
            let swap = a.greater(b);
            let m = Term::store(ty, s[0], at(s[1]), Term::ite(swap, b, a));
            let m = Term::store(ty, m, at(s[1].plus(1)), Term::ite(swap, a, b));
            let i = s[1].plus(1).wrap(IntTy::I32);
            (Term::tt(), vec![m, i], Term::load(ty, m, Term::int(4096)).greater(Term::load(ty, m, at(i))))
        },
    ),
];

fn main() {
    let mut args = std::env::args().skip(1);
    let steps: u32 = args.next().and_then(|a| a.parse().ok()).unwrap_or(20);
    let only = args.next();
    for (name, start, step) in FAMILIES {
        if only.as_ref().is_some_and(|o| o != name) {
            continue;
        }
        for encoding in [Encoding::Int, Encoding::BITS32] {
            let limits = Limits { query_time: Some(Duration::from_secs(5)), ..Limits::default() };
            let mut solver = match Z3Solver::new(encoding, &limits) {
                Ok(solver) => solver,
                Err(e) => return eprintln!("{e}"),
            };
            let (begin, mut state, mut reached) = (Instant::now(), start(), 0);
            let mut last = CheckResult::Unsat;
            for k in 0..steps {
                let (assume, next, error) = step(&state, k);
                solver.assert(assume);
                // Versions of the state, as engines name them.
                state = next
                    .iter()
                    .zip(0u32..)
                    .map(|(t, i)| {
                        let ty = match t.sort() {
                            plumb_term::Sort::Mem(c) => VarTy::Mem(c),
                            _ => return *t,
                        };
                        let v = Term::var(Var::new(VarId(100 + i), ty).at(k));
                        solver.assert(v.equals(*t));
                        v
                    })
                    .collect();
                last = solver.check_assuming(&[error]);
                if let CheckResult::Unknown(_) = last {
                    break;
                }
                reached = k + 1;
            }
            println!("{name:10} {encoding:?}: {reached} of {steps} in {:.3} s, last {last:?}", begin.elapsed().as_secs_f64());
        }
    }
}
