//! What the interpreter does: control, calls, memory errors, limits, inputs, records.

mod support;

use plumb_cfa::interp::{Collected, Discard, FromText, Halt, Interpreter, Limit, Limits, Outcome, Random, Recorder, UbKind, Write, Zero};
use plumb_cfa::{FuncId, InputSource, Op, RegionId, Storage, Ub, VarKind};
use plumb_term::eval::Value;
use plumb_term::{Cell, FloatTy, IBig, IntTy, Scalar, Term, VarId, VarTy};
use support::{limits, set, Build, I32, INT, U32};

const ENTRY: FuncId = FuncId(0);
const CHAR: Scalar = Scalar::Int(IntTy::signed(8));

fn undefined(o: &Outcome) -> Option<UbKind> {
    match o {
        Outcome::Undefined { ub, .. } => Some(ub.clone()),
        _ => None,
    }
}

/// `for (i = 0; i < n; i++) s += i; return s`.
fn sum(n: i64) -> Build {
    let mut b = Build::new();
    let (i, s) = (b.local(ENTRY, "i", I32), b.local(ENTRY, "s", I32));
    let f = b.program.function(ENTRY);
    let (entry, exit) = (f.entry, f.exit);
    let head = b.chain(ENTRY, entry, vec![Op::Assign(vec![(i, Term::int(0)), (s, Term::int(0))])]);
    let (ti, ts) = (b.t(i), b.t(s));
    let stay = ti.less(Term::int(n));
    let body = b.loc(ENTRY);
    b.edge(ENTRY, head, body, Op::Assume(stay));
    let next = b.loc(ENTRY);
    b.edge(ENTRY, body, next, set(s, ts.add(ti).wrap(IntTy::I32)));
    b.edge(ENTRY, next, head, set(i, ti.plus(1).wrap(IntTy::I32)));
    let result = b.result(ENTRY);
    let done = b.chain(ENTRY, head, vec![Op::Assume(stay.not())]);
    b.edge(ENTRY, done, exit, set(result, ts));
    b
}

#[test]
fn a_loop_computes_and_its_steps_are_counted_exactly() {
    let b = sum(100);
    let run = |steps| {
        let mut i = Interpreter::new(&b.program, Box::new(Zero), Box::new(Discard), Limits { steps, ..limits() });
        (i.run(), i.steps())
    };
    assert_eq!(run(1000), (Outcome::Exit(4950), 303));
    assert_eq!(run(303), (Outcome::Exit(4950), 303));
    assert_eq!(run(302), (Outcome::LimitReached(Limit::Steps), 302));
    assert_eq!(run(0), (Outcome::LimitReached(Limit::Steps), 0));
}

#[test]
fn a_machine_that_is_restarted_runs_as_a_new_one() {
    let b = sum(100);
    let edges = b.program.function(ENTRY).graph.edges().count() as u64;
    let mut i =
        Interpreter::new(&b.program, Box::new(Zero), Box::new(Discard), Limits { steps: 4, ..limits() }).recording(Recorder::full());
    assert_eq!((i.run(), i.edges_crossed()), (Outcome::LimitReached(Limit::Steps), 4));
    let mut i = i.restarted(Box::new(Zero), limits());
    assert_eq!((i.run(), i.steps(), i.edges_crossed()), (Outcome::Exit(4950), 303, edges));
    assert!(i.recorder().is_none());
    let b = recursion(5);
    let mut i = Interpreter::new(&b.program, Box::new(Zero), Box::new(Discard), Limits { steps: 7, ..limits() });
    assert_eq!(i.run(), Outcome::LimitReached(Limit::Steps));
    assert_eq!(
        i.restarted(Box::new(Zero), limits()).run(),
        Interpreter::new(&b.program, Box::new(Zero), Box::new(Discard), limits()).run()
    );
}

#[test]
fn a_cancelled_budget_stops_a_loop() {
    let b = sum(i64::from(i32::MAX));
    let budget = plumb_term::Budget::unlimited();
    budget.cancel();
    let mut i = Interpreter::new(&b.program, Box::new(Zero), Box::new(Discard), Limits::default()).within(budget);
    assert_eq!(i.run(), Outcome::LimitReached(Limit::Budget));
}

