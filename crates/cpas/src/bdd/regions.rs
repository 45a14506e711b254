//! What regions say of terms: bounds of the value for every choice of regions, and of few values, of the variables in it.

use super::blast::Blaster;
use super::layout::{Bits, Part};
use plumb_cpa::ranges;
use plumb_dd::{Bdd, Full};
use plumb_term::{Term, VarId};

impl Blaster<'_> {
    /// Where a comparison must hold, and where it may.
    pub(super) fn compared(&mut self, atom: Term) -> Result<(Bdd, Bdd), Full> {
        let (mut must, mut may) = (Bdd::FALSE, Bdd::TRUE);
        for case in self.layout.cases(atom) {
            let of = self.layout.of_case(&case);
            let (never, always) = (ranges::refutes(&of, atom), ranges::refutes(&of, atom.not()));
            if never || always {
                let when = self.when(&case)?;
                if never {
                    let not = self.dd.not(when)?;
                    may = self.dd.and(may, not)?;
                } else {
                    must = self.dd.or(must, when)?;
                }
            }
        }
        Ok((must, may))
    }

    /// What a variable can get, by the bits for values after a step, if it is given a term.
    pub(super) fn given(&mut self, v: VarId, b: Bits, t: Term) -> Result<Bdd, Full> {
        let mut all = Bdd::FALSE;
        for case in self.layout.cases(t) {
            let value = ranges::eval(t, &self.layout.of_case(&case));
            let new = self.numbers(b, self.layout.numbers(v, b, value), 1)?;
            let when = self.when(&case)?;
            let part = self.dd.and(when, new)?;
            all = self.dd.or(all, part)?;
        }
        Ok(all)
    }

    /// Where a choice is the choice.
    fn when(&mut self, case: &[Part]) -> Result<Bdd, Full> {
        let mut all = Bdd::TRUE;
        for part in case {
            if let Some(b) = self.layout.bits.get(&part.var).copied() {
                let here = self.numbers(b, part.numbers, 0)?;
                all = self.dd.and(all, here)?;
            }
        }
        Ok(all)
    }

    /// That bits make a number between two; `after` is 1 for the values after a step.
    fn numbers(&mut self, b: Bits, (first, last): (u32, u32), after: u32) -> Result<Bdd, Full> {
        let (mut from, mut to) = (Bdd::TRUE, Bdd::TRUE);
        for i in 0..b.count {
            let is_set = self.dd.var(b.level(i) + after)?;
            let is_clear = self.dd.not(is_set)?;
            from = if first >> i & 1 == 1 { self.dd.and(is_set, from)? } else { self.dd.or(is_set, from)? };
            to = if last >> i & 1 == 1 { self.dd.or(is_clear, to)? } else { self.dd.and(is_clear, to)? };
        }
        self.dd.and(from, to)
    }
}
