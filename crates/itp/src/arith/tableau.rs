//! The rows of the simplex: sparse equations `Σ cⱼ·xⱼ = 0` with integer coefficients.
//!
//! Each row has one *basic* column, which occurs in no other row; the others are *nonbasic*. A pivot exchanges a basic with a
//! nonbasic column. Rows stay primitive. An entry knows its place in the list of its column and the other way round, so that both
//! are removed in constant time.

use plumb_num::Int;

/// A column of the tableau: a numeric variable or the value of a linear form.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Col(pub(crate) u32);

impl Col {
    #[inline]
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A row of the tableau.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Row(pub(crate) u32);

impl Row {
    #[inline]
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A term of a row.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) col: Col,
    pub(crate) coefficient: Int,
    /// Where the column lists this entry.
    at: u32,
}

/// An entry as its column sees it.
#[derive(Clone, Copy, Debug)]
struct Cell {
    row: Row,
    /// Where the row has the entry.
    at: u32,
}

/// See the module's documentation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tableau {
    rows: Vec<Vec<Entry>>,
    columns: Vec<Vec<Cell>>,
    basic: Vec<Col>,
    row_of: Vec<Option<Row>>,
    /// How often each row changed.
    versions: Vec<u32>,
    /// While two rows are combined: one more than the place of a column in the target.
    place: Vec<u32>,
    work: u64,
}

impl Tableau {
    /// A new column, in no row.
    pub(crate) fn column(&mut self) -> Col {
        self.columns.push(Vec::new());
        self.row_of.push(None);
        self.place.push(0);
        Col(self.columns.len() as u32 - 1)
    }

    #[cfg(test)]
    pub(crate) fn rows(&self) -> impl Iterator<Item = Row> {
        (0..self.rows.len() as u32).map(Row)
    }

    /// The row in which `col` is basic.
    #[inline]
    pub(crate) fn row_of(&self, col: Col) -> Option<Row> {
        self.row_of[col.index()]
    }

    /// The basic column of `row`.
    #[inline]
    pub(crate) fn basic(&self, row: Row) -> Col {
        self.basic[row.index()]
    }

    /// The entries of `row`, the basic one among them.
    #[inline]
    pub(crate) fn row(&self, row: Row) -> &[Entry] {
        &self.rows[row.index()]
    }

    /// The coefficient of the basic column of `row`.
    #[inline]
    pub(crate) fn basic_coefficient(&self, row: Row) -> &Int {
        let cell = self.columns[self.basic[row.index()].index()][0];
        &self.rows[row.index()][cell.at as usize].coefficient
    }

    /// A number that is new after each change of the row.
    #[inline]
    pub(crate) fn version(&self, row: Row) -> u32 {
        self.versions[row.index()]
    }

    /// In how many rows `col` is.
    #[inline]
    pub(crate) fn occurrences(&self, col: Col) -> usize {
        self.columns[col.index()].len()
    }

