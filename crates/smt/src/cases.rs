//! Refutation by cases: where a few small conditions decide almost everything else.
//!
//! **Problem.** What holds of one turn through the loop of a large state machine is a formula of a hundred thousand nodes, with remainders and
//! quotients in a thousand branches; but in each of the few hundred states that the invariant speaks of, all branches but a handful are dead.
//! A solver that treats all of them at once takes minutes.
//!
//! **Contract.** Among the conjuncts of a formula, disjunctions of bounds of single variables are split, one after the other, and the rest is reduced
//! ([`crate::reduce`]) by the bounds of each case. What is left of a case goes to a solver; cases cover the formula, and a model of a case
//! is one of the formula.

use crate::reduce::{reduced, Bounds};
use crate::solver::CheckResult;
use plumb_term::visit::as_bound;
use plumb_term::{Budget, Kind, Range, Term};
use rustc_hash::FxHashSet;

/// More cases are given up.
const MOST_CASES: usize = 20_000;
/// A disjunction of bounds with more nodes is not split.
const MOST_NODES: usize = 5_000;
/// How often bounds that reduction makes visible reduce the rest further.
const ROUNDS: usize = 4;

/// What is known after all cases.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Split {
    /// None has a model.
    Unsat,
    /// One has.
    Sat,
    /// Not decided.
    Open,
}

/// Whether there is anything to split.
pub fn has_cases(formula: Term) -> bool {
    conjuncts(formula).into_iter().any(is_choice)
}

/// Splits and reduces; `ask` decides what is left of a case.
pub fn by_cases(formula: Term, budget: &Budget, ask: &mut dyn FnMut(Term) -> CheckResult) -> Split {
    let mut open = vec![(formula, Bounds::new())];
    let mut seen = 0usize;
    while let Some((formula, bounds)) = open.pop() {
        seen += 1;
        if seen > MOST_CASES || budget.is_over() {
            return Split::Open;
        }
        let Some((rest, bounds)) = settled(formula, bounds) else { continue };
        let parts = conjuncts(rest);
        let choice = parts.iter().copied().filter(|c| is_choice(*c)).min_by_key(|c| alternatives(*c).len());
        let Some(choice) = choice else {
            let case = Term::all(bounds.iter().map(|(v, r)| Term::var(*v).in_range(*r)).chain([rest]));
            match ask(case) {
                CheckResult::Unsat => continue,
                CheckResult::Sat => return Split::Sat,
                CheckResult::Unknown(_) => return Split::Open,
            }
        };
        let others = Term::all(parts.into_iter().filter(|c| *c != choice));
        open.extend(alternatives(choice).into_iter().map(|c| (c.and(others), bounds.clone())));
    }
    Split::Unsat
}

/// The formula reduced by its own bounds, and these apart; nothing if it is false.
pub(crate) fn settled(mut formula: Term, mut bounds: Bounds) -> Option<(Term, Bounds)> {
    for _ in 0..ROUNDS {
        let mut rest = Vec::new();
        let mut news = false;
        for c in conjuncts(formula) {
            match as_bound(c) {
                Some((v, r)) => {
                    let old = bounds.get(&v).copied().unwrap_or(Range::ALL);
                    let new = old.intersection(r);
                    if new.lo.zip(new.hi).is_some_and(|(lo, hi)| lo > hi) {
                        return None;
                    }
                    news |= new != old;
                    bounds.insert(v, new);
                }
                None => rest.push(c),
            }
        }
        let before = Term::all(rest);
        formula = reduced(before, &bounds);
        if formula.is_false() {
            return None;
        }
        if formula == before && !news {
            break;
        }
    }
    Some((formula, bounds))
}

/// The conjuncts of a formula, however they are nested.
pub(crate) fn conjuncts(formula: Term) -> Vec<Term> {
    let mut todo = vec![(formula, true)];
    let (mut seen, mut out) = (FxHashSet::default(), Vec::new());
    while let Some((n, positive)) = todo.pop() {
        match n.kind() {
            _ if !seen.insert((n, positive)) => {}
            Kind::Not(a) => todo.push((*a, !positive)),
            Kind::And(parts) if positive => todo.extend(parts.iter().rev().map(|p| (*p, true))),
            Kind::Or(parts) if !positive => todo.extend(parts.iter().rev().map(|p| (*p, false))),
            Kind::Bool(b) if *b == positive => {}
            _ => out.push(if positive { n } else { n.not() }),
        }
    }
    out
}

/// The disjuncts of a conjunct.
pub(crate) fn alternatives(c: Term) -> Vec<Term> {
    match c.kind() {
        Kind::Or(parts) => parts.to_vec(),
        Kind::Not(a) => match a.kind() {
            Kind::And(parts) => parts.iter().map(|p| p.not()).collect(),
            _ => vec![c],
        },
        _ => vec![c],
    }
}

