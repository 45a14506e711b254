//! Circuits against the evaluator and against Z3.

use crate::common::{cases, literal, Menu, Terms};
use plumb_smt::{CheckResult, Circuit, Encoding, Found, Limits, Solver, Z3Solver};
use plumb_term::eval::{eval, Value};
use plumb_term::{visit, Budget, Sort, Term, Var, VarTy};
use std::collections::BTreeMap;
use std::time::Duration;

const INTEGERS: Menu = Menu { unbounded: false, floats: false, memories: true };
const FLOATS: Menu = Menu { floats: true, ..INTEGERS };

/// A term that may have a circuit; with floats on the menu, one with a float. Most have none: the generator likes the other formats as well.
fn term(terms: &mut Terms, sort: Option<Sort>, depth: u32) -> Term {
    loop {
        let sort = sort.unwrap_or_else(|| terms.any_sort());
        let t = terms.of_sort(sort, depth);
        let floats = || visit::postorder([t]).iter().any(|t| matches!(t.sort(), Sort::Float(_)));
        if !matches!(sort, Sort::Mem(_)) && Circuit::new(t).is_some() && (!terms.menu.floats || floats()) {
            return t;
        }
    }
}

/// What random variables are worth.
fn values(terms: &mut Terms, t: Term) -> BTreeMap<Var, Value> {
    visit::vars([t]).into_iter().map(|v| (v, terms.value(v))).collect()
}

fn ask(formula: Term) -> Option<Found> {
    Some(Circuit::new(formula)?.run(Duration::from_secs(2), &Budget::unlimited()))
}

#[test]
fn a_term_has_its_value_and_no_other() {
    a_term_has_its_value_and_no_other_for(INTEGERS, 80);
}

#[test]
fn a_term_has_its_value_and_no_other_with_floats() {
    a_term_has_its_value_and_no_other_for(FLOATS, 80);
}

fn a_term_has_its_value_and_no_other_for(menu: Menu, fast: u64) {
    let (mut tried, mut decided) = (0u64, 0u64);
    for seed in 0..cases(fast) {
        let mut terms = Terms::new(seed, menu);
        let t = term(&mut terms, None, 4);
        let values = values(&mut terms, t);
        let Some(value) = eval(t, &|v| values.get(&v).cloned()) else { continue };
        // Memories cannot be compared; what they hold is put in their place.
        let of_memory = |v: Var| values.get(&v).filter(|_| matches!(v.ty, VarTy::Mem(_))).map(literal);
        let scalars = values.iter().filter(|(v, _)| !matches!(v.ty, VarTy::Mem(_)));
        let fixed = Term::all(scalars.map(|(v, value)| Term::var(*v).equals(literal(value))));
        let is_value = visit::substitute(t, &of_memory).equals(literal(&value));
        let context = || format!("seed {seed}: {t}\n = {value:?}\nfor {values:?}");
        let (Some(some), Some(none)) = (ask(fixed.and(is_value)), ask(fixed.and(is_value.not()))) else { continue };
        tried += 1;
        assert!(!matches!(some, Found::Unsat), "{}", context());
        assert!(!matches!(none, Found::Sat(_)), "{}", context());
        decided += u64::from(matches!((some, none), (Found::Sat(_), Found::Unsat)));
    }
    assert!(tried > fast / 2 && decided * 5 > tried * 4, "{decided} of {tried}");
}

#[test]
fn what_has_a_model_is_not_refuted() {
    what_has_a_model_is_not_refuted_for(INTEGERS, 50, 4);
}

#[test]
fn what_has_a_model_is_not_refuted_with_floats() {
    what_has_a_model_is_not_refuted_for(FLOATS, 80, 3);
}

fn what_has_a_model_is_not_refuted_for(menu: Menu, fast: u64, depth: u32) {
    let (mut tried, mut sat) = (0u64, 0u64);
    for seed in 0..cases(fast) {
        let mut terms = Terms::new(seed, menu);
        let parts: Vec<Term> = (0..3).map(|_| term(&mut terms, Some(Sort::Bool), depth)).collect();
        let values = values(&mut terms, Term::all(parts.iter().copied()).or(Term::any(parts.iter().copied())));
        let holds = |t: &Term| eval(*t, &|v| Some(values.get(&v).cloned().unwrap_or(Value::default_of(v.ty)))) == Some(Value::Bool(true));
        let formula = Term::all(parts.iter().map(|t| if holds(t) { *t } else { t.not() }));
        let Some(found) = ask(formula) else { continue };
        tried += 1;
        match found {
            Found::Unsat => panic!("seed {seed}: {formula}\nholds for {values:?}"),
            Found::Sat(model) => {
                assert_eq!(model.holds(formula), Some(true));
                sat += 1;
            }
            Found::Open | Found::Undecided => {}
        }
    }
    assert!(tried > fast / 2 && sat * 5 > tried * 4, "{sat} of {tried}");
}

#[test]
fn circuits_and_z3_agree() {
    circuits_and_z3_agree_for(INTEGERS, 30, 4);
}

#[test]
fn circuits_and_z3_agree_with_floats() {
    circuits_and_z3_agree_for(FLOATS, 30, 2);
}

fn circuits_and_z3_agree_for(menu: Menu, fast: u64, conjuncts: u32) {
    let limits = Limits { query_time: Some(Duration::from_millis(500)), ..Limits::default() };
    let (mut refuted, mut found) = (0, 0);
    for seed in 0..cases(fast) {
        let mut terms = Terms::new(seed, menu);
        let formula = Term::all((0..conjuncts).map(|_| term(&mut terms, Some(Sort::Bool), 3)));
        let Some(answer) = ask(formula) else { continue };
        let mut solver = Z3Solver::new(Encoding::BITS64, &limits).expect("a solver");
        solver.assert(formula);
        match (answer, solver.check()) {
            (Found::Unsat, CheckResult::Sat) | (Found::Sat(_), CheckResult::Unsat) => panic!("seed {seed}: {formula}"),
            (Found::Unsat, _) => refuted += 1,
            (Found::Sat(_), _) => found += 1,
            _ => {}
        }
    }
    assert!(refuted > 2 && found > 10, "{refuted} refuted, {found} found");
}
