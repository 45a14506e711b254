//! Records interpolation problems from C programs: graphs of blocks between cut points, unrolled to several depths.
//!
//! ```text
//! cargo run --release -p plumb-algo --example record_interpolation -- --tasks DIR --out crates/smt/benches/data [--seconds N] [--only SET]
//! ```
//!
//! The programs are those of the folder's `ufo.set`, `loops.set`, `controlflow.set` and `sequentialized.set` (lines of path, verdict and data
//! model, separated by tabs). Memory at known places becomes variables and wraps that the intervals prove idle are removed, as an
//! engine would do. Variables are numbered, so nothing of a program's text is kept. Each problem is decided by one plain check within the
//! time limit; unsatisfiable ones are kept, and at most one satisfiable one of each program.

mod select;
mod unrolling;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use plumb_algo::system::System;
use plumb_cfa::unwind::Orders;
use plumb_cfa::{DataModel, Program, Semantics};
use plumb_cfront::{Input, Options};
use plumb_smt::interpolate::{decide, Decision, Family};
use plumb_term::Budget;
use plumb_transform::{interval, Pass, Promote, Unwrap};

const SETS: [&str; 4] = ["ufo", "loops", "controlflow", "sequentialized"];
/// The time for reading a program and for its intervals.
const TIME: Duration = Duration::from_secs(2);
/// Depths of unrolling.
const DEPTHS: [usize; 6] = [1, 2, 3, 4, 5, 6];
/// Problems of one program.
const PER_PROGRAM: usize = 5;
/// Programs with longer texts are left out.
const MAX_TEXT: usize = 24_000;
/// The bytes kept of each set: the repository stays small.
const SHARE: usize = 230_000;

struct Args {
    tasks: PathBuf,
    out: PathBuf,
    seconds: u64,
    only: Option<String>,
}

fn args() -> Result<Args, String> {
    let mut parsed =
        Args { tasks: PathBuf::from("../shared/tasks"), out: PathBuf::from("crates/smt/benches/data"), seconds: 3, only: None };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let value = words.next().ok_or(format!("{word} needs a value"))?;
        match word.as_str() {
            "--tasks" => parsed.tasks = PathBuf::from(value),
            "--out" => parsed.out = PathBuf::from(value),
            "--seconds" => parsed.seconds = value.parse().map_err(|_| format!("{value} is no number"))?,
            "--only" => parsed.only = Some(value),
            _ => return Err(format!("unknown option {word}")),
        }
    }
    Ok(parsed)
}

fn main() -> ExitCode {
    match args().and_then(|a| run(&a)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::from(3)
        }
    }
}

fn run(args: &Args) -> Result<(), String> {
    for set in SETS.into_iter().filter(|s| args.only.as_deref().is_none_or(|only| only == *s)) {
        let list = args.tasks.join(set).with_extension("set");
        let text = std::fs::read_to_string(&list).map_err(|e| format!("{}: {e}", list.display()))?;
        let mut families: Vec<Family> = Vec::new();
        let mut skipped: BTreeMap<&'static str, usize> = BTreeMap::new();
        for line in text.lines() {
            let mut fields = line.split('\t');
            let (Some(path), _, model) = (fields.next(), fields.next(), fields.next()) else { continue };
            let model = if model == Some("LP64") { DataModel::Lp64 } else { DataModel::Ilp32 };
            let start = Instant::now();
            match record(&args.tasks.join(path), model, args.seconds) {
                Ok(f) => {
                    eprintln!("{set} {}: {} problems in {:.1?}", families.len(), f.members.len(), start.elapsed());
                    families.push(f);
                }
                Err(why) => *skipped.entry(why).or_default() += 1,
            }
        }
        let read = families.len();
        let kept = select::varied(families, SHARE);
        let mut text = String::new();
        let mut problems = 0;
        for (n, mut f) in kept.into_iter().enumerate() {
            f.name = format!("{set}-{:03}", n + 1);
            problems += f.members.len();
            text.push_str(&f.write());
        }
        println!("{set}: {read} programs with problems, skipped {skipped:?}; {problems} problems kept, {} bytes", text.len());
        let to = args.out.join(set).with_extension("pip");
        std::fs::write(&to, text).map_err(|e| format!("{}: {e}", to.display()))?;
    }
    Ok(())
}

/// The problems of a program, or why there are none.
fn record(path: &Path, model: DataModel, seconds: u64) -> Result<Family, &'static str> {
    let bytes = std::fs::read(path).map_err(|_| "no file")?;
    let semantics = Semantics { model, ..Semantics::default() };
    let input = Input { name: path.display().to_string(), bytes };
    let program = plumb_cfront::load(&[input], &Options { semantics, ..Options::default() }).map_err(|_| "not read")?;
    let program = prepared(program);
    let orders = Orders::new(&program);
    let facts = interval::analyse(&program, &orders, &Budget::within(TIME)).unwrap_or_default();
    let system = System::new(&program, &orders, &facts, &Budget::within(TIME)).map_err(|_| "no blocks")?;
    if !system.unsupported.is_empty() {
        return Err("unsupported");
    }
    let mut family = unrolling::blocks(&program, &system);
    if family.write().len() > MAX_TEXT {
        return Err("large");
    }
    let graph = unrolling::Graph::new(&family);
    let end = Budget::within(Duration::from_secs(3 * seconds));
    for depth in DEPTHS {
        if family.members.len() == PER_PROGRAM || end.is_over() {
            break;
        }
        let Some(member) = graph.unroll(depth) else { continue };
        let same = family.members.iter().any(|m| m.edges == member.edges);
        let dag = family.dag(&member).map_err(|_| "malformed")?;
        if same {
            break;
        }
        match decide(&dag, &Budget::within(Duration::from_secs(seconds))) {
            Decision::Unsat => family.members.push(member),
            Decision::Sat(_) => {
                family.members.push(member);
                break;
            }
            Decision::Unknown(_) => break,
        }
    }
    if family.members.is_empty() {
        return Err("nothing decided");
    }
    Ok(family)
}

/// The program as an engine sees it.
fn prepared(program: Program) -> Program {
    let program = match Promote.run(program.clone()) {
        Ok((p, _)) => p,
        Err(_) => program,
    };
    match (Unwrap { budget: Budget::within(TIME) }).run(program.clone()) {
        Ok((p, _)) => p,
        Err(_) => program,
    }
}
