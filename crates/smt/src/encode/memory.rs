//! Memories as arrays from addresses to cells.
//!
//! A byte is a bit-vector of 8 bits, or an integer whose range is an axiom of each read; a float cell is a pattern in both
//! encodings. A splice of few cells is a chain of stores. Any other is a λ, which Z3 handles badly under reads; so a read goes through
//! stores, choices and splices down to memories without a λ, and only a memory that is compared as a whole keeps one.

use super::bits::concat;
use super::{pow2, scalar_sort, unencodable, Built, Encoder, Encoding, Stop, Task};
use crate::ffi::{Ast, Context, Sort};
use plumb_term::{Cell, IBig, IntTy, Kind, Scalar, Term};

/// Splices of at most this many cells are chains of stores.
const SHORT: i64 = 64;

pub(super) fn memory_sort(context: &Context, encoding: Encoding, cell: Cell) -> Sort {
    context.array_sort(&address_sort(context, encoding), &cell_sort(context, encoding, cell))
}

fn address_sort(context: &Context, encoding: Encoding) -> Sort {
    match encoding {
        Encoding::Int => context.int_sort(),
        Encoding::Bits { address_bits } => context.bv_sort(address_bits),
    }
}

fn cell_sort(context: &Context, encoding: Encoding, cell: Cell) -> Sort {
    match cell {
        Cell::Byte => scalar_sort(context, encoding, Scalar::Int(IntTy::U8)),
        Cell::Scalar(s) => scalar_sort(context, encoding, s),
    }
}

fn cell_of(mem: Term) -> Result<Cell, Stop> {
    match mem.sort() {
        plumb_term::Sort::Mem(cell) => Ok(cell),
        _ => unencodable("a memory was expected"),
    }
}

/// The length of a splice, if it is short.
fn short(len: Term) -> Option<i64> {
    len.as_int().and_then(|n| i64::try_from(n).ok()).filter(|n| *n <= SHORT)
}

impl Encoder {
    pub(super) fn build_mem(&mut self, t: Term) -> Built {
        let cell = cell_of(t)?;
        match t.kind() {
            Kind::Var(v) => Ok(self.symbol(*v)),
            Kind::ZeroMem(_) => {
                let zero = self.context.numeral(&IBig::ZERO, &cell_sort(&self.context, self.encoding, cell));
                Ok(zero.constant_array(&address_sort(&self.context, self.encoding)))
            }
            Kind::Ite(c, a, b) => {
                let (c, a, b) = self.need3(Task::Bool(*c), Task::Mem(*a), Task::Mem(*b))?;
                Ok(c.ite(&a, &b))
            }
            Kind::Store(ty, m, a, v) => {
                let (mem, cells) = (self.need(Task::Mem(*m)), self.value_cells(*ty, *v, cell));
                let base = self.address(*a)?;
                let (mut mem, cells) = (mem?, cells?);
                for (i, c) in cells.iter().enumerate() {
                    mem = mem.store(&self.offset(&base, i as i64), c);
                }
                Ok(mem)
            }
            Kind::Splice { mem, src, lo, len } => {
                let both = self.need2(Task::Mem(*mem), Task::Mem(*src));
                if let Some(n) = short(*len) {
                    let base = self.address(*lo)?;
                    let (mut mem, src) = both?;
                    for i in 0..n {
                        let at = self.offset(&base, i);
                        mem = mem.store(&at, &src.select(&at));
                    }
                    return Ok(mem);
                }
                let at = self.helper("at", &address_sort(&self.context, self.encoding));
                let inside = self.inside(&at, *lo, *len)?;
                let (mem, src) = both?;
                Ok(inside.ite(&src.select(&at), &mem.select(&at)).lambda(&at))
            }
            _ => unencodable("a memory was expected"),
        }
    }

    fn address(&mut self, a: Term) -> Built {
        match self.encoding {
            Encoding::Int => self.need(Task::Int(a)),
            Encoding::Bits { address_bits } => self.need(Task::Bv(a, address_bits)),
        }
    }

    fn offset(&self, base: &Ast, by: i64) -> Ast {
        if by == 0 {
            return base.clone();
        }
        match self.encoding {
            Encoding::Int => self.sum(&[base.clone(), self.context.int(&IBig::from(by))]),
            Encoding::Bits { address_bits } => base.bvadd(&self.bv_numeral(&IBig::from(by), address_bits)),
        }
    }

    /// `lo ≤ at < lo + len`.
    fn inside(&mut self, at: &Ast, lo: Term, len: Term) -> Built {
        match self.encoding {
            Encoding::Int => {
                let (lo, len) = self.need2(Task::Int(lo), Task::Int(len))?;
                let end = self.sum(&[lo.clone(), len]);
                Ok(Ast::and(&self.context, &[lo.le(at), at.lt(&end)]))
            }
            Encoding::Bits { address_bits } => {
                let lengths = self.interval(len)?;
                // Wide enough that neither a length nor a distance has the sign bit, or the length is negative.
                let w = lengths.signed_width().max(address_bits + 1);
                let (lo, len) = self.need2(Task::Bv(lo, address_bits), Task::Bv(len, w))?;
                Ok(at.bvsub(&lo).zero_extend(w - address_bits).bvslt(&len))
            }
        }
    }

