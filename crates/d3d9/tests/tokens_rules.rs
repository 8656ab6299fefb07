//! The rules of tokens, one test a case of the sheet's list (7.3). Words are written out by hand from sections 1.1 to 1.18.

use aquatint_base::{Diags, Limits, Severity, SourceId};
use aquatint_d3d9::assemble::{AssembleOptions, assemble};
use aquatint_d3d9::tokens::{
    Comparison, DecodeOptions, DefinitionValue, Opcode, Register, RegisterKind, RelativeIndex, SamplerKind, Shader,
    Usage, Version, decode, validate,
};

const VS_1_1: u32 = 0xFFFE_0101;
const VS_2_0: u32 = 0xFFFE_0200;
const VS_3_0: u32 = 0xFFFE_0300;
const PS_1_1: u32 = 0xFFFF_0101;
const PS_1_4: u32 = 0xFFFF_0104;
const PS_2_0: u32 = 0xFFFF_0200;
const PS_3_0: u32 = 0xFFFF_0300;
const END: u32 = 0x0000_FFFF;

fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn run(words: &[u32]) -> (Option<Shader>, Diags) {
    let mut diags = Diags::new();
    let shader = decode(&bytes(words), SourceId(0), &DecodeOptions::default(), &mut diags);
    for diagnostic in &diags {
        assert!(!diagnostic.span().is_none() && diagnostic.help.is_some(), "{diagnostic:?}");
        assert!(!diagnostic.message.ends_with('.') && !diagnostic.message.is_empty(), "{diagnostic:?}");
    }
    (shader, diags)
}

fn accept(words: &[u32]) -> Shader {
    let (shader, diags) = run(words);
    shader.unwrap_or_else(|| panic!("{:?}", diags.iter().next()))
}

/// The codes of the errors, in order.
fn refuse(words: &[u32]) -> Vec<&'static str> {
    let (shader, diags) = run(words);
    assert!(shader.is_none());
    diags.iter().filter(|d| d.severity == Severity::Error).map(|d| d.code.id).collect()
}

/// The codes of the profile's warnings.
fn profile(shader: &Shader) -> Vec<&'static str> {
    let mut diags = Diags::new();
    validate::profile(shader, false, &mut diags);
    assert!(!diags.has_errors());
    let mut strict = Diags::new();
    validate::profile(shader, true, &mut strict);
    assert_eq!(strict.errors(), diags.warnings(), "strict makes each an error");
    diags.iter().map(|d| d.code.id).collect()
}

/// A shader from text, without any check beyond the structural ones.
fn text(source: &str) -> Shader {
    let mut diags = Diags::new();
    let words = assemble(source, SourceId(0), &AssembleOptions::default(), &mut diags);
    accept(&words.unwrap_or_else(|| panic!("{source}: {:?}", diags.iter().next())))
}

/// The codes that refuse a text.
fn refuse_text(source: &str) -> Vec<&'static str> {
    let mut diags = Diags::new();
    let words = assemble(source, SourceId(0), &AssembleOptions::default(), &mut diags);
    assert!(words.is_none(), "{source} assembles");
    diags.iter().map(|d| d.code.id).collect()
}

// 1

#[test]
fn version_garbage() {
    for word in [0u32, 0x1234_5678, 0xFFFE_0400, 0xFFFF_0105, 0xFFFE_0102, 0xFFFF_0203, 0xFFFF_0302] {
        assert_eq!(refuse(&[word, END]), ["E-VERSION"], "{word:08X}");
    }
    let (_, diags) = run(&[0xFFFF_0405, END]);
    let message = &diags.iter().next().expect("refused").message;
    assert!(message.contains('4') && message.contains('5'), "names both numbers: {message}");
    for word in [0xFEFF_0901u32, 0x4658_0200, 0x4658_0201, 0x5458_0100, 0xBCF0_0BCF] {
        assert_eq!(refuse(&[word, END]), ["E-FORMAT"], "{word:08X}");
    }
    assert_eq!(refuse(&[u32::from_le_bytes(*b"DXBC"), END]), ["E-FORMAT"]);
}

#[test]
fn version_sw_minor() {
    for word in [0xFFFE_02FFu32, 0xFFFF_02FF, 0xFFFE_03FF, 0xFFFF_03FF] {
        let shader = accept(&[word, END]);
        assert!(shader.version.is_software() && shader.version.name().ends_with("_sw"));
    }
}

#[test]
fn sizes() {
    let mut diags = Diags::new();
    for length in [0usize, 4, 7, 9, 10] {
        let mut data = bytes(&[VS_2_0, END, 0]);
        data.truncate(length);
        assert!(decode(&data, SourceId(0), &DecodeOptions::default(), &mut diags).is_none());
        assert_eq!(diags.iter().last().map(|d| d.code.id), Some("E-SIZE"), "{length} bytes");
    }
    let limits = Limits { input_bytes: 16, ..Limits::default() };
    let options = DecodeOptions { limits, ..DecodeOptions::default() };
    let mut diags = Diags::new();
    assert!(decode(&bytes(&[VS_2_0, 0, 0, 0, END]), SourceId(0), &options, &mut diags).is_none());
    assert_eq!(diags.iter().map(|d| d.code.id).collect::<Vec<_>>(), ["E-SIZE"]);
}

// 2

#[test]
fn end_missing() {
    assert_eq!(refuse(&[VS_2_0, 0]), ["E-END"]);
}

#[test]
fn end_inside_comment() {
    let shader = accept(&[VS_2_0, 0x0002_FFFE, END, END, 0, END]);
    assert_eq!((shader.comments.len(), shader.instructions.len(), shader.end), (1, 1, 5));
}

