//! A progress line on a terminal; silence elsewhere.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// The line on standard error.
#[derive(Debug)]
pub struct Progress {
    begin: Instant,
    shown: Option<Instant>,
    text: String,
    terminal: bool,
}

impl Progress {
    /// Nothing shown yet; short runs never show anything.
    pub fn new() -> Progress {
        Progress { begin: Instant::now(), shown: None, text: String::new(), terminal: std::io::stderr().is_terminal() }
    }

    /// What is going on.
    pub fn show(&mut self, config: &str, text: &str) {
        let colon = if config.is_empty() { "" } else { ": " };
        self.text = format!("{config}{colon}{text}").chars().filter(|c| !c.is_control()).take(90).collect();
    }

    /// Updates the line now and then.
    pub fn tick(&mut self) {
        let due = self.shown.map_or(self.begin.elapsed() > Duration::from_millis(300), |s| s.elapsed() > Duration::from_millis(100));
        if self.terminal && due {
            self.shown = Some(Instant::now());
            let _ = write!(std::io::stderr(), "\r\x1b[K[{:6.1} s] {}", self.begin.elapsed().as_secs_f64(), self.text);
            let _ = std::io::stderr().flush();
        }
    }

    /// Removes the line.
    pub fn clear(&mut self) {
        if self.shown.take().is_some() {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}
