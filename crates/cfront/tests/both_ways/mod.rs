//! Running a C program both ways: compiled by the system's compiler, and lowered and interpreted.
#![allow(dead_code)]

use plumb_cfa::interp::{Collected, Interpreter, Limits, Outcome, Zero};
use plumb_cfa::{DataModel, Semantics};
use plumb_cfront::{load, ErrorSpec, Input, Options};
use plumb_term::Budget;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Flags under which the compiled program means what plumb's default semantics says: wrapping integers, and floats without excess precision.
const MEANING: [&str; 5] = ["-w", "-std=gnu11", "-fwrapv", "-msse2", "-mfpmath=sse"];

fn model_flag(model: DataModel) -> &'static str {
    match model {
        DataModel::Ilp32 => "-m32",
        DataModel::Lp64 => "-m64",
    }
}

/// What a program did.
#[derive(Debug, PartialEq, Eq)]
pub struct Behaviour {
    pub status: i32,
    pub stdout: String,
}

/// A directory that goes away with this value.
pub struct Scratch(pub PathBuf);

impl Scratch {
    pub fn new(name: &str) -> Scratch {
        let dir = std::env::temp_dir().join(format!("plumb-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&dir).expect("a directory for temporary files");
        Scratch(dir)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What is left is only clutter.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Whether programs of a data model can be compiled, linked and run here.
pub fn available(model: DataModel, scratch: &Scratch) -> bool {
    let source = scratch.0.join("probe.c");
    std::fs::write(&source, "#include <stdio.h>\nint main(void) { puts(\"yes\"); return 0; }\n").expect("a temporary file");
    matches!(compiled(&source, model, &[], scratch, Duration::from_secs(20)), Ok(b) if b.stdout == "yes\n")
}

/// What the compiled program does; an error is a sentence.
pub fn compiled(source: &Path, model: DataModel, flags: &[String], scratch: &Scratch, time: Duration) -> Result<Behaviour, String> {
    let binary = scratch.0.join("binary");
    let cc = Command::new("cc").args(MEANING).arg(model_flag(model)).args(flags).arg(source).arg("-o").arg(&binary).arg("-lm").output();
    let cc = cc.map_err(|e| format!("cannot run cc: {e}"))?;
    if !cc.status.success() {
        return Err(format!("cc fails:\n{}", String::from_utf8_lossy(&cc.stderr)));
    }
    let text = scratch.0.join("stdout");
    let stdout = std::fs::File::create(&text).map_err(|e| e.to_string())?;
    let mut child = Command::new(&binary)
        .stdin(Stdio::null())
        .stdout(stdout)
        .stderr(Stdio::null())
        .spawn()
        .map_err(|e| format!("cannot run the binary: {e}"))?;
    let start = Instant::now();
    let status = loop {
        match child.try_wait().map_err(|e| e.to_string())? {
            Some(status) => break status,
            None if start.elapsed() > time => {
                let _ = child.kill();
                let _ = child.wait();
                return Err("the binary does not end".to_owned());
            }
            None => std::thread::sleep(Duration::from_millis(2)),
        }
    };
    let status = status.code().ok_or_else(|| format!("the binary dies: {status}"))?;
    let stdout = std::fs::read(&text).map_err(|e| e.to_string())?;
    Ok(Behaviour { status, stdout: String::from_utf8_lossy(&stdout).into_owned() })
}

/// The source after the preprocessor.
pub fn preprocessed(source: &Path, model: DataModel, flags: &[String]) -> Result<Vec<u8>, String> {
    let cc = Command::new("cc").args(["-E", "-std=gnu11"]).arg(model_flag(model)).args(flags).arg(source).output();
    let cc = cc.map_err(|e| format!("cannot run cc: {e}"))?;
    if !cc.status.success() {
        return Err(format!("cc -E fails:\n{}", String::from_utf8_lossy(&cc.stderr)));
    }
    Ok(cc.stdout)
}

/// What the interpreter makes of a preprocessed text; an error is how it ended instead.
pub fn interpreted(name: &str, text: Vec<u8>, model: DataModel, strict: bool, time: Duration) -> Result<Behaviour, String> {
    let semantics = Semantics { model, ..Semantics::default() };
    let inputs = [Input { name: name.to_owned(), bytes: text }];
    let program = match load(&inputs, &Options { semantics, property: ErrorSpec::Calls(Vec::new()) }) {
        Ok(program) => program,
        Err(e) => return Err(format!("does not lower: {e}")),
    };
    let out = Collected::default();
    let mut run = Interpreter::new(&program, Box::new(Zero), Box::new(out.clone()), Limits::default()).within(Budget::within(time));
    if strict {
        run = run.strict();
    }
    let outcome = run.run();
    let place = |span| program.sources.show(span).to_string();
    match outcome {
        Outcome::Exit(status) => Ok(Behaviour { status: status & 0xff, stdout: String::from_utf8_lossy(&out.stdout()).into_owned() }),
        Outcome::Undefined { ub, span } => Err(format!("undefined: {} at {}", ub.describe(), place(span))),
        Outcome::Unsupported { sentence, span } => Err(format!("unsupported: {sentence} at {}", place(span))),
        Outcome::InternalError { sentence, span } => Err(format!("internal error: {sentence} at {}", place(span))),
        other => Err(format!("{other:?}")),
    }
}
