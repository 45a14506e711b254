//! Algorithm 2 of the chapter: CPA(𝔻, e₀).
//!
//! ```text
//! while waitlist ≠ {}:
//!   choose e from waitlist and remove it
//!   for each e' with e ⇝ e':
//!     for each e'' ∈ reached:  e_new := merge(e', e'');  if e_new ≠ e'', replace e'' by e_new in reached and waitlist
//!     if ¬stop(e', reached):   add e' to waitlist and reached
//! ```
//!
//! The steps of a state are those that leave its place, where a component knows that; all steps otherwise, as in the chapter. Reached states are
//! partitioned by key, and each successor is adjusted to the precision before it is merged (the CPA+ of the chapter's reference 18).

use crate::arg::{Arg, ArgEdge, NodeId};
use crate::cpa::{Cover, Cpa, Site};
use crate::flow::{Flow, Move, StepId};
use crate::reached::Reached;
use crate::waitlist::{Order, Waitlist};
use plumb_term::Budget;
use rustc_hash::FxHashMap;

/// How an exploration ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// No state waits: the reached states cover all executions.
    Complete,
    /// A state that violates the property was found.
    Target(NodeId),
    /// The budget is over.
    OutOfBudget,
}

/// So many states are expanded between two looks at the budget.
const LOOK: u64 = 16;

/// What is explored after a violation.
#[derive(Clone, Copy)]
enum Beyond {
    Nothing,
    AsMuchAgain,
}

/// A run of the algorithm.
#[derive(Debug)]
pub struct Exploration<'a, C: Cpa> {
    flow: &'a Flow<'a>,
    cpa: &'a C,
    prec: &'a C::Prec,
    arg: Arg<C>,
    reached: Reached<C>,
    waitlist: Waitlist,
    targets: Vec<NodeId>,
    /// What a state that arrives at a cut with this key is weakened by.
    hints: FxHashMap<C::Key, C::State>,
    expanded: u64,
}

