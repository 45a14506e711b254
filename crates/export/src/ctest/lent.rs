//! Memory of the environment: where pointers from outside point, the test has memory before `main` begins.

use super::memory::stores;
use super::support::Support;
use crate::subject::Subject;
use std::fmt::Write as _;

/// Memory is mapped in pages of this size.
const PAGE: u64 = 4096;

/// Where the memory of processes ends: above are their stacks and the kernel.
fn end(subject: &Subject<'_>) -> u64 {
    match subject.data_model() {
        "ILP32" => 0xf000_0000,
        _ => 0x7000_0000_0000,
    }
}

/// Maps the pages of `pieces` (addresses and sizes, ascending) and sets `bytes` in them, by address.
pub(super) fn lend(subject: &Subject<'_>, pieces: &[(u64, u64)], bytes: &[(u64, u8)], support: &mut Support<'_>) -> Result<(), String> {
    let Some((last, size)) = pieces.last() else { return Ok(()) };
    if last + size > end(subject) {
        return Err(format!("the path depends on memory at {last:#x}, where a process has none"));
    }
    let mut runs: Vec<(u64, u64)> = Vec::new();
    for (addr, size) in pieces {
        let (lo, hi) = (addr / PAGE * PAGE, (addr + size).next_multiple_of(PAGE));
        match runs.last_mut() {
            Some(last) if lo <= last.1 => last.1 = last.1.max(hi),
            _ => runs.push((lo, hi)),
        }
    }
    let mut body = String::new();
    for (lo, hi) in runs {
        // Private, anonymous, at this address and only where nothing is.
        let _ = write!(
            body,
            "  p = plumb_mmap((void *){lo:#x}, {:#x}, 3, 0x100022, -1, 0);\n  if (p != (void *){lo:#x}) plumb_exit(1);\n",
            hi - lo
        );
        let mine: Vec<(u64, u8)> = bytes.iter().filter(|b| lo <= b.0 && b.0 < hi).map(|(at, b)| (at - lo, *b)).collect();
        let _ = writeln!(body, " {}", stores(&mine));
    }
    support.define(&format!(
        "extern void *plumb_mmap(void *, unsigned long, int, int, int, long) __asm__(\"mmap\");\n\
         extern void plumb_exit(int) __asm__(\"_exit\");\n\
         static void plumb_lend(void) __attribute__((constructor));\n\
         static void plumb_lend(void) {{\n  unsigned char *p;\n{body}}}\n"
    ));
    Ok(())
}
