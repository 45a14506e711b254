//! `refine(τ, Π, V, R)` (seed 003, Fig. 3): what a spurious trace shows to be missing.
//!
//! V gets the variables that the formulae of the core were computed from, R the elements: those at numerals under the trace; otherwise the
//! values that an index can take on the trace. All elements of an array are the last resort. What is kept already costs nothing when the core is made small, so no
//! more than necessary is added.

use super::decide::Decider;
use super::encode::{Encoded, Formula, Need, Select};
use plumb_cfa::{Program, RegionId};
use plumb_term::{IBig, Scalar};
use plumb_transform::array_index::{Element, Precision};
use std::collections::BTreeSet;

/// The most values of one index that are told apart.
const MAX_VALUES: usize = 16;
/// The most elements that arrays may have for all of them to be added.
const MAX_ELEMENTS: usize = 128;

/// What a formula would add to a precision, weighed.
pub fn cost(precision: &Precision, f: &Formula) -> u64 {
    let weigh = |n: Need| match n {
        Need::Variable(v) if precision.variables.contains(&v) => 0,
        Need::Variable(_) => 10,
        Need::Element(e) if precision.elements.contains(&e) => 0,
        Need::Element(_) => 100,
        Need::Select(_) => 1000,
    };
    f.needs.iter().map(weigh).sum()
}

/// The larger precision that the core asks for; nothing if what is kept suffices, or nothing helps.
pub fn refine(program: &Program, encoded: &Encoded, core: &[usize], old: &Precision, decider: &Decider<'_>) -> Option<Precision> {
    let mut new = old.clone();
    let mut open: BTreeSet<Select> = BTreeSet::new();
    for need in core.iter().flat_map(|i| encoded.formulae[*i].needs.iter()) {
        match need {
            Need::Variable(v) => _ = new.variables.insert(v),
            Need::Element(e) => new.elements.extend(element(program, e.region, e.addr, e.ty)),
            Need::Select(s) => _ = open.insert(s),
        }
    }
    if new != *old {
        return Some(new);
    }
    // The prefix before the contradiction can be executed: there are values.
    let prefix = &encoded.formulae[..core.last().copied().unwrap_or(0)];
    for s in &open {
        let taken = decider.values(prefix, s.addr, MAX_VALUES).into_iter().flatten();
        new.elements.extend(taken.filter_map(|v: IBig| element(program, s.region, u64::try_from(v).ok()?, s.ty)));
    }
    if new != *old {
        return Some(new);
    }
    // The last resort.
    for s in &open {
        new.elements.extend(all_elements(program, s)?);
    }
    (new != *old).then_some(new)
}

/// An element, unless it lies outside every object.
fn element(program: &Program, region: RegionId, addr: u64, ty: Scalar) -> Option<Element> {
    let known = program.object_at(addr).map_or(addr >= program.heap_base, |o| o.region == region);
    known.then_some(Element { region, addr, ty })
}

/// All elements of a select's region, if there are few.
fn all_elements(program: &Program, s: &Select) -> Option<Vec<Element>> {
    let step = s.ty.bytes().max(1);
    let mut out = Vec::new();
    for o in program.objects.iter().filter(|o| o.region == s.region) {
        if o.size / step > (MAX_ELEMENTS - out.len().min(MAX_ELEMENTS)) as u64 {
            return None;
        }
        let places = (0..o.size / step).map(|i| o.addr + i * step);
        out.extend(places.map(|addr| Element { region: s.region, addr, ty: s.ty }));
    }
    Some(out)
}
