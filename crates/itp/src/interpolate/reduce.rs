//! Smaller refutations of the same inputs.
//!
//! [`trim`] leaves out what the last clause does not depend on. [`reduce`] also removes resolutions on a literal that is resolved away again on every way to the end
//! (*recycle pivots with intersection*: Fontaine, Merz, Woltzenlogel Paleo, *Compression of propositional resolution proofs via partial regularization*,
//! CADE 2011): the premise that would have removed it is not needed there. Fewer steps make smaller interpolants.

use crate::lit::{BoolVar, Lit};
use crate::proof::{Proof, Reason, Step, StepId};
use rustc_hash::FxHashMap;

/// Beyond this many literals on all ways, a step is treated as if there were none.
const SAFE_LIMIT: usize = 512;

/// The steps from which the last one is derived.
pub fn trim(proof: &Proof) -> Proof {
    let mut needed = vec![false; proof.steps.len()];
    if let Some(last) = needed.last_mut() {
        *last = true;
    }
    for (i, step) in proof.steps.iter().enumerate().rev() {
        if let (true, Reason::Chain { first, rest }) = (needed[i], &step.reason) {
            std::iter::once(*first).chain(rest.iter().map(|r| r.1)).for_each(|s| needed[s.0 as usize] = true);
        }
    }
    let mut place = vec![StepId(0); proof.steps.len()];
    let mut steps = Vec::new();
    for (i, step) in proof.steps.iter().enumerate().filter(|(i, _)| needed[*i]) {
        let reason = match &step.reason {
            Reason::Chain { first, rest } => {
                Reason::Chain { first: place[first.0 as usize], rest: rest.iter().map(|(p, s)| (*p, place[s.0 as usize])).collect() }
            }
            other => other.clone(),
        };
        place[i] = StepId(steps.len() as u32);
        steps.push(Step { clause: step.clause.clone(), reason });
    }
    Proof { parts: proof.parts, booleans: proof.booleans.clone(), numbers: proof.numbers.clone(), steps }
}

/// A refutation of the same inputs without resolutions that are undone later. The last clause has no literals that it did not have.
pub fn reduce(proof: &Proof) -> Proof {
    let chains = prune(proof);
    let mut out = Proof { parts: proof.parts, booleans: proof.booleans.clone(), numbers: proof.numbers.clone(), steps: Vec::new() };
    let mut place = vec![StepId(0); proof.steps.len()];
    let mut needed = vec![false; proof.steps.len()];
    if let Some(last) = needed.last_mut() {
        *last = true;
    }
    for (i, chain) in chains.iter().enumerate().rev().filter(|(_, c)| c.is_some()) {
        if let (true, Some((first, rest))) = (needed[i], chain) {
            std::iter::once(*first).chain(rest.iter().map(|r| r.1)).for_each(|s| needed[s.0 as usize] = true);
        }
    }
    for (i, chain) in chains.into_iter().enumerate().filter(|(i, _)| needed[*i]) {
        place[i] = match chain {
            None => {
                out.steps.push(proof.steps[i].clone());
                StepId(out.steps.len() as u32 - 1)
            }
            Some((first, rest)) => rebuild(&mut out, &place, first, &rest),
        };
    }
    // The last step may have become an earlier one.
    if let Some(last) = place.last() {
        out.steps.truncate(last.0 as usize + 1);
    }
    trim(&out)
}

type Chain = (StepId, Vec<(BoolVar, StepId)>);

/// The chains without the premises that the literals on all ways to the end make idle.
fn prune(proof: &Proof) -> Vec<Option<Chain>> {
    let n = proof.steps.len();
    // The literals that are resolved away on all ways from a step to the end; none yet where no way is known.
    let mut safe: Vec<Option<Vec<Lit>>> = vec![None; n];
    if let Some(last) = safe.last_mut() {
        *last = Some(Vec::new());
    }
    let mut chains: Vec<Option<Chain>> = vec![None; n];
    for i in (0..n).rev() {
        let Reason::Chain { first, rest } = &proof.steps[i].reason else { continue };
        let Some(mut now) = safe[i].take() else {
            chains[i] = Some((*first, rest.clone()));
            continue;
        };
        let mut kept: Vec<(BoolVar, StepId)> = Vec::new();
        let mut start = *first;
        for &(pivot, s) in rest.iter().rev() {
            let positive = proof.steps[s.0 as usize].clause.contains(&pivot.positive());
            let (mine, other) = if positive { (pivot.negative(), pivot.positive()) } else { (pivot.positive(), pivot.negative()) };
            if now.binary_search(&mine).is_ok() {
                continue;
            }
            if now.binary_search(&other).is_ok() {
                // What was derived so far is not needed: the other clause keeps its literal.
                start = s;
                break;
            }
            kept.push((pivot, s));
            meet(&mut safe[s.0 as usize], &now, other);
            insert(&mut now, mine);
        }
        kept.reverse();
        meet_all(&mut safe[start.0 as usize], now);
        chains[i] = Some((start, kept));
    }
    chains
}

fn insert(set: &mut Vec<Lit>, l: Lit) {
    if let Err(at) = set.binary_search(&l) {
        set.insert(at, l);
    }
}

fn meet(known: &mut Option<Vec<Lit>>, safe: &[Lit], and: Lit) {
    if matches!(known, Some(k) if k.is_empty()) {
        return;
    }
    let mut set = safe.to_vec();
    insert(&mut set, and);
    meet_all(known, set);
}

fn meet_all(known: &mut Option<Vec<Lit>>, set: Vec<Lit>) {
    match known {
        None => *known = Some(if set.len() > SAFE_LIMIT { Vec::new() } else { set }),
        Some(k) => k.retain(|l| set.binary_search(l).is_ok()),
    }
}

/// Resolves again what is left of a chain; a premise without its pivot stands for the result.
fn rebuild(out: &mut Proof, place: &[StepId], first: StepId, rest: &[(BoolVar, StepId)]) -> StepId {
    let mut start = place[first.0 as usize];
    let mut chain: Vec<(BoolVar, StepId)> = Vec::new();
    let mut clause = out.steps[start.0 as usize].clause.clone();
    let mut at: FxHashMap<Lit, ()> = clause.iter().map(|l| (*l, ())).collect();
    for &(pivot, s) in rest {
        let s = place[s.0 as usize];
        let other = &out.steps[s.0 as usize].clause;
        let mine = [pivot.positive(), pivot.negative()].into_iter().find(|l| at.contains_key(l));
        let Some(mine) = mine else { continue };
        if other.contains(&!mine) {
            at.remove(&mine);
            clause.retain(|l| *l != mine);
            for &l in other.iter().filter(|l| **l != !mine) {
                if at.insert(l, ()).is_none() {
                    clause.push(l);
                }
            }
            chain.push((pivot, s));
        } else if !other.contains(&mine) {
            start = s;
            chain.clear();
            clause = other.clone();
            at = clause.iter().map(|l| (*l, ())).collect();
        }
    }
    if chain.is_empty() {
        return start;
    }
    out.steps.push(Step { clause, reason: Reason::Chain { first: start, rest: chain } });
    StepId(out.steps.len() as u32 - 1)
}
