//! What a domain and its operators owe, checked on samples. A new analysis gets these tests by one line each.

use crate::cpa::{Cpa, Domain, Site};

/// Checks the semilattice: `leq` is reflexive and transitive, `join` is an upper bound.
pub fn semilattice<D: Domain>(d: &D, samples: &[D::State]) -> Result<(), String> {
    for a in samples {
        if !d.leq(a, a) {
            return Err(format!("not reflexive: {a:?}"));
        }
        for b in samples {
            let j = d.join(a, b);
            if !d.leq(a, &j) || !d.leq(b, &j) {
                return Err(format!("the join of {a:?} and {b:?} is no upper bound: {j:?}"));
            }
            for c in samples.iter().filter(|c| d.leq(a, b) && d.leq(b, c)) {
                if !d.leq(a, c) {
                    return Err(format!("not transitive: {a:?}, {b:?}, {c:?}"));
                }
            }
        }
    }
    Ok(())
}

/// Checks the operators: `merge` weakens the old state, `prec` weakens, the termination check's index finds what covers, and one of the states
/// that stop a state is found.
pub fn operators<C: Cpa>(cpa: &C, samples: &[C::State], prec: &C::Prec) -> Result<(), String> {
    for cut in [false, true] {
        let at = Site { place: None, cut };
        for new in samples {
            if cpa.prec(new.clone(), prec, at).is_some_and(|e| !cpa.leq(new, &e)) {
                return Err(format!("the precision adjustment loses states of {new:?}"));
            }
            for old in samples.iter().filter(|old| cpa.key(old) == cpa.key(new)) {
                let merged = cpa.merge(new, old, at);
                if !cpa.leq(old, &merged) {
                    return Err(format!("merge loses states of {old:?}: {merged:?}"));
                }
                if cpa.leq(new, old) {
                    if cpa.probe(new, old).is_none() || cpa.probe(new, old) != cpa.probe(old, old) {
                        return Err(format!("the index does not find that {old:?} covers {new:?}"));
                    }
                    if cpa.stop(new, &mut [old].into_iter()).is_none() {
                        return Err(format!("{old:?} does not stop {new:?}"));
                    }
                }
            }
        }
    }
    Ok(())
}

/// Checks that merging a growing sequence of states at a cut becomes stationary.
pub fn convergence<C: Cpa>(cpa: &C, chain: impl IntoIterator<Item = C::State>, most: usize) -> Result<(), String> {
    let at = Site { place: None, cut: true };
    let mut chain = chain.into_iter();
    let Some(mut now) = chain.next() else { return Ok(()) };
    let mut changes = 0;
    for next in chain {
        let merged = cpa.merge(&next, &now, at);
        changes += usize::from(merged != now);
        now = merged;
    }
    if changes > most {
        return Err(format!("{changes} changes, up to {now:?}"));
    }
    Ok(())
}
