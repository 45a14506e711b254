//! The command line from outside: messages and exit codes.

mod support;

use support::{plumb, Scratch};

fn run(args: &[&str]) -> (i32, String, String) {
    let out = plumb().args(args).output().unwrap();
    let text = |b: &[u8]| String::from_utf8_lossy(b).into_owned();
    (out.status.code().unwrap_or(-1), text(&out.stdout), text(&out.stderr))
}

#[test]
fn help_version_and_configurations() {
    let (code, out, _) = run(&["--help"]);
    assert!(code == 0 && out.contains("check") && out.contains("run") && !out.contains("worker"), "{out}");
    let (code, out, _) = run(&["--version"]);
    assert_eq!((code, out.trim()), (0, concat!("plumb ", env!("CARGO_PKG_VERSION"))));
    let (code, out, _) = run(&["configs"]);
    assert!(code == 0 && out.contains("bmc") && out.contains("kinduction"), "{out}");
    let (code, out, _) = run(&["check", "--help"]);
    for option in [
        "--property",
        "--data-model",
        "--signed-overflow",
        "--integers",
        "--malloc",
        "--config",
        "--time",
        "--memory",
        "--jobs",
        "--witness",
        "--test",
        "--json",
        "--statistics",
        "--dot",
    ] {
        assert!(code == 0 && out.contains(option), "{option} in {out}");
    }
}

#[test]
fn bad_usage_is_three() {
    for args in [
        &["check"][..],
        &["check", "--nonsense", "a.c"],
        &["check", "no-such-file.c"],
        &["check", "a.c", "--time", "0"],
        &["check", "a.c", "--config", "nonsense"],
        &["check", "a.c", "--property", "no-such.prp"],
        &["frobnicate"],
        &[],
    ] {
        let (code, out, err) = run(args);
        assert!(code == 3 && out.is_empty() && !err.is_empty(), "{args:?}: {code} {out} {err}");
    }
}

#[test]
fn broken_input_is_located() {
    let dir = Scratch::new("broken");
    let yaml = dir.file("t.yml", "format_version: '2.0'\ninput_files: [a.c\n");
    let (code, _, err) = run(&["check", yaml.to_str().unwrap()]);
    assert!(code == 3 && err.contains("t.yml:"), "{err}");
    let c = dir.file("b.c", "int main(void) {\n  return 0\n}\n");
    let (code, _, err) = run(&["check", c.to_str().unwrap()]);
    assert!(code == 3 && err.contains("b.c:3:1"), "{code} {err}");
    let missing = dir.file("m.c", "#include \"no-such-header.h\"\nint main(void) { return 0; }\n");
    let (code, _, err) = run(&["check", missing.to_str().unwrap()]);
    assert!(code == 3 && err.contains("no-such-header.h"), "{code} {err}");
}

#[test]
fn properties() {
    let dir = Scratch::new("properties");
    let c = dir.file("p.c", "void a(void); void b(void);\nint main(void) { a(); return 0; }\n");
    let overflow = dir.file("o.prp", "CHECK( init(main()), LTL(G ! overflow) )\n");
    let (code, out, _) = run(&["check", c.to_str().unwrap(), "--property", overflow.to_str().unwrap()]);
    assert!(code == 2 && out.starts_with("UNKNOWN: the property is not supported"), "{out}");
    for (function, expected) in [("a", 1), ("b", 0)] {
        let prp = dir.file(&format!("{function}.prp"), format!("CHECK( init(main()), LTL(G ! call({function}())) )\n"));
        let (code, out, err) = run(&["check", c.to_str().unwrap(), "--property", prp.to_str().unwrap()]);
        assert_eq!(code, expected, "{function}: {out}{err}");
    }
}

#[test]
fn a_task_definition_names_files_property_and_model() {
    let dir = Scratch::new("task");
    dir.file("one.c", "extern void reach_error(void);\nextern int f(void);\nint main(void) { if (f() != 8) reach_error(); return 0; }\n");
    dir.file("two.c", "int f(void) { return sizeof(long); }\n");
    dir.file("unreach.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n");
    let task = |model: &str| {
        let text = format!("format_version: '2.0'\ninput_files: ['one.c', 'two.c']\nproperties:\n  - property_file: unreach.prp\n    expected_verdict: true\noptions:\n  language: C\n  data_model: {model}\n");
        dir.file(&format!("{model}.yml"), text)
    };
    let (code, out, err) = run(&["check", task("LP64").to_str().unwrap()]);
    assert_eq!(code, 0, "{out}{err}");
    let (code, out, err) = run(&["check", task("ILP32").to_str().unwrap()]);
    assert_eq!(code, 1, "{out}{err}");
}

