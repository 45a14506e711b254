//! Blocks: polyhedra over the dimensions that are related to each other.
//!
//! A block has both descriptions or only the constraints. The generators are then computed when an operation first asks for
//! the full description ([`Block::dd`]), once for all elements that share the block. The blocks inside a
//! [`Hull`](super::hull::Hull), which are not blocks of an element, may have only the generators.

use std::sync::{Arc, OnceLock};

use super::any::{run, to_expr, to_row, AnyDd, Op};
use super::coef::Coef;
use super::cuts::Cut;
use super::dd::Dd;
use super::ops::{
    AllGenerators, AssignInvertible, ConstraintProduct, Convert, Define, Forget, ForgetDefined, Generated, GeneratorsOf, Intersect,
    Permute, PreimageInvertible, Product, WithFree,
};
use crate::int::Int;
use crate::linear::{ConsKind, Dim, LinCons, LinExpr};
use crate::rat::Rat;

/// A non-empty polyhedron over its own dimensions, shared between elements. The outermost dimensions are at hand, so that
/// most blocks are passed over without touching their memory.
#[derive(Clone, Debug)]
pub struct Block {
    first: Dim,
    last: Dim,
    body: Arc<Body>,
}

#[derive(Debug)]
struct Body {
    /// Sorted.
    dims: Arc<[Dim]>,
    /// As it was made, perhaps without generators.
    made: AnyDd,
    /// The full description, if it was made without generators and somebody has asked for them.
    full: OnceLock<AnyDd>,
}

impl PartialEq for Block {
    fn eq(&self, other: &Self) -> bool {
        self.is(other) || (self.dims() == other.dims() && self.known() == other.known())
    }
}

impl Eq for Block {}

impl std::hash::Hash for Block {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.dims().hash(state);
        self.known().hash(state);
    }
}

/// A block with at most so many inequalities is small.
const SMALL: usize = 8;

/// The least and the greatest value of an expression; `None` is the infinity of that side.
pub struct Range {
    pub inf: Option<Rat>,
    pub sup: Option<Rat>,
}

impl Block {
    /// A block of sorted dimensions, in the order of the columns. The dimensions of the empty product are never looked at.
    pub fn new(dims: Arc<[Dim]>, dd: AnyDd) -> Block {
        let end = |d: Option<&Dim>| d.copied().unwrap_or(Dim(0));
        Block { first: end(dims.first()), last: end(dims.last()), body: Arc::new(Body { dims, made: dd, full: OnceLock::new() }) }
    }

    pub fn universe(dims: &[Dim]) -> Block {
        Block::new(dims.into(), AnyDd::universe(dims.len()))
    }

    pub fn dims(&self) -> &[Dim] {
        &self.body.dims
    }

    /// The same, shared.
    pub fn shared_dims(&self) -> Arc<[Dim]> {
        self.body.dims.clone()
    }

    pub fn first(&self) -> Dim {
        self.first
    }

    pub fn last(&self) -> Dim {
        self.last
    }

    /// The full description, converted from constraints on first need.
    pub fn dd(&self) -> &AnyDd {
        let Body { dims, made, full } = &*self.body;
        if made.has_generators() {
            return made;
        }
        full.get_or_init(|| run(&Convert, &[made]).unwrap_or_else(|| AnyDd::universe(dims.len())))
    }

    /// Whether the generators are there.
    pub fn is_converted(&self) -> bool {
        self.known().has_generators()
    }

    /// Whether the constraints are there.
    pub fn has_constraints(&self) -> bool {
        match self.known() {
            AnyDd::Small(dd) => dd.has_constraints(),
            AnyDd::Big(dd) => dd.has_constraints(),
        }
    }

    /// The descriptions there are; the generators among them if somebody has asked for them.
    fn known(&self) -> &AnyDd {
        self.body.full.get().unwrap_or(&self.body.made)
    }

    /// Whether the two are the same object.
    pub fn is(&self, other: &Block) -> bool {
        Arc::ptr_eq(&self.body, &other.body)
    }

    /// The result of an operation that keeps the dimensions.
    pub fn apply<O: Op>(&self, op: &O) -> Option<Block> {
        run(op, &[self.dd()]).map(|dd| Block::new(self.body.dims.clone(), dd))
    }

    /// The intersection with all of `cuts`, none of which has other dimensions; it may be decomposable.
    pub fn cut(&self, cuts: &[Cut]) -> Option<Block> {
        let op = Intersect { dims: self.dims(), cuts };
        let blocks = cuts.iter().filter_map(|c| if let Cut::Block(b) = c { Some(b.known()) } else { None });
        let dd = if cuts.iter().all(|c| matches!(c, Cut::Row(_))) {
            run(&op, &[self.dd()])
        } else {
            run(&op, &[self.dd()].into_iter().chain(blocks).collect::<Vec<_>>())
        };
        dd.map(|dd| Block::new(self.body.dims.clone(), dd))
    }