/// `int f(int n) { int r = 1; if (n > 0) { r = f(n - 1); r = r + n; } return r; }`, called with `n`.
fn recursion(n: i64) -> Build {
    let mut b = Build::new();
    let f = b.function("f", Some(I32));
    let (p, r) = (b.param(f, "n", I32), b.local(f, "r", I32));
    let (entry, exit) = (b.program.function(f).entry, b.program.function(f).exit);
    let (tp, tr, result) = (b.t(p), b.t(r), b.result(f));
    let at = b.chain(f, entry, vec![set(r, Term::int(1))]);
    let positive = Term::int(0).less(tp);
    let end = b.chain(
        f,
        at,
        vec![
            Op::Assume(positive),
            Op::Call { func: f, args: vec![tp.plus(-1).wrap(IntTy::I32)], dst: Some(r) },
            set(r, tr.add(tp).wrap(IntTy::I32)),
        ],
    );
    let join = b.loc(f);
    b.edge(f, end, join, Op::Skip);
    b.edge(f, at, join, Op::Assume(positive.not()));
    b.edge(f, join, exit, set(result, tr));
    let main = b.result(ENTRY);
    b.body(ENTRY, vec![Op::Call { func: f, args: vec![Term::int(n)], dst: Some(main) }]);
    b
}

#[test]
fn recursion_keeps_the_locals_of_each_activation() {
    assert_eq!(recursion(10).run(), Outcome::Exit(56));
}

#[test]
fn recursion_is_limited_by_the_limit_and_not_by_the_host() {
    let b = recursion(200_000);
    let run =
        |call_depth| Interpreter::new(&b.program, Box::new(Zero), Box::new(Discard), Limits { call_depth, ..Limits::default() }).run();
    let total = (1..=200_000i64).sum::<i64>() + 1;
    assert_eq!(run(200_002), Outcome::Exit(total as i32));
    assert_eq!(run(200_001), Outcome::LimitReached(Limit::CallDepth));
}

#[test]
fn an_error_location_ends_the_execution() {
    let mut b = Build::new();
    let error = b.error(ENTRY);
    let entry = b.program.function(ENTRY).entry;
    b.edge(ENTRY, entry, error, Op::Skip);
    assert_eq!(b.run(), Outcome::Error { func: ENTRY, loc: error });
}

#[test]
fn the_first_edge_that_admits_is_crossed_and_none_blocks() {
    let mut b = Build::new();
    let x = b.local(ENTRY, "x", I32);
    let (entry, exit, result) = (b.program.function(ENTRY).entry, b.program.function(ENTRY).exit, b.result(ENTRY));
    let at = b.chain(ENTRY, entry, vec![Op::Havoc { var: x, source: InputSource::Nondet("x".into()) }]);
    for (k, v) in [(5, 1), (5, 2), (6, 3)] {
        let l = b.chain(ENTRY, at, vec![Op::Assume(b.t(x).equals(Term::int(k)))]);
        b.edge(ENTRY, l, exit, set(result, Term::int(v)));
    }
    let run = |text: &str| b.run_with(Box::new(FromText::new(text))).0;
    assert_eq!(run("5"), Outcome::Exit(1));
    assert_eq!(run("# six\n\n 0x6 "), Outcome::Exit(3));
    assert!(matches!(run("7"), Outcome::Halted { halt: Halt::Blocked, .. }));
    assert!(matches!(run(""), Outcome::BadInput { .. }));
    assert!(matches!(run("five"), Outcome::BadInput { sentence, .. } if sentence.contains("line 1") && sentence.contains("'five'")));
    assert!(matches!(run("2147483648"), Outcome::BadInput { sentence, .. } if sentence.contains("2147483647")));
    assert_eq!(run("-0x5"), run("-5"));
    assert!(matches!(run("--5"), Outcome::BadInput { .. }));
}

