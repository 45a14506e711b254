//! Statements. The span of a statement is that of its keyword where it has one (`for`, `while`, `do`, `if`, `switch`,
//! `return`), which is where witnesses want loops and branchings.

use plumb_term::Span;

use super::{Attribute, Declaration, Expr, Name, StaticAssert, StrConst};

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// Position of the first character; of a labelled statement that of the first label.
    pub span: Span,
    /// What it is.
    pub kind: StmtKind,
}

/// The forms of statements.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `;`, possibly with attributes (`__attribute__((fallthrough));`).
    Empty(Vec<Attribute>),
    /// `expr;`
    Expr(Expr),
    /// `{ ... }`
    Block(Block),
    /// `if ... else if ... else ...`
    If {
        /// The chain of tested alternatives, at least one.
        arms: Vec<IfArm>,
        /// The final `else`.
        otherwise: Option<Box<Stmt>>,
    },
    /// `switch (value) body`
    Switch {
        /// What is compared with the case labels.
        value: Expr,
        /// The body.
        body: Box<Stmt>,
    },
    /// `while (cond) body`
    While {
        /// The condition.
        cond: Expr,
        /// The body.
        body: Box<Stmt>,
    },
    /// `do body while (cond);`
    DoWhile {
        /// The body.
        body: Box<Stmt>,
        /// Position of `while`.
        while_span: Span,
        /// The condition.
        cond: Expr,
    },
    /// `for (init; cond; step) body`
    For {
        /// First clause.
        init: ForInit,
        /// The condition; none means true.
        cond: Option<Box<Expr>>,
        /// Third clause.
        step: Option<Box<Expr>>,
        /// The body.
        body: Box<Stmt>,
    },
    /// `goto label;`
    Goto(Name),
    /// GNU `goto *expr;`
    GotoComputed(Expr),
    /// `continue;`
    Continue,
    /// `break;`
    Break,
    /// `return value;`
    Return(Option<Expr>),
    /// Labels and the statement they stand before. Labels before a declaration or a closing brace stand before an
    /// empty statement.
    Labeled {
        /// The labels in order, at least one.
        labels: Vec<Label>,
        /// The statement.
        body: Box<Stmt>,
    },
    /// An `asm` statement.
    Asm(Box<Asm>),
}

/// `if (cond) then`, one link of an `else if` chain.
#[derive(Clone, Debug)]
pub struct IfArm {
    /// Position of `if`.
    pub span: Span,
    /// The condition.
    pub cond: Expr,
    /// What it guards.
    pub then: Stmt,
}

/// The first clause of `for`.
#[derive(Clone, Debug)]
pub enum ForInit {
    /// Nothing.
    None,
    /// An expression.
    Expr(Box<Expr>),
    /// A declaration, in scope in the loop.
    Decl(Box<Declaration>),
}

/// A label with its position.
#[derive(Clone, Debug)]
pub struct Label {
    /// Position of the name, of `case` or of `default`.
    pub span: Span,
    /// Which kind.
    pub kind: LabelKind,
}

/// The forms of labels.
#[derive(Clone, Debug)]
pub enum LabelKind {
    /// `name:`, with its attributes.
    Named(Name, Vec<Attribute>),
    /// `case value:`
    Case(Expr),
    /// GNU `case low ... high:`
    CaseRange(Expr, Expr),
    /// `default:`
    Default,
}

/// `{ ... }`
#[derive(Clone, Debug)]
pub struct Block {
    /// Position of the opening brace.
    pub span: Span,
    /// Labels local to the block (GNU `__label__ a, b;`).
    pub local_labels: Vec<Name>,
    /// Declarations and statements in order.
    pub items: Vec<BlockItem>,
    /// Position of the closing brace.
    pub close: Span,
}

/// An item of a block.
#[derive(Clone, Debug)]
pub enum BlockItem {
    /// A declaration.
    Decl(Declaration),
    /// A statement.
    Stmt(Stmt),
    /// `_Static_assert`.
    StaticAssert(StaticAssert),
}

/// An `asm` statement or top-level `asm`.
#[derive(Clone, Debug)]
pub struct Asm {
    /// Position of the keyword.
    pub span: Span,
    /// Qualifier `volatile`.
    pub volatile: bool,
    /// Qualifier `inline`.
    pub inline: bool,
    /// Qualifier `goto`.
    pub goto: bool,
    /// The instructions.
    pub template: StrConst,
    /// What it writes.
    pub outputs: Vec<AsmOperand>,
    /// What it reads.
    pub inputs: Vec<AsmOperand>,
    /// What it clobbers besides.
    pub clobbers: Vec<StrConst>,
    /// Where it may jump.
    pub labels: Vec<Name>,
}

/// An operand of an `asm` statement: `[name] "constraint" (expr)`.
#[derive(Clone, Debug)]
pub struct AsmOperand {
    /// Position of the first character.
    pub span: Span,
    /// The symbolic name.
    pub name: Option<Name>,
    /// The constraint.
    pub constraint: StrConst,
    /// The operand.
    pub expr: Expr,
}
