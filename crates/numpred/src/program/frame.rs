//! A precision: numeric variables and predicates, and the way between terms and the domain's language.

use crate::expr::{Expr, Literal, Logic, Pred};
use crate::vocabulary::Vocabulary;
use plumb_num::{ConsKind, Dim, Int, LinCons, LinExpr};
use plumb_term::visit::{linear_form, postorder};
use plumb_term::{IBig, Kind, Sort, Term, Var, VarId};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// V_N and V_P as terms. A variable's dimension has its number.
#[derive(Clone, Debug)]
pub struct Frame {
    numeric: BTreeMap<VarId, Var>,
    predicates: Vec<Term>,
    index: FxHashMap<Term, (Pred, bool)>,
    vocabulary: Vocabulary,
}

impl Frame {
    /// Of integer variables and predicates; constants are no predicates.
    pub fn new(numeric: impl IntoIterator<Item = Var>, predicates: impl IntoIterator<Item = Term>) -> Frame {
        let numeric: BTreeMap<VarId, Var> = numeric.into_iter().map(|v| (v.id, v)).collect();
        let mut known: Vec<Term> = Vec::new();
        let mut index = FxHashMap::default();
        for p in predicates.into_iter().filter(|p| p.as_bool().is_none()) {
            if !index.contains_key(&p) {
                let id = Pred(known.len() as u32);
                index.insert(p, (id, true));
                index.insert(p.not(), (id, false));
                known.push(p);
            }
        }
        let mut out = Frame { numeric, predicates: known, index, vocabulary: Vocabulary::default() };
        let meanings: Vec<Option<LinCons>> = out.predicates.iter().map(|p| out.cons(*p)).collect();
        out.vocabulary = Vocabulary::new(meanings, out.numeric.keys().map(|v| Dim(v.0))).with_locals(Dim(VarId::FIRST_AUX.0));
        out
    }

    /// The dimension of a variable that is not in V_N, within a block.
    pub(super) fn local(v: VarId) -> Dim {
        Dim(if v < VarId::FIRST_AUX { (VarId::FIRST_AUX.0 << 1) + v.0 } else { v.0 })
    }

    /// For the domain.
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// V_P.
    pub fn predicates(&self) -> impl Iterator<Item = (Pred, Term)> + '_ {
        self.predicates.iter().enumerate().map(|(i, t)| (Pred(i as u32), *t))
    }

    /// V_N.
    pub fn numeric(&self) -> impl Iterator<Item = Var> + '_ {
        self.numeric.values().copied()
    }

    /// Whether a variable is in V_N.
    pub fn is_number(&self, v: VarId) -> bool {
        self.numeric.contains_key(&v)
    }

    /// The predicate that a condition is, and whether it is the predicate itself.
    pub fn predicate(&self, t: Term) -> Option<(Pred, bool)> {
        self.index.get(&t).copied()
    }

    /// A linear term over V_N.
    fn linear(&self, t: Term) -> Option<LinExpr> {
        let (constant, parts) = linear_form(t);
        let dims: Option<Vec<(Dim, Int)>> = parts
            .iter()
            .map(|(k, a)| a.as_var().filter(|v| v.version == 0 && self.is_number(v.id)).map(|v| (Dim(v.id.0), Int::from(k.clone()))))
            .collect();
        Some(LinExpr::new(dims?, Int::from(constant)))
    }

    /// The constraint that a condition is, if it is a linear one over V_N.
    pub fn cons(&self, t: Term) -> Option<LinCons> {
        match t.kind() {
            Kind::Le(a, b) => Some(LinCons::le(self.linear(a.sub(*b))?, LinExpr::default())),
            Kind::Eq(a, b) if a.sort() == Sort::Int => Some(LinCons::eq(self.linear(a.sub(*b))?, LinExpr::default())),
            Kind::Not(n) => Some(self.cons(*n)?.negated()),
            _ => None,
        }
    }

    /// Whether a condition can be read as an expression without loss, up to cases: comparisons of arithmetic over V_N, predicates, and connectives.
    pub fn is_readable(&self, t: Term) -> bool {
        let mut skipped: rustc_hash::FxHashSet<Term> = rustc_hash::FxHashSet::default();
        for n in postorder([t]).into_iter().rev() {
            // What is below a predicate does not matter; parents come first.
            if skipped.contains(&n) || self.predicate(n).is_some() {
                skipped.extend(n.children());
                continue;
            }
            let fine = match n.kind() {
                Kind::Bool(_) | Kind::Int(_) | Kind::Not(_) | Kind::And(_) | Kind::Or(_) | Kind::Le(..) | Kind::Lin(_) | Kind::Wrap(..) => {
                    true
                }
                Kind::Eq(a, _) => matches!(a.sort(), Sort::Int | Sort::Bool),
                Kind::Ite(..) => matches!(n.sort(), Sort::Int | Sort::Bool),
                Kind::Var(v) => v.version == 0 && self.is_number(v.id),
                _ => false,
            };
            if !fine {
                return false;
            }
        }
        true
    }

    /// A constraint as a term; none if a coefficient is beyond 128 bits.
    pub fn term(&self, c: &LinCons) -> Option<Term> {
        let mut sum = Term::int(c.expr().constant_part().to_i128()?);
        for (d, k) in c.expr().terms() {
            let x = Term::var(*self.numeric.get(&VarId(d.0))?);
            sum = sum.add(x.scale(&IBig::from(k.to_i128()?)));
        }
        Some(match c.kind() {
            ConsKind::Eq => sum.equals(Term::int(0)),
            ConsKind::Ge => Term::int(0).less_eq(sum),
            ConsKind::Ne => sum.differs(Term::int(0)),
        })
    }

    /// An expression as a term, for a solver.
    pub fn expr(&self, e: &Expr) -> Option<Term> {
        Some(match e {
            Expr::Bool(b) => Term::bool(*b),
            Expr::Lit(Literal::Pred(p, b)) => {
                let t = *self.predicates.get(p.0 as usize)?;
                if *b {
                    t
                } else {
                    t.not()
                }
            }
            Expr::Lit(Literal::Cons(c)) => self.term(c)?,
            Expr::Lit(Literal::Primed(..)) => return None,
            Expr::And(ps) => Term::all(ps.iter().map(|p| self.expr(p)).collect::<Option<Vec<_>>>()?),
            Expr::Or(ps) => Term::any(ps.iter().map(|p| self.expr(p)).collect::<Option<Vec<_>>>()?),
        })
    }
}

/// γ as terms over the program's variables: what has no term is left out, which weakens.
#[derive(Clone, Copy, Debug)]
pub struct Terms<'a>(pub &'a Frame);

impl Logic for Terms<'_> {
    type Formula = Term;

    fn constant(&mut self, b: bool) -> Term {
        Term::bool(b)
    }

    fn literal(&mut self, l: &Literal) -> Term {
        self.0.expr(&Expr::Lit(l.clone())).unwrap_or_else(Term::tt)
    }

    fn and(&mut self, parts: Vec<Term>) -> Term {
        Term::all(parts)
    }

    fn or(&mut self, parts: Vec<Term>) -> Term {
        Term::any(parts)
    }
}
