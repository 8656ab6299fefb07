//! The op table: one row an operation.
//!
//! A row gives the variant, its spelling in the text form, the [`Rule`] for operands and results, the [`Effect`], and its
//! total meaning in words. The meaning in code, lane by lane, is [`crate::eval`], which constant folding and the
//! interpreter both call.

use crate::types::Scalar;

/// What an operation does besides computing its results.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Effect {
    /// Nothing: equal operands give equal results, and an unused result can go.
    Pure,
    /// Reads memory; an unused result can go.
    Reads,
    /// Writes memory or has another visible effect.
    Writes,
    /// Nothing, but the result depends on the other invocations of the quad or wave, so it must not move across
    /// control flow; an unused result can go.
    Quad,
    /// Owns regions or ends one.
    Control,
}

/// Which scalar kinds an operation takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Class {
    /// f16, f32, f64.
    Float,
    /// Integers.
    Int,
    /// Signed integers.
    Signed,
    /// Integers and bool.
    IntOrBool,
    /// Bool.
    Bool,
    /// Numbers and bool.
    Any,
}

impl Class {
    /// Whether the kind belongs to the class.
    pub const fn admits(self, kind: Scalar) -> bool {
        match self {
            Class::Float => kind.is_float(),
            Class::Int => kind.is_integer(),
            Class::Signed => kind.is_signed(),
            Class::IntOrBool => !kind.is_float(),
            Class::Bool => matches!(kind, Scalar::Bool),
            Class::Any => true,
        }
    }

    /// For messages: `float`, `integer`, …
    pub const fn name(self) -> &'static str {
        match self {
            Class::Float => "float",
            Class::Int => "integer",
            Class::Signed => "signed integer",
            Class::IntOrBool => "integer or bool",
            Class::Bool => "bool",
            Class::Any => "number or bool",
        }
    }
}

/// The typing of operands and results.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Rule {
    /// `n` operands of one scalar or vector type of the class; the result has that type. `fadd`, `fsub`, `fmul`, `fneg`
    /// and the integer counterparts also take matrices, until a pass splits them.
    Same(u8, Class),
    /// Two operands of one scalar or vector type of the class; the result is bool in the same shape.
    Compare(Class),
    /// One operand of the class; the result is bool in the same shape.
    Test(Class),
    /// Two vectors of one type of the class; the result is their scalar.
    Reduce(Class),
    /// One vector of the class; the result is its scalar.
    Length(Class),
    /// One vector (or scalar) of bool; the result is bool.
    AnyAll,
    /// Operands and results as the row's text says; checked by a function of its own.
    Special,
}

macro_rules! ops {
    ($($variant:ident $name:literal $rule:expr, $effect:ident, $meaning:literal;)*) => {
        /// An operation. The documentation of each variant is its total meaning.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Op {
            $(#[doc = concat!("`", $name, "`: ", $meaning)] $variant,)*
        }

        impl Op {
            /// All operations in the order of the table.
            pub const ALL: &'static [Op] = &[$(Op::$variant),*];
        }

        static ROWS: &[Row] = &[$(Row { name: $name, rule: { use Rule::*; $rule }, effect: Effect::$effect, meaning: $meaning }),*];
    };
}

/// A row of the op table.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Spelling in the text form.
    pub name: &'static str,
    /// Typing.
    pub rule: Rule,
    /// Effect.
    pub effect: Effect,
    /// Total meaning, in words.
    pub meaning: &'static str,
}

use Class::{Float, Int, IntOrBool, Signed};

