//! Diagnostic codes: of the text reader (`IR…`) and of the verifier's rules (`V…`).

aquatint_base::codes! {
    SYNTAX "IR0001" Invalid "the text does not follow the grammar"
        "The reader met something else than the grammar wants at this place. The grammar stands at the head of the \
         documentation of `aquatint_ir::text`. After the message the reader goes on with the next line, so that later \
         messages may follow from this one.";
    TOKEN "IR0002" Invalid "a piece of text is no token"
        "A character that begins nothing in the IR's text, a string that its line does not end, or an escape other than \
         `\\\"`, `\\\\` and `\\u{…}`.";
    UNKNOWN_NAME "IR0003" Invalid "a name is not declared"
        "A value, global, function, struct or member is used that the text declares nowhere. Values start with `%`, \
         globals and functions with `@`, structs with `%`; names with other characters than letters, digits, `_`, `$` \
         and `.` stand in quotes behind the sign.";
    REDEFINED "IR0004" Invalid "a value is defined twice"
        "A name is given to a second value while the first is visible. Values keep their names to the end of the region \
         that defines them; disjoint regions may use one name for different values.";
    UNKNOWN_OP "IR0005" Invalid "there is no such operation or attribute"
        "The word behind `=`, or at the start of an instruction, is no operation of the op table, or the part behind its \
         point is no attribute of it. `sample`, `gather` and `fetch` take their flags that way, `atomic`, `wave`, \
         `quad` and `counter.add` the operation that they do.";
    LITERAL "IR0006" Invalid "a literal does not fit its type"
        "An integer outside the range of its kind, a NaN whose bits are no NaN, an `inf` of an integer kind, or a number \
         in a place that takes another form. A number takes its kind from its place, or from a suffix such as `:u32`.";
    LIMIT "IR0007" Limit "the text passes a limit"
        "The text is longer, nests deeper, or declares more than the limits of the run allow. The limits keep hostile \
         input from exhausting memory; the caller can raise them.";
    UNKNOWN_TYPE "IR0008" Invalid "there is no such type"
        "The word is no type of the IR. Types are `void`, scalars such as `f32`, `vec4<f32>`, `mat4x4<f32>`, \
         `array<T, N>`, structs (`%name`), `ptr<space, T>`, textures, texel buffers, `sampler` and `sampler_cmp`.";
    ATTRIBUTE "IR0009" Invalid "an attribute does not belong there"
        "An attribute of a global that its space does not have (a location on a buffer, say), a resource without a \
         binding, or a first value of something other than a private variable.";

    V001 "V001" Bug "an id leads nowhere"
        "Every id (of a type, constant, global, function, value, instruction, region, name) is an entry of the table it \
         is for, and every slice lies within its pool. A constant's parts stand before it.";
    V002 "V002" Bug "a type or constant is malformed or stands where it is not legal"
        "Types are built from what they may hold: vectors and matrices of 2 to 4 lanes, arrays of at least one element, \
         runtime arrays only at the end of a storage buffer, no struct within itself, no pointers or handles in memory. \
         Constants have the shape of their type and no bits beyond it. A global's space fits its kind and type.";
    V003 "V003" Bug "a value is used where it is not defined, or defined twice"
        "A value is used in its own region after its definition, or in a region nested there. Each instruction and each \
         region stands in one place, and each value is the result or parameter that it says.";
    V004 "V004" Bug "operands, results or attribute do not fit the operation"
        "The op table gives the number and types of operands and results, and the attribute, of each operation.";
    V005 "V005" Bug "a region or its terminator is not as its owner wants it"
        "A region ends in exactly one terminator, of a kind that its owner allows: `yield` in `if` and `switch`, \
         `fallthrough` in a case that is not the last, `next` in `continuing` and there only, `break` and `continue` \
         within a loop's body (`break` also within an `if` or `switch` in its continuing region), `return` and \
         `terminate` anywhere but in a continuing region. `if` and `loop` own two regions, `switch` one a case, of which \
         exactly one is the default and no two share a selector.";
    V006 "V006" Bug "values that flow along control flow do not match"
        "What `yield`, `break`, `continue`, `next`, `fallthrough`, `return` and the start of a loop hand over has the \
         number and types of the results or parameters that receive it. Regions of `if` have no parameters.";
    V007 "V007" Bug "an access path does not fit its type"
        "Each step of `access` leads to a member, element, row or lane that exists; steps into structs are constants; \
         the result points to the last of them in the same space.";
    V008 "V008" Bug "a store goes where none may, or a handle is treated as data"
        "Stores and atomics go to function, private, workgroup and output variables and to storage buffers declared \
         writable, never to a specialisation constant. Handles and pointers are not stored, selected, built into \
         aggregates, or passed through regions.";
    V009 "V009" Bug "an entry point does not match its stage"
        "An entry function has no parameters and no result. The inputs, outputs and built-ins that it uses exist in its \
         stage, in their direction and with their type; a compute entry has a workgroup size and no located inputs or \
         outputs; workgroup memory, execution barriers belong to compute, `discard`, `terminate` and depth promises to \
         fragment.";
    V010 "V010" Bug "functions call each other in a circle"
        "No function calls itself, directly or through others: shader targets have no stack.";
    V011 "V011" Bug "the layout of a buffer type is broken"
        "In a struct that lies in a buffer every member has an offset, aligned to its scalars, members do not overlap and \
         lie within the size, arrays and matrices have strides that hold their parts. In the uniform space no vector \
         crosses a 16-byte line. Buffer variables have types that are laid out.";
    V012 "V012" Bug "two variables of a stage share a location or binding"
        "Among the globals that one entry point uses, no two inputs, no two outputs, and no two resources of one register \
         class and space overlap, and no built-in occurs twice in one direction.";
    V013 "V013" Bug "a quad or wave operation in a stage that has none"
        "Derivatives and quad operations need invocations in quads: fragment and compute stages have them, vertex stages \
         do not.";
    V014 "V014" Bug "the module passes a limit"
        "Nesting of regions and types, and the number of instructions, entities, operands and results stay within the \
         bounds that every later stage relies on.";
    V015 "V015" Bug "two entries of a table share a name"
        "Names are unique among globals, among functions, among structs, among entry points of a module, and among the \
         members of a struct; so are the numbers of specialisation constants.";
    V016 "V016" Bug "a position points nowhere"
        "Positions are entries of the function's table, entry 0 is no position, a position does not end before it \
         starts, and where the sources are known it lies within one of them.";
}

/// The rules of the verifier in order: `RULES[3]` is V004.
pub static RULES: [&aquatint_base::Code; 16] =
    [&V001, &V002, &V003, &V004, &V005, &V006, &V007, &V008, &V009, &V010, &V011, &V012, &V013, &V014, &V015, &V016];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_and_explained() {
        for (i, code) in CODES.iter().enumerate() {
            assert!(CODES[..i].iter().all(|other| other.id != code.id), "{code}");
            assert!(code.explanation.len() > 40 && !code.title.ends_with('.'), "{code}");
        }
        for (i, rule) in RULES.iter().enumerate() {
            assert_eq!(rule.id, format!("V{:03}", i + 1));
        }
    }
}
