//! A formula as a list of nodes, operands first, that is evaluated over and over.

use plumb_term::visit::postorder;
use plumb_term::{Cell, FBinOp, FCmpOp, FRange, FTest, FUnOp, FloatTy, IntTy, Kind, Range, Scalar, Sort, Term, Var, VarTy};
use rustc_hash::FxHashMap;

/// The position of a node.
pub(super) type Id = usize;

/// What is known of a value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Set {
    /// Of a truth value: that it is this one, if it is known.
    Bool(Option<bool>),
    Int(Range),
    Float(FRange),
    /// Of a memory, which is looked at through loads only.
    Mem,
    /// There is none: the box has no point.
    Nothing,
}

/// An unknown of the formula.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Unknown {
    Var(Var),
    /// A scalar in an unknown memory.
    Cell(Var, Scalar, i128),
}

impl Unknown {
    pub(super) fn all(self) -> Set {
        match self {
            Unknown::Var(v) => match v.ty {
                VarTy::Bool => Set::Bool(None),
                VarTy::Int => Set::Int(Range::ALL),
                VarTy::Scalar(s) => Set::of_scalar(s),
                VarTy::Mem(_) => Set::Mem,
            },
            Unknown::Cell(_, s, _) => Set::of_scalar(s),
        }
    }
}

impl Set {
    pub(super) fn of_scalar(s: Scalar) -> Set {
        match s {
            Scalar::Int(t) => Set::Int(Range::of_type(t)),
            Scalar::Float(t) => Set::Float(FRange::all(t)),
        }
    }

    pub(super) fn of_sort(s: Sort) -> Set {
        match s {
            Sort::Bool => Set::Bool(None),
            Sort::Int => Set::Int(Range::ALL),
            Sort::Float(t) => Set::Float(FRange::all(t)),
            Sort::Mem(_) => Set::Mem,
        }
    }

    pub(super) fn int(self) -> Range {
        match self {
            Set::Int(r) => r,
            _ => Range::ALL,
        }
    }

    pub(super) fn truth(self) -> Option<bool> {
        match self {
            Set::Bool(b) => b,
            _ => None,
        }
    }

    /// Whether it has one element. Of NaN only the pattern may be open.
    pub(super) fn is_point(self) -> bool {
        match self {
            Set::Bool(b) => b.is_some(),
            Set::Int(r) => r.lo.is_some() && r.lo == r.hi,
            Set::Float(f) => f.point().is_some() || (f.nan && !f.has_numbers()),
            Set::Mem | Set::Nothing => true,
        }
    }

    pub(super) fn join(self, o: Set) -> Set {
        match (self, o) {
            (Set::Bool(a), Set::Bool(b)) => Set::Bool(a.filter(|a| Some(*a) == b)),
            (Set::Int(a), Set::Int(b)) => Set::Int(a.join(b)),
            (Set::Float(a), Set::Float(b)) => Set::Float(a.join(b)),
            (Set::Nothing, s) | (s, Set::Nothing) => s,
            _ => Set::Mem,
        }
    }

    pub(super) fn meet(self, o: Set) -> Set {
        match (self, o) {
            (Set::Bool(Some(a)), Set::Bool(Some(b))) if a != b => Set::Nothing,
            (Set::Bool(a), Set::Bool(b)) => Set::Bool(a.or(b)),
            (Set::Int(a), Set::Int(b)) => {
                let r = a.intersection(b);
                if r.lo.zip(r.hi).is_some_and(|(l, h)| l > h) {
                    Set::Nothing
                } else {
                    Set::Int(r)
                }
            }
            (Set::Float(a), Set::Float(b)) => {
                let r = a.meet(b);
                if r.is_empty() {
                    Set::Nothing
                } else {
                    Set::Float(r)
                }
            }
            (Set::Mem, Set::Mem) => Set::Mem,
            _ => Set::Nothing,
        }
    }
}

