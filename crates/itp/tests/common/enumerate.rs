//! A theory for tests: integers between 0 and a small bound, by enumeration of all points.
//!
//! Its lemmas are valid over this domain, not over all integers; their certificates are void. How much it propagates, and what it leaves to
//! lemmas and splits in the complete check, varies with a seed, so that every path of the search is taken.

use super::Rng;
use plumb_itp::linear::{Linear, NumVar};
use plumb_itp::proof::{Atom, Certificate};
use plumb_itp::theory::{Final, Lemma, Theory};
use plumb_itp::vocabulary::{Literal, Vocabulary};
use plumb_itp::Lit;
use plumb_num::{Int, Rat};
use std::collections::BTreeMap;

pub type Point = Vec<i64>;

/// All points with `numbers` coordinates from 0 to `bound`.
pub fn points(numbers: usize, bound: i64) -> Vec<Point> {
    (0..numbers).fold(vec![Vec::new()], |all, _| all.iter().flat_map(|p| (0..=bound).map(|v| [p.as_slice(), &[v]].concat())).collect())
}

pub fn value(t: &Linear, point: &[i64]) -> i64 {
    let small = |i: &Int| i.to_string().parse::<i64>().unwrap();
    t.terms().iter().map(|(x, a)| small(a) * point[x.index()]).sum::<i64>() + small(t.offset())
}

pub fn holds(atom: &Atom, lit: Lit, point: &[i64]) -> bool {
    match atom {
        Atom::LessEq(t) => (value(t, point) <= 0) == lit.is_positive(),
        Atom::Boolean => panic!("a Boolean was asserted"),
    }
}

/// Whether a clause of atoms holds at all points.
pub fn valid(booleans: &[plumb_itp::proof::Meaning], clause: &[Lit], points: &[Point]) -> bool {
    points.iter().all(|p| clause.iter().any(|&l| holds(&booleans[l.var().index()].atom, l, p)))
}

pub struct Enumerate {
    bound: i64,
    points: Vec<Point>,
    atoms: Vec<Atom>,
    stack: Vec<Lit>,
    limits: Vec<usize>,
    /// For propagated literals, how many literals were asserted then.
    propagated: BTreeMap<Lit, usize>,
    model: Point,
    /// 0: complete propagation; 1: conflicts only; 2: nothing before the complete check, which answers with lemmas.
    laziness: usize,
    splitting: bool,
    rng: Rng,
}

impl Enumerate {
    pub fn new(bound: i64, laziness: usize, splitting: bool, seed: u64) -> Enumerate {
        Enumerate {
            bound,
            points: vec![Vec::new()],
            atoms: Vec::new(),
            stack: Vec::new(),
            limits: Vec::new(),
            propagated: BTreeMap::new(),
            model: Vec::new(),
            laziness,
            splitting,
            rng: Rng::new(seed),
        }
    }

    fn holds(&self, lit: Lit, point: &[i64]) -> bool {
        holds(&self.atoms[lit.var().index()], lit, point)
    }

    fn models(&self, lits: &[Lit]) -> Vec<Point> {
        self.points.iter().filter(|p| lits.iter().all(|&l| self.holds(l, p))).cloned().collect()
    }

    /// A minimal part of `lits` that has no model together with `fixed`, as a lemma.
    fn lemma(&self, mut lits: Vec<Lit>, fixed: Option<Lit>) -> Lemma {
        let unsat = |s: &Enumerate, lits: &[Lit]| s.models(&[lits, fixed.as_slice()].concat()).is_empty();
        assert!(unsat(self, &lits));
        for i in (0..lits.len()).rev() {
            let mut fewer = lits.clone();
            fewer.remove(i);
            if unsat(self, &fewer) {
                lits = fewer;
            }
        }
        let clause = lits.iter().chain(&fixed).map(|&l| !l).collect();
        Lemma { clause, certificate: Certificate::Farkas(Vec::new()) }
    }

    fn is_asserted(&self, lit: Lit) -> bool {
        self.stack.iter().any(|l| l.var() == lit.var())
    }
}

