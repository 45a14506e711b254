//! `reproduce`: the experiments of the papers that plumb unites, run again.
//!
//! Each experiment runs configurations of plumb over a set of tasks, every run in a process of its own under limits of time and memory, and writes a document with
//! plumb's figures beside the paper's. Runs are recorded as they end: after an interruption, the same command goes on where it stopped, as long as the
//! binary and the limits are the same, or with `--records`. The last line printed is the summary that scripts read.

mod cpa;
mod dagger;
mod eureka;
mod markdown;
mod numpred;
mod record;
mod runner;
mod set;
mod tally;
mod ufo;

use clap::{Parser, Subcommand};
use runner::{Limits, Runner};
use std::path::PathBuf;
use std::process::{Command, ExitCode};

/// Reproduces the tables of the papers.
#[derive(Parser, Debug)]
#[command(version)]
struct Arguments {
    /// The folder with the tasks and their `.set` files.
    #[arg(long, global = true, default_value = "../shared/tasks")]
    tasks: PathBuf,
    /// Seconds per task.
    #[arg(long, global = true, default_value_t = 60)]
    time: u64,
    /// Memory per task.
    #[arg(long, global = true, default_value = "4G")]
    memory: String,
    /// How many tasks run at once.
    #[arg(long, global = true, default_value_t = 1)]
    jobs: usize,
    /// Keep the runs in this file, and take those that it has under the same limit of time, whichever binary made them: for experiments of many hours.
    #[arg(long, global = true)]
    records: Option<PathBuf>,
    /// Measure samples for so many minutes: of long tables, as many programs as there is time for, evenly spread; with `--records`, the same command adds more.
    #[arg(long, global = true)]
    minutes: Option<u64>,
    /// The folder for the document.
    #[arg(long, global = true, default_value = "docs/reproduction")]
    out: PathBuf,
    #[command(subcommand)]
    experiment: Experiment,
}

#[derive(Subcommand, Debug)]
enum Experiment {
    /// The analyses of "Combining Model Checking and Data-Flow Analysis" on programs of all kinds.
    Cpa {
        /// Only these configurations.
        #[arg(long, value_delimiter = ',')]
        configs: Vec<String>,
        /// Also the predicate analysis on `controlflow.set`, `ufo.set` and `loops.set`.
        #[arg(long)]
        strength: bool,
    },
    /// Tables 1 and 2 of "From under-approximations to over-approximations and back" (TACAS 2012).
    Ufo {
        /// Only these configurations.
        #[arg(long, value_delimiter = ',')]
        configs: Vec<String>,
        /// Further sets on which every configuration is run.
        #[arg(long, value_delimiter = ',')]
        elsewhere: Vec<String>,
    },
    /// Table 4 of "Abstraction Refinement of Linear Programs with Arrays" (TACAS 2007), and programs with recursion and arrays.
    Eureka {
        /// Only every so manyth program of `recursive.set` and `arrays.set`.
        #[arg(long, default_value_t = 1)]
        every: usize,
        /// Further sets on which the configurations are run.
        #[arg(long, value_delimiter = ',')]
        elsewhere: Vec<String>,
    },
    /// Table 1 of "Automatically Refining Abstract Interpretations" (TACAS 2008).
    Dagger {
        /// Further sets on which all are run, beside `ufo` and `kinduction`.
        #[arg(long, value_delimiter = ',')]
        elsewhere: Vec<String>,
        /// Also draw the curves of growth.
        #[arg(long)]
        growth: bool,
    },
    /// Table IV and Fig. 8 of "Combining Predicate and Numeric Abstraction for Software Model Checking" (FMCAD 2008).
    Numpred {
        /// Only every so manyth program.
        #[arg(long, default_value_t = 1)]
        every: usize,
        /// Further sets on which `numpred` is run, and `ufo-cp` and `dagger` on what it solves.
        #[arg(long, value_delimiter = ',')]
        elsewhere: Vec<String>,
    },
}

fn main() -> ExitCode {
    match run(Arguments::parse()) {
        Ok(summary) => {
            println!("{summary}");
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("reproduce: {message}");
            ExitCode::from(3)
        }
    }
}

fn run(arguments: Arguments) -> Result<String, String> {
    let binary = build()?;
    let limits = Limits { seconds: arguments.time, memory: arguments.memory.clone(), jobs: arguments.jobs.max(1) };
    let mut runner = Runner::new(binary, arguments.tasks.clone(), limits, arguments.records.as_deref(), arguments.minutes)?;
    let (document, summary, name) = match &arguments.experiment {
        Experiment::Cpa { configs, strength } => {
            let (document, summary) = cpa::run(&runner, configs, *strength)?;
            (document, summary, "cpa.md")
        }
        Experiment::Ufo { configs, elsewhere } => {
            let (document, summary) = ufo::run(&mut runner, configs, elsewhere)?;
            (document, summary, "ufo.md")
        }
        Experiment::Eureka { every, elsewhere } => {
            let (document, summary) = eureka::run(&runner, *every, elsewhere)?;
            (document, summary, "eureka.md")
        }
        Experiment::Dagger { elsewhere, growth } => {
            let (document, summary) = dagger::run(&runner, elsewhere, *growth)?;
            (document, summary, "dagger.md")
        }
        Experiment::Numpred { every, elsewhere } => {
            let (document, summary) = numpred::run(&runner, *every, elsewhere)?;
            (document, summary, "numpred.md")
        }
    };
    std::fs::create_dir_all(&arguments.out).map_err(|e| format!("{}: {e}", arguments.out.display()))?;
    let path = arguments.out.join(name);
    std::fs::write(&path, document + &runner.provenance()).map_err(|e| format!("{}: {e}", path.display()))?;
    Ok(summary)
}

/// Builds plumb; its binary lies beside this one.
fn build() -> Result<PathBuf, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo).args(["build", "--release", "--quiet", "--package", "plumb-cli"]).status();
    match status {
        Ok(s) if s.success() => {}
        Ok(s) => return Err(format!("building plumb failed: {s}")),
        Err(e) => return Err(format!("cargo: {e}")),
    }
    let own = std::env::current_exe().map_err(|e| e.to_string())?;
    let binary = own.with_file_name("plumb");
    if binary.exists() {
        Ok(binary)
    } else {
        Err(format!("{}: no such file; run this through `cargo run --release`", binary.display()))
    }
}
