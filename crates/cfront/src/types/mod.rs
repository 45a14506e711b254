//! C types, interned, with the sizes and layouts of gcc on x86 (ILP32 and LP64).
//!
//! A [`Ty`] is an index into [`Types`]; equal types have equal indices except records and enumerations, each of which is
//! its own type. Qualifiers are not part of a type: nothing in the meaning of a program depends on them. Types that plumb
//! gives no meaning to ([`Kind::Unsupported`]) still have a name and a size, so that only their use is an error.
//!
//! Source: System V psABI i386 and x86-64; gcc's `stor-layout.c` for bit-fields.

mod record;
mod show;

pub use record::{Field, FieldSpec, Record, RecordId};

use std::rc::Rc;

use plumb_cfa::DataModel;
use plumb_term::{FloatTy, IntTy, Scalar};
use rustc_hash::FxHashMap;

use crate::Symbol;

/// No type is larger: addresses end before.
pub const MAX_SIZE: u64 = 1 << 48;

/// A type: index into [`Types`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Ty(u32);

/// Index of an enumeration.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EnumId(pub u32);

/// Index of the run-time length of a variable-length array.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct VlaId(pub u32);

/// Standard integer types; `char` is distinct from both of its relatives.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum IntKind {
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LLong,
    ULLong,
    Int128,
    UInt128,
}

/// Real floating types; several may share a format.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum FloatKind {
    Float,
    Double,
    LongDouble,
    Float128,
}

/// How long an array is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Len {
    /// A constant number of elements.
    Fixed(u64),
    /// Not known (yet), or a flexible member.
    Unknown,
    /// Known at run time.
    Variable(VlaId),
}

/// A function type.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FuncType {
    /// What it returns.
    pub ret: Ty,
    /// The parameters after adjustment; `None` without a prototype.
    pub params: Option<Vec<Ty>>,
    /// Whether `...` follows.
    pub variadic: bool,
}

/// The shape of a type.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// `void`
    Void,
    /// `_Bool`
    Bool,
    /// An integer type.
    Int(IntKind),
    /// An enumeration.
    Enum(EnumId),
    /// A real floating type.
    Float(FloatKind),
    /// A pointer.
    Pointer(Ty),
    /// An array.
    Array(Ty, Len),
    /// A function.
    Function(Rc<FuncType>),
    /// A structure or union.
    Record(RecordId),
    /// A type without a meaning in plumb, by its description.
    Unsupported(&'static str),
}

/// An enumeration.
#[derive(Clone, Debug)]
pub struct EnumInfo {
    /// Its tag.
    pub tag: Option<Symbol>,
    /// The integer type that represents it; `None` while incomplete.
    pub repr: Option<IntKind>,
}

/// All types of a program.
#[derive(Clone, Debug)]
pub struct Types {
    model: DataModel,
    kinds: Vec<Kind>,
    index: FxHashMap<Kind, Ty>,
    records: Vec<Record>,
    enums: Vec<EnumInfo>,
    vlas: u32,
}

impl Types {
    /// `void`.
    pub const VOID: Ty = Ty(0);
    /// `int`.
    pub const INT: Ty = Ty(1);
    /// `unsigned int`.
    pub const UINT: Ty = Ty(2);
    /// `char`.
    pub const CHAR: Ty = Ty(3);
    /// `_Bool`.
    pub const BOOL: Ty = Ty(4);
    /// `double`.
    pub const DOUBLE: Ty = Ty(5);
    /// `long`.
    pub const LONG: Ty = Ty(6);
    /// `unsigned long`.
    pub const ULONG: Ty = Ty(7);
    /// `void *`.
    pub const VOID_PTR: Ty = Ty(8);
    /// `char *`.
    pub const CHAR_PTR: Ty = Ty(9);
    /// `unsigned char`.
    pub const UCHAR: Ty = Ty(10);

    /// The basic types under a data model.
    pub fn new(model: DataModel) -> Types {
        let mut t = Types { model, kinds: Vec::new(), index: FxHashMap::default(), records: Vec::new(), enums: Vec::new(), vlas: 0 };
        for kind in [
            Kind::Void,
            Kind::Int(IntKind::Int),
            Kind::Int(IntKind::UInt),
            Kind::Int(IntKind::Char),
            Kind::Bool,
            Kind::Float(FloatKind::Double),
            Kind::Int(IntKind::Long),
            Kind::Int(IntKind::ULong),
            Kind::Pointer(Types::VOID),
            Kind::Pointer(Types::CHAR),
            Kind::Int(IntKind::UChar),
        ] {
            t.intern(kind);
        }
        t
    }

