//! The structure of YAML witnesses 2.0, as far as validators insist on it.

use serde_json::Value;

fn get<'a>(v: &'a Value, path: &str) -> Result<&'a Value, String> {
    path.split('.').try_fold(v, |v, key| v.get(key).ok_or_else(|| format!("{key} of {path} is missing")))
}

fn text<'a>(v: &'a Value, path: &str) -> Result<&'a str, String> {
    get(v, path)?.as_str().ok_or_else(|| format!("{path} is not a string"))
}

fn list<'a>(v: &'a Value, path: &str) -> Result<&'a Vec<Value>, String> {
    get(v, path)?.as_array().ok_or_else(|| format!("{path} is not a list"))
}

fn ensure(ok: bool, what: impl Into<String>) -> Result<(), String> {
    if ok {
        Ok(())
    } else {
        Err(what.into())
    }
}

fn is_hex(s: &str, len: usize) -> bool {
    s.len() == len && s.bytes().all(|b| b.is_ascii_hexdigit())
}

/// Checks a correctness witness, or a violation witness.
pub fn check(yaml: &str, correctness: bool) -> Result<(), String> {
    let entries: Vec<Value> = serde_saphyr::from_str(yaml).map_err(|e| e.to_string())?;
    ensure(entries.len() == 1, "not one entry")?;
    let entry = &entries[0];
    metadata(get(entry, "metadata")?)?;
    if correctness {
        ensure(text(entry, "entry_type")? == "invariant_set", "entry_type")?;
        list(entry, "content")?.iter().try_for_each(invariant)
    } else {
        ensure(text(entry, "entry_type")? == "violation_sequence", "entry_type")?;
        violation(list(entry, "content")?)
    }
}

fn metadata(m: &Value) -> Result<(), String> {
    ensure(text(m, "format_version")? == "2.0", "format_version")?;
    let uuid: Vec<&str> = text(m, "uuid")?.split('-').collect();
    ensure(uuid.len() == 5 && [8, 4, 4, 4, 12].iter().zip(&uuid).all(|(n, s)| is_hex(s, *n)), "uuid")?;
    let time = text(m, "creation_time")?;
    ensure(time.len() == 20 && time.ends_with('Z') && time.as_bytes()[10] == b'T', "creation_time")?;
    ensure(text(m, "producer.name")? == "plumb" && !text(m, "producer.version")?.is_empty(), "producer")?;
    let files = list(m, "task.input_files")?;
    let hashes = get(m, "task.input_file_hashes")?.as_object().ok_or("input_file_hashes is not a map")?;
    ensure(!files.is_empty() && files.len() == hashes.len(), "files and hashes differ in number")?;
    for f in files {
        let hash = f.as_str().and_then(|f| hashes.get(f)).and_then(Value::as_str).ok_or("a file has no hash")?;
        ensure(is_hex(hash, 64), "hash")?;
    }
    ensure(text(m, "task.specification")?.starts_with("CHECK("), "specification")?;
    ensure(matches!(text(m, "task.data_model")?, "ILP32" | "LP64"), "data_model")?;
    ensure(text(m, "task.language")? == "C", "language")
}

fn location(l: &Value) -> Result<(), String> {
    text(l, "file_name")?;
    text(l, "function")?;
    for key in ["line", "column"] {
        ensure(get(l, key)?.as_u64().is_some_and(|n| n >= 1), key)?;
    }
    Ok(())
}

fn invariant(i: &Value) -> Result<(), String> {
    let i = get(i, "invariant")?;
    if text(i, "type")? == "function_contract" {
        ensure(text(i, "format")? == "acsl_expression", "format")?;
        ensure(!text(i, "requires")?.is_empty() && !text(i, "ensures")?.is_empty(), "contract")?;
        return location(get(i, "location")?);
    }
    ensure(matches!(text(i, "type")?, "loop_invariant" | "location_invariant"), "type")?;
    ensure(text(i, "format")? == "c_expression", "format")?;
    ensure(!text(i, "value")?.is_empty(), "value")?;
    location(get(i, "location")?)
}

fn violation(content: &[Value]) -> Result<(), String> {
    ensure(!content.is_empty(), "no segment")?;
    for (n, segment) in content.iter().enumerate() {
        let points = list(segment, "segment")?;
        ensure(points.len() == 1, "a segment is one waypoint to follow")?;
        let w = get(&points[0], "waypoint")?;
        ensure(text(w, "action")? == "follow", "action")?;
        location(get(w, "location")?)?;
        let kind = text(w, "type")?;
        ensure((kind == "target") == (n + 1 == content.len()), "the target is the last waypoint and no other")?;
        match kind {
            "target" => ensure(w.get("constraint").is_none(), "a target has no constraint")?,
            "function_return" => {
                ensure(text(w, "constraint.value")?.starts_with("\\result == "), "value")?;
                ensure(text(w, "constraint.format")? == "acsl_expression", "format")?;
            }
            "assumption" => ensure(text(w, "constraint.format")? == "c_expression", "format")?,
            other => return Err(format!("waypoint {other}")),
        }
    }
    Ok(())
}
