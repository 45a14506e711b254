//! Speed over linear integers: unrolled programs, one part for each round.
//!
//! `cargo run --release -p plumb-itp --example lia_speed [--smt DIRECTORY] [--no-proofs] [--only PREFIX]`: with `--smt`, the problems are
//! written out in SMT-LIB for other solvers as well.

use plumb_itp::{Answer, Budget, Config, Linear, Lit, Literal, NumVar, Solver, Sort};
use plumb_num::Int;
use std::fmt::Write;
use std::time::{Duration, Instant};

/// Formulas over numbered integers and Booleans.
#[derive(Clone)]
enum F {
    Bool(usize),
    /// Σ ≤ 0
    LessEq(Vec<(usize, i64)>, i64),
    /// Σ = 0
    Equal(Vec<(usize, i64)>, i64),
    Not(Box<F>),
    And(Vec<F>),
    Or(Vec<F>),
}

use F::{And, Bool, Equal, LessEq, Not, Or};

fn not(f: F) -> F {
    Not(Box::new(f))
}

/// x = c
fn is(x: usize, c: i64) -> F {
    Equal(vec![(x, 1)], -c)
}

/// y = x + c
fn set(y: usize, x: usize, c: i64) -> F {
    Equal(vec![(y, 1), (x, -1)], -c)
}

/// x ≥ c
fn at_least(x: usize, c: i64) -> F {
    LessEq(vec![(x, -1)], c)
}

fn ite(c: F, t: F, e: F) -> F {
    And(vec![Or(vec![not(c.clone()), t]), Or(vec![c, e])])
}

fn build(f: &F, s: &mut Solver, numbers: &[NumVar], booleans: &[Lit]) -> Literal {
    let linear = |a: &[(usize, i64)], c: i64| Linear::new(a.iter().map(|&(x, a)| (numbers[x], Int::from(a))), Int::from(c));
    match f {
        Bool(i) => Literal::Lit(booleans[*i]),
        LessEq(a, c) => s.less_eq(&linear(a, *c)),
        Equal(a, c) => s.equal(&linear(a, *c)),
        Not(f) => {
            let f = build(f, s, numbers, booleans);
            s.not(f)
        }
        And(fs) => {
            let fs: Vec<Literal> = fs.iter().map(|f| build(f, s, numbers, booleans)).collect();
            s.and(&fs)
        }
        Or(fs) => {
            let fs: Vec<Literal> = fs.iter().map(|f| build(f, s, numbers, booleans)).collect();
            s.or(&fs)
        }
    }
}

fn smt(f: &F, out: &mut String) {
    let mut nary = |op: &str, fs: &[F]| {
        let _ = write!(out, "({op} true");
        if op == "or" {
            out.truncate(out.len() - 4);
            out.push_str("false");
        }
        for f in fs {
            out.push(' ');
            smt(f, out);
        }
        out.push(')');
    };
    match f {
        Bool(i) => {
            let _ = write!(out, "b{i}");
        }
        LessEq(a, c) | Equal(a, c) => {
            let _ = write!(out, "({} (+ 0", if matches!(f, Equal(..)) { "=" } else { "<=" });
            for (x, a) in a {
                let _ = write!(out, " (* {} x{x})", if *a < 0 { format!("(- {})", -a) } else { a.to_string() });
            }
            let _ = write!(out, ") {})", if *c > 0 { format!("(- {c})") } else { (-c).to_string() });
        }
        Not(f) => {
            out.push_str("(not ");
            smt(f, out);
            out.push(')');
        }
        And(fs) => nary("and", fs),
        Or(fs) => nary("or", fs),
    }
}

/// A problem: its parts.
struct Problem {
    name: String,
    numbers: usize,
    booleans: usize,
    parts: Vec<F>,
}