    /// The data model.
    pub fn model(&self) -> DataModel {
        self.model
    }

    /// The type of this kind.
    pub fn intern(&mut self, kind: Kind) -> Ty {
        if let Some(&ty) = self.index.get(&kind) {
            return ty;
        }
        let ty = Ty(self.kinds.len() as u32);
        self.kinds.push(kind.clone());
        self.index.insert(kind, ty);
        ty
    }

    /// The shape of `ty`.
    pub fn kind(&self, ty: Ty) -> &Kind {
        &self.kinds[ty.0 as usize]
    }

    /// An integer type.
    pub fn int(&mut self, kind: IntKind) -> Ty {
        self.intern(Kind::Int(kind))
    }

    /// A floating type.
    pub fn float(&mut self, kind: FloatKind) -> Ty {
        self.intern(Kind::Float(kind))
    }

    /// Pointer to `ty`.
    pub fn pointer(&mut self, ty: Ty) -> Ty {
        self.intern(Kind::Pointer(ty))
    }

    /// Array of `ty`.
    pub fn array(&mut self, ty: Ty, len: Len) -> Ty {
        self.intern(Kind::Array(ty, len))
    }

    /// A fresh run-time length.
    pub fn new_vla(&mut self) -> VlaId {
        self.vlas += 1;
        VlaId(self.vlas - 1)
    }

    /// A new, incomplete enumeration.
    pub fn new_enum(&mut self, tag: Option<Symbol>) -> EnumId {
        self.enums.push(EnumInfo { tag, repr: None });
        EnumId(self.enums.len() as u32 - 1)
    }

    /// Completes an enumeration.
    pub fn complete_enum(&mut self, id: EnumId, repr: IntKind) {
        self.enums[id.0 as usize].repr = Some(repr);
    }

    /// An enumeration.
    pub fn enumeration(&self, id: EnumId) -> &EnumInfo {
        &self.enums[id.0 as usize]
    }

    /// The machine type of an integer kind.
    pub fn int_ty(&self, kind: IntKind) -> IntTy {
        use IntKind::*;
        let long = match self.model {
            DataModel::Ilp32 => 32,
            DataModel::Lp64 => 64,
        };
        match kind {
            Char | SChar => IntTy::signed(8),
            UChar => IntTy::U8,
            Short => IntTy::signed(16),
            UShort => IntTy::unsigned(16),
            Int => IntTy::I32,
            UInt => IntTy::U32,
            Long => IntTy::signed(long),
            ULong => IntTy::unsigned(long),
            LLong => IntTy::I64,
            ULLong => IntTy::U64,
            Int128 => IntTy::signed(128),
            UInt128 => IntTy::unsigned(128),
        }
    }

    /// The float format of a floating kind.
    pub fn float_ty(kind: FloatKind) -> FloatTy {
        match kind {
            FloatKind::Float => FloatTy::F32,
            FloatKind::Double => FloatTy::F64,
            FloatKind::LongDouble => FloatTy::F80,
            FloatKind::Float128 => FloatTy::F128,
        }
    }

    /// The machine scalar of a scalar type.
    pub fn scalar(&self, ty: Ty) -> Option<Scalar> {
        Some(match self.kind(ty) {
            Kind::Bool => Scalar::Int(IntTy::U8),
            Kind::Int(k) => Scalar::Int(self.int_ty(*k)),
            Kind::Enum(e) => Scalar::Int(self.int_ty(self.enumeration(*e).repr.unwrap_or(IntKind::UInt))),
            Kind::Float(k) => Scalar::Float(Types::float_ty(*k)),
            Kind::Pointer(_) => Scalar::Int(self.model.pointer()),
            _ => return None,
        })
    }

    /// The machine integer of an integer type (`_Bool` and enumerations included, pointers not).
    pub fn integer(&self, ty: Ty) -> Option<IntTy> {
        match (self.kind(ty), self.scalar(ty)) {
            (Kind::Pointer(_), _) => None,
            (_, Some(Scalar::Int(t))) => Some(t),
            _ => None,
        }
    }

    /// Whether it is an integer type.
    pub fn is_integer(&self, ty: Ty) -> bool {
        matches!(self.kind(ty), Kind::Bool | Kind::Int(_) | Kind::Enum(_))
    }

    /// Whether it is a real floating type.
    pub fn is_float(&self, ty: Ty) -> bool {
        matches!(self.kind(ty), Kind::Float(_))
    }

