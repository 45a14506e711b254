//! plumb's interpolation against Spacer and against the plain check, in one process with interleaved timings.
//!
//! `cargo bench -p plumb-smt --bench interpolation [-- PART]` runs the recorded problems of C programs (`recorded`) and the family of steps
//! (`steps`), prints a table for each and, as its last line, the geometric means of the ratios of times over the problems that both sides
//! solve. `PLUMB_SECONDS` is the limit of each engine on each problem (default 5), `PLUMB_EVERY=n` takes every n-th problem only.

#[path = "interpolation/atoms.rs"]
mod atoms;
#[path = "interpolation/recorded.rs"]
mod recorded;
#[path = "interpolation/steps.rs"]
mod steps;

use plumb_smt::interpolate::{decide, Answer, Chain, CoreGuided, Dag, Decision, Interpolator, Spacer};
use plumb_smt::Own;
use plumb_term::{Budget, Term};
use std::time::{Duration, Instant};

/// The engines of the race: the one that counts as plumb's own comes first, its rival second.
fn engines() -> Vec<Box<dyn Interpolator>> {
    vec![Box::new(Own::default()), Box::new(Spacer), Box::new(CoreGuided), Box::new(Chain::default())]
}

/// What an engine did on a problem.
pub struct Run {
    /// The time, if it answered.
    pub time: Option<Duration>,
    /// The labels, if there are any.
    pub labels: Option<Vec<Term>>,
}

/// A problem's runs: one for each engine, then the plain check.
pub struct Heat {
    /// In the order of the engines.
    pub runs: Vec<Run>,
    /// The plain check's time, if it decided.
    pub check: Option<Duration>,
    /// Whether it found a path.
    pub sat: bool,
}

/// The limit of each engine on each problem.
pub fn limit() -> Duration {
    let seconds = std::env::var("PLUMB_SECONDS").ok().and_then(|s| s.parse().ok()).unwrap_or(5);
    Duration::from_secs(seconds)
}

/// Runs everybody on a problem.
pub fn heat(engines: &mut [Box<dyn Interpolator>], dag: &Dag) -> Heat {
    let start = Instant::now();
    let decision = decide(dag, &Budget::within(limit()));
    let check = (!matches!(decision, Decision::Unknown(_))).then(|| start.elapsed());
    let mut runs = Vec::new();
    for e in engines {
        let start = Instant::now();
        let answer = e.dag(dag, &Budget::within(limit()));
        let time = start.elapsed();
        runs.push(match answer {
            Answer::Labels(labels) => Run { time: Some(time), labels: Some(labels) },
            Answer::Model(_) => Run { time: Some(time), labels: None },
            Answer::Unknown(_) => Run { time: None, labels: None },
        });
    }
    Heat { runs, check, sat: matches!(decision, Decision::Sat(_)) }
}

/// The geometric mean; 1 of nothing.
pub fn geometric_mean(ratios: &[f64]) -> f64 {
    (ratios.iter().map(|r| r.ln()).sum::<f64>() / ratios.len().max(1) as f64).exp()
}

/// The ratios of two times where both are known.
pub fn ratios(pairs: impl Iterator<Item = (Option<Duration>, Option<Duration>)>) -> Vec<f64> {
    pairs.filter_map(|(a, b)| Some(a?.as_secs_f64() / b?.as_secs_f64())).collect()
}

/// A time for a table.
pub fn show(time: Option<Duration>) -> String {
    time.map_or("-".into(), |t| format!("{:.1} ms", 1e3 * t.as_secs_f64()))
}

fn main() {
    let only = std::env::args().skip(1).find(|a| !a.starts_with('-')).unwrap_or_default();
    if "steps".contains(&only) {
        steps::run(&mut engines());
    }
    let heats = if "recorded".contains(&only) { recorded::run(&mut engines()) } else { Vec::new() };
    let own_spacer = ratios(heats.iter().map(|h| (h.runs[0].time, h.runs[1].time)));
    let own_check = ratios(heats.iter().map(|h| (h.runs[0].time, h.check)));
    println!(
        "RATIO own/spacer={:.3} own/check={:.3} problems={}",
        geometric_mean(&own_spacer),
        geometric_mean(&own_check),
        own_spacer.len()
    );
}