#[test]
fn json_says_what_the_text_says() {
    let dir = Scratch::new("json");
    let text = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\nint main(void) {\n  int x = __VERIFIER_nondet_int();\n  if (x == 17)\n    reach_error();\n  return 0;\n}\n";
    let c = dir.file("j.c", text);
    let (code, out, _) = run(&["check", c.to_str().unwrap(), "--json"]);
    let v: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(code, 1);
    assert_eq!(v["verdict"], "false");
    assert_eq!(v["position"]["line"], 6);
    assert_eq!(v["inputs"][0]["value"], "17");
    assert_eq!(v["inputs"][0]["name"], "__VERIFIER_nondet_int");
    assert!(v["path"].as_array().unwrap().iter().any(|s| s["assigned"][0]["name"] == "x" && s["assigned"][0]["value"] == "17"), "{out}");
    let (_, out, _) = run(&["check", c.to_str().unwrap()]);
    assert!(out.starts_with("FALSE") && out.contains("x = 17") && out.contains("j.c:6:5"), "{out}");
}

#[test]
fn programs_run() {
    let dir = Scratch::new("run");
    let c = dir.file("r.c", "#include <stdio.h>\nextern int __VERIFIER_nondet_int(void);\nint main(void) { int x = __VERIFIER_nondet_int(); printf(\"%d\\n\", x + 1); return 5; }\n");
    let input = dir.file("in.txt", "41\n");
    let (code, out, err) = run(&["run", c.to_str().unwrap(), "--input", input.to_str().unwrap()]);
    assert_eq!((code, out.as_str()), (5, "42\n"), "{err}");
    let ub = dir.file("u.c", "int a[3];\nint main(void) {\n  int i = 3;\n  return a[i];\n}\n");
    let (code, _, err) = run(&["run", ub.to_str().unwrap()]);
    assert!(code == 125 && err.contains("u.c:4"), "{code} {err}");
}

#[test]
fn automata_are_printed() {
    let dir = Scratch::new("cfa");
    let c = dir.file("c.c", "int main(void) { int i = 0; while (i < 3) i++; return i; }\n");
    let (code, out, _) = run(&["cfa", c.to_str().unwrap()]);
    assert!(code == 0 && out.contains("function main"), "{out}");
    let (code, out, _) = run(&["cfa", "--dot", c.to_str().unwrap()]);
    assert!(code == 0 && out.starts_with("digraph") && out.trim_end().ends_with('}'), "{out}");
}

const COUNT: &str = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), i = 0, j = 0;
  if (n > 1000) return 0;
  while (i < n) { i++; j++; }
  if (i != j) reach_error();
  return 0;
}
";

const SPLIT: &str = r#"extern char *strtok(char *, const char *); char a[4] = "abc"; if (i == 3) strtok(a, "b"); if (a[0] != 'a')"#;

