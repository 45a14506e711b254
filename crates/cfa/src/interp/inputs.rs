//! Where the values come from that the program does not determine.
//!
//! **Contract.** The interpreter asks for a value at each [`crate::Op::Havoc`], in program order, and for the content of each uninitialised
//! cell when it is read for the first time, after which the cell keeps it. Cells are named by address, and by the
//! crossing of [`crate::Op::HavocMem`] that gave the object its contents, so that an answer need not depend on the order of reads: the same
//! answers give the same execution.

use crate::op::InputSource;
use crate::program::RegionId;
use plumb_term::eval::{MemValue, Value};
use plumb_term::{Float, FloatTy, IBig, IntTy, Scalar, Span, VarId, VarTy};
use std::collections::{BTreeMap, VecDeque};

/// A value that is asked for.
#[derive(Clone, Debug)]
pub struct Ask<'a> {
    /// What the answer must be one of.
    pub ty: VarTy,
    /// Where the value comes from.
    pub source: &'a InputSource,
    /// The variable that takes it.
    pub var: VarId,
    /// Where it is asked for.
    pub span: Span,
}

/// Which contents of a region a cell belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// Those at the start of the program.
    Initial,
    /// Those that the n-th crossing (from 0) of a [`crate::Op::HavocMem`], in all functions, brought.
    Havoc(u64),
}

/// An uninitialised cell that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellAsk {
    /// The region.
    pub region: RegionId,
    /// The address of the (first) byte.
    pub addr: u64,
    /// The type of the cell: `u8` in a region of bytes.
    pub ty: Scalar,
    /// Whose contents.
    pub origin: Origin,
}

/// A source of inputs; an error is a sentence for the user.
pub trait Inputs {
    /// A value of the type that is asked for.
    fn value(&mut self, ask: &Ask<'_>) -> Result<Value, String>;

    /// The content of a cell: the byte, the integer's two's complement or the float's pattern; bits above the cell's width are dropped.
    fn cell(&mut self, ask: &CellAsk) -> Result<u128, String>;

    /// An [`crate::Op::Output`] with a target is crossed, in program order with the others. Its logical reading has an input there; the
    /// interpreter computes the result and only tells.
    fn printed(&mut self) -> Result<(), String> {
        Ok(())
    }

    /// A [`crate::Op::HavocMem`] is crossed, in program order with [`Inputs::value`]; its cells follow when they are read.
    fn havoc_mem(&mut self, _nth: u64) -> Result<(), String> {
        Ok(())
    }
}

fn zero(ty: VarTy) -> Value {
    match ty {
        VarTy::Bool => Value::Bool(false),
        VarTy::Int | VarTy::Scalar(Scalar::Int(_)) => Value::Int(IBig::ZERO),
        VarTy::Scalar(Scalar::Float(t)) => Value::Float(Float::zero(t)),
        VarTy::Mem(c) => Value::Mem(MemValue::zero(c)),
    }
}

/// Zero for everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct Zero;

impl Inputs for Zero {
    fn value(&mut self, ask: &Ask<'_>) -> Result<Value, String> {
        Ok(zero(ask.ty))
    }
    fn cell(&mut self, _: &CellAsk) -> Result<u128, String> {
        Ok(0)
    }
}

/// Nothing: an execution that asks ends as [`super::Outcome::BadInput`].
#[derive(Clone, Copy, Debug, Default)]
pub struct NoInputs;

impl NoInputs {
    const SENTENCE: &'static str = "the execution depends on an input";
}

impl Inputs for NoInputs {
    fn value(&mut self, _: &Ask<'_>) -> Result<Value, String> {
        Err(Self::SENTENCE.into())
    }
    fn cell(&mut self, _: &CellAsk) -> Result<u128, String> {
        Err(Self::SENTENCE.into())
    }
    fn printed(&mut self) -> Result<(), String> {
        Err(Self::SENTENCE.into())
    }
}

/// Pseudo-random values, determined by a seed; small values and the borders of the types are frequent.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The sequence of this seed.
    pub fn new(seed: u64) -> Random {
        Random { state: seed }
    }

    /// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014).
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = self.state;
        let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`; 0 if there is none.
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next()) * n as u128) >> 64) as usize
    }

    fn bits(&mut self) -> u128 {
        u128::from(self.next()) << 64 | u128::from(self.next())
    }

    /// An integer of a type.
    pub fn integer(&mut self, ty: IntTy) -> IBig {
        let pick = self.next() % 8;
        let wide = self.bits();
        let small = IBig::from(wide as i8);
        ty.wrap(&match pick {
            0..=3 => small,
            4 => ty.min() + small,
            5 => ty.max() + small,
            _ => IBig::from(wide),
        })
    }

    /// A float of a type.
    pub fn float(&mut self, ty: FloatTy) -> Float {
        match self.next() % 4 {
            0 => Float::from_bits(ty, self.bits()),
            1 => Float::from_int(ty, &self.integer(IntTy::I32)),
            _ => Float::from_int(ty, &IBig::from(self.next() as i16)).div(Float::from_int(ty, &IBig::from(64))),
        }
    }
}

impl Inputs for Random {
    fn value(&mut self, ask: &Ask<'_>) -> Result<Value, String> {
        Ok(match ask.ty {
            VarTy::Bool => Value::Bool(self.next() & 1 == 1),
            VarTy::Int => Value::Int(self.integer(IntTy::I64)),
            VarTy::Scalar(Scalar::Int(t)) => Value::Int(self.integer(t)),
            VarTy::Scalar(Scalar::Float(t)) => Value::Float(self.float(t)),
            VarTy::Mem(c) => Value::Mem(MemValue::zero(c)),
        })
    }
    fn cell(&mut self, ask: &CellAsk) -> Result<u128, String> {
        Ok(match ask.ty {
            Scalar::Int(_) => self.bits(),
            Scalar::Float(t) => self.float(t).bits,
        })
    }
}

/// Values from a text that a user wrote: one per line, in the order the program asks; empty lines and lines that start with `#` do not count.
/// Integers are decimal, hexadecimal (`0x`) or a character in quotes; floats as C writes them. What is uninitialised is zero.
#[derive(Clone, Debug)]
pub struct FromText {
    lines: VecDeque<(usize, String)>,
}

impl FromText {
    /// The values of a text.
    pub fn new(text: &str) -> FromText {
        let lines = text.lines().enumerate().map(|(i, l)| (i + 1, l.trim().to_owned()));
        FromText { lines: lines.filter(|(_, l)| !l.is_empty() && !l.starts_with('#')).collect() }
    }

