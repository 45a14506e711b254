//! Fig. 8 of the paper on the domain alone, statement by statement and without widening: `cargo bench -p plumb-numpred --bench figure_8`.
//!
//! The engine does not ask so much of the domain on these programs: it widens the loop of (a) up to its condition, and (b) is one block. Here every round of the loop is joined, and every
//! branch of the cascade. In the paper NEX and MTNDD take C = 10,000 on (a), where NDD ends at 400; on (b) with C = 10 NDD takes seconds, the others minutes.
//!
//! Each line has the template, C and the milliseconds of each structure; `inf` where its diagrams became too large, `-` where it was not tried.

#[path = "../tests/suite/figure_8.rs"]
mod figure_8;

use figure_8::{Cascade, Counter};
use plumb_numpred::{Structure, Vocabulary, WithDomain};
use std::time::Instant;

const STRUCTURES: [Structure; 3] = [Structure::Nex, Structure::Mtndd, Structure::Ndd];
/// A structure that took longer is not asked for more.
const PATIENCE: f64 = 60.0;

fn curve<W: WithDomain<Out = Result<bool, plumb_numpred::Full>>>(name: &str, sizes: &[i64], make: impl Fn(i64) -> (Vocabulary, W)) {
    let mut last = [0.0; 3];
    for c in sizes {
        let mut cells = String::new();
        for (s, last) in STRUCTURES.iter().zip(&mut last) {
            if *last > PATIENCE {
                cells += &format!(" {:>10}", "-");
                continue;
            }
            let (vocabulary, program) = make(*c);
            let start = Instant::now();
            let proved = s.make(vocabulary, program).and_then(|out| out);
            *last = start.elapsed().as_secs_f64();
            assert_ne!(proved, Ok(false), "{s:?}");
            if proved.is_err() {
                *last = f64::INFINITY;
            }
            cells += &format!(" {:>10.2}", 1e3 * *last);
        }
        println!("{name} {c:6}{cells}");
    }
}

fn main() {
    println!("template, C, NEX, MTNDD, NDD");
    curve("(a)", &[10, 100, 400, 1_000, 10_000], |c| (Counter(c).vocabulary(), Counter(c)));
    curve("(b)", &[2, 5, 10, 15, 20], |c| (Cascade(c as u32).vocabulary(), Cascade(c as u32)));
}
