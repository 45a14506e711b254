//! Section IV of the paper: abstractions of statements are generated. Fig. 2: the abstraction (b) from the program (a) with p ≜ (A[y1 + y2] = 3) and q ≜ (A[x1 + x2] = 3); then predicates
//! over what numbers cannot say: memory behind pointers, products, bits.

use super::oracle::Prover;
use plumb_num::Polyhedra;
use plumb_numpred::program::{transformer, Block, Frame, Kept};
use plumb_numpred::transformer::post;
use plumb_numpred::{Choice, Expr, Mtndd, Ndd, Nex, NexPoint, NumPredDom, Pred, Transformer};
use plumb_term::{Budget, Cell, IntTy, Scalar, Term, VarId, VarTy};
use std::collections::BTreeMap;

const INT: Scalar = Scalar::Int(IntTy::I32);
const P: Pred = Pred(0);
const Q: Pred = Pred(1);

fn x(id: u32) -> Term {
    Term::program_var(VarId(id), VarTy::Int)
}

fn array() -> Term {
    Term::program_var(VarId(4), VarTy::Mem(Cell::Scalar(INT)))
}

fn cell(index: Term) -> Term {
    Term::load(INT, array(), index.scale(&4.into()))
}

#[test]
fn figure_2b_is_generated() {
    let (x1, x2, y1, y2) = (x(0), x(1), x(2), x(3));
    let (p, q) = (cell(y1.add(y2)).equals(Term::int(3)), cell(x1.add(x2)).equals(Term::int(3)));
    let frame = Frame::new([x1, x2, y1, y2].iter().filter_map(|t| t.as_var()), [p, q]);
    let domain = Nex::new(frame.vocabulary().clone(), Polyhedra::default());
    let mut prover = Prover::new(&Budget::unlimited()).unwrap();
    let mut after = |condition: Term, values: &[(u32, Term)], from: &Expr| {
        let values: BTreeMap<VarId, Term> = values.iter().map(|(v, t)| (VarId(*v), *t)).collect();
        let kept = Kept { live: &|_| true, predicates: &|_| true };
        let t = transformer(&frame, &Block { condition, values }, &kept, &mut prover);
        post(&domain, &t, &domain.alpha(from).unwrap()).unwrap()
    };
    let says = |a: &Vec<_>, e: &Expr| domain.leq(a, &domain.alpha(e).unwrap()).unwrap();
    let (is_p, is_q) = (Expr::pred(P), Expr::pred(Q));
    // assume(p)
    assert!(says(&after(p, &[], &Expr::Bool(true)), &is_p));
    // x2 := y2 + 2 ∧ q := choice(x1 + 2 = y1 ∧ p, …): forced by both together, by neither alone.
    let equation = Expr::cons(frame.cons(x1.plus(2).equals(y1)).unwrap());
    let assign = [(1, y2.plus(2))];
    assert!(says(&after(Term::tt(), &assign, &equation.clone().and(is_p.clone())), &is_q));
    for alone in [equation.clone(), is_p.clone()] {
        let free = after(Term::tt(), &assign, &alone);
        assert!(!says(&free, &is_q) && !says(&free, &is_q.negated()), "{alone}");
    }
    // Beyond the paper's f: where p is false at the same index, q is.
    assert!(says(&after(Term::tt(), &assign, &equation.and(is_p.negated())), &is_q.negated()));
    // x1 := y1 - 2 alone decides nothing.
    let free = after(Term::tt(), &[(0, y1.plus(-2))], &is_p);
    assert!(!says(&free, &is_q) && !says(&free, &is_q.negated()) && says(&free, &is_p));
    // A[x1 + x2] = 5 makes q false: choice(f, t).
    let stored = Term::store(INT, array(), x1.add(x2).scale(&4.into()), Term::int(5));
    let written = after(p.not(), &[(4, stored)], &is_q);
    assert!(says(&written, &is_q.negated()));
}

fn statement(frame: &Frame, prover: &mut Prover, condition: Term, values: &[(u32, Term)]) -> Transformer {
    let values: BTreeMap<VarId, Term> = values.iter().map(|(v, t)| (VarId(*v), *t)).collect();
    transformer(frame, &Block { condition, values }, &Kept { live: &|_| true, predicates: &|_| true }, prover)
}

