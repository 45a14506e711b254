//! The statements of the paper, in the order of its sections.

use crate::figure_8::{Cascade, Counter};
use plumb_num::{Dim, LinCons, LinExpr, NumDomain, Polyhedra};
use plumb_numpred::transformer::post;
use plumb_numpred::{Choice, Expr, Literal, Mtndd, Ndd, Nex, NexPoint, NumPredDom, Pred, Structure, Transformer, Update, Vocabulary};
use std::collections::BTreeSet;

const P: Pred = Pred(0);
const Q: Pred = Pred(1);
const X1: Dim = Dim(0);
const X2: Dim = Dim(1);
const Y1: Dim = Dim(2);
const Y2: Dim = Dim(3);

fn v(x: Dim) -> LinExpr {
    LinExpr::var(x)
}

fn k(c: i64) -> LinExpr {
    LinExpr::constant(c)
}

fn eq(a: LinExpr, b: LinExpr) -> Expr {
    Expr::cons(LinCons::eq(a, b))
}

fn ge(a: LinExpr, b: LinExpr) -> Expr {
    Expr::cons(LinCons::ge(a, b))
}

fn pred(p: Pred) -> Expr {
    Expr::pred(p)
}

/// A test of all four structures over polyhedra.
macro_rules! everywhere {
    ($vocabulary:expr, $test:expr) => {{
        let v = $vocabulary;
        $test(&NexPoint::new(v.clone(), Polyhedra::default()), "nexpoint");
        $test(&Nex::new(v.clone(), Polyhedra::default()), "nex");
        $test(&Mtndd::new(v.clone(), Polyhedra::default()).unwrap(), "mtndd");
        $test(&Ndd::new(v, Polyhedra::default()).unwrap(), "ndd");
    }};
}

/// Equal as sets.
fn same<D: NumPredDom>(d: &D, a: &D::Elem, e: &Expr) -> bool {
    let (a, b) = (d.reduce(a).unwrap(), d.reduce(&d.alpha(e).unwrap()).unwrap());
    d.leq(&a, &b).unwrap() && d.leq(&b, &a).unwrap()
}

#[test]
fn section_3_choice_keeps_changes_and_forces() {
    fn check<D: NumPredDom>(d: &D, name: &str) {
        let after = |from: &Expr, t: Expr, f: Expr| {
            post(d, &Transformer::Predicate(vec![Choice { pred: P, t, f }]), &d.alpha(from).unwrap()).unwrap()
        };
        let p_and_q = pred(P).and(pred(Q));
        // choice(p, ¬p) leaves p unchanged.
        assert!(same(d, &after(&p_and_q, pred(P), pred(P).negated()), &p_and_q), "{name}");
        let neither = p_and_q.negated();
        assert!(same(d, &after(&neither, pred(P), pred(P).negated()), &neither), "{name}");
        // choice(false, false) changes it to anything.
        assert!(same(d, &after(&p_and_q, Expr::Bool(false), Expr::Bool(false)), &pred(Q)), "{name}");
        // choice(p ∧ q, false) leaves it true where q is, otherwise anything.
        assert!(same(d, &after(&p_and_q, p_and_q.clone(), Expr::Bool(false)), &p_and_q), "{name}");
        let only_p = pred(P).and(pred(Q).negated());
        assert!(same(d, &after(&only_p, p_and_q, Expr::Bool(false)), &pred(Q).negated()), "{name}");
        // Both at once: no state.
        assert!(d.is_bottom(&after(&Expr::Bool(true), Expr::Bool(true), Expr::Bool(true))).unwrap(), "{name}");
    }
    everywhere!(Vocabulary::new([None, None], [X1]), check);
}

#[test]
fn section_4_projections() {
    let (x, y) = (X1, X2);
    let v = Vocabulary::new([None, Some(LinCons::ge(v(x), k(0)))], [x, y]);
    let e = [Literal::Pred(P, true), Literal::Cons(LinCons::ge(LinExpr::var(x), k(0))), Literal::Cons(LinCons::ge(LinExpr::var(y), k(0)))];
    assert_eq!(v.proj_p_of(&BTreeSet::from([P]), &e), pred(P));
    assert_eq!(v.proj_p_of(&BTreeSet::from([Q]), &e), pred(Q), "Q is x ≥ 0");
    assert_eq!(v.proj_n_of(&BTreeSet::from([y]), &e), ge(LinExpr::var(y), k(0)));
}

