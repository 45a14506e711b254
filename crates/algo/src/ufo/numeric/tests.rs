//! Blocks by hand, with every domain.

use super::super::post::{Block, Edge, Post};
use super::path::path;
use super::Numeric;
use crate::system::{Cut, CutId, System, Transition};
use plumb_cfa::unwind::Orders;
use plumb_cfa::{Program, Semantics};
use plumb_cfront::{load, ErrorSpec, Input, Options};
use plumb_num::{Boxes, Dim, LinCons, LinExpr, NumDomain, Octagons, Polyhedra};
use plumb_smt::Entailment;
use plumb_term::{Budget, IBig, IntTy, Scalar, Term, Var, VarId, VarTy};
use std::collections::BTreeMap;
use std::time::Duration;

const INT: VarTy = VarTy::Scalar(Scalar::Int(IntTy::I32));

fn program(text: &str) -> Program {
    let options = Options { semantics: Semantics::default(), property: ErrorSpec::Default };
    load(&[Input { name: "test.c".into(), bytes: text.as_bytes().to_vec() }], &options).unwrap_or_else(|e| panic!("{e}"))
}

fn solver() -> Entailment {
    Entailment::new(&Budget::unlimited()).unwrap()
}

/// A program with three integers, which blocks by hand are about.
fn three() -> Program {
    program("int x, y, z; void reach_error(void); int main(void) { if (x + y + z == 1) reach_error(); return 0; }")
}

fn vars(p: &Program) -> [Term; 3] {
    ["x", "y", "z"].map(|n| {
        let v = p.vars.iter().position(|v| v.name == n).unwrap();
        p.term(VarId(v as u32))
    })
}

/// A loop head with one block around it.
fn system(p: &Program, condition: Term, values: [Term; 3]) -> System {
    let needed: Vec<VarId> = vars(p).iter().map(|t| t.as_var().unwrap().id).collect();
    assert!(needed.is_sorted());
    let orders = Orders::new(p);
    let point = System::new(p, &orders, &BTreeMap::new(), &Budget::unlimited()).unwrap().cuts.remove(0).point;
    System {
        cuts: vec![Cut { point, needed }],
        transitions: vec![Transition { from: CutId(0), to: CutId(0), condition, values: values.to_vec() }],
        ..System::default()
    }
}

fn edge(s: &System, label: Term) -> Edge<'_> {
    let t = &s.transitions[0];
    Edge { label, block: Block { to: t.to, condition: t.condition, needed: &s.cuts[0].needed, values: &t.values } }
}

fn int(v: i64) -> Term {
    Term::int(v)
}

/// POST that takes its time, whatever else the machine does.
fn patient<D: NumDomain>(domain: D, p: &Program, s: &System) -> Numeric<D> {
    let mut post = Numeric::new(domain, p, s, 10, &mut solver());
    post.patience = Duration::MAX;
    post
}

/// What a domain says after one block.
fn after<D: NumDomain>(domain: D, p: &Program, s: &System, label: Term) -> Term {
    let mut post = patient(domain, p, s);
    let out = post.arrive(&mut solver(), CutId(0), &[edge(s, label)], &[]);
    let e = edge(s, label);
    let obligation = solver().entails(label.and(e.block.condition), e.block.before(out));
    assert!(obligation, "{out:?}");
    out
}

