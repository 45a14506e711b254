//! Equalities of counters that run together, and of cells with what they count.
//!
//! If a loop adds `a` to `x` and `b` to `y`, then `b·x - a·y` is what it was at first. What is added may be read from an array: then it is taken to be a constant
//! that the program writes there. What it was at first may be known from the loop before: by the equalities there, and by the bound at which a counter
//! ended. If a block leaves in a cell what the cell before it holds and `c` more, and the cell `k₀` gets the constant `d`, then the cell `k` may hold `d + c·(k - k₀)`. All of these are
//! candidates only.

use super::candidates::{defined, over_scalars, position, solve, Set, Solution};
use super::clauses::{Clause, Clauses};
use plumb_term::visit::{atoms, substitute, vars};
use plumb_term::{IBig, Kind, Sort, Term, Var, VarId};

/// How many loops one after the other are looked at.
const ROUNDS: usize = 6;
/// More values at first are not looked at.
const MOST_STARTS: usize = 12;

/// A constant that is written into the cells of a memory, in a column of it.
pub(super) type Constant = (VarId, usize, IBig);

/// The equalities that blocks from a cut point to itself suggest there.
pub(super) fn progressions(clauses: &Clauses<'_>, list: &[Clause], constants: &[Constant]) -> Vec<Term> {
    let mut out = Set::default();
    let mut at: Vec<Set> = clauses.places().iter().map(|_| Set::default()).collect();
    for _ in 0..ROUNDS {
        let before = out.order.len();
        for c in list {
            let (Some((from, now)), Some((to, values))) = (c.body.first(), &c.head) else { continue };
            if from != to {
                continue;
            }
            let names = &clauses.places()[*to].scalars;
            let steps = steps(c, &now[..names.len()], values, constants);
            for (i, (x, a)) in steps.iter().enumerate() {
                for (y, b) in steps[..i].iter().filter(|(y, _)| y != x) {
                    let kept = x.scale(b).sub(y.scale(a));
                    for enter in list {
                        let (Some((before, _)), Some((_, first))) = (enter.body.first(), enter.head.as_ref().filter(|h| h.0 == *to)) else {
                            continue;
                        };
                        if before == to {
                            continue;
                        }
                        let value = |v: Var| names.iter().position(|n| *n == v.id).map(|i| first[i]);
                        for start in starts(enter, substitute(kept, &value), &at[*before].order) {
                            // It must mean the same in the loop.
                            if vars([start]).iter().all(|v| value(*v) == Some(Term::var(*v))) {
                                out.add(kept.equals(start));
                                at[*to].add(kept.equals(start));
                            }
                        }
                    }
                }
            }
        }
        if out.order.len() == before {
            break;
        }
    }
    out.order
}

/// What a block adds to scalars.
fn steps(c: &Clause, now: &[Term], values: &[Term], constants: &[Constant]) -> Vec<(Term, IBig)> {
    let mut out: Vec<(Term, IBig)> = Vec::new();
    // Each memory has its n-th constant; none at first.
    let most = constants.iter().map(|(m, col, _)| of(constants, *m, *col).count()).max().unwrap_or(0);
    for n in 0..=most {
        let read = |v: Var| {
            let used = c.cells.iter().find(|u| u.value == Some(Term::var(v)))?;
            of(constants, used.memory, used.column).nth(n.checked_sub(1)?).map(|k| Term::int(k.clone()))
        };
        for (x, value) in now.iter().zip(values).filter(|(x, _)| x.sort() == Sort::Int) {
            let step = substitute(plain(*value), &read).difference(*x).filter(|d| *d != IBig::ZERO);
            out.extend(step.map(|d| (*x, d)).filter(|s| !out.contains(s)));
        }
    }
    out
}

/// The constants of a column.
fn of(constants: &[Constant], memory: VarId, column: usize) -> impl Iterator<Item = &IBig> {
    constants.iter().filter(move |(m, c, _)| *m == memory && *c == column).map(|(_, _, k)| k)
}

