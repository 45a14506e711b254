//! The heap's layout, and what is found of small programs.

use super::layout::Layout;
use super::run;
use crate::system::System;
use plumb_cfa::unwind::Orders;
use plumb_cfa::Program;
use plumb_cfront::{load, Input, Options};
use plumb_term::visit::vars;
use plumb_term::{Budget, IBig, Term, VarId};
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
