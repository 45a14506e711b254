//! Values of registers and variables: `i128` where it fits, exact integers beyond.

use super::outcome::{Stop, UbKind};
use plumb_term::eval::{low_bits, Value};
use plumb_term::{Float, IBig, IntTy, Scalar, VarTy};

/// What a poisoned value comes from: a variable, or memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Taint {
    Variable(u32),
    Memory,
}

/// A value. Truth values are the integers 0 and 1; an integer is `Big` only if it does not fit `Int`.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) enum Val {
    /// Never assigned in this activation.
    #[default]
    Unset,
    Int(i128),
    Big(Box<IBig>),
    Float(Float),
    /// Computed from something uninitialised (strict mode only).
    Poison(Taint),
}

impl Val {
    pub(super) fn bool(b: bool) -> Val {
        Val::Int(i128::from(b))
    }

    pub(super) fn big(v: IBig) -> Val {
        match i128::try_from(&v) {
            Ok(small) => Val::Int(small),
            Err(_) => Val::Big(Box::new(v)),
        }
    }

    /// The integer, if it is one.
    pub(super) fn integer(&self) -> Result<IBig, Stop> {
        match self {
            Val::Int(v) => Ok(IBig::from(*v)),
            Val::Big(v) => Ok((**v).clone()),
            other => Err(other.misuse()),
        }
    }

    /// The truth value, if it is one.
    pub(super) fn truth(&self) -> Result<bool, Stop> {
        match self {
            Val::Int(v) => Ok(*v != 0),
            other => Err(other.misuse()),
        }
    }

    pub(super) fn float(&self) -> Result<Float, Stop> {
        match self {
            Val::Float(f) => Ok(*f),
            other => Err(other.misuse()),
        }
    }

    /// Why this value cannot be used where a proper one is needed.
    pub(super) fn misuse(&self) -> Stop {
        match self {
            Val::Unset => Stop::Internal("a variable is read before it has a value".to_owned()),
            Val::Poison(Taint::Memory) => Stop::Undefined(UbKind::UninitMemory),
            // The machine replaces the number by the name.
            Val::Poison(Taint::Variable(v)) => Stop::Undefined(UbKind::UninitVariable(v.to_string())),
            _ => Stop::ill_sorted(),
        }
    }

    /// The bytes in memory, little endian, of a scalar of any type up to 16 bytes; none for poison.
    pub(super) fn bits(&self) -> Result<Option<u128>, Stop> {
        match self {
            Val::Int(v) => Ok(Some(*v as u128)),
            Val::Big(v) => Ok(Some(low_bits(v, 128))),
            Val::Float(f) => Ok(Some(f.bits)),
            Val::Poison(_) => Ok(None),
            Val::Unset => Err(self.misuse()),
        }
    }

    /// The scalar with these bytes in memory.
    pub(super) fn from_bits(ty: Scalar, bits: u128) -> Val {
        match ty {
            Scalar::Int(t) => wrap_bits(t, bits),
            Scalar::Float(t) => Val::Float(Float::from_bits(t, bits)),
        }
    }

    /// For observers; poison and missing values have none.
    pub(super) fn to_value(&self, ty: VarTy) -> Option<Value> {
        match (self, ty) {
            (Val::Int(v), VarTy::Bool) => Some(Value::Bool(*v != 0)),
            (Val::Int(v), _) => Some(Value::Int(IBig::from(*v))),
            (Val::Big(v), _) => Some(Value::Int((**v).clone())),
            (Val::Float(f), _) => Some(Value::Float(*f)),
            _ => None,
        }
    }

    /// An input, if it is of the type.
    pub(super) fn of_type(value: Value, ty: VarTy) -> Option<Val> {
        match (value, ty) {
            (Value::Bool(b), VarTy::Bool) => Some(Val::bool(b)),
            (Value::Int(v), VarTy::Int) => Some(Val::big(v)),
            (Value::Int(v), VarTy::Scalar(Scalar::Int(t))) if t.contains(&v) => Some(Val::big(v)),
            (Value::Float(f), VarTy::Scalar(Scalar::Float(t))) if f.ty == t => Some(Val::Float(f)),
            _ => None,
        }
    }
}

/// The value of type `ty` whose two's complement ends in these bits.
pub(super) fn wrap_bits(ty: IntTy, bits: u128) -> Val {
    match ty.wrap_i128(bits as i128) {
        Some(v) => Val::Int(v),
        // Only 128-bit unsigned values beyond `i128` get here.
        None => Val::big(IBig::from(bits)),
    }
}
