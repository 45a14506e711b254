//! The paper's figures, as printed: Table 1, columns DAGGER, TREE + ∇, TREE + ∇_I, DAG + ∇, DAG + ∇_I.

/// Seconds and refinements; `None` for a run that did not end within 2000 s.
pub type Cell = Option<(f64, u64)>;

/// A row: the program and a cell for each column.
pub type Row = (&'static str, [Cell; 5]);

/// The rows whose programs are public.
pub const TABLE_1: [Row; 22] = [
    ("p1-ok", [Some((4.64, 9)), Some((1940.0, 18408)), Some((11.2, 16)), Some((131.5, 412)), Some((5.76, 9))]),
    ("p2-ok", [Some((0.27, 4)), Some((35.8, 3996)), Some((0.77, 4)), Some((64.23, 1332)), Some((0.39, 4))]),
    ("p3-ok", [Some((0.15, 0)), Some((18.4, 1)), Some((18.3, 1)), Some((0.15, 0)), Some((0.14, 0))]),
    ("seesaw", [Some((0.04, 2)), None, Some((0.05, 2)), None, Some((0.05, 2))]),
    ("bkley", [Some((0.04, 1)), Some((0.04, 0)), Some((0.04, 0)), Some((0.05, 1)), Some((0.04, 1))]),
    ("bk-nat", [Some((0.06, 2)), Some((0.09, 2)), Some((0.06, 1)), Some((0.11, 4)), Some((0.07, 2))]),
    ("hsort", [Some((0.14, 3)), None, Some((0.16, 3)), None, Some((0.14, 3))]),
    ("efm", [Some((0.09, 1)), Some((0.09, 1)), Some((0.09, 1)), Some((0.08, 1)), Some((0.09, 1))]),
    ("lifo", [Some((0.31, 2)), Some((0.57, 2)), Some((0.55, 2)), Some((0.38, 3)), Some((0.32, 2))]),
    ("lifnat", [Some((0.49, 3)), None, Some((1.46, 5)), None, Some((0.48, 3))]),
    ("cars", [Some((19.5, 8)), None, Some((17.6, 8)), None, Some((19.5, 8))]),
    ("barbr", [Some((3.46, 8)), None, Some((4.80, 7)), None, Some((3.44, 8))]),
    ("swim", [Some((0.60, 2)), Some((2.46, 13)), Some((0.60, 2)), Some((1.49, 9)), Some((0.60, 2))]),
    ("swim1", [Some((0.72, 3)), Some((2.57, 13)), Some((0.79, 3)), Some((1.54, 9)), Some((0.72, 3))]),
    ("hsort1", [Some((0.07, 1)), None, Some((0.08, 1)), None, Some((0.15, 1))]),
    ("barbr1", [Some((0.63, 2)), None, Some((1.15, 2)), None, Some((0.62, 2))]),
    ("lifnat1", [Some((0.59, 6)), None, Some((8.71, 23)), None, Some((0.74, 5))]),
    ("f1a", [Some((0.01, 0)), Some((0.01, 0)), Some((0.01, 0)), Some((0.01, 0)), Some((0.01, 0))]),
    ("ex1", [Some((0.04, 1)), None, Some((0.06, 1)), None, Some((0.04, 1))]),
    ("f2", [Some((0.07, 1)), None, Some((0.06, 1)), None, Some((0.07, 1))]),
    ("ex2", [Some((0.03, 0)), Some((5.4, 0)), Some((5.4, 0)), Some((0.03, 0)), Some((0.03, 0))]),
    ("JM06", [Some((0.02, 0)), Some((0.02, 0)), Some((0.02, 0)), Some((0.02, 0)), Some((0.02, 0))]),
];

/// The programs that need interpolated widening, says the paper.
pub const NEED_INTERPOLANTS: [&str; 10] = ["seesaw", "hsort", "lifnat", "cars", "barbr", "hsort1", "barbr1", "lifnat1", "ex1", "f2"];

/// The domain in which the paper analyses a program ("Benchmark programs" there), as the end of a configuration's name.
pub fn domain(name: &str) -> &'static str {
    match row(name) {
        Some(("p1-ok" | "p2-ok" | "p3-ok" | "JM06", _)) => "oct",
        _ => "poly",
    }
}

/// The row of a program under the names that its two public versions have; some have one assertion of the paper's program each.
pub fn row(name: &str) -> Option<&'static Row> {
    let name = name.strip_suffix(".norm").unwrap_or(name);
    let of_paper = match name {
        "babr" => "barbr",
        "barbrprime" => "barbr1",
        "cars2" | "cars3" => "cars",
        "fig1a" => "f1a",
        "fig2" => "f2",
        "hsort2" => "hsort",
        "hsortprime" => "hsort1",
        "lifnatprime" => "lifnat1",
        "p1-ok2" => "p1-ok",
        "substring1" => "JM06",
        "swim2" | "swim3" | "swim4" => "swim",
        same => same,
    };
    TABLE_1.iter().find(|r| r.0 == of_paper)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_find_their_rows() {
        assert_eq!(row("seesaw.norm").map(|r| r.0), Some("seesaw"));
        assert_eq!(row("swim4.norm").map(|r| r.0), Some("swim"));
        assert!(row("other").is_none());
        let diverge = |r: &&Row| r.1[1].is_none() && r.1[3].is_none();
        assert_eq!(TABLE_1.iter().filter(diverge).map(|r| r.0).collect::<Vec<_>>(), NEED_INTERPOLANTS);
    }
}