#[test]
fn halting_has_a_status_or_none() {
    let run = |status: Option<i64>| {
        let mut b = Build::new();
        let main = b.function("main", None);
        b.body(main, vec![Op::Halt { status: status.map(Term::int) }]);
        b.body(ENTRY, vec![Op::Call { func: main, args: vec![], dst: None }]);
        b.run()
    };
    assert_eq!(run(Some(3)), Outcome::Exit(3));
    assert!(matches!(run(None), Outcome::Halted { halt: Halt::Abort, .. }));
}

#[test]
fn guards_and_unsupported_constructs_are_reported_with_their_place() {
    let mut b = Build::new();
    b.body(ENTRY, vec![Op::Skip, Op::Guard { cond: Term::ff(), ub: Ub::DivisionByZero }]);
    let Outcome::Undefined { ub, span } = b.run() else { panic!("division by zero is undefined") };
    assert_eq!((ub.describe().as_str(), span.line), ("division by zero", 2));
    let mut b = Build::new();
    b.body(ENTRY, vec![Op::Unsupported("threads are not supported".into())]);
    assert!(matches!(b.run(), Outcome::Unsupported { sentence, span } if sentence == "threads are not supported" && span.line == 1));
}

/// A program with a byte region, an object of 8 bytes at 0x10000 and an automatic one at 0x20000.
fn memory() -> (Build, RegionId) {
    let mut b = Build::new();
    let r = b.region(Cell::Byte);
    b.object(0x10000, 8, r, None);
    b.object(0x20000, 8, r, Some(ENTRY));
    (b, r)
}

fn run_ops(make: impl Fn(&mut Build, RegionId) -> Vec<Op>) -> Outcome {
    let (mut b, r) = memory();
    let mut ops = vec![b.set_heap()];
    ops.extend(make(&mut b, r));
    b.program.functions[0].result = None;
    b.body(ENTRY, ops);
    b.run()
}

#[test]
fn accesses_outside_of_objects_are_undefined() {
    let store = |addr: i64| run_ops(|b, r| vec![b.store(r, INT, Term::int(addr), Term::int(1))]);
    assert_eq!(store(0x10000), Outcome::Exit(0));
    assert_eq!(store(0x10004), Outcome::Exit(0));
    for addr in [0x10005, 0x10008, 0xffff, -1, 0x7fff_ffff] {
        assert_eq!(undefined(&store(addr)), Some(UbKind::OutOfBounds), "{addr:#x}");
    }
    assert_eq!(undefined(&store(0)), Some(UbKind::NullDereference));
    assert_eq!(undefined(&store(12)), Some(UbKind::NullDereference));
    let load = |addr: i64| {
        run_ops(|b, r| {
            let x = b.local(ENTRY, "x", I32);
            vec![set(x, b.load(r, INT, Term::int(addr)))]
        })
    };
    assert_eq!(load(0x10004), Outcome::Exit(0));
    assert_eq!(undefined(&load(0x10006)), Some(UbKind::OutOfBounds));
}

#[test]
fn automatic_objects_live_in_their_scope() {
    let addr = Term::int(0x20000);
    let begin = |r| Op::HavocMem { region: r, addr, len: Term::int(8) };
    let touch = |b: &Build, r| b.store(r, INT, addr, Term::int(1));
    assert_eq!(undefined(&run_ops(|b, r| vec![touch(b, r)])), Some(UbKind::UseAfterScope));
    assert_eq!(run_ops(|b, r| vec![begin(r), touch(b, r)]), Outcome::Exit(0));
    let after = run_ops(|b, r| vec![begin(r), touch(b, r), Op::EndLife { addr }, touch(b, r)]);
    assert_eq!(undefined(&after), Some(UbKind::UseAfterScope));
    assert_eq!(run_ops(|b, r| vec![begin(r), Op::EndLife { addr }, begin(r), touch(b, r)]), Outcome::Exit(0));
    // What began in a function ends when that returns.
    let returned = run_ops(|b, r| {
        let f = b.function("f", None);
        b.body(f, vec![begin(r), touch(b, r)]);
        vec![Op::Call { func: f, args: vec![], dst: None }, touch(b, r)]
    });
    assert_eq!(undefined(&returned), Some(UbKind::UseAfterScope));
}

