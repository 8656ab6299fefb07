//! The lexer and the preprocessor, rule by rule (sheet A2, A3, F4). A test is named after its rule.

use aquatint_base::{Diags, Names, Source, Sources, render};
use aquatint_hlsl::include::FileIncludes;
use aquatint_hlsl::options::{Define, FrontLimits, PreprocessOptions, Version};
use aquatint_hlsl::preprocess::pragma::{PragmaKind, WarningAction};
use aquatint_hlsl::preprocess::print::{make_rule, print};
use aquatint_hlsl::preprocess::{Context, Preprocessed, preprocess};
use aquatint_hlsl::token::{FloatSuffix, IntLiteral, Literal, TokenKind};

#[derive(Default)]
struct Setting {
    options: PreprocessOptions,
    limits: FrontLimits,
    files: Vec<(&'static str, String)>,
}

struct Run {
    unit: Preprocessed,
    sources: Sources,
    names: Names,
    diags: Diags,
}

impl Setting {
    fn run(&self, text: &str) -> Run {
        let (mut sources, mut names, mut diags) = (Sources::new(), Names::new(), Diags::new());
        let main = sources.add(Source::text("main.hlsl", text));
        let mut includes = FileIncludes::virtual_only(self.files.iter().map(|(name, text)| (*name, text)));
        let context = Context {
            sources: &mut sources,
            names: &mut names,
            diags: &mut diags,
            limits: &self.limits,
            includes: &mut includes,
        };
        let unit = preprocess(main, &self.options, context);
        Run { unit, sources, names, diags }
    }
}

fn run(text: &str) -> Run {
    Setting::default().run(text)
}

impl Run {
    /// The tokens, a blank between them.
    fn text(&self) -> String {
        let all = self.unit.tokens.iter().filter(|t| t.kind != TokenKind::Eof);
        all.map(|t| t.text(&self.names)).collect::<Vec<_>>().join(" ")
    }

    fn codes(&self) -> Vec<&str> {
        self.diags.iter().map(|d| d.code.id).collect()
    }

    fn values(&self) -> Vec<Literal> {
        self.unit.tokens.iter().filter_map(|t| self.unit.literals.get(t)).collect()
    }

