//! The table of one or two runs as one self-contained page.

use super::plot;
use super::table::{Row, Table};
use plumb_export::xml::escaped;
use std::collections::BTreeMap;
use std::fmt::Write;

const STYLE: &str = "body{font:14px/1.4 system-ui,sans-serif;margin:2em;color:#222}table{border-collapse:collapse;margin-top:1em}\
th,td{padding:3px 9px;border:1px solid #ccc;text-align:left;vertical-align:top}th{background:#f2f2f2;cursor:pointer;position:sticky;top:0}\
td.n{text-align:right;font-variant-numeric:tabular-nums}.correct,.answered{background:#e3f4e3}.WRONG{background:#f6b8b8;font-weight:bold}\
.other{background:#fff6dc}pre{background:#f6f6f6;padding:1em;overflow-x:auto}input{padding:4px;width:24em}svg{background:#fff;max-width:100%;height:auto}";

/// Sorting by a click on a column, and a filter.
const SCRIPT: &str = "const body=document.querySelector('#rows');document.querySelectorAll('#head th').forEach((th,i)=>{let up=false;th.onclick=()=>{up=!up;\
const key=r=>{const t=r.cells[i].textContent,n=parseFloat(t);return th.dataset.n?(isNaN(n)?-1:n):t};\
[...body.rows].sort((a,b)=>{const x=key(a),y=key(b);return(x<y?-1:x>y?1:0)*(up?1:-1)}).forEach(r=>body.append(r))}});\
document.querySelector('#filter').oninput=e=>{const t=e.target.value.toLowerCase();for(const r of body.rows)r.hidden=!r.textContent.toLowerCase().includes(t)};";

/// The page: plots, figures, and every task with the result of each run.
pub fn page(title: &str, runs: &[(&str, &Table)], parameters: &str) -> String {
    let mut out = format!("<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>plumb bench: {0}</title><style>{STYLE}</style></head>\n<body><h1>plumb bench: {0}</h1>\n", escaped(title));
    let top = runs.iter().flat_map(|(_, t)| t.rows.iter().map(|r| r.cpu)).fold(1.0, f64::max);
    let times: Vec<(&str, Vec<f64>)> = runs.iter().map(|(n, t)| (*n, t.solved_times())).collect();
    out.push_str(&plot::quantile(&times, top));
    if let [(a_name, a), (b_name, b)] = runs {
        out.push_str(&plot::scatter([a_name, b_name], &points(a, b, top), top));
    }
    for (name, table) in runs {
        let _ = writeln!(out, "<h2>{}</h2><pre>{}</pre>", escaped(name), escaped(&table.summary()));
    }
    let _ = writeln!(out, "<p>{}</p>\n<p><input id=\"filter\" placeholder=\"filter\" aria-label=\"filter\"></p>", escaped(parameters));
    out.push_str("<table><thead id=\"head\"><tr><th>task</th><th>expected</th>");
    for (name, _) in runs {
        let suffix = if runs.len() > 1 { format!(" ({})", escaped(name)) } else { String::new() };
        let _ =
            write!(out, "<th>result{suffix}</th><th data-n=\"1\">CPU s</th><th data-n=\"1\">MiB</th><th>configuration</th><th>reason</th><th>witness</th>");
    }
    out.push_str("</tr></thead><tbody id=\"rows\">\n");
    let others: Vec<BTreeMap<&str, &Row>> = runs.iter().map(|(_, t)| t.rows.iter().map(|r| (r.task.as_str(), r)).collect()).collect();
    let mut names: Vec<&Row> = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    runs.iter().flat_map(|(_, t)| &t.rows).for_each(|r| {
        if seen.insert(r.task.as_str()) {
            names.push(r);
        }
    });
    for row in names {
        let _ = write!(out, "<tr><td>{}</td><td>{}</td>", escaped(&row.task), escaped(&row.expected));
        for run in &others {
            cells(&mut out, run.get(row.task.as_str()).copied());
        }
        out.push_str("</tr>\n");
    }
    let _ = writeln!(out, "</tbody></table>\n<script>{SCRIPT}</script>\n</body></html>");
    out
}

fn cells(out: &mut String, row: Option<&Row>) {
    let Some(r) = row else {
        out.push_str("<td></td><td></td><td></td><td></td><td></td><td></td>");
        return;
    };
    let class = if r.is_solved() || r.is_wrong() { r.verdict() } else { "other" };
    let shown = if r.verdict() == r.got { r.got.clone() } else { format!("{} ({})", r.got, r.verdict()) };
    let _ = write!(
        out,
        "<td class=\"{class}\">{}</td><td class=\"n\">{:.2}</td><td class=\"n\">{}</td><td>{}</td><td>{}</td><td>{}</td>",
        escaped(&shown),
        r.cpu,
        r.mib,
        escaped(&r.config),
        escaped(&r.reason),
        escaped(&r.witness)
    );
}

/// The tasks that both runs have and at least one solves.
fn points(a: &Table, b: &Table, top: f64) -> Vec<plot::Point> {
    let others: BTreeMap<&str, &Row> = b.rows.iter().map(|r| (r.task.as_str(), r)).collect();
    let time = |r: &Row| if r.is_solved() { r.cpu } else { top };
    let both = a.rows.iter().filter_map(|r| others.get(r.task.as_str()).map(|o| (r, *o)));
    both.filter(|(x, y)| x.is_solved() || y.is_solved())
        .map(|(x, y)| plot::Point { task: x.task.clone(), x: time(x), y: time(y), both: x.is_solved() && y.is_solved() })
        .collect()
}