fn alloc(b: &mut Build, r: RegionId, name: &str, size: i64, storage: Storage, zeroed: bool) -> (VarId, Op) {
    let dst = b.global(name, U32, VarKind::Source);
    (dst, Op::Alloc { dst, size: Term::int(size), region: r, storage, zeroed })
}

#[test]
fn heap_objects_live_until_free() {
    let run = |f: &dyn Fn(&Build, RegionId, VarId) -> Vec<Op>| {
        run_ops(|b, r| {
            let (p, op) = alloc(b, r, "p", 6, Storage::Heap, false);
            let mut ops = vec![op];
            ops.extend(f(b, r, p));
            ops
        })
    };
    let free = |b: &Build, p| Op::Free { addr: b.t(p) };
    assert_eq!(run(&|b, r, p| vec![b.store(r, CHAR, b.t(p).plus(5), Term::int(1)), free(b, p)]), Outcome::Exit(0));
    assert_eq!(undefined(&run(&|b, r, p| vec![b.store(r, INT, b.t(p).plus(3), Term::int(1))])), Some(UbKind::OutOfBounds));
    assert_eq!(undefined(&run(&|b, r, p| vec![free(b, p), b.store(r, CHAR, b.t(p), Term::int(1))])), Some(UbKind::UseAfterFree));
    assert_eq!(undefined(&run(&|b, _, p| vec![free(b, p), free(b, p)])), Some(UbKind::DoubleFree));
    assert_eq!(undefined(&run(&|b, _, p| vec![Op::Free { addr: b.t(p).plus(1) }])), Some(UbKind::InvalidFree));
    assert_eq!(undefined(&run(&|_, _, _| vec![Op::Free { addr: Term::int(0x10000) }])), Some(UbKind::InvalidFree));
    assert_eq!(run(&|_, _, _| vec![Op::Free { addr: Term::int(0) }]), Outcome::Exit(0));
}

#[test]
fn allocated_automatic_objects_die_with_their_activation() {
    let outcome = run_ops(|b, r| {
        let f = b.function("f", None);
        let (p, op) = alloc(b, r, "p", 4, Storage::Frame, true);
        let write = b.store(r, INT, b.t(p), Term::int(1));
        b.body(f, vec![op, write.clone()]);
        vec![Op::Call { func: f, args: vec![], dst: None }, write]
    });
    assert_eq!(undefined(&outcome), Some(UbKind::UseAfterScope));
}

#[test]
fn memory_is_limited_and_untouched_memory_costs_nothing() {
    let run = |touched: i64| {
        run_ops(|b, r| {
            let (p, op) = alloc(b, r, "p", 1 << 30, Storage::Heap, true);
            let mut ops = vec![op];
            ops.extend((0..touched).map(|i| b.store(r, CHAR, b.t(p).plus(i * 4096), Term::int(1))));
            ops
        })
    };
    assert_eq!(run(255), Outcome::Exit(0));
    assert_eq!(run(257), Outcome::LimitReached(Limit::Memory));
}

#[test]
fn many_short_lives_do_not_accumulate() {
    // 200,000 allocations, each freed: the records of the dead are forgotten.
    let (mut b, r) = memory();
    let i = b.local(ENTRY, "i", I32);
    let (p, op) = alloc(&mut b, r, "p", 8, Storage::Heap, false);
    let (entry, exit) = (b.program.function(ENTRY).entry, b.program.function(ENTRY).exit);
    let init = vec![b.set_heap(), set(i, Term::int(0))];
    let head = b.chain(ENTRY, entry, init);
    let (ti, tp) = (b.t(i), b.t(p));
    let stay = ti.less(Term::int(200_000));
    let body = vec![Op::Assume(stay), op, b.store(r, INT, tp, ti), Op::Free { addr: tp }, set(i, ti.plus(1).wrap(IntTy::I32))];
    let end = b.chain(ENTRY, head, body);
    b.edge(ENTRY, end, head, Op::Skip);
    b.edge(ENTRY, head, exit, Op::Assume(stay.not()));
    b.program.functions[0].result = None;
    let mut m = Interpreter::new(&b.program, Box::new(Zero), Box::new(Discard), Limits { steps: 2_000_000, ..limits() });
    assert_eq!(m.run(), Outcome::Exit(0));
    assert_eq!(m.value(b.program.heap_top), Some(Value::Int(IBig::from(support::HEAP_BASE + 200_000 * 32))));
}

