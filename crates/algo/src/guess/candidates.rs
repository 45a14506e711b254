//! What may hold at a cut point: formulas that hold of all its samples.
//!
//! Equations; bounds of variables, of their sums and differences, and of what the program compares there; remainders; and the same for
//! the samples on one side of a comparison of the program, or after a counter has left its first value: what a loop does in one of its phases.

use super::equations::equations;
use super::sample::{Samples, State};
use crate::space::Space;
use crate::system::{CutId, System};
use plumb_cfa::Program;
use plumb_num::LinExpr;
use plumb_term::eval::{eval, Value};
use plumb_term::visit::{atoms, postorder, vars};
use plumb_term::{IBig, Kind, Scalar, Sort, Term, Var, VarTy};
use std::collections::BTreeSet;

/// With more variables, only each alone is bounded.
const MOST_PAIRS: usize = 12;
/// With more variables, no three of them are added.
const MOST_TRIPLES: usize = 6;
/// Sides of comparisons that tell phases apart.
const MOST_GUARDS: usize = 16;
/// Candidates at one cut point.
const MOST: usize = 700;
/// A remainder is sought for divisors up to this one.
const MOST_DIVISOR: i64 = 1 << 16;

/// Candidates of one cut point.
#[derive(Clone, Debug, Default)]
pub struct Candidates {
    /// Without products.
    pub linear: Vec<Term>,
    /// With products.
    pub nonlinear: Vec<Term>,
}

/// The numbers of a state, by integer variable.
type Numbers = Vec<IBig>;

/// An expression over the integer variables: coefficients.
type Form = Vec<(i64, usize)>;

struct Place {
    vars: Vec<Term>,
    bits: Vec<u16>,
    /// Samples as environments and as numbers.
    states: Vec<(State, Numbers)>,
}

/// Candidates at a cut point; with `phases`, also those of parts of the samples.
pub fn candidates(
    program: &Program,
    system: &System,
    cut: CutId,
    samples: &Samples,
    constants: &BTreeSet<IBig>,
    phases: bool,
) -> Candidates {
    let needed = &system.cuts[cut.0].needed;
    let integer = |v: &Var| match v.ty {
        VarTy::Scalar(Scalar::Int(ty)) => Some(ty.bits),
        VarTy::Int => Some(64),
        _ => None,
    };
    let all: Vec<Var> = needed.iter().map(|v| Var::new(*v, program.var(*v).ty)).collect();
    let chosen: Vec<usize> = (0..all.len()).filter(|i| integer(&all[*i]).is_some()).collect();
    let numbers =
        |s: &State| -> Option<Numbers> { chosen.iter().map(|i| if let Value::Int(n) = &s[*i] { Some(n.clone()) } else { None }).collect() };
    let place = Place {
        vars: chosen.iter().map(|i| Term::var(all[*i])).collect(),
        bits: chosen.iter().filter_map(|i| integer(&all[*i])).collect(),
        states: samples.any.iter().filter_map(|s| numbers(s).map(|n| (s.clone(), n))).collect(),
    };
    let mut out = Candidates::default();
    if place.states.len() < 2 {
        return out;
    }
    let small: Vec<Numbers> = samples.small.iter().filter_map(numbers).collect();
    let widest = place.bits.iter().copied().max().unwrap_or(32).max(32);
    for e in equations(&place.vars, &small) {
        if e.degree <= 1 {
            out.linear.push(e.exact());
        }
        let into = if e.degree <= 1 { &mut out.linear } else { &mut out.nonlinear };
        into.push(e.modulo(32));
        if widest > 32 {
            into.push(e.modulo(widest));
        }
    }
    let forms = place.forms(system, cut, &all, &chosen);
    let everything: Vec<usize> = (0..place.states.len()).collect();
    for form in &forms {
        place.bounds(form, &everything, None, constants, &mut out.linear);
        place.remainder(form, &everything, Term::tt(), &mut out.linear);
    }
    if phases {
        for guard in guards(system, cut, &all) {
            let holds = |s: &State| {
                let env = |v: Var| all.iter().position(|w| *w == v).map(|i| s[i].clone());
                eval(guard, &env) == Some(Value::Bool(true))
            };
            let there: Vec<usize> = everything.iter().copied().filter(|i| holds(&place.states[*i].0)).collect();
            if there.len() < 2 || there.len() == everything.len() {
                continue;
            }
            for form in forms.iter().filter(|f| f.len() <= 2) {
                place.bounds(form, &there, Some((guard, &everything)), constants, &mut out.linear);
                place.remainder(form, &there, guard, &mut out.linear);
            }
        }
    }
    let mut seen: BTreeSet<Term> = BTreeSet::new();
    out.linear.retain(|t| !t.is_true() && !t.is_false() && seen.insert(*t));
    out.nonlinear.retain(|t| !t.is_true() && !t.is_false() && seen.insert(*t));
    out.linear.truncate(MOST);
    out
}

impl Place {
    fn value(&self, form: &Form, sample: usize) -> IBig {
        form.iter().map(|(k, v)| IBig::from(*k) * &self.states[sample].1[*v]).sum()
    }

    fn term(&self, form: &Form) -> Term {
        Term::sum(form.iter().map(|(k, v)| self.vars[*v].scale(&IBig::from(*k))))
    }