impl Theory for Enumerate {
    fn declare(&mut self, vocabulary: &Vocabulary) {
        self.atoms = vocabulary.booleans().iter().map(|m| m.atom.clone()).collect();
        if self.points[0].len() != vocabulary.numbers().len() {
            self.points = points(vocabulary.numbers().len(), self.bound);
        }
    }

    fn push(&mut self) {
        self.limits.push(self.stack.len());
    }

    fn pop(&mut self, levels: usize) {
        let keep = self.limits[self.limits.len() - levels];
        self.limits.truncate(self.limits.len() - levels);
        self.stack.truncate(keep);
        self.propagated.retain(|_, &mut n| n <= keep);
    }

    fn assert(&mut self, lit: Lit) -> Result<(), Lemma> {
        assert!(!self.is_asserted(lit), "{lit:?} twice");
        for &other in &self.stack {
            if self.models(&[other, lit]).is_empty() {
                return Err(self.lemma(vec![other], Some(lit)));
            }
        }
        self.stack.push(lit);
        if self.models(&[lit]).is_empty() {
            return Err(self.lemma(vec![lit], None));
        }
        Ok(())
    }

    fn propagate(&mut self, implied: &mut Vec<Lit>) -> Result<(), Lemma> {
        if self.laziness == 2 {
            return Ok(());
        }
        let models = self.models(&self.stack);
        if models.is_empty() {
            return Err(self.lemma(self.stack.clone(), None));
        }
        if self.laziness == 1 {
            return Ok(());
        }
        for (i, atom) in self.atoms.iter().enumerate() {
            let lit = plumb_itp::BoolVar(i as u32).positive();
            if *atom == Atom::Boolean || self.is_asserted(lit) || self.rng.chance(4) {
                continue;
            }
            for lit in [lit, !lit] {
                if models.iter().all(|p| holds(atom, lit, p)) {
                    // What is implied again stays explained by the first time.
                    self.propagated.entry(lit).or_insert(self.stack.len());
                    implied.push(lit);
                }
            }
        }
        Ok(())
    }

    fn explain(&mut self, lit: Lit) -> Lemma {
        let asserted = self.propagated[&lit];
        self.lemma(self.stack[..asserted].to_vec(), Some(!lit))
    }

    fn check(&mut self, vocabulary: &mut Vocabulary) -> Final {
        let models = self.models(&self.stack);
        let Some(first) = models.first() else {
            let lemma = self.lemma(self.stack.clone(), None);
            return match self.rng.chance(2) {
                true => Final::Conflict(lemma),
                false => Final::Refine { lemmas: vec![lemma], splits: Vec::new() },
            };
        };
        if self.splitting {
            for x in 0..vocabulary.numbers().len() {
                let values: Vec<i64> = models.iter().map(|p| p[x]).collect();
                let (low, high) = (*values.iter().min().unwrap(), *values.iter().max().unwrap());
                if low == high {
                    continue;
                }
                let x = NumVar(x as u32);
                let k = self.rng.range(low, high - 1);
                let mut at_most = |k: i64| {
                    let Literal::Lit(l) = vocabulary.less_eq(&Linear::new([(x, Int::ONE)], Int::from(-k))) else { panic!() };
                    vocabulary.place(l.var());
                    l
                };
                let split = at_most(k);
                let weaker = at_most(k + 1);
                let lemma = Lemma { clause: vec![!split, weaker], certificate: Certificate::Farkas(Vec::new()) };
                let satisfied = self.stack.contains(&!split) || self.stack.contains(&weaker);
                let lemmas = if satisfied || self.rng.chance(2) { Vec::new() } else { vec![lemma] };
                return Final::Refine { lemmas, splits: vec![if self.rng.chance(2) { split } else { !split }] };
            }
        }
        self.model = first.clone();
        Final::Consistent
    }

    fn value(&self, var: NumVar) -> Rat {
        Rat::from(self.model[var.index()])
    }
}
