//! A seeded slice of what `examples/fuzz.rs` does at length: mutants of C texts give a tree or a located error, and a tree's
//! print parses to itself.

mod mutate;

use mutate::{mutate, Random};
use plumb_cfront::{parse, print, Interner, Problem};
use plumb_term::SourceMap;

const SEEDS: &[&str] = &[
    "typedef unsigned long size_t; typedef struct list { struct list *next; int data[4]; unsigned f : 3, : 0; } list;\n\
     static inline int sum(const list *l, size_t n) { int s = 0; for (size_t i = 0; l && i < n; i++, l = l->next) s += l->data[i % 4]; return s; }\n\
     int main(int argc, char **argv) { list a = { .next = &a, .data = { [1 ... 2] = 7 } }; if (argc > 1) goto out; else switch (sum(&a, 3)) { case 1 ... 4: break; default: return 1; }\n\
     do { a.data[0]--; } while (a.data[0] > 0 && !argv[1]); out: return a.data[0] ? : 2; }",
    "# 1 \"x.h\" 1 3\nextern int f(int, ...) __asm__(\"g\") __attribute__((__nothrow__, format(printf, 1, 2)));\n#pragma pack(push, 1)\nunion u { char c; double d; } __attribute__((aligned(8)));\n\
     #pragma pack(pop)\nint k(a, b) int a; char *b; { __label__ z; static void *t[] = { &&x, &&y }; goto *t[a]; x: y: z: asm volatile (\"\" : \"=r\" (a) : \"0\" (b) : \"memory\");\n\
     return ({ __auto_type q = (typeof(a)) a; q; }) + _Generic(a, int: 1, default: 2) + sizeof(int (*[3])(void)) + __builtin_offsetof(union u, d); }\n\
     _Static_assert(sizeof(int) == 4, \"m\" \"n\"); _Alignas(16) _Atomic int v; __thread int w = L'\\xe4' + 'ab' + 0x1p3 + 1.5if + 0b11u; char s[] = \"a\\0\\x41\" \"\\u00e4\";",
];

fn reprint(text: &[u8]) -> Result<String, plumb_cfront::Diagnostic> {
    let mut names = Interner::new();
    let unit = parse(text, "t.c", &mut SourceMap::new(), &mut names)?;
    Ok(plumb_cfront::parse::on_deep_stack(|| print::unit(&unit, &names)).unwrap())
}

#[test]
fn mutants() {
    for (index, seed) in SEEDS.iter().enumerate() {
        reprint(seed.as_bytes()).unwrap_or_else(|error| panic!("seed {index}: {error:?}"));
    }
    let mut random = Random::new(1);
    let (mut good, mut bad) = (0, 0);
    for round in 0..4_000 {
        let text = mutate(SEEDS[round % 2].as_bytes(), SEEDS[(round / 2) % 2].as_bytes(), &mut random);
        match reprint(&text) {
            Ok(printed) => {
                match reprint(printed.as_bytes()) {
                    // A long chain of operators is a deep nest of parentheses in print.
                    Err(error) if error.problem == Problem::Unsupported => {}
                    again => assert_eq!(again.as_ref(), Ok(&printed), "{}", String::from_utf8_lossy(&text)),
                }
                good += 1;
            }
            Err(error) => {
                assert!(!error.message.is_empty());
                bad += 1;
            }
        }
    }
    assert!(good > 100 && bad > 1_000, "{good} good and {bad} bad mutants");
}
