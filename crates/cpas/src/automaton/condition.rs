//! Conditions of observers: C expressions over integer variables, with mathematical integers.

use plumb_cfa::Program;
use plumb_term::{IBig, Sort, Term, VarId};

/// Expressions nested deeper than this are rejected.
const MAX_DEPTH: u32 = 100;

/// The variable `x` or `f::x`.
pub(super) fn variable(program: &Program, text: &str) -> Result<VarId, String> {
    let (function, name) = match text.split_once("::") {
        Some((f, x)) => (Some(f), x),
        None => (None, text),
    };
    let of = |v: &plumb_cfa::VarInfo| v.func.map(|f| program.function(f).name.as_str());
    let found: Vec<usize> =
        program.vars.iter().enumerate().filter(|(_, v)| v.name == name && (function.is_none() || of(v) == function)).map(|v| v.0).collect();
    match found.as_slice() {
        [i] => Ok(VarId(*i as u32)),
        [] => Err(format!("there is no variable `{text}`, or its address is taken")),
        _ => Err(format!("there are several variables `{text}`; say which with `function::{name}`")),
    }
}

/// Reads a condition.
pub(super) fn parse(text: &str, program: &Program) -> Result<Term, String> {
    let mut parser = Parser { tokens: tokens(text)?, next: 0, program, depth: 0 };
    let term = parser.disjunction()?;
    match parser.peek() {
        None => truth(term),
        Some(t) => Err(format!("`{t}` is not expected in the condition")),
    }
}

/// An expression as a condition: an integer is true if it is not zero.
fn truth(t: Term) -> Result<Term, String> {
    match t.sort() {
        Sort::Bool => Ok(t),
        Sort::Int => Ok(t.differs(Term::int(0))),
        _ => Err("conditions are about integers".into()),
    }
}

fn number(t: Term) -> Result<Term, String> {
    match t.sort() {
        Sort::Int => Ok(t),
        _ => Err("an integer is expected, not a comparison".into()),
    }
}

fn tokens(text: &str) -> Result<Vec<String>, String> {
    let mut out: Vec<String> = Vec::new();
    let mut chars = text.char_indices().peekable();
    while let Some((i, c)) = chars.next() {
        let rest = &text[i..];
        let word = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
        let length = if c.is_whitespace() {
            continue;
        } else if word(c) {
            rest.find(|c: char| !word(c)).unwrap_or(rest.len())
        } else if ["&&", "||", "==", "!=", "<=", ">="].iter().any(|op| rest.starts_with(op)) {
            2
        } else if "()<>!+-*".contains(c) {
            1
        } else {
            return Err(format!("`{c}` is not expected in the condition"));
        };
        out.push(rest[..length].to_owned());
        while chars.peek().is_some_and(|(j, _)| *j < i + length) {
            chars.next();
        }
    }
    Ok(out)
}

struct Parser<'p> {
    tokens: Vec<String>,
    next: usize,
    program: &'p Program,
    depth: u32,
}

impl Parser<'_> {
    fn peek(&self) -> Option<&str> {
        self.tokens.get(self.next).map(String::as_str)
    }

    fn take(&mut self, token: &str) -> bool {
        let found = self.peek() == Some(token);
        self.next += usize::from(found);
        found
    }

    fn disjunction(&mut self) -> Result<Term, String> {
        let mut t = self.conjunction()?;
        while self.take("||") {
            t = truth(t)?.or(truth(self.conjunction()?)?);
        }
        Ok(t)
    }

    fn conjunction(&mut self) -> Result<Term, String> {
        let mut t = self.comparison()?;
        while self.take("&&") {
            t = truth(t)?.and(truth(self.comparison()?)?);
        }
        Ok(t)
    }

    fn comparison(&mut self) -> Result<Term, String> {
        let a = self.sum()?;
        let op = self.peek().unwrap_or("").to_owned();
        if !["==", "!=", "<", "<=", ">", ">="].contains(&op.as_str()) {
            return Ok(a);
        }
        self.next += 1;
        let (a, b) = (number(a)?, number(self.sum()?)?);
        Ok(match op.as_str() {
            "==" => a.equals(b),
            "!=" => a.differs(b),
            "<" => a.less(b),
            "<=" => a.less_eq(b),
            ">" => a.greater(b),
            _ => a.greater_eq(b),
        })
    }

    fn sum(&mut self) -> Result<Term, String> {
        let mut t = self.product()?;
        loop {
            if self.take("+") {
                t = number(t)?.add(number(self.product()?)?);
            } else if self.take("-") {
                t = number(t)?.sub(number(self.product()?)?);
            } else {
                return Ok(t);
            }
        }
    }

    fn product(&mut self) -> Result<Term, String> {
        let mut t = self.operand()?;
        while self.take("*") {
            t = number(t)?.mul(number(self.operand()?)?);
        }
        Ok(t)
    }

    fn operand(&mut self) -> Result<Term, String> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err("the condition is nested too deeply".into());
        }
        let out = self.unguarded_operand();
        self.depth -= 1;
        out
    }

    fn unguarded_operand(&mut self) -> Result<Term, String> {
        if self.take("!") {
            return Ok(truth(self.operand()?)?.not());
        }
        if self.take("-") {
            return Ok(number(self.operand()?)?.neg());
        }
        if self.take("(") {
            let t = self.disjunction()?;
            return if self.take(")") { Ok(t) } else { Err("a `)` is missing in the condition".into()) };
        }
        let Some(word) = self.peek().map(str::to_owned) else { return Err("the condition ends too early".into()) };
        self.next += 1;
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            return IBig::from_str_radix(&word, 10).map(Term::int).map_err(|_| format!("`{word}` is no number"));
        }
        if !word.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            return Err(format!("`{word}` is not expected in the condition"));
        }
        let v = variable(self.program, &word)?;
        let t = self.program.term(v);
        number(t).map_err(|_| format!("`{word}` is no integer variable"))
    }
}
