//! Concrete values: a number for the infinitesimal.

use super::num::Num;
use super::tableau::Col;
use super::value::Value;
use super::Arithmetic;
use plumb_num::{Int, Rat};

/// The value of `ε`.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    infinitesimal: Num,
}

impl Default for Model {
    fn default() -> Model {
        Model { infinitesimal: Num::ONE }
    }
}

impl Arithmetic {
    /// Chooses a value for `ε` so small that all bounds hold.
    pub(crate) fn settle_infinitesimal(&mut self) {
        let mut least = Num::ONE;
        for i in 0..self.forms.len() {
            let range = self.bounds.of(Col(i as u32));
            if let Some(l) = &range.lower {
                shrink(&mut least, &l.value, &range.value);
            }
            if let Some(u) = &range.upper {
                shrink(&mut least, &range.value, &u.value);
            }
        }
        self.model.infinitesimal = least;
    }

    /// The value of a column with that of `ε` put in.
    pub(crate) fn concrete(&self, col: Col) -> Rat {
        let value = self.bounds.value(col);
        (value.real() + &(value.infinitesimal() * &self.model.infinitesimal)).to_rat()
    }
}

/// Makes `least` small enough that `low ≤ high`, which holds symbolically, holds for it.
fn shrink(least: &mut Num, low: &Value, high: &Value) {
    let gap = high.real() - low.real();
    let excess = low.infinitesimal() - high.infinitesimal();
    if excess.signum() > 0 && gap.signum() > 0 {
        let (gap, excess) = (gap.to_rat(), excess.to_rat());
        let most = Num::from_rat(&(&gap / &excess) * &Rat::new(Int::ONE, Int::from(2)));
        if most < *least {
            *least = most;
        }
    }
}
