//! Constraints on the coefficients of templates, by Farkas' lemma.
//!
//! For linear premises `p₁ ≥ 0, …, pₖ ≥ 0` that are satisfiable, `g ≥ 0` follows over the rationals iff `g = λ₀ + λ₁p₁ + … + λₖpₖ` for some
//! `λᵢ ≥ 0`; they are unsatisfiable iff `-1` is such a sum. The multiplier of an equation has any sign. Comparing coefficients of the
//! program's variables leaves constraints on the `λᵢ` and the templates' coefficients. A premise that is itself a template would make products of
//! unknowns: its multiplier is one of 0, 1 and, for an equation, -1.

use crate::dagger::search::{Edge, Model};
use crate::space::{big, Space};
use plumb_cfa::Loc;
use plumb_num::{ConsKind, Dim, LinExpr};
use plumb_smt::Model as Values;
use plumb_term::{Term, Var, VarId, VarTy};
use std::collections::{BTreeMap, BTreeSet};

/// What a template is compared with zero by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// `e = 0`.
    Equation,
    /// `e ≥ 0`.
    Inequality,
}

/// A linear expression over dimensions whose coefficients are terms over unknowns.
#[derive(Clone, Debug, Default)]
struct Expr {
    parts: BTreeMap<Dim, Term>,
    constant: Option<Term>,
}

impl Expr {
    fn constant(&self) -> Term {
        self.constant.unwrap_or_else(|| Term::int(0))
    }

    fn add(&mut self, d: Dim, k: Term) {
        let known = self.parts.entry(d).or_insert_with(|| Term::int(0));
        *known = known.add(k);
    }

    fn add_constant(&mut self, k: Term) {
        self.constant = Some(self.constant().add(k));
    }

    /// Adds `unknown · e`.
    fn add_scaled(&mut self, e: &LinExpr, unknown: Term) {
        e.terms().iter().for_each(|(d, k)| self.add(*d, unknown.scale(&big(k))));
        self.add_constant(unknown.scale(&big(e.constant_part())));
    }

    /// The same with every coefficient changed.
    fn map(&self, f: impl Fn(Term) -> Term) -> Expr {
        Expr { parts: self.parts.iter().map(|(d, k)| (*d, f(*k))).collect(), constant: Some(f(self.constant())) }
    }
}

/// A template at a location.
#[derive(Clone, Debug)]
struct Template {
    kind: Kind,
    expr: Expr,
}

/// The constraints whose solutions are invariants.
#[derive(Debug, Default)]
pub(super) struct Constraints {
    templates: BTreeMap<Loc, Vec<Template>>,
    terms: Vec<Term>,
    /// The coefficients of variables in templates, and the multipliers of guards.
    coefficients: Vec<Term>,
    next: u32,
}

impl Constraints {
    /// That templates of one shape at all locations but the entry and the errors prove the program safe.
    pub(super) fn new(model: &Model<'_>, shape: &[Kind]) -> Constraints {
        let mut out = Constraints::default();
        let control = model.control;
        let ends = |e: &Edge| [e.from, e.to];
        let locs: BTreeSet<Loc> = model.edges.iter().flat_map(ends).collect();
        for l in locs.into_iter().filter(|l| *l != control.entry && !control.targets.contains_key(l)) {
            let dims: Vec<Dim> = control.needed[l.index()].iter().filter_map(|v| model.space.dim(*v)).collect();
            let templates = shape.iter().map(|kind| out.template(*kind, &dims)).collect();
            out.templates.insert(l, templates);
        }
        for edge in &model.edges {
            out.edge(edge);
        }
        out
    }

    fn unknown(&mut self) -> Term {
        self.next += 1;
        Term::var(Var::new(VarId(self.next), VarTy::Int))
    }

    fn choice(&mut self) -> Term {
        self.next += 1;
        Term::var(Var::new(VarId(self.next), VarTy::Bool))
    }

    fn template(&mut self, kind: Kind, dims: &[Dim]) -> Template {
        let mut expr = Expr::default();
        for d in dims {
            let k = self.unknown();
            self.coefficients.push(k);
            expr.add(*d, k);
        }
        expr.add_constant(self.unknown());
        Template { kind, expr }
    }

