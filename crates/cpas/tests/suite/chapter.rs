//! The examples and figures of "Combining Model Checking and Data-Flow Analysis" that state a result, with exactly that result.

use crate::support::{before_line, load, states_at, var};
use plumb_cfa::Program;
use plumb_cpa::{classic, Cpa, Exploration, Flow, Merge, Order, Outcome, Place, Product, Separate};
use plumb_cpas::predicate::{Blocks, PredicateAnalysis, Predicates, Shape};
use plumb_cpas::value::Valuation;
use plumb_cpas::{Location, ReachingDefinitions, Tracked, Values};
use plumb_term::{Budget, Term};

/// Fig. 1, with the division by zero as the error; lines as in the chapter.
const FIGURE_1: &str = "\
extern int __VERIFIER_nondet_int(void); extern void reach_error(void); int foo(int y) {
int x = 0;
int z = 0;
if (y == 1) {
    x = 1;
} else {
    z = 1;
}
if (x - z == 0) reach_error(); return 10 / (x - z);
}
int main(void) { return foo(__VERIFIER_nondet_int()); }
";

/// The constants of some variables; none is ⊤.
fn constants(program: &Program, e: &Valuation, names: &[&str]) -> Vec<Option<i128>> {
    names.iter().map(|n| e.var(var(program, n)).and_then(Term::as_i128)).collect()
}

/// The two entries that Examples 4 and 5 share.
fn agree_before_line_9(program: &Program, at: &dyn Fn(u32) -> Vec<Vec<Option<i128>>>) {
    let _ = program;
    assert_eq!(at(2), [[None, None, None]]);
    assert_eq!(at(3), [[Some(0), None, None]]);
    assert_eq!(at(4), [[Some(0), None, Some(0)]]);
    assert_eq!(at(5), [[Some(0), Some(1), Some(0)]]);
    assert_eq!(at(7), [[Some(0), None, Some(0)]]);
}

#[test]
fn examples_4_and_6_data_flow_analysis_does_not_prove_figure_1() {
    let program = load(FIGURE_1);
    let flow = Flow::forward(&program);
    let line = |n: u32| before_line(&program, "foo", n);
    let reached = classic::dfa(&flow, &Values::new(&program), &Budget::unlimited()).unwrap();
    let at = |n: u32| vec![constants(&program, &reached[&line(n)], &["x", "y", "z"])];
    agree_before_line_9(&program, &at);
    assert_eq!(at(9), [[None, None, None]]);

    // The same by Algorithm 2: the error is reached.
    let cpa = Product::new(Location::from_entry(&flow), Values::new(&program));
    let prec = ((), Tracked::All);
    let mut run = Exploration::new(&flow, &cpa, &prec, Order::Bfs);
    assert_eq!(run.run(&Budget::unlimited()), Outcome::Complete);
    let states = |n: u32| states_at(&cpa, run.arg(), line(n)).iter().map(|e| constants(&program, &e.1, &["x", "y", "z"])).collect();
    agree_before_line_9(&program, &states);
    assert_eq!(states(9), [[None, None, None]]);
    assert!(!run.targets().is_empty());
}

#[test]
fn examples_5_and_7_model_checking_proves_figure_1() {
    let program = load(FIGURE_1);
    let flow = Flow::forward(&program);
    let line = |n: u32| before_line(&program, "foo", n);
    let reached = classic::reach(&flow, &Values::new(&program), &Budget::unlimited()).unwrap();
    let at = |n: u32| -> Vec<_> {
        let mut all: Vec<_> = reached[&line(n)].iter().map(|e| constants(&program, e, &["x", "y", "z"])).collect();
        all.sort();
        all
    };
    agree_before_line_9(&program, &at);
    let both = [[Some(0), None, Some(1)], [Some(1), Some(1), Some(0)]];
    assert_eq!(at(9), both);

    for order in [Order::Bfs, Order::Dfs, Order::ReversePostOrder, Order::WeakTopological, Order::Random(1)] {
        let cpa = Product::new(Location::from_entry(&flow), Separate(Values::new(&program)));
        let prec = ((), Tracked::All);
        let mut run = Exploration::new(&flow, &cpa, &prec, order);
        assert_eq!(run.run(&Budget::unlimited()), Outcome::Complete);
        let states = |n: u32| -> Vec<_> {
            let mut all: Vec<_> = states_at(&cpa, run.arg(), line(n)).iter().map(|e| constants(&program, &e.1, &["x", "y", "z"])).collect();
            all.sort();
            all
        };
        agree_before_line_9(&program, &states);
        assert_eq!(states(9), both);
        assert!(run.targets().is_empty(), "{order:?}: the error is not reached");
    }
}

