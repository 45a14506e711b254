//! Verification with analyses: every claim is checked by `plumb-check`, every verdict agrees with the truth of the corpus.

use crate::support::{corpus, load};
use plumb_cfa::Program;
use plumb_check::{check_proof, replay};
use plumb_cpas::configs::{run, Config};
use plumb_term::Budget;
use plumb_verdict::Verdict;
use std::time::Duration;

#[derive(PartialEq, Eq, Clone, Copy, Debug)]
pub(crate) enum Answer {
    True,
    False,
    Unknown,
}

/// The certified answer of a configuration.
pub(crate) fn answer(config: Config, program: &Program, seconds: u64) -> Answer {
    let budget = Budget::within(Duration::from_secs(seconds));
    let accept = |p: &plumb_verdict::Proof, b: &Budget| check_proof(program, p, b).is_ok();
    match run(config, program, &budget, &mut |_| {}, &accept) {
        Verdict::Safe(proof) => match check_proof(program, &proof, &budget) {
            Ok(()) => Answer::True,
            Err(r) if r.undecided => Answer::Unknown,
            Err(r) => panic!("{config:?}: a proof is rejected: {r}"),
        },
        Verdict::Unsafe(trace) => match replay(program, &trace, &budget) {
            Ok(_) => Answer::False,
            Err(r) if r.undecided => Answer::Unknown,
            Err(r) => panic!("{config:?}: a trace is rejected: {r}"),
        },
        Verdict::Unknown(_) => Answer::Unknown,
    }
}

const FIGURE_1: &str = "
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int foo(int y) { int x = 0; int z = 0; if (y == 1) { x = 1; } else { z = 1; } if (x - z == 0) reach_error(); return 10 / (x - z); }
int main(void) { return foo(__VERIFIER_nondet_int()); }";

#[test]
fn figure_1_is_proved_with_merge_sep_and_not_with_merge_join() {
    let program = load(FIGURE_1);
    assert_eq!(answer(Config::Value, &program, 10), Answer::Unknown);
    assert_eq!(answer(Config::ValueSep, &program, 10), Answer::True);
    assert_eq!(answer(Config::Interval, &program, 10), Answer::Unknown);
    assert_eq!(answer(Config::PredicateEdges, &program, 20), Answer::True);
    assert_eq!(answer(Config::PredicateLoops, &program, 20), Answer::True);
}

const FIGURE_5: &str = "
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int foo(int y) { int x = 1; int z = 1; if (y < 1) { return 0; } if (y > 1) { x = 5; } else { z = 5 * x * y; } if (x - z == 0) reach_error(); return 10 / (x - z); }
int main(void) { return foo(__VERIFIER_nondet_int()); }";

/// Example 11, from no predicates on: refinement finds those that strengthen the constants; in linear arithmetic no predicates do without.
#[test]
fn figure_5_is_proved_with_strengthening_and_by_none_of_the_weaker_combinations() {
    let program = load(FIGURE_5);
    for weaker in [Config::PredicateEdges, Config::Value, Config::ValueSep, Config::PredicateValueDirect] {
        assert_eq!(answer(weaker, &program, 20), Answer::Unknown, "{weaker:?}");
    }
    assert_eq!(answer(Config::PredicateValue, &program, 20), Answer::True);
}

/// The reduced product: the bound comes from intervals, the relation of lock and versions from predicates.
#[test]
fn the_reduced_product_proves_what_its_parts_do_not() {
    let program = load(
        "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
        int main(void) { int lock = 0, old = 0, new = __VERIFIER_nondet_int(), a = 0;
          do { if (lock != 0) reach_error(); lock = 1; old = new; if (a < 100) a++; else a = 0;
            if (__VERIFIER_nondet_int()) { lock = 0; new = new + 1; } } while (new != old);
          if (lock == 0 || a * a * a > 1000000) reach_error(); return 0; }",
    );
    assert_eq!(answer(Config::ValueInterval, &program, 10), Answer::Unknown);
    assert_eq!(answer(Config::PredicateLoops, &program, 2), Answer::Unknown);
    assert_eq!(answer(Config::PredicateValueInterval, &program, 20), Answer::True);
}

/// Predicates from interpolants: locks, counters that stay together, a bug that is deep.
#[test]
fn predicates_are_found_by_interpolation() {
    let locks = load(
        "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
        int main(void) { int lock, old, new; lock = 0; new = __VERIFIER_nondet_int(); do {
            if (lock != 0) reach_error(); lock = 1; old = new; if (__VERIFIER_nondet_int()) { lock = 0; new = new + 1; } } while (new != old);
            if (lock == 0) reach_error(); return 0; }",
    );
    let bug = load(
        "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
        int main(void) { int n = __VERIFIER_nondet_int(), i = 0; while (i < 3) i++; if (n == 77 && i == 3) reach_error(); return 0; }",
    );
    for config in [Config::PredicateEdges, Config::PredicateLoops] {
        assert_eq!(answer(config, &locks, 60), Answer::True, "{config:?}");
        assert_eq!(answer(config, &bug, 60), Answer::False, "{config:?}");
    }
    assert_eq!(answer(Config::ValueSep, &locks, 5), Answer::Unknown, "the versions are not constant");
}

