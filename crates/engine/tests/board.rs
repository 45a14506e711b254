//! The board: what one engine finds out, another one uses; and nothing gets there that does not hold.

use plumb_cfa::unwind::Orders;
use plumb_cfa::{Point, Program, Semantics};
use plumb_cfront::{load, ErrorSpec, Input, Options};
use plumb_check::{check_proof, inductive_part};
use plumb_engine::{verify, Answer};
use plumb_term::{Budget, Term, Var};
use plumb_transform::Known;
use plumb_verdict::{Facts, Verdict};
use std::collections::BTreeMap;
use std::time::Duration;

fn program(body: &str) -> Program {
    let bytes = format!("int __VERIFIER_nondet_int(void); void reach_error(void);\n{body}").into_bytes();
    let options = Options { semantics: Semantics::default(), property: ErrorSpec::Default };
    load(&[Input { name: "test.c".into(), bytes }], &options).unwrap_or_else(|e| panic!("{e}"))
}

fn budget() -> Budget {
    Budget::within(Duration::from_secs(20))
}

fn run(p: &Program, config: &str, known: &Facts) -> Answer {
    verify(p, config, known, &budget(), &mut |_| ()).expect("a configuration")
}

/// Octagons know that x = y and nothing of ^; induction knows all of ^ and does not find x = y.
const MIXED: &str = "int main(void) { int x = 0, y = 0;
  while (__VERIFIER_nondet_int()) { if (x < 1000) { x++; y++; } else { x = 0; y = 0; } }
  if ((x ^ y) & 3) reach_error(); return 0; }";

fn facts<const N: usize>(at: [(Point, Term); N]) -> Facts {
    Facts::new(BTreeMap::from(at))
}

/// The only loop head.
fn head(p: &Program) -> Point {
    let octagons = plumb_cpas::configs::invariants(plumb_cpas::configs::Config::Octagon, p, &budget());
    let orders = Orders::new(p);
    let mut heads = octagons.into_keys().filter(|at| orders.wto(at.func).headed_by(at.loc).is_some());
    heads.next().filter(|_| heads.next().is_none()).expect("one loop")
}

fn var(p: &Program, name: &str) -> Term {
    let id = p.vars.iter().position(|v| v.name == name).expect("a variable");
    Term::var(Var::new(plumb_term::VarId(id as u32), p.vars[id].ty))
}

#[test]
fn what_one_engine_learns_another_one_uses() {
    let p = program(MIXED);
    let alone = verify(&p, "kinduction", &Facts::default(), &Budget::within(Duration::from_secs(2)), &mut |_| ()).unwrap();
    assert!(matches!(alone.verdict, Verdict::Unknown(_)), "{:?}", alone.verdict);
    let octagons = run(&p, "octagon", &Facts::default());
    assert!(matches!(octagons.verdict, Verdict::Unknown(_)) && !octagons.facts.is_empty());
    let both = run(&p, "kinduction", &octagons.facts);
    let Verdict::Safe(proof) = &both.verdict else { panic!("{:?}", both.verdict) };
    assert!(check_proof(&p, proof, &budget()).is_ok());
    assert!(octagons.facts.at.iter().all(|(at, t)| t.conjuncts().iter().all(|c| proof.invariants[at].conjuncts().contains(c))));
    // What is known is not learned again.
    assert!(run(&p, "octagon", &octagons.facts).facts.is_empty());
}

/// DAGGER explores to a fixpoint between refinements. It finds that y = 2x, though not that z stays odd.
#[test]
fn explorations_that_reach_errors_show_something() {
    let p = program(
        "int main(void) { int x = 0, y = 0; unsigned z = 1;
           while (__VERIFIER_nondet_int()) { z = z * 3; if (x < 1000) { x++; y += 2; } else { x = 0; y = 0; } }
           if (((x ^ (y - x)) & 3) || !(z & 1)) reach_error(); return 0; }",
    );
    let short = Budget::within(Duration::from_secs(4));
    let dagger = verify(&p, "dagger", &Facts::default(), &short, &mut |_| ()).unwrap();
    assert!(matches!(dagger.verdict, Verdict::Unknown(_)), "{:?}", dagger.verdict);
    let linear = var(&p, "x").add(var(&p, "x")).equals(var(&p, "y"));
    assert!(dagger.facts.at.values().any(|t| t.conjuncts().contains(&linear)), "{:?}", dagger.facts);
}

