//! The text form, both ways: what [`print()`] writes, [`parse`] reads back to an equal module ([`equal`]).
//!
//! Line ends mean nothing, but for one rule: the first operand of an instruction stands on the line of its operation.
//! `//` begins a comment. Items may come in any order; whatever is named may be declared later.
//!
//! ```text
//! text     = "module" ["denormals" "(" ("any" | "keep" | "flush") ")"] item*
//! item     = struct | global | spec | entry | function
//! struct   = "struct" %name "{" member,* "}" ["size" "(" int ")"]
//! member   = name ":" type ["@" int ["stride" "(" int ")"] ["row_major"]]
//! global   = "global" @name ":" (space "<" type ">" | type) gattr* ["=" constant] span?
//!            the plain type is a handle; the constant starts a private variable
//! gattr    = "location" "(" int ")" | "builtin" "(" name ")" | "usage" "(" name "," int ")"
//!          | "linear" | "flat" | "centroid" | "sample" | "blend" "(" int ")" | "invariant"
//!          | "binding" "(" "class" ("b"|"t"|"s"|"u") "," "register" int ["," "space" int] ")" | "writable" | "counter"
//! spec     = "spec" "(" int ")" @name "=" constant            // the global holds it, the constant is its default
//! entry    = "entry" stage string @function
//!            ["workgroup_size" "(" int "," int "," int ")"] ["depth" "(" ("greater"|"less") ")"] ["early_tests"]
//! function = "fn" @name "(" param,* ")" ["->" type] "{" inst* "}"
//! param    = %name ":" type
//!
//! type     = "void" | "bool" | "i16" | … | "f64" | "vec" n "<" scalar ">" | "mat" r "x" c "<" scalar ">"
//!          | "array" "<" type ["," int] ["," "stride" "(" int ")"] ">" | %name | "ptr" "<" space "," type ">"
//!          | "texture_" dim ["_array"] ["_ms"] "<" scalar ">"       // also texture_depth_…, texel_buffer<…>
//!          | "storage_texture_" dim ["_array"] "<" scalar "," format "," access ">"   // also storage_texel_buffer<…>
//!          | "sampler" | "sampler_cmp"
//!
//! inst     = [param,+ "="] op ["precise"] ["relaxed"] rest span?
//! rest     = operand,*                                  // all operations without a form of their own
//!          | operand "[" int "]"                        // extract
//!          | operand "[" int "]" "," operand            // insert
//!          | operand "," "[" ("x"|"y"|"z"|"w"),+ "]"    // shuffle
//!          | operand step+                              // access
//!          | @function "(" operand,* ")"                // call
//!          | "(" ("execution"|"workgroup"|"storage"|"texture"),* ")"      // barrier
//!          | operand region "else" region               // if; "{ }" is "{ yield }"
//!          | ["(" (param ["=" operand]),* ")"] region "continuing" params? region    // loop
//!          | operand "{" (label params? region)* "}"    // switch
//! step     = "[" operand "]" | "[" "." member "]"
//! label    = "case" int,+ ["," "default"] | "default"
//! params   = "(" param,* ")"
//! region   = "{" inst* "}" | "{" "empty" "}"            // empty: no instruction at all, which no valid module has
//! operand  = %name | @global | constant
//! constant = "true" | "false" | number [":" scalar] | vector-type "(" number,+ ")" | "zero" type
//!          | (matrix-type | array-type | "struct" %name) "(" constant,* ")"
//! number   = int | decimal | "inf" | "-inf" | "nan" "(" hex ")"
//! span     = "!" "(" source "," start "," end ")"
//! name     = letters, digits, "_", "$", "." | string
//! ```
//!
//! - An operation's attribute is part of its spelling: `sample.bias.offset`, `gather.compare.y`, `fetch.level`,
//!   `ddx.coarse`, `atomic.add`, `image.atomic.max`, `counter.add.up` (`.down`), `quad.across_x`, `wave.sum`.
//! - A number takes the scalar kind that its place implies (the table is `context.rs`): that of the result for `fadd`,
//!   of the place for `store`, of operand 0 for comparisons, of what receives it for `yield`, `break`, `next`, `return`
//!   and arguments, `u32` for a step of `access`, and so on; where the place
//!   implies none or a kind of the other form, an integer is `i32` and a number with a point `f32`. `:f16` behind it
//!   overrides that. Floats are the shortest decimal that reads back to the same bits; a NaN is its bits.
//! - `vec4<f32>(1.0)` repeats the number in every lane.
//! - A value without a source name is numbered in order of print. A source name that is taken gets `.1`, `.2`, …
//!   A name is visible to the end of its region; a use of a name that is not visible, but that the function defines
//!   somewhere, is read as that value, for the verifier to refuse (V003).
//! - Without a `span`, an instruction's position is its place in the text.
//! - Entered by its selector (not by `fallthrough`), a case's parameters are zero.

mod context;
mod equal;
mod label;
mod lex;
mod number;
mod parse;
mod print;
mod write;

pub use equal::equal;
pub use parse::parse;
pub(crate) use print::{FunctionPrinter, ModuleLabels};
pub use print::{Options, print, print_function, print_function_with, print_with};
pub(crate) use write::type_text;