#[test]
fn end_inside_def() {
    let shader = accept(&[VS_2_0, 0x0500_0051, 0xA00F_0000, END, END, END, END, END]);
    assert_eq!(shader.defined_float(0), Some([END; 4]));
}

#[test]
fn trailing_words_after_end() {
    let shader = accept(&[VS_2_0, END, 0x1234_5678, 0, 0xFFFF_FFFF]);
    assert_eq!((shader.end, shader.trailing_words), (1, 3));
}

// 3

#[test]
fn comment_overrun() {
    assert_eq!(refuse(&[PS_2_0, 0x0003_FFFE, 0, END]), ["E-TRUNC"]);
}

#[test]
fn comment_zero_length() {
    let shader = accept(&[PS_2_0, 0x0000_FFFE, END]);
    assert_eq!((shader.comments.len(), shader.comments[0].fourcc), (1, None));
}

#[test]
fn comment_between_coissue() {
    // mul r0.rgb, t0, v0 / comment / +mov r0.a, t0
    let shader = accept(&[
        PS_1_1,
        0x42,
        0xB00F_0000,
        5,
        0x8007_0000,
        0xB0E4_0000,
        0x90E4_0000,
        0x0001_FFFE,
        END,
        0x4000_0001,
        0x8008_0000,
        0xB0E4_0000,
        END,
    ]);
    assert!(shader.instructions[2].coissue && shader.comments[0].word == 7);
}

// 4

#[test]
fn sm1_length_bits_set() {
    let shader = accept(&[VS_1_1, 0x0F00_0001, 0xC00F_0000, 0x90E4_0000, END]);
    assert_eq!((shader.instructions.len(), shader.instructions[0].words), (1, 3));
}

#[test]
fn sm1_unknown_opcode() {
    // Decoding stops: the second unknown opcode is not seen.
    assert_eq!(refuse(&[VS_1_1, 0x0000_0035, 0x0000_0035, END]), ["E-OPCODE"]);
    // From version 2 on all of them are listed.
    assert_eq!(refuse(&[VS_2_0, 0x0100_0035, 0, 0x0200_0036, 0, 0, END]), ["E-OPCODE", "E-OPCODE"]);
    // Opcodes that no version of the stage has.
    assert_eq!(refuse(&[PS_2_0, 0x0200_0010, 0x800F_0000, 0xA0E4_0000, END]), ["E-OPCODE"]);
    assert_eq!(refuse(&[VS_2_0, 0x0300_0042, 0x800F_0000, 0x90E4_0000, 0xA0E4_0800, END])[0], "E-OPCODE");
    assert_eq!(refuse(&[PS_1_1, 0x0000_004B, END]), ["E-OPCODE"]);
}

#[test]
fn sm2_zero_length_endloop() {
    let shader = accept(&[VS_2_0, 0x0200_001B, 0xF0E4_0800, 0xF0E4_0000, 0x0000_001D, END]);
    assert_eq!(shader.program.partner(0), Some(1));
    for opcode in [0u32, 28] {
        accept(&[VS_2_0, opcode, END]);
    }
}

#[test]
fn sm2_zero_length_mov() {
    assert_eq!(refuse(&[VS_2_0, 0x0000_0001, END]), ["E-LEN"]);
}

#[test]
fn length_too_long() {
    assert_eq!(refuse(&[VS_2_0, 0x0300_0001, 0x800F_0000, 0xA0E4_0000, 0xA0E4_0000, END]), ["E-LEN"]);
}

#[test]
fn length_too_short() {
    assert_eq!(refuse(&[VS_2_0, 0x0200_0002, 0x800F_0000, 0xA0E4_0000, END]), ["E-LEN"]);
    // The relative token of the last source is missing.
    assert_eq!(refuse(&[VS_2_0, 0x0200_0001, 0x800F_0000, 0xA0E4_2000, END]), ["E-LEN"]);
    // Two sources fit neither form of sgn and sincos.
    assert_eq!(refuse(&[PS_2_0, 0x0300_0025, 0x8003_0000, 0x8000_0000, 0xA0E4_0000, END]), ["E-LEN"]);
}

#[test]
fn truncated_def() {
    assert_eq!(refuse(&[VS_2_0, 0x0500_0051, 0xA00F_0000, 0, END]), ["E-TRUNC"]);
    assert_eq!(refuse(&[VS_1_1, 0x0000_0051, 0xA00F_0000, 0, END]), ["E-TRUNC"]);
}