ops! {
    // Values.
    Construct "construct" Special, Pure, "operands in order fill the result: a vector from scalars and vectors whose lanes add up, an array, struct or matrix from its parts (a matrix from its rows, or all its scalars in row order)";
    Splat "splat" Special, Pure, "a vector whose lanes are all the scalar operand";
    Extract "extract" Special, Pure, "the part numbered by the index attribute of a vector, matrix (a row), array or struct";
    Insert "insert" Special, Pure, "operand 0 with the part numbered by the index attribute replaced by operand 1";
    ExtractDyn "extract.dyn" Special, Pure, "the part of operand 0 (vector, matrix or array) numbered by operand 1 (any 32-bit integer); zero when out of range";
    InsertDyn "insert.dyn" Special, Pure, "operand 0 with the part numbered by operand 2 replaced by operand 1; operand 0 unchanged when out of range";
    Shuffle "shuffle" Special, Pure, "lanes of one vector in the order of the lanes attribute; one lane gives a scalar";
    Select "select" Special, Pure, "operand 1 where operand 0 is true, else operand 2; operand 0 is bool, or a bool vector as wide as the operands";
    Convert "convert" Special, Pure, "another scalar kind, same shape: float to integer toward zero, saturating, NaN gives 0; float to float and integer to float to nearest even; integer to integer keeps the low bits, extending by the sign of the source; to bool is unequal to zero; from bool is 0 or 1";
    Bitcast "bitcast" Special, Pure, "the same bits as another type of the same size";
    PackHalf2x16 "pack.half2x16" Special, Pure, "`vec2<f32>` to u32: two binary16, x in the low half; to nearest even";
    UnpackHalf2x16 "unpack.half2x16" Special, Pure, "u32 to `vec2<f32>`";
    PackSnorm4x8 "pack.snorm4x8" Special, Pure, "`vec4<f32>` to u32: round(clamp(v, -1, 1) * 127) a byte; NaN gives 0";
    UnpackSnorm4x8 "unpack.snorm4x8" Special, Pure, "u32 to `vec4<f32>`: max(byte / 127, -1)";
    PackUnorm4x8 "pack.unorm4x8" Special, Pure, "`vec4<f32>` to u32: round(clamp(v, 0, 1) * 255) a byte; NaN gives 0";
    UnpackUnorm4x8 "unpack.unorm4x8" Special, Pure, "u32 to `vec4<f32>`: byte / 255";
    PackSnorm2x16 "pack.snorm2x16" Special, Pure, "`vec2<f32>` to u32: round(clamp(v, -1, 1) * 32767)";
    UnpackSnorm2x16 "unpack.snorm2x16" Special, Pure, "u32 to `vec2<f32>`: max(half / 32767, -1)";
    PackUnorm2x16 "pack.unorm2x16" Special, Pure, "`vec2<f32>` to u32: round(clamp(v, 0, 1) * 65535)";
    UnpackUnorm2x16 "unpack.unorm2x16" Special, Pure, "u32 to `vec2<f32>`: half / 65535";
    Transpose "transpose" Special, Pure, "rows become columns";
    Determinant "determinant" Special, Pure, "determinant of a square float matrix";
    MulMv "mul.mv" Special, Pure, "matrix R x C times column vector of C: lane r is dot(row r, v), summed in order";
    MulVm "mul.vm" Special, Pure, "row vector of R times matrix R x C: lane c is the sum over r of v.r * m.r.c, in order";
    MulMm "mul.mm" Special, Pure, "matrix product A x B times B x C";

    // Float arithmetic: IEEE 754, to nearest even, each operation rounded once.
    FAdd "fadd" Same(2, Float), Pure, "a + b";
    FSub "fsub" Same(2, Float), Pure, "a - b";
    FMul "fmul" Same(2, Float), Pure, "a * b";
    FDiv "fdiv" Same(2, Float), Pure, "a / b";
    FRem "frem" Same(2, Float), Pure, "remainder of truncated division: exact, sign of a";
    FNeg "fneg" Same(1, Float), Pure, "the sign bit flipped, also of zero and NaN";
    FAbs "fabs" Same(1, Float), Pure, "the sign bit cleared";
    Fma "fma" Same(3, Float), Pure, "a * b + c rounded once";
    FMin "fmin" Same(2, Float), Pure, "the smaller; a NaN operand gives the other, two give NaN; -0 is below +0";
    FMax "fmax" Same(2, Float), Pure, "the larger; a NaN operand gives the other, two give NaN; -0 is below +0";
    FClamp "fclamp" Same(3, Float), Pure, "fmin(fmax(x, low), high); a NaN x gives low";
    FSaturate "fsaturate" Same(1, Float), Pure, "clamped to 0..1; NaN gives 0";
    Floor "floor" Same(1, Float), Pure, "toward minus infinity";
    Ceil "ceil" Same(1, Float), Pure, "toward plus infinity";
    Round "round" Same(1, Float), Pure, "to nearest, ties to even";
    Trunc "trunc" Same(1, Float), Pure, "toward zero";
    Fract "fract" Same(1, Float), Pure, "x - floor(x)";
    Sqrt "sqrt" Same(1, Float), Pure, "square root; NaN below zero; -0 gives -0";
    RSqrt "rsqrt" Same(1, Float), Pure, "1 / sqrt(x); +Inf at +0, -Inf at -0, NaN below zero";
    Rcp "rcp" Same(1, Float), Pure, "1 / x; infinite with the sign of a zero";
    Exp2 "exp2" Same(1, Float), Pure, "2 to the x";
    Log2 "log2" Same(1, Float), Pure, "base-2 logarithm; -Inf at zero, NaN below";
    Exp "exp" Same(1, Float), Pure, "e to the x";
    Log "log" Same(1, Float), Pure, "natural logarithm; -Inf at zero, NaN below";
    Pow "pow" Same(2, Float), Pure, "a to the b; NaN for a < 0; 1 for pow(x, 0), also 0 to the 0 and NaN to the 0";
    Sin "sin" Same(1, Float), Pure, "sine of radians; NaN at infinity";
    Cos "cos" Same(1, Float), Pure, "cosine of radians; NaN at infinity";
    Tan "tan" Same(1, Float), Pure, "tangent";
    Asin "asin" Same(1, Float), Pure, "arc sine; NaN outside -1..1";
    Acos "acos" Same(1, Float), Pure, "arc cosine; NaN outside -1..1";
    Atan "atan" Same(1, Float), Pure, "arc tangent";
    Atan2 "atan2" Same(2, Float), Pure, "angle of the point (b, a), quadrants and zeros as IEEE 754 says";
    Sinh "sinh" Same(1, Float), Pure, "hyperbolic sine";
    Cosh "cosh" Same(1, Float), Pure, "hyperbolic cosine";
    Tanh "tanh" Same(1, Float), Pure, "hyperbolic tangent";
    FSign "fsign" Same(1, Float), Pure, "-1, 0 or 1; 0 for zeros and NaN";
    Step "step" Same(2, Float), Pure, "b < a ? 0 : 1 (a is the edge); NaN gives 1";
    Smoothstep "smoothstep" Same(3, Float), Pure, "t = saturate((x - a) / (b - a)); t * t * (3 - 2 * t), operands a, b, x";
    Mix "mix" Same(3, Float), Pure, "a + t * (b - a), three roundings, operands a, b, t";
    Ldexp "ldexp" Special, Pure, "float times 2 to an i32 of the same shape";
    Frexp "frexp" Special, Pure, "two results: fraction in 0.5..1 with the sign, and i32 exponent; zero, infinity and NaN give themselves and 0";
    Modf "modf" Special, Pure, "two results: fraction and whole part, both with the sign of x";
    Dot "dot" Reduce(Float), Pure, "sum of products from lane 0 up, each operation rounded";
    Cross "cross" Special, Pure, "cross product of two float vectors of three lanes";
    Length "length" Length(Float), Pure, "sqrt(dot(v, v))";
    Distance "distance" Reduce(Float), Pure, "length(a - b)";
    Normalize "normalize" Same(1, Float), Pure, "v * rsqrt(dot(v, v)); NaN for the zero vector";
    Reflect "reflect" Same(2, Float), Pure, "i - 2 * dot(n, i) * n, operands i, n";
    Refract "refract" Special, Pure, "operands i, n (vectors), eta (scalar): k = 1 - eta^2 (1 - dot(n, i)^2); zero for k < 0, else eta * i - (eta * dot(n, i) + sqrt(k)) * n";
    FaceForward "faceforward" Same(3, Float), Pure, "dot(i, ng) < 0 ? n : -n, operands n, i, ng";

    // Float arithmetic of Direct3D 9 (bytecode sheet 2.1 and 2.4).
    FMulLegacy "fmul.legacy" Same(2, Float), Pure, "0 where an operand is zero (whatever the other is), else a * b";
    FmaLegacy "fma.legacy" Same(3, Float), Pure, "fmul.legacy(a, b) + c, two roundings";
    DotLegacy "dot.legacy" Reduce(Float), Pure, "sum of fmul.legacy products from lane 0 up, each operation rounded";
    LrpLegacy "lrp.legacy" Same(3, Float), Pure, "c + fmul.legacy(a, b - c), operands a (weight), b, c";
    CrossLegacy "cross.legacy" Special, Pure, "cross product of three-lane vectors with fmul.legacy products";
    RcpD3d9 "rcp.d3d9" Same(1, Float), Pure, "1 / x; the largest finite number at either zero; signed zero at infinity";
    RSqrtD3d9 "rsqrt.d3d9" Same(1, Float), Pure, "1 / sqrt(|x|); the largest finite number at zero";
    Exp2D3d9 "exp2.d3d9" Same(1, Float), Pure, "2 to the x; an overflow gives the largest finite number";
    Log2D3d9 "log2.d3d9" Same(1, Float), Pure, "log2(|x|); minus the largest finite number at zero";
    PowD3d9 "pow.d3d9" Same(2, Float), Pure, "|a| to the b: 1 at b = 0, 0 for 0 to a positive b, the largest finite number for 0 to a negative b and on overflow";
    NrmD3d9 "nrm.d3d9" Same(1, Float), Pure, "v * r lane by lane, f = dot.legacy over lanes x, y, z only, r = rsqrt.d3d9(f), products legacy; the zero vector for f = 0";
    LitD3d9 "lit.d3d9" Special, Pure, "vec4 to vec4: (1, max(x, 0), z, 1), z = x > 0 and y > 0 ? y to the clamp(w, -127.9961, 127.9961) : 0";
    DstD3d9 "dst.d3d9" Special, Pure, "vec4, vec4 to vec4: (1, fmul.legacy(a.y, b.y), a.z, b.w)";
    FractD3d9 "fract.d3d9" Same(1, Float), Pure, "x - floor(x), below 1: at most 1 - 2^-24; NaN at infinity";
    MinD3d9 "min.d3d9" Same(2, Float), Pure, "a < b ? a : b; a NaN gives b";
    MaxD3d9 "max.d3d9" Same(2, Float), Pure, "a >= b ? a : b; a NaN gives b";
    SgnD3d9 "sgn.d3d9" Same(1, Float), Pure, "x < 0 ? -1 : x == 0 ? 0 : 1; NaN gives 1";

    // Integer arithmetic; signedness from the type.
    IAdd "iadd" Same(2, Int), Pure, "a + b, wrapping";
    ISub "isub" Same(2, Int), Pure, "a - b, wrapping";
    IMul "imul" Same(2, Int), Pure, "a * b, wrapping";
    IMulHi "imulhi" Same(2, Int), Pure, "the high half of the product";
    IDiv "idiv" Same(2, Int), Pure, "quotient toward zero; all ones for division by zero; MIN / -1 is MIN";
    IRem "irem" Same(2, Int), Pure, "remainder with the sign of a; all ones for division by zero; MIN rem -1 is 0";
    INeg "ineg" Same(1, Int), Pure, "0 - a, wrapping";
    IAbs "iabs" Same(1, Signed), Pure, "absolute value; MIN stays MIN";
    ISign "isign" Same(1, Signed), Pure, "-1, 0 or 1";
    IMin "imin" Same(2, Int), Pure, "the smaller";
    IMax "imax" Same(2, Int), Pure, "the larger";
    IClamp "iclamp" Same(3, Int), Pure, "imin(imax(x, low), high)";
    IAddCarry "iadd.carry" Special, Pure, "two unsigned operands; results: wrapped sum, carry 0 or 1";
    ISubBorrow "isub.borrow" Special, Pure, "two unsigned operands; results: wrapped difference, borrow 0 or 1";
    And "and" Same(2, IntOrBool), Pure, "bitwise or logical";
    Or "or" Same(2, IntOrBool), Pure, "bitwise or logical";
    Xor "xor" Same(2, IntOrBool), Pure, "bitwise or logical";
    Not "not" Same(1, IntOrBool), Pure, "bitwise or logical";
    Shl "shl" Same(2, Int), Pure, "a << (b mod width)";
    Shr "shr" Same(2, Int), Pure, "a >> (b mod width), arithmetic for signed types";
    PopCount "popcount" Same(1, Int), Pure, "number of one bits";
    FirstLow "first_low" Same(1, Int), Pure, "number of the lowest one bit; all ones if there is none";
    FirstHigh "first_high" Same(1, Int), Pure, "number of the highest one bit (for negative signed values the highest zero bit), counted from bit 0; all ones if there is none";
    Reverse "reverse" Same(1, Int), Pure, "bits in reverse order";
    BitsExtract "bits.extract" Special, Pure, "base, offset u32, count u32: count bits from offset, sign-extended for signed types; offset and count clamped to the width; 0 for count 0";
    BitsInsert "bits.insert" Special, Pure, "base, insert, offset u32, count u32: base with count bits at offset replaced; offset and count clamped to the width";
    Msad4 "msad4" Special, Pure, "u32 reference, `vec2<u32>` source, `vec4<u32>` sum: masked sums of absolute byte differences; lane i takes source bytes i to i + 3; zero reference bytes do not count";

    // Comparisons: IEEE for floats, so NaN is unordered and only `fne` is true for it.
    FEq "feq" Compare(Float), Pure, "a == b";
    FNe "fne" Compare(Float), Pure, "a != b; true for NaN";
    FLt "flt" Compare(Float), Pure, "a < b";
    FLe "fle" Compare(Float), Pure, "a <= b";
    FGt "fgt" Compare(Float), Pure, "a > b";
    FGe "fge" Compare(Float), Pure, "a >= b";
    IEq "ieq" Compare(IntOrBool), Pure, "a == b";
    INe "ine" Compare(IntOrBool), Pure, "a != b";
    ILt "ilt" Compare(Int), Pure, "a < b";
    ILe "ile" Compare(Int), Pure, "a <= b";
    IGt "igt" Compare(Int), Pure, "a > b";
    IGe "ige" Compare(Int), Pure, "a >= b";
    Any "any" AnyAll, Pure, "whether any lane is true";
    All "all" AnyAll, Pure, "whether all lanes are true";
    IsNan "isnan" Test(Float), Pure, "whether it is NaN";
    IsInf "isinf" Test(Float), Pure, "whether it is infinite";
    IsFinite "isfinite" Test(Float), Pure, "whether it is neither NaN nor infinite";

    // Memory.
    Var "var" Special, Pure, "a new zeroed local; result: its pointer in space function; optional operand: the constant it starts with";
    Access "access" Special, Pure, "pointer to a part: operand 0 a pointer (or an array of handles, which gives the handle), then one integer a step; struct steps are constants";
    Load "load" Special, Reads, "the value there; zero where a dynamic step of the path is out of range";
    Store "store" Special, Writes, "operand 1 to operand 0; dropped where a dynamic step of the path is out of range";
    LoadBytes "load.bytes" Special, Reads, "operands: pointer to a runtime array of u32 with stride 4 in storage, byte offset u32; the result's type is read at that offset (4-aligned); zero out of range";
    StoreBytes "store.bytes" Special, Writes, "operands: pointer to a runtime array of u32 with stride 4 in storage, byte offset u32, value; dropped out of range";
    ArrayLength "array.length" Special, Reads, "u32 number of elements of the runtime array that operand 0 points to";
    Atomic "atomic" Special, Writes, "operands: pointer, value (and comparand before it for compare_exchange); result: the value before; zero out of range";
    CounterAdd "counter.add" Special, Writes, "operand: storage buffer with a hidden counter; attribute +1 or -1: result is the slot (value before +1, after -1)";

    // Textures. Operands of sample: texture, sampler, coordinates (the layer last), then as the attribute's flags say:
    // compare reference, bias or level or both gradients, offset, clamp.
    Sample "sample" Special, Quad, "filtered read; implicit level from the quad in fragment stages, level 0 elsewhere";
    Gather "gather" Special, Quad, "one component of the four texels of a bilinear footprint, in the order (0,1) (1,1) (1,0) (0,0); with compare the four comparison results";
    Fetch "fetch" Special, Reads, "texture, integer coordinates, then level or sample number, then offset: the texel; zero out of range";
    ImageLoad "image.load" Special, Reads, "storage texture, integer coordinates: the texel; zero out of range";
    ImageStore "image.store" Special, Writes, "storage texture, integer coordinates, texel; dropped out of range";
    ImageAtomic "image.atomic" Special, Writes, "storage texture, integer coordinates, value (comparand before it): the texel before";
    QuerySize "query.size" Special, Reads, "texture and, unless multisampled or storage, a level: u32 size in each dimension, the layer count last";
    QueryLevels "query.levels" Special, Reads, "number of mip levels, u32";
    QuerySamples "query.samples" Special, Reads, "number of samples, u32";
    QueryLod "query.lod" Special, Quad, "texture, sampler, coordinates: `vec2<f32>` of the clamped level and the level before clamping";

    // Quads and waves.
    Ddx "ddx" Same(1, Float), Quad, "difference to the horizontal neighbour in the quad: right minus left";
    Ddy "ddy" Same(1, Float), Quad, "difference to the vertical neighbour in the quad: lower minus upper (y grows downward)";
    QuadOp "quad" Special, Quad, "the operand of another lane of the quad, as the attribute says";
    WaveOp "wave" Special, Quad, "the operation of the attribute over the active lanes of the wave";

    // Control.
    If "if" Special, Control, "operand bool; regions then, else; results from their yields";
    Loop "loop" Special, Control, "operands: first values of the body's parameters; regions body, continuing; results from break; `continue` leads to continuing, whose `next` begins the next pass";
    Switch "switch" Special, Control, "operand integer; one region a case, in order; results from yield";
    Yield "yield" Special, Control, "ends a region of `if` or `switch` with the owner's results";
    Break "break" Special, Control, "leaves the innermost loop with its results";
    Continue "continue" Special, Control, "goes to the continuing region of the innermost loop with its parameters";
    Next "next" Special, Control, "ends a continuing region with the next values of the body's parameters";
    Fallthrough "fallthrough" Special, Control, "goes to the region of the next case with its parameters";
    Return "return" Special, Control, "leaves the function, with its result if it has one";
    Discard "discard" Special, Writes, "the invocation becomes a helper: its stores, atomics and outputs are dropped from here on";
    Terminate "terminate" Special, Control, "ends the invocation without outputs";
    Unreachable "unreachable" Special, Control, "is not reached; an executor that reaches it reports a bug";
    Call "call" Special, Writes, "calls the function of the attribute";
    Barrier "barrier" Special, Writes, "execution and memory barrier as the attribute says";
}

