//! The syntax tree of C11 + GNU C.
//!
//! Faithful to the source: nothing is promoted, converted, folded or laid out. Only notation is normalised: alternate
//! keywords, digraphs, parentheses and `__extension__` are gone, adjacent string literals are one, and a declarator is
//! the list of its derivations ([`Declarator::derived`]) instead of an inside-out tree.
//!
//! Every node has the position of its first character. The tree's height is bounded (see [`crate::parse`]), so that
//! recursive consumers (and dropping it) need a bounded stack; what grows long in real programs (blocks, `else if`
//! chains, stacked labels, comma expressions, initialisers, pointers to pointers) is a flat list.

mod decl;
mod expr;
mod literal;
mod stmt;
mod types;

use plumb_term::Span;

use crate::Symbol;

pub use decl::{
    AlignAs, ArraySize, AttrArg, Attribute, DeclSpecs, Declaration, Declarator, Derived, Designator, DesignatorKind, ExternalDecl,
    FunctionDef, Init, InitDeclarator, InitItem, InitList, Param, Params, StaticAssert, Storage, TranslationUnit, TypeName,
};
pub use expr::{BinaryOp, Expr, ExprKind, Generic, GenericControl, OffsetofStep, UnaryOp};
pub use literal::{CharConst, Encoding, FloatConst, FloatSuffix, IntBase, IntConst, IntSize, StrConst};
pub use stmt::{Asm, AsmOperand, Block, BlockItem, ForInit, IfArm, Label, LabelKind, Stmt, StmtKind};
pub use types::{BuiltinType, EnumSpec, Enumerator, FieldDeclarator, FieldGroup, Member, Quals, RecordKind, RecordSpec, TypeSpec};

/// An identifier as written: which, and where.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Name {
    /// The spelling.
    pub symbol: Symbol,
    /// Position of its first character.
    pub span: Span,
}
