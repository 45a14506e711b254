//! The file format of traces: a magic number, then operations as an opcode byte and operands. All integers are signed LEB128
//! of any length; element numbers are written as distances back from the next number, which are small.

use std::fmt;

use super::{ElemId, Trace, TraceOp};
use crate::int::Int;
use crate::linear::{ConsKind, Dim, LinCons, LinExpr};

const MAGIC: &[u8; 4] = b"PNT1";

/// Why bytes are not a trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FormatError {
    /// The position of the first byte that makes no sense.
    pub offset: usize,
    /// What was expected there.
    pub expected: &'static str,
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}: expected {}", self.offset, self.expected)
    }
}

impl std::error::Error for FormatError {}

impl Trace {
    /// The trace as a file.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::trace::{ElemId, Trace, TraceOp};
    /// let trace = Trace { ops: vec![TraceOp::Top, TraceOp::IsBottom(ElemId(0), false)] };
    /// assert_eq!(Trace::from_bytes(&trace.to_bytes()), Ok(trace));
    /// ```
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut w = Writer { out: MAGIC.to_vec(), next: 0 };
        for op in &self.ops {
            w.op(op);
        }
        w.out
    }

    /// Reads a file. Every operand is checked to have been made before, so the result can be replayed.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::trace::{ElemId, Trace, TraceOp};
    /// // An operand that was never made.
    /// let trace = Trace { ops: vec![TraceOp::IsBottom(ElemId(0), false)] };
    /// assert!(Trace::from_bytes(&trace.to_bytes()).is_err() && Trace::from_bytes(b"text").is_err());
    /// ```
    pub fn from_bytes(bytes: &[u8]) -> Result<Trace, FormatError> {
        let mut r = Reader { bytes, at: 0, next: 0 };
        if !bytes.starts_with(MAGIC) {
            return Err(r.error("the magic number of a trace"));
        }
        r.at = MAGIC.len();
        let mut ops = Vec::new();
        while r.at < bytes.len() {
            ops.push(r.op()?);
        }
        Ok(Trace { ops })
    }
}

struct Writer {
    out: Vec<u8>,
    next: u32,
}

impl Writer {
    fn int(&mut self, v: &Int) {
        let base = Int::new(128);
        let mut v = v.clone();
        loop {
            let low = v.rem_floor(&base).to_i64().unwrap_or(0) as u8;
            v = v.div_floor(&base);
            let done = (v.is_zero() && low & 64 == 0) || (v == Int::MINUS_ONE && low & 64 != 0);
            self.out.push(if done { low } else { low | 128 });
            if done {
                return;
            }
        }
    }

    fn num(&mut self, v: u32) {
        self.int(&Int::from(v));
    }

    fn elem(&mut self, id: ElemId) {
        self.num(self.next - id.0);
    }

    fn expr(&mut self, e: &LinExpr) {
        self.num(e.terms().len() as u32);
        for (d, c) in e.terms() {
            self.num(d.0);
            self.int(c);
        }
        self.int(e.constant_part());
    }

    fn cons(&mut self, c: &LinCons) {
        self.out.push(match c.kind() {
            ConsKind::Eq => 0,
            ConsKind::Ge => 1,
            ConsKind::Ne => 2,
        });
        self.expr(c.expr());
    }

    fn op(&mut self, op: &TraceOp) {
        self.out.push(opcode(op));
        op.operands().into_iter().for_each(|id| self.elem(id));
        match op {
            TraceOp::Assume(_, cs) => {
                self.num(cs.len() as u32);
                cs.iter().for_each(|c| self.cons(c));
            }
            TraceOp::Assign(_, x, e) | TraceOp::Preimage(_, x, e) => {
                self.num(x.0);
                self.expr(e);
            }
            TraceOp::Forget(_, ds) => {
                self.num(ds.len() as u32);
                ds.iter().for_each(|d| self.num(d.0));
            }
            TraceOp::Rename(_, map) => {
                self.num(map.len() as u32);
                map.iter().for_each(|(a, b)| {
                    self.num(a.0);
                    self.num(b.0);
                });
            }
            TraceOp::Entails(_, c, _) => self.cons(c),
            TraceOp::Bounds(_, e) => self.expr(e),
            _ => {}
        }
        if op.makes_element() {
            self.next += 1;
        }
    }
}