/// `assume(*p > 0)` and `*p := x + 1` by cases, with predicates `p = &x` and `p = &y`.
#[test]
fn section_4_pointers_by_cases() {
    fn check<D: NumPredDom>(d: &D, name: &str) {
        let (to_x, to_y, x, y) = (pred(P), pred(Q), X1, X2);
        let positive = |z: Dim| Expr::cons(LinCons::gt(v(z), k(0)));
        let neither = to_x.negated().and(to_y.negated());
        let guard = Transformer::Assume(Expr::any([to_x.clone().and(positive(x)), to_y.clone().and(positive(y)), neither]));
        let start = d.alpha(&to_x.clone().and(to_y.negated())).unwrap();
        let held = post(d, &guard, &start).unwrap();
        // A pair cannot say that x is positive in one case only; the others can.
        if name != "nexpoint" {
            assert!(same(d, &held, &to_x.clone().and(to_y.negated()).and(positive(x))), "{name}");
        }
        let write = Transformer::Either(vec![
            Transformer::Conditional(to_x.clone(), vec![(x, Update::Linear(v(x) + k(1)))]),
            Transformer::Conditional(to_y.clone(), vec![(y, Update::Linear(v(x) + k(1)))]),
        ]);
        let start = d.alpha(&Expr::all([to_x.clone(), to_y.negated(), eq(v(x), k(4)), eq(v(y), k(7))])).unwrap();
        let written = post(d, &write, &start).unwrap();
        assert!(same(d, &written, &Expr::all([to_x.clone(), to_y.negated(), eq(v(x), k(5)), eq(v(y), k(7))])), "{name}");
    }
    everywhere!(Vocabulary::new([None, None], [X1, X2]), check);
}

/// `*p := x` with V_P = {y > 0, p = &x, p = &y} and V_N = {x}.
#[test]
fn section_4_a_predicate_depends_on_a_number() {
    fn check<D: NumPredDom>(d: &D, name: &str) {
        let (y_positive, to_x, to_y) = (Pred(0), Pred(1), Pred(2));
        let x_positive = Expr::cons(LinCons::gt(v(X1), k(0)));
        // As printed t and f are (p = &x) ∧ (y > 0) and (p = &y) ∧ (x > 0); the second is what forces y > 0 to be true, too.
        let t = pred(to_x).and(pred(y_positive)).or(pred(to_y).and(x_positive.clone()));
        let f = pred(to_y).and(x_positive.negated());
        let step = Transformer::Predicate(vec![Choice { pred: y_positive, t, f }]);
        let at = |e: Expr| post(d, &step, &d.alpha(&e).unwrap()).unwrap();
        let through_y = pred(to_y).and(pred(to_x).negated());
        let three = through_y.clone().and(eq(v(X1), k(3)));
        assert!(same(d, &at(three.clone()), &three.and(pred(y_positive))), "{name}");
        let zero = through_y.and(eq(v(X1), k(0))).and(pred(y_positive));
        let expected = Expr::all([pred(to_y), pred(to_x).negated(), eq(v(X1), k(0)), pred(y_positive).negated()]);
        assert!(same(d, &at(zero), &expected), "{name}");
    }
    everywhere!(Vocabulary::new([None, None, None], [X1]), check);
}

/// `y := x ∧ x := (y = 1) ? v : w` with V_P = {y = 1} and V_N = {x, v, w}: each side reads what the other had before.
#[test]
fn section_4_numeric_and_predicate_in_parallel() {
    fn check<D: NumPredDom>(d: &D, name: &str) {
        let (is_one, x, vv, w) = (P, X1, X2, Y1);
        let becomes = Choice { pred: is_one, t: eq(v(x), k(1)), f: eq(v(x), k(1)).negated() };
        let branch = |e: Expr, from: Dim| Transformer::Both(e, vec![(x, Update::Linear(v(from)))], vec![becomes.clone()]);
        let step = Transformer::Either(vec![branch(pred(is_one), vv), branch(pred(is_one).negated(), w)]);
        let start = Expr::all([pred(is_one), eq(v(x), k(5)), eq(v(vv), k(8)), eq(v(w), k(9))]);
        let expected = Expr::all([pred(is_one).negated(), eq(v(x), k(8)), eq(v(vv), k(8)), eq(v(w), k(9))]);
        assert!(same(d, &post(d, &step, &d.alpha(&start).unwrap()).unwrap(), &expected), "{name}");
    }
    everywhere!(Vocabulary::new([None], [X1, X2, Y1]), check);
}

