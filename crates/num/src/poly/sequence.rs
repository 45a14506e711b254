//! The blocks of an element, in an order that copies share.
//!
//! An operation changes one block, or a few, and an analysis keeps many elements that differ in little. A vector of blocks
//! makes every operation pay for all of them; here a copy is one counter and a change copies one path of a tree (of blocks,
//! sorted by their first dimension, at most [`WIDTH`] to a node, all leaves at one depth), so that the cost of an operation
//! follows what it touches and the logarithm of the rest. What two elements do not share is found without looking at what
//! they share ([`Blocks::differences`]).

use std::sync::Arc;

use super::block::Block;
use crate::linear::Dim;

/// The most blocks of a leaf, and the most children of an inner node.
const WIDTH: usize = 8;

/// Blocks over different dimensions, sorted by their first one.
#[derive(Clone, Debug, Default)]
pub struct Blocks {
    root: Tree,
    len: usize,
}

#[derive(Clone, Debug)]
enum Tree {
    Leaf(Arc<[Block]>),
    /// At least one child each.
    Inner(Arc<[Child]>),
}

/// A subtree with the outermost dimensions of its blocks.
#[derive(Clone, Debug)]
struct Child {
    first: Dim,
    last: Dim,
    tree: Tree,
}

impl Default for Tree {
    fn default() -> Tree {
        Tree::Leaf(Arc::default())
    }
}

