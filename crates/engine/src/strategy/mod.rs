//! The default strategy: from what a program is to what is tried on it.

mod features;
mod rules;

pub use features::Features;
pub use rules::{Rule, Step, RULES};

use plumb_cfa::Program;

/// The rule for a program.
pub fn rule_for(program: &Program) -> &'static Rule {
    let features = Features::of(program);
    RULES.iter().find(|r| (r.applies)(&features)).unwrap_or(&RULES[RULES.len() - 1])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::configs;

    #[test]
    fn rules_name_configurations_and_end_with_one_for_all() {
        for rule in RULES {
            assert!(!rule.steps.is_empty() && !rule.kind.is_empty() && !rule.because.is_empty());
            for step in rule.steps {
                assert!(step.weight > 0 && configs().iter().any(|c| c.name == step.config), "{}", step.config);
            }
        }
        let last = RULES[RULES.len() - 1];
        assert!((last.applies)(&Features::default()));
    }
}
