//! Smaller formulas that mean the same, and more general ones that serve as well.
//!
//! [`Simplifier`] works without a solver; every step is an equivalence over the variables' sorts. [`weaken`](weaken::weaken) is given a judge that says whether a candidate still serves
//! its purpose, typically by asking a solver about the edges around a node, and looks for a formula with fewer and more general atoms. [`Measure`] counts what both try to make small.

mod context;
mod factor;
mod measure;
pub mod weaken;

use crate::formula::Formula;
use crate::linear::Sort;
use crate::pool::{Id, Pool};
use rustc_hash::FxHashMap;

pub use measure::Measure;

/// Simplifies formulas over variables of given sorts.
pub struct Simplifier {
    pool: Pool,
}

impl Simplifier {
    /// A simplifier for formulas over numeric variables of these sorts, by index.
    pub fn new(sorts: impl IntoIterator<Item = Sort>) -> Simplifier {
        Simplifier { pool: Pool::new(sorts) }
    }

    /// A formula that is equivalent and not larger.
    ///
    /// ```
    /// use plumb_itp::simplify::Simplifier;
    /// use plumb_itp::{Formula, Linear, NumVar, Sort};
    /// let x = Linear::var(NumVar(0));
    /// let at_most = |k: i64| Formula::LessEq(x.plus(&(-k).into(), &Linear::constant(1.into())), false);
    /// let f = Formula::And([at_most(3), Formula::Or([at_most(5), at_most(1)].into())].into());
    /// assert_eq!(Simplifier::new([Sort::Int]).simplify(&f), at_most(3));
    /// ```
    pub fn simplify(&mut self, formula: &Formula) -> Formula {
        let id = self.pool.import(formula);
        let id = improve(&mut self.pool, id);
        self.pool.export(id, &mut FxHashMap::default())
    }
}

/// An equivalent formula of the pool that is not larger.
pub(crate) fn improve(pool: &mut Pool, mut id: Id) -> Id {
    for _ in 0..4 {
        let next = context::simplify(pool, id);
        let next = factor::factor(pool, next);
        if next == id {
            break;
        }
        id = next;
    }
    id
}
