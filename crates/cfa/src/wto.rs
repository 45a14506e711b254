//! Weak topological order (Bourdoncle 1993): the locations reachable from the entry, in an order where every edge that does not
//! go forward goes to the head of a component that contains its source.
//!
//! Components are found by decomposing the graph into strongly connected components, taking the first-visited location
//! of each as its head, removing it and decomposing the rest. For reducible graphs the heads are the headers of natural loops; an
//! irreducible loop gets one head too.

use crate::graph::{Graph, Loc};

/// Index of a component.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Component(pub u32);

/// A weak topological order.
#[derive(Clone, Debug)]
pub struct Wto {
    order: Vec<Loc>,
    position: Vec<Option<u32>>,
    innermost: Vec<Option<Component>>,
    heads: Vec<Loc>,
    parents: Vec<Option<Component>>,
    /// One past the last position of each component.
    ends: Vec<u32>,
}

impl Wto {
    /// The order of the part of `graph` that is reachable from `entry`.
    pub fn new(graph: &Graph, entry: Loc) -> Wto {
        let n = graph.num_locs();
        let mut wto = Wto {
            order: Vec::new(),
            position: vec![None; n],
            innermost: vec![None; n],
            heads: Vec::new(),
            parents: Vec::new(),
            ends: Vec::new(),
        };
        let mut search = Search { graph, alive: vec![0; n], index: vec![0; n], low: vec![0; n], on_stack: vec![false; n] };
        // An explicit stack of work instead of recursion: nesting of loops is the user's.
        enum Work {
            Decompose { roots: Vec<Loc>, level: u32, parent: Option<Component> },
            Emit(Vec<Loc>, u32, Option<Component>),
        }
        let mut work = vec![Work::Decompose { roots: vec![entry], level: 0, parent: None }];
        while let Some(w) = work.pop() {
            match w {
                Work::Decompose { roots, level, parent } => {
                    // Tarjan emits components in reverse topological order, so the last emitted is the next to treat.
                    for c in search.components(&roots, level) {
                        work.push(Work::Emit(c, level, parent));
                    }
                }
                Work::Emit(component, level, parent) => {
                    let head = component[0];
                    let cyclic = component.len() > 1 || graph.successors(head).any(|s| s == head);
                    let within = if cyclic {
                        wto.heads.push(head);
                        wto.parents.push(parent);
                        Some(Component(wto.heads.len() as u32 - 1))
                    } else {
                        parent
                    };
                    wto.position[head.index()] = Some(wto.order.len() as u32);
                    wto.innermost[head.index()] = within;
                    wto.order.push(head);
                    if component.len() > 1 {
                        for l in &component[1..] {
                            search.alive[l.index()] = level + 1;
                        }
                        let roots = graph.successors(head).filter(|s| search.alive[s.index()] == level + 1).collect();
                        work.push(Work::Decompose { roots, level: level + 1, parent: within });
                    }
                }
            }
        }
        wto.close();
        wto
    }

    /// Finds where components end. A component is numbered after the one around it, so going backwards meets inner ones first.
    fn close(&mut self) {
        self.ends = vec![0; self.heads.len()];
        for (i, l) in self.order.iter().enumerate() {
            if let Some(c) = self.innermost[l.index()] {
                self.ends[c.0 as usize] = i as u32 + 1;
            }
        }
        for c in (0..self.heads.len()).rev() {
            if let Some(p) = self.parents[c] {
                self.ends[p.0 as usize] = self.ends[p.0 as usize].max(self.ends[c]);
            }
        }
    }

    /// The locations in order.
    pub fn order(&self) -> &[Loc] {
        &self.order
    }

    /// Where a location stands in the order; `None` if it is unreachable.
    pub fn position(&self, l: Loc) -> Option<u32> {
        self.position[l.index()]
    }

    /// The innermost component that contains a location (its own, for a head).
    pub fn innermost(&self, l: Loc) -> Option<Component> {
        self.innermost[l.index()]
    }

