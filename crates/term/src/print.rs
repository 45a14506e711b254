//! A readable, unambiguous textual form of terms, for dumps and messages (C expressions for users are made elsewhere).

use crate::node::{Kind, Term};
use crate::ty::Var;
use dashu_int::IBig;
use std::fmt;

/// Subterms nested deeper than this are printed as `…`.
const MAX_DEPTH: u32 = 200;

/// Shows a term with the given names of variables.
pub fn show<'a>(t: Term, name: &'a dyn Fn(Var) -> String) -> impl fmt::Display + 'a {
    struct Show<'a>(Term, &'a dyn Fn(Var) -> String);
    impl fmt::Display for Show<'_> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write_term(self.0, self.1, 0, f)
        }
    }
    Show(t, name)
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_term(*self, &|v| if v.version == 0 { format!("v{}", v.id.0) } else { format!("v{}@{}", v.id.0, v.version) }, 0, f)
    }
}

impl fmt::Debug for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

fn write_term(t: Term, name: &dyn Fn(Var) -> String, depth: u32, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if depth > MAX_DEPTH {
        return f.write_str("…");
    }
    let sub = |t: &Term, f: &mut fmt::Formatter<'_>| write_term(*t, name, depth + 1, f);
    let call = |head: String, args: &[Term], f: &mut fmt::Formatter<'_>| {
        write!(f, "{head}(")?;
        for (i, a) in args.iter().enumerate() {
            if i > 0 {
                f.write_str(", ")?;
            }
            sub(a, f)?;
        }
        f.write_str(")")
    };
    let infix = |op: &str, args: &[Term], f: &mut fmt::Formatter<'_>| {
        f.write_str("(")?;
        for (i, a) in args.iter().enumerate() {
            if i > 0 {
                write!(f, " {op} ")?;
            }
            sub(a, f)?;
        }
        f.write_str(")")
    };
    use Kind::*;
    match t.kind() {
        Bool(b) => write!(f, "{b}"),
        Int(v) => write!(f, "{v}"),
        Float(x) => write!(f, "f{}:{:#x}", x.ty.bits(), x.bits),
        Var(v) => f.write_str(&name(*v)),
        Not(a) => {
            f.write_str("!")?;
            sub(a, f)
        }
        And(ts) => infix("&&", ts, f),
        Or(ts) => infix("||", ts, f),
        Ite(c, a, b) => call("ite".into(), &[*c, *a, *b], f),
        Eq(a, b) => infix("==", &[*a, *b], f),
        Le(a, b) => infix("<=", &[*a, *b], f),
        Lin(lin) => {
            f.write_str("(")?;
            for (i, (k, a)) in lin.parts.iter().enumerate() {
                let negative = *k < IBig::ZERO;
                let size = if negative { -k } else { k.clone() };
                match (i, negative) {
                    (0, true) => f.write_str("-")?,
                    (0, false) => {}
                    (_, true) => f.write_str(" - ")?,
                    (_, false) => f.write_str(" + ")?,
                }
                if size != IBig::ONE {
                    write!(f, "{size}*")?;
                }
                sub(a, f)?;
            }
            if lin.constant > IBig::ZERO {
                write!(f, " + {}", lin.constant)?;
            } else if lin.constant < IBig::ZERO {
                write!(f, " - {}", -&lin.constant)?;
            }
            f.write_str(")")
        }
        Mul(a, b) => infix("*", &[*a, *b], f),
        Div(a, b) => infix("/", &[*a, *b], f),
        Rem(a, b) => infix("%", &[*a, *b], f),
        Wrap(ty, a) => call(format!("wrap_{ty}"), &[*a], f),
        BitAnd(a, b) => infix("&", &[*a, *b], f),
        BitOr(a, b) => infix("|", &[*a, *b], f),
        BitXor(a, b) => infix("^", &[*a, *b], f),
        Shl(a, b) => infix("<<", &[*a, *b], f),
        Shr(a, b) => infix(">>", &[*a, *b], f),
        FBin(op, a, b) => call(format!("f{op:?}").to_lowercase(), &[*a, *b], f),
        FUn(op, a) => call(format!("f{op:?}").to_lowercase(), &[*a], f),
        FCmp(op, a, b) => call(format!("f{op:?}").to_lowercase(), &[*a, *b], f),
        FTest(test, a) => call(format!("is_{test:?}").to_lowercase(), &[*a], f),
        FFromInt(ty, a) => call(format!("f{}_of_int", ty.bits()), &[*a], f),
        FToInt(ty, a) => call(format!("{ty}_of_float"), &[*a], f),
        FCast(ty, a) => call(format!("f{}_of_float", ty.bits()), &[*a], f),
        FBits(a) => call("bits".into(), &[*a], f),
        FFromBits(ty, a) => call(format!("f{}_of_bits", ty.bits()), &[*a], f),
        ZeroMem(_) => f.write_str("zeros"),
        Load(ty, m, a) => call(format!("load_{ty}"), &[*m, *a], f),
        Store(ty, m, a, v) => call(format!("store_{ty}"), &[*m, *a, *v], f),
        Splice { mem, src, lo, len } => call("splice".into(), &[*mem, *src, *lo, *len], f),
    }
}