#[test]
fn operands_are_checked() {
    assert_eq!(refuse(&[VS_2_0, 0x0200_0001, 0x000F_0000, 0xA0E4_0000, END]), ["E-OPERAND"]);
    assert_eq!(refuse(&[VS_2_0, 0x0200_0001, 0x800F_0000, 0xAEE4_0000, END]), ["E-OPERAND"]);
    assert_eq!(refuse(&[VS_2_0, 0x0200_0001, 0x800F_0000, 0xAFE4_0000, END]), ["E-OPERAND"]);
    // Reserved bits 15:14 warn.
    let (shader, diags) = run(&[VS_2_0, 0x0200_0001, 0xC00F_4000, 0xA0E4_0000, END]);
    assert!(shader.is_some() && diags.iter().map(|d| d.code.id).eq(["W-PROFILE-RESERVED"]));
    // Comparison 0 and 7, texld kind 3.
    assert_eq!(refuse(&[PS_3_0, 0x0207_0029, 0x8000_0000, 0x8000_0000, 0x0000_002B, END]), ["E-CMP"]);
    assert_eq!(refuse(&[PS_3_0, 0x0200_0029, 0x8000_0000, 0x8000_0000, 0x0000_002B, END]), ["E-CMP"]);
    assert_eq!(refuse(&[PS_2_0, 0x0303_0042, 0x800F_0000, 0xB0E4_0000, 0xA0E4_0800, END]), ["E-CMP"]);
    // Reads and writes against the direction of a register.
    assert_eq!(refuse(&[VS_2_0, 0x0200_0001, 0x900F_0000, 0xA0E4_0000, END]), ["E-WRITE"]);
    assert_eq!(refuse(&[VS_2_0, 0x0200_0001, 0x800F_0000, 0xC0E4_0000, END]), ["E-WRITE"]);
    assert_eq!(refuse(&[PS_2_0, 0x0200_0001, 0x800F_0000, 0xB0E4_1000, END]), ["E-WRITE"]);
    // Registers that no version of the stage has.
    assert_eq!(refuse(&[PS_2_0, 0x0200_0001, 0x800F_1800, 0xA0E4_0000, END])[0], "E-REG");
    assert_eq!(refuse(&[VS_2_0, 0x0200_0001, 0xC00F_0003, 0xA0E4_0000, END]), ["E-REG"]);
    // All faults of one instruction, and those behind it, in one run.
    let all = refuse(&[VS_2_0, 0x0200_0001, 0xC00F_0003, 0xAEE4_0000, 0x0200_0001, 0x900F_0000, 0xA0E4_0000, END]);
    assert_eq!(all, ["E-REG", "E-OPERAND", "E-WRITE"]);
}

#[test]
fn diagnostics_carry_place_text_and_hint() {
    let (_, diags) = run(&[VS_2_0, 0, 0x0200_0001, 0x900F_0001, 0xA0E4_0000, END]);
    let diagnostic = diags.iter().next().expect("v1 is written");
    let label = &diagnostic.labels[0];
    assert_eq!((label.span.start, label.span.end), (8, 20), "byte range of the instruction");
    assert_eq!(label.excerpt.as_deref(), Some("mov v1, c0"));
    assert!(label.text.contains("word 2") && label.text.contains("byte 8"));
    assert!(diagnostic.message.contains("v1"));
}

// 5

#[test]
fn predicate_after_destination() {
    // (!p0) add r2, r2, r3
    let shader = accept(&[0xFFFE_0201, 0x1400_0002, 0x800F_0002, 0xBDE4_1000, 0x80E4_0002, 0x80E4_0003, END]);
    let add = &shader.instructions[0];
    assert!(add.predicate.is_some_and(|p| p.negate && p.swizzle.is_identity()));
    assert_eq!(add.sources.len(), 2);
    // Last place: source 0 would be p0.
    let last = refuse(&[0xFFFE_0201, 0x1400_0002, 0x800F_0002, 0x80E4_0002, 0x80E4_0003, 0xBDE4_1000, END]);
    assert!(last.contains(&"E-OPERAND"), "{last:?}");
    // Flow instructions and declarations take none.
    assert!(refuse(&[0xFFFE_0201, 0x1000_001C, END]).contains(&"E-OPERAND"));
}

#[test]
fn predicate_with_relative_dst() {
    // (p0) mov o[a0.x + 1], r0: destination, its relative token, predicate, source.
    let shader = accept(&[VS_3_0, 0x1400_0001, 0xE00F_2001, 0xB000_0000, 0xB0E4_1000, 0x80E4_0000, END]);
    let mov = &shader.instructions[0];
    assert_eq!(mov.destination.and_then(|d| d.relative).map(|r| r.index), Some(RelativeIndex::Address(0)));
    assert!(mov.predicate.is_some_and(|p| !p.negate));
    assert_eq!(mov.sources[0].register, Register::new(RegisterKind::Temp, 0));
}

// 6, 7, 9

#[test]
fn al_relative_token_identity_swizzle() {
    let shader = accept(&[VS_2_0, 0x0300_0001, 0xC00F_0000, 0xA0E4_2005, 0xF0E4_0800, END]);
    let relative = shader.instructions[0].sources[0].relative.expect("relative");
    assert_eq!(relative.index, RelativeIndex::Loop);
    assert!(!profile(&shader).contains(&"W-PROFILE-RELATIVE"));
}

#[test]
fn a0_relative_identity_swizzle() {
    let shader = accept(&[VS_2_0, 0x0300_0001, 0xC00F_0000, 0xA0E4_2005, 0xB0E4_0000, END]);
    assert_eq!(shader.instructions[0].sources[0].relative.map(|r| r.index), Some(RelativeIndex::Address(0)));
    assert_eq!(profile(&shader), ["W-PROFILE-RELATIVE"]);
}

#[test]
fn vs11_implicit_a0() {
    let shader = accept(&[VS_1_1, 1, 0xC00F_0000, 0xA0E4_2003, END]);
    let source = shader.instructions[0].sources[0];
    assert_eq!(source.relative.map(|r| r.index), Some(RelativeIndex::Address(0)));
    assert_eq!(source.register, Register::new(RegisterKind::Const, 3));
}

#[test]
fn vs20_explicit_a0_y() {
    let shader = accept(&[VS_2_0, 0x0300_0001, 0xC00F_0000, 0xA0E4_2003, 0xB055_0000, END]);
    assert_eq!(shader.instructions[0].sources[0].relative.map(|r| r.index), Some(RelativeIndex::Address(1)));
}

