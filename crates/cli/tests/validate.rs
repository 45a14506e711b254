//! `plumb validate`: right witnesses are confirmed, wrong ones never.

mod support;

use plumb_export::sha256::sha256;
use std::path::{Path, PathBuf};
use support::{plumb, Scratch};

fn run(args: &[&str]) -> (i32, String) {
    let out = plumb().args(args).output().unwrap();
    let text = String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr);
    (out.status.code().unwrap_or(-1), text)
}

fn validate(witness: &Path, program: &Path) -> (i32, String) {
    run(&["validate", witness.to_str().unwrap(), program.to_str().unwrap(), "--time", "6", "--memory", "2G"])
}

/// Type, action, line, column, constraint.
type Waypoint<'a> = (&'a str, &'a str, u32, u32, &'a str);

/// A program with its witnesses.
struct Subject {
    dir: Scratch,
    program: PathBuf,
    count: std::cell::Cell<usize>,
}

impl Subject {
    fn new(name: &str, text: &str) -> Subject {
        let dir = Scratch::new(name);
        let program = dir.file("p.c", text);
        Subject { dir, program, count: 0.into() }
    }

    fn header(&self, kind: &str) -> String {
        let hash = sha256(&std::fs::read(&self.program).unwrap());
        format!(
            "- entry_type: {kind}\n  metadata:\n    format_version: \"2.0\"\n    uuid: 91023a0f-9f45-4385-88c4-1152ade45537\n    creation_time: \"2026-01-01T00:00:00Z\"\n    \
             producer: {{name: hand, version: \"1\"}}\n    task:\n      input_files: [p.c]\n      input_file_hashes:\n        p.c: {hash}\n      \
             specification: \"CHECK( init(main()), LTL(G ! call(reach_error())) )\"\n      data_model: ILP32\n      language: C\n  content:\n"
        )
    }

    fn judge(&self, text: &str) -> (i32, String) {
        self.count.set(self.count.get() + 1);
        let file = self.dir.file(&format!("w{}.yml", self.count.get()), text);
        validate(&file, &self.program)
    }

    /// A correctness witness of invariants (type, line, column, expression).
    fn invariants(&self, list: &[(&str, u32, u32, &str)]) -> (i32, String) {
        let mut text = self.header("invariant_set");
        for (kind, line, column, value) in list {
            text += &format!("    - invariant:\n        type: {kind}\n        location: {{file_name: p.c, line: {line}, column: {column}, function: main}}\n        value: \"{value}\"\n        format: c_expression\n");
        }
        self.judge(&text)
    }

    /// A violation witness.
    fn waypoints(&self, segments: &[&[Waypoint]]) -> (i32, String) {
        let mut text = self.header("violation_sequence");
        for segment in segments {
            text += "    - segment:\n";
            for (kind, action, line, column, constraint) in *segment {
                let constraint =
                    if constraint.is_empty() { String::new() } else { format!("\n            constraint: {{value: \"{constraint}\"}}") };
                text += &format!("        - waypoint:\n            type: {kind}\n            action: {action}\n            location: {{file_name: p.c, line: {line}, column: {column}}}{constraint}\n");
            }
        }
        self.judge(&text)
    }
}

#[test]
fn own_witnesses_are_confirmed_from_the_file_alone() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus");
    let dir = Scratch::new("own-witnesses");
    // One of each kind of evidence: intervals, relations, labels and goto, pointers, floats, recursion, inputs of all sorts.
    for name in NAMES {
        let program = corpus.join(name);
        let witness = dir.0.join(format!("{name}.yml"));
        let (code, text) =
            run(&["check", program.to_str().unwrap(), "--time", "20", "--memory", "2G", "--witness", witness.to_str().unwrap()]);
        assert!(code <= 1, "{name}: {text}");
        let (code, text) = validate(&witness, &program);
        assert!(code == 0 && text.starts_with("CONFIRMED"), "{name}: {code} {text}");
    }
}

/// More waypoints than a validator follows are not written: the target is.
#[test]
fn a_long_execution_is_told_by_its_target() {
    let dir = Scratch::new("long-execution");
    let (program, witness) = (dir.0.join("p.c"), dir.0.join("w.yml"));
    let text = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint main(void) {\n  \
                for (int i = 0; i < 2500; i++) __VERIFIER_nondet_int();\n  reach_error();\n}\n";
    std::fs::write(&program, text).unwrap();
    let (code, text) = run(&["check", program.to_str().unwrap(), "--time", "20", "--memory", "2G", "--witness", witness.to_str().unwrap()]);
    assert_eq!(code, 1, "{text}");
    assert_eq!(std::fs::read_to_string(&witness).unwrap().matches("waypoint:").count(), 1);
    let (code, text) = validate(&witness, &program);
    assert!(code == 0 && text.starts_with("CONFIRMED"), "{code} {text}");
}

