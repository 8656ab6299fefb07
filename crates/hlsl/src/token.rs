//! Tokens: what the preprocessor gives and the parser reads (sheet A2).
//!
//! A [`Token`] is 28 bytes and owns nothing: its text is a [`Name`], its value an entry of [`Literals`], and the macros that
//! it came from an entry of [`Expansions`](crate::origin::Expansions).

use crate::origin::ExpansionId;
use aquatint_base::{HashMap, Name, Names, Span};
use std::fmt;

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident $text:literal,)*) => {
        /// What a token is.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        pub enum TokenKind {
            $($(#[$doc])* #[doc = concat!("`", $text, "`")] $kind,)*
        }

        /// Kinds with their texts, in the order of the enum.
        const TEXTS: &[(TokenKind, &str)] = &[$((TokenKind::$kind, $text),)*];
    };
}

kinds! {
    // Kinds whose text differs from token to token.
    /// The end of the translation unit: always the last token.
    Eof "end of file",
    /// A name that is no keyword. Context words (A2.11) and reserved words of C++ (A2.12) are identifiers too.
    Ident "identifier",
    /// An integer: [`Literal::Int`].
    IntLit "integer",
    /// A floating-point number: [`Literal::Float`].
    FloatLit "floating-point number",
    /// A character: [`Literal::Char`].
    CharLit "character",
    /// A string: [`Literal::Str`]. Strings that stand side by side have been joined.
    StringLit "string",
    /// A number before its value is known. Only within the preprocessor.
    Number "number",
    /// A name between `<` and `>` in a directive. Only within the preprocessor.
    HeaderName "header name",
    /// What can start no token: a character outside of ASCII, `@`, an unclosed quote. Only within the preprocessor.
    Other "stray character",
    /// The end of a directive, or of a group of tokens. Only within the preprocessor.
    End "end of line",

    // Punctuators (A2.9).
    Plus "+", Minus "-", Star "*", Slash "/", Percent "%", PlusPlus "++", MinusMinus "--", Shl "<<", Shr ">>",
    Less "<", LessEq "<=", Greater ">", GreaterEq ">=", EqEq "==", NotEq "!=",
    And "&", Or "|", Caret "^", Tilde "~", AndAnd "&&", OrOr "||", Not "!", Question "?", Colon ":", ColonColon "::",
    Assign "=", PlusAssign "+=", MinusAssign "-=", StarAssign "*=", SlashAssign "/=", PercentAssign "%=",
    ShlAssign "<<=", ShrAssign ">>=", AndAssign "&=", OrAssign "|=", CaretAssign "^=",
    Comma ",", Dot ".", LParen "(", RParen ")", LBracket "[", RBracket "]", LBrace "{", RBrace "}", Semicolon ";",
    /// Member of a pointer: only to say that there are no pointers (AQ2004).
    Arrow "->",
    /// Only in macros; in the text it is an error of the parser.
    Ellipsis "...",
    /// Not at the start of a line.
    Hash "#",
    /// Outside of a macro.
    HashHash "##",

    // Keywords (A2.10).
    If "if", Else "else", For "for", While "while", Do "do", Switch "switch", Case "case", Default "default", Break "break",
    Continue "continue", Return "return", Discard "discard", Struct "struct", Class "class", Interface "interface",
    Cbuffer "cbuffer", Tbuffer "tbuffer", Namespace "namespace", Using "using", Typedef "typedef", Template "template",
    Typename "typename", Enum "enum", Const "const", Static "static", Extern "extern", Groupshared "groupshared",
    Shared "shared", Uniform "uniform", Volatile "volatile", Inline "inline", Export "export", In "in", Out "out",
    Inout "inout", RowMajor "row_major", ColumnMajor "column_major", Snorm "snorm", Unorm "unorm", Precise "precise",
    GloballyCoherent "globallycoherent", True "true", False "false", Void "void", Bool "bool", Int "int", Uint "uint",
    Float "float", Half "half", Double "double", Dword "dword", Register "register", PackOffset "packoffset",
    Sizeof "sizeof", Operator "operator", This "this", Public "public", Private "private", Protected "protected",
}

