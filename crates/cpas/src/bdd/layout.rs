//! Which variables have bits, and how many.
//!
//! A flow-insensitive bound of each integer variable is the join of all values it is ever given. Variables with few values are followed bit by
//! bit, whatever is computed with them; one with a wide range is followed if it takes constants and copies only (a set of constants has a small
//! diagram, however wide). Of others the bits say in which of few regions the value is: the constants that the program compares the variable with cut
//! its range into regions, and what is computed is known by the bounds of regions ([`super::regions`]). What is compared with no constant is not followed.

use super::cuts::Cuts;
use plumb_cfa::Program;
use plumb_cpa::{ranges, Flow};
use plumb_term::visit::{as_bound, postorder, vars};
use plumb_term::{Range, Sort, Term, VarId};
use std::collections::{BTreeMap, BTreeSet};

/// Variables of so many bits are followed whatever happens to them.
const NARROW: u32 = 8;
/// Variables that take constants and copies alone are followed up to so many bits.
const WIDE: u32 = 20;
/// Variables with more regions are not followed.
const MAX_REGIONS: usize = 64;
/// A variable with so many bits at most is looked at value by value where bounds are computed.
const FEW: u32 = 4;
/// So many choices of regions and values are looked at for one term.
const MAX_CASES: usize = 512;
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

/// What is followed, and how.
#[derive(Debug)]
pub(super) struct Layout {
    /// The bits of the variables that are followed.
    pub(super) bits: BTreeMap<VarId, Bits>,
    /// Of those whose bits count regions: the last values of all regions but the last, ascending. Numbers beyond the last region's stand for it, too.
    pub(super) cuts: BTreeMap<VarId, Vec<i128>>,
    /// The bounds of all variables that have narrower ones than their types. What the numbers of bits rest on: a bit that a diagram does not test stands
    /// for the values within these bounds, not for all.
    pub(super) bounds: BTreeMap<VarId, Range>,
}

/// A part of a variable's values that its bits tell apart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub(super) var: VarId,
    /// The first and the last of the numbers that the bits then make.
    pub(super) numbers: (u32, u32),
    pub(super) range: Range,
}

impl Layout {
    fn parts(&self, v: VarId) -> Vec<Part> {
        let Some(b) = self.bits.get(&v) else { return Vec::new() };
        let last = match self.cuts.get(&v) {
            Some(cuts) => cuts.len() as u32,
            None if b.count <= FEW => (1 << b.count) - 1,
            None => return Vec::new(),
        };
        let part = |number: u32| {
            let value = b.lo + i128::from(number);
            let range = self.values(v, value, value).intersection(self.range(v));
            // Numbers beyond the last stand for it.
            Part { var: v, numbers: (number, if number == last { (1 << b.count) - 1 } else { number }), range }
        };
        (0..=last).map(part).filter(|p| p.range.lo.zip(p.range.hi).is_none_or(|(lo, hi)| lo <= hi)).collect()
    }

    /// What is known of a variable's values always.
    pub(super) fn range(&self, v: VarId) -> Range {
        self.bounds.get(&v).copied().unwrap_or(Range::ALL)
    }

    /// All choices of parts for the variables of a term, as far as they are not too many.
    pub(super) fn cases(&self, t: Term) -> Vec<Vec<Part>> {
        let own = |v: &plumb_term::Var| v.version == 0 && v.id < VarId::FIRST_AUX;
        let variables: BTreeSet<VarId> = vars([t]).iter().filter(|v| own(v)).map(|v| v.id).collect();
        let mut all: Vec<Vec<Part>> = vec![Vec::new()];
        for v in variables {
            let parts = self.parts(v);
            if !parts.is_empty() && all.len() * parts.len() <= MAX_CASES {
                let with = |case: &Vec<Part>| parts.iter().map(|p| case.iter().copied().chain([*p]).collect()).collect::<Vec<_>>();
                all = all.iter().flat_map(with).collect();
            }
        }
        all
    }

    /// Bounds of a term in a case.
    pub(super) fn of_case<'a>(&'a self, case: &'a [Part]) -> impl Fn(VarId) -> Range + 'a {
        |v| case.iter().find(|p| p.var == v).map_or_else(|| self.range(v), |p| p.range)
    }