/// Whether a formula is a disjunction of conditions that are made of bounds alone.
fn is_choice(c: Term) -> bool {
    let mut todo: Vec<(Term, bool)> = alternatives(c).into_iter().map(|a| (a, true)).collect();
    if todo.len() < 2 {
        return false;
    }
    let mut known = FxHashSet::default();
    while let Some((n, positive)) = todo.pop() {
        if !known.insert((n, positive)) {
            continue;
        }
        match n.kind() {
            Kind::Not(a) => todo.push((*a, !positive)),
            Kind::And(parts) | Kind::Or(parts) if known.len() <= MOST_NODES => todo.extend(parts.iter().map(|p| (*p, positive))),
            _ if as_bound(if positive { n } else { n.not() }).is_some() => {}
            _ => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumb_term::eval::{eval, Value};
    use plumb_term::{IBig, IntTy, Scalar, Var, VarId, VarTy};

    const VALUES: std::ops::RangeInclusive<i64> = -3..=3;

    fn variable(i: u32) -> Var {
        Var::new(VarId(i), VarTy::Scalar(Scalar::Int(IntTy::I32)))
    }

    /// Whether some small values are a model.
    fn has_model(t: Term) -> bool {
        let all = VALUES.flat_map(|x| VALUES.flat_map(move |y| VALUES.map(move |z| [x, y, z])));
        let holds = |values: [i64; 3]| {
            let of = |v: Var| Some(Value::Int(IBig::from(values[v.id.0 as usize])));
            matches!(eval(t, &of), Some(Value::Bool(true)))
        };
        all.into_iter().any(holds)
    }

    /// A linear congruential generator: the same formulas every time.
    struct Dice(u64);

    impl Dice {
        fn below(&mut self, n: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) % n
        }
        fn constant(&mut self) -> Term {
            Term::int(self.below(9) as i64 - 4)
        }
        fn var(&mut self) -> Term {
            Term::var(variable(self.below(3) as u32))
        }
        fn bound(&mut self) -> Term {
            let (v, c) = (self.var(), self.constant());
            match self.below(3) {
                0 => v.less_eq(c),
                1 => c.less_eq(v),
                _ => v.equals(c),
            }
        }
        fn choice(&mut self, depth: u32) -> Term {
            match self.below(3) {
                0 if depth > 0 => self.choice(depth - 1).and(self.choice(depth - 1)),
                1 if depth > 0 => self.choice(depth - 1).or(self.choice(depth - 1)),
                _ => self.bound(),
            }
        }
        fn number(&mut self, depth: u32) -> Term {
            let wide = |t: Term| t.wrap(IntTy::I32);
            match self.below(6) {
                0 if depth > 0 => wide(self.number(depth - 1).plus(3)),
                1 if depth > 0 => wide(self.number(depth - 1).mul(self.number(depth - 1))),
                2 if depth > 0 => self.number(depth - 1).rem(Term::int(self.below(4) as i64 + 1)),
                3 if depth > 0 => self.number(depth - 1).div(Term::int(self.below(4) as i64 + 1)),
                4 if depth > 0 => Term::ite(self.condition(depth - 1), self.number(depth - 1), self.number(depth - 1)),
                _ => self.var(),
            }
        }
        fn condition(&mut self, depth: u32) -> Term {
            match self.below(5) {
                0 if depth > 0 => self.condition(depth - 1).not(),
                1 if depth > 0 => self.condition(depth - 1).and(self.condition(depth - 1)),
                2 if depth > 0 => self.condition(depth - 1).or(self.condition(depth - 1)),
                3 => self.number(depth).equals(self.number(depth)),
                _ => self.number(depth).less_eq(self.number(depth)),
            }
        }
    }

    #[test]
    fn cases_cover_the_formula() {
        let mut dice = Dice(7);
        let mut found = [0; 2];
        for _ in 0..3000 {
            let small = (0..3).map(|i| Term::var(variable(i)).in_range(Range::new(-3, 3)));
            let choices = [dice.choice(3), dice.choice(3)];
            let formula = Term::all(small.chain(choices).chain((0..3).map(|_| dice.condition(3))));
            let mut ask = |t: Term| if has_model(t) { CheckResult::Sat } else { CheckResult::Unsat };
            let expected = if has_model(formula) { Split::Sat } else { Split::Unsat };
            assert_eq!(by_cases(formula, &Budget::unlimited(), &mut ask), expected, "{formula}");
            found[usize::from(expected == Split::Sat)] += 1;
        }
        assert!(found.iter().all(|n| *n > 300), "{found:?}");
    }

    #[test]
    fn choices_are_of_bounds_alone() {
        let (x, y) = (Term::var(variable(0)), Term::var(variable(1)));
        let bounds = x.less_eq(Term::int(3)).or(y.equals(Term::int(1)).and(Term::int(5).less_eq(x)));
        assert!(has_cases(bounds.and(x.less_eq(y))));
        assert!(!has_cases(x.less_eq(y).or(bounds)));
    }
}
