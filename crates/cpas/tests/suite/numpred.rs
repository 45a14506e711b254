//! Predicate and numeric abstraction together: the programs of the paper's figures; every claim is checked by `plumb-check`.

use crate::support::load;
use crate::verify::Answer;
use plumb_cfa::Program;
use plumb_check::{check_proof, replay};
use plumb_cpas::numpred::{run, Structure};
use plumb_term::Budget;
use plumb_verdict::{Figure, Notes, Verdict};
use std::time::Duration;

fn answer(structure: Structure, program: &Program) -> Answer {
    noted(structure, program).0
}

/// The answer, with how many numbers and predicates it took.
fn noted(structure: Structure, program: &Program) -> (Answer, [Option<u64>; 2]) {
    let mut notes = Notes::default();
    let answer = answer_with(structure, program, &mut notes);
    let count = |name: &str| {
        let figure = notes.figures.iter().find(|f| f.0 == name)?;
        if let Figure::Count(n) = figure.1 {
            Some(n)
        } else {
            None
        }
    };
    (answer, ["numeric variables", "predicates"].map(count))
}

fn answer_with(structure: Structure, program: &Program, notes: &mut Notes) -> Answer {
    let budget = Budget::within(Duration::from_secs(30));
    let accept = |p: &plumb_verdict::Proof, b: &Budget| check_proof(program, p, b).is_ok();
    match run(structure, program, &budget, &mut |_| {}, &accept, notes) {
        Verdict::Safe(proof) => match check_proof(program, &proof, &budget) {
            Ok(()) => Answer::True,
            Err(r) => panic!("{structure:?}: a proof is rejected: {r}"),
        },
        Verdict::Unsafe(trace) => match replay(program, &trace, &budget) {
            Ok(_) => Answer::False,
            Err(r) => panic!("{structure:?}: a trace is rejected: {r}"),
        },
        Verdict::Unknown(_) => Answer::Unknown,
    }
}

const ALL: [Structure; 6] =
    [Structure::Numbers, Structure::Predicates, Structure::NexPoint, Structure::Nex, Structure::Mtndd, Structure::Ndd];

fn answers(text: &str) -> [Answer; 6] {
    let program = load(text);
    ALL.map(|s| answer(s, &program))
}

const DECLARED: &str = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n";

#[test]
fn figure_1b_corrected_is_proved_by_numbers_alone() {
    let text = "int main(void) {
      int y1 = __VERIFIER_nondet_int(), y2 = __VERIFIER_nondet_int(), x1 = 0, x2 = 0;
      if (3 <= y1 && y1 <= 4) { x1 = y1 - 2; x2 = y1 + 2; }
      else if (3 <= y2 && y2 <= 4) { x1 = y2 - 2; x2 = y2 + 2; }
      else return 0;
      if (!(5 <= x1 + x2 && x1 + x2 <= 10)) reach_error();
      return 0; }";
    assert_eq!(answers(&format!("{DECLARED}{text}")), [Answer::True; 6]);
}

#[test]
fn figure_1a_needs_predicates() {
    let text = "int main(void) {
      int i = __VERIFIER_nondet_int(), a1 = 0, a2 = 0;
      if (i != 1 && i != 2) return 0;
      switch (i) { case 1: a1 = 3; break; case 2: a2 = -4; break; }
      switch (i) { case 1: if (!(a1 > 0)) reach_error(); break; case 2: if (!(a2 < 0)) reach_error(); break; default: reach_error(); }
      return 0; }";
    let [numbers, others @ ..] = answers(&format!("{DECLARED}{text}"));
    assert_eq!((numbers, others), (Answer::Unknown, [Answer::True; 5]));
}

/// Section VI: refinement follows numbers first, and predicates only where these fail to exclude the path.
#[test]
fn numbers_come_first() {
    let enough = "int main(void) {
      int n = 0, k = __VERIFIER_nondet_int();
      while (__VERIFIER_nondet_int()) { if (n < 100) n++; }
      if (k > 0) n = n + 5;
      if (n < 0 || n > 105) reach_error();
      return 0; }";
    let (answer, [numbers, predicates]) = noted(Structure::Nex, &load(&format!("{DECLARED}{enough}")));
    assert_eq!((answer, predicates), (Answer::True, Some(0)));
    assert!(numbers >= Some(1), "{numbers:?}");
    let not_enough = "int main(void) {
      int k = __VERIFIER_nondet_int(), n = 0;
      while (__VERIFIER_nondet_int()) { if (k == 7) n = 1; else n = 2; }
      if (k == 7 && n == 2) reach_error();
      return 0; }";
    let (answer, [numbers, predicates]) = noted(Structure::Nex, &load(&format!("{DECLARED}{not_enough}")));
    assert_eq!(answer, Answer::True);
    assert!(numbers >= Some(1) && predicates >= Some(1), "{numbers:?} {predicates:?}");
}

