//! Proof rules for loops: ranking functions of single ways, and bounds of loops made of several (seed 001, Section 6.4, Example 13).
//!
//! A *ranking function* of a way is positive whenever the way is taken and falls with it. Each rule recognises a pattern by questions about loop-free code:
//! - *counting*: the way implies `r ≥ 1` and `r' ≤ r - 1`; candidates for `r` are the way's own comparisons;
//! - *halving*: it implies `r ≥ 1` and `2r' ≤ r`; then `log₂ r + 1` bounds it;
//! - *bits*: it implies `x ≠ 0` and `x' = x << 1` or `x' = x & (x - 1)`; then `LSB(x)`, the position of the lowest bit that is set, counted from 1 at the highest
//!   bit, and 0 for 0, is one.
//!
//! If every way of a loop has a ranking function, and no way raises that of another one, then the loop turns at most `Σ max(0, rᵢ)` times.

use super::transition::Way;
use plumb_cfa::Program;
use plumb_smt::{Encoding, Limits, Solver, Z3Solver};
use plumb_term::visit::{linear_form, vars};
use plumb_term::{Budget, IBig, IntTy, Kind, Scalar, Sort, Term, Var, VarId, VarTy};
use std::collections::BTreeSet;
use std::time::Duration;

/// For one question.
const PATIENCE: Duration = Duration::from_millis(500);
/// More candidates of one way are not looked at.
const MAX_CANDIDATES: usize = 12;

/// A ranking function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Rank {
    /// This term falls by at least one: at most `max(0, r)` times.
    Counting(Term),
    /// This term is at least halved: at most `log₂ r + 1` times, and never if `r < 1`.
    Halving(Term),
    /// The position of the lowest bit of a variable falls: at most as often as it has bits.
    Bits(VarId),
}

/// Answers the questions of the rules.
pub struct Rules<'a> {
    program: &'a Program,
    numbers: Z3Solver,
    bits: Z3Solver,
}

