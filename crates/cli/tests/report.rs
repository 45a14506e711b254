//! `--report`: the page is whole without a browser, and works in one where there is one.
//!
//! The browser test needs Chromium, node and playwright-core (`npm install --prefix .deps/npm playwright-core`); without them it says
//! so and does nothing. `PLUMB_SCREENSHOTS=DIR` lets it take the pictures of `docs/`.

mod support;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use support::{plumb, Scratch};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The page about a program.
fn report(dir: &Scratch, program: &Path, kind: &str, extra: &[&str]) -> PathBuf {
    let page = dir.0.join(format!("{kind}.html"));
    let mut command = plumb();
    command.arg("check").arg(program).args(["--memory", "2G", "--report"]).arg(&page).args(extra).current_dir(root());
    let out = command.output().unwrap();
    assert!(out.status.code().is_some_and(|c| c <= 2), "{out:?}");
    page
}

/// Some two thousand lines: many functions with loops and branches, and one function with a great many of them.
fn large() -> String {
    let mut out = String::from("void reach_error(void);\nint __VERIFIER_nondet_int(void);\nint g;\n");
    for i in 0..120 {
        let _ = writeln!(out, "int f{i}(int x) {{\n    int s = 0;\n    for (int i = 0; i < 3; i++) {{\n        if (x > i + {i})\n            s += i;\n        else\n            s -= 1;\n    }}\n    return s;\n}}\n");
    }
    out.push_str("int main(void) {\n    int x = __VERIFIER_nondet_int();\n");
    for i in 0..120 {
        let _ = writeln!(out, "    while (x < {i}) {{\n        x++;\n        if (x == 7)\n            g = f{i}(x);\n    }}");
    }
    out.push_str("    if (g > 1000)\n        reach_error();\n    return 0;\n}\n");
    out
}

#[test]
fn pages_are_whole_and_work_in_a_browser() {
    let dir = Scratch::new("report");
    // What intervals cannot tell: that the two counters are equal.
    let unknown = dir.file("u.c", "unsigned __VERIFIER_nondet_uint(void); void reach_error(void);\nint main(void) {\n    unsigned n = __VERIFIER_nondet_uint(), x = 0, y = 0;\n    while (x < n) {\n        x++;\n        y++;\n    }\n    if (x != y)\n        reach_error();\n    return 0;\n}\n");
    let text = large();
    assert!(text.lines().count() > 1900, "{}", text.lines().count());
    let large = dir.file("large.c", text);
    let pages = [
        ("safe", report(&dir, Path::new("examples/lock.c"), "safe", &["--time", "20"])),
        ("unsafe", report(&dir, Path::new("examples/search.c"), "unsafe", &["--time", "20"])),
        ("arg", report(&dir, Path::new("examples/lock.c"), "arg", &["--time", "20", "--config", "ufo"])),
        ("unknown", report(&dir, &unknown, "unknown", &["--time", "20", "--config", "interval"])),
        ("large", report(&dir, &large, "large", &["--time", "2", "--config", "interval"])),
    ];
    for (kind, page) in &pages {
        let text = std::fs::read_to_string(page).unwrap();
        for left in ["@DATA@", "@SCRIPT@", "@STYLE@", "src=\"http", "href="] {
            assert!(!text.contains(left), "{kind}: {left}");
        }
        let data = text.split_once("id=\"data\">").and_then(|(_, r)| r.split_once("</script>")).unwrap().0;
        let json: serde_json::Value = serde_json::from_str(data).unwrap();
        assert!(json["files"][0]["text"].as_str().unwrap().contains("int main"), "{kind}");
        let graphs = json["graphs"].as_array().unwrap();
        assert!(!graphs.is_empty(), "{kind}");
        for g in graphs {
            let n = g["nodes"].as_array().unwrap().len() as u64;
            assert!(g["edges"].as_array().unwrap().iter().all(|e| e[0].as_u64().unwrap() < n && e[1].as_u64().unwrap() < n), "{kind}");
        }
    }
    let modules = root().join(".deps/npm/node_modules/playwright-core");
    let playwright = std::env::var_os("PLAYWRIGHT_CORE").map_or(modules, PathBuf::from);
    let chromium = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].into_iter().find(|p| Path::new(p).exists());
    let (Some(chromium), true) = (chromium, playwright.join("index.mjs").exists()) else {
        eprintln!("skipped in a browser: Chromium or playwright-core is missing");
        return;
    };
    let mut command = Command::new("node");
    command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser/report.mjs")).arg(chromium).arg(&playwright);
    if let Some(shots) = std::env::var_os("PLUMB_SCREENSHOTS") {
        command.arg("--shots").arg(shots);
    }
    command.args(pages.iter().map(|(kind, page)| format!("{kind}={}", page.display())));
    let out = command.output().unwrap();
    assert!(out.status.success(), "{}{}", String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
}