/// Questions have two opcodes, one per answer.
fn opcode(op: &TraceOp) -> u8 {
    match op {
        TraceOp::Top => 0,
        TraceOp::Bottom => 1,
        TraceOp::Assume(..) => 2,
        TraceOp::Assign(..) => 3,
        TraceOp::Preimage(..) => 4,
        TraceOp::Forget(..) => 5,
        TraceOp::Rename(..) => 6,
        TraceOp::Join(..) => 7,
        TraceOp::Meet(..) => 8,
        TraceOp::Widen(..) => 9,
        TraceOp::Leq(_, _, answer) => 10 + u8::from(*answer),
        TraceOp::IsBottom(_, answer) => 12 + u8::from(*answer),
        TraceOp::Entails(_, _, answer) => 14 + u8::from(*answer),
        TraceOp::Bounds(..) => 16,
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    next: u32,
}

impl Reader<'_> {
    fn error(&self, expected: &'static str) -> FormatError {
        FormatError { offset: self.at, expected }
    }

    fn byte(&mut self, expected: &'static str) -> Result<u8, FormatError> {
        let b = *self.bytes.get(self.at).ok_or_else(|| self.error(expected))?;
        self.at += 1;
        Ok(b)
    }

    fn int(&mut self) -> Result<Int, FormatError> {
        let (mut value, mut scale) = (Int::ZERO, Int::ONE);
        loop {
            let b = self.byte("an integer")?;
            value += &(&scale * &Int::from(i64::from(b & 127)));
            scale = &scale * &Int::new(128);
            if b & 128 == 0 {
                if b & 64 != 0 {
                    value -= &scale;
                }
                return Ok(value);
            }
        }
    }

    fn num(&mut self) -> Result<u32, FormatError> {
        let start = self.at;
        let v = self.int()?.to_i64().and_then(|v| u32::try_from(v).ok());
        v.ok_or(FormatError { offset: start, expected: "a small natural number" })
    }

    /// A length, which cannot exceed the bytes that are left.
    fn len(&mut self) -> Result<usize, FormatError> {
        let n = self.num()? as usize;
        if n > self.bytes.len() - self.at {
            return Err(self.error("a length within the file"));
        }
        Ok(n)
    }

    fn elem(&mut self) -> Result<ElemId, FormatError> {
        let back = self.num()?;
        match self.next.checked_sub(back) {
            Some(id) if back > 0 => Ok(ElemId(id)),
            _ => Err(self.error("an element made before")),
        }
    }

    fn dim(&mut self) -> Result<Dim, FormatError> {
        self.num().map(Dim)
    }

    fn expr(&mut self) -> Result<LinExpr, FormatError> {
        let n = self.len()?;
        let mut terms = Vec::with_capacity(n);
        for _ in 0..n {
            terms.push((self.dim()?, self.int()?));
        }
        Ok(LinExpr::new(terms, self.int()?))
    }

    fn cons(&mut self, allow_ne: bool) -> Result<LinCons, FormatError> {
        let kind = match self.byte("a kind of constraint")? {
            0 => ConsKind::Eq,
            1 => ConsKind::Ge,
            2 if allow_ne => ConsKind::Ne,
            _ => return Err(self.error("a kind of constraint")),
        };
        Ok(LinCons::new(self.expr()?, kind))
    }

    fn list<T>(&mut self, item: impl Fn(&mut Self) -> Result<T, FormatError>) -> Result<Vec<T>, FormatError> {
        let n = self.len()?;
        (0..n).map(|_| item(self)).collect()
    }

    fn op(&mut self) -> Result<TraceOp, FormatError> {
        let code = self.byte("an operation")?;
        let op = match code {
            0 => TraceOp::Top,
            1 => TraceOp::Bottom,
            2 => TraceOp::Assume(self.elem()?, self.list(|r| r.cons(false))?),
            3 => TraceOp::Assign(self.elem()?, self.dim()?, self.expr()?),
            4 => TraceOp::Preimage(self.elem()?, self.dim()?, self.expr()?),
            5 => TraceOp::Forget(self.elem()?, self.list(Self::dim)?),
            6 => TraceOp::Rename(self.elem()?, self.list(|r| Ok((r.dim()?, r.dim()?)))?),
            7 => TraceOp::Join(self.elem()?, self.elem()?),
            8 => TraceOp::Meet(self.elem()?, self.elem()?),
            9 => TraceOp::Widen(self.elem()?, self.elem()?),
            10 | 11 => TraceOp::Leq(self.elem()?, self.elem()?, code == 11),
            12 | 13 => TraceOp::IsBottom(self.elem()?, code == 13),
            14 | 15 => TraceOp::Entails(self.elem()?, self.cons(true)?, code == 15),
            16 => TraceOp::Bounds(self.elem()?, self.expr()?),
            _ => return Err(self.error("an operation")),
        };
        if op.makes_element() {
            self.next += 1;
        }
        Ok(op)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sample() -> Trace {
        let x = LinExpr::var(Dim(3));
        let huge = LinExpr::new([(Dim(0), Int::from(i128::MAX)), (Dim(7), Int::from(-5))], Int::from(i128::MIN) * Int::from(77));
        Trace {
            ops: vec![
                TraceOp::Top,
                TraceOp::Bottom,
                TraceOp::Assume(ElemId(0), vec![LinCons::ge(huge.clone(), x.clone()), LinCons::eq(x.clone(), 64.into())]),
                TraceOp::Assign(ElemId(2), Dim(1), huge.clone()),
                TraceOp::Preimage(ElemId(3), Dim(1), x.clone()),
                TraceOp::Forget(ElemId(4), vec![Dim(0), Dim(900)]),
                TraceOp::Rename(ElemId(4), vec![(Dim(0), Dim(1)), (Dim(1), Dim(0))]),
                TraceOp::Join(ElemId(0), ElemId(6)),
                TraceOp::Meet(ElemId(7), ElemId(1)),
                TraceOp::Widen(ElemId(1), ElemId(7)),
                TraceOp::Leq(ElemId(0), ElemId(1), false),
                TraceOp::IsBottom(ElemId(1), true),
                TraceOp::Entails(ElemId(9), LinCons::ne(x, 3.into()), false),
                TraceOp::Bounds(ElemId(2), huge),
            ],
        }
    }

    #[test]
    fn every_operation_survives_the_file() {
        assert_eq!(Trace::from_bytes(&sample().to_bytes()), Ok(sample()));
    }

    proptest! {
        #[test]
        fn broken_files_are_refused_or_replayable(at in 4usize..200, byte in any::<u8>(), cut in 0usize..200) {
            let mut bytes = sample().to_bytes();
            let at = at % bytes.len();
            bytes[at.max(4)] = byte;
            bytes.truncate(bytes.len() - cut % 40);
            if let Ok(trace) = Trace::from_bytes(&bytes) {
                prop_assert_eq!(trace.last_uses().len(), trace.ops.len());
                prop_assert_eq!(Trace::from_bytes(&trace.to_bytes()), Ok(trace));
            }
        }

        #[test]
        fn integers_of_any_size(v in any::<i128>(), shift in 0u32..100) {
            let v = (0..shift).fold(Int::from(v), |v, _| v * Int::from(3));
            let mut w = Writer { out: Vec::new(), next: 0 };
            w.int(&v);
            prop_assert_eq!(Reader { bytes: &w.out, at: 0, next: 0 }.int(), Ok(v));
        }
    }
}
