//! How a test notices that the error is reached.

use super::edit::Edits;
use super::support::Support;
use crate::execution::Execution;
use crate::scan::{self, Scanner, TokenKind};
use crate::source::Place;
use crate::subject::Subject;

/// Makes the error call `plumb_reached`.
pub(super) fn detect(subject: &Subject<'_>, execution: &Execution, support: &mut Support<'_>, edits: &mut Edits) -> Result<(), String> {
    support.function("__VERIFIER_assume", "void", "int condition", "if (!condition) plumb_exit(0);");
    for name in ["__VERIFIER_atomic_begin", "__VERIFIER_atomic_end"] {
        support.function(name, "void", "void", "");
    }
    let called: Vec<&str> = subject.error_functions.iter().map(String::as_str).filter(|n| support.is_mentioned(n)).collect();
    if let Some(label) = subject.program.function(execution.func).graph.loc(execution.loc).label.as_deref() {
        if called.is_empty() {
            return label_marker(subject, label, edits);
        }
    }
    if called.is_empty() {
        assertion(support, &[]);
        return Ok(());
    }
    for name in called {
        match body(subject, name) {
            None => support.function(name, "void", "void", "plumb_reached();"),
            Some((_, true)) => assertion(support, &[name]),
            Some((place, false)) => edits.insert(Place { offset: place.offset + 1, ..place }, " plumb_reached();".to_owned()),
        }
    }
    Ok(())
}

/// The opening brace of a function's body, and whether the body fails an assertion.
fn body(subject: &Subject<'_>, name: &str) -> Option<(Place, bool)> {
    subject.sources.files().iter().enumerate().find_map(|(file, f)| {
        let (open, close) = scan::function_body(&f.bytes, name)?;
        let inner = &f.bytes[open..close];
        let asserts = ["assert", "__assert_fail"].iter().any(|n| scan::mentions(inner, n));
        Some((Place { file, offset: open }, asserts))
    })
}

/// Failing assertions (in the named functions, or anywhere) are the error; all others end the test as they would anyway.
fn assertion(support: &mut Support<'_>, functions: &[&str]) {
    let tests: Vec<String> = functions.iter().map(|f| format!("plumb_same(function, \"{f}\")")).collect();
    let test = if tests.is_empty() { "1".to_owned() } else { tests.join(" || ") };
    if !tests.is_empty() {
        support.define("static int plumb_same(const char *a, const char *b) { while (*a && *a == *b) a++, b++; return *a == *b; }\n");
    }
    let parameters = "const char *condition, const char *file, unsigned line, const char *function";
    let unused = "(void)condition; (void)file; (void)line; (void)function;";
    support.function("__assert_fail", "void", parameters, &format!("{unused} if ({test}) plumb_reached(); plumb_abort();"));
}

/// Marks every label of that name. The statement after it becomes the body of a loop that is never entered, so that the
/// marker stays one statement with it.
fn label_marker(subject: &Subject<'_>, label: &str, edits: &mut Edits) -> Result<(), String> {
    let mut found = false;
    for (file, f) in subject.sources.files().iter().enumerate() {
        let tokens: Vec<_> = Scanner::new(&f.bytes, 0).collect();
        for pair in tokens.windows(2) {
            let is_label = pair[0].kind == TokenKind::Ident && &f.bytes[pair[0].start..pair[0].end] == label.as_bytes();
            if is_label && pair[1].kind == TokenKind::Punct(b':') {
                edits.insert(Place { file, offset: pair[1].end }, " for (plumb_reached();;)".to_owned());
                found = true;
            }
        }
    }
    if found {
        Ok(())
    } else {
        Err(format!("the label {label} was not found in the source text"))
    }
}
