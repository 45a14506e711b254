//! Sets of tasks: one line per task, `path<TAB>verdict<TAB>data model`.

use std::path::Path;

/// One line, or a member of a family.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Task {
    /// The program, relative to the folder of tasks or to that of programs that were made.
    pub path: String,
    /// Whether the error is unreachable.
    pub safe: bool,
    /// `ILP32` or `LP64`.
    pub model: String,
    /// Whether the program was made for the experiment, by [`crate::runner::Runner::program`].
    pub made: bool,
}

impl Task {
    /// A line of a set.
    pub fn listed(path: &str, safe: bool, model: &str) -> Task {
        Task { path: path.to_owned(), safe, model: model.to_owned(), made: false }
    }

    /// The program's name without folders and endings.
    pub fn name(&self) -> &str {
        let file = self.path.rsplit('/').next().unwrap_or(&self.path);
        [".cil.c", ".i", ".c"].iter().find_map(|e| file.strip_suffix(e)).unwrap_or(file)
    }
}

/// The tasks of `NAME.set`.
pub fn read(folder: &Path, name: &str) -> Result<Vec<Task>, String> {
    let path = folder.join(format!("{name}.set"));
    let text = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e} (name the folder with --tasks)", path.display()))?;
    parse(&text).map_err(|line| format!("{}:{line}: not `path<TAB>true|false<TAB>model`", path.display()))
}

/// The tasks of a text, or the number of the first line that is none.
fn parse(text: &str) -> Result<Vec<Task>, usize> {
    let line = |(i, line): (usize, &str)| {
        let mut cells = line.split('\t');
        let (path, verdict, model) = (cells.next(), cells.next(), cells.next());
        match (path, verdict, model, cells.next()) {
            (Some(path), Some(verdict @ ("true" | "false")), Some(model @ ("ILP32" | "LP64")), None) => {
                Ok(Task::listed(path, verdict == "true", model))
            }
            _ => Err(i + 1),
        }
    };
    text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()).map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_become_tasks() {
        let tasks = parse("a/b.cil.c\ttrue\tILP32\n\nc.i\tfalse\tLP64\n").unwrap();
        assert_eq!(tasks.len(), 2);
        assert_eq!((tasks[0].name(), tasks[0].safe), ("b", true));
        assert_eq!((tasks[1].name(), tasks[1].safe, tasks[1].model.as_str()), ("c", false, "LP64"));
        assert_eq!(parse("a.c\ttrue\tILP32\nb.c\tmaybe\tILP32\n"), Err(2));
        assert_eq!(parse("a.c\ttrue\n"), Err(1));
    }
}
