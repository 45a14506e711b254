//! Random formulas, with a meaning of their own.

use super::Rng;
use plumb_itp::linear::{Linear, NumVar};
use plumb_itp::theory::Theory;
use plumb_itp::{Lit, Literal, Solver};
use plumb_num::{Int, Rat};

#[derive(Clone, Debug)]
pub enum F {
    Constant(bool),
    Bool(usize),
    LessEq(Vec<i64>, i64),
    Less(Vec<i64>, i64),
    Equal(Vec<i64>, i64),
    Not(Box<F>),
    And(Vec<F>),
    Or(Vec<F>),
    Implies(Box<F>, Box<F>),
    Iff(Box<F>, Box<F>),
    Ite(Box<F>, Box<F>, Box<F>),
}

/// The variables of formulas.
pub struct Variables {
    pub booleans: Vec<Lit>,
    pub numbers: Vec<NumVar>,
}

impl F {
    /// A formula over that many Booleans and numbers.
    pub fn random(rng: &mut Rng, booleans: usize, numbers: usize, depth: usize) -> F {
        let sub = |rng: &mut Rng| F::random(rng, booleans, numbers, depth - 1);
        if depth == 0 || rng.chance(6) {
            if rng.chance(30) {
                return F::Constant(rng.chance(2));
            }
            if numbers == 0 || booleans > 0 && rng.chance(3) {
                return F::Bool(rng.below(booleans));
            }
            let coefficients = (0..numbers).map(|_| if rng.chance(2) { 0 } else { rng.range(-3, 3) }).collect();
            let c = rng.range(-6, 6);
            return match rng.below(3) {
                0 => F::LessEq(coefficients, c),
                1 => F::Less(coefficients, c),
                _ => F::Equal(coefficients, c),
            };
        }
        let some = |rng: &mut Rng| (0..1 + rng.below(4)).map(|_| sub(rng)).collect::<Vec<F>>();
        match rng.below(9) {
            0 => F::Not(Box::new(sub(rng))),
            1..=3 => F::And(some(rng)),
            4..=5 => F::Or(some(rng)),
            6 => F::Implies(Box::new(sub(rng)), Box::new(sub(rng))),
            7 => F::Iff(Box::new(sub(rng)), Box::new(sub(rng))),
            _ => F::Ite(Box::new(sub(rng)), Box::new(sub(rng)), Box::new(sub(rng))),
        }
    }

    pub fn build<T: Theory>(&self, s: &mut Solver<T>, v: &Variables) -> Literal {
        let linear = |a: &[i64], c: i64| Linear::new(v.numbers.iter().zip(a).map(|(x, a)| (*x, Int::from(*a))), Int::from(c));
        match self {
            F::Constant(b) => Literal::Constant(*b),
            F::Bool(i) => Literal::Lit(v.booleans[*i]),
            F::LessEq(a, c) => s.less_eq(&linear(a, *c)),
            F::Less(a, c) => s.less(&linear(a, *c)),
            F::Equal(a, c) => s.equal(&linear(a, *c)),
            F::Not(f) => {
                let f = f.build(s, v);
                s.not(f)
            }
            F::And(fs) => {
                let fs: Vec<Literal> = fs.iter().map(|f| f.build(s, v)).collect();
                s.and(&fs)
            }
            F::Or(fs) => {
                let fs: Vec<Literal> = fs.iter().map(|f| f.build(s, v)).collect();
                s.or(&fs)
            }
            F::Implies(f, g) => {
                let (f, g) = (f.build(s, v), g.build(s, v));
                s.implies(f, g)
            }
            F::Iff(f, g) => {
                let (f, g) = (f.build(s, v), g.build(s, v));
                s.iff(f, g)
            }
            F::Ite(c, f, g) => {
                let (c, f, g) = (c.build(s, v), f.build(s, v), g.build(s, v));
                s.ite(c, f, g)
            }
        }
    }

    pub fn holds(&self, booleans: &[bool], point: &[i64]) -> bool {
        self.evaluate(booleans, &|a, c| (a.iter().zip(point).map(|(a, x)| a * x).sum::<i64>() + c).signum())
    }

    pub fn holds_at(&self, booleans: &[bool], point: &[Rat]) -> bool {
        let value = |a: &[i64], c: i64| {
            let sum = a.iter().zip(point).fold(Rat::from(c), |sum, (a, x)| &sum + &(&Rat::from(*a) * x));
            i64::from(sum.signum())
        };
        self.evaluate(booleans, &value)
    }

    /// The truth value, where `sign` gives the sign of a linear form.
    fn evaluate(&self, booleans: &[bool], sign: &dyn Fn(&[i64], i64) -> i64) -> bool {
        let sub = |f: &F| f.evaluate(booleans, sign);
        match self {
            F::Constant(b) => *b,
            F::Bool(i) => booleans[*i],
            F::LessEq(a, c) => sign(a, *c) <= 0,
            F::Less(a, c) => sign(a, *c) < 0,
            F::Equal(a, c) => sign(a, *c) == 0,
            F::Not(f) => !sub(f),
            F::And(fs) => fs.iter().all(sub),
            F::Or(fs) => fs.iter().any(sub),
            F::Implies(f, g) => !sub(f) || sub(g),
            F::Iff(f, g) => sub(f) == sub(g),
            F::Ite(c, f, g) => sub(if sub(c) { f } else { g }),
        }
    }
}

/// Whether some values satisfy all formulas.
pub fn satisfiable(formulas: &[F], booleans: usize, points: &[Vec<i64>]) -> bool {
    (0..1u32 << booleans).any(|bits| {
        let values: Vec<bool> = (0..booleans).map(|i| bits >> i & 1 == 1).collect();
        points.iter().any(|p| formulas.iter().all(|f| f.holds(&values, p)))
    })
}
