//! How many edges per second the interpreter crosses: `cargo run --release -p plumb-cfa --example interp_speed`.

#[path = "../tests/support/mod.rs"]
mod support;

use plumb_cfa::interp::{Discard, Interpreter, Limits, Zero};
use plumb_cfa::{FuncId, Op};
use plumb_term::{Cell, IntTy, Term};
use std::time::Instant;
use support::{set, Build, I32, INT, U32};

const ENTRY: FuncId = FuncId(0);
const ROUNDS: i64 = 2_000_000;

/// `for (i = 0; i < ROUNDS; i++) body`.
fn looped(b: &mut Build, body: impl FnOnce(&mut Build, Term) -> Vec<Op>) {
    let i = b.local(ENTRY, "i", I32);
    let (entry, exit) = (b.program.function(ENTRY).entry, b.program.function(ENTRY).exit);
    let start = vec![b.set_heap(), set(i, Term::int(0))];
    let head = b.chain(ENTRY, entry, start);
    let ti = b.t(i);
    let stay = ti.less(Term::int(ROUNDS));
    let mut ops = vec![Op::Assume(stay)];
    ops.extend(body(b, ti));
    let end = b.chain(ENTRY, head, ops);
    b.edge(ENTRY, end, head, set(i, ti.plus(1).wrap(IntTy::I32)));
    b.edge(ENTRY, head, exit, Op::Assume(stay.not()));
    b.program.functions[0].result = None;
}

fn measure(what: &str, b: &Build) {
    let mut m = Interpreter::new(&b.program, Box::new(Zero), Box::new(Discard), Limits::default());
    let start = Instant::now();
    let outcome = m.run();
    let time = start.elapsed().as_secs_f64();
    println!("{what:<12} {:>6.1} million edges/s ({outcome:?})", m.steps() as f64 / time / 1e6);
}

fn main() {
    let mut b = Build::new();
    looped(&mut b, |b, i| {
        let s = b.local(ENTRY, "s", U32);
        let init = b.t(s);
        vec![set(s, i.wrap(IntTy::U32)), set(s, init.scale(&3.into()).add(i).wrap(IntTy::U32)), set(s, init.bit_xor(i).wrap(IntTy::U32))]
    });
    measure("variables", &b);

    for cell in [Cell::Byte, Cell::Scalar(INT)] {
        let mut b = Build::new();
        let r = b.region(cell);
        b.object(0x10000, 4096, r, None);
        looped(&mut b, |b, i| {
            let s = b.local(ENTRY, "s", I32);
            let addr = Term::int(0x10000).add(i.wrap(IntTy::unsigned(10)).scale(&4.into()));
            vec![b.store(r, INT, addr, i), set(s, b.load(r, INT, addr))]
        });
        measure(if cell == Cell::Byte { "bytes" } else { "scalar cells" }, &b);
    }

    let mut b = Build::new();
    let f = b.function("f", Some(I32));
    let p = b.param(f, "x", I32);
    let result = b.result(f);
    b.body(f, vec![set(result, b.t(p).plus(1).wrap(IntTy::I32))]);
    looped(&mut b, |b, i| {
        let s = b.local(ENTRY, "s", I32);
        vec![Op::Call { func: f, args: vec![i], dst: Some(s) }]
    });
    measure("calls", &b);
}
