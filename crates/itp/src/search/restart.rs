//! When to restart: by the trend of learned clauses' LBD (Biere and Fröhlich 2015) in turn with the Luby sequence.
//!
//! Restarts that follow LBD are good at refutations, rare ones at finding models; phases of both alternate, each longer than the one before.

/// The schedule.
pub(crate) struct Restart {
    fast: f64,
    slow: f64,
    stable: bool,
    phase_end: u64,
    phase_length: u64,
    next: u64,
    luby: (u64, u64),
}

const INTERVAL: u64 = 3;
const UNIT: u64 = 256;
const FIRST_PHASE: u64 = 1000;

impl Restart {
    pub(crate) fn new() -> Restart {
        Restart { fast: 0.0, slow: 0.0, stable: false, phase_end: FIRST_PHASE, phase_length: FIRST_PHASE, next: INTERVAL, luby: (1, 1) }
    }

    /// Whether restarts are rare at present.
    pub(crate) fn is_stable(&self) -> bool {
        self.stable
    }

    /// A clause with this LBD was learned in the given conflict.
    pub(crate) fn learned(&mut self, conflicts: u64, lbd: u32) {
        let lbd = f64::from(lbd);
        // Averages that start out unbiased: the weight of the newest value falls to its limit.
        let weight = |limit: f64| (1.0 / conflicts as f64).max(limit);
        self.fast += weight(0.03) * (lbd - self.fast);
        self.slow += weight(1e-5) * (lbd - self.slow);
        if conflicts >= self.phase_end {
            self.stable = !self.stable;
            if !self.stable {
                self.phase_length += self.phase_length / 2;
            }
            self.phase_end = conflicts + self.phase_length;
            self.next = conflicts + if self.stable { UNIT } else { INTERVAL };
        }
    }

    /// Whether to restart now; if so, the next interval begins.
    pub(crate) fn is_due(&mut self, conflicts: u64) -> bool {
        if conflicts < self.next || !self.stable && self.fast < 1.1 * self.slow {
            return false;
        }
        self.next = conflicts + if self.stable { UNIT * self.reluctant() } else { INTERVAL };
        true
    }

    /// The Luby sequence, by Knuth's reluctant doubling.
    fn reluctant(&mut self) -> u64 {
        let (u, v) = self.luby;
        self.luby = if u & u.wrapping_neg() == v { (u + 1, 1) } else { (u, 2 * v) };
        self.luby.1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reluctant_doubling_is_luby() {
        let mut restart = Restart::new();
        let sequence: Vec<u64> = (0..14).map(|_| restart.reluctant()).collect();
        assert_eq!(sequence, [1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }
}
