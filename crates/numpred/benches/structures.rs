//! How the structures grow: `cargo bench -p plumb-numpred --bench structures`.
//!
//! * **paths**: n free predicates, each with a number of its own that depends on it, so that an element has 2ⁿ paths; one number is assigned. `ctxApply` as published walks them all;
//!   here paths that differ in nothing that the assignment is about share their work. The diagram itself doubles with n: all predicates come before all numeric terms.
//! * **machine**: n predicates x = 0, …, x = n - 1, and x := y + 1 with y anywhere among them, as the states of a machine are: the shadows of such predicates, related to terms over y, would have a
//!   diagram of 2ⁿ nodes. Then `reduce`, which has as many paths.
//! * **order**: pairs of predicates that are equal, all first ones before all second ones: the diagram in that order and in the one that sifting finds.
//!
//! Each line has the size of the problem and the milliseconds of each structure; `-` where it was not tried.

use plumb_num::{Boxes, Dim, LinCons, LinExpr, Octagons};
use plumb_numpred::transformer::post;
use plumb_numpred::{Choice, Expr, Literal, Mtndd, Ndd, Nex, NumPredDom, Pred, Transformer, Update, Vocabulary};
use std::time::{Duration, Instant};

/// Explicit sets have so many predicates at most.
const EXPLICIT: u32 = 10;

fn value(x: u32, k: i64) -> Expr {
    Expr::cons(LinCons::eq(LinExpr::var(Dim(x)), LinExpr::constant(k)))
}

/// `p` decides whether `x` is 1 or 0.
fn tied(p: u32) -> Expr {
    let literal = |b: bool| Expr::Lit(Literal::Pred(Pred(p), b));
    literal(true).and(value(p, 1)).or(literal(false).and(value(p, 0)))
}

fn element<D: NumPredDom>(d: &D, n: u32) -> D::Elem {
    (0..n).fold(d.top(), |a, p| d.meet(&a, &d.alpha(&tied(p)).expect("room")).expect("room"))
}

/// The time of an assignment to one of the numbers.
fn assignment<D: NumPredDom>(d: &D, n: u32) -> Duration {
    let a = element(d, n);
    let update = [(Dim(n / 2), Update::Linear(LinExpr::var(Dim(n / 2)) + LinExpr::constant(1)))];
    let start = Instant::now();
    let after = d.post_n(&a, &update).expect("room");
    let spent = start.elapsed();
    assert!(!d.is_bottom(&after).expect("room"));
    spent
}

fn milliseconds(t: Option<Duration>) -> String {
    t.map_or_else(|| "-".into(), |t| format!("{:.2}", 1e3 * t.as_secs_f64()))
}

fn paths() {
    println!("paths: n, NEX, MTNDD, NDD");
    for n in [2, 4, 8, 10, 12, 16] {
        let vocabulary = || Vocabulary::new((0..n).map(|_| None), (0..n).map(Dim));
        let explicit = (n <= EXPLICIT).then(|| assignment(&Nex::new(vocabulary(), Boxes), n));
        let multi = (n <= EXPLICIT).then(|| assignment(&Mtndd::new(vocabulary(), Boxes).expect("room"), n));
        let diagram = assignment(&Ndd::new(vocabulary(), Boxes).expect("room"), n);
        println!("{n:6} {:>10} {:>10} {:>10}", milliseconds(explicit), milliseconds(multi), milliseconds(Some(diagram)));
    }
}

/// The time of a step to another state of a machine, and of `reduce` after it.
fn step<D: NumPredDom>(d: &D, n: u32) -> Duration {
    let between = |lo: i64, hi: i64| {
        let y = || LinExpr::var(Dim(1));
        Expr::cons(LinCons::ge(y(), lo.into())).and(Expr::cons(LinCons::le(y(), hi.into())))
    };
    let becomes = |k: u32| {
        let before = value(1, i64::from(k) - 1);
        Choice { pred: Pred(k), f: before.negated(), t: before }
    };
    let next = vec![(Dim(0), Update::Linear(LinExpr::var(Dim(1)) + LinExpr::constant(1)))];
    let transformer = Transformer::Both(Expr::Bool(true), next, (0..n).map(becomes).collect());
    let a = d.alpha(&between(0, i64::from(n) - 2)).expect("room");
    let start = Instant::now();
    let after = d.reduce(&post(d, &transformer, &a).expect("room")).expect("room");
    let spent = start.elapsed();
    assert!(!d.is_bottom(&after).expect("room"));
    spent
}

fn machine() {
    println!("machine: n, NEX, MTNDD, NDD");
    for n in [4, 8, 16, 24, 32] {
        let vocabulary =
            || Vocabulary::new((0..n).map(|k| Some(LinCons::eq(LinExpr::var(Dim(0)), LinExpr::constant(i64::from(k))))), [Dim(0), Dim(1)]);
        let times = [
            step(&Nex::new(vocabulary(), Octagons), n),
            step(&Mtndd::new(vocabulary(), Octagons).expect("room"), n),
            step(&Ndd::new(vocabulary(), Octagons).expect("room"), n),
        ];
        let [explicit, multi, diagram] = times.map(|t| milliseconds(Some(t)));
        println!("{n:6} {explicit:>10} {multi:>10} {diagram:>10}");
    }
}

/// Pairs of equal predicates, with the pairs at given places.
fn equal_pairs<D: NumPredDom>(d: &D, n: u32, place: &dyn Fn(u32) -> u32) -> D::Elem {
    let literal = |p: u32, b: bool| Expr::Lit(Literal::Pred(Pred(place(p)), b));
    let same = |i: u32| literal(i, true).and(literal(n + i, true)).or(literal(i, false).and(literal(n + i, false)));
    (0..n).fold(d.top(), |a, i| d.meet(&a, &d.alpha(&same(i)).expect("room")).expect("room"))
}

fn order() {
    println!("order: n, as given, sifting, as sifted");
    for n in [4, 6, 8, 10] {
        let make = || Ndd::new(Vocabulary::new((0..2 * n).map(|_| None), []), Boxes).expect("room");
        let timed = |place: &dyn Fn(u32) -> u32| {
            let d = make();
            let start = Instant::now();
            let a = equal_pairs(&d, n, place);
            (d, a, start.elapsed())
        };
        let (d, a, given) = timed(&|p| p);
        let start = Instant::now();
        let sifted = d.sifted(&[&a]);
        let sifting = start.elapsed();
        let after = sifted.map(|order| {
            let place = |p: u32| order.iter().position(|o| o.0 == p).map_or(p, |i| i as u32);
            timed(&place).2
        });
        println!("{n:6} {:>10} {:>10} {:>10}", milliseconds(Some(given)), milliseconds(Some(sifting)), milliseconds(after));
    }
}

fn main() {
    paths();
    machine();
    order();
}