impl Op {
    /// The row of the table.
    #[inline]
    pub fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }

    /// The spelling in the text form. Operations whose attribute selects an operation (`atomic`, `wave`, …) are spelled
    /// with it behind a point.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The effect class.
    #[inline]
    pub fn effect(self) -> Effect {
        self.row().effect
    }

    /// Whether the operation ends a region.
    pub const fn is_terminator(self) -> bool {
        matches!(
            self,
            Op::Yield
                | Op::Break
                | Op::Continue
                | Op::Next
                | Op::Fallthrough
                | Op::Return
                | Op::Terminate
                | Op::Unreachable
        )
    }

    /// Whether the operation owns regions.
    pub const fn is_structured(self) -> bool {
        matches!(self, Op::If | Op::Loop | Op::Switch)
    }

    /// Whether operand 0 and 1 may be exchanged.
    pub const fn is_commutative(self) -> bool {
        matches!(
            self,
            Op::FAdd
                | Op::FMul
                | Op::FMin
                | Op::FMax
                | Op::Fma
                | Op::Dot
                | Op::FMulLegacy
                | Op::FmaLegacy
                | Op::DotLegacy
                | Op::IAdd
                | Op::IMul
                | Op::IMulHi
                | Op::IMin
                | Op::IMax
                | Op::IAddCarry
                | Op::And
                | Op::Or
                | Op::Xor
                | Op::FEq
                | Op::FNe
                | Op::IEq
                | Op::INe
        )
    }

    /// The operation of that spelling (without the part that an attribute adds).
    pub fn from_name(name: &str) -> Option<Op> {
        Op::ALL.iter().copied().find(|op| op.name() == name)
    }
}

