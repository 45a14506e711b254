//! An accelerated execution against one that crosses every edge: the same outcome, steps and values.

mod support;

use plumb_cfa::interp::{Discard, Interpreter, Limits, Outcome, Random, Recorder, Zero};
use plumb_cfa::{FuncId, Op};
use plumb_term::eval::Value;
use plumb_term::{IBig, IntTy, Scalar, Term, VarId, VarTy};
use support::{set, Build, I32, U32};

const ENTRY: FuncId = FuncId(0);
const I16: VarTy = VarTy::Scalar(Scalar::Int(IntTy::signed(16)));

fn run(b: &Build, steps: u64, accelerated: bool) -> (Outcome, u64, Vec<Option<Value>>) {
    let mut machine = Interpreter::new(&b.program, Box::new(Zero), Box::new(Discard), Limits { steps, ..Limits::default() });
    if accelerated {
        machine = machine.accelerated();
    }
    let outcome = machine.run();
    let locals: Vec<VarId> = b.program.function(ENTRY).locals.clone();
    (outcome, machine.steps(), locals.iter().map(|v| machine.value(*v)).collect())
}

fn wrapped(t: Term, ty: VarTy) -> Term {
    match ty {
        VarTy::Scalar(Scalar::Int(ty)) => t.wrap(ty),
        _ => t,
    }
}

/// A loop whose body is drawn: assignments that are linear or not, branches, a call of `f(a) = a + k`.
fn drawn(seed: u64) -> Build {
    let mut r = Random::new(seed);
    let mut b = Build::new();
    let types = [I32, U32, I16, I32];
    let vars: Vec<VarId> = types.iter().enumerate().map(|(i, ty)| b.local(ENTRY, &format!("v{i}"), *ty)).collect();
    let terms: Vec<Term> = vars.iter().map(|v| b.t(*v)).collect();
    let callee = b.function("f", Some(I32));
    let (a, result) = (b.param(callee, "a", I32), b.result(callee));
    let (start, end) = (b.program.function(callee).entry, b.program.function(callee).exit);
    let sum = b.t(a).plus(r.below(5) as i64 - 1).wrap(IntTy::I32);
    b.edge(callee, start, end, set(result, sum));
    let f = b.program.function(ENTRY);
    let (entry, exit) = (f.entry, f.exit);
    let first = vars.iter().map(|v| (*v, Term::int(r.below(40) as i64))).collect();
    let head = b.chain(ENTRY, entry, vec![Op::Assign(first)]);
    let condition = |r: &mut Random| {
        let (x, y) = (terms[r.below(4)], terms[r.below(4)]);
        let large = Term::int([1000, 30_000, 1_000_000, 40_000_000, 2_000_000_000][r.below(5)]);
        match r.below(7) {
            0 => x.less(y.plus(r.below(100) as i64)),
            1 => x.differs(large),
            2 => x.rem(Term::int(7)).differs(Term::int(3)),
            3 => x.less(large).and(y.less(large)),
            4 => x.less(large).or(y.differs(Term::int(5))),
            _ => x.less(large),
        }
    };
    let assign = |r: &mut Random| {
        let i = r.below(4);
        let (x, y) = (terms[i], terms[r.below(4)]);
        let t = match r.below(9) {
            0 => y.plus(1),
            1 => x.add(y.rem(Term::int(3))),
            2 => Term::int(r.below(9) as i64),
            3 => Term::ite(y.less(Term::int(20_000)), x.plus(2), x.plus(1)),
            _ => x.plus(r.below(7) as i64 - 2),
        };
        set(vars[i], wrapped(t, types[i]))
    };
    let stay = condition(&mut r);
    let mut at = b.chain(ENTRY, head, vec![Op::Assume(stay)]);
    for _ in 0..1 + r.below(3) {
        match r.below(4) {
            0 => {
                let c = condition(&mut r);
                let (yes, no, after) = (b.loc(ENTRY), b.loc(ENTRY), b.loc(ENTRY));
                b.edge(ENTRY, at, yes, Op::Assume(c));
                b.edge(ENTRY, at, no, Op::Assume(c.not()));
                b.edge(ENTRY, yes, after, assign(&mut r));
                b.edge(ENTRY, no, after, assign(&mut r));
                at = after;
            }
            1 => at = b.chain(ENTRY, at, vec![Op::Call { func: callee, args: vec![terms[0]], dst: Some(vars[3]) }]),
            _ => at = b.chain(ENTRY, at, vec![assign(&mut r)]),
        }
    }
    b.edge(ENTRY, at, head, Op::Skip);
    let after = b.chain(ENTRY, head, vec![Op::Assume(stay.not())]);
    let result = b.result(ENTRY);
    b.edge(ENTRY, after, exit, set(result, terms[0]));
    b
}

