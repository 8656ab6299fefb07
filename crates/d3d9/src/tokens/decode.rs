//! Words to [`Shader`] (sheet 1.1 to 1.10).
//!
//! The decoder goes on after an error, so that one run lists all of them. An operand that names no register becomes
//! [`INVALID`], which raises no second message.

mod operand;

use super::container::{self, FileKind};
use super::opcode::{COMMENT, DestinationRule, END, Kind};
use super::*;
use crate::codes;
use aquatint_base::{Code, Diagnostic, Diags, Limits, Severity, SourceId, Span};
use smallvec::SmallVec;

/// How to decode.
#[derive(Clone, Debug, Default)]
pub struct DecodeOptions {
    /// Profile faults are errors. The decoder itself meets only those that the words alone show (reserved bits); the
    /// rest is [`validate::profile`]'s.
    pub strict: bool,
    /// Bounds.
    pub limits: Limits,
}

/// The register of an operand that names none. Nothing but the decoder's own checks ever sees it.
pub(crate) const INVALID: Register = Register::new(RegisterKind::Temp, u16::MAX);

/// Decodes a stream, or the first feature level 9 stream of a `DXBC` container, and checks the structural rules (1.15, 1.16).
///
/// All diagnostics carry the byte range, the disassembled instruction and a hint. `None` where there was an error.
pub fn decode(bytes: &[u8], source: SourceId, options: &DecodeOptions, diags: &mut Diags) -> Option<Shader> {
    let errors = diags.errors();
    let stream = locate(bytes, source, options, diags)?;
    let base = stream.start as u32;
    let words: Box<[u32]> =
        bytes.get(stream)?.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
    let version = Version::from_word(*words.first()?)?;
    // A guess that fits real code: an instruction takes four words.
    let instructions = Vec::with_capacity((words.len() / 4).min(1 << 12));
    let shader = Shader {
        version,
        words: Box::default(),
        instructions,
        declarations: Vec::new(),
        definitions: Vec::new(),
        samplers: [None; 16],
        comments: Vec::new(),
        program: Program::default(),
        end: 0,
        trailing_words: 0,
        source,
        base,
    };
    let mut decoder =
        Decoder { words: &words, version, shader, strict: options.strict, diags, pending: SmallVec::new() };
    decoder.run();
    let mut shader = decoder.shader;
    shader.words = words;
    shader.program = structure::analyse(&shader, &options.limits, diags);
    validate::structural(&shader, diags);
    (diags.errors() == errors).then_some(shader)
}

/// The bytes of the stream in a file.
fn locate(
    bytes: &[u8],
    source: SourceId,
    options: &DecodeOptions,
    diags: &mut Diags,
) -> Option<std::ops::Range<usize>> {
    let whole = Span::new(source, 0, u32::try_from(bytes.len()).unwrap_or(u32::MAX));
    let head = Span::new(source, 0, whole.end.min(4));
    if bytes.len() > options.limits.input_bytes {
        let (length, limit) = (bytes.len(), options.limits.input_bytes);
        diags.push(
            Diagnostic::error(&codes::E_SIZE, format!("the input has {length} bytes, the limit is {limit}"))
                .at(whole, "")
                .help("raise the limit if this is a shader at all"),
        );
        return None;
    }
    let mut refuse = |message: &str, help: &str| {
        diags.push(Diagnostic::error(&codes::E_FORMAT, message).at(head, "the first word").help(help));
        None
    };
    let stream = match container::identify(bytes) {
        FileKind::Effect | FileKind::WrappedEffect => {
            return refuse("this is an fx_2_0 effect, not a shader", "extract its shaders first");
        }
        FileKind::Expression => {
            return refuse(
                "this is an FX expression or preshader, not a shader",
                "read it as a preshader: it runs on the CPU and fills constants",
            );
        }
        FileKind::TextureShader => {
            return refuse(
                "texture shaders (tx_1_0) are not supported",
                "evaluate it with D3DX, or supply the texture",
            );
        }
        FileKind::Container => match container::streams(bytes).into_iter().next() {
            Some(stream) => stream,
            None => {
                return refuse(
                    "this DXBC container has no feature level 9 stream",
                    "it holds Direct3D 10+ code; compile for a `_level_9_` target to get an Aon9 chunk",
                );
            }
        },
        FileKind::Shader(_) | FileKind::Unknown => 0..bytes.len(),
    };
    let length = stream.len();
    if !length.is_multiple_of(4) || length < 8 {
        let message = format!("the stream has {length} bytes, expected a multiple of 4 and at least 8");
        diags.push(
            Diagnostic::error(&codes::E_SIZE, message)
                .at(whole, "the whole input")
                .help("the file was cut, padded or converted as text"),
        );
        return None;
    }
    let first = bytes.get(stream.start..stream.start + 4)?.try_into().ok().map(u32::from_le_bytes)?;
    if Version::from_word(first).is_none() {
        let message = match first >> 16 {
            0xFFFE => format!("vertex shader version {}.{} does not exist", first >> 8 & 0xFF, first & 0xFF),
            0xFFFF => format!("pixel shader version {}.{} does not exist", first >> 8 & 0xFF, first & 0xFF),
            _ => format!(
                "the first word {first:08X} is no version word (major {}, minor {})",
                first >> 8 & 0xFF,
                first & 0xFF
            ),
        };
        diags.push(
            Diagnostic::error(&codes::E_VERSION, message)
                .at(head, "the version word")
                .help("a stream begins with FFFE MMmm (vertex) or FFFF MMmm (pixel), stored little-endian"),
        );
        return None;
    }
    Some(stream)
}