#[test]
fn figures_of_the_engines() {
    let dir = Scratch::new("figures");
    let c = dir.file("count.c", COUNT);
    let (code, out, _) = run(&["check", c.to_str().unwrap(), "--config", "ufo-oct", "--json"]);
    assert_eq!(code, 0, "{out}");
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    let figure = |json: &serde_json::Value, name: &str| {
        let pairs = json["statistics"].as_array().unwrap();
        pairs.iter().find(|p| p[0] == name).unwrap_or_else(|| panic!("{name} in {json}"))[1].clone()
    };
    assert_eq!(figure(&json, "configuration"), "ufo-oct");
    assert_eq!(figure(&json, "post"), "octagons");
    assert_eq!(figure(&json, "iterations"), 1);
    assert_eq!(figure(&json, "refinements"), 0);
    assert!(figure(&json, "nodes").as_u64().unwrap() >= 4 && figure(&json, "covered nodes").as_u64().unwrap() >= 1);
    assert!(figure(&json, "solver questions").as_u64().unwrap() > 0);
    let total = json["wall_seconds"].as_f64().unwrap();
    let [search, post, check] = ["search seconds", "post seconds", "check seconds"].map(|n| figure(&json, n).as_f64().unwrap());
    assert!(post <= search && search + check <= total + 0.01 && check > 0.0, "{json}");

    // Without an answer, too: behind the loop there is a call that plumb does not know.
    let c = dir.file("split.c", COUNT.replace("if (i != j)", SPLIT));
    let (code, out, _) = run(&["check", c.to_str().unwrap(), "--config", "ufo-cp", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(code, 2, "{out}");
    assert!(figure(&json, "refinements").as_u64().unwrap() > 0 && figure(&json["attempts"][0], "nodes").as_u64().unwrap() > 2, "{out}");

    let (_, out, _) = run(&["check", c.to_str().unwrap(), "--config", "ufo-cp", "--statistics"]);
    assert!(out.contains("Statistics of ufo-cp:\n") && out.contains("interpolation seconds"), "{out}");
}

#[test]
fn graphs_for_every_verdict() {
    let dir = Scratch::new("graphs");
    let graph = dir.file("g.dot", "");
    let check = |text: &str, config: &str| {
        let c = dir.file("g.c", text);
        std::fs::remove_file(&graph).ok();
        let (code, out, _) = run(&["check", c.to_str().unwrap(), "--config", config, "--dot", graph.to_str().unwrap()]);
        (code, out, std::fs::read_to_string(&graph).ok())
    };
    let (code, out, text) = check(COUNT, "ufo-oct");
    let text = text.unwrap();
    assert!(code == 0 && out.contains("Graph: "), "{out}");
    assert!(text.starts_with("digraph arg {") && text.ends_with("}\n"), "{text}");
    for part in ["main, line 5: while (i < n)", "i == j", "n0 -> n", "[style=dashed, color=blue, constraint=false, label=covered]", "error"]
    {
        assert!(text.contains(part), "{part} in {text}");
    }
    // Every edge is one of known nodes.
    let nodes = text.lines().filter(|l| l.contains("[label=\"")).count();
    for line in text.lines().filter(|l| l.contains(" -> ")) {
        let ends = line.split(|c: char| !c.is_ascii_digit()).filter(|d| !d.is_empty()).take(2);
        assert!(ends.map(|d| d.parse::<usize>().unwrap()).all(|i| i < nodes), "{line}");
    }
    let (code, _, text) = check(&COUNT.replace("i != j", "i == 3"), "ufo");
    assert!(code == 1 && text.is_some_and(|t| t.contains("color=red")));
    let (code, out, text) = check(&COUNT.replace("if (i != j)", SPLIT), "ufo-cp");
    let text = text.unwrap_or_default();
    assert!(code == 2 && text.contains("while (i < n)"), "{code} {out} {text}");
    let (code, out, text) = check("int main(void) { return 0; }\n", "kinduction");
    assert!(code != 3 && text.is_none() && out.contains("No graph was written"), "{out}");
}

#[test]
fn a_choice_is_said_with_its_reason() {
    let dir = Scratch::new("choice");
    let c = dir.file("count.c", COUNT);
    let (code, out, _) = run(&["check", c.to_str().unwrap(), "--config", "ufo-auto"]);
    assert!(code == 0 && out.contains("Note: POST is computed with polyhedra, as 3 of the 3 variables"), "{out}");
    let (_, out, _) = run(&["check", c.to_str().unwrap(), "--config", "ufo-auto", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert!(json["remarks"][0].as_str().unwrap().starts_with("POST is computed with polyhedra"), "{out}");
}

#[test]
fn the_invariant_of_figure_1_is_printed() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/corpus/dagger_figure_1.c");
    let (code, out, _) = run(&["check", file, "--config", "dagger", "--integers", "ideal", "--time", "60", "--memory", "4G"]);
    assert_eq!(code, 0, "{out}");
    for line in ["x <= y", "y <= 100 * x", "10 * w == z"] {
        assert!(out.lines().any(|l| l.trim() == line), "{line} in {out}");
    }
}
