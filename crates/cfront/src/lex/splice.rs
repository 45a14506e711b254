//! Line continuations: a backslash before the end of a line joins it with the next one, even within a token.
//!
//! Preprocessed input has none, so the rare file that does is copied without them before it is read, together with the
//! places where a physical line began; the lexer itself never meets one.

use std::borrow::Cow;

/// The source without line continuations, and the offsets in it at which a physical line starts without a newline.
pub(crate) fn splice(src: &[u8]) -> (Cow<'_, [u8]>, Vec<usize>) {
    let Some(first) = next_continuation(src, 0) else { return (Cow::Borrowed(src), Vec::new()) };
    let mut text = Vec::with_capacity(src.len());
    let mut starts = Vec::new();
    let mut from = 0;
    let mut found = Some(first);
    while let Some((at, resume)) = found {
        text.extend_from_slice(&src[from..at]);
        starts.push(text.len());
        from = resume;
        found = next_continuation(src, from);
    }
    text.extend_from_slice(&src[from..]);
    (Cow::Owned(text), starts)
}

/// The next continuation at or after `from`: where its backslash is and where the next line starts. As in gcc, blanks
/// may stand between backslash and newline.
fn next_continuation(src: &[u8], from: usize) -> Option<(usize, usize)> {
    let mut at = from;
    while let Some(offset) = src[at..].iter().position(|&b| b == b'\\') {
        let backslash = at + offset;
        let mut end = backslash + 1;
        while matches!(src.get(end), Some(b' ' | b'\t' | b'\r')) {
            end += 1;
        }
        if src.get(end) == Some(&b'\n') {
            return Some((backslash, end + 1));
        }
        at = end;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joins_lines_and_remembers_where() {
        let (text, starts) = splice(b"ab\\\ncd\\n \\ \r\n\\x\n");
        assert_eq!(&*text, b"abcd\\n \\x\n");
        assert_eq!(starts, [2, 7]);
        assert!(matches!(splice(b"a \\ b"), (Cow::Borrowed(_), _)));
    }
}
