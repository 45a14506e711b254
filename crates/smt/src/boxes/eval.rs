//! Forward: what the nodes can be when the unknowns are in a box.

use super::code::{Code, Id, Int2, Node, Set};
use plumb_term::{FCmpOp, FRange, FTest, IBig, IntTy, Range, Scalar};

/// Stores that one load looks through, and cells that it looks at.
const LOAD_STEPS: usize = 3000;

impl Code {
    /// The sets of all nodes, given truth values of some, ascending; false if some node has no value.
    pub(super) fn forward(&self, unknowns: &[Set], assumed: &[(Id, bool)], sets: &mut Vec<Set>) -> bool {
        sets.clear();
        let mut assumed = assumed.iter().peekable();
        for id in 0..self.nodes.len() {
            let mut set = self.node_set(id, unknowns, sets).meet(self.shapes[id]);
            if let Some((_, truth)) = assumed.next_if(|a| a.0 == id) {
                set = set.meet(Set::Bool(Some(*truth)));
            }
            if set == Set::Nothing {
                return false;
            }
            sets.push(set);
        }
        true
    }

    /// The set of a node, given those of its operands.
    pub(super) fn node_set(&self, id: Id, unknowns: &[Set], sets: &[Set]) -> Set {
        let float = |a: Id| match sets[a] {
            Set::Float(f) => Some(f),
            _ => None,
        };
        let found = match &self.nodes[id] {
            Node::Constant(set) | Node::Opaque(set) => Some(*set),
            Node::Unknown(u) => Some(unknowns[*u]),
            Node::Not(a) => Some(Set::Bool(sets[*a].truth().map(|b| !b))),
            Node::And(ts) => Some(Set::Bool(junction(ts, sets, true))),
            Node::Or(ts) => Some(Set::Bool(junction(ts, sets, false))),
            Node::Ite(c, a, b) => Some(match sets[*c].truth() {
                Some(true) => sets[*a],
                Some(false) => sets[*b],
                None => sets[*a].join(sets[*b]),
            }),
            Node::Eq(a, b) => Some(Set::Bool(equal(sets[*a], sets[*b]))),
            Node::Le(a, b) => Some(Set::Bool(at_most(sets[*a].int(), sets[*b].int()))),
            Node::Lin(constant, parts) => Some(Set::Int(parts.iter().fold(*constant, |sum, (k, a)| sum.plus(sets[*a].int().scale(k))))),
            Node::Int2(op, a, b) => Some(Set::Int(int2(*op, sets[*a].int(), sets[*b].int()))),
            Node::Wrap(ty, a) => Some(Set::Int(wrap(*ty, sets[*a].int()))),
            // An operand with itself: programs ask so whether it is NaN.
            Node::FCmp(op, a, b) if a == b => float(*a).map(|x| Set::Bool(with_itself(*op, x))),
            Node::FBin(op, a, b) => float(*a).zip(float(*b)).map(|(a, b)| Set::Float(FRange::binary(*op, a, b))),
            Node::FUn(op, a) => float(*a).map(|a| Set::Float(FRange::unary(*op, a))),
            Node::FCmp(op, a, b) => float(*a).zip(float(*b)).map(|(a, b)| Set::Bool(FRange::compare(*op, a, b))),
            Node::FTest(test, a) => float(*a).map(|a| Set::Bool(a.test(*test))),
            Node::FFromInt(ty, a) => Some(Set::Float(FRange::from_int(*ty, sets[*a].int()))),
            Node::FToInt(ty, a) => float(*a).map(|a| Set::Int(a.to_int(*ty))),
            Node::FCast(ty, a) => float(*a).map(|a| Set::Float(a.cast(*ty))),
            Node::FBits(a) => float(*a).map(|a| Set::Int(a.bits())),
            Node::FFromBits(ty, a) => Some(Set::Float(FRange::from_bits(*ty, sets[*a].int()))),
            Node::Load(ty, m, a) => Some(self.load(*ty, *m, *a, unknowns, sets)),
            Node::Store(..) | Node::ZeroMem | Node::Memory(_) => Some(Set::Mem),
        };
        found.unwrap_or(self.shapes[id])
    }

