//! `plumb bench`: tables, interruption, broken tasks, comparison.

mod support;

use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};
use support::{plumb, Scratch};

const SAFE: &str = "void reach_error(void);\nint main(void) { int x = 1; if (x > 1) reach_error(); return 0; }\n";
const UNSAFE: &str = "void reach_error(void);\nint main(void) { int x = 2; if (x > 1) reach_error(); return 0; }\n";
/// A sum of squares that no engine decides in a moment.
const HARD: &str = "void reach_error(void); unsigned __VERIFIER_nondet_uint(void);
int main(void) { unsigned a = __VERIFIER_nondet_uint(), s = 0, i; for (i = 0; i < a; i++) s = s * s + i * a; if (s == 77777u * a + 13) reach_error(); return 0; }
";

fn bench(args: &[&str]) -> (i32, String) {
    let out = plumb().arg("bench").args(args).output().unwrap();
    let text = String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr);
    (out.status.code().unwrap_or(-1), text)
}

fn lines(path: &Path) -> Vec<String> {
    std::fs::read_to_string(path).unwrap_or_default().lines().map(str::to_owned).collect()
}

#[test]
fn a_table_with_messages_for_what_cannot_be_run() {
    let dir = Scratch::new("bench-table");
    dir.file("safe.c", SAFE);
    dir.file("unsafe.c", UNSAFE);
    dir.file("unreach-call.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n");
    dir.file("other.prp", "CHECK( init(main()), LTL(G ! overflow) )\n");
    let task = |file: &str, properties: &str| {
        format!("format_version: '2.0'\ninput_files: {file}\n{properties}options: {{language: C, data_model: ILP32}}\n")
    };
    let property = |file: &str, expected: &str| format!("properties:\n  - property_file: {file}\n    expected_verdict: {expected}\n");
    dir.file("a.yml", task("safe.c", &property("unreach-call.prp", "true")));
    dir.file("b.yml", task("unsafe.c", &property("unreach-call.prp", "false")));
    dir.file("broken.yml", "format_version: '2.0'\ninput_files: [a.c\n");
    dir.file("missing.yml", task("no-such.c", &property("unreach-call.prp", "true")));
    dir.file("nothing.yml", task("safe.c", ""));
    dir.file("other.yml", task("safe.c", &property("other.prp", "true")));
    let (input, out) = (dir.0.to_str().unwrap(), dir.0.join("out"));
    let (code, text) = bench(&[input, "--out", out.to_str().unwrap(), "--time", "10", "--memory", "2G", "--jobs", "2"]);
    assert_eq!(code, 2, "{text}");
    for part in [
        "broken.yml:",
        "no-such.c: No such file",
        "nothing.yml: the task has no property",
        "other.yml: the property is not supported",
        "not-run 4",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let rows = lines(&out.join("results.tsv"));
    assert_eq!(rows.len(), 7, "{rows:?}");
    assert!(rows[1].starts_with("a.yml\ttrue\ttrue\tcorrect\t") && rows[2].starts_with("b.yml\tfalse\tfalse\tcorrect\t"), "{rows:?}");
    let html = std::fs::read_to_string(out.join("table.html")).unwrap();
    assert!(html.contains("<svg") && html.contains("a.yml") && !html.contains("http"), "{html}");
    // A verdict against the expected one is said loudly.
    let set = dir.file("s.set", "safe.c\tfalse\tILP32\nunsafe.c\tfalse\tLP64\n");
    let wrong = dir.0.join("wrong");
    let (code, text) = bench(&[set.to_str().unwrap(), "--out", wrong.to_str().unwrap(), "--time", "10", "--memory", "2G", "--validate"]);
    assert!(code == 1 && text.contains("WRONG: safe.c expected false got true"), "{text}");
    // Its witness is right all the same.
    assert!(text.contains("witnesses: confirmed 2\n"), "{text}");
    assert!(["safe.c.yml", "unsafe.c.yml"].iter().all(|w| wrong.join("witnesses").join(w).exists()));
    assert!(lines(&wrong.join("results.tsv"))[1..].iter().all(|l| l.ends_with("\tconfirmed")));
    let page = dir.0.join("c.html");
    let files = [out.join("results.tsv"), wrong.join("results.tsv")];
    let (code, text) = bench(&["--compare", files[1].to_str().unwrap(), files[1].to_str().unwrap(), "--html", page.to_str().unwrap()]);
    assert!(code == 0 && text.contains("common tasks 2; both solve 1; only A 0; only B 0; wrong A 1, B 1"), "{text}");
    assert_eq!(std::fs::read_to_string(&page).unwrap().matches("<svg").count(), 2);
    let (code, text) = bench(&["--compare", files[0].to_str().unwrap(), "no-such.tsv"]);
    assert!(code == 3 && text.contains("no-such.tsv"), "{text}");
    assert_eq!(bench(&["no-such.set", "--out", out.to_str().unwrap()]).0, 3);
}

#[test]
fn a_killed_run_goes_on_where_it_ended() {
    let dir = Scratch::new("bench-kill");
    let mut set = String::new();
    for i in 0..5 {
        dir.file(&format!("h{i}.c"), HARD);
        set += &format!("h{i}.c\ttrue\tILP32\n");
    }
    let set = dir.file("s.set", set);
    let out = dir.0.join("out");
    let journal = out.join("journal.tsv");
    let args = ["bench", set.to_str().unwrap(), "--out", out.to_str().unwrap(), "--time", "0.5", "--memory", "1G"];
    let mut first = plumb().args(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let begin = Instant::now();
    while lines(&journal).len() < 3 && begin.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(5));
    }
    // SIGKILL, in the middle of the third task.
    first.kill().unwrap();
    first.wait().unwrap();
    let before = lines(&journal);
    assert!((3..6).contains(&before.len()), "{before:?}");
    let out = plumb().args(args).output().unwrap();
    let text = String::from_utf8_lossy(&out.stderr);
    assert!(text.contains(&format!("{} of 5 tasks are in the journal", before.len() - 1)), "{text}");
    let after = lines(&journal);
    assert_eq!(after.len(), 6);
    assert_eq!(after[..before.len()], before[..], "what was done is not done again");
    let names: Vec<&str> = after[1..].iter().map(|l| l.split('\t').next().unwrap()).collect();
    assert_eq!(names, ["h0.c", "h1.c", "h2.c", "h3.c", "h4.c"]);
    // All is done: nothing runs, and the results are the journal's.
    let begin = Instant::now();
    let (code, text) = bench(&args[1..]);
    assert!(code == 0 && begin.elapsed() < Duration::from_millis(450), "{text}");
    assert_eq!(lines(&journal), after);
    // Other limits are another run.
    let (code, text) = bench(&[args[1], "--out", args[3], "--time", "1"]);
    assert!(code == 3 && text.contains("other parameters"), "{text}");
}