impl Tree {
    fn is(&self, other: &Tree) -> bool {
        match (self, other) {
            (Tree::Leaf(a), Tree::Leaf(b)) => Arc::ptr_eq(a, b),
            (Tree::Inner(a), Tree::Inner(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }

    fn frame(&self) -> Frame<'_> {
        match self {
            Tree::Leaf(blocks) => Frame::Blocks(blocks),
            Tree::Inner(children) => Frame::Children(children),
        }
    }

    fn find(&self, d: Dim) -> Option<&Block> {
        match self {
            Tree::Leaf(blocks) => blocks.iter().find(|b| b.column(d).is_some()),
            Tree::Inner(children) => children.iter().filter(|c| c.first <= d && d <= c.last).find_map(|c| c.tree.find(d)),
        }
    }

    /// The same without the blocks that begin with `gone` and with `new`, both sorted, as trees of the same depth.
    fn edited(&self, gone: &[Dim], new: &[Block]) -> Vec<Child> {
        match self {
            Tree::Leaf(blocks) => leaves(merged(blocks, gone, new)),
            Tree::Inner(children) => {
                let (mut gone, mut new) = (gone, new);
                let mut out: Vec<Child> = Vec::with_capacity(children.len() + 1);
                for (i, child) in children.iter().enumerate() {
                    let end = children.get(i + 1).map(|next| next.first);
                    let before = |d: Dim| end.is_none_or(|e| d < e);
                    let (my_gone, gone_later) = gone.split_at(gone.partition_point(|d| before(*d)));
                    let (my_new, new_later) = new.split_at(new.partition_point(|b| before(b.first())));
                    if my_gone.is_empty() && my_new.is_empty() {
                        out.push(child.clone());
                    } else {
                        out.extend(child.tree.edited(my_gone, my_new));
                    }
                    (gone, new) = (gone_later, new_later);
                }
                close(&mut out);
                inner(&out)
            }
        }
    }
}

/// A leaf without the blocks that begin with `gone`, with `new`.
fn merged(blocks: &[Block], gone: &[Dim], new: &[Block]) -> Vec<Block> {
    let mut out = Vec::with_capacity(blocks.len() + new.len());
    let mut new = new.iter().peekable();
    for b in blocks.iter().filter(|b| gone.binary_search(&b.first()).is_err()) {
        while let Some(n) = new.next_if(|n| n.first() < b.first()) {
            out.push(n.clone());
        }
        out.push(b.clone());
    }
    out.extend(new.cloned());
    out
}

/// Sorted blocks as leaves of about the same size; none for none.
fn leaves(blocks: Vec<Block>) -> Vec<Child> {
    let leaf = |part: Vec<Block>| Child {
        first: part.first().map_or(Dim(0), Block::first),
        last: part.iter().map(Block::last).max().unwrap_or(Dim(0)),
        tree: Tree::Leaf(part.into()),
    };
    match blocks.len() {
        0 => Vec::new(),
        1..=WIDTH => vec![leaf(blocks)],
        n => blocks.chunks(share(n)).map(|part| leaf(part.to_vec())).collect(),
    }
}

/// Trees of one depth as children of inner nodes of about the same size.
fn inner(children: &[Child]) -> Vec<Child> {
    let node = |part: &[Child]| Child {
        first: part.first().map_or(Dim(0), |c| c.first),
        last: part.iter().map(|c| c.last).max().unwrap_or(Dim(0)),
        tree: Tree::Inner(part.into()),
    };
    children.chunks(share(children.len())).map(node).collect()
}

/// How many of `n` go to one node, so that the nodes are about the same size.
fn share(n: usize) -> usize {
    n.div_ceil(n.div_ceil(WIDTH).max(1)).max(1)
}

/// Makes one leaf of neighbours that removals have left nearly empty.
fn close(children: &mut Vec<Child>) {
    let mut i = 1;
    while i < children.len() {
        match (&children[i - 1].tree, &children[i].tree) {
            (Tree::Leaf(a), Tree::Leaf(b)) if a.len() + b.len() <= WIDTH / 2 => {
                let both = leaves([&a[..], &b[..]].concat());
                children.splice(i - 1..=i, both);
            }
            _ => i += 1,
        }
    }
}

impl From<Vec<Block>> for Blocks {
    fn from(mut blocks: Vec<Block>) -> Blocks {
        if !blocks.is_sorted_by_key(Block::first) {
            blocks.sort_by_key(Block::first);
        }
        let len = blocks.len();
        Blocks { root: rooted(leaves(blocks)), len }
    }
}

/// One tree of trees of one depth.
fn rooted(mut level: Vec<Child>) -> Tree {
    while level.len() > 1 {
        level = inner(&level);
    }
    level.pop().map_or_else(Tree::default, |c| c.tree)
}

impl Blocks {
    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// All of them, in order.
    pub fn iter(&self) -> Iter<'_> {
        Iter { at: Cursor::of(&self.root) }
    }

    /// The block that has the dimension.
    pub fn find(&self, d: Dim) -> Option<&Block> {
        self.root.find(d)
    }

    /// The blocks that have one of the dimensions (sorted), in order.
    pub fn having(&self, dims: &[Dim]) -> Vec<&Block> {
        let mut out: Vec<&Block> = Vec::new();
        for b in dims.iter().filter_map(|d| self.find(*d)) {
            if !out.iter().any(|o| o.is(b)) {
                out.push(b);
            }
        }
        if !out.is_sorted_by_key(|b| b.first()) {
            out.sort_by_key(|b| b.first());
        }
        out
    }

    /// The same with `new` instead of the blocks that begin with `gone`.
    pub fn replaced(&self, mut gone: Vec<Dim>, mut new: Vec<Block>) -> Blocks {
        if gone.is_empty() && new.is_empty() {
            return self.clone();
        }
        gone.sort_unstable();
        new.sort_by_key(Block::first);
        let len = self.len + new.len() - gone.len();
        if let Tree::Leaf(blocks) = &self.root {
            if len <= WIDTH {
                return Blocks { root: Tree::Leaf(merged(blocks, &gone, &new).into()), len };
            }
        }
        let mut root = rooted(self.root.edited(&gone, &new));
        while let Tree::Inner(children) = &root {
            match &children[..] {
                [one] => root = one.tree.clone(),
                _ => break,
            }
        }
        Blocks { root, len }
    }

    /// The same with more blocks.
    pub fn with(&self, new: Vec<Block>) -> Blocks {
        self.replaced(Vec::new(), new)
    }

    /// The blocks of the one and of the other that are not the same object in both. What they share is not walked through.
    pub fn differences<'b>(&'b self, other: &'b Blocks) -> (Vec<&'b Block>, Vec<&'b Block>) {
        let (mut left, mut right) = (Vec::new(), Vec::new());
        if self.root.is(&other.root) {
            return (left, right);
        }
        let (mut a, mut b) = (Cursor::of(&self.root), Cursor::of(&other.root));
        loop {
            let (x, y) = match (a.peek(), b.peek()) {
                (None, None) => return (left, right),
                (Some(_), None) => {
                    a.enter(&mut left);
                    continue;
                }
                (None, Some(_)) => {
                    b.enter(&mut right);
                    continue;
                }
                (Some(x), Some(y)) => (x, y),
            };
            let order = x.first().cmp(&y.first()).then(x.depth().cmp(&y.depth()).reverse());
            if order.is_eq() && x.is(&y) {
                a.skip();
                b.skip();
                continue;
            }
            if order.is_le() {
                a.enter(&mut left);
            }
            if order.is_ge() {
                b.enter(&mut right);
            }
        }
    }
}

