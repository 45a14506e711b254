//! Elimination of variables by equations: what a program computes is an equation, so most variables go that way.

use super::nnf::conjuncts;
use plumb_term::linear::Sum;
use plumb_term::visit::{linear_form, vars, Rewriter};
use plumb_term::{IBig, Kind, Scalar, Sort, Term, Var, VarTy};
use rustc_hash::{FxHashMap, FxHashSet};

/// Replaces variables that go by what they equal, as far as equations say so.
pub(crate) fn resolve(parts: Vec<Term>, keep: &FxHashSet<Var>) -> Vec<Term> {
    let mut parts: Vec<Term> = parts.into_iter().flat_map(conjuncts).collect();
    loop {
        let mut defined: FxHashMap<Var, Term> = FxHashMap::default();
        let mut used: FxHashSet<Var> = FxHashSet::default();
        let mut rest = Vec::new();
        for t in &parts {
            // Definitions that do not mention each other can be put in at once.
            let free = |y: Var| !keep.contains(&y) && !defined.contains_key(&y) && !used.contains(&y);
            match definition(*t, &free) {
                Some((y, value, mentions)) if !mentions.iter().any(|v| defined.contains_key(v)) => {
                    used.extend(mentions);
                    rest.extend(within_type(y, value));
                    defined.insert(y, value);
                }
                _ => rest.push(*t),
            }
        }
        if defined.is_empty() {
            return rest;
        }
        let mut rewriter = Rewriter::new();
        let mut replace = |t: Term| rewriter.rewrite(t, &mut |n| n.as_var().and_then(|v| defined.get(&v).copied()));
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        parts = rest.into_iter().map(&mut replace).flat_map(conjuncts).filter(|t| seen.insert(*t)).collect();
    }
}

/// A variable that an equation determines, its value and the variables of that.
fn definition(t: Term, free: &dyn Fn(Var) -> bool) -> Option<(Var, Term, Vec<Var>)> {
    let without = |y: Var, value: Term| {
        let mentions = vars([value]);
        (!mentions.contains(&y)).then_some((y, value, mentions))
    };
    match t.kind() {
        Kind::Var(y) if free(*y) => Some((*y, Term::tt(), Vec::new())),
        Kind::Not(a) => match a.kind() {
            Kind::Var(y) if free(*y) => Some((*y, Term::ff(), Vec::new())),
            // a ≠ b on truth values.
            Kind::Eq(a, b) if a.sort() == Sort::Bool => {
                let sides = [(a, b), (b, a)];
                sides.into_iter().find_map(|(y, value)| without(y.as_var().filter(|y| free(*y))?, value.not()))
            }
            _ => None,
        },
        Kind::Eq(a, b) if a.sort() == Sort::Int => {
            let (constant, parts) = linear_form(a.sub(*b));
            let unit = |k: &IBig| *k == IBig::ONE || *k == IBig::NEG_ONE;
            parts.iter().enumerate().filter(|(_, (k, _))| unit(k)).find_map(|(i, (k, y))| {
                let y = y.as_var().filter(|y| free(*y))?;
                // k·y + rest = 0, so y = −k·rest.
                let mut rest = Sum::constant(-(k * &constant));
                for (_, (c, atom)) in parts.iter().enumerate().filter(|(j, _)| *j != i) {
                    rest.add(&-(k * c), *atom);
                }
                without(y, rest.term())
            })
        }
        Kind::Eq(a, b) => {
            let sides = [(a, b), (b, a)];
            sides.into_iter().find_map(|(y, value)| without(y.as_var().filter(|y| free(*y))?, *value))
        }
        _ => None,
    }
}

/// That a value is one of the variable's type, where that is not plain.
pub(crate) fn within_type(y: Var, value: Term) -> Option<Term> {
    match y.ty {
        VarTy::Scalar(Scalar::Int(ty)) if !value.range().fits(ty) => Some(value.within(&ty.min(), &ty.max())),
        _ => None,
    }
}
