//! The waitlist and its orders: the `choose` of the algorithm (Section 3.5, "Iteration Order").
//!
//! For the orders along the program, a state's rank is the list of the positions of its pending calls and of its place, outermost first: a
//! callee comes after its call and before what follows the call. Where calls are not told apart, it is the position in the order of all
//! functions together, steps into callees and back being edges like others.

use crate::arg::NodeId;
use crate::flow::{Direction, Flow, Place};
use plumb_cfa::wto::Wto;
use plumb_cfa::{CallSite, FuncId, Graph, Loc, LocInfo, Op};
use plumb_term::Span;
use std::cell::OnceCell;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// Which waiting state is next.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// The one that waits longest.
    Bfs,
    /// The one that waits shortest.
    Dfs,
    /// The first along the reverse post-order of each function: branches are waited for where they meet.
    ReversePostOrder,
    /// The first along the weak topological order of each function: loops become stable before what follows them, inner ones first.
    #[default]
    WeakTopological,
    /// Any, determined by the seed.
    Random(u64),
}

type Rank = Vec<u32>;

/// States that wait.
#[derive(Debug)]
pub(crate) struct Waitlist {
    order: Order,
    queue: VecDeque<NodeId>,
    heap: BinaryHeap<Reverse<(Rank, u64, NodeId)>>,
    /// By function and location.
    ranks: Vec<Vec<u32>>,
    /// The same in the order of all functions together, once it is needed.
    joint: OnceCell<Vec<Vec<u32>>>,
    added: u64,
    seed: u64,
}

impl Waitlist {
    pub(crate) fn new(order: Order, flow: &Flow<'_>) -> Waitlist {
        let mut ranks = vec![Vec::new(); flow.program().functions.len()];
        let ordered = matches!(order, Order::ReversePostOrder | Order::WeakTopological);
        for f in flow.functions().iter().filter(|_| ordered) {
            ranks[f.0 as usize] = positions(flow, *f, order);
        }
        let seed = if let Order::Random(seed) = order { seed } else { 0 };
        Waitlist { order, queue: VecDeque::new(), heap: BinaryHeap::new(), ranks, joint: OnceCell::new(), added: 0, seed }
    }

    /// Adds a state; one that waits already may be added again.
    pub(crate) fn push(&mut self, n: NodeId, place: Option<Place>, stack: Option<&[CallSite]>, flow: &Flow<'_>) {
        match self.order {
            Order::Bfs | Order::Dfs | Order::Random(_) => self.queue.push_back(n),
            Order::ReversePostOrder | Order::WeakTopological => {
                self.added += 1;
                let rank = self.rank(place, stack, flow);
                self.heap.push(Reverse((rank, self.added, n)));
            }
        }
    }

    fn rank(&self, place: Option<Place>, stack: Option<&[CallSite]>, flow: &Flow<'_>) -> Rank {
        let Some(at) = place else { return Vec::new() };
        let find = |ranks: &[Vec<u32>], f: FuncId, l: Loc| ranks[f.0 as usize].get(l.index()).copied().unwrap_or(u32::MAX);
        let Some(stack) = stack else {
            return vec![find(self.joint.get_or_init(|| joint_positions(flow)), at.func, at.loc)];
        };
        let call = |s: &CallSite| {
            let edge = flow.program().function(s.func).graph.edge(s.edge);
            find(&self.ranks, s.func, if flow.direction() == Direction::Forward { edge.from } else { edge.to })
        };
        stack.iter().map(call).chain([find(&self.ranks, at.func, at.loc)]).collect()
    }

    pub(crate) fn pop(&mut self) -> Option<NodeId> {
        match self.order {
            Order::Bfs => self.queue.pop_front(),
            Order::Dfs => self.queue.pop_back(),
            Order::Random(_) => {
                if self.queue.is_empty() {
                    return None;
                }
                let i = (self.random() % self.queue.len() as u64) as usize;
                self.queue.swap_remove_back(i)
            }
            Order::ReversePostOrder | Order::WeakTopological => self.heap.pop().map(|Reverse((_, _, n))| n),
        }
    }

    /// SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
    fn random(&mut self) -> u64 {
        self.seed = self.seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.seed ^ (self.seed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

/// The position of each location of a function in the order, in the direction of the flow.
fn positions(flow: &Flow<'_>, f: FuncId, order: Order) -> Vec<u32> {
    let function = flow.program().function(f);
    let n = function.graph.num_locs();
    let mut out = vec![u32::MAX; n];
    let sequence = match order {
        Order::WeakTopological => flow.orders().wto(f).order().to_vec(),
        _ => reverse_post_order(flow, f),
    };
    let last = sequence.len() as u32;
    for (i, l) in sequence.into_iter().enumerate() {
        out[l.index()] = match flow.direction() {
            Direction::Forward => i as u32,
            Direction::Backward => last - i as u32,
        };
    }
    out
}

/// The position of each location in a weak topological order of all functions together, in the direction of the flow.
fn joint_positions(flow: &Flow<'_>) -> Vec<Vec<u32>> {
    let program = flow.program();
    let (mut graph, mut first) = (Graph::new(), vec![0; program.functions.len()]);
    for f in flow.functions() {
        first[f.0 as usize] = graph.num_locs() as u32;
        program.function(*f).graph.locs().for_each(|_| {
            graph.add_loc(LocInfo::default());
        });
    }
    let node = |at: Place| Loc(first[at.func.0 as usize] + at.loc.0);
    for step in flow.steps() {
        let (from, to) = match flow.direction() {
            Direction::Forward => (step.from, step.to),
            Direction::Backward => (step.to, step.from),
        };
        graph.add_edge(node(from), node(to), Op::Skip, Span::NONE);
    }
    let wto = Wto::new(&graph, node(flow.entry()));
    let last = wto.order().len() as u32;
    let mut out = vec![Vec::new(); program.functions.len()];
    for f in flow.functions() {
        let position = |loc: Loc| match (wto.position(node(Place { func: *f, loc })), flow.direction()) {
            (None, _) => u32::MAX,
            (Some(p), Direction::Forward) => p,
            (Some(p), Direction::Backward) => last - p,
        };
        out[f.0 as usize] = program.function(*f).graph.locs().map(position).collect();
    }
    out
}

fn reverse_post_order(flow: &Flow<'_>, f: FuncId) -> Vec<Loc> {
    let function = flow.program().function(f);
    let mut seen = vec![false; function.graph.num_locs()];
    let mut out = Vec::new();
    let mut stack = vec![(function.entry, 0)];
    seen[function.entry.index()] = true;
    while let Some((l, i)) = stack.last_mut() {
        match function.graph.out_edges(*l).get(*i) {
            Some(e) => {
                *i += 1;
                let to = function.graph.edge(*e).to;
                if !std::mem::replace(&mut seen[to.index()], true) {
                    stack.push((to, 0));
                }
            }
            None => {
                out.push(*l);
                stack.pop();
            }
        }
    }
    out.reverse();
    out
}
