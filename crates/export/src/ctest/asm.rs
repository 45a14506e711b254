//! Outputs of `asm` statements: the test assigns them instead of executing the statement.
//!
//! `asm("…" : "=a"(x))` becomes `while (({ x = value(); 0; })) asm("…" : "=a"(x));` in the copy of the source: one statement as before, without
//! a dangling `else`, and the instructions need only assemble.

use super::edit::Edits;
use super::support::{c_type, listed, Support};
use crate::scan::{Scanner, Token, TokenKind};
use crate::source::Place;
use crate::subject::Subject;
use plumb_cfa::interp::Event;
use plumb_cfa::{EdgeId, FuncId};
use plumb_term::eval::Value;
use plumb_term::Scalar;
use std::collections::BTreeMap;

/// The values of each output, by the edge that takes them.
#[derive(Debug, Default)]
pub(super) struct Outputs {
    values: BTreeMap<(FuncId, EdgeId), (Scalar, Vec<Value>)>,
}

impl Outputs {
    /// One more value.
    pub(super) fn add(&mut self, event: &Event, ty: Scalar, value: &Value) {
        if let Some(edge) = event.edge {
            self.values.entry((event.func, edge)).or_insert((ty, Vec::new())).1.push(value.clone());
        }
    }

    /// Puts the assignments before the statements.
    pub(super) fn write(self, subject: &Subject<'_>, support: &mut Support<'_>, edits: &mut Edits) -> Result<(), String> {
        let program = subject.program;
        let missing = || "the path depends on the outputs of an asm statement that was not found in the source text".to_owned();
        // By statement: the assignments in the order of the operands.
        let mut statements: BTreeMap<(usize, usize), BTreeMap<usize, String>> = BTreeMap::new();
        for ((func, edge), (ty, values)) in self.values {
            let place = subject.sources.place(&program.sources, program.function(func).graph.edge(edge).span).ok_or_else(missing)?;
            let text = subject.sources.text(place);
            let start = statement(text, place.offset).ok_or_else(missing)?;
            let target = operand(text, place.offset).ok_or_else(missing)?;
            let name = support.fresh("value");
            support.declare(&format!("{} {name}(void);\n", c_type(ty)));
            support.define(&format!("{} {name}(void) {{ {} }}\n", c_type(ty), listed(&values, ty)));
            // Through an integer, since the target may be a pointer.
            let cast = format!("{target} = (__typeof__({target})){name}();");
            if statements.entry((place.file, start)).or_default().insert(place.offset, cast).is_some() {
                return Err("the path depends on the outputs of an asm statement that several functions share".to_owned());
            }
        }
        for ((file, offset), assignments) in statements {
            let all: Vec<String> = assignments.into_values().collect();
            edits.insert(Place { file, offset }, format!("while (({{ {} 0; }})) ", all.join(" ")));
        }
        Ok(())
    }
}

/// The start of the `asm` statement around an operand.
fn statement(text: &[u8], operand: usize) -> Option<usize> {
    let mut open: Option<(Token, usize)> = None;
    let mut depth = 0usize;
    for t in Scanner::new(text, 0).take_while(|t| t.start < operand) {
        match t.kind {
            TokenKind::Ident if matches!(&text[t.start..t.end], b"asm" | b"__asm" | b"__asm__") => open = Some((t, depth)),
            TokenKind::Punct(b'(' | b'{') => depth += 1,
            TokenKind::Punct(b')' | b'}') => {
                depth = depth.saturating_sub(1);
                if open.is_some_and(|(_, d)| depth <= d) {
                    open = None;
                }
            }
            _ => {}
        }
    }
    open.map(|(t, _)| t.start)
}

/// The expression of the operand that starts at `pos`: `[name] "=r" (expression)`.
fn operand(text: &[u8], pos: usize) -> Option<String> {
    let mut depth = 0usize;
    let mut start = None;
    for t in Scanner::new(text, pos) {
        match (t.kind, start) {
            (TokenKind::Punct(b'('), None) => start = Some(t.end),
            (TokenKind::Punct(b'('), Some(_)) => depth += 1,
            (TokenKind::Punct(b')'), Some(from)) if depth == 0 => {
                return Some(format!("({})", String::from_utf8_lossy(&text[from..t.start]).trim()));
            }
            (TokenKind::Punct(b')'), Some(_)) => depth -= 1,
            (TokenKind::Punct(b':' | b',' | b';' | b')'), None) => return None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_and_operands() {
        let text = b"asm(\"nop\"); x = 1; __asm__ volatile (\"f (\" : \"=a\"(p->x), [b] \"=d\" (a[(i)]) : \"r\"(2));";
        let at = |what: &str| text.windows(what.len()).position(|w| w == what.as_bytes()).unwrap();
        assert_eq!(statement(text, at("\"=a\"")), Some(at("__asm__")));
        assert_eq!(statement(text, at("x = 1")), None);
        assert_eq!(operand(text, at("\"=a\"")).as_deref(), Some("(p->x)"));
        assert_eq!(operand(text, at("[b]")).as_deref(), Some("(a[(i)])"));
        assert_eq!(operand(text, at("x = 1")), None);
    }
}
