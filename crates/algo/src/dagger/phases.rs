//! Control flow told apart by what has happened to the distinguished cells.
//!
//! **Phases.** For each loop and key there is a bit: whether this loop has come by the cell since it was entered. A loop head that has come by and one that has not are two locations, so what
//! holds of cells before the counter and of those after it is not joined. Between loop heads a location is also told apart by the phase in which the last loop head was
//! left, so that a cycle is entered at loop heads only, which is where it is widened.
//!
//! **Doom.** When a loop head is left, it is chosen whether an error follows before the next one. If so, the last read of each key is of the distinguished cell: to exclude all
//! errors, it is enough to exclude these. If not, errors are out of reach.

use super::cells::Seen;
use super::control::{Control, Target, Way};
use plumb_cfa::wto::Wto;
use plumb_cfa::Loc;
use plumb_term::Term;
use std::collections::{BTreeMap, BTreeSet};

/// So many loops and keys at most have a bit: the innermost loops first.
const MAX_BITS: usize = 6;

/// The control flow, without what is needed where.
pub struct Product {
    /// It.
    pub control: Control,
    /// By location, the one of the program.
    pub origins: Vec<Loc>,
}

/// Names a location.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Place {
    loc: Loc,
    /// The phase in which the last loop head was left.
    left: u32,
    phase: u32,
    doomed: bool,
}

/// The product; `start` holds when the program starts.
pub fn product(control: &Control, seen: &[Seen], wto: &Wto, start: Term) -> Product {
    let builder = Builder::new(control, seen, wto, start);
    builder.build()
}

struct Builder<'a> {
    control: &'a Control,
    seen: &'a [Seen],
    wto: &'a Wto,
    start: Term,
    /// The loop head and the key of each bit.
    bits: Vec<(Loc, usize)>,
    /// By location: whether an error can follow before the next loop head.
    doomed: Vec<bool>,
    /// By location and key: whether a read can follow before that error.
    ahead: BTreeSet<(Loc, usize)>,
    known: BTreeMap<Place, Loc>,
    places: Vec<Place>,
    open: Vec<Loc>,
}

impl<'a> Builder<'a> {
    fn new(control: &'a Control, seen: &'a [Seen], wto: &'a Wto, start: Term) -> Builder<'a> {
        let mut bits: BTreeSet<(Loc, usize)> = BTreeSet::new();
        for s in seen {
            for c in wto.components(s.way.from) {
                bits.extend((0..s.touches.len()).filter(|k| s.touches[*k].is_some()).map(|k| (wto.head(c), k)));
            }
        }
        let mut bits: Vec<(Loc, usize)> = bits.into_iter().collect();
        bits.sort_by_key(|(h, k)| (std::cmp::Reverse(wto.components(*h).len()), wto.position(*h), *k));
        bits.truncate(MAX_BITS);
        let mut builder = Builder {
            control,
            seen,
            wto,
            start,
            bits,
            doomed: vec![false; control.needed.len()],
            ahead: BTreeSet::new(),
            known: BTreeMap::new(),
            places: Vec::new(),
            open: Vec::new(),
        };
        builder.look_ahead();
        builder
    }

    fn is_cut(&self, l: Loc) -> bool {
        self.control.cuts.contains(&l)
    }

    /// Finds what can follow before the next loop head.
    fn look_ahead(&mut self) {
        self.control.targets.keys().for_each(|l| self.doomed[l.index()] = true);
        loop {
            let mut changed = false;
            for s in self.seen {
                let (from, to) = (s.way.from, s.way.to);
                if !self.doomed[to.index()] || self.is_cut(to) {
                    continue;
                }
                changed |= !std::mem::replace(&mut self.doomed[from.index()], true);
                for k in 0..s.reads.len() {
                    if s.reads[k].is_some() || self.ahead.contains(&(to, k)) {
                        changed |= self.ahead.insert((from, k));
                    }
                }
            }
            if !changed {
                return;
            }
        }
    }

    fn place(&mut self, p: Place) -> Loc {
        let next = Loc(self.places.len() as u32);
        let l = *self.known.entry(p).or_insert(next);
        if l == next {
            self.places.push(p);
            self.open.push(l);
        }
        l
    }

    fn build(mut self) -> Product {
        let entry = self.place(Place { loc: self.control.entry, left: 0, phase: 0, doomed: false });
        let mut ways: Vec<Way> = Vec::new();
        while let Some(l) = self.open.pop() {
            let p = self.places[l.index()];
            for s in self.seen.iter().filter(|s| s.way.from == p.loc) {
                let guard = if l == entry { self.start.and(s.way.guard) } else { s.way.guard };
                for (to, when) in self.steps(p, s) {
                    let guard = guard.and(when);
                    if !guard.is_false() {
                        let to = self.place(to);
                        ways.push(Way { from: l, to, guard, ..s.way.clone() });
                    }
                }
            }
        }
        let all = || self.places.iter().enumerate().map(|(i, p)| (Loc(i as u32), p));
        let cuts = all().filter(|(_, p)| !p.doomed && self.is_cut(p.loc)).map(|(l, _)| l).collect();
        let targets: BTreeMap<Loc, Target> = all().filter_map(|(l, p)| Some((l, self.control.targets.get(&p.loc)?.clone()))).collect();
        let origins = self.places.iter().map(|p| p.loc).collect();
        Product { control: Control { entry, cuts, targets, ways, needed: Vec::new() }, origins }
    }

    /// Where a way leads, and when.
    fn steps(&self, p: Place, s: &Seen) -> Vec<(Place, Term)> {
        let to = s.way.to;
        let mut out = Vec::new();
        let leaves = p.loc == self.control.entry || self.is_cut(p.loc);
        if (p.doomed || leaves) && self.doomed[to.index()] && !self.is_cut(to) {
            let last = |k: usize| s.reads[k].filter(|_| !self.ahead.contains(&(to, k)));
            let when = Term::all((0..s.reads.len()).filter_map(last));
            out.push((Place { loc: to, doomed: true, ..p }, when));
        }
        if p.doomed || self.control.targets.contains_key(&to) {
            return out;
        }
        let around: Vec<Loc> = self.wto.components(p.loc).iter().map(|c| self.wto.head(*c)).collect();
        let mut phases: Vec<(u32, Term)> = vec![(p.phase, Term::tt())];
        for (i, (h, k)) in self.bits.iter().enumerate() {
            let bit = 1 << i;
            let Some(touch) = s.touches[*k].filter(|_| around.contains(h) && p.phase & bit == 0) else { continue };
            phases = phases.iter().flat_map(|(q, when)| [(q | bit, when.and(touch)), (*q, when.and(touch.not()))]).collect();
        }
        for (phase, when) in phases {
            let phase = self.entered(p.loc, to, phase);
            let left = if self.is_cut(to) { phase } else { p.left };
            out.push((Place { loc: to, left, phase, doomed: false }, when));
        }
        out
    }

    /// The phase after a step: a loop that is entered has not come by anything.
    fn entered(&self, from: Loc, to: Loc, phase: u32) -> u32 {
        let around = self.wto.components(from);
        let is_new = |h: Loc| h == to && !around.iter().any(|c| self.wto.head(*c) == h);
        let gone = self.bits.iter().enumerate().filter(|(_, (h, _))| is_new(*h)).fold(0, |m, (i, _)| m | 1 << i);
        phase & !gone
    }
}
