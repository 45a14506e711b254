//! The YAML formats 2.0 and 2.1.

use super::{Producer, Waypoint};
use crate::report::{Position, Report};
use crate::sha256::sha256;
use crate::subject::Subject;
use std::fmt::Write;

/// A string in YAML's double quotes.
fn quoted(s: &str) -> String {
    let mut out = String::from("\"");
    for c in s.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() || c == '\u{feff}' => {
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

fn header(subject: &Subject<'_>, producer: &Producer, kind: &str, version: &str) -> String {
    let hashes: Vec<(String, String)> = subject.sources.files().iter().map(|f| (f.name.clone(), sha256(&f.bytes))).collect();
    let seed = format!("{kind}{}{}{hashes:?}", producer.creation_time, subject.specification);
    let digest = sha256(seed.as_bytes());
    let uuid = format!("{}-{}-4{}-8{}-{}", &digest[..8], &digest[8..12], &digest[13..16], &digest[17..20], &digest[20..32]);
    let mut out = format!("- entry_type: {}\n  metadata:\n    format_version: {}\n", quoted(kind), quoted(version));
    let _ = writeln!(out, "    uuid: {}", quoted(&uuid));
    let _ = writeln!(out, "    creation_time: {}", quoted(&producer.creation_time));
    let _ = writeln!(out, "    producer:\n      name: \"plumb\"\n      version: {}", quoted(&producer.version));
    let _ = writeln!(out, "      configuration: {}", quoted(subject.config));
    let _ = writeln!(out, "      command_line: {}", quoted(&producer.command_line));
    let _ = writeln!(out, "    task:\n      input_files:");
    for (name, _) in &hashes {
        let _ = writeln!(out, "        - {}", quoted(name));
    }
    let _ = writeln!(out, "      input_file_hashes:");
    for (name, hash) in &hashes {
        let _ = writeln!(out, "        {}: {}", quoted(name), quoted(hash));
    }
    let _ = writeln!(out, "      specification: {}", quoted(subject.specification));
    let _ = writeln!(out, "      data_model: {}\n      language: \"C\"", quoted(subject.data_model()));
    out
}

fn location(out: &mut String, indent: &str, p: &Position) {
    let _ = writeln!(out, "{indent}location:");
    let _ = writeln!(out, "{indent}  file_name: {}", quoted(&p.file));
    let _ = writeln!(out, "{indent}  line: {}\n{indent}  column: {}", p.line, p.column);
    if let Some(f) = &p.function {
        let _ = writeln!(out, "{indent}  function: {}", quoted(f));
    }
}

/// The invariants of a proof.
pub(super) fn correctness(subject: &Subject<'_>, report: &Report, producer: &Producer, version: &str) -> String {
    let mut out = header(subject, producer, "invariant_set", version);
    let said: Vec<_> = report.invariants.iter().filter(|i| !i.complete.is_empty()).collect();
    // With a part of its precondition a contract would say more than was proved. Version 2.0 has none.
    let contracts: Vec<_> = report.contracts.iter().filter(|c| version != "2.0" && !c.partial).collect();
    if said.is_empty() && contracts.is_empty() {
        out.push_str("  content: []\n");
        return out;
    }
    out.push_str("  content:\n");
    for i in said {
        let kind = if i.at_loop { "loop_invariant" } else { "location_invariant" };
        let _ = writeln!(out, "    - invariant:\n        type: {}", quoted(kind));
        location(&mut out, "        ", &i.position);
        let _ = writeln!(out, "        value: {}\n        format: \"c_expression\"", quoted(&i.complete.join(" && ")));
    }
    for c in contracts {
        let clause = |list: &[String]| quoted(&if list.is_empty() { "1".to_owned() } else { list.join(" && ") });
        out.push_str("    - invariant:\n        type: \"function_contract\"\n");
        location(&mut out, "        ", &c.position);
        let _ = writeln!(out, "        requires: {}\n        ensures: {}", clause(&c.requires), clause(&c.ensures));
        out.push_str("        format: \"acsl_expression\"\n");
    }
    out
}

/// The way to the error.
pub(super) fn violation(subject: &Subject<'_>, points: &[Waypoint], producer: &Producer, version: &str) -> String {
    let mut out = header(subject, producer, "violation_sequence", version);
    out.push_str("  content:\n");
    for p in points {
        let _ = writeln!(out, "    - segment:\n        - waypoint:\n            type: {}\n            action: \"follow\"", quoted(p.kind));
        if let Some((value, format)) = &p.constraint {
            let _ =
                writeln!(out, "            constraint:\n              value: {}\n              format: {}", quoted(value), quoted(format));
        }
        location(&mut out, "            ", &p.position);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn strings_survive_yaml() {
        assert_eq!(quoted("a\"b\\c\n\u{1}é"), "\"a\\\"b\\\\c\\n\\u0001é\"");
    }
}
