//! The weak topological order of the cut points, and the walk over it (seed 004, Sections 3 and 4).
//!
//! A walk goes from position to position: after an element comes the next one of its innermost component, or that component's head
//! (`WTONEXT`); from a head whose component has stabilised it leaves the component (`WTOEXIT`).

use crate::system::{CutId, System};
use plumb_cfa::wto::Wto;
use plumb_cfa::{Graph, Loc, LocInfo, Op};
use plumb_term::Span;

/// A weak topological order of a system's cut points.
#[derive(Debug)]
pub struct Order {
    wto: Wto,
}

impl Order {
    /// The order of the cut points that the entry reaches: all of them.
    pub fn new(system: &System) -> Order {
        let mut graph = Graph::new();
        let locs: Vec<Loc> = system.cuts.iter().map(|_| graph.add_loc(LocInfo::default())).collect();
        for t in &system.transitions {
            graph.add_edge(locs[t.from.0], locs[t.to.0], Op::Skip, Span::default());
        }
        Order { wto: Wto::new(&graph, locs.first().copied().unwrap_or(Loc(0))) }
    }

    /// The cut point at a position, if the walk is not over.
    pub fn at(&self, position: usize) -> Option<CutId> {
        self.wto.order().get(position).map(|l| CutId(l.index()))
    }

    /// Whether a cut point is the head of a component.
    pub fn is_head(&self, c: CutId) -> bool {
        self.wto.headed_by(Loc(c.0 as u32)).is_some()
    }

    /// `WTONEXT`: the position after `position` in the innermost component around it, or that of its head.
    pub fn next(&self, position: usize) -> usize {
        let Some(l) = self.wto.order().get(position) else { return position + 1 };
        match self.wto.innermost(*l).map(|c| self.wto.span(c)) {
            Some(span) if position + 1 >= span.end => span.start,
            _ => position + 1,
        }
    }

    /// `WTOEXIT`: the position after the component whose head stands at `position`, or the head around it.
    pub fn exit(&self, position: usize) -> usize {
        let Some(l) = self.wto.order().get(position) else { return position + 1 };
        let Some(c) = self.wto.headed_by(*l) else { return position + 1 };
        let end = self.wto.span(c).end;
        match self.wto.parent(c).map(|p| self.wto.span(p)) {
            Some(around) if end >= around.end => around.start,
            _ => end,
        }
    }

    /// The cut points of the component whose head stands at `position`.
    pub fn component(&self, position: usize) -> Vec<CutId> {
        let head = self.wto.order().get(position).and_then(|l| self.wto.headed_by(*l));
        head.map_or_else(Vec::new, |c| self.wto.body(c).iter().map(|l| CutId(l.index())).collect())
    }
}
