//! Backward: from the truth of the conjuncts to smaller sets for what they speak of.
//!
//! Inverses are not computed but searched for: a bound of an operand moves as far as forward evaluation shows that no value up to there gives a result
//! that is still possible. So nothing here is trusted beyond the forward operators.

use super::code::{Code, Id, Int2, Node, Set};
use plumb_term::range::shaved;
use plumb_term::{FCmpOp, FRange, FTest, IBig, Range};

/// Sums with more parts are not narrowed: the effort is quadratic.
const MAX_PARTS: usize = 8;

/// Narrows the sets of nodes, given truth values of some (as in the forward evaluation); false if some node has no value left.
pub(super) fn backward(code: &Code, sets: &mut [Set], unknowns: &[Set], assumed: &[(Id, bool)]) -> bool {
    let narrowed = vec![false; code.nodes.len()];
    let mut pass = Pass { code, sets, unknowns, narrowed, dead: false };
    // Forward evaluation has set them, but their operands do not know.
    for (id, _) in assumed {
        pass.narrowed[*id] = true;
    }
    for id in (0..code.nodes.len()).rev() {
        if pass.dead {
            break;
        }
        if pass.narrowed[id] {
            pass.operands(id);
        }
    }
    !pass.dead
}

struct Pass<'a> {
    code: &'a Code,
    sets: &'a mut [Set],
    unknowns: &'a [Set],
    narrowed: Vec<bool>,
    dead: bool,
}

