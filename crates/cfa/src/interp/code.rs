//! The terms of an edge, compiled once into a straight line of instructions over registers.
//!
//! Every subterm is computed once, operands first. Variables and constants are read in place. Memories are not values: a term of
//! memory sort becomes a [`View`], which says how its cells are found, or what is to be written where.

use crate::program::{Program, VarKind};
use plumb_term::visit::postorder;
use plumb_term::{FBinOp, FCmpOp, FTest, FUnOp, FloatTy, IBig, IntTy, Kind, Lin, Scalar, Sort, Term, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::value::Val;

/// Where an operand is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Src {
    Var(u32),
    Reg(u32),
    Const(u32),
}

/// Operators on two integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum IntOp {
    Le,
    Mul,
    Div,
    Rem,
    And,
    Or,
    Xor,
    Shl,
    Shr,
}

/// What an instruction computes.
#[derive(Clone, Debug)]
pub(super) enum Do {
    Lin {
        constant: i128,
        parts: Box<[(i128, Src)]>,
    },
    /// A form with numbers beyond `i128`.
    LinBig {
        lin: &'static Lin,
        parts: Box<[Src]>,
    },
    Int(IntOp, Src, Src),
    Eq(Src, Src),
    Wrap(IntTy, Src),
    Not(Src),
    /// Whether none of them is `unit` xor'ed: conjunction for `true`, disjunction for `false`.
    Junction {
        unit: bool,
        of: Box<[Src]>,
    },
    Ite(Src, Src, Src),
    FBin(FBinOp, Src, Src),
    FUn(FUnOp, Src),
    FCmp(FCmpOp, Src, Src),
    FTest(FTest, Src),
    FFromInt(FloatTy, Src),
    FToInt(IntTy, Src),
    FCast(FloatTy, Src),
    FBits(Src),
    FFromBits(FloatTy, Src),
    /// `partial`: only some of the bits matter (see [`partial_load`]).
    Load {
        ty: Scalar,
        region: u32,
        addr: Src,
        partial: bool,
    },
    LoadView {
        ty: Scalar,
        view: u32,
        addr: Src,
    },
}

/// An instruction and the register it sets.
#[derive(Clone, Debug)]
pub(super) struct Instr {
    pub(super) dst: u32,
    pub(super) what: Do,
}

/// A term of memory sort.
#[derive(Clone, Debug)]
pub(super) enum View {
    Region(u32),
    Zero,
    Store { ty: Scalar, inner: u32, addr: Src, value: Src },
    Splice { mem: u32, src: u32, lo: Src, len: Src },
    Ite(Src, u32, u32),
}

/// The compiled terms of one edge.
#[derive(Clone, Debug, Default)]
pub(super) struct Code {
    pub(super) instrs: Vec<Instr>,
    pub(super) consts: Vec<Val>,
    pub(super) views: Vec<View>,
    pub(super) registers: u32,
}

#[derive(Clone, Copy)]
enum Place {
    Value(Src),
    Memory(u32),
}

/// Compiles the terms of one edge; an error is a sentence about a malformed program.
pub(super) struct Compiler<'p> {
    program: &'p Program,
    pub(super) code: Code,
    places: FxHashMap<Term, Place>,
    partial: FxHashSet<Term>,
}

