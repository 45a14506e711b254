//! Deciding formulas about floats by boxes: interval propagation and bisection.
//!
//! **Problem.** To Z3 a float is a circuit, and a polynomial of degree seven is beyond it. But most questions about numeric programs have few
//! unknowns, and most of their values are far from a violation.
//!
//! **Picture.** A *box* gives a set to each unknown of the formula: an interval of floats or integers, a truth value or both. Forward evaluation
//! encloses the value of every subterm over the box ([`plumb_term::FRange`] is exact on bounds, as rounding to nearest is monotone); backward, the truth of the
//! conjuncts shrinks the sets of subterms and unknowns. A box whose formula can only be false is thrown away, of any other one a point is tried, and if it
//! is no model, the box is halved: first by the conditions that choose between values, which stand for the program's branches, then by the unknowns.
//!
//! **Contract.** `Unsat` is answered only when every box was thrown away, `Sat` only with a model that satisfies the formula by [`plumb_term::eval`]. What
//! is not followed here (splices, loads at addresses with wide bounds) has any value of its sort. Deterministic but for the time limit.
//!
//! **Source.** Benhamou, Goualard, Granvilliers, Puget, *Revising Hull and Box Consistency*, ICLP 1999; over the floats: Michel, Rueher, Lebbah, *Solving
//! Constraints over Floating-Point Numbers*, CP 2001.

mod code;
mod eval;
mod narrow;
#[cfg(test)]
mod tests;

use crate::model::Model;
use code::{Code, Id, Node, Set, Unknown};
use plumb_term::eval::{MemValue, Value};
use plumb_term::frange::{at_rank, rank};
use plumb_term::range::middle;
use plumb_term::visit::postorder;
use plumb_term::{Budget, FRange, Float, FloatTy, IBig, Kind, Range, Term, VarTy};
use rustc_hash::FxHashMap;

/// Rounds of propagation in one box.
const ROUNDS: usize = 4;
/// A formula with more subterms is not tried.
const MAX_NODES: usize = 200_000;

/// The answer so far.
pub enum Found {
    /// There is no model.
    Unsat,
    /// There is this one.
    Sat(Box<Model>),
    /// The time is over; asked again, the search goes on.
    Open,
    /// Some boxes could neither be thrown away nor halved, and no model was found.
    Undecided,
}

/// A search for a model of one formula.
pub struct Boxes {
    formula: Term,
    code: Code,
    work: Vec<Region>,
    /// Whether every box so far was thrown away for good.
    complete: bool,
    sets: Vec<Set>,
}

/// Conditions that are decided before the first unknown is halved; from then on by turns.
const CONDITIONS_FIRST: usize = 16;

#[derive(Clone)]
struct Region {
    sets: Vec<Set>,
    /// Nodes with the truth values they have here, ascending: the roots, and conditions that were decided.
    assumed: Vec<(Id, bool)>,
    /// How often each unknown was halved.
    splits: Vec<u16>,
}

impl Boxes {
    /// A search, if the formula is about floats and not huge.
    pub fn new(formula: Term) -> Option<Boxes> {
        let terms = postorder([formula]);
        let floats = terms.iter().any(|t| matches!(t.kind(), Kind::FCmp(..) | Kind::FToInt(..) | Kind::FTest(..) | Kind::FBits(..)));
        if !floats || terms.len() > MAX_NODES {
            return None;
        }
        let code = Code::new(formula);
        let sets: Vec<Set> = code.unknowns.iter().map(|u| u.all()).collect();
        let splits = vec![0; sets.len()];
        let mut assumed: Vec<(Id, bool)> = code.roots.iter().map(|r| (*r, true)).collect();
        assumed.sort_unstable();
        assumed.dedup();
        Some(Boxes { formula, code, work: vec![Region { sets, assumed, splits }], complete: true, sets: Vec::new() })
    }

    /// Goes on with the search.
    pub fn run(&mut self, budget: &Budget) -> Found {
        while let Some(mut region) = self.work.pop() {
            if budget.is_over() {
                self.work.push(region);
                return Found::Open;
            }
            if !self.propagate(&mut region) {
                continue;
            }
            if let Some(model) = self.try_point(&region) {
                return Found::Sat(Box::new(model));
            }
            match self.choose(&region) {
                Some(Cut::Condition(id)) => {
                    let mut other = region.clone();
                    region.assume(id, true);
                    other.assume(id, false);
                    self.work.extend([other, region]);
                }
                Some(Cut::Unknown(u, a, b)) => {
                    region.splits[u] = region.splits[u].saturating_add(1);
                    let mut other = region.clone();
                    region.sets[u] = a;
                    other.sets[u] = b;
                    self.work.extend([other, region]);
                }
                None => self.complete = false,
            }
        }
        if self.complete {
            Found::Unsat
        } else {
            Found::Undecided
        }
    }

