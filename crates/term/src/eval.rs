//! The meaning of terms: evaluation under an assignment of values to variables.
//!
//! The functions on plain values ([`div`], [`fbin`], …) are the definition of the operators; the constructors fold constants
//! with them, the interpreter executes them, and the solver encodings are tested against them.

use crate::float::{Float, FloatTy, RoundMode};
pub use crate::memory::MemValue;
use crate::node::{FBinOp, FCmpOp, FTest, FUnOp, Kind, Term};
use crate::ty::{IntTy, Scalar, Var, VarTy};
use dashu_int::IBig;
use rustc_hash::FxHashMap;

/// A value of any sort.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(IBig),
    /// A float.
    Float(Float),
    /// A memory.
    Mem(MemValue),
}

impl Value {
    /// The value of a variable about which nothing is known: false, zero, a memory of zeros.
    pub fn default_of(ty: VarTy) -> Value {
        match ty {
            VarTy::Bool => Value::Bool(false),
            VarTy::Int | VarTy::Scalar(Scalar::Int(_)) => Value::Int(IBig::ZERO),
            VarTy::Scalar(Scalar::Float(ty)) => Value::Float(Float::zero(ty)),
            VarTy::Mem(cell) => Value::Mem(MemValue::zero(cell)),
        }
    }
}

/// C division; 0 when dividing by zero.
pub fn div(a: &IBig, b: &IBig) -> IBig {
    if *b == IBig::ZERO {
        IBig::ZERO
    } else {
        a / b
    }
}

/// C remainder; the dividend when dividing by zero.
pub fn rem(a: &IBig, b: &IBig) -> IBig {
    if *b == IBig::ZERO {
        a.clone()
    } else {
        a % b
    }
}

/// A shift count within its domain `0..=255`.
pub fn shift_count(n: &IBig) -> Option<usize> {
    usize::try_from(n).ok().filter(|n| *n <= 255)
}

/// `⌊a / 2^n⌋`.
pub fn floor_shr(a: &IBig, n: usize) -> IBig {
    // `>>` on IBig rounds towards negative infinity; do not depend on it.
    if *a >= IBig::ZERO {
        a >> n
    } else {
        -((-a + (IBig::ONE << n) - IBig::ONE) >> n)
    }
}

/// The low `bits` (at most 128) bits of the two's complement of `v`.
pub fn low_bits(v: &IBig, bits: u16) -> u128 {
    u128::try_from(IntTy::unsigned(bits).wrap(v)).unwrap_or(0)
}

/// Binary floating-point operators.
pub fn fbin(op: FBinOp, a: Float, b: Float) -> Float {
    match op {
        FBinOp::Add => a.add(b),
        FBinOp::Sub => a.sub(b),
        FBinOp::Mul => a.mul(b),
        FBinOp::Div => a.div(b),
        FBinOp::Rem => a.rem(b),
        FBinOp::Min => a.fmin(b),
        FBinOp::Max => a.fmax(b),
        FBinOp::CopySign => a.copysign(b),
    }
}

/// Unary floating-point operators.
pub fn fun(op: FUnOp, a: Float) -> Float {
    match op {
        FUnOp::Neg => a.neg(),
        FUnOp::Abs => a.abs(),
        FUnOp::Sqrt => a.sqrt(),
        FUnOp::Floor => a.round_to_integral(RoundMode::Down),
        FUnOp::Ceil => a.round_to_integral(RoundMode::Up),
        FUnOp::Trunc => a.round_to_integral(RoundMode::TowardZero),
        FUnOp::Round => a.round_to_integral(RoundMode::NearestAway),
        FUnOp::Rint => a.round_to_integral(RoundMode::NearestEven),
    }
}

/// Floating-point comparisons.
pub fn fcmp(op: FCmpOp, a: Float, b: Float) -> bool {
    match op {
        FCmpOp::Eq => a.feq(b),
        FCmpOp::Lt => Float::lt(a, b),
        FCmpOp::Le => Float::le(a, b),
    }
}

/// Floating-point classes.
pub fn ftest(test: FTest, a: Float) -> bool {
    match test {
        FTest::Nan => a.is_nan(),
        FTest::Infinite => a.is_infinite(),
        FTest::Normal => a.is_normal(),
        FTest::Subnormal => a.is_subnormal(),
        FTest::Zero => a.is_zero(),
        FTest::SignBit => a.sign_bit(),
    }
}

/// Truncation to an integer type; its least value when that is impossible.
pub fn fto_int(ty: IntTy, a: Float) -> IBig {
    a.to_int(RoundMode::TowardZero).filter(|v| ty.contains(v)).unwrap_or_else(|| ty.min())
}

/// Evaluates a term; `None` if a variable has no value or a value has the wrong sort.
pub fn eval(t: Term, env: &dyn Fn(Var) -> Option<Value>) -> Option<Value> {
    Evaluator::new(env).eval(t)
}

/// Evaluates many terms under one assignment; what they share is evaluated once.
pub struct Evaluator<'e> {
    env: &'e dyn Fn(Var) -> Option<Value>,
    done: FxHashMap<Term, Value>,
}