#[test]
fn relative_registers_by_version() {
    // v[aL + 12] of ps_3_0 and o[aL + 1] of vs_3_0 are native (1.18); the base may lie outside the file.
    accept(&[PS_3_0, 0x0300_0001, 0x800F_0000, 0x90E4_200C, 0xF0E4_0800, END]);
    accept(&[VS_3_0, 0x0400_0001, 0xE00F_2001, 0xF0E4_0800, 0x9001_2003, 0xB000_0000, END]);
    // v# in vs_2_0, r#, s#; anything in ps_2_0; another index register.
    assert_eq!(refuse(&[VS_2_0, 0x0300_0001, 0x800F_0000, 0x90E4_2000, 0xB000_0000, END]), ["E-REL"]);
    assert_eq!(refuse(&[VS_3_0, 0x0300_0001, 0x800F_0000, 0x80E4_2000, 0xB000_0000, END]), ["E-REL"]);
    assert_eq!(refuse(&[PS_2_0, 0x0300_0001, 0x800F_0000, 0xA0E4_2000, 0xF0E4_0800, END])[0], "E-REL");
    assert_eq!(refuse(&[VS_2_0, 0x0300_0001, 0x800F_0000, 0xA0E4_2000, 0x8000_0000, END]), ["E-REL"]);
    // A relative constant in ps_3_0 is a profile fault.
    let shader = accept(&[PS_3_0, 0x0300_0001, 0x800F_0800, 0xA0E4_2000, 0xF0E4_0800, END]);
    assert_eq!(profile(&shader), ["W-PROFILE-RELATIVE"]);
}

#[test]
fn const_banks_2049_4100_8191() {
    for (token, index) in [(0xB0E4_0801u32, 2049u16), (0xC0E4_0804, 4100), (0xD0E4_0FFF, 8191)] {
        let shader = accept(&[0xFFFE_02FF, 0x0200_0001, 0xC00F_0000, token, END]);
        assert_eq!(shader.instructions[0].sources[0].register, Register::new(RegisterKind::Const, index));
        assert!(profile(&shader).is_empty());
    }
}

// 10

#[test]
fn def_last_wins() {
    let shader = text("vs_2_0\ndef c1, 1, 2, 3, 4\ndef c1, 5, 6, 7, 8\nmov oPos, c1");
    assert_eq!(shader.defined_float(1).map(|bits| bits.map(f32::from_bits)), Some([5.0, 6.0, 7.0, 8.0]));
}

#[test]
fn def_after_code() {
    let shader = text("vs_2_0\nmov oPos, c1\ndef c1, 1, 2, 3, 4");
    assert_eq!(shader.defined_float(1).map(|bits| f32::from_bits(bits[3])), Some(4.0));
    assert_eq!(profile(&shader), ["W-PROFILE-ORDER"]);
}

#[test]
fn defi_negative() {
    let shader = accept(&[VS_2_0, 0x0500_0030, 0xF00F_0000, 0xFFFF_FFFF, 1, 10, 0, END]);
    assert_eq!(shader.definitions[0].value, DefinitionValue::Int([-1, 1, 10, 0]));
}

#[test]
fn defb_nonzero_is_true() {
    let shader = accept(&[VS_2_0, 0x0200_002F, 0xE00F_0800, 0x0000_0100, END]);
    assert_eq!(shader.definitions[0].value, DefinitionValue::Bool(0x100));
    assert_eq!(shader.definitions[0].register, Register::new(RegisterKind::ConstBool, 0));
}

#[test]
fn declarations_say_kind_and_semantic() {
    // dcl_volume s3, dcl_texcoord12 o11, dcl v1 of ps_2_0 whose usage word is ignored.
    let shader = accept(&[PS_2_0, 0x0200_001F, 0xA000_0000, 0xA00F_0803, 0x0200_001F, 0x8003_0005, 0x900F_0001, END]);
    assert_eq!(shader.sampler_kind(3), SamplerKind::Volume);
    assert_eq!(shader.declarations[1].semantic(shader.version), Some((Usage::Color, 1)));
    let shader = accept(&[VS_3_0, 0x0200_001F, 0x800C_0005, 0xE00F_000B, END]);
    assert_eq!(shader.declarations[0].semantic(shader.version), Some((Usage::TexCoord, 12)));
    // Usages and sampler kinds that do not exist.
    assert_eq!(refuse(&[VS_3_0, 0x0200_001F, 0x8000_000E, 0x900F_0000, END]), ["E-DCL"]);
    assert_eq!(refuse(&[PS_2_0, 0x0200_001F, 0xA800_0000, 0xA00F_0800, END]), ["E-DCL"]);
}

// 17, the part that decides how many words belong to the instruction

#[test]
fn sincos_and_sgn_counts() {
    let three = "sincos r0.xy, r1.x, c0, c1";
    assert!(profile(&text(&format!("ps_2_0\ndcl t0\nmov r1, t0\n{three}\nmov oC0, r0"))).is_empty());
    let one = text("ps_2_0\ndcl t0\nmov r1, t0\nsincos r0.xy, r1.x\nmov oC0, r0");
    assert_eq!(profile(&one), ["W-PROFILE-OPCODE"]);
    let shader = text("vs_3_0\ndcl_position o0\ndcl_texcoord v0\nsgn r0, v0\nsgn r1, v0, r2, r3\nmov o0, r0");
    assert_eq!(shader.instructions.iter().map(|i| i.sources.len()).collect::<Vec<_>>(), [1, 3, 1]);
}

// 24

#[test]
fn coissue_illegal_version() {
    assert_eq!(refuse(&[PS_2_0, 0x4200_0001, 0x8008_0000, 0xA0E4_0000, END]), ["E-COISSUE"]);
    assert_eq!(refuse(&[VS_1_1, 0x4000_0001, 0x8008_0000, 0xA0E4_0000, END]), ["E-COISSUE"]);
}