/// The operator of a node; operands come before it.
#[derive(Clone, Debug)]
pub(super) enum Node {
    Constant(Set),
    Unknown(usize),
    Not(Id),
    And(Box<[Id]>),
    Or(Box<[Id]>),
    Ite(Id, Id, Id),
    Eq(Id, Id),
    Le(Id, Id),
    /// The constant as a range, coefficients, and atoms.
    Lin(Range, Box<[(plumb_term::IBig, Id)]>),
    /// Integer operators with two operands, by the term.
    Int2(Int2, Id, Id),
    Wrap(IntTy, Id),
    FBin(FBinOp, Id, Id),
    FUn(FUnOp, Id),
    FCmp(FCmpOp, Id, Id),
    FTest(FTest, Id),
    FFromInt(FloatTy, Id),
    FToInt(IntTy, Id),
    FCast(FloatTy, Id),
    FBits(Id),
    FFromBits(FloatTy, Id),
    Load(Scalar, Id, Id),
    Store(Scalar, Id, Id, Id),
    ZeroMem,
    /// An unknown memory.
    Memory(Var),
    /// Nothing is known of its value but its sort.
    Opaque(Set),
}

/// Integer operators of two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Int2 {
    Mul,
    Div,
    Rem,
    BitAnd,
    BitOr,
    BitXor,
    Shl,
    Shr,
}

/// What every value of an integer term is modulo something: `rest` modulo `modulus`, a power of two or zero for the value itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Class {
    pub(super) modulus: i128,
    pub(super) rest: i128,
}

impl Class {
    const ANY: Class = Class { modulus: 1, rest: 0 };

    /// Whether a value of the one class can be a value of the other.
    pub(super) fn meets(self, o: Class) -> bool {
        let common = self.modulus.min(o.modulus);
        (self.rest - o.rest).rem_euclid(common) == 0
    }
}

/// A compiled formula.
#[derive(Debug)]
pub(super) struct Code {
    pub(super) nodes: Vec<Node>,
    /// The sets of nodes as their shapes bound them.
    pub(super) shapes: Vec<Set>,
    pub(super) classes: Vec<Class>,
    pub(super) unknowns: Vec<Unknown>,
    /// The node of each unknown.
    pub(super) places: Vec<Id>,
    /// Cells of unknown memories, by address.
    pub(super) cells: FxHashMap<(Var, Scalar), Vec<(i128, usize)>>,
    /// Nodes of the conjuncts.
    pub(super) roots: Vec<Id>,
    /// The cells of a memory node: whether they are scalars.
    pub(super) whole: Vec<bool>,
}

impl Code {
    pub(super) fn new(formula: Term) -> Code {
        let mut code = Code {
            nodes: Vec::new(),
            shapes: Vec::new(),
            classes: Vec::new(),
            unknowns: Vec::new(),
            places: Vec::new(),
            cells: FxHashMap::default(),
            roots: Vec::new(),
            whole: Vec::new(),
        };
        let conjuncts = formula.conjuncts();
        let mut at: FxHashMap<Term, Id> = FxHashMap::default();
        for t in postorder(conjuncts.iter().copied()) {
            let node = code.node(t, &|c| at[&c]);
            let shape = match t.sort() {
                Sort::Int => Set::Int(t.range()),
                s => Set::of_sort(s),
            };
            at.insert(t, code.nodes.len());
            code.classes.push(code.class(&node));
            code.nodes.push(node);
            code.shapes.push(shape);
            code.whole.push(matches!(t.sort(), Sort::Mem(Cell::Scalar(_))));
        }
        for cells in code.cells.values_mut() {
            cells.sort_unstable();
        }
        code.roots = conjuncts.iter().map(|c| at[c]).collect();
        code
    }

    fn unknown(&mut self, u: Unknown) -> Node {
        // A term is met once, so an unknown is new.
        self.unknowns.push(u);
        self.places.push(self.nodes.len());
        Node::Unknown(self.unknowns.len() - 1)
    }

