//! Flat matrices of coefficients and of bits.

use super::coef::Coef;

/// Rows of equal length in one allocation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mat<T> {
    cols: usize,
    data: Vec<T>,
}

impl<T: Coef> Mat<T> {
    /// No rows of `cols` columns (at least one).
    pub fn new(cols: usize) -> Self {
        debug_assert!(cols > 0);
        Mat { cols, data: Vec::new() }
    }

    /// A copy with room for `rows` more rows.
    pub fn roomy_clone(&self, rows: usize) -> Self {
        let mut data = Vec::with_capacity(self.data.len() + rows * self.cols);
        data.extend_from_slice(&self.data);
        Mat { cols: self.cols, data }
    }

    /// Sorts the rows.
    pub fn sort_by_key<K: Ord>(&mut self, key: impl Fn(&[T]) -> K) {
        let mut order: Vec<usize> = (0..self.rows()).collect();
        order.sort_by_key(|&i| key(self.row(i)));
        if !order.is_sorted() {
            self.data = order.iter().flat_map(|&i| self.row(i).to_vec()).collect();
        }
    }

    /// Number of columns.
    #[inline]
    pub fn cols(&self) -> usize {
        self.cols
    }

    /// Number of rows.
    #[inline]
    pub fn rows(&self) -> usize {
        self.data.len() / self.cols
    }

    /// Whether there are no rows.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.data.is_empty()
    }

    /// Row `i`.
    #[inline]
    pub fn row(&self, i: usize) -> &[T] {
        &self.data[i * self.cols..(i + 1) * self.cols]
    }

    /// Row `i`.
    #[inline]
    pub fn row_mut(&mut self, i: usize) -> &mut [T] {
        &mut self.data[i * self.cols..(i + 1) * self.cols]
    }

    /// All rows.
    pub fn iter(&self) -> impl Iterator<Item = &[T]> {
        self.data.chunks_exact(self.cols)
    }

    /// Appends a row.
    pub fn push(&mut self, row: &[T]) {
        debug_assert_eq!(row.len(), self.cols);
        self.data.extend_from_slice(row);
    }

    /// Appends all rows of `other`.
    pub fn append(&mut self, other: &Mat<T>) {
        debug_assert_eq!(other.cols, self.cols);
        self.data.extend_from_slice(&other.data);
    }

    /// Appends the combination `p·a + q·b` of rows `a` and `b`, normalised.
    #[inline]
    pub fn push_combination(
        &mut self,
        p: &T::Prod,
        a: usize,
        q: &T::Prod,
        b: usize,
        scratch: &mut Vec<T>,
    ) -> Result<(), super::coef::Overflow> {
        scratch.clear();
        T::combine(p, self.row(a), q, self.row(b), scratch)?;
        self.data.append(scratch);
        Ok(())
    }

    /// Replaces row `i` by `p·row + q·other`, normalised.
    pub fn combine_into(
        &mut self,
        i: usize,
        p: &T::Prod,
        q: &T::Prod,
        other: &[T],
        scratch: &mut Vec<T>,
    ) -> Result<(), super::coef::Overflow> {
        scratch.clear();
        T::combine(p, self.row(i), q, other, scratch)?;
        self.row_mut(i).clone_from_slice(scratch);
        Ok(())
    }

    /// Exchanges two rows, `i ≤ j`.
    pub fn swap_rows(&mut self, i: usize, j: usize) {
        if i != j {
            let (before, after) = self.data.split_at_mut(j * self.cols);
            before[i * self.cols..(i + 1) * self.cols].swap_with_slice(&mut after[..self.cols]);
        }
    }

    /// Removes row `i`; later rows move up.
    pub fn remove(&mut self, i: usize) {
        self.data.drain(i * self.cols..(i + 1) * self.cols);
    }

    /// Keeps the rows for which `keep` says so, in order.
    pub fn retain(&mut self, keep: impl Fn(usize) -> bool) {
        let (rows, cols) = (self.rows(), self.cols);
        let mut to = 0;
        for i in 0..rows {
            if keep(i) {
                if to != i {
                    let (before, after) = self.data.split_at_mut(i * cols);
                    before[to * cols..(to + 1) * cols].swap_with_slice(&mut after[..cols]);
                }
                to += 1;
            }
        }
        self.data.truncate(to * cols);
    }

    /// The rows with columns chosen and reordered: column `j` of the result is column `from[j]`, or zero.
    pub fn select(&self, from: &[Option<usize>]) -> Mat<T> {
        let mut out = Mat::new(from.len());
        out.data.reserve(self.rows() * from.len());
        for row in self.iter() {
            out.data.extend(from.iter().map(|f| f.map_or_else(T::zero, |j| row[j].clone())));
        }
        out
    }

    /// The entries, row by row.
    pub fn data(&self) -> &[T] {
        &self.data
    }

    /// A matrix from entries, row by row.
    pub fn from_data(cols: usize, data: Vec<T>) -> Mat<T> {
        debug_assert!(cols > 0 && data.len() % cols == 0);
        Mat { cols, data }
    }
}