/// A fault of the instruction in hand, kept until the instruction can be printed.
struct Fault {
    severity: Severity,
    code: &'static Code,
    message: String,
    help: &'static str,
}

struct Decoder<'a> {
    words: &'a [u32],
    version: Version,
    shader: Shader,
    strict: bool,
    diags: &'a mut Diags,
    pending: SmallVec<[Fault; 1]>,
}

/// The words of one instruction that are not read yet.
struct Operands<'a> {
    words: &'a [u32],
    at: usize,
}

impl Operands<'_> {
    #[inline]
    fn next(&mut self) -> Option<u32> {
        let word = *self.words.get(self.at)?;
        self.at += 1;
        Some(word)
    }

    fn left(&self) -> usize {
        self.words.len() - self.at.min(self.words.len())
    }
}

impl Decoder<'_> {
    fn run(&mut self) {
        let mut at = 1usize;
        loop {
            let Some(&token) = self.words.get(at) else {
                let span = self.shader.span(self.words.len() as u32 - 1, 1);
                self.diags.push(
                    Diagnostic::error(&codes::E_END, "the stream ends without the END token 0000FFFF")
                        .at(span, format!("word {} is the last one", self.words.len() - 1))
                        .help("the file was cut, or an instruction before claims too many words"),
                );
                self.shader.end = self.words.len() as u32;
                return;
            };
            if token == END {
                self.shader.end = at as u32;
                self.shader.trailing_words = (self.words.len() - at - 1) as u32;
                return;
            }
            let next = if token & 0x8000_FFFF == u32::from(COMMENT) {
                self.comment(at, token)
            } else {
                self.instruction(at, token)
            };
            match next {
                Some(next) => at = next,
                None => {
                    self.shader.end = self.words.len() as u32;
                    return;
                }
            }
        }
    }

    /// Enters a comment; the index behind it, or `None` where it does not fit.
    fn comment(&mut self, at: usize, token: u32) -> Option<usize> {
        let length = (token >> 16 & 0x7FFF) as usize;
        let end = at + 1 + length;
        if end > self.words.len() {
            let left = self.words.len() - at - 1;
            self.diags.push(
                Diagnostic::error(
                    &codes::E_TRUNC,
                    format!("the comment at word {at} claims {length} words, {left} are left"),
                )
                .at_excerpt(self.shader.span(at as u32, 1), format!("word {at}, byte {}", at * 4), "comment")
                .help("the file was cut, or the length in bits 30:16 of the token is damaged"),
            );
            return None;
        }
        let fourcc = if length == 0 { None } else { self.words.get(at + 1).map(|w| w.to_le_bytes()) };
        self.shader.comments.push(Comment { word: at as u32, fourcc, payload: at as u32 + 1..end as u32 });
        Some(end)
    }

    /// Decodes one instruction; the index behind it, or `None` where decoding cannot go on.
    fn instruction(&mut self, at: usize, token: u32) -> Option<usize> {
        let number = token as u16;
        let long = self.version.major >= 2 && number != opcode::PHASE;
        let length = if long { (token >> 24 & 0xF) as usize } else { 0 };
        let rest = self.words.get(at + 1..).unwrap_or(&[]);
        if length > rest.len() {
            let name = Opcode::from_number(number).map_or("?", |o| o.row().name);
            let message = format!("{name} at word {at} claims {length} words, {} are left", rest.len());
            self.report(
                at,
                1,
                &codes::E_TRUNC,
                message,
                "the file was cut, or bits 27:24 of the token are damaged",
                name,
            );
            return None;
        }
        let known = Opcode::from_number(number).filter(|_| token & 0x8000_0000 == 0);
        let Some(op) = known else {
            let message = match token >> 31 {
                0 => format!("opcode {number} ({number:#X}) at word {at} does not exist"),
                _ => format!("word {at} is {token:08X}, an operand where an opcode belongs"),
            };
            let help = match long {
                true => "the instruction is skipped by its length",
                false => "version 1 stores no lengths, so nothing behind this word can be read",
            };
            self.report(at, 1 + length as u32, &codes::E_OPCODE, message, help, "?");
            return long.then_some(at + 1 + if token >> 31 == 0 { length } else { 0 });
        };
        if !op.exists_in(self.version.stage) {
            let message = format!("{} at word {at} exists in no {} version", op.row().name, self.version.stage.name());
            self.fault(&codes::E_OPCODE, message, "the opcode belongs to the other stage");
        }
        let operands = match long {
            true => rest.get(..length).unwrap_or(&[]),
            false => match rest.get(..self.words_of_version_1(op)) {
                Some(words) => words,
                None => {
                    let wanted = self.words_of_version_1(op);
                    let message =
                        format!("{} at word {at} takes {wanted} words, {} are left", op.row().name, rest.len());
                    self.report(at, 1, &codes::E_TRUNC, message, "the file was cut", op.row().name);
                    return None;
                }
            },
        };
        let mut operands = Operands { words: operands, at: 0 };
        self.flags(op, token);
        let end = at + 1 + operands.words.len();
        let place = (at as u32, (end - at) as u32);
        match op.kind() {
            Kind::Declaration => self.declaration(op, token, &mut operands, place),
            Kind::Definition => self.definition(op, token, &mut operands, place),
            _ => self.ordinary(op, token, &mut operands, place),
        }
        Some(end)
    }

    /// Operand words of an instruction of version 1, whose token does not hold them (sheet 1.3).
    fn words_of_version_1(&self, op: Opcode) -> usize {
        match op {
            Opcode::Dcl => 2,
            Opcode::Def | Opcode::DefI => 5,
            Opcode::DefB => 2,
            _ => {
                let destination = usize::from(op.row().destination != DestinationRule::None);
                destination + usize::from(op.source_counts(self.version).1)
            }
        }
    }

    /// The bits of the opcode token that are neither opcode nor length.
    fn flags(&mut self, op: Opcode, token: u32) {
        let controls = token >> 16 & 0xFF;
        let used = match op {
            _ if op.has_comparison() => 0x07,
            Opcode::Tex if self.version.major >= 2 => 0x03,
            _ => 0,
        };
        if controls & !used != 0 || token & 0x2000_0000 != 0 {
            self.profile(
                &codes::W_PROFILE_RESERVED,
                format!("{} has reserved bits {:08X} set", op.row().name, token & 0x20FF_0000 & !(used << 16)),
            );
        }
        if token & 0x1000_0000 != 0 {
            let kind = op.kind();
            if self.version.major == 1 {
                self.fault(
                    &codes::E_OPERAND,
                    format!("{} is predicated in {}", op.row().name, self.version),
                    "predicates exist from vs_2_x and ps_2_x on",
                );
            } else if matches!(kind, Kind::Declaration | Kind::Definition)
                || op.row().destination == DestinationRule::None
            {
                self.fault(
                    &codes::E_OPERAND,
                    format!("{} cannot be predicated", op.row().name),
                    "only instructions with a destination take a predicate; use if, breakp or callnz",
                );
            }
        }
        if token & 0x4000_0000 != 0 && !self.version.is_ps_1() {
            self.fault(
                &codes::E_COISSUE,
                format!("{} is co-issued in {}", op.row().name, self.version),
                "only ps_1_x pairs instructions",
            );
        }
    }

    fn ordinary(&mut self, op: Opcode, token: u32, operands: &mut Operands<'_>, (word, words): (u32, u32)) {
        let controls = token >> 16 & 0xFF;
        let mut comparison = None;
        if op.has_comparison() {
            comparison = Comparison::from_number(controls & 7);
            if comparison.is_none() {
                self.fault(
                    &codes::E_CMP,
                    format!("{} has comparison {}, expected 1 to 6", op.row().name, controls & 7),
                    "1 gt, 2 eq, 3 ge, 4 lt, 5 ne, 6 le",
                );
            }
        }
        let mut texld = TexldKind::Plain;
        if op == Opcode::Tex && self.version.major >= 2 {
            texld = match controls & 3 {
                0 => TexldKind::Plain,
                1 => TexldKind::Project,
                2 => TexldKind::Bias,
                _ => {
                    self.fault(
                        &codes::E_CMP,
                        "texld has kind 3, expected 0 to 2".into(),
                        "0 texld, 1 texldp, 2 texldb",
                    );
                    TexldKind::Plain
                }
            };
        }
        let mut short = false;
        let mut destination = None;
        if op.row().destination != DestinationRule::None {
            destination = self.destination(op, operands);
            short = destination.is_none();
        }
        let mut predicate = None;
        if token & 0x1000_0000 != 0 && self.version.major >= 2 && !short {
            match operands.next() {
                Some(word) => predicate = Some(self.predicate(op, word)),
                None => short = true,
            }
        }
        let mut sources = Sources::new();
        let (fewest, most) = op.source_counts(self.version);
        while !short && sources.len() < usize::from(most) {
            if sources.len() == usize::from(fewest) && operands.left() == 0 {
                break;
            }
            match self.source(op, sources.len(), operands) {
                Some(source) => sources.push(source),
                None => short = true,
            }
        }
        if short {
            let message = match words {
                1 => format!("{} has length 0, but it has operands", op.row().name),
                _ => format!("{} needs more operand words than its length {}", op.row().name, words - 1),
            };
            self.fault(&codes::E_LEN, message, "bits 27:24 of the token count all words behind it");
        } else if operands.left() > 0 {
            let (left, length) = (operands.left(), words - 1);
            self.fault(
                &codes::E_LEN,
                format!("{} has length {length}, its operands take {}", op.row().name, length as usize - left),
                "bits 27:24 of the token count all words behind it",
            );
        }
        let instruction = Instruction {
            opcode: op,
            comparison,
            texld,
            predicate,
            coissue: token & 0x4000_0000 != 0,
            destination,
            sources,
            word,
            words,
        };
        if !self.pending.is_empty() {
            let excerpt = crate::disassemble::instruction_text(self.version, &instruction);
            self.flush(word, words, &excerpt);
        }
        // An instruction without its operands would only raise more messages, unless it is part of the nesting.
        if !short || op.kind() == Kind::Flow {
            self.shader.instructions.push(instruction);
        }
    }

    fn declaration(&mut self, op: Opcode, token: u32, operands: &mut Operands<'_>, (word, words): (u32, u32)) {
        let usage_word = operands.next();
        let destination = match usage_word {
            Some(_) => self.destination(op, operands),
            None => None,
        };
        let (Some(usage_word), Some(destination)) = (usage_word, destination) else {
            self.fault(&codes::E_LEN, "dcl has fewer than two operand words".into(), "dcl has length 2");
            return self.flush(word, words, "dcl");
        };
        if operands.left() > 0 {
            self.fault(&codes::E_LEN, format!("dcl has length {}, expected 2", words - 1), "dcl has length 2");
        }
        if token & 0x4000_0000 != 0 && self.version.is_ps_1() {
            self.fault(&codes::E_COISSUE, "dcl cannot be co-issued".into(), "clear bit 30");
        }
        if usage_word >> 31 == 0 {
            self.fault(
                &codes::E_OPERAND,
                format!("the usage word {usage_word:08X} has bit 31 clear"),
                "every operand word has bit 31 set",
            );
        }
        let is_sampler = destination.register.kind == RegisterKind::Sampler;
        if usage_word & 0x07F0_FFE0 != 0 {
            self.profile(
                &codes::W_PROFILE_RESERVED,
                format!("the usage word has reserved bits {:08X} set", usage_word & 0x07F0_FFE0),
            );
        }
        let kind = (usage_word >> 27 & 0xF) as usize;
        let sampler = SamplerKind::ALL.get(kind).copied();
        if is_sampler && sampler.is_none() {
            self.fault(&codes::E_DCL, format!("sampler kind {kind} does not exist"), "1 1D, 2 2D, 3 cube, 4 volume");
        }
        // In ps_2 the register decides the semantic, whatever the usage word says.
        let usage = Usage::from_number(usage_word & 0x1F);
        if usage.is_none() && !is_sampler && !(self.version.is_pixel() && self.version.major < 3) {
            self.fault(
                &codes::E_DCL,
                format!("usage {} does not exist", usage_word & 0x1F),
                "usages are 0 position to 13 sample",
            );
        }
        let declaration = Declaration {
            destination,
            usage: usage.unwrap_or(Usage::Position),
            usage_index: (usage_word >> 16 & 0xF) as u8,
            sampler: sampler.unwrap_or_default(),
            word,
            words,
        };
        if !self.pending.is_empty() {
            let excerpt = crate::disassemble::declaration_text(self.version, &declaration);
            self.flush(word, words, &excerpt);
        }
        if is_sampler && let Some(slot) = self.shader.samplers.get_mut(usize::from(destination.register.index)) {
            *slot = Some(declaration.sampler);
        }
        self.shader.declarations.push(declaration);
    }

    fn definition(&mut self, op: Opcode, token: u32, operands: &mut Operands<'_>, (word, words): (u32, u32)) {
        let name = op.row().name;
        let payload = if op == Opcode::DefB { 1 } else { 4 };
        let destination = self.destination(op, operands);
        let mut values = [0u32; 4];
        let mut complete = destination.is_some();
        for value in values.iter_mut().take(payload) {
            match operands.next() {
                Some(word) => *value = word,
                None => complete = false,
            }
        }
        let Some(destination) = destination.filter(|_| complete) else {
            self.fault(
                &codes::E_LEN,
                format!("{name} has length {}, expected {}", words - 1, payload + 1),
                "def and defi have length 5, defb 2",
            );
            return self.flush(word, words, name);
        };
        if operands.left() > 0 {
            self.fault(
                &codes::E_LEN,
                format!("{name} has length {}, expected {}", words - 1, payload + 1),
                "def and defi have length 5, defb 2",
            );
        }
        if token & 0x4000_0000 != 0 && self.version.is_ps_1() {
            self.fault(&codes::E_COISSUE, format!("{name} cannot be co-issued"), "clear bit 30");
        }
        let (wanted, value) = match op {
            Opcode::DefI => (RegisterKind::ConstInt, DefinitionValue::Int(values.map(|v| v as i32))),
            Opcode::DefB => (RegisterKind::ConstBool, DefinitionValue::Bool(values[0])),
            _ => (RegisterKind::Const, DefinitionValue::Float(values)),
        };
        let register = destination.register;
        if register.kind != wanted && register != INVALID {
            self.fault(
                &codes::E_WRITE,
                format!("{name} defines {}#, not {}{}", wanted.name(), register.kind.name(), register.index),
                "def defines c#, defi i#, defb b#",
            );
        }
        let definition = Definition { register, value, word, words };
        if !self.pending.is_empty() {
            let excerpt = crate::disassemble::definition_text(self.version, &definition);
            self.flush(word, words, &excerpt);
        }
        self.shader.definitions.push(definition);
    }

    #[cold]
    fn fault(&mut self, code: &'static Code, message: String, help: &'static str) {
        self.pending.push(Fault { severity: Severity::Error, code, message, help });
    }

    #[cold]
    fn profile(&mut self, code: &'static Code, message: String) {
        let severity = if self.strict { Severity::Error } else { Severity::Warning };
        self.pending.push(Fault { severity, code, message, help: "clear the bits" });
    }

    /// Reports the pending faults at an instruction.
    #[cold]
    fn flush(&mut self, word: u32, words: u32, excerpt: &str) {
        let span = self.shader.span(word, words);
        for fault in self.pending.drain(..) {
            let place = format!("word {word}, byte {}", span.start);
            self.diags.push(
                Diagnostic::new(fault.severity, fault.code, fault.message)
                    .at_excerpt(span, place, excerpt)
                    .help(fault.help),
            );
        }
    }

    #[cold]
    fn report(
        &mut self,
        at: usize,
        words: u32,
        code: &'static Code,
        message: String,
        help: &'static str,
        excerpt: &str,
    ) {
        self.fault(code, message, help);
        self.flush(at as u32, words, excerpt);
    }
}
