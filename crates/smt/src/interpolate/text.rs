//! Families of problems as text.
//!
//! ```text
//! (family NAME
//!   (vars TYPE …)             the types of x0, x1, …
//!   (let TERM) …              $0, $1, …
//!   (cut xI …) …              the variables of each cut point
//!   (block FROM TO TERM) …    over xI before and yI after
//!   (dag NAME (CUT …) BLOCK FROM TO BLOCK FROM TO …) …)
//! ```

use super::family::{Block, Family, Member};
use super::NodeId;
use plumb_term::text::{parse, read_term, read_type, type_name, Sexp, TextError, Writer};
use plumb_term::visit::vars;
use plumb_term::{Sort, Term, Var, VarId, VarTy};
use std::collections::BTreeMap;
use std::fmt::Write;

impl Family {
    /// The family as text. Variables are renumbered.
    pub fn write(&self) -> String {
        let formulas: Vec<Term> = self.blocks.iter().map(|b| b.formula).collect();
        let mut numbers: BTreeMap<(VarId, VarTy), usize> = BTreeMap::new();
        let mut types = Vec::new();
        for v in self.cuts.iter().flatten().copied().chain(vars(formulas.iter().copied())) {
            numbers.entry((v.id, v.ty)).or_insert_with(|| {
                types.push(type_name(v.ty));
                types.len() - 1
            });
        }
        let name = |v: Var| format!("{}{}", if v.version == 0 { 'x' } else { 'y' }, numbers[&(v.id, v.ty)]);
        let terms = Writer::new(&formulas, &name);
        let mut out = format!("(family {}\n(vars {})\n", self.name, types.join(" "));
        // Writing to a string does not fail.
        for t in terms.definitions() {
            let _ = writeln!(out, "(let {t})");
        }
        for c in &self.cuts {
            let list: Vec<String> = c.iter().map(|v| name(*v)).collect();
            let _ = writeln!(out, "(cut {})", list.join(" "));
        }
        for b in &self.blocks {
            let _ = writeln!(out, "(block {} {} {})", b.from, b.to, terms.text(b.formula).unwrap_or("F"));
        }
        for m in &self.members {
            let nodes: Vec<String> = m.nodes.iter().map(usize::to_string).collect();
            let edges: Vec<String> = m.edges.iter().map(|(b, u, v)| format!("{b} {} {}", u.0, v.0)).collect();
            let _ = writeln!(out, "(dag {} ({}) {})", m.name, nodes.join(" "), edges.join(" "));
        }
        out.push_str(")\n");
        out
    }

    /// The families of a text.
    pub fn read(text: &str) -> Result<Vec<Family>, TextError> {
        parse(text)?.iter().map(read_family).collect()
    }
}

fn read_family(s: &Sexp) -> Result<Family, TextError> {
    let ("family", [name, items @ ..]) = s.call()? else { return Err(TextError("a family was expected".into())) };
    let mut family = Family { name: name.atom()?.to_string(), ..Family::default() };
    let mut types: Vec<VarTy> = Vec::new();
    let mut definitions: Vec<Term> = Vec::new();
    for item in items {
        let word = |w: &str| {
            let (kind, number) = (w.get(..1)?, w.get(1..)?.parse::<usize>().ok()?);
            let var = |version: u32| types.get(number).map(|ty| Var { id: VarId(number as u32), version, ty: *ty });
            match kind {
                "x" => var(0).map(Term::var),
                "y" => var(1).map(Term::var),
                "$" => definitions.get(number).copied(),
                _ => None,
            }
        };
        match item.call()? {
            ("vars", list) => types = list.iter().map(|t| read_type(t.atom()?)).collect::<Result<_, _>>()?,
            ("let", [t]) => {
                let t = read_term(t, &word)?;
                definitions.push(t);
            }
            ("cut", list) => {
                let before = |s: &Sexp| {
                    let v = word(s.atom()?).and_then(Term::as_var).filter(|v| v.version == 0);
                    v.ok_or_else(|| TextError(format!("{s} is no variable")))
                };
                family.cuts.push(list.iter().map(before).collect::<Result<_, _>>()?);
            }
            ("block", [from, to, t]) => {
                let formula = read_term(t, &word)?;
                if formula.sort() != Sort::Bool {
                    return Err(TextError(format!("{t} is no formula")));
                }
                family.blocks.push(Block { from: from.number()?, to: to.number()?, formula });
            }
            ("dag", [name, nodes, edges @ ..]) if edges.len() % 3 == 0 => {
                let nodes = nodes.list()?.iter().map(Sexp::number).collect::<Result<_, _>>()?;
                let edge = |e: &[Sexp]| Ok((e[0].number()?, NodeId(e[1].number()?), NodeId(e[2].number()?)));
                let edges = edges.chunks_exact(3).map(edge).collect::<Result<_, TextError>>()?;
                family.members.push(Member { name: name.atom()?.to_string(), nodes, edges });
            }
            (what, _) => return Err(TextError(format!("{what} was not expected"))),
        }
    }
    Ok(family)
}
