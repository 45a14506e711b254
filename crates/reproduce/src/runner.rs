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
use std::time::{Duration, Instant};

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
    /// When samples have been measured for long enough.
    end: Option<Instant>,
}

/// What was measured of a set: the programs, and the records of each configuration on them.
#[derive(Debug)]
pub struct Sample {
    /// As many of the set as there was time for, evenly spread over it; mostly all.
    pub tasks: Vec<Task>,
    /// By configuration.
    pub records: Vec<Vec<Record>>,
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
    /// With the records that the same binary left under the same limits, or with those of a file, whichever binary made them. Samples are measured for
    /// so many minutes, or until they are complete.
    pub fn new(binary: PathBuf, tasks: PathBuf, limits: Limits, records: Option<&Path>, minutes: Option<u64>) -> Result<Runner, String> {
        let bytes = std::fs::read(&binary).map_err(|e| format!("{}: {e}", binary.display()))?;
        let mut hasher = DefaultHasher::new();
        bytes.hash(&mut hasher);
        let build = format!("{:016x}", hasher.finish());
        let own = binary.with_file_name("reproduce-runs").join(format!("{build}-{}.jsonl", limits.memory));
        let store = Store::open(records.unwrap_or(&own), limits.seconds)?;
        let end = minutes.map(|m| Instant::now() + Duration::from_secs(60 * m));
        Ok(Runner { binary, tasks, limits, build, store: Mutex::new(store), end })
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
    fn folder(&self) -> PathBuf {
        self.binary.with_file_name("reproduce-runs")
    }

    /// Writes a program that an experiment makes, so that it can be run: a name with its folder, and the text.
    pub fn program(&self, name: &str, text: &str, safe: bool) -> Result<Task, String> {
        let path = self.folder().join(name);
        let write = || {
            path.parent().map_or(Ok(()), std::fs::create_dir_all)?;
            std::fs::write(&path, text)
        };
        write().map_err(|e: std::io::Error| format!("{}: {e}", path.display()))?;
        Ok(Task { made: true, ..Task::listed(name, safe, "ILP32") })
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
        self.make(&jobs, options, None)?;
        let store = self.store.lock().unwrap_or_else(|e| e.into_inner());
        let get = |config: &str, task: &Task| {
            store.get(&label(config, options), &task.path).cloned().ok_or_else(|| format!("{}: no record", task.path))
        };
        configs.iter().map(|c| tasks.iter().map(|t| get(c, t)).collect()).collect()
    }

    /// Every configuration on as many of the tasks as there is time for, evenly spread. The time that is left is for so many samples, this one the first.
    pub fn sample(&self, configs: &[&str], tasks: &[Task], samples: u32) -> Result<Sample, String> {
        let until = self.end.map(|end| {
            let now = Instant::now();
            now + end.saturating_duration_since(now) / samples.max(1)
        });
        let order = spread(tasks.len());
        let jobs: Vec<(&str, &Task)> = order.iter().flat_map(|i| configs.iter().map(|c| (*c, &tasks[*i]))).collect();
        self.make(&jobs, &[], until)?;
        let store = self.store.lock().unwrap_or_else(|e| e.into_inner());
        let measured = |i: &&usize| configs.iter().all(|c| store.get(c, &tasks[**i].path).is_some());
        // Of records from elsewhere only those count that lie on the way: others would not be evenly spread.
        let mut measured: Vec<usize> = order.iter().take_while(measured).copied().collect();
        measured.sort_unstable();
        let tasks: Vec<Task> = measured.iter().map(|i| tasks[*i].clone()).collect();
        let of = |c: &&str| tasks.iter().filter_map(|t| store.get(c, &t.path).cloned()).collect();
        Ok(Sample { records: configs.iter().map(of).collect(), tasks })
    }

    /// What a benchmark of the workspace measures of tasks, kept like runs: `read` makes the records of what it prints, if one is missing, by configuration and task.
    pub fn benchmark(
        &self,
        package: &str,
        bench: &str,
        configs: &[&str],
        tasks: &[Task],
        read: &dyn Fn(&str) -> Vec<Record>,
    ) -> Result<Vec<Vec<Record>>, String> {
        let mut store = self.store.lock().unwrap_or_else(|e| e.into_inner());
        let missing = |store: &Store| configs.iter().any(|c| tasks.iter().any(|t| store.get(c, &t.path).is_none()));
        if missing(&store) {
            let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
            let out = Command::new(cargo)
                .args(["bench", "--quiet", "--package", package, "--bench", bench])
                .stdin(Stdio::null())
                .stderr(Stdio::inherit())
                .output()
                .map_err(|e| format!("cargo: {e}"))?;
            for record in read(&String::from_utf8_lossy(&out.stdout)) {
                store.add(Record { limit: self.limits.seconds, build: self.build.clone(), ..record })?;
            }
        }
        let get = |config: &str, task: &Task| {
            store.get(config, &task.path).cloned().ok_or_else(|| format!("benchmark {bench}: {config} on {} is missing", task.path))
        };
        configs.iter().map(|c| tasks.iter().map(|t| get(c, t)).collect()).collect()
    }

    /// Makes runs, in this order, until the time is over.
    fn make(&self, jobs: &[(&str, &Task)], options: &[&str], until: Option<Instant>) -> Result<(), String> {
        let next = AtomicUsize::new(0);
        let failure: Mutex<Option<String>> = Mutex::new(None);
        std::thread::scope(|scope| {
            for _ in 0..self.limits.jobs {
                scope.spawn(|| {
                    while let Some((config, task)) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                        if until.is_some_and(|u| Instant::now() >= u) {
                            return;
                        }
                        if let Err(why) = self.one(config, task, options) {
                            failure.lock().unwrap_or_else(|e| e.into_inner()).get_or_insert(why);
                            return;
                        }
                    }
                });
            }
        });
        failure.into_inner().unwrap_or_else(|e| e.into_inner()).map_or(Ok(()), Err)
    }

