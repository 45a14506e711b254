//! Broken C from good C: bytes flipped, tokens dropped, doubled, swapped, replaced and spliced in from elsewhere.

/// A small deterministic generator (xorshift64*).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A number below `bound` (0 for 0).
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let value = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 32;
        (value as usize).checked_rem(bound).unwrap_or(0)
    }
}

const WORDS: &[&str] = &[
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ";",
    ",",
    ":",
    "?",
    "*",
    "&",
    "&&",
    "=",
    "==",
    "...",
    "->",
    "++",
    "#",
    "\n# 7 \"x\"\n",
    "\\\n",
    "\"",
    "'",
    "/*",
    "//",
    "int",
    "struct",
    "union",
    "enum",
    "typedef",
    "static",
    "const",
    "if",
    "else",
    "for",
    "while",
    "do",
    "switch",
    "case",
    "default",
    "goto",
    "return",
    "sizeof",
    "typeof",
    "__attribute__((",
    "))",
    "asm",
    "_Generic(",
    "__extension__",
    "({",
    "})",
    "__label__",
    "_Static_assert(",
    "__builtin_va_arg(",
    "0x",
    "1e",
    "'\\x",
    "L\"",
    "\\u",
    "0b1",
    "\0",
    "\u{e4}",
    "#pragma pack(push, 1)\n",
    "\n#pragma pack(pop)\n",
    "_Pragma(",
    "_Atomic(",
    "_Alignas(",
];

/// A mutant of `text`, with pieces of `other`.
pub fn mutate(text: &[u8], other: &[u8], random: &mut Random) -> Vec<u8> {
    let mut mutant = text.to_owned();
    for _ in 0..=random.below(6) {
        let (at, len) = token(&mutant, random);
        match random.below(12) {
            0 if !mutant.is_empty() => {
                let index = random.below(mutant.len());
                mutant[index] ^= 1 << random.below(8);
            }
            1 if !mutant.is_empty() => {
                let index = random.below(mutant.len());
                mutant[index] = random.below(256) as u8;
            }
            2 | 3 => drop(mutant.drain(at..at + len)),
            4 => {
                let copy = mutant[at..at + len].to_owned();
                insert(&mut mutant, at, &copy);
            }
            5 => {
                // Many copies: what is harmless once may not be when nested.
                let copy = mutant[at..at + len].repeat(1 + random.below(20_000 / len.max(1)));
                insert(&mut mutant, at, &copy);
            }
            6 | 7 => insert(&mut mutant, at, WORDS[random.below(WORDS.len())].as_bytes()),
            8 => {
                let word = WORDS[random.below(WORDS.len())].as_bytes();
                mutant.splice(at..at + len, word.iter().copied());
            }
            9 => {
                let (from, piece) = token(other, random);
                mutant.splice(at..at + len, other[from..from + piece].iter().copied());
            }
            10 => {
                let from = random.below(other.len());
                let to = (from + random.below(400)).min(other.len());
                insert(&mut mutant, at, &other[from..to]);
            }
            _ => {
                let end = (at + random.below(2000)).min(mutant.len());
                mutant.drain(at..end);
            }
        }
    }
    if random.below(20) == 0 {
        mutant.truncate(random.below(mutant.len() + 1));
    }
    mutant
}

fn insert(text: &mut Vec<u8>, at: usize, piece: &[u8]) {
    text.splice(at..at, piece.iter().copied());
}

/// A random word or punctuation mark of `text`: where, and how long.
fn token(text: &[u8], random: &mut Random) -> (usize, usize) {
    if text.is_empty() {
        return (0, 0);
    }
    let is_word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    let mut start = random.below(text.len());
    while start > 0 && is_word(text[start]) && is_word(text[start - 1]) {
        start -= 1;
    }
    let len = text[start..].iter().take_while(|&&b| is_word(b)).count().max(1);
    (start, len)
}