impl<'p> Compiler<'p> {
    pub(super) fn new(program: &'p Program) -> Compiler<'p> {
        Compiler { program, code: Code::default(), places: FxHashMap::default(), partial: FxHashSet::default() }
    }

    /// Compiles a Boolean, integer or float term.
    pub(super) fn value(&mut self, t: Term) -> Result<Src, String> {
        self.compile(t)?;
        self.src(t)
    }

    /// Compiles a term of memory sort.
    pub(super) fn memory(&mut self, t: Term) -> Result<u32, String> {
        self.compile(t)?;
        self.view(t)
    }

    /// The region whose contents a variable holds.
    pub(super) fn region(&self, v: VarId) -> Result<u32, String> {
        match self.program.vars.get(v.0 as usize).map(|i| i.kind) {
            Some(VarKind::Region(r)) if (r.0 as usize) < self.program.regions.len() => Ok(r.0),
            _ => Err(format!("variable {} does not hold a region", v.0)),
        }
    }

    fn compile(&mut self, root: Term) -> Result<(), String> {
        if self.places.contains_key(&root) {
            return Ok(());
        }
        let order = postorder([root]);
        self.partial.extend(order.iter().filter_map(|t| partial_load(*t)));
        for t in order {
            if !self.places.contains_key(&t) {
                let place = self.node(t)?;
                self.places.insert(t, place);
            }
        }
        Ok(())
    }

    fn src(&self, t: Term) -> Result<Src, String> {
        match self.places.get(&t) {
            Some(Place::Value(s)) => Ok(*s),
            _ => Err("a memory stands where a value is needed".to_owned()),
        }
    }

    fn srcs(&self, ts: &[Term]) -> Result<Box<[Src]>, String> {
        ts.iter().map(|t| self.src(*t)).collect()
    }

    fn view(&self, t: Term) -> Result<u32, String> {
        match self.places.get(&t) {
            Some(Place::Memory(v)) => Ok(*v),
            _ => Err("a value stands where a memory is needed".to_owned()),
        }
    }

    fn constant(&mut self, v: Val) -> Place {
        self.code.consts.push(v);
        Place::Value(Src::Const(self.code.consts.len() as u32 - 1))
    }

    fn node(&mut self, t: Term) -> Result<Place, String> {
        if let Sort::Mem(_) = t.sort() {
            let view = self.memory_node(t)?;
            self.code.views.push(view);
            return Ok(Place::Memory(self.code.views.len() as u32 - 1));
        }
        let what = match t.kind() {
            Kind::Bool(b) => return Ok(self.constant(Val::bool(*b))),
            Kind::Int(v) => return Ok(self.constant(Val::big(v.clone()))),
            Kind::Float(f) => return Ok(self.constant(Val::Float(*f))),
            Kind::Var(v) => {
                let known = self.program.vars.get(v.id.0 as usize);
                if v.version != 0 || known.is_none_or(|info| info.ty != v.ty) {
                    return Err(format!("a term has the foreign variable {} at version {}", v.id.0, v.version));
                }
                return Ok(Place::Value(Src::Var(v.id.0)));
            }
            _ => self.operator(t)?,
        };
        let dst = self.code.registers;
        self.code.registers += 1;
        self.code.instrs.push(Instr { dst, what });
        Ok(Place::Value(Src::Reg(dst)))
    }

    fn operator(&self, t: Term) -> Result<Do, String> {
        let s = |t: &Term| self.src(*t);
        let int = |op, a: &Term, b: &Term| Ok(Do::Int(op, s(a)?, s(b)?));
        match t.kind() {
            Kind::Not(a) => Ok(Do::Not(s(a)?)),
            Kind::And(ts) => Ok(Do::Junction { unit: true, of: self.srcs(ts)? }),
            Kind::Or(ts) => Ok(Do::Junction { unit: false, of: self.srcs(ts)? }),
            Kind::Ite(c, a, b) => Ok(Do::Ite(s(c)?, s(a)?, s(b)?)),
            Kind::Eq(a, b) => Ok(Do::Eq(s(a)?, s(b)?)),
            Kind::Le(a, b) => int(IntOp::Le, a, b),
            Kind::Lin(lin) => {
                let small = |v: &IBig| i128::try_from(v).ok();
                let coefficients: Option<Vec<i128>> = lin.parts.iter().map(|(k, _)| small(k)).collect();
                let parts = lin.parts.iter().map(|(_, a)| s(a)).collect::<Result<Vec<Src>, String>>()?;
                Ok(match (small(&lin.constant), coefficients) {
                    (Some(constant), Some(k)) => Do::Lin { constant, parts: k.into_iter().zip(parts).collect() },
                    _ => Do::LinBig { lin, parts: parts.into() },
                })
            }
            Kind::Mul(a, b) => int(IntOp::Mul, a, b),
            Kind::Div(a, b) => int(IntOp::Div, a, b),
            Kind::Rem(a, b) => int(IntOp::Rem, a, b),
            Kind::BitAnd(a, b) => int(IntOp::And, a, b),
            Kind::BitOr(a, b) => int(IntOp::Or, a, b),
            Kind::BitXor(a, b) => int(IntOp::Xor, a, b),
            Kind::Shl(a, b) => int(IntOp::Shl, a, b),
            Kind::Shr(a, b) => int(IntOp::Shr, a, b),
            Kind::Wrap(ty, a) => Ok(Do::Wrap(*ty, s(a)?)),
            Kind::FBin(op, a, b) => Ok(Do::FBin(*op, s(a)?, s(b)?)),
            Kind::FUn(op, a) => Ok(Do::FUn(*op, s(a)?)),
            Kind::FCmp(op, a, b) => Ok(Do::FCmp(*op, s(a)?, s(b)?)),
            Kind::FTest(test, a) => Ok(Do::FTest(*test, s(a)?)),
            Kind::FFromInt(ty, a) => Ok(Do::FFromInt(*ty, s(a)?)),
            Kind::FToInt(ty, a) => Ok(Do::FToInt(*ty, s(a)?)),
            Kind::FCast(ty, a) => Ok(Do::FCast(*ty, s(a)?)),
            Kind::FBits(a) => Ok(Do::FBits(s(a)?)),
            Kind::FFromBits(ty, a) => Ok(Do::FFromBits(*ty, s(a)?)),
            Kind::Load(ty, m, a) => {
                let view = self.view(*m)?;
                let addr = s(a)?;
                Ok(match self.code.views[view as usize] {
                    View::Region(region) => Do::Load { ty: *ty, region, addr, partial: self.partial.contains(&t) },
                    _ => Do::LoadView { ty: *ty, view, addr },
                })
            }
            _ => Err("a memory stands where a value is needed".to_owned()),
        }
    }

    fn memory_node(&self, t: Term) -> Result<View, String> {
        match t.kind() {
            Kind::Var(v) if v.version == 0 => Ok(View::Region(self.region(v.id)?)),
            Kind::ZeroMem(_) => Ok(View::Zero),
            Kind::Store(ty, m, a, v) => Ok(View::Store { ty: *ty, inner: self.view(*m)?, addr: self.src(*a)?, value: self.src(*v)? }),
            Kind::Splice { mem, src, lo, len } => {
                Ok(View::Splice { mem: self.view(*mem)?, src: self.view(*src)?, lo: self.src(*lo)?, len: self.src(*len)? })
            }
            Kind::Ite(c, a, b) => Ok(View::Ite(self.src(*c)?, self.view(*a)?, self.view(*b)?)),
            _ => Err("a memory of a kind that no program has".to_owned()),
        }
    }
}

/// The load in the write of a bit-field: the old bytes, masked, or'ed with the new bits, go back to the same address. Their other bits may be
/// uninitialised without harm.
fn partial_load(store: Term) -> Option<Term> {
    let Kind::Store(ty, _, addr, value) = store.kind() else { return None };
    let masked = |t: Term| match t.kind() {
        Kind::BitAnd(a, b) => [*a, *b].into_iter().find(|t| matches!(t.kind(), Kind::Load(..))),
        Kind::Wrap(_, a) => Some(*a),
        Kind::Load(..) => Some(t),
        _ => None,
    };
    let sides = match value.kind() {
        Kind::BitOr(a, b) => [masked(*a), masked(*b)],
        Kind::Load(..) => [None, None],
        _ => [masked(*value), None],
    };
    sides.into_iter().flatten().find(|load| matches!(load.kind(), Kind::Load(t, _, a) if t == ty && a == addr))
}
