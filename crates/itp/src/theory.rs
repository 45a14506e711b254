//! What the search asks of the theory of linear arithmetic with functions.

use crate::linear::NumVar;
use crate::lit::Lit;
use crate::proof::{Atom, Certificate};
use crate::vocabulary::Vocabulary;
use plumb_num::Rat;

/// A clause that the theory proves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lemma {
    /// Its literals, in the order that the certificate refers to.
    pub clause: Vec<Lit>,
    /// Why it holds.
    pub certificate: Certificate,
}

/// What a complete check found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Final {
    /// The asserted literals have a model over the variables' sorts.
    Consistent,
    /// They have not, for this reason: a lemma all of whose literals are false.
    Conflict(Lemma),
    /// Go on with these lemmas, whose literals may be new, and decide these new literals (to branch); not both empty.
    Refine {
        /// Lemmas, none of them satisfied.
        lemmas: Vec<Lemma>,
        /// Atoms without a value yet: the search decides the first one without a value next, as the literal says.
        splits: Vec<Lit>,
    },
    /// The theory gives up on these literals.
    Unknown,
}

/// A decision procedure for conjunctions of literals, asserted and retracted like a stack.
///
/// **Obligations.** A conflict or a lemma is valid in the theory, by its certificate. A propagated literal is implied by literals that were
/// asserted before, and [`explain`](Theory::explain) can say by which as long as it has not been retracted. New atoms come from the [`Vocabulary`] and are
/// *placed* ([`Vocabulary::place`]) before they are handed out. Between two `check`s the sequence of calls determines the answers.
pub trait Theory {
    /// The search has literals for atoms that the theory has not seen: `vocabulary` has grown. At any level; may find nothing new.
    fn declare(&mut self, vocabulary: &Vocabulary);

    /// A new question begins: what limits the effort for one question starts again. When the time is over, a long computation may end early: `propagate` then has
    /// found less, and `check` answers [`Final::Unknown`].
    fn begin(&mut self, _time: &plumb_term::Budget) {}

    /// How much was computed so far, in steps that take about the same time: the same for the same calls, on any machine.
    fn work(&self) -> u64 {
        0
    }

    /// Opens a level.
    fn push(&mut self);

    /// Retracts the assertions of the last `levels` levels.
    fn pop(&mut self, levels: usize);

    /// Asserts a literal of a linear atom. Cheap: finds conflicts between bounds only.
    fn assert(&mut self, lit: Lit) -> Result<(), Lemma>;

    /// Decides the asserted literals over the rationals and adds implied atoms without a value to `implied`.
    fn propagate(&mut self, implied: &mut Vec<Lit>) -> Result<(), Lemma>;

    /// Why `lit`, which was propagated, holds: a lemma with `lit` and negations of literals asserted before it.
    fn explain(&mut self, lit: Lit) -> Lemma;

    /// All atoms that matter have a value (some may have none: the clauses hold without them) and `propagate` found nothing: decides
    /// the literals over the variables' sorts, and congruence.
    fn check(&mut self, vocabulary: &mut Vocabulary) -> Final;

    /// The value of `var` in the model of the literals. Asked only after `check` found them [`Final::Consistent`], before any other call.
    fn value(&self, var: NumVar) -> Rat;
}

/// The theory without atoms: for problems that are purely Boolean.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NoTheory;

impl Theory for NoTheory {
    fn declare(&mut self, _: &Vocabulary) {}

    fn push(&mut self) {}

    fn pop(&mut self, _: usize) {}

    fn assert(&mut self, _: Lit) -> Result<(), Lemma> {
        Ok(())
    }

    fn propagate(&mut self, _: &mut Vec<Lit>) -> Result<(), Lemma> {
        Ok(())
    }

    /// It propagates nothing, so there is nothing to explain.
    fn explain(&mut self, lit: Lit) -> Lemma {
        Lemma { clause: vec![lit], certificate: Certificate::Farkas(Vec::new()) }
    }

    /// Linear atoms are beyond it.
    fn check(&mut self, vocabulary: &mut Vocabulary) -> Final {
        match vocabulary.booleans().iter().all(|m| m.atom == Atom::Boolean) {
            true => Final::Consistent,
            false => Final::Unknown,
        }
    }

    fn value(&self, _: NumVar) -> Rat {
        Rat::ZERO
    }
}
