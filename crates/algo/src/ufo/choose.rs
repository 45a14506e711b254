//! Which POST suits a program, by what the program is.
//!
//! Two things count, both over the variables that matter for the error at loop heads: how many there are, and how many of them are computed with
//! (operands of sums, or compared with each other) rather than only set to constants and compared with constants. Where few variables are and most of
//! them compute, relations between them are affordable and are what interpolants miss; where most are states and flags, bounds on them cost little
//! and spare refinements; where all are, predicates say the same for less.

use super::numeric::track::{is_number, uses};
use super::Variant;
use crate::system::System;
use plumb_cfa::Program;
use plumb_term::VarId;
use std::collections::BTreeSet;

/// Up to this many variables, polyhedra are affordable.
const FEW: usize = 12;
/// Up to this many, octagons are.
const SOME: usize = 20;

/// What was looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Features {
    /// Integer variables that matter at some loop head.
    pub numbers: usize,
    /// Those of them that are computed with.
    pub computed: usize,
}

impl Features {
    /// Those of a system.
    pub fn of(program: &Program, system: &System) -> Features {
        let uses = uses(system);
        let numbers: BTreeSet<VarId> =
            system.cuts.iter().skip(1).flat_map(|c| c.needed.iter().copied()).filter(|v| is_number(program.var(*v).ty)).collect();
        let computed = numbers.iter().filter(|v| uses.contains_key(v)).count();
        Features { numbers: numbers.len(), computed }
    }

    /// The variant that suits them, and why, as a sentence.
    pub fn choose(self) -> (Variant, String) {
        let Features { numbers, computed } = self;
        let share = format!("{computed} of the {numbers} variables that matter in loops are computed with");
        if computed == 0 {
            (
                Variant::Cartesian,
                format!(
                    "POST is Cartesian predicate abstraction, as none of the {numbers} variables that matter in loops is computed with"
                ),
            )
        } else if numbers <= FEW && 2 * computed >= numbers {
            (Variant::Polyhedra, format!("POST is computed with polyhedra, as {share}"))
        } else if numbers <= SOME && 2 * computed >= numbers {
            (Variant::Octagon, format!("POST is computed with octagons, as {share}"))
        } else {
            (Variant::Box, format!("POST is computed with intervals, as {share}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumb_cfa::unwind::Orders;
    use plumb_cfa::Semantics;
    use plumb_cfront::{load, ErrorSpec, Input, Options};
    use plumb_term::Budget;
    use std::collections::BTreeMap;

    fn features(body: &str) -> Features {
        let text = format!("int __VERIFIER_nondet_int(void); void reach_error(void); int main(void) {{ {body} }}");
        let options = Options { semantics: Semantics::default(), property: ErrorSpec::Default };
        let program = load(&[Input { name: "test.c".into(), bytes: text.into_bytes() }], &options).unwrap();
        let system = System::new(&program, &Orders::new(&program), &BTreeMap::new(), &Budget::unlimited()).unwrap();
        Features::of(&program, &system)
    }

    #[test]
    fn programs_get_what_suits_them() {
        let count = features(
            "int n = __VERIFIER_nondet_int(), i = 0, unused = 0; while (i < n) { i++; unused++; } if (i > n && n > 0) reach_error();",
        );
        assert_eq!(count, Features { numbers: 2, computed: 2 });
        assert_eq!(count.choose().0, Variant::Polyhedra);
        let lock =
            features("int held = 0; while (1) { if (__VERIFIER_nondet_int()) { if (held) reach_error(); held = 1; } else held = 0; }");
        assert_eq!(lock, Features { numbers: 1, computed: 0 });
        let (variant, why) = lock.choose();
        assert_eq!(variant, Variant::Cartesian);
        assert!(why.contains("none of the 1 variables"), "{why}");
        assert_eq!(Features { numbers: 12, computed: 12 }.choose().0, Variant::Polyhedra);
        assert_eq!(Features { numbers: 14, computed: 9 }.choose().0, Variant::Octagon);
        assert_eq!(Features { numbers: 26, computed: 2 }.choose().0, Variant::Box);
        assert_eq!(Features { numbers: 8, computed: 2 }.choose().0, Variant::Box);
        assert_eq!(Features { numbers: 99, computed: 80 }.choose().0, Variant::Box);
    }
}
