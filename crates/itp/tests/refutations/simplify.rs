//! Simplification keeps the meaning; weakening keeps what the judge asks for.

use crate::support::eval::grid;
use crate::support::random::Random;
use plumb_itp::proof::{Atom, Meaning, Number, Proof};
use plumb_itp::simplify::weaken::{weaken, Limits};
use plumb_itp::simplify::{Measure, Simplifier};
use plumb_itp::{BoolVar, Formula, Linear, NumVar, Sort};
use plumb_num::Int;

fn proof(sorts: &[Sort], booleans: usize) -> Proof {
    let number = |sort: &Sort| Number { sort: *sort, parts: Vec::new(), application: None };
    let boolean = Meaning { atom: Atom::Boolean, parts: Vec::new(), mixed: false };
    Proof { parts: 0, numbers: sorts.iter().map(number).collect(), booleans: vec![boolean; booleans], steps: Vec::new() }
}

fn formula(r: &mut Random, sorts: &[Sort], depth: usize) -> Formula {
    if depth == 0 || r.chance(25) {
        return match r.below(10) {
            0 | 1 => Formula::Boolean(BoolVar(r.below(2) as u32), r.chance(50)),
            2 if sorts.iter().all(|s| *s == Sort::Int) => {
                let terms: Vec<(NumVar, Int)> = (0..sorts.len()).map(|i| (NumVar(i as u32), Int::from(r.range(-3, 3)))).collect();
                let t = Linear::new(terms, Int::from(r.range(-4, 4)));
                Formula::Divides(Int::from(r.range(2, 4)), t)
            }
            _ => {
                let x = NumVar(r.below(sorts.len() as u64) as u32);
                let y = NumVar(r.below(sorts.len() as u64) as u32);
                let t = Linear::new([(x, Int::from(r.range(-2, 2))), (y, Int::from(r.range(-1, 1)))], Int::from(r.range(-3, 3)));
                Formula::LessEq(t, r.chance(30))
            }
        };
    }
    let children: Vec<Formula> = (0..r.range(0, 4)).map(|_| formula(r, sorts, depth - 1)).collect();
    if r.chance(50) {
        Formula::And(children.into())
    } else {
        Formula::Or(children.into())
    }
}

#[test]
fn simplified_formulas_are_equivalent_and_not_larger() {
    let (mut before, mut after) = (0, 0);
    for seed in 1..600 {
        let mut r = Random::new(seed);
        let sorts: Vec<Sort> =
            (0..3).map(|_| if seed % 3 == 0 || (seed % 3 == 1 && r.chance(50)) { Sort::Real } else { Sort::Int }).collect();
        let f = formula(&mut r, &sorts, 4);
        let g = Simplifier::new(sorts.clone()).simplify(&f);
        let proof = proof(&sorts, 2);
        grid(&proof, 3, &mut |p| assert_eq!(p.formula(&f), p.formula(&g), "seed {seed}: {f:?} became {g:?}"));
        assert!(Measure::of(&g).atoms <= Measure::of(&f).atoms, "seed {seed}: {f:?} became {g:?}");
        before += Measure::of(&f).atoms;
        after += Measure::of(&g).atoms;
        assert_eq!(Measure::of(&Simplifier::new(sorts).simplify(&g)).atoms, Measure::of(&g).atoms, "seed {seed}: simplifying twice");
    }
    println!("{before} atoms became {after}");
    assert!(2 * after < before, "{before} atoms became {after}");
}

fn at_most(terms: &[(u32, i64)], bound: i64) -> Formula {
    Formula::LessEq(Linear::new(terms.iter().map(|&(x, a)| (NumVar(x), Int::from(a))), Int::from(-bound)), false)
}

#[test]
fn simplification_sees_through_siblings() {
    let mut s = Simplifier::new([Sort::Int, Sort::Int]);
    let (x3, x5, y0) = (at_most(&[(0, 1)], 3), at_most(&[(0, 1)], 5), at_most(&[(1, 1)], 0));
    let above = at_most(&[(0, -1)], -4);
    // x ≤ 3 ∧ (x ≤ 5 ∨ y ≤ 0) is x ≤ 3; x ≤ 3 ∧ (x ≥ 4 ∨ y ≤ 0) is x ≤ 3 ∧ y ≤ 0; x ≤ 3 ∨ x ≥ 4 is true.
    assert_eq!(s.simplify(&Formula::And([x3.clone(), Formula::Or([x5.clone(), y0.clone()].into())].into())), x3);
    let both = s.simplify(&Formula::And([x3.clone(), Formula::Or([above.clone(), y0.clone()].into())].into()));
    assert_eq!(Measure::of(&both).atoms, 2);
    assert_eq!(s.simplify(&Formula::Or([x3.clone(), above.clone()].into())), Formula::Constant(true));
    assert_eq!(s.simplify(&Formula::And([x3.clone(), above].into())), Formula::Constant(false));
    // (a ∨ b) ∧ (a ∨ c) has three places, not four.
    let b = Formula::Boolean(BoolVar(0), true);
    let f = Formula::And([Formula::Or([x3.clone(), y0.clone()].into()), Formula::Or([x3, b].into())].into());
    assert!(matches!(s.simplify(&f), Formula::Or(c) if c.len() == 2));
}

#[test]
fn weakening_finds_the_general_bound() {
    // x = 3 ∧ y ≤ 7 where x ≥ 0 is all that is asked for.
    let label = Formula::And([at_most(&[(0, 1)], 3), at_most(&[(0, -1)], -3), at_most(&[(1, 1)], 7)].into());
    let proof = proof(&[Sort::Int, Sort::Int], 0);
    let mut questions = 0;
    let general = weaken(&label, Limits::default(), &mut |f| {
        questions += 1;
        let mut ok = true;
        grid(&proof, 5, &mut |p| ok &= !p.formula(f) || p.numbers[0] >= 0);
        // It has to hold at the state that was reached.
        let reached = crate::support::eval::Point { numbers: vec![6, 0], booleans: Vec::new() };
        ok && reached.formula(f)
    });
    assert_eq!(general, at_most(&[(0, -1)], 0));
    assert!(questions <= Limits::default().questions);
}

#[test]
fn weakening_keeps_the_formula_if_the_judge_says_no() {
    let label = Formula::Or([at_most(&[(0, 1)], 3), at_most(&[(1, -1)], -3)].into());
    assert_eq!(weaken(&label, Limits::default(), &mut |_| false), label);
    assert_eq!(weaken(&label, Limits { questions: 0, places: 10 }, &mut |_| true), label);
}
