//! Craig interpolants from one refutation.
//!
//! **Problem.** The clauses of a [`Proof`] belong to parts. A *cut* is a set A of parts; B is the rest. An interpolant of the cut
//! follows from A, contradicts B, and has variables only that occur on both sides.
//!
//! **Method.** Every clause `C` of the proof gets a partial interpolant `I` with `A ∧ ¬C|a ⇒ I` and `I ∧ B ∧ ¬C|b ⇒ false`, where `C|a` and `C|b` are the
//! literals that the system gives to the sides: those of A alone to A, those of B alone to B, and shared ones, by [`Strength`], to B (McMillan), to both (Pudlák) or
//! to A (dual McMillan). For the empty clause it is the interpolant. Sources: McMillan, *An interpolating theorem prover*, 2005; D'Silva, Kroening, Purandare,
//! Weissenbacher, *Interpolant strength*, VMCAI 2010. Lemmas of the theory are interpolated from their certificates ([`lemma`]).
//!
//! **Families of cuts.** All cuts are read off the same proof. If A ⊆ A' and P = A' \ A, the interpolants satisfy `I ∧ P ⇒ I'` in each of the three systems (the
//! *sequence* property). For disjoint A₁ and A₂ in A', `I₁ ∧ I₂ ∧ P ⇒ I'` (the *tree* property) holds in McMillan's and Pudlák's but not in the dual system: a literal
//! shared by A₁ and A₂ would be given to both. [`tree`] therefore refuses it. What is done for all cuts alike preserves this: a sub-proof all of whose inputs
//! are in A counts as one clause of A (and of B likewise) and is not entered, which is also what makes many cuts cheap: a cut visits only the steps that have inputs of
//! both sides.

mod cut;
pub mod dag;
mod forall;
mod lemma;
mod reduce;
mod running;
mod stuck;
mod walk;

use crate::formula::Formula;
use crate::lit::BoolVar;
use crate::pool::{Id, Pool};
use crate::proof::{Part, Proof};
use rustc_hash::FxHashMap;
use std::fmt;
use walk::Walk;

pub use cut::PartSet;
pub use reduce::{reduce, trim};

/// To which side literals go that occur on both.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Strength {
    /// McMillan's system: to B. The strongest interpolant.
    #[default]
    McMillan,
    /// Pudlák's system: to both.
    Pudlak,
    /// The dual of McMillan's system: to A. The weakest interpolant.
    Dual,
}

/// Why there is no interpolant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Error {
    /// The proof does not end with the empty clause.
    NotRefuted,
    /// The proof uses an atom or a lemma that has variables of A alone and of B alone.
    Mixed,
    /// The dual system has no tree interpolants, and Pudlák's no labels of graphs.
    Unfit,
    /// The parents of a tree do not come after their children, or there is not one for each part.
    BadTree,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Error::NotRefuted => "the proof does not end with the empty clause",
            Error::Mixed => "the proof mixes variables of both sides in one atom or lemma",
            Error::Unfit => "the dual system has no tree interpolants, and Pudlák's no labels of graphs",
            Error::BadTree => "the tree's parents do not come after their children, or are not one for each part",
        })
    }
}

impl std::error::Error for Error {}

/// Interpolants of the cuts between `sets` and the other parts, in order.
pub fn cuts(proof: &Proof, strength: Strength, sets: &[PartSet]) -> Result<Vec<Result<Formula, Error>>, Error> {
    let mut pool = Pool::new(proof.numbers.iter().map(|n| n.sort));
    let ids = in_pool(proof, strength, sets, &mut pool, &|_, _| None)?;
    let mut made = FxHashMap::default();
    Ok(ids.into_iter().map(|id| id.map(|id| pool.export(id, &mut made))).collect())
}

/// Like [`cuts`], with Boolean variables replaced by truth values: `value(i, v)` is what `v` is in the interpolant of the cut `i`, if anything.
fn in_pool(
    proof: &Proof,
    strength: Strength,
    sets: &[PartSet],
    pool: &mut Pool,
    value: &dyn Fn(usize, BoolVar) -> Option<bool>,
) -> Result<Vec<Result<Id, Error>>, Error> {
    if proof.steps.last().is_none_or(|s| !s.clause.is_empty()) {
        return Err(Error::NotRefuted);
    }
    let mut walk = Walk::new(proof, strength);
    Ok(sets.iter().enumerate().map(|(i, a)| walk.run(a, pool, &|v| value(i, v))).collect())
}

/// One interpolant for each cut between the parts `0..k` and the others, for `k` from 1 below the number of parts: each with the next part implies the next one.
pub fn sequence(proof: &Proof, strength: Strength) -> Result<Vec<Result<Formula, Error>>, Error> {
    let sets: Vec<PartSet> = (1..proof.parts).map(PartSet::below).collect();
    cuts(proof, strength, &sets)
}

/// One interpolant for each part: that of the cut between the subtree below the part and the rest. `parents` has the parent of each part, a later one; none for a root, whose
/// interpolant is false where the proof needs nothing outside. The interpolants of the children and a part imply that of the part.
pub fn tree(proof: &Proof, strength: Strength, parents: &[Option<Part>]) -> Result<Vec<Result<Formula, Error>>, Error> {
    if strength == Strength::Dual {
        return Err(Error::Unfit);
    }
    let n = proof.parts as usize;
    let later = |(i, p): (usize, &Option<Part>)| p.is_none_or(|p| p.0 as usize > i && (p.0 as usize) < n);
    if parents.len() != n || !parents.iter().enumerate().all(later) {
        return Err(Error::BadTree);
    }
    let mut sets: Vec<PartSet> = (0..proof.parts).map(|p| [Part(p)].into_iter().collect()).collect();
    for i in 0..n {
        if let Some(parent) = parents[i] {
            let below = sets[i].clone();
            sets[parent.0 as usize].extend_from(&below);
        }
    }
    cuts(proof, strength, &sets)
}
