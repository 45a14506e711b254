//! The textual form of terms and problems.

use crate::common::{cases, Menu, Terms};
use crate::gen::{Gen, THEORIES};
use plumb_smt::interpolate::Family;
use plumb_term::text::{parse, read_term, Writer};
use plumb_term::visit::Rewriter;
use plumb_term::{Term, Var};
use std::cell::RefCell;

/// What is written is read as the same term, up to what the constructors make of it.
#[test]
fn terms_survive() {
    let menu = Menu { unbounded: true, floats: true, memories: true };
    for seed in 0..cases(3000) {
        let mut terms = Terms::new(seed, menu);
        let sort = terms.any_sort();
        let t = terms.of_sort(sort, 4);
        let names: RefCell<Vec<Var>> = RefCell::default();
        let writer = Writer::new(&[t], &|v| {
            let mut names = names.borrow_mut();
            let at = names.iter().position(|n| *n == v).unwrap_or(names.len());
            if at == names.len() {
                names.push(v);
            }
            format!("x{at}")
        });
        let mut definitions: Vec<Term> = Vec::new();
        let mut read = |text: &str| {
            let s = parse(text).expect("what was written");
            let leaf = |w: &str| {
                let number = w.get(1..)?.parse::<usize>().ok()?;
                match w.get(..1)? {
                    "x" => names.borrow().get(number).map(|v| Term::var(*v)),
                    "$" => definitions.get(number).copied(),
                    _ => None,
                }
            };
            let t = read_term(&s[0], &leaf).unwrap_or_else(|e| panic!("seed {seed}: {e} in {text}"));
            definitions.push(t);
            t
        };
        writer.definitions().iter().for_each(|d| {
            read(d);
        });
        let again = read(writer.text(t).expect("a root"));
        assert_eq!(again, Rewriter::new().rewrite(t, &mut |_| None), "seed {seed}");
    }
}

#[test]
fn families_survive() {
    for seed in 0..cases(200) {
        let dag = Gen::new(seed, THEORIES[seed as usize % THEORIES.len()]).dag();
        let family = Family::of_dag("one", &dag);
        let read = Family::read(&family.write()).expect("what was written");
        assert_eq!(read.len(), 1);
        // Written again it is the same text: numbers have settled.
        assert_eq!(read[0].write(), Family::read(&read[0].write()).expect("again")[0].write());
        let same = read[0].dag(&read[0].members[0]).expect("a graph");
        assert_eq!(same.nodes().iter().map(Vec::len).collect::<Vec<_>>(), dag.nodes().iter().map(Vec::len).collect::<Vec<_>>());
        let ends = |d: &plumb_smt::interpolate::Dag| d.edges().iter().map(|e| (e.from, e.to)).collect::<Vec<_>>();
        assert_eq!(ends(&same), ends(&dag));
        // The formulas mean the same: equal hashes of structure, once variables are named alike.
        let names = family.dag(&family.members[0]).expect("a graph");
        assert_eq!(same.edges().len(), names.edges().len());
        for (a, b) in same.edges().iter().zip(names.edges()) {
            assert_eq!(a.formula, Rewriter::new().rewrite(b.formula, &mut |_| None), "seed {seed}");
        }
    }
}

#[test]
fn broken_texts_are_refused() {
    for text in [
        "(family",
        "(family f (block 0 1 x0))",
        "(family f (vars i32) (block 0 1 x0))",
        "(family f (vars i32 bool) (block 0 1 (& x0 x1)))",
        "(family f (vars i32) (let (load i8 x0 1)))",
        "(family f (vars mem:i32) (let (load i8 x0 1)))",
        "(family f (vars f32 f64) (let (fadd x0 x1)))",
        "(family f (vars i129))",
        "(family f (cut x0))",
        "(family f (dag d (0) 1 2))",
        "(other f)",
    ] {
        assert!(Family::read(text).is_err(), "{text}");
    }
    let odd = Family::read("(family f (cut) (dag d (0 0) 7 0 1))").expect("readable");
    assert!(odd[0].dag(&odd[0].members[0]).is_err());
}
