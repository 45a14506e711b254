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

/// A point at which all clauses of a part hold, so that no part is a contradiction by itself.
struct Witness {
    numbers: Vec<i64>,
    booleans: Vec<bool>,
}

impl Witness {
    fn at(&self, terms: &[(NumVar, i64)]) -> i64 {
        terms.iter().map(|(x, a)| a * self.numbers[x.index()]).sum()
    }
}

/// What a clause of a part may use.
struct Here<'a> {
    part: u32,
    numbers: &'a [NumVar],
    booleans: &'a [BoolVar],
    witness: &'a Witness,
}

/// Clauses in a few parts, each of which is satisfiable; a part uses some of the variables.
pub fn problem(r: &mut Random, kind: Kind) -> Problem {
    let mut p = Problem::default();
    let count = r.range(2, if kind == Kind::Functions { 3 } else { 4 }) as usize;
    let mut numbers: Vec<NumVar> = Vec::new();
    for _ in 0..count {
        let real = kind == Kind::Rationals || (kind == Kind::Mixed && r.chance(50));
        numbers.push(p.vocabulary.number(if real { Sort::Real } else { Sort::Int }));
    }
    if kind == Kind::Functions {
        for i in 0..numbers.len().min(2) {
            let x = p.vocabulary.apply(Fun(0), &[numbers[i]], Sort::Int);
            numbers.push(x);
        }
    }
    let booleans: Vec<BoolVar> = (0..r.range(0, 3)).map(|_| p.vocabulary.boolean()).collect();
    let parts = r.range(2, 4) as u32;
    for part in 0..parts {
        let chosen: Vec<NumVar> = numbers.iter().copied().filter(|_| r.chance(70)).collect();
        let flags: Vec<BoolVar> = booleans.iter().copied().filter(|_| r.chance(70)).collect();
        let mut values: Vec<i64> = numbers.iter().map(|_| r.range(-3, 3)).collect();
        if kind == Kind::Functions && values[0] == values[1] {
            let (f, g) = (numbers.len() - 2, numbers.len() - 1);
            values[f] = values[g];
        }
        if kind == Kind::Functions && r.chance(50) {
            values[1] = values[0];
            let (f, g) = (numbers.len() - 2, numbers.len() - 1);
            values[f] = values[g];
        }
        let witness = Witness { numbers: values, booleans: (0..numbers.len() + booleans.len()).map(|_| r.chance(50)).collect() };
        let here = Here { part, numbers: &chosen, booleans: &flags, witness: &witness };
        for _ in 0..r.range(4, 10) {
            match kind {
                Kind::Parity if !chosen.is_empty() && r.chance(60) => equality(r, &mut p, &here),
                Kind::Functions if chosen.len() > 1 && r.chance(60) => comparison(r, &mut p, &here),
                _ => clause(r, &mut p, &here),
            }
        }
    }
    p
}

fn one<T: Copy>(r: &mut Random, from: &[T]) -> T {
    from[r.below(from.len() as u64) as usize]
}

/// A clause that holds at the witness.
fn clause(r: &mut Random, p: &mut Problem, here: &Here<'_>) {
    let literals: Vec<(Literal, bool)> = (0..r.range(1, 4) / 2 + 1).filter_map(|_| literal(r, p, here)).collect();
    if literals.iter().any(|l| l.1) {
        p.clause(here.part, &literals.iter().map(|l| l.0).collect::<Vec<_>>());
    }
}

/// What congruence needs: arguments that are equal and values that are not, or the other way round, under a condition or not.
fn comparison(r: &mut Random, p: &mut Problem, here: &Here<'_>) {
    let applied = |p: &Problem, x: NumVar| p.vocabulary.numbers()[x.index()].application.is_some();
    let values = r.chance(50);
    let alike: Vec<NumVar> = here.numbers.iter().copied().filter(|x| applied(p, *x) == values).collect();
    if alike.len() < 2 {
        return;
    }
    let terms = [(alike[0], 1), (alike[1], -1)];
    let condition = if r.chance(30) { literal(r, p, &Here { numbers: &[], ..*here }) } else { None };
    let at = here.witness.at(&terms);
    // Equality where the witness has it, otherwise order.
    for (sign, constant) in if at == 0 { [(1, 0), (-1, 0)] } else { [(-at.signum(), 1), (-at.signum(), 0)] } {
        let t = linear(&terms, 0).times(&Int::from(sign)).plus(&Int::from(constant), &linear(&[], 1));
        let l = p.vocabulary.less_eq(&t);
        p.clause(here.part, &condition.into_iter().map(|c| c.0).chain([l]).collect::<Vec<_>>());
    }
}

/// An equality with coefficients that leave residues; sometimes its halves are in different parts.
fn equality(r: &mut Random, p: &mut Problem, here: &Here<'_>) {
    let terms = [(one(r, here.numbers), r.range(1, 3)), (one(r, here.numbers), one(r, &[2, 3, 4, 6]))];
    let t = linear(&terms, -here.witness.at(&terms));
    let parts = if r.chance(80) { [here.part, here.part] } else { [here.part, r.below(u64::from(here.part) + 1) as u32] };
    for (t, part) in [t.clone(), t.times(&Int::MINUS_ONE)].iter().zip(parts) {
        let l = p.vocabulary.less_eq(t);
        p.clause(part, &[l]);
    }
}

/// A literal, and whether it holds at the witness.
fn literal(r: &mut Random, p: &mut Problem, here: &Here<'_>) -> Option<(Literal, bool)> {
    if !here.booleans.is_empty() && (here.numbers.is_empty() || r.chance(35)) {
        let v = one(r, here.booleans);
        let value = r.chance(50);
        let at = here.witness.booleans[v.index() % here.witness.booleans.len()];
        return Some((Literal::Lit(plumb_itp::Lit::new(v, value)), at == value));
    }
    if here.numbers.is_empty() {
        return None;
    }
    let mut terms = Vec::new();
    for _ in 0..r.range(1, 3) {
        terms.push((one(r, here.numbers), if r.chance(80) { r.range(-1, 1) } else { r.range(-5, 5) }));
    }
    let at = here.witness.at(&terms);
    // Mostly close to the witness, so that parts are narrow.
    let constant = if r.chance(70) { -at - r.range(0, 1) } else { r.range(-4, 4) };
    let t = linear(&terms, constant);
    let strict = r.chance(50);
    let l = if strict { p.vocabulary.less(&t) } else { p.vocabulary.less_eq(&t) };
    Some((l, at + constant < 0 || (!strict && at + constant == 0)))
}
