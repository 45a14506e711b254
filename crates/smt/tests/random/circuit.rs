//! Circuits against the evaluator and against Z3.

use crate::common::{cases, literal, Menu, Terms};
use plumb_smt::{CheckResult, Circuit, Encoding, Found, Limits, Solver, Z3Solver};
use plumb_term::eval::{eval, Value};
use plumb_term::{visit, Budget, Sort, Term, Var, VarTy};
use std::collections::BTreeMap;
use std::time::Duration;

const MENU: Menu = Menu { unbounded: false, floats: false, memories: true };

/// What random variables are worth.
fn values(terms: &mut Terms, t: Term) -> BTreeMap<Var, Value> {
    visit::vars([t]).into_iter().map(|v| (v, terms.value(v))).collect()
}

fn ask(formula: Term) -> Option<Found> {
    Some(Circuit::new(formula)?.run(Duration::from_millis(200), &Budget::unlimited()))
}

#[test]
fn a_term_has_its_value_and_no_other() {
    let (mut tried, mut decided) = (0, 0);
    for seed in 0..cases(120) {
        let mut terms = Terms::new(seed, MENU);
        let sort = terms.any_sort();
        if matches!(sort, Sort::Mem(_)) {
            continue;
        }
        let t = terms.of_sort(sort, 4);
        let values = values(&mut terms, t);
        let Some(value) = eval(t, &|v| values.get(&v).cloned()) else { continue };
        // Memories cannot be compared; what they hold is put in their place.
        let of_memory = |v: Var| values.get(&v).filter(|_| matches!(v.ty, VarTy::Mem(_))).map(literal);
        let scalars = values.iter().filter(|(v, _)| !matches!(v.ty, VarTy::Mem(_)));
        let fixed = Term::all(scalars.map(|(v, value)| Term::var(*v).equals(literal(value))));
        let is_value = visit::substitute(t, &of_memory).equals(literal(&value));
        tried += 1;
        let context = || format!("seed {seed}: {t}\n = {value:?}\nfor {values:?}");
        let (Some(some), Some(none)) = (ask(fixed.and(is_value)), ask(fixed.and(is_value.not()))) else { continue };
        assert!(!matches!(some, Found::Unsat), "{}", context());
        assert!(!matches!(none, Found::Sat(_)), "{}", context());
        decided += u32::from(matches!((some, none), (Found::Sat(_), Found::Unsat)));
    }
    assert!(decided * 5 > tried * 4, "{decided} of {tried}");
}

#[test]
fn what_has_a_model_is_not_refuted() {
    let (mut tried, mut sat) = (0, 0);
    for seed in 0..cases(120) {
        let mut terms = Terms::new(seed, MENU);
        let parts: Vec<Term> = (0..3).map(|_| terms.of_sort(Sort::Bool, 4)).collect();
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
    assert!(sat * 5 > tried * 4, "{sat} of {tried}");
}

#[test]
fn circuits_and_z3_agree() {
    let limits = Limits { query_time: Some(Duration::from_millis(500)), ..Limits::default() };
    let (mut refuted, mut found) = (0, 0);
    for seed in 0..cases(60) {
        let mut terms = Terms::new(seed, MENU);
        let formula = Term::all((0..4).map(|_| terms.of_sort(Sort::Bool, 3)));
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
