//! The proof checker.
//!
//! It composes blocks itself, from the original program, under the exact machine meaning, and asks the solver to refute the
//! negation of every obligation of the proof's [`Method`]. Cut points are found here, not taken from the proof: a formula at
//! a point that is none is ignored, and a cut point without a formula has the formula true.
//!
//! In a proof by contracts each function that has one is a program of its own: it starts in any state of its precondition, and the values
//! at that start are what its formulas mean by a value at the entry.
//!
//! In a proof with records ([`crate::records`]) what is written down on leaving a cut point counts at the end of the block.
//!
//! A quantified invariant is shown for its bound variables as they are, which are constants that nothing else speaks of, and used through
//! instances ([`crate::instances`]).

use crate::contracts::Contracts;
use crate::execution;
use crate::instances::instances;
use crate::obligation::{Prover, Refuted};
use crate::records::Records;
use crate::symex::{Decision, Ends, Executor, Failure, Policy, State};
use plumb_cfa::unwind::{Orders, Unwound};
use plumb_cfa::{Point, Program};
use plumb_term::visit::{substitute, vars};
use plumb_term::{Budget, Scalar, Span, Term, Var, VarId, VarTy};
use plumb_verdict::{bound, Method, Proof, AT_ENTRY};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Why a proof or a trace is not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejected {
    /// The obligation that failed, as a sentence.
    pub why: String,
    /// Where in the source.
    pub span: Option<Span>,
    /// Whether only time, the solver or an exact value was lacking; then the evidence may still be right.
    pub undecided: bool,
}

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

impl From<Failure> for Rejected {
    fn from(f: Failure) -> Rejected {
        let why = match f {
            Failure::Budget => "no time left to check the proof",
            Failure::TooLarge => "the program is too large to check the proof",
        };
        Rejected { why: why.into(), span: None, undecided: true }
    }
}

/// The share of the time for obligations in parts.
const PARTS: u32 = 4;

/// What follows from the answer to an obligation.
fn judged(answer: Refuted, describe: impl FnOnce() -> (String, Option<Span>)) -> Result<(), Rejected> {
    match answer {
        Refuted::Yes => Ok(()),
        Refuted::No => {
            let (why, span) = describe();
            Err(Rejected { why, span, undecided: false })
        }
        Refuted::Unknown(reason) => {
            let (why, span) = describe();
            Err(Rejected { why: format!("not decided ({reason}) whether {why}"), span, undecided: true })
        }
    }
}

/// Accepts `proof` only if it shows that no execution of `program` reaches an error location.
pub fn check_proof(program: &Program, proof: &Proof, budget: &Budget) -> Result<(), Rejected> {
    if proof.method == Method::Execution {
        return execution::is_the_only_one(program, budget);
    }
    let orders = Orders::new(program);
    let contracts = match &proof.method {
        Method::Contracts { contracts } => Contracts::new(program, orders.calls(), contracts)?,
        _ => Contracts::default(),
    };
    let records = Records::new(program, &proof.method)?;
    let prover = Prover::new(program, budget);
    let checker = Checker { program, orders: &orders, contracts: &contracts, records, proof, budget, prover };
    checker.well_formed()?;
    match proof.method {
        Method::Inductive | Method::Contracts { .. } | Method::Recorded { .. } | Method::Execution => checker.inductive(true),
        Method::KInduction { k } => checker.inductive(false).and_then(|()| checker.k_steps(k.max(1))),
        Method::Unwinding { bound } => checker.unwinding(bound),
    }
}

struct Checker<'p> {
    program: &'p Program,
    orders: &'p Orders<'p>,
    contracts: &'p Contracts,
    records: Records<'p>,
    proof: &'p Proof,
    budget: &'p Budget,
    prover: Prover<'p>,
}

/// Where a block starts.
struct Start {
    from: Point,
    /// If that is the entry of a program or function: what is known there. Elsewhere the invariant of the cut point is.
    entered: Option<Term>,
}

impl Start {
    /// A formula at the end of the block: at an entry, the values at the entry are those at the start.
    fn goal(&self, t: Term) -> Term {
        match self.entered {
            Some(_) => substitute(t, &|v| (v.version == AT_ENTRY).then(|| Term::var(v.at(0)))),
            None => t,
        }
    }
}

