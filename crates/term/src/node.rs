//! Hash-consed terms.
//!
//! A [`Term`] is a pointer to a node that exists once per process, so equality is pointer equality and a term is `Copy`.
//! Nodes are never freed: engines run in processes of their own with a memory limit. Build terms with the constructors in
//! [`crate::build`], which normalise; match on [`Term::kind`] to read them.
//!
//! Semantics of the operators, all total:
//! * integers are mathematical; `Div`/`Rem` truncate as in C, `x / 0 = 0`, `x % 0 = x`;
//! * `Shl(a, n)` is `a·2ⁿ` and `Shr(a, n)` is `⌊a/2ⁿ⌋` for `0 ≤ n ≤ 255`, and 0 for other `n`;
//! * `BitAnd/BitOr/BitXor` act on infinite two's complement;
//! * floats round to nearest even; `FToInt(τ, x)` truncates, and gives `min(τ)` when `x` is NaN or out of range;
//! * `Load(τ, m, a)` reads `τ.bytes()` little-endian bytes from a byte memory, or the cell at `a` of a scalar memory;
//! * `Splice {mem, src, lo, len}` is `src` on `[lo, lo+len)` and `mem` elsewhere.

use crate::float::{Float, FloatTy};
use crate::range::Range;
use crate::ty::{Cell, IntTy, Scalar, Sort, Var};
use dashu_int::IBig;
use rustc_hash::{FxBuildHasher, FxHasher};
use std::borrow::Borrow;
use std::collections::HashSet;
use std::hash::{Hash, Hasher};
use std::sync::{LazyLock, Mutex, PoisonError};

/// A term: `Copy`, compared by identity, ordered by age.
#[derive(Clone, Copy)]
pub struct Term(&'static Node);

/// What a [`Term`] points to.
#[derive(Debug)]
pub struct Node {
    id: u32,
    sort: Sort,
    range: Range,
    kind: Kind,
}

/// Binary floating-point operators.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum FBinOp {
    Add,
    Sub,
    Mul,
    Div,
    /// C `fmod`.
    Rem,
    /// C `fmin`.
    Min,
    /// C `fmax`.
    Max,
    CopySign,
}

/// Unary floating-point operators.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum FUnOp {
    Neg,
    Abs,
    Sqrt,
    Floor,
    Ceil,
    Trunc,
    /// Half away from zero.
    Round,
    /// Half to even.
    Rint,
}

/// Floating-point comparisons (IEEE: false on NaN).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum FCmpOp {
    Eq,
    Lt,
    Le,
}

/// Floating-point classes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum FTest {
    Nan,
    Infinite,
    Normal,
    Subnormal,
    Zero,
    SignBit,
}

/// A linear form `constant + Σ coeff·atom`: atoms distinct, ordered by age, no zero coefficient, never a lone atom with
/// coefficient 1 and constant 0, and never without atoms.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Lin {
    /// The constant.
    pub constant: IBig,
    /// Coefficients and their atoms (integer terms that are not themselves linear forms or constants).
    pub parts: Box<[(IBig, Term)]>,
}

/// The operator at the root of a term.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Kind {
    Bool(bool),
    Int(IBig),
    Float(Float),
    Var(Var),
    Not(Term),
    And(Box<[Term]>),
    Or(Box<[Term]>),
    Ite(Term, Term, Term),
    /// On Bool, Int and memories (floats: bit-wise through `FBits`).
    Eq(Term, Term),
    Le(Term, Term),
    Lin(Lin),
    Mul(Term, Term),
    Div(Term, Term),
    Rem(Term, Term),
    Wrap(IntTy, Term),
    BitAnd(Term, Term),
    BitOr(Term, Term),
    BitXor(Term, Term),
    Shl(Term, Term),
    Shr(Term, Term),
    FBin(FBinOp, Term, Term),
    FUn(FUnOp, Term),
    FCmp(FCmpOp, Term, Term),
    FTest(FTest, Term),
    FFromInt(FloatTy, Term),
    FToInt(IntTy, Term),
    FCast(FloatTy, Term),
    /// The bit pattern, as an unsigned integer.
    FBits(Term),
    FFromBits(FloatTy, Term),
    ZeroMem(Cell),
    Load(Scalar, Term, Term),
    Store(Scalar, Term, Term, Term),
    Splice {
        mem: Term,
        src: Term,
        lo: Term,
        len: Term,
    },
}

