//! The text form: worked encodings both ways, spellings, errors with places, and what `strict` refuses (sheet 1.18, 6).

use aquatint_base::{Diags, Source, SourceId};
use aquatint_d3d9::assemble::{AssembleOptions, Include, Includes, assemble};
use aquatint_d3d9::disassemble::{Options, Style, disassemble};
use aquatint_d3d9::tokens::{DecodeOptions, decode};

const END: u32 = 0x0000_FFFF;

fn words_of(text: &str) -> Vec<u32> {
    let mut diags = Diags::new();
    assemble(text, SourceId(0), &AssembleOptions::default(), &mut diags)
        .unwrap_or_else(|| panic!("{text}: {:?}", diags.iter().next()))
}

fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn text_of(words: &[u32], style: Style) -> String {
    let mut diags = Diags::new();
    let shader = decode(&bytes(words), SourceId(0), &DecodeOptions::default(), &mut diags)
        .unwrap_or_else(|| panic!("{words:08X?}: {:?}", diags.iter().next()));
    disassemble(&shader, &Options { style, exact: false })
}

/// The statements of a text: no version, no comments, no indentation.
fn statements(text: &str) -> Vec<&str> {
    text.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with("//")).skip(1).collect()
}

/// Version, text as printed, other texts that mean the same, words.
type Case = (&'static str, &'static [&'static str], &'static [&'static str], &'static [u32]);

/// Sheet 1.18, native or corpus bytes.
const ENCODINGS: &[Case] = &[
    ("vs_1_1", &["mov r0, c3[a0.x]"], &["mov r0, c1[a0.x + 2]", "mov r0, c[a0.x + 3]"], &[1, 0x800F_0000, 0xA0E4_2003]),
    (
        "vs_2_0",
        &["mov r0, -c5[a0.w].x"],
        &["mov r0, -c0[a0.w+5].x"],
        &[0x0300_0001, 0x800F_0000, 0xA100_2005, 0xB0FF_0000],
    ),
    (
        "vs_3_0",
        &["mov o12[a0.x], r0"],
        &["mov o[a0.x + 12], r0"],
        &[0x0300_0001, 0xE00F_200C, 0xB000_0000, 0x80E4_0000],
    ),
    (
        "vs_3_0",
        &["mov o1[aL], v3[a0.x].yxxx"],
        &["mov o[aL+1], v[a0.x+3].yx"],
        &[0x0400_0001, 0xE00F_2001, 0xF0E4_0800, 0x9001_2003, 0xB000_0000],
    ),
    ("ps_3_0", &["mov r0, v12[aL]"], &["mov r0, v[aL + 12]"], &[0x0300_0001, 0x800F_0000, 0x90E4_200C, 0xF0E4_0800]),
    ("vs_2_0", &["loop aL, i0", "endloop"], &[], &[0x0200_001B, 0xF0E4_0800, 0xF0E4_0000, 0x0000_001D]),
    ("vs_2_x", &["rep i0", "break", "endrep"], &[], &[0x0100_0026, 0xF0E4_0000, 0x0000_002C, 0x0000_0027]),
    ("vs_2_x", &["if b0", "endif"], &[], &[0x0100_0028, 0xE0E4_0800, 0x0000_002B]),
    ("vs_2_x", &["if !b0", "endif"], &[], &[0x0100_0028, 0xEDE4_0800, 0x0000_002B]),
    ("vs_2_x", &["if p0.x", "endif"], &[], &[0x0100_0028, 0xB000_1000, 0x0000_002B]),
    ("ps_3_0", &["if_lt r0.x, -r1.y", "endif"], &[], &[0x0204_0029, 0x8000_0000, 0x8155_0001, 0x0000_002B]),
    (
        "ps_3_0",
        &["rep i0", "break_ne c2.w, -c2.w", "endrep"],
        &[],
        &[0x0100_0026, 0xF0E4_0000, 0x0205_002D, 0xA0FF_0002, 0xA1FF_0002, 0x0000_0027],
    ),
    (
        "ps_3_0",
        &["rep i0", "breakp p0.w", "endrep"],
        &[],
        &[0x0100_0026, 0xF0E4_0000, 0x0100_0060, 0xB0FF_1000, 0x0000_0027],
    ),
    ("ps_3_0", &["setp_gt p0.xy, r0, r1"], &[], &[0x0301_005E, 0xB003_1000, 0x80E4_0000, 0x80E4_0001]),
    (
        "ps_3_0",
        &["(!p0.xxyy) mov_sat r0.xy, r1"],
        &["(!p0.xxy) mov_sat r0.xy, r1", "( ! p0.xxyy ) MOV_SAT r0.rg, r1"],
        &[0x1300_0001, 0x8013_0000, 0xBD50_1000, 0x80E4_0001],
    ),
    ("ps_3_0", &["(p0) texld r0, v0, s0"], &[], &[0x1400_0042, 0x800F_0000, 0xB0E4_1000, 0x90E4_0000, 0xA0E4_0800]),
    (
        "vs_2_x",
        &["call l0", "callnz l0, !p0.z", "ret", "label l0", "ret"],
        &[],
        &[
            0x0100_0019,
            0xA0E4_1000,
            0x0200_001A,
            0xA0E4_1000,
            0xBDAA_1000,
            0x0000_001C,
            0x0100_001E,
            0xA0E4_1000,
            0x0000_001C,
        ],
    ),
    (
        "vs_2_0",
        &["defi i0, -1, 1, 10, 0", "defb b0, true"],
        &["defi i0, 4294967295, 1, 10, 0\ndefb b0, TRUE"],
        &[0x0500_0030, 0xF00F_0000, 0xFFFF_FFFF, 1, 0xA, 0, 0x0200_002F, 0xE00F_0800, 1],
    ),
    (
        "ps_2_0",
        &["dcl_2d s0", "dcl_cube s0", "dcl_volume s0", "dcl_1d s0"],
        &[],
        &[
            0x0200_001F,
            0x9000_0000,
            0xA00F_0800,
            0x0200_001F,
            0x9800_0000,
            0xA00F_0800,
            0x0200_001F,
            0xA000_0000,
            0xA00F_0800,
            0x0200_001F,
            0x8800_0000,
            0xA00F_0800,
        ],
    ),
    ("vs_3_0", &["dcl_texcoord12 o11"], &[], &[0x0200_001F, 0x800C_0005, 0xE00F_000B]),
    (
        "ps_3_0",
        &["dcl_texcoord_centroid v0"],
        &["dcl_texcoord0_centroid v0", "dcl_centroid_texcoord v0"],
        &[0x0200_001F, 0x8000_0005, 0x904F_0000],
    ),
    (
        "ps_1_3",
        &["mov_x2_sat r0, 1-r1", "mov_x4_sat r0.a, -r1_bx2.a"],
        &["mov_sat_x2 r0, 1 - r1\nmov_x4_sat r0.w, -r1.w_bx2"],
        &[1, 0x811F_0000, 0x86E4_0001, 1, 0x8218_0000, 0x85FF_0001],
    ),
    (
        "ps_1_1",
        &["mov r0.rgb, t0", "+mov r0.a, t0"],
        &["mov r0.rgb, t0\n+ mov r0.a, t0", "mov r0.rgb, t0 +\nmov r0.a, t0", "mov r0.rgb, t0 + mov r0.a, t0"],
        &[1, 0x8007_0000, 0xB0E4_0000, 0x4000_0001, 0x8008_0000, 0xB0E4_0000],
    ),
    (
        "ps_1_4",
        &["texld r5, r2_dz", "texcrd r1.rgb, t1_dw.rgaa"],
        &["texld r5, r2_db\ntexcrd r1.rgb, t1_dw.xyw", "texld r5, r2_dz\ntexcrd r1.xyz, t1_da.xyw"],
        &[0x42, 0x800F_0005, 0x89E4_0002, 0x40, 0x8007_0001, 0xBAF4_0001],
    ),
    (
        "ps_2_0",
        &["texldp_pp r0, t0, s0", "texkill t0", "mov oDepth, c0.x"],
        &[],
        &[
            0x0301_0042,
            0x802F_0000,
            0xB0E4_0000,
            0xA0E4_0800,
            0x0100_0041,
            0xB00F_0000,
            0x0200_0001,
            0x900F_0800,
            0xA000_0000,
        ],
    ),
    (
        "ps_3_0",
        &["dcl vFace", "dcl vPos.xy"],
        &["dcl VFACE\ndcl vpos.xy"],
        &[0x0200_001F, 0x8000_0000, 0x900F_1001, 0x0200_001F, 0x8000_0000, 0x9003_1000],
    ),
];

fn version_word(name: &str) -> u32 {
    let (stage, rest) = name.split_at(3);
    let (major, minor) = rest.split_once('_').expect("a version has two numbers");
    let minor = match minor {
        "x" => 1,
        "sw" => 255,
        n => n.parse().expect("a number"),
    };
    (if stage == "vs_" { 0xFFFE_0000u32 } else { 0xFFFF_0000 }) | major.parse::<u32>().expect("a number") << 8 | minor
}

#[test]
fn worked_encodings_both_ways() {
    for &(version, printed, others, words) in ENCODINGS {
        let mut all = vec![version_word(version)];
        all.extend(words);
        all.push(END);
        let text = text_of(&all, Style::Fxc);
        assert_eq!(statements(&text), printed, "{version}");
        assert_eq!(words_of(&text), all, "{text}");
        for other in others {
            assert_eq!(words_of(&format!("{version}\n{other}")), all, "{other}");
        }
    }
}

#[test]
fn dis_fxc_swizzles() {
    let text = "ps_3_0\nmov r0, c0.xyxy\nmov r0.xy, c0.zwzw\nmov r0.x, c0.y\nmov r0, -c0_abs.x\nmov_sat_pp r0.yz, c0\n";
    let printed = text_of(&words_of(text), Style::Fxc);
    // Also where the mask needs fewer, the four lanes as stored.
    assert_eq!(statements(&printed), text.lines().skip(1).collect::<Vec<_>>());
    assert_eq!(
        statements(&text_of(&words_of(text), Style::Compact).replace("\r\n", "\n")),
        ["mov r0, c0.xyxy", "mov r0.xy, c0.zw", "mov r0.x, c0.y", "mov r0, -c0.x_abs", "mov_sat_pp r0.yz, c0.yz"]
    );
}

#[test]
fn fxc_layout() {
    let text = "ps_3_0\ndef c0, 0.0001, -0, 1e9, 0.3\ndcl_texcoord3_pp v0.xy\ndcl_2d s0\nif b0\ntexld r0, v0, s0\nelse\nmov r0, c0\nendif\nmov oC0, r0";
    let expected = "    ps_3_0
    def c0, 9.99999975e-005, -0, 1e+009, 0.300000012
    dcl_texcoord3_pp v0.xy
    dcl_2d s0
    if b0
      texld r0, v0, s0
    else
      mov r0, c0
    endif
    mov oC0, r0

// approximately 8 instruction slots used (1 texture, 7 arithmetic)
";
    assert_eq!(text_of(&words_of(text), Style::Fxc), expected);
    assert!(
        text_of(&words_of("vs_1_1\nmov oPos, c0"), Style::Fxc).ends_with("// approximately 1 instruction slot used\n")
    );
}

#[test]
fn fxc_header_from_ctab() {
    use aquatint_d3d9::ctab;
    let table = ctab::ConstantTable::of_one_array(0xFFFE_0200, 256);
    let mut diags = Diags::new();
    let options = AssembleOptions { ctab: Some(&table), ..AssembleOptions::default() };
    let words = assemble("vs_2_0\nmov oPos, c0", SourceId(0), &options, &mut diags).expect("assembles");
    assert_eq!(Some(&words[1..words.len() - 4]), ctab::comment(&ctab::write(&table)).as_deref());
    let text = text_of(&words, Style::Fxc);
    assert!(text.starts_with("//\n// Generated by") && text.contains("//   float4 c[256];"), "{text}");
    let row = text.lines().find(|line| line.starts_with("//   c ")).expect("a row in the table of registers");
    assert_eq!(row.split_whitespace().collect::<Vec<_>>(), ["//", "c", "c0", "256"]);
    // Header and all, the text assembles.
    assert_eq!(words_of(&text).len(), 5);
}

#[test]
fn spellings() {
    let same = |a: &str, b: &str| assert_eq!(words_of(a), words_of(b), "{a:?} and {b:?}");
    same("vs.1.1\nMOV oPos, c0", "vs_1_1\nmov OPOS, c0");
    same("ps_2_a\nmov oC0, c0", "ps_2_x\r\nmov oC0, c0\r\n");
    same("ps_2_b\nmov oC0, c0", "ps_2_x\nmov oC0, c0 // comment");
    same("vs_3_sw ; version\nnop ; mov r0, r0", "vs_3_sw\nnop");
    same("vs_2_0\ndef c0, .5, 5., 1e2, -2.5f", "vs_2_0\ndef c0, 0.5, 5, 100, -2.5");
    same(
        "vs_2_0\ndef c0, 1.#INF, -1.#INF, 1.#QNAN, -1.#IND",
        "vs_2_0\ndef c0, 0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC00000",
    );
    same("vs_2_0\ndefb b0, 1\ndefb b1, FALSE", "vs_2_0\ndefb b0, True\ndefb b1, 0");
    assert_eq!(words_of("vs_2_0\ndef c0, 0x7FC00001, 0, 0, 0")[3], 0x7FC0_0001);
    same("ps_2_0 /* one\ntwo */\nmov oC0, c0", "ps_2_0\nmov oC0, c0");
}

#[test]
fn asm_mixed_rgba_xyzw() {
    let a = words_of("ps_2_0\nmov r0.xgb, c0.rywx");
    let b = words_of("ps_2_0\nmov r0.xyz, c0.xywx");
    assert_eq!(a, b);
}

#[test]
fn asm_expression_index() {
    for text in ["c[14 + a0.x]", "c14[a0.x]", "c[2 + a0.x + 12]", "c2[a0.x + 12]", "c2[ 4 + a0.x+8 ]"] {
        assert_eq!(words_of(&format!("vs_2_0\nmov oPos, {text}"))[3..5], [0xA0E4_200E, 0xB000_0000], "{text}");
    }
    for text in ["c[3]", "c1[2]", "c[1 + 2]", "c3"] {
        assert_eq!(words_of(&format!("vs_2_0\nmov oPos, {text}"))[3], 0xA0E4_0003, "{text}");
    }
}

struct Files;

impl Includes for Files {
    fn open(&self, name: &str, system: bool) -> Option<Include> {
        let (source, text) = match (name, system) {
            ("position.h", false) => (1, "#define POSITION oPos\n#define MOVE(x\nmov POSITION, c0\n"),
            ("position.h", true) => (2, "mov oPos, c0\n"),
            ("self.h", false) => (3, "#include \"self.h\"\n"),
            _ => return None,
        };
        Some(Include { source: SourceId(source), text: text.replace("#define MOVE(x\n", "") })
    }
}

#[test]
fn preprocessor() {
    let run = |text: &str| {
        let mut diags = Diags::new();
        let options =
            AssembleOptions { includes: Some(&Files), defines: &[("GIVEN", "1")], ..AssembleOptions::default() };
        let words = assemble(text, SourceId(0), &options, &mut diags);
        words.ok_or_else(|| diags.iter().map(|d| d.code.id).collect::<Vec<_>>())
    };
    let plain = run("vs_2_0\nmov oPos, c0");
    for text in [
        "#define SOURCE c0\nvs_2_0\nmov oPos, SOURCE",
        "#define A B\n#define B c0\nvs_2_0\nmov oPos, A",
        "#define LONG mov \\\n  oPos, c0\nvs_2_0\nLONG",
        "vs_2_0\n#ifdef GIVEN\nmov oPos, c0\n#else\nnonsense\n#endif",
        "vs_2_0\n#ifndef GIVEN\nnonsense\n#elif GIVEN == 1 && !defined(NOT)\nmov oPos, c0\n#endif",
        "#undef GIVEN\nvs_2_0\n#if defined(GIVEN)\nnonsense\n#endif\nmov oPos, c0",
        "vs_2_0\n#include \"position.h\"",
        "vs_2_0\n#include <position.h>",
        "#line 7 \"x.asm\"\nvs_2_0\nmov oPos, c0",
    ] {
        assert_eq!(run(text), plain, "{text}");
    }
    for text in [
        "vs_2_0\n#if 1",
        "vs_2_0\n#endif",
        "vs_2_0\n#else",
        "vs_2_0\n#if (",
        "vs_2_0\n#include \"none.h\"",
        "vs_2_0\n#include \"self.h\"",
        "vs_2_0\n#nonsense",
        "vs_2_0\n#error stop",
        "#define F(x) x\nvs_2_0",
    ] {
        assert!(run(text).is_err_and(|codes| codes.contains(&"E-PREPROCESS")), "{text}");
    }
}

/// Macros that double at each step stop at the budget.
#[test]
fn macros_exponential() {
    for last in ["c0", ""] {
        let mut text = format!("#define M0 {last}\n");
        for i in 1..30 {
            text += &format!("#define M{i} M{p} M{p} M{p} M{p}\n", p = i - 1);
        }
        text += "vs_2_0\nmov oPos, M29\n";
        let mut diags = Diags::new();
        assert!(assemble(&text, SourceId(0), &AssembleOptions::default(), &mut diags).is_none());
        assert!(diags.iter().any(|d| d.code.id == "E-PREPROCESS"));
    }
}

#[test]
fn several_errors_a_run_with_line_and_column() {
    let text = "vs_2_0\nmov oPos c0\n  frobnicate r0\nadd r0, c0, q5\nmov r0, c0.xyzz1\nmov v0, c0\n";
    let mut diags = Diags::new();
    assert!(assemble(text, SourceId(0), &AssembleOptions::default(), &mut diags).is_none());
    let source = Source::text("x", text);
    let places: Vec<_> = diags.iter().map(|d| source.line_column(d.span().start).expect("text")).collect();
    assert_eq!(places, [(2, 10), (3, 3), (4, 13), (5, 12)], "{diags:#?}");
    // What parses is checked against the rules of the tokens, at the statement.
    let text = "vs_2_0\n  mov v0, c0\nif b0\n";
    let mut diags = Diags::new();
    assert!(assemble(text, SourceId(0), &AssembleOptions::default(), &mut diags).is_none());
    let source = Source::text("x", text);
    let found: Vec<_> = diags.iter().map(|d| (d.code.id, source.line_column(d.span().start).expect("text"))).collect();
    assert_eq!(found, [("E-NEST", (3, 1)), ("E-WRITE", (2, 3))]);
    // An error behind a macro points at its use.
    let text = "#define BAD q9\nvs_2_0\nmov oPos, BAD\n";
    let mut diags = Diags::new();
    assert!(assemble(text, SourceId(0), &AssembleOptions::default(), &mut diags).is_none());
    let source = Source::text("x", text);
    assert_eq!(diags.iter().next().and_then(|d| source.line_column(d.span().start)), Some((3, 11)));
}

/// Sheet 6.6: what the native assembler refuses.
#[test]
fn asm_native_rejections_strict() {
    let rejected = [
        ("ps_3_0", "dcl_texcoord v0\ndcl_2d s0\ntexldd_x2 r0, v0, s0, v0, v0"),
        ("vs_2_0", "mov r0, c0\n+mov r0.w, c0"),
        ("ps_2_0", "mov r0, c0\n+mov r0.w, c0"),
        ("vs_1_1", "(p0) mov oPos, c0"),
        ("ps_2_0", "mov r0, c0[a0.x]"),
        ("ps_2_0", "mov a0.x, c0.x"),
        ("vs_1_1", "mov r0, s0"),
        ("vs_3_0", "mov r0, c[aL.x]"),
        ("ps_3_0", "mov r0, t0"),
        ("ps_1_3", "mov_x2_x4 r0, v0"),
        ("vs_2_0", "mov r0, c0, c1"),
        ("ps_1_4", "mov r0, -r2_dz"),
        ("ps_2_0", "mov r0, 1-r0"),
        ("vs_2_0", "mov r0, 1-c0"),
        ("ps_2_0", "mov r0, c0_x2"),
        ("vs_2_0", "mov r0, c0_x2"),
        ("ps_2_0", "mov r0, c0_abs"),
        ("vs_2_0", "mov r0, c0_abs"),
        ("vs_2_0", "mov r0, c0.xyzwx"),
        ("vs_2_0", "mov r0, c0.abcd"),
        ("vs_2_0", "mov r0, c0."),
        ("vs_2_0", "mov r0.yx, c0"),
        ("vs_2_0", "mov r0.xx, c0"),
        ("ps_1_3", "mov r5, v0"),
        ("ps_3_0", "dcl oC0"),
        ("ps_2_0", "dcl oDepth"),
        ("vs_3_0", "mov_pp r0, c0"),
        ("ps_3_0", "mov_x4 r0, c0"),
        ("ps_1_4", "mov oC0, v0"),
        ("ps_2_0", "mov oC4, c0"),
        ("vs_2_0", "mov r0, v17"),
        ("vs_3_0", "mov o13, c0"),
        ("vs_3_0", "call l2048\nret\nlabel l2048\nret"),
        ("ps_3_0", "dcl_2d s20"),
        ("ps_1_3", "tex t5"),
        ("vs_3_0", "mov r0, r0[a0.x]"),
        ("vs_2_0", "mov r0, v0[a0.x]"),
        ("ps_2_0", "mov r0, c0[aL]"),
        ("vs_1_1", "mov oPos, c0[a0]"),
        ("ps_3_0", "dcl_texcoord_sat v0"),
        ("ps_3_0", "dcl_texcoord_x2 v0"),
        ("vs_3_0", "dcl_position_centroid v0"),
        ("vs_3_0", "dcl_position_pp v0"),
        ("ps_2_0", "texm3x3vspec r0, t0"),
        ("vs_2_0", "mov r0, c[1.5]"),
    ];
    for (version, statement) in rejected {
        // Otherwise valid: what is refused is the statement, not that it is alone.
        let (before, after) = match version {
            "vs_3_0" => ("dcl_position o0\n", "mov o0, c0\n"),
            "vs_1_1" | "vs_2_0" => ("", "mov oPos, c0\n"),
            _ => ("", ""),
        };
        let strict = |text: &str| {
            let mut diags = Diags::new();
            let options = AssembleOptions { strict: true, ..AssembleOptions::default() };
            assemble(text, SourceId(0), &options, &mut diags).ok_or_else(|| diags.iter().next().cloned())
        };
        if !after.is_empty() {
            assert!(strict(&format!("{version}\n{before}{after}")).is_ok(), "{version}: the frame is fine");
        }
        let text = format!("{version}\n{before}{statement}\n{after}");
        match strict(&text) {
            Ok(_) => panic!("{version} {statement}: assembles under strict"),
            Err(first) => {
                let first = first.expect("a reason");
                let source = Source::text("x", text.as_str());
                let line = source.line_column(first.span().start).expect("a place in the text").0;
                let from = 2 + before.lines().count() as u32;
                let lines = from..from + statement.lines().count() as u32;
                assert!(lines.contains(&line), "{version} {statement}: reported at line {line}: {first:?}");
            }
        }
    }
    let mut diags = Diags::new();
    let options = AssembleOptions { strict: true, ..AssembleOptions::default() };
    let native = "ps_2_0\ndcl t0.xy\ndcl_2d s0\ntexld r0, t0, s0\nmov oC0, r0";
    assert!(assemble(native, SourceId(0), &options, &mut diags).is_some(), "{diags:?}");
}

#[test]
fn exact_form_carries_comments_odd_words_and_what_follows_end() {
    // A payload with a FourCC, one without, a length that sm 1 ignores, an odd a0 swizzle, words behind END.
    let words = [
        0xFFFE_0200,
        0x0003_FFFE,
        0x4755_4244,
        END,
        7,
        0x0000_FFFE,
        0x0001_FFFE,
        1,
        0x0300_0001,
        0xC00F_0000,
        0xA0E4_2005,
        0xB0E1_0000,
        END,
        1,
        END,
    ];
    let mut diags = Diags::new();
    let shader = decode(&bytes(&words), SourceId(0), &DecodeOptions::default(), &mut diags).expect("decodes");
    let text = disassemble(&shader, &Options { style: Style::Fxc, exact: true });
    for line in [
        "    .comment DBUG 2",
        "        0000FFFF 00000007",
        "    .comment - 0",
        "    mov oPos, c5[a0.y] {03000001 C00F0000 A0E42005 B0E10000}",
        "    .trailing 2",
    ] {
        assert!(text.lines().any(|l| l == line), "{line:?} in\n{text}");
    }
    assert_eq!(words_of(&text), words);
}

/// One line of a million bytes takes about as long as as many lines.
#[test]
fn long_lines_take_linear_time() {
    let mut diags = Diags::new();
    for text in [
        format!("ps_1_1\n{}", "nop + ".repeat(150_000)),
        format!("vs_2_0\ndef c0, {}", "1".repeat(1_000_000)),
        format!("vs_2_0\nmov r0, c0[{}0]", "1 + ".repeat(250_000)),
        format!("vs_2_0\n{}", "#if 1\n".repeat(100_000)),
        format!("vs_2_0\n{}", "/*".repeat(500_000)),
        format!("vs_2_0\n{}", "mov r0, c0 {".repeat(100_000)),
    ] {
        let start = std::time::Instant::now();
        assert!(assemble(&text, SourceId(0), &AssembleOptions::default(), &mut diags).is_none());
        assert!(start.elapsed().as_secs() < 20, "{}: {:?}", &text[..30], start.elapsed());
    }
}
