//! Properties: what the `.prp` files of SV-COMP say, as far as plumb can check it.

use std::fmt;

/// A property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Property {
    /// None was given: what counts as the error depends on the program.
    Default,
    /// The functions are never called.
    Unreachable {
        /// The functions.
        functions: Vec<String>,
        /// The `CHECK` lines.
        text: String,
    },
    /// Another property.
    Unsupported(String),
}

/// The specification of the default property, as witnesses state it.
pub const DEFAULT: &str = "CHECK( init(main()), LTL(G ! call(reach_error())) )";

/// The specification that a function is never called.
pub fn unreachable(function: &str) -> String {
    format!("CHECK( init(main()), LTL(G ! call({function}())) )")
}

impl Property {
    /// Reads a property file's text; an error is a sentence.
    pub fn parse(text: &str) -> Result<Property, String> {
        let lines: Vec<&str> = text.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#')).collect();
        if lines.is_empty() {
            return Err("the property file has no CHECK line".to_owned());
        }
        let mut functions = Vec::new();
        for line in &lines {
            if !line.starts_with("CHECK(") && !line.starts_with("CHECK (") && !line.starts_with("COVER") {
                return Err(format!("'{line}' is not a CHECK line"));
            }
            match unreachable_function(line) {
                Some(name) => functions.push(name),
                None => return Ok(Property::Unsupported(lines.join(" "))),
            }
        }
        Ok(Property::Unreachable { functions, text: lines.join("\n") })
    }

    /// The `CHECK` lines.
    pub fn specification(&self) -> &str {
        match self {
            Property::Default => DEFAULT,
            Property::Unreachable { text, .. } => text,
            Property::Unsupported(text) => text,
        }
    }
}

/// The `f` of `CHECK( init(main()), LTL(G ! call(f())) )`.
fn unreachable_function(line: &str) -> Option<String> {
    let dense: String = line.chars().filter(|c| !c.is_whitespace()).collect();
    let rest = dense.strip_prefix("CHECK(init(main()),LTL(G!call(")?;
    let name = rest.strip_suffix("())))")?;
    let is_name = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    is_name.then(|| name.to_owned())
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.specification())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_checked_and_others_named() {
        let p = Property::parse("CHECK( init(main()), LTL(G ! call(my_error())) )\n\n").unwrap();
        assert_eq!(
            p,
            Property::Unreachable { functions: vec!["my_error".into()], text: "CHECK( init(main()), LTL(G ! call(my_error())) )".into() }
        );
        for other in [
            "CHECK( init(main()), LTL(G ! overflow) )",
            "CHECK( init(main()), LTL(F end) )",
            "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )",
        ] {
            assert_eq!(Property::parse(other), Ok(Property::Unsupported(other.into())));
        }
        let memory = "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )";
        assert!(matches!(Property::parse(memory), Ok(Property::Unsupported(_))));
        assert!(Property::parse("").is_err());
        assert!(Property::parse("reach_error").is_err());
    }
}
