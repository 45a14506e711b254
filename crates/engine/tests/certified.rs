//! Engines end in the checker: right answers get through, wrong evidence never does.

use plumb_cfa::{Program, Semantics};
use plumb_cfront::{load, ErrorSpec, Input, Options};
use plumb_engine::{certify, configs, rule_for, verify};
use plumb_term::eval::Value;
use plumb_term::{Budget, IBig, Term};
use plumb_verdict::{Facts, Figure, Method, Notes, Proof, ReasonKind, Trace, Verdict};
use std::collections::BTreeMap;
use std::time::Duration;

const PRELUDE: &str = "int __VERIFIER_nondet_int(void); void reach_error(void);\n";

fn program(body: &str) -> Program {
    let bytes = format!("{PRELUDE}{body}").into_bytes();
    let options = Options { semantics: Semantics::default(), property: ErrorSpec::Default };
    load(&[Input { name: "test.c".into(), bytes }], &options).unwrap_or_else(|e| panic!("{e}"))
}

fn budget() -> Budget {
    Budget::within(Duration::from_secs(60))
}

fn answer(body: &str, config: &str) -> String {
    match verify(&program(body), config, &Facts::default(), &budget(), &mut |_| ()).map(|a| a.verdict) {
        Some(Verdict::Safe(_)) => "true".into(),
        Some(Verdict::Unsafe(_)) => "false".into(),
        Some(Verdict::Unknown(r)) => r.kind.to_string(),
        None => "no such configuration".into(),
    }
}

const COUNT_UP: &str = "int main(void) { int n = __VERIFIER_nondet_int(), i = 0; if (n < 0 || n > 1000) return 0;
  while (i < n) i++; if (i != n) reach_error(); return 0; }";
const OFF_BY_ONE: &str = "int main(void) { int n = __VERIFIER_nondet_int(), i = 0; if (n < 0 || n > 5) return 0;
  while (i <= n) i++; if (i == 6) reach_error(); return 0; }";
const LOCKS: &str = "int main(void) { int p = __VERIFIER_nondet_int(), q = __VERIFIER_nondet_int(), a = 0, b = 0;
  if (p != 0) a = 1; if (q != 0) b = 1;
  if (p != 0) { if (a != 1) goto ERR; a = 0; } if (q != 0) { if (b != 1) goto ERR; b = 0; }
  return 0; ERR: reach_error(); return 0; }";
const RECURSION: &str = "int f(int n) { return n <= 0 ? 0 : f(n - 1) + 2; }
  int main(void) { if (f(7) != 14) reach_error(); int n = __VERIFIER_nondet_int(); if (f(n) == 8) reach_error(); return 0; }";
const ENDLESS: &str =
    "int main(void) { int x = 1; while (__VERIFIER_nondet_int()) { if (x == 1) x = 2; else x = 1; if (x == 3) reach_error(); } return 0; }";

#[test]
fn induction_proves_loops_that_unwinding_cannot() {
    assert_eq!(answer(COUNT_UP, "kinduction"), "true");
    assert_eq!(answer(ENDLESS, "kinduction"), "true");
    assert_eq!(answer(ENDLESS, "horn"), "true");
}

#[test]
fn errors_are_found_and_replayed() {
    for config in ["bmc", "kinduction"] {
        assert_eq!(answer(OFF_BY_ONE, config), "false", "{config}");
    }
    assert_eq!(answer(RECURSION, "bmc"), "false");
}

#[test]
fn unwinding_proves_programs_that_end() {
    assert_eq!(
        answer("int main(void) { int s = 0; for (int i = 0; i < 20; i++) s += i; if (s != 190) reach_error(); return 0; }", "bmc"),
        "true"
    );
}

#[test]
fn joins_of_unreachable_paths_stay_unreachable() {
    // What has one convex set for each location joins what would have to stay apart; it may not know, but it may not err.
    let joining = ["value", "interval", "value-interval", "octagon", "polyhedra", "bdd", "na", "cpa-na", "backward", "templates"];
    // Executions prove nothing, and there are neither nodes nor arrays here.
    let may_not_know = |name| joining.contains(&name) || ["execute", "nodes", "folds"].contains(&name);
    let answers = configs().iter().map(|c| (c.name, answer(LOCKS, c.name)));
    let wrong: Vec<_> = answers.filter(|(name, got)| *got != "true" && (*got == "false" || !may_not_know(*name))).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}

fn rejected(verdict: Verdict, p: &Program) -> bool {
    match certify(p, verdict, &budget()).0 {
        Verdict::Unknown(r) => {
            matches!(r.kind, ReasonKind::ProofRejected(_) | ReasonKind::ProofUndecided(_) | ReasonKind::TraceRejected(_))
        }
        _ => false,
    }
}

