//! The preprocessor (sheet A3): a file and what it includes to tokens.
//!
//! | module | holds |
//! |---|---|
//! | `directive` | the directives, conditional groups, included files |
//! | `macros` | definitions |
//! | `expand`, `hide` | expansion, and which macros a token may not be expanded as |
//! | `condition` | the value of `#if` |
//! | [`pragma`] | pragmas, as events for the phases behind |
//! | [`predefined`] | predefined macros |
//! | [`mod@print`] | preprocessed text, dependency rules |

mod condition;
mod directive;
mod expand;
mod hide;
mod macros;
pub mod pragma;
pub mod predefined;
pub mod print;

use crate::codes::{AQ1001, AQ1003, AQ1004, AQ1005, AQ4003};
use crate::include::{CanonicalName, IncludeHandler, IncludeKind};
use crate::lex::{Lexer, Sink, value};
use crate::options::{Define, FrontLimits, PreprocessOptions, Version};
use crate::origin::Expansions;
use crate::token::{Keywords, Literal, Literals, Token, TokenFlags, TokenKind};
use aquatint_base::{Code, Diagnostic, Diags, HashMap, Name, Names, Source, SourceId, Sources, Span};
use directive::{Condition, Guard};
use pragma::PragmaEvent;

/// A preprocessed translation unit.
#[derive(Clone, Debug, Default)]
pub struct Preprocessed {
    /// Its tokens; the last one is [`TokenKind::Eof`].
    pub tokens: Vec<Token>,
    /// The values of the literals among them.
    pub literals: Literals,
    /// Pragmas, in order.
    pub pragmas: Vec<PragmaEvent>,
    /// The macros that tokens come from.
    pub expansions: Expansions,
    /// The main file and all that were included, in the order in which they were first opened.
    pub dependencies: Vec<CanonicalName>,
}

/// A token while macros are expanded.
#[derive(Clone, Copy, Debug)]
struct Tok {
    token: Token,
    hide: hide::HideId,
}

/// A file that is being read.
struct File {
    source: SourceId,
    lexer: Lexer,
    name: CanonicalName,
    conditions: Vec<Condition>,
    guard: Guard,
    /// Whether it was included: the main file and the definitions of the command were not.
    included: bool,
}

/// Names that the preprocessor knows.
struct Words {
    defined: Name,
    va_args: Name,
    va_opt: Name,
    file: Name,
    line: Name,
    counter: Name,
    has_include: Name,
    pragma: Name,
}

struct Preprocessor<'a> {
    sources: &'a mut Sources,
    names: &'a mut Names,
    diags: &'a mut Diags,
    options: &'a PreprocessOptions,
    limits: &'a FrontLimits,
    includes: &'a mut dyn IncludeHandler,
    keywords: Keywords,
    words: Words,
    macros: macros::Macros,
    hide: hide::HideSets,
    /// The files that are being read, the innermost last.
    files: Vec<File>,
    /// Tokens that come before those of the file, the next one last.
    pending: Vec<Tok>,
    /// Tokens of arguments.
    work: Vec<Tok>,
    args: Vec<expand::Arg>,
    calls: Vec<expand::Call>,
    /// A list to build bodies in.
    result: Vec<Tok>,
    line: Vec<Tok>,
    /// Blanks of macros that expanded to nothing.
    carry: TokenFlags,
    in_directive: bool,
    in_condition: bool,
    /// 1 behind `defined`, 2 behind `defined (`.
    protect: u8,
    /// Whether a fault of a limit has ended all.
    stopped: bool,
    /// Whether definitions come from us.
    lenient: bool,
    spent: usize,
    spent_total: usize,
    interned: usize,
    out_mark: usize,
    expansions_mark: usize,
    counter: u32,
    out: Vec<Token>,
    /// Where the strings begin that stand at the end of `out`.
    strings: usize,
    literals: Literals,
    pragmas: Vec<PragmaEvent>,
    expansions: Expansions,
    loaded: directive::Loaded,
}

/// What a preprocessing run reads from and writes to.
pub struct Context<'a> {
    /// Inputs: included files are entered here.
    pub sources: &'a mut Sources,
    /// Spellings.
    pub names: &'a mut Names,
    /// Faults.
    pub diags: &'a mut Diags,
    /// Bounds.
    pub limits: &'a FrontLimits,
    /// Included files.
    pub includes: &'a mut dyn IncludeHandler,
}

