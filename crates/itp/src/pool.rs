//! Hash-consed formulas with the simplifications that cost next to nothing.
//!
//! Interpolants are built from the leaves of a proof upwards, share most of what they consist of, and are full of
//! repetition. A [`Pool`] gives every formula one number, normalises atoms, and lets the constructors of conjunction and disjunction do what
//! can be seen locally, each step an equivalence over the variables' sorts: flattening, neutral and dominating elements, repetition, complements, the tighter of two bounds
//! on one linear form, bounds that exclude or cover, absorption and unit resolution one level deep.

mod atoms;
mod connect;
mod export;

use crate::linear::{Linear, NumVar, Sort};
use crate::lit::BoolVar;
use plumb_num::{Int, Rat};
use rustc_hash::FxHashMap;

/// A formula of a [`Pool`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Id(u32);

impl Id {
    /// Falsity.
    pub const FALSE: Id = Id(0);
    /// Truth.
    pub const TRUE: Id = Id(1);

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// How children are connected.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// All of them.
    And,
    /// One of them.
    Or,
}

impl Op {
    /// The other one.
    pub fn dual(self) -> Op {
        match self {
            Op::And => Op::Or,
            Op::Or => Op::And,
        }
    }

    /// The value of the empty connection.
    pub fn neutral(self) -> Id {
        match self {
            Op::And => Id::TRUE,
            Op::Or => Id::FALSE,
        }
    }
}

/// What a formula is made of.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// A truth value.
    Constant(bool),
    /// A plain Boolean variable or its negation.
    Boolean(BoolVar, bool),
    /// `linear ≤ 0`, or `< 0`.
    LessEq(Linear, bool),
    /// The number divides the form.
    Divides(Int, Linear),
    /// Children, ascending, none with the same operator unless it is large.
    Connect(Op, Box<[Id]>),
}

/// A linear atom as a bound on a direction: `direction ≤ limit` or, if `upper` is false, `direction ≥ limit`.
#[derive(Clone, Debug)]
pub struct Bound {
    /// Number of the direction, a form with coprime coefficients of which the first is positive.
    pub direction: u32,
    /// Whether the bound is from above.
    pub upper: bool,
    /// The bound.
    pub limit: Rat,
    /// Whether the bound itself is excluded.
    pub strict: bool,
    /// Whether the direction has integer values only.
    pub integer: bool,
}

/// A set of formulas. See the module's documentation.
pub struct Pool {
    sorts: Vec<Sort>,
    nodes: Vec<Node>,
    bounds: Vec<Option<Bound>>,
    ids: FxHashMap<Node, Id>,
    directions: FxHashMap<Vec<(NumVar, Int)>, u32>,
}

impl Pool {
    /// An empty pool for formulas over numeric variables of these sorts.
    pub fn new(sorts: impl IntoIterator<Item = Sort>) -> Pool {
        let mut pool = Pool {
            sorts: sorts.into_iter().collect(),
            nodes: Vec::new(),
            bounds: Vec::new(),
            ids: FxHashMap::default(),
            directions: FxHashMap::default(),
        };
        pool.intern(Node::Constant(false));
        pool.intern(Node::Constant(true));
        pool
    }

    /// What `id` is made of.
    pub fn node(&self, id: Id) -> &Node {
        &self.nodes[id.index()]
    }

    /// The bound that `id` is, if it is a linear atom.
    pub fn bound(&self, id: Id) -> Option<&Bound> {
        self.bounds[id.index()].as_ref()
    }

    /// A truth value.
    pub fn constant(value: bool) -> Id {
        if value {
            Id::TRUE
        } else {
            Id::FALSE
        }
    }

    /// A plain Boolean variable or its negation.
    pub fn boolean(&mut self, var: BoolVar, value: bool) -> Id {
        self.intern(Node::Boolean(var, value))
    }

    /// The children of `id` seen as an `op`: its own ones, or itself alone.
    pub fn children(&self, op: Op, id: Id) -> Vec<Id> {
        match self.node(id) {
            Node::Connect(o, children) if *o == op => children.to_vec(),
            _ if id == op.neutral() => Vec::new(),
            _ => vec![id],
        }
    }

    /// Whether `id` has no parts.
    pub fn is_atom(&self, id: Id) -> bool {
        !matches!(self.node(id), Node::Connect(..))
    }

    fn intern(&mut self, node: Node) -> Id {
        if let Some(&id) = self.ids.get(&node) {
            return id;
        }
        let bound = match &node {
            Node::LessEq(t, strict) => Some(self.read_bound(t, *strict)),
            _ => None,
        };
        let id = Id(self.nodes.len() as u32);
        self.bounds.push(bound);
        self.nodes.push(node.clone());
        self.ids.insert(node, id);
        id
    }
}
