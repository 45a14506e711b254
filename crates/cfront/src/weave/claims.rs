//! What is to be woven in.

/// A place as a witness gives it.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Place {
    /// The file; its folder does not count.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1; none for the first place on the line that fits.
    pub column: Option<u32>,
    /// The function around it.
    pub function: Option<String>,
}

/// A claim about a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    /// Where.
    pub place: Place,
    /// What.
    pub kind: ProbeKind,
}

/// The forms of claims.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProbeKind {
    /// The C expression holds whenever the loop's head is reached.
    LoopInvariant(String),
    /// The C expression holds before the statement.
    LocationInvariant(String),
    /// A point on the way to the error.
    Waypoint {
        /// The segment it belongs to, from 0.
        segment: u32,
        /// Whether it must not be passed.
        avoid: bool,
        /// When it is passed.
        when: When,
    },
}

/// When a waypoint is passed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum When {
    /// The C expression holds before the statement.
    Assumption(String),
    /// The condition of `if` or a loop has this value.
    Branch(bool),
    /// The value of `switch` is this.
    Case(i128),
    /// The function is entered.
    Enter,
    /// The function returns, and the C expression over `\result` holds.
    Return(Option<String>),
}

/// A witness to be woven in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Weave {
    /// The claims.
    pub probes: Vec<Probe>,
    /// For a violation: how many segments there are before the target, and where the target is.
    pub target: Option<(u32, Place)>,
}

impl Weave {
    /// Whether nothing is woven in.
    pub fn is_empty(&self) -> bool {
        self.probes.is_empty() && self.target.is_none()
    }
}

/// The label of the error location where the invariant with this number fails.
pub fn invariant_label(probe: usize) -> String {
    format!("<invariant {probe}>")
}

/// The number of the invariant that fails at a location with this label.
pub fn failing_invariant(label: &str) -> Option<usize> {
    label.strip_prefix("<invariant ")?.strip_suffix('>')?.parse().ok()
}
