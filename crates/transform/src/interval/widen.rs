//! Widening: bounds that grow move to the next threshold, and away after some rounds.
//!
//! Thresholds are the constants of the program's conditions, natural places for a loop's bounds, and for floats a ramp of powers of ten, because
//! the sums and filters that settle somewhere do so between constants.

use super::value::Interval;
use plumb_cfa::{Op, Program};
use plumb_term::frange::rank;
use plumb_term::visit::postorder;
use plumb_term::{FRange, Float, FloatTy, IBig, Kind, Range, Term};

const FORMATS: [FloatTy; 4] = [FloatTy::F32, FloatTy::F64, FloatTy::F80, FloatTy::F128];
/// The ramp ends at ten to this power.
const RAMP: u32 = 9;

/// The thresholds of a program, ascending.
#[derive(Clone, Debug, Default)]
pub struct Thresholds {
    ints: Vec<i128>,
    /// Ranks, for each of the formats.
    floats: [Vec<i128>; 4],
}

impl Thresholds {
    /// Of a program's conditions.
    pub fn of(program: &Program) -> Thresholds {
        let (mut out, mut floats) = (Thresholds::default(), Vec::new());
        for e in program.functions.iter().flat_map(|f| f.graph.edges()) {
            if let Op::Assume(c) | Op::Guard { cond: c, .. } = &e.1.op {
                constants(*c, &mut out.ints, &mut floats);
            }
        }
        if !floats.is_empty() {
            floats.extend((0..=RAMP).map(|n| Float::from_int(FloatTy::F64, &IBig::from(10u32.pow(n)))));
            for (list, ty) in out.floats.iter_mut().zip(FORMATS) {
                for f in floats.iter().map(|f| f.convert(ty)).filter(|f| !f.is_nan()) {
                    list.extend([f, f.neg()].into_iter().flat_map(|f| [rank(f) - 1, rank(f), rank(f) + 1]));
                }
                let (lo, hi) = FRange::numbers(ty).ranks();
                list.retain(|r| lo <= *r && *r <= hi);
            }
        }
        for list in std::iter::once(&mut out.ints).chain(&mut out.floats) {
            list.sort_unstable();
            list.dedup();
        }
        out
    }

    /// `new`, which holds `old`, with the bounds that differ moved to thresholds, or away if there is none or `far`.
    pub fn widen(&self, old: Interval, new: Interval, far: bool) -> Interval {
        let pick = |list: &'_ [i128], old: Option<i128>, new: Option<i128>, down: bool| {
            let next = |v: i128| {
                if down {
                    list[..list.partition_point(|t| *t <= v)].last().copied()
                } else {
                    list.get(list.partition_point(|t| *t < v)).copied()
                }
            };
            if old == new {
                old
            } else {
                new.filter(|_| !far).and_then(next)
            }
        };
        match (old, new) {
            (Interval::Int(a), Interval::Int(b)) => {
                Interval::Int(Range { lo: pick(&self.ints, a.lo, b.lo, true), hi: pick(&self.ints, a.hi, b.hi, false) })
            }
            (Interval::Float(a), Interval::Float(b)) => {
                let list = FORMATS.iter().position(|f| *f == b.ty).map_or(&[][..], |i| &self.floats[i]);
                if !a.has_numbers() || !b.has_numbers() {
                    return new;
                }
                let ((al, ah), (bl, bh)) = (a.ranks(), b.ranks());
                let (least, most) = FRange::numbers(b.ty).ranks();
                let lo = pick(list, Some(al), Some(bl), true).unwrap_or(least);
                let hi = pick(list, Some(ah), Some(bh), false).unwrap_or(most);
                Interval::Float(b.widened_to(lo, hi))
            }
            _ => new,
        }
    }
}

/// The constants of a condition.
fn constants(t: Term, ints: &mut Vec<i128>, floats: &mut Vec<Float>) {
    for n in postorder([t]) {
        let mut add = |v: &IBig| {
            if let Ok(v) = i128::try_from(v) {
                ints.extend([v.saturating_sub(1), v, v.saturating_add(1)]);
            }
        };
        match n.kind() {
            Kind::Int(v) => add(v),
            Kind::Lin(lin) => {
                add(&lin.constant);
                add(&-lin.constant.clone());
            }
            Kind::Float(f) => floats.push(*f),
            Kind::FFromInt(_, a) => floats.extend(a.as_int().map(|v| Float::from_int(FloatTy::F64, v))),
            Kind::FCmp(..) if floats.is_empty() => floats.push(Float::zero(FloatTy::F64)),
            _ => {}
        }
    }
}