/// Which lanes a `shuffle` takes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Lanes {
    count: u8,
    lanes: [u8; 4],
}

impl Lanes {
    /// One to four lanes, each 0 to 3.
    ///
    /// # Panics
    /// For other counts or numbers.
    pub fn new(lanes: &[u8]) -> Self {
        assert!((1..=4).contains(&lanes.len()) && lanes.iter().all(|&l| l < 4), "a shuffle takes 1 to 4 lanes of 4");
        let mut all = [0; 4];
        all[..lanes.len()].copy_from_slice(lanes);
        Self { count: lanes.len() as u8, lanes: all }
    }

    /// The lanes in order.
    pub fn as_slice(&self) -> &[u8] {
        &self.lanes[..self.count as usize]
    }

    /// Their number.
    pub const fn count(self) -> u8 {
        self.count
    }

    /// Whether the lanes are 0, 1, … in order.
    pub fn is_identity(self) -> bool {
        self.as_slice().iter().enumerate().all(|(i, &l)| i as u8 == l)
    }
}

/// The flags of `sample` and `gather`: which operands follow the coordinates.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct SampleAttr(pub u8);

impl SampleAttr {
    /// A comparison reference follows.
    pub const COMPARE: u8 = 1;
    /// A level bias follows.
    pub const BIAS: u8 = 2;
    /// A level follows.
    pub const LEVEL: u8 = 4;
    /// Two gradients follow.
    pub const GRADIENT: u8 = 8;
    /// A constant integer offset follows.
    pub const OFFSET: u8 = 16;
    /// A minimum level follows.
    pub const CLAMP: u8 = 32;
    /// `gather`: four offsets follow instead of one.
    pub const OFFSETS: u8 = 64;