    /// What a load from memory `m` at the addresses of `a` can yield.
    fn load(&self, ty: Scalar, m: Id, a: Id, unknowns: &[Set], sets: &[Set]) -> Set {
        let all = Set::of_scalar(ty);
        let (Some(lo), Some(hi)) = (sets[a].int().lo, sets[a].int().hi) else { return all };
        let class = self.classes[a];
        let (size, mut found, mut steps) = (ty.bytes() as i128, Set::Nothing, 0);
        let mut work = vec![m];
        while let Some(m) = work.pop() {
            steps += 1;
            if steps > LOAD_STEPS || found == all {
                return all;
            }
            match &self.nodes[m] {
                Node::ZeroMem => found = found.join(zero(ty)),
                Node::Ite(c, x, y) => match sets[*c].truth() {
                    Some(true) => work.push(*x),
                    Some(false) => work.push(*y),
                    None => work.extend([*x, *y]),
                },
                Node::Store(stored, before, at, value) => {
                    let (Some(l), Some(h)) = (sets[*at].int().lo, sets[*at].int().hi) else { return all };
                    let other = self.classes[*at];
                    let same = *stored == ty;
                    let apart = if self.whole[m] {
                        h < lo || hi < l || !class.meets(other)
                    } else {
                        // Scalars of one type at a distance that their size divides do not overlap in part.
                        let aligned = same && class.modulus % size == 0 && other.modulus % size == 0;
                        let disjoint = aligned && !class.meets(other) && (class.rest - other.rest) % size == 0;
                        h.saturating_add(stored.bytes() as i128) <= lo || hi.saturating_add(size) <= l || disjoint
                    };
                    if apart {
                        work.push(*before);
                        continue;
                    }
                    let exact = lo == hi && l == h && lo == l;
                    let never_partly = self.whole[m] || exact || {
                        class.modulus % size == 0 && other.modulus % size == 0 && (class.rest - other.rest) % size == 0
                    };
                    if !same || !never_partly {
                        return all;
                    }
                    // A store wraps.
                    let value = match (ty, sets[*value]) {
                        (Scalar::Int(t), Set::Int(r)) => Set::Int(wrap(t, r)),
                        (_, value) => value,
                    };
                    found = found.join(value);
                    if !exact {
                        work.push(*before);
                    }
                }
                Node::Memory(v) => {
                    let Some(cells) = self.cells.get(&(*v, ty)) else { return all };
                    let step = class.modulus.max(1);
                    let from = lo + (class.rest - lo).rem_euclid(step);
                    let count = if from > hi { 0 } else { ((hi - from) / step).saturating_add(1) };
                    let start = cells.partition_point(|c| c.0 < from);
                    let end = cells.partition_point(|c| c.0 <= hi);
                    steps += end - start;
                    // Only if every address is that of a cell.
                    let inside = cells[start..end].iter().filter(|c| (c.0 - from) % step == 0);
                    if steps > LOAD_STEPS || inside.clone().count() as i128 != count {
                        return all;
                    }
                    found = inside.fold(found, |f, c| f.join(unknowns[c.1]));
                }
                _ => return all,
            }
        }
        // Addresses that cannot be: no value at all, which only a box without points has.
        if found == Set::Nothing {
            all
        } else {
            found
        }
    }
}

/// The truth of `x op x`.
fn with_itself(op: FCmpOp, x: FRange) -> Option<bool> {
    match op {
        FCmpOp::Lt => Some(false),
        FCmpOp::Eq | FCmpOp::Le => x.test(FTest::Nan).map(|nan| !nan),
    }
}

fn zero(ty: Scalar) -> Set {
    match ty {
        Scalar::Int(_) => Set::Int(Range::new(0, 0)),
        Scalar::Float(t) => Set::Float(FRange::of(plumb_term::Float::zero(t))),
    }
}

fn junction(ts: &[Id], sets: &[Set], is_and: bool) -> Option<bool> {
    let mut all = true;
    for t in ts {
        match sets[*t].truth() {
            Some(b) if b != is_and => return Some(!is_and),
            Some(_) => {}
            None => all = false,
        }
    }
    all.then_some(is_and)
}

fn at_most(a: Range, b: Range) -> Option<bool> {
    match (a, b) {
        (Range { hi: Some(h), .. }, Range { lo: Some(l), .. }) if h <= l => Some(true),
        (Range { lo: Some(l), .. }, Range { hi: Some(h), .. }) if l > h => Some(false),
        _ => None,
    }
}

fn equal(a: Set, b: Set) -> Option<bool> {
    match (a, b) {
        (Set::Bool(a), Set::Bool(b)) => a.zip(b).map(|(a, b)| a == b),
        (Set::Int(x), Set::Int(y)) => match a.meet(b) {
            Set::Nothing => Some(false),
            _ if x.lo.is_some() && x.lo == x.hi && x == y => Some(true),
            _ => None,
        },
        _ => None,
    }
}

/// A range that is one number.
fn point(r: Range) -> Option<i128> {
    r.lo.filter(|l| r.hi == Some(*l))
}