impl Pass<'_> {
    fn meet(&mut self, id: Id, with: Set) {
        let now = self.sets[id].meet(with);
        if now == Set::Nothing {
            self.dead = true;
        } else if now != self.sets[id] {
            self.sets[id] = now;
            self.narrowed[id] = true;
        }
    }

    fn operands(&mut self, id: Id) {
        let set = self.sets[id];
        let code = self.code;
        match &code.nodes[id] {
            Node::Not(a) => self.meet(*a, Set::Bool(set.truth().map(|b| !b))),
            Node::And(ts) => self.junction(ts, set, true),
            Node::Or(ts) => self.junction(ts, set, false),
            Node::Ite(c, a, b) => {
                if set.meet(self.sets[*a]) == Set::Nothing {
                    self.meet(*c, Set::Bool(Some(false)));
                } else if set.meet(self.sets[*b]) == Set::Nothing {
                    self.meet(*c, Set::Bool(Some(true)));
                }
                match self.sets[*c].truth() {
                    Some(true) => self.meet(*a, set),
                    Some(false) => self.meet(*b, set),
                    None => {}
                }
            }
            Node::Eq(a, b) => match (set.truth(), self.sets[*a], self.sets[*b]) {
                (Some(true), x, y) => {
                    self.meet(*a, y);
                    self.meet(*b, x);
                }
                (Some(false), Set::Bool(x), Set::Bool(y)) => {
                    self.meet(*a, Set::Bool(y.map(|y| !y)));
                    self.meet(*b, Set::Bool(x.map(|x| !x)));
                }
                (Some(false), Set::Int(x), Set::Int(y)) => {
                    self.meet(*a, Set::Int(without(x, y)));
                    self.meet(*b, Set::Int(without(y, x)));
                }
                _ => {}
            },
            Node::Le(a, b) => {
                let (x, y) = (self.sets[*a].int(), self.sets[*b].int());
                match set.truth() {
                    Some(true) => {
                        self.meet(*a, Set::Int(Range { lo: None, hi: y.hi }));
                        self.meet(*b, Set::Int(Range { lo: x.lo, hi: None }));
                    }
                    Some(false) => {
                        self.meet(*a, Set::Int(Range { lo: y.lo.and_then(|l| l.checked_add(1)), hi: None }));
                        self.meet(*b, Set::Int(Range { lo: None, hi: x.hi.and_then(|h| h.checked_sub(1)) }));
                    }
                    None => {}
                }
            }
            Node::Lin(constant, parts) => self.sum(set.int(), *constant, parts),
            Node::Wrap(ty, a) if self.sets[*a].int().fits(*ty) => self.meet(*a, set),
            Node::FCmp(op, a, b) if a == b => {
                if let (Some(truth), true, Set::Float(x)) = (set.truth(), *op != FCmpOp::Lt, self.sets[*a]) {
                    self.meet(*a, Set::Float(x.refine_test(FTest::Nan, !truth)));
                }
            }
            Node::FCmp(op, a, b) => {
                if let (Some(truth), Set::Float(x), Set::Float(y)) = (set.truth(), self.sets[*a], self.sets[*b]) {
                    let (x, y) = FRange::refine(*op, x, y, truth);
                    self.meet(*a, Set::Float(x));
                    self.meet(*b, Set::Float(y));
                }
            }
            Node::FTest(test, a) => {
                if let (Some(truth), Set::Float(x)) = (set.truth(), self.sets[*a]) {
                    self.meet(*a, Set::Float(x.refine_test(*test, truth)));
                }
            }
            Node::FBin(_, a, b) => {
                self.shave(id, *a);
                if a != b {
                    self.shave(id, *b);
                }
            }
            Node::FUn(_, a)
            | Node::FCast(_, a)
            | Node::FFromInt(_, a)
            | Node::FToInt(_, a)
            | Node::FBits(a)
            | Node::FFromBits(_, a)
            | Node::Int2(Int2::Shr | Int2::BitAnd, a, _) => self.shave(id, *a),
            _ => {}
        }
    }

    fn junction(&mut self, ts: &[Id], set: Set, is_and: bool) {
        let Some(truth) = set.truth() else { return };
        if truth == is_and {
            ts.iter().for_each(|t| self.meet(*t, set));
            return;
        }
        // One operand must differ: the last one that still can.
        let mut open = ts.iter().filter(|t| self.sets[**t].truth() != Some(is_and));
        if let (Some(t), None) = (open.next(), open.next()) {
            self.meet(*t, set);
        } else if ts.iter().all(|t| self.sets[*t].truth() == Some(is_and)) {
            self.dead = true;
        }
    }

    /// `set = constant + Σ k·a`: each part is what the others leave.
    fn sum(&mut self, set: Range, constant: Range, parts: &[(IBig, Id)]) {
        if parts.len() > MAX_PARTS {
            return;
        }
        for (i, (k, a)) in parts.iter().enumerate() {
            let Ok(k) = i128::try_from(k) else { continue };
            let others = parts.iter().enumerate().filter(|(j, _)| *j != i);
            let rest = others.fold(constant, |sum, (_, (k, b))| sum.plus(self.sets[*b].int().scale(k)));
            let product = set.plus(rest.scale(&IBig::from(-1)));
            let (lo, hi) = if k > 0 { (product.lo, product.hi) } else { (product.hi, product.lo) };
            // Round towards the inside: the parts are integers.
            let inexact = |v: i128| v.checked_rem_euclid(k).is_some_and(|r| r != 0);
            let floor = |v: i128| v.checked_div_euclid(k).map(|q| q - i128::from(k < 0 && inexact(v)));
            let ceil = |v: i128| floor(v).map(|q| q + i128::from(inexact(v)));
            self.meet(*a, Set::Int(Range { lo: lo.and_then(ceil), hi: hi.and_then(floor) }));
        }
    }

    /// Moves the bounds of operand `a` as far as node `id` shows that they can be moved.
    fn shave(&mut self, id: Id, a: Id) {
        let target = self.sets[id];
        let whole = self.sets[a];
        let mut possible = |part: Set| {
            self.sets[a] = part;
            let result = self.code.node_set(id, self.unknowns, self.sets);
            self.sets[a] = whole;
            result.meet(target) != Set::Nothing
        };
        let smaller = match whole {
            Set::Float(f) => Set::Float(f.shaved(&mut |part| possible(Set::Float(part)))),
            Set::Int(Range { lo: Some(lo), hi: Some(hi) }) => match shaved(lo, hi, &mut |l, h| possible(Set::Int(Range::new(l, h)))) {
                Some((l, h)) => Set::Int(Range::new(l, h)),
                None => Set::Nothing,
            },
            _ => return,
        };
        self.meet(a, smaller);
    }
}

/// Without a bound that is the only element of `o`.
fn without(r: Range, o: Range) -> Range {
    match (o.lo, o.lo == o.hi) {
        (Some(v), true) => {
            Range { lo: if r.lo == Some(v) { v.checked_add(1) } else { r.lo }, hi: if r.hi == Some(v) { v.checked_sub(1) } else { r.hi } }
        }
        _ => r,
    }
}