    /// Each flag with its spelling, in the order in which the operands follow.
    pub const NAMES: [(u8, &'static str); 7] = [
        (Self::COMPARE, "compare"),
        (Self::BIAS, "bias"),
        (Self::LEVEL, "level"),
        (Self::GRADIENT, "gradient"),
        (Self::OFFSET, "offset"),
        (Self::OFFSETS, "offsets"),
        (Self::CLAMP, "clamp"),
    ];

    /// Whether the flag is set.
    pub const fn has(self, flag: u8) -> bool {
        self.0 & flag != 0
    }

    /// The number of operands that the flags add.
    pub const fn operands(self) -> usize {
        let plain = (self.0 & (Self::COMPARE | Self::BIAS | Self::LEVEL | Self::OFFSET | Self::CLAMP)).count_ones();
        plain as usize + if self.has(Self::GRADIENT) { 2 } else { 0 } + if self.has(Self::OFFSETS) { 4 } else { 0 }
    }
}

macro_rules! named_enum {
    ($(#[$meta:meta])* $name:ident { $($(#[$vmeta:meta])* $variant:ident = $text:literal,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum $name { $($(#[$vmeta])* $variant,)* }

        impl $name {
            /// All variants.
            pub const ALL: &'static [$name] = &[$($name::$variant),*];
            /// The spelling in the text form.
            pub const fn name(self) -> &'static str {
                match self { $($name::$variant => $text),* }
            }
            /// The variant of that spelling.
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|v| v.name() == name)
            }
        }
    };
}
pub(crate) use named_enum;

