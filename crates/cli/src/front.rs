//! From file names to a program.

use plumb_cfa::{Program, Semantics};
use plumb_cfront::weave::Weave;
use plumb_cfront::{ErrorSpec, Input, Options, Problem};
use plumb_export::SourceFile;

/// The functions whose call is the error when no property says otherwise.
const DEFAULT_ERRORS: [&str; 2] = ["reach_error", "__VERIFIER_error"];

/// A program and what it came from.
#[derive(Debug)]
pub struct Loaded {
    /// The program.
    pub program: Program,
    /// The user's files.
    pub files: Vec<SourceFile>,
    /// The functions whose call is the error.
    pub error_functions: Vec<String>,
    /// The claims of a witness that have no place in the program.
    pub unplaced: Vec<usize>,
}

/// Why there is no program; a located message.
#[derive(Debug)]
pub enum Failure {
    /// The input is at fault.
    Invalid(String),
    /// Plumb is.
    Unsupported(String),
}

/// Reads and lowers the files.
pub fn load(names: &[String], semantics: Semantics, error_functions: Option<&[String]>) -> Result<Loaded, Failure> {
    load_woven(names, semantics, error_functions, &Weave::default())
}

/// The same with a witness woven in.
pub fn load_woven(names: &[String], semantics: Semantics, error_functions: Option<&[String]>, weave: &Weave) -> Result<Loaded, Failure> {
    let mut inputs = Vec::with_capacity(names.len());
    for name in names {
        let bytes = std::fs::read(name).map_err(|e| Failure::Invalid(format!("{name}: {e}")))?;
        inputs.push(Input { name: name.clone(), bytes });
    }
    let property = error_functions.map_or(ErrorSpec::Default, |f| ErrorSpec::Calls(f.to_vec()));
    let loaded = plumb_cfront::load_woven(&inputs, &Options { semantics, property }, weave);
    let (program, unplaced) = loaded.map_err(|e| match e.diagnostic.problem {
        Problem::Invalid => Failure::Invalid(e.to_string()),
        Problem::Unsupported => Failure::Unsupported(e.to_string()),
    })?;
    let error_functions = error_functions.map_or_else(|| DEFAULT_ERRORS.iter().map(|f| (*f).to_owned()).collect(), <[String]>::to_vec);
    let files = inputs.into_iter().map(|i| SourceFile { name: i.name, bytes: i.bytes }).collect();
    Ok(Loaded { program, files, error_functions, unplaced })
}

/// A program without functions, for reports about nothing.
pub fn empty(semantics: Semantics) -> Program {
    Program {
        semantics,
        sources: plumb_term::SourceMap::new(),
        vars: Vec::new(),
        regions: Vec::new(),
        objects: Vec::new(),
        functions: Vec::new(),
        entry: plumb_cfa::FuncId(0),
        heap_top: plumb_term::VarId(0),
        heap_base: 0,
        externs: Vec::new(),
    }
}