#[test]
fn examples_2_and_3_the_lattice_of_two_variables() {
    use plumb_cpa::Domain;
    let program = load("int x1, x2; int main(void) { x1 = 0; x2 = 0; return x1 + x2; }");
    let d = Values::new(&program);
    let element = |a: Option<i32>, b: Option<i32>| {
        let mut e = Valuation::default();
        e.set_var(plumb_term::VarId(1), a.map(Term::int));
        e.set_var(plumb_term::VarId(2), b.map(Term::int));
        e
    };
    let values = [None, Some(0), Some(1)];
    let all: Vec<(Option<i32>, Option<i32>)> = values.iter().flat_map(|a| values.iter().map(move |b| (*a, *b))).collect();
    for (a, b) in &all {
        for (c, e) in &all {
            let below = (c.is_none() || a == c) && (e.is_none() || b == e);
            assert_eq!(d.leq(&element(*a, *b), &element(*c, *e)), below);
            let join = element(a.filter(|_| a == c), b.filter(|_| b == e));
            assert_eq!(d.join(&element(*a, *b), &element(*c, *e)), join);
        }
    }
    // Example 3: what an element stands for; ⊤ stands for everything.
    let x = |i: u32| program.term(plumb_term::VarId(i));
    assert_eq!(d.formulas(&element(Some(1), Some(0))), [x(1).equals(Term::int(1)), x(2).equals(Term::int(0))]);
    assert_eq!(d.formulas(&element(None, None)), []);
    let samples: Vec<Valuation> = all.iter().map(|(a, b)| element(*a, *b)).collect();
    plumb_cpa::laws::semilattice(&d, &samples).unwrap();
    plumb_cpa::laws::operators(&d, &samples, &Tracked::All).unwrap();
}

/// Example 1: the concrete states before lines 5 and 9, by predicates that say all about them.
#[test]
fn example_1_reachable_states_of_figure_1() {
    let program = load(FIGURE_1);
    let flow = Flow::forward(&program);
    let v = |name: &str| program.term(var(&program, name));
    let is = |name: &str, value: i32| v(name).equals(Term::int(value));
    let all = [is("x", 0), is("x", 1), is("z", 0), is("z", 1), is("y", 1)];
    let predicates = PredicateAnalysis::new(&program, Blocks::Edges, Shape::Cartesian, &Budget::unlimited()).unwrap();
    let cpa = Product::new(Location::from_entry(&flow), predicates);
    let prec = ((), Predicates { everywhere: all.into(), ..Predicates::default() });
    let mut run = Exploration::new(&flow, &cpa, &prec, Order::Bfs);
    assert_eq!(run.run(&Budget::unlimited()), Outcome::Complete);
    let states = |line: u32| -> Vec<Vec<bool>> {
        let at = states_at(&cpa, run.arg(), before_line(&program, "foo", line));
        let holds = |t: Term| {
            let known = t.conjuncts();
            let truth = |p: &Term| {
                known.contains(p) || {
                    assert!(known.contains(&p.not()), "open: {p}");
                    false
                }
            };
            [is("x", 1), is("y", 1), is("z", 1)].iter().map(truth).collect::<Vec<bool>>()
        };
        let mut out: Vec<Vec<bool>> = at.iter().map(|e| holds(e.1.abstraction())).collect();
        out.sort();
        out
    };
    assert_eq!(states(5), [[false, true, false]], "x = 0, y = 1, z = 0");
    assert_eq!(states(9), [[false, false, true], [true, true, false]]);
}

