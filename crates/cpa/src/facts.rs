//! What the components of a composite may ask each other.
//!
//! A strengthening operator ↓ : E₁ × E₂ → E₁ (Section 3.6) must not look into the states of the other analysis: then every pair would
//! need code of its own. It asks instead. Each question is a method with a typed answer; an analysis answers those it knows about and
//! says "not known" to the rest. A new question is a new method with a default, which breaks nobody.

use crate::cpa::Cpa;
use crate::flow::{Place, Stack};
use plumb_cfa::Program;
use plumb_term::{Range, Term};

/// What is known of all concrete states that an abstract state stands for.
pub trait Facts {
    /// Where they are.
    fn place(&self) -> Option<Place>;

    /// Their pending calls, if they all have the same.
    fn stack(&self) -> Option<Stack>;

    /// Bounds of an integer term; a constant has both the same.
    fn range(&self, t: Term) -> Range;

    /// The truth of a condition, if it is the same in all.
    fn truth(&self, t: Term) -> Option<bool>;

    /// Formulas over the program's variables that hold in all.
    fn formulas(&self) -> Vec<Term>;

    /// Conditions that an observer assumes for this state (Section 5.4): the components must restrict themselves to them.
    fn assumptions(&self) -> Vec<Term>;
}

/// A state of an analysis, ready to answer.
#[derive(Debug)]
pub struct Known<'a, C: Cpa>(pub &'a C, pub &'a C::State);

impl<C: Cpa> Facts for Known<'_, C> {
    fn place(&self) -> Option<Place> {
        self.0.place(self.1)
    }

    fn stack(&self) -> Option<Stack> {
        self.0.stack(self.1)
    }

    fn range(&self, t: Term) -> Range {
        self.0.range(self.1, t)
    }

    fn truth(&self, t: Term) -> Option<bool> {
        self.0.truth(self.1, t)
    }

    fn formulas(&self) -> Vec<Term> {
        self.0.formulas(self.1)
    }

    fn assumptions(&self) -> Vec<Term> {
        self.0.assumptions(self.1)
    }
}

/// What two sources know together.
pub struct Both<'a>(pub &'a dyn Facts, pub &'a dyn Facts);

impl Facts for Both<'_> {
    fn place(&self) -> Option<Place> {
        self.0.place().or_else(|| self.1.place())
    }

    fn stack(&self) -> Option<Stack> {
        self.0.stack().or_else(|| self.1.stack())
    }

    fn range(&self, t: Term) -> Range {
        self.0.range(t).intersection(self.1.range(t))
    }

    fn truth(&self, t: Term) -> Option<bool> {
        self.0.truth(t).or_else(|| self.1.truth(t))
    }

    fn formulas(&self) -> Vec<Term> {
        let mut all = self.0.formulas();
        all.extend(self.1.formulas());
        all
    }

    fn assumptions(&self) -> Vec<Term> {
        let mut all = self.0.assumptions();
        all.extend(self.1.assumptions());
        all
    }
}

/// Knows nothing.
#[derive(Clone, Copy, Debug)]
pub struct Nothing;

impl Facts for Nothing {
    fn place(&self) -> Option<Place> {
        None
    }

    fn stack(&self) -> Option<Stack> {
        None
    }

    fn range(&self, t: Term) -> Range {
        t.range()
    }

    fn truth(&self, t: Term) -> Option<bool> {
        t.as_bool()
    }

    fn formulas(&self) -> Vec<Term> {
        Vec::new()
    }

    fn assumptions(&self) -> Vec<Term> {
        Vec::new()
    }
}

/// The integer variables of a program that an analysis can be asked about.
pub fn integers(program: &Program) -> impl Iterator<Item = plumb_term::VarId> + '_ {
    let ids = (0..program.vars.len() as u32).map(plumb_term::VarId);
    ids.filter(|v| program.var(*v).ty.sort() == plumb_term::Sort::Int)
}
