//! An invariant without the clauses that the proof does not need.
//!
//! Frames collect clauses about states that were once in the way. Going back from the errors, unsatisfiable cores say which clauses exclude them, then which
//! clauses those rely on, until nothing is added: a shorter invariant to check and to read.

use super::cube::Cube;
use super::place::{Goal, Reliance};
use super::{Search, Stop, ENTRY};

impl Search<'_> {
    /// The clauses of the frames of a level that are needed, by cut point.
    pub(super) fn thinned(&mut self, level: usize) -> Result<Vec<Vec<Cube>>, Stop> {
        let all: Vec<Vec<Cube>> =
            self.excluded.iter().map(|e| e.get(level..).unwrap_or_default().iter().flatten().cloned().collect()).collect();
        let mut switches: Vec<Vec<_>> = Vec::new();
        for (place, cubes) in self.places.iter_mut().zip(&all) {
            switches.push(cubes.iter().map(|c| place.switched(c)).collect());
        }
        let mut is_needed: Vec<Vec<bool>> = all.iter().map(|cubes| vec![false; cubes.len()]).collect();
        let mut work: Vec<(usize, usize)> = Vec::new();
        for (cut, (place, switches)) in self.places.iter_mut().zip(&switches).enumerate() {
            for i in 0..place.errors.len() {
                let relies = place.relies(Goal::Error(i), switches, self.budget)?;
                note(cut, relies, &mut is_needed, &mut work)?;
            }
        }
        while let Some((cut, clause)) = work.pop() {
            for k in 0..self.into[cut].len() {
                let (from, way) = self.into[cut][k];
                let relies = self.places[from].relies(Goal::Cube(way, &all[cut][clause]), &switches[from], self.budget)?;
                note(from, relies, &mut is_needed, &mut work)?;
            }
        }
        let kept = |(cubes, needed): (Vec<Cube>, Vec<bool>)| cubes.into_iter().zip(needed).filter(|c| c.1).map(|c| c.0).collect();
        Ok(all.into_iter().zip(is_needed).map(kept).collect())
    }
}

/// Notes what is needed for the first time.
fn note(cut: usize, relies: Reliance, is_needed: &mut [Vec<bool>], work: &mut Vec<(usize, usize)>) -> Result<(), Stop> {
    let Reliance::On(clauses) = relies else {
        return Err(Stop::internal("the last frames are not inductive"));
    };
    debug_assert!(cut != ENTRY || clauses.is_empty());
    for c in clauses {
        if !std::mem::replace(&mut is_needed[cut][c], true) {
            work.push((cut, c));
        }
    }
    Ok(())
}