const NAMES: [&str; 24] = [
    "array_search_bad.c",
    "assert_header_bad.c",
    "conversions.c",
    "cpa_counter_deep_bad.c",
    "extern_result_bad.c",
    "float_bad.c",
    "float_infinity.c",
    "function_pointer_bad.c",
    "goto_into_loop_bad.c",
    "goto_loop.c",
    "interval_two_counters.c",
    "label_error.c",
    "label_error_unreachable.c",
    "lock_protocol.c",
    "long_lp64_bad.c",
    "loop_do_while.c",
    "malloc_list_bad.c",
    "recursion_bad.c",
    "struct_by_value_bad.c",
    "switch_bad.c",
    "test_scanf_bad.c",
    "uninit_before_label_bad.c",
    "uninit_each_call_bad.c",
    "uninit_loop_bad.c",
];

const COUNTER: &str = "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int a[4];
int main(void) {
    int n = 0, i = 0;
    for (i = 0; i < 10; i++) {
        n += 2;
        if (n > 2 * i + 2)
            reach_error();
    }
    do
        n--;
    while (n > 3);
    return n;
}
";

#[test]
fn true_invariants_are_confirmed() {
    let s = Subject::new("true-invariants", COUNTER);
    for list in [
        &[("loop_invariant", 6, 5, "n == 2 * i && i >= 0 && i <= 10")][..],
        &[("loop_invariant", 6, 5, "n == 2 * i"), ("location_invariant", 7, 9, "i < 10 && n <= 18"), ("location_invariant", 9, 13, "0")],
        &[("loop_invariant", 11, 5, "n > 3 && n <= 20"), ("loop_invariant", 6, 5, "i == 0 ? n == 0 : n / i == 2 && i >= 0")],
        &[("location_invariant", 14, 5, "n == 3 && (unsigned char)(n + 255) == 2 && sizeof(a) == 16 && a[n] == 0")],
    ] {
        let (code, text) = s.invariants(list);
        assert!(code == 0, "{list:?}: {code} {text}");
    }
}

#[test]
fn wrong_invariants_are_never_confirmed() {
    let s = Subject::new("wrong-invariants", COUNTER);
    for (line, column, wrong) in [
        (6, 5, "i < 10"),
        (6, 5, "i >= 1"),
        (6, 5, "n == 2 * i + 1"),
        (6, 5, "n != 14"),
        (6, 5, "i % 2 == 0"),
        (6, 5, "0"),
        // Without a value there is no truth.
        (6, 5, "n / i == 2"),
        (6, 5, "i == 0 || a[i] == 0"),
        (6, 5, "*(int *)0 == 0 || 1"),
        (11, 5, "n >= 5"),
    ] {
        let (code, text) = s.invariants(&[("loop_invariant", line, column, wrong)]);
        assert!(code == 1 && text.starts_with("REFUTED: an execution violates the invariant"), "{wrong}: {code} {text}");
    }
    for (line, column) in [(7, 5), (6, 6), (5, 5)] {
        let (code, text) = s.invariants(&[("loop_invariant", line, column, "1")]);
        assert!(code == 2 && text.contains("nothing stands at"), "{code} {text}");
    }
    for (text, message) in
        [("nowhere > 0", "'nowhere' is not declared"), ("n = 3", "assignment"), ("n++ > 0", "increment"), ("n >", "expected")]
    {
        let (code, out) = s.invariants(&[("loop_invariant", 6, 5, text)]);
        assert!(code == 3 && out.contains(message), "{text}: {code} {out}");
    }
}

#[test]
fn a_correct_invariant_does_not_save_a_wrong_program() {
    let s = Subject::new("wrong-program", &COUNTER.replace("n > 2 * i + 2", "n > 2 * i + 1"));
    let (code, text) = s.invariants(&[("loop_invariant", 6, 5, "n == 2 * i")]);
    assert!(code == 1 && text.starts_with("REFUTED: the property is violated"), "{code} {text}");
}

const INPUTS: &str = "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int pick(int x) { return x + 1; }
int main(void) {
    int u;
    int a = __VERIFIER_nondet_int() & 7;
    if (a > 5)
        a = pick(5);
    switch (a) {
    case 3:
        u = 4;
        break;
    }
    while (a < 3)
        a++;
    if (a == 3 && u == 4)
        reach_error();
    return 0;
}
";

