//! Statements.

use super::Printer;
use crate::ast::{Asm, AsmOperand, Block, BlockItem, ForInit, LabelKind, Stmt, StmtKind};

impl Printer<'_> {
    pub(super) fn block(&mut self, block: &Block) {
        self.put("{\n");
        for label in &block.local_labels {
            self.put("__label__ ");
            self.name(label.symbol);
            self.put(";\n");
        }
        for item in &block.items {
            match item {
                BlockItem::Decl(decl) => self.declaration(decl),
                BlockItem::Stmt(stmt) => self.stmt(stmt),
                BlockItem::StaticAssert(assert) => self.static_assert(assert),
            }
            self.put("\n");
        }
        self.put("}");
    }

    pub(super) fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Empty(attrs) if attrs.is_empty() => self.out.push(';'),
            StmtKind::Empty(attrs) => {
                self.attributes(attrs);
                self.put(";");
            }
            StmtKind::Expr(expr) => {
                self.expr(expr);
                self.put(";");
            }
            StmtKind::Block(block) => self.block(block),
            StmtKind::If { arms, otherwise } => {
                for (index, arm) in arms.iter().enumerate() {
                    self.put(if index > 0 { " else if (" } else { "if (" });
                    self.expr(&arm.cond);
                    self.put(") ");
                    self.body(&arm.then);
                }
                if let Some(otherwise) = otherwise {
                    self.put(" else ");
                    self.body(otherwise);
                }
            }
            StmtKind::Switch { value, body } => {
                self.put("switch (");
                self.expr(value);
                self.put(") ");
                self.body(body);
            }
            StmtKind::While { cond, body } => {
                self.put("while (");
                self.expr(cond);
                self.put(") ");
                self.body(body);
            }
            StmtKind::DoWhile { body, cond, .. } => {
                self.put("do ");
                self.body(body);
                self.put(" while (");
                self.expr(cond);
                self.put(");");
            }
            StmtKind::For { init, cond, step, body } => {
                self.put("for (");
                match init {
                    ForInit::None => self.put(";"),
                    ForInit::Expr(expr) => {
                        self.expr(expr);
                        self.put(";");
                    }
                    ForInit::Decl(decl) => self.declaration(decl),
                }
                self.put(" ");
                if let Some(cond) = cond {
                    self.expr(cond);
                }
                self.put("; ");
                if let Some(step) = step {
                    self.expr(step);
                }
                self.put(") ");
                self.body(body);
            }
            StmtKind::Goto(label) => {
                self.put("goto ");
                self.name(label.symbol);
                self.put(";");
            }
            StmtKind::GotoComputed(expr) => {
                self.put("goto *");
                self.expr(expr);
                self.put(";");
            }
            StmtKind::Continue => self.put("continue;"),
            StmtKind::Break => self.put("break;"),
            StmtKind::Return(value) => {
                self.put("return");
                if let Some(value) = value {
                    self.put(" ");
                    self.expr(value);
                }
                self.put(";");
            }
            StmtKind::Labeled { labels, body } => {
                for label in labels {
                    match &label.kind {
                        LabelKind::Named(name, attrs) => {
                            self.name(name.symbol);
                            self.put(": ");
                            self.attributes(attrs);
                        }
                        LabelKind::Case(value) => {
                            self.put("case ");
                            self.expr(value);
                            self.put(": ");
                        }
                        LabelKind::CaseRange(low, high) => {
                            self.put("case ");
                            self.expr(low);
                            self.put(" ... ");
                            self.expr(high);
                            self.put(": ");
                        }
                        LabelKind::Default => self.put("default: "),
                    }
                }
                self.stmt(body);
            }
            StmtKind::Asm(asm) => {
                self.asm(asm);
                self.put(";");
            }
        }
    }

    /// A statement governed by another one, in braces lest an `else` finds another `if`.
    fn body(&mut self, stmt: &Stmt) {
        if let StmtKind::Block(block) = &stmt.kind {
            self.block(block);
        } else {
            self.put("{\n");
            self.stmt(stmt);
            self.put("\n}");
        }
    }

    pub(super) fn asm(&mut self, asm: &Asm) {
        self.put("asm ");
        self.put(if asm.volatile { "volatile " } else { "" });
        self.put(if asm.inline { "inline " } else { "" });
        self.put(if asm.goto { "goto " } else { "" });
        self.put("(");
        self.string(&asm.template);
        let sections = if !asm.labels.is_empty() || asm.goto {
            4
        } else if !asm.clobbers.is_empty() {
            3
        } else if !asm.inputs.is_empty() {
            2
        } else {
            usize::from(!asm.outputs.is_empty())
        };
        for section in 1..=sections {
            self.put(" : ");
            match section {
                1 => self.list(&asm.outputs, Self::asm_operand),
                2 => self.list(&asm.inputs, Self::asm_operand),
                3 => self.list(&asm.clobbers, Self::string),
                _ => self.list(&asm.labels, |p, label| p.name(label.symbol)),
            }
        }
        self.put(")");
    }

    fn asm_operand(&mut self, operand: &AsmOperand) {
        if let Some(name) = operand.name {
            self.put("[");
            self.name(name.symbol);
            self.put("] ");
        }
        self.string(&operand.constraint);
        self.put(" (");
        self.expr(&operand.expr);
        self.put(")");
    }
}
