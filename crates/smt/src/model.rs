//! Models: values of variables, and through them of terms.
//!
//! A model has the values of variables, or reads each from Z3 when it is first asked for, and evaluates terms with [`plumb_term::eval`], so what it says of a term is
//! what the term means. A variable that Z3 has not seen, or has no value for, gets a default one.

use crate::encode::{Encoding, Symbols};
use crate::ffi::{Ast, DeclKind, RawModel};
use plumb_term::eval::{eval, MemValue, Value};
use plumb_term::{Cell, Float, IBig, IntTy, Scalar, Term, Var, VarTy};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::BTreeSet;

/// An assignment that satisfies what the solver was asked for.
pub struct Model {
    /// Z3's model; none where all values are known.
    source: Option<Source>,
    known: RefCell<FxHashMap<Var, Value>>,
}

struct Source {
    raw: RawModel,
    symbols: Symbols,
    encoding: Encoding,
}

impl Model {
    pub(crate) fn new(raw: RawModel, symbols: Symbols, encoding: Encoding) -> Model {
        Model { source: Some(Source { raw, symbols, encoding }), known: RefCell::default() }
    }

    /// The model with these values, and default ones for other variables.
    pub(crate) fn of_values(values: FxHashMap<Var, Value>) -> Model {
        Model { source: None, known: RefCell::new(values) }
    }

    pub(crate) fn raw(&self) -> Option<&RawModel> {
        self.source.as_ref().map(|s| &s.raw)
    }

    /// The value of a term; `None` if it is ill-sorted or Z3 has no readable value for a variable in it.
    pub fn eval(&self, t: Term) -> Option<Value> {
        eval(t, &|v| self.var(v))
    }

    /// Whether a formula holds.
    pub fn holds(&self, t: Term) -> Option<bool> {
        match self.eval(t)? {
            Value::Bool(b) => Some(b),
            _ => None,
        }
    }

    /// The value of an integer term.
    pub fn int(&self, t: Term) -> Option<IBig> {
        match self.eval(t)? {
            Value::Int(v) => Some(v),
            _ => None,
        }
    }

    /// The value of a variable.
    pub fn var(&self, v: Var) -> Option<Value> {
        if let Some(value) = self.known.borrow().get(&v) {
            return Some(value.clone());
        }
        let symbol = self.source.as_ref().and_then(|s| Some((s, s.symbols.borrow().get(&v).cloned()?)));
        let value = match symbol {
            Some((source, symbol)) => source.read(v.ty, &source.raw.eval(&symbol)?)?,
            None => Value::default_of(v.ty),
        };
        self.known.borrow_mut().insert(v, value.clone());
        Some(value)
    }
}

impl Source {
    fn read(&self, ty: VarTy, ast: &Ast) -> Option<Value> {
        Some(match ty {
            VarTy::Bool => Value::Bool(truth(ast)?),
            VarTy::Int => Value::Int(ast.as_numeral()?),
            VarTy::Scalar(Scalar::Int(t)) => Value::Int(t.wrap(&ast.as_numeral()?)),
            VarTy::Scalar(Scalar::Float(t)) => Value::Float(Float::from_bits(t, u128::try_from(ast.as_numeral()?).ok()?)),
            VarTy::Mem(cell) => Value::Mem(self.memory(cell, ast)?),
        })
    }

    fn memory(&self, cell: Cell, ast: &Ast) -> Option<MemValue> {
        let mut entries: Vec<(IBig, IBig)> = Vec::new();
        let mut array = ast.clone();
        let mut memory = loop {
            if array.is_as_array() {
                let (table, otherwise) = self.raw.table(&array)?;
                for (at, value) in table {
                    entries.push((at.as_numeral()?, self.cell(cell, &value)?));
                }
                break MemValue::filled(cell, self.cell(cell, &otherwise)?);
            }
            if array.is_lambda() {
                break self.pieces(cell, &array)?;
            }
            let operands = array.operands();
            match (array.operator()?, operands.as_slice()) {
                (DeclKind::Store, [inner, at, value]) => {
                    entries.push((at.as_numeral()?, self.cell(cell, value)?));
                    array = inner.clone();
                }
                (DeclKind::ConstArray, [value]) => break MemValue::filled(cell, self.cell(cell, value)?),
                _ => return None,
            }
        };
        // The outermost store, which came first, wins.
        for (at, value) in entries.into_iter().rev() {
            memory.set(at, value);
        }
        Some(memory)
    }

    fn cell(&self, cell: Cell, value: &Ast) -> Option<IBig> {
        let raw = self.raw.eval(value)?.as_numeral()?;
        Some(match cell {
            Cell::Byte => IntTy::U8.wrap(&raw),
            Cell::Scalar(Scalar::Int(t)) => t.wrap(&raw),
            Cell::Scalar(Scalar::Float(_)) => raw,
        })
    }

    /// The map of a λ that compares its argument with numbers: constant between their sums and differences.
    fn pieces(&self, cell: Cell, lambda: &Ast) -> Option<MemValue> {
        let context = lambda.context().clone();
        let sample = |at: &IBig| match self.encoding {
            Encoding::Int => context.int(at),
            Encoding::Bits { address_bits } => context.bv(at, address_bits),
        };
        let numbers = self.numbers(&lambda.apply(&sample(&IBig::ZERO)));
        let mut cuts: BTreeSet<IBig> = BTreeSet::new();
        for a in &numbers {
            for b in std::iter::once(&IBig::ZERO).chain(&numbers) {
                for c in [a - b, a + b] {
                    cuts.extend([&c - IBig::ONE, c.clone(), &c + IBig::ONE]);
                }
            }
        }
        if let Encoding::Bits { address_bits } = self.encoding {
            let top = IBig::ONE << address_bits as usize;
            cuts.retain(|c| *c >= IBig::ZERO && *c < top);
            cuts.extend([IBig::ZERO, top]);
        }
        let at = |a: &IBig| self.cell(cell, &lambda.apply(&sample(a)));
        let far = match (self.encoding, cuts.first()) {
            (Encoding::Int, Some(first)) => at(&(first - IBig::ONE))?,
            _ => at(&IBig::ZERO)?,
        };
        let mut memory = MemValue::filled(cell, far);
        for (lo, hi) in cuts.iter().zip(cuts.iter().skip(1)) {
            memory.fill(lo.clone(), hi.clone(), at(lo)?);
        }
        Some(memory)
    }

    /// The numerals of an expression.
    fn numbers(&self, t: &Ast) -> BTreeSet<IBig> {
        let (mut out, mut seen, mut stack) = (BTreeSet::new(), rustc_hash::FxHashSet::default(), vec![t.clone()]);
        while let Some(n) = stack.pop() {
            if seen.insert(n.key()) {
                out.extend(n.as_numeral());
                stack.extend(n.operands());
            }
        }
        out
    }
}

fn truth(ast: &Ast) -> Option<bool> {
    match ast.operator()? {
        DeclKind::True => Some(true),
        DeclKind::False => Some(false),
        _ => None,
    }
}
