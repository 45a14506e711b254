//! The journal: what has been done, on the disk before anything else happens.
//!
//! The first line holds the parameters of the run; every other line is one finished task. A line counts when its end is there: what a crash
//! in the middle of a write leaves is cut off when the journal is opened again.

use super::table::Row;
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

const MARK: &str = "# plumb bench journal 1\t";

/// An open journal.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    /// Up to where the file is good.
    length: u64,
    rows: BTreeMap<String, Row>,
}

impl Journal {
    /// Opens or makes the journal of a run with these parameters; `fresh` starts a new one. An error is a message.
    pub fn open(path: &Path, parameters: &str, fresh: bool) -> Result<Journal, String> {
        let fail = |e: std::io::Error| format!("{}: {e}", path.display());
        let header = format!("{MARK}{parameters}\n");
        let mut rows = BTreeMap::new();
        let mut old = match std::fs::read_to_string(path) {
            Ok(text) if !fresh => text,
            Err(e) if e.kind() != std::io::ErrorKind::NotFound => return Err(fail(e)),
            _ => String::new(),
        };
        old.truncate(old.rfind('\n').map_or(0, |end| end + 1));
        if let Some(rest) = old.strip_prefix(&header) {
            for (i, line) in rest.lines().enumerate() {
                let row = Row::parse(line).ok_or_else(|| format!("{}:{}:1: not a row of a journal", path.display(), i + 2))?;
                rows.insert(row.task.clone(), row);
            }
        } else if !old.is_empty() {
            let here = path.parent().unwrap_or(path).display();
            return Err(format!("{here} holds a run with other parameters; choose another folder with --out, or start anew with --fresh"));
        }
        let mut file = OpenOptions::new().create(true).write(true).truncate(false).open(path).map_err(fail)?;
        // Cut off what is no whole line, and stand at the end.
        let mut length = old.len() as u64;
        file.set_len(length).map_err(fail)?;
        std::io::Seek::seek(&mut file, std::io::SeekFrom::End(0)).map_err(fail)?;
        if old.is_empty() {
            file.write_all(header.as_bytes()).and_then(|()| file.sync_data()).map_err(fail)?;
            length = header.len() as u64;
        }
        Ok(Journal { path: path.to_owned(), file, length, rows })
    }

    /// What has been done.
    pub fn rows(&self) -> &BTreeMap<String, Row> {
        &self.rows
    }

    /// The result of a task that has been done.
    pub fn row(&self, task: &str) -> Option<&Row> {
        self.rows.get(task)
    }

    /// Notes a finished task; it is on the disk afterwards. An error is a message.
    pub fn append(&mut self, row: &Row) -> Result<(), String> {
        let line = row.line() + "\n";
        let written = self.file.write_all(line.as_bytes()).and_then(|()| self.file.sync_data());
        match written {
            Ok(()) => {
                self.length += line.len() as u64;
                Ok(())
            }
            Err(e) => {
                // A disk may be full now and not later: half a line must not stand before the next.
                let _ = self.file.set_len(self.length);
                let _ = std::io::Seek::seek(&mut self.file, std::io::SeekFrom::Start(self.length));
                Err(format!("{}: {e}; {} will be run again", self.path.display(), row.task))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_torn_line_is_cut_off_and_others_stay() {
        let dir = std::env::temp_dir().join(format!("plumb-journal-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        let path = dir.join("j.tsv");
        let row = |name: &str| Row::not_run(name, "true", "x");
        let mut j = Journal::open(&path, "{}", false).unwrap();
        j.append(&row("a")).unwrap();
        j.append(&row("b")).unwrap();
        drop(j);
        let whole = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, &whole[..whole.len() - 3]).unwrap();
        let mut j = Journal::open(&path, "{}", false).unwrap();
        assert!(j.row("a").is_some() && j.row("b").is_none());
        j.append(&row("c")).unwrap();
        drop(j);
        let j = Journal::open(&path, "{}", false).unwrap();
        assert_eq!(j.rows().keys().collect::<Vec<_>>(), ["a", "c"]);
        assert!(Journal::open(&path, "{\"time\":1}", false).unwrap_err().contains("other parameters"));
        assert!(Journal::open(&path, "{\"time\":1}", true).unwrap().rows().is_empty());
        std::fs::remove_dir_all(&dir).unwrap();
    }
}
