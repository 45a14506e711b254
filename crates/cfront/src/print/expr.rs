//! Expressions.

use super::Printer;
use crate::ast::{BinaryOp, Expr, ExprKind, GenericControl, OffsetofStep, UnaryOp};

impl Printer<'_> {
    /// An expression, in parentheses if it has an operator other than a postfix one.
    pub(super) fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Ident(symbol) => self.name(*symbol),
            ExprKind::Int(int) => self.int(int),
            ExprKind::Float(float) => self.float(float),
            ExprKind::Char(character) => self.character(character),
            ExprKind::Str(string) => self.string(string),
            ExprKind::Unary { op: op @ (UnaryOp::PostInc | UnaryOp::PostDec), operand } => {
                self.put("(");
                self.expr(operand);
                self.put(op.text());
                self.put(")");
            }
            ExprKind::Unary { op, operand } => {
                self.put("(");
                self.put(op.text());
                self.expr(operand);
                self.put(")");
            }
            ExprKind::Binary { op, lhs, rhs, .. } => {
                self.put("(");
                self.infix(lhs, op.text(), rhs);
            }
            ExprKind::Assign { op, lhs, rhs, .. } => {
                self.put("(");
                let op = op.map_or("", BinaryOp::text).to_owned() + "=";
                self.infix(lhs, &op, rhs);
            }
            ExprKind::Conditional { cond, then, otherwise } => {
                self.put("(");
                self.expr(cond);
                self.put(" ? ");
                if let Some(then) = then {
                    self.expr(then);
                }
                self.put(" : ");
                self.expr(otherwise);
                self.put(")");
            }
            ExprKind::Comma(parts) => {
                self.put("(");
                self.list(parts, Self::expr);
                self.put(")");
            }
            ExprKind::Call { callee, args, .. } => {
                self.expr(callee);
                self.put("(");
                self.list(args, Self::expr);
                self.put(")");
            }
            ExprKind::Index { base, index } => {
                self.expr(base);
                self.put("[");
                self.expr(index);
                self.put("]");
            }
            ExprKind::Member { base, field, arrow } => {
                // `1.x` would be one (wrong) number.
                let is_number = matches!(base.kind, ExprKind::Int(_) | ExprKind::Float(_));
                self.put(if is_number { "(" } else { "" });
                self.expr(base);
                self.put(if is_number { ")" } else { "" });
                self.put(if *arrow { "->" } else { "." });
                self.name(field.symbol);
            }
            ExprKind::Cast { ty, operand } => {
                self.put("((");
                self.type_name(ty);
                self.put(")");
                self.expr(operand);
                self.put(")");
            }
            ExprKind::CompoundLiteral { ty, init } => {
                self.put("(");
                self.type_name(ty);
                self.put(")");
                self.init_list(init);
            }
            ExprKind::SizeofExpr(operand) => self.keyword_expr("sizeof ", operand),
            ExprKind::SizeofType(ty) => self.builtin("sizeof", |p| p.type_name(ty)),
            ExprKind::AlignofExpr { operand, preferred } => self.keyword_expr(alignof(*preferred), operand),
            ExprKind::AlignofType { ty, preferred } => self.builtin(alignof(*preferred), |p| p.type_name(ty)),
            ExprKind::LabelAddr(label) => {
                self.put("(&&");
                self.name(label.symbol);
                self.put(")");
            }
            ExprKind::StmtExpr(block) => self.builtin("", |p| p.block(block)),
            ExprKind::Generic(generic) => self.builtin("_Generic", |p| {
                match &generic.control {
                    GenericControl::Expr(expr) => p.expr(expr),
                    GenericControl::Type(ty) => p.type_name(ty),
                }
                for (ty, value) in &generic.arms {
                    p.put(", ");
                    match ty {
                        Some(ty) => p.type_name(ty),
                        None => p.put("default"),
                    }
                    p.put(": ");
                    p.expr(value);
                }
            }),
            ExprKind::VaArg { list, ty } => self.builtin("__builtin_va_arg", |p| {
                p.expr(list);
                p.put(", ");
                p.type_name(ty);
            }),
            ExprKind::Offsetof { ty, path } => self.builtin("__builtin_offsetof", |p| {
                p.type_name(ty);
                p.put(", ");
                for (index, step) in path.iter().enumerate() {
                    match step {
                        OffsetofStep::Field(name) => {
                            p.put(if index > 0 { "." } else { "" });
                            p.name(name.symbol);
                        }
                        OffsetofStep::Index(expr) => {
                            p.put("[");
                            p.expr(expr);
                            p.put("]");
                        }
                    }
                }
            }),
            ExprKind::TypesCompatible(types) => self.builtin("__builtin_types_compatible_p", |p| {
                p.type_name(&types.0);
                p.put(", ");
                p.type_name(&types.1);
            }),
            ExprKind::ChooseExpr(parts) => self.builtin("__builtin_choose_expr", |p| p.list(&parts[..], Self::expr)),
            ExprKind::ConvertVector { operand, ty } => self.builtin("__builtin_convertvector", |p| {
                p.expr(operand);
                p.put(", ");
                p.type_name(ty);
            }),
        }
    }

    /// `lhs op rhs)`
    fn infix(&mut self, lhs: &Expr, op: &str, rhs: &Expr) {
        self.expr(lhs);
        self.put(" ");
        self.put(op);
        self.put(" ");
        self.expr(rhs);
        self.put(")");
    }

    /// `(keyword operand)`; the space keeps a compound literal from being read as a type.
    fn keyword_expr(&mut self, keyword: &str, operand: &Expr) {
        self.put("(");
        self.put(keyword);
        self.put(" ");
        self.expr(operand);
        self.put(")");
    }

    fn builtin(&mut self, name: &str, operands: impl FnOnce(&mut Self)) {
        self.put(name);
        self.put("(");
        operands(self);
        self.put(")");
    }
}

fn alignof(preferred: bool) -> &'static str {
    if preferred {
        "__alignof__"
    } else {
        "_Alignof"
    }
}

impl UnaryOp {
    /// The operator as written.
    pub fn text(self) -> &'static str {
        match self {
            UnaryOp::Plus => "+",
            UnaryOp::Minus => "-",
            UnaryOp::Not => "!",
            UnaryOp::BitNot => "~",
            UnaryOp::Deref => "*",
            UnaryOp::AddrOf => "&",
            UnaryOp::PreInc | UnaryOp::PostInc => "++",
            UnaryOp::PreDec | UnaryOp::PostDec => "--",
            UnaryOp::Real => "__real__ ",
            UnaryOp::Imag => "__imag__ ",
        }
    }
}

impl BinaryOp {
    /// The operator as written.
    pub fn text(self) -> &'static str {
        match self {
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Rem => "%",
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Shl => "<<",
            BinaryOp::Shr => ">>",
            BinaryOp::BitAnd => "&",
            BinaryOp::BitXor => "^",
            BinaryOp::BitOr => "|",
            BinaryOp::Lt => "<",
            BinaryOp::Gt => ">",
            BinaryOp::Le => "<=",
            BinaryOp::Ge => ">=",
            BinaryOp::Eq => "==",
            BinaryOp::Ne => "!=",
            BinaryOp::LogAnd => "&&",
            BinaryOp::LogOr => "||",
        }
    }
}
