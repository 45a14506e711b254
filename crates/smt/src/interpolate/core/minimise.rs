//! A smaller core, within a few checks.

use crate::solver::{CheckResult, Solver};
use crate::z3::Z3Solver;
use plumb_term::{Budget, Term};
use rustc_hash::FxHashSet;
use std::time::{Duration, Instant};

/// At most this many attempts to leave conjuncts out.
const ATTEMPTS: usize = 60;

/// The assumptions that are needed, after a check of all of them that answered `Unsat`. Whole edges are left out first, then single conjuncts.
pub(super) fn core(solver: &mut Z3Solver, parts: &[Vec<(Term, Term)>], budget: &Budget) -> FxHashSet<Term> {
    let mut core = solver.unsat_core();
    let first = Instant::now();
    if solver.check_assuming(&core) == CheckResult::Unsat {
        core = solver.unsat_core();
    }
    let price = first.elapsed();
    // About as long again as a few checks took.
    let patience = (price * 8).clamp(Duration::from_millis(20), Duration::from_secs(2));
    let end = budget.left().map_or(patience, |left| patience.min(left / 8));
    let start = Instant::now();
    let mut needed: FxHashSet<Term> = core.iter().copied().collect();
    let whole = parts.iter().map(|list| list.iter().map(|p| p.0).collect::<Vec<Term>>()).filter(|g| g.len() > 1);
    let single = parts.iter().flatten().map(|p| vec![p.0]);
    let groups: Vec<Vec<Term>> = whole.chain(single).collect();
    let mut attempts = 0;
    for group in groups {
        if attempts == ATTEMPTS || start.elapsed() > end {
            break;
        }
        if !group.iter().any(|g| needed.contains(g)) {
            continue;
        }
        attempts += 1;
        let rest: Vec<Term> = parts.iter().flatten().map(|p| p.0).filter(|g| needed.contains(g) && !group.contains(g)).collect();
        if solver.check_assuming(&rest) == CheckResult::Unsat {
            needed = solver.unsat_core().into_iter().collect();
        }
    }
    needed
}
