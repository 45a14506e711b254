//! Traversal and rebuilding, without recursion: terms of unrolled programs are deep.

use crate::node::{Kind, Term};
use crate::range::Range;
use crate::ty::{Sort, Var};
use dashu_int::IBig;
use rustc_hash::{FxHashMap, FxHashSet};

/// Every subterm of the roots once, operands before operators.
pub fn postorder(roots: impl IntoIterator<Item = Term>) -> Vec<Term> {
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let mut out = Vec::new();
    let mut stack: Vec<(Term, bool)> = roots.into_iter().map(|t| (t, false)).collect();
    stack.reverse();
    while let Some((t, expanded)) = stack.pop() {
        if expanded {
            out.push(t);
        } else if seen.insert(t) {
            stack.push((t, true));
            stack.extend(t.children().filter(|c| !seen.contains(c)).map(|c| (c, false)));
        }
    }
    out
}

/// The variables of the roots, in order.
pub fn vars(roots: impl IntoIterator<Item = Term>) -> Vec<Var> {
    let mut out: Vec<Var> = postorder(roots).into_iter().filter_map(Term::as_var).collect();
    out.sort_unstable();
    out
}

/// The number of distinct subterms.
pub fn size(t: Term) -> usize {
    postorder([t]).len()
}

/// A bottom-up rewriting of terms with a memory, so that shared subterms are rewritten once over many calls.
#[derive(Clone, Debug, Default)]
pub struct Rewriter {
    done: FxHashMap<Term, Term>,
}

impl Rewriter {
    /// An empty memory.
    pub fn new() -> Rewriter {
        Rewriter::default()
    }

    /// Rewrites `t`: `leaf` may replace any term whose operands have not been looked at yet; the others are rebuilt from
    /// their rewritten operands. `leaf` must be the same function in every call.
    pub fn rewrite(&mut self, t: Term, leaf: &mut dyn FnMut(Term) -> Option<Term>) -> Term {
        let mut stack = vec![(t, false)];
        while let Some((n, expanded)) = stack.pop() {
            if self.done.contains_key(&n) {
                continue;
            }
            if expanded {
                let new = rebuild(n, &|c| self.done[&c]);
                self.done.insert(n, new);
            } else if let Some(new) = leaf(n) {
                self.done.insert(n, new);
            } else {
                stack.push((n, true));
                stack.extend(n.children().filter(|c| !self.done.contains_key(c)).map(|c| (c, false)));
            }
        }
        self.done[&t]
    }
}

/// `t` with variables replaced.
pub fn substitute(t: Term, map: &dyn Fn(Var) -> Option<Term>) -> Term {
    Rewriter::new().rewrite(t, &mut |n| n.as_var().and_then(map))
}

/// The term with the operator of `t` and operands mapped by `f`, through the normalising constructors.
pub fn rebuild(t: Term, f: &dyn Fn(Term) -> Term) -> Term {
    use Kind::*;
    match t.kind() {
        Bool(_) | Int(_) | Float(_) | Var(_) | ZeroMem(_) => t,
        Not(a) => f(*a).not(),
        And(ts) => Term::all(ts.iter().map(|c| f(*c))),
        Or(ts) => Term::any(ts.iter().map(|c| f(*c))),
        Ite(c, a, b) => Term::ite(f(*c), f(*a), f(*b)),
        Eq(a, b) => f(*a).equals(f(*b)),
        Le(a, b) => f(*a).less_eq(f(*b)),
        Lin(lin) => {
            let mut s = crate::linear::Sum::constant(lin.constant.clone());
            for (k, a) in &lin.parts {
                s.add(k, f(*a));
            }
            s.term()
        }
        Mul(a, b) => f(*a).mul(f(*b)),
        Div(a, b) => f(*a).div(f(*b)),
        Rem(a, b) => f(*a).rem(f(*b)),
        Wrap(ty, a) => f(*a).wrap(*ty),
        BitAnd(a, b) => f(*a).bit_and(f(*b)),
        BitOr(a, b) => f(*a).bit_or(f(*b)),
        BitXor(a, b) => f(*a).bit_xor(f(*b)),
        Shl(a, b) => f(*a).shl(f(*b)),
        Shr(a, b) => f(*a).shr(f(*b)),
        FBin(op, a, b) => Term::fbin(*op, f(*a), f(*b)),
        FUn(op, a) => Term::fun(*op, f(*a)),
        FCmp(op, a, b) => Term::fcmp(*op, f(*a), f(*b)),
        FTest(test, a) => Term::ftest(*test, f(*a)),
        FFromInt(ty, a) => Term::ffrom_int(*ty, f(*a)),
        FToInt(ty, a) => Term::fto_int(*ty, f(*a)),
        FCast(ty, a) => Term::fcast(*ty, f(*a)),
        FBits(a) => Term::fbits(f(*a)),
        FFromBits(ty, a) => Term::ffrom_bits(*ty, f(*a)),
        Load(ty, m, a) => Term::load(*ty, f(*m), f(*a)),
        Store(ty, m, a, v) => Term::store(*ty, f(*m), f(*a), f(*v)),
        Splice { mem, src, lo, len } => Term::splice(f(*mem), f(*src), f(*lo), f(*len)),
    }
}

/// The linear form of an integer term: constant and (coefficient, atom) pairs.
pub fn linear_form(t: Term) -> (IBig, Vec<(IBig, Term)>) {
    crate::linear::Sum::of(t).parts()
}

/// The bound of a variable that a comparison with a constant is.
pub fn as_bound(c: Term) -> Option<(Var, Range)> {
    let bound = |x: Term, k: Term, range: fn(i128) -> Range| Some((x.as_var()?, range(k.as_i128()?)));
    match c.kind() {
        Kind::Le(a, b) => {
            let upper = bound(*a, *b, |k| Range { lo: None, hi: Some(k) });
            upper.or_else(|| bound(*b, *a, |k| Range { lo: Some(k), hi: None }))
        }
        Kind::Eq(a, b) if a.sort() == Sort::Int => bound(*a, *b, |k| Range::new(k, k)).or_else(|| bound(*b, *a, |k| Range::new(k, k))),
        _ => None,
    }
}

/// The atoms of a formula: what no Boolean connective is at the top of.
pub fn atoms(t: Term) -> Vec<Term> {
    let mut inside: FxHashSet<Term> = FxHashSet::from_iter([t]);
    let mut out = Vec::new();
    for n in postorder([t]).into_iter().rev() {
        if !inside.contains(&n) {
            continue;
        }
        match n.kind() {
            Kind::Bool(_) => {}
            Kind::Not(_) | Kind::And(_) | Kind::Or(_) => inside.extend(n.children()),
            Kind::Ite(..) if n.sort() == Sort::Bool => inside.extend(n.children()),
            Kind::Eq(a, _) if a.sort() == Sort::Bool => inside.extend(n.children()),
            _ => out.push(n),
        }
    }
    out
}
