//! Random conjunctions against other procedures; every lemma is checked from the definitions of certificates.

mod functions;
mod integers;
mod rationals;
mod walks;

use super::Arithmetic;
use crate::linear::{Linear, NumVar, Sort};
use crate::lit::Lit;
use crate::proof::{Certificate, Part, Proof};
use crate::theory::{Final, Lemma, Theory};
use crate::vocabulary::{Literal, Vocabulary};
use plumb_num::{Int, Rat};
use std::collections::BTreeMap;

/// A constraint `Σ aᵢ·xᵢ + c ≤ 0`, or `< 0`.
#[derive(Clone, Debug)]
pub(super) struct Constraint {
    pub(super) terms: Vec<i64>,
    pub(super) constant: i64,
    pub(super) strict: bool,
}

/// A vocabulary with some variables, all in one part.
pub(super) fn variables(sorts: &[Sort]) -> (Vocabulary, Vec<NumVar>) {
    let mut vocabulary = Vocabulary::default();
    let numbers = sorts.iter().map(|s| vocabulary.number(*s)).collect();
    (vocabulary, numbers)
}

pub(super) fn linear(vars: &[NumVar], terms: &[i64], constant: i64) -> Linear {
    Linear::new(vars.iter().copied().zip(terms.iter().map(|a| Int::from(*a))), Int::from(constant))
}

/// The literals of constraints; nothing if one of them is false by itself.
pub(super) fn literals(vocabulary: &mut Vocabulary, vars: &[NumVar], constraints: &[Constraint]) -> Option<Vec<Lit>> {
    let mut lits = Vec::new();
    for c in constraints {
        let t = linear(vars, &c.terms, c.constant);
        match if c.strict { vocabulary.less(&t) } else { vocabulary.less_eq(&t) } {
            Literal::Lit(l) => {
                vocabulary.occurs(l.var(), Part(0));
                lits.push(l);
            }
            Literal::Constant(true) => {}
            Literal::Constant(false) => return None,
        }
    }
    Some(lits)
}

/// Checks a lemma by the definition of its certificate.
pub(super) fn is_valid(lemma: &Lemma, vocabulary: &Vocabulary) -> bool {
    let proof = Proof { parts: 1, booleans: vocabulary.booleans().to_vec(), numbers: vocabulary.numbers().to_vec(), steps: Vec::new() };
    let sum = |items: &[(Linear, Rat)]| {
        let mut terms: BTreeMap<NumVar, Rat> = BTreeMap::new();
        let mut constant = Rat::ZERO;
        for (t, m) in items {
            for (x, a) in t.terms() {
                let s = terms.get(x).unwrap_or(&Rat::ZERO) + &(m * &Rat::from(a.clone()));
                terms.insert(*x, s);
            }
            constant = &constant + &(m * &Rat::from(t.offset().clone()));
        }
        (terms, constant)
    };
    match &lemma.certificate {
        Certificate::Farkas(multipliers) => {
            assert_eq!(multipliers.len(), lemma.clause.len());
            let constraints: Vec<_> = lemma.clause.iter().map(|l| proof.constraint(!*l).unwrap()).collect();
            let strict = constraints.iter().any(|c| c.1);
            let items: Vec<_> = constraints.into_iter().map(|c| c.0).zip(multipliers.iter().cloned()).collect();
            let (terms, constant) = sum(&items);
            multipliers.iter().all(|m| m.signum() > 0)
                && terms.values().all(Rat::is_zero)
                && (constant.signum() > 0 || strict && constant.is_zero())
        }
        Certificate::Divisibility(multipliers) => {
            assert_eq!(2 * multipliers.len(), lemma.clause.len());
            let mut items = Vec::new();
            for (pair, m) in lemma.clause.chunks(2).zip(multipliers) {
                let (one, other) = (proof.constraint(!pair[0]).unwrap(), proof.constraint(!pair[1]).unwrap());
                if one.1 || other.1 || one.0.times(&Int::MINUS_ONE) != other.0 || !vocabulary.is_integer(&one.0) {
                    return false;
                }
                items.push((one.0, m.clone()));
            }
            let (terms, constant) = sum(&items);
            terms.values().all(Rat::is_integer) && !constant.is_integer()
        }
        Certificate::Congruence(x, y) => {
            let application = |x: &NumVar| vocabulary.numbers()[x.index()].application.clone().unwrap();
            let ((f, a), (g, b)) = (application(x), application(y));
            let mut vocabulary = vocabulary.clone();
            let mut at_most = |a: NumVar, b: NumVar| {
                let t = Linear::new([(a, Int::ONE), (b, Int::MINUS_ONE)], Int::ZERO);
                let Literal::Lit(l) = vocabulary.less_eq(&t) else { panic!() };
                l
            };
            let mut expected = Vec::new();
            for (&a, &b) in a.iter().zip(&b).filter(|(a, b)| a != b) {
                expected.extend([!at_most(a, b), !at_most(b, a)]);
            }
            expected.push(at_most(*x, *y));
            f == g && expected == lemma.clause
        }
    }
}

/// Whether the model of the theory satisfies a literal.
pub(super) fn holds(theory: &Arithmetic, vocabulary: &Vocabulary, lit: Lit) -> bool {
    let proof = Proof { parts: 1, booleans: vocabulary.booleans().to_vec(), numbers: vocabulary.numbers().to_vec(), steps: Vec::new() };
    let (t, strict) = proof.constraint(lit).unwrap();
    let mut sum = Rat::from(t.offset().clone());
    for (x, a) in t.terms() {
        let value = theory.value(*x);
        assert!(vocabulary.numbers()[x.index()].sort == Sort::Real || value.is_integer());
        sum = &sum + &(&value * &Rat::from(a.clone()));
    }
    sum.signum() < 0 || !strict && sum.is_zero()
}

