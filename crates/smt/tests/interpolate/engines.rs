//! Every engine on random graphs, sequences and trees.

use crate::common::cases;
use crate::gen::{Gen, Theory, THEORIES};
use plumb_smt::interpolate::{decide, validate, validate_tree, Answer, Chain, CoreGuided, Dag, Decision, Interpolator, Invalid, Spacer};
use plumb_smt::{Own, Strength};
use plumb_term::{Budget, Term};
use std::collections::BTreeMap;
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(4);

fn budget() -> Budget {
    Budget::within(PATIENCE)
}

/// How many answers of each sort there were.
#[derive(Default, Debug)]
struct Tally {
    labels: u32,
    models: u32,
    unknown: u32,
}

#[derive(Default)]
struct Tallies(BTreeMap<(&'static str, String), Tally>);

impl Tallies {
    /// Holds an answer against the plain check's.
    fn add(
        &mut self,
        engine: &'static str,
        theory: Theory,
        answer: &Answer,
        plain: &Decision,
        case: &str,
        valid: &dyn Fn(&[Term]) -> Result<(), Invalid>,
    ) {
        let tally = self.0.entry((engine, format!("{theory:?}"))).or_default();
        match answer {
            Answer::Labels(labels) => {
                tally.labels += 1;
                assert!(!matches!(plain, Decision::Sat(_)), "{engine} on {case}: labels for what has a model");
                match valid(labels) {
                    Ok(()) | Err(Invalid::Undecided(..)) => {}
                    Err(why) => panic!("{engine} on {case}: {why} {labels:?}"),
                }
            }
            Answer::Model(_) => {
                tally.models += 1;
                assert!(!matches!(plain, Decision::Unsat), "{engine} on {case}: a model of what has none");
            }
            Answer::Unknown(why) => {
                println!("{engine} on {case}: {why}");
                tally.unknown += 1;
            }
        }
    }

    /// The engine that may ask any other has to answer nearly everything.
    fn finish(&self, total: u64) {
        for (k, v) in &self.0 {
            println!("{k:?}: {v:?}");
        }
        // What the own solver translates exactly it also answers.
        for theory in ["Boolean", "Linear", "Machine"] {
            let own = self.0.get(&("own", theory.to_owned()));
            assert!(own.is_none_or(|t| t.unknown == 0), "own on {theory}: {own:?}");
        }
        let sum = |f: &dyn Fn(&Tally) -> u32| self.0.iter().filter(|(k, _)| k.0 == "chain").map(|(_, v)| f(v)).sum::<u32>();
        let (labels, models, unknown) = (sum(&|t| t.labels), sum(&|t| t.models), sum(&|t| t.unknown));
        assert!(u64::from(unknown) * 10 <= total, "{unknown} of {total} are unknown");
        assert!(total < 20 || (labels > 0 && models > 0), "{labels} labels and {models} models say little");
    }
}

/// All engines meet the first problems; of later ones, the own engine does and one of the others in turn.
const FOR_ALL: u64 = 1_000;

/// The engines for a problem.
fn engines(seed: u64) -> Vec<Box<dyn Interpolator>> {
    let mut others: Vec<Box<dyn Interpolator>> = vec![
        Box::new(Own::new(Strength::Dual)),
        Box::new(Own::new(Strength::Pudlak)),
        Box::new(Own::blocking()),
        Box::new(CoreGuided),
        Box::new(Spacer),
        Box::new(Chain::default()),
    ];
    if seed >= FOR_ALL {
        // The theories take turns, too, so the turns must not have their length.
        let turn = (seed / THEORIES.len() as u64) as usize % others.len();
        others = vec![others.swap_remove(turn)];
    }
    others.insert(0, Box::new(Own::default()));
    others
}

/// The seeds of the problems: `PLUMB_FIRST` is the first one.
fn seeds(fast: u64) -> std::ops::Range<u64> {
    let first = std::env::var("PLUMB_FIRST").ok().and_then(|s| s.parse().ok()).unwrap_or(0);
    first..first + cases(fast)
}

fn whole(parts: impl IntoIterator<Item = Term>) -> Decision {
    let sequence = plumb_smt::interpolate::Sequence::new(vec![Term::all(parts)]).expect("one formula");
    decide(&sequence.as_dag().0, &budget())
}

#[test]
fn graphs() {
    let mut tallies = Tallies::default();
    let seeds = seeds(60);
    let total = seeds.end - seeds.start;
    for seed in seeds {
        let theory = THEORIES[seed as usize % THEORIES.len()];
        let dag = Gen::new(seed, theory).dag();
        // The nodes between entry and error have the same variables.
        let last = dag.error().0;
        let dag = dag.with_places((0..=last).map(|n| (n > 0 && n < last).then_some(0)).collect());
        let plain = decide(&dag, &budget());
        if let Decision::Sat(w) = &plain {
            assert!(w.executes(&dag), "seed {seed}: {w:?} is no path of {dag:?}");
        }
        for mut engine in engines(seed) {
            let answer = engine.dag(&dag, &budget());
            if let Answer::Model(w) = &answer {
                assert!(w.executes(&dag), "{} on seed {seed}: {w:?} is no path of {dag:?}", engine.name());
            }
            let valid = |labels: &[Term]| validate(&dag, labels, &budget());
            tallies.add(engine.name(), theory, &answer, &plain, &format!("graph {seed}"), &valid);
        }
    }
    tallies.finish(total);
}

#[test]
fn sequences() {
    let mut tallies = Tallies::default();
    let seeds = seeds(30);
    let total = seeds.end - seeds.start;
    for seed in seeds {
        let theory = THEORIES[seed as usize % THEORIES.len()];
        let sequence = Gen::new(seed, theory).sequence();
        let plain = whole(sequence.formulas().iter().copied());
        for mut engine in engines(seed) {
            let answer = engine.sequence(&sequence, &budget());
            if let Answer::Model(w) = &answer {
                let holds = sequence.formulas().iter().all(|t| w.holds(*t) == Some(true));
                assert!(holds, "{} on seed {seed}: {w:?} is no model of {sequence:?}", engine.name());
            }
            let valid = |labels: &[Term]| sequence.validate(labels, &budget());
            tallies.add(engine.name(), theory, &answer, &plain, &format!("sequence {seed}"), &valid);
        }
    }
    tallies.finish(total);
}

#[test]
fn trees() {
    let mut tallies = Tallies::default();
    let seeds = seeds(20);
    let total = seeds.end - seeds.start;
    for seed in seeds {
        let theory = THEORIES[seed as usize % THEORIES.len()];
        let tree = Gen::new(seed, theory).tree();
        let plain = whole(tree.nodes().iter().map(|n| n.formula));
        for mut engine in engines(seed) {
            let answer = engine.tree(&tree, &budget());
            if let Answer::Model(w) = &answer {
                let holds = tree.nodes().iter().all(|n| w.holds(n.formula) == Some(true));
                assert!(holds, "{} on seed {seed}: {w:?} is no model of {tree:?}", engine.name());
            }
            let valid = |labels: &[Term]| validate_tree(&tree, labels, &budget());
            tallies.add(engine.name(), theory, &answer, &plain, &format!("tree {seed}"), &valid);
        }
    }
    tallies.finish(total);
}

/// The chain says who answered.
#[test]
fn the_chain_reports() {
    let dag: Dag = Gen::new(3, Theory::Linear).dag();
    let mut chain = Chain::default();
    let answer = chain.dag(&dag, &budget());
    assert!(!matches!(answer, Answer::Unknown(_)));
    assert_eq!(chain.report().answered, chain.report().asked.last().map(|a| a.0));
}
