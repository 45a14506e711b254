//! The order in which variables are decided: a binary heap by activity (VSIDS with exponentially growing increments, Eén and Sörensson 2003).

use crate::lit::BoolVar;

const ABSENT: u32 = u32::MAX;
const LIMIT: f64 = 1e100;

/// Variables with activities; the most active one is on top.
pub(crate) struct Heap {
    heap: Vec<BoolVar>,
    place: Vec<u32>,
    activity: Vec<f64>,
    increment: f64,
}

impl Default for Heap {
    fn default() -> Heap {
        Heap { heap: Vec::new(), place: Vec::new(), activity: Vec::new(), increment: 1.0 }
    }
}

impl Heap {
    /// Makes room for variables below `count`; they are not in the heap yet.
    pub(crate) fn grow(&mut self, count: usize) {
        self.place.resize(count, ABSENT);
        // All alike at first: an order of their making misled the search on unrolled programs (a factor of 20 in conflicts on chains of guarded steps).
        self.activity.resize(count, 0.0);
    }

    #[inline]
    pub(crate) fn contains(&self, var: BoolVar) -> bool {
        self.place[var.index()] != ABSENT
    }

    #[inline]
    pub(crate) fn insert(&mut self, var: BoolVar) {
        if !self.contains(var) {
            self.place[var.index()] = self.heap.len() as u32;
            self.heap.push(var);
            self.up(self.heap.len() - 1);
        }
    }

    pub(crate) fn pop(&mut self) -> Option<BoolVar> {
        let top = *self.heap.first()?;
        self.place[top.index()] = ABSENT;
        let last = self.heap.pop()?;
        if last != top {
            self.heap[0] = last;
            self.place[last.index()] = 0;
            self.down(0);
        }
        Some(top)
    }

    #[inline]
    pub(crate) fn bump(&mut self, var: BoolVar) {
        let activity = &mut self.activity[var.index()];
        *activity += self.increment;
        if *activity > LIMIT {
            self.rescale();
        }
        let place = self.place[var.index()];
        if place != ABSENT {
            self.up(place as usize);
        }
    }

    /// Lets past activity fade by `factor` below one.
    pub(crate) fn decay(&mut self, factor: f64) {
        self.increment /= factor;
    }

    fn rescale(&mut self) {
        for a in &mut self.activity {
            *a /= LIMIT;
        }
        self.increment /= LIMIT;
    }

    #[inline]
    fn before(&self, a: BoolVar, b: BoolVar) -> bool {
        self.activity[a.index()] > self.activity[b.index()]
    }

    fn up(&mut self, mut i: usize) {
        let var = self.heap[i];
        while i > 0 {
            let parent = (i - 1) / 2;
            if !self.before(var, self.heap[parent]) {
                break;
            }
            self.set(i, self.heap[parent]);
            i = parent;
        }
        self.set(i, var);
    }

    fn down(&mut self, mut i: usize) {
        let var = self.heap[i];
        loop {
            let mut child = 2 * i + 1;
            if child >= self.heap.len() {
                break;
            }
            if child + 1 < self.heap.len() && self.before(self.heap[child + 1], self.heap[child]) {
                child += 1;
            }
            if !self.before(self.heap[child], var) {
                break;
            }
            self.set(i, self.heap[child]);
            i = child;
        }
        self.set(i, var);
    }

    #[inline]
    fn set(&mut self, i: usize, var: BoolVar) {
        self.heap[i] = var;
        self.place[var.index()] = i as u32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pops_by_activity() {
        let mut heap = Heap::default();
        heap.grow(50);
        for i in 0..50u32 {
            heap.insert(BoolVar(i));
            for _ in 0..(i * 37 % 50) {
                heap.bump(BoolVar(i));
            }
        }
        let order: Vec<u32> = std::iter::from_fn(|| heap.pop()).map(|v| v.0 * 37 % 50).collect();
        assert_eq!(order, (0..50).rev().collect::<Vec<_>>());
    }
}
