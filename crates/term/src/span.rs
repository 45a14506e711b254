//! Source positions in the user's own coordinates.
//!
//! A preprocessed file carries line markers (`# 12 "f.c"`); the lexer applies them, so a [`Span`] always names the file
//! and line the user wrote. Files are interned in a [`SourceMap`]; a span is three words and `Copy`.

use std::fmt;

/// Index of a source file name in a [`SourceMap`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct FileId(pub u32);

/// The position of the first character of a construct: file, line and column, both counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Span {
    /// The file, as named by the closest line marker.
    pub file: FileId,
    /// Line, counted from 1; 0 means "no position" (generated code).
    pub line: u32,
    /// Column in characters, counted from 1.
    pub col: u32,
}

impl Span {
    /// A span for constructs that no source text stands for.
    pub const NONE: Span = Span { file: FileId(0), line: 0, col: 0 };

    /// Whether this is a position in a source file.
    pub fn is_known(self) -> bool {
        self.line != 0
    }
}

/// The names of the source files of one program.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    names: Vec<String>,
}

impl SourceMap {
    /// An empty map.
    pub fn new() -> Self {
        Self::default()
    }

    /// The index of `name`, new or known.
    pub fn intern(&mut self, name: &str) -> FileId {
        let index = self.names.iter().position(|n| n == name).unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        });
        FileId(index as u32)
    }

    /// The name behind `file`; `<none>` for an index of another map.
    pub fn name(&self, file: FileId) -> &str {
        self.names.get(file.0 as usize).map_or("<none>", String::as_str)
    }

    /// `file:line:column`, as compilers print it.
    pub fn show(&self, span: Span) -> impl fmt::Display + '_ {
        struct Show<'a>(&'a SourceMap, Span);
        impl fmt::Display for Show<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                if self.1.is_known() {
                    write!(f, "{}:{}:{}", self.0.name(self.1.file), self.1.line, self.1.col)
                } else {
                    f.write_str("<generated>")
                }
            }
        }
        Show(self, span)
    }
}