/// Preprocesses the text input `main`. Faults go to `context.diags`; the tokens are good to parse all the same.
pub fn preprocess(main: SourceId, options: &PreprocessOptions, context: Context<'_>) -> Preprocessed {
    let Context { sources, names, diags, limits, includes } = context;
    let keywords = Keywords::new(names);
    let mut word = |text: &str| names.intern(text);
    let words = Words {
        defined: word("defined"),
        va_args: word("__VA_ARGS__"),
        va_opt: word("__VA_OPT__"),
        file: word("__FILE__"),
        line: word("__LINE__"),
        counter: word("__COUNTER__"),
        has_include: word("__has_include"),
        pragma: word("_Pragma"),
    };
    let mut pp = Preprocessor {
        sources,
        names,
        diags,
        options,
        limits,
        includes,
        keywords,
        words,
        macros: macros::Macros::default(),
        hide: hide::HideSets::default(),
        files: Vec::new(),
        pending: Vec::new(),
        work: Vec::new(),
        args: Vec::new(),
        calls: Vec::new(),
        result: Vec::new(),
        line: Vec::new(),
        carry: TokenFlags::NONE,
        in_directive: false,
        in_condition: false,
        protect: 0,
        stopped: false,
        lenient: false,
        spent: 0,
        spent_total: 0,
        interned: 0,
        out_mark: 0,
        expansions_mark: 0,
        counter: 0,
        out: Vec::new(),
        strings: 0,
        literals: Literals::default(),
        pragmas: Vec::new(),
        expansions: Expansions::default(),
        loaded: directive::Loaded::default(),
    };
    pp.start(main);
    pp.run();
    pp.finish(main)
}