impl TokenKind {
    const FIRST_KEYWORD: TokenKind = TokenKind::If;
    const FIRST_PUNCTUATOR: TokenKind = TokenKind::Plus;

    /// The text of a punctuator or keyword; a description for the other kinds.
    pub fn text(self) -> &'static str {
        TEXTS.get(self as usize).map_or("", |&(_, text)| text)
    }

    /// Whether it is a keyword of A2.10.
    #[inline]
    pub fn is_keyword(self) -> bool {
        self >= Self::FIRST_KEYWORD
    }

    /// Whether it is an identifier or a keyword: the preprocessor makes no difference between them.
    #[inline]
    pub fn is_word(self) -> bool {
        self == TokenKind::Ident || self >= Self::FIRST_KEYWORD
    }

    /// Whether it is an operator or a piece of punctuation.
    #[inline]
    pub fn is_punctuator(self) -> bool {
        self >= Self::FIRST_PUNCTUATOR && self < Self::FIRST_KEYWORD
    }

    /// All kinds, in order.
    pub fn all() -> impl Iterator<Item = TokenKind> {
        TEXTS.iter().map(|&(kind, _)| kind)
    }
}

impl fmt::Display for TokenKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

/// Facts about the place of a token.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct TokenFlags(u8);

impl TokenFlags {
    /// Nothing.
    pub const NONE: TokenFlags = TokenFlags(0);
    /// It is the first of its line.
    pub const LINE_START: TokenFlags = TokenFlags(1);
    /// A blank, a comment or a line end stands before it.
    pub const BLANK: TokenFlags = TokenFlags(2);

    /// Whether all of `other` hold.
    #[inline]
    pub const fn has(self, other: TokenFlags) -> bool {
        self.0 & other.0 == other.0
    }

    /// Both.
    #[inline]
    #[must_use]
    pub const fn with(self, other: TokenFlags) -> TokenFlags {
        TokenFlags(self.0 | other.0)
    }
}

/// A token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// How it stands to its neighbours.
    pub flags: TokenFlags,
    /// Where a caret should point: its place in a file. For a token of the body of a macro that is the place of the outermost
    /// use.
    pub span: Span,
    /// The macro whose body it comes from.
    pub expansion: ExpansionId,
    /// Its spelling, for words, numbers, characters and strings; [`Name::EMPTY`] for punctuators.
    pub name: Name,
    /// The entry of [`Literals`] for the literal kinds.
    pub value: u32,
}

impl Token {
    /// A token of no value, in no macro.
    pub const fn new(kind: TokenKind, span: Span, name: Name) -> Self {
        Self { kind, flags: TokenFlags::NONE, span, expansion: ExpansionId::NONE, name, value: 0 }
    }

    /// Its text as it would be written.
    pub fn text<'n>(&self, names: &'n Names) -> &'n str {
        if self.name == Name::EMPTY && self.kind != TokenKind::Ident { self.kind.text() } else { names.get(self.name) }
    }

    /// Whether it is the first of its line.
    #[inline]
    pub fn starts_line(&self) -> bool {
        self.flags.has(TokenFlags::LINE_START)
    }

    /// Whether a blank stands before it.
    #[inline]
    pub fn has_blank(&self) -> bool {
        self.flags.has(TokenFlags::BLANK)
    }
}

/// An integer literal (A2.5).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IntLiteral {
    /// Its value.
    pub value: u64,
    /// Suffix `u`.
    pub unsigned: bool,
    /// Suffix `l`, which does not widen.
    pub long: bool,
    /// Suffix `ll`: 64 bits.
    pub long_long: bool,
    /// Not written in decimal: `0x`, `0b`, or octal.
    pub bits: bool,
}

/// The suffix of a float literal (A2.6).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FloatSuffix {
    /// None: a literal float.
    None,
    /// `h`
    Half,
    /// `f`
    Float,
    /// `l`
    Double,
}