impl PartialEq for Blocks {
    fn eq(&self, other: &Blocks) -> bool {
        if self.len != other.len {
            return false;
        }
        let (left, right) = self.differences(other);
        left == right
    }
}

impl Eq for Blocks {}

impl std::hash::Hash for Blocks {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.len.hash(state);
        self.iter().for_each(|b| b.hash(state));
    }
}

/// What is left of a node.
enum Frame<'b> {
    Blocks(&'b [Block]),
    Children(&'b [Child]),
}

/// What comes next: a block, or a subtree that has not been entered.
#[derive(Clone, Copy)]
enum Item<'b> {
    Block(&'b Block),
    Child(&'b Child),
}

impl Item<'_> {
    fn first(&self) -> Dim {
        match self {
            Item::Block(b) => b.first(),
            Item::Child(c) => c.first,
        }
    }

    /// Whether there is more to enter: of two that begin alike the deeper one is entered first, so that the two meet again.
    fn depth(&self) -> usize {
        match self {
            Item::Block(_) => 0,
            Item::Child(Child { tree: Tree::Leaf(_), .. }) => 1,
            Item::Child(Child { tree: Tree::Inner(_), .. }) => 2,
        }
    }

    fn is(&self, other: &Item) -> bool {
        match (self, other) {
            (Item::Block(a), Item::Block(b)) => a.is(b),
            (Item::Child(a), Item::Child(b)) => a.tree.is(&b.tree),
            _ => false,
        }
    }
}

/// A place in a tree: the frame at hand and those above it, none of them exhausted but perhaps the one at hand.
struct Cursor<'b> {
    at: Frame<'b>,
    above: Vec<Frame<'b>>,
}

impl<'b> Cursor<'b> {
    fn of(tree: &'b Tree) -> Cursor<'b> {
        Cursor { at: tree.frame(), above: Vec::new() }
    }

    fn peek(&mut self) -> Option<Item<'b>> {
        loop {
            let found = match &self.at {
                Frame::Blocks(blocks) => blocks.first().map(Item::Block),
                Frame::Children(children) => children.first().map(Item::Child),
            };
            match found {
                Some(item) => return Some(item),
                None => self.at = self.above.pop()?,
            }
        }
    }

    /// Passes over what comes next.
    fn skip(&mut self) {
        match &mut self.at {
            Frame::Blocks(blocks) => *blocks = blocks.get(1..).unwrap_or(&[]),
            Frame::Children(children) => *children = children.get(1..).unwrap_or(&[]),
        }
    }

    /// Enters the subtree that comes next, or takes the block.
    fn enter(&mut self, taken: &mut Vec<&'b Block>) {
        let item = self.peek();
        self.skip();
        match item {
            Some(Item::Block(b)) => taken.push(b),
            Some(Item::Child(c)) => self.above.push(std::mem::replace(&mut self.at, c.tree.frame())),
            None => {}
        }
    }
}

/// Blocks in order.
pub struct Iter<'b> {
    at: Cursor<'b>,
}

impl<'b> Iterator for Iter<'b> {
    type Item = &'b Block;

