//! The parser: recursive descent with a bound on nesting.

use super::lexer::{tokens, Token};
use super::{Cond, Error, Position, Program, Stmt, Value};
use crate::linear::{ConsKind, Dim, LinCons, LinExpr};

/// Deeper nesting is refused, so that no text exhausts the stack.
const DEPTH: usize = 100;
const KEYWORDS: [&str; 11] = ["var", "assume", "assert", "if", "else", "while", "choose", "or", "skip", "true", "false"];

/// Parses a program.
///
/// ```
/// let p = plumb_num::program::parse("var x; x = 0; while (x < 10) { x = x + 1; } assert x == 10;").unwrap();
/// assert_eq!((p.names.len(), p.loops.len(), p.asserts[0].column), (1, 1, 45));
/// let e = plumb_num::program::parse("var x;\nx = x * x;").unwrap_err();
/// assert_eq!(e.to_string(), "2:7: a product of two variables is not linear");
/// ```
pub fn parse(text: &str) -> Result<Program, Error> {
    let mut p = Parser { tokens: tokens(text)?, next: 0, names: Vec::new(), loops: Vec::new(), asserts: Vec::new(), depth: 0 };
    let mut body = Vec::new();
    while *p.peek() != Token::End {
        p.statement(&mut body)?;
    }
    Ok(Program { names: p.names, body, loops: p.loops, asserts: p.asserts })
}

struct Parser {
    tokens: Vec<(Token, Position)>,
    next: usize,
    names: Vec<String>,
    loops: Vec<Position>,
    asserts: Vec<Position>,
    depth: usize,
}

impl Parser {
    fn peek(&self) -> &Token {
        &self.tokens[self.next].0
    }

    fn at(&self) -> Position {
        self.tokens[self.next].1
    }

    fn advance(&mut self) -> Token {
        let t = self.tokens[self.next].0.clone();
        self.next = (self.next + 1).min(self.tokens.len() - 1);
        t
    }

    fn error<T>(&self, message: impl Into<String>) -> Result<T, Error> {
        Err(Error { at: self.at(), message: message.into() })
    }

    fn expected<T>(&self, what: &str) -> Result<T, Error> {
        self.error(format!("expected {what}, found {}", self.peek().shown()))
    }

    fn is_symbol(&self, s: &str) -> bool {
        matches!(self.peek(), Token::Symbol(t) if *t == s)
    }

    fn is_word(&self, s: &str) -> bool {
        matches!(self.peek(), Token::Name(t) if t == s)
    }

    fn accept(&mut self, s: &str) -> bool {
        let found = self.is_symbol(s) || self.is_word(s);
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, s: &str) -> Result<(), Error> {
        if self.accept(s) {
            Ok(())
        } else {
            self.expected(&format!("`{s}`"))
        }
    }

    /// Runs a rule one level deeper.
    fn nested<T>(&mut self, rule: impl FnOnce(&mut Parser) -> Result<T, Error>) -> Result<T, Error> {
        if self.depth == DEPTH {
            return self.error(format!("more than {DEPTH} levels of nesting"));
        }
        self.depth += 1;
        let result = rule(self);
        self.depth -= 1;
        result
    }

    fn block(&mut self) -> Result<Vec<Stmt>, Error> {
        self.nested(|p| {
            let mut out = Vec::new();
            p.expect("{")?;
            while !p.accept("}") {
                if *p.peek() == Token::End {
                    return p.expected("`}`");
                }
                p.statement(&mut out)?;
            }
            Ok(out)
        })
    }

