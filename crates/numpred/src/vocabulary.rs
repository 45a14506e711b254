//! The sets V_P and V_N, and the projections of Section IV.
//!
//! A predicate may be a linear constraint over V_N itself: then it is a numeric term, too. Projections are syntactic on a normal form, as in the paper: one constraint implies another
//! if both bound the same linear form.

use crate::expr::{Expr, Literal, Pred};
use plumb_num::{ConsKind, Dim, Int, Interval, LinCons, LinExpr};
use std::collections::BTreeSet;

/// Predicates and numeric variables.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    meanings: Vec<Option<LinCons>>,
    numeric: BTreeSet<Dim>,
    /// From here on dimensions are local to a step, which forgets them at its end.
    local: Option<Dim>,
}

impl Vocabulary {
    /// The predicates, each with the constraint that it is if it is one, and the numeric variables. A constraint over other variables is no numeric term.
    pub fn new(predicates: impl IntoIterator<Item = Option<LinCons>>, numeric: impl IntoIterator<Item = Dim>) -> Vocabulary {
        let numeric: BTreeSet<Dim> = numeric.into_iter().collect();
        let known = |c: &LinCons| c.expr().dims().all(|d| numeric.contains(&d)) && !c.is_always() && !c.is_never();
        let meanings = predicates.into_iter().map(|m| m.filter(known)).collect();
        Vocabulary { meanings, numeric, local: None }
    }

    /// The same with dimensions, from a first one on, that only live within a step.
    #[must_use]
    pub fn with_locals(self, from: Dim) -> Vocabulary {
        Vocabulary { local: Some(from), ..self }
    }

    fn is_numeric(&self, d: Dim) -> bool {
        self.numeric.contains(&d) || self.local.is_some_and(|l| d >= l)
    }

    /// V_P.
    pub fn predicates(&self) -> impl Iterator<Item = Pred> {
        (0..self.meanings.len() as u32).map(Pred)
    }

    /// How many predicates there are.
    pub fn count(&self) -> u32 {
        self.meanings.len() as u32
    }

    /// V_N.
    pub fn numeric(&self) -> &BTreeSet<Dim> {
        &self.numeric
    }

    /// The constraint that a predicate is, if it is one over V_N.
    pub fn meaning(&self, p: Pred) -> Option<&LinCons> {
        self.meanings.get(p.0 as usize)?.as_ref()
    }

    /// The constraint that a predicate or its negation is.
    pub fn signed(&self, p: Pred, positive: bool) -> Option<LinCons> {
        self.meaning(p).map(|c| if positive { c.clone() } else { c.negated() })
    }

    /// The predicates that are numeric terms.
    pub fn tied(&self) -> impl Iterator<Item = (Pred, &LinCons)> {
        self.meanings.iter().enumerate().filter_map(|(i, m)| m.as_ref().map(|m| (Pred(i as u32), m)))
    }

    /// proj_P of a literal: literals of predicates that it implies.
    pub fn proj_p(&self, l: &Literal) -> Vec<Literal> {
        match l {
            Literal::Cons(c) => self.implied(c),
            Literal::Primed(..) => vec![l.clone()],
            Literal::Pred(p, b) => {
                let mut out = vec![l.clone()];
                if let Some(c) = self.signed(*p, *b) {
                    out.extend(self.implied(&c).into_iter().filter(|i| i != l));
                }
                out
            }
        }
    }

    /// proj_N of a literal: a constraint over V_N that it implies, if one is known.
    pub fn proj_n(&self, l: &Literal) -> Option<LinCons> {
        match l {
            Literal::Cons(c) => c.expr().dims().all(|d| self.is_numeric(d)).then(|| c.clone()),
            Literal::Pred(p, b) => self.signed(*p, *b),
            Literal::Primed(..) => None,
        }
    }