    /// The image or the preimage of `x := e`, in which `x` occurs; the block has all these dimensions. Whatever descriptions
    /// there are stay.
    pub fn transformed(&self, x: Dim, expr: &LinExpr, image: bool) -> Block {
        let op = AssignInvertible { dims: self.dims(), x, expr };
        let args = [self.known()];
        let dd = if image { run(&op, &args) } else { run(&PreimageInvertible(op), &args) };
        dd.map_or_else(|| self.clone(), |dd| Block::new(self.body.dims.clone(), dd))
    }

    /// The same polyhedron over other dimensions.
    pub fn renamed(&self, map: &[(Dim, Dim)]) -> Block {
        let name = |d: &Dim| map.iter().find(|m| m.0 == *d).map_or(*d, |m| m.1);
        let mut named: Vec<(Dim, usize)> = self.dims().iter().enumerate().map(|(i, d)| (name(d), i + 1)).collect();
        let in_order = named.windows(2).all(|w| w[0].0 < w[1].0);
        named.sort();
        let dims: Arc<[Dim]> = named.iter().map(|n| n.0).collect();
        if in_order {
            return Block::new(dims, self.known().clone());
        }
        let from: Vec<usize> = [0].into_iter().chain(named.iter().map(|n| n.1)).collect();
        let dd = run(&Permute(&from), &[self.known()]).unwrap_or_else(|| AnyDd::universe(dims.len()));
        Block::new(dims, dd)
    }

    /// The projection without the dimensions that `gone` says, if equalities define them all: nothing is converted then.
    pub fn forget_defined(&self, gone: impl Fn(Dim) -> bool) -> Option<Vec<Block>> {
        let columns: Vec<usize> = (1..=self.dims().len()).filter(|j| gone(self.dims()[j - 1])).collect();
        let dd = run(&ForgetDefined(&columns), &[self.known()])?;
        let left = self.dims().iter().copied().filter(|d| !gone(*d)).collect();
        Some(Block::new(left, dd).split())
    }

    /// The factors of the projection without the dimensions that `gone` says.
    pub fn forget_where(&self, gone: impl Fn(Dim) -> bool) -> Vec<Block> {
        let columns: Vec<usize> = (1..=self.dims().len()).filter(|j| gone(self.dims()[j - 1])).collect();
        if columns.is_empty() {
            return vec![self.clone()];
        }
        if columns.len() == self.dims().len() {
            return Vec::new();
        }
        let left: Arc<[Dim]> = self.dims().iter().copied().filter(|d| !gone(*d)).collect();
        run(&Forget(&columns), &[self.dd()]).map_or_else(Vec::new, |dd| Block::new(left, dd).split())
    }

    /// The hull with a block over the same dimensions; it may be decomposable.
    pub fn hull(&self, other: &Block) -> Option<Block> {
        // Start from the side with more generators: those of the other one are added one by one.
        let (base, more) = if self.generator_count() >= other.generator_count() { (self, other) } else { (other, self) };
        let dd = run(&Generated { base: true, quantified: &[] }, &[base.dd(), more.dd()])?;
        Some(Block::new(self.body.dims.clone(), dd))
    }

    /// The generators of the projection on `dims`, some of its own, without constraints.
    pub fn generators_on(&self, dims: &[Dim]) -> Block {
        let from = columns(self, dims);
        let dd = run(&GeneratorsOf(&from), &[self.dd()]).unwrap_or_else(|| AnyDd::universe(dims.len()));
        Block::new(dims.into(), dd)
    }

    /// The generators of blocks over the same dimensions, without constraints.
    pub fn all_generators(blocks: &[Block]) -> Option<Block> {
        let first = blocks.first()?;
        let dds: Vec<&AnyDd> = blocks.iter().map(Block::dd).collect();
        run(&AllGenerators, &dds).map(|dd| Block::new(first.body.dims.clone(), dd))
    }

    /// Whether one incremental conversion costs less than to put it off, by measurement.
    pub fn is_small(&self) -> bool {
        match self.known() {
            AnyDd::Small(dd) => dd.has_generators() && dd.cons.ray.rows() <= SMALL,
            AnyDd::Big(_) => false,
        }
    }

    /// The number of points, rays and lines; the generators are there.
    pub fn generator_count(&self) -> usize {
        match self.known() {
            AnyDd::Small(dd) => dd.gens.lin.rows() + dd.gens.ray.rows(),
            AnyDd::Big(dd) => dd.gens.lin.rows() + dd.gens.ray.rows(),
        }
    }