    fn one(&self, config: &str, task: &Task, options: &[&str]) -> Result<(), String> {
        if self.store.lock().unwrap_or_else(|e| e.into_inner()).get(&label(config, options), &task.path).is_some() {
            return Ok(());
        }
        let file = if task.made { self.folder() } else { self.tasks.clone() }.join(&task.path);
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
        // Where the tasks lie is nobody's business but this machine's.
        let reason = record.reason.replace(&format!("{}/", self.tasks.display()), "");
        Ok(Record { limit: self.limits.seconds, build: self.build.clone(), reason, ..record })
    }
}

/// The numbers below `n` in an order whose every beginning is evenly spread: by their binary digits, read backwards.
fn spread(n: usize) -> Vec<usize> {
    let mut out: Vec<usize> = (0..n).collect();
    out.sort_by_key(|i| i.reverse_bits());
    out
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
    fn beginnings_are_evenly_spread() {
        let order = spread(100);
        assert_eq!(order[..4], [0, 64, 32, 96]);
        let mut quarter = order[..25].to_vec();
        quarter.sort_unstable();
        assert!(quarter.windows(2).all(|w| w[1] - w[0] <= 8), "{quarter:?}");
        let mut all = order;
        all.sort_unstable();
        assert_eq!(all, (0..100).collect::<Vec<_>>());
    }

    #[test]
    fn reports_are_read() {
        let task = Task::listed("a.c", true, "LP64");
        let json = br#"{"verdict":"true","reason":"r","cpu_seconds":1.5,"statistics":[["post","true"],["iterations",4]],"other":[]}"#;
        let record = read("ufo", &task, json).unwrap();
        assert_eq!((record.verdict.as_str(), record.seconds, record.figure("iterations")), ("true", 1.5, Some(4.0)));
        assert_eq!(record.figure("post"), None);
        assert_eq!(read("ufo", &task, b"no json"), None);
        assert_eq!((label("ufo", &[]), label("dagger", &["--integers", "ideal"])), ("ufo".into(), "dagger --integers ideal".into()));
    }
}
