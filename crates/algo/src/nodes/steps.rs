//! Blocks as steps of Houdini, with instances of what is said of every node.
//!
//! What holds of every node is used of the nodes that a block meets: those that it accesses, those that pointers hold before and after it, the node that the
//! goal is about, and what these point to.

use super::layout::{accesses, Layout};
use crate::houdini::Prepared;
use crate::system::{CutId, System};
use plumb_cfa::Program;
use plumb_smt::{Multiples, Pushed};
use plumb_term::visit::{linear_form, substitute, vars};
use plumb_term::{Scalar, Term, VarId, VarTy};
use plumb_transform::interval::env::Env;
use plumb_transform::interval::transfer;
use plumb_transform::unwrap::unwrap;

/// Nodes of one block.
const MAX_NODES: usize = 12;

/// The steps of a system with candidates at its cut points.
pub fn steps(program: &Program, system: &System, layout: &Layout, candidates: &[Vec<Term>]) -> Vec<Prepared> {
    let mut out = Vec::new();
    for t in &system.transitions {
        let needed = &system.cuts[t.to.0].needed;
        let pointers = needed.iter().zip(&t.values).filter(|(v, _)| is_pointer(program, **v)).map(|(_, t)| *t);
        let nodes = nodes(program, system, layout, t.from, t.values.iter().copied().chain([t.condition]), pointers);
        let mut plain = Plain::new(program, t.condition);
        out.push(without_remainders(Prepared {
            condition: plain.term(t.condition),
            before: before(layout, t.from, &candidates[t.from.0], &nodes, &mut plain),
            to: Some(t.to.0),
            after: candidates[t.to.0].iter().map(|c| plain.term(system.before(t, *c))).collect(),
        }));
    }
    let errors = system.errors.iter().map(|(c, t)| (*c, *t)).chain(system.unsupported.iter().map(|u| (u.0, u.1)));
    for (from, condition) in errors {
        let nodes = nodes(program, system, layout, from, [condition], []);
        let mut plain = Plain::new(program, condition);
        let before = before(layout, from, &candidates[from.0], &nodes, &mut plain);
        out.push(without_remainders(Prepared { condition: plain.term(condition), before, to: None, after: Vec::new() }));
    }
    out
}

/// Terms about one block as the solver gets them: loads read what the memories held at its start, and wraps that its condition makes idle are gone.
struct Plain<'a> {
    program: &'a Program,
    bounds: Env,
    pushed: Pushed,
}

impl<'a> Plain<'a> {
    fn new(program: &'a Program, condition: Term) -> Plain<'a> {
        let bounds = transfer::assume(program, &Env::default(), condition, 0).unwrap_or_default();
        Plain { program, bounds, pushed: Pushed::default() }
    }

    fn term(&mut self, t: Term) -> Term {
        unwrap(self.program, &self.bounds, self.pushed.term(t))
    }
}

/// A step in which an unknown predicate says where nodes begin: what follows then follows with remainders.
fn without_remainders(step: Prepared) -> Prepared {
    let said = step.before.iter().map(|b| b.2).chain(step.after.iter().copied()).chain([step.condition]);
    let Some(mut multiples) = Multiples::of(said) else { return step };
    let before: Vec<(usize, usize, Term)> = step.before.into_iter().map(|(r, j, t)| (r, j, multiples.term(t))).collect();
    let after: Vec<Term> = step.after.into_iter().map(|t| multiples.term(t)).collect();
    let condition = multiples.term(step.condition);
    let lemmas = multiples.lemmas(before.iter().map(|b| b.2).chain(after.iter().copied()).chain([condition]));
    Prepared { condition: condition.and(lemmas), before, to: step.to, after }
}

/// Whether a variable may hold a pointer.
pub fn is_pointer(program: &Program, v: VarId) -> bool {
    v != program.heap_top && program.var(v).ty == VarTy::Scalar(Scalar::Int(program.pointer()))
}

/// What candidates say before a block.
fn before(layout: &Layout, from: CutId, candidates: &[Term], nodes: &[Term], plain: &mut Plain<'_>) -> Vec<(usize, usize, Term)> {
    let every = layout.every();
    let mut out = Vec::new();
    for (j, c) in candidates.iter().enumerate() {
        if vars([*c]).contains(&every) {
            out.extend(nodes.iter().map(|n| (from.0, j, plain.term(substitute(*c, &|v| (v == every).then_some(*n))))));
        } else {
            out.push((from.0, j, plain.term(*c)));
        }
    }
    out
}

/// The nodes that a block meets.
fn nodes(
    program: &Program,
    system: &System,
    layout: &Layout,
    from: CutId,
    terms: impl IntoIterator<Item = Term>,
    after: impl IntoIterator<Item = Term>,
) -> Vec<Term> {
    let mut out: Vec<Term> = vec![Term::var(layout.every())];
    let add = |out: &mut Vec<Term>, t: Term| {
        if out.len() < MAX_NODES && t.as_int().is_none_or(|n| *n >= layout.base) && !out.contains(&t) {
            out.push(t);
        }
    };
    for (memory, address, _) in accesses(terms) {
        let (constant, parts) = linear_form(address);
        for f in layout.fields.iter().filter(|f| f.memory == memory) {
            if constant == f.offset || parts.is_empty() {
                add(&mut out, address.plus(-f.offset.clone()));
            }
        }
    }
    after.into_iter().for_each(|t| add(&mut out, t));
    system.cuts[from.0].needed.iter().filter(|v| is_pointer(program, **v)).for_each(|v| add(&mut out, program.term(*v)));
    for n in out.clone() {
        layout.fields.iter().filter(|f| layout.may_point(f)).for_each(|f| add(&mut out, layout.target(program, n, f)));
    }
    out
}
