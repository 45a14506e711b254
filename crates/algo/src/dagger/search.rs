//! The state of one search: the program in the domain's terms, the nodes, what is pending, and the hints.

use super::action::Action;
use super::cases::cases;
use super::control::{Control, Target};
use super::oracle::Oracle;
use super::order::{KeyId, Keys};
use super::{Exploration, Options, Stop, Widening};
use crate::space::Space;
use plumb_cfa::{Loc, Program};
use plumb_num::{Dim, LinCons, LinExpr, NumDomain};
use plumb_term::{Budget, Scalar, Var, VarTy};
use plumb_verdict::{Notes, Verdict};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// After this many refinements and repairs for each loop and one more, and again after as many, the search starts again with widenings delayed by twice as
/// many iterations: what a widening gives up too early is not always what an interpolant brings back, and an error that is deep in a loop is reached without
/// refuting it for every iteration before.
const PATIENCE: u64 = 8;

/// So many comparisons of the program are added to the interpolants of a loop head then.
const MAX_GUARDS: usize = 60;

/// At the first and every so manyth refinement, what the exploration before it shows is noted: an exploration that reaches errors is a fixpoint, too.
const FACTS_EVERY: u64 = 8;

/// A node by its number: the order in which nodes were made, which is topological.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(pub usize);

/// An edge of the graph: one case of a way.
#[derive(Clone, Debug)]
pub struct Edge {
    /// Its start.
    pub from: Loc,
    /// Its end.
    pub to: Loc,
    /// What it does.
    pub action: Action,
    /// The way whose case it is.
    pub way: usize,
}

/// The program in the terms of numeric domains.
#[derive(Debug)]
pub struct Model<'p> {
    /// The program.
    pub program: &'p Program,
    /// Its control flow.
    pub control: &'p Control,
    /// The variables that are dimensions.
    pub space: Space,
    /// The edges.
    pub edges: Vec<Edge>,
    /// By location, the edges that leave it.
    pub out: Vec<Vec<usize>>,
}

impl<'p> Model<'p> {
    /// Of a program whose calls are inlined.
    pub fn new(program: &'p Program, control: &'p Control) -> Model<'p> {
        let all: BTreeSet<Var> = control.needed.iter().flatten().map(|v| Var::new(*v, program.var(*v).ty)).collect();
        let space = Space::new(all.into_iter().filter(|v| matches!(v.ty, VarTy::Int | VarTy::Scalar(Scalar::Int(_)))));
        let mut edges: Vec<Edge> = Vec::new();
        for (way, w) in control.ways.iter().enumerate() {
            for action in cases(&space, w, &control.needed[w.from.index()], &control.needed[w.to.index()]) {
                // Branches that do the same are one; of an action that is not exact, the way says more.
                if !action.exact || !edges.iter().any(|e| e.from == w.from && e.to == w.to && e.action == action) {
                    edges.push(Edge { from: w.from, to: w.to, action, way });
                }
            }
        }
        let mut out = vec![Vec::new(); control.needed.len()];
        for (i, e) in edges.iter().enumerate() {
            out[e.from.index()].push(i);
        }
        Model { program, control, space, edges, out }
    }

    /// Whether octagons can express all edges.
    pub fn is_octagonal(&self) -> bool {
        self.edges.iter().all(|e| e.action.is_octagonal())
    }
}

/// What arrives at a node by one edge.
#[derive(Clone, Debug)]
pub struct Arrival<E> {
    /// From where.
    pub from: NodeId,
    /// By which edge.
    pub edge: usize,
    /// The image.
    pub image: E,
}

/// A node: a location with one element of the domain.
#[derive(Clone, Debug)]
pub struct Node<E> {
    /// Its name.
    pub key: KeyId,
    /// Its location.
    pub loc: Loc,
    /// The states.
    pub state: E,
    /// What arrives; nothing that another arrival includes.
    pub arrivals: Vec<Arrival<E>>,
    /// The join of the arrivals.
    pub merged: E,
    /// `Sel`: the node whose state was widened, at a loop head that is entered again.
    pub widened: Option<NodeId>,
    /// By loop head, the last node on the way here.
    pub heads: BTreeMap<Loc, NodeId>,
    /// The images that leave it.
    pub leaving: Vec<(usize, E)>,
    /// How many keys had been visited before it.
    pub visit: usize,
}

