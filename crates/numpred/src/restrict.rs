//! `reduce` along the paths of a diagram (Section V.A): predicates that are numeric terms restrict the element at the end of a path, and the element decides such predicates.
//!
//! There are many more paths than different things that they say: a [`Path`] is what the predicates on the way say together, stored once, so that ways which say the same are walked once, and
//! a way that contradicts itself ends where it does.

use crate::expr::Pred;
use crate::intern::Interned;
use crate::props::{add, pred, Pieces, Props};
use crate::said::Said;
use crate::vocabulary::Vocabulary;
use plumb_dd::{Bdd, Full};
use plumb_num::NumDomain;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

/// So many paths, and elements with what they imply, are remembered.
const MAX_REMEMBERED: usize = 100_000;

/// Predicates with their truth, ascending.
pub(crate) type Signs = Vec<(Pred, bool)>;

/// What the predicates on a way say of numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Path(u32);

impl Path {
    /// The way on which nothing was said.
    pub(crate) const START: Path = Path(0);
}

/// All paths, and what elements imply.
#[derive(Debug)]
pub(crate) struct Restrict<E>(RefCell<Known<E>>);

#[derive(Debug)]
struct Known<E> {
    said: Interned<Said<E>>,
    longer: FxHashMap<(Path, Pred, bool), Option<Path>>,
    implied: FxHashMap<E, Rc<Signs>>,
}

impl<E: Clone + Eq + std::hash::Hash> Restrict<E> {
    pub(crate) fn new(top: E) -> Restrict<E> {
        let said = Interned::new([Said::of(top)]);
        Restrict(RefCell::new(Known { said, longer: FxHashMap::default(), implied: FxHashMap::default() }))
    }

    /// Forgets everything when that is much; whether it did. Paths from before say nothing then.
    pub(crate) fn trim(&self) -> bool {
        let mut known = self.0.borrow_mut();
        let Known { said, longer, implied } = &mut *known;
        if implied.len() >= MAX_REMEMBERED {
            implied.clear();
        }
        if said.len() < MAX_REMEMBERED && longer.len() < 4 * MAX_REMEMBERED {
            return false;
        }
        said.truncate(1);
        longer.clear();
        true
    }

    /// The path that begins with an element.
    fn from(&self, e: &E) -> Path {
        Path(self.0.borrow_mut().said.id(Said::of(e.clone())))
    }

    /// The path after a test of a level; nothing if that contradicts it.
    pub(crate) fn after<D: NumDomain<Elem = E>>(
        &self,
        vocabulary: &Vocabulary,
        domain: &D,
        path: Path,
        level: u32,
        value: bool,
    ) -> Option<Path> {
        let (p, primed) = pred(level);
        if primed || vocabulary.meaning(p).is_none() {
            return Some(path);
        }
        let key = (path, p, value);
        if let Some(known) = self.0.borrow().longer.get(&key) {
            return *known;
        }
        let longer = vocabulary.signed(p, value).and_then(|c| self.said(path).and(domain, &c));
        let mut known = self.0.borrow_mut();
        let longer = longer.map(|s| Path(known.said.id(s)));
        known.longer.insert(key, longer);
        longer
    }

    /// What a path says that began with an element, with the literals of numeric terms that this implies.
    fn end<D: NumDomain<Elem = E>>(&self, vocabulary: &Vocabulary, domain: &D, path: Path) -> (E, Rc<Signs>) {
        let now = self.said(path).elem;
        let implied = self.implied(vocabulary, domain, &now);
        (now, implied)
    }

    /// What a path and an element say together, with the literals of numeric terms that this implies; nothing if they contradict each other. This is α(γ(·)) of one path.
    pub(crate) fn refined<D: NumDomain<Elem = E>>(&self, vocabulary: &Vocabulary, domain: &D, path: Path, e: &E) -> Option<(E, Rc<Signs>)> {
        let now = if path == Path::START { e.clone() } else { Said::of(e.clone()).with(domain, &self.said(path))?.elem };
        let implied = self.implied(vocabulary, domain, &now);
        Some((now, implied))
    }

