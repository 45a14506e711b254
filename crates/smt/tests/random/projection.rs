//! Projection against its definition, point by point, and simplification under facts.

use crate::common::{cases, literal, Menu, Random, Terms};
use plumb_smt::{CheckResult, Encoding, Limits, Solver, Z3Solver};
use plumb_term::eval::{eval, Value};
use plumb_term::{visit, Cell, IBig, IntTy, Scalar, Term, Var, VarId, VarTy};
use std::time::Duration;

fn solver() -> Z3Solver {
    let limits = Limits { query_time: Some(Duration::from_millis(200)), ..Limits::default() };
    Z3Solver::new(Encoding::Int, &limits).expect("the pinned library")
}

fn var(id: u32, ty: VarTy) -> Var {
    Var::new(VarId(id), ty)
}

#[test]
fn an_inner_variable_leaves_the_gap_around_it() {
    let [x, y, z] = [1, 2, 3].map(|i| var(i, VarTy::Int));
    let (a, b, c) = (Term::var(x), Term::var(y), Term::var(z));
    let mut s = solver();
    let between = b.less(a).and(a.less(c));
    let gap = s.project(between, &[y, z]).expect("linear");
    assert_eq!(s.entails(gap.equals(b.plus(2).less_eq(c))), Some(true), "{gap}");
    let even = s.project(b.equals(a.scale(&IBig::from(2))), &[y]).expect("linear");
    assert_eq!(s.entails(even.equals(b.wrap(IntTy::unsigned(1)).equals(Term::int(0)))), Some(true), "{even}");
    // The range of a variable of machine type counts.
    let byte = var(4, VarTy::Scalar(Scalar::Int(IntTy::U8)));
    let reach = s.project(b.equals(Term::var(byte).plus(10)), &[y]).expect("linear");
    assert_eq!(s.entails(reach.equals(b.within(&IBig::from(10), &IBig::from(265)))), Some(true), "{reach}");
}

#[test]
fn cells_can_be_projected_to() {
    let ty = Scalar::Int(IntTy::I32);
    let (m, i, x) = (var(1, VarTy::Mem(Cell::Scalar(ty))), var(2, VarTy::Int), var(3, VarTy::Int));
    let mut s = solver();
    let cell = Term::load(ty, Term::var(m), Term::var(i));
    let fact = cell.equals(Term::var(x).plus(1)).and(Term::var(x).greater(Term::int(6)));
    if let Some(t) = s.project(fact, &[m, i]) {
        assert_eq!(s.entails(t.equals(cell.greater(Term::int(7)))), Some(true), "{t}");
    }
}

/// A small sum, or a wrap of one.
fn sum(r: &mut Random) -> Term {
    let tys = [VarTy::Int, VarTy::Int, VarTy::Scalar(Scalar::Int(IntTy::U8)), VarTy::Scalar(Scalar::Int(IntTy::I32))];
    let mut t = Term::int(r.below(40) as i64 - 20);
    for _ in 0..2 {
        let v = var(r.below(2) as u32, r.pick(&tys));
        t = t.add(Term::var(v).scale(&IBig::from(r.below(7) as i64 - 3)));
    }
    if r.one_in(5) {
        t.wrap(IntTy::signed(8))
    } else {
        t
    }
}

fn formula(r: &mut Random, depth: u32) -> Term {
    if depth == 0 {
        let (a, b) = (sum(r), sum(r));
        return if r.one_in(3) { a.equals(b) } else { a.less_eq(b) };
    }
    let (a, b) = (formula(r, depth - 1), formula(r, depth - 1));
    match r.below(3) {
        0 => a.or(b),
        1 => a.and(b.not()),
        _ => a.and(b),
    }
}

/// Projections of random linear formulas hold exactly where some value of the projected variables satisfies the formula.
#[test]
fn projections_mean_existence() {
    let menu = Menu { unbounded: true, floats: false, memories: false };
    let (mut done, mut exact) = (0, 0);
    for seed in 0..cases(20) {
        let mut terms = Terms::new(seed, menu);
        let formula = formula(&mut terms.random, 2);
        let vars = visit::vars([formula]);
        if vars.len() < 2 {
            continue;
        }
        let keep: Vec<Var> = vars.iter().copied().filter(|_| terms.random.one_in(2)).collect();
        let mut s = solver();
        done += 1;
        let projected = s.project(formula, &keep);
        exact += u32::from(projected.is_some());
        s.assert(formula);
        if s.check() == CheckResult::Sat {
            let model = s.model().expect("a model");
            if let Some(t) = s.project_model(&model, formula, &keep) {
                assert_eq!(model.holds(t), Some(true), "seed {seed}: {t} for {formula}");
                if let Some(whole) = projected {
                    assert_ne!(solver().implies(t, whole), Some(false), "seed {seed}: {t} beyond {whole}");
                }
            }
        }
        let Some(projected) = projected else { continue };
        for _ in 0..4 {
            let point: Vec<(Var, Value)> = keep.iter().map(|v| (*v, terms.value(*v))).collect();
            let env = |v: Var| point.iter().find(|p| p.0 == v).map(|p| p.1.clone());
            let claimed = eval(projected, &env);
            let mut s = solver();
            s.assert(formula);
            point.iter().for_each(|(v, value)| s.assert(Term::var(*v).equals(literal(value))));
            let truth = match s.check() {
                CheckResult::Sat => true,
                CheckResult::Unsat => false,
                CheckResult::Unknown(_) => continue,
            };
            assert_eq!(claimed, Some(Value::Bool(truth)), "seed {seed}: {projected}\n for {formula}\n at {point:?}");
        }
    }
    println!("{exact} of {done} projected");
    assert!(exact * 2 > done, "{exact} of {done}");
}

#[test]
fn atoms_decided_by_the_facts_vanish() {
    let (x, y) = (Term::var(var(1, VarTy::Int)), Term::var(var(2, VarTy::Int)));
    let mut s = solver();
    s.assert(x.greater(Term::int(10)));
    let open = y.greater(x);
    let t = Term::any([x.less(Term::int(5)), x.greater(Term::int(8)).and(open)]);
    assert_eq!(s.simplify_under(y.less(Term::int(100)), t), open);
    assert_eq!(s.check_assuming(&[y.greater(Term::int(100))]), CheckResult::Sat, "the given fact is gone again");
}