    /// The result of an operation on two blocks over the same dimensions that reads only the constraints of the second.
    pub fn apply_constraints<O: Op>(&self, other: &Block, op: &O) -> Option<Block> {
        debug_assert_eq!(self.dims(), other.dims());
        run(op, &[self.dd(), other.known()]).map(|dd| Block::new(self.body.dims.clone(), dd))
    }

    pub fn column(&self, d: Dim) -> Option<usize> {
        if d < self.first || d > self.last {
            return None;
        }
        self.dims().binary_search(&d).ok().map(|j| j + 1)
    }

    /// The product with a block over other dimensions.
    pub fn times(&self, other: &Block) -> Block {
        let mut dims: Vec<Dim> = self.dims().iter().chain(other.dims()).copied().collect();
        dims.sort();
        let (left, right) = (columns(self, &dims), columns(other, &dims));
        let dd = run(&Product { left: &left, right: &right }, &[self.dd(), other.dd()]);
        let dd = dd.unwrap_or_else(|| AnyDd::universe(dims.len()));
        Block::new(dims.into(), dd)
    }

    /// The product with the whole space of `extra` (sorted, none of them in the block).
    pub fn with_free(&self, extra: &[Dim]) -> Block {
        if extra.is_empty() {
            return self.clone();
        }
        let mut dims: Vec<Dim> = self.dims().iter().chain(extra).copied().collect();
        dims.sort();
        let from = columns(self, &dims);
        let dd = run(&WithFree(&from), &[self.known()]).unwrap_or_else(|| AnyDd::universe(dims.len()));
        Block::new(dims.into(), dd)
    }

    /// The product of several blocks and the whole space of `extra` (sorted, not in any block).
    pub fn product(blocks: &[Block], extra: &[Dim]) -> Block {
        let Some((first, others)) = blocks.split_first() else { return Block::universe(extra) };
        let all = others.iter().fold(first.clone(), |product, b| product.times(b));
        all.with_free(extra)
    }

    /// The product of several blocks and the whole space of `extra` for those who read only constraints: generators, of which
    /// a product has many, are not computed.
    pub fn constraint_product(blocks: &[Block], extra: &[Dim]) -> Block {
        let Some((first, others)) = blocks.split_first() else { return Block::universe(extra) };
        let times = |a: Block, b: &Block| {
            let mut dims: Vec<Dim> = a.dims().iter().chain(b.dims()).copied().collect();
            dims.sort();
            let (left, right) = (columns(&a, &dims), columns(b, &dims));
            let dd = run(&ConstraintProduct { left: &left, right: &right }, &[a.known(), b.known()]);
            Block::new(dims.as_slice().into(), dd.unwrap_or_else(|| AnyDd::universe(dims.len())))
        };
        let all = others.iter().fold(first.clone(), times);
        if extra.is_empty() {
            all
        } else {
            times(all, &Block::universe(extra))
        }
    }

    /// The block with a new dimension that has the value of `expr`.
    pub fn define(&self, x: Dim, expr: &LinExpr) -> Block {
        let mut dims = self.dims().to_vec();
        dims.insert(dims.partition_point(|d| *d < x), x);
        let dd = run(&Define { dims: &dims, x, expr }, &[self.known()]);
        let dd = dd.unwrap_or_else(|| AnyDd::universe(dims.len()));
        Block::new(dims.into(), dd)
    }

    /// The factors of the finest decomposition; dimensions that are unconstrained disappear.
    pub fn split(self) -> Vec<Block> {
        let groups = self.known().components();
        if groups.len() == 1 && groups[0].len() == self.dims().len() {
            return vec![self];
        }
        let factor = |g: &Vec<usize>| Block::new(g.iter().map(|c| self.dims()[c - 1]).collect(), self.known().factor(g));
        groups.iter().map(factor).collect()
    }

    /// The range of `expr` without its constant and without the dimensions of other blocks.
    pub fn range(&self, expr: &LinExpr) -> Range {
        match self.dd() {
            AnyDd::Small(dd) => match to_row(expr, self.dims()) {
                Ok(row) => range(dd, row),
                Err(_) => range(&self.dd().to_big(), to_row(expr, self.dims()).unwrap_or_default()),
            },
            AnyDd::Big(dd) => range(dd, to_row(expr, self.dims()).unwrap_or_default()),
        }
    }

    /// Whether `e ⋈ 0` holds everywhere in the block, which has all dimensions of `e`.
    pub fn entails(&self, e: &LinExpr, kind: ConsKind) -> bool {
        if let AnyDd::Small(dd) = self.dd() {
            if let Ok(row) = to_row(e, self.dims()) {
                return holds(dd, &row, kind);
            }
        }
        to_row::<Int>(e, self.dims()).is_ok_and(|row| holds(&self.dd().to_big(), &row, kind))
    }

