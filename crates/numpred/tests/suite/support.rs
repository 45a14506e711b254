//! Random expressions and transformers, and concrete states to compare with.

use plumb_num::{ConsKind, Dim, LinCons, LinExpr, Point};
use plumb_numpred::{Choice, Expr, Literal, Pred, Transformer, Update, Vocabulary};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// What is generated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// Any linear constraints and assignments.
    Any,
    /// Those that boxes are exact for.
    Box,
    /// Those that octagons are exact for.
    Octagon,
}

/// SplitMix64, for expressions of a shape.
pub struct Rng(pub u64, pub Shape);

impl Rng {
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % n as u64) as usize
    }

    fn range(&mut self, lo: i64, hi: i64) -> i64 {
        lo + self.below((hi - lo + 1) as usize) as i64
    }
}

/// The number of random cases: `PLUMB_CASES`, or a few.
pub fn cases() -> u64 {
    std::env::var("PLUMB_CASES").ok().and_then(|v| v.parse().ok()).unwrap_or(40)
}

/// A state: predicates by number, and the two variables.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct State {
    pub bits: u32,
    pub x: i64,
    pub y: i64,
}

/// Points with coordinates up to this are made once.
const NEAR: i64 = 8;
static POINTS: LazyLock<Vec<Point>> = LazyLock::new(|| {
    let all = (-NEAR..=NEAR).flat_map(|x| (-NEAR..=NEAR).map(move |y| State { bits: 0, x, y }.point()));
    all.collect()
});

pub const X: Dim = Dim(0);
pub const Y: Dim = Dim(1);
/// Predicates that are no numeric terms come first.
pub const FREE: u32 = 2;
pub const PREDS: u32 = 4;

impl State {
    pub fn point(self) -> Point {
        Point::from([(X, self.x.into()), (Y, self.y.into())])
    }

    pub fn has(self, p: Pred) -> bool {
        self.bits >> p.0 & 1 == 1
    }

    pub fn satisfies(self, e: &Expr) -> bool {
        let near = |v: i64| v.abs() <= NEAR;
        if near(self.x) && near(self.y) {
            let at = (self.x + NEAR) * (2 * NEAR + 1) + self.y + NEAR;
            return e.holds(&|p| self.has(p), &|_| false, &POINTS[at as usize]);
        }
        e.holds(&|p| self.has(p), &|_| false, &self.point())
    }

    /// The state with the truth of the predicates that are numeric terms.
    pub fn consistent(self, v: &Vocabulary) -> State {
        let mut out = self;
        for (p, c) in v.tied() {
            out.bits &= !(1 << p.0);
            out.bits |= u32::from(c.holds(&self.point())) << p.0;
        }
        out
    }
}

/// All valuations on a grid.
pub fn grid() -> impl Iterator<Item = State> {
    (0..1u32 << PREDS).flat_map(|bits| (-2..=2).flat_map(move |x| (-2..=2).map(move |y| State { bits, x, y })))
}

pub fn cons(rng: &mut Rng) -> LinCons {
    let kind = [ConsKind::Ge, ConsKind::Ge, ConsKind::Eq, ConsKind::Ne][rng.below(4)];
    let (a, b) = match rng.below(4) {
        0 if rng.1 != Shape::Box => (rng.range(-1, 1), rng.range(-1, 1)),
        1 => (0, [-1, 1][rng.below(2)]),
        _ => ([-1, 1][rng.below(2)], 0),
    };
    LinCons::new(LinExpr::new([(X, a), (Y, b)], rng.range(-2, 2)), kind)
}

pub fn vocabulary(rng: &mut Rng) -> Vocabulary {
    let tied = (FREE..PREDS).map(|_| Some(cons(rng)));
    let tied: Vec<_> = tied.collect();
    Vocabulary::new((0..FREE).map(|_| None).chain(tied), [X, Y])
}

pub fn expr(rng: &mut Rng, depth: u32) -> Expr {
    match rng.below(if depth == 0 { 2 } else { 4 }) {
        0 => Expr::Lit(Literal::Pred(Pred(rng.below(PREDS as usize) as u32), rng.below(2) == 0)),
        1 => Expr::cons(cons(rng)),
        2 => Expr::all([expr(rng, depth - 1), expr(rng, depth - 1)]),
        _ => Expr::any([expr(rng, depth - 1), expr(rng, depth - 1)]),
    }
}

