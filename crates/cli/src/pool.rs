//! Worker processes: started, listened to, watched, ended.
//!
//! Each worker is a process group of its own, so that whatever it starts (a preprocessor) ends with it. Threads read its pipes;
//! the main thread starts workers (the kernel ties a worker's life to the thread that started it) and decides.

use crate::limits;
use crate::message::{Answered, Message, Request};
use rustix::process::{kill_process_group, Pid, Signal};
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{channel, Receiver, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Why the parent ended a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Killed {
    /// Its time was up.
    Time,
    /// Its memory was.
    Memory,
    /// Its answer is no longer needed.
    Obsolete,
}

/// A running worker.
#[derive(Debug)]
pub struct Worker {
    child: Child,
    complaints: Option<JoinHandle<String>>,
    /// Its place in the plan.
    pub index: usize,
    /// When it started.
    pub started: Instant,
    /// What it may use, of the processor if that is limited, else of time.
    pub allowed: Duration,
    /// The processor time that it was last seen to have used, if that is limited.
    seen: Option<Duration>,
    /// The answer, once it came.
    pub answer: Option<Answered>,
    killed: Option<Killed>,
}

/// How a worker ended.
#[derive(Debug)]
pub enum End {
    /// With an answer.
    Answered(Box<Answered>),
    /// At its time limit.
    Time,
    /// At its memory limit.
    Memory,
    /// In a crash; a sentence.
    Crash(String),
}

/// The workers of one run.
#[derive(Debug)]
pub struct Pool {
    sender: Sender<(usize, Option<Message>)>,
    receiver: Receiver<(usize, Option<Message>)>,
    /// How to start one.
    command: Vec<OsString>,
    /// The running ones.
    pub running: Vec<Worker>,
    /// CPU time of this process and its former children before this run.
    earlier: Duration,
}

impl Pool {
    /// Workers that are this very program.
    pub fn of_this_program() -> Result<Pool, String> {
        let this = std::env::current_exe().map_err(|e| format!("cannot find the program itself: {e}"))?;
        Ok(Pool::of(vec![this.into(), "worker".into()]))
    }

    /// Workers started by a command.
    pub fn of(command: Vec<OsString>) -> Pool {
        let (sender, receiver) = channel();
        Pool { sender, receiver, command, running: Vec::new(), earlier: limits::cpu_time(None).unwrap_or_default() }
    }

    /// Starts a worker.
    pub fn start(&mut self, request: &Request, allowed: Duration) -> Result<(), String> {
        let index = request.index;
        let mut command = Command::new(self.command.first().map_or("plumb".as_ref(), OsString::as_os_str));
        command.args(self.command.iter().skip(1)).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
        let mut child = command.spawn().map_err(|e| format!("cannot start a worker process: {e}"))?;
        let text = serde_json::to_vec(request).map_err(|e| e.to_string())?;
        if let Some(mut pipe) = child.stdin.take() {
            // A worker that dies at once is noticed when its output ends.
            let _ = pipe.write_all(&text);
        }
        if let Some(pipe) = child.stdout.take() {
            let sender = self.sender.clone();
            std::thread::spawn(move || {
                for line in BufReader::new(pipe).split(b'\n') {
                    let message = line.ok().and_then(|l| serde_json::from_slice(&l).ok());
                    if message.is_some() && sender.send((index, message)).is_err() {
                        return;
                    }
                }
                let _ = sender.send((index, None));
            });
        }
        let complaints = child.stderr.take().map(|pipe| {
            std::thread::spawn(move || {
                let mut text = Vec::new();
                let _ = BufReader::new(pipe).take(1 << 16).read_to_end(&mut text);
                String::from_utf8_lossy(&text).into_owned()
            })
        });
        let seen = request.cpu_time.map(|_| Duration::ZERO);
        self.running.push(Worker { child, complaints, index, started: Instant::now(), allowed, seen, answer: None, killed: None });
        Ok(())
    }

    /// The next message, or the end of a worker's output, within `wait`.
    pub fn next(&self, wait: Duration) -> Option<(usize, Option<Message>)> {
        self.receiver.recv_timeout(wait).ok()
    }

    /// A running worker, by its place in the plan.
    pub fn worker(&mut self, index: usize) -> Option<&mut Worker> {
        self.running.iter_mut().find(|w| w.index == index)
    }

    /// CPU time of all workers, ended and running, and of this process.
    pub fn cpu_time(&self) -> Duration {
        let running: Duration = self.running.iter().filter_map(|w| limits::cpu_time(Some(w.child.id()))).sum();
        running + limits::cpu_time(None).unwrap_or_default().saturating_sub(self.earlier)
    }

    /// Ends the largest workers until all together keep the limit.
    pub fn keep_memory(&mut self, limit: u64) {
        loop {
            let sizes: Vec<u64> =
                self.running.iter().map(|w| if w.killed.is_some() { 0 } else { limits::resident(w.child.id()).unwrap_or(0) }).collect();
            let largest = (0..sizes.len()).max_by_key(|i| sizes[*i]);
            match largest {
                Some(i) if sizes.iter().sum::<u64>() > limit => self.running[i].kill(Killed::Memory),
                _ => return,
            }
        }
    }

    /// Waits for a worker whose output has ended.
    pub fn reap(&mut self, index: usize) -> Option<(Worker, End)> {
        let at = self.running.iter().position(|w| w.index == index)?;
        let mut worker = self.running.remove(at);
        let status = worker.child.wait();
        // Nothing of its group outlives it.
        let _ = kill_process_group(Pid::from_child(&worker.child), Signal::KILL);
        let complaints = worker.complaints.take().and_then(|t| t.join().ok()).unwrap_or_default();
        let end = match (worker.answer.take(), worker.killed, status) {
            (Some(answer), ..) => End::Answered(Box::new(answer)),
            (None, Some(Killed::Memory), _) => End::Memory,
            (None, Some(_), _) => End::Time,
            (None, None, Ok(status)) => crash(status, &complaints),
            (None, None, Err(e)) => End::Crash(format!("the worker process was lost: {e}")),
        };
        Some((worker, end))
    }

    /// Ends all workers.
    pub fn end(&mut self) {
        for w in &mut self.running {
            w.kill(Killed::Obsolete);
            let _ = w.child.wait();
        }
        self.running.clear();
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.end();
    }
}

impl Worker {
    /// What it has used of what it is allowed.
    pub fn used(&self) -> Duration {
        self.seen.unwrap_or_else(|| self.started.elapsed())
    }

    /// Looks at what it has used.
    pub fn look(&mut self) {
        if let (Some(seen), Some(now)) = (&mut self.seen, limits::cpu_time(Some(self.child.id()))) {
            *seen = now.max(*seen);
        }
    }

    /// Ends the worker.
    pub fn kill(&mut self, why: Killed) {
        if self.killed.is_none() {
            self.killed = Some(why);
            let _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
        }
    }
}

fn crash(status: ExitStatus, complaints: &str) -> End {
    let lower = complaints.to_ascii_lowercase();
    if ["memory allocation of", "out of memory", "bad_alloc", "cannot allocate memory"].iter().any(|m| lower.contains(m)) {
        return End::Memory;
    }
    if lower.contains("overflowed its stack") {
        return End::Crash("the engine ran out of stack".to_owned());
    }
    let first = complaints.lines().find(|l| !l.trim().is_empty()).map(|l| format!(": {}", l.trim())).unwrap_or_default();
    match status.signal() {
        Some(s) if s == Signal::XCPU.as_raw() => End::Time,
        Some(s) => End::Crash(format!("the engine was ended by signal {s}{first}")),
        None => End::Crash(format!("the engine ended with status {}{first}", status.code().unwrap_or(-1))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_told_apart() {
        let signal = ExitStatus::from_raw;
        assert!(matches!(crash(signal(6), "memory allocation of 8 bytes failed"), End::Memory));
        assert!(matches!(crash(signal(24), ""), End::Time));
        assert!(matches!(crash(signal(6), "thread 'x' has overflowed its stack"), End::Crash(s) if s.contains("stack")));
        assert!(matches!(crash(signal(11), "\nboo\n"), End::Crash(s) if s == "the engine was ended by signal 11: boo"));
        assert!(matches!(crash(signal(3 << 8), ""), End::Crash(s) if s.contains("status 3")));
    }
}