    /// proj_P(V, e) of a conjunction, for some of the predicates.
    pub fn proj_p_of(&self, within: &BTreeSet<Pred>, e: &[Literal]) -> Expr {
        let inside = |l: &Literal| matches!(l, Literal::Pred(p, _) | Literal::Primed(p, _) if within.contains(p));
        let parts: BTreeSet<Literal> = e.iter().flat_map(|l| self.proj_p(l)).filter(inside).collect();
        Expr::all(parts.into_iter().map(Expr::Lit))
    }

    /// proj_N(V, e) of a conjunction, for some of the variables.
    pub fn proj_n_of(&self, within: &BTreeSet<Dim>, e: &[Literal]) -> Expr {
        let inside = |c: &LinCons| c.expr().dims().all(|d| within.contains(&d));
        let parts: BTreeSet<LinCons> = e.iter().filter_map(|l| self.proj_n(l)).filter(inside).collect();
        Expr::all(parts.into_iter().map(Expr::cons))
    }

    /// A conjunction without the literals that another one is seen to imply, equations first: those decide most.
    pub fn concise(&self, e: Expr) -> Expr {
        let Expr::And(parts) = e else { return e };
        let meaning = |p: &Expr| match p {
            Expr::Lit(Literal::Cons(c)) => Some(c.clone()),
            Expr::Lit(Literal::Pred(p, b)) => self.signed(*p, *b),
            _ => None,
        };
        let meanings: Vec<Option<LinCons>> = parts.iter().map(meaning).collect();
        let implied = |j: usize| {
            let Some(own) = &meanings[j] else { return false };
            let stronger =
                |(i, m): (usize, &Option<LinCons>)| i != j && m.as_ref().is_some_and(|m| implies(m, own) && (i < j || !implies(own, m)));
            meanings.iter().enumerate().any(stronger)
        };
        let kept: Vec<usize> = (0..parts.len()).filter(|j| !implied(*j)).collect();
        let equation = |j: &usize| meanings[*j].as_ref().is_some_and(|c| c.kind() == ConsKind::Eq);
        let (first, rest): (Vec<usize>, Vec<usize>) = kept.into_iter().partition(equation);
        Expr::all(first.into_iter().chain(rest).map(|j| parts[j].clone()))
    }

    /// The predicates that a constraint decides.
    fn implied(&self, c: &LinCons) -> Vec<Literal> {
        let decided = |(p, m): (Pred, &LinCons)| {
            if implies(c, m) {
                Some(Literal::Pred(p, true))
            } else if implies(c, &m.negated()) {
                Some(Literal::Pred(p, false))
            } else {
                None
            }
        };
        self.tied().filter_map(decided).collect()
    }
}

/// A constraint on a linear form without constant, the first coefficient of which is positive: its values, or the one that is excluded.
fn bounds(c: &LinCons) -> (LinExpr, Result<Interval, Int>) {
    let k = c.expr().constant_part();
    let form = c.expr().clone() - LinExpr::constant(k.clone());
    let positive = form.terms().first().is_none_or(|t| !t.1.is_negative());
    let form = if positive { form } else { -form };
    let bound = if positive { -k } else { k.clone() };
    let values = match c.kind() {
        ConsKind::Eq => Ok(Interval::point(bound)),
        ConsKind::Ne => Err(bound),
        ConsKind::Ge if positive => Ok(Interval { lo: Some(bound), hi: None }),
        ConsKind::Ge => Ok(Interval { lo: None, hi: Some(bound) }),
    };
    (form, values)
}

/// Whether one constraint is seen to imply another.
pub fn implies(a: &LinCons, b: &LinCons) -> bool {
    if a == b || a.is_never() || b.is_always() {
        return true;
    }
    let ((f, x), (g, y)) = (bounds(a), bounds(b));
    f == g
        && match (x, y) {
            (Ok(x), Ok(y)) => x.is_subset(&y),
            (Ok(x), Err(v)) => !x.contains(&v),
            (Err(u), Err(v)) => u == v,
            (Err(_), Ok(_)) => false,
        }
}
