//! A small language of linear programs, to see the domains work.
//!
//! ```text
//! var i, n, s;                    # integers, any value at first
//! assume n >= 0 && n <= 100;
//! i, s = 0, 0;                    # parallel assignment
//! while (i < n) {
//!     i = i + 1;
//!     if (*) { s = s + 2; } else { s = s + [0, 1]; }
//! }
//! choose { s = s - 1; } or { skip; }
//! assert 0 <= i <= 100;
//! ```
//!
//! `*` as a condition or a value is any; `[a, b]` is any integer between two expressions, an end may be `*`. Conditions are comparisons, chained if
//! you like, with `&&`, `||`, `!` and parentheses. [`parse`] gives a [`Program`] or an [`Error`] with its position; [`analyse`](analysis::analyse) computes
//! an invariant for every loop in any domain.

pub mod analysis;
mod lexer;
mod parser;
pub mod show;

use std::fmt;

pub use parser::parse;

use crate::linear::{ConsKind, Dim, LinCons, LinExpr};

/// A line and a column, both from one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Position {
    /// The line.
    pub line: u32,
    /// The column, in characters.
    pub column: u32,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// What is wrong with a program text, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    /// Where the offending token begins.
    pub at: Position,
    /// One sentence.
    pub message: String,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.at, self.message)
    }
}

impl std::error::Error for Error {}

/// A program: variables are the dimensions `0, 1, …` in the order of their declaration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// The names of the variables.
    pub names: Vec<String>,
    /// The statements.
    pub body: Vec<Stmt>,
    /// Where each loop stands, by its number.
    pub loops: Vec<Position>,
    /// Where each assertion stands, by its number.
    pub asserts: Vec<Position>,
}

/// A statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stmt {
    /// `x, … = e, …;`, at once.
    Assign(Vec<(Dim, Value)>),
    /// `assume c;`
    Assume(Cond),
    /// `assert c;`
    Assert {
        /// What must hold.
        cond: Cond,
        /// Its number.
        number: usize,
    },
    /// `if (c) { … } else { … }`
    If(Cond, Vec<Stmt>, Vec<Stmt>),
    /// `while (c) { … }`
    While {
        /// The guard.
        cond: Cond,
        /// The body.
        body: Vec<Stmt>,
        /// Its number.
        number: usize,
    },
    /// `choose { … } or { … }`
    Choose(Vec<Vec<Stmt>>),
}

/// The right-hand side of an assignment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// An expression.
    Expr(LinExpr),
    /// `base + [lo, hi]`; an absent end is no bound. `*` is both ends absent.
    Between(Option<LinExpr>, Option<LinExpr>),
}

/// A condition in negation normal form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Cond {
    /// A comparison.
    Cons(LinCons),
    /// All of them; none is `true`.
    All(Vec<Cond>),
    /// One of them; none is `false`.
    One(Vec<Cond>),
    /// `*`: may hold or not.
    Any,
}

impl Cond {
    /// The negation; `*` is its own.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{program::Cond, Dim, LinCons};
    /// let c = |k: i64| LinCons::ge(Dim(0).into(), k.into());
    /// let both = Cond::All(vec![Cond::Cons(c(1)), Cond::Any]);
    /// assert_eq!(both.negated(), Cond::One(vec![Cond::Cons(c(1).negated()), Cond::Any]));
    /// ```
    pub fn negated(&self) -> Cond {
        match self {
            Cond::Cons(c) => Cond::Cons(c.negated()),
            Cond::All(cs) => Cond::One(cs.iter().map(Cond::negated).collect()),
            Cond::One(cs) => Cond::All(cs.iter().map(Cond::negated).collect()),
            Cond::Any => Cond::Any,
        }
    }

    /// The comparisons in it.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{program::Cond, Dim, LinCons};
    /// let c = |k: i64| LinCons::ge(Dim(0).into(), k.into());
    /// assert_eq!(Cond::One(vec![Cond::Cons(c(1)), Cond::Any, Cond::Cons(c(2))]).atoms(), [&c(1), &c(2)]);
    /// ```
    pub fn atoms(&self) -> Vec<&LinCons> {
        match self {
            Cond::Cons(c) => vec![c],
            Cond::All(cs) | Cond::One(cs) => cs.iter().flat_map(Cond::atoms).collect(),
            Cond::Any => Vec::new(),
        }
    }
}

/// The comparisons of a program, their complements, and what each becomes one step beyond its bound: where invariants tend to end.
///
/// # Examples
///
/// ```
/// use plumb_num::{program, Dim, LinCons};
/// let p = program::parse("var i; i = 0; while (i < 10) { i = i + 1; }").unwrap();
/// let found = program::thresholds(&p.body);
/// assert!(found.contains(&LinCons::le(Dim(0).into(), 9.into())) && found.contains(&LinCons::le(Dim(0).into(), 10.into())));
/// ```
pub fn thresholds(body: &[Stmt]) -> Vec<LinCons> {
    let mut out = Vec::new();
    for c in conditions(body).into_iter().flat_map(Cond::atoms) {
        for side in c.cases().iter().chain(&c.negated_cases()).flat_map(LinCons::inequalities) {
            out.push(LinCons::new(side.expr().clone() + LinExpr::constant(1), ConsKind::Ge));
            out.push(side);
        }
    }
    out.sort();
    out.dedup();
    out
}

fn conditions(body: &[Stmt]) -> Vec<&Cond> {
    let mut out = Vec::new();
    for s in body {
        match s {
            Stmt::Assign(_) => {}
            Stmt::Assume(c) | Stmt::Assert { cond: c, .. } => out.push(c),
            Stmt::If(c, then, otherwise) => {
                out.push(c);
                out.extend(conditions(then));
                out.extend(conditions(otherwise));
            }
            Stmt::While { cond, body, .. } => {
                out.push(cond);
                out.extend(conditions(body));
            }
            Stmt::Choose(branches) => out.extend(branches.iter().flat_map(|b| conditions(b))),
        }
    }
    out
}
