//! The templates of Fig. 8: a loop that counts, and a cascade of tests that a flag remembers.

use crate::set::Task;
use std::fmt::Write;
use std::path::Path;

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

/// Writes the programs into a folder.
pub fn write(folder: &Path) -> Result<Vec<Task>, String> {
    let complain = |e: std::io::Error| format!("{}: {e}", folder.display());
    std::fs::create_dir_all(folder).map_err(complain)?;
    let folder = folder.canonicalize().map_err(complain)?;
    let mut tasks = Vec::new();
    for (template, sizes) in TEMPLATES {
        for c in sizes {
            let path = folder.join(format!("fig8{template}-{c}.c"));
            std::fs::write(&path, program(template, c)).map_err(complain)?;
            tasks.push(Task { path: path.to_string_lossy().into_owned(), safe: true, model: "ILP32".into() });
        }
    }
    Ok(tasks)
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
