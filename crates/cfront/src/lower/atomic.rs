//! `__sync_*` and `__atomic_*`: plain accesses, since there is one thread.
//!
//! The generic forms of `__atomic_*` take and give values through pointers, those that end in `_n` directly. What is not among them is unsupported: a function without effect it is
//! not. A weak exchange never fails without a reason here, as on most machines.

use plumb_term::{Span, Term};

use super::expr::bool_value;
use super::place::{LValue, Value};
use super::Lowerer;
use crate::ast::*;
use crate::lex::Fallible;
use crate::types::Types;

/// How an operation updates memory and what it yields.
#[derive(Clone, Copy)]
enum Atomic {
    /// The new value is computed; the old or the new one is the result.
    Update {
        op: Option<BinaryOp>,
        gives_old: bool,
    },
    Load,
    Store,
    Exchange,
    CompareExchange,
    /// `__sync_*_compare_and_swap`; whether the result says if it happened.
    Swap {
        says: bool,
    },
    TestAndSet,
    Clear,
    LockFree,
}

/// An operation by its name without `_n`.
fn operation(name: &str) -> Option<Atomic> {
    let update = |prefix: &str, suffix: &str, gives_old: bool| {
        let op = match name.strip_prefix(prefix)?.strip_suffix(suffix)? {
            "add" => Some(BinaryOp::Add),
            "sub" => Some(BinaryOp::Sub),
            "and" => Some(BinaryOp::BitAnd),
            "or" => Some(BinaryOp::BitOr),
            "xor" => Some(BinaryOp::BitXor),
            "nand" => None,
            _ => return None,
        };
        Some(Atomic::Update { op, gives_old })
    };
    let plain = match name {
        "__atomic_load" => Atomic::Load,
        "__atomic_store" => Atomic::Store,
        "__atomic_exchange" | "__sync_lock_test_and_set" => Atomic::Exchange,
        "__atomic_compare_exchange" => Atomic::CompareExchange,
        "__sync_bool_compare_and_swap" => Atomic::Swap { says: true },
        "__sync_val_compare_and_swap" => Atomic::Swap { says: false },
        "__atomic_test_and_set" => Atomic::TestAndSet,
        "__atomic_clear" | "__sync_lock_release" => Atomic::Clear,
        "__atomic_always_lock_free" | "__atomic_is_lock_free" => Atomic::LockFree,
        _ => {
            let old = update("__sync_fetch_and_", "", true).or_else(|| update("__atomic_fetch_", "", true));
            return old.or_else(|| update("__sync_", "_and_fetch", false)).or_else(|| update("__atomic_", "_fetch", false));
        }
    };
    Some(plain)
}

impl<'a> Lowerer<'a> {
    pub(super) fn atomic_builtin(&mut self, name: &str, args: &'a [Expr], span: Span) -> Fallible<Option<Value>> {
        if !(name.starts_with("__atomic_") || name.starts_with("__sync_")) || args.is_empty() {
            return Ok(None);
        }
        let direct = name.ends_with("_n") || name.starts_with("__sync_");
        let known = operation(name.strip_suffix("_n").unwrap_or(name));
        let values = self.evaluate_all(args)?;
        if self.cx.unevaluated > 0 {
            let ty = self.types.pointee(values[0].ty).filter(|t| self.types.scalar(*t).is_some());
            return Ok(Some(self.dummy(ty.unwrap_or(Types::INT))));
        }
        let Some(atomic) = known else {
            self.unsupported(span, format!("the function '{name}'"));
            return Ok(Some(self.int_zero()));
        };
        if let Atomic::LockFree = atomic {
            return Ok(Some(bool_value(Term::tt())));
        }
        let mut pointer = values[0];
        if matches!(atomic, Atomic::TestAndSet) || name == "__atomic_clear" {
            // A flag is one byte, whatever the pointer says.
            let byte = self.types.pointer(Types::UCHAR);
            pointer = self.convert(&pointer, byte, span)?;
        }
        let place = self.pointee_place(&pointer, true, span)?;
        if self.types.scalar(place.ty).is_none() {
            self.unsupported(span, format!("'{name}' on something that is no number and no pointer"));
            return Ok(Some(self.int_zero()));
        }
        self.atomic(atomic, direct, &place, &values, span).map(Some)
    }

