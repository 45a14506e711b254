//! Records what the analysis of linear programs asks of the polyhedra, one trace per program.
//!
//! ```text
//! cargo run --release -p plumb-num --example record -- crates/num/benches/data/linear crates/num/benches/data/linear/*.lin
//! ```
//!
//! The first argument is the folder for the traces. The race replays them, apart from those of C programs (`benches/README.md`).

use std::path::Path;
use std::process::ExitCode;

use plumb_num::program::analysis::{analyse, Options};
use plumb_num::program::parse;
use plumb_num::trace::Recorder;
use plumb_num::Polyhedra;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [folder, files @ ..] = &args[..] else {
        eprintln!("usage: record FOLDER FILE...");
        return ExitCode::from(3);
    };
    for file in files {
        if let Err(why) = record(Path::new(folder), Path::new(file)) {
            eprintln!("{file}: {why}");
            return ExitCode::from(3);
        }
    }
    ExitCode::SUCCESS
}

fn record(folder: &Path, file: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(file).map_err(|e| e.to_string())?;
    let program = parse(&text).map_err(|e| e.to_string())?;
    let domain = Recorder::new(Polyhedra::default());
    let outcome = analyse(&domain, &program, Options::default());
    let proved = outcome.proved.iter().filter(|p| **p).count();
    let trace = domain.finish();
    let bytes = trace.to_bytes();
    let name = file.with_extension("pnt");
    let to = folder.join(name.file_name().ok_or("the file has no name")?);
    std::fs::write(&to, &bytes).map_err(|e| e.to_string())?;
    println!("{}: {} operations, {} bytes, {proved} of {} assertions", to.display(), trace.ops.len(), bytes.len(), outcome.proved.len());
    Ok(())
}
