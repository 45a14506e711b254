//! `plumb analyze`: facts before each line, dead code, errors of use.

mod support;

use serde_json::Value;
use support::{plumb, Scratch};

const PROGRAM: &str = "\
extern int __VERIFIER_nondet_int(void);
static int limit(int a) { return a; }
int main(void) {
    int x = 1, y = 0;
    int i;
    for (i = 0; i < 10; i++) {
        if (__VERIFIER_nondet_int())
            y = 2;
    }
    if (x > 1)
        y = 5;
    return limit(y) + i;
}
";

fn facts(list: &str) -> Value {
    let dir = Scratch::new(&format!("analyze-{}", list.replace(',', "-")));
    let file = dir.file("p.c", PROGRAM);
    let out = plumb().arg("analyze").arg(&file).args(["--cpa", list, "--json"]).output().unwrap();
    assert_eq!(out.status.code(), Some(0), "{}", String::from_utf8_lossy(&out.stderr));
    serde_json::from_slice(&out.stdout).unwrap()
}

/// What one analysis says before a line.
fn at(report: &Value, line: u64, is_loop: bool, analysis: &str) -> Vec<String> {
    let lines = report["lines"].as_array().unwrap();
    let found = lines.iter().find(|l| l["line"] == line && l["loop"] == is_loop).unwrap_or_else(|| panic!("no line {line}"));
    let texts = found["facts"][analysis].as_array();
    texts.map_or_else(Vec::new, |t| t.iter().map(|s| s.as_str().unwrap().to_owned()).collect())
}

#[test]
fn constants_bounds_definitions_and_dead_code() {
    let report = facts("value,interval,reachdef");
    assert_eq!(at(&report, 6, false, "value"), ["x = 1", "y = 0"]);
    assert_eq!(at(&report, 6, true, "value"), ["x = 1"]);
    assert_eq!(at(&report, 6, true, "interval"), ["0 <= y <= 2", "0 <= i <= 10"]);
    assert_eq!(at(&report, 7, false, "interval"), ["0 <= y <= 2", "0 <= i <= 9"]);
    assert_eq!(at(&report, 10, false, "value"), ["x = 1", "i = 10"]);
    assert!(at(&report, 10, false, "reachdef").contains(&"y from line 4, 8".to_owned()));
    let dead: Vec<u64> =
        report["lines"].as_array().unwrap().iter().filter(|l| l["reached"] == false).map(|l| l["line"].as_u64().unwrap()).collect();
    assert_eq!(dead, [11]);
}

#[test]
fn live_variables_and_relations() {
    let report = facts("liveness,octagon");
    assert_eq!(at(&report, 7, false, "liveness"), ["x is live", "i is live"], "y decides nothing");
    assert!(!at(&report, 7, false, "octagon").is_empty());
}

#[test]
fn bounds_of_loops() {
    assert_eq!(at(&facts("bounds"), 6, true, "bounds"), ["at most 10 turns"]);
}

#[test]
fn the_text_names_lines_and_analyses() {
    let dir = Scratch::new("analyze-text");
    let file = dir.file("p.c", PROGRAM);
    let out = plumb().arg("analyze").arg(&file).output().unwrap();
    let text = String::from_utf8(out.stdout).unwrap();
    assert!(text.contains("   11 | y = 5;  // not reached"), "{text}");
    assert!(text.contains("    6 | for (i = 0; i < 10; i++) {  // at the loop's head\n      |     value: x = 1\n"), "{text}");
}

#[test]
fn bad_names_and_files_are_errors_of_use() {
    let dir = Scratch::new("analyze-bad");
    let file = dir.file("p.c", PROGRAM);
    let out = plumb().arg("analyze").arg(&file).args(["--cpa", "value,constants"]).output().unwrap();
    assert_eq!(out.status.code(), Some(3));
    let said = String::from_utf8_lossy(&out.stderr).into_owned();
    assert!(said.contains("there is no analysis `constants`") && said.contains("reachdef"), "{said}");
    for args in [vec!["analyze"], vec!["analyze", "no-such-file.c"]] {
        assert_eq!(plumb().args(&args).output().unwrap().status.code(), Some(3), "{args:?}");
    }
    let list = plumb().args(["analyze", "--list"]).output().unwrap();
    assert_eq!(list.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&list.stdout).contains("liveness"));
}

