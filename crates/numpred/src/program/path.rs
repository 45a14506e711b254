//! The path of a block that a state takes.
//!
//! A block from loop head to loop head is one condition and one value for each variable, with a choice wherever paths met. A state and inputs pick a path: of each disjunction a true part, of
//! each choice the side that is taken, of each wrap, where nothing is lost, what is wrapped. What is left is a block without choices, whose condition is a conjunction of literals,
//! and which takes this state where the whole block does (path focusing: Monniaux, Gonnord, SAS 2011).

use super::Block;
use plumb_term::eval::{Evaluator, Value};
use plumb_term::visit::rebuild;
use plumb_term::{IBig, Kind, Sort, Term, Var};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// The path of a block under an assignment to the state before it and its inputs that makes its condition true. Nothing if a value is missing.
pub fn path(block: &Block, env: &dyn Fn(Var) -> Option<Value>) -> Option<Block> {
    let mut walker = Walker { values: Evaluator::new(env), literals: Vec::new(), seen: FxHashSet::default(), done: FxHashMap::default() };
    let roots: Vec<Term> = std::iter::once(block.condition).chain(block.values.values().copied()).collect();
    walker.choose(roots)?;
    let mut parts = Vec::new();
    for (t, holds) in std::mem::take(&mut walker.literals) {
        let resolved = walker.resolved(t)?;
        parts.push(if holds { resolved } else { resolved.not() });
    }
    let mut values: BTreeMap<_, Term> = BTreeMap::new();
    for (v, t) in &block.values {
        values.insert(*v, walker.resolved(*t)?);
    }
    for (a, lo, hi) in walker.idle()? {
        let a = walker.resolved(a)?;
        parts.push(Term::int(lo).less_eq(a).and(a.less_eq(Term::int(hi))));
    }
    Some(Block { condition: Term::all(parts), values })
}

struct Walker<'e> {
    values: Evaluator<'e>,
    /// The atoms on the path, with their truth.
    literals: Vec<(Term, bool)>,
    seen: FxHashSet<Term>,
    /// Terms without choices, by the terms that they stand for on the path.
    done: FxHashMap<Term, Term>,
}

