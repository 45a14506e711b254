//! The encodings against the evaluator: with every variable fixed, a term has the value that evaluation gives, and no other.

use crate::common::{cases, literal, Menu, Terms};
use plumb_smt::{CheckResult, Encoding, Limits, Reason, Solver, Z3Solver};
use plumb_term::eval::{eval, Value};
use plumb_term::{visit, FBinOp, FUnOp, Kind, Sort, Term, Var};
use std::collections::BTreeMap;
use std::time::Duration;

/// Equality of values, for floats that of the patterns.
fn same(a: Term, b: Term) -> Term {
    match a.sort() {
        Sort::Float(_) => Term::fbits(a).equals(Term::fbits(b)),
        _ => a.equals(b),
    }
}

/// Whether the value may depend on which NaN an operation yields.
fn nan_matters(t: Term, env: &dyn Fn(Var) -> Option<Value>) -> bool {
    visit::postorder([t]).into_iter().any(|n| {
        let computed = match n.kind() {
            Kind::FBin(op, ..) => *op != FBinOp::CopySign,
            Kind::FUn(op, _) => !matches!(op, FUnOp::Neg | FUnOp::Abs),
            Kind::FCast(..) => true,
            _ => false,
        };
        computed && matches!(eval(n, env), Some(Value::Float(f)) if f.is_nan())
    })
}

#[derive(Default, Debug)]
struct Tally {
    decided: u64,
    unencodable: u64,
    open: u64,
    late: u64,
}

fn agree(name: &str, encoding: Encoding, menu: Menu, depth: u32, count: u64) {
    let limits = Limits { query_time: Some(Duration::from_secs(10)), ..Limits::default() };
    let mut tally = Tally::default();
    for seed in 0..count {
        let mut terms = Terms::new(seed, menu);
        let sort = terms.any_sort();
        let t = terms.of_sort(sort, depth);
        let values: BTreeMap<Var, Value> = visit::vars([t]).into_iter().map(|v| (v, terms.value(v))).collect();
        let env = |v: Var| values.get(&v).cloned();
        let expected = eval(t, &env).expect("every variable has a value");
        let is_value = same(t, literal(&expected));
        let mut solver = Z3Solver::new(encoding, &limits).expect("a solver");
        for (v, value) in &values {
            solver.assert(same(Term::var(*v), literal(value)));
        }
        let incremental = seed % 4 == 0;
        if incremental {
            solver.push();
        }
        solver.assert(is_value);
        let context = || format!("{name} seed {seed}\n{t}\n = {expected:?}\n{values:?}");
        match solver.check() {
            CheckResult::Sat => {}
            CheckResult::Unknown(Reason::Unencodable(_)) => {
                tally.unencodable += 1;
                continue;
            }
            CheckResult::Unknown(Reason::Time) => {
                tally.late += 1;
                continue;
            }
            other => panic!("{other:?} instead of Sat: {}", context()),
        }
        let model = solver.model().expect("a model");
        for (v, value) in &values {
            assert_eq!(model.var(*v).as_ref(), Some(value), "model of {v:?}: {}", context());
        }
        assert_eq!(model.eval(t).as_ref(), Some(&expected), "model: {}", context());
        if nan_matters(t, &env) {
            tally.open += 1;
            continue;
        }
        if incremental {
            solver.pop();
        } else {
            solver = Z3Solver::new(encoding, &limits).expect("a solver");
            for (v, value) in &values {
                solver.assert(same(Term::var(*v), literal(value)));
            }
        }
        solver.assert(is_value.not());
        match solver.check() {
            CheckResult::Unsat => tally.decided += 1,
            CheckResult::Unknown(Reason::Time) => tally.late += 1,
            other => panic!("{other:?} instead of Unsat: {}\n{}", context(), solver.text()),
        }
    }
    println!("{name}: {tally:?}");
    assert!(tally.decided * 2 > count, "{name} decides too little: {tally:?}");
}

const PLAIN: Menu = Menu { unbounded: false, floats: false, memories: false };

#[test]
fn integers_in_bits() {
    agree("integers in bits", Encoding::BITS64, PLAIN, 4, cases(150));
}

#[test]
fn integers_in_int() {
    agree("integers in int", Encoding::Int, Menu { unbounded: true, ..PLAIN }, 3, cases(150));
}

#[test]
fn memories_in_bits() {
    agree("memories in bits", Encoding::BITS32, Menu { memories: true, ..PLAIN }, 4, cases(100));
}

#[test]
fn memories_in_int() {
    agree("memories in int", Encoding::Int, Menu { unbounded: true, memories: true, ..PLAIN }, 3, cases(100));
}

#[test]
fn floats_in_bits() {
    agree("floats in bits", Encoding::BITS64, Menu { floats: true, ..PLAIN }, 3, cases(100));
}

#[test]
fn floats_in_int() {
    agree("floats in int", Encoding::Int, Menu { floats: true, ..PLAIN }, 2, cases(100));
}

#[test]
fn everything_in_bits() {
    agree("everything in bits", Encoding::BITS64, Menu { floats: true, memories: true, unbounded: false }, 4, cases(80));
}

#[test]
fn the_generator_reaches_every_sort() {
    // The generator reaches every sort, so the properties above are not empty.
    let mut terms = Terms::new(1, Menu { floats: true, memories: true, unbounded: true });
    let sorts: std::collections::BTreeSet<Sort> = (0..200).map(|_| terms.any_sort()).collect();
    assert!(sorts.len() > 8, "{sorts:?}");
}
