//! Residue classes beside a domain of inequalities: what a loop that steps by two leaves of its counter.
//!
//! Points suffice to find them: each model outside of the classes makes a modulus a proper divisor of itself, or a constant a class, so there
//! are few.

use crate::space::{big, Space};
use crate::ufo::post::Block;
use plumb_num::{Classes, Congruences, Dim, Int, Lattice, LinCons, LinExpr, NumDomain};
use plumb_smt::Entailment;
use plumb_term::{IBig, Term};
use std::collections::BTreeSet;

/// More models than this are not asked for.
const MAX_MODELS: usize = 64;

/// The formula of classes of the dimensions `here`.
pub fn formula(space: &Space, classes: &Classes, here: &BTreeSet<Dim>) -> Term {
    if Congruences.is_bottom(classes) {
        return Term::ff();
    }
    let of = |d: &Dim| {
        let class = classes.get(*d);
        let distance = space.var(*d).sub(Term::int(big(class.rest())));
        let step = if class.modulus().is_zero() { distance } else { distance.rem(Term::int(big(class.modulus()))) };
        step.equals(Term::int(IBig::ZERO))
    };
    Term::all(here.iter().map(of))
}

/// Classes that include `current` and the ends of the block under the solver's facts; nothing if that is not decided.
pub fn include(solver: &mut Entailment, space: &Space, current: Classes, ends: &[(Dim, Term)], block: &Block<'_>) -> Option<Classes> {
    let here: BTreeSet<Dim> = ends.iter().map(|e| e.0).collect();
    let mut current = current;
    for _ in 0..MAX_MODELS {
        let outside = block.before(formula(space, &current, &here)).not();
        let Some(model) = solver.model_of(outside)? else { return Some(current) };
        let mut point = Vec::new();
        for (d, t) in ends {
            point.push(LinCons::eq(LinExpr::var(*d), LinExpr::constant(Int::from(model.int(*t)?))));
        }
        current = Congruences.join(&current, &Congruences.of_constraints(&point));
    }
    None
}
