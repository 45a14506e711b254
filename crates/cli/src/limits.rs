//! Limits on processes: set by a worker on itself, watched by the parent.

use rustix::process::{getrlimit, setrlimit, Resource, Rlimit, Signal};
use std::time::Duration;

/// Address space that a worker may reserve beyond its memory limit: libraries, the allocator's slack, and above all stacks of
/// threads, which are reserved whole and hardly used. What is really used is watched by the parent.
const SLACK: u64 = 1 << 30;

/// The stack of a worker's main thread.
pub fn stack_size(memory: u64) -> usize {
    (memory / 4).clamp(8 << 20, 256 << 20) as usize
}

fn lower(resource: Resource, value: u64) {
    let old = getrlimit(resource);
    let capped = |limit: Option<u64>| Some(limit.map_or(value, |l| l.min(value)));
    // A limit that cannot be set is watched by the parent all the same.
    let _ = setrlimit(resource, Rlimit { current: capped(old.current), maximum: capped(old.maximum) });
}

/// Binds this process to its limits, and its life to its parent's.
pub fn bind(memory: u64, time: Duration) {
    let _ = rustix::process::set_parent_process_death_signal(Some(Signal::KILL));
    lower(Resource::Core, 0);
    lower(Resource::As, memory.saturating_add(stack_size(memory) as u64).saturating_add(SLACK));
    lower(Resource::Cpu, time.as_secs().saturating_add(2));
}

/// Ties this process to its parent: it ends when the parent does. False if that has happened already.
pub fn live_with(parent: u32) -> bool {
    let _ = rustix::process::set_parent_process_death_signal(Some(Signal::KILL));
    !is_orphan(parent)
}

/// Whether the parent is gone already, before its death could be noticed.
pub fn is_orphan(parent: u32) -> bool {
    rustix::process::getppid().is_none_or(|p| p.as_raw_nonzero().get() as u32 != parent)
}

/// Memory of the machine in bytes.
pub fn machine_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|l| l.starts_with("MemTotal:"))?;
    line.split_ascii_whitespace().nth(1)?.parse::<u64>().ok().map(|kib| kib << 10)
}

/// Resident memory of a process in bytes; none when it is gone.
pub fn resident(pid: u32) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/statm")).ok()?;
    let pages: u64 = text.split_ascii_whitespace().nth(1)?.parse().ok()?;
    Some(pages * rustix::param::page_size() as u64)
}

/// What this process may use of the processor, if whoever started it has set a limit; a little is left for the answer.
pub fn inherited_cpu_time() -> Option<Duration> {
    getrlimit(Resource::Cpu).current.map(|seconds| Duration::from_secs(seconds).mul_f64(0.97))
}

/// CPU time of this process alone, exactly.
pub fn own_cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

/// CPU time of a process and of its children that have ended.
pub fn cpu_time(pid: Option<u32>) -> Option<Duration> {
    let name = pid.map_or("self".to_owned(), |p| p.to_string());
    let text = std::fs::read_to_string(format!("/proc/{name}/stat")).ok()?;
    // The command's name, in parentheses, may hold anything.
    let fields = &text[text.rfind(')')? + 1..];
    let ticks: u64 = fields.split_ascii_whitespace().skip(11).take(4).filter_map(|f| f.parse::<u64>().ok()).sum();
    Some(Duration::from_millis(ticks * 1000 / rustix::param::clock_ticks_per_second().max(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_own_process_has_figures() {
        let pid = std::process::id();
        assert!(resident(pid).is_some_and(|b| b > 1 << 19));
        assert!(cpu_time(None).is_some() && cpu_time(Some(pid)).is_some());
        assert!(own_cpu_time() > Duration::ZERO);
        assert!(machine_memory().is_some_and(|m| m > 1 << 28));
        assert_eq!(stack_size(1 << 20), 8 << 20);
        assert_eq!(stack_size(1 << 40), 256 << 20);
    }
}
