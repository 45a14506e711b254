//! What a run said, and the file in which runs are kept.

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// One run of one configuration on one task.
#[derive(Clone, Default, PartialEq, Debug, Serialize, Deserialize)]
pub struct Record {
    /// The configuration.
    pub config: String,
    /// The task's path.
    pub task: String,
    /// `true`, `false` or `unknown`.
    pub verdict: String,
    /// Why, in plumb's words.
    pub reason: String,
    /// CPU time of the whole run.
    pub seconds: f64,
    /// What the engine said of itself.
    pub figures: BTreeMap<String, f64>,
    /// The limit of time, in seconds.
    #[serde(default)]
    pub limit: u64,
    /// Which build of plumb it was.
    #[serde(default)]
    pub build: String,
}

impl Record {
    /// Whether there is an answer.
    pub fn solved(&self) -> bool {
        self.verdict != "unknown"
    }

    /// Whether a certificate was refused.
    pub fn rejected(&self) -> bool {
        let words = ["not accepted by the checker", "could not be replayed"];
        !self.solved() && words.iter().any(|w| self.reason.contains(w))
    }

    /// A figure.
    pub fn figure(&self, name: &str) -> Option<f64> {
        self.figures.get(name).copied()
    }
}

/// The runs so far, one JSON object per line.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    file: File,
    runs: BTreeMap<(String, String), Record>,
}

impl Store {
    /// The store at a path, with what it has of runs under a limit of time. A last line that was cut off is dropped.
    pub fn open(path: &Path, limit: u64) -> Result<Store, String> {
        let complain = |e: std::io::Error| format!("{}: {e}", path.display());
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(complain)?;
        }
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let kept: Vec<Record> = text.lines().filter_map(|l| serde_json::from_str(l).ok()).collect();
        let mut file = OpenOptions::new().create(true).write(true).truncate(true).open(path).map_err(complain)?;
        for r in &kept {
            write_line(&mut file, r).map_err(complain)?;
        }
        let runs = kept.into_iter().filter(|r| r.limit == limit).map(|r| ((r.config.clone(), r.task.clone()), r)).collect();
        Ok(Store { path: path.to_owned(), file, runs })
    }

    /// A run that was made already.
    pub fn get(&self, config: &str, task: &str) -> Option<&Record> {
        self.runs.get(&(config.to_owned(), task.to_owned()))
    }

    /// How many builds made the runs.
    pub fn builds(&self) -> usize {
        self.runs.values().map(|r| &r.build).collect::<BTreeSet<_>>().len()
    }

    /// Keeps a run.
    pub fn add(&mut self, record: Record) -> Result<(), String> {
        write_line(&mut self.file, &record).map_err(|e| format!("{}: {e}", self.path.display()))?;
        self.runs.insert((record.config.clone(), record.task.clone()), record);
        Ok(())
    }
}

fn write_line(file: &mut File, record: &Record) -> std::io::Result<()> {
    let mut line = serde_json::to_string(record)?;
    line.push('\n');
    file.write_all(line.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(task: &str) -> Record {
        Record {
            config: "ufo".into(),
            task: task.into(),
            verdict: "true".into(),
            reason: String::new(),
            seconds: 0.5,
            figures: BTreeMap::from([("iterations".to_owned(), 3.0)]),
            limit: 60,
            build: "b1".into(),
        }
    }

    #[test]
    fn runs_survive_and_a_cut_line_does_not() {
        let path = std::env::temp_dir().join(format!("plumb-reproduce-{}.jsonl", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let mut store = Store::open(&path, 60).unwrap();
        store.add(record("a.c")).unwrap();
        drop(store);
        let mut text = std::fs::read_to_string(&path).unwrap();
        text.push_str("{\"config\":\"ufo\",\"task\":\"b.c\",\"verd");
        std::fs::write(&path, text).unwrap();
        let mut store = Store::open(&path, 60).unwrap();
        assert_eq!(store.get("ufo", "a.c"), Some(&record("a.c")));
        assert_eq!(store.get("ufo", "b.c"), None);
        store.add(record("b.c")).unwrap();
        drop(store);
        let mut store = Store::open(&path, 60).unwrap();
        assert_eq!((store.get("ufo", "b.c"), store.builds()), (Some(&record("b.c")), 1));
        // Another limit is another experiment in the same file.
        store.add(Record { build: "b2".into(), ..record("c.c") }).unwrap();
        assert_eq!(store.builds(), 2);
        drop(store);
        assert_eq!(Store::open(&path, 20).unwrap().get("ufo", "b.c"), None);
        assert_eq!(Store::open(&path, 60).unwrap().get("ufo", "b.c"), Some(&record("b.c")));
        std::fs::remove_file(&path).unwrap();
    }
}
