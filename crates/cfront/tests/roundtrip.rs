//! The tree means what the source does: gcc makes the same assembly of a file and of its print.

mod support;

use std::io::Write;
use std::process::{Command, Stdio};

use plumb_cfront::print;
use support::parsed;

const SOURCE: &str = include_str!("inputs/gnu.c");

fn reprint(text: &str) -> String {
    let parsed = parsed(text);
    print::unit(&parsed.unit, &parsed.names)
}

/// The assembly of `text`, without comments.
fn compile(text: &str) -> Result<Vec<String>, String> {
    let mut child = Command::new("gcc")
        .args(["-S", "-O0", "-w", "-fno-ident", "-x", "c", "-", "-o", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| error.to_string())?;
    child.stdin.take().ok_or("no standard input")?.write_all(text.as_bytes()).map_err(|error| error.to_string())?;
    let output = child.wait_with_output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let assembly = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(assembly.lines().filter(|line| !line.starts_with("# ")).map(str::to_owned).collect())
}

#[test]
fn a_print_parses_to_itself() {
    let printed = reprint(SOURCE);
    assert_eq!(reprint(&printed), printed);
}

/// On machines whose compiler does not take the file (it is for gcc on x86-64) there is nothing to compare.
#[test]
fn gcc_sees_no_difference() {
    let Ok(expected) = compile(SOURCE) else { return };
    let found = compile(&reprint(SOURCE)).unwrap_or_else(|error| panic!("the print does not compile: {error}"));
    for (line, (expected, found)) in expected.iter().zip(&found).enumerate() {
        assert_eq!(expected, found, "in line {} of the assembly", line + 1);
    }
    assert_eq!(expected.len(), found.len());
}
