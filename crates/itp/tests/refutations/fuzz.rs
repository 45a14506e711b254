//! The solver's refutations of random problems: agreement with the naive prover, and interpolants of all families.

use crate::cases;
use crate::interpolation::check_all;
use crate::support::prover::Answer;
use crate::support::random::{problem, Random, KINDS};
use crate::support::solving::{solve, Verdict};
use plumb_itp::proof_check;

#[test]
fn the_solver_agrees_and_its_proofs_interpolate() {
    for kind in KINDS {
        let (mut refuted, mut satisfiable, mut unknown, mut compared) = (0, 0, 0, 0);
        for seed in 1..=cases(200) {
            let p = problem(&mut Random::new(seed * 31 + kind as u64), kind);
            let verdict = solve(&p);
            if seed % 8 == 0 {
                match (p.prove(300), &verdict) {
                    (Answer::Proof(_), Verdict::Satisfiable) | (Answer::Satisfiable, Verdict::Proof(_)) => {
                        panic!("{kind:?} {seed}: the naive prover says otherwise")
                    }
                    (Answer::GaveUp, _) | (_, Verdict::Unknown) => {}
                    _ => compared += 1,
                }
            }
            match verdict {
                Verdict::Satisfiable => satisfiable += 1,
                Verdict::Unknown => unknown += 1,
                Verdict::Proof(proof) => {
                    refuted += 1;
                    let small = plumb_itp::interpolate::reduce(&proof);
                    proof_check::check(&small, &[]).unwrap_or_else(|e| panic!("{kind:?} {seed}, reduced: {e}"));
                    check_all(&proof, kind, seed);
                }
            }
        }
        println!("{kind:?}: {refuted} refuted, {satisfiable} satisfiable, {unknown} unknown; {compared} compared");
        assert!(refuted > 0 && satisfiable > 0 && unknown * 20 <= refuted + satisfiable, "{kind:?}: {refuted} {satisfiable} {unknown}");
    }
}