    /// The cells that a stored value fills, low to high.
    fn value_cells(&mut self, ty: Scalar, v: Term, cell: Cell) -> Result<Vec<Ast>, Stop> {
        let bytes = ty.bytes() as u32;
        match (cell, ty, self.encoding) {
            (Cell::Scalar(_), Scalar::Float(_), _) => Ok(vec![self.need(Task::Pattern(v))?]),
            (Cell::Scalar(_), Scalar::Int(ty), Encoding::Int) => Ok(vec![self.need(Task::Int(v.wrap(ty)))?]),
            (Cell::Scalar(_), Scalar::Int(ty), Encoding::Bits { .. }) => Ok(vec![self.need(Task::Bv(v, u32::from(ty.bits)))?]),
            (Cell::Byte, Scalar::Float(_), encoding) => {
                let pattern = self.need(Task::Pattern(v))?;
                let byte = |i: u32| pattern.extract(8 * i + 7, 8 * i);
                Ok((0..bytes).map(|i| if encoding == Encoding::Int { byte(i).bv_to_int(false) } else { byte(i) }).collect())
            }
            (Cell::Byte, Scalar::Int(_), Encoding::Bits { .. }) => {
                let all = self.need(Task::Bv(v, 8 * bytes))?;
                Ok((0..bytes).map(|i| all.extract(8 * i + 7, 8 * i)).collect())
            }
            (Cell::Byte, Scalar::Int(_), Encoding::Int) => {
                let i = self.bounds(v);
                let value = self.need(Task::Int(v))?;
                let whole = i.is_some_and(|i| i.is_nonneg() && i.width() <= 8 * bytes);
                Ok((0..bytes)
                    .map(|i| {
                        let shifted = if i == 0 { value.clone() } else { value.div(&self.context.int(&pow2(8 * i))) };
                        if whole && i + 1 == bytes {
                            shifted
                        } else {
                            shifted.modulo(&self.context.int(&IBig::from(256)))
                        }
                    })
                    .collect())
            }
        }
    }

    /// The cells that a load reads, low to high.
    pub(super) fn load_cells(&mut self, ty: Scalar, m: Term, a: Term) -> Result<Vec<Ast>, Stop> {
        let count = match cell_of(m)? {
            Cell::Byte => ty.bytes() as u32,
            Cell::Scalar(_) => 1,
        };
        self.needs((0..count).map(|i| Task::Cell(m, a, i)))
    }

    /// Cells as one bit-vector.
    pub(super) fn cells_to_bits(&self, cells: &[Ast], memory: plumb_term::Sort) -> Built {
        match (memory, self.encoding) {
            (plumb_term::Sort::Mem(Cell::Byte), Encoding::Int) => Ok(concat(&cells.iter().map(|c| c.int_to_bv(8)).collect::<Vec<_>>())),
            _ => Ok(concat(cells)),
        }
    }

    pub(super) fn build_cell(&mut self, mem: Term, addr: Term, offset: u32) -> Built {
        let cell = cell_of(mem)?;
        let base = self.address(addr)?;
        let at = self.offset(&base, i64::from(offset));
        if self.has_lambda(mem) {
            let read = |m: &Term| Task::Cell(*m, addr, offset);
            match mem.kind() {
                Kind::Ite(c, a, b) => {
                    let (c, a, b) = self.need3(Task::Bool(*c), read(a), read(b))?;
                    return Ok(c.ite(&a, &b));
                }
                Kind::Store(ty, m, a, v) => {
                    let (rest, cells) = (self.need(read(m)), self.value_cells(*ty, *v, cell));
                    let base = self.address(*a)?;
                    let (rest, cells) = (rest?, cells?);
                    let hit = |i: usize| at.equals(&self.offset(&base, i as i64));
                    return Ok(cells.iter().enumerate().fold(rest, |rest, (i, c)| hit(i).ite(c, &rest)));
                }
                Kind::Splice { mem, src, lo, len } => {
                    let both = self.need2(read(mem), read(src));
                    let inside = self.inside(&at, *lo, *len)?;
                    let (mem, src) = both?;
                    return Ok(inside.ite(&src, &mem));
                }
                _ => {}
            }
        }
        let value = self.need(Task::Mem(mem))?.select(&at);
        if self.encoding == Encoding::Int {
            if let Some(ty) = integer_cell(cell) {
                self.in_type(&value, ty);
            }
        }
        Ok(value)
    }

    /// Whether a read should go through the outermost operator: some splice below it is a λ.
    fn has_lambda(&mut self, mem: Term) -> bool {
        let mut stack = vec![(mem, false)];
        while let Some((m, expanded)) = stack.pop() {
            if self.lambdas.contains_key(&m) {
                continue;
            }
            let below: Vec<Term> = m.children().filter(|c| matches!(c.sort(), plumb_term::Sort::Mem(_))).collect();
            if !expanded && !matches!(m.kind(), Kind::Var(_)) {
                stack.push((m, true));
                stack.extend(below.into_iter().map(|c| (c, false)));
            } else {
                let own = matches!(m.kind(), Kind::Splice { len, .. } if short(*len).is_none());
                let is = own || below.iter().any(|c| self.lambdas[c]);
                self.lambdas.insert(m, is);
            }
        }
        self.lambdas[&mem]
    }

    /// The axiom that two memories of integers that differ do so in a cell with values of the cell's type.
    pub(super) fn difference(&mut self, x: &Ast, y: &Ast, same: &Ast, cell: Cell) {
        let Some(ty) = integer_cell(cell) else { return };
        let at = self.helper("differ", &self.context.int_sort());
        let (a, b) = (x.select(&at), y.select(&at));
        self.axioms.push(Ast::or(&self.context, &[same.clone(), a.equals(&b).not()]));
        self.in_type(&a, ty);
        self.in_type(&b, ty);
    }
}

fn integer_cell(cell: Cell) -> Option<IntTy> {
    match cell {
        Cell::Byte => Some(IntTy::U8),
        Cell::Scalar(Scalar::Int(ty)) => Some(ty),
        Cell::Scalar(Scalar::Float(_)) => None,
    }
}
