//! Systems of Horn clauses and what their solutions look like.

use plumb_smt::{Horn, HornAnswer, Limits};
use plumb_term::{Budget, IntTy, Scalar, Term, Var, VarId, VarTy};

fn var(id: u32) -> Var {
    Term::program_var(VarId(id), VarTy::Scalar(Scalar::Int(IntTy::I32))).as_var().expect("a variable")
}

/// Counts x to 10 and y by `step` along with it, then copies the state through two relations without a loop; the error is y > 20.
fn chain(step: i64) -> HornAnswer {
    let mut horn = Horn::new(&Limits::default()).expect("the pinned library");
    let vars = [var(1), var(2), var(3)];
    let [x, y, z] = vars.map(Term::var);
    let relations = ["a", "b", "c"].map(|name| horn.relation(name, &vars).expect("encodable"));
    let start = x.equals(Term::int(0)).and(y.equals(Term::int(0)));
    horn.clause(None, start, Some((relations[0], &[x, y, z]))).expect("encodable");
    let body = x.less(Term::int(10));
    horn.clause(Some(relations[0]), body, Some((relations[0], &[x.plus(1), y.plus(step), z]))).expect("encodable");
    horn.clause(Some(relations[0]), z.less(Term::int(5)), Some((relations[1], &[x, y, z.plus(1)]))).expect("encodable");
    horn.clause(Some(relations[1]), Term::tt(), Some((relations[2], &[x, y, z]))).expect("encodable");
    horn.clause(Some(relations[2]), Term::int(20).less(y), None).expect("encodable");
    horn.solve(&Budget::unlimited())
}

#[test]
fn relations_that_preprocessing_would_remove_have_plain_solutions() {
    match chain(2) {
        HornAnswer::Solved(formulas) => assert_eq!(formulas.len(), 3),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_system_without_a_solution() {
    assert_eq!(chain(3), HornAnswer::Unsolvable);
}
