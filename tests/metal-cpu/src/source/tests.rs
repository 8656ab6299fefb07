//! What the token pass makes of small sources.

use super::prepare;
use std::collections::BTreeMap;

fn text(source: &str) -> String {
    let prepared = prepare(source, &BTreeMap::new());
    assert_eq!(prepared.text.lines().count(), source.lines().count(), "lines stay: {}", prepared.text);
    prepared.text
}

#[test]
fn attributes_become_annotations() {
    assert_eq!(
        text("float4 c [[color(0), index(1)]];"),
        "float4 c [[clang::annotate(\"color(0)\"), clang::annotate(\"index(1)\")]];"
    );
    assert_eq!(text("[[maybe_unused]] int a;"), "[[maybe_unused]] int a;");
    assert_eq!(text("int b = a[c[0]];"), "int b = a[c[0]];");
    // Behind an array's size the attribute would be the type's.
    assert_eq!(
        text("void f(constant float (&a)[2] [[buffer(3)]]);").split_whitespace().collect::<Vec<_>>().join(" "),
        "void f(constant float (&a [[clang::annotate(\"buffer(3)\")]])[2] );"
    );
}

#[test]
fn attributes_are_listed_with_what_they_belong_to() {
    let source = "kernel void k(device int* p [[buffer(2)]]) [[max_total_threads_per_threadgroup(64)]] { }";
    let prepared = prepare(source, &BTreeMap::new());
    let found: Vec<_> = prepared
        .attributes
        .iter()
        .map(|a| (a.name.as_str(), a.arguments.as_str(), a.subject.as_str(), a.after_parameters))
        .collect();
    assert_eq!(found, [("buffer", "2", "p", false), ("max_total_threads_per_threadgroup", "64", "k", true)]);
    assert_eq!(&source[prepared.attributes[0].range.clone()], "buffer(2)");
    assert!(!prepared.text.contains("max_total"), "{}", prepared.text);
}

#[test]
fn positions_lead_back() {
    let source = "struct S { float4 a [[position]]; float4 b; };\nint c = d ? e : f; int g;";
    let prepared = prepare(source, &BTreeMap::new());
    for (line, word) in [(1, "float4 b"), (1, "float4 a"), (2, "int g"), (2, "e :"), (2, "f")] {
        let (new, old) = (
            prepared.text.lines().nth(line - 1).expect("the line is there"),
            source.lines().nth(line - 1).expect("it is"),
        );
        let word = word.trim_end_matches(" :");
        let find = |text: &str| text.find(&format!(" {word}")).map(|at| at + 2).expect("the word is there");
        assert_eq!(prepared.original_position(line, find(new)), (line, find(old)), "{word} in {new}");
    }
    assert_eq!(prepared.original_position(9, 4), (9, 4));
}

#[test]
fn comments_and_directives_stay() {
    let source =
        "// a ? b : c [[x]]\n#define M(a) (a ? 1 : 2)\n#pragma x \\\n [[y]]\n/* threadgroup int z; */ char q = '?';\n";
    assert_eq!(text(source), source);
}

#[test]
fn function_constants_get_values() {
    let source = "constant int n [[function_constant(3)]];";
    let with = prepare(source, &BTreeMap::from([(3, "5".to_owned())])).text;
    assert_eq!(
        with,
        "constant int n [[clang::annotate(\"function_constant(3)\")]] = 5; constant bool aq_defined_n = true;"
    );
    let without = text(source);
    assert!(without.ends_with(" = metal::aq_zero<int>(); constant bool aq_defined_n = false;"), "{without}");
}

#[test]
fn constants_without_values_are_zero() {
    assert_eq!(text("constant float4 a = {};"), "constant float4 a = metal::aq_zero<float4>();");
    assert_eq!(text("float4 a = {};"), "float4 a = {};");
    assert_eq!(text("constant float4 a[2] = {};"), "constant float4 a[2] = {};");
}

#[test]
fn threadgroup_variables_become_references() {
    let found = text("kernel void k() { threadgroup Foo<float, 4> a[2][3]; }");
    let squeezed = found.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(
        squeezed,
        "kernel void k() { static metal::aq_storage< Foo<float, 4> [2][3]> aq_threadgroup_a; auto& a = metal::aq_threadgroup(aq_threadgroup_a); }"
    );
    let two = text("void k() { threadgroup int a, b[4]; }");
    assert!(two.contains("static metal::aq_storage<int [4]> aq_threadgroup_b; auto& b ="), "{two}");
    // Pointers and references point there, and are not there.
    for plain in ["void k() { threadgroup int* p = q; }", "void f(threadgroup int& a, threadgroup int* b);"] {
        assert_eq!(text(plain), plain);
    }
}

#[test]
fn both_values_of_a_choice_are_wrapped() {
    let wrap = |inner: &str| format!("(metal::aq_value(), {inner})");
    let squeeze =
        |text: String| text.replace(" (metal", "(metal").replace(' ', "").replace("aq_value(),", "aq_value(), ");
    assert_eq!(squeeze(text("x = a ? b : c;")), squeeze(format!("x = a ? {} : {};", wrap("b"), wrap("c"))));
    let nested = format!("x=a?{}:{};", wrap("b"), wrap(&format!("c?{}:{}", wrap("d"), wrap("e"))));
    assert_eq!(squeeze(text("x = a ? b : c ? d : e;")), squeeze(nested));
    let arguments = format!("f(a?{}:{},d)", wrap("b"), wrap("vec<int,3>(c)"));
    assert_eq!(squeeze(text("f(a ? b : vec<int, 3>(c), d)")), squeeze(arguments));
    for plain in ["switch (a) { case 1: default: b::c(); }", "struct A : B { int c : 3; };", "for (auto a : b) {}"] {
        assert!(!text(plain).contains("aq_value"), "{plain}");
    }
}

#[test]
fn structs_copy_from_constant() {
    assert!(text("struct S { int a; };").contains("S(const __constant S&) = default;"));
    assert!(!text("enum struct S { a };").contains("default"));
    assert!(!text("struct S;").contains("default"));
    assert!(!text("struct S f() { return s; }").contains("default"));
    // No constructor can be declared where a member has the struct's name.
    assert!(!text("struct S { int S[4]; };").contains("default"));
    // One that is there keeps the empty one away.
    assert!(!text("struct S { S(int a) {} };").contains("S() = default"));
}

#[test]
fn functions_of_objects_elsewhere_go() {
    let found = text("struct S { int f() const thread { return 1; } int f() const ray_data { return 2; } int g; };");
    assert!(found.contains("return 1") && !found.contains("return 2") && found.contains("int g"), "{found}");
}

#[test]
fn number_parameters_are_int() {
    assert_eq!(
        text("template<typename T, uint N = 2> void f(uint a);"),
        "template<typename T, int N = 2> void f(uint a);"
    );
    assert_eq!(text("template<uint, size_t M> struct A;"), "template<int, int M> struct A;");
}

#[test]
fn broken_sources_come_through() {
    for source in [
        "",
        "[[",
        "]]",
        "[[a",
        "struct S {",
        "a ? b",
        "threadgroup",
        "template<",
        "\"",
        "/*",
        "'",
        "[[a]]",
        "= {",
        "x [[function_constant(0)]];",
        "))",
        "é",
    ] {
        prepare(source, &BTreeMap::new());
    }
}