    fn node(&mut self, t: Term, at: &dyn Fn(Term) -> Id) -> Node {
        use Kind::*;
        match t.kind() {
            Bool(b) => Node::Constant(Set::Bool(Some(*b))),
            Int(v) => Node::Constant(Set::Int(Range::of_value(v))),
            Float(f) => Node::Constant(Set::Float(FRange::of(*f))),
            Var(v) => match v.ty {
                VarTy::Mem(_) => Node::Memory(*v),
                _ => self.unknown(Unknown::Var(*v)),
            },
            Not(a) => Node::Not(at(*a)),
            And(ts) => Node::And(ts.iter().map(|t| at(*t)).collect()),
            Or(ts) => Node::Or(ts.iter().map(|t| at(*t)).collect()),
            Ite(c, a, b) => Node::Ite(at(*c), at(*a), at(*b)),
            Eq(a, _) if matches!(a.sort(), Sort::Mem(_)) => Node::Opaque(Set::Bool(None)),
            Eq(a, b) => Node::Eq(at(*a), at(*b)),
            Le(a, b) => Node::Le(at(*a), at(*b)),
            Lin(lin) => Node::Lin(Range::of_value(&lin.constant), lin.parts.iter().map(|(k, a)| (k.clone(), at(*a))).collect()),
            Mul(a, b) => Node::Int2(Int2::Mul, at(*a), at(*b)),
            Div(a, b) => Node::Int2(Int2::Div, at(*a), at(*b)),
            Rem(a, b) => Node::Int2(Int2::Rem, at(*a), at(*b)),
            BitAnd(a, b) => Node::Int2(Int2::BitAnd, at(*a), at(*b)),
            BitOr(a, b) => Node::Int2(Int2::BitOr, at(*a), at(*b)),
            BitXor(a, b) => Node::Int2(Int2::BitXor, at(*a), at(*b)),
            Shl(a, b) => Node::Int2(Int2::Shl, at(*a), at(*b)),
            Shr(a, b) => Node::Int2(Int2::Shr, at(*a), at(*b)),
            Wrap(ty, a) => Node::Wrap(*ty, at(*a)),
            FBin(op, a, b) => Node::FBin(*op, at(*a), at(*b)),
            FUn(op, a) => Node::FUn(*op, at(*a)),
            FCmp(op, a, b) => Node::FCmp(*op, at(*a), at(*b)),
            FTest(test, a) => Node::FTest(*test, at(*a)),
            FFromInt(ty, a) => Node::FFromInt(*ty, at(*a)),
            FToInt(ty, a) => Node::FToInt(*ty, at(*a)),
            FCast(ty, a) => Node::FCast(*ty, at(*a)),
            FBits(a) => Node::FBits(at(*a)),
            FFromBits(ty, a) => Node::FFromBits(*ty, at(*a)),
            ZeroMem(_) => Node::ZeroMem,
            Load(ty, m, a) => match (m.as_var(), a.as_int().and_then(|a| i128::try_from(a).ok())) {
                (Some(m), Some(a)) => {
                    let node = self.unknown(Unknown::Cell(m, *ty, a));
                    self.cells.entry((m, *ty)).or_default().push((a, self.unknowns.len() - 1));
                    node
                }
                _ => Node::Load(*ty, at(*m), at(*a)),
            },
            Store(ty, m, a, v) => Node::Store(*ty, at(*m), at(*a), at(*v)),
            Splice { .. } => Node::Opaque(Set::Mem),
        }
    }

    /// The class of a node's values, from those of its operands.
    fn class(&self, node: &Node) -> Class {
        const MOST: i128 = 1 << 16;
        let reduce = |modulus: i128, rest: i128| {
            let modulus = if modulus == 0 { MOST } else { modulus.min(MOST) };
            Class { modulus, rest: rest.rem_euclid(modulus) }
        };
        match node {
            Node::Constant(Set::Int(Range { lo: Some(l), hi: Some(h) })) if l == h => reduce(0, *l),
            Node::Lin(Range { lo: Some(l), hi: Some(h) }, parts) if l == h => {
                let mut sum = reduce(0, *l);
                for (k, a) in parts {
                    let Ok(k) = i128::try_from(k) else { return Class::ANY };
                    let a = self.classes[*a];
                    // k·(rest + n·modulus), modulo the largest power of two in k·modulus.
                    let power = 1i128 << (k.trailing_zeros() + a.modulus.trailing_zeros()).min(16);
                    let modulus = sum.modulus.min(power);
                    let Some(product) = k.checked_mul(a.rest) else { return Class::ANY };
                    sum = reduce(modulus, sum.rest.wrapping_add(product.rem_euclid(modulus)));
                }
                sum
            }
            // Conversion to n bits keeps what is known modulo 2ⁿ.
            Node::Wrap(ty, a) if ty.bits >= 16 => self.classes[*a],
            Node::Ite(_, a, b) => {
                let (a, b) = (self.classes[*a], self.classes[*b]);
                let modulus = a.modulus.min(b.modulus);
                if (a.rest - b.rest).rem_euclid(modulus) == 0 {
                    reduce(modulus, a.rest)
                } else {
                    Class::ANY
                }
            }
            _ => Class::ANY,
        }
    }
}