#[test]
fn coissue_places() {
    assert_eq!(refuse_text("ps_1_1\n+mov r0.a, v0"), ["E-COISSUE"]);
    assert_eq!(refuse_text("ps_1_1\nmov r0.rgb, v0\n+mov r0.a, v0\n+mov r1.a, v0"), ["E-COISSUE"]);
    assert_eq!(refuse_text("ps_1_1\nmov r0, v0\n+mov r1.a, v0"), ["E-COISSUE"]);
    text("ps_1_1\nmov r0.a, v0\n+mov r1.rgb, v0");
    text("ps_1_4\nmov r0.r, v0\n+mov r1.gb, v0");
    assert_eq!(refuse_text("ps_1_4\nmov r0.rg, v0\n+mov r1.gb, v0"), ["E-COISSUE"]);
    assert_eq!(refuse_text("ps_1_4\nmov r0.rgb, v0\nphase\n+mov r0.a, v0"), ["E-COISSUE"]);
}

// 32, the part of the text

#[test]
fn phase_places() {
    assert_eq!(refuse_text("ps_1_3\ntex t0\nphase\nmov r0, t0"), ["E-PHASE"]);
    assert_eq!(refuse_text("ps_1_4\nphase\nphase\nmov r0, c0"), ["E-PHASE"]);
    let shader = text("ps_1_4\ntexld r0, t0\nphase\nmov r0, r0");
    assert_eq!(shader.instructions[1].opcode, Opcode::Phase);
}

// 38

#[test]
fn breakc_all_six() {
    for comparison in Comparison::ALL {
        let name = comparison.name();
        let shader = text(&format!("ps_3_0\nrep i0\nbreak_{name} c0.x, c0.y\nendrep"));
        assert_eq!(shader.instructions[1].comparison, Some(comparison));
    }
}

#[test]
fn break_outside_loop() {
    for statement in ["break", "break_gt c0.x, c0.y", "breakp p0.x"] {
        assert_eq!(refuse_text(&format!("ps_3_0\nif b0\n{statement}\nendif")), ["E-BREAK"]);
    }
    // The loop of the caller is not the subroutine's.
    assert_eq!(refuse_text("ps_3_0\nrep i0\ncall l0\nendrep\nret\nlabel l0\nbreak\nret"), ["E-BREAK"]);
}

// 39

#[test]
fn label_order() {
    let shader = text("vs_2_0\ncall l1\nmov oPos, r0\nret\nlabel l1\ncall l0\nret\nlabel l0\nmov r0, c0\nret");
    let program = &shader.program;
    assert_eq!(program.main, 0..2);
    let bodies: Vec<_> = program.subroutines.iter().map(|s| (s.label, s.body.clone())).collect();
    assert_eq!(bodies, [(1, 4..5), (0, 7..8)]);
    assert_eq!(program.callees_first, [1, 0]);
    assert_eq!((program.call_depth, program.inlined_instructions), (2, 4));
    // A label that does not follow a ret, one that is missing, one that exists twice.
    assert_eq!(refuse_text("vs_2_0\ncall l0\nlabel l0\nret"), ["E-LABEL"]);
    assert_eq!(refuse_text("vs_2_0\ncall l0\nret"), ["E-LABEL"]);
    assert_eq!(refuse_text("vs_2_0\ncall l0\nret\nlabel l0\nret\nlabel l0\nret"), ["E-LABEL"]);
    // Backward but acyclic: l1 stands behind l0, which it calls.
    let shader = text("vs_2_x\ncall l1\nmov oPos, c0\nret\nlabel l0\nnop\nret\nlabel l1\ncall l0\nret");
    assert_eq!(profile(&shader), ["W-PROFILE-CALL"]);
}

#[test]
fn recursion() {
    assert_eq!(refuse_text("vs_2_0\ncall l0\nret\nlabel l0\ncall l0\nret"), ["E-CALL"]);
    let cycle = "vs_2_0\ncall l0\nret\nlabel l0\ncall l1\nret\nlabel l1\ncall l0\nret";
    assert_eq!(refuse_text(cycle), ["E-CALL"]);
}

// 40

#[test]
fn ret_inside_if() {
    let shader = text("vs_2_0\nmov oPos, c0\nif b0\nret\nendif\nmov oD0, c0\nret");
    assert_eq!((shader.program.early_returns.as_slice(), shader.program.main.clone()), (&[2][..], 0..5));
    assert_eq!(profile(&shader), ["W-PROFILE-RET"]);
}

#[test]
fn ret_missing_at_end() {
    assert_eq!(text("vs_2_0\nmov oPos, c0").program.main, 0..1);
    assert_eq!(refuse_text("vs_2_0\ncall l0\nret\nlabel l0\nnop"), ["E-LABEL"]);
}

#[test]
fn code_after_ret() {
    let shader = text("vs_2_0\nmov oPos, c0\nret\nmov oD0, c0\nmov oD1, c0");
    assert_eq!((shader.program.main.clone(), shader.program.unreachable.as_slice()), (0..1, &[2][..]));
    assert_eq!(profile(&shader), ["W-PROFILE-UNREACHABLE"]);
}

// 41

#[test]
fn if_else_unbalanced() {
    assert_eq!(refuse_text("ps_3_0\nif b0\nelse\n"), ["E-NEST"]);
    assert_eq!(refuse_text("ps_3_0\nelse"), ["E-NEST"]);
    assert_eq!(refuse_text("ps_3_0\nif b0\nelse\nelse\nendif"), ["E-NEST"]);
    let shader = text("ps_3_0\nif b0\nnop\nelse\nnop\nendif");
    let partner = |i| shader.program.partner(i);
    assert_eq!((partner(0), partner(2), partner(4)), (Some(2), Some(4), Some(2)));
}

