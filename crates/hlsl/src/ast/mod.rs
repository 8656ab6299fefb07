//! The tree that the parser makes: arenas of expressions, statements and types, addressed by ids. Names are interned, every
//! node has its place. Nothing is resolved: `a * b`, a template's argument or a swizzle is what was written.

use crate::token::{FloatSuffix, IntLiteral};
use aquatint_base::{Arena, Id, Name, Span};

/// The id of an expression.
pub type ExprId = Id<Expr>;
/// The id of a statement.
pub type StmtId = Id<Stmt>;
/// The id of a type as written.
pub type TypeId = Id<TypeExpr>;

/// A translation unit.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// Declarations in order.
    pub items: Vec<Item>,
    /// All expressions.
    pub exprs: Arena<Expr>,
    /// All statements.
    pub stmts: Arena<Stmt>,
    /// All types as written.
    pub types: Arena<TypeExpr>,
}

/// `a::b<c>`.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// Whether it starts with `::`.
    pub global: bool,
    /// Names in order.
    pub parts: Vec<(Name, Span)>,
    /// Template arguments of the last name; `None` where there are no brackets.
    pub args: Option<Vec<TemplateArg>>,
    /// All of it.
    pub span: Span,
}

/// An argument of a template.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum TemplateArg {
    /// A type.
    Type(TypeId),
    /// A value.
    Expr(ExprId),
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
}

/// A prefix operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unary {
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `!`
    Not,
    /// `~`
    Complement,
    /// `++`
    Increment,
    /// `--`
    Decrement,
}

pub use crate::lower::operators::Binary;

/// What an expression is.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// What did not read; a message was given.
    Error,
    /// An integer.
    Int(IntLiteral),
    /// A float.
    Float(f64, FloatSuffix),
    /// A character.
    Char(i32),
    /// `true`, `false`.
    Bool(bool),
    /// A string.
    String(Name),
    /// A name.
    Name(Path),
    /// `this`.
    This,
    /// `base.name`; a base class may qualify it.
    Member(ExprId, Path),
    /// `base[index]`.
    Index(ExprId, ExprId),
    /// `callee(args)`.
    Call(ExprId, Vec<ExprId>),
    /// `T(args)`.
    Construct(TypeId, Vec<ExprId>),
    /// `(T)e`.
    Cast(TypeId, ExprId),
    /// Prefix.
    Unary(Unary, ExprId),
    /// `e++` (true), `e--`.
    Postfix(bool, ExprId),
    /// Both operands.
    Binary(Binary, ExprId, ExprId),
    /// `a = b`, or `a op= b`.
    Assign(Option<Binary>, ExprId, ExprId),
    /// `c ? a : b`.
    Conditional(ExprId, ExprId, ExprId),
    /// `a, b`.
    Comma(ExprId, ExprId),
    /// `{ … }`.
    List(Vec<ExprId>),
    /// `sizeof(T)`.
    SizeofType(TypeId),
    /// `sizeof(e)`.
    SizeofExpr(ExprId),
}

/// A type as written.
#[derive(Clone, Debug)]
pub struct TypeExpr {
    /// What it is.
    pub kind: TypeKind,
    /// Where it stands.
    pub span: Span,
    /// What `#pragma pack_matrix` says at this place: whether matrices lie in rows.
    pub row_major: Option<bool>,
}

/// What a type is.
#[derive(Clone, Debug)]
pub enum TypeKind {
    /// What did not read.
    Error,
    /// A name: built-in types as well, `unsigned int` as `uint`.
    Named(Path),
    /// A struct that is declared here.
    Struct(Box<StructDecl>),
    /// An enum that is declared here.
    Enum(Box<EnumDecl>),
    /// `T[a][b]`, where no name stands in between: casts, `sizeof`, template arguments.
    Array(TypeId, Vec<Option<ExprId>>),
}

/// Modifiers of a declaration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Modifiers {
    /// Bits of [`Modifier`].
    pub bits: u32,
}

