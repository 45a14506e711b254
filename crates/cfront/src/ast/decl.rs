//! Declarations: specifiers, declarators, initialisers, functions.

use std::collections::BTreeSet;

use plumb_term::{FileId, Span};

use super::{Asm, Block, Expr, Name, Quals, StrConst, TypeSpec};
use crate::Symbol;

/// A source file.
#[derive(Clone, Debug, Default)]
pub struct TranslationUnit {
    /// Its declarations in order.
    pub items: Vec<ExternalDecl>,
    /// The files that line markers call system headers.
    pub system: BTreeSet<FileId>,
}

/// A declaration at file scope.
#[derive(Clone, Debug)]
pub enum ExternalDecl {
    /// Variables, types, function prototypes.
    Decl(Declaration),
    /// A function with its body.
    Function(Box<FunctionDef>),
    /// `asm("...");`
    Asm(Box<Asm>),
    /// `_Static_assert`.
    StaticAssert(StaticAssert),
}

/// A function definition.
#[derive(Clone, Debug)]
pub struct FunctionDef {
    /// Position of the first character.
    pub span: Span,
    /// Storage class, function specifiers, attributes and the base of the return type.
    pub specs: DeclSpecs,
    /// Its function name and parameters. The name is always present, and so is a [`Derived::Function`]: the last
    /// derivation.
    pub declarator: Declarator,
    /// Declarations of the parameters of an old-style definition, between `)` and `{`.
    pub old_params: Vec<Declaration>,
    /// The body; `body.close` is the function's closing brace.
    pub body: Block,
}

impl FunctionDef {
    /// The function's name and the position of that name.
    pub fn name(&self) -> Option<Name> {
        self.declarator.name
    }

    /// The function's own parameter list.
    pub fn params(&self) -> Option<&Params> {
        match self.declarator.derived.last() {
            Some(Derived::Function { params, .. }) => Some(params),
            _ => None,
        }
    }
}

/// `specifiers declarators;`
#[derive(Clone, Debug)]
pub struct Declaration {
    /// Position of the first character.
    pub span: Span,
    /// What all declarators share.
    pub specs: DeclSpecs,
    /// What is declared; nothing where only a tag is (`struct s { int x; };`).
    pub declarators: Vec<InitDeclarator>,
}

/// Declaration specifiers.
#[derive(Clone, Debug)]
pub struct DeclSpecs {
    /// Position of the first character.
    pub span: Span,
    /// Storage class.
    pub storage: Storage,
    /// `_Thread_local` or `__thread`; may go with `extern` or `static`.
    pub thread_local: bool,
    /// `inline`
    pub inline: bool,
    /// `_Noreturn`
    pub noreturn: bool,
    /// Qualifiers of the base type.
    pub quals: Quals,
    /// `_Alignas`
    pub align: Vec<AlignAs>,
    /// Attributes among the specifiers. They apply to every declarator (a record's own attributes are in its
    /// specifier).
    pub attrs: Vec<Attribute>,
    /// The base type.
    pub ty: TypeSpec,
}

/// Storage classes.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Storage {
    /// None is given.
    #[default]
    None,
    /// `typedef`
    Typedef,
    /// `extern`
    Extern,
    /// `static`
    Static,
    /// `auto`
    Auto,
    /// `register`
    Register,
}

/// The operand of `_Alignas`.
#[derive(Clone, Debug)]
pub enum AlignAs {
    /// `_Alignas(type)`
    Type(Box<TypeName>),
    /// `_Alignas(constant)`
    Expr(Box<Expr>),
}

/// A declarator with its initialiser.
#[derive(Clone, Debug)]
pub struct InitDeclarator {
    /// Name and derivations; the name is always present here.
    pub declarator: Declarator,
    /// Its value at the start of its lifetime.
    pub init: Option<Init>,
}

/// A name and how its type is derived from the specifiers' base type.
#[derive(Clone, Default, Debug)]
pub struct Declarator {
    /// The name; none for an abstract declarator or an unnamed parameter.
    pub name: Option<Name>,
    /// Derivations in the order in which they are applied to the base type: `int *a[3]` is pointer, then array.
    pub derived: Vec<Derived>,
    /// `asm("label")` after the declarator: the assembler name, or the register of a register variable.
    pub asm_label: Option<StrConst>,
    /// Attributes before and after this declarator.
    pub attrs: Vec<Attribute>,
}

