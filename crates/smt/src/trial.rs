//! Whether a solver that is asked before another has been worth asking.

/// Misses that are always forgiven.
const FORGIVEN: u32 = 4;
/// Every further miss must be outweighed by so many answers.
const ANSWERS: u32 = 4;

/// How it went so far.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Trial {
    answered: u32,
    missed: u32,
}

impl Trial {
    /// Whether to ask again.
    pub(crate) fn is_worth(self) -> bool {
        self.missed < FORGIVEN || self.answered >= ANSWERS * self.missed
    }

    /// Hears how a question went.
    pub(crate) fn note(&mut self, answered: bool) {
        if answered {
            self.answered += 1;
        } else {
            self.missed += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_outweigh_misses() {
        let mut t = Trial::default();
        (0..4).for_each(|_| t.note(false));
        assert!(!t.is_worth());
        (0..16).for_each(|_| t.note(true));
        assert!(t.is_worth());
        t.note(false);
        assert!(!t.is_worth());
    }
}
