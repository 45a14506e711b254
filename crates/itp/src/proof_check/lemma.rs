//! Certificates of theory lemmas, added up.

use super::Flaw;
use crate::linear::{Linear, NumVar, Sort};
use crate::lit::Lit;
use crate::proof::{Atom, Certificate, Proof};
use plumb_num::{Int, Rat};
use std::collections::BTreeMap;

/// Checks that the clause is valid by its certificate.
pub fn check(proof: &Proof, clause: &[Lit], certificate: &Certificate) -> Result<(), Flaw> {
    match certificate {
        Certificate::Farkas(multipliers) => farkas(proof, clause, multipliers),
        Certificate::Divisibility(multipliers) => divisibility(proof, clause, multipliers),
        Certificate::Congruence(x, y) => congruence(proof, clause, *x, *y),
    }
}

/// A sum `Σ qᵢ·xᵢ + q`.
#[derive(Default)]
struct Sum {
    terms: BTreeMap<NumVar, Rat>,
    constant: Option<Rat>,
}

impl Sum {
    fn add(&mut self, factor: &Rat, t: &Linear) {
        for (x, a) in t.terms() {
            let q = self.terms.entry(*x).or_insert(Rat::ZERO);
            *q = &*q + &(factor * &Rat::from(a.clone()));
        }
        self.constant = Some(&self.constant() + &(factor * &Rat::from(t.offset().clone())));
    }

    fn constant(&self) -> Rat {
        self.constant.clone().unwrap_or(Rat::ZERO)
    }
}

fn is_integer(proof: &Proof, t: &Linear) -> bool {
    t.terms().iter().all(|(x, _)| proof.numbers[x.index()].sort == Sort::Int)
}

/// The constraint that the negation of a clause's literal asserts: `(t, strict)`.
fn refuted(proof: &Proof, literal: Lit) -> Result<(Linear, bool), Flaw> {
    let Atom::LessEq(t) = &proof.booleans[literal.var().index()].atom else {
        return Err(Flaw::Malformed("a literal of the lemma is not a linear constraint"));
    };
    if !literal.is_positive() {
        return Ok((t.clone(), false));
    }
    // ¬(t ≤ 0): t > 0, and t ≥ 1 over integers.
    let opposite = t.times(&Int::MINUS_ONE);
    if is_integer(proof, t) {
        Ok((Linear::new(opposite.terms().iter().cloned(), opposite.offset() + &Int::ONE), false))
    } else {
        Ok((opposite, true))
    }
}

fn farkas(proof: &Proof, clause: &[Lit], multipliers: &[Rat]) -> Result<(), Flaw> {
    if multipliers.len() != clause.len() {
        return Err(Flaw::Malformed("a Farkas certificate needs one multiplier for each literal"));
    }
    let (mut sum, mut any_strict) = (Sum::default(), false);
    for (&l, q) in clause.iter().zip(multipliers) {
        if q.signum() <= 0 {
            return Err(Flaw::Malformed("a Farkas multiplier is not positive"));
        }
        let (t, strict) = refuted(proof, l)?;
        sum.add(q, &t);
        any_strict |= strict;
    }
    let sign = sum.constant().signum();
    if sum.terms.values().all(Rat::is_zero) && (sign > 0 || (sign == 0 && any_strict)) {
        Ok(())
    } else {
        Err(Flaw::Sum)
    }
}

fn divisibility(proof: &Proof, clause: &[Lit], multipliers: &[Rat]) -> Result<(), Flaw> {
    if clause.len() != 2 * multipliers.len() {
        return Err(Flaw::Malformed("a divisibility certificate needs one multiplier for each pair of literals"));
    }
    let mut sum = Sum::default();
    for (pair, q) in clause.chunks(2).zip(multipliers) {
        let ((t, _), (opposite, _)) = (refuted(proof, pair[0])?, refuted(proof, pair[1])?);
        if !is_integer(proof, &t) {
            return Err(Flaw::Malformed("a divisibility certificate is for integers only"));
        }
        if t.times(&Int::MINUS_ONE) != opposite {
            return Err(Flaw::Malformed("a pair of a divisibility certificate is not an equality"));
        }
        sum.add(q, &t);
    }
    if sum.terms.values().all(Rat::is_integer) && !sum.constant().is_integer() {
        Ok(())
    } else {
        Err(Flaw::Sum)
    }
}

fn difference(x: NumVar, y: NumVar) -> Linear {
    Linear::new([(x, Int::ONE), (y, Int::MINUS_ONE)], Int::ZERO)
}

fn congruence(proof: &Proof, clause: &[Lit], x: NumVar, y: NumVar) -> Result<(), Flaw> {
    let application = |v: NumVar| proof.numbers.get(v.index()).and_then(|n| n.application.as_ref());
    let (Some((f, a)), Some((g, b))) = (application(x), application(y)) else {
        return Err(Flaw::Malformed("a congruence certificate names a variable that is no application"));
    };
    if f != g || a.len() != b.len() {
        return Err(Flaw::Malformed("the applications of a congruence certificate are of different functions"));
    }
    let mut expected = Vec::new();
    for (&a, &b) in a.iter().zip(b).filter(|(a, b)| a != b) {
        expected.extend([difference(a, b), difference(b, a)]);
    }
    let Some((&last, arguments)) = clause.split_last() else {
        return Err(Flaw::Malformed("a congruence has a conclusion"));
    };
    // Equal pairs of arguments share their literals.
    if !arguments.iter().all(|&l| expected.iter().any(|d| asserts(proof, !l, d))) {
        return Err(Flaw::Malformed("a congruence has a literal that is not about its arguments"));
    }
    if !expected.iter().all(|d| arguments.iter().any(|&l| asserts(proof, !l, d))) {
        return Err(Flaw::Malformed("an argument's equality is missing in a congruence"));
    }
    if asserts(proof, last, &difference(x, y)) {
        Ok(())
    } else {
        Err(Flaw::Malformed("the conclusion of a congruence is another one"))
    }
}

/// Whether `literal` asserts `t ≤ 0`.
fn asserts(proof: &Proof, literal: Lit, t: &Linear) -> bool {
    refuted(proof, !literal).is_ok_and(|(u, strict)| !strict && u == *t)
}