/// Each analysis has a program that it proves and weaker ones do not.
#[test]
fn each_analysis_has_its_programs() {
    let constant = load(
        "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
        int main(void) { int x = 3; while (__VERIFIER_nondet_int()) { if (x != 3) reach_error(); } return 0; }",
    );
    assert_eq!(answer(Config::Value, &constant, 10), Answer::True);
    let bounded = load(
        "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
        int main(void) { int i = 0; while (__VERIFIER_nondet_int()) { if (i < 1000000) i++; } if (i > 1000000) reach_error(); return 0; }",
    );
    assert_eq!(answer(Config::Value, &bounded, 10), Answer::Unknown);
    assert_eq!(answer(Config::Interval, &bounded, 10), Answer::True);
    let related = load(
        "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
        int main(void) { int i = 0, j = 0; while (i < 1000000 && __VERIFIER_nondet_int()) { i++; j++; } if (i != j) reach_error(); return 0; }",
    );
    assert_eq!(answer(Config::Interval, &related, 10), Answer::Unknown);
    assert_eq!(answer(Config::Octagon, &related, 20), Answer::True);
    assert_eq!(answer(Config::Polyhedra, &related, 20), Answer::True);
    let states = load(
        "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
        int main(void) { int s = 0, t = 0; while (1) {
            if (s == 0) { s = 2; t = 7; } else if (s == 2) { if (t != 7) reach_error(); s = 5; t = 1; } else { if (t != 1) reach_error(); s = 0; }
            if (__VERIFIER_nondet_int()) return 0; } }",
    );
    assert_eq!(answer(Config::ValueSep, &states, 10), Answer::True);
    assert_eq!(answer(Config::Interval, &states, 10), Answer::Unknown);
}

/// The branch that is explored first is taken by no execution that reaches the error; the states of both are merged.
#[test]
fn the_error_is_found_by_another_path_through_merged_states() {
    let program = load(
        "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
        int main(void) { int a = __VERIFIER_nondet_int(), x = 0, y = 0, z = 0;
            if (a > 0) x = 1; else x = 2; if (a > 10) y = 1; else y = 2; if (a == 5) z = 1; else z = 2;
            if (x == 1 && y == 2 && z == 1) reach_error(); return 0; }",
    );
    for config in [Config::Interval, Config::Value, Config::PredicateLoops, Config::Octagon] {
        assert_eq!(answer(config, &program, 20), Answer::False, "{config:?}");
    }
}

/// Refinement follows what matters and nothing else: the other counter would never end.
#[test]
fn refinement_finds_the_variables_that_matter() {
    let program = load(
        "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
        int main(void) { int lock = 0; unsigned n = 0; while (__VERIFIER_nondet_int()) { n++;
            if (lock != 0) reach_error(); lock = 1; if (__VERIFIER_nondet_int()) n = n + 2; lock = 0; } return n; }",
    );
    assert_eq!(answer(Config::ValueSep, &program, 10), Answer::True);
    let deep = load(
        "extern void reach_error(void);
        int main(void) { int i = 0; while (i < 40) { i = i + 1; } if (i == 40) reach_error(); return 0; }",
    );
    assert_eq!(answer(Config::ValueSep, &deep, 20), Answer::False);
}

#[test]
fn no_verdict_is_against_the_truth() {
    let dir = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus");
    let (mut proved, mut refuted) = (0, 0);
    for (i, (name, program)) in corpus().into_iter().enumerate() {
        let text = std::fs::read_to_string(dir.join(format!("{name}.c"))).unwrap();
        let line = text.lines().next().unwrap();
        if line.contains("options=") {
            continue;
        }
        // Shown where a claim is rejected.
        println!("{name}");
        let truth = if line.contains("truth=true") { Answer::True } else { Answer::False };
        let predicates = if i % 2 == 0 { Config::PredicateLoops } else { Config::PredicateEdges };
        for config in
            [Config::Value, Config::ValueSep, Config::ValueInterval].into_iter().chain([predicates].into_iter().filter(|_| i % 3 == 0))
        {
            let got = answer(config, &program, 1);
            assert!(got == Answer::Unknown || got == truth, "{name}, {config:?}: {got:?}");
            proved += usize::from(got == Answer::True);
            refuted += usize::from(got == Answer::False);
        }
    }
    assert!(proved > 50 && refuted > 70, "{proved} proofs, {refuted} traces");
}
