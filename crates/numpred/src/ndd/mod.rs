//! NDD (Section V.D): sets of pairs of a valuation and a numeric element, 2^P → 2^N, as binary diagrams over predicates and numeric terms.
//!
//! Propositional operations are those of diagrams; a constraint is a variable whether or not the numeric domain can say it. Where numbers matter (`reduce`, `leq`, assignments) `ctxApply` (Fig. 7)
//! follows the paths and collects what their terms say, with these departures from the paper:
//!
//! * Paths share work ([`context`]), and the negation of an equation is two contexts, since convex elements cannot say `≠`.
//! * An assignment eliminates the terms over assigned variables only and says again only what is connected to these, so that the rest of the diagram keeps its shape.
//! * A predicate that is a term over assigned numbers has no shadow variable ([`NumPredDom::follows`]): what it becomes is told of the numbers after the assignment, case by case. Its shadow would be related to the
//!   terms before, all of which come after all shadows in the order: the diagram doubles with each.
//! * Where the numeric terms below predicates say together what one numeric element says, a join tells that element: the rounds of a counter are an interval, not a term each (the paper's NDD
//!   keeps them all, and ends at 400 rounds in Fig. 8(a)).
//! * An element that has become large is told as MTNDD would tell it, by one numeric element for each valuation.

mod context;
mod terms;

use crate::domain::NumPredDom;
use crate::expr::{Literal, Logic, Pred};
use crate::mtndd::{Mtndd, BOTTOM};
use crate::props::{formula, level, pred, sifted, MAX_NODES};
use crate::update::{self, Update};
use crate::vocabulary::Vocabulary;
use context::{connected, Contexts, Ctx, Dims};
use plumb_dd::{Bdd, Full, Manager, Multi, Test};
use plumb_num::{Dim, LinCons, NumDomain};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use terms::Terms;

/// So many cases of what a path leads to are told apart.
const MAX_CASES: usize = 32;

/// An element with more nodes than this is told as MTNDD would tell it.
const MAX_SIZE: usize = 1_000;

/// Numeric terms with more nodes than this, and with no more than that, may be one numeric element: fewer are as good as it, and whether many are takes long to see.
const WORTH_ONE: std::ops::RangeInclusive<usize> = 5..=64;

/// The domain.
#[derive(Debug)]
pub struct Ndd<D: NumDomain> {
    domain: D,
    dd: RefCell<Manager>,
    terms: RefCell<Terms>,
    contexts: RefCell<Contexts<D::Elem>>,
    /// For widening, and for what becomes too large.
    mtndd: Mtndd<D>,
    reduced: RefCell<FxHashMap<(Bdd, Ctx, bool), Bdd>>,
    merged: RefCell<FxHashMap<Bdd, Bdd>>,
    mentions: RefCell<FxHashMap<Bdd, Dims>>,
}

/// An assignment: what it eliminates, and what it reads.
struct Post<'a> {
    updates: &'a [(Dim, Update)],
    changed: &'a BTreeSet<Pred>,
    /// Cases of these are told apart at the end.
    followed: &'a BTreeSet<Pred>,
    assigned: BTreeSet<Dim>,
    read: Dims,
    done: FxHashMap<(Bdd, Ctx, Dims), Bdd>,
}

impl<D: NumDomain + Clone> Ndd<D> {
    /// Over a numeric domain.
    pub fn new(vocabulary: Vocabulary, domain: D) -> Result<Ndd<D>, Full> {
        Ok(Ndd {
            dd: RefCell::new(Manager::new(MAX_NODES)),
            terms: RefCell::new(Terms::new(&vocabulary)),
            contexts: RefCell::new(Contexts::new(domain.top())),
            mtndd: Mtndd::new(vocabulary, domain.clone())?,
            reduced: RefCell::new(FxHashMap::default()),
            merged: RefCell::new(FxHashMap::default()),
            mentions: RefCell::new(FxHashMap::default()),
            domain,
        })
    }
}

impl<D: NumDomain> Ndd<D> {
    fn var(&self, level: u32, value: bool) -> Result<Bdd, Full> {
        let mut dd = self.dd.borrow_mut();
        let v = dd.var(level)?;
        if value {
            Ok(v)
        } else {
            dd.not(v)
        }
    }