    /// What the templates before an edge and its guards must imply.
    fn edge(&mut self, edge: &Edge) {
        let goals: Vec<Template> = self.templates.get(&edge.to).cloned().unwrap_or_default();
        let mut minus_one = Expr::default();
        minus_one.add_constant(Term::int(-1));
        if goals.is_empty() {
            // An error: the premises must have no states.
            return self.implied(edge, &minus_one, None);
        }
        for goal in goals {
            let after = before(edge, &goal.expr);
            self.implied(edge, &after, Some(&minus_one));
            if goal.kind == Kind::Equation {
                self.implied(edge, &after.map(Term::neg), Some(&minus_one));
            }
        }
    }

    /// That `goal ≥ 0`, or the other one, is a combination of the premises of an edge.
    fn implied(&mut self, edge: &Edge, goal: &Expr, or: Option<&Expr>) {
        let mut sum = Expr::default();
        for t in self.templates.get(&edge.from).cloned().unwrap_or_default() {
            let used = self.choice();
            let zero = Term::int(0);
            let scaled = match t.kind {
                Kind::Inequality => t.expr.map(|k| Term::ite(used, k, zero)),
                Kind::Equation => {
                    let turned = self.choice();
                    t.expr.map(|k| Term::ite(used, Term::ite(turned, k.neg(), k), zero))
                }
            };
            scaled.parts.iter().for_each(|(d, k)| sum.add(*d, *k));
            sum.add_constant(scaled.constant());
        }
        for g in &edge.action.guards {
            let multiplier = self.unknown();
            self.coefficients.push(multiplier);
            match g.kind() {
                ConsKind::Eq => {}
                ConsKind::Ge => self.terms.push(Term::int(0).less_eq(multiplier)),
                ConsKind::Ne => continue,
            }
            sum.add_scaled(g.expr(), multiplier);
        }
        let goal = match or {
            None => goal.clone(),
            Some(other) => {
                let first = self.choice();
                let mut either = Expr::default();
                let dims: BTreeSet<Dim> = goal.parts.keys().chain(other.parts.keys()).copied().collect();
                let part = |e: &Expr, d: &Dim| e.parts.get(d).copied().unwrap_or_else(|| Term::int(0));
                dims.iter().for_each(|d| either.add(*d, Term::ite(first, part(goal, d), part(other, d))));
                either.add_constant(Term::ite(first, goal.constant(), other.constant()));
                either
            }
        };
        // goal - sum = λ₀ ≥ 0: no variable is left.
        let dims: BTreeSet<Dim> = goal.parts.keys().chain(sum.parts.keys()).copied().collect();
        for d in dims {
            let part = |e: &Expr| e.parts.get(&d).copied().unwrap_or_else(|| Term::int(0));
            self.terms.push(part(&goal).equals(part(&sum)));
        }
        self.terms.push(sum.constant().less_eq(goal.constant()));
    }

    /// The constraints.
    pub(super) fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// That no coefficient of a variable and no multiplier is greater than `bound`.
    pub(super) fn bounded(&self, bound: i64) -> Vec<Term> {
        let within = |k: &Term| Term::int(-bound).less_eq(*k).and(k.less_eq(Term::int(bound)));
        self.coefficients.iter().map(within).collect()
    }

    /// How many unknowns there are.
    pub(super) fn unknowns(&self) -> usize {
        self.next as usize
    }

    /// The formula at a location under a solution.
    pub(super) fn solution(&self, space: &Space, at: Loc, values: &Values) -> Option<Term> {
        let zero = Term::int(0);
        let mut all = Vec::new();
        for t in self.templates.get(&at)? {
            let mut sum = vec![Term::int(values.int(t.expr.constant())?)];
            for (d, k) in &t.expr.parts {
                sum.push(space.var(*d).scale(&values.int(*k)?));
            }
            let sum = Term::sum(sum);
            all.push(if t.kind == Kind::Equation { sum.equals(zero) } else { zero.less_eq(sum) });
        }
        Some(Term::all(all))
    }
}

/// An expression over the state after an edge, over the state before it.
fn before(edge: &Edge, e: &Expr) -> Expr {
    let mut out = Expr { parts: BTreeMap::new(), constant: Some(e.constant()) };
    for (d, k) in &e.parts {
        match edge.action.updates.iter().find(|u| u.0 == *d) {
            Some((_, value)) => out.add_scaled(value, *k),
            None => out.add(*d, *k),
        }
    }
    out
}
