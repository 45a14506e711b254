//! Programs by a parameter: branches in a row, counters that sum up, loops in loops.

use crate::runner::Runner;
use crate::set::Task;

/// The families and the parameters on which curves are drawn.
pub const FAMILIES: [(&str, [usize; 5]); 3] =
    [("branches", [16, 32, 64, 128, 256]), ("counters", [2, 4, 8, 16, 32]), ("loops", [1, 2, 4, 6, 8])];

const HEADER: &str = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\nint main(void) {\n";

/// A member of a family.
pub fn program(family: &str, n: usize) -> String {
    let mut out = HEADER.to_owned();
    match family {
        "branches" => {
            out.push_str("  int a = 0, b = 0;\n");
            for _ in 0..n {
                out.push_str("  if (__VERIFIER_nondet_int()) { a += 1; b += 1; } else { a += 3; b += 3; }\n");
            }
            out.push_str(&format!("  if (a != b || a > {}) reach_error();\n", 3 * n));
        }
        "counters" => {
            let names: Vec<String> = (0..n).map(|i| format!("k{i}")).collect();
            out.push_str(&format!("  int all = 0, {};\n", names.iter().map(|k| format!("{k} = 0")).collect::<Vec<_>>().join(", ")));
            out.push_str("  while (all < 500000 && __VERIFIER_nondet_int()) {\n    int which = __VERIFIER_nondet_int();\n");
            for (i, k) in names.iter().enumerate() {
                out.push_str(&format!("    {}if (which == {i}) {k}++;\n", if i == 0 { "" } else { "else " }));
            }
            out.push_str(&format!("    else continue;\n    all++;\n  }}\n  if (all != {}) reach_error();\n", names.join(" + ")));
        }
        _ => {
            let names: Vec<String> = (0..n).map(|i| format!("i{i}")).collect();
            out.push_str(&format!("  int bound = __VERIFIER_nondet_int(), steps = 0, {};\n", names.join(", ")));
            for (d, i) in names.iter().enumerate() {
                out.push_str(&format!("{}for ({i} = 0; {i} < bound; {i}++)\n", "  ".repeat(d + 1)));
            }
            out.push_str(&format!("{}if (steps < 500000) steps++;\n", "  ".repeat(n + 1)));
            out.push_str("  if (steps < 0 || steps > 500000) reach_error();\n");
        }
    }
    out + "  return 0;\n}\n"
}

/// Makes the members.
pub fn write(runner: &Runner) -> Result<Vec<Task>, String> {
    let members = FAMILIES.iter().flat_map(|(f, sizes)| sizes.map(|n| (*f, n)));
    members.map(|(f, n)| runner.program(&format!("growth/{f}-{n}.c"), &program(f, n), true)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_have_their_size() {
        assert_eq!(program("branches", 7).matches("if (__VERIFIER").count(), 7);
        assert!(program("counters", 3).contains("all != k0 + k1 + k2"));
        assert_eq!(program("loops", 4).matches("for (").count(), 4);
    }
}