named_enum! {
    /// The operation of `atomic` and `image.atomic`.
    AtomicOp {
        /// Wrapping sum.
        Add = "add",
        /// Wrapping difference.
        Sub = "sub",
        /// Bitwise and.
        And = "and",
        /// Bitwise or.
        Or = "or",
        /// Bitwise exclusive or.
        Xor = "xor",
        /// The smaller, by the signedness of the type.
        Min = "min",
        /// The larger, by the signedness of the type.
        Max = "max",
        /// The new value.
        Exchange = "exchange",
        /// The new value if the old one equals the comparand.
        CompareExchange = "compare_exchange",
    }
}

named_enum! {
    /// Which derivative `ddx` and `ddy` give.
    Derivative {
        /// The target's choice between coarse and fine.
        Default = "default",
        /// One value a quad.
        Coarse = "coarse",
        /// One value a row or column of the quad.
        Fine = "fine",
    }
}

named_enum! {
    /// Which lane `quad` reads.
    QuadLane {
        /// The horizontal neighbour.
        AcrossX = "across_x",
        /// The vertical neighbour.
        AcrossY = "across_y",
        /// The opposite corner.
        Diagonal = "diagonal",
        /// The lane numbered by operand 1 (0 upper left, 1 upper right, 2 lower left, 3 lower right).
        At = "at",
        /// Any: whether the bool operand is true in any lane.
        Any = "any",
        /// All: whether the bool operand is true in all lanes.
        All = "all",
    }
}