#[derive(Clone, Copy)]
struct ByKind(&'static Node);

impl PartialEq for ByKind {
    fn eq(&self, o: &Self) -> bool {
        self.0.kind == o.0.kind
    }
}
impl Eq for ByKind {}
impl Hash for ByKind {
    fn hash<H: Hasher>(&self, h: &mut H) {
        self.0.kind.hash(h);
    }
}
impl Borrow<Kind> for ByKind {
    fn borrow(&self) -> &Kind {
        &self.0.kind
    }
}

static TABLE: LazyLock<Mutex<HashSet<ByKind, FxBuildHasher>>> = LazyLock::new(Mutex::default);

impl Term {
    /// The unique term of this kind, without any simplification: for the constructors of [`crate::build`] only.
    pub(crate) fn intern(kind: Kind) -> Term {
        let mut table = TABLE.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = table.get(&kind) {
            return Term(known.0);
        }
        let node = Node { id: table.len() as u32, sort: sort_of(&kind), range: range_of(&kind), kind };
        let node: &'static Node = Box::leak(Box::new(node));
        table.insert(ByKind(node));
        Term(node)
    }

    /// The operator and operands.
    pub fn kind(self) -> &'static Kind {
        &self.0.kind
    }

    /// The sort.
    pub fn sort(self) -> Sort {
        self.0.sort
    }

    /// A number that is unique in this process; older terms have smaller ones.
    pub fn id(self) -> u32 {
        self.0.id
    }

    /// What the shape says of an integer term's value.
    pub fn range(self) -> Range {
        self.0.range
    }

    /// The operands, in order.
    pub fn children(self) -> Children {
        use Kind::*;
        let mut few = [None; 4];
        let many: &'static [Term] = match self.kind() {
            Bool(_) | Int(_) | Float(_) | Var(_) | ZeroMem(_) => &[],
            And(ts) | Or(ts) => ts,
            Lin(lin) => return Children { few, many: &[], parts: &lin.parts, next: 0 },
            Not(a) | Wrap(_, a) | FUn(_, a) | FTest(_, a) | FFromInt(_, a) | FToInt(_, a) | FCast(_, a) | FBits(a) | FFromBits(_, a) => {
                few[0] = Some(*a);
                &[]
            }
            Eq(a, b)
            | Le(a, b)
            | Mul(a, b)
            | Div(a, b)
            | Rem(a, b)
            | BitAnd(a, b)
            | BitOr(a, b)
            | BitXor(a, b)
            | Shl(a, b)
            | Shr(a, b)
            | FBin(_, a, b)
            | FCmp(_, a, b)
            | Load(_, a, b) => {
                few[..2].copy_from_slice(&[Some(*a), Some(*b)]);
                &[]
            }
            Ite(a, b, c) | Store(_, a, b, c) => {
                few[..3].copy_from_slice(&[Some(*a), Some(*b), Some(*c)]);
                &[]
            }
            Splice { mem, src, lo, len } => {
                few = [Some(*mem), Some(*src), Some(*lo), Some(*len)];
                &[]
            }
        };
        Children { few, many, parts: &[], next: 0 }
    }
}

/// Iterator over the operands of a term.
#[derive(Clone, Debug)]
pub struct Children {
    few: [Option<Term>; 4],
    many: &'static [Term],
    parts: &'static [(IBig, Term)],
    next: usize,
}

impl Iterator for Children {
    type Item = Term;
    fn next(&mut self) -> Option<Term> {
        let i = self.next;
        self.next += 1;
        let few = self.few.get(i).copied().flatten();
        few.or_else(|| self.many.get(i).copied()).or_else(|| self.parts.get(i).map(|p| p.1))
    }
}

impl PartialEq for Term {
    fn eq(&self, o: &Self) -> bool {
        self.0.id == o.0.id
    }
}
impl Eq for Term {}
impl PartialOrd for Term {
    fn partial_cmp(&self, o: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(o))
    }
}
impl Ord for Term {
    fn cmp(&self, o: &Self) -> std::cmp::Ordering {
        self.0.id.cmp(&o.0.id)
    }
}
impl Hash for Term {
    fn hash<H: Hasher>(&self, h: &mut H) {
        h.write_u32(self.0.id);
    }
}