#[test]
fn a_broken_engine_that_claims_safety_is_rejected() {
    let p = program(OFF_BY_ONE);
    let methods = [Method::Inductive, Method::KInduction { k: 1 }, Method::KInduction { k: 3 }, Method::Execution];
    for method in methods.into_iter().chain([0, 1, 5, 50].map(|bound| Method::Unwinding { bound })) {
        let proof = Proof { method: method.clone(), invariants: BTreeMap::new() };
        assert!(rejected(Verdict::Safe(proof), &p), "{method:?}");
    }
}

/// One execution is a proof only of a program that has no other, and that execution must end well.
#[test]
fn one_execution_proves_programs_without_inputs_only() {
    let accepted = |text: &str| {
        let p = program(text);
        let proof = Proof { method: Method::Execution, invariants: BTreeMap::new() };
        matches!(certify(&p, Verdict::Safe(proof), &budget()).0, Verdict::Safe(_))
    };
    let header = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void); extern int unknown(void);";
    let main = |body: &str| accepted(&format!("{header} int main(void) {{ {body} return 0; }}"));
    let sum = "int s = 0; for (int i = 0; i <= 100; i++) s += i;";
    assert!(main(&format!("{sum} if (s != 5050) reach_error();")));
    assert!(!main(&format!("{sum} if (s == 5050) reach_error();")), "the error is reached");
    assert!(!main("int n = __VERIFIER_nondet_int(); if (n == 77) reach_error();"), "an input");
    assert!(!main("if (unknown() == 77) reach_error();"), "a function without a body");
    // What is not assigned may be anything where it decides something, and nothing where it does not.
    assert!(!main("int n; if (n == 77) reach_error();"), "an uninitialised variable");
    assert!(!main("int a[3]; a[0] = 1; if (a[1] == 77) reach_error();"), "an uninitialised cell");
    assert!(!main("int n, a[9]; a[3] = 1; if (a[n & 7] == 1) reach_error();"), "an uninitialised index");
    assert!(main("int n, a[3]; n = 4; a[0] = n; if (a[0] != 4) reach_error();"));
    // Which NaN an operation yields is open.
    assert!(!main("double z = 0.0; if (__builtin_signbit(z / z)) reach_error();"), "the sign of a NaN");
    assert!(!accepted(&format!("{header} int main(int argc, char **argv) {{ if (argc == 77) reach_error(); return 0; }}")), "an argument");
}

/// Every conjunct of a real proof, changed in several ways: whatever is still accepted must still be a proof, so on a program
/// with an error nothing is, and on a safe one a false invariant is not.
#[test]
fn broken_invariants_are_rejected() {
    let safe = program(COUNT_UP);
    let Some(Verdict::Safe(proof)) = verify(&safe, "kinduction", &Facts::default(), &budget(), &mut |_| ()).map(|a| a.verdict) else {
        panic!("the proof to break was not found")
    };
    assert!(!proof.invariants.is_empty());
    for point in proof.invariants.keys() {
        let mut broken = proof.clone();
        broken.invariants.insert(point.clone(), Term::ff());
        assert!(rejected(Verdict::Safe(broken), &safe), "false is no invariant");
        let n = safe.vars.iter().position(|v| v.name == "n").map(|i| safe.term(plumb_term::VarId(i as u32)));
        let mut broken = proof.clone();
        broken.invariants.insert(point.clone(), n.map_or_else(Term::ff, |n| n.less_eq(Term::int(999))));
        assert!(rejected(Verdict::Safe(broken), &safe), "n can be 1000");
    }
    let wrong = program(OFF_BY_ONE);
    assert!(rejected(Verdict::Safe(Proof { method: Method::Inductive, invariants: proof.invariants }), &wrong));
}

#[test]
fn broken_traces_are_rejected() {
    let p = program(OFF_BY_ONE);
    let Some(Verdict::Unsafe(trace)) = verify(&p, "bmc", &Facts::default(), &budget(), &mut |_| ()).map(|a| a.verdict) else {
        panic!("the error to break was not found")
    };
    assert!(rejected(Verdict::Unsafe(Trace::default()), &p), "no inputs");
    for i in 0..trace.inputs.len() {
        for v in [-1i64, 0, 4, 6, 1 << 40] {
            let mut broken = trace.clone();
            if broken.inputs[i].value != Value::Int(IBig::from(v)) {
                broken.inputs[i].value = Value::Int(IBig::from(v));
                assert!(rejected(Verdict::Unsafe(broken), &p), "input {i} = {v}");
            }
        }
    }
    let safe = program(COUNT_UP);
    assert!(rejected(Verdict::Unsafe(trace), &safe));
}

