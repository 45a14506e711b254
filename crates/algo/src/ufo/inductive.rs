//! Facts that are inductive by themselves, found among what labels say.
//!
//! A label is true of one copy of a cut point. Some of its conjuncts are true of every copy, because the program's blocks preserve them, together with other conjuncts of
//! other labels: the greatest such set is found by assuming all candidates and dropping those that a block does not preserve until none is left to drop (the
//! fixpoint of Houdini: Flanagan and Leino, FME 2001). What remains is assumed at the cut point from then on: labels need not say it again, and if it
//! excludes the error, the search is over. The paper has nothing of the kind.
//!
//! **Contract.** `known` is inductive: it holds at every cut point whenever an execution comes there.

use super::arg::NodeId;
use super::{before, Stop, Ufo};
use crate::system::{CutId, Step, System};
use plumb_cfa::Point;
use plumb_smt::{CheckResult, Encoding, Limits, Model, OwnSolver, Solver, Z3Solver};
use plumb_term::visit::{atoms, size};
use plumb_term::{Budget, Term};
use plumb_verdict::{Method, Proof, Verdict};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// A question that takes longer counts against the candidates it is about.
const PATIENCE: Duration = Duration::from_millis(500);

/// The time that is always granted.
const GRANTED: Duration = Duration::from_millis(500);

/// More candidates at one cut point are not looked at.
const MOST: usize = 600;

/// Facts and candidates.
#[derive(Default)]
pub(super) struct Inductive {
    /// By cut point: what labels have said and is not known.
    candidates: Vec<BTreeSet<Term>>,
    /// By cut point: what holds there always.
    known: Vec<Vec<Term>>,
    /// By transition, from the first question on.
    blocks: Vec<Option<Preserves>>,
    /// How many questions were asked.
    pub(super) questions: u64,
    /// Time spent.
    pub(super) spent: Duration,
}

/// The solvers of one block.
struct Preserves {
    own: OwnSolver,
    /// What both solvers have to know.
    facts: Vec<Term>,
    /// For what the own solver does not decide, from the first such question on.
    other: Option<Z3Solver>,
}

/// What a block does to candidates.
enum Finding {
    /// All hold after it.
    Preserved,
    /// A state before it after which some do not.
    Violated(Model),
    Undecided,
}

impl Inductive {
    pub(super) fn new(system: &System) -> Inductive {
        Inductive {
            candidates: vec![BTreeSet::new(); system.cuts.len()],
            known: vec![Vec::new(); system.cuts.len()],
            blocks: system.transitions.iter().map(|_| None).collect(),
            ..Inductive::default()
        }
    }

    /// How many facts there are.
    pub(super) fn facts(&self) -> usize {
        self.known.iter().map(Vec::len).sum()
    }

    /// What holds whenever an execution comes to the cut point.
    pub(super) fn known(&self, cut: CutId) -> Term {
        Term::all(self.known[cut.0].iter().copied())
    }

    /// Takes conjuncts and atoms of a label as candidates; whether one of them is new.
    pub(super) fn propose(&mut self, cut: CutId, label: Term) -> bool {
        // Any state is possible at the entry.
        if cut.0 == 0 || label.is_true() || label.is_false() {
            return false;
        }
        let (set, known) = (&mut self.candidates[cut.0], &self.known[cut.0]);
        let literals = atoms(label).into_iter().flat_map(|a| [a, a.not()]);
        let mut new = false;
        for t in label.conjuncts().into_iter().chain(literals) {
            new |= set.len() < MOST && !known.contains(&t) && set.insert(t);
        }
        new
    }

    /// The greatest set of candidates that all blocks preserve; nothing if there is no time to find it.
    pub(super) fn greatest(&mut self, system: &System, budget: &Budget) -> Option<Vec<Vec<Term>>> {
        let mut left: Vec<Vec<Term>> = self.candidates.iter().map(|s| s.iter().copied().collect()).collect();
        let mut work: BTreeSet<usize> = (0..system.transitions.len()).collect();
        while let Some(i) = work.pop_first() {
            let (from, to) = (system.transitions[i].from.0, system.transitions[i].to.0);
            let before = left[to].len();
            let mut checked = std::mem::take(&mut left[to]);
            // Of a loop of one block, what is assumed shrinks with what is asked for.
            let assumed = if from == to { None } else { Some(left[from].clone()) };
            self.preserved(system, i, assumed.as_deref(), &mut checked, budget)?;
            left[to] = checked;
            if left[to].len() < before {
                work.extend((0..system.transitions.len()).filter(|k| system.transitions[*k].from.0 == to));
            }
        }
        Some(left)
    }