    fn ite(&self, level: u32, high: Bdd, low: Bdd) -> Result<Bdd, Full> {
        let v = self.var(level, true)?;
        self.dd.borrow_mut().ite(v, high, low)
    }

    fn node(&self, u: Bdd) -> Option<(u32, Bdd, Bdd)> {
        self.dd.borrow().node(u)
    }

    fn cons(&self, level: u32) -> Option<LinCons> {
        self.terms.borrow().cons(level).cloned()
    }

    /// The diagram of a constraint.
    fn term(&self, c: &LinCons) -> Result<Bdd, Full> {
        match (c.is_always(), c.is_never()) {
            (true, _) => Ok(Bdd::TRUE),
            (_, true) => Ok(Bdd::FALSE),
            _ => {
                let (level, phase) = self.terms.borrow_mut().level(c);
                self.var(level, phase)
            }
        }
    }

    fn cube(&self, cs: &[LinCons]) -> Result<Bdd, Full> {
        let mut out = Bdd::TRUE;
        for c in cs {
            let t = self.term(c)?;
            out = self.dd.borrow_mut().and(out, t)?;
        }
        Ok(out)
    }

    /// The constraints that are connected to some variables.
    fn cube_about(&self, cs: Vec<LinCons>, about: &BTreeSet<Dim>) -> Result<Bdd, Full> {
        let said = connected(&cs, about);
        self.cube(&cs.into_iter().zip(said).filter(|c| c.1).map(|c| c.0).collect::<Vec<_>>())
    }

    /// The variables of the numeric terms of a diagram.
    fn mentions(&self, u: Bdd) -> Dims {
        let Some((level, low, high)) = self.node(u) else { return Dims::NONE };
        if let Some(known) = self.mentions.borrow().get(&u) {
            return *known;
        }
        let (low, high) = (self.mentions(low), self.mentions(high));
        let own: BTreeSet<Dim> = self.cons(level).iter().flat_map(|c| c.expr().dims().collect::<Vec<_>>()).collect();
        let mut contexts = self.contexts.borrow_mut();
        let own = contexts.dims(own);
        let both = contexts.union(low, high);
        let out = contexts.union(both, own);
        self.mentions.borrow_mut().insert(u, out);
        out
    }

    fn about(&self, c: Ctx, dims: Dims) -> Ctx {
        self.contexts.borrow_mut().about(&self.domain, c, dims)
    }

    /// The contexts after a test.
    fn after(&self, c: Ctx, level: u32, value: bool, term: Option<&LinCons>) -> Rc<[Ctx]> {
        match term {
            Some(t) => self.contexts.borrow_mut().assume(&self.domain, c, level, value, t),
            None => [c].into(),
        }
    }

    /// `ctxApply(u, reduceOp, c, ∅)`: paths that contradict themselves become false. Numeric tests that the context decides are left out where the path itself says what the
    /// context says; it does not in one of the two cases of `≠`.
    fn reduce_at(&self, u: Bdd, c: Ctx, whole: bool) -> Result<Bdd, Full> {
        let Some((level, low, high)) = self.node(u) else { return Ok(u) };
        let c = self.about(c, self.mentions(u));
        if let Some(known) = self.reduced.borrow().get(&(u, c, whole)) {
            return Ok(*known);
        }
        let out = match self.cons(level) {
            None => {
                let (low, high) = (self.reduce_at(low, c, whole)?, self.reduce_at(high, c, whole)?);
                self.ite(level, high, low)?
            }
            Some(term) => {
                let (yes, no) = (self.after(c, level, true, Some(&term)), self.after(c, level, false, Some(&term)));
                let (low, high) = (self.reduce_all(low, &no, whole)?, self.reduce_all(high, &yes, whole)?);
                let numeric = whole && !self.terms.borrow().is_predicate(level);
                match (yes.is_empty(), no.is_empty()) {
                    (true, _) if numeric => low,
                    (_, true) if numeric => high,
                    _ => self.ite(level, high, low)?,
                }
            }
        };
        self.reduced.borrow_mut().insert((u, c, whole), out);
        Ok(out)
    }