impl<'a> Rules<'a> {
    /// For one program; nothing if there is no solver.
    pub fn new(program: &'a Program, budget: &Budget) -> Option<Rules<'a>> {
        let limits = Limits { query_time: Some(PATIENCE), ..Limits::default() };
        let mut numbers = Z3Solver::new(Encoding::Int, &limits).ok()?;
        let mut bits = Z3Solver::new(if program.pointer().bits == 64 { Encoding::BITS64 } else { Encoding::BITS32 }, &limits).ok()?;
        numbers.set_budget(budget);
        bits.set_budget(budget);
        Some(Rules { program, numbers, bits })
    }

    /// Ranking functions, one for each way or for several of them, whose sum bounds the loop; nothing if the rules do not tell.
    pub fn bound(&mut self, ways: &[Way]) -> Option<Vec<Rank>> {
        let of_way: Vec<Vec<Rank>> = ways.iter().map(|w| self.ranks(w)).collect();
        let mut chosen = Vec::new();
        self.choose(ways, &of_way, &mut chosen).then(|| chosen.into_iter().collect::<BTreeSet<_>>().into_iter().collect())
    }

    /// Chooses a function for each further way so that no way raises a chosen one: first of those that are chosen already, which keeps the sum short.
    fn choose(&mut self, ways: &[Way], of_way: &[Vec<Rank>], chosen: &mut Vec<Rank>) -> bool {
        let Some(next) = of_way.get(chosen.len()) else { return true };
        let mut own = next.clone();
        own.sort_by_key(|r| (!chosen.contains(r), !of_way.iter().all(|o| o.contains(r))));
        for rank in own {
            let i = chosen.len();
            let fits = (0..i).all(|j| chosen[j] == rank || (self.keeps(&ways[j], rank) && self.keeps(&ways[i], chosen[j])));
            if fits {
                chosen.push(rank);
                if self.choose(ways, of_way, chosen) {
                    return true;
                }
                chosen.pop();
            }
        }
        false
    }

    /// The ranking functions of a way that the rules find.
    pub fn ranks(&mut self, way: &Way) -> Vec<Rank> {
        let mut out: Vec<Rank> = Vec::new();
        let mut tried: BTreeSet<Term> = BTreeSet::new();
        for r in candidates(way.own_condition()).into_iter().filter(|r| tried.insert(*r)).take(MAX_CANDIDATES) {
            let after = way.before(r);
            if after == r || self.numbers.implies(way.condition(), r.greater_eq(Term::int(1))) != Some(true) {
                continue;
            }
            if self.numbers.implies(way.condition(), after.scale(&IBig::from(2)).less_eq(r)) == Some(true) {
                out.push(Rank::Halving(r));
            } else if self.numbers.implies(way.condition(), after.less(r)) == Some(true) {
                out.push(Rank::Counting(r));
            }
        }
        let read: Vec<Var> = vars([way.own_condition()]).into_iter().filter(|v| v.id < VarId::FIRST_AUX && v.version == 0).collect();
        for v in read {
            let x = Term::var(v);
            let Some(steps) = bit_steps(v) else { continue };
            let after = way.before(x);
            let moved = Term::any(steps.map(|s| after.equals(s)));
            if after != x && self.bits.implies(way.condition(), x.differs(Term::int(0)).and(moved)) == Some(true) {
                out.push(Rank::Bits(v.id));
            }
        }
        out
    }

    /// Whether a way never raises a ranking function.
    fn keeps(&mut self, way: &Way, rank: Rank) -> bool {
        match rank {
            Rank::Counting(r) | Rank::Halving(r) => {
                let after = way.before(r);
                after == r || self.numbers.implies(way.condition(), after.less_eq(r).or(after.less_eq(Term::int(0)))) == Some(true)
            }
            Rank::Bits(v) => {
                let x = self.program.term(v);
                let after = way.before(x);
                let steps = x.as_var().and_then(bit_steps);
                after == x || steps.is_some_and(|s| self.bits.implies(way.condition(), Term::any(s.map(|s| after.equals(s)))) == Some(true))
            }
        }
    }

    /// Whether a condition implies another one.
    pub fn implied(&mut self, condition: Term, t: Term) -> bool {
        self.numbers.implies(condition, t) == Some(true)
    }
}

/// The values `x << 1` and `x & (x - 1)`, as its machine type has them.
fn bit_steps(x: Var) -> Option<[Term; 2]> {
    let VarTy::Scalar(Scalar::Int(ty)) = x.ty else { return None };
    let t = Term::var(x);
    Some([t.scale(&IBig::from(2)).wrap(ty), t.bit_and(t.sub(Term::int(1)).wrap(ty)).wrap(ty)])
}

/// How many bits a variable has.
pub fn width(program: &Program, v: VarId) -> u32 {
    match program.var(v).ty {
        VarTy::Scalar(Scalar::Int(ty)) => bits(ty),
        _ => 0,
    }
}

fn bits(ty: IntTy) -> u32 {
    u32::from(ty.bits)
}

/// Positive wherever a condition holds, as far as its comparisons say: `a ≤ b` gives `b - a + 1`, `a ≠ b` both differences.
fn candidates(condition: Term) -> Vec<Term> {
    let mut out = Vec::new();
    let one = Term::int(1);
    for c in condition.conjuncts() {
        match c.kind() {
            Kind::Le(a, b) => out.push(b.sub(*a).add(one)),
            Kind::Eq(a, b) if a.sort() == Sort::Int => out.extend([*a, *b]),
            Kind::Not(n) => {
                if let Kind::Eq(a, b) = n.kind() {
                    if a.sort() == Sort::Int {
                        out.extend([a.sub(*b), b.sub(*a)]);
                    }
                }
            }
            _ => {}
        }
    }
    // What is not linear over variables is no size that a user knows.
    out.retain(|r| {
        let (_, parts) = linear_form(*r);
        !parts.is_empty() && parts.iter().all(|(_, a)| a.as_var().is_some_and(|v| v.id < VarId::FIRST_AUX))
    });
    out
}

#[cfg(test)]
mod tests {
    /// `LSB` of Example 13 on 8 bits: the position of the lowest bit set, 1 for the highest one, 0 if none is set. Both steps lower it.
    #[test]
    fn lsb_is_a_ranking_function() {
        let lsb = |x: u8| if x == 0 { 0 } else { 8 - x.trailing_zeros() };
        for x in 1..=u8::MAX {
            assert!(lsb(x) >= 1 && lsb(x) <= 8);
            assert!(lsb(x << 1) < lsb(x));
            assert!(lsb(x & (x - 1)) < lsb(x));
        }
    }
}
