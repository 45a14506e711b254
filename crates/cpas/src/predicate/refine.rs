//! Refinement of the predicates by interpolants: lazy abstraction with a precision for each place (Section 6.2).
//!
//! The formulas of the path's blocks, with a copy of each variable for each of its values, contradict each other; the interpolator says at each block's
//! end why. Where the exploration has united paths of a block, all of them are refuted at once if that is possible. The atoms of what it says there are the new predicates of that place.

use super::{Blocks, PredicateAnalysis, Predicates};
use crate::verify::{Path, Refiner};
use plumb_cpa::{Flow, Place, Site, StepId};
use plumb_smt::interpolate::{Answer, Chain, Interpolator, Sequence};
use plumb_term::visit::{atoms, substitute};
use plumb_term::{Budget, Sort, Term, Var, VarId};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Takes predicates from interpolants.
pub struct Interpolate<'b> {
    blocks: Blocks,
    budget: &'b Budget,
    engine: RefCell<Chain>,
}

impl<'b> Interpolate<'b> {
    /// For an analysis with these blocks.
    pub fn new(blocks: Blocks, budget: &'b Budget) -> Interpolate<'b> {
        Interpolate { blocks, budget, engine: RefCell::default() }
    }

    /// The interpolants at the ends of the path's blocks.
    fn labels(&self, flow: &Flow<'_>, path: &[StepId], ends: &dyn Fn(Site) -> bool) -> Option<Vec<(Place, Term)>> {
        let mut formulas = Vec::new();
        let mut places = Vec::new();
        let mut version: BTreeMap<VarId, u32> = BTreeMap::new();
        let mut block: Vec<Term> = Vec::new();
        let mut inputs = 0;
        for step in path.iter().map(|s| flow.step(*s)) {
            let first = inputs;
            inputs += step.effect.inputs.len() as u32;
            let now = |t: Term| {
                substitute(t, &|v| {
                    Some(Term::var(if v.id < VarId::FIRST_AUX {
                        v.at(version.get(&v.id).copied().unwrap_or(0))
                    } else {
                        Var { id: VarId(v.id.0 + first), ..v }
                    }))
                })
            };
            block.push(now(step.condition()));
            let values: Vec<(VarId, Term)> = step.updates().iter().map(|(v, t)| (*v, now(*t))).collect();
            for (v, value) in values {
                let next = version.entry(v).or_insert(0);
                *next += 1;
                let x = Term::var(Var::new(v, flow.program().var(v).ty).at(*next));
                block.push(same(x, value));
            }
            // Whether calls are told apart makes no difference here: that only says where recursion is cut.
            let site = Site { place: Some(step.to), cut: flow.is_cut(step.to, true) };
            if self.blocks == Blocks::Edges || ends(site) {
                formulas.push(Term::all(std::mem::take(&mut block)));
                places.push(step.to);
            }
        }
        formulas.push(Term::all(block));
        let sequence = Sequence::new(formulas).ok()?;
        let Answer::Labels(labels) = self.engine.borrow_mut().sequence(&sequence, self.budget) else { return None };
        let now = |label: Term| substitute(label, &|v| Some(Term::var(v.at(0))));
        Some(places.into_iter().zip(labels.into_iter().skip(1).map(now)).collect())
    }

    /// The same for all paths of the blocks that the exploration united; nothing if one of them can be taken.
    fn labels_of_blocks(&self, flow: &Flow<'_>, path: &Path<PredicateAnalysis<'_>>) -> Option<Vec<(Place, Term)>> {
        let (mut formulas, mut places) = (Vec::new(), Vec::new());
        let mut version: BTreeMap<VarId, u32> = BTreeMap::new();
        for (step, state) in path.steps.iter().zip(&path.states) {
            let Some(block) = &state.block else { continue };
            let number = formulas.len() as u32 + 1;
            let now = |t: Term| {
                substitute(t, &|v| {
                    let of = if v.id < VarId::FIRST_AUX { version.get(&v.id).copied().unwrap_or(0) } else { number };
                    Some(Term::var(v.at(of)))
                })
            };
            let mut parts = vec![now(block.condition())];
            let values: Vec<(VarId, Term)> = block.values().map(|(v, t)| (v, now(t))).collect();
            for (v, value) in values {
                let next = version.entry(v).or_insert(0);
                *next += 1;
                parts.push(same(Term::var(Var::new(v, flow.program().var(v).ty).at(*next)), value));
            }
            formulas.push(Term::all(parts));
            places.push(flow.step(*step).to);
        }
        let sequence = Sequence::new(formulas).ok()?;
        let Answer::Labels(labels) = self.engine.borrow_mut().sequence(&sequence, self.budget) else { return None };
        let now = |label: Term| substitute(label, &|v| Some(Term::var(v.at(0))));
        Some(places.into_iter().zip(labels.into_iter().skip(1).map(now)).collect())
    }
}

/// Equality on every sort; floats are compared by their bits.
fn same(x: Term, value: Term) -> Term {
    match x.sort() {
        Sort::Float(_) => Term::fbits(x).equals(Term::fbits(value)),
        _ => x.equals(value),
    }
}

impl Refiner<PredicateAnalysis<'_>> for Interpolate<'_> {
    fn refine(&self, flow: &Flow<'_>, path: &Path<PredicateAnalysis<'_>>, _: &[usize], prec: &Predicates) -> Option<Predicates> {
        let errors = |p: Place| flow.is_error(p) || flow.unsupported(p).is_some();
        let ends = |s: Site| s.cut || s.place.is_some_and(errors);
        let of_blocks = if self.blocks == Blocks::Loops { self.labels_of_blocks(flow, path) } else { None };
        let labels = of_blocks.or_else(|| self.labels(flow, &path.steps, &ends))?;
        let with = |parts: &dyn Fn(Term) -> Vec<Term>| {
            let mut out = prec.clone();
            for (place, label) in &labels {
                let new = parts(*label).into_iter().filter(|p| p.as_bool().is_none() && !prec.everywhere.contains(p));
                out.at.entry(*place).or_default().extend(new);
            }
            out.at.retain(|_, p| !p.is_empty());
            (out != *prec).then_some(out)
        };
        // Atoms serve other paths, too. With the conjuncts themselves, abstractions along this path imply the labels, so it is excluded for good.
        with(&atoms).or_else(|| with(&Term::conjuncts))
    }
}