    fn reduce_all(&self, u: Bdd, cs: &[Ctx], whole: bool) -> Result<Bdd, Full> {
        let mut out = Bdd::FALSE;
        for c in cs {
            let part = self.reduce_at(u, *c, whole && cs.len() == 1)?;
            out = self.dd.borrow_mut().or(out, part)?;
        }
        Ok(out)
    }

    /// `ctxApply(u, NDDPost(τ_N), c, V)`, where V are the terms over assigned variables and the changed predicates. `hot` are the variables of which the path in the result will not say
    /// what the context says: assigned ones, those of eliminated terms, those of the cases of `≠`. At the end of the path all that is connected to them is said.
    fn post_at(&self, u: Bdd, c: Ctx, hot: Dims, post: &mut Post<'_>) -> Result<Bdd, Full> {
        if u == Bdd::FALSE {
            return Ok(u);
        }
        let mentions = self.mentions(u);
        let c = {
            let mut contexts = self.contexts.borrow_mut();
            let dims = contexts.union(mentions, post.read);
            let dims = contexts.union(dims, hot);
            contexts.about(&self.domain, c, dims)
        };
        if let Some(known) = post.done.get(&(u, c, hot)) {
            return Ok(*known);
        }
        let out = match self.node(u) {
            None => {
                let after = update::post(&self.domain, self.contexts.borrow().elem(c), post.updates);
                let whole = self.domain.constraints(&after);
                let mut about = self.contexts.borrow().set(hot).clone();
                if post.followed.is_empty() {
                    self.cube_about(whole, &about)?
                } else {
                    // What is connected before cases are told apart is said of each.
                    let said = connected(&whole, &about);
                    about.extend(whole.iter().zip(said).filter(|c| c.1).flat_map(|c| c.0.expr().dims().collect::<Vec<_>>()));
                    let mut sum = Bdd::FALSE;
                    for (case, predicates) in self.told_apart(after, post.followed)? {
                        let part = self.cube_about(self.domain.constraints(&case), &about)?;
                        let mut dd = self.dd.borrow_mut();
                        let part = dd.and(part, predicates)?;
                        sum = dd.or(sum, part)?;
                    }
                    sum
                }
            }
            Some((level, low, high)) => {
                let term = self.cons(level);
                let eliminated = match pred(level) {
                    (p, false) if self.terms.borrow().is_predicate(level) && post.changed.contains(&p) => true,
                    _ => term.as_ref().is_some_and(|t| t.expr().dims().any(|d| post.assigned.contains(&d))),
                };
                let mut parts = [Bdd::FALSE; 2];
                for (value, below) in [(false, low), (true, high)] {
                    let cs = self.after(c, level, value, term.as_ref());
                    let hot = match &term {
                        Some(t) if eliminated || cs.len() > 1 => {
                            let mut contexts = self.contexts.borrow_mut();
                            let own = contexts.dims(t.expr().dims().collect());
                            contexts.union(hot, own)
                        }
                        _ => hot,
                    };
                    for c in cs.iter() {
                        let part = self.post_at(below, *c, hot, post)?;
                        parts[usize::from(value)] = self.dd.borrow_mut().or(parts[usize::from(value)], part)?;
                    }
                }
                if eliminated {
                    self.dd.borrow_mut().or(parts[0], parts[1])?
                } else {
                    self.ite(level, parts[1], parts[0])?
                }
            }
        };
        post.done.insert((u, c, hot), out);
        Ok(out)
    }

    /// The cases of an element by what predicates that are numeric terms are in it, with a diagram of what they are. More than can be told apart stay together.
    fn told_apart(&self, e: D::Elem, predicates: &BTreeSet<Pred>) -> Result<Vec<(D::Elem, Bdd)>, Full> {
        let mut out = vec![(e, Bdd::TRUE)];
        for p in predicates {
            let sides = [true, false].map(|b| (b, self.vocabulary().signed(*p, b).map_or_else(Vec::new, |c| c.cases())));
            let mut next = Vec::new();
            for (e, said) in &out {
                for (positive, cases) in &sides {
                    let parts = cases.iter().map(|c| self.domain.assume(e, c)).filter(|part| !self.domain.is_bottom(part));
                    let literal = self.var(level(*p, false), *positive)?;
                    let said = self.dd.borrow_mut().and(*said, literal)?;
                    next.extend(parts.map(|part| (part, said)));
                }
            }
            if next.len() > MAX_CASES {
                break;
            }
            out = next;
        }
        Ok(out)
    }

