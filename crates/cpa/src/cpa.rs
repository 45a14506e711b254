//! The interface of a configurable program analysis: 𝔻 = (D, ⇝, merge, stop), with precision and strengthening (Sections 3.4, 3.6, 6.2).

use crate::facts::Facts;
use crate::flow::{Place, Stack, Step};
use plumb_term::{Range, Term, VarId};
use std::fmt::Debug;
use std::hash::Hash;

/// The semilattice (E, ⊑, ⊔) of abstract states. The analysis owns what states share; states are plain data.
///
/// # Obligations
///
/// Write ⟦e⟧ for the set of concrete states that `e` stands for.
///
/// * `leq` is reflexive and transitive, and `leq(a, b)` implies ⟦a⟧ ⊆ ⟦b⟧. It may say no where inclusion holds.
/// * `join(a, b)` is an upper bound of both in `leq`.
/// * `==` may tell apart what `leq` does not, but equal states stand for the same set.
///
/// [`crate::laws`] checks these on samples.
pub trait Domain {
    /// Abstract states.
    type State: Clone + Debug + PartialEq;

    /// The order ⊑.
    fn leq(&self, a: &Self::State, b: &Self::State) -> bool;

    /// The join ⊔.
    fn join(&self, a: &Self::State, b: &Self::State) -> Self::State;
}

/// Where two states meet, or one arrives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Site {
    /// The place, if a component tracks it.
    pub place: Option<Place>,
    /// Whether chains of states through here may be infinite, so that a domain of infinite height must widen: true where the place is not
    /// known, at loop heads and at the borders of functions.
    pub cut: bool,
}

/// How the termination check found a state covered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cover {
    /// By the state at this position alone.
    By(usize),
    /// By all of them together.
    Together,
}

/// Something to tell a user about a state.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Note {
    /// Which analysis says so.
    pub analysis: &'static str,
    /// The variable it is about, if it is about one.
    pub var: Option<VarId>,
    /// What, in terms of the C program (`x = 3`).
    pub text: String,
}

/// An analysis.
///
/// What must be written: the two of [`Domain`], [`initial`](Cpa::initial) and [`transfer`](Cpa::transfer). The defaults make a data-flow
/// analysis that joins wherever control flow meets; [`crate::Separate`] makes a model checker of it.
///
/// # Soundness
///
/// * The initial states together stand for all states in which executions of the [`crate::Flow`] can start.
/// * `transfer(e, g)`: if a concrete state of ⟦e⟧ goes to `c` by `g`, one of the results has `c`.
/// * `strengthen(e, …)` keeps every concrete state of ⟦e⟧ that has what the facts say; its result is ⊑ `e`. `None` says that there is none.
/// * `merge(new, old)` ⊒ `old`. It need not have anything of `new`: then `stop` will not find `new` covered.
/// * `stop(e, R)` says yes only if ⟦e⟧ is included in the union of ⟦R⟧.
/// * `prec(e, π)` ⊒ `e`: a precision forgets. It may find that ⟦e⟧ is empty.
/// * Facts hold in all concrete states of ⟦e⟧.
/// * States with different keys are never merged and never cover each other: any key is sound.
///
/// # Convergence
///
/// The algorithm ends if, along every cycle of the flow, only finitely many states arise: by a finite domain, or by a `merge` that widens at
/// sites that are cuts.
pub trait Cpa: Domain {
    /// The part of a state that must agree for two states to be compared; `()` if there is none.
    type Key: Clone + Eq + Hash + Debug;

    /// What the analysis tracks (π); `()` if that is fixed.
    type Prec;

    /// The name in lists and reports.
    fn name(&self) -> &'static str;

    /// Where to begin: the abstract states e₀.
    fn initial(&self) -> Vec<Self::State>;

    /// The control part of a state.
    fn key(&self, e: &Self::State) -> Self::Key;

    /// The transfer relation ⇝: the abstract successors along a step.
    fn transfer(&self, e: &Self::State, step: &Step) -> Vec<Self::State>;

    /// The strengthening ↓ of a successor by what the other components of a composite know of theirs.
    fn strengthen(&self, e: Self::State, _step: &Step, _others: &dyn Facts) -> Option<Self::State> {
        Some(e)
    }

    /// The merge operator: weakens `old` by `new`; `old` itself to keep them apart.
    fn merge(&self, new: &Self::State, old: &Self::State, _at: Site) -> Self::State {
        self.join(new, old)
    }

    /// Whether `merge` is merge-sep, so that it need not be asked.
    fn never_merges(&self) -> bool {
        false
    }

    /// The termination check: how `e` is covered by states of the same key, if it is.
    fn stop(&self, e: &Self::State, reached: &mut dyn Iterator<Item = &Self::State>) -> Option<Cover> {
        let mut reached = reached;
        Iterator::position(&mut reached, |r| self.leq(e, r)).map(Cover::By)
    }

    /// An index for the termination check, used where states are never merged and so become many. States are grouped: `x` and `y` share a
    /// group if `probe(x, y)` and `probe(y, x)` both have a value. If `leq(e, x)` then `probe(e, x)` has a value, equal to `probe(x, x)`,
    /// and it depends on `x` only through its group. So only states with that value in their group are compared. The default is one group with
    /// one value.
    fn probe(&self, _e: &Self::State, _like: &Self::State) -> Option<u64> {
        Some(0)
    }

    /// The precision adjustment: forgets what is not tracked. `None` if it finds out that the state stands for nothing.
    fn prec(&self, e: Self::State, _precision: &Self::Prec, _at: Site) -> Option<Self::State> {
        Some(e)
    }

    /// A state between `new` and `old` for a descending iteration ([`crate::descend`]), where `new` ⊑ `old`; must not descend for ever.
    fn narrow(&self, old: &Self::State, _new: &Self::State) -> Self::State {
        old.clone()
    }

    /// Fact: where the state is.
    fn place(&self, _e: &Self::State) -> Option<Place> {
        None
    }

    /// Fact: its pending calls.
    fn stack(&self, _e: &Self::State) -> Option<Stack> {
        None
    }

    /// Fact: bounds of an integer term.
    fn range(&self, _e: &Self::State, t: Term) -> Range {
        t.range()
    }

    /// Fact: the truth of a condition.
    fn truth(&self, _e: &Self::State, t: Term) -> Option<bool> {
        t.as_bool()
    }

    /// Fact: formulas over the program's variables that hold. For a proof they should say all that the state says.
    fn formulas(&self, _e: &Self::State) -> Vec<Term> {
        Vec::new()
    }

    /// Fact: the conditions that others must assume (only observers have some).
    fn assumptions(&self, _e: &Self::State) -> Vec<Term> {
        Vec::new()
    }

    /// Whether the state violates the property.
    fn is_target(&self, _e: &Self::State) -> bool {
        false
    }

    /// What to tell a user about the state.
    fn notes(&self, _e: &Self::State) -> Vec<Note> {
        Vec::new()
    }
}
