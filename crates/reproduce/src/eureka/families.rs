//! The five families of Table 4, by the paper's descriptions: string copy, Gray code, the partitioning of quick sort, bubble sort, selection sort; each with a faulty
//! sibling.

use crate::runner::Runner;
use crate::set::Task;

/// A family.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    /// Its name.
    pub name: &'static str,
    /// The sizes that are tried, ascending.
    pub sizes: &'static [usize],
    /// The largest instance, its seconds, and the refined and all array elements of EUREKA's column in the paper.
    pub paper: (usize, f64, &'static str),
    body: fn(bool) -> String,
}

/// The families.
pub const FAMILIES: [Family; 5] = [
    Family { name: "strcpy", sizes: &[10, 100, 1000, 10_000, 100_000], paper: (1000, 153.78, "1/2N"), body: strcpy },
    Family { name: "gray", sizes: &[5, 10, 20, 40, 80, 160], paper: (25, 230.26, "16/28"), body: gray },
    Family { name: "partition", sizes: &[10, 100, 1000, 10_000, 100_000], paper: (40, 178.02, "1/N"), body: partition },
    Family { name: "bubble", sizes: &[4, 8, 12, 16, 20, 24, 28, 32], paper: (8, 91.92, "N/N"), body: bubble },
    Family { name: "selection", sizes: &[4, 6, 8, 10, 12, 14, 16, 18], paper: (6, 104.42, "N/N"), body: selection },
];

const HEADER: &str = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\nextern char __VERIFIER_nondet_char(void);\n\
    static void check(int holds) { if (!holds) reach_error(); }\n";

impl Family {
    /// A member of the family, or its faulty sibling.
    pub fn program(&self, n: usize, faulty: bool) -> String {
        format!("{HEADER}#define SIZE {n}\nint main(void) {{\n{}  return 0;\n}}\n", (self.body)(faulty))
    }

    /// Makes a member.
    pub fn write(&self, runner: &Runner, n: usize, faulty: bool) -> Result<Task, String> {
        let name = format!("arrays/{}-{n}{}.c", self.name, if faulty { "-faulty" } else { "" });
        runner.program(&name, &self.program(n, faulty), !faulty)
    }
}

/// A string of at most `SIZE - 1` characters is copied; the end is found in time.
fn strcpy(faulty: bool) -> String {
    let last = if faulty { 2 } else { 1 };
    format!(
        "  char from[SIZE], to[SIZE];\n  int k;\n  for (k = 0; k < SIZE; k++) from[k] = __VERIFIER_nondet_char();\n  from[SIZE - 1] = 0;\n\
         \x20 for (k = 0; from[k] != 0; k++) to[k] = from[k];\n  to[k] = 0;\n  check(k <= SIZE - {last});\n"
    )
}

/// `SIZE` steps of the reflected Gray code of four digits of base three: one digit changes at a time, by one.
fn gray(faulty: bool) -> String {
    let down = if faulty { "" } else { " || digit[k] - before[k] == -1" };
    format!(
        "  int limit[5], digit[5], way[5], before[5], k, next, step, moved;\n\
         \x20 for (k = 0; k < 5; k++) {{ limit[k] = 3; digit[k] = 0; way[k] = 1; before[k] = 0; }}\n\
         \x20 for (step = 0; step < SIZE && digit[4] == 0; step++) {{\n\
         \x20   k = 0;\n    next = digit[0] + way[0];\n\
         \x20   while (next < 0 || next >= limit[k]) {{\n      way[k] = -way[k];\n      k++;\n      if (k == 5) return 0;\n      next = digit[k] + way[k];\n    }}\n\
         \x20   digit[k] = next;\n    moved = 0;\n\
         \x20   for (k = 0; k < 5; k++) {{\n      if (digit[k] != before[k]) {{ moved++; check(digit[k] - before[k] == 1{down}); }}\n      before[k] = digit[k];\n    }}\n\
         \x20   check(moved == 1);\n  }}\n"
    )
}

/// The partitioning of quick sort leaves its pivot where it is.
fn partition(faulty: bool) -> String {
    let (first, bound) = if faulty { (0, "pivot - 1") } else { (1, "pivot") };
    format!(
        "  int v[SIZE], lo, hi, pivot, held;\n  for (lo = 0; lo < SIZE; lo++) v[lo] = __VERIFIER_nondet_int();\n  pivot = v[0];\n  lo = {first};\n  hi = SIZE - 1;\n\
         \x20 while (lo <= hi) {{\n    while (lo <= hi && v[lo] <= {bound}) lo++;\n    while (lo <= hi && v[hi] > pivot) hi--;\n\
         \x20   if (lo < hi) {{ held = v[lo]; v[lo] = v[hi]; v[hi] = held; lo++; hi--; }}\n    else if (lo == hi) hi--;\n  }}\n  check(v[0] == pivot);\n"
    )
}

const FILL: &str = "  int v[SIZE], i, j, held;\n  for (i = 0; i < SIZE; i++) v[i] = __VERIFIER_nondet_int();\n";
const SORTED: &str = "  for (i = 0; i + 1 < SIZE; i++) check(v[i] <= v[i + 1]);\n";

/// Bubble sort sorts.
fn bubble(faulty: bool) -> String {
    let rounds = if faulty { "SIZE - 2" } else { "SIZE" };
    format!(
        "{FILL}  for (i = 0; i < {rounds}; i++)\n    for (j = 0; j < SIZE - 1 - i; j++)\n\
         \x20     if (v[j] > v[j + 1]) {{ held = v[j]; v[j] = v[j + 1]; v[j + 1] = held; }}\n{SORTED}"
    )
}

/// Selection sort sorts.
fn selection(faulty: bool) -> String {
    let rounds = if faulty { 2 } else { 1 };
    format!(
        "{FILL}  int least;\n  for (i = 0; i < SIZE - {rounds}; i++) {{\n    least = i;\n    for (j = i + 1; j < SIZE; j++) if (v[j] < v[least]) least = j;\n\
         \x20   held = v[i]; v[i] = v[least]; v[least] = held;\n  }}\n{SORTED}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn siblings_differ_and_have_their_size() {
        for f in FAMILIES {
            assert!(f.program(7, false).contains("#define SIZE 7\n"));
            assert_ne!(f.program(7, false), f.program(7, true));
            assert!(f.sizes.is_sorted() && !f.sizes.is_empty());
        }
    }
}
