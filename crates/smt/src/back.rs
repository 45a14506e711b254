//! From Z3 expressions back to terms: formulas, integers and memories of integers, in the encoding to integers.
//!
//! Used for what Z3 computes as a formula (projections). The translation is exact or fails.

use crate::encode::Symbols;
use crate::ffi::{Ast, DeclKind};
use plumb_term::{Cell, IBig, IntTy, Scalar, Sort, Term, Var};
use rustc_hash::FxHashMap;

/// Translates expressions over the symbols of an encoder.
pub(crate) struct Back {
    // By key: the symbols live in the encoder, the others in the expression that is translated.
    vars: FxHashMap<usize, Var>,
    done: FxHashMap<usize, Term>,
}

impl Back {
    pub(crate) fn new(symbols: &Symbols) -> Back {
        let vars = symbols.borrow().iter().map(|(v, a)| (a.key(), *v)).collect();
        Back { vars, done: FxHashMap::default() }
    }

    /// The term, if every operator has one.
    pub(crate) fn term(mut self, ast: &Ast) -> Option<Term> {
        let mut stack = vec![(ast.clone(), false)];
        while let Some((a, expanded)) = stack.pop() {
            if self.done.contains_key(&a.key()) {
                continue;
            }
            let operands = a.operands();
            if expanded || operands.is_empty() {
                let args: Option<Vec<Term>> = operands.iter().map(|o| self.done.get(&o.key()).copied()).collect();
                let t = self.node(&a, &args?)?;
                self.done.insert(a.key(), t);
            } else {
                stack.push((a, true));
                stack.extend(operands.into_iter().map(|o| (o, false)));
            }
        }
        self.done.get(&ast.key()).copied()
    }

    fn node(&self, a: &Ast, args: &[Term]) -> Option<Term> {
        use DeclKind::*;
        if let Some(v) = a.as_numeral() {
            return a.is_int().then(|| Term::int(v));
        }
        let pairwise = |f: &dyn Fn(Term, Term) -> Term| Term::all(args.windows(2).map(|w| f(w[0], w[1])));
        let ints = || args.iter().all(|t| t.sort() == Sort::Int);
        Some(match (a.operator()?, args) {
            (True, []) => Term::tt(),
            (False, []) => Term::ff(),
            (Uninterpreted, []) => Term::var(*self.vars.get(&a.key())?),
            (Not, [t]) => t.not(),
            (And, _) => Term::all(args.iter().copied()),
            (Or, _) => Term::any(args.iter().copied()),
            (Implies, [s, t]) => s.implies(*t),
            (Xor, [s, t]) => s.equals(*t).not(),
            (Eq | Iff, _) if args.iter().all(|t| t.sort() == args[0].sort()) => pairwise(&|s, t| s.equals(t)),
            (Distinct, _) => {
                let pairs = (0..args.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
                Term::all(pairs.map(|(i, j)| args[i].differs(args[j])))
            }
            (Ite, [c, s, t]) => Term::ite(*c, *s, *t),
            (Le, [s, t]) if ints() => s.less_eq(*t),
            (Lt, [s, t]) if ints() => s.less(*t),
            (Ge, [s, t]) if ints() => s.greater_eq(*t),
            (Gt, [s, t]) if ints() => s.greater(*t),
            (Add, _) if ints() => Term::sum(args.iter().copied()),
            (Sub, [first, rest @ ..]) if ints() => rest.iter().fold(*first, |s, t| s.sub(*t)),
            (Uminus, [t]) if ints() => t.neg(),
            (Mul, [first, rest @ ..]) if ints() => rest.iter().fold(*first, |s, t| s.mul(*t)),
            (Abs, [t]) if ints() => Term::ite(t.less(Term::int(0)), t.neg(), *t),
            (Mod, [t, d]) if ints() => modulo(*t, d.as_int().filter(|d| **d > IBig::ZERO)?),
            (Idiv, [t, d]) if ints() => {
                let by = d.as_int().filter(|d| **d > IBig::ZERO)?;
                // Exact, so both ways of rounding agree.
                t.sub(modulo(*t, by)).div(*d)
            }
            (Select, [m, at]) => Term::load(cell_type(*m)?, *m, *at),
            (Store, [m, at, v]) => Term::store(cell_type(*m)?, *m, *at, *v),
            _ => return None,
        })
    }
}

/// The least nonnegative remainder.
fn modulo(t: Term, d: &IBig) -> Term {
    use dashu_int::ops::BitTest;
    let bits = d.bit_len() - 1;
    if *d == IBig::ONE << bits && bits <= 128 && bits > 0 {
        return t.wrap(IntTy::unsigned(bits as u16));
    }
    let r = t.rem(Term::int(d.clone()));
    Term::ite(r.less(Term::int(0)), r.plus(d.clone()), r)
}

fn cell_type(m: Term) -> Option<Scalar> {
    match m.sort() {
        Sort::Mem(Cell::Byte) => Some(Scalar::Int(IntTy::U8)),
        Sort::Mem(Cell::Scalar(s @ Scalar::Int(_))) => Some(s),
        _ => None,
    }
}
