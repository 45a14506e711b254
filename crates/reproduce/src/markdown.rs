//! Tables in Markdown.

/// A table with a header; the first column is left-aligned, the others right.
pub fn table(header: &[&str], rows: &[Vec<String>]) -> String {
    let mut out = line(header.iter().map(|h| (*h).to_owned()));
    out.push_str(&line(header.iter().enumerate().map(|(i, _)| if i == 0 { "---".to_owned() } else { "---:".to_owned() })));
    for row in rows {
        out.push_str(&line(row.iter().cloned()));
    }
    out.push('\n');
    out
}

fn line(cells: impl Iterator<Item = String>) -> String {
    let cells: Vec<String> = cells.map(|c| c.replace('|', "\\|")).collect();
    format!("| {} |\n", cells.join(" | "))
}

/// Seconds with as many digits as they deserve; a dash for none.
pub fn seconds(s: Option<f64>) -> String {
    match s {
        None => "–".into(),
        Some(s) if s < 10.0 => format!("{s:.2}"),
        Some(s) if s < 100.0 => format!("{s:.1}"),
        Some(s) => format!("{s:.0}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_line_up() {
        let text = table(&["a", "b"], &[vec!["x|y".into(), "1".into()]]);
        assert_eq!(text, "| a | b |\n| --- | ---: |\n| x\\|y | 1 |\n\n");
        assert_eq!((seconds(Some(1.234)), seconds(Some(12.34)), seconds(None)), ("1.23".into(), "12.3".into(), "–".into()));
    }
}
