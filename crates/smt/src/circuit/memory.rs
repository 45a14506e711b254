//! Cells of memories.
//!
//! A read goes through stores, choices and splices down to a memory of zeros or a variable. Whether it meets a store is an equation of addresses, which the
//! constructors of terms mostly decide: addresses in one object differ by what they add to its base.

use super::build::{unencodable, Builder, Built, Part, Unbuilt};
use super::gates::Lit;
use super::round::is_supported;
use super::words::{resize, Word};
use crate::encode::Unencodable;
use plumb_term::{Budget, Cell, Kind, Scalar, Sort, Term, Var};
use std::collections::BTreeMap;

/// Pairs of reads of one memory that are told apart.
const MOST_PAIRS: usize = 400_000;

/// How far the reads of memories are compared.
#[derive(Default)]
pub(super) struct Congruence {
    /// By memory: the next pair of reads, the later one first.
    next: BTreeMap<Var, (usize, usize)>,
    /// The pairs that were compared.
    pairs: usize,
    /// What must hold for them.
    pub(super) roots: Vec<Lit>,
}

/// The bits of a cell.
fn width(cell: Cell) -> Option<u32> {
    match cell {
        Cell::Byte => Some(8),
        Cell::Scalar(Scalar::Int(ty)) => Some(u32::from(ty.bits)),
        Cell::Scalar(Scalar::Float(ty)) => is_supported(ty).then_some(ty.bits()),
    }
}

impl Builder {
    pub(super) fn cell(&mut self, mem: Term, at: Term) -> Built {
        let Sort::Mem(cell) = mem.sort() else { return unencodable("a memory was expected") };
        let Some(w) = width(cell) else { return unencodable("floats other than float and double") };
        match mem.kind() {
            Kind::ZeroMem(_) => Ok(vec![Lit::FALSE; w as usize].into()),
            Kind::Var(v) => {
                let word = self.gates.inputs(w);
                self.reads.entry(*v).or_default().push((at, word.clone()));
                Ok(word)
            }
            Kind::Ite(c, a, b) => {
                let [c, a, b] = self.needs([Part::Bool(*c), Part::Cell(*a, at), Part::Cell(*b, at)])?;
                Ok(self.gates.choose(c[0], &a, &b))
            }
            Kind::Store(ty, m, a, v) => self.stored(cell, (*ty, *m, *a, *v), at),
            Kind::Splice { mem, src, lo, len } => {
                let inside = lo.less_eq(at).and(at.less(lo.add(*len)));
                match (inside.is_true(), inside.is_false()) {
                    (true, _) => self.need(Part::Cell(*src, at)),
                    (_, true) => self.need(Part::Cell(*mem, at)),
                    _ => {
                        let [c, a, b] = self.needs([Part::Bool(inside), Part::Cell(*src, at), Part::Cell(*mem, at)])?;
                        Ok(self.gates.choose(c[0], &a, &b))
                    }
                }
            }
            _ => unencodable("a memory of this kind"),
        }
    }

    /// The cell at `at` after `(ty)v` was stored at `a` in `m`.
    fn stored(&mut self, cell: Cell, (ty, m, a, v): (Scalar, Term, Term, Term), at: Term) -> Built {
        let count = match cell {
            Cell::Byte => ty.bytes() as i64,
            Cell::Scalar(_) => 1,
        };
        let part = match (cell, ty) {
            (Cell::Byte, Scalar::Int(ty)) => Part::Bits(v, 8 * ty.bytes() as u32),
            (Cell::Scalar(Scalar::Int(_)), Scalar::Int(ty)) => Part::Bits(v, u32::from(ty.bits)),
            (Cell::Scalar(held), _) if held != ty => return unencodable("a float in cells of another type"),
            (Cell::Scalar(_), _) | (Cell::Byte, Scalar::Float(_)) => Part::Pattern(v),
        };
        let hits: Vec<(usize, Term)> = (0..count).map(|i| (i as usize, at.equals(a.plus(i)))).filter(|(_, hit)| !hit.is_false()).collect();
        let certain = hits.iter().any(|(_, hit)| hit.is_true());
        // What it is below matters only if the store may miss it.
        let rest = (!certain).then(|| self.need(Part::Cell(m, at)));
        if hits.is_empty() {
            return rest.unwrap_or_else(|| unencodable("a store without cells"));
        }
        let value = self.need(part);
        let conditions = self.need_all(hits.iter().map(|(_, hit)| Part::Bool(*hit)));
        let (value, conditions) = (value?, conditions?);
        let byte = |i: usize| -> Word {
            match cell {
                Cell::Byte => value[8 * i..8 * i + 8].into(),
                Cell::Scalar(_) => value.clone(),
            }
        };
        let mut out = match rest {
            Some(rest) => rest?,
            None => resize(&[], false, width(cell).unwrap_or(8)),
        };
        for ((i, _), hit) in hits.iter().zip(&conditions) {
            out = self.gates.choose(hit[0], &byte(*i), &out);
        }
        Ok(out)
    }

    /// Goes on with what makes the reads of each memory a function of the address.
    pub(super) fn congruent(&mut self, budget: &Budget) -> Result<(), Unbuilt> {
        // Comparing addresses may read more.
        while let Some((v, (i, start))) = self.next_pair() {
            for j in start..i {
                self.congruence.next.insert(v, (i, j));
                self.congruent_pair(v, i, j, budget)?;
            }
            self.congruence.next.insert(v, (i + 1, 0));
        }
        Ok(())
    }

    fn congruent_pair(&mut self, v: Var, i: usize, j: usize, budget: &Budget) -> Result<(), Unbuilt> {
        let [(at, word), (other, content)] = [i, j].map(|n| self.reads[&v][n].clone());
        if at.as_int().is_some() && other.as_int().is_some() {
            return Ok(());
        }
        if self.congruence.pairs == MOST_PAIRS {
            return Err(Unbuilt::Beyond(Unencodable("that many reads of one memory".into())));
        }
        let same = self.word(Part::Bool(at.equals(other)), budget)?[0];
        self.congruence.pairs += 1;
        if same != Lit::FALSE {
            let equal = self.gates.same(&word, &content);
            let root = self.gates.or(!same, equal);
            self.congruence.roots.push(root);
        }
        Ok(())
    }

    /// Two reads of a memory that are not compared yet.
    fn next_pair(&self) -> Option<(Var, (usize, usize))> {
        let next = |v| self.congruence.next.get(v).copied().unwrap_or((1, 0));
        self.reads.iter().map(|(v, list)| (*v, next(v), list.len())).find(|(_, (i, _), len)| i < len).map(|(v, pair, _)| (v, pair))
    }
}
