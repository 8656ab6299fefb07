//! Semantic diagnostics: AQ30xx, warnings AQ32xx, and the limits that are checked here (F2 to F4).

aquatint_base::codes! {
    AQ0004 Invalid "unknown stage" "The entry point's stage is not one that code can be generated for: it comes from the request, from the profile, or from a `shader` attribute (A1.2).";
    AQ3001 Invalid "undeclared name" "A name is used that no scope around it declares. Free functions and variables are declared before they are used; members of a struct in any order.";
    AQ3002 Invalid "redefinition" "A name is declared twice in one scope, or a function has two bodies.";
    AQ3003 Invalid "no conversion" "A value of one type stands where another is expected, and no implicit conversion leads there: nothing widens but a scalar, and matrices shrink in both dimensions or in none (A9.4). A cast may say what is meant.";
    AQ3004 Invalid "no matching overload" "No function of that name takes these arguments. Each candidate is named with the reason why it does not.";
    AQ3005 Invalid "ambiguous call" "Two functions fit the arguments equally well. A cast on an argument decides.";
    AQ3006 Invalid "wrong number of arguments" "A function, constructor or method is called with a number of arguments that it does not take.";
    AQ3007 Invalid "not assignable" "The left side is no place, or one that may not be written: a constant, a member of a constant buffer, an element of a read-only resource.";
    AQ3008 Invalid "bad swizzle" "A swizzle takes one to four letters of one set, `xyzw` or `rgba`, that the vector has; a matrix takes `_m00` or `_11` forms, not mixed.";
    AQ3009 Invalid "component written twice" "A swizzle on the left of an assignment names a component twice.";
    AQ3010 Invalid "index out of range" "A constant index lies outside the array, vector or matrix.";
    AQ3011 Invalid "recursion" "A function that an entry point reaches calls itself, directly or through others. Shaders have no stack.";
    AQ3012 Invalid "missing return" "A function with a result ends without one.";
    AQ3013 Invalid "not constant" "An expression that must be known when the shader is compiled is not: an array size, a case label, an attribute, a template argument, an offset.";
    AQ3014 Invalid "bad size" "Vectors and matrices have 1 to 4 rows and columns; arrays have at least one element, and a size unless they hold resources or have an initialiser.";
    AQ3015 Invalid "operand of the wrong type" "An operator or modifier does not apply to this type: bit operators take integers, structs are neither compared nor added, orientations belong to matrices.";
    AQ3016 Invalid "initialiser does not fit" "A brace list has another number of elements than the type that it fills.";
    AQ3017 Invalid "unknown member" "The type has no member or method of that name.";
    AQ3019 Invalid "bad attribute argument" "An attribute has an argument of the wrong number, type or size.";
    AQ3020 Invalid "no numthreads" "A compute entry point says its group's size with `[numthreads(x, y, z)]`.";
    AQ3021 Invalid "entry point not found" "The file has no function of the name that was asked for as an entry point.";
    AQ3022 Invalid "semantic missing" "Every parameter and result of an entry point says with a semantic what it is.";
    AQ3023 Invalid "semantic used twice" "Two inputs or two outputs of an entry point have one semantic.";
    AQ3024 Invalid "semantic or interpolation invalid" "The system value does not exist, not in this stage or direction, or not of this type; or interpolation modifiers exclude each other.";
    AQ3025 Invalid "locations conflict" "Explicit and automatic locations are mixed in one direction, or two values share one.";
    AQ3026 Invalid "wrong register class" "Constant buffers have `b` registers, read-only resources `t`, writable ones `u`, samplers `s`.";
    AQ3027 Invalid "bindings overlap" "Two resources that one entry point uses have one binding.";
    AQ3030 Invalid "intrinsic of another stage" "The function exists in other stages only.";
    AQ3031 Invalid "intrinsic not supported" "The function is known and not implemented.";
    AQ3032 Invalid "derivatives outside pixel shaders" "Derivatives, and reads whose level comes from them, exist in pixel shaders. Elsewhere name the level.";
    AQ3033 Invalid "logical operator on vectors" "Since HLSL 2021 `&&`, `||` and `?:` take scalars. `and(a, b)`, `or(a, b)` and `select(c, a, b)` work component by component.";
    AQ3034 Invalid "condition is no scalar" "What if, for, while, do and ?: ask for converts to one bool; any() or all() make one of a vector.";
    AQ3035 Invalid "stray break or continue" "`break` belongs to a loop or switch, `continue` to a loop.";
    AQ3036 Invalid "case used twice" "Two labels of a switch have the same value, after constants are evaluated.";
    AQ3037 Invalid "case not constant" "A label of a switch is known when the shader is compiled.";
    AQ3038 Invalid "resource cannot be resolved" "Every use of a resource leads to one declared resource, or to one array of them with an index.";
    AQ3039 Invalid "object misused" "An object is used as a value, or a value as an object.";
    AQ3040 Invalid "template argument" "A template argument is missing, superfluous, of the wrong kind, or cannot be deduced.";
    AQ3044 Invalid "vk attribute misused" "A `vk::` attribute stands where it has no meaning, or has an argument that does not fit.";
    AQ3045 Invalid "several push-constant blocks" "An entry point has one block of push constants.";
    AQ3046 Invalid "specialisation constant" "A specialisation constant is a const scalar with a constant default, and a number of its own.";
    AQ3047 Invalid "16-bit types are off" "`float16_t`, `int16_t` and `uint16_t` need 16-bit types enabled.";
    AQ3048 Unsupported "stage not supported" "Code is generated for vertex, pixel and compute entry points.";
    AQ3049 Invalid "groupshared misused" "Group-shared memory belongs to compute entry points.";
    AQ3051 Invalid "string misused" "Strings stand in attributes and directives only.";
    AQ3052 Invalid "interface used" "Interfaces are read, but nothing is dispatched through them: name the class that is meant.";
    AQ3053 Invalid "several bases" "Only one struct can stand behind the colon: there is one base.";
    AQ3054 Invalid "operator cannot be overloaded" "Assignment, `&&`, `||`, comma and conversions are not overloaded.";
    AQ3055 Invalid "bad bitfield" "A bitfield is of an integer or enum, at most as wide as it, and has no semantic.";
    AQ3056 Invalid "object in a constant buffer" "Textures, samplers and buffers do not lie in constant buffers; declare them outside.";
    AQ3057 Invalid "type cannot lie there" "Texels are scalars and vectors of numbers of up to 32 bits; buffers hold numbers and structs of them.";
    AQ3058 Invalid "bad offset" "Texel offsets of sampled reads are constants between -8 and 7.";
    AQ3059 Invalid "sampler of the wrong kind" "Comparing methods take a SamplerComparisonState, others a SamplerState.";
    AQ3060 Invalid "division by zero" "An integer is divided by the constant zero.";
    AQ3061 Invalid "void used as a value" "An expression of type void has no value, and variables are not of type void.";
    AQ3062 Invalid "type contains itself" "A struct cannot hold itself, not through an array or another struct either.";
    AQ3063 Invalid "enumerator not constant" "The value of an enumerator is a constant integer.";
    AQ3064 Invalid "discard outside pixel shaders" "Only pixel shaders have something to discard; clip() is a discard, too.";
    AQ3065 Invalid "parameter of an entry point" "Parameters and results of entry points are numbers, and structs and arrays of them, with at most 4096 numbers each.";
    AQ3201 Invalid "implicit truncation" "A value loses components on its way. A swizzle or cast says that this is meant.";
    AQ3202 Invalid "narrowing conversion" "A value may lose precision or range in an implicit conversion.";
    AQ3205 Invalid "read before assignment" "A variable is read that nothing was assigned to.";
    AQ3206 Invalid "out parameter not written" "A function may return without having written an out parameter.";
    AQ3207 Invalid "ambiguous literal shift" "A literal is shifted by a value; its kind follows the right operand.";
    AQ3208 Invalid "minus on unsigned" "The negative of an unsigned value wraps around; a cast to int says that this is meant.";
    AQ3209 Invalid "comma looks like a constructor" "`float3 a = (1, 2, 3)` is 3 in each component; `float3(1, 2, 3)` is the vector.";
    AQ3210 Invalid "loop variable redeclared" "A variable of the same name is declared again in an inner scope.";
    AQ3211 Invalid "modifier repeated" "A modifier stands twice on one declaration; the second one changes nothing.";
    AQ3212 Invalid "semantic ignored" "A semantic has a meaning on the inputs and outputs of entry points, and none here.";
    AQ3213 Invalid "unknown attribute" "The attribute is not known and has no effect.";
    AQ3214 Invalid "no effect on a target" "A qualifier or attribute has no effect on a requested target.";
    AQ3215 Invalid "unreachable code" "A statement stands behind a return, break, continue or discard, and is never reached.";
    AQ3216 Invalid "derivative in divergent flow" "A derivative is computed where not all pixels of a quad need to be.";
    AQ3217 Invalid "barrier in divergent flow" "A group barrier is met by some invocations only.";
    AQ3218 Invalid "hex literal changes sign" "A hexadecimal literal becomes negative in its type.";
    AQ3219 Invalid "orientation without effect" "`row_major` and `column_major` say how a matrix lies in a buffer; a variable of its own has no such place.";
    AQ3220 Invalid "initialiser ignored" "The value comes from outside, so the initialiser has no effect. `static` makes it a constant of the shader.";
    AQ3221 Invalid "infinite loop" "A loop has a condition that is always true and no break, return or discard in it.";
    AQ3222 Invalid "no effect" "An expression computes something that nothing uses, or assigns a variable to itself.";
    AQ3223 Invalid "index may exceed its bound" "An index that is no constant may lie outside the array; what is read there is zero.";
    AQ3226 Invalid "newer than the profile" "The function came with a later shader model than the profile.";
    AQ3228 Invalid "packoffset on some members" "Some members of a buffer have a packoffset and others have none.";
    AQ3229 Invalid "unroll bound unknown" "The number of passes of an unrolled loop is not known.";
    AQ3230 Invalid "may end without return" "A path through the function may end without its result.";
    AQ3231 Invalid "large element" "An element of a structured buffer is larger than 2048 bytes.";
    AQ4005 Limit "too many template instances" "Templates are instantiated at most 64 deep and 16384 times.";
    AQ4006 Limit "constant evaluation too long" "Constants are computed in at most a million steps.";
    AQ4007 Limit "too many statements" "A function has at most 65536 statements, and a loop is unrolled at most 1024 times.";
    AQ4009 Limit "type too large" "A type is at most 256 MiB large and nests 64 deep.";
    AQ4011 Limit "array too large" "An array has at most 1048576 elements and 16 dimensions.";
    AQ4012 Limit "too many of something" "Functions have at most 256 parameters and 1024 overloads, structs 4096 members, switches 16384 labels.";
    AQ4013 Limit "calls too deep" "Calls of functions that take resources nest at most 64 deep.";
    AQ4014 Limit "initialiser too large" "An initialiser has at most a million elements.";
    AQ9001 Bug "internal error" "The translator came upon a state that should not exist. Please report it with the shader.";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_ordered_distinct_and_explained() {
        for pair in CODES.windows(2) {
            assert!(pair[0].id < pair[1].id, "{} before {}", pair[0].id, pair[1].id);
        }
        for code in CODES {
            assert!(code.explanation.len() > 20 && !code.title.ends_with('.'), "{}", code.id);
        }
    }
}
