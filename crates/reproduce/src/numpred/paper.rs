//! Table IV of the paper.

/// A row: domain, configuration, programs analysed of 22, then seconds: in all, γ, join, αPost, apply.
pub type Row = (&'static str, &'static str, usize, [f64; 5]);

/// The printed table, under plumb's names.
pub const TABLE_4: [Row; 6] = [
    ("Numeric", "na", 9, [2.52, 0.43, 0.41, 0.44, 0.38]),
    ("Predicate", "pa", 17, [333.38, 0.05, 0.03, 0.20, 0.06]),
    ("NEXPOINT", "nexpoint", 21, [42.30, 0.38, 1.13, 4.04, 8.50]),
    ("NEX", "nex", 22, [45.17, 0.59, 2.22, 3.99, 7.20]),
    ("MTNDD", "mtndd", 22, [94.05, 0.02, 3.71, 2.11, 56.10]),
    ("NDD", "ndd", 22, [42.15, 0.03, 0.02, 1.96, 17.81]),
];

/// The programs that the paper had.
pub const PROGRAMS: usize = 22;