    /// The element as one of MTNDD: in every valuation the join of all that the numeric terms say.
    fn to_mtndd(&self, u: Bdd, c: Ctx, done: &mut FxHashMap<(Bdd, Ctx), Multi>) -> Result<Multi, Full> {
        if let Some(known) = done.get(&(u, c)) {
            return Ok(*known);
        }
        let out = match self.node(u) {
            Some((level, low, high)) if self.terms.borrow().is_predicate(level) => {
                let mut parts = [self.mtndd.bottom(); 2];
                for (value, below) in [(false, low), (true, high)] {
                    let cs = self.after(c, level, value, self.cons(level).as_ref());
                    for c in cs.iter() {
                        let part = self.to_mtndd(below, *c, done)?;
                        parts[usize::from(value)] = self.mtndd.join(&parts[usize::from(value)], &part)?;
                    }
                }
                self.mtndd.make(level, parts[0], parts[1])?
            }
            _ => self.mtndd.leaf(self.hull(u, c, &mut FxHashMap::default()))?,
        };
        done.insert((u, c), out);
        Ok(out)
    }

    /// The join of all paths of a purely numeric diagram.
    fn hull(&self, u: Bdd, c: Ctx, done: &mut FxHashMap<(Bdd, Ctx), u32>) -> u32 {
        if let Some(known) = done.get(&(u, c)) {
            return *known;
        }
        let out = match (self.node(u), u) {
            (None, Bdd::FALSE) => BOTTOM,
            (None, _) => self.mtndd.id(self.contexts.borrow().elem(c).clone()),
            (Some((level, low, high)), _) => {
                let mut sum = BOTTOM;
                for (value, below) in [(false, low), (true, high)] {
                    let cs = self.after(c, level, value, self.cons(level).as_ref());
                    for c in cs.iter() {
                        let part = self.hull(below, *c, done);
                        sum = self.mtndd.join_leaves(sum, part);
                    }
                }
                sum
            }
        };
        done.insert((u, c), out);
        out
    }

    /// In every valuation the join of all that the numeric terms say, which is what MTNDD says.
    fn hulled(&self, a: Bdd) -> Result<Bdd, Full> {
        let functions = self.to_mtndd(a, Ctx::TOP, &mut FxHashMap::default())?;
        self.of_mtndd(functions, &mut FxHashMap::default())
    }

    /// The union, with one numeric element where that says the same; it must be seen to include both, or what is stable would not look so.
    fn join_told(&self, a: Bdd, b: Bdd) -> Result<Bdd, Full> {
        let both = self.dd.borrow_mut().or(a, b)?;
        let told = self.merged(both)?;
        let includes = told == both || self.leq(&a, &told)? && self.leq(&b, &told)?;
        Ok(if includes { told } else { both })
    }

    /// The same states, with one numeric element where numeric terms say together no more than it does.
    fn merged(&self, u: Bdd) -> Result<Bdd, Full> {
        let Some((level, low, high)) = self.node(u) else { return Ok(u) };
        if !self.dd.borrow().is_larger(u, WORTH_ONE.start() - 1) {
            return Ok(u);
        }
        if let Some(known) = self.merged.borrow().get(&u) {
            return Ok(*known);
        }
        let out = if self.terms.borrow().is_predicate(level) {
            let (low, high) = (self.merged(low)?, self.merged(high)?);
            self.ite(level, high, low)?
        } else if self.dd.borrow().is_larger(u, *WORTH_ONE.end()) {
            u
        } else {
            let hull = self.hull(u, Ctx::TOP, &mut FxHashMap::default());
            let one = if hull == BOTTOM { Bdd::FALSE } else { self.cube(&self.domain.constraints(&self.mtndd.elem(hull)))? };
            if self.leq(&one, &u)? {
                one
            } else {
                u
            }
        };
        self.merged.borrow_mut().insert(u, out);
        Ok(out)
    }

