//! The pending calls: tells apart the visits of a function from different call sites, as if calls were inlined.
//!
//! Stacks are exact up to a depth; deeper ones keep their innermost calls, and a return below those may go to any caller. Calls within a set of
//! mutually recursive functions are not recorded: inside it all activations are one, and a return may stay inside or leave to where the set was
//! entered from. So there are finitely many states for every program.

use plumb_cfa::{CallSite, FuncId, Op};
use plumb_cpa::{Cpa, Domain, Flow, Move, Site, Stack, Step};
use std::sync::Arc;

/// The analysis.
#[derive(Clone, Debug)]
pub struct Callstack<'a> {
    flow: &'a Flow<'a>,
    /// The set of mutually recursive functions that each function belongs to; none for the others.
    recursive: Vec<Option<u32>>,
    depth: usize,
    /// Whether it starts with any stack, rather than the empty one.
    anywhere: bool,
}

/// A state of it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Calls {
    sites: Stack,
    /// Whether there may be other calls below, or a recursion within.
    partial: bool,
}

impl<'a> Callstack<'a> {
    /// All pending calls.
    pub fn new(flow: &'a Flow<'a>) -> Callstack<'a> {
        Callstack::limited(flow, usize::MAX)
    }

    /// The innermost calls, so many at most.
    pub fn limited(flow: &'a Flow<'a>, depth: usize) -> Callstack<'a> {
        let calls = flow.orders().calls();
        let mut recursive: Vec<Option<u32>> = vec![None; flow.program().functions.len()];
        for f in flow.functions().iter().filter(|f| calls.is_recursive(**f)) {
            // The least function that it reaches and that reaches it.
            let back = calls.bottom_up(*f).into_iter().filter(|g| calls.is_recursive(*g) && calls.bottom_up(*g).contains(f)).min();
            recursive[f.0 as usize] = back.map(|g| g.0);
        }
        Callstack { flow, recursive, depth, anywhere: false }
    }

    /// The calls since the start, which may have been under any others: for analyses that start everywhere.
    pub fn from_anywhere(flow: &'a Flow<'a>) -> Callstack<'a> {
        Callstack { anywhere: true, ..Callstack::new(flow) }
    }

    fn callee(&self, site: CallSite) -> Option<FuncId> {
        match &self.flow.program().function(site.func).graph.edge(site.edge).op {
            Op::Call { func, .. } => Some(*func),
            _ => None,
        }
    }

    /// Whether a call stays within a set of mutually recursive functions.
    fn is_inner(&self, site: CallSite) -> bool {
        let of = |f: FuncId| self.recursive[f.0 as usize];
        self.callee(site).is_some_and(|callee| of(callee).is_some() && of(callee) == of(site.func))
    }
}

impl Domain for Callstack<'_> {
    type State = Calls;

    fn leq(&self, a: &Calls, b: &Calls) -> bool {
        a == b || (b.partial && a.sites.ends_with(&b.sites))
    }

    fn join(&self, a: &Calls, b: &Calls) -> Calls {
        if self.leq(a, b) {
            return b.clone();
        }
        let common = a.sites.iter().rev().zip(b.sites.iter().rev()).take_while(|(x, y)| x == y).count();
        Calls { sites: a.sites[a.sites.len() - common..].into(), partial: true }
    }
}

impl Cpa for Callstack<'_> {
    type Key = Calls;
    type Prec = ();

    fn name(&self) -> &'static str {
        "callstack"
    }

    fn initial(&self) -> Vec<Calls> {
        vec![Calls { sites: Arc::from([]), partial: self.anywhere }]
    }

    fn key(&self, e: &Calls) -> Calls {
        e.clone()
    }

    fn transfer(&self, e: &Calls, step: &Step) -> Vec<Calls> {
        match step.movement() {
            Move::Within => vec![e.clone()],
            Move::Enter(site) | Move::Leave(site) if self.is_inner(site) => vec![e.clone()],
            Move::Enter(site) => {
                let drop = (e.sites.len() + 1).saturating_sub(self.depth);
                let sites: Stack = e.sites.iter().copied().chain([site]).skip(drop).collect();
                vec![Calls { sites, partial: e.partial || drop > 0 }]
            }
            Move::Leave(site) => match e.sites.split_last() {
                Some((top, below)) if *top == site => vec![Calls { sites: below.into(), partial: e.partial }],
                None if e.partial => vec![e.clone()],
                _ => Vec::new(),
            },
        }
    }

    fn never_merges(&self) -> bool {
        true
    }

    fn merge(&self, _new: &Calls, old: &Calls, _at: Site) -> Calls {
        old.clone()
    }

    fn stack(&self, e: &Calls) -> Option<Stack> {
        let recursive = |s: &CallSite| self.callee(*s).is_some_and(|f| self.recursive[f.0 as usize].is_some());
        (!e.partial && !e.sites.iter().any(recursive)).then(|| e.sites.clone())
    }
}
