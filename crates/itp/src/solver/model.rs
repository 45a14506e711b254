//! Models.

use crate::linear::{Linear, NumVar};
use crate::lit::Lit;
use crate::vocabulary::Literal;
use plumb_num::{Int, Rat};

/// Values for all variables that satisfy all that was asserted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Model {
    pub(super) booleans: Vec<bool>,
    pub(super) numbers: Vec<Rat>,
}

impl Model {
    /// Whether `lit` is true: an atom by its numbers, a gate by its inputs. A variable made after the model is false.
    pub fn lit(&self, lit: Lit) -> bool {
        self.booleans.get(lit.var().index()).copied().unwrap_or(false) == lit.is_positive()
    }

    /// Whether `literal` is true.
    pub fn literal(&self, literal: Literal) -> bool {
        match literal {
            Literal::Constant(b) => b,
            Literal::Lit(l) => self.lit(l),
        }
    }

    /// The value of `x`; zero if it was made after the model.
    pub fn number(&self, x: NumVar) -> Rat {
        self.numbers.get(x.index()).cloned().unwrap_or(Rat::ZERO)
    }

    /// The value of `t`.
    pub fn linear(&self, t: &Linear) -> Rat {
        evaluate(t, &self.numbers)
    }
}

/// The value of `t`.
pub(super) fn evaluate(t: &Linear, numbers: &[Rat]) -> Rat {
    let mut sum = Rat::from(t.offset().clone());
    for (x, a) in t.terms() {
        if let Some(value) = numbers.get(x.index()) {
            sum = &sum + &(&Rat::new(a.clone(), Int::ONE) * value);
        }
    }
    sum
}
