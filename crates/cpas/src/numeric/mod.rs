//! Numeric analysis over any domain of `plumb-num`: zones, octagons, polyhedra, affine equalities, congruences, and products.
//!
//! The dimensions are the program's integer variables. Machine arithmetic is exact in the terms: a wrap that the bounds show to be idle vanishes, any
//! other makes its value unknown within its type; so do operations that are not linear, within the bounds of their operands ([`linear`]). What is in
//! memory is not followed.
//!
//! At a cut the state is widened, first up to the conditions of the program, then beyond; [`plumb_cpa::descend`] narrows.

mod linear;
mod transfer;

pub(crate) use linear::lin_cons;
use linear::to_term;
use plumb_cfa::{Op, Program, VarKind};
use plumb_cpa::{Cpa, Domain, Facts, Note, Site, Step};
use plumb_num::{Dim, LinCons, LinExpr, NumDomain};
use plumb_term::{Range, Sort, Term, VarId};
use std::collections::BTreeSet;

/// Joins at a cut before widening.
const DELAY: u32 = 2;
/// Widenings up to thresholds before all constraints that move are given up.
const THRESHOLD_STEPS: u32 = 4;
/// So many conditions of the program are thresholds at most.
const MAX_THRESHOLDS: usize = 200;

/// The analysis.
#[derive(Clone, Debug)]
pub struct Numeric<'a, D> {
    program: &'a Program,
    name: &'static str,
    domain: D,
    thresholds: Vec<LinCons>,
}

/// An element, and how often it has grown at a cut.
#[derive(Clone, Debug)]
pub struct Element<E> {
    elem: E,
    rounds: u32,
}

impl<E: PartialEq> PartialEq for Element<E> {
    fn eq(&self, o: &Element<E>) -> bool {
        self.elem == o.elem
    }
}

/// The dimension of a variable.
fn dim(v: VarId) -> Dim {
    Dim(v.0)
}

impl<'a, D: NumDomain> Numeric<'a, D> {
    /// Of a program, in a domain; the name is for reports.
    pub fn new(program: &'a Program, name: &'static str, domain: D) -> Numeric<'a, D> {
        let mut found = BTreeSet::new();
        for e in program.functions.iter().flat_map(|f| f.graph.edges()) {
            if let Op::Assume(c) | Op::Guard { cond: c, .. } = &e.1.op {
                found.extend(lin_cons(*c));
            }
        }
        let thresholds = found.into_iter().take(MAX_THRESHOLDS).collect();
        Numeric { program, name, domain, thresholds }
    }

    /// The element of a state.
    pub fn element<'e>(&self, e: &'e Element<D::Elem>) -> &'e D::Elem {
        &e.elem
    }

    fn is_number(&self, v: VarId) -> bool {
        v < VarId::FIRST_AUX && self.program.var(v).ty.sort() == Sort::Int
    }
}

impl<D: NumDomain> Domain for Numeric<'_, D> {
    type State = Element<D::Elem>;

    fn leq(&self, a: &Self::State, b: &Self::State) -> bool {
        self.domain.leq(&a.elem, &b.elem)
    }

    fn join(&self, a: &Self::State, b: &Self::State) -> Self::State {
        Element { elem: self.domain.join(&b.elem, &a.elem), rounds: b.rounds }
    }
}

impl<D: NumDomain> Cpa for Numeric<'_, D> {
    type Key = ();
    type Prec = ();

    fn name(&self) -> &'static str {
        self.name
    }

    fn initial(&self) -> Vec<Self::State> {
        vec![Element { elem: self.domain.top(), rounds: 0 }]
    }

    fn key(&self, _e: &Self::State) {}

    fn transfer(&self, e: &Self::State, step: &Step) -> Vec<Self::State> {
        self.post(&e.elem, step).map(|elem| Element { elem, rounds: 0 }).into_iter().collect()
    }

    fn strengthen(&self, mut e: Self::State, step: &Step, others: &dyn Facts) -> Option<Self::State> {
        for c in others.assumptions() {
            e.elem = self.assume(&e.elem, c)?;
        }
        for v in step.updates().iter().map(|u| u.0).filter(|v| self.is_number(*v)) {
            let known = others.range(self.program.term(v));
            let own = self.range(&e, self.program.term(v));
            let bounds = [(known.lo, own.lo, true), (known.hi, own.hi, false)];
            for (bound, _, lower) in bounds.into_iter().filter(|(k, o, _)| k.is_some() && k != o) {
                let Some(bound) = bound else { continue };
                let (x, b) = (LinExpr::var(dim(v)), LinExpr::constant(bound));
                let c = if lower { LinCons::ge(x, b) } else { LinCons::le(x, b) };
                e.elem = self.domain.assume(&e.elem, &c);
            }
        }
        (!self.domain.is_bottom(&e.elem)).then_some(e)
    }

    fn merge(&self, new: &Self::State, old: &Self::State, at: Site) -> Self::State {
        if self.leq(new, old) {
            return old.clone();
        }
        let joined = self.domain.join(&old.elem, &new.elem);
        let elem = match old.rounds {
            r if !at.cut || r < DELAY => joined,
            r if r < DELAY + THRESHOLD_STEPS => self.domain.widen_up_to(&old.elem, &joined, &self.thresholds),
            _ => self.domain.widen(&old.elem, &joined),
        };
        Element { elem, rounds: old.rounds + 1 }
    }

    fn narrow(&self, old: &Self::State, new: &Self::State) -> Self::State {
        Element { elem: new.elem.clone(), rounds: old.rounds }
    }

    fn range(&self, e: &Self::State, t: Term) -> Range {
        self.bounds(&e.elem, t, 0)
    }

    fn truth(&self, e: &Self::State, t: Term) -> Option<bool> {
        self.decide(&e.elem, t, 0)
    }

    fn formulas(&self, e: &Self::State) -> Vec<Term> {
        self.domain.constraints(&e.elem).iter().filter_map(|c| to_term(self.program, c)).collect()
    }

    fn notes(&self, e: &Self::State) -> Vec<Note> {
        let source = |c: &LinCons| c.expr().dims().all(|d| self.program.var(VarId(d.0)).kind == VarKind::Source);
        let name = |v: plumb_term::Var| self.program.var(v.id).name.clone();
        let shown = self.domain.constraints(&e.elem).into_iter().filter(source).filter_map(|c| to_term(self.program, &c));
        shown.map(|t| Note { analysis: self.name, var: None, text: plumb_term::print::show(t, &name).to_string() }).collect()
    }
}