/// What became of a conjunction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Answer {
    Sat,
    Unsat,
    Unknown,
}

/// Levels of [`Driver`], which recurs.
const DEPTH: usize = 150;

/// A plain search over the clauses of lemmas, the least that a theory needs; checks all that the theory says.
pub(super) struct Driver {
    pub(super) theory: Arithmetic,
    pub(super) vocabulary: Vocabulary,
    clauses: Vec<Vec<Lit>>,
    trail: Vec<Lit>,
}

impl Driver {
    pub(super) fn new(vocabulary: Vocabulary) -> Driver {
        let mut theory = Arithmetic::new();
        theory.declare(&vocabulary);
        Driver { theory, vocabulary, clauses: Vec::new(), trail: Vec::new() }
    }

    fn value(&self, lit: Lit) -> Option<bool> {
        self.trail.iter().find(|l| l.var() == lit.var()).map(|l| *l == lit)
    }

    fn conflict(&self, lemma: &Lemma) -> Answer {
        assert!(is_valid(lemma, &self.vocabulary), "{lemma:?}");
        assert!(lemma.clause.iter().all(|l| self.value(*l) == Some(false)), "a conflict with a literal that is not false: {lemma:?}");
        Answer::Unsat
    }

    /// Asserts a literal; whether that is consistent.
    fn assert(&mut self, lit: Lit) -> bool {
        if let Some(value) = self.value(lit) {
            return value;
        }
        self.trail.push(lit);
        match self.theory.assert(lit) {
            Ok(()) => true,
            Err(lemma) => {
                self.conflict(&lemma);
                false
            }
        }
    }

    /// Propagates theory and clauses; whether that is consistent.
    fn propagate(&mut self) -> bool {
        loop {
            let mut implied = Vec::new();
            if let Err(lemma) = self.theory.propagate(&mut implied) {
                self.conflict(&lemma);
                return false;
            }
            let known = self.trail.len();
            for lit in implied.clone() {
                let lemma = self.theory.explain(lit);
                assert!(is_valid(&lemma, &self.vocabulary), "{lemma:?}");
                assert!(lemma.clause.contains(&lit));
                let others = lemma.clause.iter().filter(|l| **l != lit);
                assert!(others.clone().all(|l| self.trail[..known].contains(&!*l)), "a reason that was not asserted before");
                if !self.assert(lit) {
                    return false;
                }
            }
            let mut unit = None;
            for clause in &self.clauses {
                let open: Vec<Lit> = clause.iter().copied().filter(|l| self.value(*l) != Some(false)).collect();
                match open[..] {
                    [] => return false,
                    [l] if self.value(l).is_none() => unit = Some(l),
                    _ => {}
                }
            }
            match unit {
                Some(l) if !self.assert(l) => return false,
                Some(_) => {}
                None if implied.is_empty() => return true,
                None => {}
            }
        }
    }

    fn branch(&mut self, lit: Lit) -> Answer {
        if self.theory.levels.len() > DEPTH {
            return Answer::Unknown;
        }
        let mut answer = Answer::Unsat;
        for l in [lit, !lit] {
            let keep = self.trail.len();
            self.theory.push();
            let result = if self.assert(l) { self.search() } else { Answer::Unsat };
            if result == Answer::Sat {
                return result;
            }
            self.theory.pop(1);
            self.trail.truncate(keep);
            if result == Answer::Unknown {
                answer = result;
            }
        }
        answer
    }

    fn search(&mut self) -> Answer {
        loop {
            if !self.propagate() {
                return Answer::Unsat;
            }
            let open = self.clauses.iter().find(|c| c.iter().all(|l| self.value(*l) != Some(true)));
            if let Some(&lit) = open.and_then(|c| c.iter().find(|l| self.value(**l).is_none())) {
                return self.branch(lit);
            }
            match self.theory.check(&mut self.vocabulary) {
                Final::Consistent => {
                    assert!(self.trail.iter().all(|l| holds(&self.theory, &self.vocabulary, *l)), "the model is none");
                    return Answer::Sat;
                }
                Final::Conflict(lemma) => return self.conflict(&lemma),
                Final::Unknown => return Answer::Unknown,
                Final::Refine { lemmas, splits } => {
                    self.theory.declare(&self.vocabulary);
                    assert!(!lemmas.is_empty() || !splits.is_empty());
                    for lemma in lemmas {
                        assert!(is_valid(&lemma, &self.vocabulary), "{lemma:?}");
                        assert!(lemma.clause.iter().all(|l| self.value(*l) != Some(true)), "a satisfied lemma");
                        self.clauses.push(lemma.clause);
                    }
                    if let Some(&lit) = splits.first() {
                        assert_eq!(self.value(lit), None);
                        return self.branch(lit);
                    }
                }
            }
        }
    }

    /// Decides a conjunction of literals.
    pub(super) fn decide(&mut self, lits: &[Lit]) -> Answer {
        self.theory.begin(&plumb_term::Budget::unlimited());
        let keep = self.trail.len();
        self.theory.push();
        let answer = if lits.iter().all(|l| self.assert(*l)) { self.search() } else { Answer::Unsat };
        assert!(self.theory.tableau.is_well_formed());
        let levels = self.theory.levels.len();
        self.theory.pop(levels);
        self.trail.truncate(keep);
        answer
    }
}