    fn said(&self, path: Path) -> Said<E> {
        self.0.borrow().said.get(path.0).clone()
    }

    /// The literals of numeric terms that an element implies.
    fn implied<D: NumDomain<Elem = E>>(&self, vocabulary: &Vocabulary, domain: &D, e: &E) -> Rc<Signs> {
        if let Some(known) = self.0.borrow().implied.get(e) {
            return known.clone();
        }
        let mut implied = Vec::new();
        for (p, c) in vocabulary.tied() {
            if domain.entails(e, c) {
                implied.push((p, true));
            } else if domain.entails(e, &c.negated()) {
                implied.push((p, false));
            }
        }
        let implied = Rc::new(implied);
        self.0.borrow_mut().implied.insert(e.clone(), implied.clone());
        implied
    }
}

/// `reduce` of disjoint pieces: along every path of the function that they are, what [`Restrict::refined`] says. The paths are those of its multi-terminal diagram, so that the result depends on the
/// function alone.
pub(crate) struct Reducer<'a, D: NumDomain> {
    props: &'a Props,
    vocabulary: &'a Vocabulary,
    domain: &'a D,
    restrict: &'a Restrict<D::Elem>,
    pieces: &'a [(Bdd, D::Elem)],
    done: FxHashMap<Node, Rc<Pieces<D::Elem>>>,
}

/// The cofactors of the pieces along a path, by piece, and the path.
type Node = (Vec<(Bdd, usize)>, Path);

impl<'a, D: NumDomain> Reducer<'a, D> {
    pub(crate) fn new(
        props: &'a Props,
        vocabulary: &'a Vocabulary,
        domain: &'a D,
        restrict: &'a Restrict<D::Elem>,
        pieces: &'a [(Bdd, D::Elem)],
    ) -> Reducer<'a, D> {
        Reducer { props, vocabulary, domain, restrict, pieces, done: FxHashMap::default() }
    }

    pub(crate) fn run(&mut self) -> Result<Pieces<D::Elem>, Full> {
        self.restrict.trim();
        let start: Vec<(Bdd, usize)> = self.pieces.iter().enumerate().map(|(i, p)| (p.0, i)).collect();
        // What a single piece says is said from the start.
        let path = if let [(_, e)] = self.pieces { self.restrict.from(e) } else { Path::START };
        Ok(self.walk(start, path)?.to_vec())
    }

    fn walk(&mut self, mut at: Vec<(Bdd, usize)>, path: Path) -> Result<Rc<Pieces<D::Elem>>, Full> {
        at.retain(|p| p.0 != Bdd::FALSE);
        let key = (at, path);
        if let Some(known) = self.done.get(&key) {
            return Ok(known.clone());
        }
        let at = &key.0;
        let first = at.iter().filter_map(|p| self.props.dd.borrow().node(p.0).map(|n| n.0)).min();
        let mut out: Pieces<D::Elem> = Vec::new();
        match (first, at.as_slice()) {
            (None, []) => {}
            (None, [(_, i), ..]) => {
                let end = match self.pieces {
                    [_] => Some(self.restrict.end(self.vocabulary, self.domain, path)),
                    _ => self.restrict.refined(self.vocabulary, self.domain, path, &self.pieces[*i].1),
                };
                if let Some((e, implied)) = end {
                    out.push((self.props.cube(&implied)?, e));
                }
            }
            (Some(level), _) => {
                for value in [false, true] {
                    let Some(path) = self.restrict.after(self.vocabulary, self.domain, path, level, value) else { continue };
                    let part = |f: Bdd| self.props.dd.borrow().branch(f, level, value);
                    let below: Vec<(Bdd, usize)> = at.iter().map(|(f, i)| (part(*f), *i)).collect();
                    let (p, primed) = pred(level);
                    let here = self.props.literal(p, primed, value)?;
                    for (set, e) in self.walk(below, path)?.iter() {
                        add(self.props, &mut out, self.props.and(*set, here)?, e.clone())?;
                    }
                }
            }
        }
        let out = Rc::new(out);
        self.done.insert(key, out.clone());
        Ok(out)
    }
}
