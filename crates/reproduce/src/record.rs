//! What a run said, and the file in which runs are kept.

use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use flate2::Compression;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::OpenOptions;
use std::io::{ErrorKind, Read, Write};
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

/// The runs so far, one JSON object per line. A plain file grows by lines; a compressed one (`.gz`), which a repository can hold, is written anew with each run.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    /// All lines, whatever their limit of time.
    text: String,
    runs: BTreeMap<(String, String), Record>,
}

impl Store {
    /// The store at a path, with what it has of runs under a limit of time. A last line that was cut off is dropped.
    pub fn open(path: &Path, limit: u64) -> Result<Store, String> {
        let complain = |e: std::io::Error| format!("{}: {e}", path.display());
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(complain)?;
        }
        let mut store = Store { path: path.to_owned(), text: String::new(), runs: BTreeMap::new() };
        let text = match std::fs::read(path) {
            Ok(bytes) if store.is_compressed() => {
                let mut text = String::new();
                GzDecoder::new(&bytes[..]).read_to_string(&mut text).map_err(complain)?;
                text
            }
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(e) if e.kind() == ErrorKind::NotFound => String::new(),
            Err(e) => return Err(complain(e)),
        };
        for r in text.lines().filter_map(|l| serde_json::from_str::<Record>(l).ok()) {
            store.text.push_str(&line(&r).map_err(complain)?);
            if r.limit == limit {
                store.runs.insert((r.config.clone(), r.task.clone()), r);
            }
        }
        store.write_anew().map_err(complain)?;
        Ok(store)
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
        self.keep(&record).map_err(|e| format!("{}: {e}", self.path.display()))?;
        self.runs.insert((record.config.clone(), record.task.clone()), record);
        Ok(())
    }

    fn keep(&mut self, record: &Record) -> std::io::Result<()> {
        let line = line(record)?;
        self.text.push_str(&line);
        if self.is_compressed() {
            return self.write_anew();
        }
        OpenOptions::new().append(true).open(&self.path)?.write_all(line.as_bytes())
    }

    /// Replaces the file as a whole: an interruption leaves the old one.
    fn write_anew(&self) -> std::io::Result<()> {
        let mut bytes = self.text.clone().into_bytes();
        if self.is_compressed() {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
            encoder.write_all(&bytes)?;
            bytes = encoder.finish()?;
        }
        let mut beside = self.path.clone().into_os_string();
        beside.push(".new");
        std::fs::write(&beside, bytes)?;
        std::fs::rename(&beside, &self.path)
    }

    fn is_compressed(&self) -> bool {
        self.path.extension().is_some_and(|e| e == "gz")
    }
}

fn line(record: &Record) -> std::io::Result<String> {
    Ok(serde_json::to_string(record)? + "\n")
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
    #[test]
    fn compressed_runs_survive() {
        let path = std::env::temp_dir().join(format!("plumb-reproduce-{}.jsonl.gz", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let mut store = Store::open(&path, 60).unwrap();
        for i in 0..100 {
            store.add(record(&format!("{i}.c"))).unwrap();
        }
        assert!(std::fs::metadata(&path).unwrap().len() < 1_000);
        let again = Store::open(&path, 60).unwrap();
        assert_eq!((again.get("ufo", "7.c"), again.builds()), (Some(&record("7.c")), 1));
        std::fs::write(&path, b"not compressed").unwrap();
        assert!(Store::open(&path, 60).is_err(), "what cannot be read is not overwritten");
        std::fs::remove_file(&path).unwrap();
    }
}