/// Predicates over pointers, over cells behind them, over products and over bits, each beside a number that depends on them.
#[test]
fn predicates_speak_of_what_numbers_cannot() {
    let programs = [
        "int main(void) {
          int x = 0, y = 0, z = 0, n = 0, *p = &z;
          if (__VERIFIER_nondet_int()) p = &x; else if (__VERIFIER_nondet_int()) p = &y;
          while (__VERIFIER_nondet_int()) { if (p == &y && n < 5) { n++; *p = n; } }
          if (x != 0 || y < 0 || y > 5) reach_error();
          return 0; }",
        "int main(void) {
          int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(), n = 0;
          if (x < 0 || x > 100 || y < 0 || y > 100) return 0;
          int z = x * y;
          while (__VERIFIER_nondet_int()) { if (z != x * y) n = -1; else if (n < 9) n++; }
          if (n < 0) reach_error();
          return 0; }",
        "int main(void) {
          unsigned x = __VERIFIER_nondet_int(); int n = 0;
          if (x & 1) return 0;
          while (__VERIFIER_nondet_int()) { if (x & 1) n = -1; else if (n < 9) n++; x += 2; }
          if (n < 0) reach_error();
          return 0; }",
    ];
    for text in programs {
        let program = load(&format!("{DECLARED}{text}"));
        assert_eq!(answer(Structure::Numbers, &program), Answer::Unknown, "{text}");
        for s in [Structure::Nex, Structure::Mtndd, Structure::Ndd] {
            assert_eq!(answer(s, &program), Answer::True, "{s:?} {text}");
        }
    }
}

#[test]
fn figure_1b_as_printed_is_refuted() {
    let text = "int main(void) {
      int y1 = __VERIFIER_nondet_int(), y2 = __VERIFIER_nondet_int(), x1 = __VERIFIER_nondet_int(), x2 = __VERIFIER_nondet_int();
      if (3 <= y1 && y1 <= 4) { x1 = y1 - 2; x2 = y2 + 2; }
      else if (3 <= y2 && y2 <= 4) { x1 = y2 - 2; x2 = y2 + 2; }
      if (!(5 <= x1 + x2 && x1 + x2 <= 10)) reach_error();
      return 0; }";
    assert_eq!(answers(&format!("{DECLARED}{text}")), [Answer::False; 6]);
}

/// Fig. 8(a): widening stops at the loop's bound; no structure counts.
#[test]
fn figure_8a_does_not_depend_on_the_bound() {
    let text = "int main(void) { int x = 0; while (x < 10000) ++x; if (x != 10000) reach_error(); return 0; }";
    let program = load(&format!("{DECLARED}{text}"));
    for s in [Structure::Numbers, Structure::NexPoint, Structure::Nex, Structure::Mtndd, Structure::Ndd] {
        assert_eq!(answer(s, &program), Answer::True, "{s:?}");
    }
}

/// Fig. 8(b): every branch of the cascade ends a block, so that the domain has to tell them apart.
#[test]
fn figure_8b_is_proved_from_join_to_join() {
    let cascade = |then: &str| (0..=8).map(|i| format!("if (x{i} < 0) {{ {then} }} ")).collect::<Vec<_>>().join("else ");
    let declared: String = (0..=8).map(|i| format!("int x{i} = __VERIFIER_nondet_int(); ")).collect();
    let text =
        format!("int main(void) {{ {declared} int n = 1; {} {} return 0; }}", cascade("n = 0;"), cascade("if (n != 0) reach_error();"));
    let program = load(&format!("{DECLARED}{text}"));
    for s in [Structure::Nex, Structure::Mtndd, Structure::Ndd] {
        let (answer, [numbers, predicates]) = noted(s, &program);
        assert_eq!(answer, Answer::True, "{s:?}");
        assert!(numbers.max(predicates) >= Some(1), "{s:?} decides");
    }
}

/// The state before the last round decides about the error: no path through one round tells.
#[test]
fn a_machine_of_several_rounds_is_followed() {
    let text = "int main(void) {
      int state = 10, seen = 0;
      while (1) {
        int x = __VERIFIER_nondet_int();
        if (state == 10) { state = x > 0 ? 20 : 30; seen = 1; }
        else if (state == 20) { state = 40; if (seen == 1) seen = 2; }
        else if (state == 30) { state = 10; seen = 0; }
        else if (state == 40) { if (seen == 2) seen = 3; state = 50; }
        else if (state == 50) { if (seen != 3) reach_error(); return 0; }
      } }";
    let program = load(&format!("{DECLARED}{text}"));
    for s in [Structure::Predicates, Structure::Nex, Structure::Ndd] {
        assert_eq!(answer(s, &program), Answer::True, "{s:?}");
    }
}

#[test]
fn figure_2a_needs_both() {
    let text = "int A[200];
    int main(void) {
      int x1 = __VERIFIER_nondet_int(), x2 = x1, y1 = __VERIFIER_nondet_int(), y2 = __VERIFIER_nondet_int();
      for (int i = 0; i < 200; i++) A[i] = __VERIFIER_nondet_int();
      if (x1 < 0 || x1 > 90 || y1 < 2 || y1 > 90 || y2 < 0 || y2 > 90) return 0;
      if (A[y1 + y2] == 3) { x1 = y1 - 2; x2 = y2 + 2; }
      else A[x1 + x2] = 5;
      if (A[x1 + x2] == 3) { x1 = x1 + x2; x2 = x2 + y1 - 2; }
      if (x1 != x2) reach_error();
      return 0; }";
    let program = load(&format!("{DECLARED}{text}"));
    assert_eq!(answer(Structure::Numbers, &program), Answer::Unknown);
    for s in [Structure::Nex, Structure::Mtndd, Structure::Ndd] {
        assert_eq!(answer(s, &program), Answer::True, "{s:?}");
    }
}