    /// Drops from `asked` what does not hold after a block before which `assumed`, or `asked` itself, holds.
    fn preserved(&mut self, system: &System, block: usize, assumed: Option<&[Term]>, asked: &mut Vec<Term>, budget: &Budget) -> Option<()> {
        while !asked.is_empty() {
            if budget.is_over() {
                return None;
            }
            self.questions += 1;
            // What is known at its start is part of the condition.
            let solvers = self.blocks[block].get_or_insert_with(|| Preserves::new(system.transitions[block].condition));
            let after = |t: &Term| before(system, Step::Block(block), *t);
            let all = Term::all(asked.iter().map(after));
            match solvers.ask(assumed.unwrap_or(asked), all.not(), budget) {
                Finding::Preserved => return Some(()),
                Finding::Violated(model) => {
                    let before = asked.len();
                    asked.retain(|t| model.holds(after(t)) == Some(true));
                    if asked.len() == before {
                        // The model does not say which: none is known to hold.
                        asked.clear();
                    }
                }
                // Half of them may be easier.
                Finding::Undecided if asked.len() > 1 => {
                    asked.sort_by_key(|t| size(*t));
                    asked.truncate(asked.len() / 2);
                }
                Finding::Undecided => asked.clear(),
            }
        }
        Some(())
    }

    /// Makes candidates facts, without those that others imply.
    pub(super) fn establish(&mut self, found: Vec<Vec<Term>>, system: &mut System, budget: &Budget) {
        for (c, facts) in found.into_iter().enumerate() {
            let facts = independent(facts, budget);
            if facts.is_empty() {
                continue;
            }
            facts.iter().for_each(|t| {
                self.candidates[c].remove(t);
            });
            let all = Term::all(facts.iter().copied());
            system.assume(CutId(c), all);
            for (i, t) in system.transitions.iter().enumerate() {
                if let (true, Some(solvers)) = (t.from.0 == c, &mut self.blocks[i]) {
                    solvers.assert(all);
                }
            }
            self.known[c].extend(facts);
        }
    }
}

impl Preserves {
    fn new(condition: Term) -> Preserves {
        let mut own = OwnSolver::new(&limits());
        own.assert(condition);
        Preserves { own, facts: vec![condition], other: None }
    }

    fn assert(&mut self, fact: Term) {
        self.own.assert(fact);
        self.facts.push(fact);
        if let Some(other) = &mut self.other {
            other.assert(fact);
        }
    }

    /// Whether the block can be taken from a state of `assumed` such that `bad` holds.
    fn ask(&mut self, assumed: &[Term], bad: Term, budget: &Budget) -> Finding {
        let assumptions: Vec<Term> = assumed.iter().copied().chain([bad]).collect();
        self.own.set_budget(budget);
        match finding(&mut self.own, &assumptions) {
            Finding::Undecided => {}
            decided => return decided,
        }
        if self.other.is_none() {
            let Ok(mut other) = Z3Solver::without_tactics(Encoding::Int, &limits()) else { return Finding::Undecided };
            self.facts.iter().for_each(|t| other.assert(*t));
            self.other = Some(other);
        }
        let Some(other) = &mut self.other else { return Finding::Undecided };
        other.set_budget(budget);
        finding(other, &assumptions)
    }
}

fn limits() -> Limits {
    Limits { query_time: Some(PATIENCE), ..Limits::default() }
}

fn finding(solver: &mut dyn Solver, assumptions: &[Term]) -> Finding {
    match solver.check_assuming(assumptions) {
        CheckResult::Unsat => Finding::Preserved,
        CheckResult::Sat => solver.model().map_or(Finding::Undecided, Finding::Violated),
        CheckResult::Unknown(_) => Finding::Undecided,
    }
}

/// Facts without those that the others imply; the longest go first.
pub(crate) fn independent(mut facts: Vec<Term>, budget: &Budget) -> Vec<Term> {
    facts.sort_by_key(|t| std::cmp::Reverse(size(*t)));
    let mut solver = OwnSolver::new(&Limits { query_time: Some(PATIENCE / 10), ..Limits::default() });
    solver.set_budget(budget);
    let mut i = 0;
    while i < facts.len() {
        let mut others = facts.clone();
        let fact = others.remove(i);
        let implied = solver.check_assuming(&others.iter().copied().chain([fact.not()]).collect::<Vec<_>>()).is_unsat();
        if implied {
            facts = others;
        } else {
            i += 1;
        }
    }
    facts
}