#[test]
fn every_path_of_a_block_is_in_its_image() {
    let p = three();
    let [x, y, z] = vars(&p);
    // y follows x by one on one path and by two on the other; z is their sum or a remainder.
    let up = x.less(int(10));
    let next = Term::ite(up, x.plus(1), x.plus(2)).wrap(IntTy::I32);
    let s = system(&p, x.within(&IBig::from(0), &IBig::from(100)), [x, next, Term::ite(up, x.add(y).wrap(IntTy::I32), x.rem(int(7)))]);
    let mut ask = solver();
    let label = y.within(&IBig::from(0), &IBig::from(5));
    let boxes = after(Boxes, &p, &s, label);
    assert!(ask.entails(boxes, x.less_eq(int(100)).and(y.less_eq(int(102))).and(z.within(&IBig::from(0), &IBig::from(14)))), "{boxes:?}");
    assert!(!ask.entails(boxes, x.less_eq(y)), "{boxes:?}");
    for image in [after(Octagons, &p, &s, label), after(Polyhedra::default(), &p, &s, label)] {
        assert!(ask.entails(image, x.less(y).and(y.less_eq(x.plus(2)))), "{image:?}");
        assert!(!ask.entails(image, y.equals(x.plus(1))), "{image:?}");
    }
}

#[test]
fn wraps_are_paths() {
    let p = three();
    let [x, y, z] = vars(&p);
    let max = IntTy::I32.max();
    // At most one step past the greatest value: the image has both ends of the range.
    let s = system(&p, Term::tt(), [x.plus(1).wrap(IntTy::I32), y, z]);
    let mut ask = solver();
    let near = Term::int(max.clone()).sub(int(3)).less_eq(x);
    let image = after(Boxes, &p, &s, near);
    assert!(!ask.entails(image, int(0).less_eq(x)) && !ask.entails(image, x.less_eq(int(0))));
    let below = near.and(x.less(Term::int(max)));
    assert!(ask.entails(after(Boxes, &p, &s, below), int(0).less_eq(x)));
}

#[test]
fn no_path_gives_false_and_unknown_operators_cost_only_precision() {
    let p = three();
    let [x, y, z] = vars(&p);
    let s = system(&p, x.less(y).and(y.less(x)), [x, y, z]);
    assert!(after(Octagons, &p, &s, Term::tt()).is_false());
    let s = system(&p, x.less_eq(y), [x, y, x.mul(y).bit_xor(z).wrap(IntTy::I32)]);
    let image = after(Octagons, &p, &s, int(0).less_eq(x));
    assert!(solver().entails(image, x.less_eq(y).and(int(0).less_eq(x))), "{image:?}");
}

#[test]
fn heads_converge_and_stop_at_what_was_learnt() {
    let p = three();
    let [x, y, z] = vars(&p);
    // x counts up to y, which nothing in the block bounds.
    let s = system(&p, x.less(y).or(z.equals(int(1))), [x.plus(1).wrap(IntTy::I32), y, z]);
    let mut post = patient(Octagons, &p, &s);
    let mut ask = solver();
    let mut heads = vec![x.equals(int(0)).and(y.equals(int(50))).and(z.equals(int(0)))];
    while heads.len() < 20 {
        let label = *heads.last().unwrap();
        let next = post.arrive(&mut ask, CutId(0), &[edge(&s, label)], &heads);
        if ask.entails(next, Term::any(heads.clone())) {
            break;
        }
        heads.push(next);
    }
    assert!(heads.len() < 6, "{heads:?}");
    assert!(ask.entails(Term::any(heads.clone()), x.less_eq(y)), "{heads:?}");

    // Without a guard the upper bound is lost, unless a refinement has named one.
    let s = system(&p, z.equals(int(0)).and(x.less(int(1_000_000))), [Term::ite(x.less(int(70)), x.plus(1), x), y, z]);
    let mut post = patient(Boxes, &p, &s);
    post.learn(CutId(0), x.less_eq(int(77)));
    post.sharpen();
    let known = [int(0).less_eq(x).and(x.less_eq(int(1))), int(0).less_eq(x).and(x.less_eq(int(2)))];
    let second = post.arrive(&mut ask, CutId(0), &[edge(&s, known[0])], &[]);
    let third = post.arrive(&mut ask, CutId(0), &[edge(&s, second)], &[known[0], second]);
    assert!(ask.entails(third, x.less_eq(int(78))), "{third:?}");
}