#[test]
fn waypoints_restrict_the_executions() {
    let s = Subject::new("waypoints", INPUTS);
    const FOLLOW: &str = "follow";
    const TARGET: &[Waypoint<'_>] = &[("target", FOLLOW, 17, 9, "")];
    for (expected, segments) in [
        // The search finds what the witness leaves open.
        (0, &[TARGET][..]),
        (0, &[&[("function_return", FOLLOW, 6, 35, "\\\\result == 3")], TARGET]),
        (0, &[&[("function_return", FOLLOW, 6, 35, "\\\\result < 2")], &[("assumption", FOLLOW, 7, 5, "a < 2 && u == 4")], TARGET]),
        (0, &[&[("branching", FOLLOW, 7, 5, "false")], &[("branching", FOLLOW, 9, 5, "3")], TARGET]),
        (
            0,
            &[
                &[("branching", FOLLOW, 14, 5, "true")],
                &[("branching", FOLLOW, 14, 5, "true")],
                &[("branching", FOLLOW, 14, 5, "false")],
                TARGET,
            ],
        ),
        // Wrong value, wrong branch, wrong order, wrong place.
        (1, &[&[("function_return", FOLLOW, 6, 35, "\\\\result == 4")], TARGET]),
        (1, &[&[("branching", FOLLOW, 7, 5, "true")], TARGET]),
        (1, &[&[("assumption", FOLLOW, 16, 5, "u == 5")], TARGET]),
        (1, &[&[("function_enter", FOLLOW, 8, 19, "")], TARGET]),
        (1, &[&[("branching", FOLLOW, 9, 5, "3")], &[("branching", FOLLOW, 14, 5, "true")], TARGET]),
        (1, &[&[("branching", FOLLOW, 14, 5, "false")], &[("branching", FOLLOW, 7, 5, "false")], TARGET]),
        (1, &[&[("target", FOLLOW, 18, 5, "")]]),
        (1, &[&[("assumption", FOLLOW, 16, 5, "a / (a - 3) == 1 || a == 3")], TARGET]),
        // What is to be avoided.
        (0, &[&[("branching", "avoid", 14, 5, "true"), ("branching", FOLLOW, 14, 5, "false")], TARGET]),
        (1, &[&[("branching", "avoid", 14, 5, "false"), ("target", FOLLOW, 17, 9, "")]]),
        (
            1,
            &[
                &[("branching", "avoid", 9, 5, "3"), ("branching", FOLLOW, 14, 5, "false")],
                &[("branching", "avoid", 16, 5, "true"), TARGET[0]],
            ],
        ),
    ] {
        let (code, text) = s.waypoints(segments);
        assert!(code == expected, "{segments:?}: {code} {text}");
    }
}

#[test]
fn a_truth_value_is_0_or_1() {
    let s = Subject::new(
        "bool",
        "extern _Bool __VERIFIER_nondet_bool(void);\nextern void reach_error(void);\nint main(void) {\n    _Bool b = __VERIFIER_nondet_bool();\n    _Bool c;\n    if (b && c)\n        reach_error();\n    return 0;\n}\n",
    );
    let witness = s.dir.0.join("w.yml");
    let (code, text) =
        run(&["check", s.program.to_str().unwrap(), "--time", "20", "--memory", "2G", "--witness", witness.to_str().unwrap()]);
    assert!(code == 1, "{text}");
    let yaml = std::fs::read_to_string(&witness).unwrap();
    assert!(yaml.contains("\\\\result == 1\"") && yaml.contains("c == 1"), "{yaml}");
    let (code, text) = validate(&witness, &s.program);
    assert!(code == 0, "{text}");
}

#[test]
fn broken_witnesses_are_located() {
    let s = Subject::new("broken-witness", COUNTER);
    let (code, text) = s.judge("- entry_type: [\n");
    assert!(code == 3 && text.contains("w1.yml:") && text.contains("not a witness"), "{text}");
    let (code, text) = s.judge(&(s.header("invariant_set").replace("p.c: ", "p.c: 00") + "    []\n"));
    assert!(code == 3 && text.contains("w2.yml:10:14: the witness is for another program"), "{text}");
    let (code, text) = s.judge(&(s.header("invariant_set").replace("G ! call(reach_error())", "G ! overflow") + "    []\n"));
    assert!(code == 2 && text.contains("not supported"), "{text}");
    let (code, text) = s.judge(&(s.header("ghost_instrumentation") + "    []\n"));
    assert!(code == 2 && text.contains("ghost_instrumentation"), "{text}");
    let (code, text) = run(&["validate", "no-such.yml", s.program.to_str().unwrap()]);
    assert!(code == 3 && text.contains("no-such.yml"), "{text}");
    let file = s.dir.file("empty.yml", &(s.header("invariant_set") + "    []\n"));
    let (code, text) = run(&["validate", file.to_str().unwrap(), "no-such.c"]);
    assert!(code == 3 && text.contains("no-such.c"), "{text}");
    let (code, text) = run(&["validate", file.to_str().unwrap(), s.program.to_str().unwrap(), "--json", "--time", "20", "--memory", "2G"]);
    assert!(code == 0, "{text}");
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!((json["result"].as_str(), json["witness"].as_str()), (Some("confirmed"), Some("correctness")));
}
