//! Runs plumb on tasks, several at once, and keeps what each run said.

use crate::record::{Record, Store};
use crate::set::{self, Task};
use serde::Deserialize;
use serde_json::Value;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Mutex;

/// The configuration that is none: the strategy chooses.
pub const DEFAULT: &str = "default";

/// What each run may use.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Limits {
    /// Seconds of CPU time.
    pub seconds: u64,
    /// As plumb's `--memory` reads it.
    pub memory: String,
    /// How many runs at once.
    pub jobs: usize,
}

/// Runs tasks.
#[derive(Debug)]
pub struct Runner {
    binary: PathBuf,
    tasks: PathBuf,
    limits: Limits,
    build: String,
    store: Mutex<Store>,
}

/// The part of plumb's JSON report that experiments read.
#[derive(Deserialize)]
struct Report {
    verdict: String,
    reason: Option<String>,
    cpu_seconds: f64,
    #[serde(default)]
    statistics: Vec<(String, Value)>,
}

impl Runner {
    /// With the records that the same binary left under the same limits, or with those of a file, whichever binary made them.
    pub fn new(binary: PathBuf, tasks: PathBuf, limits: Limits, records: Option<&Path>) -> Result<Runner, String> {
        let bytes = std::fs::read(&binary).map_err(|e| format!("{}: {e}", binary.display()))?;
        let mut hasher = DefaultHasher::new();
        bytes.hash(&mut hasher);
        let build = format!("{:016x}", hasher.finish());
        let own = binary.with_file_name("reproduce-runs").join(format!("{build}-{}.jsonl", limits.memory));
        let store = Store::open(records.unwrap_or(&own), limits.seconds)?;
        Ok(Runner { binary, tasks, limits, build, store: Mutex::new(store) })
    }

    /// What a reader of the figures should know of where they come from.
    pub fn provenance(&self) -> String {
        match self.store.lock().unwrap_or_else(|e| e.into_inner()).builds() {
            0 | 1 => String::new(),
            n => format!("\nThe runs were made one after the other by {n} builds of plumb.\n"),
        }
    }

    /// The limits.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// A folder of its own beside the binary.
    pub fn folder(&self) -> PathBuf {
        self.binary.with_file_name("reproduce-runs")
    }

    /// The tasks of a set.
    pub fn set(&self, name: &str) -> Result<Vec<Task>, String> {
        set::read(&self.tasks, name)
    }

    /// Every configuration on every task; records in the order of `configs`, then `tasks`.
    pub fn run(&self, configs: &[&str], tasks: &[Task]) -> Result<Vec<Vec<Record>>, String> {
        self.run_with(configs, tasks, &[])
    }

    /// The same with further options of `plumb check`.
    pub fn run_with(&self, configs: &[&str], tasks: &[Task], options: &[&str]) -> Result<Vec<Vec<Record>>, String> {
        let jobs: Vec<(&str, &Task)> = configs.iter().flat_map(|c| tasks.iter().map(move |t| (*c, t))).collect();
        let next = AtomicUsize::new(0);
        let failure: Mutex<Option<String>> = Mutex::new(None);
        std::thread::scope(|scope| {
            for _ in 0..self.limits.jobs {
                scope.spawn(|| {
                    while let Some((config, task)) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                        if let Err(why) = self.one(config, task, options) {
                            failure.lock().unwrap_or_else(|e| e.into_inner()).get_or_insert(why);
                            return;
                        }
                    }
                });
            }
        });
        if let Some(why) = failure.into_inner().unwrap_or_else(|e| e.into_inner()) {
            return Err(why);
        }
        let store = self.store.lock().unwrap_or_else(|e| e.into_inner());
        let get = |config: &str, task: &Task| {
            store.get(&label(config, options), &task.path).cloned().ok_or_else(|| format!("{}: no record", task.path))
        };
        configs.iter().map(|c| tasks.iter().map(|t| get(c, t)).collect()).collect()
    }

    fn one(&self, config: &str, task: &Task, options: &[&str]) -> Result<(), String> {
        if self.store.lock().unwrap_or_else(|e| e.into_inner()).get(&label(config, options), &task.path).is_some() {
            return Ok(());
        }
        let file = self.tasks.join(&task.path);
        if !file.exists() {
            return Err(format!("{}: no such file", file.display()));
        }
        let record = self.check(config, task, &file, options)?;
        if std::io::stderr().is_terminal() {
            eprintln!("{config:10} {:8} {:7.2} s  {}", record.verdict, record.seconds, task.path);
        }
        self.store.lock().unwrap_or_else(|e| e.into_inner()).add(record)
    }

    fn check(&self, config: &str, task: &Task, file: &Path, options: &[&str]) -> Result<Record, String> {
        let mut command = Command::new(&self.binary);
        command.arg("check").arg(file).args(["--data-model", &task.model, "--json"]);
        if config != DEFAULT {
            command.args(["--config", config]);
        }
        command.args(["--cpu-time", &self.limits.seconds.to_string(), "--time", &(4 * self.limits.seconds).to_string()]);
        command.args(["--memory", &self.limits.memory]).args(options);
        let config = &label(config, options);
        let out = command.stdin(Stdio::null()).stderr(Stdio::piped()).output().map_err(|e| format!("{}: {e}", self.binary.display()))?;
        // Bad arguments are the experiment's fault, not the task's.
        if out.status.code() == Some(3) && out.stdout.is_empty() && String::from_utf8_lossy(&out.stderr).contains("configuration") {
            return Err(String::from_utf8_lossy(&out.stderr).trim().to_owned());
        }
        let record = read(config, task, &out.stdout).unwrap_or_else(|| Record {
            config: config.to_owned(),
            task: task.path.clone(),
            verdict: "unknown".into(),
            reason: String::from_utf8_lossy(&out.stderr).trim().to_owned(),
            ..Record::default()
        });
        Ok(Record { limit: self.limits.seconds, build: self.build.clone(), ..record })
    }
}

/// The name under which runs of a configuration with options are kept.
fn label(config: &str, options: &[&str]) -> String {
    std::iter::once(config).chain(options.iter().copied()).collect::<Vec<_>>().join(" ")
}

/// The record of a report.
fn read(config: &str, task: &Task, json: &[u8]) -> Option<Record> {
    let report: Report = serde_json::from_slice(json).ok()?;
    Some(Record {
        config: config.to_owned(),
        task: task.path.clone(),
        verdict: report.verdict,
        reason: report.reason.unwrap_or_default(),
        seconds: report.cpu_seconds,
        figures: report.statistics.into_iter().filter_map(|(k, v)| Some((k, v.as_f64()?))).collect(),
        ..Record::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_are_read() {
        let task = Task { path: "a.c".into(), safe: true, model: "LP64".into() };
        let json = br#"{"verdict":"true","reason":"r","cpu_seconds":1.5,"statistics":[["post","true"],["iterations",4]],"other":[]}"#;
        let record = read("ufo", &task, json).unwrap();
        assert_eq!((record.verdict.as_str(), record.seconds, record.figure("iterations")), ("true", 1.5, Some(4.0)));
        assert_eq!(record.figure("post"), None);
        assert_eq!(read("ufo", &task, b"no json"), None);
        assert_eq!((label("ufo", &[]), label("dagger", &["--integers", "ideal"])), ("ufo".into(), "dagger --integers ideal".into()));
    }
}