    /// Whether it is an integer or floating type.
    pub fn is_arithmetic(&self, ty: Ty) -> bool {
        self.is_integer(ty) || self.is_float(ty)
    }

    /// Whether it is a scalar.
    pub fn is_scalar(&self, ty: Ty) -> bool {
        self.is_arithmetic(ty) || self.is_pointer(ty)
    }

    /// Whether it is a pointer.
    pub fn is_pointer(&self, ty: Ty) -> bool {
        matches!(self.kind(ty), Kind::Pointer(_))
    }

    /// Whether it is a structure or union.
    pub fn is_record(&self, ty: Ty) -> bool {
        matches!(self.kind(ty), Kind::Record(_))
    }

    /// What a pointer points to.
    pub fn pointee(&self, ty: Ty) -> Option<Ty> {
        match self.kind(ty) {
            Kind::Pointer(t) => Some(*t),
            _ => None,
        }
    }

    /// Element type and length of an array.
    pub fn as_array(&self, ty: Ty) -> Option<(Ty, Len)> {
        match self.kind(ty) {
            Kind::Array(t, n) => Some((*t, *n)),
            _ => None,
        }
    }

    /// The function type, also behind one pointer.
    pub fn as_function(&self, ty: Ty) -> Option<Rc<FuncType>> {
        match self.kind(ty) {
            Kind::Function(f) => Some(f.clone()),
            Kind::Pointer(t) => match self.kind(*t) {
                Kind::Function(f) => Some(f.clone()),
                _ => None,
            },
            _ => None,
        }
    }

    /// The record, if it is one.
    pub fn as_record(&self, ty: Ty) -> Option<RecordId> {
        match self.kind(ty) {
            Kind::Record(r) => Some(*r),
            _ => None,
        }
    }

    /// Size in bytes; `None` for incomplete and variable-length types.
    pub fn size(&self, ty: Ty) -> Option<u64> {
        Some(match self.kind(ty) {
            // GNU C: arithmetic on `void *` and on function pointers counts bytes.
            Kind::Void | Kind::Function(_) => 1,
            Kind::Float(FloatKind::LongDouble) => match self.model {
                DataModel::Ilp32 => 12,
                DataModel::Lp64 => 16,
            },
            Kind::Array(t, Len::Fixed(n)) => self.size(*t)?.checked_mul(*n).filter(|size| *size < MAX_SIZE)?,
            Kind::Array(..) => return None,
            Kind::Record(r) => return self.record(*r).size(),
            Kind::Enum(e) => self.int_ty(self.enumeration(*e).repr?).bytes(),
            Kind::Unsupported(_) => 16,
            _ => self.scalar(ty)?.bytes(),
        })
    }

    /// Alignment in bytes outside of records (`__alignof__`).
    pub fn align(&self, ty: Ty) -> u64 {
        match self.kind(ty) {
            Kind::Array(t, _) => self.align(*t),
            Kind::Record(r) => self.record(*r).align,
            Kind::Float(FloatKind::LongDouble) if self.model == DataModel::Ilp32 => 4,
            Kind::Void | Kind::Function(_) => 1,
            _ => self.size(ty).unwrap_or(1),
        }
    }