fn updates(rng: &mut Rng) -> Vec<(Dim, Update)> {
    let mut one = |x: Dim| {
        let (a, b) = (rng.range(-1, 1), rng.range(-1, 1));
        let (a, b) = match rng.1 {
            Shape::Any => (a, b),
            Shape::Box if x == X => (a, 0),
            Shape::Box => (0, b),
            Shape::Octagon if a != 0 => (a, 0),
            Shape::Octagon => (0, b),
        };
        let e = LinExpr::new([(X, a), (Y, b)], rng.range(-1, 1));
        let u = match rng.below(4) {
            0 if rng.1 == Shape::Any => Update::Between(Some(e.clone()), Some(e + LinExpr::constant(1))),
            _ => Update::Linear(e),
        };
        (x, u)
    };
    match one(X) {
        u if u.1 == Update::Linear(LinExpr::constant(0)) => vec![u, one(Y)],
        u => vec![u],
    }
}

/// A choice for a predicate: any for a free one, one that the assignments justify for a numeric term.
fn choices(rng: &mut Rng, v: &Vocabulary, updates: &[(Dim, Update)]) -> Vec<Choice> {
    let mut out = Vec::new();
    let map: BTreeMap<Dim, LinExpr> =
        updates.iter().filter_map(|(x, u)| if let Update::Linear(e) = u { Some((*x, e.clone())) } else { None }).collect();
    for pred in (0..PREDS).map(Pred).filter(|_| rng.below(2) == 0).collect::<Vec<_>>() {
        match v.meaning(pred) {
            None => out.push(Choice { pred, t: expr(rng, 1), f: expr(rng, 1) }),
            Some(c) if map.len() == updates.len() => {
                let before = Expr::cons(LinCons::new(c.expr().substitute_all(&map), c.kind()));
                let some = |rng: &mut Rng, e: Expr| if rng.below(3) == 0 { Expr::Bool(false) } else { e };
                out.push(Choice { pred, t: some(rng, before.clone()), f: some(rng, before.negated()) });
            }
            Some(_) => out.push(Choice { pred, t: Expr::Bool(false), f: Expr::Bool(false) }),
        }
    }
    out
}

pub fn transformer(rng: &mut Rng, v: &Vocabulary, depth: u32) -> Transformer {
    match rng.below(if depth == 0 { 5 } else { 7 }) {
        0 => Transformer::Numeric(updates(rng)),
        1 => Transformer::Assume(expr(rng, 2)),
        2 => Transformer::Conditional(expr(rng, 1), updates(rng)),
        3 => Transformer::Predicate(choices(rng, v, &[])),
        4 => {
            let u = updates(rng);
            let c = choices(rng, v, &u);
            Transformer::Both(expr(rng, 1), u, c)
        }
        5 => Transformer::Sequence(vec![transformer(rng, v, depth - 1), transformer(rng, v, depth - 1)]),
        _ => Transformer::Either(vec![transformer(rng, v, depth - 1), transformer(rng, v, depth - 1)]),
    }
}

/// The image of concrete states.
pub fn image(v: &Vocabulary, t: &Transformer, states: &BTreeSet<State>) -> BTreeSet<State> {
    let step = |guard: &Expr, u: &[(Dim, Update)], choices: &[Choice]| {
        let mut out = BTreeSet::new();
        for s in states.iter().filter(|s| s.satisfies(guard)) {
            // What every variable may become, then what every free predicate may become.
            let values = |d: Dim, old: i64| match u.iter().find(|a| a.0 == d) {
                None => vec![old],
                Some((_, Update::Linear(e))) => vec![value(e, *s)],
                Some((_, Update::Between(Some(lo), Some(hi)))) => (value(lo, *s)..=value(hi, *s)).collect(),
                Some(_) => unreachable!("no unbounded updates are generated"),
            };
            let mut valuations = vec![s.bits];
            for c in choices.iter().filter(|c| v.meaning(c.pred).is_none()) {
                let bit = 1u32 << c.pred.0;
                let mut next = Vec::new();
                for b in valuations {
                    if !s.satisfies(&c.f) {
                        next.push(b | bit);
                    }
                    if !s.satisfies(&c.t) {
                        next.push(b & !bit);
                    }
                }
                valuations = next;
            }
            for x in values(X, s.x) {
                for y in values(Y, s.y) {
                    out.extend(valuations.iter().map(|bits| State { bits: *bits, x, y }.consistent(v)));
                }
            }
        }
        out
    };
    match t {
        Transformer::Numeric(u) => step(&Expr::Bool(true), u, &[]),
        Transformer::Assume(e) => step(e, &[], &[]),
        Transformer::Conditional(e, u) => step(e, u, &[]),
        Transformer::Predicate(c) => step(&Expr::Bool(true), &[], c),
        Transformer::Both(e, u, c) => step(e, u, c),
        Transformer::Sequence(ts) => ts.iter().fold(states.clone(), |s, t| image(v, t, &s)),
        Transformer::Either(ts) => ts.iter().flat_map(|t| image(v, t, states)).collect(),
    }
}

fn value(e: &LinExpr, s: State) -> i64 {
    e.eval(&s.point()).to_i64().unwrap()
}
