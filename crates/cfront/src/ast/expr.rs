//! Expressions.

use plumb_term::Span;

use super::{Block, CharConst, FloatConst, InitList, IntConst, Name, StrConst, TypeName};
use crate::Symbol;

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// Position of the first character (for `a + b` that of `a`).
    pub span: Span,
    /// What it is.
    pub kind: ExprKind,
}

/// The forms of expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A variable, function, enumeration constant, builtin function, or `__func__` and its GNU relatives.
    Ident(Symbol),
    /// `42ul`.
    Int(IntConst),
    /// `1.5f`.
    Float(FloatConst),
    /// `'a'`.
    Char(CharConst),
    /// `"text"`.
    Str(StrConst),
    /// Prefix and postfix operators.
    Unary {
        /// The operator.
        op: UnaryOp,
        /// Its operand.
        operand: Box<Expr>,
    },
    /// `lhs op rhs`, with `&&` and `||`.
    Binary {
        /// The operator.
        op: BinaryOp,
        /// Position of the operator.
        op_span: Span,
        /// Left operand.
        lhs: Box<Expr>,
        /// Right operand.
        rhs: Box<Expr>,
    },
    /// `lhs = rhs`, or `lhs op= rhs`.
    Assign {
        /// The operator of a compound assignment.
        op: Option<BinaryOp>,
        /// Position of the operator.
        op_span: Span,
        /// The object assigned to.
        lhs: Box<Expr>,
        /// The value.
        rhs: Box<Expr>,
    },
    /// `cond ? then : otherwise`; GNU `cond ?: otherwise` without `then`.
    Conditional {
        /// The condition; evaluated once also where it is the value.
        cond: Box<Expr>,
        /// Value if the condition holds; if absent, the condition's own value.
        then: Option<Box<Expr>>,
        /// Value if it does not.
        otherwise: Box<Expr>,
    },
    /// `a, b, c`: two or more, the last one is the value.
    Comma(Vec<Expr>),
    /// `callee(args)`, with all `__builtin_*` functions whose arguments are expressions.
    Call {
        /// The function or pointer to function.
        callee: Box<Expr>,
        /// The arguments.
        args: Vec<Expr>,
        /// Position of the closing parenthesis.
        rparen: Span,
    },
    /// `base[index]`; which of the two is the pointer is for the type checker.
    Index {
        /// The expression before the brackets.
        base: Box<Expr>,
        /// The expression within.
        index: Box<Expr>,
    },
    /// `base.field` or `base->field`.
    Member {
        /// The object or pointer.
        base: Box<Expr>,
        /// The member's name.
        field: Name,
        /// Whether it is `->`.
        arrow: bool,
    },
    /// `(ty) operand`.
    Cast {
        /// The target type.
        ty: Box<TypeName>,
        /// What is converted.
        operand: Box<Expr>,
    },
    /// `(ty) { init }`.
    CompoundLiteral {
        /// The type of the object.
        ty: Box<TypeName>,
        /// Its value.
        init: Box<InitList>,
    },
    /// `sizeof expr`.
    SizeofExpr(Box<Expr>),
    /// `sizeof(type)`.
    SizeofType(Box<TypeName>),
    /// `__alignof__ expr`; also accepted as `_Alignof expr`.
    AlignofExpr {
        /// The expression, not evaluated.
        operand: Box<Expr>,
        /// Whether it is `__alignof__` (preferred alignment) and not `_Alignof` (minimum alignment).
        preferred: bool,
    },
    /// `_Alignof(type)` or `__alignof__(type)`.
    AlignofType {
        /// The type.
        ty: Box<TypeName>,
        /// Whether it is `__alignof__` (preferred alignment) and not `_Alignof` (minimum alignment).
        preferred: bool,
    },
    /// GNU `&&label`.
    LabelAddr(Name),
    /// GNU `({ ... })`; its value is that of the last item, if that is an expression statement.
    StmtExpr(Box<Block>),
    /// `_Generic(...)`.
    Generic(Box<Generic>),
    /// `__builtin_va_arg(list, type)`.
    VaArg {
        /// The `va_list`.
        list: Box<Expr>,
        /// The type of the next argument.
        ty: Box<TypeName>,
    },
    /// `__builtin_offsetof(type, member.path[i])`.
    Offsetof {
        /// The structure.
        ty: Box<TypeName>,
        /// The path; the first step is a field.
        path: Vec<OffsetofStep>,
    },
    /// `__builtin_types_compatible_p(a, b)`.
    TypesCompatible(Box<(TypeName, TypeName)>),
    /// `__builtin_choose_expr(constant, then, otherwise)`.
    ChooseExpr(Box<[Expr; 3]>),
    /// `__builtin_convertvector(expr, type)`.
    ConvertVector {
        /// The vector converted.
        operand: Box<Expr>,
        /// The vector type it is converted to.
        ty: Box<TypeName>,
    },
}

/// A generic selection.
#[derive(Clone, Debug)]
pub struct Generic {
    /// What selects.
    pub control: GenericControl,
    /// The alternatives; `None` is `default`.
    pub arms: Vec<(Option<TypeName>, Expr)>,
}

/// The first operand of `_Generic`.
#[derive(Clone, Debug)]
pub enum GenericControl {
    /// An expression, not evaluated; its type after lvalue conversion selects.
    Expr(Expr),
    /// A type (accepted by newer compilers).
    Type(TypeName),
}

/// One step of the second operand of `__builtin_offsetof`.
#[derive(Clone, Debug)]
pub enum OffsetofStep {
    /// `.field`.
    Field(Name),
    /// `[index]`.
    Index(Expr),
}

/// Unary operators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOp {
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `!`
    Not,
    /// `~`
    BitNot,
    /// `*`
    Deref,
    /// `&`
    AddrOf,
    /// `++x`
    PreInc,
    /// `--x`
    PreDec,
    /// `x++`
    PostInc,
    /// `x--`
    PostDec,
    /// `__real__`
    Real,
    /// `__imag__`
    Imag,
}

/// Binary operators; all but the last eight can be part of a compound assignment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BinaryOp {
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `<<`
    Shl,
    /// `>>`
    Shr,
    /// `&`
    BitAnd,
    /// `^`
    BitXor,
    /// `|`
    BitOr,
    /// `<`
    Lt,
    /// `>`
    Gt,
    /// `<=`
    Le,
    /// `>=`
    Ge,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `&&`
    LogAnd,
    /// `||`
    LogOr,
}
