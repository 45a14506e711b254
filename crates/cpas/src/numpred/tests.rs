//! Fig. 2 of the paper: the abstraction (b) is generated from the program (a) with p ≜ (A[y1 + y2] = 3) and q ≜ (A[x1 + x2] = 3).

use super::oracle::Prover;
use plumb_num::Polyhedra;
use plumb_numpred::program::{transformer, Block, Frame, Kept};
use plumb_numpred::transformer::post;
use plumb_numpred::{Expr, Nex, NumPredDom, Pred};
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