fn count(notes: &Notes, name: &str) -> u64 {
    match notes.figures.iter().find(|f| f.0 == name) {
        Some((_, Figure::Count(n))) => *n,
        other => panic!("{name}: {other:?}"),
    }
}

/// Fig. 1 of the UFO paper: the loop is unrolled once, the second head is covered by the first, and one refinement labels all.
#[test]
fn figure_1_needs_one_refinement() {
    let text = include_str!("../../../tests/corpus/ufo_figure_1.c");
    let bytes = text.as_bytes().to_vec();
    let options = Options { semantics: Semantics::default(), property: ErrorSpec::Default };
    let p = load(&[Input { name: "ufo_figure_1.c".into(), bytes }], &options).unwrap();
    let answer = verify(&p, "ufo", &Facts::default(), &budget(), &mut |_| ()).unwrap();
    assert!(matches!(answer.verdict, Verdict::Safe(_)), "{:?}", answer.verdict);
    assert_eq!((count(&answer.notes, "refinements"), count(&answer.notes, "iterations")), (1, 2));
    let graph = answer.notes.graph.unwrap();
    let error = graph.nodes.iter().position(|n| n.point.is_none()).unwrap();
    assert!(graph.nodes[error].label.is_false());
    let heads: Vec<usize> = (0..graph.nodes.len()).filter(|i| *i != error && *i != 0).collect();
    assert_eq!(heads.len(), 2, "{graph:?}");
    assert_eq!(graph.nodes[heads[1]].covered_by, [heads[0]]);
    assert_eq!(graph.edges, [(0, heads[0]), (heads[0], heads[1]), (heads[0], error), (heads[1], error)]);
}

/// Which combinations of four small variables occur: a few clauses say it, whatever the search came across on its way.
#[test]
fn clauses_over_bits_are_few() {
    let run = |text: &str| {
        let input = Input { name: "handover.c".into(), bytes: text.as_bytes().to_vec() };
        let options = Options { semantics: Semantics::default(), property: ErrorSpec::Default };
        verify(&load(&[input], &options).unwrap(), "pdr", &Facts::default(), &budget(), &mut |_| ()).unwrap()
    };
    let safe = run(include_str!("../../../tests/corpus/pdr_handover.c"));
    assert!(matches!(safe.verdict, Verdict::Safe(_)), "{:?}", safe.verdict);
    assert!(count(&safe.notes, "levels") > 2 && (1..=6).contains(&count(&safe.notes, "clauses")), "{:?}", safe.notes.figures);
    let wrong = run(include_str!("../../../tests/corpus/pdr_handover_bad.c"));
    assert!(matches!(wrong.verdict, Verdict::Unsafe(_)) && !wrong.steps.is_empty(), "{:?}", wrong.verdict);
}

#[test]
fn recursion_is_named() {
    for config in configs().iter().filter(|c| c.name.starts_with("ufo") || ["cp", "bp"].contains(&c.name)) {
        let p = program(RECURSION);
        let Verdict::Unknown(reason) = verify(&p, config.name, &Facts::default(), &budget(), &mut |_| ()).unwrap().verdict else {
            panic!("{}", config.name)
        };
        assert_eq!(reason.kind.to_string(), "the recursion of `f` is not treated", "{}", config.name);
        // The call of f in f.
        assert_eq!(reason.span.map(|s| (s.line, s.col)), Some((2, 36)), "{}", config.name);
    }
}

#[test]
fn the_strategy_follows_what_the_program_does() {
    let kind = |text: &str| rule_for(&program(text)).kind;
    assert_eq!(kind("int main(void) { int x = __VERIFIER_nondet_int(); if (x > 3 && x < 2) reach_error(); return 0; }"), "without loops");
    assert_eq!(kind(RECURSION), "recursive");
    assert_eq!(kind(COUNT_UP), "with loops");
    let indexed = |value: &str| {
        format!("int a[9]; int main(void) {{ for (int i = 0; i < 9; i++) a[i] = {value}; if (a[3] > 3) reach_error(); return 0; }}")
    };
    assert_eq!(kind(&indexed("__VERIFIER_nondet_int() & 3")), "with loops that compute addresses");
    assert_eq!(kind(&indexed("i")), "without inputs, with loops");
    // What is never called does not count.
    let unused = "void f(void) { while (1) ; } int main(void) { return 0; }";
    assert_eq!(kind(unused), "without loops");
}