#[test]
fn endif_without_if() {
    assert_eq!(refuse_text("ps_3_0\nendif"), ["E-NEST"]);
    assert_eq!(refuse_text("ps_3_0\nrep i0\nendloop\nendrep"), ["E-NEST"]);
}

#[test]
fn loop_straddles_if() {
    let (_, diags) = run(&[PS_3_0, 0x0100_0028, 0xE0E4_0800, 0x0100_0026, 0xF0E4_0000, 0x0000_002B, 0x0000_0027, END]);
    let first = diags.iter().next().expect("refused");
    assert_eq!(first.code.id, "E-NEST");
    let places: Vec<_> = first.labels.iter().map(|l| l.span.start).collect();
    assert_eq!(places, [20, 12], "both positions: the endif and the rep that is still open");
}

// 43

#[test]
fn same_register_overlap() {
    let dcl = |a: &str, b: &str| format!("vs_3_0\ndcl_position {a}\ndcl_texcoord {b}\nmov o0, c0");
    assert_eq!(refuse_text(&dcl("o0.xy", "o0.yz")), ["E-DCL"]);
    text(&dcl("o0.xy", "o0.zw"));
    // The same semantic twice, on one register or on two.
    text("vs_3_0\ndcl_position o0\ndcl_position o0\ndcl_texcoord v0\ndcl_texcoord v1\nmov o0, v0");
    // Registers that take no dcl.
    assert_eq!(refuse(&[VS_2_0, 0x0200_001F, 0x8000_0000, 0x800F_0000, END]), ["E-DCL"]);
    assert_eq!(refuse(&[PS_3_0, 0x0200_001F, 0x8000_0000, 0x800F_0800, END]), ["E-DCL"]);
}

// 54

#[test]
fn undeclared_temp_reads_zero() {
    let shader = text("ps_2_0\nmov oC0, r3");
    assert_eq!(profile(&shader), ["W-PROFILE-UNWRITTEN"]);
}

#[test]
fn ps1_r0_never_written() {
    let shader = text("ps_1_1\ntex t0\nmov r1, t0");
    assert_eq!(profile(&shader), ["W-PROFILE-R0"]);
}

// 56

#[test]
fn deep_nesting_65() {
    let nested = |depth: usize| format!("ps_3_0\n{}{}", "if b0\n".repeat(depth), "endif\n".repeat(depth));
    let shader = text(&nested(64));
    assert_eq!(shader.program.if_depth, 64);
    assert_eq!(profile(&shader), ["W-PROFILE-DEPTH"]);
    assert_eq!(refuse_text(&nested(65)), ["E-NEST"]);
}

#[test]
fn labels_many() {
    let mut source = String::from("vs_2_sw\nret\n");
    for i in 0..2048 {
        source += &format!("label l{i}\nret\n");
    }
    assert_eq!(text(&source).program.subroutines.len(), 2048);
    let limits = Limits { labels: 100, ..Limits::default() };
    let mut diags = Diags::new();
    let words = assemble(&source, SourceId(0), &AssembleOptions { limits, ..AssembleOptions::default() }, &mut diags);
    assert!(words.is_none() && diags.iter().map(|d| d.code.id).eq(["E-LABEL"]));
}

#[test]
fn calls_exponential() {
    // Each subroutine calls the next one twice: 2^40 instructions when written out.
    let mut source = String::from("vs_2_sw\ncall l0\nret\n");
    for i in 0..40 {
        source += &format!("label l{i}\ncall l{n}\ncall l{n}\nret\n", n = i + 1);
    }
    source += "label l40\nnop\nret\n";
    assert_eq!(refuse_text(&source), ["E-CALL"]);
}

// Section 1.11 to 1.14: one case a rule.

