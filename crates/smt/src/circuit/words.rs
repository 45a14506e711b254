//! Arithmetic on words of gates, least bit first.

use super::gates::{Gates, Lit};
use plumb_term::IBig;

/// A number modulo a power of two.
pub(super) type Word = std::rc::Rc<[Lit]>;

impl Gates {
    /// The `w` low bits of a number.
    pub(super) fn numeral(&self, v: &IBig, w: u32) -> Word {
        use dashu_int::ops::BitTest;
        (0..w as usize).map(|i| Lit::of(v.bit(i))).collect()
    }

    /// New inputs.
    pub(super) fn inputs(&mut self, w: u32) -> Word {
        (0..w).map(|_| self.input()).collect()
    }

    /// Bit by bit.
    pub(super) fn bitwise(&mut self, a: &[Lit], b: &[Lit], op: fn(&mut Gates, Lit, Lit) -> Lit) -> Word {
        a.iter().zip(b).map(|(x, y)| op(self, *x, *y)).collect()
    }

    pub(super) fn choose(&mut self, c: Lit, a: &[Lit], b: &[Lit]) -> Word {
        a.iter().zip(b).map(|(x, y)| self.ite(c, *x, *y)).collect()
    }

    /// `a + b + carry`, and the carry out of the last bit.
    pub(super) fn adder(&mut self, a: &[Lit], b: &[Lit], mut carry: Lit) -> (Word, Lit) {
        let sum = a
            .iter()
            .zip(b)
            .map(|(x, y)| {
                let differ = self.xor(*x, *y);
                let bit = self.xor(differ, carry);
                carry = self.ite(differ, carry, *x);
                bit
            })
            .collect();
        (sum, carry)
    }

    pub(super) fn plus(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        self.adder(a, b, Lit::FALSE).0
    }

    pub(super) fn minus(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let b: Word = b.iter().map(|l| !*l).collect();
        self.adder(a, &b, Lit::TRUE).0
    }

    pub(super) fn negative(&mut self, a: &[Lit]) -> Word {
        let zero: Vec<Lit> = vec![Lit::FALSE; a.len()];
        self.minus(&zero, a)
    }

    /// `a · 2^n`.
    pub(super) fn shifted(a: &[Lit], n: usize) -> Word {
        let n = n.min(a.len());
        std::iter::repeat_n(Lit::FALSE, n).chain(a[..a.len() - n].iter().copied()).collect()
    }

    pub(super) fn times(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        // The operand with more constants has fewer rows.
        let constants = |w: &[Lit]| w.iter().filter(|l| l.constant().is_some()).count();
        let (a, b) = if constants(a) > constants(b) { (b, a) } else { (a, b) };
        let mut sum: Word = vec![Lit::FALSE; a.len()].into();
        for (i, bit) in b.iter().enumerate() {
            if bit.constant() == Some(false) {
                continue;
            }
            let row: Vec<Lit> = Gates::shifted(a, i).iter().map(|l| self.and(*bit, *l)).collect();
            // The low bits are final.
            let high = self.plus(&sum[i..], &row[i..]);
            sum = sum[..i].iter().chain(high.iter()).copied().collect();
        }
        sum
    }

    /// `k · a`, by the digits of `k` among −1, 0, 1 with the fewest that are not 0.
    pub(super) fn scaled(&mut self, a: &[Lit], k: &IBig) -> Word {
        use dashu_int::ops::BitTest;
        let mut sum: Word = vec![Lit::FALSE; a.len()].into();
        let mut rest = k.clone();
        for i in 0..a.len() {
            if rest == IBig::ZERO {
                break;
            }
            if rest.bit(0) {
                let row = Gates::shifted(a, i);
                if rest.bit(1) {
                    sum = self.minus(&sum, &row);
                    rest += IBig::ONE;
                } else {
                    sum = self.plus(&sum, &row);
                    rest -= IBig::ONE;
                }
            }
            rest = plumb_term::eval::floor_shr(&rest, 1);
        }
        sum
    }

