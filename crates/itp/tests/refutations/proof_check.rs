//! The checker accepts proofs and rejects what is not one: every change that makes a proof say something else is noticed.

use crate::support::eval::{grid, Point};
use crate::support::prover::Answer;
use crate::support::random::{problem, Random, KINDS};
use plumb_itp::proof::{Atom, Certificate, Proof, Reason, StepId};
use plumb_itp::proof_check::{check, Flaw, Rejected};
use plumb_itp::{proof_text, BoolVar, Linear, Lit, Part};
use plumb_num::{Int, Rat};

/// Changes one thing in a proof; says what.
fn mutate(r: &mut Random, proof: &mut Proof) -> String {
    let s = r.below(proof.steps.len() as u64) as usize;
    let variables = proof.booleans.len() as u64;
    let some_var = BoolVar(r.below(variables) as u32);
    let step = &mut proof.steps[s];
    let what = r.below(8);
    match (&mut step.reason, what) {
        (_, 0) if !step.clause.is_empty() => {
            let at = r.below(step.clause.len() as u64) as usize;
            step.clause.remove(at);
            format!("step {s} loses a literal")
        }
        (_, 1) if !step.clause.is_empty() => {
            let at = r.below(step.clause.len() as u64) as usize;
            step.clause[at] = !step.clause[at];
            format!("step {s} has a literal negated")
        }
        (_, 2) => {
            step.clause.push(Lit::new(some_var, r.chance(50)));
            format!("step {s} gets a literal")
        }
        (Reason::Chain { first, .. }, 3) => {
            *first = StepId(r.below(s as u64 + 1) as u32);
            format!("step {s} starts elsewhere")
        }
        (Reason::Chain { rest, .. }, 4) => {
            rest.pop();
            format!("step {s} has a shorter chain")
        }
        (Reason::Chain { rest, .. }, 5) => {
            if let Some(last) = rest.last_mut() {
                last.0 = some_var;
            }
            format!("step {s} has another pivot")
        }
        (Reason::Lemma(Certificate::Farkas(qs) | Certificate::Divisibility(qs)), 3..=5) => {
            let at = r.below(qs.len() as u64) as usize;
            qs[at] = &qs[at] + &Rat::new(Int::from(r.range(-2, 2)), Int::from(2));
            format!("step {s} has another multiplier")
        }
        (Reason::Input(part), 3..=5) => {
            *part = Part(r.below(u64::from(proof.parts) + 1) as u32);
            format!("step {s} is of another part")
        }
        (_, 6) => {
            let meaning = &mut proof.booleans[some_var.index()];
            if let Atom::LessEq(t) = &meaning.atom {
                meaning.atom = Atom::LessEq(t.plus(&Int::ONE, &Linear::constant(Int::from(r.range(-2, 2)))));
            }
            "an atom has another constant".to_owned()
        }
        _ => {
            proof.steps.remove(s);
            format!("step {s} is missing")
        }
    }
}

/// Whether the inputs of an accepted proof have no solution in the grid.
fn refutes(proof: &Proof) -> bool {
    let mut ok = true;
    let clauses: Vec<Vec<Lit>> = plumb_itp::proof_check::inputs(proof).map(|(_, c)| c.to_vec()).collect();
    grid(proof, 3, &mut |point: &Point| {
        let holds = clauses.iter().all(|c| c.iter().any(|l| point.literal(proof, *l)));
        ok &= !(holds && point.is_functional(proof));
    });
    ok
}

#[test]
fn changed_proofs_are_rejected_unless_they_still_are_proofs() {
    let (mut rejected, mut accepted) = (0, 0);
    for kind in KINDS {
        for seed in 0..150 {
            let mut r = Random::new(seed * 11 + kind as u64);
            let Answer::Proof(proof) = problem(&mut r, kind).prove(200) else { continue };
            for _ in 0..12 {
                let mut changed = proof.clone();
                let what = mutate(&mut r, &mut changed);
                if changed == proof {
                    continue;
                }
                match check(&changed, &[]) {
                    Err(_) => rejected += 1,
                    Ok(()) => {
                        accepted += 1;
                        assert!(refutes(&changed), "{kind:?} {seed}: {what}, accepted, but the inputs have a solution");
                    }
                }
            }
        }
    }
    assert!(rejected > 1500 && accepted < rejected / 3, "{rejected} rejected, {accepted} accepted");
}

