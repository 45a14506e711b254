//! One task in a process of its own, watched; and its witness in another.

use super::table::Row;
use super::tasks::Item;
use crate::limits;
use rustix::process::{kill_process_group, prlimit, Pid, Resource, Rlimit, Signal};
use std::fs::File;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// What a task may use.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// CPU seconds.
    pub cpu: f64,
    /// Bytes.
    pub memory: u64,
    /// Engines at once.
    pub engines: u16,
    /// Whether witnesses are kept and validated.
    pub validate: bool,
}

impl Limits {
    /// Wall seconds after which a task that does not even use its CPU time is ended.
    fn wall(&self) -> f64 {
        4.0 * self.cpu + 5.0
    }
}

struct Running {
    index: usize,
    item: Item,
    /// The result of the task, while its witness is validated.
    row: Option<Row>,
    child: Child,
    begin: Instant,
    looked: Instant,
    cpu: f64,
    bytes: u64,
    ended: bool,
}

/// A place where one task runs at a time; its output goes through two files.
pub struct Slot {
    output: PathBuf,
    complaints: PathBuf,
    witnesses: PathBuf,
    running: Option<Running>,
}

impl Slot {
    /// The n-th, with its files in `dir`.
    pub fn new(n: usize, dir: &Path) -> Slot {
        let file = |end: &str| dir.join(format!("slot{n}.{end}"));
        Slot { output: file("out"), complaints: file("err"), witnesses: dir.join("witnesses"), running: None }
    }

    /// Whether a task runs here.
    pub fn is_busy(&self) -> bool {
        self.running.is_some()
    }

    /// Starts a task; an error is a message.
    pub fn start(&mut self, index: usize, item: &Item, limits: &Limits, options: &[String]) -> Result<(), String> {
        let mut command = this("check")?;
        command.arg(&item.path).arg("--json").args(options);
        if let Some(model) = &item.model {
            command.args(["--data-model", model]);
        }
        if limits.validate {
            let witness = self.witness(item);
            let folder = witness.parent().unwrap_or(&self.witnesses);
            std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
            // One that an earlier run left is not this one's.
            let _ = std::fs::remove_file(&witness);
            command.arg("--witness").arg(witness);
        }
        self.spawn(index, item.clone(), None, command, limits)
    }

    /// Where the witness of a task is kept.
    fn witness(&self, item: &Item) -> PathBuf {
        let name = item.name.trim_start_matches(['/', '.']).replace("../", "");
        self.witnesses.join(format!("{name}.yml"))
    }

    /// Starts the validation of the witness of a task that has its result; an error is a message.
    fn validate(&mut self, index: usize, item: Item, row: Row, limits: &Limits) -> Result<(), String> {
        let mut command = this("validate")?;
        command.arg(self.witness(&item)).arg(&item.path);
        self.spawn(index, item, Some(row), command, limits)
    }

    fn spawn(&mut self, index: usize, item: Item, row: Option<Row>, mut command: Command, limits: &Limits) -> Result<(), String> {
        let create = |p: &Path| File::create(p).map_err(|e| format!("{}: {e}", p.display()));
        command.args(["--cpu-time", &limits.cpu.to_string(), "--time", &(limits.wall() - 2.0).to_string()]);
        command.args(["--memory", &format!("{}K", limits.memory >> 10)]);
        command.args(["--jobs", &limits.engines.to_string(), "--parent", &std::process::id().to_string()]);
        command.stdin(Stdio::null()).stdout(create(&self.output)?).stderr(create(&self.complaints)?).process_group(0);
        let child = command.spawn().map_err(|e| format!("{}: cannot start: {e}", item.name))?;
        if let Some(pid) = Pid::from_raw(child.id() as i32) {
            // The checker keeps its limits itself; this is for the case that it does not.
            let seconds = limits.cpu as u64 + 2;
            let _ = prlimit(Some(pid), Resource::Cpu, Rlimit { current: Some(seconds), maximum: Some(seconds + 1) });
        }
        let now = Instant::now();
        self.running = Some(Running { index, item, row, child, begin: now, looked: now, cpu: 0.0, bytes: 0, ended: false });
        Ok(())
    }

