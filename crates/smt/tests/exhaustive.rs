//! Every integer operator on every pair of values of small types, in both encodings and as circuits: the corners that random values miss.

use plumb_smt::{CheckResult, Circuit, Encoding, Found, Limits, Solver, Z3Solver};
use plumb_term::eval::{eval, Value};
use plumb_term::{Budget, IBig, IntTy, Scalar, Term, Var, VarId, VarTy};
use std::time::Duration;

type Operator = (&'static str, fn(Term, Term) -> Term);

const OPERATORS: [Operator; 16] = [
    ("add", |x, y| x.add(y)),
    ("sub", |x, y| x.sub(y)),
    ("mul", |x, y| x.mul(y)),
    ("div", |x, y| x.div(y)),
    ("rem", |x, y| x.rem(y)),
    ("and", |x, y| x.bit_and(y)),
    ("or", |x, y| x.bit_or(y)),
    ("xor", |x, y| x.bit_xor(y)),
    ("shl", |x, y| x.shl(y)),
    ("shr", |x, y| x.shr(y)),
    ("wrapped shl", |x, y| x.shl(y).wrap(IntTy::signed(2))),
    ("wrapped sum", |x, y| x.scale(&IBig::from(3)).sub(y).wrap(IntTy::signed(3))),
    ("at most", |x, y| Term::ite(x.less_eq(y), Term::int(1), Term::int(0))),
    ("less", |x, y| Term::ite(x.less(y), Term::int(1), Term::int(0))),
    ("after", |x, y| Term::ite(x.plus(1).equals(y), Term::int(1), Term::int(0))),
    ("masked", |x, y| x.bit_and(Term::int(5)).add(y.bit_or(Term::int(-3))).bit_xor(Term::int(2))),
];

fn values(ty: IntTy) -> Vec<IBig> {
    let count = u32::try_from(ty.modulus()).expect("a small type");
    (0..count).map(|i| ty.min() + IBig::from(i)).collect()
}

#[test]
fn operators_on_all_values_of_small_types() {
    let types = [IntTy::signed(3), IntTy::unsigned(3), IntTy::signed(1)];
    for encoding in [Encoding::Int, Encoding::BITS32] {
        for (name, operator) in OPERATORS {
            for (s, t) in types.iter().flat_map(|s| types.iter().map(move |t| (*s, *t))) {
                let x = Var::new(VarId(1), VarTy::Scalar(Scalar::Int(s)));
                let y = Var::new(VarId(2), VarTy::Scalar(Scalar::Int(t)));
                let result = operator(Term::var(x), Term::var(y));
                let mut cases = Vec::new();
                for (a, b) in values(s).into_iter().flat_map(|a| values(t).into_iter().map(move |b| (a.clone(), b))) {
                    let env = |v: Var| Some(Value::Int(if v == x { a.clone() } else { b.clone() }));
                    let Some(Value::Int(expected)) = eval(result, &env) else { panic!("{result} has no value") };
                    let here = Term::var(x).equals(Term::int(a.clone())).and(Term::var(y).equals(Term::int(b.clone())));
                    cases.push(here.and(result.equals(Term::int(expected))));
                }
                let mut solver = Z3Solver::new(encoding, &Limits::default()).expect("the pinned library");
                // The cases cover all values, so each must have the value that evaluation gives.
                let none = Term::any(cases).not();
                solver.assert(none);
                assert_eq!(solver.check(), CheckResult::Unsat, "{name} on {s} and {t} in {encoding:?}");
                let found = Circuit::new(none).expect("integers").run(Duration::MAX, &Budget::unlimited());
                assert!(matches!(found, Found::Unsat), "{name} on {s} and {t} as a circuit");
            }
        }
    }
}