/// Locks taken if an input says so and asserted to be taken then, in each round.
fn locks(rounds: usize, locks: usize) -> Problem {
    // Numbers 2·(round·locks + i): the input; + 1: the lock.
    let mut parts = Vec::new();
    let mut errors = Vec::new();
    for r in 0..rounds {
        let mut part = Vec::new();
        for i in 0..locks {
            let input = 2 * (r * locks + i);
            part.push(ite(is(input, 0), is(input + 1, 0), is(input + 1, 1)));
            errors.push(And(vec![not(is(input, 0)), not(is(input + 1, 1))]));
        }
        parts.push(And(part));
    }
    parts.push(Or(errors));
    Problem { name: format!("locks-{rounds}-{locks}"), numbers: 2 * rounds * locks, booleans: 0, parts }
}

/// Counters that a guard of their own moves up or down within bounds; the error is that one left them.
fn counters(steps: usize, counters: usize) -> Problem {
    let at = |s: usize, i: usize| s * counters + i;
    let mut parts = vec![And((0..counters).map(|i| is(at(0, i), i as i64)).collect())];
    for s in 0..steps {
        let moves = (0..counters).map(|i| {
            let (old, new) = (at(s, i), at(s + 1, i));
            let up = And(vec![not(at_least(old, 10)), set(new, old, 1)]);
            let down = And(vec![at_least(old, 1), set(new, old, -1)]);
            let stay = set(new, old, 0);
            if s % counters == i {
                Or(vec![up, down])
            } else {
                stay
            }
        });
        parts.push(And(moves.collect()));
    }
    parts.push(Or((0..counters).flat_map(|i| [at_least(at(steps, i), 11), not(at_least(at(steps, i), 0))]).collect()));
    Problem { name: format!("counters-{steps}-{counters}"), numbers: (steps + 1) * counters, booleans: 0, parts }
}

/// A machine with states in a cycle, back edges on inputs, and a flag that must be set before the last state.
fn machine(steps: usize, states: i64) -> Problem {
    // Each step: 3 numbers (state, flag, count), 1 Boolean.
    let at = |s: usize, i: usize| 3 * s + i;
    let mut parts = vec![And(vec![is(at(0, 0), 0), is(at(0, 1), 0), is(at(0, 2), 0)])];
    for s in 0..steps {
        let (state, flag, count) = (at(s, 0), at(s, 1), at(s, 2));
        let (state2, flag2, count2) = (at(s + 1, 0), at(s + 1, 1), at(s + 1, 2));
        let mut moves = Vec::new();
        for q in 0..states {
            let next = if q + 1 == states { 0 } else { q + 1 };
            let flag = if q == states / 2 { is(flag2, 1) } else { set(flag2, flag, 0) };
            moves.push(And(vec![is(state, q), Bool(s), is(state2, next), flag, set(count2, count, 1)]));
            moves.push(And(vec![is(state, q), not(Bool(s)), is(state2, q), set(flag2, at(s, 1), 0), set(count2, count, 0)]));
        }
        parts.push(Or(moves));
    }
    let bad = |s: usize| And(vec![is(at(s, 0), states - 1), is(at(s, 1), 0)]);
    let late = And(vec![is(at(steps, 0), states - 1), not(at_least(at(steps, 2), states - 1))]);
    parts.push(Or(vec![bad(steps), bad(steps - 1), late]));
    Problem { name: format!("machine-{steps}-{states}"), numbers: 3 * (steps + 1), booleans: steps, parts }
}

/// x and y grow by the same amounts, chosen anew in each step; the error is that they differ.
fn twins(steps: usize) -> Problem {
    let at = |s: usize, i: usize| 2 * s + i;
    let mut parts = vec![And(vec![set(at(0, 0), at(0, 1), 0)])];
    for s in 0..steps {
        let by = |c: i64| And(vec![set(at(s + 1, 0), at(s, 0), c), set(at(s + 1, 1), at(s, 1), c)]);
        parts.push(Or(vec![by(1), by(2)]));
    }
    parts.push(not(Equal(vec![(at(steps, 0), 1), (at(steps, 1), -1)], 0)));
    Problem { name: format!("twins-{steps}"), numbers: 2 * (steps + 1), booleans: 0, parts }
}

