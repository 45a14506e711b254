//! Inputs that are chosen while the program runs, and kept, so that an execution can be repeated.

use super::values::{Constants, Manner};
use plumb_cfa::interp::{Ask, CellAsk, Inputs, Origin, Random};
use plumb_cfa::{InputSource, Program, RegionId};
use plumb_term::eval::{MemValue, Value};
use plumb_term::{Cell, IBig, Scalar, Span, VarTy};
use plumb_verdict::{InputValue, Trace};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// What an execution was given.
#[derive(Debug, Default)]
pub struct Given {
    /// The inputs of its edges, in order.
    inputs: Vec<InputValue>,
    /// Those of them that are scalars which the program asked for.
    scalars: Vec<usize>,
    /// The places among them of the contents of automatic objects.
    objects: Vec<usize>,
    /// The cells that were read before anything was written to them.
    cells: BTreeMap<(Origin, RegionId), MemValue>,
}

impl Given {
    /// Whether the program asked for anything.
    pub fn is_empty(&self) -> bool {
        self.scalars.is_empty() && self.cells.is_empty()
    }

    /// How many scalars the program asked for.
    pub fn len(&self) -> usize {
        self.scalars.len()
    }

    /// The scalars, in order.
    pub fn scalars(&self) -> Vec<Value> {
        self.scalars.iter().map(|i| self.inputs[*i].value.clone()).collect()
    }

    /// The evidence.
    pub fn trace(&self) -> Trace {
        let mut inputs = self.inputs.clone();
        let mut memory = BTreeMap::new();
        for ((origin, region), cells) in &self.cells {
            match origin {
                Origin::Initial => {
                    memory.insert(*region, cells.clone());
                }
                Origin::Havoc(n) => {
                    if let Some(i) = usize::try_from(*n).ok().and_then(|n| self.objects.get(n)) {
                        inputs[*i].value = Value::Mem(cells.clone());
                    }
                }
            }
        }
        Trace { inputs, memory }
    }
}

/// Given values first, then others.
#[derive(Debug)]
pub struct Chosen {
    first: std::vec::IntoIter<Value>,
    most: usize,
    random: Random,
    manners: BTreeMap<(Span, VarTy), Manner>,
    /// The manner of every place; none to draw one for each.
    manner: Option<Manner>,
    cells: Rc<[Cell]>,
    constants: Rc<Constants>,
    given: Rc<RefCell<Given>>,
}

/// How inputs are chosen.
#[derive(Debug)]
pub struct Choice {
    /// The first ones.
    pub first: Vec<Value>,
    /// How many there may be.
    pub most: usize,
    /// Determines the others.
    pub seed: u64,
    /// The manner of every place; none to draw one for each.
    pub manner: Option<Manner>,
}

impl Chosen {
    /// What these inputs are written to is shared with the caller.
    pub fn new(choice: Choice, cells: Rc<[Cell]>, constants: Rc<Constants>, given: Rc<RefCell<Given>>) -> Chosen {
        let Choice { first, most, seed, manner } = choice;
        Chosen { first: first.into_iter(), most, random: Random::new(seed), manners: BTreeMap::new(), manner, cells, constants, given }
    }

    fn draw(&mut self, span: Span, ty: VarTy) -> Value {
        let random = &mut self.random;
        let manner = self.manner.unwrap_or_else(|| *self.manners.entry((span, ty)).or_insert_with(|| Manner::draw(random)));
        self.constants.value(manner, ty, random)
    }

    fn keep(&self, input: InputValue) -> Result<usize, String> {
        let mut given = self.given.borrow_mut();
        if given.inputs.len() >= self.most {
            return Err("the execution takes more inputs than it is given".to_owned());
        }
        given.inputs.push(input);
        Ok(given.inputs.len() - 1)
    }
}

/// The cells of the regions.
pub fn cells(program: &Program) -> Rc<[Cell]> {
    program.regions.iter().map(|r| r.cell).collect()
}

impl Inputs for Chosen {
    fn value(&mut self, ask: &Ask<'_>) -> Result<Value, String> {
        let fitting = |v: Value| match (v, ask.ty) {
            (Value::Int(n), VarTy::Scalar(Scalar::Int(t))) => Some(Value::Int(t.wrap(&n))),
            (Value::Float(f), VarTy::Scalar(Scalar::Float(t))) => Some(Value::Float(f.convert(t))),
            (v @ Value::Int(_), VarTy::Int) | (v @ Value::Bool(_), VarTy::Bool) => Some(v),
            _ => None,
        };
        let value = self.first.next().and_then(fitting).unwrap_or_else(|| self.draw(ask.span, ask.ty));
        let at = self.keep(InputValue { source: ask.source.clone(), span: ask.span, value: value.clone() })?;
        self.given.borrow_mut().scalars.push(at);
        Ok(value)
    }

    fn cell(&mut self, ask: &CellAsk) -> Result<u128, String> {
        let value = self.draw(Span::NONE, VarTy::Scalar(ask.ty));
        let (stored, bits) = match value {
            Value::Int(n) => {
                let bits = plumb_term::eval::low_bits(&n, 128);
                (n, bits)
            }
            Value::Float(f) => (IBig::from(f.bits), f.bits),
            _ => (IBig::ZERO, 0),
        };
        let cell = self.cells.get(ask.region.0 as usize).copied().unwrap_or(Cell::Byte);
        let mut given = self.given.borrow_mut();
        let memory = given.cells.entry((ask.origin, ask.region)).or_insert_with(|| MemValue::zero(cell));
        memory.set(IBig::from(ask.addr), stored);
        Ok(bits)
    }

    fn printed(&mut self) -> Result<(), String> {
        // The interpreter computes the result; the trace has a place for it.
        let source = InputSource::Abstracted(String::new());
        self.keep(InputValue { source, span: Span::NONE, value: Value::Int(IBig::ZERO) }).map(|_| ())
    }

    fn havoc_mem(&mut self, _nth: u64) -> Result<(), String> {
        let value = Value::Mem(MemValue::zero(Cell::Byte));
        let at = self.keep(InputValue { source: InputSource::Uninit(String::new()), span: Span::NONE, value })?;
        self.given.borrow_mut().objects.push(at);
        Ok(())
    }
}