impl Walker<'_> {
    fn truth(&mut self, t: Term) -> Option<bool> {
        match self.values.eval(t)? {
            Value::Bool(b) => Some(b),
            _ => None,
        }
    }

    fn int(&mut self, t: Term) -> Option<IBig> {
        match self.values.eval(t)? {
            Value::Int(v) => Some(v),
            _ => None,
        }
    }

    /// Collects the atoms on the path, from the roots down.
    fn choose(&mut self, roots: Vec<Term>) -> Option<()> {
        let mut todo = roots;
        while let Some(t) = todo.pop() {
            if !self.seen.insert(t) {
                continue;
            }
            match t.kind() {
                Kind::Ite(c, a, b) => todo.extend([*c, if self.truth(*c)? { *a } else { *b }]),
                Kind::Not(a) => todo.push(*a),
                Kind::And(ts) | Kind::Or(ts) => {
                    let truth = self.truth(t)?;
                    if truth == matches!(t.kind(), Kind::And(_)) {
                        todo.extend(ts.iter().copied());
                    } else {
                        todo.push(self.deciding(ts, truth)?);
                    }
                }
                Kind::Eq(a, b) if a.sort() == Sort::Bool => todo.extend([*a, *b]),
                Kind::Bool(_) => {}
                _ => {
                    if t.sort() == Sort::Bool {
                        let truth = self.truth(t)?;
                        self.literals.push((t, truth));
                    }
                    todo.extend(t.children());
                }
            }
        }
        // Older terms are parts of younger ones; the order is that of the program, more or less.
        self.literals.sort_unstable();
        Some(())
    }

    /// A part with the given truth, one that is on the path anyway if there is one.
    fn deciding(&mut self, parts: &[Term], truth: bool) -> Option<Term> {
        let mut first = None;
        for p in parts {
            if self.truth(*p)? == truth {
                if self.seen.contains(p) {
                    return Some(*p);
                }
                first = first.or(Some(*p));
            }
        }
        first
    }

    /// Whether a wrap loses nothing here.
    fn is_idle(&mut self, t: Term, a: Term) -> Option<bool> {
        Some(self.int(t)? == self.int(a)?)
    }

    /// What is wrapped on the path without loss, with the bounds of the type.
    fn idle(&mut self) -> Option<Vec<(Term, IBig, IBig)>> {
        let mut wraps: Vec<Term> = self.done.keys().copied().filter(|t| matches!(t.kind(), Kind::Wrap(..))).collect();
        wraps.sort_unstable();
        let mut out = Vec::new();
        for t in wraps {
            if let Kind::Wrap(ty, a) = t.kind() {
                if self.is_idle(t, *a)? {
                    out.push((*a, (*ty).min(), (*ty).max()));
                }
            }
        }
        Some(out)
    }

    /// The term without choices.
    fn resolved(&mut self, t: Term) -> Option<Term> {
        let mut stack = vec![(t, false)];
        while let Some((n, expanded)) = stack.pop() {
            if self.done.contains_key(&n) {
                continue;
            }
            let instead = match n.kind() {
                Kind::Ite(c, a, b) => Some(if self.truth(*c)? { *a } else { *b }),
                Kind::Wrap(_, a) => self.is_idle(n, *a)?.then_some(*a),
                _ => None,
            };
            match (instead, expanded) {
                (Some(other), false) => stack.extend([(n, true), (other, false)]),
                (Some(other), true) => {
                    let new = self.done[&other];
                    self.done.insert(n, new);
                }
                (None, false) => {
                    stack.push((n, true));
                    stack.extend(n.children().filter(|c| !self.done.contains_key(c)).map(|c| (c, false)));
                }
                (None, true) => {
                    let new = rebuild(n, &|c| self.done[&c]);
                    self.done.insert(n, new);
                }
            }
        }
        self.done.get(&t).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumb_term::eval::eval;
    use plumb_term::visit::postorder;
    use plumb_term::{IntTy, VarId, VarTy};

    fn var(i: u32) -> Term {
        Term::program_var(VarId(i), VarTy::Int)
    }

    /// A block with choices everywhere: in its condition, in values, in what is compared, under wraps.
    fn block() -> Block {
        let (x, y, z) = (var(0), var(1), var(2));
        let positive = Term::int(0).less_eq(x);
        let most = Term::ite(y.less_eq(x), x, y);
        let state = Term::ite(z.equals(Term::int(1)), Term::int(7), Term::ite(z.equals(Term::int(2)), x, y));
        let condition =
            positive.or(y.less_eq(z)).and(most.less_eq(Term::int(120)).or(z.equals(Term::int(0)))).and(positive.equals(z.less_eq(y)));
        let sum = most.add(state).wrap(IntTy { bits: 8, signed: true });
        Block { condition, values: BTreeMap::from([(VarId(0), sum), (VarId(1), state)]) }
    }

    #[test]
    fn a_path_is_the_block_where_it_is_taken() {
        let block = block();
        let states: Vec<[i64; 3]> = (0..2197i64).map(|i| [i % 13 - 4, i / 13 % 13 * 25 - 150, i / 169 - 3]).collect();
        let env = |s: [i64; 3]| move |v: Var| Some(Value::Int(IBig::from(s[v.id.0 as usize])));
        let holds = |t: Term, s: [i64; 3]| eval(t, &env(s)) == Some(Value::Bool(true));
        let mut paths: Vec<Block> = Vec::new();
        for s in states.iter().filter(|s| holds(block.condition, **s)) {
            let taken = path(&block, &env(*s)).unwrap();
            assert!(holds(taken.condition, *s), "{s:?} takes its path");
            let choices = |t: Term| postorder([t]).iter().any(|n| matches!(n.kind(), Kind::Ite(..) | Kind::Or(_)));
            assert!(!choices(taken.condition) && !taken.values.values().any(|t| choices(*t)), "{}", taken.condition);
            if !paths.iter().any(|p| p.condition == taken.condition) {
                paths.push(taken);
            }
        }
        assert!(paths.len() > 5 && paths.len() < 60, "{} paths", paths.len());
        for p in &paths {
            for s in states.iter().filter(|s| holds(p.condition, **s)) {
                assert!(holds(block.condition, *s));
                for (v, t) in &block.values {
                    assert_eq!(eval(*t, &env(*s)), eval(p.values[v], &env(*s)));
                }
            }
        }
    }
}
