//! The examples and figures of "Combining Model Checking and Data-Flow Analysis" that state a result, with exactly that result.

mod support;

use plumb_cfa::Program;
use plumb_cpa::{classic, Exploration, Flow, Order, Outcome, Place, Product, Separate};
use plumb_cpas::value::Valuation;
use plumb_cpas::{Location, ReachingDefinitions, Tracked, Values};
use plumb_term::{Budget, Term};
use support::{before_line, load, states_at, var};

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
fn example_4_data_flow_analysis_does_not_prove_figure_1() {
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
fn example_2_the_lattice_of_two_variables() {
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
    let samples: Vec<Valuation> = all.iter().map(|(a, b)| element(*a, *b)).collect();
    plumb_cpa::laws::semilattice(&d, &samples).unwrap();
    plumb_cpa::laws::operators(&d, &samples, &Tracked::All).unwrap();
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
