//! The model checker for linear programs: symbolic reachability with sets of elements of a numeric domain.
//!
//! The seed's checker keeps the reachable states of each location as a set of polyhedra. Here the states of a location are told apart by the values of
//! some variables, the *explicit* ones, as far as these are known: states that agree on them are joined. With no explicit variable this is abstract
//! interpretation with widening, and a loop costs no more for running long. A path to the error that is none shows which variables should be explicit
//! ([`Apart::Explicit`]); when even that does not help, no states are joined at all ([`Apart::All`]).
//!
//! Ways are specialised to the values that are known where they start, so that `(i == k ? a^k : …)` costs nothing where `i` is known.

use crate::dagger::action::Action;
use crate::dagger::cases::cases;
use crate::dagger::control::{Control, Target, Way};
use crate::space::{big, Space};
use plumb_cfa::{EdgeId, Loc, Point, Program};
use plumb_num::{LinCons, LinExpr, NumDomain};
use plumb_term::visit::{substitute, vars};
use plumb_term::{Budget, IBig, Span, Term, Var, VarId};
use plumb_verdict::{Method, Proof};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// So many changes of a loop head's states are joins, later ones widenings.
const DELAY: u32 = 2;
/// The same where variables are explicit: what is joined then is rarely a loop's iterations.
const EXPLICIT_DELAY: u32 = 12;
/// The most comparisons at which widenings stop.
const MAX_THRESHOLDS: usize = 60;

/// Which states of a location are told apart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Apart {
    /// Those that differ in known values of these variables.
    Explicit(BTreeSet<VarId>),
    /// All.
    All,
}

/// What a search found.
#[derive(Debug)]
pub enum Found {
    /// No error is reachable.
    Safe(Proof),
    /// A path to an error, which need not be executable.
    Path(Vec<EdgeId>),
    /// A path to something that plumb does not treat.
    Unsupported(String, Span),
    /// There are more nodes than allowed.
    TooMany,
    /// The budget is over.
    Time,
}

/// Values of variables that are known.
type Values = BTreeMap<VarId, IBig>;

struct Node<E> {
    loc: Loc,
    state: E,
    /// The node and the way by which it was first reached.
    parent: Option<(usize, usize)>,
    depth: u32,
    changes: u32,
}

/// A search in one domain.
pub struct Reach<'a, D: NumDomain> {
    domain: D,
    program: &'a Program,
    control: &'a Control,
    space: &'a Space,
    apart: &'a Apart,
    budget: &'a Budget,
    thresholds: Vec<LinCons>,
    out: Vec<Vec<usize>>,
    mentioned: Vec<Vec<VarId>>,
    nodes: Vec<Node<D::Elem>>,
    at: BTreeMap<(Loc, Values), Vec<usize>>,
    pending: BTreeSet<(u32, u32, usize)>,
    actions: FxHashMap<(usize, Vec<IBig>, Vec<VarId>), Vec<Action>>,
}

/// The variables of a program that are dimensions.
pub fn space(program: &Program, control: &Control) -> Space {
    use plumb_term::{Scalar, VarTy};
    let all: BTreeSet<Var> = control.needed.iter().flatten().map(|v| Var::new(*v, program.var(*v).ty)).collect();
    Space::new(all.into_iter().filter(|v| matches!(v.ty, VarTy::Int | VarTy::Scalar(Scalar::Int(_)))))
}

impl<'a, D: NumDomain> Reach<'a, D> {
    /// Nothing explored yet.
    pub fn new(domain: D, program: &'a Program, control: &'a Control, space: &'a Space, apart: &'a Apart, budget: &'a Budget) -> Self {
        let mut out = vec![Vec::new(); control.needed.len()];
        let mut mentioned = Vec::new();
        let mut thresholds: BTreeSet<LinCons> = BTreeSet::new();
        for (i, w) in control.ways.iter().enumerate() {
            out[w.from.index()].push(i);
            let of = vars(w.updates.values().copied().chain([w.guard])).into_iter().map(|v| v.id).filter(|v| space.dim(*v).is_some());
            mentioned.push(of.collect());
            for e in space.compared(w.guard) {
                let c = LinCons::ge(e, LinExpr::constant(0));
                thresholds.extend([c.negated(), c]);
            }
        }
        let thresholds = thresholds.into_iter().take(MAX_THRESHOLDS).collect();
        Reach {
            domain,
            program,
            control,
            space,
            apart,
            budget,
            thresholds,
            out,
            mentioned,
            nodes: Vec::new(),
            at: BTreeMap::new(),
            pending: BTreeSet::new(),
            actions: FxHashMap::default(),
        }
    }

    /// How many nodes were made.
    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    /// Explores until nothing new is reached, an error is, or there are too many nodes.
    pub fn run(&mut self, limit: usize) -> Found {
        let top = self.domain.top();
        self.add(self.control.entry, top, None, BTreeMap::new());
        while let Some((_, _, n)) = self.pending.pop_first() {
            if self.budget.is_over() {
                return Found::Time;
            }
            if self.nodes.len() > limit {
                return Found::TooMany;
            }
            let loc = self.nodes[n].loc;
            let known = self.known(loc, &self.nodes[n].state);
            for w in self.out[loc.index()].clone() {
                let way = &self.control.ways[w];
                for action in self.actions(w, &known) {
                    let image = action.image(&self.domain, &self.nodes[n].state);
                    if self.domain.is_bottom(&image) {
                        continue;
                    }
                    match self.control.targets.get(&way.to) {
                        Some(Target::Error) => return Found::Path(self.path(n, w)),
                        Some(Target::Unsupported(what, span)) => return Found::Unsupported(what.clone(), *span),
                        None => self.arrive(way.to, image, n, w),
                    }
                }
            }
        }
        Found::Safe(self.proof())
    }

