//! The formula of a block: conditions and values over the state at its start and inputs.

use plumb_cfa::Program;
use plumb_cpa::Step;
use plumb_term::visit::{substitute, vars, Rewriter};
use plumb_term::{Kind, Term, Var, VarId, VarTy};
use rustc_hash::{FxHashSet, FxHasher};
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};

/// When the paths of a block are taken, and the values that they leave.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Formula {
    condition: Term,
    /// Changed variables only.
    values: BTreeMap<VarId, Term>,
    /// How many inputs the longest path has taken: the next one's number. Paths that exclude each other may use the same.
    inputs: u32,
    /// Of a union the fingerprints of the formulas that were united, so that what it includes is known without a solver.
    united: BTreeSet<u64>,
}

impl Default for Formula {
    fn default() -> Formula {
        Formula { condition: Term::tt(), values: BTreeMap::new(), inputs: 0, united: BTreeSet::new() }
    }
}

impl Formula {
    /// Whether nothing has happened.
    pub(crate) fn is_empty(&self) -> bool {
        self.condition.is_true() && self.values.is_empty()
    }

    pub(crate) fn condition(&self) -> Term {
        self.condition
    }

    /// The changed variables with their values.
    pub(crate) fn values(&self) -> impl Iterator<Item = (VarId, Term)> + '_ {
        self.values.iter().map(|(v, t)| (*v, *t))
    }

    /// Whether a variable has the value it had at the start.
    pub(crate) fn keeps(&self, v: VarId) -> bool {
        !self.values.contains_key(&v)
    }

    /// The program's variables that are changed or that the condition reads.
    pub(crate) fn mentions(&self) -> BTreeSet<VarId> {
        let read = vars([self.condition]).into_iter().map(|v| v.id).filter(|v| *v < VarId::FIRST_AUX);
        read.chain(self.values.keys().copied()).collect()
    }

    /// A term over the state at the end as one over the state at the start.
    pub(crate) fn before(&self, t: Term) -> Term {
        if self.values.is_empty() {
            return t;
        }
        substitute(t, &|v| self.values.get(&v.id).copied())
    }

    /// With a condition on the state at the end; `None` if that is false.
    pub(crate) fn assuming(&self, c: Term) -> Option<Formula> {
        let condition = self.condition.and(self.before(c));
        (!condition.is_false()).then(|| Formula { condition, united: BTreeSet::new(), ..self.clone() })
    }

    /// With one more step; `None` if its condition is false. Inputs get new names; so do products of variables if only linear arithmetic is known. The
    /// same path gets the same names whenever it is taken, so that what was found out about it can be remembered.
    pub(crate) fn extended(&self, step: &Step, linear: bool) -> Option<Formula> {
        let mut taken = self.inputs;
        let mut fresh = || {
            taken += 1;
            Formula::input(taken)
        };
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
        Some(Formula { condition, values, inputs: taken, united: BTreeSet::new() })
    }

    /// The variable of the input with this number.
    pub(crate) fn input(number: u32) -> VarId {
        VarId(VarId::FIRST_AUX.0 + number)
    }

    /// The paths of both.
    pub(crate) fn union(&self, program: &Program, other: &Formula) -> Formula {
        // What both paths assume is kept outside: their own conditions are then short, and those of the two branches of a choice vanish.
        let (own, theirs) = (self.condition.conjuncts(), other.condition.conjuncts());
        let (a, b): (FxHashSet<Term>, FxHashSet<Term>) = (own.iter().copied().collect(), theirs.iter().copied().collect());
        let common = Term::all(own.iter().copied().filter(|c| b.contains(c)));
        let first = Term::all(own.into_iter().filter(|c| !b.contains(c)));
        let second = Term::all(theirs.into_iter().filter(|c| !a.contains(c)));
        let mut values = BTreeMap::new();
        for v in self.values.keys().chain(other.values.keys()) {
            let of = |f: &Formula| f.values.get(v).copied().unwrap_or_else(|| program.term(*v));
            let (x, y) = (of(self), of(other));
            values.insert(*v, if x == y { x } else { Term::ite(first, x, y) });
        }
        let mut united: BTreeSet<u64> = self.united.union(&other.united).copied().collect();
        united.extend([self.fingerprint(), other.fingerprint()]);
        Formula { condition: common.and(first.or(second)), values, inputs: self.inputs.max(other.inputs), united }
    }

    /// Whether `other` is one of the formulas that were united to this one.
    pub(crate) fn includes(&self, other: &Formula) -> bool {
        !self.united.is_empty() && self.united.contains(&other.fingerprint())
    }

    fn fingerprint(&self) -> u64 {
        let mut h = FxHasher::default();
        (self.condition, &self.values).hash(&mut h);
        h.finish()
    }
}
