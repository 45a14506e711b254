//! The command line of plumb.
//!
//! `check` starts this very program again as workers (see [`worker`] and [`pool`]): a crash, a hang or a flood of memory costs
//! one engine, and limits hold for everything. The other commands run in this process.

mod analyze;
mod args;
mod bench;
mod check;
mod claimed;
mod exit;
mod front;
mod generate;
mod guided;
mod limits;
mod message;
mod output;
mod page;
mod pool;
mod progress;
mod property;
mod run;
mod task;
mod validate;
mod witness;
mod worker;

use args::{Cli, Command};
use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(e) => {
            let _ = e.print();
            return ExitCode::from(if e.use_stderr() { exit::USAGE } else { 0 });
        }
    };
    ExitCode::from(match &cli.command {
        Command::Check(args) => check::main(args),
        Command::Validate(args) => validate::main(args),
        Command::Bench(args) => bench::main(args),
        Command::Run(args) => run::run(args),
        Command::Analyze(args) => analyze::main(args),
        Command::Cfa(args) => run::cfa(args),
        Command::Configs { markdown } => {
            exit::say(&generate::configurations(*markdown));
            0
        }
        Command::Completions { shell } => {
            exit::say(&generate::completions(*shell));
            0
        }
        Command::Man { dir } => match generate::manual(dir) {
            Ok(()) => 0,
            Err(e) => exit::usage(&format!("{}: {e}", dir.display())),
        },
        Command::Worker => {
            worker::main();
            0
        }
    })
}