    /// The rows that `col` is in.
    #[inline]
    pub(crate) fn rows_with(&self, col: Col) -> impl Iterator<Item = Row> + '_ {
        self.columns[col.index()].iter().map(|c| c.row)
    }

    /// The rows that `col` is in, with its coefficients.
    #[inline]
    pub(crate) fn column_of(&self, col: Col) -> impl Iterator<Item = (Row, &Int)> + '_ {
        self.columns[col.index()].iter().map(|c| (c.row, &self.rows[c.row.index()][c.at as usize].coefficient))
    }

    /// The row `slack = Σ terms`, in which the new column `slack` is basic. The terms have distinct columns.
    pub(crate) fn add_row(&mut self, slack: Col, terms: &[(Col, Int)]) -> Row {
        let row = Row(self.rows.len() as u32);
        self.rows.push(Vec::with_capacity(terms.len() + 1));
        self.basic.push(slack);
        self.versions.push(0);
        self.row_of[slack.index()] = Some(row);
        self.push(row, slack, Int::MINUS_ONE);
        for (col, a) in terms {
            self.push(row, *col, a.clone());
        }
        for (col, _) in terms {
            if let Some(source) = self.row_of[col.index()] {
                self.eliminate(row, source, *col);
            }
        }
        row
    }

    fn push(&mut self, row: Row, col: Col, coefficient: Int) {
        let entries = &mut self.rows[row.index()];
        let column = &mut self.columns[col.index()];
        column.push(Cell { row, at: entries.len() as u32 });
        entries.push(Entry { col, coefficient, at: column.len() as u32 - 1 });
    }

    fn remove(&mut self, row: Row, at: usize) {
        let entry = self.rows[row.index()].swap_remove(at);
        if let Some(moved) = self.rows[row.index()].get(at) {
            self.columns[moved.col.index()][moved.at as usize].at = at as u32;
        }
        let column = &mut self.columns[entry.col.index()];
        column.swap_remove(entry.at as usize);
        if let Some(moved) = column.get(entry.at as usize) {
            self.rows[moved.row.index()][moved.at as usize].at = entry.at;
        }
    }

    /// Lets `entering` become basic in `row`.
    pub(crate) fn pivot(&mut self, row: Row, entering: Col) {
        let leaving = self.basic[row.index()];
        let mut next = 0;
        while self.columns[entering.index()].len() > 1 {
            let other = self.columns[entering.index()][next].row;
            if other == row {
                next = 1;
                continue;
            }
            self.eliminate(other, row, entering);
        }
        self.row_of[leaving.index()] = None;
        self.row_of[entering.index()] = Some(row);
        self.basic[row.index()] = entering;
    }

    /// Entries of rows that were combined so far.
    pub(super) fn work(&self) -> u64 {
        self.work
    }

    /// Adds a multiple of `source` to a multiple of `target` so that `col` vanishes from `target`.
    fn eliminate(&mut self, target: Row, source: Row, col: Col) {
        self.versions[target.index()] += 1;
        let from = std::mem::take(&mut self.rows[source.index()]);
        for (i, e) in self.rows[target.index()].iter().enumerate() {
            self.place[e.col.index()] = i as u32 + 1;
        }
        let a = &self.rows[target.index()][self.place[col.index()] as usize - 1].coefficient;
        let Some(b) = from.iter().find(|e| e.col == col).map(|e| &e.coefficient) else {
            unreachable!("the source has the column");
        };
        // target·(b/g) - source·(a/g)
        let (scale, factor) = match (a.to_i64(), b.to_i64()) {
            (_, Some(1)) => (Int::ONE, -a),
            (_, Some(-1)) => (Int::ONE, a.clone()),
            _ => {
                let g = a.gcd(b);
                let g = if b.is_negative() { -g } else { g };
                (b.div_exact(&g), -a.div_exact(&g))
            }
        };
        let scaled = !scale.is_one();
        if scaled {
            for e in &mut self.rows[target.index()] {
                e.coefficient = &e.coefficient * &scale;
            }
        }
        let mut vanished = 0;
        let old = self.rows[target.index()].len();
        self.work += (old + from.len()) as u64;
        for e in &from {
            let add = match factor.to_i64() {
                Some(1) => e.coefficient.clone(),
                Some(-1) => -&e.coefficient,
                _ => &e.coefficient * &factor,
            };
            match self.place[e.col.index()] {
                0 => self.push(target, e.col, add),
                at => {
                    let c = &mut self.rows[target.index()][at as usize - 1].coefficient;
                    *c += &add;
                    vanished += usize::from(c.is_zero());
                }
            }
        }
        self.rows[source.index()] = from;
        for e in &self.rows[target.index()][..old] {
            self.place[e.col.index()] = 0;
        }
        let mut at = old;
        while vanished > 0 {
            at -= 1;
            if self.rows[target.index()][at].coefficient.is_zero() {
                self.remove(target, at);
                vanished -= 1;
            }
        }
        if scaled {
            self.make_primitive(target);
        }
    }

    fn make_primitive(&mut self, row: Row) {
        let entries = &mut self.rows[row.index()];
        let mut g = Int::ZERO;
        for e in entries.iter() {
            g = g.gcd(&e.coefficient);
            if g.is_one() {
                return;
            }
        }
        for e in entries {
            e.coefficient = e.coefficient.div_exact(&g);
        }
    }

    /// Whether the links hold and basic columns are where they should be.
    #[cfg(test)]
    pub(crate) fn is_well_formed(&self) -> bool {
        let linked = self.rows().all(|r| {
            self.row(r).iter().enumerate().all(|(i, e)| {
                let cell = self.columns[e.col.index()][e.at as usize];
                cell.row == r && cell.at as usize == i && !e.coefficient.is_zero()
            })
        });
        let cells: usize = self.columns.iter().map(Vec::len).sum();
        let entries: usize = self.rows.iter().map(Vec::len).sum();
        linked && cells == entries && self.rows().all(|r| self.occurrences(self.basic(r)) == 1 && self.row_of(self.basic(r)) == Some(r))
    }
}
