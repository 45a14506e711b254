//! Which variables have bits, and how many.
//!
//! A flow-insensitive bound of each integer variable is the join of all values it is ever given. Variables with few values are followed bit by
//! bit, whatever is computed with them; one with a wide range is followed if it takes constants and copies only (a set of constants has a small
//! diagram, however wide). Others are not followed.

use plumb_cfa::Program;
use plumb_cpa::{ranges, Flow};
use plumb_term::{Range, Sort, Term, VarId};
use std::collections::BTreeMap;

/// Variables of so many bits are followed whatever happens to them.
const NARROW: u32 = 8;
/// Variables that take constants and copies alone are followed up to so many bits.
const WIDE: u32 = 20;
/// Rounds before a growing bound becomes its type's.
const ROUNDS: u32 = 8;
/// So many levels are used at most.
const MAX_LEVELS: u32 = plumb_dd::MAX_LEVELS / 2;

/// The bits of a variable: its value is `lo` and the number that they make. The most significant bit has the level `first`, the others follow at every second
/// level; those between are for values after a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Bits {
    pub(super) lo: i128,
    pub(super) count: u32,
    pub(super) first: u32,
}

impl Bits {
    /// The level of a bit, counted from the least significant.
    pub(super) fn level(self, bit: u32) -> u32 {
        self.first + 2 * (self.count - 1 - bit)
    }

    /// Whether a level belongs to the value before a step.
    pub(super) fn has(self, level: u32) -> bool {
        (self.first..self.first + 2 * self.count).contains(&level) && (level - self.first) % 2 == 0
    }
}

/// The bits of the variables that are followed, and the bounds of all variables that have narrower ones than their types.
pub(super) fn layout(program: &Program, flow: &Flow<'_>) -> (BTreeMap<VarId, Bits>, BTreeMap<VarId, Range>) {
    let is_number = |v: VarId| program.var(v).ty.sort() == Sort::Int && !program.is_memory(v);
    let mut bounds: BTreeMap<VarId, Range> = BTreeMap::new();
    // After some rounds what grows gets its type's bounds, so each variable changes a few times at most.
    for round in 0.. {
        let mut news: BTreeMap<VarId, Range> = BTreeMap::new();
        for (v, t) in flow.steps().iter().flat_map(|s| s.updates()).filter(|(v, _)| is_number(*v)) {
            // What has no bound yet has no value yet; a variable that is never given one can have any.
            let unread = |x: VarId| bounds.get(&x).copied().unwrap_or(if round == 0 { Range::new(0, 0) } else { program.term(x).range() });
            let value = ranges::eval(*t, &unread).intersection(program.term(*v).range());
            let old = news.get(v).or_else(|| bounds.get(v)).copied();
            news.insert(*v, old.map_or(value, |o| o.join(value)));
        }
        let mut grows = false;
        for (v, r) in news {
            if bounds.get(&v) != Some(&r) {
                grows = true;
                bounds.insert(v, if round >= ROUNDS { program.term(v).range() } else { r });
            }
        }
        if !grows && round > 0 {
            break;
        }
    }
    let mut out: BTreeMap<VarId, Bits> = BTreeMap::new();
    let mut next = 0;
    let plain = |v: VarId| {
        let mut values = flow.steps().iter().flat_map(|s| s.updates()).filter(|u| u.0 == v).map(|u| u.1);
        values.all(|t: Term| t.as_i128().is_some() || t.as_var().is_some_and(|x| x.id < VarId::FIRST_AUX))
    };
    for (v, r) in &bounds {
        let (Some(lo), Some(hi)) = (r.lo, r.hi) else { continue };
        let count = 128 - (hi - lo).leading_zeros();
        let followed = count <= NARROW || (count <= WIDE && plain(*v));
        if followed && next + 2 * count.max(1) <= 2 * MAX_LEVELS {
            out.insert(*v, Bits { lo, count: count.max(1), first: next });
            next += 2 * count.max(1);
        }
    }
    bounds.retain(|v, r| *r != program.term(*v).range());
    (out, bounds)
}
