//! Nodes, unique by construction.

use rustc_hash::FxHashMap;
use std::fmt;

/// So many variables a function tests one after the other at most: recursion goes no deeper.
pub const MAX_LEVELS: u32 = 4096;

/// A Boolean function of a [`Manager`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Bdd(u32);

impl Bdd {
    /// The function that is nowhere true.
    pub const FALSE: Bdd = Bdd(0);
    /// The function that is everywhere true.
    pub const TRUE: Bdd = Bdd(1);

    /// The constant function.
    pub fn constant(b: bool) -> Bdd {
        Bdd(u32::from(b))
    }

    /// Whether it is one of the two constants.
    pub fn is_constant(self) -> bool {
        self.0 < 2
    }
}

/// The manager has no room for another node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Full;

impl fmt::Display for Full {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the decision diagrams have become too large")
    }
}

impl std::error::Error for Full {}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Node {
    level: u32,
    low: Bdd,
    high: Bdd,
}

/// All nodes, and what has been computed with them.
#[derive(Debug)]
pub struct Manager {
    /// The constants come first; their entries mean nothing.
    nodes: Vec<Node>,
    /// By node, how many tests there are at most from it on.
    depths: Vec<u16>,
    /// Whether some level is not among the first [`MAX_LEVELS`].
    sparse: bool,
    unique: FxHashMap<Node, Bdd>,
    pub(crate) ite: FxHashMap<(Bdd, Bdd, Bdd), Bdd>,
    limit: usize,
}

impl Manager {
    /// With room for so many nodes.
    pub fn new(limit: usize) -> Manager {
        let end = Node { level: u32::MAX, low: Bdd::FALSE, high: Bdd::FALSE };
        Manager {
            nodes: vec![end, end],
            depths: vec![0, 0],
            sparse: false,
            unique: FxHashMap::default(),
            ite: FxHashMap::default(),
            limit: limit.min(u32::MAX as usize),
        }
    }

    /// How many nodes there are, constants included.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are none but the constants.
    pub fn is_empty(&self) -> bool {
        self.nodes.len() <= 2
    }

    /// The level that a function tests first, and what it is where that is false and true; nothing for a constant.
    pub fn node(&self, f: Bdd) -> Option<(u32, Bdd, Bdd)> {
        let n = self.nodes.get(f.0 as usize).filter(|_| !f.is_constant())?;
        Some((n.level, n.low, n.high))
    }

    /// The first level; beyond all of them for a constant.
    pub(crate) fn level(&self, f: Bdd) -> u32 {
        self.nodes.get(f.0 as usize).map_or(u32::MAX, |n| n.level)
    }

    fn depth(&self, f: Bdd) -> u32 {
        self.depths.get(f.0 as usize).map_or(0, |d| u32::from(*d))
    }

    /// Whether an operation on these goes down no more than [`MAX_LEVELS`] levels: among the first ones there are no more, and any others are those that one of them tests.
    pub(crate) fn is_shallow(&self, of: [Bdd; 3]) -> bool {
        !self.sparse || of.iter().map(|f| self.depth(*f)).sum::<u32>() <= MAX_LEVELS
    }

    /// The function where a level that it may test first has a value.
    pub fn branch(&self, f: Bdd, level: u32, value: bool) -> Bdd {
        match self.node(f) {
            Some((l, low, high)) if l == level => {
                if value {
                    high
                } else {
                    low
                }
            }
            _ => f,
        }
    }

    /// The function that tests a level before all that the two others test.
    pub(crate) fn make(&mut self, level: u32, low: Bdd, high: Bdd) -> Result<Bdd, Full> {
        if low == high {
            return Ok(low);
        }
        let node = Node { level, low, high };
        if let Some(known) = self.unique.get(&node) {
            return Ok(*known);
        }
        let depth = 1 + self.depth(low).max(self.depth(high));
        if self.nodes.len() >= self.limit || depth > MAX_LEVELS || level == u32::MAX {
            return Err(Full);
        }
        self.sparse |= level >= MAX_LEVELS;
        self.depths.push(depth as u16);
        let f = Bdd(self.nodes.len() as u32);
        self.nodes.push(node);
        self.unique.insert(node, f);
        Ok(f)
    }
}