/// One derivation of a type.
#[derive(Clone, Debug)]
pub enum Derived {
    /// `*`: a qualified pointer to the type so far.
    Pointer {
        /// Position of `*`.
        span: Span,
        /// Qualifiers of the pointer itself.
        quals: Quals,
        /// Attributes among the qualifiers.
        attrs: Vec<Attribute>,
    },
    /// `[size]`: an array of the type so far.
    Array {
        /// Position of `[`.
        span: Span,
        /// Qualifiers within the brackets (of a parameter: those of the pointer it becomes).
        quals: Quals,
        /// `static` within the brackets of a parameter.
        is_static: bool,
        /// The number of elements.
        size: ArraySize,
    },
    /// `(params)`: a function that returns the type so far.
    Function {
        /// Position of `(`.
        span: Span,
        /// The parameters.
        params: Params,
        /// Position of `)`.
        rparen: Span,
    },
}

/// What stands between the brackets of an array declarator.
#[derive(Clone, Debug)]
pub enum ArraySize {
    /// `[]`: given by the initialiser, a flexible member, or incomplete.
    Unspecified,
    /// `[*]`: a variable-length array of unspecified size in a prototype.
    Star,
    /// `[expr]`: constant (zero allowed) or variable.
    Expr(Box<Expr>),
}

/// The parameters of a function declarator.
#[derive(Clone, Debug)]
pub enum Params {
    /// `()`: nothing is said; in a definition there are none.
    Unspecified,
    /// `(a, b)`: old style, types follow in [`FunctionDef::old_params`] (or are `int`).
    Names(Vec<Name>),
    /// `(int a, ...)`. `(void)` is an empty list.
    Prototype {
        /// The parameters.
        params: Vec<Param>,
        /// Whether `, ...` follows (or stands alone).
        variadic: bool,
    },
}

/// A parameter of a prototype.
#[derive(Clone, Debug)]
pub struct Param {
    /// Position of the first character.
    pub span: Span,
    /// Its specifiers.
    pub specs: DeclSpecs,
    /// Its (possibly missing) name and derivations.
    pub declarator: Declarator,
}

/// A type name, as in casts and `sizeof`.
#[derive(Clone, Debug)]
pub struct TypeName {
    /// Position of the first character.
    pub span: Span,
    /// Base type and qualifiers; no storage class.
    pub specs: DeclSpecs,
    /// Derivations as in [`Declarator::derived`].
    pub derived: Vec<Derived>,
}

impl TypeName {
    /// Whether a qualifier is written in it, at whatever depth of pointers.
    pub fn is_qualified(&self) -> bool {
        let pointer = |d: &Derived| matches!(d, Derived::Pointer { quals, .. } if *quals != Quals::default());
        self.specs.quals != Quals::default() || self.derived.iter().any(pointer)
    }
}

/// A GNU attribute, `name(args)`.
#[derive(Clone, Debug)]
pub struct Attribute {
    /// Position of the name.
    pub span: Span,
    /// The name without leading and trailing double underscores: `__packed__` is `packed`.
    pub name: Symbol,
    /// The arguments.
    pub args: Vec<AttrArg>,
}

/// An argument of an attribute.
#[derive(Clone, Debug)]
pub enum AttrArg {
    /// An expression; identifiers such as `DI` in `mode(DI)` are [`super::ExprKind::Ident`].
    Expr(Expr),
    /// A type.
    Type(TypeName),
}

/// An initialiser.
#[derive(Clone, Debug)]
pub enum Init {
    /// A value.
    Expr(Expr),
    /// A braced list.
    List(InitList),
}

/// `{ items }`
#[derive(Clone, Debug)]
pub struct InitList {
    /// Position of the opening brace.
    pub span: Span,
    /// The items in order; GNU allows none.
    pub items: Vec<InitItem>,
}

/// `designators = init` in a braced list.
#[derive(Clone, Debug)]
pub struct InitItem {
    /// The path to the sub-object; empty for the next one in order. GNU `field: value` is normalised to `.field`.
    pub designators: Vec<Designator>,
    /// Its value.
    pub init: Init,
}

/// One step of a designation.
#[derive(Clone, Debug)]
pub struct Designator {
    /// Position of the first character.
    pub span: Span,
    /// Which sub-object.
    pub kind: DesignatorKind,
}

/// The forms of designators.
#[derive(Clone, Debug)]
pub enum DesignatorKind {
    /// `.field`
    Field(Name),
    /// `[index]`
    Index(Expr),
    /// GNU `[low ... high]`
    Range(Expr, Expr),
}

/// `_Static_assert(cond, "message")`
#[derive(Clone, Debug)]
pub struct StaticAssert {
    /// Position of the keyword.
    pub span: Span,
    /// Must be a constant other than zero.
    pub cond: Expr,
    /// The message; newer compilers let it out.
    pub message: Option<StrConst>,
}
