//! One pass over the steps that a cut concerns.

use super::cut::{Cut, PartSet, Side, Spans};
use super::lemma::{self, on_a};
use super::running::Running;
use super::{Error, Strength};
use crate::lit::{BoolVar, Lit};
use crate::pool::{Id, Op, Pool};
use crate::proof::{Atom, Certificate, Proof, Reason, StepId};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// What is known of a proof before any cut, and memory that the cuts share.
pub struct Walk<'p> {
    proof: &'p Proof,
    strength: Strength,
    /// The parts of the inputs from which each step is derived.
    support: Vec<PartSet>,
    spans: Rc<Spans>,
    /// Farkas lemmas at the last cut between earlier and later parts.
    running: FxHashMap<usize, Running>,
    /// The run that computed each step's partial interpolant last.
    stamp: Vec<u32>,
    value: Vec<Id>,
    runs: u32,
}

/// The questions of one run.
struct Run<'a> {
    cut: Cut<'a>,
    /// Truth values for Boolean variables in the interpolant.
    fixed: &'a dyn Fn(BoolVar) -> Option<bool>,
}

impl<'p> Walk<'p> {
    /// Prepares the interpolation of `proof`.
    pub fn new(proof: &'p Proof, strength: Strength) -> Walk<'p> {
        let mut support: Vec<PartSet> = Vec::with_capacity(proof.steps.len());
        for step in &proof.steps {
            let set = match &step.reason {
                Reason::Input(part) => [*part].into_iter().collect(),
                Reason::Lemma(_) => PartSet::default(),
                Reason::Chain { first, rest } => {
                    let mut set = support[first.0 as usize].clone();
                    rest.iter().for_each(|(_, s)| set.extend_from(&support[s.0 as usize]));
                    set
                }
            };
            support.push(set);
        }
        let n = proof.steps.len();
        Walk {
            proof,
            strength,
            support,
            spans: Rc::new(Spans::new(proof)),
            running: FxHashMap::default(),
            stamp: vec![0; n],
            value: vec![Id::FALSE; n],
            runs: 0,
        }
    }

    /// The interpolant of the cut between `a` and the rest.
    pub fn run(&mut self, a: &PartSet, pool: &mut Pool, fixed: &dyn Fn(BoolVar) -> Option<bool>) -> Result<Id, Error> {
        self.runs += 1;
        let spans = Rc::clone(&self.spans);
        let run = Run { cut: Cut::new(self.proof, a, &spans), fixed };
        let last = self.proof.steps.len() - 1;
        let mut stack = vec![(last, false)];
        while let Some((s, ready)) = stack.pop() {
            if self.stamp[s] == self.runs {
                continue;
            }
            let proof = self.proof;
            let id = match &proof.steps[s].reason {
                _ if !ready && self.pure(&run, s).is_some() => self.pure_leaf(&run, s, pool)?,
                Reason::Input(part) => self.clause(&run, s, a.contains(*part), pool)?,
                Reason::Lemma(certificate) => self.lemma(&run, s, certificate, pool)?,
                Reason::Chain { first, rest } => {
                    if !ready {
                        stack.push((s, true));
                        let premises = std::iter::once(first).chain(rest.iter().map(|r| &r.1));
                        stack.extend(premises.map(|p| p.0 as usize).filter(|&p| self.stamp[p] != self.runs).map(|p| (p, false)));
                        continue;
                    }
                    self.chain(&run, *first, rest, pool)?
                }
            };
            self.stamp[s] = self.runs;
            self.value[s] = id;
        }
        Ok(self.value[last])
    }

    /// Whether the step is derived from one side's inputs and has that side's variables only: then it is a clause of A (true) or of B.
    fn pure(&self, run: &Run<'_>, s: usize) -> Option<bool> {
        let (support, clause) = (&self.support[s], &self.proof.steps[s].clause);
        if support.is_empty() {
            return None;
        }
        let all = |f: fn(Side) -> bool| clause.iter().all(|l| run.cut.boolean(l.var()).is_some_and(f));
        if support.is_subset(run.cut.a()) {
            all(Side::in_a).then_some(true)
        } else if support.is_disjoint(run.cut.a()) {
            all(Side::in_b).then_some(false)
        } else {
            None
        }
    }

    fn pure_leaf(&self, run: &Run<'_>, s: usize, pool: &mut Pool) -> Result<Id, Error> {
        self.clause(run, s, self.pure(run, s) == Some(true), pool)
    }

    /// The partial interpolant of a clause that one side implies: of A, its literals that go to B; of B, the negations of those that go to A.
    fn clause(&self, run: &Run<'_>, s: usize, of_a: bool, pool: &mut Pool) -> Result<Id, Error> {
        let mut literals = Vec::new();
        for &l in &self.proof.steps[s].clause {
            let side = run.cut.boolean(l.var()).ok_or(Error::Mixed)?;
            let listed = side == Side::Shared && self.strength == if of_a { Strength::McMillan } else { Strength::Dual };
            if listed {
                literals.push(self.literal(run, if of_a { l } else { !l }, pool));
            }
        }
        Ok(pool.connect(if of_a { Op::Or } else { Op::And }, literals))
    }

    fn literal(&self, run: &Run<'_>, l: Lit, pool: &mut Pool) -> Id {
        if let Some(value) = (run.fixed)(l.var()) {
            return Pool::constant(value == l.is_positive());
        }
        match (&self.proof.booleans[l.var().index()].atom, self.proof.constraint(l)) {
            (Atom::LessEq(_), Some((t, strict))) => pool.less_eq(&t, strict),
            _ => pool.boolean(l.var(), l.is_positive()),
        }
    }

    fn lemma(&mut self, run: &Run<'_>, s: usize, certificate: &Certificate, pool: &mut Pool) -> Result<Id, Error> {
        let clause = &self.proof.steps[s].clause;
        if let Certificate::Congruence(..) = certificate {
            let all = |f: fn(Side) -> bool| clause.iter().all(|l| run.cut.boolean(l.var()).is_some_and(f));
            return match (all(Side::in_a), all(Side::in_b)) {
                (true, _) => self.clause(run, s, true, pool),
                (false, true) => self.clause(run, s, false, pool),
                (false, false) => Err(Error::Mixed),
            };
        }
        if let (Certificate::Farkas(multipliers), Some(k)) = (certificate, run.cut.before()) {
            let (spans, strength) = (&self.spans, self.strength);
            let running = self.running.entry(s).or_insert_with(|| Running::new(spans, strength, clause, multipliers));
            return running.at(self.proof, pool, k);
        }
        lemma::arithmetic(self.proof, &run.cut, self.strength, clause, certificate, pool)
    }

    fn chain(&self, run: &Run<'_>, first: StepId, rest: &[(BoolVar, StepId)], pool: &mut Pool) -> Result<Id, Error> {
        let mut so_far = vec![self.value[first.0 as usize]];
        let mut op = Op::And;
        for &(pivot, step) in rest {
            let side = run.cut.boolean(pivot).ok_or(Error::Mixed)?;
            let other = self.value[step.0 as usize];
            if side == Side::Shared && self.strength == Strength::Pudlak {
                // With l in the clause so far and its negation in the other: (l ∨ I) ∧ (¬l ∨ I').
                let negated =
                    if self.proof.steps[step.0 as usize].clause.contains(&pivot.positive()) { pivot.positive() } else { pivot.negative() };
                let mine = pool.connect(op, std::mem::take(&mut so_far));
                let (l, negated) = (self.literal(run, !negated, pool), self.literal(run, negated, pool));
                so_far = vec![pool.or(vec![l, mine]), pool.or(vec![negated, other])];
                op = Op::And;
                continue;
            }
            let wanted = if on_a(self.strength, side) { Op::Or } else { Op::And };
            if op != wanted {
                let mine = pool.connect(op, std::mem::take(&mut so_far));
                so_far.push(mine);
                op = wanted;
            }
            so_far.push(other);
        }
        Ok(pool.connect(op, so_far))
    }
}