#[test]
fn accesses_through_the_wrong_region_are_internal_errors() {
    let mut b = Build::new();
    let (r, other) = (b.region(Cell::Byte), b.region(Cell::Scalar(INT)));
    b.object(0x10000, 8, r, None);
    b.object(0x20000, 8, other, None);
    let check = |op: Op| {
        let mut c = Build { program: b.program.clone() };
        c.program.functions[0].result = None;
        c.body(ENTRY, vec![op]);
        c.run()
    };
    let internal = |o: Outcome| matches!(o, Outcome::InternalError { .. });
    assert!(internal(check(b.store(other, INT, Term::int(0x10000), Term::int(1)))));
    assert_eq!(check(b.store(other, INT, Term::int(0x20000), Term::int(1))), Outcome::Exit(0));
    // Another type, or a part of two cells.
    assert!(internal(check(b.store(other, CHAR, Term::int(0x20000), Term::int(1)))));
    let m = b.program.memory(other);
    let two = |second: u64| {
        let stores = Term::store(INT, Term::store(INT, m, Term::int(0x20000), Term::int(1)), Term::int(second), Term::int(2));
        check(Op::Assign(vec![(b.mem_var(other), stores)]))
    };
    assert_eq!(two(0x20004), Outcome::Exit(0));
    assert!(internal(two(0x20002)));
}

#[test]
fn string_literals_are_read_only_after_the_start() {
    let mut b = Build::new();
    let r = b.region(Cell::Byte);
    let init = b.literal(0x10000, r, "abc");
    let f = b.function("main", None);
    b.body(f, vec![b.store(r, CHAR, Term::int(0x10001), Term::int(65))]);
    b.body(ENTRY, vec![init, Op::Call { func: f, args: vec![], dst: None }]);
    assert_eq!(undefined(&b.run()), Some(UbKind::ReadOnly));
}

/// Uninitialised data: taken from the inputs, and fixed from then on; misuse in strict mode.
#[test]
fn uninitialised_memory_is_an_input_or_poison() {
    let (mut b, r) = memory();
    let (x, y) = (b.local(ENTRY, "x", I32), b.local(ENTRY, "y", I32));
    let load = b.load(r, INT, Term::int(0x10000));
    let same = b.t(x).equals(b.t(y));
    b.program.functions[0].result = None;
    b.body(ENTRY, vec![set(x, load), set(y, load), Op::Guard { cond: same, ub: Ub::Unreachable }]);
    for seed in 0..20 {
        assert_eq!(b.run_with(Box::new(Random::new(seed))).0, Outcome::Exit(0));
    }
    assert_eq!(undefined(&b.run_strict()), Some(UbKind::UninitMemory));
}