    /// The expressions to bound.
    fn forms(&self, system: &System, cut: CutId, all: &[Var], chosen: &[usize]) -> Vec<Form> {
        let n = self.vars.len();
        let mut out: Vec<Form> = (0..n).map(|v| vec![(1, v)]).collect();
        if n <= MOST_PAIRS {
            for a in 0..n {
                for b in a + 1..n {
                    out.extend([vec![(1, a), (-1, b)], vec![(1, a), (1, b)]]);
                }
            }
        }
        let space = Space::new(chosen.iter().map(|i| all[*i]));
        for t in conditions(system, cut) {
            out.extend(space.compared(t).iter().filter_map(form));
        }
        if n <= MOST_TRIPLES {
            for a in 0..n {
                for b in a + 1..n {
                    for c in b + 1..n {
                        out.extend([[1, 1, -1], [1, -1, 1], [-1, 1, 1]].map(|[i, j, k]| vec![(i, a), (j, b), (k, c)]));
                    }
                }
            }
        }
        let mut seen: BTreeSet<Form> = BTreeSet::new();
        out.retain(|f| !f.is_empty() && seen.insert(f.clone()));
        out
    }

    /// Bounds of an expression in some samples. For those that a guard selects, only if they are tighter than those of all, and
    /// plausible.
    fn bounds(&self, form: &Form, of: &[usize], guard: Option<(Term, &[usize])>, constants: &BTreeSet<IBig>, out: &mut Vec<Term>) {
        let range = |of: &[usize]| {
            let values: Vec<IBig> = of.iter().map(|i| self.value(form, *i)).collect();
            values.iter().min().cloned().zip(values.iter().max().cloned())
        };
        let Some((low, high)) = range(of) else { return };
        let t = self.term(form);
        let near = |n: &IBig| constants.contains(n) || (*n <= IBig::ONE && *n >= IBig::NEG_ONE);
        let at_least = |n: &IBig| Term::int(n.clone()).less_eq(t);
        let at_most = |n: &IBig| t.less_eq(Term::int(n.clone()));
        match guard {
            None => {
                out.extend([at_least(&low), at_most(&high)]);
                out.extend(constants.range(..&low).next_back().map(at_least));
                out.extend(constants.range(&high..).find(|c| **c > high).map(at_most));
            }
            Some((guard, all)) => {
                let Some((least, most)) = range(all) else { return };
                if low > least && (near(&low) || low == high) {
                    out.push(guard.implies(at_least(&low)));
                }
                if high < most && (near(&high) || low == high) {
                    out.push(guard.implies(at_most(&high)));
                }
            }
        }
    }

    /// The remainder of an expression that all of some samples have.
    fn remainder(&self, form: &Form, of: &[usize], guard: Term, out: &mut Vec<Term>) {
        if form.len() > 2 || of.len() < 3 {
            return;
        }
        let values: Vec<IBig> = of.iter().map(|i| self.value(form, *i)).collect();
        let Some(first) = values.first() else { return };
        let divisor = values.iter().fold(IBig::ZERO, |g, v| gcd(g, v - first));
        if divisor <= IBig::ONE || divisor > IBig::from(MOST_DIVISOR) {
            return;
        }
        let rest = first % &divisor;
        let zero = Term::int(0);
        let t = self.term(form).sub(Term::int(rest));
        out.push(guard.implies(t.rem(Term::int(divisor)).equals(zero)));
    }
}

fn gcd(a: IBig, b: IBig) -> IBig {
    let (mut a, mut b) = (a, b);
    while b != IBig::ZERO {
        (a, b) = (b.clone(), a % b);
    }
    if a < IBig::ZERO {
        -a
    } else {
        a
    }
}

fn form(e: &LinExpr) -> Option<Form> {
    let parts = e.terms().iter().map(|(x, k)| k.to_i128().and_then(|k| i64::try_from(k).ok()).map(|k| (k, x.index())));
    parts.collect()
}

/// The conditions on the blocks from and to a cut point, as far as they speak of the state there.
fn conditions(system: &System, cut: CutId) -> Vec<Term> {
    let out = system.transitions.iter().filter(|t| t.from == cut).map(|t| t.condition);
    out.chain(system.errors.iter().filter(|e| e.0 == cut).map(|e| e.1)).collect()
}

/// Sides of comparisons of the state at a cut point, and "the variable has left the constant that it had at first".
fn guards(system: &System, cut: CutId, all: &[Var]) -> Vec<Term> {
    let mut out = Vec::new();
    let mut add = |t: Term| {
        if !out.contains(&t) && out.len() < MOST_GUARDS {
            out.push(t);
        }
    };
    for t in system.transitions.iter().filter(|t| t.to == cut && t.from != cut) {
        for (v, value) in all.iter().zip(&t.values) {
            if let (Some(_), true) = (value.as_int(), value.sort() == Sort::Int) {
                add(Term::var(*v).differs(*value));
            }
        }
    }
    for t in conditions(system, cut) {
        // Also those of choices within values.
        let choices = postorder([t]).into_iter().filter_map(|n| if let Kind::Ite(c, ..) = n.kind() { Some(*c) } else { None });
        let inner: Vec<Term> = choices.collect();
        for a in atoms(t).into_iter().chain(inner.into_iter().flat_map(atoms)) {
            if vars([a]).iter().all(|v| all.contains(v)) && matches!(a.kind(), Kind::Le(..) | Kind::Eq(..)) {
                add(a);
                add(a.not());
            }
        }
    }
    let values: Vec<Term> = system.transitions.iter().filter(|t| t.from == cut).flat_map(|t| t.values.iter().copied()).collect();
    for n in postorder(values) {
        if let Kind::Ite(c, ..) = n.kind() {
            for a in atoms(*c) {
                if vars([a]).iter().all(|v| all.contains(v)) {
                    add(a);
                    add(a.not());
                }
            }
        }
    }
    out
}