#[test]
fn section_5a_reduce() {
    // q ≜ (x = 0), r ≜ (y = 0)
    let (x, y) = (X1, X2);
    let (q, r) = (P, Q);
    let vocabulary = Vocabulary::new([Some(LinCons::eq(v(x), k(0))), Some(LinCons::eq(v(y), k(0)))], [x, y]);
    let d = NexPoint::new(vocabulary.clone(), Polyhedra::default());
    let either = d.join(&d.alpha_p(q, false, true).unwrap(), &d.alpha_p(r, false, true).unwrap()).unwrap();
    let with =
        |c: &LinCons| d.meet(&d.meet(&either, &d.alpha_n(&LinCons::eq(v(x), k(3))).unwrap()).unwrap(), &d.alpha_n(c).unwrap()).unwrap();
    let reduced = d.reduce(&with(&LinCons::ge(v(y), k(0)))).unwrap();
    let expected =
        [d.alpha_p(q, false, false), d.alpha_p(r, false, true), d.alpha_n(&LinCons::eq(v(x), k(3))), d.alpha_n(&LinCons::eq(v(y), k(0)))];
    let expected = expected.into_iter().fold(d.top(), |a, b| d.meet(&a, &b.unwrap()).unwrap());
    assert_eq!(reduced, expected);
    assert_eq!(d.reduce(&with(&LinCons::lt(v(y), k(0)))).unwrap(), d.bottom());
}

#[test]
fn section_5b_conditions_of_nex() {
    let d = Nex::new(Vocabulary::new([None, None], [X1]), Polyhedra::default());
    let p = d.alpha(&pred(P).and(eq(v(X1), k(0)))).unwrap();
    let q = d.alpha(&pred(Q).and(eq(v(X1), k(4)))).unwrap();
    let joined = d.join(&p, &q).unwrap();
    // p ∧ q, p ∧ ¬q and ¬p ∧ q have elements of their own: disjoint, different, not empty.
    assert_eq!(joined.len(), 3);
    let elems: BTreeSet<String> = joined.iter().map(|(_, n)| format!("{:?}", Polyhedra::default().constraints(n))).collect();
    assert_eq!(elems.len(), 3);
    // An element for what is the same everywhere.
    let both =
        d.join(&d.alpha(&pred(P).and(eq(v(X1), k(0)))).unwrap(), &d.alpha(&pred(P).negated().and(eq(v(X1), k(0)))).unwrap()).unwrap();
    assert_eq!(both, d.alpha(&eq(v(X1), k(0))).unwrap());
    // Quantification joins what comes to overlap.
    let some = d.exists(&BTreeSet::from([P, Q]), &joined).unwrap();
    assert_eq!(some, d.alpha(&ge(v(X1), k(0)).and(ge(k(4), v(X1)))).unwrap());
}

/// Table I: what each structure can say.
#[test]
fn table_1_examples() {
    let between = |lo: i64, hi: i64| ge(v(X1), k(lo)).and(ge(k(hi), v(X1)));
    let pair = pred(P).or(pred(Q)).and(between(0, 5));
    let cases = pred(P).and(between(0, 3)).or(pred(P).negated().and(pred(Q)).and(between(1, 5)));
    let sets = pred(P).and(eq(v(X1), k(0)).or(eq(v(X1), k(3))));
    let within =
        |e: &Expr, x: i64, p: bool, q: bool| e.holds(&|r| if r == P { p } else { q }, &|_| false, &[(X1, x.into())].into_iter().collect());
    let exact = |e: &Expr, says: &Expr| {
        (-1..7).all(|x| [false, true].iter().all(|p| [false, true].iter().all(|q| within(e, x, *p, *q) == within(says, x, *p, *q))))
    };
    let vocabulary = || Vocabulary::new([None, None], [X1]);
    let point = NexPoint::new(vocabulary(), Polyhedra::default());
    let nex = Nex::new(vocabulary(), Polyhedra::default());
    let mtndd = Mtndd::new(vocabulary(), Polyhedra::default()).unwrap();
    let ndd = Ndd::new(vocabulary(), Polyhedra::default()).unwrap();
    let said = |e: &Expr| {
        [
            point.gamma(&point.alpha(e).unwrap()),
            nex.gamma(&nex.alpha(e).unwrap()),
            mtndd.gamma(&mtndd.alpha(e).unwrap()),
            ndd.gamma(&ndd.alpha(e).unwrap()),
        ]
        .map(|says| exact(e, &says))
    };
    assert_eq!(said(&pair), [true, true, true, true]);
    assert_eq!(said(&cases), [false, true, true, true]);
    assert_eq!(said(&sets), [false, false, false, true]);
}

#[test]
fn section_5d_opposite_phases_and_contradictions() {
    let d = Ndd::new(Vocabulary::new([Some(LinCons::gt(v(X1), k(0)))], [X1]), Polyhedra::default()).unwrap();
    // p ≜ (x > 0): p ∧ (x ≤ 0) is 0 without any numeric reasoning.
    assert_eq!(d.alpha(&pred(P).and(ge(k(0), v(X1)))).unwrap(), d.bottom());
    // One that only numbers contradict.
    let both = d.alpha(&pred(P).and(ge(k(-3), v(X1)))).unwrap();
    assert_ne!(both, d.bottom());
    assert_eq!(d.reduce(&both).unwrap(), d.bottom());
}