    fn of_mtndd(&self, a: Multi, done: &mut FxHashMap<Multi, Bdd>) -> Result<Bdd, Full> {
        if let Some(known) = done.get(&a) {
            return Ok(*known);
        }
        let out = match self.mtndd.test(a) {
            Test::Leaf(BOTTOM) => Bdd::FALSE,
            Test::Leaf(id) => self.cube(&self.domain.constraints(&self.mtndd.elem(id)))?,
            Test::Level { level, low, high } => {
                let (low, high) = (self.of_mtndd(low, done)?, self.of_mtndd(high, done)?);
                self.ite(level, high, low)?
            }
        };
        done.insert(a, out);
        Ok(out)
    }
}

impl<D: NumDomain> NumPredDom for Ndd<D> {
    type Num = D;
    type Elem = Bdd;

    fn vocabulary(&self) -> &Vocabulary {
        self.mtndd.vocabulary()
    }

    fn top(&self) -> Bdd {
        Bdd::TRUE
    }

    fn bottom(&self) -> Bdd {
        Bdd::FALSE
    }

    fn is_bottom(&self, a: &Bdd) -> Result<bool, Full> {
        Ok(self.reduce_at(*a, Ctx::TOP, true)? == Bdd::FALSE)
    }

    fn is_top(&self, a: &Bdd) -> Result<bool, Full> {
        let not = self.dd.borrow_mut().not(*a)?;
        self.is_bottom(&not)
    }

    fn leq(&self, a: &Bdd, b: &Bdd) -> Result<bool, Full> {
        let difference = self.dd.borrow_mut().ite(*b, Bdd::FALSE, *a)?;
        self.is_bottom(&difference)
    }

    fn join(&self, a: &Bdd, b: &Bdd) -> Result<Bdd, Full> {
        let both = self.join_told(*a, *b)?;
        let large = self.dd.borrow().is_larger(both, MAX_SIZE);
        if large {
            self.hulled(both)
        } else {
            Ok(both)
        }
    }

    fn meet(&self, a: &Bdd, b: &Bdd) -> Result<Bdd, Full> {
        self.dd.borrow_mut().and(*a, *b)
    }

    fn widen_up_to(&self, old: &Bdd, new: &Bdd, thresholds: &[LinCons]) -> Result<Bdd, Full> {
        let (old, new) =
            (self.to_mtndd(*old, Ctx::TOP, &mut FxHashMap::default())?, self.to_mtndd(*new, Ctx::TOP, &mut FxHashMap::default())?);
        let wide = self.mtndd.widen_up_to(&old, &new, thresholds)?;
        self.of_mtndd(wide, &mut FxHashMap::default())
    }

    fn alpha_p(&self, p: Pred, primed: bool, positive: bool) -> Result<Bdd, Full> {
        self.var(level(p, primed), positive)
    }

    fn alpha_n(&self, c: &LinCons) -> Result<Bdd, Full> {
        self.term(c)
    }

    fn gamma_in<L: Logic>(&self, a: &Bdd, logic: &mut L) -> L::Formula {
        let terms = self.terms.borrow();
        formula(&self.dd.borrow(), *a, logic, &|level, value| terms.literal(level, value))
    }

    fn exists(&self, predicates: &BTreeSet<Pred>, a: &Bdd) -> Result<Bdd, Full> {
        // A predicate that is a numeric term says something of numbers that stays true.
        if predicates.iter().any(|p| self.vocabulary().meaning(*p).is_some()) {
            return self.parallel(a, predicates, &[], &BTreeSet::new());
        }
        let chosen = |l: u32| matches!(pred(l), (p, false) if predicates.contains(&p) && self.terms.borrow().is_predicate(l));
        self.dd.borrow_mut().exists(*a, &chosen)
    }

    fn unprime(&self, a: &Bdd) -> Result<Bdd, Full> {
        let terms = self.terms.borrow();
        self.dd.borrow_mut().rename(*a, &|l| if terms.is_predicate(l) { l & !1 } else { l })
    }

    fn reduce(&self, a: &Bdd) -> Result<Bdd, Full> {
        self.reduce_at(*a, Ctx::TOP, true)
    }

    fn post_n(&self, a: &Bdd, updates: &[(Dim, Update)]) -> Result<Bdd, Full> {
        self.parallel(a, &BTreeSet::new(), updates, &BTreeSet::new())
    }

    fn sifted(&self, elems: &[&Bdd]) -> Option<Vec<Pred>> {
        let roots: Vec<Bdd> = elems.iter().map(|e| **e).collect();
        sifted(&self.dd.borrow(), &roots, self.vocabulary().count())
    }