    /// The messages, a line each.
    fn short(&self) -> String {
        render::short(&self.diags, &self.sources)
    }
}

#[track_caller]
fn gives(text: &str, expected: &str) {
    let run = run(text);
    assert_eq!((run.text().as_str(), run.codes()), (expected, vec![]), "{text}\n{}", run.short());
}

#[track_caller]
fn fails(text: &str, codes: &[&str]) -> Run {
    let run = run(text);
    assert_eq!(run.codes(), codes, "{text}\n{}", run.short());
    run
}

/// The value of `#if` of it.
#[track_caller]
fn condition(text: &str, truth: bool) {
    gives(&format!("#if {text}\nyes\n#else\nno\n#endif"), if truth { "yes" } else { "no" });
}

#[test]
fn a2_1_bom_line_ends_and_stray_characters() {
    gives("\u{feff}a\rb\r\nc\n", "a b c");
    let run = fails("a\rb\u{e9}c\r@ \"\u{e9}\" // \u{e9}\n\0", &["AQ1001", "AQ1001", "AQ1001"]);
    assert_eq!(run.text(), "a b c \"\u{e9}\"");
    assert!(run.short().starts_with("main.hlsl:2:2: error AQ1001"), "{}", run.short());
    // Where nothing reads them, they are no fault.
    gives("#define X @\n#if 0\n@\u{e9}\n#endif\na", "a");
}

#[test]
fn a2_2_splices() {
    gives("ab\\\ncd 1\\\r\n2 +\\  \n= // x\\\ny\nz \"a\\\nb\"", "abcd 12 += z \"ab\"");
    gives("#def\\\nine X \\\n 1\nX", "1");
    assert!(run("a\\\n\n@").short().starts_with("main.hlsl:3:1:"), "lines are physical");
}

#[test]
fn a2_3_comments() {
    gives("a/* // */b//c /*\nd/**/e", "a b d e");
    let run = fails("a\n /* b", &["AQ1002"]);
    assert!(run.short().starts_with("main.hlsl:2:2:"), "{}", run.short());
    fails("#if 0\n/* x\n#endif", &["AQ1002", "AQ1107"]);
    gives("a /*\n*/ # define b\n", "a # define b");
    gives("/*\n*/ # define b\nb c", "c");
}

#[test]
fn a2_4_names() {
    gives("_a9 A a", "_a9 A a");
    let at = |n: usize| run(&"x".repeat(n)).codes().len();
    assert_eq!((at(1024), at(1025)), (0, 1));
    assert_eq!(run(&"x".repeat(1025)).codes(), ["AQ4010"]);
}

#[test]
fn a2_5_integers() {
    let int = |value, u: u8, l: u8, bits| {
        Literal::Int(IntLiteral { value, unsigned: u == 1, long: l == 1, long_long: l == 2, bits })
    };
    for (text, value) in [
        ("0", int(0, 0, 0, false)),
        ("42", int(42, 0, 0, false)),
        ("0x1F", int(31, 0, 0, true)),
        ("0XfFu", int(255, 1, 0, true)),
        ("017", int(15, 0, 0, true)),
        ("0b101", int(5, 0, 0, true)),
        ("1u", int(1, 1, 0, false)),
        ("1L", int(1, 0, 1, false)),
        ("1ul", int(1, 1, 1, false)),
        ("1LU", int(1, 1, 1, false)),
        ("1LL", int(1, 0, 2, false)),
        ("1ull", int(1, 1, 2, false)),
        ("1llU", int(1, 1, 2, false)),
        ("18446744073709551615", int(u64::MAX, 0, 0, false)),
    ] {
        let run = run(text);
        assert_eq!((run.values(), run.codes()), (vec![value], vec![]), "{text}");
    }
    for text in ["18446744073709551616", "0x10000000000000000"] {
        fails(text, &["AQ1005"]);
    }
    for text in ["08", "1a", "0x", "0b2", "1uu", "1lll", "1_"] {
        fails(text, &["AQ1004"]);
    }
    let old =
        Setting { options: PreprocessOptions { version: Version::V2018, ..Default::default() }, ..Default::default() };
    assert_eq!(old.run("0b1 0x1p3").codes(), ["AQ1004", "AQ1004"]);
}

#[test]
fn a2_6_floats() {
    use FloatSuffix::*;
    for (text, value, suffix) in [
        ("1.0", 1.0, None),
        (".5", 0.5, None),
        ("1.", 1.0, None),
        ("1e-3", 1e-3, None),
        ("1.e3", 1e3, None),
        ("1.0f", 1.0, Float),
        ("0.1F", f64::from(0.1f32), Float),
        ("2.5h", 2.5, Half),
        ("0.1L", 0.1, Double),
        ("1.#INF", f64::INFINITY, None),
        ("0x1.8p3", 12.0, None),
        ("0x.8p1f", 1.0, Float),
        ("0x1p-1074", 5e-324, None),
    ] {
        let run = run(text);
        let expected = vec![Literal::Float { value, suffix }];
        assert_eq!((run.values(), run.codes()), (expected, vec![]), "{text}");
    }
    for text in ["1.#IND", "1.#QNAN"] {
        assert!(matches!(run(text).values()[..], [Literal::Float { value, .. }] if value.is_nan()), "{text}");
    }
    for text in ["1.0q", "1e", "1.0ff", "0x1p"] {
        fails(text, &["AQ1004"]);
    }
    fails("1e999", &["AQ1005"]);
}

#[test]
fn a2_7_swizzles_of_numbers() {
    gives(
        "1.0.xxx 2.f.xx 1.xxx 1.0f.x 1.rrrr 0x1.x 1.e 1.fx",
        "1.0 . xxx 2.f . xx 1 . xxx 1.0f . x 1 . rrrr 0x1 . x 1 . e 1 . fx",
    );
}

#[test]
fn a2_8_characters_and_strings() {
    let chars = r"'a' '\n' '\t' '\r' '\0' '\\' '\'' '\x41' '\101' '\a' '\b' '\f' '\v'";
    let values: Vec<i32> =
        run(chars).values().iter().map(|v| if let Literal::Char(c) = v { *c } else { panic!("{v:?}") }).collect();
    assert_eq!(values, [97, 10, 9, 13, 0, 92, 39, 65, 65, 7, 8, 12, 11]);
    let run = run("x \"a\\x41\" \"1\\\"\" y");
    let [Literal::Str(name)] = run.values()[..] else { panic!("joined") };
    assert_eq!(run.names.get(name), "aA1\"");
    assert_eq!(run.text(), "x \"aA1\\\"\" y");
    fails("\"a\nb", &["AQ1003"]);
    fails("'a\nb", &["AQ1003"]);
    fails("''", &["AQ1003"]);
}

#[test]
fn a2_9_operators() {
    let all = "+ - * / % ++ -- << >> < > <= >= == != & | ^ ~ && || ! ? : = += -= *= /= %= <<= >>= &= |= ^= , . :: ( ) [ ] { } ; ->";
    gives(all, all);
    let run = run(all);
    assert!(run.unit.tokens.iter().all(|t| t.kind.is_punctuator() || t.kind == TokenKind::Eof));
    gives("a+++b<<=c::d>>e", "a ++ + b <<= c :: d >> e");
}

#[test]
fn a3_1_directives() {
    gives(" # define A 1\n#\n  #  undef A\nA", "A");
    let run = fails("#defin X\n#if 0\n#foo\n#endif\na", &["AQ1101"]);
    assert!(run.short().contains("did you mean '#define'"), "{}", run.short());
    gives(
        "#define A\n#ifdef A\n1\n#elifdef B\n2\n#endif\n#ifndef A\n3\n#elifdef A\n4\n#endif\n#ifdef B\n#elifndef B\n5\n#else\n6\n#endif",
        "1 4 5",
    );
    gives("#if 0\n#if 1\na\n#else\nb\n#endif\n#elif 1\nc\n#elif 1\nd\n#endif", "c");
    // Behind the group that was taken, conditions are not evaluated.
    gives("#if 1\na\n#elif 1/0\nb\n#endif", "a");
}

#[test]
fn a3_2_object_like_and_function_like() {
    gives("#define F (x)\n#define G(x) [x]\n#define E\nF G(1) G\n (2) G E G", "( x ) [ 1 ] [ 2 ] G G");
    gives("#define G(x) [x]\n#define H G\nH(1) G/**/(2)", "[ 1 ] [ 2 ]");
}

#[test]
fn a3_3_arguments() {
    gives("#define F(a, b) <a|b>\nF((1,2),3) F(,) F([1, 2])", "< ( 1 , 2 ) | 3 > < | > < [ 1 | 2 ] >");
    gives("#define F(a) <a>\n#define Z() z\nF() Z() Z( )", "< > z z");
    fails("#define F(a, b) a b\nF(1) F(1,2,3)", &["AQ1112", "AQ1112"]);
    fails("#define Z() z\nZ(1)", &["AQ1112"]);
    fails("#define F(a) a\nF(1", &["AQ1113"]);
    let run = fails("#define F(a) a\nF(1\n#define X 2\n) X", &["AQ1113"]);
    assert_eq!(run.text(), ") 2");
    let setting = Setting { files: vec![("a.h", "F(1".into())], ..Default::default() };
    assert_eq!(setting.run("#define F(a) a\n#include \"a.h\"\n)").codes(), ["AQ1113"]);
}

#[test]
fn a3_4_hide_sets() {
    gives("#define foo foo + 1\nfoo", "foo + 1");
    gives("#define a b\n#define b a c\na b", "a c b c");
    gives("#define f(x) x f\nf(1)(2)(3)", "1 f ( 2 ) ( 3 )");
    gives("#define f(x) g\n#define g f(1)\nf(0)", "f ( 1 )");
    // C99 6.10.3.5, examples 3 and 4, as the standard prints them.
    let text = "#define x 3\n#define f(a) f(x * (a))\n#undef x\n#define x 2\n#define g f\n#define z z[0]\n#define h g(~\n\
                #define m(a) a(w)\n#define w 0,1\n#define t(a) a\n#define p() int\n#define q(x) x\n#define r(x,y) x ## y\n\
                #define str(x) # x\n";
    gives(
        &format!("{text}f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);"),
        "f ( 2 * ( y + 1 ) ) + f ( 2 * ( f ( 2 * ( z [ 0 ] ) ) ) ) % f ( 2 * ( 0 ) ) + t ( 1 ) ;",
    );
    gives(
        &format!("{text}g(x+(3,4)-w) | h 5) & m\n(f)^m(m);"),
        "f ( 2 * ( 2 + ( 3 , 4 ) - 0 , 1 ) ) | f ( 2 * ( ~ 5 ) ) & f ( 2 * ( 0 , 1 ) ) ^ m ( 0 , 1 ) ;",
    );
    gives(&format!("{text}p() i[q()] = {{ q(1), r(2,3), r(4,), r(,5), r(,) }};"), "int i [ ] = { 1 , 23 , 4 , 5 , } ;");
    gives(&format!("{text}{{ str(hello) }}"), "{ \"hello\" }");
}

#[test]
fn a3_5_stringise() {
    gives("#define S(x) #x\nS( a  +\n b ) ; S(\"a\\n\" 'b') ; S()", r#""a + b" ; "\"a\\n\" 'b'" ; """#);
    gives("#define X 1\n#define S(x) #x\n#define T(x) S(x)\nS(X) ; T(X)", "\"X\" ; \"1\"");
    fails("#define S(x) #y", &["AQ1115"]);
    gives("#define O # x\nO", "# x");
    // A quote that is not closed is escaped too, so that a string comes of it.
    gives("#define S(x) #x\nS(a \\ \"b\n)", r#""a \\ \"b""#);
}

#[test]
fn a3_6_paste() {
    gives("#define C(a,b) a##b\nC(x,1) C(,y) C(z,) C(<,<=) C(1,e3) C(,)", "x1 y z <<= 1e3");
    gives("#define C(a,b,c) a ## b ## c\nC(a,b,c) C(,,c) C(a,,c)", "abc c ac");
    gives("#define X 1\n#define XY 7\n#define C(a,b) a##b\nC(X,Y) C(X, X)", "7 XX");
    gives("#define P x ## y\nP", "xy");
    let run = fails("#define C(a,b) a##b\nC(+,1) C(/,/)", &["AQ1114", "AQ1114"]);
    assert_eq!(run.text(), "+ 1 / /");
    fails("#define A ## b\n#define B(x) x ##\n", &["AQ1117", "AQ1117"]);
    // `##` that comes of an argument is no operator.
    gives("#define H(x) a x b\nH(##)", "a ## b");
}

#[test]
fn a3_7_variadics() {
    gives("#define F(f, ...) f(__VA_ARGS__)\nF(a) F(a,1) F(a,1,2)", "a ( ) a ( 1 ) a ( 1 , 2 )");
    gives("#define F(f, rest...) f(rest)\nF(a,1,2)", "a ( 1 , 2 )");
    gives("#define F(f, ...) g(f, ## __VA_ARGS__)\nF(a) F(a,b,c)", "g ( a ) g ( a , b , c )");
    gives("#define F(f, ...) g(f __VA_OPT__(,) __VA_ARGS__)\nF(a) F(a,b) F(a,)", "g ( a ) g ( a , b ) g ( a )");
    gives("#define S(...) #__VA_ARGS__\nS(a, b)", "\"a, b\"");
    fails("#define F(a) __VA_ARGS__", &["AQ1117"]);
    fails("#define F(a) __VA_OPT__(a)", &["AQ1117"]);
}

#[test]
fn a3_8_legacy_expansion_of_pasted_operands() {
    let mut setting = Setting::default();
    let text = "#define X 1\n#define C(a,b) a##b\nC(v,X)";
    assert_eq!(setting.run(text).text(), "vX");
    setting.options.legacy_macro_expansion = true;
    assert_eq!(setting.run(text).text(), "v1");
}

#[test]
fn a3_9_redefinition() {
    gives("#define A 1  +  2\n#define A 1 /**/ + 2\n#define F(x) x\n#define F(x) x\nA", "1 + 2");
    let run = fails("#define A 1\n#define A 2\nA", &["AQ1111"]);
    assert_eq!((run.text().as_str(), run.diags.errors()), ("2", 0));
    fails("#define A 1+2\n#define A 1 + 2", &["AQ1111"]);
    fails("#define F(x) x\n#define F(y) z", &["AQ1111"]);
    for name in ["defined", "__VA_ARGS__", "__FILE__", "__LINE__"] {
        fails(&format!("#define {name} 1"), &["AQ1121"]);
        fails(&format!("#undef {name}"), &["AQ1121"]);
    }
    for text in ["", "1", "F(", "F(a", "F(a b)", "F(1)", "F(a,a)", "F(a,)", "F(..., a)"] {
        fails(&format!("#define {text}"), &["AQ1117"]);
    }
    gives("#define A 1\n#undef A\n#undef A\n#define A 2\nA", "2");
}

#[test]
fn a3_10_conditions() {
    for (text, truth) in [
        ("1", true),
        ("0", false),
        ("1 + 2 * 3 == 7", true),
        ("(1 + 2) * 3 == 9", true),
        ("10 - 4 - 3 == 3", true),
        ("-1 < 0", true),
        ("-1 < 0u", false),
        ("-1 > 0u", true),
        ("1 << 40 == 1099511627776", true),
        ("0x7fffffffffffffff + 1 < 0", true),
        ("7 / 2 == 3 && 7 % 4 == 3", true),
        ("-7 / 2 == -3", true),
        ("~0 == -1", true),
        ("!0 && !!5", true),
        ("(5 & 3) == 1 && (5 | 3) == 7 && (5 ^ 3) == 6", true),
        ("5 & 3 == 1", false),
        ("1 ? 2 : 0", true),
        ("0 ? 1 : 0 ? 1 : 0", false),
        ("1 ? 0 : 1 ? 1 : 1", false),
        ("(1, 0)", false),
        ("'a' == 97", true),
        ("'\\n' == 10", true),
        ("true", true),
        ("false", false),
        ("float", false),
        ("nothing", false),
        ("0 && (1 / 0)", false),
        ("1 || 1 % 0", true),
        ("1 ? 1 : 1 / 0", true),
        ("0 ? 1 / 0 : 1", true),
        ("0 && 1 || 1", true),
        ("1 || 0 && 1/0", true),
        ("-1 >> 1 == -1", true),
        ("defined X", false),
        ("defined(X) || 1", true),
        ("!defined X", true),
        ("- - 1 == 1", true),
        ("(0 ? -1 : 0u) - 1 > 0", true),
        ("2 > 1 > 0", true),
        ("0xffffffffffffffff == -1", true),
    ] {
        condition(text, truth);
    }
    gives("#define X\n#define D defined X\n#define H(x) x\n#if D && defined(X) && H(defined(X))\nyes\n#endif", "yes");
    gives("#define F(x) ((x) > 2)\n#if F(3) && !F(2)\nyes\n#endif", "yes");
    for text in [
        "",
        "1 +",
        "(1",
        "1)",
        "1 2",
        "1.0",
        "\"a\"",
        "1 ? 2",
        "1 : 2",
        "1, 2",
        "a = 1",
        "defined",
        "defined(1)",
        "*1",
        "1 ++",
    ] {
        fails(&format!("#if {text}\n#endif"), &["AQ1109"]);
    }
    fails("#if 1 / 0\n#endif", &["AQ1110"]);
    fails("#if 1 && 1 % (2 - 2)\n#endif", &["AQ1110"]);
    let setting = Setting { files: vec![("a.h", String::new())], ..Default::default() };
    let text = "#if __has_include(\"a.h\") && __has_include(<a.h>) && !__has_include(\"b.h\") && !__has_include(<x/b.h>)\nyes\n#endif";
    assert_eq!((setting.run(text).text().as_str(), setting.run(text).codes()), ("yes", vec![]));
}

#[test]
fn a3_11_balance() {
    let run = fails("#if 1\na", &["AQ1107"]);
    assert!(run.short().contains("note: it is opened here"));
    fails("#endif\n#else\n#elif 1", &["AQ1107", "AQ1107", "AQ1107"]);
    fails("#if 1\n#else\n#else\n#elif 1\n#endif", &["AQ1108", "AQ1108"]);
    let setting = Setting { files: vec![("a.h", "#if 1".into()), ("b.h", "#endif".into())], ..Default::default() };
    assert_eq!(setting.run("#include \"a.h\"\n#include \"b.h\"").codes(), ["AQ1107", "AQ1107"]);
    let nested = |n: usize| run_codes(&("#if 1\n".repeat(n) + &"#endif\n".repeat(n)));
    assert_eq!((nested(256), nested(257)), (vec![], vec!["AQ4004".to_string()]));
    let skipped = |n: usize| run_codes(&("#if 0\n".repeat(n) + &"#endif\n".repeat(n)));
    assert_eq!((skipped(256), skipped(257)), (vec![], vec!["AQ4004".to_string()]));
}

fn run_codes(text: &str) -> Vec<String> {
    run(text).codes().into_iter().map(String::from).collect()
}

#[test]
fn a3_12_includes() {
    let files =
        vec![("a.h", "a".into()), ("x/b.h", "b \n#include \"c.h\"\n#include <a.h>".into()), ("x/c.h", "c".into())];
    let mut setting = Setting { files, ..Default::default() };
    let run = setting
        .run("0\n#include \"a.h\"\n#include <x/b.h>\n#define N \"a.h\"\n#include N\n#define L <a.h>\n#include L\n9");
    assert_eq!((run.text().as_str(), run.codes()), ("0 a b c a a a 9", vec![]));
    let names: Vec<_> = run.unit.dependencies.iter().map(|d| d.display.as_str()).collect();
    assert_eq!(names, ["main.hlsl", "a.h", "x/b.h", "x/c.h"]);
    let missing = setting.run("#include \"y/q.h\"\na");
    assert_eq!((missing.codes(), missing.text().as_str()), (vec!["AQ1102"], "a"));
    assert!(missing.short().contains("tried 'y/q.h'"), "{}", missing.short());
    for text in ["#include", "#include 1", "#include \"\"", "#include <a.h"] {
        assert_eq!(setting.run(text).codes(), ["AQ1119"], "{text}");
    }
    setting.files = vec![("r.h", "#include \"r.h\"".into())];
    assert_eq!(setting.run("#include \"r.h\"").codes(), ["AQ4002"]);
}

#[test]
fn a3_13_once_and_guards() {
    let once =
        Setting { files: vec![("a.h", "#pragma once\na".into()), ("x/../a.h", "no".into())], ..Default::default() };
    assert_eq!(once.run("#include \"a.h\"\n#include \"x/../a.h\"\n#include <a.h>").text(), "a");
    for guard in ["#ifndef G", "#if !defined(G)", "#if !defined G"] {
        // A file that has a guard is not read again: with a limit of one file, that is no second one.
        let mut setting = Setting {
            files: vec![("a.h", format!("// x\n{guard}\n#define G\na\n#endif\n/* y */"))],
            ..Default::default()
        };
        let length = setting.files[0].1.len();
        setting.limits.total_bytes = 100 + length;
        let again = "#include \"a.h\"\n".repeat(5);
        let run = setting.run(&again);
        assert_eq!((run.text().as_str(), run.codes()), ("a", vec![]), "{guard}");
        let run = setting.run("#include \"a.h\"\n#undef G\n#include \"a.h\"");
        assert_eq!(run.codes(), Vec::<&str>::new());
        assert_eq!(run.text(), "a a");
    }
    let not = Setting { files: vec![("a.h", "#ifndef G\n#define G\na\n#endif\nb".into())], ..Default::default() };
    assert_eq!(not.run("#include \"a.h\"\n#include \"a.h\"").text(), "a b b");
}

#[test]
fn a3_14_line() {
    gives(
        "__LINE__\n#line 123 \"f.h\"\n__LINE__ __FILE__\n__LINE__\n#line 7\n__LINE__ __FILE__",
        "1 123 \"f.h\" 124 7 \"f.h\"",
    );
    gives("#define L 40\n#line L\n__LINE__\n# 9 \"g\" 1 3\n__LINE__ __FILE__", "40 9 \"g\"");
    let run = fails("#line 50 \"x.h\"\n\n@", &["AQ1001"]);
    assert!(run.short().starts_with("x.h:51:1:"), "{}", run.short());
    for text in ["#line", "#line 0", "#line x", "#line 2147483648", "#line 1 x", "#line 0x10"] {
        fails(text, &["AQ1118"]);
    }
    let mut setting = Setting::default();
    setting.options.ignore_line_directives = true;
    assert_eq!(setting.run("#line 50 \"x\"\n__LINE__ __FILE__").text(), "2 \"main.hlsl\"");
    // Of a use over several lines, the line is that of its name.
    gives("#define F(x) x __LINE__\n\nF(\n1\n)", "1 3");
}

#[test]
fn a3_15_pragmas() {
    let run = run(
        "a\n#pragma pack_matrix( row_major )\nb\n#pragma warning(disable : 3201, AQ3202; error: 5)\n#pragma warning(push)\n\
                   #pragma warning(pop)\n#pragma message(\"x\" \"y\")\n#pragma dxc diagnostic push\n#pragma def(a)\n#pragma ruledisable 1\n\
                   #pragma region x\n#pragma endregion\n#pragma\n_Pragma(\"pack_matrix(column_major)\") c",
    );
    assert_eq!((run.codes(), run.text().as_str()), (vec![], "a b c"));
    let events: Vec<_> = run.unit.pragmas.iter().map(|p| (p.before, p.kind.clone())).collect();
    let warning = |action, numbers: &[u32]| PragmaKind::Warning { action, numbers: numbers.to_vec() };
    assert_eq!(
        events,
        [
            (1, PragmaKind::PackMatrix { row_major: true }),
            (2, warning(WarningAction::Disable, &[3201, 3202])),
            (2, warning(WarningAction::Error, &[5])),
            (2, PragmaKind::WarningPush),
            (2, PragmaKind::WarningPop),
            (2, PragmaKind::Message("xy".into())),
            (2, PragmaKind::PackMatrix { row_major: false }),
        ]
    );
    let run =
        fails("#pragma unroll\n#pragma pack_matrix(push)\n#pragma pack_matrix\na", &["AQ1120", "AQ1120", "AQ1120"]);
    assert_eq!(run.diags.errors(), 0);
}

#[test]
fn a3_16_error_and_warning() {
    let run = fails("#error don't \"do\nthis\n#warning careful\na", &["AQ1105", "AQ1106"]);
    assert_eq!(run.text(), "this a");
    assert!(run.short().contains("#error don't \"do\n"), "{}", run.short());
    gives("#if 0\n#error x\n#endif", "");
}

#[test]
fn a3_17_predefined() {
    gives("__HLSL_VERSION __SHADER_TARGET_MAJOR __SHADER_TARGET_MINOR __SHADER_TARGET_STAGE", "2021 6 6 6");
    gives(
        "__SHADER_STAGE_PIXEL __SHADER_STAGE_VERTEX __SHADER_STAGE_GEOMETRY __SHADER_STAGE_HULL __SHADER_STAGE_DOMAIN \
           __SHADER_STAGE_COMPUTE __SHADER_STAGE_LIBRARY __SHADER_STAGE_MESH __SHADER_STAGE_AMPLIFICATION",
        "0 1 2 3 4 5 6 13 14",
    );
    gives("__COUNTER__ __COUNTER__ __AQUATINT__ __spirv__ __FILE__", "0 1 1 1 \"main.hlsl\"");
    gives(
        "__DATE__ __TIME__ __HLSL_ENABLE_16_BIT __hlsl_dx_compiler",
        "__DATE__ __TIME__ __HLSL_ENABLE_16_BIT __hlsl_dx_compiler",
    );
    let options = PreprocessOptions {
        version: Version::V2018,
        target: (5, 1),
        stage: 5,
        native_16_bit: true,
        dxc_compat_macros: true,
        ..Default::default()
    };
    let setting = Setting { options, ..Default::default() };
    let text = "__HLSL_VERSION __SHADER_TARGET_MAJOR __SHADER_TARGET_MINOR __SHADER_TARGET_STAGE __HLSL_ENABLE_16_BIT __hlsl_dx_compiler";
    assert_eq!(setting.run(text).text(), "2018 5 1 5 1 1");
}

#[test]
fn a3_18_defines_of_the_command() {
    let define = |text: &str| Define::Define(text.into());
    let mut setting = Setting::default();
    setting.options.defines =
        vec![define("A"), define("B=x y"), define("F(a)=a+a"), define("C=1"), Define::Undef("C".into()), define("E=")];
    assert_eq!(setting.run("A B F(2) C E .").text(), "1 x y 2 + 2 C .");
    setting.options.defines = vec![define("1")];
    let run = setting.run("");
    assert_eq!(run.codes(), ["AQ1117"]);
    assert!(run.short().starts_with("<command line>:1:"), "{}", run.short());
}

#[test]
fn a3_19_printed_text_lexes_to_the_same_tokens() {
    let setting = Setting { files: vec![("a.h", "in_a\n\n\n  b".into())], ..Default::default() };
    for text in [
        "a+ +b - -c\n\n\n\n\n\n\n\n\n\n\n\n\nd\n#include \"a.h\"\ne",
        "#define P +\n#define M -\n+P M- a P=b 1 .x 1.0 .y",
        "#define H #\nH define x\n1 H define y\n",
        "#pragma pack_matrix(row_major)\n#pragma warning(disable: 1, 2)\nx\n#pragma message(\"a\\\"b\")\ny\n#pragma warning(push)",
        "\"a\\x01\" \"2\" 'x' '\\''\n#line 9 \"c:\\\\d\"\nz __LINE__",
        "#define E\n#define F(x) x\nE a E b F(\nc\nd) e\nE\nf",
    ] {
        let first = setting.run(text);
        let printed = print(&first.unit, &first.sources, &first.names);
        let second = setting.run(&printed);
        let tokens = |run: &Run| -> Vec<(TokenKind, String)> {
            run.unit.tokens.iter().map(|t| (t.kind, t.text(&run.names).to_string())).collect()
        };
        if text.contains("#define H") {
            // What starts the text with `#` cannot be printed; it is no program either.
            continue;
        }
        assert_eq!(tokens(&first), tokens(&second), "{text}\n--\n{printed}");
        let kinds = |run: &Run| -> Vec<_> { run.unit.pragmas.iter().map(|p| (p.before, p.kind.clone())).collect() };
        assert_eq!(kinds(&first), kinds(&second), "{printed}");
        let lines = |run: &Run| -> Vec<_> {
            let starts = run.unit.tokens.iter().filter(|t| t.starts_line() && t.kind != TokenKind::Eof);
            starts
                .map(|t| {
                    run.sources
                        .get(t.span.source)
                        .and_then(|s| s.presumed(t.span.start))
                        .map(|(f, l)| (f.to_string(), l))
                })
                .collect()
        };
        assert_eq!(lines(&first), lines(&second), "{printed}");
    }
}

#[test]
fn a3_20_expansion_notes() {
    let mut text = String::from("#define M0 08\n");
    for level in 1..12 {
        text += &format!("#define M{level} M{}\n", level - 1);
    }
    let run = fails(&(text + "x = M11;"), &["AQ1004"]);
    let short = run.short();
    assert!(short.starts_with("main.hlsl:13:5: error AQ1004"), "the caret is at the use: {short}");
    assert_eq!(short.matches("expanded from macro").count(), 8);
    assert!(short.contains("main.hlsl:1:9: note: expanded from macro 'M0'"), "{short}");
    let run = fails("#define ID(x) x\ny = ID(08);", &["AQ1004"]);
    assert!(run.short().starts_with("main.hlsl:2:8:"), "of an argument, at the argument: {}", run.short());
}

#[test]
fn f4_source_bytes() {
    let mut setting = Setting::default();
    setting.limits.file_bytes = 10;
    assert_eq!((setting.run("abcdefghij").codes(), setting.run("abcdefghij ").codes()), (vec![], vec!["AQ4001"]));
    setting.files = vec![("a", "abcdefghijk".into()), ("b", "abcdefghij".into())];
    setting.limits.file_bytes = 25;
    setting.limits.total_bytes = 12 + 11;
    assert_eq!(setting.run("#include <b>").codes(), Vec::<&str>::new());
    assert_eq!(setting.run("#include <a>").codes(), Vec::<&str>::new());
    setting.limits.total_bytes = 12 + 10;
    assert_eq!(setting.run("#include <a>").codes(), ["AQ4001"]);
}

#[test]
fn f4_includes() {
    let mut setting = Setting {
        files: vec![("a", "a".into()), ("r", "#if __COUNTER__ < N\n#include <r>\n#endif".into())],
        ..Default::default()
    };
    let times = |n: usize| "#include <a>\n".repeat(n);
    setting.limits.includes = 7;
    assert_eq!((setting.run(&times(7)).codes(), setting.run(&times(8)).codes()), (vec![], vec!["AQ4002"]));
    let deep = |n: usize| {
        Setting { files: setting.files.clone(), ..Default::default() }
            .run(&format!("#define N {}\n#include <r>", n - 1))
    };
    assert_eq!((deep(64).codes(), deep(65).codes()), (vec![], vec!["AQ4002"]));
}

#[test]
fn f4_tokens_and_macros() {
    let mut setting = Setting::default();
    setting.limits.tokens = 9;
    assert_eq!(
        (setting.run("a b c d e f g h i").codes(), setting.run("a b c d e f g h i j").codes()),
        (vec![], vec!["AQ4003"])
    );
    let mut setting = Setting::default();
    setting.limits.expansion_tokens = 8;
    assert_eq!(setting.run("#define A 1 2 3 4 5 6 7 8\nA A").codes(), Vec::<&str>::new());
    assert_eq!(setting.run("#define A 1 2 3 4 5 6 7 8 9\nA").codes(), ["AQ4003"]);
    // What is predefined counts too.
    let mut setting = Setting::default();
    setting.limits.macros = 100;
    let defines = |n: usize| (0..n).map(|i| format!("#define M{i}\n")).collect::<String>();
    let most = (1..=100).rev().find(|&n| setting.run(&defines(n)).codes().is_empty()).expect("some");
    assert!((70..100).contains(&most), "{most}");
    assert_eq!(setting.run(&defines(most + 1)).codes(), ["AQ4003"]);
    let chain = |n: usize| {
        let mut text = String::from("#define M1 x\n");
        (2..=n).for_each(|i| text += &format!("#define M{i} M{}\n", i - 1));
        run_codes(&(text + &format!("M{n}")))
    };
    assert_eq!((chain(256), chain(257)), (vec![], vec!["AQ4003".to_string()]));
    let calls = |n: usize| run_codes(&format!("#define F(x) x\n{}1{}", "F(".repeat(n), ")".repeat(n)));
    assert_eq!((calls(256), calls(257)), (vec![], vec!["AQ4003".to_string()]));
}

#[test]
fn f4_bombs_end_soon() {
    let double: String = (1..64).map(|i| format!("#define A{i} A{} A{}\n", i - 1, i - 1)).collect();
    let call: String = (1..64).map(|i| format!("#define F{i}(x) F{}(x x) F{}(x x)\n", i - 1, i - 1)).collect();
    for (text, code) in [
        (format!("{double}#define A0\nA63"), "AQ4003"),
        (format!("{double}A63"), "AQ4003"),
        (format!("{call}F63(y)"), "AQ4003"),
        (format!("{double}#if A63\n#endif"), "AQ4003"),
        (format!("#define P(x) x##x\n{}y{}", "P(".repeat(40), ")".repeat(40)), ""),
        (format!("#define C(x) x, ## x\n{}y{}", "C(".repeat(99), ")".repeat(99)), ""),
        (format!("#if {}1\n#endif", "(".repeat(100_000)), "AQ1109"),
        (format!("#if {}1\n#endif", "- ".repeat(100_000)), ""),
        (format!("#if {}1\n#endif", "1 ? 1 : ".repeat(100_000)), ""),
        (format!("#define F(x) x\nF({}", "(".repeat(100_000)), "AQ1113"),
    ] {
        let start = std::time::Instant::now();
        let run = run(&text);
        assert!(
            code.is_empty() || run.codes().contains(&code),
            "{:.60} {:?}",
            text.lines().last().unwrap_or(""),
            run.codes()
        );
        assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
    }
    let setting = Setting { files: vec![("b", "#include <b>\n#include <b>".into())], ..Default::default() };
    assert_eq!(setting.run("#include <b>").codes(), ["AQ4002"]);
}

#[test]
fn f4_literals() {
    let mut setting = Setting::default();
    setting.limits.literal_length = 8;
    assert_eq!((setting.run("\"123456\"").codes(), setting.run("\"1234567\"").codes()), (vec![], vec!["AQ4010"]));
    assert_eq!((setting.run("12345678").codes(), setting.run("123456789").codes()), (vec![], vec!["AQ4010"]));
}

#[test]
fn dependencies_as_a_rule_of_make() {
    let setting = Setting { files: vec![("a b.h", String::new()), ("c$.h", String::new())], ..Default::default() };
    let run = setting.run("#include \"a b.h\"\n#include \"c$.h\"\n#include \"a b.h\"");
    assert_eq!(
        make_rule("o#ut.spv", &run.unit.dependencies, false),
        "o\\#ut.spv: \\\n  main.hlsl \\\n  a\\ b.h \\\n  c$$.h\n"
    );
    assert!(make_rule("o", &run.unit.dependencies, true).ends_with("c$$.h\n\na\\ b.h:\n\nc$$.h:\n"));
}