impl Preprocessor<'_> {
    fn start(&mut self, main: SourceId) {
        for (name, builtin) in [
            (self.words.line, macros::Builtin::Line),
            (self.words.file, macros::Builtin::File),
            (self.words.counter, macros::Builtin::Counter),
        ] {
            self.enter_builtin(name, builtin);
        }
        let Some(source) = self.sources.get(main) else { return };
        let length = source.as_text().map_or(0, str::len);
        let name = source.name.clone();
        let name = self.includes.main(&name);
        if !self.admit(length, Span::new(main, 0, 0), &name.display) {
            return;
        }
        self.loaded.enter(&name, main);
        self.push_file(main, name, false);
        // What comes first is pushed last.
        let defines: Vec<String> = self.options.defines.iter().rev().map(define_line).collect();
        for text in defines {
            self.push_text("<command line>", text);
        }
        let text = predefined::text(self.options);
        self.push_text("<built-in>", text);
    }

    fn push_text(&mut self, name: &str, text: String) {
        let source = self.sources.add(Source::text(name, text));
        self.push_file(source, CanonicalName::plain(name), false);
    }

    fn push_file(&mut self, source: SourceId, name: CanonicalName, included: bool) {
        let lexer = Lexer::new(source, self.sources.get(source).and_then(Source::as_text).unwrap_or_default());
        self.files.push(File { source, lexer, name, conditions: Vec::new(), guard: Guard::Start, included });
    }

    fn run(&mut self) {
        while let Some(mut tok) = self.next_expanded() {
            if self.carry != TokenFlags::NONE {
                tok.token.flags = tok.token.flags.with(std::mem::take(&mut self.carry));
            }
            if tok.token.name == self.words.pragma && tok.token.kind == TokenKind::Ident {
                self.pragma_operator(tok);
                continue;
            }
            if self.out.len() >= self.limits.tokens {
                let text = format!("the text has more than {} tokens after expansion", self.limits.tokens);
                self.stop(&AQ4003, tok.token.span, text);
                break;
            }
            self.emit(tok.token);
        }
    }

    /// Gives a token its value, and hands it out.
    fn emit(&mut self, mut token: Token) {
        match token.kind {
            TokenKind::Number | TokenKind::CharLit => match self.literal(&token) {
                Some((value, kind)) => {
                    token.value = value;
                    token.kind = kind;
                }
                None => return,
            },
            TokenKind::StringLit => {
                // Strings side by side are joined once the last is known.
                self.out.push(token);
                return;
            }
            TokenKind::Other => return self.stray(&token),
            _ => {}
        }
        self.join_strings();
        self.out.push(token);
        self.strings = self.out.len();
    }

    fn join_strings(&mut self) {
        let (Some(&first), Some(&last)) = (self.out.get(self.strings), self.out.last()) else { return };
        let mut token = first;
        let mut text = String::new();
        for part in self.out.get(self.strings..).unwrap_or_default() {
            value::string(self.names.get(part.name), &mut text);
        }
        if self.out.len() - self.strings > 1 {
            let mut spelling = String::new();
            value::quote(&text, &mut spelling);
            token.name = self.names.intern(&spelling);
            if last.span.source == token.span.source && last.span.end > token.span.start {
                token.span.end = last.span.end;
            }
        }
        token.value = match self.literals.find(token.name) {
            Some((entry, _)) => entry,
            None => {
                let text = self.names.intern(&text);
                self.literals.enter(token.name, Literal::Str(text))
            }
        };
        if text.len() > self.limits.literal_length {
            let what = format!("strings side by side hold more than {} bytes", self.limits.literal_length);
            self.fail(&crate::codes::AQ4010, token.span, what);
        }
        self.out.truncate(self.strings);
        self.out.push(token);
        self.strings = self.out.len();
    }

    /// Entry and kind of a number or character; reports what is wrong with it.
    fn literal(&mut self, token: &Token) -> Option<(u32, TokenKind)> {
        let kind_of = |literal: Literal| match literal {
            Literal::Int(_) => TokenKind::IntLit,
            Literal::Float { .. } => TokenKind::FloatLit,
            Literal::Char(_) => TokenKind::CharLit,
            Literal::Str(_) => TokenKind::StringLit,
        };
        if let Some((entry, literal)) = self.literals.find(token.name) {
            return Some((entry, kind_of(literal)));
        }
        let text = self.names.get(token.name);
        let modern = self.options.version >= Version::V2021;
        let parsed =
            if token.kind == TokenKind::CharLit { value::character(text) } else { value::number(text, modern) };
        match parsed {
            Ok(literal) => Some((self.literals.enter(token.name, literal), kind_of(literal))),
            Err(fault) => {
                let (code, text) = match fault {
                    value::Fault::Malformed(why) => (&AQ1004, format!("malformed number '{}': {why}", shown(text))),
                    value::Fault::Range(why) => (&AQ1005, format!("number '{}' is out of range: {why}", shown(text))),
                    value::Fault::Empty => (&AQ1003, String::from("character without a character")),
                };
                self.fail_from(code, Tok { token: *token, hide: 0 }, text);
                // Zero goes on, so that the parser finds a value where one was meant.
                let zero =
                    crate::token::IntLiteral { value: 0, unsigned: false, long: false, long_long: false, bits: false };
                Some((self.literals.enter(token.name, Literal::Int(zero)), TokenKind::IntLit))
            }
        }
    }

    /// A token that is none (A2.1).
    fn stray(&mut self, token: &Token) {
        let text = self.names.get(token.name);
        let (code, text) = match text.chars().next() {
            Some(quote @ ('"' | '\'')) => {
                (&AQ1003, format!("{} is not closed on its line", if quote == '"' { "string" } else { "character" }))
            }
            Some('\0') => (&AQ1001, String::from("NUL in the text")),
            _ => (&AQ1001, format!("'{}' has no meaning outside of comments and strings", shown(text).escape_debug())),
        };
        self.fail_from(code, Tok { token: *token, hide: 0 }, text);
    }

    fn finish(mut self, main: SourceId) -> Preprocessed {
        self.join_strings();
        let length = self.sources.get(main).and_then(Source::as_text).map_or(0, str::len) as u32;
        let mut eof = Token::new(TokenKind::Eof, Span::new(main, length, length), Name::EMPTY);
        eof.flags = TokenFlags::LINE_START;
        self.out.push(eof);
        Preprocessed {
            tokens: self.out,
            literals: self.literals,
            pragmas: self.pragmas,
            expansions: self.expansions,
            dependencies: self.loaded.names,
        }
    }

    /// The next token of the file, whatever it is.
    fn raw_token(&mut self) -> Option<Token> {
        let file = self.files.last_mut()?;
        let text = self.sources.get(file.source)?.as_text()?;
        let mut sink = Sink { names: self.names, keywords: &self.keywords, diags: self.diags, limits: self.limits };
        Some(file.lexer.next(text, &mut sink))
    }

    fn fail(&mut self, code: &'static Code, span: Span, text: impl Into<String>) {
        self.diags.push(Diagnostic::error(code, text).at(span, ""));
    }

    /// A fault at a token, with the macros that it comes from.
    fn fail_from(&mut self, code: &'static Code, tok: Tok, text: impl Into<String>) {
        let fault = Diagnostic::error(code, text).at(tok.token.span, "");
        let fault = self.expansions.explain(tok.token.expansion, fault, self.names);
        self.diags.push(fault);
    }

    /// A fault that ends all.
    fn stop(&mut self, code: &'static Code, span: Span, text: impl Into<String>) {
        if !self.stopped {
            self.fail(code, span, text);
            self.stopped = true;
        }
    }
}

/// The start of a text, for messages.
fn shown(text: &str) -> &str {
    text.char_indices().nth(40).map_or(text, |(end, _)| text.get(..end).unwrap_or(text))
}

/// The line that a define of the command stands for (A3.18).
fn define_line(define: &Define) -> String {
    let one_line = |text: &str| text.replace(['\n', '\r'], " ");
    match define {
        Define::Undef(name) => format!("#undef {}\n", one_line(name)),
        Define::Define(text) => match text.split_once('=') {
            Some((head, body)) => format!("#define {} {}\n", one_line(head), one_line(body)),
            None => format!("#define {} 1\n", one_line(text)),
        },
    }
}

/// How included files are looked up again.
type Request = (String, IncludeKind, String);
type Requests = HashMap<Request, SourceId>;
