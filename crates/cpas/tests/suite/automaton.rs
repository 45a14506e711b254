//! Observer automata: Examples 10 and 12 of the chapter, the soundness condition, and what users get wrong.

use crate::support::{load, var};
use crate::verify::{answer, Answer};
use plumb_cfa::Program;
use plumb_cpa::{Cpa, Exploration, Flow, Order, Outcome, Product};
use plumb_cpas::automaton::spec::compile;
use plumb_cpas::automaton::{observe, weave, Automaton, Observer};
use plumb_cpas::configs::Config;
use plumb_cpas::predicate::{Blocks, PredicateAnalysis, Predicates, Shape};
use plumb_cpas::{Callstack, Intervals, Location, Tracked, Values};
use plumb_term::{Budget, Term};

/// Whether a composite of the observer with another analysis reaches the observer's error state.
fn rejects<C: Cpa>(program: &Program, automaton: &Automaton, data: C, prec: C::Prec, strengthening: bool) -> bool {
    let flow = Flow::forward(program);
    let control = Product::new(Location::from_entry(&flow), Callstack::new(&flow));
    let data = Product::new(Observer::new(&flow, automaton), data);
    let cpa = Product::new(control, if strengthening { data } else { data.direct() });
    let prec = (((), ()), ((), prec));
    let mut run = Exploration::new(&flow, &cpa, &prec, Order::WeakTopological);
    assert_eq!(run.run(&Budget::unlimited()), Outcome::Complete);
    run.targets().iter().any(|n| cpa.second.first.is_target(&run.arg().state(*n).1 .0))
}

const VALIDATE: &str = "
# Fig. 4: every input is validated before it is consumed.
automaton validate_before_use
state init
    call scanf -> check
state check
    call validate -> init
    call consume -> error
";