    /// The head of a component.
    pub fn head(&self, c: Component) -> Loc {
        self.heads[c.0 as usize]
    }

    /// The component around a component.
    pub fn parent(&self, c: Component) -> Option<Component> {
        self.parents[c.0 as usize]
    }

    /// The positions of a component's locations in the order: its head first, inner components included.
    pub fn span(&self, c: Component) -> std::ops::Range<usize> {
        let from = self.position[self.head(c).index()].map_or(0, |p| p as usize);
        from..self.ends[c.0 as usize] as usize
    }

    /// The locations of a component in order: its head first, those of inner components included.
    pub fn body(&self, c: Component) -> &[Loc] {
        &self.order[self.span(c)]
    }

    /// All components, outer ones before inner ones.
    pub fn all(&self) -> impl DoubleEndedIterator<Item = Component> + use<> {
        (0..self.heads.len() as u32).map(Component)
    }

    /// The component that a location is the head of.
    pub fn headed_by(&self, l: Loc) -> Option<Component> {
        self.innermost(l).filter(|c| self.head(*c) == l)
    }

    /// All heads, outer ones before inner ones.
    pub fn heads(&self) -> &[Loc] {
        &self.heads
    }

    /// The components that contain a location, outermost first.
    pub fn components(&self, l: Loc) -> Vec<Component> {
        let mut out: Vec<Component> = std::iter::successors(self.innermost(l), |c| self.parent(*c)).collect();
        out.reverse();
        out
    }
}

/// Tarjan's algorithm on the locations that are alive at a level, without recursion.
struct Search<'g> {
    graph: &'g Graph,
    /// The level of decomposition a location takes part in; heads stay behind at their level and are skipped by number.
    alive: Vec<u32>,
    index: Vec<u32>,
    low: Vec<u32>,
    on_stack: Vec<bool>,
}

impl Search<'_> {
    fn components(&mut self, roots: &[Loc], level: u32) -> Vec<Vec<Loc>> {
        let mut out = Vec::new();
        let mut stack: Vec<Loc> = Vec::new();
        let mut visited: Vec<Loc> = Vec::new();
        let mut next = 1;
        for &root in roots {
            if self.index[root.index()] != 0 {
                continue;
            }
            let mut path: Vec<(Loc, usize)> = Vec::new();
            self.enter(root, &mut next, &mut stack, &mut path);
            visited.push(root);
            while let Some((l, i)) = path.last_mut() {
                let l = *l;
                if let Some(e) = self.graph.out_edges(l).get(*i) {
                    *i += 1;
                    let s = self.graph.edge(*e).to;
                    if self.alive[s.index()] != level {
                        continue;
                    }
                    if self.index[s.index()] == 0 {
                        self.enter(s, &mut next, &mut stack, &mut path);
                        visited.push(s);
                    } else if self.on_stack[s.index()] {
                        self.low[l.index()] = self.low[l.index()].min(self.index[s.index()]);
                    }
                } else {
                    path.pop();
                    if let Some((p, _)) = path.last() {
                        self.low[p.index()] = self.low[p.index()].min(self.low[l.index()]);
                    }
                    if self.low[l.index()] == self.index[l.index()] {
                        let at = stack.iter().rposition(|x| *x == l).unwrap_or(0);
                        let component = stack.split_off(at);
                        for x in &component {
                            self.on_stack[x.index()] = false;
                        }
                        out.push(component);
                    }
                }
            }
        }
        for l in visited {
            self.index[l.index()] = 0;
            self.low[l.index()] = 0;
        }
        out
    }

    fn enter(&mut self, l: Loc, next: &mut u32, stack: &mut Vec<Loc>, path: &mut Vec<(Loc, usize)>) {
        self.index[l.index()] = *next;
        self.low[l.index()] = *next;
        *next += 1;
        self.on_stack[l.index()] = true;
        stack.push(l);
        path.push((l, 0));
    }
}