    /// Shrinks a box; false if it has no model.
    fn propagate(&mut self, region: &mut Region) -> bool {
        for _ in 0..ROUNDS {
            if !self.code.forward(&region.sets, &region.assumed, &mut self.sets)
                || !narrow::backward(&self.code, &mut self.sets, &region.sets, &region.assumed)
            {
                return false;
            }
            let mut progress = false;
            for (u, place) in self.code.places.iter().enumerate() {
                let now = region.sets[u].meet(self.sets[*place]);
                if now == Set::Nothing {
                    return false;
                }
                progress |= much_smaller(region.sets[u], now);
                region.sets[u] = now;
            }
            if !progress {
                break;
            }
        }
        // What follows looks at the box as it is now.
        self.code.forward(&region.sets, &region.assumed, &mut self.sets)
    }

    /// A model at the middle of the box, or anywhere if every point is one.
    fn try_point(&self, region: &Region) -> Option<Model> {
        let point: Vec<Set> = region.sets.iter().map(|s| sample(*s)).collect();
        let last_chance = region.sets.iter().all(|s| s.is_point());
        let mut sets = Vec::with_capacity(self.code.nodes.len());
        self.code.forward(&point, &[], &mut sets);
        if !last_chance && !self.code.roots.iter().all(|r| sets.get(*r).is_some_and(|s| s.truth() == Some(true))) {
            return None;
        }
        let model = self.model(&point);
        (model.holds(self.formula) == Some(true)).then_some(model)
    }

    fn model(&self, point: &[Set]) -> Model {
        let mut values: FxHashMap<plumb_term::Var, Value> = FxHashMap::default();
        for (u, set) in self.code.unknowns.iter().zip(point) {
            let Some(value) = value(*set) else { continue };
            match *u {
                Unknown::Var(v) => {
                    values.insert(v, value);
                }
                Unknown::Cell(m, ty, at) => {
                    let VarTy::Mem(cell) = m.ty else { continue };
                    if let Value::Mem(memory) = values.entry(m).or_insert_with(|| Value::Mem(MemValue::zero(cell))) {
                        memory.store(ty, &IBig::from(at), &value);
                    }
                }
            }
        }
        Model::of_values(values)
    }

    /// Where to cut: among what an undecided part of the formula depends on, the oldest condition or the unknown that was halved least.
    fn choose(&self, region: &Region) -> Option<Cut> {
        let mut seen = vec![false; self.code.nodes.len()];
        let mut stack: Vec<Id> = self.code.roots.clone();
        let (mut condition, mut unknown): (Option<Id>, Option<(u16, usize)>) = (None, None);
        while let Some(id) = stack.pop() {
            let assumed = region.has_assumed(id);
            // Of an assumption: whether it holds for all values of its operands.
            let set = if assumed { self.code.node_set(id, &region.sets, &self.sets) } else { self.sets[id] };
            let settled = set.is_point() && set != Set::Mem;
            if std::mem::replace(&mut seen[id], true) || settled {
                continue;
            }
            let node = &self.code.nodes[id];
            let atom = matches!(node, Node::FCmp(..) | Node::FTest(..) | Node::Le(..) | Node::Eq(..));
            if atom && !assumed && condition.is_none_or(|c| id < c) {
                condition = Some(id);
            }
            match node {
                Node::Unknown(u) => {
                    let key = (region.splits[*u], *u);
                    if !region.sets[*u].is_point() && unknown.is_none_or(|b| key < b) {
                        unknown = Some(key);
                    }
                }
                Node::Ite(c, a, b) => {
                    stack.push(*c);
                    match self.sets[*c].truth() {
                        Some(true) => stack.push(*a),
                        Some(false) => stack.push(*b),
                        None => stack.extend([*a, *b]),
                    }
                }
                node => self.code.operands(node, &mut stack),
            }
        }
        let conditions = region.assumed.len().saturating_sub(self.code.roots.len());
        let turn = conditions < CONDITIONS_FIRST || conditions < region.splits.iter().map(|s| usize::from(*s)).sum();
        if let Some(c) = condition.filter(|_| turn || unknown.is_none()) {
            return Some(Cut::Condition(c));
        }
        // Unknowns that only opaque parts hide come last.
        let rest = || (0..region.sets.len()).find(|u| !region.sets[*u].is_point());
        let u = unknown.map(|b| b.1).or_else(rest)?;
        let (a, b) = halves(region.sets[u], region.splits[u])?;
        Some(Cut::Unknown(u, a, b))
    }
}

/// How a box is halved.
enum Cut {
    /// By the truth of a condition.
    Condition(Id),
    /// By the two parts of an unknown's set.
    Unknown(usize, Set, Set),
}

impl Region {
    fn has_assumed(&self, id: Id) -> bool {
        self.assumed.binary_search_by_key(&id, |a| a.0).is_ok()
    }

    fn assume(&mut self, id: Id, truth: bool) {
        if let Err(i) = self.assumed.binary_search_by_key(&id, |a| a.0) {
            self.assumed.insert(i, (id, truth));
        }
    }
}

