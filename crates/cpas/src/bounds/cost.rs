//! What a call of a recursive function costs, by a recurrence on the size of its arguments (seed 001, Section 6.6).
//!
//! The size `s` is a parameter or a difference of two that the function never assigns. If on every way through it all calls of itself happen with `s ≥ 1` and a
//! size of at most `s - 1`, or of at most `s/b`, and there are at most `a` of them, then the worst cost `T(n)` of calls of size at most `n` satisfies
//! `T(n) ≤ a·T(n-1) + f(n)`, or `T(n) ≤ a·T(n/b) + f(n)`, where `f(n)` is 1 and the bounds of the function's own loops. Calls of other functions count nothing.

use super::polynomial::Polynomial;
use super::recurrence::{substitution, Division};
use super::rules::{Rank, Rules};
use super::transition::{Body, Way};
use super::{known_at_entry, Bounds};
use plumb_cfa::callgraph::CallGraph;
use plumb_cfa::{FuncId, Program};
use plumb_num::Rat;
use plumb_term::visit::{linear_form, substitute};
use plumb_term::{IBig, Scalar, Term, VarId, VarTy};
use std::collections::BTreeMap;
use std::fmt;

/// Divisors that are tried, large ones first: they give the better bounds.
const DIVISORS: [u32; 6] = [16, 10, 8, 4, 3, 2];

/// The cost of a call of a recursive function.
#[derive(Clone, PartialEq, Debug)]
pub struct Cost {
    /// What `n` is, over the parameters.
    pub size: Term,
    /// What bounds the number of calls and of turns of loops.
    pub bound: Recurrence,
}

/// A recurrence with its solution.
#[derive(Clone, PartialEq, Debug)]
pub enum Recurrence {
    /// `T(n) ≤ T(n-1) + cost`: the solution is a polynomial.
    Decrease(Polynomial, Polynomial),
    /// `T(n) ≤ a·T(n-1) + cost` with `a ≥ 2`: in O(aⁿ).
    Tree(u32, Polynomial),
    /// `T(n) ≤ a·T(n/b) + cost`.
    Divide(Division),
}

impl fmt::Display for Recurrence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Recurrence::Decrease(cost, solution) => write!(f, "T(n) <= T(n - 1) + {cost}, so T(n) <= {solution}"),
            Recurrence::Tree(a, cost) => {
                // A polynomial cost vanishes before the number of calls.
                write!(f, "T(n) <= {a}T(n - 1) + {cost}, so O({a}^n)")
            }
            Recurrence::Divide(d) => {
                write!(f, "T(n) <= {d}")?;
                match (d.leading(), d.master()) {
                    (Some((q, k)), _) => write!(f, ", so {} + o({})", power(&q, k), power(&Rat::from(1), k)),
                    (None, Some(growth)) => write!(f, ", so O({growth})"),
                    (None, None) => Ok(()),
                }
            }
        }
    }
}

/// `q·nᵏ`.
fn power(q: &Rat, k: usize) -> Polynomial {
    let mut c = vec![Rat::from(0); k];
    c.push(q.clone());
    Polynomial::new(c)
}

/// The cost of calls of a function that calls itself, if the rules tell it; `bounds` are those of its loops.
pub fn cost(body: Body<'_>, calls: &CallGraph, bounds: &Bounds, rules: &mut Rules<'_>) -> Option<Cost> {
    let (program, f) = (body.program, body.program.function(body.func));
    if !calls.callees(body.func).contains(&body.func) || !only_itself(calls, body.func) {
        return None;
    }
    if body.loops.iter().any(|(_, l)| body.calls_itself_in(l)) {
        return None;
    }
    let assigned: Vec<VarId> = f.graph.edges().flat_map(|(_, e)| body.written(&e.op)).collect();
    let fixed: Vec<VarId> = f.params.iter().copied().filter(|p| !assigned.contains(p)).collect();
    let integer = |v: &VarId| matches!(program.var(*v).ty, VarTy::Scalar(Scalar::Int(_)));
    let numbers: Vec<VarId> = fixed.into_iter().filter(integer).collect();
    let ways = body.of_function()?;
    let most = ways.iter().map(|w| w.calls().len()).max().filter(|n| *n > 0)? as u32;
    let alone = numbers.iter().map(|p| program.term(*p));
    let pairs = numbers.iter().flat_map(|p| numbers.iter().filter(move |q| *q != p).map(|q| program.term(*p).sub(program.term(*q))));
    for size in alone.chain(pairs) {
        let Some(local) = own_cost(body, bounds, size) else { continue };
        let divided = DIVISORS.iter().find(|b| falls(program, body.func, &ways, size, rules, &Fall::To(**b)));
        if let Some(b) = divided {
            return Some(Cost { size, bound: Recurrence::Divide(Division::new(most, *b, local)?) });
        }
        if falls(program, body.func, &ways, size, rules, &Fall::ByOne) {
            let bound = if most == 1 {
                let degree = local.degree().map_or(0, |d| d + 1);
                let solution = substitution(degree, &local, (0, local.at(&Rat::from(0))))?;
                Recurrence::Decrease(local, solution)
            } else {
                Recurrence::Tree(most, local)
            };
            return Some(Cost { size, bound });
        }
    }
    None
}

