//! The C library functions that print ([`crate::Op::Output`]), with glibc's results.

mod args;
mod format;
mod number;

pub(super) use args::{Arguments, Reader};

use super::outcome::{Stop, UbKind};
use super::value::Val;
use crate::program::DataModel;
use plumb_term::Scalar;
use std::cell::RefCell;
use std::io::Write;
use std::rc::Rc;

/// Where a program writes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stream {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
}

/// Takes what the program prints.
pub trait Output {
    /// More bytes. Trouble with the receiving end is not the program's: it goes on as if they had been written.
    fn write(&mut self, stream: Stream, bytes: &[u8]);
}

/// Drops everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct Discard;

impl Output for Discard {
    fn write(&mut self, _: Stream, _: &[u8]) {}
}

/// The streams of this process.
#[derive(Clone, Copy, Debug, Default)]
pub struct Process;

impl Output for Process {
    fn write(&mut self, stream: Stream, bytes: &[u8]) {
        // A closed pipe must not change the execution.
        let _ = match stream {
            Stream::Stdout => std::io::stdout().write_all(bytes),
            Stream::Stderr => std::io::stderr().write_all(bytes),
        };
    }
}

/// Keeps everything; share it to read it afterwards.
#[derive(Clone, Debug, Default)]
pub struct Collected(Rc<RefCell<(Vec<u8>, Vec<u8>)>>);

impl Collected {
    /// What was printed to standard output.
    pub fn stdout(&self) -> Vec<u8> {
        self.0.borrow().0.clone()
    }

    /// What was printed to standard error.
    pub fn stderr(&self) -> Vec<u8> {
        self.0.borrow().1.clone()
    }
}

impl Output for Collected {
    fn write(&mut self, stream: Stream, bytes: &[u8]) {
        let mut both = self.0.borrow_mut();
        let buffer = if stream == Stream::Stdout { &mut both.0 } else { &mut both.1 };
        buffer.extend_from_slice(bytes);
    }
}

/// What a call printed, and its result.
pub(super) struct Printed {
    pub(super) stream: Option<Stream>,
    pub(super) text: Vec<u8>,
    pub(super) result: i128,
}

/// Executes a call.
pub(super) fn call(name: &str, args: &[(Scalar, Val)], reader: &mut Reader<'_>, model: DataModel) -> Result<Printed, Stop> {
    let (function, stream) = match name.split_once(':') {
        Some((f, "stdout")) => (f, Some(Stream::Stdout)),
        Some((f, "stderr")) => (f, Some(Stream::Stderr)),
        Some((f, _)) => (f, None),
        None => (name, Some(Stream::Stdout)),
    };
    let function = function.strip_prefix("__builtin_").unwrap_or(function);
    let function = function.strip_suffix("_unlocked").unwrap_or(function);
    let mut args = Arguments::new(args);
    let stream = match function {
        "dprintf" | "write" => match args.pointer(model)? {
            1 => Some(Stream::Stdout),
            2 => Some(Stream::Stderr),
            _ => None,
        },
        _ => stream,
    };
    let (text, result) = match function {
        "printf" | "fprintf" | "dprintf" => {
            let format = args.string(reader)?;
            let text = format::format(&format, &mut args, reader, model)?;
            let n = text.len() as i128;
            (text, n)
        }
        "vprintf" | "vfprintf" => {
            let format = args.string(reader)?;
            let list = args.pointer(model)?;
            let text = format::format(&format, &mut Arguments::in_memory(list), reader, model)?;
            let n = text.len() as i128;
            (text, n)
        }
        "puts" => {
            let mut text = args.string(reader)?;
            text.push(b'\n');
            let n = text.len() as i128;
            (text, n)
        }
        "fputs" => (args.string(reader)?, 1),
        "putchar" | "putc" | "fputc" | "_IO_putc" => {
            let c = args.byte(reader, model)?;
            (vec![c], i128::from(c))
        }
        "fwrite" => {
            let from = args.pointer(model)?;
            let (size, count) = (args.pointer(model)?, args.pointer(model)?);
            let n = size.checked_mul(count).ok_or(Stop::Undefined(UbKind::OutOfBounds))?;
            (reader.bytes(from, n)?, i128::from(if size == 0 { 0 } else { count }))
        }
        "write" => {
            let (from, n) = (args.pointer(model)?, args.pointer(model)?);
            (reader.bytes(from, n)?, i128::from(n))
        }
        // They go to logs of their own, with conversions of their own.
        "printk" | "syslog" => return Ok(Printed { stream: None, text: Vec::new(), result: 0 }),
        "perror" => {
            let prefix = if args.peek_null() { Vec::new() } else { args.string(reader)? };
            let colon: &[u8] = if prefix.is_empty() { b"" } else { b": " };
            let text = [&prefix, colon, b"Success\n"].concat();
            return Ok(Printed { stream: Some(Stream::Stderr), text, result: 0 });
        }
        "fflush" => (Vec::new(), 0),
        other => return Err(Stop::Unsupported(format!("the output function '{other}' is not supported"))),
    };
    Ok(Printed { stream, text, result })
}