#[test]
fn profile_rules() {
    let cases = [
        // Opcodes and registers of other versions.
        ("vs_2_0\nsetp_gt p0, c0, c0\nmov oPos, c0", &["W-PROFILE-OPCODE", "W-PROFILE-REGISTER"][..]),
        ("ps_2_0\nslt r0, c0, c1\nmov oC0, r0", &["W-PROFILE-OPCODE"]),
        ("vs_2_0\nmov r12, c0\nmov oPos, r12", &["W-PROFILE-REGISTER"]),
        ("ps_2_0\nmov oC0, c32", &["W-PROFILE-REGISTER"]),
        ("ps_2_0\ndefi i0, 1, 0, 0, 0\nmov oC0, c0", &["W-PROFILE-OPCODE", "W-PROFILE-REGISTER"]),
        // Ports and slots.
        ("vs_2_0\nadd oPos, c0, c1", &["W-PROFILE-PORTS"]),
        ("ps_1_1\nmad r0, c0, c1, c2", &["W-PROFILE-PORTS"]),
        ("vs_2_x\nadd oPos, c0, c1", &[]),
        // Source modifiers.
        ("ps_2_0\ndcl t0\nadd r0, 1-t0, t0\nmov oC0, r0", &["W-PROFILE-SOURCE-MODIFIER"]),
        ("ps_1_1\nmov r0, -c0", &["W-PROFILE-SOURCE-MODIFIER"]),
        ("ps_1_3\nmov r0, v0_x2", &["W-PROFILE-SOURCE-MODIFIER"]),
        ("vs_2_0\nmov oPos, c0_abs", &["W-PROFILE-SOURCE-MODIFIER"]),
        ("ps_3_0\nadd oC0, c0_abs, c1", &["W-PROFILE-SOURCE-MODIFIER"]),
        ("ps_1_1\ntex t0\ntexbem t1, t0_bx2\nmov r0, t1", &["W-PROFILE-SOURCE-MODIFIER"]),
        ("ps_1_2\ntex t0\ntexbem t1, t0_bx2\nmov r0, t1", &[]),
        ("ps_1_4\ntexld r0, t0_dw.xyw\nmov r0, r0_dz", &["W-PROFILE-SOURCE-MODIFIER"]),
        // Result modifiers.
        ("vs_2_0\nmov_sat oPos, c0", &["W-PROFILE-RESULT-MODIFIER"]),
        ("vs_3_0\ndcl_position o0\nmov_sat o0, c0", &[]),
        ("ps_1_3\nmov_x8 r0, v0", &["W-PROFILE-RESULT-MODIFIER"]),
        ("ps_1_4\nmov_x8 r0, v0", &[]),
        ("ps_3_0\nmov_x2 oC0, c0", &["W-PROFILE-RESULT-MODIFIER"]),
        ("vs_3_0\ndcl_position o0\nmov_pp o0, c0", &["W-PROFILE-RESULT-MODIFIER"]),
        ("vs_3_0\ndcl_position_centroid o0\nmov o0, c0", &["W-PROFILE-RESULT-MODIFIER"]),
        // Swizzles and masks.
        ("ps_1_1\nmov r0, v0.b", &["W-PROFILE-SWIZZLE"]),
        ("ps_1_1\nmov r0.a, v0.b\n+mov r0.rgb, v0", &[]),
        ("ps_1_1\nmov r0.rg, v0\nmov r0, r0", &["W-PROFILE-MASK"]),
        ("ps_1_4\nmov r0, v0.gggg\nmov r0, r0.rrgg", &["W-PROFILE-SWIZZLE"]),
        ("ps_2_0\nmov r0, c0.yzxw\nmov oC0, r0.xxyy", &["W-PROFILE-SWIZZLE"]),
        ("ps_2_x\nmov r0, c0.yzxw\nmov oC0, r0.xxyy", &[]),
        ("ps_2_0\ndcl t0\ndcl_2d s0\ntexld r0, t0.yxzw, s0\nmov oC0, r0", &["W-PROFILE-SWIZZLE"]),
        ("vs_1_1\nfrc r0, c0\nmov oPos, r0", &["W-PROFILE-MASK"]),
        ("vs_1_1\nfrc r0.xy, c0\nmov oPos, r0", &[]),
        ("ps_3_0\nnrm r0, c0\nmov oC0, r0", &["W-PROFILE-MASK"]),
        ("vs_2_0\nrcp oPos, c0", &["W-PROFILE-SCALAR"]),
        ("ps_3_0\nif_gt c0, c0.x\nendif\nmov oC0, c0", &["W-PROFILE-SCALAR"]),
        ("ps_3_0\ndcl vFace\nif_gt vFace, c0.x\nendif\nmov oC0, c0", &[]),
        // Aliases.
        ("vs_2_0\nmov r0, c0\nm4x4 r0, r0, c0\nmov oPos, r0", &["W-PROFILE-ALIAS"]),
        (
            "vs_2_0\nmov r2, c0\nmov r1, c0\nmov r3, c0\nm3x3 r2.xyz, r3, r0\nmov oPos, r2",
            &["W-PROFILE-ALIAS", "W-PROFILE-UNWRITTEN"],
        ),
        ("vs_2_0\nmov r0, c0\npow r0, c0.x, r0.x\nmov oPos, r0", &["W-PROFILE-ALIAS"]),
        // Undeclared registers.
        ("vs_2_0\nmov oPos, v0", &["W-PROFILE-UNDECLARED"]),
        ("vs_1_1\nmov oPos, v0", &[]),
        ("vs_3_0\ndcl_position o0\nmov o0, c0\nmov o1, c0", &["W-PROFILE-UNDECLARED"]),
        ("ps_2_0\ndcl t0\ntexld r0, t0, s0\nmov oC0, r0", &["W-PROFILE-SAMPLER"]),
        // a0 and position.
        ("vs_2_0\nmov a0.x, c0.x\nmov oPos, c0", &["W-PROFILE-ADDRESS"]),
        ("vs_1_1\nmov a0.x, c0.x\nmov oPos, c0", &[]),
        ("vs_1_1\nmov oD0, c0", &["E-NOPOS"]),
        ("vs_3_0\ndcl_texcoord o0\nmov o0, c0", &["E-NOPOS"]),
        // Outputs.
        ("ps_2_0\nadd oC0, c0, c0", &["W-PROFILE-OUTPUT"]),
        ("ps_2_0\nmov oC0.xy, c0", &["W-PROFILE-OUTPUT"]),
        ("ps_2_0\nmov oC0, c0\nmov oC0, c1", &["W-PROFILE-OUTPUT"]),
        ("ps_2_0\nmov oC1, c0", &["W-PROFILE-OUTPUT"]),
        ("ps_2_0\nmov oC0, c0\nmov oDepth, c0", &["W-PROFILE-OUTPUT"]),
        ("ps_3_0\nadd oC0.xy, c0, c0\nmov oC0.zw, c0", &[]),
        ("vs_1_1\nmov oPos, c0\nmov oT1, c0", &["W-PROFILE-TEXCOORD-GAP"]),
        ("vs_1_1\nmov oPos, c0\nmov oT0.xz, c0", &["W-PROFILE-TEXCOORD-GAP"]),
        // Texture addressing of ps_1_x, and what each phase may read.
        ("ps_1_1\ntexcoord t0\nmov r0, t1", &["W-PROFILE-UNWRITTEN"]),
        ("ps_1_1\ntex t1\ntexbem t0, t1\nmov r0, t0", &["W-PROFILE-TEXTURE"]),
        ("ps_1_1\ntex t0\ntexm3x2pad t1, t0\ntexm3x2tex t3, t0\nmov r0, t3", &["W-PROFILE-TEXTURE"]),
        ("ps_1_1\ntex t0\ntexm3x3pad t1, t0\ntexm3x3pad t2, t0\ntexm3x3tex t3, t0\nmov r0, t3", &[]),
        ("ps_1_4\nmov r0, t0", &["W-PROFILE-READ"]),
        ("ps_1_4\nmov r0, v0\nphase\nmov r0, r0", &["W-PROFILE-READ"]),
        ("ps_1_1\ntex t0\nmov r1, t0\ncnd r0, r1.a, v0, v1", &["W-PROFILE-CND"]),
        ("ps_1_1\ntex t0\nmov r0, t0\ncnd r0, r0.a, v0, v1", &[]),
        // Gradients where neighbours may not run.
        (
            "ps_3_0\ndcl_texcoord v0\ndcl_2d s0\nif_gt v0.x, v0.y\nmul r0, v0, v0\ntexld r0, r0, s0\nendif\nmov oC0, r0",
            &["W-PROFILE-GRADIENT"],
        ),
    ];
    for (source, expected) in cases {
        let mut found = profile(&text(source));
        found.sort_unstable();
        found.dedup();
        assert_eq!(found, expected, "{source}");
    }
}