    fn statement(&mut self, out: &mut Vec<Stmt>) -> Result<(), Error> {
        let at = self.at();
        if self.accept("var") {
            loop {
                self.declaration()?;
                if !self.accept(",") {
                    return self.expect(";");
                }
            }
        }
        if self.accept("skip") {
            return self.expect(";");
        }
        let stmt = if self.accept("assume") {
            let c = self.condition()?;
            self.expect(";")?;
            Stmt::Assume(c)
        } else if self.accept("assert") {
            let cond = self.condition()?;
            self.expect(";")?;
            self.asserts.push(at);
            Stmt::Assert { cond, number: self.asserts.len() - 1 }
        } else if self.accept("if") {
            self.conditional()?
        } else if self.accept("while") {
            let number = self.loops.len();
            self.loops.push(at);
            let cond = self.guard()?;
            Stmt::While { cond, body: self.block()?, number }
        } else if self.accept("choose") {
            let mut branches = vec![self.block()?];
            while self.accept("or") {
                branches.push(self.block()?);
            }
            Stmt::Choose(branches)
        } else {
            self.assignment()?
        };
        out.push(stmt);
        Ok(())
    }

    fn declaration(&mut self) -> Result<(), Error> {
        match self.peek().clone() {
            Token::Name(n) if KEYWORDS.contains(&n.as_str()) => self.expected("a name"),
            Token::Name(n) if self.names.contains(&n) => self.error(format!("`{n}` is declared already")),
            Token::Name(n) => {
                self.names.push(n);
                self.advance();
                Ok(())
            }
            _ => self.expected("a name"),
        }
    }

    fn guard(&mut self) -> Result<Cond, Error> {
        self.expect("(")?;
        let c = self.condition()?;
        self.expect(")")?;
        Ok(c)
    }

    fn conditional(&mut self) -> Result<Stmt, Error> {
        let cond = self.guard()?;
        let then = self.block()?;
        let mut otherwise = Vec::new();
        if self.accept("else") {
            if self.accept("if") {
                otherwise.push(self.nested(Parser::conditional)?);
            } else {
                otherwise = self.block()?;
            }
        }
        Ok(Stmt::If(cond, then, otherwise))
    }

    fn variable(&mut self) -> Result<Dim, Error> {
        let Token::Name(n) = self.peek().clone() else { return self.expected("a variable") };
        if KEYWORDS.contains(&n.as_str()) {
            return self.expected("a variable");
        }
        let Some(i) = self.names.iter().position(|m| *m == n) else { return self.error(format!("`{n}` is not declared")) };
        self.advance();
        Ok(Dim(i as u32))
    }

    fn assignment(&mut self) -> Result<Stmt, Error> {
        let mut targets = Vec::new();
        loop {
            let at = self.at();
            let x = self.variable()?;
            if targets.contains(&x) {
                return Err(Error { at, message: "a variable is assigned twice".to_string() });
            }
            targets.push(x);
            if !self.accept(",") {
                break;
            }
        }
        if !self.accept("=") {
            self.expect(":=")?;
        }
        let mut values = vec![self.value()?];
        while values.len() < targets.len() && self.accept(",") {
            values.push(self.value()?);
        }
        if values.len() < targets.len() {
            return self.expected("`,` and a value for every variable");
        }
        self.expect(";")?;
        Ok(Stmt::Assign(targets.into_iter().zip(values).collect()))
    }

    /// `*`, `[lo, hi]`, an expression, or an expression plus `[lo, hi]`.
    fn value(&mut self) -> Result<Value, Error> {
        if self.accept("*") {
            return Ok(Value::Between(None, None));
        }
        if self.is_symbol("[") {
            return self.range(&LinExpr::default());
        }
        let mut e = self.term()?;
        loop {
            if self.accept("+") {
                if self.is_symbol("[") {
                    return self.range(&e);
                }
                e = e + self.term()?;
            } else if self.accept("-") {
                e = e - self.term()?;
            } else {
                return Ok(Value::Expr(e));
            }
        }
    }

    fn range(&mut self, base: &LinExpr) -> Result<Value, Error> {
        self.expect("[")?;
        let lo = self.end(base)?;
        self.expect(",")?;
        let hi = self.end(base)?;
        self.expect("]")?;
        Ok(Value::Between(lo, hi))
    }

    fn end(&mut self, base: &LinExpr) -> Result<Option<LinExpr>, Error> {
        if self.accept("*") {
            return Ok(None);
        }
        Ok(Some(base.clone() + self.expression()?))
    }