#[test]
fn random_loops_run_the_same() {
    let cases = std::env::var("PLUMB_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(60);
    for seed in 0..cases {
        let b = drawn(seed);
        let steps = 120_000 + 977 * seed % 100_000;
        assert_eq!(run(&b, steps, true), run(&b, steps, false), "seed {seed}");
    }
}

/// `x = y = 0; while (x < n) { x += 3; y++; if (x >= phase) y++ }`.
fn phases(n: i64, phase: i64) -> Build {
    let mut b = Build::new();
    let (x, y) = (b.local(ENTRY, "x", I32), b.local(ENTRY, "y", U32));
    let (tx, ty) = (b.t(x), b.t(y));
    let f = b.program.function(ENTRY);
    let (entry, exit) = (f.entry, f.exit);
    let head = b.chain(ENTRY, entry, vec![Op::Assign(vec![(x, Term::int(0)), (y, Term::int(0))])]);
    let stay = tx.less(Term::int(n));
    let one = set(y, ty.plus(1).wrap(IntTy::U32));
    let body = b.chain(ENTRY, head, vec![Op::Assume(stay), set(x, tx.plus(3).wrap(IntTy::I32)), one.clone()]);
    let late = Term::int(phase).less_eq(tx);
    let more = b.chain(ENTRY, body, vec![Op::Assume(late)]);
    b.edge(ENTRY, more, head, one);
    b.edge(ENTRY, body, head, Op::Assume(late.not()));
    let done = b.chain(ENTRY, head, vec![Op::Assume(stay.not())]);
    let result = b.result(ENTRY);
    b.edge(ENTRY, done, exit, set(result, tx));
    b
}

#[test]
fn a_billion_iterations_take_no_time_and_are_counted() {
    let b = phases(2_000_000_000, 900_000_000);
    let (outcome, steps, values) = run(&b, u64::MAX, true);
    let iterations: u64 = 666_666_667;
    // From x = 900 000 000 on, which is the 300 000 000th iteration, y grows twice as fast.
    let late = iterations - 300_000_000 + 1;
    assert_eq!(outcome, Outcome::Exit(2_000_000_001));
    assert_eq!(steps, 1 + 4 * iterations + late + 2);
    assert_eq!(values[1], Some(Value::Int(IBig::from(2_000_000_001))));
    assert_eq!(values[2], Some(Value::Int(IBig::from(iterations + late))));
}

#[test]
fn what_is_recorded_has_no_gap() {
    let b = phases(2_000_000_000, 900_000_000);
    let mut machine = Interpreter::new(&b.program, Box::new(Zero), Box::new(Discard), Limits::default());
    machine = machine.accelerated().recording(Recorder::last(1_000_000));
    assert_eq!(machine.run(), Outcome::Exit(2_000_000_001));
    let recorder = machine.recorder().unwrap();
    assert!(!recorder.is_complete() && !recorder.events.is_empty());
    let graph = &b.program.function(ENTRY).graph;
    let edges: Vec<_> = recorder.events.iter().filter_map(|e| e.edge).collect();
    assert!(edges.windows(2).all(|w| graph.edge(w[0]).to == graph.edge(w[1]).from));
    // Short executions are recorded as they are.
    let b = phases(300, 100);
    let mut machine = Interpreter::new(&b.program, Box::new(Zero), Box::new(Discard), Limits::default());
    machine = machine.accelerated().recording(Recorder::full());
    assert_eq!(machine.run(), Outcome::Exit(300));
    assert!(machine.recorder().unwrap().is_complete());
}
