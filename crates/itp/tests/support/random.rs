//! Random problems from a seed.

use super::prover::Problem;
use plumb_itp::proof::Fun;
use plumb_itp::{BoolVar, Linear, Literal, NumVar, Sort};
use plumb_num::Int;

/// A small generator of numbers: xorshift.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0xD1B5_4A32_D192_ED03)
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % n
    }

    pub fn range(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as u64) as i64
    }

    pub fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }
}

/// What a random problem is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Integers,
    Rationals,
    Mixed,
    Parity,
    Functions,
}

pub const KINDS: [Kind; 5] = [Kind::Integers, Kind::Rationals, Kind::Mixed, Kind::Parity, Kind::Functions];

fn linear(terms: &[(NumVar, i64)], c: i64) -> Linear {
    Linear::new(terms.iter().map(|&(x, a)| (x, Int::from(a))), Int::from(c))
}

/// Clauses in `parts` parts; a part uses a few neighbouring variables.
pub fn problem(r: &mut Random, kind: Kind) -> Problem {
    let mut p = Problem::default();
    let count = r.range(2, 4) as usize;
    let mut numbers: Vec<NumVar> = Vec::new();
    for _ in 0..count {
        let real = kind == Kind::Rationals || (kind == Kind::Mixed && r.chance(50));
        numbers.push(p.vocabulary.number(if real { Sort::Real } else { Sort::Int }));
    }
    if kind == Kind::Functions {
        numbers.truncate(3);
        for i in 0..2.min(numbers.len()) {
            let x = p.vocabulary.apply(Fun(0), &[numbers[i]], Sort::Int);
            numbers.push(x);
        }
    }
    let booleans: Vec<BoolVar> = (0..r.range(0, 3)).map(|_| p.vocabulary.boolean()).collect();
    let parts = r.range(2, 4) as u32;
    for part in 0..parts {
        let here: Vec<NumVar> = numbers.iter().copied().filter(|_| r.chance(65)).collect();
        let flags: Vec<BoolVar> = booleans.iter().copied().filter(|_| r.chance(65)).collect();
        for _ in 0..r.range(1, 4) {
            if kind == Kind::Parity && !here.is_empty() && r.chance(60) {
                equality(r, &mut p, part, &here);
                continue;
            }
            let clause: Vec<Literal> = (0..r.range(1, 3)).filter_map(|_| literal(r, &mut p, &here, &flags)).collect();
            if !clause.is_empty() {
                p.clause(part, &clause);
            }
        }
    }
    p
}

fn equality(r: &mut Random, p: &mut Problem, part: u32, here: &[NumVar]) {
    let (x, y) = (here[r.below(here.len() as u64) as usize], here[r.below(here.len() as u64) as usize]);
    let m = [2, 3, 4, 6][r.below(4) as usize];
    let t = linear(&[(x, r.range(1, 3)), (y, m)], r.range(-3, 3));
    for t in [t.clone(), t.times(&Int::MINUS_ONE)] {
        let l = p.vocabulary.less_eq(&t);
        p.clause(part, &[l]);
    }
}

fn literal(r: &mut Random, p: &mut Problem, numbers: &[NumVar], booleans: &[BoolVar]) -> Option<Literal> {
    if !booleans.is_empty() && (numbers.is_empty() || r.chance(35)) {
        let v = booleans[r.below(booleans.len() as u64) as usize];
        return Some(Literal::Lit(plumb_itp::Lit::new(v, r.chance(50))));
    }
    if numbers.is_empty() {
        return None;
    }
    let mut terms = Vec::new();
    for _ in 0..r.range(1, 3) {
        let x = numbers[r.below(numbers.len() as u64) as usize];
        terms.push((x, if r.chance(80) { r.range(-1, 1) } else { r.range(-5, 5) }));
    }
    let t = linear(&terms, r.range(-4, 4));
    Some(if r.chance(50) { p.vocabulary.less_eq(&t) } else { p.vocabulary.less(&t) })
}
