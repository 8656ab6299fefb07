//! Messages of the parser: AQ20xx (F2).

aquatint_base::codes! {
    AQ2001 Invalid "unexpected token" "What stands here does not fit what came before it.";
    AQ2002 Invalid "token missing" "A token that has to stand here does not: a closing bracket, a name, a separator. Reading goes on as if it stood there.";
    AQ2004 Invalid "unsupported construct of C++" "Pointers, references, lambdas, exceptions and the like do not exist in HLSL.";
    AQ2005 Invalid "malformed attribute" "An attribute is a name in brackets, with arguments in parentheses.";
    AQ2006 Invalid "construct of the effect framework" "Techniques, passes and sampler states belong to effects of Direct3D 9 to 11, not to shaders.";
    AQ2007 Invalid "missing semicolon" "A statement or declaration ends with a semicolon. It was read as if there were one.";
    AQ2008 Invalid "reserved word" "The word is reserved by C++ and has no meaning in HLSL.";
    AQ2009 Invalid "malformed declarator" "A declaration names what it declares, with sizes in brackets behind the name.";
}