named_enum! {
    /// The operation of `wave`.
    Wave {
        /// bool: whether this is the first active lane.
        IsFirst = "is_first",
        /// u32: number of this lane.
        LaneIndex = "lane_index",
        /// u32: lanes in a wave.
        LaneCount = "lane_count",
        /// bool of bool.
        AnyTrue = "any_true",
        /// bool of bool.
        AllTrue = "all_true",
        /// bool in the operand's shape: whether all active lanes hold the same.
        AllEqual = "all_equal",
        /// `vec4<u32>` of bool.
        Ballot = "ballot",
        /// u32 of bool: active lanes where it is true.
        CountBits = "count_bits",
        /// u32 of bool: lanes before this one where it is true.
        PrefixCountBits = "prefix_count_bits",
        /// The value of the first active lane.
        ReadFirst = "read_first",
        /// The value of the lane numbered by operand 1.
        ReadAt = "read_at",
        /// Sum.
        Sum = "sum",
        /// Product.
        Product = "product",
        /// Bitwise and.
        And = "and",
        /// Bitwise or.
        Or = "or",
        /// Bitwise exclusive or.
        Xor = "xor",
        /// Smallest.
        Min = "min",
        /// Largest.
        Max = "max",
        /// Sum over the lanes before this one.
        PrefixSum = "prefix_sum",
        /// Product over the lanes before this one.
        PrefixProduct = "prefix_product",
        /// `vec4<u32>`: the active lanes whose operand equals this lane's.
        Match = "match",
        /// u32 of bool and a lane mask (operand 1): count within the partition before this lane.
        MultiPrefixCountBits = "multi_prefix_count_bits",
        /// Sum over earlier lanes of the mask (operand 1).
        MultiPrefixSum = "multi_prefix_sum",
        /// Product over earlier lanes of the mask.
        MultiPrefixProduct = "multi_prefix_product",
        /// Bitwise and over earlier lanes of the mask.
        MultiPrefixAnd = "multi_prefix_and",
        /// Bitwise or over earlier lanes of the mask.
        MultiPrefixOr = "multi_prefix_or",
        /// Bitwise exclusive or over earlier lanes of the mask.
        MultiPrefixXor = "multi_prefix_xor",
    }
}

/// The attribute of `barrier`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Barrier {
    /// Whether all invocations of the workgroup wait for each other.
    pub execution: bool,
    /// Whether workgroup memory is made visible.
    pub workgroup: bool,
    /// Whether storage buffers are made visible.
    pub storage: bool,
    /// Whether storage textures are made visible.
    pub texture: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_every_row_says_what_it_means() {
        for (i, a) in Op::ALL.iter().enumerate() {
            assert_eq!(*a as usize, i);
            assert_eq!(Op::from_name(a.name()), Some(*a));
            assert!(a.row().meaning.len() >= 5, "{a:?}");
        }
    }

    #[test]
    fn sample_flags_count_their_operands() {
        assert_eq!(SampleAttr(SampleAttr::GRADIENT | SampleAttr::OFFSET).operands(), 3);
        assert_eq!(SampleAttr(SampleAttr::COMPARE | SampleAttr::LEVEL).operands(), 2);
        assert_eq!(SampleAttr(SampleAttr::OFFSETS).operands(), 4);
    }
}
