//! What a run says of itself besides its verdict: figures, remarks, the graph it worked on, and what it learned.
//!
//! Nothing here is evidence: it is for people, for tables, and for engines that check what they use.

use crate::Facts;
use plumb_cfa::Point;
use plumb_term::Term;
use std::time::Duration;

/// The value of a figure.
#[derive(Clone, Debug, PartialEq)]
pub enum Figure {
    /// How many.
    Count(u64),
    /// How long.
    Seconds(f64),
    /// Which.
    Text(String),
}

impl From<usize> for Figure {
    fn from(n: usize) -> Figure {
        Figure::Count(n as u64)
    }
}

impl From<u64> for Figure {
    fn from(n: u64) -> Figure {
        Figure::Count(n)
    }
}

impl From<Duration> for Figure {
    fn from(t: Duration) -> Figure {
        Figure::Seconds(t.as_secs_f64())
    }
}

impl From<&str> for Figure {
    fn from(text: &str) -> Figure {
        Figure::Text(text.to_owned())
    }
}

/// A node of a reachability graph.
#[derive(Clone, Debug)]
pub struct GraphNode {
    /// Where; nothing for the error.
    pub point: Option<Point>,
    /// What the engine found to hold there.
    pub label: Term,
    /// What was known to hold there before the engine began.
    pub known: Term,
    /// The nodes that subsume it together; empty if it is not covered.
    pub covered_by: Vec<usize>,
}

/// A reachability graph with labels; the first node is the entry.
#[derive(Clone, Debug, Default)]
pub struct ReachGraph {
    /// The nodes.
    pub nodes: Vec<GraphNode>,
    /// The edges, as indices of nodes.
    pub edges: Vec<(usize, usize)>,
}

/// Notes on a run.
#[derive(Clone, Debug, Default)]
pub struct Notes {
    /// Named figures, in order. Names are part of the tool's interface.
    pub figures: Vec<(&'static str, Figure)>,
    /// Choices that were made and why, as sentences.
    pub remarks: Vec<String>,
    /// The graph as it was when the run ended.
    pub graph: Option<ReachGraph>,
    /// What it found to hold at cut points, for the engines after it.
    pub facts: Facts,
}

impl Notes {
    /// Adds a figure.
    pub fn figure(&mut self, name: &'static str, value: impl Into<Figure>) {
        self.figures.push((name, value.into()));
    }
}