/// Stops at every cut point; recursion is noted and stopped.
#[derive(Default)]
struct Block {
    recursive: Option<Point>,
}

impl Policy for Block {
    fn arrive(&mut self, at: &Unwound) -> Decision {
        if at.activations(at.func) > 1 {
            self.recursive = Some(at.point());
            return Decision::Stop;
        }
        // A callee's entry is a cut point only if a loop goes through it.
        Decision::Continue
    }
}

struct AtHeads<'p> {
    orders: &'p Orders<'p>,
    block: Block,
}

impl Policy for AtHeads<'_> {
    fn arrive(&mut self, at: &Unwound) -> Decision {
        if self.orders.wto(at.func).headed_by(at.loc).is_some() {
            return Decision::Stop;
        }
        self.block.arrive(at)
    }
}

struct Bounded<'p> {
    orders: &'p Orders<'p>,
    bound: u32,
}

impl Policy for Bounded<'_> {
    fn arrive(&mut self, at: &Unwound) -> Decision {
        let within = at.iteration(self.orders).is_none_or(|i| i <= self.bound) && at.activations(at.func) <= self.bound.saturating_add(1);
        if within {
            Decision::Continue
        } else {
            Decision::Stop
        }
    }
}

/// The block from a point on: its executions until the next cut points, and the recursion that they come to.
pub(crate) fn at_heads(
    executor: &mut Executor<'_>,
    orders: &Orders<'_>,
    from: &Point,
    state: State,
    budget: &Budget,
) -> Result<Ends, Stuck> {
    let mut policy = AtHeads { orders, block: Block::default() };
    let ends = executor.run(from, state, &mut policy, budget).map_err(Stuck::Failed)?;
    match policy.block.recursive {
        None => Ok(ends),
        Some(p) => Err(Stuck::Recursive(p)),
    }
}

/// Why a block has no end.
pub(crate) enum Stuck {
    Failed(Failure),
    Recursive(Point),
}

/// Where executions begin.
pub(crate) fn entry(program: &Program) -> Point {
    Point { stack: Vec::new(), func: program.entry, loc: program.function(program.entry).entry }
}

/// Whether formulas speak of the program's variables, of bound integers and of the memories of records only, of nothing that the checker itself gives
/// a meaning to; with `entries`, also of the values that variables had at the entry of a function.
pub(crate) fn is_well_formed(program: &Program, formulas: impl IntoIterator<Item = Term>, entries: bool, records: &Records<'_>) -> bool {
    let known = |v: &Var| match v.id {
        id if id >= VarId::FIRST_RECORD => records.has(*v),
        id if id >= VarId::FIRST_BOUND => matches!(v.ty, VarTy::Int | VarTy::Scalar(Scalar::Int(_))),
        id => program.vars.get(id.0 as usize).is_some_and(|info| info.ty == v.ty),
    };
    let copy = |v: &Var| v.version != 0 && !(entries && v.version == AT_ENTRY && v.id < VarId::FIRST_AUX);
    vars(formulas).iter().all(|v| !copy(v) && known(v))
}

