//! Abstract interpretation of linear programs: structured iteration with widening up to thresholds and descending steps.
//!
//! The structure of the text is its weak topological order: every `while` is stabilised where it stands, inner loops again
//! for each step of outer ones (Bourdoncle's recursive strategy). Thresholds are the comparisons of the program.

use super::{thresholds, Cond, Program, Stmt, Value};
use crate::domain::NumDomain;
use crate::linear::{Dim, LinCons, LinExpr};

/// How to iterate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Steps of plain join before the first widening.
    pub delay: usize,
    /// Descending steps after stabilisation.
    pub descending: usize,
    /// Whether to widen up to the program's comparisons.
    pub thresholds: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { delay: 1, descending: 2, thresholds: true }
    }
}

/// What an analysis found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome<E> {
    /// For each loop, by its number: an element that includes every state in which its guard is evaluated; `None` if it was found unreachable.
    pub invariants: Vec<Option<E>>,
    /// For each assertion, by its number: whether it holds whenever it is reached.
    pub proved: Vec<bool>,
    /// The states at the end.
    pub end: E,
}

/// More ascending steps than any convergent widening takes here; beyond it the invariant is top.
const STEPS: usize = 10_000;

/// Analyses a program in a domain.
///
/// ```
/// use plumb_num::program::{analysis::{analyse, Options}, parse};
/// use plumb_num::{Boxes, LinCons, LinExpr, Dim, NumDomain, Octagons};
/// let p = parse("var i, n; assume n >= 0; i = 0; while (i < n) { i = i + 1; } assert i == n;").unwrap();
/// // The box cannot relate i and n; the octagon finds i ≤ n.
/// assert_eq!(analyse(&Boxes, &p, Options::default()).proved, [false]);
/// let found = analyse(&Octagons, &p, Options::default());
/// assert_eq!(found.proved, [true]);
/// let at_most_n = LinCons::le(LinExpr::var(Dim(0)), LinExpr::var(Dim(1)));
/// assert!(Octagons.entails(found.invariants[0].as_ref().unwrap(), &at_most_n));
/// ```
pub fn analyse<D: NumDomain>(domain: &D, program: &Program, options: Options) -> Outcome<D::Elem> {
    let thresholds = if options.thresholds { thresholds(&program.body) } else { Vec::new() };
    let mut a =
        Analysis { domain, options, thresholds, invariants: vec![None; program.loops.len()], proved: vec![true; program.asserts.len()] };
    let end = a.block(domain.top(), &program.body);
    Outcome { invariants: a.invariants, proved: a.proved, end }
}

struct Analysis<'a, D: NumDomain> {
    domain: &'a D,
    options: Options,
    thresholds: Vec<LinCons>,
    invariants: Vec<Option<D::Elem>>,
    proved: Vec<bool>,
}

impl<D: NumDomain> Analysis<'_, D> {
    fn block(&mut self, mut e: D::Elem, body: &[Stmt]) -> D::Elem {
        for s in body {
            e = self.statement(e, s);
        }
        e
    }

    fn statement(&mut self, e: D::Elem, s: &Stmt) -> D::Elem {
        match s {
            Stmt::Assign(pairs) => self.assign(&e, pairs),
            Stmt::Assume(c) => self.assume(&e, c),
            Stmt::Assert { cond, number } => {
                // Overwritten by each pass; the last one starts from the invariants of all enclosing loops.
                self.proved[*number] = self.domain.is_bottom(&self.assume(&e, &cond.negated()));
                self.assume(&e, cond)
            }
            Stmt::If(c, then, otherwise) => {
                let yes = self.block(self.assume(&e, c), then);
                let no = self.block(self.assume(&e, &c.negated()), otherwise);
                self.domain.join(&yes, &no)
            }
            Stmt::While { cond, body, number } => self.stabilise(e, cond, body, *number),
            Stmt::Choose(branches) => branches.iter().fold(self.domain.bottom(), |j, b| {
                let end = self.block(e.clone(), b);
                self.domain.join(&j, &end)
            }),
        }
    }

    fn stabilise(&mut self, entry: D::Elem, cond: &Cond, body: &[Stmt], number: usize) -> D::Elem {
        let d = self.domain;
        let mut invariant = entry.clone();
        for step in 0..=STEPS {
            let next = self.around(&entry, &invariant, cond, body);
            if d.leq(&next, &invariant) {
                break;
            }
            let upper = d.join(&invariant, &next);
            invariant = match step {
                s if s < self.options.delay => upper,
                STEPS => d.top(),
                _ => d.widen_up_to(&invariant, &upper, &self.thresholds),
            };
        }
        for _ in 0..self.options.descending {
            // The image of states that include all reachable ones includes all reachable ones, whether or not it is monotone.
            let next = self.around(&entry, &invariant, cond, body);
            let lower = d.meet(&invariant, &next);
            if lower == invariant {
                break;
            }
            invariant = lower;
        }
        // What stands inside is recorded under the final invariant.
        self.block(self.assume(&invariant, cond), body);
        let end = self.assume(&invariant, &cond.negated());
        self.invariants[number] = (!d.is_bottom(&invariant)).then_some(invariant);
        end
    }

    /// The states at the loop's head: on entry, or once around from `from`.
    fn around(&mut self, entry: &D::Elem, from: &D::Elem, cond: &Cond, body: &[Stmt]) -> D::Elem {
        let end = self.block(self.assume(from, cond), body);
        self.domain.join(entry, &end)
    }

    fn assume(&self, e: &D::Elem, c: &Cond) -> D::Elem {
        match c {
            Cond::Cons(c) => self.domain.assume(e, c),
            Cond::All(cs) => cs.iter().fold(e.clone(), |e, c| self.assume(&e, c)),
            Cond::One(cs) => cs.iter().fold(self.domain.bottom(), |j, c| self.domain.join(&j, &self.assume(e, c))),
            Cond::Any => e.clone(),
        }
    }

    /// Bounded values get dimensions of their own first, since all right-hand sides are evaluated before any assignment.
    fn assign(&self, e: &D::Elem, pairs: &[(Dim, Value)]) -> D::Elem {
        let d = self.domain;
        if let [(x, Value::Between(lo, hi))] = pairs {
            return match (lo, hi) {
                (None, None) => d.forget(e, &[*x]),
                _ => d.assign_between(e, *x, lo.as_ref(), hi.as_ref()),
            };
        }
        let used = |v: &Value| match v {
            Value::Expr(e) => e.dims().last(),
            Value::Between(lo, hi) => lo.iter().chain(hi).flat_map(|e| e.dims().last()).max(),
        };
        let known = d.support(e).into_iter().chain(pairs.iter().flat_map(|(x, v)| std::iter::once(*x).chain(used(v))));
        let first = known.max().map_or(0, |x| x.0 + 1);
        let mut e = e.clone();
        let mut at_once = Vec::new();
        let mut temporary = Vec::new();
        for ((x, v), t) in pairs.iter().zip((first..).map(Dim)) {
            match v {
                Value::Expr(expr) => at_once.push((*x, expr.clone())),
                Value::Between(lo, hi) => {
                    e = d.assign_between(&e, t, lo.as_ref(), hi.as_ref());
                    at_once.push((*x, LinExpr::var(t)));
                    temporary.push(t);
                }
            }
        }
        d.forget(&d.assign_parallel(&e, &at_once), &temporary)
    }
}