    fn expression(&mut self) -> Result<LinExpr, Error> {
        let mut e = self.term()?;
        loop {
            if self.accept("+") {
                e = e + self.term()?;
            } else if self.accept("-") {
                e = e - self.term()?;
            } else {
                return Ok(e);
            }
        }
    }

    fn term(&mut self) -> Result<LinExpr, Error> {
        let mut e = self.factor()?;
        while self.is_symbol("*") {
            let at = self.at();
            self.advance();
            let f = self.factor()?;
            e = match (e.as_constant(), f.as_constant()) {
                (Some(k), _) => f.scaled(k),
                (_, Some(k)) => e.scaled(k),
                _ => return Err(Error { at, message: "a product of two variables is not linear".to_string() }),
            };
        }
        Ok(e)
    }

    fn factor(&mut self) -> Result<LinExpr, Error> {
        if let Token::Number(n) = self.peek().clone() {
            self.advance();
            return Ok(LinExpr::constant(n));
        }
        if self.accept("-") {
            return Ok(-self.nested(Parser::factor)?);
        }
        if self.accept("(") {
            let e = self.nested(Parser::expression)?;
            self.expect(")")?;
            return Ok(e);
        }
        match self.peek() {
            Token::Name(_) => Ok(LinExpr::var(self.variable()?)),
            _ => self.expected("an expression"),
        }
    }

    fn condition(&mut self) -> Result<Cond, Error> {
        self.nested(|p| {
            let mut any = vec![p.conjunction()?];
            while p.accept("||") {
                any.push(p.conjunction()?);
            }
            Ok(one_or(any, Cond::One))
        })
    }

    fn conjunction(&mut self) -> Result<Cond, Error> {
        let mut all = vec![self.literal()?];
        while self.accept("&&") {
            all.push(self.literal()?);
        }
        Ok(one_or(all, Cond::All))
    }

    fn literal(&mut self) -> Result<Cond, Error> {
        if self.accept("!") {
            return Ok(self.nested(Parser::literal)?.negated());
        }
        if self.accept("*") {
            return Ok(Cond::Any);
        }
        if self.accept("true") {
            return Ok(Cond::All(Vec::new()));
        }
        if self.accept("false") {
            return Ok(Cond::One(Vec::new()));
        }
        // A parenthesis may open an expression or a condition; the reading that goes further explains the error.
        let start = self.next;
        let depth = self.depth;
        let compared = self.comparison();
        let Err(first) = compared else { return compared };
        if self.tokens[start].0 != Token::Symbol("(") {
            return Err(first);
        }
        self.next = start + 1;
        self.depth = depth;
        let grouped = self.condition().and_then(|c| self.expect(")").map(|()| c));
        grouped.map_err(|second| if second.at >= first.at { second } else { first })
    }

    /// `a < b <= c …`: every neighbouring pair.
    fn comparison(&mut self) -> Result<Cond, Error> {
        let mut left = self.expression()?;
        let mut all = Vec::new();
        loop {
            let Token::Symbol(op) = *self.peek() else { break };
            let make: fn(LinExpr, LinExpr) -> LinCons = match op {
                "<" => LinCons::lt,
                ">" => LinCons::gt,
                "<=" | "≤" => LinCons::le,
                ">=" | "≥" => LinCons::ge,
                "==" | "=" => LinCons::eq,
                "!=" => LinCons::ne,
                _ => break,
            };
            self.advance();
            let right = self.expression()?;
            all.push(constant_or(make(left, right.clone())));
            left = right;
        }
        if all.is_empty() {
            return self.expected("a comparison");
        }
        Ok(one_or(all, Cond::All))
    }
}

/// A comparison of constants is decided here.
fn constant_or(c: LinCons) -> Cond {
    match c.kind() {
        ConsKind::Eq if c.is_always() => Cond::All(Vec::new()),
        _ if c.is_never() => Cond::One(Vec::new()),
        _ => Cond::Cons(c),
    }
}

fn one_or(mut cs: Vec<Cond>, many: fn(Vec<Cond>) -> Cond) -> Cond {
    if cs.len() == 1 {
        cs.remove(0)
    } else {
        many(cs)
    }
}