/// What a term over the scalars before a block may be equal to, by equalities there and by the bounds that the block's condition names.
fn starts(enter: &Clause, t: Term, equalities: &[Term]) -> Vec<Term> {
    let mut out = Set::default();
    let mut add = |t: Term| {
        if over_scalars(t) && out.order.len() < MOST_STARTS && !out.order.contains(&t) {
            out.order.push(t);
        }
    };
    let known = |x: Var| equalities.iter().filter_map(|e| defined(*e, x)).collect();
    let again = by(t, &known);
    for start in [t].into_iter().chain(again) {
        add(start);
        ended(enter, start).into_iter().for_each(&mut add);
    }
    out.order
}

/// What a term over the scalars before a block is where a counter has reached a bound that the block's condition names.
pub(super) fn ended(block: &Clause, t: Term) -> Vec<Term> {
    let comparisons = atoms(block.core).into_iter().filter(|a| over_scalars(*a)).filter_map(|a| match a.kind() {
        Kind::Le(a, b) | Kind::Eq(a, b) if a.sort() == Sort::Int => Some(a.sub(*b)),
        _ => None,
    });
    let solutions: Vec<Solution> = comparisons.flat_map(|d| solve(d, Term::int(0))).filter(|s| s.premise.is_true()).collect();
    by(t, &|x| solutions.iter().filter(|s| s.counter == x).map(|s| s.value).collect())
}

/// A term with one of its variables replaced, in all ways.
fn by(t: Term, solutions: &dyn Fn(Var) -> Vec<Term>) -> Vec<Term> {
    let replaced = |x: Var| solutions(x).into_iter().map(move |s| substitute(t, &|v| (v == x).then_some(s)));
    vars([t]).into_iter().flat_map(replaced).collect()
}

/// What cells hold, by their number: the number, and what they may be equal to.
pub(super) fn sequences(clauses: &Clauses<'_>, list: &[Clause]) -> Vec<(Var, Term)> {
    let stored: Vec<Stored> = list.iter().flat_map(|c| stored(clauses, c)).collect();
    let mut out = Vec::new();
    for s in &stored {
        let steps = s.clause.cells.iter().filter(|u| u.memory == s.memory && u.column == s.column).filter_map(|u| {
            let is_before = s.number.difference(u.number) == Some(IBig::ONE);
            s.value.difference(u.value.filter(|_| is_before)?)
        });
        for c in steps {
            for first in stored.iter().filter(|f| f.memory == s.memory && f.column == s.column) {
                if let (Some(_), Some(_)) = (first.number.as_int(), first.value.as_int()) {
                    let held = first.value.add(Term::var(s.key).sub(first.number).scale(&c));
                    out.push((s.key, Term::var(s.cell).equals(held)));
                }
            }
        }
    }
    out
}

/// A value that a block leaves in a cell.
struct Stored<'c> {
    clause: &'c Clause,
    memory: VarId,
    column: usize,
    /// The variables for the number and the value of a cell where the block ends.
    key: Var,
    cell: Var,
    number: Term,
    value: Term,
}

fn stored<'c>(clauses: &Clauses<'_>, c: &'c Clause) -> Vec<Stored<'c>> {
    let Some((to, values)) = &c.head else { return Vec::new() };
    let end = &clauses.places()[*to];
    let mut out = Vec::new();
    for (s, slot) in end.slots.iter().enumerate() {
        let (memory, column, key, cell) = (slot.memory, slot.column, slot.key, slot.value);
        let mut after = values[position(clauses, end, s)];
        // As the cell's number is this one or not.
        while let Kind::Ite(condition, value, otherwise) = after.kind() {
            if let Some(number) = defined(*condition, key) {
                out.push(Stored { clause: c, memory, column, key, cell, number, value: plain(*value) });
            }
            after = *otherwise;
        }
    }
    out
}

/// What is computed, without the wrap.
fn plain(t: Term) -> Term {
    match t.kind() {
        Kind::Wrap(_, t) => *t,
        _ => t,
    }
}