/// A loop that counts to a bound by one or two, with a copy kept; the copy is right at the end.
fn copies(steps: usize, variables: usize) -> Problem {
    let width = variables + 1;
    let at = |s: usize, i: usize| s * width + i;
    let mut parts = vec![And((0..width).map(|i| is(at(0, i), 0)).collect())];
    for s in 0..steps {
        let mut step: Vec<F> = (1..width).map(|i| set(at(s + 1, i), at(s, i - 1), i as i64)).collect();
        step.push(ite(Bool(s), set(at(s + 1, 0), at(s, 0), 2), set(at(s + 1, 0), at(s, 0), 1)));
        parts.push(And(step));
    }
    let last = width - 1;
    parts.push(Or(vec![
        not(at_least(at(steps, last), 0)),
        LessEq(vec![(at(steps, last), -1), (at(steps, 0), 1)], -((last * (last + 1) / 2) as i64)),
    ]));
    // The last copy is the counter of `last` steps ago plus 1 + … + last, so at least the counter less 2·last plus this.
    let slack = (last * (last + 1) / 2) as i64 - 2 * last as i64;
    let Some(error) = parts.last_mut() else { unreachable!() };
    *error = LessEq(vec![(at(steps, last), 1), (at(steps, 0), -1)], 1 - slack);
    Problem { name: format!("copies-{steps}-{variables}"), numbers: (steps + 1) * width, booleans: steps, parts }
}

fn text(p: &Problem) -> String {
    let mut out = String::from("(set-logic QF_LIA)\n");
    (0..p.numbers).for_each(|x| out.push_str(&format!("(declare-const x{x} Int)\n")));
    (0..p.booleans).for_each(|b| out.push_str(&format!("(declare-const b{b} Bool)\n")));
    for f in &p.parts {
        out.push_str("(assert ");
        smt(f, &mut out);
        out.push_str(")\n");
    }
    out + "(check-sat)\n"
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let after = |name: &str| arguments.iter().position(|a| a == name).and_then(|i| arguments.get(i + 1));
    let proofs = !arguments.iter().any(|a| a == "--no-proofs");
    let mut problems = vec![locks(5, 10), locks(20, 14), counters(10, 3), counters(30, 3), counters(60, 4), counters(120, 5)];
    problems.extend([(8, 5), (12, 8), (20, 8), (30, 10)].map(|(s, q)| machine(s, q)));
    problems.extend([6, 9].map(twins));
    problems.extend([(10, 3), (30, 3), (60, 4), (120, 5)].map(|(s, v)| copies(s, v)));
    if let Some(prefix) = after("--only") {
        problems.retain(|p| p.name.starts_with(prefix));
    }
    let mut total = Duration::ZERO;
    for p in problems {
        if let Some(Err(e)) = after("--smt").map(|d| std::fs::write(format!("{d}/{}.smt2", p.name), text(&p))) {
            eprintln!("{}: {e}", p.name);
        }
        let start = Instant::now();
        let mut solver = Solver::new(Config { proofs, ..Config::default() });
        let numbers: Vec<NumVar> = (0..p.numbers).map(|_| solver.number(Sort::Int)).collect();
        let booleans: Vec<Lit> = (0..p.booleans).map(|_| solver.boolean()).collect();
        for f in &p.parts {
            solver.part();
            let literal = build(f, &mut solver, &numbers, &booleans);
            solver.assert(literal);
        }
        let answer = solver.check(&[], &Budget::within(plumb_term::Budget::within(Duration::from_secs(30))));
        let time = start.elapsed();
        total += time;
        let start = Instant::now();
        let steps = solver.refutation().map_or(0, |p| p.steps.len());
        let (s, t) = (solver.statistics(), solver.theory().statistics());
        println!(
            "{:16} {:8} {:8.3} s  conflicts {} decisions {} propagations {} implied {} lemmas {} final {} pivots {} splits {} cuts {}  proof {steps} in {:.3} s",
            p.name,
            match answer {
                Answer::Sat => "sat",
                Answer::Unsat => "unsat",
                Answer::Unknown(_) => "unknown",
            },
            time.as_secs_f64(),
            s.conflicts,
            s.decisions,
            s.propagations,
            s.implied,
            s.lemmas,
            s.final_checks,
            t.pivots,
            t.splits,
            t.cuts,
            start.elapsed().as_secs_f64(),
        );
    }
    println!("total {:.3} s", total.as_secs_f64());
}
