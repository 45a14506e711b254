//! Interpolants of theory lemmas, from their certificates.
//!
//! The literals of a lemma `¬l₁ ∨ … ∨ ¬lₖ` are constraints that contradict each other; `on_a` says which of them the system gives to A (a literal that it gives to
//! both counts for B). The interpolant follows from A's constraints and contradicts B's.
//!
//! - **Farkas.** The sum of A's constraints with their multipliers. The variables of A alone cancel, as the whole sum has none and B's constraints do not mention them; likewise those of B. Over integers
//!   the sum is tightened.
//! - **Divisibility.** A's equalities sum up to `s = Σ λᵢ·tᵢ = 0`. A variable of A alone has the same coefficient in `s` as in the whole sum: an integer. With
//!   `g` the greatest common divisor of these, A implies that the rest of `s` is a multiple of `g` (equal to 0 if there are none). B's equalities imply that the rest is
//!   not an integer. An equality with one half on each side is given to B; A adds its half, which is over shared variables.
//! - **Congruence.** A clause about variables of one side is a clause of that side. A mixed one is not interpolated.

use super::cut::{Cut, Side};
use super::{Error, Strength};
use crate::linear::{Linear, NumVar};
use crate::lit::Lit;
use crate::pool::{Id, Pool};
use crate::proof::{Atom, Certificate, Proof};
use plumb_num::{Int, Rat};
use std::collections::BTreeMap;

/// A rational sum of linear forms.
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
        let constant = factor * &Rat::from(t.offset().clone());
        self.constant = Some(self.constant.as_ref().map_or(constant.clone(), |c| c + &constant));
    }

    /// The least positive `D` that makes `D·self` integer, and `D·self`.
    fn scaled(self) -> (Int, Linear) {
        let constant = self.constant.unwrap_or(Rat::ZERO);
        let scale = self.terms.values().fold(constant.den().clone(), |d, q| d.lcm(q.den()));
        let integer = |q: &Rat| q.num() * &scale.div_exact(q.den());
        let t = Linear::new(self.terms.iter().map(|(x, q)| (*x, integer(q))), integer(&constant));
        (scale, t)
    }
}

/// Whether the system counts a literal of this side for A.
pub fn on_a(strength: Strength, side: Side) -> bool {
    side == Side::A || (side == Side::Shared && strength == Strength::Dual)
}

/// The partial interpolant of a Farkas or divisibility lemma.
pub fn arithmetic(
    proof: &Proof,
    cut: &Cut<'_>,
    strength: Strength,
    clause: &[Lit],
    certificate: &Certificate,
    pool: &mut Pool,
) -> Result<Id, Error> {
    let sides = clause.iter().map(|l| cut.boolean(l.var()).ok_or(Error::Mixed)).collect::<Result<Vec<Side>, Error>>()?;
    let mine: Vec<bool> = sides.iter().map(|&s| on_a(strength, s)).collect();
    match certificate {
        Certificate::Farkas(multipliers) => Ok(farkas(proof, clause, &mine, multipliers, pool)),
        Certificate::Divisibility(multipliers) => Ok(divisibility(proof, cut, strength, clause, &mine, multipliers, pool)),
        Certificate::Congruence(..) => Err(Error::Mixed),
    }
}

fn farkas(proof: &Proof, clause: &[Lit], mine: &[bool], multipliers: &[Rat], pool: &mut Pool) -> Id {
    if mine.iter().all(|m| *m) {
        return Id::FALSE;
    }
    let (mut sum, mut any_strict) = (Sum::default(), false);
    for ((&l, q), _) in clause.iter().zip(multipliers).zip(mine).filter(|(_, m)| **m) {
        match (&proof.booleans[l.var().index()].atom, l.is_positive()) {
            // The common case without a copy.
            (Atom::LessEq(t), false) => sum.add(q, t),
            _ => {
                let Some((t, strict)) = proof.constraint(!l) else { continue };
                sum.add(q, &t);
                any_strict |= strict;
            }
        }
    }
    pool.less_eq(&sum.scaled().1, any_strict)
}

fn divisibility(
    proof: &Proof,
    cut: &Cut<'_>,
    strength: Strength,
    clause: &[Lit],
    mine: &[bool],
    multipliers: &[Rat],
    pool: &mut Pool,
) -> Id {
    let mut sum = Sum::default();
    let mut conjuncts = Vec::new();
    for (i, q) in multipliers.iter().enumerate() {
        let half = |j: usize| proof.constraint(!clause[j]).map(|(t, _)| t);
        let Some(t) = half(2 * i) else { continue };
        match (mine[2 * i], mine[2 * i + 1]) {
            (true, true) => sum.add(q, &t),
            (true, false) => conjuncts.push(pool.less_eq(&t, false)),
            (false, true) => conjuncts.extend(half(2 * i + 1).map(|t| pool.less_eq(&t, false))),
            (false, false) => {}
        }
    }
    let local = |x: NumVar| cut.number(x) == Some(Side::A);
    let gcd = sum.terms.iter().filter(|(x, _)| local(**x)).fold(Int::ZERO, |g, (_, q)| g.gcd(q.num()));
    sum.terms.retain(|x, _| !local(*x));
    let (scale, rest) = sum.scaled();
    conjuncts.push(match strength {
        // Weaker, and enough: an integer.
        Strength::Dual => pool.divides(&scale, &rest),
        _ if gcd.is_zero() => pool.equal(&rest),
        _ => pool.divides(&(&gcd * &scale), &rest),
    });
    pool.and(conjuncts)
}
