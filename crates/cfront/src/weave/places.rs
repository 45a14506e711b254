//! Which claims belong to a position of the source.

use plumb_term::{SourceMap, Span};
use rustc_hash::FxHashMap;

use super::claims::{Place, Probe, ProbeKind, When};

/// What stands at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spot {
    /// A statement or declaration.
    Statement,
    /// A loop.
    Loop,
    /// A condition of `if` or of a loop.
    Branch,
    /// `switch`.
    Switch,
    /// The closing parenthesis of a call.
    Call,
}

impl Spot {
    fn fits(self, kind: &ProbeKind) -> bool {
        match kind {
            ProbeKind::LoopInvariant(_) => self == Spot::Loop,
            ProbeKind::LocationInvariant(_) => self == Spot::Statement,
            ProbeKind::Waypoint { when, .. } => match when {
                When::Assumption(_) => self == Spot::Statement,
                When::Branch(_) => self == Spot::Branch,
                When::Case(_) => self == Spot::Switch,
                When::Enter | When::Return(_) => self == Spot::Call,
            },
        }
    }
}

/// The part of a path after the last slash.
fn base_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Whether `span` is the place, up to its function.
pub(crate) fn is_at(place: &Place, span: Span, sources: &SourceMap) -> bool {
    place.line == span.line
        && place.column.is_none_or(|c| c == span.col)
        && (place.file.is_empty() || base_name(&place.file) == base_name(sources.name(span.file)))
}

/// The claims by line, and which have found their place.
pub(super) struct Places<'w> {
    probes: &'w [Probe],
    by_line: FxHashMap<u32, Vec<usize>>,
    pub(super) placed: Vec<bool>,
}

impl<'w> Places<'w> {
    pub(super) fn new(probes: &'w [Probe]) -> Places<'w> {
        let mut by_line: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
        for (i, p) in probes.iter().enumerate() {
            by_line.entry(p.place.line).or_default().push(i);
        }
        Places { probes, by_line, placed: vec![false; probes.len()] }
    }

    pub(super) fn probe(&self, i: usize) -> &'w Probe {
        &self.probes[i]
    }

    /// The claims about this position, which now have their place.
    pub(super) fn take(&mut self, spot: Spot, span: Span, function: &str, sources: &SourceMap) -> Vec<usize> {
        let Some(here) = self.by_line.get(&span.line) else { return Vec::new() };
        let mut out = Vec::new();
        for &i in here {
            let place = &self.probes[i].place;
            let free = place.column.is_some() || !self.placed[i];
            let function_fits = place.function.as_deref().is_none_or(|f| f == function);
            if free && spot.fits(&self.probes[i].kind) && function_fits && is_at(place, span, sources) {
                out.push(i);
            }
        }
        for &i in &out {
            self.placed[i] = true;
        }
        out
    }
}
