//! The user's text behind the positions of a program.
//!
//! A preprocessed input carries line markers; the text of `f.c:12` is then the physical line that the markers call so. Columns
//! count characters: bytes that do not continue a UTF-8 sequence.

use plumb_term::{SourceMap, Span};
use std::borrow::Cow;
use std::collections::HashMap;

/// One input file.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// Its name, as given by the user.
    pub name: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// The input files and where each logical line is in them.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<SourceFile>,
    /// Per logical file name: line → (input, first byte, line in the input).
    lines: HashMap<String, HashMap<u32, (usize, usize, u32)>>,
}

/// A place in an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// Index of the input.
    pub file: usize,
    /// Byte offset.
    pub offset: usize,
}

impl Sources {
    /// Indexes the inputs.
    pub fn new(files: Vec<SourceFile>) -> Sources {
        let mut lines: HashMap<String, HashMap<u32, (usize, usize, u32)>> = HashMap::new();
        for (index, file) in files.iter().enumerate() {
            let mut name = file.name.clone();
            let mut here = lines.remove(&name).unwrap_or_default();
            let (mut line, mut start) = (1u32, 0usize);
            for (number, raw) in (1u32..).zip(file.bytes.split_inclusive(|b| *b == b'\n')) {
                if let Some((next, new_name)) = marker(raw) {
                    if let Some(new_name) = new_name.filter(|n| *n != name) {
                        lines.insert(name, here);
                        here = lines.remove(&new_name).unwrap_or_default();
                        name = new_name;
                    }
                    line = next;
                } else {
                    here.entry(line).or_insert((index, start, number));
                    line = line.saturating_add(1);
                }
                start += raw.len();
            }
            lines.insert(name, here);
        }
        Sources { files, lines }
    }

    /// The inputs.
    pub fn files(&self) -> &[SourceFile] {
        &self.files
    }

    /// The place of a position.
    pub fn place(&self, map: &SourceMap, span: Span) -> Option<Place> {
        let (file, start, _) = *self.lines.get(map.name(span.file))?.get(&span.line)?;
        let mut chars = 0;
        let rest = &self.files[file].bytes[start..];
        let within = rest.iter().take_while(|b| **b != b'\n').position(|b| {
            chars += u32::from(b & 0xc0 != 0x80);
            chars == span.col
        });
        within.map(|i| Place { file, offset: start + i })
    }

    /// The bytes of the input that holds a place.
    pub fn text(&self, place: Place) -> &[u8] {
        &self.files[place.file].bytes
    }

    /// The input and the line in it, from 1, that markers call `file:line`.
    pub fn physical(&self, file: &str, line: u32) -> Option<(usize, u32)> {
        self.lines.get(file)?.get(&line).map(|(index, _, number)| (*index, *number))
    }

    /// The source line of a position, without surrounding blanks.
    pub fn line(&self, map: &SourceMap, span: Span) -> Option<Cow<'_, str>> {
        let (file, start, _) = *self.lines.get(map.name(span.file))?.get(&span.line)?;
        let rest = &self.files[file].bytes[start..];
        let len = rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len());
        let line = rest[..len].trim_ascii();
        Some(String::from_utf8_lossy(&line[..line.len().min(400)]))
    }

    /// The column and line, counted from 1 and relative to `span`'s line numbering, of a place after `span` in the same input.
    pub fn position_after(&self, map: &SourceMap, span: Span, offset: usize) -> Option<(u32, u32)> {
        let place = self.place(map, span)?;
        let between = self.text(place).get(place.offset..offset)?;
        let chars = |bytes: &[u8]| bytes.iter().filter(|b| **b & 0xc0 != 0x80).count() as u32;
        match between.iter().rposition(|b| *b == b'\n') {
            None => Some((span.line, span.col + chars(between))),
            Some(last) => {
                let newlines = between.iter().filter(|b| **b == b'\n').count() as u32;
                Some((span.line + newlines, chars(&between[last + 1..]) + 1))
            }
        }
    }
}

/// `# 12 "f.c"` or `#line 12 "f.c"`; without a name, the file stays.
fn marker(raw: &[u8]) -> Option<(u32, Option<String>)> {
    let rest = raw.trim_ascii().strip_prefix(b"#")?.trim_ascii_start();
    let rest = rest.strip_prefix(b"line").unwrap_or(rest).trim_ascii_start();
    let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
    let line = std::str::from_utf8(&rest[..digits]).ok()?.parse().ok()?;
    let Some(rest) = rest[digits..].trim_ascii_start().strip_prefix(b"\"") else { return Some((line, None)) };
    let end = rest.iter().position(|b| *b == b'"')?;
    Some((line, Some(String::from_utf8_lossy(&rest[..end]).replace("\\\\", "\\"))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str) -> (Sources, SourceMap) {
        (Sources::new(vec![SourceFile { name: "a.c".into(), bytes: text.into() }]), SourceMap::new())
    }

    #[test]
    fn lines_and_columns_are_the_users() {
        let (s, mut map) = one("int x;\n  ä = 1;\n");
        let file = map.intern("a.c");
        let span = Span { file, line: 2, col: 5 };
        assert_eq!(s.line(&map, span).unwrap(), "ä = 1;");
        let p = s.place(&map, span).unwrap();
        assert_eq!(s.text(p)[p.offset], b'=');
        assert_eq!(s.place(&map, Span { col: 40, ..span }), None);
        assert_eq!(s.position_after(&map, Span { file, line: 1, col: 1 }, p.offset), Some((2, 5)));
    }

    #[test]
    fn line_markers_rename_lines() {
        let (s, mut map) = one("# 1 \"u.c\"\nint a;\n# 10 \"u.h\" 1\nint h;\n# 2 \"u.c\" 2\nint b;\n");
        let (u, h) = (map.intern("u.c"), map.intern("u.h"));
        assert_eq!(s.line(&map, Span { file: u, line: 2, col: 1 }).unwrap(), "int b;");
        assert_eq!(s.line(&map, Span { file: h, line: 10, col: 1 }).unwrap(), "int h;");
        assert_eq!(s.line(&map, Span { file: h, line: 11, col: 1 }), None);
        assert_eq!((s.physical("u.c", 2), s.physical("u.h", 10), s.physical("u.c", 9)), (Some((0, 6)), Some((0, 4)), None));
        let (s, mut map) = one("int a;\n#line 7\nint b;\n");
        let a = map.intern("a.c");
        assert_eq!(s.line(&map, Span { file: a, line: 7, col: 1 }).unwrap(), "int b;");
        assert_eq!(s.line(&map, Span { file: a, line: 2, col: 1 }), None);
    }
}
