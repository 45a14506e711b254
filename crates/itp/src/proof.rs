//! Refutations: resolution over clauses of parts and lemmas of the theories.
//!
//! A [`Proof`] is a list of steps, each a clause with the reason why it holds; the last one is empty (or holds only negated
//! assumptions). A step mentions earlier steps only. The proof carries what a reader needs to know of the vocabulary: what each
//! Boolean variable stands for and in which parts each variable occurs. It has no link to the solver that wrote it.
//!
//! **Purity.** All variables of a linear atom occur together in at least one part; an atom that the solver made up itself (to branch, to cut)
//! obeys this too and *occurs* in the parts where all of its variables do. [`Meaning::mixed`] marks the exceptions, which equality
//! of function arguments from different parts can make necessary: a proof that uses one is a proof, but may not interpolate.

use crate::linear::{Linear, NumVar, Sort};
use crate::lit::{BoolVar, Lit};
use plumb_num::{Int, Rat};

/// One of the conjuncts between which cuts are made.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Part(pub u32);

/// Index of a step in a [`Proof`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StepId(pub u32);

/// An uninterpreted function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Fun(pub u32);

/// What a Boolean variable stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Atom {
    /// Nothing but itself.
    Boolean,
    /// `linear ≤ 0`. Where all variables are integers, the negation is `-linear + 1 ≤ 0`, otherwise `linear > 0`.
    LessEq(Linear),
}

/// A Boolean variable of a proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Meaning {
    /// What it stands for.
    pub atom: Atom,
    /// The parts in which it occurs, ascending.
    pub parts: Vec<Part>,
    /// Whether no part has all of its variables.
    pub mixed: bool,
}

/// A numeric variable of a proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Number {
    /// What it ranges over.
    pub sort: Sort,
    /// The parts in which it occurs, ascending.
    pub parts: Vec<Part>,
    /// The application it names, if it does: the value of `function` at `arguments`.
    pub application: Option<(Fun, Vec<NumVar>)>,
}

/// Why a lemma, a clause `¬l₁ ∨ … ∨ ¬lₖ`, is valid in the theory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Certificate {
    /// Farkas: each `lᵢ` is a linear constraint `tᵢ ≤ 0` or `tᵢ < 0`; the sum of `λᵢ·tᵢ` with these `λᵢ > 0`, in the order of the clause's literals, is a
    /// constant above zero, or zero where one of the constraints is strict.
    Farkas(Vec<Rat>),
    /// Divisibility, over integers only: the literals come in pairs `tᵢ ≤ 0`, `-tᵢ ≤ 0` (lᵢ at 2i and 2i+1), together `tᵢ = 0`; the sum of `λᵢ·tᵢ`
    /// (one `λᵢ` for each pair, of any sign) has integer coefficients and a constant that is not an integer.
    Divisibility(Vec<Rat>),
    /// Congruence: the literals of the clause are, for each argument position, the negations of `aⱼ-bⱼ ≤ 0` and `bⱼ-aⱼ ≤ 0` (left out where `aⱼ` and `bⱼ` are the same variable), and last
    /// one *positive* literal, `x-y ≤ 0`, where `x` names `f(a)` and `y` names `f(b)`.
    Congruence(NumVar, NumVar),
}

/// Why a clause holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// It was asserted in a part.
    Input(Part),
    /// The theory proves it.
    Lemma(Certificate),
    /// Resolution, from left to right: start with `first`; each `(pivot, step)` resolves with the clause of `step` on `pivot`. The result is the clause, up to order and repetition.
    Chain {
        /// The first clause.
        first: StepId,
        /// What it is resolved with.
        rest: Vec<(BoolVar, StepId)>,
    },
}

/// A clause and its reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The literals, without repetition.
    pub clause: Vec<Lit>,
    /// Why they hold.
    pub reason: Reason,
}

/// A refutation. See the module's documentation.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Proof {
    /// How many parts there are.
    pub parts: u32,
    /// The Boolean variables, by index.
    pub booleans: Vec<Meaning>,
    /// The numeric variables, by index.
    pub numbers: Vec<Number>,
    /// The clauses; the last one is what was proved.
    pub steps: Vec<Step>,
}

impl Proof {
    /// The constraint that `lit` asserts, `(t, strict)` for `t ≤ 0` or `t < 0`; nothing for a plain Boolean.
    pub fn constraint(&self, lit: Lit) -> Option<(Linear, bool)> {
        let Atom::LessEq(t) = &self.booleans[lit.var().index()].atom else { return None };
        if lit.is_positive() {
            return Some((t.clone(), false));
        }
        let negated = t.times(&Int::MINUS_ONE);
        if t.terms().iter().all(|(x, _)| self.numbers[x.index()].sort == Sort::Int) {
            Some((negated.plus(&Int::ONE, &Linear::constant(Int::ONE)), false))
        } else {
            Some((negated, true))
        }
    }
}
