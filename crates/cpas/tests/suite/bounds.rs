//! Bounds of loops and costs of recursive functions: Example 13 of the chapter, and every claim against random runs.

use crate::support::{load, var};
use plumb_cfa::interp::{Discard, Interpreter, Limits, Random};
use plumb_cfa::loops::Loops;
use plumb_cfa::wto::Wto;
use plumb_cfa::{FuncId, Loc, Program};
use plumb_cpas::bounds::{sum, Bounds, Rank};
use plumb_term::eval::{eval, Value};
use plumb_term::{Budget, IBig, Term};
use std::collections::BTreeMap;

const NONDET: &str = "extern int __VERIFIER_nondet_int(void); extern unsigned char __VERIFIER_nondet_uchar(void);\n";

fn function(program: &Program, name: &str) -> FuncId {
    FuncId(program.functions.iter().position(|f| f.name == name).unwrap() as u32)
}

fn loops(program: &Program, func: FuncId) -> Vec<(Loc, Vec<Loc>)> {
    let f = program.function(func);
    let all = Loops::new(&f.graph, &Wto::new(&f.graph, f.entry));
    all.iter().map(|(_, l)| (l.head, l.body.clone())).collect()
}

/// The bounds of the loops of `main`, in words, outer ones first.
fn words(body: &str) -> Vec<Option<String>> {
    let program = load(&format!("{NONDET}int main(void) {{ {body} return 0; }}"));
    let bounds = Bounds::new(&program, &Budget::unlimited()).unwrap();
    let main = function(&program, "main");
    let all = loops(&program, main);
    falls(&program, &bounds, main, &all);
    all.iter().map(|(head, _)| bounds.entered(main, *head).map(|r| sum(&program, r))).collect()
}

fn word(body: &str) -> Option<String> {
    let all = words(body);
    assert_eq!(all.len(), 1);
    all[0].clone()
}

/// What is left of a ranking function in a state.
fn left(rank: &Rank, program: &Program, run: &Interpreter<'_>) -> IBig {
    let int = |t: Term| match eval(t, &|v| run.value(v.id)) {
        Some(Value::Int(k)) => k,
        other => panic!("{other:?}"),
    };
    match rank {
        Rank::Counting(r) => int(*r).max(IBig::ZERO),
        Rank::Halving(r) => {
            let (r, mut turns) = (int(*r), 0);
            while IBig::ONE << turns <= r {
                turns += 1;
            }
            turns.into()
        }
        Rank::Bits(v) => {
            let x = int(program.term(*v));
            let lowest = (0..32usize).find(|i| (&x >> *i) & IBig::ONE == IBig::ONE);
            lowest.map_or(0, |i| 32 - i).into()
        }
    }
}

/// In random runs the sum of what is left falls with every turn of a loop.
fn falls(program: &Program, bounds: &Bounds, func: FuncId, loops: &[(Loc, Vec<Loc>)]) {
    for seed in 0..3 {
        let mut last: BTreeMap<Loc, IBig> = BTreeMap::new();
        for steps in 0..400 {
            let limits = Limits { steps, memory: 1 << 20, call_depth: 100 };
            let mut run = Interpreter::new(program, Box::new(Random::new(seed)), Box::new(Discard), limits);
            run.run();
            let Some((at_func, at)) = run.stack().last().filter(|s| s.0 == func) else { continue };
            assert_eq!(at_func, func);
            for (head, body) in loops {
                let Some(ranks) = bounds.of(func, *head) else { continue };
                if !body.contains(&at) {
                    last.remove(head);
                } else if at == *head {
                    let now = ranks.iter().fold(IBig::ZERO, |acc, r| acc + left(r, program, &run));
                    if let Some(before) = last.insert(*head, now.clone()) {
                        assert!(now < before, "{ranks:?}: {before} turns left, then {now} (seed {seed})");
                    }
                }
            }
        }
    }
}

/// Example 13: `x' = x << 1 ∧ x ≠ 0`, or `x' = x & (x - 1) ∧ x ≠ 0`: LSB(x) is a ranking function.
#[test]
fn example_13_lowest_bits() {
    for step in ["x = x << 1;", "x = x & (x - 1);", "x &= x - 1;", "if (__VERIFIER_nondet_int()) x <<= 1; else x &= x - 1;"] {
        let body = format!("unsigned x = __VERIFIER_nondet_int(); while (x != 0) {{ {step} }}");
        assert_eq!(word(&body).as_deref(), Some("LSB(x) <= 32"), "{step}");
    }
    assert_eq!(word("unsigned x = __VERIFIER_nondet_int(); while (x != 0) x = x << 1 | 1;"), None);
    assert_eq!(word("unsigned x = __VERIFIER_nondet_int(); while (x != 3) x = x << 1;"), None, "the loop may turn for ever");
}

/// Example 13: ways `s1 ∨ s2` with ranking functions that the other one does not raise: `Max(0, r1) + Max(0, r2)`.
#[test]
fn example_13_sums_of_ranking_functions() {
    let read = "int x = __VERIFIER_nondet_uchar(), y = __VERIFIER_nondet_uchar(), n = __VERIFIER_nondet_uchar();";
    let two = format!("{read} while (x > 0 && y > 0) if (__VERIFIER_nondet_int()) x--; else y--;");
    assert_eq!(word(&two).as_deref(), Some("max(0, x) + max(0, y)"));
    let raises = format!("{read} while (x > 0 && y > 0) if (__VERIFIER_nondet_int()) {{ x--; y = n; }} else y--;");
    assert_eq!(word(&raises), None, "y is set anew: the sum is no bound");
    let shared = format!("{read} while (x < n) if (__VERIFIER_nondet_int()) x += 2; else {{ x++; y = n; }}");
    assert_eq!(word(&shared).as_deref(), Some("max(0, n - x)"), "one function for both ways");
}

