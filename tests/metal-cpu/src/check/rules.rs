//! The rules that the checker knows by itself, each with its section of the Metal Shading Language specification 2.4.

macro_rules! rules {
    ($($(#[$doc:meta])* $variant:ident = $name:literal, $section:literal, $says:literal;)*) => {
        /// A rule of the language that C++ does not know.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Rule {
            $(#[doc = $says] $variant,)*
        }

        impl Rule {
            /// All of them, in the order of the list.
            pub const ALL: &'static [Rule] = &[$(Rule::$variant),*];

            /// Its name in messages.
            pub fn name(self) -> &'static str {
                match self { $(Rule::$variant => $name,)* }
            }

            /// Number and title of the section of the specification that it stems from.
            pub fn section(self) -> &'static str {
                match self { $(Rule::$variant => $section,)* }
            }

            /// The rule itself, as a sentence.
            pub fn says(self) -> &'static str {
                match self { $(Rule::$variant => $says,)* }
            }
        }
    };
}

rules! {
    Compile = "compile", "2 to 6", "The source compiles as C++14 against the declarations of the Metal standard library.";
    NotUnderstood = "not-understood", "5.1 Functions", "Every stage function has a form that the checker can read.";

    Goto = "goto", "1.4.4 Restrictions", "There is no goto statement.";
    Lambda = "lambda", "1.4.4 Restrictions", "There are no lambda expressions.";
    Recursion = "recursion", "1.4.4 Restrictions", "No function calls itself, directly or through others.";
    NewDelete = "new-delete", "1.4.4 Restrictions", "There are no new and delete operators.";
    Exceptions = "exceptions", "1.4.4 Restrictions", "There is no exception handling.";
    TypeIdentification = "type-identification", "1.4.4 Restrictions", "There is no dynamic_cast and no typeid.";
    Virtual = "virtual", "1.4.4 Restrictions", "There are no virtual functions.";
    DerivedClass = "derived-class", "1.4.4 Restrictions", "No class derives from another.";
    Noexcept = "noexcept", "1.4.4 Restrictions", "There is no noexcept.";
    StorageClass = "storage-class", "1.4.4 Restrictions", "There are no register and thread_local storage classes.";
    FunctionPointer = "function-pointer", "1.4.4 Restrictions", "There are no pointers to functions outside of visible function tables.";
    MainName = "main-name", "1.4.4 Restrictions", "No function is called main.";
    StandardLibrary = "standard-library", "1.4.4 Restrictions", "The C++ standard library is not available.";
    Variadic = "variadic", "1.4.4 Restrictions", "No function takes a variable number of arguments.";
    InlineAssembly = "inline-assembly", "1.4.4 Restrictions", "There is no inline assembly.";
    EntryOverload = "entry-overload", "1.4.1 Overloading", "Stage functions are not overloaded.";

    Double = "double", "2.1 Scalar Data Types", "There is no double and no long double, neither as a type nor as a literal.";
    ReservedName = "reserved-name", "2 Data Types and 5.1 Functions", "A word of the language is not a name of one's own.";
    TextureAccess = "texture-access", "2.9 Textures", "A texture type has an access that its kind allows.";
    TextureElement = "texture-element", "2.9 Textures", "A texture's elements are half, float, short, ushort, int or uint; a depth texture's are float.";
    SamplerConstexpr = "sampler-constexpr", "2.10 Samplers", "A sampler that the source initialises is declared constexpr.";
    IdDuplicate = "id-duplicate", "2.13 Argument Buffers", "No two members of an argument buffer have one id.";

    PointerSpace = "pointer-space", "4 Address Spaces", "Every pointer and reference names the address space that it points into.";
    ProgramScope = "program-scope", "4.2 Constant Address Space", "A variable at program scope lies in the constant address space.";
    ConstantInitialiser = "constant-initialiser", "4.2 Constant Address Space", "A constant at program scope has an initialiser.";
    LocalSpace = "local-space", "4 Address Spaces", "A local variable lies in the thread or, in a kernel, the threadgroup address space.";
    MemberSpace = "member-space", "4 Address Spaces", "A member that is no pointer has no address space of its own.";
    ThreadgroupScope = "threadgroup-scope", "4.4 Threadgroup Address Space", "Variables in threadgroup memory are declared within kernel functions.";
    ThreadgroupInitialiser = "threadgroup-initialiser", "4.4 Threadgroup Address Space", "A variable in threadgroup memory has no initialiser.";
    StaticLocal = "static-local", "4.2 Constant Address Space", "A static variable of a function lies in the constant address space.";

    KernelReturn = "kernel-return", "5.1.3 Kernel Functions", "A kernel function returns void.";
    EntryCall = "entry-call", "5.1 Functions", "A stage function is not called.";
    EntryMember = "entry-member", "5.1 Functions", "A stage function is no member of a class.";
    EarlyTests = "early-tests", "5.1.2 Fragment Functions", "early_fragment_tests stands on fragment functions, and these write no depth.";
    FunctionAttribute = "function-attribute", "5.1 Functions", "An attribute of a function suits its stage.";
    ArgumentAttribute = "argument-attribute", "5.2 Function Arguments and Variables", "Every argument of a stage function has an attribute that says where it comes from.";
    ArgumentType = "argument-type", "5.2.1 Locating Buffer, Texture, and Sampler Arguments", "buffer(n) stands on pointers and references into device or constant, texture(n) on textures, sampler(n) on samplers, threadgroup(n) on pointers into threadgroup.";
    ArgumentSpace = "argument-space", "5.2.1 Locating Buffer, Texture, and Sampler Arguments", "A pointer argument of a stage function points into device, constant or, in a kernel, threadgroup memory.";
    BufferIndex = "buffer-index", "5.2.1 Locating Buffer, Texture, and Sampler Arguments", "Buffer indices are 0 to 30.";
    TextureIndex = "texture-index", "5.2.1 Locating Buffer, Texture, and Sampler Arguments", "Texture indices are 0 to 127.";
    SamplerIndex = "sampler-index", "5.2.1 Locating Buffer, Texture, and Sampler Arguments", "Sampler indices are 0 to 15.";
    ThreadgroupIndex = "threadgroup-index", "5.2.1 Locating Buffer, Texture, and Sampler Arguments", "Threadgroup memory indices are 0 to 30.";
    IndexDuplicate = "index-duplicate", "5.2.1 Locating Buffer, Texture, and Sampler Arguments", "No two arguments of one kind share an index.";
    AttributeIndex = "attribute-index", "5.2.2 Attributes to Locate Per-Vertex Inputs", "Vertex attribute indices are 0 to 30.";
    AttributeDuplicate = "attribute-duplicate", "5.2.2 Attributes to Locate Per-Vertex Inputs and 5.7 Signature Matching", "No two members of an interface have one index or name.";
    UnknownAttribute = "unknown-attribute", "5.2.3 Attributes for Built-in Variables", "An attribute is one that the language has.";
    AttributePlace = "attribute-place", "5.2 Function Arguments and Variables", "An attribute stands only where it means something.";
    BuiltinStage = "builtin-stage", "5.2.3 Attributes for Built-in Variables", "A built-in variable belongs to the stage and the direction.";
    BuiltinType = "builtin-type", "5.2.3 Attributes for Built-in Variables", "A built-in variable has one of the types that the tables give it.";
    BuiltinDuplicate = "builtin-duplicate", "5.2.3 Attributes for Built-in Variables", "A built-in variable is declared once.";
    KernelDimensions = "kernel-dimensions", "5.2.3.6 Kernel Function Input Attributes", "The positions and sizes of a kernel's grid have the same number of components.";
    VertexReturn = "vertex-return", "5.2.3.3 Vertex Function Output Attributes", "A vertex function returns void, float4 or a struct with a position.";
    VertexOutput = "vertex-output", "5.2.3.3 Vertex Function Output Attributes", "A member of a vertex function's result is a number or a vector of numbers, and its attribute suits an output.";
    FragmentReturn = "fragment-return", "5.2.3.5 Fragment Function Output Attributes", "A fragment function returns void, a colour or a struct whose members all have an output attribute.";
    ColorIndex = "color-index", "5.2.3.5 Fragment Function Output Attributes", "Colour attachments are 0 to 7, the index of dual-source blending 0 or 1.";
    StageIn = "stage-in", "5.2.4 Input Assembly Attribute", "stage_in stands on at most one argument, which is a struct by value.";
    StageInMember = "stage-in-member", "5.2.4 Input Assembly Attribute", "A member of stage input is a number or a vector of numbers of at most 32 bits; in a vertex or kernel function it has an attribute(n).";
    Interpolation = "interpolation", "5.4 Sampling and Interpolation Attributes", "Sampling and interpolation attributes stand on fragment inputs, and integers are flat.";
    FunctionConstantType = "function-constant-type", "5.8.1 Specifying Program Scope Function Constants", "A function constant is a scalar or a vector in the constant address space.";
    FunctionConstantIndex = "function-constant-index", "5.8.1 Specifying Program Scope Function Constants", "Function constants have distinct indices of 0 to 65535.";
    FunctionConstantInitialiser = "function-constant-initialiser", "5.8.1 Specifying Program Scope Function Constants", "A function constant has no initialiser.";

    BarrierStage = "barrier-stage", "6.9.1 Threadgroup and SIMD-Group Synchronization Functions", "threadgroup_barrier is called from kernel functions only.";
    FragmentOnly = "fragment-only", "6.10.1 Fragment Functions", "Derivatives, discard_fragment and queries of the pixel are called from fragment functions only.";
    SimdStage = "simd-stage", "6.9.2 SIMD-Group Functions", "SIMD-group and quad-group functions are called from kernel and fragment functions only.";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_distinct() {
        let mut names: Vec<_> = Rule::ALL.iter().map(|rule| rule.name()).collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]));
    }
}