impl<'e> Evaluator<'e> {
    /// Under the assignment `env`.
    pub fn new(env: &'e dyn Fn(Var) -> Option<Value>) -> Evaluator<'e> {
        Evaluator { env, done: FxHashMap::default() }
    }

    /// The value of a term; `None` as for [`eval`].
    pub fn eval(&mut self, t: Term) -> Option<Value> {
        let mut stack = vec![(t, false)];
        while let Some((n, expanded)) = stack.pop() {
            if self.done.contains_key(&n) {
                continue;
            }
            if expanded {
                let v = eval_node(n, &self.done, self.env)?;
                self.done.insert(n, v);
            } else {
                stack.push((n, true));
                stack.extend(n.children().filter(|c| !self.done.contains_key(c)).map(|c| (c, false)));
            }
        }
        self.done.get(&t).cloned()
    }
}

fn from_bits(ty: FloatTy, v: &IBig) -> Float {
    Float { ty, bits: low_bits(v, ty.bits() as u16) }
}

fn eval_node(n: Term, done: &FxHashMap<Term, Value>, env: &dyn Fn(Var) -> Option<Value>) -> Option<Value> {
    let int = |t: &Term| match done.get(t) {
        Some(Value::Int(v)) => Some(v),
        _ => None,
    };
    let boolean = |t: &Term| match done.get(t) {
        Some(Value::Bool(v)) => Some(*v),
        _ => None,
    };
    let float = |t: &Term| match done.get(t) {
        Some(Value::Float(v)) => Some(*v),
        _ => None,
    };
    let mem = |t: &Term| match done.get(t) {
        Some(Value::Mem(v)) => Some(v),
        _ => None,
    };
    use Kind::*;
    Some(match n.kind() {
        Bool(b) => Value::Bool(*b),
        Int(v) => Value::Int(v.clone()),
        Float(f) => Value::Float(*f),
        Var(v) => env(*v)?,
        Not(a) => Value::Bool(!boolean(a)?),
        And(ts) => Value::Bool(ts.iter().map(boolean).collect::<Option<Vec<_>>>()?.into_iter().all(|b| b)),
        Or(ts) => Value::Bool(ts.iter().map(boolean).collect::<Option<Vec<_>>>()?.into_iter().any(|b| b)),
        Ite(c, a, b) => done.get(if boolean(c)? { a } else { b })?.clone(),
        Eq(a, b) => Value::Bool(done.get(a)? == done.get(b)?),
        Le(a, b) => Value::Bool(int(a)? <= int(b)?),
        Lin(lin) => {
            let mut sum = lin.constant.clone();
            for (k, a) in &lin.parts {
                sum += k * int(a)?;
            }
            Value::Int(sum)
        }
        Mul(a, b) => Value::Int(int(a)? * int(b)?),
        Div(a, b) => Value::Int(div(int(a)?, int(b)?)),
        Rem(a, b) => Value::Int(rem(int(a)?, int(b)?)),
        Wrap(ty, a) => Value::Int(ty.wrap(int(a)?)),
        BitAnd(a, b) => Value::Int(int(a)? & int(b)?),
        BitOr(a, b) => Value::Int(int(a)? | int(b)?),
        BitXor(a, b) => Value::Int(int(a)? ^ int(b)?),
        Shl(a, k) => Value::Int(shift_count(int(k)?).map_or(IBig::ZERO, |k| int(a).map_or(IBig::ZERO, |a| a << k))),
        Shr(a, k) => Value::Int(shift_count(int(k)?).map_or(IBig::ZERO, |k| int(a).map_or(IBig::ZERO, |a| floor_shr(a, k)))),
        FBin(op, a, b) => Value::Float(fbin(*op, float(a)?, float(b)?)),
        FUn(op, a) => Value::Float(fun(*op, float(a)?)),
        FCmp(op, a, b) => Value::Bool(fcmp(*op, float(a)?, float(b)?)),
        FTest(test, a) => Value::Bool(ftest(*test, float(a)?)),
        FFromInt(ty, a) => Value::Float(crate::float::Float::from_int(*ty, int(a)?)),
        FToInt(ty, a) => Value::Int(fto_int(*ty, float(a)?)),
        FCast(ty, a) => Value::Float(float(a)?.convert(*ty)),
        FBits(a) => Value::Int(IBig::from(float(a)?.bits)),
        FFromBits(ty, a) => Value::Float(from_bits(*ty, int(a)?)),
        ZeroMem(cell) => Value::Mem(MemValue::zero(*cell)),
        Load(ty, m, a) => mem(m)?.load(*ty, int(a)?),
        Store(ty, m, a, v) => {
            let mut m = mem(m)?.clone();
            m.store(*ty, int(a)?, done.get(v)?);
            Value::Mem(m)
        }
        Splice { mem: m, src, lo, len } => Value::Mem(mem(m)?.splice(mem(src)?, int(lo)?, int(len)?)),
    })
}
