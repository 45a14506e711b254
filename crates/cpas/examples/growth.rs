//! How the cost of explicit values grows with the number of abstract states: `cargo run --release -p plumb-cpas --example growth`.

use plumb_cfront::{Input, Options};
use plumb_cpa::{Exploration, Flow, Order, Product, Separate};
use plumb_cpas::{Location, Tracked, Values};
use plumb_term::Budget;
use std::time::Instant;

fn main() {
    println!("{:>10} {:>10} {:>10} {:>12}", "iterations", "states", "seconds", "µs per state");
    for n in [5_000, 10_000, 20_000, 40_000, 80_000] {
        let text = format!("int main(void) {{ int i = 0, j = 0; while (i < {n}) {{ if (i % 2) j = i; i++; }} return j; }}");
        let input = Input { name: "growth.c".into(), bytes: text.into_bytes() };
        let program = match plumb_cfront::load(&[input], &Options::default()) {
            Ok(p) => p,
            Err(e) => return eprintln!("{e}"),
        };
        let flow = Flow::forward(&program);
        let cpa = Product::new(Location::from_entry(&flow), Separate(Values::new(&program)));
        let prec = ((), Tracked::All);
        let start = Instant::now();
        let mut run = Exploration::new(&flow, &cpa, &prec, Order::WeakTopological);
        run.run(&Budget::unlimited());
        let (states, seconds) = (run.arg().len(), start.elapsed().as_secs_f64());
        println!("{n:>10} {states:>10} {seconds:>10.3} {:>12.2}", seconds / states as f64 * 1e6);
    }
}