/// How a loop head's state is made of `s''` and the image, from coarse to fine.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Operation {
    /// `s'' ∇_T (s'' ⊔ img)`.
    Widen,
    /// `s'' ⊔ img`.
    Join,
    /// `img`: an implicit disjunction with `s''`.
    Image,
}

/// What is remembered for a key: a node of the hint DAG.
#[derive(Clone, Debug)]
pub struct Hint<E> {
    /// Arrivals are kept apart.
    pub split: bool,
    /// How a loop head's state is made.
    pub operation: Operation,
    /// The state of the last abstraction.
    pub bound: Option<E>,
}

impl<E> Default for Hint<E> {
    fn default() -> Hint<E> {
        Hint { split: false, operation: Operation::Widen, bound: None }
    }
}

/// Counters of a search.
#[derive(Clone, Copy, Debug, Default)]
pub struct Figures {
    /// How often errors were refuted.
    pub refinements: u64,
    /// Widenings that the cache of error preimages made precise at once.
    pub repairs: u64,
    /// Merges that were split.
    pub splits: u64,
    /// Loop heads that were given up to a disjunction.
    pub disjunctions: u64,
    /// Nodes made in all abstractions.
    pub made: u64,
    /// Arrivals that another node includes.
    pub covered: u64,
    /// Images and preimages.
    pub transfers: u64,
}

/// A search in one domain.
pub struct Search<'p, D: NumDomain> {
    pub(super) domain: D,
    pub(super) options: Options,
    pub(super) model: &'p Model<'p>,
    pub(super) budget: &'p Budget,
    pub(super) keys: Keys,
    pub(super) nodes: Vec<Node<D::Elem>>,
    /// By location, its nodes.
    pub(super) at: Vec<Vec<NodeId>>,
    pub(super) pending: BTreeMap<(super::order::Key, KeyId), Vec<Arrival<D::Elem>>>,
    /// The keys that have been visited, in order.
    pub(super) visited: Vec<KeyId>,
    pub(super) hints: FxHashMap<KeyId, Hint<D::Elem>>,
    /// `T`, by location.
    pub(super) interpolants: Vec<BTreeSet<LinCons>>,
    /// Error preimages, by location.
    pub(super) cache: Vec<Vec<D::Elem>>,
    /// Error paths that cannot be executed.
    pub(super) spurious: FxHashSet<Vec<usize>>,
    /// So many widenings of each loop are joins.
    pub(super) delay: u32,
    /// After so many refinements and repairs there is one more.
    pub(super) patience: u64,
    pub(super) oracle: Oracle,
    /// Edges that cannot be taken from a node that one path reaches.
    pub(super) blocked: FxHashSet<(KeyId, usize)>,
    /// Nodes that are left otherwise than their states say.
    pub(super) isolated: FxHashSet<KeyId>,
    /// Whether paths may be isolated: only in the last domain that is tried.
    pub(super) isolates: bool,
    /// Whether paths are being isolated, which a search must not forget.
    pub(super) isolating: bool,
    pub(super) figures: Figures,
}