/// All statements of Fig. 2(a), generated one by one and composed: the assertion holds in the abstraction.
#[test]
fn figure_2a_is_proved_in_what_is_generated() {
    let (x1, x2, y1, y2) = (x(0), x(1), x(2), x(3));
    let (p, q) = (cell(y1.add(y2)).equals(Term::int(3)), cell(x1.add(x2)).equals(Term::int(3)));
    let frame = Frame::new([x1, x2, y1, y2].iter().filter_map(|t| t.as_var()), [p, q]);
    let mut prover = Prover::new(&Budget::unlimited()).unwrap();
    let mut line = |condition: Term, values: &[(u32, Term)]| statement(&frame, &mut prover, condition, values);
    let five = Term::store(INT, array(), x1.add(x2).scale(&4.into()), Term::int(5));
    let program = Transformer::Sequence(vec![
        line(x1.equals(x2), &[]),
        Transformer::Either(vec![
            Transformer::Sequence(vec![line(p, &[]), line(Term::tt(), &[(0, y1.plus(-2))]), line(Term::tt(), &[(1, y2.plus(2))])]),
            Transformer::Sequence(vec![line(p.not(), &[]), line(Term::tt(), &[(4, five)])]),
        ]),
        Transformer::Either(vec![
            Transformer::Sequence(vec![line(q, &[]), line(Term::tt(), &[(0, x1.add(x2))]), line(Term::tt(), &[(1, x2.add(y1).plus(-2))])]),
            line(q.not(), &[]),
        ]),
        line(x1.differs(x2), &[]),
    ]);
    fn holds<D: NumPredDom>(d: &D, program: &Transformer) -> bool {
        d.is_bottom(&d.reduce(&post(d, program, &d.top()).unwrap()).unwrap()).unwrap()
    }
    let (v, n) = (|| frame.vocabulary().clone(), Polyhedra::default);
    assert!(!holds(&NexPoint::new(v(), n()), &program), "a pair joins the branches");
    assert!(holds(&Nex::new(v(), n()), &program));
    assert!(holds(&Mtndd::new(v(), n()).unwrap(), &program));
    assert!(holds(&Ndd::new(v(), n()).unwrap(), &program));
}

/// The choice for a predicate in the only case of a statement.
fn choice_of(t: &Transformer, p: Pred) -> Choice {
    let Transformer::Both(_, _, choices) = t else { panic!("{t:?}") };
    choices.iter().find(|c| c.pred == p).unwrap_or_else(|| panic!("{t:?}")).clone()
}

/// `*p := x` with V_P = {y > 0, p = &x, p = &y} and V_N = {x}, where `y` and another object are in memory: the paper's example, and that `y > 0` stays where `p` points elsewhere.
#[test]
fn a_write_through_a_pointer_is_told_by_cases() {
    const AT_Y: i64 = 65_536;
    const AT_Z: i64 = 65_568;
    let (number, pointer) = (Term::program_var(VarId(0), VarTy::Scalar(INT)), x(1));
    let y_positive = Term::int(1).less_eq(Term::load(INT, array(), Term::int(AT_Y)));
    let to = |a: i64| pointer.equals(Term::int(a));
    let frame = Frame::new(number.as_var(), [y_positive, to(AT_Y), to(AT_Z)]);
    let domain = Nex::new(frame.vocabulary().clone(), Polyhedra::default());
    let mut prover = Prover::new(&Budget::unlimited()).unwrap();
    let write = statement(&frame, &mut prover, Term::tt(), &[(4, Term::store(INT, array(), pointer, number))]);
    let (positive, to_y, to_z) = (Expr::pred(Pred(0)), Expr::pred(Pred(1)), Expr::pred(Pred(2)));
    let after = |from: Expr| post(&domain, &write, &domain.alpha(&from).unwrap()).unwrap();
    let says = |a: &Vec<_>, e: &Expr| domain.leq(a, &domain.alpha(e).unwrap()).unwrap();
    let elsewhere = to_z.and(to_y.negated());
    assert!(says(&after(elsewhere.clone().and(positive.clone())), &positive));
    assert!(says(&after(elsewhere.and(positive.negated())), &positive.negated()));
    let at_least = |k: i64| Expr::cons(frame.cons(Term::int(k).less_eq(number)).unwrap());
    for (before, after_it) in [(at_least(10), positive.clone()), (at_least(1).negated(), positive.negated())] {
        let written = after(Expr::all([to_y.clone(), after_it.negated(), before]));
        assert!(says(&written, &to_y) && says(&written, &after_it), "{}", domain.gamma(&written));
    }
}

/// Products and bits: what forces a predicate is found by the solver.
#[test]
fn predicates_may_speak_of_products_and_bits() {
    let (a, b, c) = (x(0), x(1), x(2));
    let product = c.equals(a.mul(b));
    let even = a.bit_and(Term::int(1)).equals(Term::int(0));
    let frame = Frame::new([], [product, even]);
    let mut prover = Prover::new(&Budget::unlimited()).unwrap();
    let mut line = |values: &[(u32, Term)]| statement(&frame, &mut prover, Term::tt(), values);
    let forced = choice_of(&line(&[(2, a.mul(b))]), P);
    assert_eq!((forced.t, forced.f), (Expr::Bool(true), Expr::Bool(false)));
    let kept = choice_of(&line(&[(2, c.add(a)), (1, b.plus(1))]), P);
    assert_eq!((kept.t, kept.f), (Expr::pred(P), Expr::pred(P).negated()));
    let flipped = choice_of(&line(&[(0, a.plus(1))]), Q);
    assert_eq!((flipped.t, flipped.f), (Expr::pred(Q).negated(), Expr::pred(Q)));
    let same = choice_of(&line(&[(0, a.plus(2))]), Q);
    assert_eq!((same.t, same.f), (Expr::pred(Q), Expr::pred(Q).negated()));
}