/// A matrix of bits; a row is a run of words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bits {
    cols: usize,
    words: usize,
    data: Vec<u64>,
}

impl Bits {
    /// `rows` rows of `cols` zero bits.
    pub fn new(rows: usize, cols: usize) -> Self {
        let words = cols.div_ceil(64).max(1);
        Bits { cols, words, data: vec![0; rows * words] }
    }

    /// A copy with room for `rows` more rows.
    pub fn roomy_clone(&self, rows: usize) -> Self {
        let mut data = Vec::with_capacity(self.data.len() + rows * self.words);
        data.extend_from_slice(&self.data);
        Bits { cols: self.cols, words: self.words, data }
    }

    /// Words per row.
    #[inline]
    pub fn words(&self) -> usize {
        self.words
    }

    /// Number of rows.
    #[inline]
    pub fn rows(&self) -> usize {
        self.data.len() / self.words
    }

    /// The words of row `i`.
    #[inline]
    pub fn row(&self, i: usize) -> &[u64] {
        &self.data[i * self.words..(i + 1) * self.words]
    }

    /// All words.
    #[inline]
    pub fn data(&self) -> &[u64] {
        &self.data
    }

    /// The bit.
    #[inline]
    pub fn get(&self, i: usize, j: usize) -> bool {
        self.data[i * self.words + j / 64] >> (j % 64) & 1 == 1
    }

    /// Sets the bit.
    #[inline]
    pub fn set(&mut self, i: usize, j: usize) {
        self.data[i * self.words + j / 64] |= 1 << (j % 64);
    }

    /// Appends a row.
    #[inline]
    pub fn push(&mut self, row: &[u64]) {
        debug_assert_eq!(row.len(), self.words);
        self.data.extend_from_slice(row);
    }

    /// Appends a row whose first `ones` bits are set.
    pub fn push_ones(&mut self, ones: usize) {
        self.data.extend((0..self.words).map(|w| ones_in_word(ones, w)));
    }

    /// Makes room for `cols` columns in total; new bits are zero.
    pub fn grow_cols(&mut self, cols: usize) {
        let words = cols.div_ceil(64).max(1);
        if words != self.words {
            let mut data = Vec::with_capacity(self.rows() * words);
            for i in 0..self.rows() {
                data.extend_from_slice(self.row(i));
                data.resize((i + 1) * words, 0);
            }
            self.data = data;
            self.words = words;
        }
        self.cols = cols;
    }

    /// Keeps the rows for which `keep` says so, in order.
    pub fn retain_rows(&mut self, keep: impl Fn(usize) -> bool) {
        let (rows, words) = (self.rows(), self.words);
        let mut to = 0;
        for i in 0..rows {
            if keep(i) {
                if words == 1 {
                    self.data[to] = self.data[i];
                } else {
                    self.data.copy_within(i * words..(i + 1) * words, to * words);
                }
                to += 1;
            }
        }
        self.data.truncate(to * words);
    }

    /// Number of ones in row `i`.
    #[inline]
    pub fn count(&self, i: usize) -> usize {
        self.row(i).iter().map(|w| w.count_ones() as usize).sum()
    }

    /// The transposed matrix.
    pub fn transposed(&self) -> Bits {
        let mut out = Bits::new(self.cols, self.rows());
        for i in 0..self.rows() {
            for (w, word) in self.row(i).iter().enumerate() {
                let mut rest = *word;
                while rest != 0 {
                    out.set(w * 64 + rest.trailing_zeros() as usize, i);
                    rest &= rest - 1;
                }
            }
        }
        out
    }
}

/// Word `w` of a row whose first `ones` bits are set.
#[inline]
pub fn ones_in_word(ones: usize, w: usize) -> u64 {
    match ones.saturating_sub(w * 64) {
        0 => 0,
        n if n >= 64 => u64::MAX,
        n => (1 << n) - 1,
    }
}

/// Whether every bit of `a` is set in `b`.
#[inline]
pub fn subset(a: &[u64], b: &[u64]) -> bool {
    a.iter().zip(b).all(|(x, y)| x & !y == 0)
}
