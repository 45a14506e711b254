//! What the program compares: predicates that stand beside the bits of states.
//!
//! That two words are equal, or that one is below another, takes many clauses over bits and one predicate. Those that blocks compare before they change anything are
//! over states, and are followed like bits.

use crate::system::System;
use plumb_term::visit::{postorder, vars};
use plumb_term::{Kind, Sort, Term, VarId};
use rustc_hash::FxHashMap;

/// More are not followed.
const MOST: usize = 80;
/// Larger ones are seldom what is wanted.
const LARGEST: usize = 12;

/// Comparisons of variables with each other, and bounds of single ones, in the order of their first use.
pub(super) fn predicates(system: &System) -> Vec<Term> {
    let errors = system.errors.iter().map(|e| e.1);
    let blocks = system.transitions.iter().flat_map(|t| std::iter::once(t.condition).chain(t.values.iter().copied()));
    // How large the small terms over states are.
    let mut small: FxHashMap<Term, usize> = FxHashMap::default();
    let mut out = Vec::new();
    for t in postorder(errors.chain(blocks)) {
        let over_state = t.as_var().is_none_or(|v| v.id < VarId::FIRST_AUX && v.version == 0);
        let size = t.children().try_fold(1, |n, c| small.get(&c).map(|m| n + m)).filter(|n| *n <= LARGEST);
        let Some(size) = size.filter(|_| over_state && !matches!(t.sort(), Sort::Mem(_))) else { continue };
        small.insert(t, size);
        let least = match t.kind() {
            Kind::Eq(a, _) if a.sort() == Sort::Int => 2,
            Kind::Le(..) => 1,
            _ => continue,
        };
        if vars([t]).len() >= least {
            out.push(t);
            if out.len() == MOST {
                break;
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::CutId;
    use plumb_term::{IntTy, Scalar, Var, VarTy};

    #[test]
    fn small_comparisons_of_states_are_followed() {
        let ty = VarTy::Scalar(Scalar::Int(IntTy::I32));
        let [x, y] = [0, 1].map(|i| Term::program_var(VarId(i), ty));
        let input = Term::var(Var::new(VarId::FIRST_AUX, ty));
        let (wanted, bound) = (x.equals(y.plus(1)), x.less_eq(Term::int(9)));
        let others = [x.equals(Term::int(3)), x.less_eq(input), y.equals(input)];
        let long = (0..20).fold(x, |t, i| t.mul(y.plus(i))).less_eq(y);
        let condition = Term::any(others).and(wanted.not().or(bound)).and(long);
        let system = System { errors: vec![(CutId(0), condition)], ..System::default() };
        let mut found = predicates(&system);
        found.sort_unstable();
        let mut expected = vec![wanted, bound];
        expected.sort_unstable();
        assert_eq!(found, expected);
    }
}