impl<'a, C: Cpa> Exploration<'a, C> {
    /// The initial states, waiting.
    pub fn new(flow: &'a Flow<'a>, cpa: &'a C, prec: &'a C::Prec, order: Order) -> Exploration<'a, C> {
        Exploration::with_hints(flow, cpa, prec, order, FxHashMap::default())
    }

    /// The same, where states that arrive at cuts are weakened by a hint for their key.
    pub(crate) fn with_hints(
        flow: &'a Flow<'a>,
        cpa: &'a C,
        prec: &'a C::Prec,
        order: Order,
        hints: FxHashMap<C::Key, C::State>,
    ) -> Exploration<'a, C> {
        let waitlist = Waitlist::new(order, flow);
        let (arg, reached) = (Arg::new(), Reached::new());
        let mut run = Exploration { flow, cpa, prec, arg, reached, waitlist, targets: Vec::new(), hints, expanded: 0 };
        for e in cpa.initial() {
            run.arrive(None, e);
        }
        run
    }

    /// Explores until nothing waits or the budget is over.
    pub fn run(&mut self, budget: &Budget) -> Outcome {
        self.explore(budget, None)
    }

    /// Explores until a state violates the property, nothing waits or the budget is over.
    pub fn run_to_target(&mut self, budget: &Budget) -> Outcome {
        self.explore(budget, Some(Beyond::Nothing))
    }

    /// The same, and once as long again after the first violation, for others that may be refined together with it.
    pub fn run_past_target(&mut self, budget: &Budget) -> Outcome {
        self.explore(budget, Some(Beyond::AsMuchAgain))
    }

    fn explore(&mut self, budget: &Budget, beyond: Option<Beyond>) -> Outcome {
        let mut last = u64::MAX;
        loop {
            if let (Some(beyond), Some(n)) = (beyond, self.targets.first()) {
                let allowed = match beyond {
                    Beyond::Nothing => self.expanded,
                    Beyond::AsMuchAgain => 2 * self.expanded + LOOK,
                };
                last = last.min(allowed);
                if self.expanded >= last {
                    return Outcome::Target(*n);
                }
            }
            let Some(n) = self.waitlist.pop() else { return Outcome::Complete };
            if !self.arg.set_waiting(n, false) {
                continue;
            }
            self.expanded += 1;
            if self.expanded % LOOK == 0 && budget.is_over() {
                self.wait(n);
                return Outcome::OutOfBudget;
            }
            self.expand(n);
        }
    }

    /// Computes the successors of a node.
    fn expand(&mut self, n: NodeId) {
        let (flow, cpa) = (self.flow, self.cpa);
        self.arg.clear_edges(n);
        let state = self.arg.state(n).clone();
        let go = |run: &mut Self, id: StepId| {
            for next in cpa.transfer(&state, flow.step(id)) {
                run.arrive(Some((n, id)), next);
            }
        };
        match cpa.place(&state) {
            Some(at) => {
                // Where the pending calls are known, one return is possible of perhaps many.
                let top = cpa.stack(&state).and_then(|s| s.last().copied());
                for id in flow.leaving(at) {
                    match (flow.step(*id).movement(), top) {
                        (Move::Leave(site), Some(top)) if site != top => {}
                        _ => go(self, *id),
                    }
                }
            }
            None => (0..flow.steps().len()).for_each(|i| go(self, StepId(i as u32))),
        }
    }

    /// Lines 7 to 15 for one successor.
    fn arrive(&mut self, from: Option<(NodeId, StepId)>, e: C::State) {
        let at = self.site(&e);
        let Some(e) = self.cpa.prec(e, self.prec, at) else { return };
        let key = self.cpa.key(&e);
        let e = match self.hints.get(&key) {
            Some(hint) if at.cut => self.cpa.join(&e, hint),
            _ => e,
        };
        let mut absorbed = None;
        if !self.cpa.never_merges() {
            for i in 0..self.reached.mergeable(&key).len() {
                let old = self.reached.mergeable(&key)[i];
                let merged = self.cpa.merge(&e, self.arg.state(old), at);
                if merged != *self.arg.state(old) {
                    self.arg.replace(old, merged);
                    absorbed.get_or_insert(old);
                    self.note_target(old);
                    self.wait(old);
                }
            }
        }
        let candidates = self.reached.candidates(self.cpa, &self.arg, &key, &e);
        let arg = &self.arg;
        let cover = self.cpa.stop(&e, &mut candidates.iter().map(|n| arg.state(*n)));
        let covering: Vec<NodeId> = match cover {
            Some(Cover::By(i)) => candidates.get(i).copied().into_iter().collect(),
            Some(Cover::Together) => candidates,
            None => {
                let n = self.arg.add(e, from);
                self.reached.insert(self.cpa, &self.arg, key, n);
                self.note_target(n);
                self.wait(n);
                absorbed = Some(n);
                vec![n]
            }
        };
        if let Some((parent, step)) = from {
            for to in covering {
                self.arg.connect(parent, ArgEdge { step, to, covered: absorbed != Some(to) });
            }
        }
    }

    fn note_target(&mut self, n: NodeId) {
        if !self.targets.contains(&n) && self.cpa.is_target(self.arg.state(n)) {
            self.targets.push(n);
        }
    }

    fn wait(&mut self, n: NodeId) {
        if !self.arg.set_waiting(n, true) {
            let state = self.arg.state(n);
            let stack = self.cpa.stack(state);
            self.waitlist.push(n, self.cpa.place(state), stack.as_deref(), self.flow);
        }
    }

    fn site(&self, e: &C::State) -> Site {
        let place = self.cpa.place(e);
        Site { place, cut: place.is_none_or(|p| self.flow.is_cut(p, self.cpa.stack(e).is_some())) }
    }

    /// The program's steps.
    pub fn flow(&self) -> &'a Flow<'a> {
        self.flow
    }

    /// The analysis.
    pub fn cpa(&self) -> &'a C {
        self.cpa
    }

    /// The precision.
    pub fn precision(&self) -> &'a C::Prec {
        self.prec
    }

    /// The reached states and how they were reached.
    pub fn arg(&self) -> &Arg<C> {
        &self.arg
    }

    /// The states that violate the property, in the order they were found.
    pub fn targets(&self) -> &[NodeId] {
        &self.targets
    }

    /// How often a state's successors were computed.
    pub fn expanded(&self) -> u64 {
        self.expanded
    }
}
