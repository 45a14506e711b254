//! Whether the variables of a proof are where the proof says they are.

use super::Rejected;
use crate::proof::{Atom, Meaning, Number, Part, Proof};
use std::collections::BTreeMap;

/// Whether the small ascending list is contained in the large one.
fn within(small: &[Part], large: &[Part]) -> bool {
    small.iter().all(|p| large.binary_search(p).is_ok())
}

fn ascending(parts: &[Part], bound: u32) -> bool {
    parts.windows(2).all(|w| w[0] < w[1]) && parts.last().is_none_or(|p| p.0 < bound)
}

/// Checks all variables.
pub fn check(proof: &Proof) -> Result<(), Rejected> {
    let mut arities = BTreeMap::new();
    for (i, number) in proof.numbers.iter().enumerate() {
        check_number(proof, number, &mut arities).map_err(|what| Rejected::Number(i as u32, what))?;
    }
    for (i, meaning) in proof.booleans.iter().enumerate() {
        check_boolean(proof, meaning).map_err(|what| Rejected::Boolean(i as u32, what))?;
    }
    Ok(())
}

fn check_number(proof: &Proof, number: &Number, arities: &mut BTreeMap<u32, usize>) -> Result<(), &'static str> {
    if !ascending(&number.parts, proof.parts) {
        return Err("its parts are not an ascending list of existing ones");
    }
    let Some((function, arguments)) = &number.application else { return Ok(()) };
    if *arities.entry(function.0).or_insert(arguments.len()) != arguments.len() {
        return Err("the function has another number of arguments elsewhere");
    }
    for x in arguments {
        let Some(argument) = proof.numbers.get(x.index()) else { return Err("an argument does not exist") };
        if !within(&number.parts, &argument.parts) {
            return Err("an argument does not occur where the application does");
        }
    }
    Ok(())
}

fn check_boolean(proof: &Proof, meaning: &Meaning) -> Result<(), &'static str> {
    if !ascending(&meaning.parts, proof.parts) {
        return Err("its parts are not an ascending list of existing ones");
    }
    if meaning.mixed && !meaning.parts.is_empty() {
        return Err("it is mixed and has a part");
    }
    let Atom::LessEq(t) = &meaning.atom else { return Ok(()) };
    for (x, _) in t.terms() {
        let Some(number) = proof.numbers.get(x.index()) else { return Err("a variable of the atom does not exist") };
        if !within(&meaning.parts, &number.parts) {
            return Err("a variable of the atom does not occur where the atom does");
        }
    }
    Ok(())
}