#[test]
fn example_8_reaching_definitions() {
    let program = load(FIGURE_1);
    let flow = Flow::forward(&program);
    let cpa = Product::new(Location::from_entry(&flow), ReachingDefinitions::new(&flow));
    let prec = ((), ());
    let mut run = Exploration::new(&flow, &cpa, &prec, Order::Bfs);
    assert_eq!(run.run(&Budget::unlimited()), Outcome::Complete);
    let at = states_at(&cpa, run.arg(), before_line(&program, "foo", 9));
    // {(x, 2, 3), (x, 5, 9)}
    let edges = |name: &str| -> Vec<(Place, Place)> {
        cpa.second.of(&at[0].1, var(&program, name)).iter().map(|s| (flow.step(*s).from, flow.step(*s).to)).collect()
    };
    let line = |n: u32| before_line(&program, "foo", n);
    assert_eq!(at.len(), 1);
    assert_eq!(edges("x"), [(line(2), line(3)), (line(5), line(9))]);
    assert_eq!(edges("z"), [(line(3), line(4)), (line(7), line(9))]);
}

/// Section 2.2: meet over all paths finds that z is constant, the maximal fixed point does not.
#[test]
fn section_2_2_mop_is_more_precise_than_mfp() {
    let program = load(
        "extern int __VERIFIER_nondet_int(void); int x, y, z; int main(void) {
if (__VERIFIER_nondet_int()) {
x = 2; y = 3;
} else {
x = 3; y = 2;
}
z = x + y;
return z;
}",
    );
    let flow = Flow::forward(&program);
    let at = |n: u32| before_line(&program, "main", n);
    let mfp = classic::dfa(&flow, &Values::new(&program), &Budget::unlimited()).unwrap();
    assert_eq!(constants(&program, &mfp[&at(7)], &["x", "y", "z"]), [None, None, Some(0)], "z is initialised");
    assert_eq!(constants(&program, &mfp[&at(8)], &["x", "y", "z"]), [None, None, None]);
    let mop = classic::reach(&flow, &Values::new(&program), &Budget::unlimited()).unwrap();
    let paths = |n: u32| mop[&at(n)].iter().map(|e| constants(&program, e, &["x", "y", "z"])).collect::<Vec<_>>();
    assert_eq!(paths(7).len(), 2);
    assert!(paths(8).iter().all(|e| e[2] == Some(5)));
}

/// Fig. 5, with the division by zero as the error; lines as in the chapter.
const FIGURE_5: &str = "\
extern int __VERIFIER_nondet_int(void); extern void reach_error(void); int foo(int y) {
int x = 1;
int z = 1;
if (y < 1) {
    return 0;
}
if (y > 1) {
    x = 5;
} else {
    z = 5 * x * y;
}
if (x - z == 0) reach_error(); return 10 / (x - z);
}
int main(void) { return foo(__VERIFIER_nondet_int()); }
";

/// The precision of Example 11: {x = 1, z = 1, z = 5, y ≥ 1, y ≤ 1}.
fn precision_of_example_11(program: &Program) -> Predicates {
    let v = |name: &str| program.term(var(program, name));
    let predicates = [
        v("x").equals(Term::int(1)),
        v("z").equals(Term::int(1)),
        v("z").equals(Term::int(5)),
        Term::int(1).less_eq(v("y")),
        v("y").less_eq(Term::int(1)),
    ];
    Predicates { everywhere: predicates.into(), ..Predicates::default() }
}

/// Whether the composite reaches the division by zero.
fn reaches_error<C: Cpa>(flow: &Flow<'_>, cpa: &C, prec: &C::Prec) -> bool {
    let mut run = Exploration::new(flow, cpa, prec, Order::Bfs);
    assert_eq!(run.run(&Budget::unlimited()), Outcome::Complete);
    !run.targets().is_empty()
}

