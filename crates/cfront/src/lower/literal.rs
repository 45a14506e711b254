//! Constants and string literals.

use plumb_term::{Float, FloatTy, IBig, Span, Term};

use super::place::{LValue, Mem, Place, Value};
use super::Lowerer;
use crate::ast::*;
use crate::lex::Fallible;
use crate::pointsto::Shape;
use crate::types::{FloatKind, IntKind, Kind, Len, Ty, Types};
use crate::{Interner, Symbol};

/// Names with a meaning of their own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known {
    pub main: Option<Symbol>,
}

impl Known {
    pub fn new(names: &Interner) -> Known {
        Known { main: names.get("main") }
    }
}

impl Lowerer<'_> {
    pub(super) fn int_const(&mut self, c: &IntConst, span: Span) -> Fallible<Value> {
        use IntKind::*;
        if c.imaginary {
            self.unsupported(span, "an imaginary constant");
        }
        let value = IBig::from(c.value);
        let decimal = c.base == IntBase::Decimal;
        let from = match c.size {
            IntSize::Plain => 0,
            IntSize::Long => 2,
            IntSize::LongLong => 4,
        };
        let kinds = [Int, UInt, Long, ULong, LLong, ULLong, Int128, UInt128];
        let allowed = |i: usize| if c.unsigned { i % 2 == 1 } else { i % 2 == 0 || !decimal };
        let kind = (from..kinds.len()).filter(|i| allowed(*i)).map(|i| kinds[i]).find(|k| self.types.int_ty(*k).contains(&value));
        match kind {
            Some(kind) => {
                let ty = self.types.int(kind);
                Ok(Value::plain(ty, Term::int(value)))
            }
            None => self.invalid(span, "the integer constant is too large"),
        }
    }

    pub(super) fn float_const(&mut self, c: &FloatConst, span: Span) -> Value {
        let kind = match c.suffix {
            FloatSuffix::F | FloatSuffix::F32 => FloatKind::Float,
            FloatSuffix::L | FloatSuffix::W | FloatSuffix::F64x => FloatKind::LongDouble,
            FloatSuffix::F128 => FloatKind::Float128,
            FloatSuffix::None | FloatSuffix::F64 | FloatSuffix::F32x => FloatKind::Double,
            FloatSuffix::F16 | FloatSuffix::Df | FloatSuffix::Dd | FloatSuffix::Dl => {
                self.unsupported(span, "a constant of this floating type");
                FloatKind::Double
            }
        };
        if c.imaginary {
            self.unsupported(span, "an imaginary constant");
        }
        let format: FloatTy = Types::float_ty(kind);
        let ty = self.types.float(kind);
        match Float::parse(format, &c.text) {
            Some(f) => Value::plain(ty, Term::float(f)),
            None => {
                self.unsupported(span, format!("the constant '{}'", c.text));
                Value::plain(ty, Term::float(Float::zero(format)))
            }
        }
    }

    pub(super) fn char_const(&mut self, c: &CharConst) -> Value {
        let ty = match c.encoding {
            Encoding::Plain | Encoding::Wide => Types::INT,
            Encoding::Utf8 => Types::UCHAR,
            Encoding::Char16 => self.types.int(IntKind::UShort),
            Encoding::Char32 => Types::UINT,
        };
        Value::plain(ty, Term::int(c.value))
    }

    /// The element type of a string literal.
    pub(super) fn string_elem(&mut self, encoding: Encoding) -> Ty {
        match encoding {
            Encoding::Plain | Encoding::Utf8 => Types::CHAR,
            Encoding::Char16 => self.types.int(IntKind::UShort),
            Encoding::Char32 => Types::UINT,
            Encoding::Wide => Types::INT,
        }
    }

    pub(super) fn string_literal(&mut self, s: &StrConst, span: Span) -> LValue {
        self.string_object(&s.bytes, s.encoding, span)
    }

    /// The object of a string literal; equal ones share it.
    pub(super) fn string_object(&mut self, bytes: &[u8], encoding: Encoding, span: Span) -> LValue {
        let unit = encoding.unit_size();
        let elem = self.string_elem(encoding);
        let count = (bytes.len() / unit) as u64 + 1;
        let ty = self.types.array(elem, Len::Fixed(count));
        if self.cx.unevaluated > 0 {
            let node = self.pts.fresh();
            return LValue { ty, place: Place::Mem(Mem { addr: Term::int(0), node, shape: Shape::Raw, known: true }) };
        }
        let mut key = bytes.to_vec();
        key.push(unit as u8);
        let index = match self.strings.get(&key) {
            Some(&i) => i,
            None => {
                let name = format!("\"{}\"", String::from_utf8_lossy(bytes).escape_debug());
                self.new_object(name, ty, count * unit as u64, 16, None, span);
                let i = self.objects.len() - 1;
                self.objects[i].read_only = true;
                self.strings.insert(key, i);
                i
            }
        };
        let object = &self.objects[index];
        LValue { ty, place: Place::Mem(Mem { addr: Term::int(object.addr), node: object.node, shape: Shape::Raw, known: true }) }
    }

    /// Whether an array of this element type can be initialised by a literal of this encoding.
    pub(super) fn is_char_like(&self, elem: Ty, encoding: Encoding) -> bool {
        match self.types.kind(elem) {
            Kind::Int(k) => match encoding {
                Encoding::Plain | Encoding::Utf8 => matches!(k, IntKind::Char | IntKind::SChar | IntKind::UChar),
                _ => self.types.int_ty(*k).bytes() == encoding.unit_size() as u64,
            },
            _ => false,
        }
    }
}
