//! Which objects may an access touch? A unification-based points-to analysis, filled in while the program is lowered.
//!
//! **Picture.** A [`Node`] stands for a set of objects (after unification: a class of nodes). The value of every pointer has a
//! node, the objects it may point into; every object has one; and every class has two more for its *contents*: what
//! the pointers stored in it may point to, and what the other scalars stored in it may, should they carry the bits of
//! a pointer. Each class that is accessed becomes one region of memory.
//!
//! **Contract.** If a value was computed from the address of an object, by whatever chain of copies, casts, integer arithmetic,
//! unions, byte-wise copies and calls, then at [`PointsTo::solve`]'s end that object is in the class of the value's node.
//! * A flow between pointers unifies at once ([`PointsTo::unify`]).
//! * A flow into or between integers ([`PointsTo::flow`]) is only remembered: it unifies when its source turns out to carry pointers, so
//!   that ordinary integers, which meet in arithmetic everywhere, do not tie unrelated data structures together.
//! * In a class whose pointer accesses may overlap its other accesses (unions, byte access, casts) the two contents are
//!   one. They are kept apart only where all accesses go through members of one record type at disjoint offsets, and
//!   pointers to such records move by whole records ([`PointsTo::stride`]).
//!
//! **Cells.** A class also collects the type of each access and the distances by which pointers into it move
//! ([`PointsTo::step`]). If all accesses have one width, at most the greatest common divisor of the distances, then they never
//! overlap partially (objects are aligned to 16) and the region's cells are scalars of that type; otherwise bytes.
//!
//! **Functions** are objects that nothing accesses: a call through a pointer reaches only those in its class, unless the pointer
//! may come from outside the program ([`PointsTo::mark_external`]).
//!
//! Source: Steensgaard, "Points-to analysis in almost linear time" (POPL 1996); conditional unification of integers is its "pending" trick.

use plumb_term::{Cell, IntTy, Scalar};
use rustc_hash::FxHashMap;

use crate::types::RecordId;

/// A set of objects.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Node(pub u32);

/// Through what kind of lvalue an access goes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Shape {
    /// Within a member of a record: the bytes `[start, end)` from the start of the record (of any record of an array).
    Field(RecordId, u64, u64),
    /// Anything else.
    Raw,
}

/// One kind of access.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Access {
    shape: Shape,
    scalar: Scalar,
    /// Whether the C type is a pointer.
    pointer: bool,
}

/// More kinds of access than this are not told apart.
const MAX_SHAPES: usize = 96;

#[derive(Clone, Debug, Default)]
struct Class {
    pointer_contents: Option<Node>,
    other_contents: Option<Node>,
    /// Integer flows out of this class.
    flows: Vec<(Node, bool)>,
    /// Whether pointers to objects may be among the values of this node.
    active: bool,
    /// Whether its values may come from outside the program and be any pointers.
    external: bool,
    /// Whether integers become pointers among its values: pointers from outside, unless they carry those of objects.
    numbers: bool,
    accesses: FxHashMap<Access, u32>,
    /// Greatest common divisor of the distances pointers move by; 0 if they do not.
    step: u64,
    /// The same without the selection of members: how far a pointer to a record may be from the start of an object.
    stride: u64,
}

/// The analysis.
#[derive(Clone, Debug, Default)]
pub struct PointsTo {
    parent: Vec<u32>,
    classes: Vec<Class>,
    work: Vec<Node>,
}

impl PointsTo {
    /// A new, empty set of objects.
    pub fn fresh(&mut self) -> Node {
        self.parent.push(self.parent.len() as u32);
        self.classes.push(Class::default());
        Node(self.parent.len() as u32 - 1)
    }

    /// The node of a new object: a value that points to it carries a pointer.
    pub fn object(&mut self) -> Node {
        let node = self.fresh();
        self.classes[node.0 as usize].active = true;
        node
    }

    /// The representative of a class.
    pub fn find(&mut self, node: Node) -> Node {
        let mut root = node.0;
        while self.parent[root as usize] != root {
            root = self.parent[root as usize];
        }
        let mut at = node.0;
        while self.parent[at as usize] != root {
            at = std::mem::replace(&mut self.parent[at as usize], root);
        }
        Node(root)
    }

    fn class(&mut self, node: Node) -> &mut Class {
        let root = self.find(node);
        &mut self.classes[root.0 as usize]
    }

