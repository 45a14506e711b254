//! A C test that reproduces a violation with a plain compiler.
//!
//! Compiled together with the program (`gcc -fwrapv prog.c test.c`), it supplies the inputs of the execution: `__VERIFIER_nondet_*`
//! and other functions without a body return the recorded values in order, `scanf` writes them, variables without a definition hold
//! them. The error prints a message and aborts. Some things cannot be supplied from outside: the values of uninitialised variables and
//! objects on which the path depends, missing results, the outputs of `asm`, the arguments of `main`, and the reaching of a label or of an
//! error function with a body of its own. Then the test is a copy of the source with those made explicit. Only the inputs of the
//! execution are needed, so its length does not matter. A path that depends on something else has no test, and the caller is told why.
//!
//! Definitions are weak and bound by assembler names, so that they never clash with declarations of the program, whatever
//! types those have.

mod asm;
mod edit;
mod entry;
mod error;
mod heap;
mod inputs;
mod lent;
mod memory;
mod support;
mod variables;

use crate::execution::Execution;
use crate::subject::Subject;
use edit::Edits;
use plumb_term::{Scalar, VarTy};
use support::Support;

/// What the test prints when it reaches the error.
pub const MESSAGE: &str = "plumb: the error was reached";

/// The test for an execution; `name` is the file it will be written to, for the instructions in it. An error is a sentence.
pub fn c_test(subject: &Subject<'_>, execution: &Execution, name: &str) -> Result<String, String> {
    let mut support = Support::new(subject);
    let mut edits = Edits::default();
    inputs::functions(subject, execution, &mut support, &mut edits)?;
    variables::variables(subject, execution, &mut support, &mut edits)?;
    memory::memory(subject, execution, &mut support, &mut edits)?;
    error::detect(subject, execution, &mut support, &mut edits)?;
    let copied = edits.file()?;
    let files: Vec<&str> =
        subject.sources.files().iter().enumerate().filter(|(i, _)| Some(*i) != copied).map(|(_, f)| f.name.as_str()).collect();
    // Without SSE, 32-bit code keeps floats in registers that are too wide.
    let floats = subject.program.vars.iter().any(|v| matches!(v.ty, VarTy::Scalar(Scalar::Float(_))));
    let bits = match (subject.data_model(), floats) {
        ("ILP32", true) => "-m32 -msse2 -mfpmath=sse",
        ("ILP32", false) => "-m32",
        _ => "-m64",
    };
    // Functions that are only named, in tables that the path does not use, need not be there.
    let command = format!(
        "gcc -fwrapv {bits} -Wl,--unresolved-symbols=ignore-all -o test {name}{}{}",
        if files.is_empty() { "" } else { " " },
        files.join(" ")
    );
    let mut out = format!(
        "/* A test written by plumb. It reaches the error, prints \"{MESSAGE}\" and aborts:\n   {} && ./test */\n",
        comment(&command)
    );
    match copied {
        None => out.push_str(&support.text()),
        Some(index) => {
            let file = &subject.sources.files()[index];
            out.push_str(&support.declarations());
            out.push_str(&format!("#line 1 \"{}\"\n", file.name.replace('\\', "\\\\").replace('"', "\\\"")));
            out.push_str(&String::from_utf8_lossy(&edits.apply(&file.bytes)));
            out.push_str(&format!("\n#line 1 \"{}\"\n", name.replace('\\', "\\\\").replace('"', "\\\"")));
            out.push_str(&support.text());
        }
    }
    Ok(out)
}

fn comment(text: &str) -> String {
    text.replace("*/", "* /")
}