impl<'p, D: NumDomain> Search<'p, D> {
    /// Nothing explored yet.
    pub fn new(domain: D, options: Options, model: &'p Model<'p>, budget: &'p Budget) -> Search<'p, D> {
        let locs = model.out.len();
        let keys = Keys::new(&model.control.shape(), model.control.entry);
        Search {
            domain,
            options,
            model,
            budget,
            keys,
            nodes: Vec::new(),
            at: vec![Vec::new(); locs],
            pending: BTreeMap::new(),
            visited: Vec::new(),
            hints: FxHashMap::default(),
            interpolants: vec![BTreeSet::new(); locs],
            cache: vec![Vec::new(); locs],
            spurious: FxHashSet::default(),
            delay: 0,
            patience: PATIENCE * (1 + model.control.cuts.len() as u64),
            oracle: Oracle::new(budget),
            blocked: FxHashSet::default(),
            isolated: FxHashSet::default(),
            isolates: true,
            isolating: false,
            figures: Figures::default(),
        }
    }

    /// The same, without the isolation of paths.
    pub fn modest(self) -> Self {
        Search { isolates: false, ..self }
    }

    /// Abstracts and refines until there is an answer.
    pub fn run(&mut self, progress: &mut dyn FnMut(&str), notes: &mut Notes) -> Result<Verdict, Stop> {
        let outcome = self.search(progress, notes);
        let f = self.figures;
        notes.figure("refinements", f.refinements);
        notes.figure("repairs from the cache", f.repairs);
        notes.figure("splits", f.splits);
        notes.figure("disjunctions", f.disjunctions);
        notes.figure("interpolants", self.interpolants.iter().map(BTreeSet::len).sum::<usize>());
        notes.figure("nodes", self.nodes.len());
        notes.figure("nodes made", f.made);
        notes.figure("covered", f.covered);
        notes.figure("images and preimages", f.transfers);
        notes.figure("solver questions", self.oracle.questions());
        outcome
    }

    fn search(&mut self, progress: &mut dyn FnMut(&str), notes: &mut Notes) -> Result<Verdict, Stop> {
        self.start();
        loop {
            progress(&format!("refinement {}, {} nodes", self.figures.refinements, self.nodes.len()));
            let Some(errors) = self.explore()? else {
                self.patience += PATIENCE * (1 + self.model.control.cuts.len() as u64);
                if self.delay == 0 {
                    self.add_guards();
                }
                self.delay = (2 * self.delay).max(1);
                self.forget();
                self.start();
                continue;
            };
            if errors.is_empty() {
                return Ok(Verdict::Safe(self.proof()));
            }
            if !self.is_tree() && self.figures.refinements % FACTS_EVERY == 0 {
                notes.facts = self.facts();
            }
            if let Some(verdict) = self.refine(&errors)? {
                return Ok(verdict);
            }
        }
    }

    /// Whether so much has been refined that the search had better start again.
    pub(super) fn is_tired(&self) -> bool {
        self.options.widening == Widening::Interpolated
            && !self.isolating
            && self.figures.refinements + self.figures.repairs >= self.patience
    }

    /// Lets widenings stop at the comparisons of the program as well (Halbwachs et al.: the seed's [13]), and one step past them.
    fn add_guards(&mut self) {
        let guards: BTreeSet<LinCons> = self.model.edges.iter().flat_map(|e| &e.action.guards).flat_map(LinCons::inequalities).collect();
        for l in &self.model.control.cuts {
            let dims: BTreeSet<Dim> = self.model.control.needed[l.index()].iter().filter_map(|v| self.model.space.dim(*v)).collect();
            let here = guards.iter().filter(|c| c.expr().dims().all(|d| dims.contains(&d))).take(MAX_GUARDS);
            for side in here.flat_map(|c| [c.clone(), c.negated()]) {
                for slack in [0, 1] {
                    self.interpolants[l.index()].insert(LinCons::ge(side.expr().clone() + slack.into(), LinExpr::default()));
                }
            }
        }
    }

    /// Back to the beginning; interpolants and error preimages stay.
    fn forget(&mut self) {
        self.nodes.clear();
        self.at.iter_mut().for_each(Vec::clear);
        self.pending.clear();
        self.visited.clear();
        self.hints.clear();
    }

    pub(super) fn node(&self, n: NodeId) -> &Node<D::Elem> {
        &self.nodes[n.0]
    }

    pub(super) fn is_tree(&self) -> bool {
        self.options.exploration == Exploration::Tree
    }

    pub(super) fn is_target(&self, l: Loc) -> bool {
        self.model.control.targets.contains_key(&l)
    }

    /// What a target is.
    pub(super) fn target(&self, l: Loc) -> Option<&'p Target> {
        self.model.control.targets.get(&l)
    }

    pub(super) fn meets(&self, a: &D::Elem, b: &D::Elem) -> bool {
        !self.domain.is_bottom(&self.domain.meet(a, b))
    }
}