    fn is_exact(&self, l: &Literal) -> bool {
        match l {
            Literal::Cons(_) => self.vocabulary().proj_n(l).is_some(),
            _ => true,
        }
    }

    /// Numbers decide about a predicate that is a numeric term, if they become what they become exactly.
    fn follows(&self, p: Pred, updates: &[(Dim, Update)]) -> bool {
        let assigned = |d: Dim| updates.iter().find(|u| u.0 == d).map(|u| &u.1);
        self.vocabulary().meaning(p).is_some_and(|c| {
            let becomes: Vec<&Update> = c.expr().dims().filter_map(assigned).collect();
            !becomes.is_empty() && becomes.iter().all(|u| matches!(u, Update::Linear(_)))
        })
    }

    fn alpha_literal(&self, l: &Literal) -> Result<Bdd, Full> {
        match l {
            Literal::Pred(p, b) => self.alpha_p(*p, false, *b),
            Literal::Primed(p, b) => self.alpha_p(*p, true, *b),
            Literal::Cons(_) => match self.vocabulary().proj_n(l) {
                Some(c) => self.alpha_n(&c),
                None => Ok(Bdd::TRUE),
            },
        }
    }

    /// Predicate and numeric terms share variables, so the parts of a step cannot follow each other: shadow variables hold the new predicates while numbers change.
    fn step(&self, a: &Bdd, changed: &BTreeSet<Pred>, updates: &[(Dim, Update)], followed: &BTreeSet<Pred>) -> Result<Bdd, Full> {
        if changed.is_empty() && updates.is_empty() {
            return Ok(*a);
        }
        let tied = changed.iter().any(|p| self.vocabulary().meaning(*p).is_some());
        let after = if updates.is_empty() && !tied { self.exists(changed, a)? } else { self.parallel(a, changed, updates, followed)? };
        if changed.is_empty() {
            return Ok(after);
        }
        self.restore(after)
    }
}

impl<D: NumDomain> Ndd<D> {
    fn parallel(&self, a: &Bdd, changed: &BTreeSet<Pred>, updates: &[(Dim, Update)], followed: &BTreeSet<Pred>) -> Result<Bdd, Full> {
        let assigned: BTreeSet<Dim> = updates.iter().map(|u| u.0).collect();
        let (hot, read) = {
            let mut contexts = self.contexts.borrow_mut();
            (contexts.dims(assigned.clone()), contexts.dims(updates.iter().flat_map(|(_, u)| u.dims()).collect()))
        };
        let mut post = Post { updates, changed, followed, assigned, read, done: FxHashMap::default() };
        self.post_at(*a, Ctx::TOP, hot, &mut post)
    }

