//! Type specifiers: what stands left of the declarators.

use plumb_term::Span;

use super::{Attribute, DeclSpecs, Declarator, Expr, Name, StaticAssert, TypeName};

/// A type specifier, without qualifiers.
#[derive(Clone, Debug)]
pub enum TypeSpec {
    /// None was written: `int`, as before C99 (`static x;`, `main() {}`).
    ImplicitInt,
    /// A type named by keywords.
    Builtin(BuiltinType),
    /// `_Complex` of a real type; of an integer type it is a GNU extension. `_Complex` alone is `_Complex double`.
    Complex(BuiltinType),
    /// A typedef name.
    Typedef(Name),
    /// `struct` or `union`.
    Record(Box<RecordSpec>),
    /// `enum`.
    Enum(Box<EnumSpec>),
    /// `typeof(expr)`; the expression is evaluated only if its type is variably modified.
    TypeofExpr(Box<Expr>),
    /// `typeof(type)`.
    TypeofType(Box<TypeName>),
    /// `_Atomic(type)`.
    Atomic(Box<TypeName>),
    /// GNU `__auto_type`: the type of the initialiser.
    AutoType,
}

/// Types named by keywords, whatever their order in the source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // The names are the types.
pub enum BuiltinType {
    Void,
    Bool,
    Char,
    SignedChar,
    UnsignedChar,
    Short,
    UnsignedShort,
    Int,
    UnsignedInt,
    Long,
    UnsignedLong,
    LongLong,
    UnsignedLongLong,
    Int128,
    UnsignedInt128,
    Float,
    Double,
    LongDouble,
    Float16,
    Float32,
    Float64,
    /// `_Float128` and `__float128`.
    Float128,
    Float32x,
    Float64x,
    /// `__float80`.
    Float80,
    Decimal32,
    Decimal64,
    Decimal128,
    /// `__builtin_va_list`.
    VaList,
}

/// Type qualifiers.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Quals {
    /// `const`
    pub is_const: bool,
    /// `volatile`
    pub is_volatile: bool,
    /// `restrict`
    pub is_restrict: bool,
    /// `_Atomic` without parentheses
    pub is_atomic: bool,
}

/// Structure or union.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RecordKind {
    /// `struct`
    Struct,
    /// `union`
    Union,
}

/// `struct tag { members }`, or a reference to it.
#[derive(Clone, Debug)]
pub struct RecordSpec {
    /// Position of the keyword.
    pub span: Span,
    /// Structure or union.
    pub kind: RecordKind,
    /// The tag.
    pub tag: Option<Name>,
    /// The members, if this is the definition.
    pub members: Option<Vec<Member>>,
    /// Attributes after the keyword and after the closing brace.
    pub attrs: Vec<Attribute>,
    /// `#pragma pack` in force at the closing brace: the largest alignment of a member.
    pub pack: Option<u8>,
}

/// A member declaration of a record.
#[derive(Clone, Debug)]
pub enum Member {
    /// Fields that share their specifiers.
    Fields(FieldGroup),
    /// `_Static_assert`.
    StaticAssert(StaticAssert),
}

/// `specs a, b : 3;` in a record. Without declarators it is an anonymous record (or declares nothing).
#[derive(Clone, Debug)]
pub struct FieldGroup {
    /// Position of the first character.
    pub span: Span,
    /// The common specifiers.
    pub specs: DeclSpecs,
    /// The fields.
    pub declarators: Vec<FieldDeclarator>,
}

/// A field.
#[derive(Clone, Debug)]
pub struct FieldDeclarator {
    /// Name (none for an unnamed bit-field) and derivations.
    pub declarator: Declarator,
    /// The width of a bit-field.
    pub bits: Option<Expr>,
}

/// `enum tag { enumerators }`, or a reference to it.
#[derive(Clone, Debug)]
pub struct EnumSpec {
    /// Position of the keyword.
    pub span: Span,
    /// The tag.
    pub tag: Option<Name>,
    /// The enumerators, if this is the definition.
    pub enumerators: Option<Vec<Enumerator>>,
    /// Attributes after the keyword and after the closing brace.
    pub attrs: Vec<Attribute>,
}

/// `name = value` in an enumeration.
#[derive(Clone, Debug)]
pub struct Enumerator {
    /// The constant.
    pub name: Name,
    /// Its attributes.
    pub attrs: Vec<Attribute>,
    /// Its value, if given.
    pub value: Option<Expr>,
}