/// Whether no other function is on a cycle of calls with this one.
fn only_itself(calls: &CallGraph, f: FuncId) -> bool {
    let mut seen: Vec<FuncId> = Vec::new();
    let mut open: Vec<FuncId> = calls.callees(f).iter().copied().filter(|g| *g != f).collect();
    while let Some(g) = open.pop() {
        if calls.callees(g).contains(&f) {
            return false;
        }
        if !seen.contains(&g) {
            seen.push(g);
            open.extend(calls.callees(g));
        }
    }
    true
}

/// How the size falls from a call to the calls in it.
enum Fall {
    ByOne,
    To(u32),
}

fn falls(program: &Program, func: FuncId, ways: &[Way], size: Term, rules: &mut Rules<'_>, how: &Fall) -> bool {
    let params = &program.function(func).params;
    let least = |k: i32| size.greater_eq(Term::int(k));
    ways.iter().all(|way| {
        way.calls().iter().all(|args| {
            let passed: BTreeMap<VarId, Term> = params.iter().copied().zip(args.iter().copied()).collect();
            let inner = substitute(size, &|v| passed.get(&v.id).copied());
            match how {
                Fall::ByOne => rules.implied(way.condition(), least(1).and(inner.less(size))),
                Fall::To(b) => {
                    let scaled = inner.scale(&IBig::from(*b));
                    // Rounded down; or up, which still falls from 2 on.
                    rules.implied(way.condition(), least(1).and(scaled.less_eq(size)))
                        || rules.implied(way.condition(), least(2).and(scaled.less_eq(size.add(Term::int(*b - 1)))))
                }
            }
        })
    })
}

/// One, and what the function's own loops cost, as a polynomial in the size, wherever that is not negative.
fn own_cost(body: Body<'_>, bounds: &Bounds, size: Term) -> Option<Polynomial> {
    let mut sum = Polynomial::constant(1);
    let mut turns: Vec<Polynomial> = Vec::new();
    // Outer loops come before inner ones.
    for (_, l) in body.loops.iter() {
        let bound = bounds.of(body.func, l.head)?;
        let mut own = Polynomial::constant(0);
        for rank in bound {
            own = own.add(&in_size(body, rank, l, size)?);
        }
        let all = match l.parent {
            Some(p) => own.mul(turns.get(p.0 as usize)?),
            None => own,
        };
        sum = sum.add(&all);
        turns.push(all);
    }
    Some(sum)
}

/// A bound of what a ranking function of a loop contributes, in terms of the size alone.
fn in_size(body: Body<'_>, rank: &Rank, l: &plumb_cfa::loops::Loop, size: Term) -> Option<Polynomial> {
    let r = match rank {
        Rank::Bits(v) => return Some(Polynomial::constant(i64::from(super::rules::width(body.program, *v)))),
        // log₂ r + 1 ≤ r wherever r ≥ 1.
        Rank::Counting(r) | Rank::Halving(r) => known_at_entry(body, l, *r),
    };
    let small = |k: &IBig| i64::try_from(k.clone()).ok();
    let (of_size, parts) = (linear_form(size).1, linear_form(r).1);
    let k = match parts.first() {
        None => 0,
        Some((k, a)) => {
            let (j, _) = of_size.iter().find(|(_, b)| b == a)?;
            small(&(k / j))?
        }
    };
    let rest = r.sub(size.scale(&IBig::from(k)));
    let constant = small(rest.as_int()?)?;
    (k >= 0).then(|| Polynomial::new(vec![Rat::from(constant.max(0)), Rat::from(k)]))
}
