//! The arguments of `main`, which the test cannot choose from outside: they are set where its body begins.

use super::edit::Edits;
use super::support::Support;
use crate::scan::{self, Scanner, TokenKind};
use crate::source::Place;
use crate::subject::Subject;
use plumb_term::eval::Value;
use plumb_term::IBig;

/// Where the body of `main` begins, and the names of its parameters.
fn main_body(subject: &Subject<'_>) -> Option<(Place, Vec<String>)> {
    subject.sources.files().iter().enumerate().find_map(|(file, f)| {
        let (open, _) = scan::function_body(&f.bytes, "main")?;
        Some((Place { file, offset: open + 1 }, parameters(&f.bytes, open)?))
    })
}

/// The names of the parameters of the definition of `main` whose body opens at `open`: the last identifier of each.
fn parameters(text: &[u8], open: usize) -> Option<Vec<String>> {
    let (mut names, mut last, mut depth) = (Vec::new(), None, 0usize);
    let mut started = false;
    let mut found = None;
    for t in Scanner::new(text, 0).take_while(|t| t.start < open) {
        let word = &text[t.start..t.end];
        match t.kind {
            TokenKind::Ident if depth == 0 => started = word == b"main",
            TokenKind::Punct(b'(') if started || depth > 0 => {
                if depth == 0 {
                    names.clear();
                    last = None;
                }
                depth += 1;
            }
            TokenKind::Punct(b')') if depth > 0 => {
                depth -= 1;
                if depth == 0 {
                    names.extend(last.take());
                    found = Some(names.clone());
                    started = false;
                }
            }
            TokenKind::Punct(b',') if depth == 1 => names.extend(last.take()),
            TokenKind::Ident => last = Some(String::from_utf8_lossy(word).into_owned()),
            _ => {}
        }
    }
    found
}

/// Sets the number of arguments. A test that is started alone has one.
pub(super) fn argument_count(subject: &Subject<'_>, value: &Value, support: &mut Support<'_>, edits: &mut Edits) -> Result<(), String> {
    let Value::Int(count) = value else { return Ok(()) };
    if *count == IBig::ONE {
        return Ok(());
    }
    let missing = || "the definition of main was not found in the source text".to_owned();
    let (place, names) = main_body(subject).ok_or_else(missing)?;
    let name = names.first().ok_or_else(missing)?;
    let set = support.fresh("set");
    support.declare(&format!("void {set}(int *);\n"));
    support.define(&format!("void {set}(int *count) {{ *count = {count}; }}\n"));
    edits.insert(place, format!(" {set}((int *)&{name});"));
    Ok(())
}

/// Puts an array with these bytes in the place of the `nth` argument.
pub(super) fn argument_vector(
    subject: &Subject<'_>,
    nth: usize,
    size: u64,
    bytes: &[(u64, u8)],
    support: &mut Support<'_>,
    edits: &mut Edits,
) -> Result<(), String> {
    let missing = || "the definition of main was not found in the source text".to_owned();
    let (place, names) = main_body(subject).ok_or_else(missing)?;
    let name = names.get(nth).ok_or_else(missing)?;
    let set = support.fresh("set");
    let list: String = bytes.iter().map(|(at, b)| format!(" [{at}] = {b},")).collect();
    support.declare(&format!("void {set}(void *);\n"));
    support.define(&format!(
        "void {set}(void *argument) {{ static unsigned char vector[{size}] __attribute__((aligned(16))) = {{{list} }}; \
         *(void **)argument = vector; }}\n"
    ));
    edits.insert(place, format!(" {set}((void *)&{name});"));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        let (open, _) = scan::function_body(text.as_bytes(), "main").unwrap();
        parameters(text.as_bytes(), open).unwrap()
    }

    #[test]
    fn parameters_of_main() {
        assert_eq!(names("int f(int x) { main(1); } int main(int n, char *v[]) { }"), ["n", "v"]);
        assert_eq!(names("int main(argc, argv) int argc; char **argv; { }"), ["argc", "argv"]);
        assert_eq!(names("int main(int); int main(int count) { }"), ["count"]);
    }
}
