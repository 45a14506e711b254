//! plumb-num against the Parma Polyhedra Library, in one process with interleaved timings.
//!
//! `cargo bench -p plumb-num --bench race` prints a table per part and, as its last line, the ratios plumb-num / PPL:
//! random polyhedra (geometric mean over 4, 8 and 12 dimensions), traces recorded from C programs (the larger of the ratio of total times and the
//! geometric mean of the traces' ratios), octagon closure (geometric
//! mean over 20, 50 and 100 variables). An argument restricts the run to the parts whose name it is contained in.

#[path = "../tests/common/mod.rs"]
mod common;
#[path = "race/families.rs"]
mod families;
#[path = "race/octagon.rs"]
mod octagon;
#[path = "race/random.rs"]
mod random;
#[path = "race/recorded.rs"]
mod recorded;

use std::time::{Duration, Instant};

use plumb_num_oracle as ppl;

/// Time spent by the two libraries on the same work.
#[derive(Clone, Copy, Default)]
struct Spent {
    num: Duration,
    ppl: Duration,
}

impl Spent {
    fn ratio(&self) -> f64 {
        self.num.as_secs_f64() / self.ppl.as_secs_f64()
    }

    fn add(&mut self, other: Spent) {
        self.num += other.num;
        self.ppl += other.ppl;
    }
}

/// Runs both sides `rounds` times in turn and keeps the fastest round of each: noise only ever adds time.
fn race<A, B>(rounds: usize, mut num: impl FnMut() -> A, mut ppl: impl FnMut() -> B) -> Spent {
    let mut best = Spent { num: Duration::MAX, ppl: Duration::MAX };
    for _ in 0..rounds {
        let start = Instant::now();
        std::hint::black_box(num());
        best.num = best.num.min(start.elapsed());
        let start = Instant::now();
        std::hint::black_box(ppl());
        best.ppl = best.ppl.min(start.elapsed());
    }
    best
}

fn geometric_mean(ratios: &[f64]) -> f64 {
    (ratios.iter().map(|r| r.ln()).sum::<f64>() / ratios.len() as f64).exp()
}

fn main() {
    let only = std::env::args().skip(1).find(|a| !a.starts_with('-')).unwrap_or_default();
    let wanted = |part: &str| part.contains(&only);
    let session = match ppl::Session::open() {
        Ok(s) => s,
        Err(why) => {
            println!("no race: {why}");
            return;
        }
    };
    let show = |r: Option<f64>| r.map_or("-".to_string(), |r| format!("{r:.3}"));
    let random = wanted("random").then(|| random::run(&session));
    let recorded = wanted("recorded").then(|| recorded::run(&session));
    if wanted("families") {
        families::run(&session);
    }
    let octagon = wanted("octagon").then(|| octagon::run(&session));
    println!("RATIO random={} recorded={} octagon={}", show(random), show(recorded), show(octagon));
}
