//! How fast the theory of linear arithmetic is on conjunctions: `cargo run --release -p plumb-itp --example lra_speed [family]`.
//!
//! Each family grows; a line has the time, and what the theory counted. Literals are asserted one by one with propagation after each, as a search does.

use plumb_itp::arith::Arithmetic;
use plumb_itp::theory::{Final, Theory};
use plumb_itp::{Linear, Lit, Literal, NumVar, Part, Sort, Vocabulary};
use plumb_num::Int;
use std::time::Instant;

/// A vocabulary and the literals of a conjunction.
#[derive(Default)]
struct Problem {
    vocabulary: Vocabulary,
    lits: Vec<Lit>,
}

impl Problem {
    fn at_most(&mut self, terms: &[(NumVar, i64)], bound: i64) {
        let t = Linear::new(terms.iter().map(|(x, a)| (*x, Int::from(*a))), Int::from(-bound));
        if let Literal::Lit(l) = self.vocabulary.less_eq(&t) {
            self.vocabulary.occurs(l.var(), Part(0));
            self.lits.push(l);
        }
    }

    fn equal(&mut self, terms: &[(NumVar, i64)], value: i64) {
        self.at_most(terms, value);
        let negated: Vec<(NumVar, i64)> = terms.iter().map(|(x, a)| (*x, -a)).collect();
        self.at_most(&negated, -value);
    }

    fn numbers(&mut self, n: usize, sort: Sort) -> Vec<NumVar> {
        (0..n).map(|_| self.vocabulary.number(sort)).collect()
    }
}

fn chain(n: usize, sort: Sort) -> Problem {
    let mut p = Problem::default();
    let x = p.numbers(n + 1, sort);
    for i in 0..n {
        p.at_most(&[(x[i], 1), (x[i + 1], -1)], -1);
    }
    p.at_most(&[(x[n], 1), (x[0], -1)], n as i64 - 1);
    p
}

/// `n` steps of `x' = x + y`, `y' = y + 1`, `z' = z + x - 2y`, `w' = w + z`; then a bound that does not hold.
fn steps(n: usize, satisfiable: bool) -> Problem {
    let mut p = Problem::default();
    let mut now = p.numbers(4, Sort::Int);
    let mut values = [0i64, 1, 0, 0];
    for (x, v) in now.iter().zip(values) {
        p.equal(&[(*x, 1)], v);
    }
    for _ in 0..n {
        let next = p.numbers(4, Sort::Int);
        p.equal(&[(next[0], 1), (now[0], -1), (now[1], -1)], 0);
        p.equal(&[(next[1], 1), (now[1], -1)], 1);
        p.equal(&[(next[2], 1), (now[2], -1), (now[0], -1), (now[1], 2)], 0);
        p.equal(&[(next[3], 1), (now[3], -1), (now[2], -1)], 0);
        p.at_most(&[(next[0], -1), (next[1], 1)], 5);
        now = next;
        let [x, y, z, w] = values;
        values = [x + y, y + 1, z + x - 2 * y, w + z];
    }
    p.at_most(&[(now[3], 1)], values[3] - i64::from(!satisfiable));
    p
}

fn dense(n: usize, sort: Sort) -> Problem {
    let mut p = Problem::default();
    let x = p.numbers(n, sort);
    let mut state = 1u64;
    let mut random = |m: i64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) as i64) % m
    };
    for _ in 0..2 * n {
        let terms: Vec<(NumVar, i64)> = x.iter().map(|x| (*x, random(21) - 10)).collect();
        let bound = random(100) + 50;
        p.at_most(&terms, bound);
    }
    p
}

fn sparse(n: usize, sort: Sort) -> Problem {
    let mut p = Problem::default();
    let x = p.numbers(n, sort);
    let mut state = 7u64;
    let mut random = |m: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) as usize) % m
    };
    for _ in 0..3 * n {
        let terms: Vec<(NumVar, i64)> = (0..3).map(|_| (x[random(n)], random(9) as i64 - 4)).collect();
        let bound = random(40) as i64 - 2;
        p.at_most(&terms, bound);
    }
    p
}

fn run(name: &str, mut p: Problem) {
    let start = Instant::now();
    let mut theory = Arithmetic::new();
    theory.declare(&p.vocabulary);
    let declared = start.elapsed();
    let mut implied = Vec::new();
    let mut answer = "consistent";
    let mut asserted = 0;
    for &lit in &p.lits {
        theory.push();
        asserted += 1;
        if theory.assert(lit).is_err() || theory.propagate(&mut implied).is_err() {
            answer = "conflict";
            break;
        }
    }
    if answer == "consistent" {
        answer = match theory.check(&mut p.vocabulary) {
            Final::Consistent => "model",
            Final::Conflict(_) => "integer conflict",
            Final::Refine { .. } => "refine",
            Final::Unknown => "unknown",
        };
    }
    let once = start.elapsed();
    // The same again, from the basis that was found.
    let again = Instant::now();
    theory.pop(asserted);
    for &lit in &p.lits[..asserted] {
        theory.push();
        if theory.assert(lit).is_err() || theory.propagate(&mut implied).is_err() {
            break;
        }
    }
    println!(
        "{name:<24} {:>9.2} ms, declare {:>8.2} ms, again {:>8.2} ms, {asserted} of {} literals, {answer}; {:?}",
        once.as_secs_f64() * 1e3,
        declared.as_secs_f64() * 1e3,
        again.elapsed().as_secs_f64() * 1e3,
        p.lits.len(),
        theory.statistics()
    );
}

fn main() {
    let only = std::env::args().nth(1).unwrap_or_default();
    let wanted = |name: &str| name.starts_with(&only);
    for n in [100, 400, 1600] {
        if wanted("chain") {
            run(&format!("chain {n}"), chain(n, Sort::Int));
            run(&format!("chain {n} rational"), chain(n, Sort::Real));
        }
    }
    for n in [15, 60, 240] {
        if wanted("steps") {
            run(&format!("steps {n}"), steps(n, false));
            run(&format!("steps {n} satisfiable"), steps(n, true));
        }
    }
    for n in [10, 20, 40] {
        if wanted("dense") {
            run(&format!("dense {n}"), dense(n, Sort::Real));
        }
    }
    for n in [50, 100, 200] {
        if wanted("sparse") {
            run(&format!("sparse {n}"), sparse(n, Sort::Int));
        }
    }
}