/// The value of a literal.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Literal {
    /// An integer.
    Int(IntLiteral),
    /// A floating-point number. With suffix `f` the value has been rounded to 32 bits.
    Float {
        /// Its value.
        value: f64,
        /// Its suffix.
        suffix: FloatSuffix,
    },
    /// A character, as a literal int.
    Char(i32),
    /// A string, escapes resolved.
    Str(Name),
}

/// The values of the literals of a translation unit; each spelling has one entry.
#[derive(Clone, Debug, Default)]
pub struct Literals {
    all: Vec<Literal>,
    of: HashMap<Name, u32>,
}

impl Literals {
    /// The value of a literal token; `None` for other tokens.
    pub fn get(&self, token: &Token) -> Option<Literal> {
        matches!(token.kind, TokenKind::IntLit | TokenKind::FloatLit | TokenKind::CharLit | TokenKind::StringLit)
            .then(|| self.all.get(token.value as usize).copied())
            .flatten()
    }

    /// The entry of the spelling, if it was met before.
    pub fn find(&self, spelling: Name) -> Option<(u32, Literal)> {
        let &entry = self.of.get(&spelling)?;
        Some((entry, *self.all.get(entry as usize)?))
    }

    /// Enters the value of a spelling.
    pub fn enter(&mut self, spelling: Name, value: Literal) -> u32 {
        let entry = self.all.len() as u32;
        self.all.push(value);
        self.of.insert(spelling, entry);
        entry
    }

    /// The number of different literals.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }
}

/// Which names are keywords: a table indexed by name.
#[derive(Clone, Debug)]
pub struct Keywords {
    kinds: Vec<TokenKind>,
}

impl Keywords {
    /// Enters all keywords into `names`.
    pub fn new(names: &mut Names) -> Self {
        let mut kinds = Vec::new();
        for &(kind, text) in TEXTS.iter().filter(|(kind, _)| kind.is_keyword()) {
            let index = names.intern(text).index();
            if kinds.len() <= index {
                kinds.resize(index + 1, TokenKind::Ident);
            }
            kinds[index] = kind;
        }
        Self { kinds }
    }

    /// The keyword that `name` is, or [`TokenKind::Ident`].
    #[inline]
    pub fn kind(&self, name: Name) -> TokenKind {
        self.kinds.get(name.index()).copied().unwrap_or(TokenKind::Ident)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a2_10_every_keyword_is_found_and_no_other_word() {
        let mut names = Names::new();
        names.intern("before");
        let keywords = Keywords::new(&mut names);
        let all = "if else for while do switch case default break continue return discard struct class interface cbuffer \
                   tbuffer namespace using typedef template typename enum const static extern groupshared shared uniform \
                   volatile inline export in out inout row_major column_major snorm unorm precise globallycoherent true \
                   false void bool int uint float half double dword register packoffset sizeof operator this public \
                   private protected";
        let mut count = 0;
        for word in all.split_whitespace() {
            let kind = keywords.kind(names.intern(word));
            assert!(kind.is_keyword() && kind.is_word() && !kind.is_punctuator(), "{word}");
            assert_eq!(kind.text(), word);
            count += 1;
        }
        assert_eq!(TokenKind::all().filter(|kind| kind.is_keyword()).count(), count);
        for word in ["before", "linear", "sample", "point", "line", "If", "float4", "vector", "goto", ""] {
            assert_eq!(keywords.kind(names.intern(word)), TokenKind::Ident, "{word}");
        }
    }

    #[test]
    fn a_token_is_small_and_texts_are_in_the_order_of_the_kinds() {
        assert_eq!(size_of::<Token>(), 28);
        for (at, kind) in TokenKind::all().enumerate() {
            assert_eq!(kind as usize, at);
        }
        assert!(
            TokenKind::Plus.is_punctuator() && TokenKind::HashHash.is_punctuator() && !TokenKind::Eof.is_punctuator()
        );
    }
}
