//! The order of an unwinding: program points with the numbers of iterations of the loops around them.
//!
//! Unwinding loops and calls turns the program into a directed acyclic graph of [`Unwound`] points. Their order is
//! lexicographic along the weak topological order of each function, so taking the least pending point visits every point
//! after all its predecessors: paths that join can be merged there.

use crate::callgraph::CallGraph;
use crate::graph::{EdgeId, Loc};
use crate::point::{CallSite, Point};
use crate::program::{FuncId, Program};
use crate::wto::Wto;
use plumb_term::VarId;
use std::cmp::Ordering;
use std::sync::{Arc, OnceLock};

/// The weak topological orders of a program's functions, each computed when first asked for.
#[derive(Debug)]
pub struct Orders<'p> {
    program: &'p Program,
    wtos: Vec<OnceLock<Wto>>,
    calls: CallGraph,
}

impl<'p> Orders<'p> {
    /// Nothing computed yet.
    pub fn new(program: &'p Program) -> Orders<'p> {
        Orders { program, wtos: (0..program.functions.len()).map(|_| OnceLock::new()).collect(), calls: CallGraph::new(program) }
    }

    /// Who calls whom.
    pub fn calls(&self) -> &CallGraph {
        &self.calls
    }

    /// The activation level of a variable at a point: how many suspended activations of its function have their own copies of it.
    pub fn level(&self, at: &Unwound, v: VarId) -> u32 {
        match self.program.var(v).func {
            Some(f) if self.calls.is_recursive(f) => at.activations(f).saturating_sub(1),
            _ => 0,
        }
    }

    /// The order of a function.
    pub fn wto(&self, f: FuncId) -> &Wto {
        let function = self.program.function(f);
        self.wtos[f.0 as usize].get_or_init(|| Wto::new(&function.graph, function.entry))
    }
}

/// One pending call: the caller's place in the unwinding.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Frame {
    /// Positions and iteration numbers of the loops around the call, and the position of the call.
    place: Vec<u32>,
    site: CallSite,
    below: Option<Arc<Frame>>,
    depth: u32,
}

/// A point of the unwinding.
#[derive(Clone, Debug)]
pub struct Unwound {
    /// The function.
    pub func: FuncId,
    /// The location.
    pub loc: Loc,
    /// `position, iteration` for each loop around, outermost first, then the position of the location.
    place: Vec<u32>,
    frames: Option<Arc<Frame>>,
}

impl Unwound {
    /// A point without calls or iterations below it.
    pub fn start(orders: &Orders<'_>, point: &Point) -> Unwound {
        let mut frames: Option<Arc<Frame>> = None;
        for site in &point.stack {
            let from = orders.program.function(site.func).graph.edge(site.edge).from;
            let depth = frames.as_ref().map_or(0, |f| f.depth + 1);
            frames = Some(Arc::new(Frame { place: place(orders.wto(site.func), from), site: *site, below: frames, depth }));
        }
        Unwound { func: point.func, loc: point.loc, place: place(orders.wto(point.func), point.loc), frames }
    }

    /// The point with its calls, without iteration numbers.
    pub fn point(&self) -> Point {
        let mut stack: Vec<CallSite> = self.sites().collect();
        stack.reverse();
        Point { stack, func: self.func, loc: self.loc }
    }

