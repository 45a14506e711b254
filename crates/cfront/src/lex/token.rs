//! Tokens: a kind, a place, and a slice of the source. They own nothing.

use plumb_term::Span;

use crate::Symbol;

/// A token of C.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    /// Its kind.
    pub tok: Tok,
    /// `#pragma pack` in force where it stands; 0 is none.
    pub pack: u8,
    /// Position of its first character.
    pub span: Span,
    /// The spelling of an identifier or keyword.
    pub symbol: Symbol,
    /// The token's bytes in the source.
    pub start: u32,
    /// See `start`.
    pub end: u32,
}

macro_rules! tokens {
    (plain { $($plain:ident $text:literal,)* } keywords { $($kw:ident $($spelling:literal)|+,)* }) => {
        /// Token kinds; keywords are their meaning, whichever spelling was used.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum Tok { $($plain,)* $($kw,)* }

        /// All spellings of keywords. An interner holds them first and in this order, so that a symbol below the
        /// length of this table is a keyword.
        pub(crate) const KEYWORDS: &[(&str, Tok)] = &[$($(($spelling, Tok::$kw),)+)*];

        impl Tok {
            /// How a message names this kind of token.
            pub(crate) fn text(self) -> &'static str {
                match self {
                    $(Tok::$plain => $text,)*
                    $(Tok::$kw => [$($spelling),+][0],)*
                }
            }
        }
    };
}

tokens! {
    plain {
        Eof "end of file", Ident "identifier", Number "number", Char "character constant", Str "string literal",
        LParen "(", RParen ")", LBracket "[", RBracket "]", LBrace "{", RBrace "}",
        Comma ",", Semi ";", Colon ":", Question "?", Dot ".", Arrow "->", Ellipsis "...",
        Plus "+", Minus "-", Star "*", Slash "/", Percent "%", Amp "&", Pipe "|", Caret "^", Tilde "~", Bang "!",
        PlusPlus "++", MinusMinus "--", Shl "<<", Shr ">>", Lt "<", Gt ">", Le "<=", Ge ">=", EqEq "==", Ne "!=",
        AmpAmp "&&", PipePipe "||",
        Assign "=", PlusAssign "+=", MinusAssign "-=", StarAssign "*=", SlashAssign "/=", PercentAssign "%=",
        ShlAssign "<<=", ShrAssign ">>=", AmpAssign "&=", PipeAssign "|=", CaretAssign "^=",
    }
    keywords {
        Auto "auto", Break "break", Case "case", CharKw "char", Const "const" | "__const" | "__const__",
        Continue "continue", Default "default", Do "do", Double "double", Else "else", Enum "enum", Extern "extern",
        Float "float", For "for", Goto "goto", If "if", Inline "inline" | "__inline" | "__inline__", Int "int",
        Long "long", Register "register", Restrict "restrict" | "__restrict" | "__restrict__", Return "return",
        Short "short", Signed "signed" | "__signed" | "__signed__", Sizeof "sizeof", Static "static",
        Struct "struct", Switch "switch", Typedef "typedef", Union "union", Unsigned "unsigned", Void "void",
        Volatile "volatile" | "__volatile" | "__volatile__", While "while",
        Alignas "_Alignas", AlignofMin "_Alignof", Alignof "__alignof__" | "__alignof", Atomic "_Atomic",
        Bool "_Bool", Complex "_Complex" | "__complex__" | "__complex", Generic "_Generic", Noreturn "_Noreturn",
        StaticAssert "_Static_assert", ThreadLocal "_Thread_local" | "__thread",
        Asm "asm" | "__asm" | "__asm__", Attribute "__attribute__" | "__attribute", AutoType "__auto_type",
        Extension "__extension__", Imag "__imag__" | "__imag", Real "__real__" | "__real", LabelKw "__label__",
        Typeof "typeof" | "__typeof__" | "__typeof",
        Int128 "__int128", Int128T "__int128_t", UnsignedInt128T "__uint128_t", VaList "__builtin_va_list",
        Float16 "_Float16", Float32 "_Float32", Float64 "_Float64", Float128 "_Float128" | "__float128",
        Float32x "_Float32x", Float64x "_Float64x", Float80 "__float80",
        Decimal32 "_Decimal32", Decimal64 "_Decimal64", Decimal128 "_Decimal128",
        VaArg "__builtin_va_arg", Offsetof "__builtin_offsetof", TypesCompatible "__builtin_types_compatible_p",
        ChooseExpr "__builtin_choose_expr", ConvertVector "__builtin_convertvector", PragmaOp "_Pragma",
    }
}