#[test]
fn section_5d_parallel_composition() {
    // V_P = {(x = 3), (x = 4)}, τ_N = x := x + 1, τ_P = (x = 4) := choice(x = 3, f); from (x = 3) ∧ (x ≥ 3)
    fn check<D: NumPredDom>(d: &D, name: &str) {
        let step = Transformer::Both(
            Expr::Bool(true),
            vec![(X1, Update::Linear(v(X1) + k(1)))],
            vec![Choice { pred: Q, t: eq(v(X1), k(3)), f: Expr::Bool(false) }],
        );
        let start = d.alpha(&pred(P).and(ge(v(X1), k(3)))).unwrap();
        let after = post(d, &step, &start).unwrap();
        assert!(same(d, &after, &pred(Q).and(ge(v(X1), k(4)))), "{name}: {}", d.gamma(&after));
        assert!(!d.is_bottom(&d.reduce(&after).unwrap()).unwrap(), "{name}");
    }
    let is = |c: i64| Some(LinCons::eq(v(X1), k(c)));
    everywhere!(Vocabulary::new([is(3), is(4)], [X1]), check);
}

/// Fig. 2(b): the abstraction of Fig. 2(a) with p ≜ (A[y1 + y2] = 3) and q ≜ (A[x1 + x2] = 3) proves the assertion.
#[test]
fn figure_2() {
    fn check<D: NumPredDom>(d: &D, name: &str) {
        let q_is = |t: Expr, f: Expr| Choice { pred: Q, t, f };
        let never = || Expr::Bool(false);
        let then = |x: Dim, e: LinExpr, q: Choice| Transformer::Both(Expr::Bool(true), vec![(x, Update::Linear(e))], vec![q]);
        let program = Transformer::Sequence(vec![
            Transformer::Assume(eq(v(X1), v(X2))),
            Transformer::Either(vec![
                Transformer::Sequence(vec![
                    Transformer::Assume(pred(P)),
                    then(X1, v(Y1) - k(2), q_is(never(), never())),
                    then(X2, v(Y2) + k(2), q_is(eq(v(X1) + k(2), v(Y1)).and(pred(P)), never())),
                ]),
                Transformer::Sequence(vec![
                    Transformer::Assume(pred(P).negated()),
                    Transformer::Predicate(vec![q_is(never(), Expr::Bool(true))]),
                ]),
            ]),
            Transformer::Either(vec![
                Transformer::Sequence(vec![
                    Transformer::Assume(pred(Q)),
                    Transformer::Numeric(vec![(X1, Update::Linear(v(X1) + v(X2)))]),
                    Transformer::Numeric(vec![(X2, Update::Linear(v(X2) + v(Y1) - k(2)))]),
                ]),
                Transformer::Assume(pred(Q).negated()),
            ]),
            Transformer::Assume(Expr::cons(LinCons::ne(v(X1), v(X2)))),
        ]);
        let error = d.reduce(&post(d, &program, &d.top()).unwrap()).unwrap();
        // A pair joins the two branches into one element and cannot.
        assert_eq!(d.is_bottom(&error).unwrap(), name != "nexpoint", "{name}: {}", d.gamma(&error));
    }
    everywhere!(Vocabulary::new([None, None], [X1, X2, Y1, Y2]), check);
}

/// Fig. 8(a) without widening, every round joined: in all structures the rounds are an interval, and NDD has no end at C = 400, nor where there are more terms than levels of other diagrams.
#[test]
fn figure_8a_round_by_round() {
    let proved = |s: Structure, c: i64| s.make(Counter(c).vocabulary(), Counter(c)).unwrap();
    for s in [Structure::NexPoint, Structure::Nex, Structure::Mtndd, Structure::Ndd] {
        assert_eq!(proved(s, 400), Ok(true), "{s:?}");
    }
    assert_eq!(proved(Structure::Ndd, 5_000), Ok(true));
}

/// Fig. 8(b), branch by branch: what each branch leaves must be told apart.
#[test]
fn figure_8b_branch_by_branch() {
    let proved = |s: Structure, c: u32| s.make(Cascade(c).vocabulary(), Cascade(c)).unwrap();
    for s in [Structure::Nex, Structure::Mtndd, Structure::Ndd] {
        assert_eq!(proved(s, 20), Ok(true), "{s:?}");
    }
    assert_eq!(proved(Structure::NexPoint, 2), Ok(false));
}
