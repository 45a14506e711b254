//! The recorded problems of C programs, `benches/data/*.pip`: all are read, a slice is solved and its labels are checked.

use crate::common::cases;
use plumb_smt::interpolate::{decide, validate, Answer, Chain, Dag, Decision, Family, Interpolator, Invalid};
use plumb_term::Budget;
use std::path::PathBuf;
use std::time::Duration;

fn families() -> Vec<Family> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("benches/data");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).expect("the folder").flatten().map(|e| e.path()).collect();
    files.retain(|p| p.extension().is_some_and(|x| x == "pip"));
    files.sort();
    let read = |p: &PathBuf| Family::read(&std::fs::read_to_string(p).expect("a file")).unwrap_or_else(|e| panic!("{}: {e}", p.display()));
    files.iter().flat_map(read).collect()
}

fn problems() -> Vec<(String, Dag)> {
    let mut out = Vec::new();
    for f in families() {
        for m in &f.members {
            let dag = f.dag(m).unwrap_or_else(|e| panic!("{} {}: {e}", f.name, m.name));
            out.push((format!("{} {}", f.name, m.name), dag));
        }
    }
    out
}

#[test]
fn there_are_many_of_many_programs() {
    let (families, problems) = (families(), problems());
    assert!(families.len() >= 60, "{} programs", families.len());
    assert!(problems.len() >= 300, "{} problems", problems.len());
    for f in &families {
        let again = Family::read(&f.write()).expect("what was written");
        assert_eq!(again[0].cuts, f.cuts, "{}", f.name);
    }
}

/// `PLUMB_CASES` is the number of problems to solve.
#[test]
fn the_chain_solves_them() {
    let problems = problems();
    let wanted = (cases(8) as usize).clamp(1, problems.len());
    let budget = || Budget::within(Duration::from_secs(20));
    let mut unknown = 0;
    for k in 0..wanted {
        let (name, dag) = &problems[k * problems.len() / wanted];
        let mut chain = Chain::default();
        match (chain.dag(dag, &budget()), decide(dag, &budget())) {
            (Answer::Unknown(why), _) => {
                println!("{name}: {why}");
                unknown += 1;
            }
            (Answer::Labels(labels), plain) => {
                assert!(!matches!(plain, Decision::Sat(_)), "{name}");
                let verdict = validate(dag, &labels, &budget());
                assert!(matches!(verdict, Ok(()) | Err(Invalid::Undecided(..))), "{name}: {verdict:?}");
            }
            (Answer::Model(w), plain) => {
                assert!(!matches!(plain, Decision::Unsat), "{name}");
                assert!(w.executes(dag), "{name}");
            }
        }
    }
    // One may be slow on a busy machine.
    assert!(unknown * 50 <= wanted.max(50), "{unknown} of {wanted} are unknown");
}
