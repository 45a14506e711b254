//! Exit codes.

use std::io::Write;

/// The property holds.
pub const PROVED: u8 = 0;
/// It is violated.
pub const REFUTED: u8 = 1;
/// Not decided.
pub const UNKNOWN: u8 = 2;
/// Bad input or usage.
pub const USAGE: u8 = 3;

/// Complains about bad input.
pub fn usage(message: &str) -> u8 {
    let _ = writeln!(std::io::stderr(), "plumb: {message}");
    USAGE
}

/// Writes to standard output; a reader that has gone away is no error.
pub fn say(text: &str) {
    let _ = std::io::stdout().lock().write_all(text.as_bytes());
}
