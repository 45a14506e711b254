//! Long loops, told shortly: of many consecutive iterations the first two and the last are shown.

use super::PathStep;
use plumb_term::Span;

/// A visit of a loop's head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Head {
    /// The first step after it.
    pub step: usize,
    /// How many calls deep.
    pub depth: usize,
    /// Which loop.
    pub span: Span,
}

/// So many iterations are shown in full.
const SHOWN: usize = 4;

/// Cuts the middle of every loop with more than [`SHOWN`] iterations.
pub(super) fn summarise(steps: Vec<PathStep>, heads: &[Head]) -> Vec<PathStep> {
    let mut keep = vec![true; steps.len()];
    for (first, last) in cuts(heads) {
        for k in &mut keep[first.min(steps.len())..last.min(steps.len())] {
            *k = false;
        }
    }
    let mut out = Vec::with_capacity(steps.len());
    let mut omitted = 0;
    for (mut step, keep) in steps.into_iter().zip(keep) {
        if keep {
            step.omitted = omitted;
            omitted = 0;
            out.push(step);
        } else {
            omitted += 1;
        }
    }
    out
}

/// Ranges of steps to leave out.
fn cuts(heads: &[Head]) -> Vec<(usize, usize)> {
    // The visits of the loop that is being iterated, innermost last. A visit of a head that is already open closes the loops inside it.
    let mut open: Vec<(Head, Vec<usize>)> = Vec::new();
    let mut out = Vec::new();
    for head in heads {
        let known = open.iter().rposition(|(h, _)| h.depth == head.depth && h.span == head.span);
        let level = known.unwrap_or_else(|| open.iter().take_while(|(h, _)| h.depth <= head.depth).count());
        for (_, visits) in open.drain(known.map_or(level, |k| k + 1)..) {
            out.extend(cut(&visits));
        }
        match known {
            Some(k) => open[k].1.push(head.step),
            None => open.push((*head, vec![head.step])),
        }
    }
    for (_, visits) in open {
        out.extend(cut(&visits));
    }
    out
}

fn cut(visits: &[usize]) -> Option<(usize, usize)> {
    // The last visit leaves the loop; the one before it starts the last iteration.
    (visits.len() > SHOWN + 1).then(|| (visits[2], visits[visits.len() - 2]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumb_term::FileId;

    fn head(step: usize, line: u32) -> Head {
        Head { step, depth: 0, span: Span { file: FileId(0), line, col: 1 } }
    }

    #[test]
    fn a_long_loop_keeps_its_first_two_and_last_iterations() {
        let heads: Vec<Head> = (0..=100).map(|i| head(2 * i, 5)).collect();
        assert_eq!(cuts(&heads), [(4, 198)]);
        assert_eq!(cuts(&heads[..5]), []);
    }

    #[test]
    fn an_inner_loop_is_cut_once_per_outer_iteration() {
        let mut heads = Vec::new();
        for outer in 0..2 {
            heads.push(head(outer * 100, 1));
            heads.extend((0..10).map(|i| head(outer * 100 + 1 + i, 2)));
        }
        assert_eq!(cuts(&heads), [(3, 9), (103, 109)]);
    }
}