#[test]
fn counting_halving_and_nesting() {
    assert_eq!(word("int n = __VERIFIER_nondet_int(); for (int i = 0; i < n; i++) ;").as_deref(), Some("max(0, n)"));
    assert_eq!(word("for (int i = 3; i < 10; i += 2) ;").as_deref(), Some("7"));
    assert_eq!(word("unsigned n = __VERIFIER_nondet_int(); while (n > 0) n /= 2;").as_deref(), Some("log2(n) + 1"));
    assert_eq!(word("unsigned n = __VERIFIER_nondet_int(); for (unsigned i = 0; i <= n; i++) ;"), None, "n may be the largest unsigned");
    assert_eq!(word("while (__VERIFIER_nondet_int()) ;"), None);
    let nested = "int n = __VERIFIER_nondet_uchar(); for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) ;";
    assert_eq!(words(nested), [Some("max(0, n)".to_owned()), Some("max(0, i)".to_owned())]);
    let resets = "int n = __VERIFIER_nondet_uchar(); int i = 0; while (i < n) { int j; for (j = 0; j < 3; j++) i = 0; i++; }";
    assert_eq!(words(resets), [None, Some("3".to_owned())], "the inner loop sets the counter back");
}

/// The cost of calls, and that no call costs more: calls are counted by the program itself.
#[test]
fn recursive_functions() {
    let costs = |name: &str, text: &str| {
        let program = load(&format!("{NONDET}{text}"));
        let bounds = Bounds::new(&program, &Budget::unlimited()).unwrap();
        bounds.cost(function(&program, name)).map(|c| c.bound.to_string())
    };
    let fact = "int f(int n) { if (n <= 0) return 1; return n * f(n - 1); } int main(void) { return f(__VERIFIER_nondet_uchar()); }";
    assert_eq!(costs("f", fact).as_deref(), Some("T(n) <= T(n - 1) + 1, so T(n) <= n + 1"));
    let rows = "int f(int n) { int s = 0; if (n <= 0) return 0; for (int i = 0; i < n; i++) s++; return s + f(n - 1); }
        int main(void) { return f(__VERIFIER_nondet_uchar()); }";
    assert_eq!(costs("f", rows).as_deref(), Some("T(n) <= T(n - 1) + n + 1, so T(n) <= (1/2)n^2 + (3/2)n + 1"));
    let fib = "int f(int n) { if (n < 2) return n; return f(n - 1) + f(n - 2); } int main(void) { return f(__VERIFIER_nondet_uchar()); }";
    assert_eq!(costs("f", fib).as_deref(), Some("T(n) <= 2T(n - 1) + 1, so O(2^n)"));
    let halves = "int f(int n) { int s = 0; if (n < 2) return n; for (int i = 0; i < n; i++) s++; return f(n / 2) + f(n - n / 2) + s; }
        int main(void) { return f(__VERIFIER_nondet_uchar()); }";
    assert_eq!(costs("f", halves).as_deref(), Some("T(n) <= 2T(n/2) + n + 1, so O(n log n)"), "one half is rounded up");
    let range = "int f(int lo, int hi) { if (lo >= hi) return 0; return 1 + f(lo + 1, hi); } int main(void) { return f(0, __VERIFIER_nondet_uchar()); }";
    let program = load(&format!("{NONDET}{range}"));
    let bounds = Bounds::new(&program, &Budget::unlimited()).unwrap();
    let cost = bounds.cost(function(&program, "f")).expect("a recurrence");
    assert_eq!(cost.bound.to_string(), "T(n) <= T(n - 1) + 1, so T(n) <= n + 1");
    assert_eq!(cost.size, program.term(var(&program, "hi")).sub(program.term(var(&program, "lo"))));
    let search = "int s(int n) { if (n <= 1) return 0; return 1 + s(n / 2); } int main(void) { return s(__VERIFIER_nondet_uchar()); }";
    assert_eq!(costs("s", search).as_deref(), Some("T(n) <= T(n/2) + 1, so O(log n)"));
    let thirds =
        "int f(int n) { int s = 0; if (n <= 1) return 0; for (int i = 0; i < n; i++) s++; return f(n / 4) + f(n / 4) + f(n / 4) + s; }
        int main(void) { return f(__VERIFIER_nondet_uchar()); }";
    assert_eq!(costs("f", thirds).as_deref(), Some("T(n) <= 3T(n/4) + n + 1, so 4n + o(n)"), "Example 15");
    for (why, text) in [
        ("not smaller", "int f(int n) { if (n == 7) return 0; return f(n); } int main(void) { return f(1); }"),
        ("not from one on", "int f(int n) { if (n == 0) return 0; return f(n - 1); } int main(void) { return f(__VERIFIER_nondet_int()); }"),
        ("in a loop", "int f(int n) { if (n < 1) return 0; for (int i = 0; i < n; i++) f(n - 1); return 1; } int main(void) { return f(3); }"),
        ("with another", "int f(int n); int g(int n) { return f(n + 1); } int f(int n) { if (n < 1) return 0; g(n); return f(n - 1); } int main(void) { return f(3); }"),
    ] {
        assert_eq!(costs("f", text), None, "{why}");
    }
}
