//! The formula of a block: conditions and values over the state at its start and inputs.

use plumb_cfa::Program;
use plumb_cpa::Step;
use plumb_term::visit::{substitute, Rewriter};
use plumb_term::{Kind, Term, Var, VarId, VarTy};
use std::collections::BTreeMap;

/// When the paths of a block are taken, and the values that they leave.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Formula {
    condition: Term,
    /// Changed variables only.
    values: BTreeMap<VarId, Term>,
}

impl Default for Formula {
    fn default() -> Formula {
        Formula { condition: Term::tt(), values: BTreeMap::new() }
    }
}

impl Formula {
    /// Whether nothing has happened.
    pub(super) fn is_empty(&self) -> bool {
        self.condition.is_true() && self.values.is_empty()
    }

    pub(super) fn condition(&self) -> Term {
        self.condition
    }

    /// Whether a variable has the value it had at the start.
    pub(super) fn keeps(&self, v: VarId) -> bool {
        !self.values.contains_key(&v)
    }

    /// A term over the state at the end as one over the state at the start.
    pub(super) fn before(&self, t: Term) -> Term {
        if self.values.is_empty() {
            return t;
        }
        substitute(t, &|v| self.values.get(&v.id).copied())
    }

    /// With a condition on the state at the end; `None` if that is false.
    pub(super) fn assuming(&self, c: Term) -> Option<Formula> {
        let condition = self.condition.and(self.before(c));
        (!condition.is_false()).then(|| Formula { condition, values: self.values.clone() })
    }

    /// With one more step; `None` if its condition is false. Inputs get fresh names; so do products of variables if only linear arithmetic is known.
    pub(super) fn extended(&self, step: &Step, linear: bool, fresh: &mut dyn FnMut() -> VarId) -> Option<Formula> {
        let inputs: BTreeMap<VarId, Term> =
            step.effect.inputs.iter().map(|i| (i.var.id, Term::var(Var { id: fresh(), ..i.var }))).collect();
        let mut unknown: BTreeMap<Term, Term> = BTreeMap::new();
        let mut now = |t: Term| {
            let t = substitute(t, &|v| inputs.get(&v.id).or_else(|| self.values.get(&v.id)).copied());
            if !linear {
                return t;
            }
            Rewriter::new().rewrite(t, &mut |n| match n.kind() {
                Kind::Mul(..) => Some(*unknown.entry(n).or_insert_with(|| Term::var(Var::new(fresh(), VarTy::Int)))),
                _ => None,
            })
        };
        let condition = self.condition.and(now(step.condition()));
        if condition.is_false() {
            return None;
        }
        let new: Vec<(VarId, Term)> = step.updates().iter().map(|(v, t)| (*v, now(*t))).collect();
        let mut values = self.values.clone();
        values.extend(new);
        Some(Formula { condition, values })
    }

    /// The paths of both.
    pub(super) fn union(&self, program: &Program, other: &Formula) -> Formula {
        let mut values = BTreeMap::new();
        for v in self.values.keys().chain(other.values.keys()) {
            let of = |f: &Formula| f.values.get(v).copied().unwrap_or_else(|| program.term(*v));
            values.insert(*v, Term::ite(self.condition, of(self), of(other)));
        }
        Formula { condition: self.condition.or(other.condition), values }
    }
}