#[test]
fn observer_automata_beside_the_program() {
    let dir = Scratch::new("analyze-spec");
    let file = dir.file("p.c", "void lock(void) { } void unlock(void) { }\nint main(void) {\n    lock();\n    lock();\n    return 0;\n}\n");
    let once = "automaton once\nstate free\n    call lock -> held\nstate held\n    call lock -> error\n";
    let calm = "automaton calm\nstate s\n    call unlock -> error\n";
    let run = |spec: &str, json: bool| {
        let spec = dir.file("a.spec", spec);
        let out = plumb().arg("analyze").arg(&file).arg("--spec").arg(spec).args(json.then_some("--json")).output().unwrap();
        (out.status.code(), String::from_utf8_lossy(&out.stdout).into_owned(), String::from_utf8_lossy(&out.stderr).into_owned())
    };
    let (code, text, _) = run(&format!("{once}{calm}"), false);
    assert_eq!(code, Some(2));
    assert!(text.contains("once: may be violated at") && text.contains("p.c:4:5") && text.contains("calm: is not violated"), "{text}");
    assert_eq!(run(calm, false).0, Some(0));
    let report: Value = serde_json::from_str(&run(once, true).1).unwrap();
    assert_eq!(report["automata"][0]["automaton"], "once");
    let (code, _, said) = run("automaton x\nstate s\n    jump lock -> s\n", false);
    assert!(code == Some(3) && said.contains("a.spec: line 3: `jump`"), "{said}");
}

#[test]
fn automata_get_certified_verdicts_each_its_own() {
    let dir = Scratch::new("check-spec");
    let file = dir.file("p.c", "void lock(void) { } void unlock(void) { }\nint main(void) {\n    lock();\n    lock();\n    return 0;\n}\n");
    let once = "automaton once\nstate free\n    call lock -> held\nstate held\n    call lock -> error\n";
    let calm = "automaton calm\nstate s\n    call unlock -> error\n";
    let run = |spec: &str, json: bool| {
        let spec = dir.file("a.spec", spec);
        let args = ["--time", "30", "--config", "value"];
        let out = plumb().arg("check").arg(&file).arg("--spec").arg(spec).args(args).args(json.then_some("--json")).output().unwrap();
        (out.status.code(), String::from_utf8_lossy(&out.stdout).into_owned(), String::from_utf8_lossy(&out.stderr).into_owned())
    };
    let (code, text, _) = run(&format!("{once}{calm}"), false);
    assert_eq!(code, Some(1));
    assert!(text.starts_with("once\nFALSE") && text.contains("\ncalm\nTRUE"), "{text}");
    let report: Value = serde_json::from_str(&run(&format!("{calm}{once}"), true).1).unwrap();
    assert_eq!((&report[0]["verdict"], &report[1]["verdict"]), (&Value::from("true"), &Value::from("false")));
    let one: Value = serde_json::from_str(&run(calm, true).1).unwrap();
    assert_eq!(one["verdict"], "true");
    let lines = "CHECK( init(main()), LTL(G ! call(unlock())) )\nCHECK( init(main()), LTL(G ! call(lock())) )\n";
    let (code, text, _) = run(lines, false);
    assert!(code == Some(1) && text.starts_with("unreachable unlock\nTRUE") && text.contains("\nunreachable lock\nFALSE"), "{text}");
    for (bad, part) in [("automaton x\nstate s\n    jump lock -> s\n", "a.spec: line 3: `jump`"), ("nothing", "no automaton")] {
        let (code, _, said) = run(bad, false);
        assert!(code == Some(3) && said.contains(part), "{said}");
    }
}