pub(super) fn wrap(ty: IntTy, r: Range) -> Range {
    if r.fits(ty) {
        return r;
    }
    // An interval that does not cross a border of the type moves as a whole.
    if let (Some(lo), Some(hi)) = (r.lo, r.hi) {
        let (a, b) = (ty.wrap_i128(lo), ty.wrap_i128(hi));
        if let (Some(a), Some(b), Some(width)) = (a, b, hi.checked_sub(lo)) {
            if b.checked_sub(a) == Some(width) {
                return Range::new(a, b);
            }
        }
    }
    Range::of_type(ty)
}

fn int2(op: Int2, a: Range, b: Range) -> Range {
    if let (Some(x), Some(y)) = (point(a), point(b)) {
        let (x, y) = (IBig::from(x), IBig::from(y));
        use plumb_term::eval::{div, floor_shr, rem, shift_count};
        let value = match op {
            Int2::Mul => x * y,
            Int2::Div => div(&x, &y),
            Int2::Rem => rem(&x, &y),
            Int2::BitAnd => x & y,
            Int2::BitOr => x | y,
            Int2::BitXor => x ^ y,
            Int2::Shl => shift_count(&y).map_or(IBig::ZERO, |n| x << n),
            Int2::Shr => shift_count(&y).map_or(IBig::ZERO, |n| floor_shr(&x, n)),
        };
        return Range::of_value(&value);
    }
    if let Some(r) = fixed_bits(op, a, b).or_else(|| fixed_bits(op, b, a)) {
        return r;
    }
    match op {
        Int2::Mul => a.times(b),
        Int2::Div => a.quotients(b),
        Int2::Rem => a.remainders(b),
        Int2::BitAnd => masked(a, b).or_else(|| masked(b, a)).unwrap_or_else(|| nonnegative_and(a, b)),
        Int2::BitOr | Int2::BitXor => disjunction(op, a, b),
        Int2::Shl => match (point(b), a.lo, a.hi) {
            (Some(n @ 0..=100), Some(l), Some(h)) => Range { lo: l.checked_mul(1 << n), hi: h.checked_mul(1 << n) },
            _ => Range { lo: a.lo.filter(|l| *l >= 0).map(|_| 0), hi: a.hi.filter(|h| *h <= 0).map(|_| 0) },
        },
        Int2::Shr => match point(b) {
            Some(n @ 0..=126) => Range { lo: a.lo.map(|l| l >> n), hi: a.hi.map(|h| h >> n) },
            _ => Range { lo: a.lo.map(|l| l.min(0)), hi: a.hi.map(|h| h.max(0)) },
        },
    }
}

/// Bits of a constant where those of `a` are the same throughout, or that keep what they meet: then the operator moves the bounds.
fn fixed_bits(op: Int2, a: Range, c: Range) -> Option<Range> {
    let (lo, hi, c) = (a.lo?, a.hi?, point(c)?);
    // The bits in which elements of the interval differ are below the first one in which its bounds do.
    let differ = lo ^ hi;
    if !(0..1 << 126).contains(&differ) {
        return None;
    }
    let open = (1i128 << (128 - differ.leading_zeros())) - 1;
    match op {
        Int2::BitAnd if c & open == open => Some(Range::new(lo & c, hi & c)),
        Int2::BitOr if c & open == 0 => Some(Range::new(lo | c, hi | c)),
        Int2::BitXor if c & open == 0 => Some(Range::new(lo ^ c, hi ^ c)),
        _ => None,
    }
}

/// `a | b` and `a ^ b`: of numbers that are not negative at most the sum, and `a | b` at least each.
fn disjunction(op: Int2, a: Range, b: Range) -> Range {
    let coarse = a.bitwise(b);
    match (a.lo, b.lo) {
        (Some(x @ 0..), Some(y @ 0..)) => {
            let least = if op == Int2::BitOr { x.max(y) } else { 0 };
            coarse.intersection(Range { lo: Some(least), hi: a.plus(b).hi })
        }
        _ => coarse,
    }
}

/// `a & m` for a mask of low bits, where the interval does not cross a multiple of the mask's successor.
fn masked(a: Range, m: Range) -> Option<Range> {
    let m = point(m).filter(|m| (0..i128::MAX).contains(m) && m & (m + 1) == 0)?;
    let bits = (m + 1).trailing_zeros();
    let (lo, hi) = (a.lo?, a.hi?);
    if lo >> bits == hi >> bits {
        Some(Range::new(lo & m, hi & m))
    } else {
        Some(Range::new(0, m))
    }
}

fn nonnegative_and(a: Range, b: Range) -> Range {
    let mut r = a.bitwise(b);
    for side in [a, b] {
        if side.lo.is_some_and(|l| l >= 0) {
            r = r.intersection(Range { lo: Some(0), hi: side.hi });
        }
    }
    r
}
