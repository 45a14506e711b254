//! Common parts taken out: `(a ∨ b) ∧ (a ∨ c)` is `a ∨ (b ∧ c)`, and dually.

use crate::pool::{Id, Node, Op, Pool};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// `id` with common grandchildren taken out, from the leaves upwards.
pub fn factor(pool: &mut Pool, id: Id) -> Id {
    let mut done: FxHashMap<Id, Id> = FxHashMap::default();
    let mut stack = vec![(id, false)];
    while let Some((f, ready)) = stack.pop() {
        if done.contains_key(&f) {
            continue;
        }
        let result = match pool.node(f).clone() {
            Node::Connect(op, children) => {
                if !ready {
                    stack.push((f, true));
                    stack.extend(children.iter().map(|c| (*c, false)));
                    continue;
                }
                let children = children.iter().map(|c| done[c]).collect();
                let whole = pool.connect(op, children);
                take_out(pool, op, whole)
            }
            _ => f,
        };
        done.insert(f, result);
    }
    done[&id]
}

fn take_out(pool: &mut Pool, op: Op, whole: Id) -> Id {
    let mut children = match pool.node(whole) {
        Node::Connect(o, children) if *o == op => children.to_vec(),
        _ => return whole,
    };
    loop {
        let mut counts: BTreeMap<Id, usize> = BTreeMap::new();
        for &c in &children {
            if let Node::Connect(o, inner) = pool.node(c) {
                if *o == op.dual() {
                    inner.iter().for_each(|g| *counts.entry(*g).or_default() += 1);
                }
            }
        }
        let most = counts.into_iter().max_by_key(|(id, n)| (*n, std::cmp::Reverse(*id)));
        let Some((common, 2..)) = most else { break };
        let mut rests = Vec::new();
        let mut others = Vec::new();
        for c in children {
            match pool.node(c) {
                Node::Connect(o, inner) if *o == op.dual() && inner.contains(&common) => {
                    let rest: Vec<Id> = inner.iter().copied().filter(|g| *g != common).collect();
                    rests.push(pool.connect(op.dual(), rest));
                }
                _ => others.push(c),
            }
        }
        let inside = pool.connect(op, rests);
        let inside = take_out(pool, op, inside);
        others.push(pool.connect(op.dual(), vec![common, inside]));
        children = others;
    }
    pool.connect(op, children)
}