impl Ufo<'_> {
    /// Looks for facts among new labels; the verdict, if the error cannot be reached where they hold.
    pub(super) fn induce(&mut self, labels: &FxHashMap<NodeId, Term>, fact: &dyn Fn(&Point) -> Term) -> Result<Option<Verdict>, Stop> {
        let mut new = false;
        for (n, t) in labels {
            if let Some(cut) = self.arg.node(*n).cut {
                new |= self.inductive.propose(cut, *t);
            }
        }
        let allowed = GRANTED + self.figures.interpolation / 2;
        if !new || self.inductive.spent >= allowed {
            return Ok(None);
        }
        let start = Instant::now();
        let share = self.budget.at_most(allowed - self.inductive.spent);
        let found = self.inductive.greatest(&self.system, &share);
        let progress = found.as_ref().is_some_and(|f| f.iter().any(|facts| !facts.is_empty()));
        if let Some(found) = found {
            self.inductive.establish(found, &mut self.system, self.budget);
        }
        self.inductive.spent += start.elapsed();
        if !progress || !self.excluded()? {
            return Ok(None);
        }
        let invariants =
            self.system.cuts.iter().enumerate().map(|(c, cut)| (cut.point.clone(), self.inductive.known(CutId(c)).and(fact(&cut.point))));
        Ok(Some(Verdict::Safe(Proof { method: Method::Inductive, invariants: invariants.collect() })))
    }

    /// Whether no error can be reached from what is known at the cut points.
    fn excluded(&mut self) -> Result<bool, Stop> {
        let ends: Vec<Term> = self.system.errors.iter().map(|e| e.1).chain(self.system.unsupported.iter().map(|u| u.1)).collect();
        for condition in ends {
            if !self.entails(condition, Term::ff())? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::{Cut, Transition};
    use plumb_cfa::{FuncId, Loc};
    use plumb_smt::Entailment;
    use plumb_term::{Var, VarId, VarTy};

    fn var(i: u32) -> Term {
        Term::var(Var::new(VarId(i), VarTy::Int))
    }

    fn int(k: i64) -> Term {
        Term::int(k)
    }

    /// x = 0, y = 0; then, as long as x < 5, x becomes x + 1 and y becomes x.
    fn counting() -> System {
        let cut = |i: u32| Cut { point: Point { stack: Vec::new(), func: FuncId(0), loc: Loc(i) }, needed: vec![VarId(0), VarId(1)] };
        let enter = Transition { from: CutId(0), to: CutId(1), condition: Term::tt(), values: vec![int(0), int(0)] };
        let step = Transition { from: CutId(1), to: CutId(1), condition: var(0).less(int(5)), values: vec![var(0).plus(1), var(0)] };
        let errors = vec![(CutId(1), var(0).greater(int(7)))];
        System { cuts: vec![cut(0), cut(1)], transitions: vec![enter, step], errors, unsupported: Vec::new() }
    }

    fn found(label: Term) -> (Inductive, System) {
        let mut system = counting();
        let mut inductive = Inductive::new(&system);
        assert!(inductive.propose(CutId(1), label));
        let budget = Budget::unlimited();
        let greatest = inductive.greatest(&system, &budget).expect("time");
        inductive.establish(greatest, &mut system, &budget);
        (inductive, system)
    }

    #[test]
    fn what_every_block_preserves_stays_and_excludes_the_error() {
        let (inductive, system) = found(var(0).less_eq(int(5)).and(var(1).less_eq(int(3))));
        // y ≤ 3 holds at first, but not after the last step.
        assert_eq!(inductive.known(CutId(1)), var(0).less_eq(int(5)));
        assert_eq!(system.errors[0].1, var(0).greater(int(7)).and(var(0).less_eq(int(5))));
        assert!(Entailment::new(&Budget::unlimited()).expect("a solver").entails(system.errors[0].1, Term::ff()));
    }

    #[test]
    fn all_that_hold_are_found() {
        let pair = [var(1).less_eq(int(4)), var(0).less_eq(int(5))];
        let (inductive, _) = found(Term::all(pair));
        // y ≤ 4 holds after a step because of its condition.
        assert_eq!(inductive.facts(), 2);
        let (inductive, _) = found(var(1).less_eq(var(0)));
        assert_eq!(inductive.known(CutId(1)), var(1).less_eq(var(0)));
    }

    #[test]
    fn what_does_not_hold_at_first_is_dropped() {
        let (inductive, system) = found(int(1).less_eq(var(0)));
        // Its negation does not hold after a step, either.
        assert_eq!(inductive.facts(), 0);
        assert_eq!(system.errors[0].1, var(0).greater(int(7)));
    }

    #[test]
    fn nothing_is_proposed_for_the_entry_or_twice() {
        let system = counting();
        let mut inductive = Inductive::new(&system);
        assert!(!inductive.propose(CutId(0), var(0).less_eq(int(5))));
        assert!(inductive.propose(CutId(1), var(0).less_eq(int(5))));
        assert!(!inductive.propose(CutId(1), var(0).less_eq(int(5))));
    }

    #[test]
    fn implied_facts_go() {
        let facts = vec![var(0).less_eq(int(5)), var(0).less_eq(int(9)), var(0).less_eq(int(5)).or(var(1).less_eq(int(0)))];
        assert_eq!(independent(facts, &Budget::unlimited()), vec![var(0).less_eq(int(5))]);
    }
}
