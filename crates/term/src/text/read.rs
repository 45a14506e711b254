//! Terms from text.

use super::{named, Sexp, TextError, FBIN, FCMP, FTESTS, FUN};
use crate::build::linear::Sum;
use crate::float::{Float, FloatTy};
use crate::node::Term;
use crate::ty::{Cell, IntTy, Scalar, Sort, VarTy};
use dashu_int::IBig;

fn error<T>(why: impl Into<String>) -> Result<T, TextError> {
    Err(TextError(why.into()))
}

/// A scalar type by its name, as `i32` or `f64`.
pub fn read_scalar(name: &str) -> Result<Scalar, TextError> {
    let float = [FloatTy::F32, FloatTy::F64, FloatTy::F80, FloatTy::F128].into_iter().find(|t| format!("f{}", t.bits()) == name);
    if let Some(ty) = float {
        return Ok(Scalar::Float(ty));
    }
    let width = |digits: &str| digits.parse::<u16>().ok().filter(|b| (1..=128).contains(b));
    let int = match (name.strip_prefix('i').and_then(width), name.strip_prefix('u').and_then(width)) {
        (Some(bits), _) => IntTy::signed(bits),
        (_, Some(bits)) => IntTy::unsigned(bits),
        _ => return error(format!("{name} is no type of a scalar")),
    };
    Ok(Scalar::Int(int))
}

/// The type of a variable by its name.
pub fn read_type(name: &str) -> Result<VarTy, TextError> {
    match name {
        "bool" => Ok(VarTy::Bool),
        "int" => Ok(VarTy::Int),
        _ => match name.strip_prefix("mem:") {
            Some(cell) => read_cell(cell).map(VarTy::Mem),
            None => read_scalar(name).map(VarTy::Scalar),
        },
    }
}

fn read_cell(name: &str) -> Result<Cell, TextError> {
    if name == "byte" {
        return Ok(Cell::Byte);
    }
    read_scalar(name).map(Cell::Scalar)
}

fn int_type(s: &Sexp) -> Result<IntTy, TextError> {
    match read_scalar(s.atom()?)? {
        Scalar::Int(ty) => Ok(ty),
        Scalar::Float(_) => error(format!("{s} is no type of an integer")),
    }
}

fn float_type(s: &Sexp) -> Result<FloatTy, TextError> {
    match read_scalar(s.atom()?)? {
        Scalar::Float(ty) => Ok(ty),
        Scalar::Int(_) => error(format!("{s} is no type of a float")),
    }
}

fn number(s: &Sexp) -> Result<IBig, TextError> {
    let w = s.atom()?;
    w.parse().map_err(|_| TextError(format!("{w} is no integer")))
}

/// The term of an expression; `leaf` knows the words that are neither operators nor constants: variables and definitions.
pub fn read_term(s: &Sexp, leaf: &dyn Fn(&str) -> Option<Term>) -> Result<Term, TextError> {
    match s {
        Sexp::Atom(w) => read_word(w, leaf),
        Sexp::List(_) => Reader { leaf }.list(s),
    }
}

fn read_word(w: &str, leaf: &dyn Fn(&str) -> Option<Term>) -> Result<Term, TextError> {
    if let Some(t) = leaf(w) {
        return Ok(t);
    }
    match w {
        "T" => return Ok(Term::tt()),
        "F" => return Ok(Term::ff()),
        _ => {}
    }
    if let Some(cell) = w.strip_prefix("zeros:") {
        return read_cell(cell).map(Term::zero_mem);
    }
    if let Some((ty, pattern)) = w.split_once(':') {
        if let (Ok(Scalar::Float(ty)), Ok(bits)) = (read_scalar(ty), u128::from_str_radix(pattern, 16)) {
            return Ok(Term::float(Float::from_bits(ty, bits)));
        }
    }
    w.parse::<IBig>().map(Term::int).map_err(|_| TextError(format!("{w} is unknown")))
}

struct Reader<'a> {
    leaf: &'a dyn Fn(&str) -> Option<Term>,
}