    /// The pending calls, innermost first.
    pub fn sites(&self) -> impl Iterator<Item = CallSite> + '_ {
        std::iter::successors(self.frames.as_deref(), |f| f.below.as_deref()).map(|f| f.site)
    }

    /// How many calls are pending.
    pub fn depth(&self) -> u32 {
        self.frames.as_ref().map_or(0, |f| f.depth + 1)
    }

    /// How many activations of `f` are on the stack, this one included.
    pub fn activations(&self, f: FuncId) -> u32 {
        u32::from(self.func == f) + self.sites().filter(|s| s.func == f).count() as u32
    }

    /// If this is a loop head: how often it has been entered again since the loop was entered.
    pub fn iteration(&self, orders: &Orders<'_>) -> Option<u32> {
        orders.wto(self.func).headed_by(self.loc)?;
        self.place.len().checked_sub(2).map(|i| self.place[i])
    }

    /// After an edge within the function to `to`; `None` if the order does not know it (unreachable code).
    pub fn step(&self, orders: &Orders<'_>, to: Loc) -> Option<Unwound> {
        let wto = orders.wto(self.func);
        let mut next = Vec::with_capacity(self.place.len() + 2);
        let mut shared = true;
        for (i, c) in wto.components(to).into_iter().enumerate() {
            let head = wto.position(wto.head(c))?;
            shared = shared && 2 * i + 2 < self.place.len() && self.place[2 * i] == head;
            let again = u32::from(shared && wto.head(c) == to);
            let iteration = if shared { self.place[2 * i + 1] + again } else { 0 };
            next.extend([head, iteration]);
            shared = shared && again == 0;
        }
        next.push(wto.position(to)?);
        Some(Unwound { func: self.func, loc: to, place: next, frames: self.frames.clone() })
    }

    /// Into a callee.
    pub fn call(&self, orders: &Orders<'_>, edge: EdgeId, callee: FuncId) -> Unwound {
        let site = CallSite { func: self.func, edge };
        let frame = Frame { place: self.place.clone(), site, below: self.frames.clone(), depth: self.depth() };
        let entry = orders.program.function(callee).entry;
        Unwound { func: callee, loc: entry, place: place(orders.wto(callee), entry), frames: Some(Arc::new(frame)) }
    }

    /// From the callee's exit to the location after the call; with the call's edge. `None` in the outermost function.
    pub fn ret(&self, orders: &Orders<'_>) -> Option<(CallSite, Unwound)> {
        let frame = self.frames.as_deref()?;
        let edge = orders.program.function(frame.site.func).graph.edge(frame.site.edge);
        let caller = Unwound { func: frame.site.func, loc: edge.from, place: frame.place.clone(), frames: frame.below.clone() };
        Some((frame.site, caller.step(orders, edge.to)?))
    }
}

/// The place of a location when all loops around it have just been entered.
fn place(wto: &Wto, l: Loc) -> Vec<u32> {
    let mut out = Vec::new();
    for c in wto.components(l) {
        out.extend([wto.position(wto.head(c)).unwrap_or(u32::MAX), 0]);
    }
    out.push(wto.position(l).unwrap_or(u32::MAX));
    out
}

impl PartialEq for Unwound {
    fn eq(&self, o: &Unwound) -> bool {
        self.cmp(o) == Ordering::Equal
    }
}
impl Eq for Unwound {}
impl PartialOrd for Unwound {
    fn partial_cmp(&self, o: &Unwound) -> Option<Ordering> {
        Some(self.cmp(o))
    }
}

impl Ord for Unwound {
    /// Along the stacks from the outermost call: first the caller's place, then the call edge, then the callee's place; a
    /// caller comes before its callee and its successors after.
    fn cmp(&self, o: &Unwound) -> Ordering {
        let path = |u: &Unwound| -> Vec<Arc<Frame>> {
            let mut v: Vec<_> = std::iter::successors(u.frames.clone(), |f| f.below.clone()).collect();
            v.reverse();
            v
        };
        if let (Some(a), Some(b)) = (&self.frames, &o.frames) {
            if Arc::ptr_eq(a, b) {
                return self.place.cmp(&o.place).then(self.loc.cmp(&o.loc));
            }
        } else if self.frames.is_none() && o.frames.is_none() {
            return self.place.cmp(&o.place).then(self.loc.cmp(&o.loc));
        }
        let (a, b) = (path(self), path(o));
        for i in 0..a.len().max(b.len()) {
            match (a.get(i), b.get(i)) {
                (Some(x), Some(y)) => {
                    let order = x.place.cmp(&y.place).then(x.site.cmp(&y.site));
                    if order != Ordering::Equal {
                        return order;
                    }
                }
                // One of them is still in the caller: equal places mean it is at the call itself, which comes first.
                (Some(x), None) => return x.place.cmp(&o.place).then(Ordering::Greater),
                (None, Some(y)) => return self.place.cmp(&y.place).then(Ordering::Less),
                (None, None) => {}
            }
        }
        self.place.cmp(&o.place).then(self.loc.cmp(&o.loc))
    }
}
