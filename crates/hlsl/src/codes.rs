//! Diagnostic codes of the HLSL front end, with the texts of `aquatint explain` (sheet F2 to F4), in the order of their numbers.

aquatint_base::codes! {
    // 10xx: lexer.
    AQ1001 Invalid "bad character"
        "A character that can start no token: one outside of ASCII, a NUL, or one of @ $ ` \\. Outside of comments and \
         strings a shader is written in ASCII. The character is skipped.";
    AQ1002 Invalid "comment is not closed"
        "A comment that starts with /* ends with the next */, which is missing. Comments do not nest.";
    AQ1003 Invalid "string or character is not closed"
        "A string or character ends on the line on which it starts, unless the line ends with a backslash. A character \
         holds at least one character.";
    AQ1004 Invalid "malformed number"
        "A number has digits of its base, then perhaps a suffix: u, l, ul, ll or ull for integers in any case and order; f, h \
         or l for floating-point. Binary (0b) and hexadecimal floating-point numbers need language version 2021.";
    AQ1005 Invalid "number is out of range"
        "An integer takes at most 64 bits; a floating-point number has to lie within the range of a double.";

    // 11xx: preprocessor.
    AQ1101 Invalid "unknown directive"
        "The word after # is no directive: define, undef, if, ifdef, ifndef, elif, elifdef, elifndef, else, endif, include, \
         error, warning, line, pragma. The line is skipped. In a group that is skipped anyway, it is no fault.";
    AQ1102 Invalid "included file is not found"
        "A name in quotes is looked for in the folder of the file that includes it, then in the include paths in order, then \
         among the virtual files; a name in angle brackets in the include paths alone. The message lists the places.";
    AQ1105 Invalid "#error"
        "The source holds an #error in a group that is not skipped. The rest is still processed, so that further errors are found.";
    AQ1106 Invalid "#warning"
        "The source holds a #warning in a group that is not skipped.";
    AQ1107 Invalid "conditional groups do not balance"
        "Each #if, #ifdef or #ifndef needs one #endif in the same file, and each #else, #elif or #endif an open group.";
    AQ1108 Invalid "#else or #elif behind #else"
        "The #else group is the last of its conditional: only #endif may follow.";
    AQ1109 Invalid "bad expression of #if"
        "The expression has integers, characters, defined(X), __has_include(\"f\"), parentheses and the integer operators of C. \
         Floating-point numbers and strings are not allowed; names that are no macros are 0.";
    AQ1110 Invalid "division by zero in #if"
        "The right operand of / or % is zero, and the operation is evaluated: it is not behind a false && or a true ||.";
    AQ1111 Invalid "macro is defined again with another body"
        "A macro may be defined again with the same tokens. Here they differ: the new definition holds from here on. Put #undef \
         in front if that is meant.";
    AQ1112 Invalid "wrong number of macro arguments"
        "A use of a function-like macro has as many arguments as its definition has parameters. Commas inside of parentheses do \
         not separate arguments; those inside of brackets or braces do.";
    AQ1113 Invalid "macro call is not closed"
        "The arguments of a function-like macro end at the matching ), which is missing before the end of the file, or before a \
         directive: there is no directive inside of arguments.";
    AQ1114 Invalid "## does not make a token"
        "The text of the two operands of ##, put together, has to be one token. Both are kept as they were.";
    AQ1115 Invalid "# is not followed by a parameter"
        "In the body of a function-like macro, # makes a string of the parameter that follows it.";
    AQ1117 Invalid "malformed macro definition"
        "A definition has a name, then perhaps parameters (names between commas; ... as the last) right behind the name, then a \
         body, which has no ## at its ends, and __VA_ARGS__ or __VA_OPT__ only if it takes a variable number of arguments.";
    AQ1118 Invalid "malformed #line"
        "#line has a line number from 1 to 2147483647, then perhaps a file name in quotes.";
    AQ1119 Invalid "malformed #include"
        "#include has a name in quotes or in angle brackets, or macros that expand to one.";
    AQ1120 Invalid "unknown pragma"
        "The pragma is ignored. Known ones: once, pack_matrix, warning, message, dxc diagnostic, def, ruledisable, region, endregion.";
    AQ1121 Invalid "reserved macro name"
        "defined, __VA_ARGS__, __VA_OPT__, __FILE__, __LINE__ and __COUNTER__ cannot be defined or undefined.";

    // 40xx: limits.
    AQ4001 Limit "source is too long"
        "One file, or all files together, hold more bytes than the limits allow (16 MiB and 64 MiB unless set).";
    AQ4002 Limit "too many included files"
        "Files are included more deeply, or more often, than the limits allow (64 deep and 4096 unless set). A file that includes \
         itself needs #pragma once or a guard.";
    AQ4003 Limit "macros grow too large"
        "The tokens after expansion, the tokens of one expansion, the depth of macros within macros, or the number of macros \
         pass a limit (16 M, 1 M, 256 and 65536 unless set). Preprocessing stops here.";
    AQ4004 Limit "nested too deeply"
        "Conditionals, parentheses, braces, statements, types or chains of operators nest more deeply than the limit (256 unless set).";
    AQ4010 Limit "name or literal is too long"
        "A name has at most 1024 characters, a literal 65536 bytes, unless set.";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn f2_codes_are_in_order_and_explained() {
        assert!(CODES.windows(2).all(|pair| pair[0].id < pair[1].id), "in the order of their numbers, each once");
        for code in CODES {
            assert!(
                code.id.len() == 6 && code.id.starts_with("AQ") && code.explanation.len() > code.title.len(),
                "{code}"
            );
        }
    }
}
