//! Programs by a parameter whose paths are exponentially many: branches in a row, and locks that are taken and given back.

use crate::markdown::{seconds, table};
use crate::record::Record;
use crate::runner::Runner;
use crate::set::Task;
use std::fmt::Write;

/// The configurations whose curves are drawn.
const CONFIGS: [&str; 2] = ["ufo", "ufo-cp"];
const FAMILIES: [&str; 2] = ["branches", "locks"];
const SIZES: [usize; 5] = [5, 10, 20, 40, 80];

/// A member of a family.
fn program(family: &str, n: usize) -> String {
    let mut out = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\nint main(void) {\n".to_owned();
    if family == "branches" {
        out.push_str("  int a = 0, b = 0;\n");
        for _ in 0..n {
            out.push_str("  if (__VERIFIER_nondet_int()) { a++; b++; } else { a += 2; b += 2; }\n");
        }
        let _ = writeln!(out, "  if (a != b || a > {}) reach_error();", 2 * n);
    } else {
        out.push_str("  while (__VERIFIER_nondet_int()) {\n");
        for i in 0..n {
            let _ = writeln!(out, "    int wanted{i} = __VERIFIER_nondet_int(), held{i} = 0;");
        }
        for i in 0..n {
            let _ = writeln!(out, "    if (wanted{i}) held{i} = 1;");
        }
        for i in 0..n {
            let _ = writeln!(out, "    if (wanted{i}) {{ if (held{i} != 1) reach_error(); held{i} = 0; }}");
        }
        out.push_str("  }\n");
    }
    out + "  return 0;\n}\n"
}

/// Makes the members.
fn write(runner: &Runner) -> Result<Vec<Task>, String> {
    let members = FAMILIES.iter().flat_map(|f| SIZES.map(|n| (*f, n)));
    members.map(|(f, n)| runner.program(&format!("paths/{f}-{n}.c"), &program(f, n), true)).collect()
}

/// The curves.
pub fn curves(runner: &Runner) -> Result<String, String> {
    let records = runner.run(&CONFIGS, &write(runner)?)?;
    let mut out = "## Growth\n\nA program of N branches, or of N locks in a loop, has 2^N paths and more. CPU seconds / questions to solvers: those about all paths at once (one for each iteration), and those \
         of covering, POST and induction.\n\n"
        .to_owned();
    let shown = |r: &Record| {
        let questions: f64 = ["iterations", "solver questions"].iter().filter_map(|n| r.figure(n)).sum();
        if r.solved() {
            format!("{} / {questions:.0}", seconds(Some(r.seconds)))
        } else {
            "*".into()
        }
    };
    let members = FAMILIES.iter().flat_map(|f| SIZES.map(|n| (*f, n)));
    let row = |(i, (f, n)): (usize, (&str, usize))| {
        [f.to_owned(), n.to_string()].into_iter().chain(records.iter().map(|r| shown(&r[i]))).collect()
    };
    let header: Vec<&str> = ["family", "N"].into_iter().chain(CONFIGS).collect();
    out.push_str(&table(&header, &members.enumerate().map(row).collect::<Vec<_>>()));
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_have_their_size() {
        assert_eq!(program("branches", 7).matches("if (__VERIFIER").count(), 7);
        assert_eq!(program("locks", 3).matches("reach_error()").count(), 3);
    }
}
