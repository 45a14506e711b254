//! Interned identifiers.
//!
//! Every spelling gets one [`Symbol`], so that later stages compare and index by a small number. An [`Interner`] is an
//! open-addressing hash table over one text arena: a known name costs one hash and one comparison, no allocation.

use crate::lex::token::KEYWORDS;

/// An identifier: index of its spelling in an [`Interner`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Symbol(pub u32);

impl Symbol {
    /// The symbol as an index, for tables by symbol.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The spellings of all identifiers of one program; shared by its translation units.
#[derive(Clone, Debug)]
pub struct Interner {
    text: String,
    /// End of each spelling in `text`; it starts where its predecessor ends.
    ends: Vec<u32>,
    /// Power-of-two table of symbol + 1; 0 is a free slot.
    slots: Vec<u32>,
}

impl Default for Interner {
    fn default() -> Self {
        Self::new()
    }
}

impl Interner {
    /// An interner that knows the keywords only; they are its first symbols.
    pub fn new() -> Self {
        let mut names = Interner { text: String::new(), ends: Vec::new(), slots: vec![0; 1024] };
        for (keyword, _) in KEYWORDS {
            names.intern(keyword);
        }
        names
    }

    /// The symbol of `name`, new or known.
    pub fn intern(&mut self, name: &str) -> Symbol {
        let mask = self.slots.len() - 1;
        let mut slot = hash(name.as_bytes()) & mask;
        loop {
            match self.slots[slot] {
                0 => break,
                taken if self.name(Symbol(taken - 1)) == name => return Symbol(taken - 1),
                _ => slot = (slot + 1) & mask,
            }
        }
        let symbol = Symbol(self.ends.len() as u32);
        self.text.push_str(name);
        self.ends.push(self.text.len() as u32);
        self.slots[slot] = symbol.0 + 1;
        if self.ends.len() * 2 > self.slots.len() {
            self.grow();
        }
        symbol
    }

    /// The symbol of `name` if it was interned before.
    pub fn get(&self, name: &str) -> Option<Symbol> {
        let mask = self.slots.len() - 1;
        let mut slot = hash(name.as_bytes()) & mask;
        loop {
            match self.slots[slot] {
                0 => return None,
                taken if self.name(Symbol(taken - 1)) == name => return Some(Symbol(taken - 1)),
                _ => slot = (slot + 1) & mask,
            }
        }
    }

    /// The spelling of `symbol`; empty for a symbol of another interner.
    pub fn name(&self, symbol: Symbol) -> &str {
        let index = symbol.index();
        let Some(&end) = self.ends.get(index) else { return "" };
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.text[start as usize..end as usize]
    }

    /// The number of symbols (never 0); they are numbered from 0.
    #[allow(clippy::len_without_is_empty)] // An interner always holds the keywords.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    fn grow(&mut self) {
        let mask = self.slots.len() * 2 - 1;
        let mut slots = vec![0; mask + 1];
        for index in 0..self.ends.len() as u32 {
            let mut slot = hash(self.name(Symbol(index)).as_bytes()) & mask;
            while slots[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            slots[slot] = index + 1;
        }
        self.slots = slots;
    }
}

/// Multiply-rotate over eight bytes at a time, with the high bits folded down (the table masks the low ones).
fn hash(name: &[u8]) -> usize {
    const SEED: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut state = name.len() as u64;
    let mut chunks = name.chunks_exact(8);
    for chunk in &mut chunks {
        let word = chunk.iter().rev().fold(0u64, |w, &b| (w << 8) | u64::from(b));
        state = (state.rotate_left(5) ^ word).wrapping_mul(SEED);
    }
    let word = chunks.remainder().iter().fold(0u64, |w, &b| (w << 8) | u64::from(b));
    state = (state.rotate_left(5) ^ word).wrapping_mul(SEED);
    (state ^ (state >> 32)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_symbol_per_spelling_also_after_growing() {
        let mut names = Interner::new();
        let symbols: Vec<Symbol> = (0..10_000).map(|i| names.intern(&format!("name_{i}"))).collect();
        for (i, &symbol) in symbols.iter().enumerate() {
            assert_eq!(names.name(symbol), format!("name_{i}"));
            assert_eq!(names.intern(&format!("name_{i}")), symbol);
        }
        assert_eq!(names.len(), KEYWORDS.len() + 10_000);
        assert_eq!(names.get("while").map(|symbol| KEYWORDS[symbol.index()].0), Some("while"));
        assert_eq!(names.get("name_77"), Some(symbols[77]));
        assert_eq!(names.get("nowhere"), None);
        assert_eq!(names.name(Symbol(99_999)), "");
    }
}
