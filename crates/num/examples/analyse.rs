//! Analyses a linear program in every domain, or in the one named, and prints an invariant for every loop.
//!
//! ```text
//! cargo run --release -p plumb-num --example analyse -- crates/num/examples/programs/bubble.lin
//! cargo run --release -p plumb-num --example analyse -- --domain octagon crates/num/examples/programs/*.lin
//! ```

use std::process::ExitCode;
use std::time::Instant;

use plumb_num::program::analysis::{analyse, Options};
use plumb_num::program::show::Show;
use plumb_num::program::{parse, Error, Program};
use plumb_num::{AffineEqualities, BoxWith, Boxes, Congruences, Octagons, Polyhedra, Zones};

const USAGE: &str = "usage: analyse [--domain NAME] FILE...
domains: box, congruence, box-congruence, affine, box-affine, zone, octagon, poly";

fn main() -> ExitCode {
    let mut domain = None;
    let mut files = Vec::new();
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--domain" => domain = args.next(),
            "--help" | "-h" => {
                println!("{USAGE}");
                return ExitCode::SUCCESS;
            }
            _ => files.push(arg),
        }
    }
    if files.is_empty() {
        eprintln!("{USAGE}");
        return ExitCode::from(3);
    }
    for file in &files {
        let text = match std::fs::read_to_string(file) {
            Ok(text) => text,
            Err(e) => {
                eprintln!("{file}: {e}");
                return ExitCode::from(3);
            }
        };
        match parse(&text) {
            Err(e) => {
                explain(file, &text, &e);
                return ExitCode::from(3);
            }
            Ok(p) => {
                println!("{file}");
                if !all(&p, domain.as_deref()) {
                    eprintln!("{USAGE}");
                    return ExitCode::from(3);
                }
            }
        }
    }
    ExitCode::SUCCESS
}

/// Runs the domain of that name, or all; false if there is none of that name.
fn all(p: &Program, only: Option<&str>) -> bool {
    let mut ran = false;
    let mut wants = |name: &str| {
        let run = only.is_none_or(|o| o == name);
        ran |= run;
        run
    };
    if wants("box") {
        print("box", &Boxes, p);
    }
    if wants("congruence") {
        print("congruence", &Congruences, p);
    }
    if wants("box-congruence") {
        print("box-congruence", &BoxWith(Congruences), p);
    }
    if wants("affine") {
        print("affine", &AffineEqualities, p);
    }
    if wants("box-affine") {
        print("box-affine", &BoxWith(AffineEqualities), p);
    }
    if wants("zone") {
        print("zone", &Zones, p);
    }
    if wants("octagon") {
        print("octagon", &Octagons, p);
    }
    if wants("poly") {
        print("poly", &Polyhedra::default(), p);
    }
    ran
}

fn print<D: Show>(name: &str, domain: &D, p: &Program) {
    let start = Instant::now();
    let found = analyse(domain, p, Options::default());
    println!("  {name} ({:.1} ms)", start.elapsed().as_secs_f64() * 1e3);
    for (at, invariant) in p.loops.iter().zip(&found.invariants) {
        let facts = invariant.as_ref().map_or_else(|| "unreachable".to_string(), |e| show_facts(domain, e, p));
        println!("    loop at {at}: {facts}");
    }
    for (at, proved) in p.asserts.iter().zip(&found.proved) {
        println!("    assert at {at}: {}", if *proved { "holds" } else { "not proved" });
    }
}

fn show_facts<D: Show>(domain: &D, e: &D::Elem, p: &Program) -> String {
    let facts = domain.facts(e, &p.names);
    if facts.is_empty() {
        "true".to_string()
    } else {
        facts.join(", ")
    }
}

fn explain(file: &str, text: &str, e: &Error) {
    eprintln!("{file}:{e}");
    if let Some(line) = text.lines().nth(e.at.line as usize - 1) {
        let indent: String = line.chars().take(e.at.column as usize - 1).map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
        eprintln!("    {line}\n    {indent}^");
    }
}