    /// The values of a file.
    pub fn open(path: &std::path::Path) -> std::io::Result<FromText> {
        Ok(FromText::new(&String::from_utf8_lossy(&std::fs::read(path)?)))
    }
}

fn parse_integer(text: &str) -> Option<IBig> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let magnitude = if let Some(hex) = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        IBig::from_str_radix(hex, 16).ok()?
    } else if let Some(quoted) = digits.strip_prefix('\'').and_then(|q| q.strip_suffix('\'')) {
        let mut chars = quoted.chars();
        let c = chars.next().filter(|_| chars.next().is_none())?;
        IBig::from(u32::from(c))
    } else {
        IBig::from_str_radix(digits, 10).ok().filter(|v| *v >= IBig::ZERO)?
    };
    Some(if negative { -magnitude } else { magnitude })
}

impl Inputs for FromText {
    fn value(&mut self, ask: &Ask<'_>) -> Result<Value, String> {
        if matches!(ask.source, InputSource::Uninit(_)) {
            return Ok(zero(ask.ty));
        }
        let Some((line, text)) = self.lines.pop_front() else {
            return Err("the program asks for more inputs than there are".to_owned());
        };
        let wrong = |what: &str| format!("line {line} of the inputs: '{text}' is {what}");
        match ask.ty {
            VarTy::Scalar(Scalar::Float(t)) => Float::parse(t, &text).map(Value::Float).ok_or_else(|| wrong("not a floating-point number")),
            VarTy::Mem(_) => Err(wrong("no contents of a memory")),
            ty => {
                let v = parse_integer(&text).ok_or_else(|| wrong("not an integer"))?;
                match ty {
                    VarTy::Bool => Ok(Value::Bool(v != IBig::ZERO)),
                    VarTy::Scalar(Scalar::Int(t)) if !t.contains(&v) => {
                        Err(wrong(&format!("not in the range {} to {} of its type", t.min(), t.max())))
                    }
                    _ => Ok(Value::Int(v)),
                }
            }
        }
    }
    fn cell(&mut self, _: &CellAsk) -> Result<u128, String> {
        Ok(0)
    }
}

/// The inputs of a trace: those of each crossed edge's [`crate::Effect`], in program order: a scalar for [`crate::Op::Havoc`], a memory for
/// [`crate::Op::HavocMem`], and one that is ignored for the result of [`crate::Op::Output`]; and the contents of the regions at the start.
#[derive(Clone, Debug, Default)]
pub struct Replay {
    values: VecDeque<Value>,
    initial: BTreeMap<RegionId, MemValue>,
    havocs: Vec<MemValue>,
}

impl Replay {
    /// These inputs; a region that is not in `initial` starts with zeros.
    pub fn new(values: impl IntoIterator<Item = Value>, initial: BTreeMap<RegionId, MemValue>) -> Replay {
        Replay { values: values.into_iter().collect(), initial, havocs: Vec::new() }
    }

    fn next(&mut self) -> Result<Value, String> {
        self.values.pop_front().ok_or_else(|| "the trace has fewer inputs than the execution needs".to_owned())
    }
}

impl Inputs for Replay {
    fn value(&mut self, _: &Ask<'_>) -> Result<Value, String> {
        self.next()
    }

    fn cell(&mut self, ask: &CellAsk) -> Result<u128, String> {
        let memory = match ask.origin {
            Origin::Initial => self.initial.get(&ask.region),
            Origin::Havoc(n) => usize::try_from(n).ok().and_then(|n| self.havocs.get(n)),
        };
        let raw = memory.map_or(IBig::ZERO, |m| m.get(&IBig::from(ask.addr)));
        Ok(plumb_term::eval::low_bits(&raw, 128))
    }

    fn printed(&mut self) -> Result<(), String> {
        self.next().map(|_| ())
    }

    fn havoc_mem(&mut self, _nth: u64) -> Result<(), String> {
        match self.next()? {
            Value::Mem(m) => {
                self.havocs.push(m);
                Ok(())
            }
            _ => Err("the trace has a scalar where the execution needs the contents of an object".to_owned()),
        }
    }
}