    fn next(&mut self) -> Option<&'b Block> {
        loop {
            let item = self.at.peek()?;
            self.at.skip();
            match item {
                Item::Block(b) => return Some(b),
                Item::Child(c) => self.at.above.push(std::mem::replace(&mut self.at.at, c.tree.frame())),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::gen::Rng;
    use std::collections::BTreeMap;

    /// The blocks as a map from their first dimensions.
    type Model = BTreeMap<Dim, Block>;

    /// A block of the pair `2i, 2i + 1`, or of `2i` and a dimension far away.
    fn block(i: u32, far: bool) -> Block {
        Block::universe(&[Dim(2 * i), Dim(if far { 2 * i + 100_001 } else { 2 * i + 1 })])
    }

    fn sound(tree: &Tree, top: bool) -> (usize, usize) {
        match tree {
            Tree::Leaf(blocks) => {
                assert!(blocks.len() <= WIDTH && (top || !blocks.is_empty()));
                (1, blocks.len())
            }
            Tree::Inner(children) => {
                assert!(children.len() <= WIDTH && children.len() > usize::from(top));
                let below: Vec<(usize, usize)> = children.iter().map(|c| sound(&c.tree, false)).collect();
                assert!(below.iter().all(|b| b.0 == below[0].0), "leaves at different depths");
                (below[0].0 + 1, below.iter().map(|b| b.1).sum())
            }
        }
    }

    fn assert_same(blocks: &Blocks, model: &Model) {
        let (depth, len) = sound(&blocks.root, true);
        assert!(depth <= 6 && len == blocks.len() && len == model.len());
        assert!(blocks.iter().zip(model.values()).all(|(a, b)| a.is(b)));
        for b in model.values() {
            assert!(b.dims().iter().all(|d| blocks.find(*d).is_some_and(|found| found.is(b))));
        }
    }

    #[test]
    fn edits_do_what_they_do_to_a_map() {
        let mut rng = Rng::new(7);
        for round in 0..60 {
            let wide = if round % 2 == 0 { 12 } else { 300 };
            let (mut blocks, mut model) = (Blocks::default(), Model::new());
            let mut earlier: Vec<(Blocks, Model)> = Vec::new();
            for _ in 0..60 {
                let most = if rng.one_in(5) { 60 } else { 3 };
                let count = 1 + rng.below(most);
                let firsts: std::collections::BTreeSet<u32> = (0..count).map(|_| rng.below(wide) as u32).collect();
                let gone: Vec<Dim> = firsts.iter().map(|i| Dim(2 * i)).filter(|d| model.contains_key(d)).collect();
                let removing = rng.one_in(3);
                let new: Vec<Block> = firsts.iter().filter(|_| !removing || rng.one_in(8)).map(|i| block(*i, i % 7 == 0)).collect();
                gone.iter().for_each(|d| {
                    model.remove(d);
                });
                new.iter().for_each(|b| {
                    model.insert(b.first(), b.clone());
                });
                blocks = blocks.replaced(gone, new);
                assert_same(&blocks, &model);
                earlier.push((blocks.clone(), model.clone()));
                let (old, old_model) = &earlier[rng.below(earlier.len() as u64) as usize];
                assert_same(old, old_model);
                let (left, right) = blocks.differences(old);
                let missing = |m: &Model, b: &Block| m.get(&b.first()).is_none_or(|o| !o.is(b));
                assert!(left.into_iter().map(Block::first).eq(model.values().filter(|b| missing(old_model, b)).map(Block::first)));
                assert!(right.into_iter().map(Block::first).eq(old_model.values().filter(|b| missing(&model, b)).map(Block::first)));
            }
        }
    }

    #[test]
    fn a_vector_in_any_order_becomes_a_sequence() {
        for n in [0, 1, 8, 9, 64, 65, 600] {
            let model: Model = (0..n).map(|i| (Dim(2 * i), block(i, false))).collect();
            assert_same(&Blocks::from(model.values().rev().cloned().collect::<Vec<_>>()), &model);
        }
    }
}