    pub(super) fn same(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let bits: Vec<Lit> = a.iter().zip(b).map(|(x, y)| !self.xor(*x, *y)).collect();
        self.all(bits)
    }

    pub(super) fn below(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        // From the least bit on: the last place where they differ decides.
        a.iter().zip(b).fold(Lit::FALSE, |less, (x, y)| {
            let differ = self.xor(*x, *y);
            self.ite(differ, *y, less)
        })
    }

    pub(super) fn below_signed(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let flip = |w: &[Lit]| -> Vec<Lit> {
            let mut w = w.to_vec();
            if let Some(top) = w.last_mut() {
                *top = !*top;
            }
            w
        };
        self.below(&flip(a), &flip(b))
    }

    /// Quotient and remainder of numbers without a sign; by zero, all ones and the dividend.
    pub(super) fn divided(&mut self, a: &[Lit], b: &[Lit]) -> (Word, Word) {
        let w = a.len();
        let wide: Vec<Lit> = b.iter().copied().chain([Lit::FALSE]).collect();
        let inverted: Vec<Lit> = wide.iter().map(|l| !*l).collect();
        let mut rest: Vec<Lit> = vec![Lit::FALSE; w + 1];
        let mut quotient = vec![Lit::FALSE; w];
        for i in (0..w).rev() {
            rest.rotate_right(1);
            rest[0] = a[i];
            let (difference, fits) = self.adder(&rest, &inverted, Lit::TRUE);
            quotient[i] = fits;
            rest = self.choose(fits, &difference, &rest).to_vec();
        }
        rest.truncate(w);
        (quotient.into(), rest.into())
    }

    /// C division of numbers in two's complement; by zero, anything and the dividend.
    pub(super) fn divided_signed(&mut self, a: &[Lit], b: &[Lit]) -> (Word, Word) {
        let sign = |w: &[Lit]| w.last().copied().unwrap_or(Lit::FALSE);
        let (sa, sb) = (sign(a), sign(b));
        let mut unless = |s: Lit, w: &[Lit]| {
            let negative = self.negative(w);
            self.choose(s, &negative, w)
        };
        let (x, y) = (unless(sa, a), unless(sb, b));
        let (q, r) = self.divided(&x, &y);
        let differ = self.xor(sa, sb);
        let mut unless = |s: Lit, w: &[Lit]| {
            let negative = self.negative(w);
            self.choose(s, &negative, w)
        };
        (unless(differ, &q), unless(sa, &r))
    }

    /// Shifts by a word, filling with `fill`; by more than the width, all is filled.
    pub(super) fn shift(&mut self, a: &[Lit], by: &[Lit], left: bool, fill: Lit) -> Word {
        let w = a.len();
        let mut out: Vec<Lit> = a.to_vec();
        let mut beyond = Lit::FALSE;
        for (i, bit) in by.iter().enumerate() {
            let n = if i < usize::BITS as usize - 1 { 1usize << i } else { usize::MAX };
            if n >= w {
                beyond = self.or(beyond, *bit);
                continue;
            }
            let moved: Vec<Lit> = (0..w)
                .map(|j| match left {
                    true => j.checked_sub(n).map_or(fill, |k| out[k]),
                    false => out.get(j + n).copied().unwrap_or(fill),
                })
                .collect();
            out = self.choose(*bit, &moved, &out).to_vec();
        }
        out.iter().map(|l| self.ite(beyond, fill, *l)).collect()
    }
}

/// Cuts or extends to `to` bits.
pub(super) fn resize(a: &[Lit], signed: bool, to: u32) -> Word {
    let to = to as usize;
    let fill = if signed { a.last().copied().unwrap_or(Lit::FALSE) } else { Lit::FALSE };
    a.iter().copied().take(to).chain(std::iter::repeat_n(fill, to.saturating_sub(a.len()))).collect()
}
