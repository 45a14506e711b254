//! The way in: source files to a program.

use plumb_cfa::{Program, Semantics};
use plumb_term::{SourceMap, Span};

use crate::weave::{self, Weave};
use crate::{library, lower, parse, preprocess, Diagnostic, Interner};

/// A source file.
#[derive(Clone, Debug)]
pub struct Input {
    /// Its name, for positions (and for finding its includes).
    pub name: String,
    /// Its contents.
    pub bytes: Vec<u8>,
}

/// What counts as the error.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum ErrorSpec {
    /// A call of `reach_error` or `__VERIFIER_error`; in a program that mentions neither, a failing `assert` or the label `ERROR`.
    #[default]
    Default,
    /// A call of one of these functions.
    Calls(Vec<String>),
}

/// How to read the program.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The meaning of integers, sizes and allocation.
    pub semantics: Semantics,
    /// The property.
    pub property: ErrorSpec,
}

/// Why there is no program: a message with the names of its files.
#[derive(Clone, Debug)]
pub struct LoadError {
    /// What is wrong, and where.
    pub diagnostic: Diagnostic,
    /// The files that the position may be in.
    pub sources: SourceMap,
}

impl std::fmt::Display for LoadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.diagnostic.show(&self.sources).fmt(f)
    }
}

impl std::error::Error for LoadError {}

/// Parses, links and lowers the inputs to one program. Files with preprocessor directives go through the system compiler first.
pub fn load(inputs: &[Input], options: &Options) -> Result<Program, Box<LoadError>> {
    load_woven(inputs, options, &Weave::default()).map(|(program, _)| program)
}

/// The same with a witness woven in; beside the program, which of the probes have no place in it.
pub fn load_woven(inputs: &[Input], options: &Options, weave: &Weave) -> Result<(Program, Vec<usize>), Box<LoadError>> {
    let mut sources = SourceMap::new();
    let mut names = Interner::new();
    match load_into(inputs, options, weave, &mut sources, &mut names) {
        Ok(program) => Ok(program),
        Err(diagnostic) => Err(Box::new(LoadError { diagnostic, sources })),
    }
}

fn load_into(
    inputs: &[Input],
    options: &Options,
    weave: &Weave,
    sources: &mut SourceMap,
    names: &mut Interner,
) -> Result<(Program, Vec<usize>), Diagnostic> {
    let mut trees = Vec::with_capacity(inputs.len() + 1);
    for input in inputs {
        if crate::needs_preprocessor(&input.bytes) {
            let text = preprocess::preprocess(&input.name, &input.bytes, options.semantics.model)
                .map_err(|message| Diagnostic::invalid(Span { file: sources.intern(&input.name), line: 1, col: 1 }, message))?;
            trees.push(parse::parse(&text, &input.name, sources, names)?);
        } else {
            trees.push(parse::parse(&input.bytes, &input.name, sources, names)?);
        }
    }
    let unplaced = weave_into(&mut trees, weave, sources, names)?;
    trees.push(parse::parse(library::SOURCE.as_bytes(), library::NAME, sources, names)?);
    let map = sources.clone();
    let names: &Interner = names;
    let lowered = parse::on_deep_stack(|| {
        let result = lower::lower(&trees, names, map, options.semantics, &options.property, weave);
        // Trees are as deep as the parser allows: drop them where the stack is.
        drop(trees);
        result
    });
    match lowered {
        Ok(program) => {
            let program = program.map_err(|error| *error)?;
            debug_assert_eq!(plumb_cfa::validate::validate(&program), Ok(()));
            Ok((program, unplaced))
        }
        Err(error) => Err(Diagnostic::unsupported(Span::NONE, format!("no thread to lower in: {error}"))),
    }
}

/// Weaves into all trees; the probes that found no place in any.
fn weave_into(
    trees: &mut [crate::ast::TranslationUnit],
    weave: &Weave,
    sources: &mut SourceMap,
    names: &mut Interner,
) -> Result<Vec<usize>, Diagnostic> {
    if weave.probes.is_empty() {
        return Ok(Vec::new());
    }
    let woven = parse::on_deep_stack(|| -> Result<Vec<bool>, Box<Diagnostic>> {
        let mut placed = vec![false; weave.probes.len()];
        for tree in trees {
            let here = weave::weave(tree, weave, sources, names)?;
            placed.iter_mut().zip(here).for_each(|(p, h)| *p |= h);
        }
        Ok(placed)
    });
    match woven {
        Ok(placed) => Ok(placed.map_err(|e| *e)?.iter().enumerate().filter(|(_, p)| !**p).map(|(i, _)| i).collect()),
        Err(error) => Err(Diagnostic::unsupported(Span::NONE, format!("no thread to weave in: {error}"))),
    }
}