fn reads_and(body: &str) -> Program {
    load(&format!(
        "extern int scanf(const char *, ...); extern int validate(int); void consume(int a) {{ }}
        int main(void) {{ int v; scanf(\"%d\", &v); {body} return 0; }}"
    ))
}

#[test]
fn example_10_inputs_are_validated_before_they_are_consumed() {
    for (body, bad) in [
        ("if (validate(v)) consume(v);", false),
        ("consume(v);", true),
        ("if (v > 3) validate(v); consume(v);", true),
        ("validate(v); consume(v); consume(v); scanf(\"%d\", &v);", false),
        ("validate(v); scanf(\"%d\", &v); consume(v);", true),
    ] {
        let program = reads_and(body);
        let automata = compile(VALIDATE, &program).unwrap();
        assert_eq!(rejects(&program, &automata[0], Values::new(&program), Tracked::All, true), bad, "{body}");
    }
}

const PRECONDITION: &str = "
# Fig. 6
automaton precondition
state init
    call foo split foo::x > 0 && foo::y < 0 -> init, error
";

fn calls_foo(how: &str) -> Program {
    load(&format!(
        "extern int __VERIFIER_nondet_int(void); int foo(int x, int y) {{ return x + y; }}
        int main(void) {{ int n = __VERIFIER_nondet_int(); {how} return 0; }}"
    ))
}

#[test]
fn example_12_the_precondition_holds_at_each_call() {
    for (how, bad) in [
        ("foo(1, -1);", false),
        ("foo(0, -1);", true),
        ("if (n > 0) foo(n, -n - 1 < 0 ? -2 : -3);", false),
        ("foo(n, -1);", true),
        ("if (n > 5 && n < 10) foo(n, n - 20);", false),
        ("if (n > 5 && n < 10) foo(n, n - 8);", true),
    ] {
        let program = calls_foo(how);
        let automaton = &compile(PRECONDITION, &program).unwrap()[0];
        assert_eq!(rejects(&program, automaton, Intervals::new(&program), (), true), bad, "{how}");
    }
}

/// Section 5.4: the predicate analysis decides which transition of the observer is taken.
#[test]
fn section_5_4_predicates_and_observers() {
    let analyse = |how: &str, strengthening: bool| {
        let program = calls_foo(how);
        let automaton = &compile(PRECONDITION, &program).unwrap()[0];
        let v = |name: &str| program.term(var(&program, name));
        let pi = [v("n").greater(Term::int(0)), v("x").greater(Term::int(0)), v("y").less(Term::int(0))];
        let prec = Predicates { everywhere: pi.into(), ..Predicates::default() };
        let predicates = PredicateAnalysis::new(&program, Blocks::Edges, Shape::Cartesian, &Budget::unlimited()).unwrap();
        rejects(&program, automaton, predicates, prec, strengthening)
    };
    assert!(!analyse("if (n > 0) foo(n, -1);", true));
    assert!(analyse("if (n > 0) foo(n, -1);", false), "without strengthening both transitions are taken");
    assert!(analyse("foo(n, -1);", true));
}

#[test]
fn assignments_labels_and_returns() {
    let program = load(
        "extern int __VERIFIER_nondet_int(void); int state; void work(void) { }
        int main(void) { state = 1; work(); state = 2; goto done; done: work(); return 0; }",
    );
    let text = "automaton a
state start:
    assign state if state == 2 -> two
    assign state if state != 2 -> start
state two:
    label done -> end
state end:
    return work -> error";
    let automaton = &compile(text, &program).unwrap()[0];
    assert!(rejects(&program, automaton, Values::new(&program), Tracked::All, true));
    let other = text.replace("return work", "return main2");
    assert!(!rejects(&program, &compile(&other, &program).unwrap()[0], Values::new(&program), Tracked::All, true));
}

#[test]
fn an_observer_that_keeps_executions_out_is_rejected() {
    let program = calls_foo("foo(n, 2);");
    let text = "automaton a\nstate s\n    call foo if foo::x > 0 -> error\n";
    let error = compile(text, &program).unwrap_err();
    assert_eq!(error.line, 3);
    assert!(error.sentence.contains("do not cover all cases"), "{error}");
    let whole = format!("{text}    call foo if foo::x <= 0 -> s\n");
    assert_eq!(compile(&whole, &program).unwrap()[0].transitions.len(), 2);
}

#[test]
fn mistakes_are_named_with_their_line() {
    let program = calls_foo("foo(n, 2);");
    for (text, line, part) in [
        ("state s", 1, "outside of an automaton"),
        ("automaton a\ncall f -> s", 2, "outside of a state"),
        ("automaton a", 1, "has no state"),
        ("automaton a\nstate s\n call f", 3, "`-> STATE`"),
        ("automaton a\nstate s\n call f -> t", 3, "no state `t`"),
        ("automaton a\nstate error", 2, "`error`"),
        ("automaton a\nstate s\n jump f -> s", 3, "`jump`"),
        ("automaton a\nstate s\n assign nothing -> s", 3, "no variable `nothing`"),
        ("automaton a\nstate s\n call f split x > -> s, s", 3, "ends too early"),
        ("automaton a\nstate s\n call f split (x > 0 -> s, s", 3, "`)`"),
        ("automaton a\nstate s\n call f if x $ 0 -> s", 3, "`$`"),
        ("automaton a\nstate s\n call f if (x > 0) + 1 == 2 -> s", 3, "an integer is expected"),
        ("automaton a b\nstate s", 1, "no name"),
    ] {
        let error = compile(text, &program).unwrap_err();
        assert!(error.line == line && error.sentence.contains(part), "{text:?}: {error}");
    }
    let deep = format!("automaton a\nstate s\n call f if {}x -> s", "!".repeat(100_000));
    assert!(compile(&deep, &program).unwrap_err().sentence.contains("too deeply"));
}

/// What cannot be observed is not proved.
#[test]
fn automata_that_cannot_be_woven_are_refused() {
    let program = load(
        "extern void lock(void); extern void *malloc(unsigned long); extern int __VERIFIER_nondet_int(void); void foo(int x) { }
        int main(void) { lock(); lock(); foo(__VERIFIER_nondet_int()); return malloc(4) != 0; }",
    );
    let woven = |transitions: &str, text: &str| {
        let spec = format!("automaton a\nstate s\n{transitions}\n");
        let automaton = compile(&spec, &program).unwrap().remove(0);
        weave(&program, &automaton, &|w| text.contains(w)).map(|_| ())
    };
    for (transitions, part) in [
        (" call lock -> error", "calls of `lock`"),
        (" call malloc -> error", "calls of `malloc`"),
        (" return lock -> error", "returns from `lock`"),
        (" label out -> error", "the label `out`"),
        (" call foo if foo::x > 0 -> s\n call foo if foo::x < 5 -> error", "two ways"),
        (" call foo -> s\n assign foo::x -> error", "two ways"),
    ] {
        let error = woven(transitions, "lock malloc out").unwrap_err();
        assert!(error.contains(part), "{transitions}: {error}");
    }
    assert_eq!(woven(" call lock -> error", "nothing of that"), Ok(()));
    assert_eq!(woven(" call foo split foo::x > 0 -> s, error", ""), Ok(()));
}

/// The examples of `docs/observer-automata.md`: every program gets the answer that stands in its first line.
#[test]
fn the_examples_of_the_page() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/observer-automata.md");
    let page = std::fs::read_to_string(path).unwrap();
    let (mut spec, mut programs) = ("", 0);
    for block in page.split("\n```").skip(1).step_by(2) {
        let (kind, text) = block.split_once('\n').unwrap();
        match kind {
            "spec" => spec = text,
            "c" => {
                let program = load(text);
                let automata = compile(spec, &program).unwrap_or_else(|e| panic!("{e}\n{spec}"));
                let seen = observe(&program, &automata, &["value", "interval"], &Budget::unlimited()).unwrap();
                let holds = text.starts_with("// is not violated");
                assert!(holds || text.starts_with("// may be violated"));
                assert_eq!(seen[0].violations.is_empty(), holds, "{spec}{text}");
                // The verdict is certified for the program that observes itself.
                let woven = weave(&program, &automata[0], &|_| false).unwrap_or_else(|e| panic!("{e}\n{spec}"));
                assert_eq!(answer(Config::PredicateLoops, &woven, 20), if holds { Answer::True } else { Answer::False }, "{spec}{text}");
                programs += 1;
            }
            _ => {}
        }
    }
    assert_eq!(programs, 10);
}
