//! The templates of Fig. 8: a loop that counts, and a cascade of tests that a flag remembers.

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

/// Makes the programs.
pub fn write(runner: &Runner) -> Result<Vec<Task>, String> {
    let members = TEMPLATES.iter().flat_map(|(t, sizes)| sizes.map(|c| (*t, c)));
    members.map(|(t, c)| runner.program(&format!("fig8/fig8{t}-{c}.c"), &program(t, c), true)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_have_their_parameter() {
        assert!(program("a", 400).contains("while (x < 400)"));
        assert_eq!(program("b", 3).matches("if (x").count(), 8);
    }
}
