//! Linear constraints of a domain as terms, and terms as linear constraints.
//!
//! A [`Space`] fixes which program variables are dimensions. What is always true of values of the variables' types vanishes on the way to
//! a term, as the constructors decide it.

use plumb_num::{ConsKind, Dim, Int, LinCons, LinExpr};
use plumb_term::visit::atoms;
use plumb_term::visit::linear_form;
use plumb_term::{IBig, Kind, Sort, Term, Var, VarId};
use std::collections::BTreeMap;

/// The program's variables that are dimensions.
#[derive(Clone, Debug, Default)]
pub struct Space {
    vars: Vec<Var>,
    dims: BTreeMap<VarId, Dim>,
}

impl Space {
    /// The space of these variables, which are distinct.
    pub fn new(vars: impl IntoIterator<Item = Var>) -> Space {
        let vars: Vec<Var> = vars.into_iter().collect();
        let dims = vars.iter().enumerate().map(|(i, v)| (v.id, Dim(i as u32))).collect();
        Space { vars, dims }
    }

    /// The dimension of a variable, if it has one.
    pub fn dim(&self, v: VarId) -> Option<Dim> {
        self.dims.get(&v).copied()
    }

    /// The first number that no dimension has.
    pub fn end(&self) -> Dim {
        Dim(self.vars.len() as u32)
    }

    /// The variable of a dimension of the space.
    pub fn var(&self, d: Dim) -> Term {
        Term::var(self.vars[d.index()])
    }

    /// A constraint on dimensions of the space as a formula over the variables.
    pub fn term(&self, c: &LinCons) -> Term {
        let e = c.expr();
        let parts = e.terms().iter().map(|(x, k)| self.var(*x).scale(&big(k)));
        let sum = Term::sum(parts.chain([Term::int(big(e.constant_part()))]));
        let zero = Term::int(IBig::ZERO);
        match c.kind() {
            ConsKind::Ge => zero.less_eq(sum),
            ConsKind::Eq => sum.equals(zero),
            ConsKind::Ne => sum.differs(zero),
        }
    }

    /// An integer term as an expression, if it is linear over the space.
    pub fn expr(&self, t: Term) -> Option<LinExpr> {
        let (constant, parts) = linear_form(t);
        let mut out = LinExpr::constant(Int::from(constant));
        for (k, atom) in parts {
            let v = atom.as_var().filter(|v| v.version == 0)?;
            out = out.plus_scaled(&LinExpr::var(self.dim(v.id)?), &Int::from(k));
        }
        Some(out)
    }

    /// The linear expressions that the atoms of a formula compare with zero.
    pub fn compared(&self, t: Term) -> Vec<LinExpr> {
        let mut out = Vec::new();
        for atom in atoms(t) {
            match atom.kind() {
                Kind::Le(a, b) => out.extend(self.expr(b.sub(*a))),
                Kind::Eq(a, b) if a.sort() == Sort::Int => out.extend(self.expr(b.sub(*a))),
                _ => {}
            }
        }
        out
    }
}

/// A number of the domains as one of terms.
pub fn big(k: &Int) -> IBig {
    match k.to_i128() {
        Some(v) => IBig::from(v),
        None => k.to_string().parse().unwrap_or(IBig::ZERO),
    }
}