#[test]
fn uninitialised_variables_may_be_copied_but_not_used() {
    let mut b = Build::new();
    let r = b.region(Cell::Byte);
    b.object(0x10000, 8, r, None);
    let (x, y) = (b.local(ENTRY, "x", I32), b.local(ENTRY, "y", I32));
    let uninit = Op::Havoc { var: x, source: InputSource::Uninit("x".into()) };
    let copy = [uninit, set(y, b.t(x).plus(1).wrap(IntTy::I32)), b.store(r, INT, Term::int(0x10000), b.t(y))];
    let with = |more: Vec<Op>| {
        let mut c = Build { program: b.program.clone() };
        c.program.functions[0].result = None;
        c.body(ENTRY, copy.iter().cloned().chain(more).collect());
        undefined(&c.run_strict())
    };
    assert_eq!(with(vec![]), None);
    let ty = b.t(y);
    assert_eq!(with(vec![Op::Assume(Term::int(3).less(ty))]), Some(UbKind::UninitVariable("x".into())));
    assert_eq!(with(vec![set(x, Term::int(1)), Op::Assume(b.t(x).equals(Term::int(1)))]), None);
    let loaded = b.load(r, INT, Term::int(0x10000));
    assert_eq!(with(vec![Op::Assume(loaded.less(Term::int(3)))]), Some(UbKind::UninitMemory));
    // Which of them is chosen does not depend on it.
    let chosen = Term::ite(b.t(y).less(Term::int(0)).and(Term::ff()), ty, Term::int(7));
    assert_eq!(with(vec![set(x, chosen), Op::Guard { cond: b.t(x).equals(Term::int(7)), ub: Ub::Unreachable }]), None);
}

#[test]
fn writing_a_bit_field_does_not_use_its_neighbours() {
    let run = |shown: u64| {
        let (mut b, r) = memory();
        let unit = Scalar::Int(IntTy::unsigned(16));
        let addr = Term::int(0x10000);
        let x = b.local(ENTRY, "x", I32);
        let old = b.load(r, unit, addr);
        let field = b.store(r, unit, addr, old.bit_and(Term::int(0xff0f)).bit_or(Term::int(0x50)));
        let read = b.load(r, unit, addr).shr(Term::int(4)).wrap(IntTy::unsigned(4));
        b.program.functions[0].result = None;
        let other = b.load(r, unit, Term::int(0x10000 + shown)).wrap(IntTy::unsigned(4));
        let use_ = Op::Assume(Term::int(-1).less(other.wrap(IntTy::signed(3))).or(b.t(x).equals(Term::int(5))));
        b.body(ENTRY, vec![field, set(x, read), Op::Guard { cond: b.t(x).equals(Term::int(5)), ub: Ub::Unreachable }, use_]);
        b.run_strict()
    };
    assert_eq!(run(0), Outcome::Exit(0));
    // A known disjunct decides, whatever the unknown one is.
    assert_eq!(run(2), Outcome::Exit(0));
}

#[test]
fn abstracted_inputs_are_noted() {
    for (source, noted) in [(InputSource::Abstracted("sin".into()), true), (InputSource::Extern("f".into()), false)] {
        let mut b = Build::new();
        let x = b.local(ENTRY, "x", I32);
        b.program.functions[0].result = None;
        b.body(ENTRY, vec![Op::Havoc { var: x, source }]);
        let mut i = Interpreter::new(&b.program, Box::new(Zero), Box::new(Discard), limits());
        assert_eq!((i.run(), i.depends_on_abstraction()), (Outcome::Exit(0), noted));
    }
}

#[test]
fn inputs_and_first_reads_are_kept_of_executions_of_any_length() {
    let run = |assigned: bool| {
        let mut b = Build::new();
        let (x, y, z) = (b.local(ENTRY, "x", I32), b.local(ENTRY, "y", I32), b.local(ENTRY, "z", I32));
        b.program.functions[0].result = None;
        let unset = |var| Op::Havoc { var, source: InputSource::Uninit("v".into()) };
        let mut ops = vec![unset(x), unset(y), Op::Havoc { var: z, source: InputSource::Nondet("n".into()) }];
        if assigned {
            ops.push(set(x, Term::int(1)));
        }
        ops.push(set(z, b.t(x)));
        ops.extend((0..50).map(|_| Op::Skip));
        b.body(ENTRY, ops);
        let recorder = Recorder::last(3).with_inputs();
        let mut i = Interpreter::new(&b.program, Box::new(Zero), Box::new(Discard), limits()).recording(recorder);
        assert_eq!(i.run(), Outcome::Exit(0));
        let r = i.recorder().unwrap().clone();
        assert_eq!((r.events.len(), r.inputs.len(), r.is_complete()), (3, 3, false));
        (r.uninitialised_reads().into_iter().collect::<Vec<_>>(), x)
    };
    let (read, x) = run(false);
    assert_eq!(read, [x]);
    assert!(run(true).0.is_empty());
}

