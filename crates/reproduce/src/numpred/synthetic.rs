//! The templates of Fig. 8: a loop that counts, and a cascade of tests that a flag remembers.
//!
//! As programs they ask little of the domain: widening stops at the loop's condition, and blocks from loop head to loop head leave the cascade to the solver. So they are measured in the
//! domain alone, too, statement by statement and without widening, by the benchmark of the domain's crate.

use crate::record::Record;
use crate::runner::Runner;
use crate::set::Task;
use std::fmt::Write;

/// The templates and the parameters C on which curves are drawn.
pub const TEMPLATES: [(&str, [usize; 5]); 2] = [("a", [10, 100, 400, 1000, 10_000]), ("b", [2, 5, 10, 15, 20])];

/// A template with its parameter.
pub fn program(template: &str, c: usize) -> String {
    let mut out = String::from("extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\nint main(void) {\n");
    if template == "a" {
        let _ = writeln!(out, "  int x = 0;\n  while (x < {c}) ++x;\n  if (x != {c}) reach_error();");
    } else {
        let line = |out: &mut String, then: &str| {
            for i in 0..=c {
                let _ = writeln!(out, "  {}if (x{i} < 0) {{ {then} }}", if i == 0 { "" } else { "else " });
            }
        };
        for i in 0..=c {
            let _ = writeln!(out, "  int x{i} = __VERIFIER_nondet_int();");
        }
        out.push_str("  int n = 1;\n");
        line(&mut out, "n = 0;");
        line(&mut out, "if (n != 0) reach_error();");
    }
    out + "  return 0;\n}\n"
}

/// The structures in the domain alone, in the order of the benchmark's columns.
pub const ALONE: [&str; 3] = ["NEX alone", "MTNDD alone", "NDD alone"];

fn name(template: &str, c: usize) -> String {
    format!("fig8/fig8{template}-{c}.c")
}

/// What the benchmark measured of the structures alone.
pub fn alone(runner: &Runner, tasks: &[Task]) -> Result<Vec<Vec<Record>>, String> {
    runner.benchmark("plumb-numpred", "figure_8", &ALONE, tasks, &read)
}

/// The records of lines like `(a) 400 0.82 0.83 8.76`: template, C, and milliseconds, which are no number where there is no result.
fn read(printed: &str) -> Vec<Record> {
    let mut out = Vec::new();
    for line in printed.lines() {
        let mut words = line.split_whitespace();
        let template = words.next().and_then(|w| w.strip_prefix('(')?.strip_suffix(')'));
        let (Some(template), Some(c)) = (template, words.next().and_then(|w| w.parse().ok())) else { continue };
        for (config, cell) in ALONE.iter().zip(words) {
            let milliseconds = cell.parse::<f64>().ok().filter(|m| m.is_finite());
            out.push(Record {
                config: (*config).to_owned(),
                task: name(template, c),
                verdict: if milliseconds.is_some() { "true" } else { "unknown" }.to_owned(),
                seconds: milliseconds.unwrap_or_default() / 1e3,
                ..Record::default()
            });
        }
    }
    out
}

/// Makes the programs.
pub fn write(runner: &Runner) -> Result<Vec<Task>, String> {
    let members = TEMPLATES.iter().flat_map(|(t, sizes)| sizes.map(|c| (*t, c)));
    members.map(|(t, c)| runner.program(&name(t, c), &program(t, c), true)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_have_their_parameter() {
        assert!(program("a", 400).contains("while (x < 400)"));
        assert_eq!(program("b", 3).matches("if (x").count(), 8);
    }

    #[test]
    fn lines_of_the_benchmark_are_read() {
        let records = read(
            "template, C, NEX, MTNDD, NDD\n(a)    400       0.82       0.83        inf\n(b)     20       4.26          -       0.68\n",
        );
        let cells: Vec<_> = records.iter().map(|r| (r.config.as_str(), r.task.as_str(), r.solved())).collect();
        let (a, b) = ("fig8/fig8a-400.c", "fig8/fig8b-20.c");
        let solved = [true, true, false, true, false, true];
        let expected: Vec<_> = (0..6).map(|i| (ALONE[i % 3], [a, b][i / 3], solved[i])).collect();
        assert_eq!(cells, expected);
        assert_eq!(records[5].seconds, 0.68 / 1e3);
    }
}