#[test]
fn only_what_holds_gets_on_the_board() {
    let p = program(MIXED);
    let (at, x, y) = (head(&p), var(&p, "x"), var(&p, "y"));
    let (equal, low) = (x.equals(y), x.less_eq(Term::int(1000)));
    let nonsense = [x.less_eq(Term::int(500)), y.less(x), x.less_eq(Term::int(999)), y.equals(Term::int(0))];
    let believed = Term::all(nonsense.into_iter().chain([equal, low]));
    let kept = inductive_part(&p, &facts([(at.clone(), believed)]), &budget());
    assert_eq!(kept, facts([(at.clone(), equal.and(low))]));
    // Each of these holds only with the other.
    let pair = x.less_eq(y).and(y.less_eq(x));
    assert_eq!(inductive_part(&p, &facts([(at.clone(), pair)]), &budget()), facts([(at.clone(), pair)]));
    let stranger = Term::var(Var::new(plumb_term::VarId(p.vars.len() as u32), p.vars[0].ty)).less_eq(Term::int(0));
    assert!(inductive_part(&p, &facts([(at, stranger)]), &budget()).is_empty());
}

/// A false fact would make an error unreachable: the proof that comes of it is rejected, as it says what does not hold.
#[test]
fn a_false_fact_proves_nothing() {
    let p = program("int main(void) { int i = 0; while (i < 10) i++; if (i == 10) reach_error(); return 0; }");
    let at = head(&p);
    let lie = facts([(at.clone(), var(&p, "i").less_eq(Term::int(5)))]);
    for config in ["kinduction", "horn", "bmc", "cp", "bdd", "dagger", "octagon", "value-sep"] {
        let answer = run(&p, config, &lie);
        assert!(!matches!(answer.verdict, Verdict::Safe(_)), "{config}");
        let lies = |t: &Term| t.conjuncts().contains(&lie.at[&at]);
        assert!(!answer.facts.at.values().any(lies), "{config}: {:?}", answer.facts);
        assert_eq!(inductive_part(&p, &answer.facts, &budget()).at, answer.facts.at, "{config}");
    }
}

/// Under two calls one loop has two invariants; what holds under both is assumed, and nothing if one is not known.
#[test]
fn a_location_under_several_calls() {
    let p = program(
        "int f(int n) { int i = 0; while (i < n) i++; return i; }
         int main(void) { if (f(3) > 3) reach_error(); if (f(5) > 5) reach_error(); return 0; }",
    );
    let facts = run(&p, "octagon", &Facts::default()).facts;
    let all = if facts.is_empty() { octagon_invariants(&p) } else { facts };
    assert_eq!(all.at.len(), 2, "{all:?}");
    assert!(Known(&all).apply(&p).is_some());
    let one = Facts::new(all.at.into_iter().take(1).collect());
    assert!(Known(&one).apply(&p).is_none());
}

fn octagon_invariants(p: &Program) -> Facts {
    let found = plumb_cpas::configs::invariants(plumb_cpas::configs::Config::Octagon, p, &budget());
    inductive_part(p, &Facts::new(found), &budget())
}

/// What unrolling has passed without an error, it does not ask about again; and a lie about it costs the answer at most.
#[test]
fn unrolling_goes_on_where_it_was() {
    let p = program("int main(void) { int i = 0; while (__VERIFIER_nondet_int()) { i++; if (i == 9) reach_error(); } return 0; }");
    let far = Facts { free: 6, ..Facts::default() };
    assert!(matches!(run(&p, "bmc", &far).verdict, Verdict::Unsafe(_)));
    let hard = program("int main(void) { unsigned i = 0, s = 1; while (__VERIFIER_nondet_int()) { i++; s = s * s + i; if (s == 12345 && i > 9999) reach_error(); } return 0; }");
    let short = Budget::within(Duration::from_secs(1));
    let facts = verify(&hard, "bmc", &far, &short, &mut |_| ()).unwrap().facts;
    assert!(facts.free > 6 && facts.at.is_empty(), "{facts:?}");
    let ends = program("int main(void) { int i = 0; while (i < 5) { i++; if (i == 3) reach_error(); } return 0; }");
    let lie = Facts { free: 100, ..Facts::default() };
    assert!(!matches!(run(&ends, "bmc", &lie).verdict, Verdict::Safe(_)));
}