#[test]
fn records_hold_the_edges_with_what_they_wrote() {
    let b = sum(3);
    let mut i = Interpreter::new(&b.program, Box::new(Zero), Box::new(Discard), limits()).recording(Recorder::full());
    assert_eq!(i.run(), Outcome::Exit(3));
    let events = &i.recorder().unwrap().events;
    assert_eq!(events.len() as u64, i.steps());
    let s = VarId(3);
    let values: Vec<i64> = events
        .iter()
        .flat_map(|e| &e.writes)
        .filter_map(|w| match w {
            Write::Var(v, Some(Value::Int(n))) if *v == s => i64::try_from(n).ok(),
            _ => None,
        })
        .collect();
    assert_eq!(values, [0, 0, 1, 3]);
    let mut i = Interpreter::new(&b.program, Box::new(Zero), Box::new(Discard), limits()).recording(Recorder::last(2));
    i.run();
    assert_eq!(i.recorder().unwrap().events.iter().map(|e| e.edge.unwrap().0).collect::<Vec<_>>(), [4, 5]);
}

#[test]
fn malformed_programs_end_in_internal_errors() {
    let broken = |make: &dyn Fn(&mut Build) -> Op| {
        let mut b = Build::new();
        let op = make(&mut b);
        b.program.functions[0].result = None;
        b.body(ENTRY, vec![op]);
        assert!(matches!(b.run(), Outcome::InternalError { .. }), "{:?}", b.run());
    };
    broken(&|b| {
        let x = b.local(ENTRY, "x", I32);
        set(x, Term::int(1i64 << 40))
    });
    broken(&|b| {
        let x = b.local(ENTRY, "x", I32);
        Op::Assume(b.t(x).equals(Term::int(3)))
    });
    broken(&|b| set(b.program.heap_top, Term::program_var(VarId(999), VarTy::Int)));
    broken(&|_| Op::Call { func: FuncId(7), args: vec![], dst: None });
    broken(&|b| {
        let f = b.function("f", None);
        Op::Call { func: f, args: vec![Term::int(1)], dst: None }
    });
    broken(&|b| {
        let r = b.region(Cell::Byte);
        b.object(0x1000, 8, r, None);
        b.object(0x1004, 8, r, None);
        Op::Skip
    });
    broken(&|b| {
        let x = b.local(ENTRY, "x", VarTy::Scalar(Scalar::Float(FloatTy::F64)));
        set(x, Term::int(1))
    });
}

#[test]
fn printing_goes_to_its_stream() {
    let mut b = Build::new();
    let r = b.region(Cell::Byte);
    let n = b.local(ENTRY, "n", I32);
    let init = b.literal(0x10000, r, "x=%d");
    let ptr = (Scalar::Int(IntTy::U32), Term::int(0x10000));
    let print = |name: &str, args: Vec<(Scalar, Term)>| Op::Output { name: name.into(), args, dst: Some(n) };
    let result = b.result(ENTRY);
    let seven = (INT, Term::int(-7));
    let ops = vec![
        init,
        print("puts", vec![ptr]),
        print("fprintf:stderr", vec![ptr, seven]),
        print("fputc:", vec![(INT, Term::int(65))]),
        print("putchar", vec![(INT, Term::int(321))]),
        print("printf", vec![ptr, seven]),
        set(result, b.t(n)),
    ];
    b.body(ENTRY, ops);
    let out = Collected::default();
    let outcome = Interpreter::new(&b.program, Box::new(Zero), Box::new(out.clone()), limits()).run();
    assert_eq!(outcome, Outcome::Exit(4));
    assert_eq!(out.stdout(), b"x=%d\nAx=-7");
    assert_eq!(out.stderr(), b"x=-7");
}
