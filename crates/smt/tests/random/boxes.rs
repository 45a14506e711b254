//! The search by boxes against the evaluator.

use crate::common::{cases, literal, Menu, Terms};
use plumb_smt::{Boxes, Found};
use plumb_term::eval::{eval, Value};
use plumb_term::{visit, Budget, Sort, Term, Var};
use std::collections::BTreeMap;
use std::time::Duration;

const MENU: Menu = Menu { unbounded: true, floats: true, memories: true };

/// What random variables are worth.
fn values(terms: &mut Terms, t: Term) -> BTreeMap<Var, Value> {
    visit::vars([t]).into_iter().map(|v| (v, terms.value(v))).collect()
}

#[test]
fn what_has_a_model_is_never_refuted() {
    let (mut tried, mut sat) = (0, 0);
    for seed in 0..cases(400) {
        let mut terms = Terms::new(seed, MENU);
        let t = terms.of_sort(Sort::Bool, 4);
        let values = values(&mut terms, t);
        let holds = eval(t, &|v| values.get(&v).cloned()) == Some(Value::Bool(true));
        let formula = if holds { t } else { t.not() };
        let Some(mut boxes) = Boxes::new(formula) else { continue };
        tried += 1;
        match boxes.run(&Budget::within(Duration::from_millis(20))) {
            Found::Unsat => panic!("seed {seed}: {formula}\nholds for {values:?}"),
            Found::Sat(model) => {
                assert_eq!(model.holds(formula), Some(true));
                sat += 1;
            }
            Found::Open | Found::Undecided => {}
        }
    }
    assert!(sat * 2 > tried, "{sat} of {tried}");
}

#[test]
fn near_its_value_a_term_is_never_refuted() {
    let (mut tried, mut unsat) = (0, 0);
    for seed in 0..cases(400) {
        let mut terms = Terms::new(seed, MENU);
        let sort = terms.any_sort();
        let t = terms.of_sort(sort, 3);
        let values = values(&mut terms, t);
        let Some(value) = eval(t, &|v| values.get(&v).cloned()) else { continue };
        let same = |a: Term, b: Term| match a.sort() {
            Sort::Float(_) => Term::fbits(a).equals(Term::fbits(b)),
            _ => a.equals(b),
        };
        let fixed = values.iter().map(|(v, value)| same(Term::var(*v), literal(value)));
        let is_value = same(t, literal(&value));
        let all = Term::all(fixed.clone().chain([is_value]));
        let none = Term::all(fixed.chain([is_value.not()]));
        if let Some(mut boxes) = Boxes::new(all) {
            let found = boxes.run(&Budget::within(Duration::from_millis(20)));
            assert!(!matches!(found, Found::Unsat), "seed {seed}: {t}\n = {value:?}\nfor {values:?}");
        }
        if let Some(mut boxes) = Boxes::new(none) {
            tried += 1;
            match boxes.run(&Budget::within(Duration::from_millis(20))) {
                Found::Sat(_) => panic!("seed {seed}: {t}\n = {value:?}\nfor {values:?}"),
                Found::Unsat => unsat += 1,
                _ => {}
            }
        }
    }
    assert!(unsat * 8 > tried, "{unsat} of {tried}");
}
