//! Plots as self-contained SVG: quantiles of one or more runs, and one run against another.

use plumb_export::xml::escaped;
use std::fmt::Write;

const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 380.0;
const LEFT: f64 = 60.0;
const BOTTOM: f64 = 44.0;
const TOP: f64 = 14.0;
const RIGHT: f64 = 14.0;
/// Colours of the runs.
pub const COLOURS: [&str; 2] = ["#1f6fb2", "#d9601a"];

/// Times from 10 ms on, on a logarithmic scale.
fn log_position(seconds: f64, top: f64) -> f64 {
    ((seconds.max(0.01) / 0.01).log10() / (top.max(0.1) / 0.01).log10()).clamp(0.0, 1.0)
}

fn at_x(part: f64) -> f64 {
    LEFT + part * (WIDTH - LEFT - RIGHT)
}

fn at_y(part: f64) -> f64 {
    HEIGHT - BOTTOM - part * (HEIGHT - BOTTOM - TOP)
}

fn frame(x_label: &str, y_label: &str) -> String {
    let mut out = format!("<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" role=\"img\" font-size=\"11\">\n");
    let (w, h) = (WIDTH - LEFT - RIGHT, HEIGHT - BOTTOM - TOP);
    let _ = writeln!(out, "<rect x=\"{LEFT}\" y=\"{TOP}\" width=\"{w}\" height=\"{h}\" fill=\"none\" stroke=\"#888\"/>");
    let _ = writeln!(out, "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>", at_x(0.5), HEIGHT - 8.0, escaped(x_label));
    let middle = at_y(0.5);
    let _ = writeln!(
        out,
        "<text x=\"14\" y=\"{middle}\" text-anchor=\"middle\" transform=\"rotate(-90 14 {middle})\">{}</text>",
        escaped(y_label)
    );
    out
}

fn seconds_ticks(out: &mut String, top: f64, vertical: bool) {
    for exponent in -2..6 {
        let t = 10f64.powi(exponent);
        if t > top * 1.001 {
            break;
        }
        let part = log_position(t, top);
        let label = if exponent < 0 { format!("{t}") } else { format!("{t:.0}") };
        if vertical {
            let (x, y) = (at_x(part), at_y(0.0));
            let _ = writeln!(out, "<line x1=\"{x}\" x2=\"{x}\" y1=\"{TOP}\" y2=\"{y}\" stroke=\"#ddd\"/><text x=\"{x}\" y=\"{}\" text-anchor=\"middle\">{label}</text>", y + 16.0);
        } else {
            let y = at_y(part);
            let _ = writeln!(out, "<line x1=\"{LEFT}\" x2=\"{}\" y1=\"{y}\" y2=\"{y}\" stroke=\"#ddd\"/><text x=\"{}\" y=\"{}\" text-anchor=\"end\">{label}</text>", at_x(1.0), LEFT - 6.0, y + 4.0);
        }
    }
}

/// How many tasks each run solves within how many CPU seconds each: ascending times of the solved tasks.
pub fn quantile(runs: &[(&str, Vec<f64>)], top: f64) -> String {
    let most = runs.iter().map(|(_, t)| t.len()).max().unwrap_or(0).max(1);
    let mut out = frame("tasks solved", "CPU seconds each");
    seconds_ticks(&mut out, top, false);
    for part in 0..=4 {
        let n = most * part / 4;
        let x = at_x(n as f64 / most as f64);
        let _ = writeln!(out, "<text x=\"{x}\" y=\"{}\" text-anchor=\"middle\">{n}</text>", at_y(0.0) + 16.0);
    }
    for (i, (name, times)) in runs.iter().enumerate() {
        let colour = COLOURS[i % COLOURS.len()];
        let points: Vec<String> = times
            .iter()
            .enumerate()
            .map(|(n, t)| format!("{:.1},{:.1}", at_x((n + 1) as f64 / most as f64), at_y(log_position(*t, top))))
            .collect();
        let _ = writeln!(
            out,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"><title>{}</title></polyline>",
            points.join(" "),
            escaped(name)
        );
        let y = TOP + 16.0 + 16.0 * i as f64;
        let _ = writeln!(out, "<text x=\"{}\" y=\"{y}\" fill=\"{colour}\">{} ({} solved)</text>", LEFT + 10.0, escaped(name), times.len());
    }
    out.push_str("</svg>\n");
    out
}

/// A task in both runs.
#[derive(Clone, Debug)]
pub struct Point {
    /// Its name.
    pub task: String,
    /// The CPU seconds of either run; what was not solved is at the limit.
    pub x: f64,
    #[allow(missing_docs)]
    pub y: f64,
    /// Whether both solve it.
    pub both: bool,
}

/// CPU seconds of one run against those of the other.
pub fn scatter(names: [&str; 2], points: &[Point], top: f64) -> String {
    let mut out = frame(&format!("CPU seconds of {}", names[0]), &format!("CPU seconds of {}", names[1]));
    seconds_ticks(&mut out, top, false);
    seconds_ticks(&mut out, top, true);
    let _ = writeln!(out, "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"#888\"/>", at_x(0.0), at_y(0.0), at_x(1.0), at_y(1.0));
    for p in points {
        let (x, y) = (at_x(log_position(p.x, top)), at_y(log_position(p.y, top)));
        let colour = if p.both { COLOURS[0] } else { COLOURS[1] };
        let _ = writeln!(
            out,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\" fill=\"{colour}\" fill-opacity=\"0.6\"><title>{}: {:.2} s, {:.2} s</title></circle>",
            escaped(&p.task),
            p.x,
            p.y
        );
    }
    out.push_str("</svg>\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_are_logarithmic_and_bounded() {
        assert_eq!((log_position(0.001, 100.0), log_position(1000.0, 100.0)), (0.0, 1.0));
        assert!((log_position(1.0, 100.0) - 0.5).abs() < 1e-9);
        let svg = quantile(&[("a<b", vec![0.1, 2.0]), ("c", vec![])], 10.0);
        assert!(svg.contains("a&lt;b (2 solved)") && svg.matches("<polyline").count() == 2 && !svg.contains("NaN"));
        let point = Point { task: "t".into(), x: 0.5, y: 10.0, both: false };
        assert!(scatter(["a", "b"], &[point], 10.0).contains("t: 0.50 s, 10.00 s"));
    }
}