/// x ≤ 0 in part 0, x ≥ 1 in part 1.
fn small() -> Proof {
    proof_text::read("parts 2\nnumber int 0 1\natom 0 1 : 1 0 : 0\ninput 0 : +0\ninput 1 : -0\nchain : 0 0 1\n").unwrap()
}

#[test]
fn each_flaw_has_its_name() {
    assert_eq!(check(&small(), &[]), Ok(()));
    let flaw = |change: &dyn Fn(&mut Proof)| {
        let mut proof = small();
        change(&mut proof);
        check(&proof, &[]).unwrap_err()
    };
    let step = |s: u32, f: Flaw| Rejected::Step(StepId(s), f);
    assert_eq!(flaw(&|p| p.steps.clear()), Rejected::Empty);
    assert_eq!(flaw(&|p| drop(p.steps.pop())), Rejected::NotRefuted(BoolVar(0).negative()));
    assert_eq!(flaw(&|p| p.booleans[0].parts = vec![Part(0)]), step(1, Flaw::NotInPart(BoolVar(0))));
    assert_eq!(flaw(&|p| p.steps[0].clause.push(BoolVar(0).positive())), step(0, Flaw::Repeated(BoolVar(0).positive())));
    assert_eq!(flaw(&|p| p.steps[1].clause = vec![BoolVar(0).positive()]), step(2, Flaw::Pivot(BoolVar(0))));
    assert_eq!(flaw(&|p| p.steps[2].clause = vec![BoolVar(0).positive()]), step(2, Flaw::Result));
    assert_eq!(flaw(&|p| p.steps[0].reason = Reason::Input(Part(2))), step(0, Flaw::Unknown));
    assert!(matches!(flaw(&|p| p.numbers[0].parts = vec![Part(0)]), Rejected::Boolean(0, _)));
    assert!(matches!(flaw(&|p| p.numbers.clear()), Rejected::Boolean(0, _)));
    let lemma = |c: Certificate| flaw(&move |p: &mut Proof| p.steps[0].reason = Reason::Lemma(c.clone()));
    assert_eq!(lemma(Certificate::Farkas(vec![Rat::ONE])), step(0, Flaw::Sum));
    assert!(matches!(lemma(Certificate::Farkas(vec![-&Rat::ONE])), Rejected::Step(_, Flaw::Malformed(_))));
    assert!(matches!(lemma(Certificate::Farkas(vec![])), Rejected::Step(_, Flaw::Malformed(_))));
    assert!(matches!(lemma(Certificate::Divisibility(vec![Rat::ONE])), Rejected::Step(_, Flaw::Malformed(_))));
}

#[test]
fn assumptions_may_be_left() {
    let mut proof = small();
    proof.steps.truncate(1);
    assert_eq!(check(&proof, &[BoolVar(0).negative()]), Ok(()));
    assert_eq!(check(&proof, &[BoolVar(0).positive()]), Err(Rejected::NotRefuted(BoolVar(0).positive())));
}

#[test]
fn unreadable_lines_are_named() {
    for (text, line) in [
        ("parts x", 1),
        ("parts 1\nnumber complex 0", 2),
        ("farkas +0 : 1/0", 1),
        ("chain +0 : 1 2", 1),
        ("input 0 : 3", 1),
        ("input 0 : +4294967295", 1),
        ("nonsense", 1),
        ("atom 0 : 1 : 0", 1),
        ("congruence : 1", 1),
    ] {
        assert_eq!(proof_text::read(text).map_err(|e| e.line), Err(line), "{text}");
    }
}
