//! Records what the analysis of C programs asks of the polyhedra, and keeps a varied selection of the traces.
//!
//! ```text
//! cargo run --release -p plumb-algo --example record_traces -- --tasks ../shared/tasks --out crates/num/benches/data [--limit N]
//! ```
//!
//! The programs are those of the folder's `dagger.set`, `loops.set` and `invariants.set` (lines of path, verdict and data model,
//! separated by tabs); `--limit` is the number of traces to keep. Integers are mathematical in `dagger.set`, whose programs assume
//! so, and the machine's in the others. Programs that cannot be read are skipped.

mod analysis;
mod select;
mod space;
mod transfer;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use plumb_cfa::unwind::Orders;
use plumb_cfa::{DataModel, Integers, Semantics};
use plumb_cfront::{Input, Options};
use plumb_num::trace::Trace;
use plumb_term::Budget;
use plumb_transform::interval::Ranges;

/// The sets and what integers are in them.
const SETS: [(&str, Integers); 3] = [("dagger", Integers::Ideal), ("loops", Integers::Machine), ("invariants", Integers::Machine)];
/// The time for one program, and for its intervals.
const TIME: Duration = Duration::from_secs(2);

struct Args {
    tasks: PathBuf,
    out: PathBuf,
    limit: usize,
}

fn args() -> Result<Args, String> {
    let mut out = None;
    let mut parsed = Args { tasks: PathBuf::from("../shared/tasks"), out: PathBuf::new(), limit: 60 };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let value = words.next().ok_or(format!("{word} needs a value"))?;
        match word.as_str() {
            "--tasks" => parsed.tasks = PathBuf::from(value),
            "--out" => out = Some(PathBuf::from(value)),
            "--limit" => parsed.limit = value.parse().map_err(|_| format!("{value} is no number"))?,
            _ => return Err(format!("unknown option {word}")),
        }
    }
    parsed.out = out.ok_or("usage: record_traces --out DIR [--tasks DIR] [--limit N]")?;
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
    for (i, (set, integers)) in SETS.into_iter().enumerate() {
        let list = args.tasks.join(set).with_extension("set");
        let text = std::fs::read_to_string(&list).map_err(|e| format!("{}: {e}", list.display()))?;
        let (mut traces, mut skipped, mut proved, mut wrong) = (Vec::new(), 0, 0, 0);
        for line in text.lines() {
            let mut fields = line.split('\t');
            let (Some(path), verdict, model) = (fields.next(), fields.next(), fields.next()) else { continue };
            let model = if model == Some("LP64") { DataModel::Lp64 } else { DataModel::Ilp32 };
            let semantics = Semantics { model, integers, ..Semantics::default() };
            match trace(&args.tasks.join(path), semantics) {
                Some((t, safe)) => {
                    traces.push(t);
                    proved += usize::from(safe);
                    wrong += usize::from(safe && verdict == Some("false"));
                }
                None => skipped += 1,
            }
        }
        let share = args.limit * (i + 1) / SETS.len() - args.limit * i / SETS.len();
        let all = traces.len();
        let kept = select::select(traces, share);
        println!(
            "{set}: {all} programs analysed, {skipped} skipped, {proved} proved safe ({wrong} against the list), {} traces kept",
            kept.len()
        );
        for (n, t) in kept.iter().enumerate() {
            let to = args.out.join(format!("{set}-{:03}.pnt", n + 1));
            let bytes = t.to_bytes();
            std::fs::write(&to, &bytes).map_err(|e| format!("{}: {e}", to.display()))?;
            println!("  {set}-{:03}: {} operations, {} dimensions, {} bytes", n + 1, t.ops.len(), t.dims(), bytes.len());
        }
    }
    Ok(())
}

fn trace(path: &Path, semantics: Semantics) -> Option<(Trace, bool)> {
    let input = Input { name: path.display().to_string(), bytes: std::fs::read(path).ok()? };
    let program = plumb_cfront::load(&[input], &Options { semantics, ..Options::default() }).ok()?;
    let orders = Orders::new(&program);
    let ranges = Ranges::new(&program, &orders, &Budget::within(TIME))?;
    Some(analysis::record(&program, &orders, &ranges, &Budget::within(TIME)))
}
