//! Conjunction and disjunction.

use super::{Bound, Id, Node, Op, Pool};
use rustc_hash::FxHashMap;

/// Children of the same operator are taken over if there are not more of them.
const FLATTEN: usize = 48;
/// Absorption looks at this many pairs of children and grandchildren at most.
const PAIRS: usize = 4096;

impl Pool {
    /// The conjunction.
    pub fn and(&mut self, children: Vec<Id>) -> Id {
        self.connect(Op::And, children)
    }

    /// The disjunction.
    pub fn or(&mut self, children: Vec<Id>) -> Id {
        self.connect(Op::Or, children)
    }

    /// The conjunction or disjunction.
    pub fn connect(&mut self, op: Op, children: Vec<Id>) -> Id {
        let mut flat = Vec::with_capacity(children.len());
        for c in children {
            match self.node(c) {
                Node::Connect(o, inner) if *o == op && inner.len() <= FLATTEN => flat.extend_from_slice(inner),
                _ => flat.push(c),
            }
        }
        loop {
            if !self.tidy(op, &mut flat) {
                return op.dual().neutral();
            }
            if !self.absorb(op, &mut flat) {
                break;
            }
        }
        match flat.len() {
            0 => op.neutral(),
            1 => flat[0],
            _ => self.intern(Node::Connect(op, flat.into())),
        }
    }

    /// Sorts, removes repetition and neutral children and weaker bounds; false if a child or two decide the whole.
    fn tidy(&mut self, op: Op, children: &mut Vec<Id>) -> bool {
        children.sort_unstable();
        children.dedup();
        children.retain(|&c| c != op.neutral());
        if children.contains(&op.dual().neutral()) {
            return false;
        }
        let mut kept: FxHashMap<(u32, bool), Id> = FxHashMap::default();
        let mut dropped = Vec::new();
        for &c in children.iter() {
            if let Node::Boolean(var, value) = *self.node(c) {
                // The negation, if it is there, has a number of its own.
                let opposite = Node::Boolean(var, !value);
                if self.ids.get(&opposite).is_some_and(|o| children.binary_search(o).is_ok()) {
                    return false;
                }
            }
            let Some(b) = self.bound(c) else { continue };
            let (key, opposite) = ((b.direction, b.upper), (b.direction, !b.upper));
            match kept.get(&key).copied() {
                Some(old) if self.redundant(op, c, old) => dropped.push(c),
                Some(old) => {
                    dropped.push(old);
                    kept.insert(key, c);
                }
                None => {
                    kept.insert(key, c);
                }
            }
            if let (Some(&mine), Some(&other)) = (kept.get(&key), kept.get(&opposite)) {
                if self.bounds_decide(op, mine, other) {
                    return false;
                }
            }
        }
        children.retain(|c| !dropped.contains(c));
        true
    }

    fn pair(&self, a: Id, b: Id) -> Option<(&Bound, &Bound)> {
        Some((self.bound(a)?, self.bound(b)?))
    }

    /// Whether `c` adds nothing where `by` is a sibling.
    fn redundant(&self, op: Op, c: Id, by: Id) -> bool {
        c == by
            || self.pair(c, by).is_some_and(|(c, by)| match op {
                Op::And => by.implies(c),
                Op::Or => c.implies(by),
            })
    }

    /// Whether two bounds exclude each other in a conjunction or cover everything in a disjunction.
    fn bounds_decide(&self, op: Op, a: Id, b: Id) -> bool {
        self.pair(a, b).is_some_and(|(a, b)| match op {
            Op::And => a.excludes(b),
            Op::Or => a.covers(b),
        })
    }

    fn decides(&self, op: Op, a: Id, b: Id) -> bool {
        match (self.node(a), self.node(b)) {
            (Node::Boolean(x, v), Node::Boolean(y, w)) => x == y && v != w,
            _ => self.bounds_decide(op, a, b),
        }
    }

    /// `a ∧ (a ∨ b)` is `a` and `a ∧ (¬a ∨ b)` is `a ∧ b`, also where `a` is a bound that implies or excludes; and dually. Whether something changed
    /// that `tidy` may use.
    fn absorb(&mut self, op: Op, children: &mut Vec<Id>) -> bool {
        let composite: Vec<Id> = children.iter().copied().filter(|&c| !self.is_atom(c)).collect();
        if composite.is_empty() || children.len() == 1 {
            return false;
        }
        let mut pairs = 0;
        let mut gone = Vec::new();
        let mut fresh = Vec::new();
        for &c in &composite {
            let Node::Connect(o, inner) = self.node(c) else { continue };
            if *o == op {
                continue;
            }
            pairs += inner.len() * children.len();
            if pairs > PAIRS {
                break;
            }
            // In a conjunction, a sibling that implies a disjunct makes the disjunction true.
            let absorbed = inner.iter().any(|&g| children.iter().any(|&s| s != c && !gone.contains(&s) && self.redundant(op, g, s)));
            if absorbed || self.covered(op, c, children, &gone) {
                gone.push(c);
                continue;
            }
            let rest: Vec<Id> = inner.iter().copied().filter(|&g| !children.iter().any(|&s| s != c && self.decides(op, g, s))).collect();
            if rest.len() < inner.len() {
                gone.push(c);
                fresh.push(rest);
            }
        }
        if gone.is_empty() {
            return false;
        }
        children.retain(|c| !gone.contains(c));
        for rest in fresh {
            let smaller = self.connect(op.dual(), rest);
            children.extend(self.children(op, smaller));
        }
        true
    }

    /// Whether another child, of the dual operator too, has only grandchildren that `c` has as well: `(a ∨ b) ∧ (a ∨ b ∨ c)`.
    fn covered(&self, op: Op, c: Id, children: &[Id], gone: &[Id]) -> bool {
        let Node::Connect(_, inner) = self.node(c) else { return false };
        children.iter().any(|&s| match self.node(s) {
            Node::Connect(o, small) if *o != op && s != c && small.len() <= inner.len() && !gone.contains(&s) => {
                small.iter().all(|g| inner.binary_search(g).is_ok())
            }
            _ => false,
        })
    }
}