/// Example 11: neither predicates, nor constants, nor the predicated lattice without strengthening prove Fig. 5; with strengthening it is proved.
#[test]
fn example_11_only_strengthening_proves_figure_5() {
    let program = load(FIGURE_5);
    let flow = Flow::forward(&program);
    let predicates = || PredicateAnalysis::new(&program, Blocks::Edges, Shape::Cartesian, &Budget::unlimited()).unwrap().linear();
    let pi = || precision_of_example_11(&program);

    let alone = Product::new(Location::from_entry(&flow), predicates());
    assert!(reaches_error(&flow, &alone, &((), pi())));
    let constants = Product::new(Location::from_entry(&flow), Values::new(&program));
    assert!(reaches_error(&flow, &constants, &((), Tracked::All)));
    let separate = Product::new(Location::from_entry(&flow), Separate(Values::new(&program)));
    assert!(reaches_error(&flow, &separate, &((), Tracked::All)));

    let predicated = || {
        let first = Product::new(Location::from_entry(&flow), predicates());
        Product::new(first, Values::new(&program)).merging(Merge::SecondIfFirstEqual)
    };
    let prec = (((), pi()), Tracked::All);
    assert!(reaches_error(&flow, &predicated().direct(), &prec));
    assert!(!reaches_error(&flow, &predicated(), &prec));
}

/// Example 11: the abstract states before lines 7, 10 and 12.
#[test]
fn example_11_states() {
    let program = load(FIGURE_5);
    let flow = Flow::forward(&program);
    let predicates = PredicateAnalysis::new(&program, Blocks::Edges, Shape::Cartesian, &Budget::unlimited()).unwrap().linear();
    let cpa = Product::new(Product::new(Location::from_entry(&flow), predicates), Values::new(&program));
    let cpa = cpa.merging(Merge::SecondIfFirstEqual);
    let prec = (((), precision_of_example_11(&program)), Tracked::All);
    let mut run = Exploration::new(&flow, &cpa, &prec, Order::Bfs);
    run.run(&Budget::unlimited());
    let pi = &prec.0 .1.everywhere;
    let states = |line: u32| -> Vec<(Vec<Term>, Vec<Option<i128>>)> {
        let at = states_at(&cpa, run.arg(), before_line(&program, "foo", line));
        // The chapter's abstraction has predicates, not their negations.
        let holds = |t: Term| t.conjuncts().into_iter().filter(|c| pi.contains(c)).collect::<Vec<_>>();
        at.iter().map(|e| (holds(e.0 .1.abstraction()), constants(&program, &e.1, &["x", "y", "z"]))).collect()
    };
    let of = |names: &[usize]| {
        let v = |n: &str| program.term(var(&program, n));
        let all = [v("x").equals(Term::int(1)), v("z").equals(Term::int(1)), Term::int(1).less_eq(v("y")), v("y").less_eq(Term::int(1))];
        names.iter().map(|i| all[*i]).collect::<std::collections::BTreeSet<_>>()
    };
    let set = |ts: &[Term]| ts.iter().copied().collect::<std::collections::BTreeSet<_>>();
    let at_7 = states(7);
    assert_eq!((at_7.len(), set(&at_7[0].0)), (1, of(&[0, 1, 2])));
    let at_10 = states(10);
    assert_eq!((at_10.len(), set(&at_10[0].0)), (1, of(&[0, 1, 2, 3])));
    assert_eq!(at_10[0].1, [Some(1), Some(1), Some(1)], "strengthened");
    let after: Vec<_> = states(12).into_iter().filter(|s| s.0.contains(&program.term(var(&program, "x")).equals(Term::int(1)))).collect();
    assert_eq!((after.len(), set(&after[0].0)), (1, of(&[0, 2, 3])), "nothing about z");
    assert_eq!(after[0].1, [Some(1), Some(1), Some(5)]);
}
