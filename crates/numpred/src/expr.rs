//! Expressions over predicates and linear constraints, in negation normal form.

use plumb_num::{LinCons, Point};
use std::fmt;

/// A predicate, by its number in the [`crate::Vocabulary`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Pred(pub u32);

/// A term or its negation. Linear constraints are closed under negation, predicates have a sign.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Literal {
    /// A predicate of this state.
    Pred(Pred, bool),
    /// A predicate of the next state: `p'`.
    Primed(Pred, bool),
    /// A numeric constraint.
    Cons(LinCons),
}

impl Literal {
    /// The complement.
    pub fn negated(&self) -> Literal {
        match self {
            Literal::Pred(p, b) => Literal::Pred(*p, !b),
            Literal::Primed(p, b) => Literal::Primed(*p, !b),
            Literal::Cons(c) => Literal::Cons(c.negated()),
        }
    }
}

/// An expression.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Expr {
    /// A constant.
    Bool(bool),
    /// A literal.
    Lit(Literal),
    /// A conjunction.
    And(Vec<Expr>),
    /// A disjunction.
    Or(Vec<Expr>),
}

impl Expr {
    /// A predicate.
    pub fn pred(p: Pred) -> Expr {
        Expr::Lit(Literal::Pred(p, true))
    }

    /// A constraint.
    pub fn cons(c: LinCons) -> Expr {
        match (c.is_always(), c.is_never()) {
            (true, _) => Expr::Bool(true),
            (_, true) => Expr::Bool(false),
            _ => Expr::Lit(Literal::Cons(c)),
        }
    }

    /// The conjunction.
    pub fn all(parts: impl IntoIterator<Item = Expr>) -> Expr {
        Expr::flat(parts, true)
    }

    /// The disjunction.
    pub fn any(parts: impl IntoIterator<Item = Expr>) -> Expr {
        Expr::flat(parts, false)
    }

    fn flat(parts: impl IntoIterator<Item = Expr>, conjunction: bool) -> Expr {
        let mut out: Vec<Expr> = Vec::new();
        for p in parts {
            match p {
                Expr::Bool(b) if b == conjunction => {}
                Expr::Bool(b) => return Expr::Bool(b),
                Expr::And(ps) if conjunction => out.extend(ps),
                Expr::Or(ps) if !conjunction => out.extend(ps),
                p => out.push(p),
            }
        }
        match out.len() {
            0 => Expr::Bool(conjunction),
            1 => out.remove(0),
            _ if conjunction => Expr::And(out),
            _ => Expr::Or(out),
        }
    }

    /// Both.
    #[must_use]
    pub fn and(self, other: Expr) -> Expr {
        Expr::all([self, other])
    }

    /// One of both.
    #[must_use]
    pub fn or(self, other: Expr) -> Expr {
        Expr::any([self, other])
    }

    /// The negation.
    #[must_use]
    pub fn negated(&self) -> Expr {
        match self {
            Expr::Bool(b) => Expr::Bool(!b),
            Expr::Lit(l) => Expr::Lit(l.negated()),
            Expr::And(ps) => Expr::any(ps.iter().map(Expr::negated)),
            Expr::Or(ps) => Expr::all(ps.iter().map(Expr::negated)),
        }
    }

    /// Whether it holds for given predicates, in a point; primed predicates are those of the next state.
    pub fn holds(&self, now: &dyn Fn(Pred) -> bool, next: &dyn Fn(Pred) -> bool, point: &Point) -> bool {
        match self {
            Expr::Bool(b) => *b,
            Expr::Lit(Literal::Pred(p, b)) => now(*p) == *b,
            Expr::Lit(Literal::Primed(p, b)) => next(*p) == *b,
            Expr::Lit(Literal::Cons(c)) => c.holds(point),
            Expr::And(ps) => ps.iter().all(|p| p.holds(now, next, point)),
            Expr::Or(ps) => ps.iter().any(|p| p.holds(now, next, point)),
        }
    }

    /// Whether every literal of it has a property.
    pub fn every(&self, property: &dyn Fn(&Literal) -> bool) -> bool {
        match self {
            Expr::Bool(_) => true,
            Expr::Lit(l) => property(l),
            Expr::And(ps) | Expr::Or(ps) => ps.iter().all(|p| p.every(property)),
        }
    }
}

impl From<Literal> for Expr {
    fn from(l: Literal) -> Expr {
        match l {
            Literal::Cons(c) => Expr::cons(c),
            l => Expr::Lit(l),
        }
    }
}

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = |b: &bool| if *b { "" } else { "!" };
        let list = |f: &mut fmt::Formatter<'_>, ps: &[Expr], op: &str| {
            for (i, p) in ps.iter().enumerate() {
                write!(f, "{}{p}", if i == 0 { "(" } else { op })?;
            }
            f.write_str(")")
        };
        match self {
            Expr::Bool(b) => write!(f, "{b}"),
            Expr::Lit(Literal::Pred(p, b)) => write!(f, "{}p{}", sign(b), p.0),
            Expr::Lit(Literal::Primed(p, b)) => write!(f, "{}p{}'", sign(b), p.0),
            Expr::Lit(Literal::Cons(c)) => write!(f, "{c}"),
            Expr::And(ps) => list(f, ps, " & "),
            Expr::Or(ps) => list(f, ps, " | "),
        }
    }
}

/// Where γ writes to: expressions, or somebody else's formulas, which may share what diagrams share.
pub trait Logic {
    /// Formulas.
    type Formula: Clone;

    /// A constant.
    fn constant(&mut self, b: bool) -> Self::Formula;
    /// A literal.
    fn literal(&mut self, l: &Literal) -> Self::Formula;
    /// A conjunction.
    fn and(&mut self, parts: Vec<Self::Formula>) -> Self::Formula;
    /// A disjunction.
    fn or(&mut self, parts: Vec<Self::Formula>) -> Self::Formula;
}

/// Expressions as formulas.
#[derive(Clone, Copy, Debug)]
pub struct Expressions;

impl Logic for Expressions {
    type Formula = Expr;

    fn constant(&mut self, b: bool) -> Expr {
        Expr::Bool(b)
    }

    fn literal(&mut self, l: &Literal) -> Expr {
        l.clone().into()
    }

    fn and(&mut self, parts: Vec<Expr>) -> Expr {
        Expr::all(parts)
    }

    fn or(&mut self, parts: Vec<Expr>) -> Expr {
        Expr::any(parts)
    }
}