    /// Makes two classes, and what they contain, one.
    pub fn unify(&mut self, a: Node, b: Node) {
        let mut pending = vec![(a, b)];
        while let Some((a, b)) = pending.pop() {
            let (a, b) = (self.find(a), self.find(b));
            if a == b {
                continue;
            }
            let (keep, drop) = (a.min(b), a.max(b));
            let gone = std::mem::take(&mut self.classes[drop.0 as usize]);
            self.parent[drop.0 as usize] = keep.0;
            let class = &mut self.classes[keep.0 as usize];
            let woken = class.active != gone.active;
            class.active |= gone.active;
            class.external |= gone.external;
            class.numbers |= gone.numbers;
            class.step = gcd(class.step, gone.step);
            class.stride = gcd(class.stride, gone.stride);
            if class.flows.len() < gone.flows.len() {
                let mut flows = gone.flows;
                flows.append(&mut class.flows);
                class.flows = flows;
            } else {
                class.flows.extend(gone.flows);
            }
            for (access, n) in gone.accesses {
                *class.accesses.entry(access).or_insert(0) += n;
            }
            for (mine, theirs) in [(&mut class.pointer_contents, gone.pointer_contents), (&mut class.other_contents, gone.other_contents)] {
                match (*mine, theirs) {
                    (Some(x), Some(y)) => pending.push((x, y)),
                    (None, theirs) => *mine = theirs,
                    _ => {}
                }
            }
            if woken {
                self.work.push(keep);
            }
        }
    }

    /// The values of `from` may carry over to those of `to`, of which at least one is not a pointer. `scrambled` if arithmetic may have changed them.
    pub fn flow(&mut self, from: Node, to: Node, scrambled: bool) {
        let (from, to) = (self.find(from), self.find(to));
        if from == to && !scrambled {
            return;
        }
        let class = &mut self.classes[from.0 as usize];
        class.flows.push((to, scrambled));
        if class.active {
            self.work.push(from);
        }
    }

    /// The values of `node` come from outside the program.
    pub fn mark_external(&mut self, node: Node) {
        self.class(node).external = true;
    }

    /// Integers become pointers among the values of `node`.
    pub fn mark_numbers(&mut self, node: Node) {
        self.class(node).numbers = true;
    }

    /// After [`PointsTo::solve`]: whether the values of `node` may be pointers that the program did not compute.
    pub fn is_external(&mut self, node: Node) -> bool {
        self.class(node).external
    }

    /// What the scalars of pointer type (or of other types) in the objects of `node` may point to.
    pub fn contents(&mut self, node: Node, pointer: bool) -> Node {
        let root = self.find(node);
        let class = &self.classes[root.0 as usize];
        let known = if pointer { class.pointer_contents } else { class.other_contents };
        known.unwrap_or_else(|| {
            let new = self.fresh();
            let class = &mut self.classes[root.0 as usize];
            *(if pointer { &mut class.pointer_contents } else { &mut class.other_contents }) = Some(new);
            new
        })
    }

    /// Records a load or store.
    pub fn access(&mut self, node: Node, shape: Shape, scalar: Scalar, pointer: bool) {
        let class = self.class(node);
        *class.accesses.entry(Access { shape, scalar, pointer }).or_insert(0) += 1;
    }

    /// Records that a pointer into `node` moves by a multiple of `bytes` (0: not at all).
    pub fn step(&mut self, node: Node, bytes: u64) {
        let class = self.class(node);
        class.step = gcd(class.step, bytes);
    }

    /// Records that a pointer into `node` moves by a multiple of `bytes`, other than to a member on the way to an access.
    pub fn stride(&mut self, node: Node, bytes: u64) {
        let class = self.class(node);
        class.step = gcd(class.step, bytes);
        class.stride = gcd(class.stride, bytes);
    }

