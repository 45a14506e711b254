//! Data-flow results against random runs, on a folder of verification tasks: no concrete state may be outside of the abstract one.
//!
//! `cargo run --release -p plumb-cpas --example soundness -- [--tasks DIR] [--set NAME] [--count N]` takes N tasks, evenly spread over `NAME.set`
//! (lines `path<TAB>verdict<TAB>data model`). Exit code 1 if a state is outside.

use plumb_cfa::{DataModel, Program, Semantics};
use plumb_cfront::{Input, Options};
use plumb_cpa::descend::explore;
use plumb_cpa::runs::includes_concrete_states;
use plumb_cpa::{Cpa, Flow, Order, Outcome, Product};
use plumb_cpas::{Intervals, Location, Tracked, Values};
use plumb_term::Budget;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// For one analysis of one program.
const PATIENCE: Duration = Duration::from_secs(10);
const SEEDS: u64 = 2;
/// Deep programs make deep terms.
const STACK: usize = 1 << 29;

struct Args {
    tasks: PathBuf,
    set: String,
    count: usize,
}

fn args() -> Result<Args, String> {
    let mut out = Args { tasks: "../shared/tasks".into(), set: "all".into(), count: 200 };
    let mut rest = std::env::args().skip(1);
    while let Some(name) = rest.next() {
        let value = rest.next().ok_or_else(|| format!("{name} needs a value"))?;
        match name.as_str() {
            "--tasks" => out.tasks = value.into(),
            "--set" => out.set = value,
            "--count" => out.count = value.parse().map_err(|_| format!("{value} is no number"))?,
            _ => return Err(format!("{name} is none of --tasks, --set and --count")),
        }
    }
    Ok(out)
}

fn load(path: &Path, model: DataModel) -> Option<Program> {
    let input = Input { name: path.display().to_string(), bytes: std::fs::read(path).ok()? };
    let options = Options { semantics: Semantics { model, ..Semantics::default() }, ..Options::default() };
    plumb_cfront::load(&[input], &options).ok()
}

/// Comparisons made, none if the time was over; or what is outside.
fn compared<C: Cpa>(flow: &Flow<'_>, data: C, prec: C::Prec) -> Result<Option<u64>, String> {
    let cpa = Product::new(Location::from_entry(flow), data);
    let prec = ((), prec);
    let (run, outcome) = explore(flow, &cpa, &prec, Order::WeakTopological, 2, &Budget::within(PATIENCE));
    if outcome != Outcome::Complete {
        return Ok(None);
    }
    includes_concrete_states(flow.program(), &cpa, run.arg(), SEEDS).map(Some)
}

fn run() -> Result<bool, String> {
    let args = args()?;
    let set = args.tasks.join(format!("{}.set", args.set));
    let text = std::fs::read_to_string(&set).map_err(|e| format!("{}: {e} (name the folder with --tasks)", set.display()))?;
    let lines: Vec<&str> = text.lines().filter(|l| !l.trim().is_empty()).collect();
    let every = (lines.len() / args.count.max(1)).max(1);
    let (mut programs, mut all, mut over, mut outside) = (0, 0, 0, 0);
    for line in lines.into_iter().step_by(every).take(args.count) {
        let mut cells = line.split('\t');
        let (path, model) = (cells.next().unwrap_or_default(), cells.nth(1).unwrap_or_default());
        let model = if model == "LP64" { DataModel::Lp64 } else { DataModel::Ilp32 };
        let Some(program) = load(&args.tasks.join(path), model) else {
            println!("{path}: not read");
            continue;
        };
        programs += 1;
        let flow = Flow::forward(&program);
        let analyses = Product::new(Values::new(&program), Intervals::new(&program));
        for found in [
            compared(&flow, Values::new(&program), Tracked::All),
            compared(&flow, Intervals::new(&program), ()),
            compared(&flow, analyses, (Tracked::All, ())),
        ] {
            match found {
                Ok(Some(n)) => all += n,
                Ok(None) => over += 1,
                Err(wrong) => {
                    outside += 1;
                    println!("{path}: {wrong}");
                }
            }
        }
    }
    println!("{programs} programs, {all} comparisons, {outside} states outside, {over} analyses out of time");
    Ok(outside == 0 && all > 0)
}

fn main() -> ExitCode {
    let result = std::thread::Builder::new().stack_size(STACK).spawn(run).map(std::thread::JoinHandle::join);
    match result {
        Ok(Ok(Ok(true))) => ExitCode::SUCCESS,
        Ok(Ok(Err(message))) => {
            eprintln!("{message}");
            ExitCode::from(3)
        }
        _ => ExitCode::from(1),
    }
}
