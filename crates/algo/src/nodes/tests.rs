//! Loads through stores, the heap's layout, and what is found of small programs.

use super::layout::Layout;
use super::reads::Pushed;
use super::run;
use crate::system::System;
use plumb_cfa::interp::Random;
use plumb_cfa::unwind::Orders;
use plumb_cfa::Program;
use plumb_cfront::{load, Input, Options};
use plumb_term::eval::{eval, MemValue, Value};
use plumb_term::visit::{postorder, vars};
use plumb_term::{Budget, Cell, IBig, IntTy, Kind, Scalar, Term, Var, VarId, VarTy};
use plumb_verdict::Verdict;
use std::collections::BTreeMap;
use std::time::Duration;

const HEADER: &str = "void reach_error(void); extern int __VERIFIER_nondet_int(void); void *malloc(unsigned);
    struct n { struct n *next; int data; };\n";

fn program(text: &str) -> Program {
    let bytes = format!("{HEADER}{text}").into_bytes();
    load(&[Input { name: "test.c".into(), bytes }], &Options::default()).unwrap_or_else(|e| panic!("{e}"))
}

/// A list that is built with one value and read.
fn list(written: i32, read: i32) -> String {
    format!(
        "int main(void) {{ struct n *l = 0; while (__VERIFIER_nondet_int()) {{ struct n *f = malloc(sizeof *f); f->data = {written}; f->next = l; l = f; }}
         for (; l; l = l->next) if (l->data != {read}) reach_error(); return 0; }}"
    )
}

#[test]
fn members_and_room_are_read_off_the_program() {
    let p = program(&list(1, 1));
    let system = System::keeping(&[p.heap_top], &p, &Orders::new(&p), &BTreeMap::new(), &Budget::unlimited()).unwrap();
    let layout = Layout::of(&p, &system).unwrap();
    assert_eq!(layout.fields.iter().map(|f| f.offset.clone()).collect::<Vec<_>>(), [0, 4].map(IBig::from));
    assert_eq!(Some(&layout.stride), p.heap_after(Term::int(0), Term::int(8)).as_int());
    let at = |a: i64| layout.is_node(Term::int(IBig::from(p.heap_base) + IBig::from(a)));
    assert!(at(4).is_false() && at(-32).is_false() && !at(32).is_false());
    assert!(program("int main(void) { return 0; }").allocations().next().is_none());
}

#[test]
fn lists_are_proved_whatever_their_length() {
    let verdict = |text: &str| run(&program(text), &Budget::within(Duration::from_secs(20)), &mut |_| {}, &|_, _| true);
    let Verdict::Safe(proof) = verdict(&list(1, 1)) else { panic!("no proof") };
    assert!(proof.invariants.values().any(|t| vars([*t]).iter().any(|v| v.id >= VarId::FIRST_BOUND)));
    assert!(matches!(verdict(&list(1, 2)), Verdict::Unknown(_)), "an error that exists is not excluded");
}

#[test]
fn loads_through_stores_are_equal() {
    let cell = Scalar::Int(IntTy::U32);
    let memory = Term::var(Var::new(VarId(0), VarTy::Mem(Cell::Scalar(cell))));
    let scalars: Vec<Term> = (1..4).map(|i| Term::var(Var::new(VarId(i), VarTy::Scalar(cell)))).collect();
    let mut random = Random::new(3);
    for _ in 0..200 {
        let mut m = memory;
        for _ in 0..random.below(4) {
            let [a, v] = [0; 2].map(|_| scalars[random.below(3)]);
            let stored = Term::store(cell, m, a.plus(4 * random.below(2)), v);
            m = match random.below(3) {
                0 => Term::ite(a.less(v), stored, m),
                1 => Term::splice(stored, memory, v, Term::int(8)),
                _ => stored,
            };
        }
        let read = Term::load(cell, m, Term::load(cell, m, scalars[random.below(3)]));
        let pushed = Pushed::default().term(read);
        let plain = |t: Term| postorder([t]).iter().all(|n| !matches!(n.kind(), Kind::Store(..) | Kind::Splice { .. }));
        assert!(plain(pushed), "{pushed}");
        let values = [0; 3].map(|_| IBig::from(4 * random.below(4)));
        let mut contents = MemValue::zero(Cell::Scalar(cell));
        (0..6).for_each(|i| contents.set(IBig::from(4 * i), IBig::from(4 * random.below(5))));
        let env = |v: Var| match v.id.0 {
            0 => Some(Value::Mem(contents.clone())),
            i => Some(Value::Int(values[i as usize - 1].clone())),
        };
        assert_eq!(eval(read, &env), eval(pushed, &env), "{read}");
    }
}
