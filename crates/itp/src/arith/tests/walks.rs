//! Random walks over levels: what was retracted leaves no trace.

use super::rationals::constraint;
use super::*;
use proptest::prelude::*;

/// A step of a walk.
#[derive(Clone, Debug)]
enum Move {
    Assert(usize, bool),
    Push,
    Pop(usize),
    /// Makes atoms from here on known to the theory.
    Declare,
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    let one = prop_oneof![
        6 => (0usize..16, any::<bool>()).prop_map(|(i, b)| Move::Assert(i, b)),
        2 => Just(Move::Push),
        1 => (1usize..3).prop_map(Move::Pop),
        1 => Just(Move::Declare),
    ];
    prop::collection::vec(one, 1..60)
}

/// Whether a fresh theory finds the literals consistent over the rationals.
fn consistent(vocabulary: &Vocabulary, lits: &[Lit]) -> bool {
    let mut theory = Arithmetic::new();
    theory.declare(vocabulary);
    lits.iter().all(|l| theory.assert(*l).is_ok()) && theory.propagate(&mut Vec::new()).is_ok()
}

fn walk(sort: Sort, cs: &[Constraint], moves: &[Move]) {
    let (mut vocabulary, numbers) = variables(&[sort; 4]);
    let mut theory = Arithmetic::new();
    let mut atoms: Vec<Lit> = Vec::new();
    let mut todo = cs.iter();
    let mut trail: Vec<Lit> = Vec::new();
    let mut levels: Vec<usize> = Vec::new();
    // A conflict has to be retracted before anything else is asserted.
    let mut in_conflict = false;
    for m in moves {
        match m {
            Move::Declare => {
                for c in todo.by_ref().take(5) {
                    atoms.extend(literals(&mut vocabulary, &numbers, std::slice::from_ref(c)).unwrap_or_default());
                }
                theory.declare(&vocabulary);
            }
            Move::Push if in_conflict => {}
            Move::Push => {
                theory.push();
                levels.push(trail.len());
            }
            Move::Pop(n) => {
                let n = (*n).min(levels.len());
                theory.pop(n);
                for _ in 0..n {
                    trail.truncate(levels.pop().unwrap());
                    in_conflict = false;
                }
            }
            Move::Assert(i, positive) if !in_conflict && *i < atoms.len() => {
                let lit = if *positive { atoms[*i] } else { !atoms[*i] };
                if trail.iter().any(|l| l.var() == lit.var()) {
                    continue;
                }
                trail.push(lit);
                let mut implied = Vec::new();
                let result = theory.assert(lit).and_then(|()| theory.propagate(&mut implied));
                assert_eq!(result.is_ok(), consistent(&vocabulary, &trail));
                match result {
                    Ok(()) => {
                        let before = trail.len();
                        for l in implied {
                            let lemma = theory.explain(l);
                            assert!(is_valid(&lemma, &vocabulary));
                            assert!(lemma.clause.iter().all(|k| *k == l || trail[..before].contains(&!*k)));
                            assert!(!consistent(&vocabulary, &[&trail[..before], &[!l]].concat()));
                            assert!(theory.assert(l).is_ok());
                            trail.push(l);
                        }
                    }
                    Err(lemma) => {
                        assert!(is_valid(&lemma, &vocabulary));
                        assert!(lemma.clause.iter().all(|l| trail.contains(&!*l)));
                        if levels.is_empty() {
                            return;
                        }
                        in_conflict = true;
                    }
                }
                assert!(theory.tableau.is_well_formed());
            }
            Move::Assert(..) => {}
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

    #[test]
    fn rational_walks(cs in prop::collection::vec(constraint(4, 3, 6), 16), moves in moves()) {
        walk(Sort::Real, &cs, &moves);
    }

    #[test]
    fn integer_walks(cs in prop::collection::vec(constraint(4, 3, 6), 16), moves in moves()) {
        walk(Sort::Int, &cs, &moves);
    }
}

/// A bound settles the weaker atoms of its form at once, and a row those of its columns.
#[test]
fn bounds_and_rows_imply() {
    let (mut v, x) = variables(&[Sort::Int; 2]);
    let mut lit = |terms: &[i64], c: i64| match v.less_eq(&linear(&x, terms, c)) {
        Literal::Lit(l) => l,
        Literal::Constant(_) => panic!(),
    };
    let (three, five, low) = (lit(&[1, 0], -3), lit(&[1, 0], -5), lit(&[1, 0], 1));
    let (sum, y) = (lit(&[1, 1], -2), lit(&[0, 1], -4));
    let mut theory = Arithmetic::new();
    theory.declare(&v);
    let mut implied = Vec::new();
    theory.assert(three).unwrap();
    theory.propagate(&mut implied).unwrap();
    assert_eq!(implied, [five]);
    implied.clear();
    theory.push();
    theory.assert(five).unwrap();
    theory.assert(!low).unwrap();
    theory.assert(sum).unwrap();
    theory.propagate(&mut implied).unwrap();
    assert_eq!(implied, [y]);
    theory.pop(1);
    implied.clear();
    theory.assert(!y).unwrap();
    theory.assert(sum).unwrap();
    theory.propagate(&mut implied).unwrap();
    assert!(implied.contains(&low));
}