    /// `unprime` where a numeric term of the new state may already have the variable of the predicate that it is.
    fn restore(&self, a: Bdd) -> Result<Bdd, Full> {
        let mut out = a;
        let support = self.dd.borrow().support(a);
        let shadows: Vec<u32> = support.iter().copied().filter(|l| self.terms.borrow().is_predicate(*l) && l % 2 == 1).collect();
        let apart: Vec<u32> = shadows.iter().copied().filter(|l| support.contains(&(l - 1))).collect();
        for l in &apart {
            // p' and p are the same now: where they differ there is no state.
            let (now, next) = (self.var(l - 1, true)?, self.var(*l, true)?);
            let mut dd = self.dd.borrow_mut();
            let same = dd.iff(now, next)?;
            out = dd.and(out, same)?;
            out = dd.exists(out, &|x| x == *l)?;
        }
        self.unprime(&out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::Expr;
    use crate::transformer::{post, Choice, Transformer};
    use plumb_num::{LinExpr, Octagons};

    const X: Dim = Dim(0);
    const Y: Dim = Dim(1);

    fn is(d: Dim, k: i64) -> LinCons {
        LinCons::eq(LinExpr::var(d), k.into())
    }

    fn between(d: Dim, lo: i64, hi: i64) -> Expr {
        Expr::cons(LinCons::ge(LinExpr::var(d), lo.into())).and(Expr::cons(LinCons::le(LinExpr::var(d), hi.into())))
    }

    /// x := y + 1 with the predicates x = 0, …, x = 23: shadows related to the terms y = -1, …, y = 22 would have a diagram of 2^24 nodes.
    #[test]
    fn predicates_over_assigned_numbers_cost_no_shadows() {
        let d = Ndd::new(Vocabulary::new((0..24).map(|k| Some(is(X, k))), [X, Y]), Octagons).unwrap();
        let choice = |k: u32| {
            let before = Expr::cons(is(Y, i64::from(k) - 1));
            Choice { pred: Pred(k), f: before.negated(), t: before }
        };
        let assign = vec![(X, Update::Linear(LinExpr::var(Y) + 1.into()))];
        let step = Transformer::Both(Expr::Bool(true), assign, (0..24).map(choice).collect());
        let after = post(&d, &step, &d.alpha(&between(Y, 3, 5)).unwrap()).unwrap();
        let within = |e: Expr| d.leq(&after, &d.alpha(&e).unwrap()).unwrap();
        assert!(within(between(X, 4, 6)));
        assert!(!within(between(X, 4, 5)) && !within(between(X, 5, 6)));
        // The cases are told apart: without the predicate x = 5 there is no state with y = 4.
        let not_five = d.meet(&after, &d.alpha_p(Pred(5), false, false).unwrap()).unwrap();
        assert!(d.leq(&not_five, &d.alpha(&Expr::cons(is(Y, 4)).negated()).unwrap()).unwrap());
    }

    /// The rounds of a counter are an interval in each valuation, where they leave no gap.
    #[test]
    fn joins_without_gaps_are_told_by_one_element() {
        let d = Ndd::new(Vocabulary::new([None], [X]), Octagons).unwrap();
        let rounds = |step: i64| {
            let at = |i: i64| {
                let p = d.alpha_p(Pred(0), false, i < 50 * step).unwrap();
                d.meet(&p, &d.alpha_n(&is(X, i)).unwrap()).unwrap()
            };
            (0..100).fold(d.bottom(), |sum, i| d.join(&sum, &at(i * step)).unwrap())
        };
        let (dense, sparse) = (rounds(1), rounds(2));
        assert!(!d.dd.borrow().is_larger(dense, 16));
        let halves = |k: i64| {
            let half =
                |b: bool, lo: i64, hi: i64| d.meet(&d.alpha_p(Pred(0), false, b).unwrap(), &d.alpha(&between(X, lo, hi)).unwrap()).unwrap();
            d.join(&half(true, 0, 50 * k - 1), &half(false, 50 * k, 100 * k - 1)).unwrap()
        };
        assert!(d.leq(&dense, &halves(1)).unwrap() && d.leq(&halves(1), &dense).unwrap());
        assert!(d.leq(&sparse, &halves(2)).unwrap() && !d.leq(&halves(2), &sparse).unwrap(), "gaps stay");
        assert!(d.is_bottom(&d.meet(&sparse, &d.alpha_n(&is(X, 31)).unwrap()).unwrap()).unwrap());
    }

    /// The union of points (i, j), all x = i of which come before all y = j in the order, doubles with every point: then what is said is what MTNDD says.
    #[test]
    fn large_elements_are_told_by_their_hulls() {
        let positive = LinCons::ge(LinExpr::var(X), 0.into());
        let d = Ndd::new(Vocabulary::new([Some(positive)], [X, Y]), Octagons).unwrap();
        let point = |i: i64| d.alpha(&Expr::cons(is(X, i)).and(Expr::cons(is(Y, i * 7 % 31)))).unwrap();
        for i in -10..10 {
            d.alpha_n(&is(X, i)).unwrap();
        }
        let mut sum = d.bottom();
        for i in -10..10 {
            sum = d.join(&sum, &d.reduce(&point(i)).unwrap()).unwrap();
            assert!(d.leq(&point(i), &sum).unwrap(), "{i} is in");
            assert!(!d.dd.borrow().is_larger(sum, MAX_SIZE));
        }
        assert!(d.leq(&sum, &d.alpha(&between(X, -10, 9)).unwrap()).unwrap());
        let negative = d.meet(&sum, &d.alpha_p(Pred(0), false, false).unwrap()).unwrap();
        assert!(d.leq(&negative, &d.alpha(&between(X, -10, -1)).unwrap()).unwrap(), "each valuation has a hull of its own");
    }
}
