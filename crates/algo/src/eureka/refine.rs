//! `refine(τ, Π, V, R)` (seed 003, Fig. 3): what a spurious trace shows to be missing.
//!
//! V gets the variables of the formulae in the core, R the indices of their selects: the numeral that an index is under the trace, otherwise the values that it
//! can take on the trace. All elements of an array are the last resort. What is known to matter already costs nothing when the core is made small, so no
//! more than necessary is added.

use super::decide::Decider;
use super::encode::{Encoded, Formula, Select};
use plumb_cfa::{Program, RegionId};
use plumb_term::{IBig, Scalar, VarId};
use plumb_transform::array_index::{Element, Precision};
use std::collections::BTreeSet;

/// The most values of one index that are told apart.
const MAX_VALUES: usize = 16;
/// The most elements that arrays may have for all of them to be added.
const MAX_ELEMENTS: usize = 128;

/// What a formula would add to a precision, weighed.
pub fn cost(program: &Program, precision: &Precision, f: &Formula) -> u64 {
    let variables = f.variables.iter().filter(|v| !precision.variables.contains(v)).count() as u64;
    let new = |s: &&Select| numeral(program, s).is_none_or(|e| !precision.elements.contains(&e));
    let elements = f.selects.iter().filter(new).count() as u64;
    100 * elements + 10 * variables
}

/// The element that a select reads, if its index is a numeral.
fn numeral(program: &Program, s: &Select) -> Option<Element> {
    let addr = u64::try_from(s.value.as_int()?).ok()?;
    element(program, s.region, addr, s.ty)
}

fn element(program: &Program, region: RegionId, addr: u64, ty: Scalar) -> Option<Element> {
    // Elements outside every object are nobody's.
    let known = program.object_at(addr).map_or(addr >= program.heap_base, |o| o.region == region);
    known.then_some(Element { region, addr, ty })
}

/// The larger precision that the core asks for; nothing if there is none.
pub fn refine(program: &Program, encoded: &Encoded, core: &[usize], old: &Precision, decider: &Decider<'_>) -> Option<Precision> {
    let formulae: Vec<&Formula> = core.iter().map(|i| &encoded.formulae[*i]).collect();
    // The prefix before the contradiction can be executed: there are values.
    let prefix = &encoded.formulae[..core.last().copied().unwrap_or(0)];
    if let Some(p) = with(program, encoded, &formulae, prefix, old, decider) {
        return Some(p);
    }
    // The core alone does not tell: everything that the path reads and writes.
    let all: Vec<&Formula> = encoded.formulae.iter().collect();
    with(program, encoded, &all, prefix, old, decider)
}

fn with(
    program: &Program,
    encoded: &Encoded,
    core: &[&Formula],
    prefix: &[Formula],
    old: &Precision,
    decider: &Decider<'_>,
) -> Option<Precision> {
    let mut new = old.clone();
    let mut regions: BTreeSet<RegionId> = BTreeSet::new();
    let mut open: Vec<&Select> = Vec::new();
    for f in core {
        new.variables.extend(f.variables.iter().copied());
        for s in &f.selects {
            regions.insert(s.region);
            match numeral(program, s) {
                Some(e) => _ = new.elements.insert(e),
                None => open.push(s),
            }
        }
    }
    for r in &regions {
        let written = encoded.written.get(r).into_iter().flatten();
        new.variables.extend(written.copied().filter(|v: &VarId| !program.is_memory(*v)));
    }
    if new != *old {
        return Some(new);
    }
    for s in &open {
        let taken = decider.values(prefix, s.addr, MAX_VALUES).into_iter().flatten();
        let elements = taken.filter_map(|v: IBig| element(program, s.region, u64::try_from(v).ok()?, s.ty));
        new.elements.extend(elements);
    }
    if new != *old {
        return Some(new);
    }
    // The last resort.
    for s in &open {
        let cells = all_elements(program, s)?;
        new.elements.extend(cells);
    }
    (new != *old).then_some(new)
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