    /// Carries flows and overlaps through until nothing changes.
    pub fn solve(&mut self, record_size: &dyn Fn(RecordId) -> u64) {
        loop {
            while let Some(node) = self.work.pop() {
                let root = self.find(node);
                if !self.classes[root.0 as usize].active {
                    continue;
                }
                for (to, scrambled) in std::mem::take(&mut self.classes[root.0 as usize].flows) {
                    self.unify(root, to);
                    if scrambled {
                        self.stride(root, 1);
                    }
                }
            }
            let mut changed = false;
            for i in 0..self.parent.len() as u32 {
                if self.parent[i as usize] != i {
                    continue;
                }
                let class = &mut self.classes[i as usize];
                class.external |= class.numbers && !class.active;
                // Whoever hands out an object may have stored anything in it.
                if self.classes[i as usize].external {
                    let class = &self.classes[i as usize];
                    for inner in [class.pointer_contents, class.other_contents].into_iter().flatten() {
                        changed |= !std::mem::replace(&mut self.class(inner).external, true);
                    }
                }
                let class = &self.classes[i as usize];
                let (Some(p), Some(o)) = (class.pointer_contents, class.other_contents) else { continue };
                if self.find(p) != self.find(o) && self.overlap(Node(i), record_size) {
                    self.unify(p, o);
                    changed = true;
                }
            }
            if !changed && self.work.is_empty() && !self.unify_lent() {
                return;
            }
        }
    }

    /// Pointers from outside may be the same pointer. Where the program has no object of its own, those through which it accesses the same member, or the same type,
    /// point to the same memory; so do all that were numbers, as the addresses of a device are. Whether a class changed.
    fn unify_lent(&mut self) -> bool {
        let mut seen: FxHashMap<Access, Node> = FxHashMap::default();
        let mut number = None;
        let mut pairs = Vec::new();
        for i in 0..self.parent.len() as u32 {
            let class = &self.classes[i as usize];
            if self.parent[i as usize] != i || !class.external || class.active {
                continue;
            }
            if class.numbers && !class.accesses.is_empty() {
                let first = *number.get_or_insert(Node(i));
                if first != Node(i) {
                    pairs.push((first, Node(i)));
                }
            }
            for access in class.accesses.keys() {
                let first = *seen.entry(*access).or_insert(Node(i));
                if first != Node(i) {
                    pairs.push((first, Node(i)));
                }
            }
        }
        let changed = !pairs.is_empty();
        pairs.into_iter().for_each(|(a, b)| self.unify(a, b));
        changed
    }

    /// Whether a pointer access may overlap another one.
    fn overlap(&mut self, root: Node, record_size: &dyn Fn(RecordId) -> u64) -> bool {
        let class = &self.classes[root.0 as usize];
        if class.accesses.len() > MAX_SHAPES {
            return true;
        }
        let whole = |r: RecordId| class.stride == 0 || record_size(r) > 0 && class.stride % record_size(r) == 0;
        let (pointers, others): (Vec<&Access>, Vec<&Access>) = class.accesses.keys().partition(|a| a.pointer);
        pointers.iter().any(|p| others.iter().any(|o| !disjoint(p, o, &whole)))
    }

    /// The cells of a class's region.
    pub fn cell(&mut self, node: Node) -> Cell {
        let class = self.class(node);
        let step = class.step;
        let mut by_type: Vec<(Scalar, u32)> = Vec::new();
        for (access, n) in &class.accesses {
            match by_type.iter_mut().find(|t| t.0 == access.scalar) {
                Some(t) => t.1 += n,
                None => by_type.push((access.scalar, *n)),
            }
        }
        by_type.sort_by_key(|t| (std::cmp::Reverse(t.1), t.0));
        let Some(&(first, _)) = by_type.first() else { return Cell::Byte };
        let alike = by_type.iter().all(|(s, _)| match (s, first) {
            (Scalar::Int(IntTy { bits: a, .. }), Scalar::Int(IntTy { bits: b, .. })) => *a == b,
            _ => *s == first,
        });
        // Objects are 16-aligned; with no movement there is one access position per object.
        if alike && (step == 0 || step >= first.bytes()) {
            Cell::Scalar(first)
        } else {
            Cell::Byte
        }
    }

    /// Whether the class was accessed at all.
    pub fn is_accessed(&mut self, node: Node) -> bool {
        !self.class(node).accesses.is_empty()
    }
}

fn disjoint(a: &Access, b: &Access, whole: &dyn Fn(RecordId) -> bool) -> bool {
    match (a.shape, b.shape) {
        (Shape::Field(r, a0, a1), Shape::Field(s, b0, b1)) => r == s && whole(r) && (a1 <= b0 || b1 <= a0),
        _ => false,
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
