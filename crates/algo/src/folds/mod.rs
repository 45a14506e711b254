//! What loops compute of arrays: sums, maxima, checksums, counts.
//!
//! **Problem.** A loop folds an array into a number, `s = step(s, i, a[i])`, and why nothing goes wrong is said of such numbers: what one loop adds
//! another takes away; a sum does not depend on the order of the cells. No formula over the last values of the variables says what `s` is.
//!
//! **The picture.** A proof may write down how it went ([`plumb_verdict::Method::Recorded`]): `r[i]` is what `s` was when the counter was `i`. Then the array and the
//! record belong together cell by cell, `r[k+1] = step(r[k], k, a[k])`, which is an invariant with one quantifier, whatever `step` is; it survives what is done to the array
//! as far as cells stay or move by one ([`candidates`]). A later loop over the array computes what the record says: `s = r[i]`, or `s = r[n] - r[i]`, or, if a cell `t` is to come at the end,
//! `step(s, i, t) = r[i+1]`. That `step` may be exchanged with itself is left to the solver: it is a question about numbers and bits, not about arrays.
//!
//! The greatest inductive part of the candidates ([`crate::houdini`]) is left to the checker.
//!
//! **Limits.** Counters go up by one; cells are exchanged where they are named one by one, or move by one as a whole.
//!
//! Sources: history variables are those of Owicki and Gries (1976); that folds may not depend on an order
//! is the problem of "Commutativity of Reducers" (Chen, Hong, Sinha, Wang, TACAS 2015).

mod candidates;
mod find;
mod steps;
#[cfg(test)]
mod tests;

use crate::flat::Flat;
use crate::houdini::Houdini;
use crate::system::{Cut, System};
use find::Fold;
use plumb_cfa::unwind::Orders;
use plumb_cfa::Program;
use plumb_term::{Budget, Term, Var, VarId};
use plumb_verdict::{Method, Proof, Reason, ReasonKind, Record, Verdict};
use std::collections::BTreeMap;
use std::time::Duration;

/// A question about candidates that takes longer counts against them.
const PATIENCE: Duration = Duration::from_secs(10);
/// The most time to make a proof shorter.
const THINNING: Duration = Duration::from_secs(3);

/// Looks for invariants about records of folds; `accept` says whether a candidate is a proof.
pub fn run(program: &Program, budget: &Budget, progress: &mut dyn FnMut(&str), accept: &dyn Fn(&Proof, &Budget) -> bool) -> Verdict {
    search(program, budget, progress, accept).unwrap_or_else(Verdict::Unknown)
}

fn search(
    program: &Program,
    budget: &Budget,
    progress: &mut dyn FnMut(&str),
    accept: &dyn Fn(&Proof, &Budget) -> bool,
) -> Result<Verdict, Reason> {
    let incomplete = |why: &str| Reason::new(ReasonKind::Incomplete(why.into()));
    progress("interval analysis");
    let flat = Flat::new(program, budget)?;
    let program = &flat.program;
    let system = System::new(program, &Orders::new(program), &BTreeMap::new(), budget)?;
    let counts = find::counts(program, &system);
    let folds = find::folds(program, &system, &counts);
    if folds.is_empty() {
        return Err(incomplete("no loop folds an array into a number"));
    }
    let candidates = candidates::candidates(program, &system, &folds, &counts);
    let number: usize = candidates.iter().map(Vec::len).sum();
    progress(&format!("{number} candidates about {} folds", folds.len()));
    let steps = steps::steps(&system, &folds, &counts, &candidates);
    let found = Houdini::prepared(steps, &candidates, PATIENCE, budget).and_then(|mut h| {
        h.weaken(budget)?;
        h.concise(THINNING, budget)
    });
    let Some(found) = found else {
        return Err(if budget.is_over() {
            Reason::new(ReasonKind::Time)
        } else {
            incomplete("what is known of the loops' results does not exclude the error")
        });
    };
    let invariants = system.cuts.iter().zip(found).map(|(c, ts)| (c.point.clone(), Term::all(ts))).collect();
    let proof =
        flat.proof(Proof { method: Method::Recorded { records: folds.iter().map(|f| f.record(&system.cuts)).collect() }, invariants });
    if accept(&proof, budget) {
        return Ok(Verdict::Safe(proof));
    }
    Err(incomplete("invariants about the loops' results were found, but not accepted by the checker"))
}

impl Fold {
    /// What a proof writes down about it.
    fn record(&self, cuts: &[Cut]) -> Record {
        let index = Term::var(self.counter);
        Record { at: cuts[self.cut].point.clone(), memory: self.memory, index, value: Term::var(self.sum) }
    }
}

/// Whether a variable is one of the program's, as it is.
fn is_own(v: &Var) -> bool {
    v.id < VarId::FIRST_AUX && v.version == 0
}