/// A hash of a term's structure that does not depend on the order in which terms were made.
pub fn structural_hash(t: Term) -> u64 {
    let mut seen: rustc_hash::FxHashMap<Term, u64> = rustc_hash::FxHashMap::default();
    for n in crate::visit::postorder([t]) {
        let mut h = FxHasher::default();
        std::mem::discriminant(n.kind()).hash(&mut h);
        match n.kind() {
            Kind::Bool(_) | Kind::Int(_) | Kind::Float(_) | Kind::Var(_) | Kind::ZeroMem(_) => n.kind().hash(&mut h),
            Kind::Lin(lin) => {
                lin.constant.hash(&mut h);
                // Parts are ordered by age, so combine them by a commutative operation.
                let sum = lin.parts.iter().fold(0u64, |acc, (k, a)| {
                    let mut p = FxHasher::default();
                    k.hash(&mut p);
                    seen[a].hash(&mut p);
                    acc.wrapping_add(p.finish())
                });
                sum.hash(&mut h);
            }
            Kind::And(ts) | Kind::Or(ts) => ts.iter().fold(0u64, |acc, t| acc.wrapping_add(seen[t])).hash(&mut h),
            k => {
                match k {
                    Kind::Wrap(t, _) | Kind::FToInt(t, _) => t.hash(&mut h),
                    Kind::FBin(o, ..) => o.hash(&mut h),
                    Kind::FUn(o, _) => o.hash(&mut h),
                    Kind::FCmp(o, ..) => o.hash(&mut h),
                    Kind::FTest(o, _) => o.hash(&mut h),
                    Kind::FFromInt(t, _) | Kind::FCast(t, _) | Kind::FFromBits(t, _) => t.hash(&mut h),
                    Kind::Load(t, ..) | Kind::Store(t, ..) => t.hash(&mut h),
                    _ => {}
                }
                for c in n.children() {
                    seen[&c].hash(&mut h);
                }
            }
        }
        seen.insert(n, h.finish());
    }
    seen[&t]
}

fn sort_of(kind: &Kind) -> Sort {
    use Kind::*;
    match kind {
        Bool(_) | Not(_) | And(_) | Or(_) | Eq(..) | Le(..) | FCmp(..) | FTest(..) => Sort::Bool,
        Int(_) | Lin(_) | Mul(..) | Div(..) | Rem(..) | Wrap(..) | BitAnd(..) | BitOr(..) | BitXor(..) | Shl(..) | Shr(..) | FToInt(..)
        | FBits(_) => Sort::Int,
        Float(f) => Sort::Float(f.ty),
        Var(v) => v.ty.sort(),
        Ite(_, a, _) | FBin(_, a, _) | FUn(_, a) => a.sort(),
        FFromInt(t, _) | FCast(t, _) | FFromBits(t, _) => Sort::Float(*t),
        ZeroMem(c) => Sort::Mem(*c),
        Load(Scalar::Int(_), ..) => Sort::Int,
        Load(Scalar::Float(t), ..) => Sort::Float(*t),
        Store(_, m, ..) | Splice { mem: m, .. } => m.sort(),
    }
}

fn range_of(kind: &Kind) -> Range {
    use crate::ty::VarTy;
    use Kind::*;
    match kind {
        Int(v) => Range::of_value(v),
        Var(crate::ty::Var { ty: VarTy::Scalar(Scalar::Int(t)), .. }) => Range::of_type(*t),
        Ite(_, a, b) => a.range().join(b.range()),
        Lin(lin) => lin.parts.iter().fold(Range::of_value(&lin.constant), |r, (k, a)| r.plus(a.range().scale(k))),
        Mul(a, b) => a.range().times(b.range()),
        Div(a, b) => a.range().quotients(b.range()),
        Rem(a, b) => a.range().remainders(b.range()),
        Wrap(t, _) | FToInt(t, _) => Range::of_type(*t),
        BitAnd(a, b) => {
            let mut r = a.range().bitwise(b.range());
            for side in [a.range(), b.range()] {
                if side.lo.is_some_and(|l| l >= 0) {
                    r.lo = Some(0);
                    r.hi = match (r.hi, side.hi) {
                        (Some(x), Some(y)) => Some(x.min(y)),
                        (x, y) => x.or(y),
                    };
                }
            }
            r
        }
        BitOr(a, b) | BitXor(a, b) => a.range().bitwise(b.range()),
        Shl(a, _) => Range { lo: a.range().lo.filter(|l| *l >= 0).map(|_| 0), hi: a.range().hi.filter(|h| *h <= 0).map(|_| 0) },
        Shr(a, _) => Range { lo: a.range().lo.map(|l| l.min(0)), hi: a.range().hi.map(|h| h.max(0)) },
        FBits(a) => match a.sort() {
            Sort::Float(t) => Range::of_type(IntTy::unsigned(t.bits() as u16)),
            _ => Range::ALL,
        },
        Load(Scalar::Int(t), ..) => Range::of_type(*t),
        _ => Range::ALL,
    }
}