#[test]
fn too_many_paths_are_weakened_not_given_up() {
    let p = three();
    let [x, _, z] = vars(&p);
    // One path for each value of x: y is its square, which no domain has.
    let mut square = int(0);
    for k in 1..80i64 {
        square = Term::ite(x.equals(int(k)), int(k * k), square);
    }
    let s = system(&p, x.within(&IBig::from(0), &IBig::from(79)), [x, square, z]);
    for image in [after(Octagons, &p, &s, Term::tt()), after(Polyhedra::default(), &p, &s, Term::tt())] {
        assert!(solver().entails(image, int(0).less_eq(x).and(x.less_eq(int(79)))), "{image:?}");
    }
}

#[test]
fn a_model_lies_on_its_path() {
    let p = three();
    let [x, y, z] = vars(&p);
    let aux = Term::var(Var::new(VarId(VarId::FIRST_AUX.0 + 1), INT));
    let expressions = [
        x.add(y).wrap(IntTy::unsigned(8)),
        x.div(int(-3)).add(y.rem(int(5))),
        Term::ite(x.less(y), Term::ite(z.equals(aux), x, y.neg()), aux.plus(4)),
        x.mul(y).sub(z.scale(&IBig::from(3))),
        y.rem(int(-4)).sub(x.div(int(2))),
    ];
    let conditions = [x.less_eq(y), x.differs(y).or(z.less(int(0))), x.equals(aux).and(y.less(z)).not()];
    let mut ask = solver();
    let mut seed = 7u64;
    let mut random = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        int((seed >> 33) as i64 % 600 - 300)
    };
    for _ in 0..60 {
        let state: Vec<Term> = [x, y, z, aux].iter().map(|v| v.equals(random())).collect();
        for e in expressions {
            for c in conditions {
                let Some(model) = ask.with(&state, |a| a.model_of(c)).unwrap() else { continue };
                let ends = [(Dim(0), x), (Dim(1), e)];
                let found = path(&model, &[c], &ends, Dim(2)).unwrap();
                let at =
                    |d: u32, t: Term| LinCons::eq(LinExpr::var(Dim(d)), LinExpr::constant(plumb_num::Int::from(model.int(t).unwrap())));
                let d = Polyhedra::default();
                let here = d.assume_all(&d.of_constraints(&found), &[at(0, x), at(1, e)]);
                assert!(!plumb_num::Lattice::is_bottom(&d, &here), "{state:?} {e:?} {c:?}: {found:?}");
            }
        }
    }
}

#[test]
fn phases_and_classes_come_when_they_are_needed() {
    let p = three();
    let [x, y, z] = vars(&p);
    // x steps by one up to 40 and by four from there on; y follows it in the second phase only.
    let first = x.less(int(40));
    let s = system(&p, x.less(int(400)), [Term::ite(first, x.plus(1), x.plus(4)), Term::ite(first, y, y.plus(4)), z]);
    let mut post = patient(Octagons, &p, &s);
    let mut ask = solver();
    let start = x.equals(int(0)).and(y.equals(int(40))).and(z.equals(int(0)));
    let run = |post: &mut Numeric<Octagons>, ask: &mut Entailment| {
        let mut heads = vec![start];
        while heads.len() < 40 {
            let next = post.arrive(ask, CutId(0), &[edge(&s, heads[heads.len() - 1])], &heads);
            if ask.entails(next, Term::any(heads.clone())) {
                return Term::any(heads);
            }
            heads.push(next);
        }
        panic!("no fixpoint: {heads:?}");
    };
    let exact = x.less(int(400)).or(x.equals(int(400)).and(y.equals(int(400))));
    let coarse = run(&mut post, &mut ask);
    assert!(!ask.entails(coarse, exact), "{coarse:?}");
    assert!(post.sharpen());
    let fine = run(&mut post, &mut ask);
    assert!(ask.entails(fine, exact), "{fine:?}");
    assert!(!post.sharpen(), "once is enough");
}
