//! Speed of the search without a theory: random 3-SAT near the threshold and a few structured problems.
//!
//! `cargo run --release -p plumb-itp --example sat_speed [--dimacs DIRECTORY] [--no-proofs] [--only PREFIX]`: with `--dimacs`, the problems are written out
//! for other solvers as well.

use plumb_itp::theory::NoTheory;
use plumb_itp::{Answer, Budget, Config, Lit, Literal, Solver};
use std::fmt::Write;
use std::time::{Duration, Instant};

type Cnf = Vec<Vec<i32>>;

struct Rng(u64);

impl Rng {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) % n as u64) as usize
    }
}

fn random_3sat(variables: usize, ratio: f64, seed: u64) -> Cnf {
    let mut rng = Rng(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let mut cnf = Cnf::new();
    while cnf.len() < (variables as f64 * ratio) as usize {
        let vars = [rng.below(variables), rng.below(variables), rng.below(variables)];
        if vars[0] != vars[1] && vars[0] != vars[2] && vars[1] != vars[2] {
            cnf.push(vars.iter().map(|&v| (v as i32 + 1) * if rng.below(2) == 0 { 1 } else { -1 }).collect());
        }
    }
    cnf
}

fn pigeons(holes: i32) -> Cnf {
    let at = |pigeon: i32, hole: i32| pigeon * holes + hole + 1;
    let mut cnf: Cnf = (0..=holes).map(|p| (0..holes).map(|h| at(p, h)).collect()).collect();
    for h in 0..holes {
        for a in 0..=holes {
            cnf.extend((0..a).map(|b| vec![-at(a, h), -at(b, h)]));
        }
    }
    cnf
}

/// Circuits over numbered variables.
struct Circuit {
    cnf: Cnf,
    variables: i32,
}

impl Circuit {
    fn fresh(&mut self) -> i32 {
        self.variables += 1;
        self.variables
    }

    fn and(&mut self, a: i32, b: i32) -> i32 {
        let g = self.fresh();
        self.cnf.extend([vec![-g, a], vec![-g, b], vec![g, -a, -b]]);
        g
    }

    fn xor(&mut self, a: i32, b: i32) -> i32 {
        let g = self.fresh();
        self.cnf.extend([vec![-g, a, b], vec![-g, -a, -b], vec![g, -a, b], vec![g, a, -b]]);
        g
    }

    fn or(&mut self, a: i32, b: i32) -> i32 {
        -self.and(-a, -b)
    }

    /// The sum, and the carry.
    fn add(&mut self, a: i32, b: i32, c: i32) -> (i32, i32) {
        let half = self.xor(a, b);
        let sum = self.xor(half, c);
        let (x, y) = (self.and(a, b), self.and(half, c));
        (sum, self.or(x, y))
    }

    /// The product, row by row; `swap` adds the columns of the other operand.
    fn multiply(&mut self, a: &[i32], b: &[i32], zero: i32) -> Vec<i32> {
        let mut sum = vec![zero; a.len() + b.len()];
        for (i, &x) in a.iter().enumerate() {
            let mut carry = zero;
            for (j, &y) in b.iter().enumerate() {
                let bit = self.and(x, y);
                (sum[i + j], carry) = self.add(sum[i + j], bit, carry);
            }
            sum[i + b.len()] = carry;
        }
        sum
    }
}

/// a·b ≠ b·a for numbers of so many bits.
fn commutes(bits: usize) -> Cnf {
    let mut c = Circuit { cnf: Vec::new(), variables: 0 };
    let zero = c.fresh();
    c.cnf.push(vec![-zero]);
    let a: Vec<i32> = (0..bits).map(|_| c.fresh()).collect();
    let b: Vec<i32> = (0..bits).map(|_| c.fresh()).collect();
    let (p, q) = (c.multiply(&a, &b, zero), c.multiply(&b, &a, zero));
    let differ: Vec<i32> = p.iter().zip(&q).map(|(&x, &y)| c.xor(x, y)).collect();
    c.cnf.push(differ);
    c.cnf
}

/// n = a·b with both factors above 1.
fn factors(n: u64, bits: usize) -> Cnf {
    let mut c = Circuit { cnf: Vec::new(), variables: 0 };
    let zero = c.fresh();
    c.cnf.push(vec![-zero]);
    let a: Vec<i32> = (0..bits).map(|_| c.fresh()).collect();
    let b: Vec<i32> = (0..bits).map(|_| c.fresh()).collect();
    c.cnf.push(a[1..].to_vec());
    c.cnf.push(b[1..].to_vec());
    for (i, p) in c.multiply(&a, &b, zero).into_iter().enumerate() {
        c.cnf.push(vec![if n >> i & 1 == 1 { p } else { -p }]);
    }
    c.cnf
}

fn dimacs(cnf: &Cnf, variables: usize) -> String {
    let mut text = format!("p cnf {variables} {}\n", cnf.len());
    for c in cnf {
        for l in c {
            let _ = write!(text, "{l} ");
        }
        text.push_str("0\n");
    }
    text
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let directory = arguments.iter().position(|a| a == "--dimacs").and_then(|i| arguments.get(i + 1));
    let proofs = !arguments.iter().any(|a| a == "--no-proofs");
    let mut problems: Vec<(String, Cnf)> = Vec::new();
    for (variables, seeds) in [(200, 20), (250, 10)] {
        problems.extend((1..=seeds).map(|s| (format!("random-{variables}-{s}"), random_3sat(variables, 4.26, s))));
    }
    problems.extend([8, 9].map(|h| (format!("pigeons-{h}"), pigeons(h))));
    problems.extend([5, 6].map(|b| (format!("commutes-{b}"), commutes(b))));
    problems.push(("factors-prime".into(), factors(1_048_573, 11)));
    problems.push(("factors-composite".into(), factors(16_769_023, 13)));
    problems.push(("easy-20000".into(), random_3sat(20_000, 3.2, 7)));
    if let Some(prefix) = arguments.iter().position(|a| a == "--only").and_then(|i| arguments.get(i + 1)) {
        problems.retain(|(name, _)| name.starts_with(prefix));
    }
    let mut total = Duration::ZERO;
    for (name, cnf) in problems {
        let variables = cnf.iter().flatten().map(|l| l.unsigned_abs() as usize).max().unwrap_or(0);
        if let Some(Err(e)) = directory.map(|d| std::fs::write(format!("{d}/{name}.cnf"), dimacs(&cnf, variables))) {
            eprintln!("{name}: {e}");
        }
        let start = Instant::now();
        let mut solver = Solver::with_theory(Config { proofs, ..Config::default() }, NoTheory);
        solver.part();
        let vars: Vec<Lit> = (0..variables).map(|_| solver.boolean()).collect();
        for c in &cnf {
            let lit = |l: &i32| Literal::Lit(if *l > 0 { vars[*l as usize - 1] } else { !vars[l.unsigned_abs() as usize - 1] });
            solver.add_clause(&c.iter().map(lit).collect::<Vec<_>>());
        }
        let answer = solver.check(&[], &Budget::within(plumb_term::Budget::within(Duration::from_secs(60))));
        let time = start.elapsed();
        total += time;
        let start = Instant::now();
        let steps = solver.refutation().map_or(0, |p| p.steps.len());
        let s = solver.statistics();
        println!(
            "{name:20} {:8} {:8.3} s  {:8} conflicts {:9} decisions {:10} propagations {:6.2} M/s  proof {steps} steps in {:.3} s",
            match answer {
                Answer::Sat => "sat",
                Answer::Unsat => "unsat",
                Answer::Unknown(_) => "unknown",
            },
            time.as_secs_f64(),
            s.conflicts,
            s.decisions,
            s.propagations,
            s.propagations as f64 / time.as_secs_f64() / 1e6,
            start.elapsed().as_secs_f64(),
        );
    }
    println!("total {:.3} s", total.as_secs_f64());
}
