//! Runs a C program in the interpreter, for comparison with a compiled one.
//!
//! `cargo run --release -p plumb-cfront --example interpret -- [--lp64] FILE...` prints what the program prints; the last line on
//! standard error is the outcome. All inputs are zero. The exit status is the program's, or 99 if it ended otherwise.

use std::process::ExitCode;

use plumb_cfa::interp::{Interpreter, Limits, Outcome, Process, Zero};
use plumb_cfa::{DataModel, Semantics};
use plumb_cfront::{load, Input, Options};

fn main() -> ExitCode {
    let mut options = Options::default();
    let mut inputs = Vec::new();
    for arg in std::env::args().skip(1) {
        if arg == "--lp64" {
            options.semantics = Semantics { model: DataModel::Lp64, ..options.semantics };
            continue;
        }
        match std::fs::read(&arg) {
            Ok(bytes) => inputs.push(Input { name: arg, bytes }),
            Err(error) => {
                eprintln!("{arg}: {error}");
                return ExitCode::from(98);
            }
        }
    }
    let program = match load(&inputs, &options) {
        Ok(program) => program,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(98);
        }
    };
    let limits = Limits { steps: 200_000_000, ..Limits::default() };
    let outcome = Interpreter::new(&program, Box::new(Zero), Box::new(Process), limits).run();
    match outcome {
        Outcome::Exit(status) => {
            eprintln!("exit {status}");
            ExitCode::from(status as u8)
        }
        Outcome::Undefined { ub, span } => {
            eprintln!("{}: undefined: {}", program.sources.show(span), ub.describe());
            ExitCode::from(99)
        }
        Outcome::InternalError { sentence, span } => {
            eprintln!("{}: internal error: {sentence}", program.sources.show(span));
            ExitCode::from(97)
        }
        Outcome::Unsupported { sentence, span } => {
            eprintln!("{}: unsupported: {sentence}", program.sources.show(span));
            ExitCode::from(96)
        }
        other => {
            eprintln!("{other:?}");
            ExitCode::from(99)
        }
    }
}
