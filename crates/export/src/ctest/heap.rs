//! An allocator whose blocks have the contents of the execution.

use super::memory::stores;
use super::support::Support;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// An allocator of its own, so that the contents of new blocks are known.
pub(super) fn allocator(heap: &BTreeMap<usize, Vec<(u64, u8)>>, fails: &[usize], support: &mut Support<'_>) {
    let mut cases = String::new();
    for (index, bytes) in heap {
        let _ = write!(cases, " case {index}:{} break;", stores(bytes));
    }
    let failing: String = fails.iter().map(|i| format!(" case {i}:")).collect();
    let failing = if fails.is_empty() { String::new() } else { format!("switch (turn) {{{failing} turn++; return 0; }}\n  ") };
    support.define(&format!(
        "static unsigned char plumb_pool[1 << 26] __attribute__((aligned(16)));\n\
         static unsigned long plumb_used = 16;\n\
         static void *plumb_allocate(unsigned long size, int zeroed) {{\n  static unsigned turn;\n  \
         unsigned char *p = plumb_pool + plumb_used;\n  if (size > sizeof plumb_pool - plumb_used - 64) return 0;\n  {failing}\
         *(unsigned long *)(p - 16) = size;\n  plumb_used += (size + 47) / 16 * 16;\n  \
         if (zeroed) turn++; else switch (turn++) {{{cases} }}\n  return p;\n}}\n\
         static void plumb_quiet(void) __attribute__((constructor));\n\
         extern int plumb_setvbuf(void *, char *, int, unsigned long) __asm__(\"setvbuf\");\n\
         extern void *plumb_stdout __asm__(\"stdout\");\n\
         static void plumb_quiet(void) {{ plumb_setvbuf(plumb_stdout, 0, 2, 0); }}\n"
    ));
    support.function("malloc", "void *", "unsigned long size", "return plumb_allocate(size, 0);");
    support.function("calloc", "void *", "unsigned long n, unsigned long size", "return plumb_allocate(n * size, 1);");
    support.function("free", "void", "void *p", "(void)p;");
    let copy = "unsigned char *new = plumb_allocate(size, 0), *old = p; \
                unsigned long i, n = old ? *(unsigned long *)(old - 16) : 0; \
                if (new) for (i = 0; i < n && i < size; i++) new[i] = old[i]; return new;";
    support.function("realloc", "void *", "void *p, unsigned long size", copy);
}
