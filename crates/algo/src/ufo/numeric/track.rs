//! Which variables a numeric domain follows.
//!
//! Costs grow with the number of dimensions, and a program's flags and states gain nothing from a domain of differences or sums: where there is not
//! room for all, those come first that are computed with or compared with each other.

use crate::system::{System, Transition};
use plumb_cfa::Program;
use plumb_term::visit::atoms;
use plumb_term::visit::postorder;
use plumb_term::{Kind, Scalar, Sort, Term, Var, VarId, VarTy};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Whether values of the type are integers.
pub fn is_number(ty: VarTy) -> bool {
    matches!(ty, VarTy::Int | VarTy::Scalar(Scalar::Int(_)))
}

/// By cut point, the numeric variables that matter, at most `room`, ascending.
pub fn tracked(program: &Program, system: &System, room: usize) -> Vec<Vec<Var>> {
    let uses = uses(system);
    let of_cut = |needed: &Vec<VarId>| {
        let numeric = |v: &Var| is_number(v.ty);
        let mut vars: Vec<Var> = needed.iter().map(|v| Var::new(*v, program.var(*v).ty)).filter(numeric).collect();
        vars.sort_by_key(|v| (Reverse(uses.get(&v.id).copied().unwrap_or(0)), v.id));
        vars.truncate(room);
        vars.sort_unstable();
        vars
    };
    system.cuts.iter().map(|c| of_cut(&c.needed)).collect()
}

/// The formulas that decide the way through a block: its condition, and those of choices among values.
pub fn decisions(t: &Transition) -> Vec<Term> {
    let choices = postorder(t.values.iter().copied()).into_iter().filter_map(|n| match n.kind() {
        Kind::Ite(c, ..) => Some(*c),
        _ => None,
    });
    let mut out: Vec<Term> = choices.chain([t.condition]).collect();
    out.sort_unstable();
    out.dedup();
    out
}

/// More comparisons of remainders than this are not followed.
const MAX_REMAINDERS: usize = 16;

/// Nor are larger ones.
const MAX_PARTS: usize = 10;

/// The comparisons of remainders and quotients in formulas.
pub fn remainders(formulas: &[Term]) -> Vec<Term> {
    let mut out: Vec<Term> = Vec::new();
    for t in formulas.iter().flat_map(|f| atoms(*f)) {
        let divides = |t: &Term| matches!(t.kind(), Kind::Rem(..) | Kind::Div(..) | Kind::BitAnd(..));
        if !matches!(t.kind(), Kind::Eq(..) | Kind::Le(..)) || out.len() == MAX_REMAINDERS || out.contains(&t) {
            continue;
        }
        let parts = postorder([t]);
        if parts.len() <= MAX_PARTS && parts.iter().any(divides) {
            out.push(t);
        }
    }
    out
}

/// How often each variable is an operand of arithmetic, or compared with what is not a constant.
pub fn uses(system: &System) -> BTreeMap<VarId, u32> {
    let mut out = BTreeMap::new();
    let mut count = |t: Term| {
        if let Some(v) = t.as_var().filter(|v| v.id < VarId::FIRST_AUX) {
            *out.entry(v.id).or_insert(0) += 1;
        }
    };
    let roots = system.transitions.iter().flat_map(|t| t.values.iter().copied().chain([t.condition]));
    for t in postorder(roots.chain(system.errors.iter().map(|e| e.1))) {
        match t.kind() {
            Kind::Lin(lin) => lin.parts.iter().for_each(|p| count(p.1)),
            Kind::Le(a, b) | Kind::Eq(a, b) if a.sort() == Sort::Int && a.as_int().is_none() && b.as_int().is_none() => {
                count(*a);
                count(*b);
            }
            _ => {}
        }
    }
    out
}
