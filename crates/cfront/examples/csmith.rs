//! Compares interpreter and compiled binary on random programs: `cargo run --release -p plumb-cfront --example csmith -- COUNT SEED [--m32]
//! [--float] [--keep DIR]`. Needs `csmith` and `cc`; the runtime of the programs is `tests/csmith/csmith.h`. Exits with 1 if a program differs.
//!
//! A program that does not end within the time, or (with floats: conversions out of range) is undefined, proves nothing; such
//! are counted apart, with what was undefined.

#[path = "../tests/both_ways/mod.rs"]
mod both_ways;

use both_ways::{compiled, interpreted, preprocessed, Scratch};
use plumb_cfa::DataModel;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

struct Options {
    count: u64,
    seed: u64,
    model: DataModel,
    float: bool,
    keep: Option<String>,
}

fn options() -> Option<Options> {
    let mut o = Options { count: 0, seed: 0, model: DataModel::Lp64, float: false, keep: None };
    let mut numbers = Vec::new();
    let mut args = std::env::args().skip(1);
    while let Some(a) = args.next() {
        match a.as_str() {
            "--m32" => o.model = DataModel::Ilp32,
            "--float" => o.float = true,
            "--keep" => o.keep = Some(args.next()?),
            n => numbers.push(n.parse().ok()?),
        }
    }
    let [count, seed] = numbers[..] else { return None };
    (o.count, o.seed) = (count, seed);
    Some(o)
}

/// csmith leaves a file in the current directory, so that is the scratch one.
fn generate(seed: u64, float: bool, scratch: &Scratch) -> Result<Vec<u8>, String> {
    let mut csmith = Command::new("csmith");
    csmith.current_dir(&scratch.0).args(["--no-argc", "--seed", &seed.to_string()]);
    if float {
        csmith.arg("--float");
    }
    let out = csmith.output().map_err(|e| format!("cannot run csmith: {e}"))?;
    Ok(out.stdout)
}

fn main() -> ExitCode {
    let Some(o) = options() else {
        eprintln!("usage: csmith COUNT SEED [--m32] [--float] [--keep DIR]");
        return ExitCode::from(3);
    };
    let scratch = Scratch::new("csmith");
    let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/csmith");
    let flags = [format!("-I{}", runtime.display())];
    let (mut agree, mut differ, mut endless, mut undefined, mut slow) = (0, 0, 0, 0, 0);
    let start = Instant::now();
    for seed in o.seed..o.seed + o.count {
        let text = match generate(seed, o.float, &scratch) {
            Ok(text) => text,
            Err(e) => {
                eprintln!("{e}");
                return ExitCode::from(3);
            }
        };
        let source = scratch.0.join("program.c");
        if let Err(e) = std::fs::write(&source, &text) {
            eprintln!("{e}");
            return ExitCode::from(3);
        }
        let optimise: Vec<String> = flags.iter().cloned().chain(["-O1".to_owned()]).collect();
        let expected = match compiled(&source, o.model, &optimise, &scratch, Duration::from_secs(5)) {
            Ok(b) => b,
            Err(e) => {
                println!("seed {seed}: {e}");
                endless += 1;
                continue;
            }
        };
        let actual = preprocessed(&source, o.model, &flags)
            .and_then(|text| interpreted("program.c", text, o.model, false, Duration::from_secs(120)));
        match actual {
            Ok(actual) if actual == expected => agree += 1,
            Err(e) if e.starts_with("undefined: floating-point value") => {
                println!("seed {seed}: {e}");
                undefined += 1;
            }
            // Optimised, a binary does in seconds what the interpreter does in minutes.
            Err(e) if e.starts_with("LimitReached(Budget)") => {
                println!("seed {seed}: the interpreter does not end");
                slow += 1;
            }
            other => {
                differ += 1;
                match other {
                    Ok(a) => println!("seed {seed} DIFFERS: {:?}, compiled {:?}", a.stdout, expected.stdout),
                    Err(e) => println!("seed {seed} DIFFERS: {}", e.lines().next().unwrap_or("")),
                }
                if let Some(dir) = &o.keep {
                    let kept = std::fs::create_dir_all(dir).and_then(|()| std::fs::write(format!("{dir}/{seed}.c"), &text));
                    if let Err(e) = kept {
                        eprintln!("cannot keep the program: {e}");
                    }
                }
            }
        }
    }
    println!(
        "{} programs ({:?}{}): {agree} agree, {differ} differ, {undefined} undefined, {endless} without a result of the binary, {slow} of the interpreter; {:.0} s",
        o.count,
        o.model,
        if o.float { ", floats" } else { "" },
        start.elapsed().as_secs_f64()
    );
    ExitCode::from(u8::from(differ > 0))
}
