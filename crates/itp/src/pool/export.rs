//! From and to [`Formula`].

use super::{Id, Node, Op, Pool};
use crate::formula::Formula;
use rustc_hash::FxHashMap;
use std::rc::Rc;

impl Pool {
    /// `id` as a formula; what is shared in the pool is shared there.
    pub fn export(&self, id: Id, made: &mut FxHashMap<Id, Formula>) -> Formula {
        // Children have smaller numbers, so visiting in ascending order meets them first.
        let mut needed = vec![id];
        let mut next = 0;
        let mut seen: rustc_hash::FxHashSet<Id> = needed.iter().copied().collect();
        while next < needed.len() {
            if let Node::Connect(_, children) = self.node(needed[next]) {
                needed.extend(children.iter().copied().filter(|c| seen.insert(*c)));
            }
            next += 1;
        }
        needed.sort_unstable();
        for n in needed {
            if made.contains_key(&n) {
                continue;
            }
            let formula = match self.node(n) {
                Node::Constant(b) => Formula::Constant(*b),
                Node::Boolean(var, value) => Formula::Boolean(*var, *value),
                Node::LessEq(t, strict) => Formula::LessEq(t.clone(), *strict),
                Node::Divides(m, t) => Formula::Divides(m.clone(), t.clone()),
                Node::Connect(op, children) => {
                    let children: Rc<[Formula]> = children.iter().map(|c| made[c].clone()).collect();
                    match op {
                        Op::And => Formula::And(children),
                        Op::Or => Formula::Or(children),
                    }
                }
            };
            made.insert(n, formula);
        }
        made[&id].clone()
    }

    /// The number of `formula`; shared parts are read once.
    pub fn import(&mut self, formula: &Formula) -> Id {
        let mut known: FxHashMap<Place, Id> = FxHashMap::default();
        let mut stack = vec![(formula, false)];
        while let Some((f, ready)) = stack.pop() {
            let key = key_of(f);
            if known.contains_key(&key) {
                continue;
            }
            let id = match f {
                Formula::Constant(b) => Pool::constant(*b),
                Formula::Boolean(var, value) => self.boolean(*var, *value),
                Formula::LessEq(t, strict) => self.less_eq(t, *strict),
                Formula::Divides(m, t) => self.divides(m, t),
                Formula::And(children) | Formula::Or(children) => {
                    if !ready {
                        stack.push((f, true));
                        stack.extend(children.iter().map(|c| (c, false)));
                        continue;
                    }
                    let op = if matches!(f, Formula::And(_)) { Op::And } else { Op::Or };
                    let ids = children.iter().map(|c| known[&key_of(c)]).collect();
                    self.connect(op, ids)
                }
            };
            known.insert(key, id);
        }
        known[&key_of(formula)]
    }
}

/// Where a formula is stored, which tells apart all that is read: the children of a connection, the formula itself of an atom. The
/// flag separates a connection from its first child and a disjunction from a conjunction.
type Place = (*const Formula, u8);

fn key_of(f: &Formula) -> Place {
    match f {
        Formula::And(children) => (children.as_ptr(), 1),
        Formula::Or(children) => (children.as_ptr(), 2),
        atom => (atom, 0),
    }
}