    /// The result, once the task has ended.
    pub fn poll(&mut self, limits: &Limits) -> Option<(usize, Row)> {
        let r = self.running.as_mut()?;
        let (pid, wall) = (r.child.id(), r.begin.elapsed().as_secs_f64());
        let is_over = has_ended(pid);
        if is_over || r.looked.elapsed() > Duration::from_millis(50) {
            r.looked = Instant::now();
            // Of a process that has ended but was not waited for, the kernel still knows the CPU time, with all it waited for itself.
            let own = limits::cpu_time(Some(pid)).map_or(0.0, |d| d.as_secs_f64());
            let others: f64 =
                if is_over { 0.0 } else { children(pid).iter().filter_map(|c| limits::cpu_time(Some(*c))).map(|d| d.as_secs_f64()).sum() };
            r.cpu = r.cpu.max(own + others);
            let resident = [pid].into_iter().chain(children(pid)).filter_map(limits::resident).sum();
            r.bytes = r.bytes.max(resident);
        }
        if !is_over {
            if !r.ended && (wall > limits.wall() || r.cpu > limits.cpu + 2.0) {
                r.ended = true;
                end(pid);
            }
            return None;
        }
        let mut running = self.running.take()?;
        let status = running.child.wait().ok();
        // Whatever it started ends with it.
        end(pid);
        let answer = std::fs::read_to_string(&self.output).unwrap_or_default();
        let complaint = std::fs::read_to_string(&self.complaints).unwrap_or_default();
        let _ = (std::fs::remove_file(&self.output), std::fs::remove_file(&self.complaints));
        let code = status.and_then(|s| s.code());
        if let Some(mut row) = running.row {
            row.witness = match code {
                Some(0) => "confirmed",
                Some(1) => "refuted",
                _ => "not decided",
            }
            .to_owned();
            return Some((running.index, row));
        }
        let mut row = row(&running, wall, code, &answer, &complaint, limits);
        if limits.validate && row.is_definite() {
            if !self.witness(&running.item).exists() {
                row.witness = "none".to_owned();
            } else if let Err(problem) = self.validate(running.index, running.item, row.clone(), limits) {
                row.witness = problem;
            } else {
                return None;
            }
        }
        Some((running.index, row))
    }
}

/// The program itself, with a command.
fn this(command: &str) -> Result<Command, String> {
    let mut this = Command::new(std::env::current_exe().map_err(|e| format!("cannot find the program itself: {e}"))?);
    this.arg(command);
    Ok(this)
}

fn row(r: &Running, wall: f64, code: Option<i32>, answer: &str, complaint: &str, limits: &Limits) -> Row {
    let json: serde_json::Value = serde_json::from_str(answer).unwrap_or_default();
    let text = |key: &str| json[key].as_str().unwrap_or_default().to_owned();
    let (got, reason) = match code {
        Some(0 | 1) if r.cpu > limits.cpu => ("timeout".to_owned(), "the answer came after the time limit".to_owned()),
        Some(0) => ("true".to_owned(), String::new()),
        Some(1) => ("false".to_owned(), String::new()),
        Some(2) if text("reason").contains("time limit") || text("reason").contains("no answer within") => {
            ("timeout".to_owned(), text("reason"))
        }
        Some(2) if text("reason").contains("memory limit") => ("memory".to_owned(), text("reason")),
        Some(2) => ("unknown".to_owned(), text("reason")),
        Some(3) => ("input-error".to_owned(), complaint.trim().to_owned()),
        Some(n) => (format!("crash({n})"), complaint.trim().to_owned()),
        None if r.ended || r.cpu >= limits.cpu => ("timeout".to_owned(), "ended at the time limit".to_owned()),
        None => ("killed".to_owned(), complaint.trim().to_owned()),
    };
    let reason = reason.chars().take(300).collect();
    let (task, expected, config) = (r.item.name.clone(), r.item.expected.clone(), text("config"));
    Row { task, expected, got, cpu: r.cpu, wall, mib: r.bytes >> 20, config, reason, witness: String::new() }
}

/// Whether a process has ended and waits to be waited for.
fn has_ended(pid: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rfind(')').is_none_or(|at| stat[at + 1..].trim_start().starts_with('Z'))
}

/// The running processes that a process has started.
fn children(pid: u32) -> Vec<u32> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default();
    text.split_ascii_whitespace().filter_map(|p| p.parse().ok()).collect()
}

fn end(pid: u32) {
    if let Some(group) = Pid::from_raw(pid as i32) {
        let _ = kill_process_group(group, Signal::KILL);
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        if let Some(mut r) = self.running.take() {
            end(r.child.id());
            let _ = r.child.wait();
        }
    }
}