impl Reader<'_> {
    // The depth is that of the expression, which the parser limits.
    fn term(&self, s: &Sexp) -> Result<Term, TextError> {
        read_term(s, self.leaf)
    }

    fn of(&self, s: &Sexp, sort: Sort) -> Result<Term, TextError> {
        let t = self.term(s)?;
        if t.sort() == sort {
            Ok(t)
        } else {
            error(format!("{s} has another sort than expected"))
        }
    }

    fn formula(&self, s: &Sexp) -> Result<Term, TextError> {
        self.of(s, Sort::Bool)
    }

    fn int(&self, s: &Sexp) -> Result<Term, TextError> {
        self.of(s, Sort::Int)
    }

    fn float(&self, s: &Sexp) -> Result<Term, TextError> {
        let t = self.term(s)?;
        match t.sort() {
            Sort::Float(_) => Ok(t),
            _ => error(format!("{s} is no float")),
        }
    }

    fn memory(&self, s: &Sexp) -> Result<Term, TextError> {
        let t = self.term(s)?;
        match t.sort() {
            Sort::Mem(_) => Ok(t),
            _ => error(format!("{s} is no memory")),
        }
    }

    /// An access of type `ty` fits the memory's cells.
    fn access(&self, ty: &Sexp, m: &Sexp) -> Result<(Scalar, Term), TextError> {
        let (ty, m) = (read_scalar(ty.atom()?)?, self.memory(m)?);
        match m.sort() {
            Sort::Mem(Cell::Scalar(s)) if s != ty => error(format!("a memory of {s} is accessed as {ty}")),
            _ => Ok((ty, m)),
        }
    }

    fn pair(&self, a: &Sexp, b: &Sexp) -> Result<(Term, Term), TextError> {
        let a = self.term(a)?;
        Ok((a, self.of(b, a.sort())?))
    }

    fn list(&self, s: &Sexp) -> Result<Term, TextError> {
        let (op, args) = s.call()?;
        let two = |f: fn(Term, Term) -> Term, a: &Sexp, b: &Sexp| Ok(f(self.int(a)?, self.int(b)?));
        match (op, args) {
            ("!", [a]) => Ok(self.formula(a)?.not()),
            ("&", _) => Ok(Term::all(self.formulas(args)?)),
            ("|", _) => Ok(Term::any(self.formulas(args)?)),
            ("?", [c, a, b]) => {
                let (a, b) = self.pair(a, b)?;
                Ok(Term::ite(self.formula(c)?, a, b))
            }
            ("=", [a, b]) => self.pair(a, b).map(|(a, b)| a.equals(b)),
            ("<=", [a, b]) => two(Term::less_eq, a, b),
            ("*", [a, b]) => two(Term::mul, a, b),
            ("/", [a, b]) => two(Term::div, a, b),
            ("%", [a, b]) => two(Term::rem, a, b),
            ("bitand", [a, b]) => two(Term::bit_and, a, b),
            ("bitor", [a, b]) => two(Term::bit_or, a, b),
            ("bitxor", [a, b]) => two(Term::bit_xor, a, b),
            ("shl", [a, b]) => two(Term::shl, a, b),
            ("shr", [a, b]) => two(Term::shr, a, b),
            ("+", [constant, parts @ ..]) if parts.len() % 2 == 0 => {
                let mut sum = Sum::constant(number(constant)?);
                for p in parts.chunks_exact(2) {
                    sum.add(&number(&p[0])?, self.int(&p[1])?);
                }
                Ok(sum.term())
            }
            ("wrap", [ty, a]) => Ok(self.int(a)?.wrap(int_type(ty)?)),
            ("fromint", [ty, a]) => Ok(Term::ffrom_int(float_type(ty)?, self.int(a)?)),
            ("toint", [ty, a]) => Ok(Term::fto_int(int_type(ty)?, self.float(a)?)),
            ("fcast", [ty, a]) => Ok(Term::fcast(float_type(ty)?, self.float(a)?)),
            ("bits", [a]) => Ok(Term::fbits(self.float(a)?)),
            ("frombits", [ty, a]) => Ok(Term::ffrom_bits(float_type(ty)?, self.int(a)?)),
            ("load", [ty, m, a]) => {
                let (ty, m) = self.access(ty, m)?;
                Ok(Term::load(ty, m, self.int(a)?))
            }
            ("store", [ty, m, a, v]) => {
                let (ty, m) = self.access(ty, m)?;
                let sort = VarTy::Scalar(ty).sort();
                Ok(Term::store(ty, m, self.int(a)?, self.of(v, sort)?))
            }
            ("splice", [m, src, lo, len]) => {
                let m = self.memory(m)?;
                Ok(Term::splice(m, self.of(src, m.sort())?, self.int(lo)?, self.int(len)?))
            }
            (op, [a]) if named(&FUN, op).is_some() => self.float(a).map(|a| named(&FUN, op).map_or(a, |op| Term::fun(op, a))),
            (op, [a]) if named(&FTESTS, op).is_some() => self.float(a).map(|a| named(&FTESTS, op).map_or(a, |test| Term::ftest(test, a))),
            (op, [a, b]) => {
                let (x, y) = (self.float(a)?, self.float(b)?);
                if x.sort() != y.sort() {
                    return error(format!("{s} mixes types"));
                }
                if let Some(op) = named(&FBIN, op) {
                    Ok(Term::fbin(op, x, y))
                } else if let Some(op) = named(&FCMP, op) {
                    Ok(Term::fcmp(op, x, y))
                } else {
                    error(format!("{op} is no operator"))
                }
            }
            _ => error(format!("{op} is no operator with {} operands", args.len())),
        }
    }

    fn formulas(&self, args: &[Sexp]) -> Result<Vec<Term>, TextError> {
        args.iter().map(|a| self.formula(a)).collect()
    }
}