#[test]
fn slots_by_version() {
    let adds = |version: &str, count: usize| {
        format!("{version}\nmov r0, c0\n{}mov oPos, r0", "add r0, r0, c0\n".repeat(count))
    };
    assert!(profile(&text(&adds("vs_1_1", 126))).is_empty());
    assert_eq!(profile(&text(&adds("vs_1_1", 127))), ["W-PROFILE-SLOTS"]);
    assert!(profile(&text(&adds("vs_2_sw", 1000))).is_empty());
    let slots = |source: &str| {
        let slots = text(source).slots();
        (slots.texture, slots.arithmetic)
    };
    assert_eq!(
        slots("ps_2_0\ndcl t0\ndcl_2d s0\ntexld r0, t0, s0\nnrm r1.xyz, r0\nlrp r0, r1, r0, c0\nmov oC0, r0"),
        (1, 6)
    );
    assert_eq!(slots("vs_2_0\nm4x4 oPos, v0, c0\nlit r0, c0\nsincos r0.xy, c0.x, c1, c2\nrep i0\nendrep"), (0, 20));
    assert_eq!(slots("ps_1_1\ntex t0\ntexbeml t1, t0\nmov r0, t1"), (2, 2));
    assert_eq!(slots("ps_1_2\ncmp r0, v0, v1, v0"), (0, 2));
    assert_eq!(slots("ps_3_0\ndcl_cube s0\ntexldl r0, c0, s0\n"), (5, 0));
    assert_eq!(slots("ps_3_0\nsetp_gt p0, c0, c1\n(p0) mov oC0, c0"), (0, 3));
}

#[test]
fn dependent_reads_of_ps_2_0() {
    let chain = |count: usize| {
        format!("ps_2_0\ndcl t0\ndcl_2d s0\ntexld r0, t0, s0\n{}mov oC0, r0", "texld r0, r0, s0\n".repeat(count))
    };
    assert!(profile(&text(&chain(4))).is_empty());
    assert_eq!(profile(&text(&chain(5))), ["W-PROFILE-DEPENDENT"]);
}

#[test]
fn versions_are_listed_in_messages() {
    let shader = text("ps_2_0\nsetp_gt p0, c0, c0\nmov oC0, c0");
    let mut diags = Diags::new();
    validate::profile(&shader, false, &mut diags);
    let message = &diags.iter().next().expect("a fault").message;
    assert!(message.contains("ps_2_x and later"), "{message}");
    assert_eq!(shader.version, Version::pixel(2, 0));
}

/// Twice the input takes about twice the time: errors at each word, nested blocks, definitions, labels.
#[test]
fn hostile_streams_take_linear_time() {
    let endless = |head: u32, pattern: &[u32], times: usize| {
        let mut words = vec![head];
        words.extend(pattern.iter().copied().cycle().take(pattern.len() * times));
        words.push(END);
        bytes(&words)
    };
    let patterns: [&[u32]; 7] = [
        &[0x0000_0035],
        &[0x0100_0026, 0xF0E4_0000, 0x0000_0027],
        &[0x0500_0051, 0xA00F_0000, 0, 0, 0, 0],
        &[0x0200_001F, 0x8000_0005, 0x9001_0000],
        &[0x0100_0019, 0xA0E4_1000],
        &[0x0000_002B],
        &[0x0200_0001, 0x800F_0000, 0x80E4_0001],
    ];
    for pattern in patterns {
        let data = endless(PS_3_0, pattern, 300_000 / pattern.len());
        let start = std::time::Instant::now();
        let mut diags = Diags::new();
        if let Some(shader) = decode(&data, SourceId(0), &DecodeOptions::default(), &mut diags) {
            validate::profile(&shader, false, &mut diags);
        }
        assert!(start.elapsed().as_secs() < 20, "{pattern:08X?}: {:?}", start.elapsed());
    }
    assert_eq!(refuse(&[PS_1_4, 0x35, END]), ["E-OPCODE"]);
}
