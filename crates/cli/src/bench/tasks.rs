//! Which tasks: sets, folders, task definitions, C files.

use crate::property::Property;
use crate::task;
use std::path::{Path, PathBuf};

/// One task, or why it cannot be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Its name in tables: its path relative to the set or folder.
    pub name: String,
    /// What `plumb check` gets.
    pub path: PathBuf,
    /// `true`, `false`, or empty if nobody says.
    pub expected: String,
    /// The data model that the set states.
    pub model: Option<String>,
    /// Why it cannot be run.
    pub problem: Option<String>,
}

/// The tasks of all inputs, in order; an error is about an input as a whole.
pub fn collect(inputs: &[PathBuf]) -> Result<Vec<Item>, String> {
    let mut out = Vec::new();
    for input in inputs {
        let text = |p: &Path| std::fs::read_to_string(p).map_err(|e| format!("{}: {e}", p.display()));
        if input.is_dir() {
            folder(input, &mut out)?;
        } else if input.extension().is_some_and(|e| e == "set") {
            let here = input.parent().unwrap_or(Path::new(""));
            out.extend(set(&text(input)?, here));
        } else {
            out.push(single(input.display().to_string(), input));
        }
    }
    let mut seen = std::collections::BTreeSet::new();
    out.retain(|i| seen.insert(i.name.clone()));
    Ok(out)
}

/// Lines of path, verdict and data model, separated by tabs; or of paths of task definitions, with `*`, as SV-COMP has them.
fn set(text: &str, here: &Path) -> Vec<Item> {
    let mut out = Vec::new();
    for line in text.lines().map(str::trim_end).filter(|l| !l.is_empty() && !l.starts_with('#')) {
        let mut fields = line.split('\t');
        let name = fields.next().unwrap_or_default();
        if name.contains('*') {
            out.extend(matching(here, name).into_iter().map(|p| single(relative(&p, here), &p)));
            continue;
        }
        let path = here.join(name);
        match fields.next() {
            None => out.push(single(name.to_owned(), &path)),
            Some(expected) => {
                let problem = std::fs::File::open(&path).err().map(|e| format!("{}: {e}", path.display()));
                let model = fields.next().map(str::to_owned);
                out.push(Item { name: name.to_owned(), path, expected: expected.to_owned(), model, problem });
            }
        }
    }
    out
}

/// The files of a pattern whose stars stand in its last part.
fn matching(here: &Path, pattern: &str) -> Vec<PathBuf> {
    let (folder, last) = pattern.rsplit_once('/').unwrap_or(("", pattern));
    let Ok(entries) = std::fs::read_dir(here.join(folder)) else { return Vec::new() };
    let mut out: Vec<PathBuf> =
        entries.flatten().map(|e| e.path()).filter(|p| p.file_name().is_some_and(|n| fits(last, &n.to_string_lossy()))).collect();
    out.sort();
    out
}

/// Whether a name fits a pattern with stars.
fn fits(pattern: &str, name: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else { return pattern == name };
    let Some(name) = name.strip_prefix(start) else { return false };
    (0..=name.len()).filter(|i| name.is_char_boundary(*i)).any(|i| fits(rest, &name[i..]))
}

fn relative(path: &Path, base: &Path) -> String {
    path.strip_prefix(base).unwrap_or(path).display().to_string()
}

fn has_extension(path: &Path, names: &[&str]) -> bool {
    path.extension().is_some_and(|e| names.iter().any(|n| e == *n))
}

/// All task definitions below a folder; if there are none, all C files.
fn folder(base: &Path, out: &mut Vec<Item>) -> Result<(), String> {
    let (mut definitions, mut programs, mut work) = (Vec::new(), Vec::new(), vec![base.to_owned()]);
    while let Some(dir) = work.pop() {
        let entries = std::fs::read_dir(&dir).map_err(|e| format!("{}: {e}", dir.display()))?;
        for entry in entries.flatten() {
            let path = entry.path();
            match entry.file_type() {
                Ok(t) if t.is_dir() => work.push(path),
                _ if has_extension(&path, &["yml", "yaml"]) => definitions.push(path),
                _ if has_extension(&path, &["c", "i"]) => programs.push(path),
                _ => {}
            }
        }
    }
    let mut found = if definitions.is_empty() { programs } else { definitions };
    found.sort();
    out.extend(found.iter().map(|p| single(relative(p, base), p)));
    Ok(())
}

/// A task definition or a C file.
fn single(name: String, path: &Path) -> Item {
    let item = Item { name, path: path.to_owned(), expected: String::new(), model: None, problem: None };
    if !has_extension(path, &["yml", "yaml"]) {
        let problem = std::fs::File::open(path).err().map(|e| format!("{}: {e}", path.display()));
        return Item { problem, ..item };
    }
    let asked = match task::read(&[path.to_owned()], None) {
        Ok(asked) => asked,
        Err(problem) => return Item { problem: Some(problem), ..item },
    };
    let missing = asked.files.iter().find_map(|f| std::fs::File::open(f).err().map(|e| format!("{}: {e}", f.display())));
    let problem = missing.or_else(|| match &asked.property {
        Property::Default => Some(format!("{}: the task has no property", path.display())),
        Property::Unsupported(p) => Some(format!("{}: the property is not supported: {p}", path.display())),
        Property::Unreachable { .. } => None,
    });
    Item { expected: asked.expected.map(|e| e.to_string()).unwrap_or_default(), problem, ..item }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        assert!(fits("*.yml", "a.yml") && fits("a*b*", "aXbY") && fits("a", "a"));
        assert!(!fits("*.yml", "a.yaml") && !fits("a*b", "b") && !fits("a", "ab"));
    }

    #[test]
    fn a_set_has_lines_of_three_fields() {
        let items = set("# comment\nno/such.c\tfalse\tLP64\n\nother.c\ttrue\n", Path::new("base"));
        assert_eq!(items.len(), 2);
        assert_eq!((items[0].expected.as_str(), items[0].model.as_deref()), ("false", Some("LP64")));
        assert!(items[0].problem.as_ref().is_some_and(|p| p.contains("base/no/such.c")));
        assert_eq!(items[1].model, None);
    }
}
