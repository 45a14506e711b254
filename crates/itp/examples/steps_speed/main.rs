//! How fast the solver is on unrolled loops: `cargo run --release -p plumb-itp --example steps_speed [name [directory]]`.
//!
//! Each problem is a sequence of steps over copies of a few integers, a part per step; a line has the time and the counts. With a directory, the problems
//! are written there as SMT-LIB files instead, for comparison with other solvers.

mod families;
mod formula;

use formula::Problem;
use plumb_itp::arith::Arithmetic;
use plumb_itp::{Answer, Budget, Config, Solver};
use std::time::Instant;

fn run(name: &str, problem: &Problem) {
    let start = Instant::now();
    let mut solver = Solver::with_theory(Config::default(), Arithmetic::new());
    problem.assert_in(&mut solver);
    let answer = match solver.check(&[], &Budget::unlimited()) {
        Answer::Sat => "sat".to_owned(),
        Answer::Unsat => "unsat".to_owned(),
        Answer::Unknown(why) => format!("unknown, {why:?}"),
    };
    println!("{name:<20} {answer:<6} {:>10.2} ms; {:?}", start.elapsed().as_secs_f64() * 1e3, solver.statistics());
}

fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let only = arguments.next().unwrap_or_default();
    let directory = arguments.next();
    for (name, make) in families::ALL {
        for (steps, variables) in [(10, 3), (30, 3), (60, 4), (120, 5)] {
            let name = format!("{name}-{steps}-{variables}");
            if !name.starts_with(&only) {
                continue;
            }
            let problem = make(steps, variables);
            match &directory {
                Some(d) => std::fs::write(format!("{d}/{name}.smt2"), problem.smt_lib())?,
                None => run(&name, &problem),
            }
        }
    }
    Ok(())
}
