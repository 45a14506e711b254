//! What is asked: C files, or a task definition in the format of SV-COMP (versions 1.0 and 2.0).

use crate::property::Property;
use plumb_cfa::DataModel;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// A question about a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// The C files.
    pub files: Vec<PathBuf>,
    /// The property.
    pub property: Property,
    /// The data model that a task definition states.
    pub model: Option<DataModel>,
    /// The verdict that it expects.
    pub expected: Option<bool>,
}

#[derive(Debug, Deserialize)]
struct Definition {
    format_version: Option<Version>,
    input_files: OneOrMany,
    #[serde(default)]
    properties: Vec<PropertyEntry>,
    options: Option<Options>,
}

/// People write the version with and without quotes.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Version {
    Text(String),
    Number(f64),
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

#[derive(Debug, Deserialize)]
struct PropertyEntry {
    property_file: String,
    expected_verdict: Option<bool>,
}

#[derive(Debug, Deserialize)]
struct Options {
    language: Option<String>,
    data_model: Option<String>,
}

/// The question that files and `--property` make; an error is a message with its place.
pub fn read(files: &[PathBuf], property: Option<&Path>) -> Result<Task, String> {
    let given = property.map(property_file).transpose()?;
    let is_task = |p: &PathBuf| p.extension().is_some_and(|e| e == "yml" || e == "yaml");
    match files {
        [one] if is_task(one) => definition(one, given),
        _ => match files.iter().find(|f| is_task(f)) {
            Some(task) => Err(format!("{}: a task definition stands alone, without other files", task.display())),
            None => Ok(Task { files: files.to_vec(), property: given.unwrap_or(Property::Default), model: None, expected: None }),
        },
    }
}

fn text(path: &Path) -> Result<String, String> {
    let bytes = std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
    String::from_utf8(bytes).map_err(|_| format!("{}: not UTF-8 text", path.display()))
}

fn property_file(path: &Path) -> Result<Property, String> {
    Property::parse(&text(path)?).map_err(|e| format!("{}: {e}", path.display()))
}

fn definition(path: &Path, given: Option<Property>) -> Result<Task, String> {
    let yaml = text(path)?;
    let parsed: Definition = serde_saphyr::from_str(&yaml).map_err(|e| {
        let place = e.location().map(|l| format!("{}:{}:", l.line(), l.column())).unwrap_or_default();
        let message = e.to_string();
        format!("{}:{place} not a task definition: {}", path.display(), message.lines().next().unwrap_or("broken YAML"))
    })?;
    let version = match &parsed.format_version {
        None => return Err(format!("{}: not a task definition: format_version is missing", path.display())),
        Some(Version::Text(v)) => v.clone(),
        Some(Version::Number(v)) => format!("{v:.1}"),
    };
    if !matches!(version.as_str(), "1.0" | "2.0" | "2.1") {
        return Err(format!("{}: format version {version} is not known (1.0 and 2.0 are)", path.display()));
    }
    let here = path.parent().unwrap_or(Path::new(""));
    let inputs = match parsed.input_files {
        OneOrMany::One(f) => vec![f],
        OneOrMany::Many(fs) => fs,
    };
    if inputs.is_empty() {
        return Err(format!("{}: no input files", path.display()));
    }
    let options = parsed.options.unwrap_or(Options { language: None, data_model: None });
    if let Some(language) = options.language.filter(|l| l != "C") {
        return Err(format!("{}: the language {language} is not supported", path.display()));
    }
    let model = match options.data_model.as_deref() {
        None => None,
        Some("ILP32") => Some(DataModel::Ilp32),
        Some("LP64") => Some(DataModel::Lp64),
        Some(other) => return Err(format!("{}: the data model {other} is not known (ILP32 and LP64 are)", path.display())),
    };
    let (property, expected) = match given {
        Some(p) => (p, None),
        None => choose(here, &parsed.properties)?,
    };
    Ok(Task { files: inputs.iter().map(|f| here.join(f)).collect(), property, model, expected })
}

/// The first property that plumb can check, or else the first; with its expected verdict.
fn choose(here: &Path, entries: &[PropertyEntry]) -> Result<(Property, Option<bool>), String> {
    let mut first = None;
    for entry in entries {
        let path = here.join(&entry.property_file);
        let property = match property_file(&path) {
            Ok(p) => p,
            // Tasks are often moved without the shared property files; this one's text is fixed.
            Err(_) if !path.exists() && path.file_stem().is_some_and(|s| s == "unreach-call") => Property::parse(crate::property::DEFAULT)?,
            Err(e) => return Err(e),
        };
        if !matches!(property, Property::Unsupported(_)) {
            return Ok((property, entry.expected_verdict));
        }
        first = first.or(Some((property, entry.expected_verdict)));
    }
    Ok(first.unwrap_or((Property::Default, None)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(name: &str, yaml: &str) -> Result<Task, String> {
        let dir = std::env::temp_dir().join(format!("plumb-task-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        let file = dir.join("t.yml");
        std::fs::write(&file, yaml).unwrap();
        std::fs::write(dir.join("no-overflow.prp"), "CHECK( init(main()), LTL(G ! overflow) )").unwrap();
        let result = read(&[file], None);
        std::fs::remove_dir_all(&dir).unwrap();
        result
    }

    #[test]
    fn both_versions_are_read() {
        let two = "format_version: '2.0'\ninput_files: 'a.c'\nproperties:\n  - property_file: no-overflow.prp\n  - property_file: ../properties/unreach-call.prp\n    expected_verdict: true\noptions:\n  language: C\n  data_model: LP64\n";
        let t = case("two", two).unwrap();
        assert_eq!(t.model, Some(DataModel::Lp64));
        assert!(t.files[0].ends_with("a.c") && t.files[0].parent() != Some(Path::new("")));
        assert!(matches!(t.property, Property::Unreachable { .. }));
        let one = "format_version: '1.0'\ninput_files: ['a.c', 'b.c']\nproperties:\n  - property_file: no-overflow.prp\n";
        let t = case("one", one).unwrap();
        assert_eq!((t.files.len(), t.model), (2, None));
        assert!(matches!(t.property, Property::Unsupported(_)));
    }

    #[test]
    fn broken_definitions_are_located() {
        let e = case("broken", "format_version: '2.0'\ninput_files: [a.c\nproperties: {").unwrap_err();
        assert!(e.contains("t.yml:"), "{e}");
        assert!(e.chars().filter(|c| *c == ':').count() >= 3, "no line in: {e}");
        assert!(case("missing", "format_version: '2.0'\n").unwrap_err().contains("input_files"));
        assert!(case("version", "format_version: '7.0'\ninput_files: a.c\n").unwrap_err().contains("7.0"));
        assert!(case("model", "format_version: '2.0'\ninput_files: a.c\noptions: {data_model: X}\n").unwrap_err().contains("data model X"));
    }
}
