//! `plumb run` and `plumb cfa`: in this process, on a thread with a large stack.

use crate::args::{CfaArgs, MeaningArgs, RunArgs};
use crate::exit;
use crate::front::{self, Failure, Loaded};
use plumb_cfa::dot::Dot;
use plumb_cfa::interp::{FromText, Halt, Inputs, Interpreter, Limits, Outcome, Process, Random, Zero};
use plumb_cfa::text::Text;
use plumb_term::Span;
use std::path::PathBuf;

/// The stack of the thread that works.
const STACK: usize = 256 << 20;
/// The exit status when the program does something that C leaves undefined, or plumb does not support.
const UNDEFINED: u8 = 125;
/// The exit status when the interpreter reaches a limit.
const LIMIT: u8 = 124;
/// What a shell reports for a program that aborts.
const ABORTED: u8 = 134;

/// Works on a thread with a large stack.
pub fn with_stack(work: impl FnOnce() -> u8 + Send) -> u8 {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        match thread.map(std::thread::ScopedJoinHandle::join) {
            Ok(Ok(code)) => code,
            Ok(Err(_)) => exit::usage("internal error"),
            Err(e) => exit::usage(&format!("cannot start a thread: {e}")),
        }
    })
}

/// Reads and lowers files; the exit code if that fails, after saying why.
pub fn load(files: &[PathBuf], meaning: MeaningArgs) -> Result<Loaded, u8> {
    let names: Vec<String> = files.iter().map(|f| f.to_string_lossy().into_owned()).collect();
    front::load(&names, meaning.semantics(None), None).map_err(|failure| match failure {
        Failure::Invalid(message) | Failure::Unsupported(message) => exit::usage(&message),
    })
}

/// Executes a program.
pub fn run(args: &RunArgs) -> u8 {
    with_stack(|| {
        let inputs: Box<dyn Inputs> = match (&args.input, args.seed) {
            (Some(path), _) => match FromText::open(path) {
                Ok(inputs) => Box::new(inputs),
                Err(e) => return exit::usage(&format!("{}: {e}", path.display())),
            },
            (None, Some(seed)) => Box::new(Random::new(seed)),
            (None, None) => Box::new(Zero),
        };
        let loaded = match load(&args.files, args.meaning) {
            Ok(l) => l,
            Err(code) => return code,
        };
        let outcome = Interpreter::new(&loaded.program, inputs, Box::new(Process), Limits::default()).strict().run();
        let at = |span: Span| loaded.program.sources.show(span).to_string();
        let say = |text: String, code: u8| {
            exit::usage(&text);
            code
        };
        match outcome {
            Outcome::Exit(status) => status as u8,
            Outcome::Halted { halt: Halt::Abort, span } => say(format!("{}: the program aborts", at(span)), ABORTED),
            Outcome::Halted { halt: Halt::Blocked, span } => say(format!("{}: an assumption fails; the execution ends", at(span)), 0),
            Outcome::Error { func, loc } => {
                let span = loaded.program.function(func).graph.loc(loc).span;
                say(format!("{}: the error is reached", at(span)), exit::REFUTED)
            }
            Outcome::Undefined { ub, span } => say(format!("{}: undefined behaviour: {}", at(span), ub.describe()), UNDEFINED),
            Outcome::Unsupported { sentence, span } => say(format!("{}: unsupported: {sentence}", at(span)), UNDEFINED),
            Outcome::BadInput { sentence, span } => say(format!("{}: {sentence}", at(span)), exit::USAGE),
            Outcome::LimitReached(limit) => say(format!("{} was reached", limit.describe()), LIMIT),
            Outcome::InternalError { sentence, span } => say(format!("{}: internal error: {sentence}", at(span)), UNDEFINED),
        }
    })
}

/// Prints the automaton.
pub fn cfa(args: &CfaArgs) -> u8 {
    with_stack(|| match load(&args.files, args.meaning) {
        Ok(loaded) => {
            let text = if args.dot { Dot(&loaded.program).to_string() } else { Text(&loaded.program).to_string() };
            exit::say(&text);
            0
        }
        Err(code) => code,
    })
}