    /// Whether this block is included in another one over the same dimensions.
    pub fn leq(&self, other: &Block) -> bool {
        if self.is(other) {
            return true;
        }
        fn included<T: Coef>(a: &Dd<T>, b: &Dd<T>) -> bool {
            b.cons.lin.iter().all(|row| holds(a, row, ConsKind::Eq)) && b.cons.ray.iter().all(|row| holds(a, row, ConsKind::Ge))
        }
        match (self.dd(), other.known()) {
            (AnyDd::Small(a), AnyDd::Small(b)) => included(a, b),
            (a, b) => included(&a.to_big(), &b.to_big()),
        }
    }

    /// The constraints as expressions: equalities, then inequalities, sorted, without positivity.
    pub fn rows(&self) -> Vec<(LinExpr, ConsKind)> {
        fn collect<T: Coef>(dd: &Dd<T>, dims: &[Dim]) -> Vec<(LinExpr, ConsKind)> {
            let mut ge: Vec<&[T]> = dd.cons.ray.iter().filter(|r| !Dd::is_positivity(r)).collect();
            ge.sort();
            let eq = dd.cons.lin.iter().map(|r| (to_expr(r, dims), ConsKind::Eq));
            eq.chain(ge.into_iter().map(|r| (to_expr(r, dims), ConsKind::Ge))).collect()
        }
        match self.known() {
            AnyDd::Small(dd) => collect(dd, self.dims()),
            AnyDd::Big(dd) => collect(dd, self.dims()),
        }
    }

    /// The constraints with integer normalisation.
    pub fn constraints(&self) -> Vec<LinCons> {
        self.rows().into_iter().map(|(e, kind)| LinCons::new(e, kind)).collect()
    }

    /// Generators: lines and rays have the divisor 0. Sorted.
    pub fn generators(&self) -> (Vec<LinExpr>, Vec<LinExpr>) {
        fn collect<T: Coef>(dd: &Dd<T>, dims: &[Dim]) -> (Vec<LinExpr>, Vec<LinExpr>) {
            let mut rays: Vec<&[T]> = dd.gens.ray.iter().collect();
            rays.sort();
            (dd.gens.lin.iter().map(|r| to_expr(r, dims)).collect(), rays.into_iter().map(|r| to_expr(r, dims)).collect())
        }
        match self.dd() {
            AnyDd::Small(dd) => collect(dd, self.dims()),
            AnyDd::Big(dd) => collect(dd, self.dims()),
        }
    }

    /// The number of equalities, and the codimension of the span of the recession cone.
    pub fn boundedness(&self) -> (usize, usize) {
        fn measure<T: Coef>(dd: &Dd<T>) -> (usize, usize) {
            let mut span = dd.gens.lin.clone();
            dd.gens.ray.iter().filter(|r| r[0].is_zero()).for_each(|r| span.push(r));
            let rank = super::minimize::row_echelon(&mut span).map(|()| span.rows()).unwrap_or(0);
            (dd.cons.lin.rows(), dd.cols() - 1 - rank)
        }
        // With big integers the rank cannot overflow.
        measure(&self.dd().to_big())
    }
}

/// For each column of a matrix over `dims` the column of the block, if it has one; column 0 is the homogeneous coordinate.
pub fn columns(b: &Block, dims: &[Dim]) -> Vec<Option<usize>> {
    [Some(0)].into_iter().chain(dims.iter().map(|d| b.column(*d))).collect()
}

fn holds<T: Coef>(dd: &Dd<T>, row: &[T], kind: ConsKind) -> bool {
    let sign = |g: &[T]| T::prod_sign(&T::dot(row, g));
    let least = if kind == ConsKind::Eq { 0 } else { 1 };
    dd.gens.lin.iter().all(|l| sign(l) == 0) && dd.gens.ray.iter().all(|r| (0..=least).contains(&sign(r)))
}

fn range<T: Coef>(dd: &Dd<T>, mut row: Vec<T>) -> Range {
    row[0] = T::zero();
    if dd.gens.lin.iter().any(|l| T::prod_sign(&T::dot(&row, l)) != 0) {
        return Range { inf: None, sup: None };
    }
    let (mut down, mut up) = (false, false);
    let mut ends: Option<(Rat, Rat)> = None;
    for g in dd.gens.ray.iter() {
        let p = T::dot(&row, g);
        if g[0].is_zero() {
            match T::prod_sign(&p) {
                1 => up = true,
                -1 => down = true,
                _ => {}
            }
            continue;
        }
        let v = Rat::new(T::prod_to_int(&p), g[0].to_int());
        ends = Some(match ends {
            None => (v.clone(), v),
            Some((lo, hi)) if v < lo => (v, hi),
            Some((lo, hi)) if v > hi => (lo, v),
            Some(e) => e,
        });
    }
    let (lo, hi) = ends.unzip();
    Range { inf: lo.filter(|_| !down), sup: hi.filter(|_| !up) }
}