impl Code {
    fn operands(&self, node: &Node, out: &mut Vec<usize>) {
        match node {
            Node::Constant(_) | Node::Unknown(_) | Node::ZeroMem | Node::Memory(_) | Node::Opaque(_) => {}
            Node::And(ts) | Node::Or(ts) => out.extend(ts.iter()),
            Node::Lin(_, parts) => out.extend(parts.iter().map(|p| p.1)),
            Node::Not(a)
            | Node::Wrap(_, a)
            | Node::FUn(_, a)
            | Node::FTest(_, a)
            | Node::FFromInt(_, a)
            | Node::FToInt(_, a)
            | Node::FCast(_, a)
            | Node::FBits(a)
            | Node::FFromBits(_, a) => out.push(*a),
            Node::Eq(a, b) | Node::Le(a, b) | Node::Int2(_, a, b) | Node::FBin(_, a, b) | Node::FCmp(_, a, b) | Node::Load(_, a, b) => {
                out.extend([*a, *b])
            }
            Node::Ite(a, b, c) | Node::Store(_, a, b, c) => out.extend([*a, *b, *c]),
        }
    }
}

/// Whether it is worth another round: a finite bound was found, or the set lost an eighth.
fn much_smaller(before: Set, now: Set) -> bool {
    match (before, now) {
        (Set::Float(a), Set::Float(b)) => {
            let width = |r: FRange| r.ranks().1 / 2 - r.ranks().0 / 2;
            a.nan != b.nan || width(b) < width(a) - width(a) / 8
        }
        (Set::Int(a), Set::Int(b)) => match (a.lo.zip(a.hi), b.lo.zip(b.hi)) {
            (Some((l, h)), Some((m, i))) => i / 2 - m / 2 < (h / 2 - l / 2) - (h / 2 - l / 2) / 8,
            _ => a != b,
        },
        _ => before != now,
    }
}

/// Two parts of a set that is no point.
fn halves(set: Set, splits: u16) -> Option<(Set, Set)> {
    match set {
        Set::Bool(None) => Some((Set::Bool(Some(true)), Set::Bool(Some(false)))),
        Set::Int(r) => {
            let m = int_middle(r);
            let high = Range { lo: Some(m.checked_add(1)?), hi: r.hi };
            (!set.is_point()).then_some((Set::Int(Range { lo: r.lo, hi: Some(m) }), Set::Int(high)))
        }
        Set::Float(f) if f.nan && f.has_numbers() => Some((Set::Float(f.ordered()), Set::Float(FRange::only_nan(f.ty)))),
        Set::Float(f) => {
            let (lo, hi) = f.ranks();
            // Every fourth cut is in the middle of the exponents.
            let m = if splits % 4 == 3 { middle(lo, hi) } else { float_middle(f.ty, lo, hi) };
            (lo < hi).then_some((Set::Float(f.within(lo, m)), Set::Float(f.within(m + 1, hi))))
        }
        _ => None,
    }
}

/// A number between the bounds, below the upper one unless they are equal.
fn int_middle(r: Range) -> i128 {
    match (r.lo, r.hi) {
        (Some(l), Some(h)) => middle(l, h),
        (Some(l), None) => l.max(0).saturating_mul(2),
        (None, Some(h)) => h.min(-1).saturating_mul(2),
        (None, None) => 0,
    }
}

/// The rank of a number about halfway, below `hi` unless `lo` and `hi` are equal: zero if that is between, else the mean where it is finite.
fn float_middle(ty: FloatTy, lo: i128, hi: i128) -> i128 {
    if lo < -1 && hi > 0 {
        return -1;
    }
    let two = Float::from_int(ty, &IBig::from(2));
    let half = |r: i128| at_rank(ty, r).div(two);
    let mean = half(lo).add(half(hi));
    if mean.is_infinite() || mean.is_nan() {
        return middle(lo, hi);
    }
    rank(mean).clamp(lo, (hi - 1).max(lo))
}

/// One element.
fn sample(set: Set) -> Set {
    match set {
        Set::Bool(b) => Set::Bool(Some(b.unwrap_or(false))),
        Set::Int(r) => {
            let m = if r.contains(0) { 0 } else { int_middle(r) };
            Set::Int(Range::new(m, m))
        }
        Set::Float(f) if f.has_numbers() => {
            let (lo, hi) = f.ranks();
            let m = float_middle(f.ty, lo, hi);
            Set::Float(FRange::of(at_rank(f.ty, m)))
        }
        other => other,
    }
}

fn value(set: Set) -> Option<Value> {
    match set {
        Set::Bool(b) => Some(Value::Bool(b?)),
        Set::Int(r) => Some(Value::Int(IBig::from(r.lo?))),
        Set::Float(f) => Some(Value::Float(f.point().unwrap_or(Float::nan(f.ty)))),
        Set::Mem | Set::Nothing => None,
    }
}