impl Checker<'_> {
    fn entry(&self) -> Point {
        entry(self.program)
    }

    fn invariant(&self, at: &Point) -> Term {
        if *at == self.entry() {
            return Term::tt();
        }
        self.proof.invariants.get(at).copied().unwrap_or_else(Term::tt)
    }

    /// The conjuncts of an invariant without and with quantifiers.
    fn parts(&self, at: &Point) -> (Term, Vec<Term>) {
        let (ground, quantified): (Vec<Term>, Vec<Term>) = self.invariant(at).conjuncts().into_iter().partition(|c| bound(*c).is_empty());
        (Term::all(ground), quantified)
    }

    fn well_formed(&self) -> Result<(), Rejected> {
        let entries = matches!(self.proof.method, Method::Contracts { .. });
        if is_well_formed(self.program, self.proof.invariants.values().copied(), entries, &self.records) {
            return Ok(());
        }
        let why = "an invariant speaks of a variable that is none of the program's".into();
        Err(Rejected { why, span: None, undecided: false })
    }

    fn block(&self, executor: &mut Executor<'_>, from: &Point, state: State) -> Result<Ends, Rejected> {
        at_heads(executor, self.orders, from, state, self.budget).map_err(|stuck| match stuck {
            Stuck::Failed(f) => f.into(),
            Stuck::Recursive(p) => {
                let f = self.program.function(p.func);
                let why = format!("the proof does not cover the recursion of `{}`", f.name);
                Rejected { why, span: Some(f.span), undecided: false }
            }
        })
    }

    /// Initiation and consecution of the invariants from every cut point; safety too if asked for.
    fn inductive(&self, safety: bool) -> Result<(), Rejected> {
        let mut executor = Executor::new(self.program, self.orders, self.contracts);
        let mut seen = BTreeSet::new();
        let mut work = self.starts();
        while let Some(start) = work.pop() {
            let (ground, quantified) = match start.entered {
                Some(pre) => (pre, Vec::new()),
                None => self.parts(&start.from),
            };
            let from = &start.from;
            let ends = self.block(&mut executor, from, State::assuming(ground))?;
            self.no_unsupported(&ends, &quantified)?;
            if safety {
                self.no_errors(&ends, &quantified)?;
            }
            self.contracts_kept(&start, &ends, &quantified)?;
            for (at, s) in &ends.stopped {
                let to = at.point();
                let holds = start.goal(s.value(self.program, self.orders, at, self.invariant(&to)));
                let holds = self.records.after(self.program, self.orders, from, holds);
                self.follows(s.condition(), holds, &quantified, || {
                    (format!("the invariant is not preserved from {} to {}", self.show(from), self.show(&to)), self.span(&to))
                })?;
                if seen.insert(to.clone()) {
                    work.push(Start { from: to, entered: None });
                }
            }
        }
        Ok(())
    }

    /// Where executions begin: the program's entry, in any state, and the functions with contracts.
    fn starts(&self) -> Vec<Start> {
        let function = |s: &crate::contracts::Summary| Start {
            from: Point { stack: Vec::new(), func: s.func, loc: self.program.function(s.func).entry },
            entered: Some(s.contract.pre),
        };
        [Start { from: self.entry(), entered: Some(Term::tt()) }].into_iter().chain(self.contracts.all().map(function)).collect()
    }

    /// In a block: every call of a function with a contract finds its precondition, every return leaves the postcondition.
    fn contracts_kept(&self, start: &Start, ends: &Ends, quantified: &[Term]) -> Result<(), Rejected> {
        let name = |f| &self.program.function(f).name;
        for (callee, span, violated) in &ends.required {
            self.refute(start.goal(*violated), quantified, || {
                (format!("the precondition of `{}` does not hold at {}", name(*callee), self.program.sources.show(*span)), Some(*span))
            })?;
        }
        for (at, s) in &ends.returned {
            let Some(summary) = self.contracts.get(at.func) else { continue };
            let holds = start.goal(s.value(self.program, self.orders, at, summary.contract.post));
            self.follows(s.condition(), holds, quantified, || {
                let f = self.program.function(at.func);
                (format!("`{}` may return from {} without its postcondition", f.name, self.show(&start.from)), Some(f.span))
            })?;
        }
        Ok(())
    }

    /// Base and step of k-induction over blocks, with the invariants already known to hold.
    fn k_steps(&self, k: u32) -> Result<(), Rejected> {
        let mut executor = Executor::new(self.program, self.orders, self.contracts);
        let mut points = BTreeSet::new();
        let mut frontier = BTreeMap::from([(self.entry(), State::default())]);
        for _ in 0..=k {
            frontier = self.advance(&mut executor, frontier, true)?;
        }
        // All cut points, whether or not the base got there.
        let mut work = vec![self.entry()];
        while let Some(from) = work.pop() {
            let ends = self.block(&mut executor, &from, State::default())?;
            for (at, _) in &ends.stopped {
                if points.insert(at.point()) {
                    work.push(at.point());
                }
            }
        }
        for p in points {
            let mut frontier = BTreeMap::from([(p.clone(), State::assuming(self.parts(&p).0))]);
            for step in 0..=k {
                frontier = self.advance(&mut executor, frontier, step == k)?;
            }
        }
        Ok(())
    }

    /// One block further from every state, with the invariants (those without quantifiers) assumed where it ends; errors must be out of reach
    /// if `safe`.
    fn advance(
        &self,
        executor: &mut Executor<'_>,
        frontier: BTreeMap<Point, State>,
        safe: bool,
    ) -> Result<BTreeMap<Point, State>, Rejected> {
        let mut next: BTreeMap<Point, State> = BTreeMap::new();
        for (from, state) in frontier {
            let ends = self.block(executor, &from, state)?;
            if safe {
                self.no_errors(&ends, &[])?;
            }
            for (at, mut s) in ends.stopped {
                let to = at.point();
                let holds = s.value(self.program, self.orders, &at, self.parts(&to).0);
                s.assume(holds);
                match next.entry(to) {
                    std::collections::btree_map::Entry::Vacant(e) => {
                        e.insert(s);
                    }
                    std::collections::btree_map::Entry::Occupied(mut e) => e.get_mut().join(self.program, s),
                }
            }
        }
        Ok(next)
    }

    fn unwinding(&self, bound: u32) -> Result<(), Rejected> {
        let mut executor = Executor::new(self.program, self.orders, self.contracts);
        let mut policy = Bounded { orders: self.orders, bound };
        let ends = executor.run(&self.entry(), State::default(), &mut policy, self.budget)?;
        self.no_unsupported(&ends, &[])?;
        let beyond = Term::any(ends.stopped.iter().map(|(_, s)| s.condition()));
        self.refute(beyond, &[], || (format!("unwinding {bound} times does not cover all executions"), None))?;
        self.no_errors(&ends, &[])
    }

    fn no_errors(&self, ends: &Ends, quantified: &[Term]) -> Result<(), Rejected> {
        for (at, s) in &ends.errors {
            self.refute(s.condition(), quantified, || {
                (format!("the error at {} is not excluded", self.show(&at.point())), self.span(&at.point()))
            })?;
        }
        Ok(())
    }

    fn no_unsupported(&self, ends: &Ends, quantified: &[Term]) -> Result<(), Rejected> {
        for (what, span, condition) in &ends.unsupported {
            self.refute(*condition, quantified, || (format!("an execution may reach an unsupported construct: {what}"), Some(*span)))?;
        }
        Ok(())
    }

    /// Shows that `goal` holds at the end of a block under `condition`: at first as a whole; what takes longer, in groups of conjuncts and then one by one, each with the
    /// instances that it suggests; then as a whole what is left.
    fn follows(
        &self,
        condition: Term,
        goal: Term,
        quantified: &[Term],
        describe: impl FnOnce() -> (String, Option<Span>),
    ) -> Result<(), Rejected> {
        let violated = condition.and(goal.not());
        let instantiated = instances(quantified, violated);
        let mut open = Vec::new();
        let goals = goal.all_conjuncts();
        if goals.len() > 1 && !(quantified.is_empty() && self.prover.may_split(violated)) {
            let first = self.prover.at_first_sight(violated.and(instantiated));
            if !matches!(first, Refuted::Unknown(_)) {
                return judged(first, describe);
            }
            let patience = self.budget.part(PARTS);
            let decided = |some: &[Term]| {
                let part = condition.and(Term::all(some.iter().copied()).not());
                !patience.is_over() && self.prover.is_refuted_soon(part.and(instances(quantified, part)))
            };
            for some in goals.chunks(goals.len().isqrt()).filter(|some| !decided(some)) {
                open.extend(some.iter().copied().filter(|one| !decided(&[*one])));
            }
        } else {
            open = goals;
        }
        judged(self.prover.refute(condition.and(Term::all(open).not()).and(instantiated)), describe)
    }

    /// Refutes a formula over the state at the start of a block, where the quantified conjuncts hold, too.
    fn refute(&self, formula: Term, quantified: &[Term], describe: impl FnOnce() -> (String, Option<Span>)) -> Result<(), Rejected> {
        judged(self.prover.refute(formula.and(instances(quantified, formula))), describe)
    }

    fn span(&self, p: &Point) -> Option<Span> {
        let info = self.program.function(p.func).graph.loc(p.loc);
        Some(info.loop_span.unwrap_or(info.span)).filter(|s| s.is_known())
    }

    fn show(&self, p: &Point) -> String {
        match self.span(p) {
            Some(s) => self.program.sources.show(s).to_string(),
            None => format!("the start of `{}`", self.program.function(p.func).name),
        }
    }
}