    /// What of the type is unsupported, if something is: its size is not known then.
    pub fn unsupported_part(&self, ty: Ty) -> Option<&'static str> {
        match self.kind(ty) {
            Kind::Unsupported(what) => Some(what),
            Kind::Array(elem, _) => self.unsupported_part(*elem),
            Kind::Record(r) => self.record(*r).fields.iter().find_map(|f| self.unsupported_part(f.ty)),
            _ => None,
        }
    }

    /// Alignment of a member of this type (`_Alignof`): on i386 integers and `double` ask for four bytes at most.
    pub fn field_align(&self, ty: Ty) -> u64 {
        let align = self.align(ty);
        let mut base = ty;
        while let Kind::Array(t, _) = self.kind(base) {
            base = *t;
        }
        match self.kind(base) {
            Kind::Int(_) | Kind::Enum(_) | Kind::Float(FloatKind::Double) if self.model == DataModel::Ilp32 => align.min(4),
            _ => align,
        }
    }

    /// Whether the type, or the type of an element, has a run-time length.
    pub fn is_variable(&self, ty: Ty) -> bool {
        match self.kind(ty) {
            Kind::Array(_, Len::Variable(_)) => true,
            Kind::Array(t, _) => self.is_variable(*t),
            _ => false,
        }
    }

    /// The integer type after promotion (C11 6.3.1.1); other types are unchanged.
    pub fn promote(&mut self, ty: Ty) -> Ty {
        match self.kind(ty) {
            Kind::Bool => Types::INT,
            Kind::Int(IntKind::Char | IntKind::SChar | IntKind::UChar | IntKind::Short | IntKind::UShort) => Types::INT,
            Kind::Enum(e) => {
                let repr = self.enumeration(*e).repr.unwrap_or(IntKind::UInt);
                let repr = self.int(repr);
                self.promote(repr)
            }
            _ => ty,
        }
    }

    /// The common type of two arithmetic types (C11 6.3.1.8).
    pub fn usual(&mut self, a: Ty, b: Ty) -> Ty {
        let (fa, fb) = (self.float_rank(a), self.float_rank(b));
        if fa > 0 || fb > 0 {
            return if fa >= fb { a } else { b };
        }
        let (a, b) = (self.promote(a), self.promote(b));
        let (&Kind::Int(ka), &Kind::Int(kb)) = (self.kind(a), self.kind(b)) else { return a };
        if ka == kb {
            return a;
        }
        let (ta, tb) = (self.int_ty(ka), self.int_ty(kb));
        if ta.signed == tb.signed {
            return if ka >= kb { a } else { b };
        }
        let (u, s, tu, ts, ku, ks) = if ta.signed { (b, a, tb, ta, kb, ka) } else { (a, b, ta, tb, ka, kb) };
        if rank(ku) >= rank(ks) {
            u
        } else if ts.bits > tu.bits {
            s
        } else {
            let kind = to_unsigned(ks);
            self.int(kind)
        }
    }

    fn float_rank(&self, ty: Ty) -> u8 {
        match self.kind(ty) {
            Kind::Float(FloatKind::Float) => 1,
            Kind::Float(FloatKind::Double) => 2,
            Kind::Float(FloatKind::LongDouble) => 3,
            Kind::Float(FloatKind::Float128) => 4,
            _ => 0,
        }
    }

    /// The smallest integer kind (from `int` on) of this width and sign.
    pub fn kind_of_width(&self, bits: u16, signed: bool) -> Option<IntKind> {
        use IntKind::*;
        let kinds = if signed { [SChar, Short, Int, Long, LLong, Int128] } else { [UChar, UShort, UInt, ULong, ULLong, UInt128] };
        kinds.into_iter().find(|k| self.int_ty(*k).bits == bits)
    }

    /// `size_t`.
    pub fn size_t(&self) -> Ty {
        match self.model {
            DataModel::Ilp32 => Types::UINT,
            DataModel::Lp64 => Types::ULONG,
        }
    }

    /// `ptrdiff_t`.
    pub fn ptrdiff_t(&self) -> Ty {
        match self.model {
            DataModel::Ilp32 => Types::INT,
            DataModel::Lp64 => Types::LONG,
        }
    }

    /// Whether values of the two types can stand for each other (C11 6.2.7), enumerations being their integers.
    pub fn compatible(&self, a: Ty, b: Ty) -> bool {
        if a == b {
            return true;
        }
        match (self.kind(a), self.kind(b)) {
            (Kind::Pointer(x), Kind::Pointer(y)) => self.compatible(*x, *y),
            (Kind::Array(x, n), Kind::Array(y, m)) => {
                self.compatible(*x, *y) && !matches!((n, m), (Len::Fixed(n), Len::Fixed(m)) if n != m)
            }
            (Kind::Enum(e), Kind::Int(k)) | (Kind::Int(k), Kind::Enum(e)) => self.enumeration(*e).repr == Some(*k),
            (Kind::Function(f), Kind::Function(g)) => {
                self.compatible(f.ret, g.ret)
                    && match (&f.params, &g.params) {
                        (Some(p), Some(q)) => {
                            f.variadic == g.variadic && p.len() == q.len() && p.iter().zip(q).all(|(x, y)| self.compatible(*x, *y))
                        }
                        _ => true,
                    }
            }
            _ => false,
        }
    }
}

fn rank(kind: IntKind) -> u8 {
    use IntKind::*;
    match kind {
        Char | SChar | UChar => 1,
        Short | UShort => 2,
        Int | UInt => 3,
        Long | ULong => 4,
        LLong | ULLong => 5,
        Int128 | UInt128 => 6,
    }
}

/// The unsigned relative of an integer kind.
pub fn to_unsigned(kind: IntKind) -> IntKind {
    use IntKind::*;
    match kind {
        Char | SChar => UChar,
        Short => UShort,
        Int => UInt,
        Long => ULong,
        LLong => ULLong,
        Int128 => UInt128,
        k => k,
    }
}