macro_rules! modifiers {
    ($($(#[$doc:meta])* $name:ident $bit:literal,)*) => {
        /// A modifier.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(u32)]
        pub enum Modifier { $($(#[$doc])* $name = 1 << $bit,)* }
    };
}

modifiers! {
    /// `static`
    Static 0,
    /// `const`
    Const 1,
    /// `extern`
    Extern 2,
    /// `groupshared`
    Groupshared 3,
    /// `uniform`
    Uniform 4,
    /// `in`
    In 5,
    /// `out`
    Out 6,
    /// `inout`
    Inout 7,
    /// `row_major`
    RowMajor 8,
    /// `column_major`
    ColumnMajor 9,
    /// `snorm`
    Snorm 10,
    /// `unorm`
    Unorm 11,
    /// `precise`
    Precise 12,
    /// `globallycoherent`
    Coherent 13,
    /// `nointerpolation`
    Flat 14,
    /// `noperspective`
    NoPerspective 15,
    /// `centroid`
    Centroid 16,
    /// `sample`
    Sample 17,
    /// `linear`
    Linear 18,
    /// `center`
    Center 19,
    /// `volatile`, `shared`, `inline`, `export`
    Other 20,
}

impl Modifiers {
    /// Whether a modifier is among them.
    pub const fn has(self, modifier: Modifier) -> bool {
        self.bits & modifier as u32 != 0
    }

    /// Adds one.
    pub fn add(&mut self, modifier: Modifier) {
        self.bits |= modifier as u32;
    }
}

/// `[name(args)]` or `[[scope::name(args)]]`.
#[derive(Clone, Debug)]
pub struct Attribute {
    /// `vk`.
    pub scope: Option<Name>,
    /// Name.
    pub name: Name,
    /// Arguments.
    pub args: Vec<ExprId>,
    /// Where it stands.
    pub span: Span,
}

/// `: register(x0, space1)`.
#[derive(Clone, Debug)]
pub struct Register {
    /// A profile in front, if there is one.
    pub profile: Option<Name>,
    /// `t3`.
    pub register: Name,
    /// `space1`.
    pub space: Option<Name>,
    /// Where it stands.
    pub span: Span,
}

/// A declarator.
#[derive(Clone, Debug)]
pub struct Declarator {
    /// Its name; empty for an unnamed parameter or bitfield.
    pub name: Name,
    /// Where the name stands.
    pub span: Span,
    /// Array sizes, outermost first; `None` for `[]`.
    pub dims: Vec<Option<ExprId>>,
    /// Bits of a bitfield.
    pub bits: Option<ExprId>,
    /// Semantic as written.
    pub semantic: Option<(Name, Span)>,
    /// Registers.
    pub registers: Vec<Register>,
    /// `packoffset(c0.y)`: register, component.
    pub packoffset: Option<(Name, Option<Name>, Span)>,
    /// Initialiser.
    pub init: Option<ExprId>,
}

/// Variables, fields, parameters.
#[derive(Clone, Debug)]
pub struct Variables {
    /// Attributes.
    pub attributes: Vec<Attribute>,
    /// Modifiers.
    pub modifiers: Modifiers,
    /// The type.
    pub ty: TypeId,
    /// What is declared; one for a parameter.
    pub declarators: Vec<Declarator>,
    /// Where it stands.
    pub span: Span,
}

/// A function, or a prototype.
#[derive(Clone, Debug)]
pub struct FunctionDecl {
    /// Attributes.
    pub attributes: Vec<Attribute>,
    /// Modifiers.
    pub modifiers: Modifiers,
    /// The type of the result.
    pub ty: TypeId,
    /// The struct or namespace in front: `S::f`.
    pub owner: Vec<(Name, Span)>,
    /// The name; `operator+` and the like for operators.
    pub name: Name,
    /// Where the name stands.
    pub span: Span,
    /// Parameters: one declarator each.
    pub params: Vec<Variables>,
    /// Semantic of the result.
    pub semantic: Option<(Name, Span)>,
    /// Its body: a block.
    pub body: Option<StmtId>,
}

/// A struct.
#[derive(Clone, Debug)]
pub struct StructDecl {
    /// Its name; empty for an anonymous one.
    pub name: Name,
    /// Where the name stands.
    pub span: Span,
    /// Bases.
    pub bases: Vec<Path>,
    /// Fields, methods, nested types; `None` for `struct S;`.
    pub members: Option<Vec<Item>>,
    /// Whether it is an `interface`.
    pub interface: bool,
}

/// An enum.
#[derive(Clone, Debug)]
pub struct EnumDecl {
    /// Its name.
    pub name: Name,
    /// Where the name stands.
    pub span: Span,
    /// Whether it is `enum class`.
    pub scoped: bool,
    /// The underlying type.
    pub ty: Option<TypeId>,
    /// Enumerators.
    pub values: Vec<(Name, Span, Option<ExprId>)>,
}

/// A parameter of a template.
#[derive(Clone, Debug)]
pub struct TemplateParam {
    /// Its name.
    pub name: Name,
    /// Where it stands.
    pub span: Span,
    /// The type of a value; `None` for a type.
    pub value: Option<TypeId>,
    /// Its default.
    pub default: Option<TemplateArg>,
}

/// A declaration.
#[derive(Clone, Debug)]
pub struct Item {
    /// What it is.
    pub kind: ItemKind,
    /// Where it stands.
    pub span: Span,
}

/// What a declaration is.
#[derive(Clone, Debug)]
pub enum ItemKind {
    /// What did not read, or nothing.
    Empty,
    /// Variables or fields.
    Variables(Variables),
    /// A function.
    Function(Box<FunctionDecl>),
    /// A struct or enum on its own.
    Type(TypeId),
    /// `typedef T a, b[2];`
    Typedef(Variables),
    /// `using N = T;`
    Alias(Name, Span, TypeId),
    /// `using namespace N;`
    UsingNamespace(Path),
    /// `using N::x;`
    UsingName(Path),
    /// A namespace.
    Namespace(Name, Span, Vec<Item>),
    /// `cbuffer` or `tbuffer`.
    Buffer(Box<BufferDecl>),
    /// A template.
    Template(Vec<TemplateParam>, Box<Item>),
}

/// `cbuffer` or `tbuffer`.
#[derive(Clone, Debug)]
pub struct BufferDecl {
    /// Attributes.
    pub attributes: Vec<Attribute>,
    /// Whether it is a `tbuffer`.
    pub texture: bool,
    /// Its name; empty for none.
    pub name: Name,
    /// Where the name stands.
    pub span: Span,
    /// Registers.
    pub registers: Vec<Register>,
    /// Members.
    pub members: Vec<Item>,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// Attributes.
    pub attributes: Vec<Attribute>,
    /// Where it stands.
    pub span: Span,
}

/// What a statement is.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `;`, or what did not read.
    Empty,
    /// `{ … }`.
    Block(Vec<StmtId>),
    /// A declaration.
    Item(Box<Item>),
    /// An expression.
    Expr(ExprId),
    /// `if (c) a else b`.
    If(ExprId, StmtId, Option<StmtId>),
    /// `for (init; condition; step) body`.
    For(Option<StmtId>, Option<ExprId>, Option<ExprId>, StmtId),
    /// `while (c) body`.
    While(ExprId, StmtId),
    /// `do body while (c);`
    DoWhile(StmtId, ExprId),
    /// `switch (e) { … }`: the statements of the body, labels among them.
    Switch(ExprId, Vec<StmtId>),
    /// `case e:`; `default:` for `None`.
    Case(Option<ExprId>),
    /// `break;`
    Break,
    /// `continue;`
    Continue,
    /// `return e;`
    Return(Option<ExprId>),
    /// `discard;`
    Discard,
}