    /// The variables that have one value in a state.
    fn known(&self, loc: Loc, state: &D::Elem) -> Values {
        let mut out = Values::new();
        for v in &self.control.needed[loc.index()] {
            let Some(d) = self.space.dim(*v) else { continue };
            let b = self.domain.bounds(state, &LinExpr::var(d));
            if let (Some(lo), Some(hi)) = (&b.lo, &b.hi) {
                if lo == hi {
                    out.insert(*v, big(lo));
                }
            }
        }
        out
    }

    /// The actions of a way from states with known values.
    fn actions(&mut self, w: usize, known: &Values) -> Vec<Action> {
        let used: Vec<VarId> = self.mentioned[w].iter().copied().filter(|v| known.contains_key(v)).collect();
        let values: Vec<IBig> = used.iter().map(|v| known[v].clone()).collect();
        let (space, control) = (self.space, self.control);
        let of = || {
            let way = &control.ways[w];
            let at = |t: Term| substitute(t, &|v| known.get(&v.id).filter(|_| v.version == 0).map(|k| Term::int(k.clone())));
            let updates = way.updates.iter().map(|(v, t)| (*v, at(*t))).collect();
            let special = Way { guard: at(way.guard), updates, ..way.clone() };
            if special.guard.is_false() {
                return Vec::new();
            }
            cases(space, &special, &control.needed[way.from.index()], &control.needed[way.to.index()])
        };
        self.actions.entry((w, values, used)).or_insert_with(of).clone()
    }

    fn arrive(&mut self, to: Loc, image: D::Elem, from: usize, way: usize) {
        let key = match self.apart {
            Apart::Explicit(vars) if vars.is_empty() => Values::new(),
            Apart::Explicit(vars) => self.known(to, &image).into_iter().filter(|(v, _)| vars.contains(v)).collect(),
            Apart::All => self.known(to, &image),
        };
        let known = self.at.get(&(to, key.clone())).cloned().unwrap_or_default();
        if known.iter().any(|n| self.domain.leq(&image, &self.nodes[*n].state)) {
            return;
        }
        let Some(n) = known.first().copied().filter(|_| *self.apart != Apart::All) else {
            self.add(to, image, Some((from, way)), key);
            return;
        };
        let joined = self.domain.join(&self.nodes[n].state, &image);
        let delay = if key.is_empty() { DELAY } else { EXPLICIT_DELAY };
        let node = &self.nodes[n];
        let new = if node.changes >= delay && self.control.cuts.contains(&to) {
            self.domain.widen_up_to(&node.state, &joined, &self.thresholds)
        } else {
            joined
        };
        let node = &mut self.nodes[n];
        node.state = new;
        // What arrives before the node is left is one change.
        if self.wait(n) {
            self.nodes[n].changes += 1;
        }
    }

    fn add(&mut self, loc: Loc, state: D::Elem, parent: Option<(usize, usize)>, key: Values) {
        let depth = parent.map_or(0, |(p, _)| self.nodes[p].depth + 1);
        let n = self.nodes.len();
        self.nodes.push(Node { loc, state, parent, depth, changes: 0 });
        self.at.entry((loc, key)).or_default().push(n);
        self.wait(n);
    }

    /// The order: loops are settled before what follows them; with explicit values, steps go side by side so that paths meet; a path at a
    /// time where nothing is joined. Whether it was not waiting already.
    fn wait(&mut self, n: usize) -> bool {
        let (loc, depth) = (self.nodes[n].loc, self.nodes[n].depth);
        let rank = match self.apart {
            Apart::Explicit(vars) if vars.is_empty() => 0,
            Apart::Explicit(_) => depth,
            Apart::All => u32::MAX - depth,
        };
        self.pending.insert((rank, loc.0, n))
    }

    fn path(&self, mut n: usize, last: usize) -> Vec<EdgeId> {
        let mut ways = vec![last];
        while let Some((p, w)) = self.nodes[n].parent {
            ways.push(w);
            n = p;
        }
        ways.iter().rev().flat_map(|w| self.control.ways[*w].path.iter().copied()).collect()
    }

    /// At each loop head the disjunction of its states.
    fn proof(&self) -> Proof {
        let mut parts: BTreeMap<Loc, Vec<Term>> = self.control.cuts.iter().map(|l| (*l, Vec::new())).collect();
        for n in &self.nodes {
            if let Some(list) = parts.get_mut(&n.loc) {
                list.push(Term::all(self.domain.constraints(&n.state).iter().map(|c| self.space.term(c))));
            }
        }
        let point = |loc: Loc| Point { stack: Vec::new(), func: self.program.entry, loc };
        Proof { method: Method::Inductive, invariants: parts.into_iter().map(|(l, ts)| (point(l), Term::any(ts))).collect() }
    }
}