    fn atomic(&mut self, atomic: Atomic, direct: bool, place: &LValue, values: &[Value], span: Span) -> Fallible<Value> {
        let zero = self.int_zero();
        let arg = |i: usize| values.get(i).copied().unwrap_or(zero);
        let old = self.load(place);
        let old = self.save(&old);
        Ok(match atomic {
            Atomic::Update { op, gives_old } => {
                let new = match op {
                    Some(op) => self.operate(op, &old, &arg(1), span)?,
                    None => {
                        let both = self.operate(BinaryOp::BitAnd, &old, &arg(1), span)?;
                        let term = self.wrap(both.term.bit_not(), both.ty);
                        Value::new(both.ty, term, both.node)
                    }
                };
                let new = self.convert(&new, place.ty, span)?;
                let new = self.save(&new);
                self.assign_place(place, &new, span)?;
                if gives_old {
                    old
                } else {
                    new
                }
            }
            Atomic::Load if direct => old,
            Atomic::Load => {
                let to = self.pointee_place(&arg(1), true, span)?;
                self.assign_place(&to, &old, span)?;
                Value::void()
            }
            Atomic::Store => {
                let new = self.atomic_operand(direct, &arg(1), span)?;
                self.assign_place(place, &new, span)?;
                Value::void()
            }
            Atomic::Exchange => {
                let new = self.atomic_operand(direct, &arg(1), span)?;
                self.assign_place(place, &new, span)?;
                if direct {
                    return Ok(old);
                }
                let to = self.pointee_place(&arg(2), true, span)?;
                self.assign_place(&to, &old, span)?;
                Value::void()
            }
            Atomic::CompareExchange => {
                let expected = self.pointee_place(&arg(1), true, span)?;
                let seen = self.load(&expected);
                let new = self.atomic_operand(direct, &arg(2), span)?;
                let same = self.swap(place, &old, &seen, &new, span)?;
                let node = self.either(&old, &seen);
                let seen = self.convert(&seen, place.ty, span)?;
                let kept = Value::new(place.ty, Term::ite(same.term.differs(Term::int(0)), seen.term, old.term), node);
                self.assign_place(&expected, &kept, span)?;
                bool_value(same.term.differs(Term::int(0)))
            }
            Atomic::Swap { says } => {
                let same = self.swap(place, &old, &arg(1), &arg(2), span)?;
                if says {
                    bool_value(same.term.differs(Term::int(0)))
                } else {
                    old
                }
            }
            Atomic::TestAndSet => {
                self.assign_place(place, &Value::plain(Types::INT, Term::int(1)), span)?;
                bool_value(old.term.differs(Term::int(0)))
            }
            Atomic::Clear => {
                self.assign_place(place, &zero, span)?;
                Value::void()
            }
            Atomic::LockFree => bool_value(Term::tt()),
        })
    }

    /// An operand, or what the generic form finds behind a pointer.
    fn atomic_operand(&mut self, direct: bool, value: &Value, span: Span) -> Fallible<Value> {
        if direct {
            return Ok(*value);
        }
        let place = self.pointee_place(value, true, span)?;
        let value = self.load(&place);
        Ok(self.save(&value))
    }

    /// Stores `new` if the place holds what is expected; whether it does.
    fn swap(&mut self, place: &LValue, old: &Value, expected: &Value, new: &Value, span: Span) -> Fallible<Value> {
        let expected = self.convert(expected, place.ty, span)?;
        let new = self.convert(new, place.ty, span)?;
        let same = bool_value(old.term.equals(expected.term));
        let same = self.save(&same);
        let node = self.either(old, &new);
        let stored = Value::new(place.ty, Term::ite(same.term.differs(Term::int(0)), new.term, old.term), node);
        self.assign_place(place, &stored, span)?;
        Ok(same)
    }
}