    /// The first and the last number of a variable's bits that stand for values in a range.
    pub(super) fn numbers(&self, v: VarId, b: Bits, r: Range) -> (u32, u32) {
        let most = (1 << b.count) - 1;
        let number = |value: i128| match self.cuts.get(&v) {
            Some(cuts) => cuts.partition_point(|c| *c < value) as u32,
            None => u32::try_from((value - b.lo).max(0)).unwrap_or(most).min(most),
        };
        let end = self.cuts.get(&v).map_or(most, |cuts| cuts.len() as u32);
        (r.lo.map_or(0, number), r.hi.map_or(end, number))
    }

    /// The values that numbers of a variable's bits stand for.
    pub(super) fn values(&self, v: VarId, lo: i128, hi: i128) -> Range {
        let Some(cuts) = self.cuts.get(&v) else { return Range::new(lo, hi) };
        let at = |i: i128| usize::try_from(i).ok().and_then(|i| cuts.get(i)).copied();
        Range { lo: at(lo.min(cuts.len() as i128) - 1).map(|c| c + 1), hi: at(hi) }
    }
}

/// The layout for a program, with further cuts.
pub(super) fn layout(program: &Program, flow: &Flow<'_>, further: &Cuts) -> Layout {
    let mut cuts = compared(flow);
    for (v, more) in further {
        cuts.entry(*v).or_default().extend(more);
    }
    cuts.retain(|v, c| is_number(program, *v) && c.len() < MAX_REGIONS);
    assigned(program, flow, &bounds(program, flow), &cuts)
}

fn is_number(program: &Program, v: VarId) -> bool {
    program.var(v).ty.sort() == Sort::Int && !program.is_memory(v)
}

/// The join of all values that a variable is ever given, by variable.
fn bounds(program: &Program, flow: &Flow<'_>) -> BTreeMap<VarId, Range> {
    let mut bounds: BTreeMap<VarId, Range> = BTreeMap::new();
    // After some rounds what grows gets its type's bounds, so each variable changes a few times at most.
    for round in 0.. {
        let mut news: BTreeMap<VarId, Range> = BTreeMap::new();
        for (v, t) in flow.steps().iter().flat_map(|s| s.updates()).filter(|(v, _)| is_number(program, *v)) {
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
    bounds
}

/// Bits for what is followed.
fn assigned(program: &Program, flow: &Flow<'_>, all: &BTreeMap<VarId, Range>, cuts: &BTreeMap<VarId, BTreeSet<i128>>) -> Layout {
    let mut out: BTreeMap<VarId, Bits> = BTreeMap::new();
    let mut of_regions: BTreeMap<VarId, Vec<i128>> = BTreeMap::new();
    let mut next = 0;
    let plain = |v: VarId| {
        let mut values = flow.steps().iter().flat_map(|s| s.updates()).filter(|u| u.0 == v).map(|u| u.1);
        values.all(|t: Term| t.as_i128().is_some() || t.as_var().is_some_and(|x| x.id < VarId::FIRST_AUX))
    };
    for (v, r) in all {
        let width = r.lo.zip(r.hi).map(|(lo, hi)| (lo, 128 - (hi - lo).leading_zeros()));
        let exact = width.filter(|(_, count)| *count <= NARROW || (*count <= WIDE && plain(*v)));
        let cuts = cuts.get(v);
        let regions = cuts.map(|c| (0, usize::BITS - c.len().leading_zeros()));
        let Some((lo, count)) = exact.or(regions) else { continue };
        if next + 2 * count.max(1) <= 2 * MAX_LEVELS {
            out.insert(*v, Bits { lo, count: count.max(1), first: next });
            next += 2 * count.max(1);
            if let (None, Some(cuts)) = (exact, cuts) {
                of_regions.insert(*v, cuts.iter().copied().collect());
            }
        }
    }
    let bounds = all.iter().filter(|(v, r)| **r != program.term(**v).range()).map(|(v, r)| (*v, *r)).collect();
    Layout { bits: out, cuts: of_regions, bounds }
}

/// The values after which comparisons with constants change.
fn compared(flow: &Flow<'_>) -> BTreeMap<VarId, BTreeSet<i128>> {
    let mut out: BTreeMap<VarId, BTreeSet<i128>> = BTreeMap::new();
    let terms = flow.steps().iter().flat_map(|s| s.updates().iter().map(|u| u.1).chain([s.condition()]));
    for n in postorder(terms) {
        let Some((v, r)) = as_bound(n).filter(|(v, _)| v.id < VarId::FIRST_AUX) else { continue };
        let before = r.lo.and_then(|lo| lo.checked_sub(1));
        out.entry(v.id).or_default().extend(before.into_iter().chain(r.hi));
    }
    out
}
