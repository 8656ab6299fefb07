//! Mutations that know a little of what they change, so that more of the inputs get past the reader.
//!
//! Each takes what libFuzzer hands a custom mutator, and libFuzzer's own mutator, to which every third call goes.

use aquatint_d3d9::tokens::opcode::{self, DestinationRule, END};
use std::ops::Range;

/// libFuzzer's own mutator.
pub type Plain = fn(&mut [u8], usize, usize) -> usize;

struct Random(u64);

impl Random {
    fn new(seed: u32) -> Self {
        Self((u64::from(seed) + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() >> 20) as usize % limit.max(1)
    }

    fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    fn range(&mut self, length: usize, longest: usize) -> Range<usize> {
        let start = self.below(length);
        start..(start + 1 + self.below(longest)).min(length)
    }
}

fn put(data: &mut [u8], bytes: &[u8], max_size: usize) -> usize {
    let length = bytes.len().min(max_size).min(data.len());
    data[..length].copy_from_slice(&bytes[..length]);
    length
}

// ---- text

/// What a piece of text is, for exchanging like with like.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Blank,
    Word,
    Number,
    Value,
    Mark,
}

fn pieces(text: &str) -> Vec<(Class, &str)> {
    let part = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let mut all = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let (class, length) = match first {
            c if c.is_whitespace() => (Class::Blank, c.len_utf8()),
            '%' | '@' => (Class::Value, 1 + rest[1..].find(|c: char| !part(c)).unwrap_or(rest.len() - 1)),
            c if c.is_ascii_digit() => (Class::Number, rest.find(|c: char| !part(c)).unwrap_or(rest.len())),
            c if part(c) => (Class::Word, rest.find(|c: char| !part(c)).unwrap_or(rest.len())),
            c => (Class::Mark, c.len_utf8()),
        };
        let (piece, behind) = rest.split_at(length);
        all.push((class, piece));
        rest = behind;
    }
    all
}

const NUMBERS: &[&str] = &[
    "0",
    "1",
    "2",
    "3",
    "4",
    "5",
    "8",
    "15",
    "16",
    "31",
    "32",
    "63",
    "64",
    "255",
    "256",
    "2147483647",
    "2147483648",
    "4294967295",
    "4294967296",
    "18446744073709551615",
    "0.0",
    "0.5",
    "1.0",
    "1e38",
    "3.4028235e38",
    "1e-45",
    "1e400",
    "inf",
    "nan(0x7fc00000)",
    "9999999999999999999999",
];

/// Exchanges, copies and removes words and lines. `words` are those of the language.
pub fn text(data: &mut [u8], size: usize, max_size: usize, seed: u32, plain: Plain, words: &[&str]) -> usize {
    let random = &mut Random::new(seed);
    let Ok(input) = std::str::from_utf8(&data[..size]) else { return plain(data, size, max_size) };
    if size == 0 || random.below(3) == 0 {
        return plain(data, size, max_size);
    }
    let mut out = input.to_owned();
    for _ in 0..1 + random.below(3) {
        out = match random.below(3) {
            _ if out.is_empty() => random.of(words).to_owned(),
            0 => lines(&out, random),
            _ => word(&out, random, words),
        };
    }
    put(data, out.as_bytes(), max_size)
}

fn word(input: &str, random: &mut Random, words: &[&str]) -> String {
    let mut all = pieces(input);
    let candidates: Vec<usize> = (0..all.len()).filter(|&i| all[i].0 != Class::Blank).collect();
    if candidates.is_empty() {
        return random.of(words).to_owned();
    }
    let at = random.of(&candidates);
    let class = all[at].0;
    let same: Vec<usize> = candidates.iter().copied().filter(|&i| all[i].0 == class).collect();
    match random.below(10) {
        0 => all[at].1 = "",
        1 => all.swap(at, same[random.below(same.len())]),
        2 => all.insert(at, all[same[random.below(same.len())]]),
        _ => {
            all[at].1 = match class {
                Class::Word if random.below(2) == 0 => random.of(words),
                Class::Number if random.below(2) == 0 => random.of(NUMBERS),
                _ => all[same[random.below(same.len())]].1,
            }
        }
    }
    all.iter().map(|piece| piece.1).collect()
}

fn lines(input: &str, random: &mut Random) -> String {
    let mut all: Vec<&str> = input.split_inclusive('\n').collect();
    let block = random.range(all.len(), 6);
    match random.below(4) {
        0 => drop(all.drain(block)),
        1 => {
            let other = random.below(all.len());
            all.swap(block.start, other);
        }
        _ => {
            let copy = all[block].to_vec();
            let at = random.below(all.len() + 1);
            all.splice(at..at, copy);
        }
    }
    all.concat()
}

// ---- the IR

/// Changes modules so that many of them stay right: an operation becomes one that is typed alike, a value becomes another of
/// its type, an instruction goes through a block of its own, constants change.
pub fn ir(data: &mut [u8], size: usize, max_size: usize, seed: u32, plain: Plain) -> usize {
    let random = &mut Random::new(seed);
    match std::str::from_utf8(&data[..size]) {
        Ok(input) if random.below(4) != 0 => {
            let mut out = input.to_owned();
            for _ in 0..1 + random.below(4) {
                out = alike(&out, random);
            }
            put(data, out.as_bytes(), max_size)
        }
        _ => text(data, size, max_size, seed.wrapping_add(1), plain, ir_words()),
    }
}

fn alike(input: &str, random: &mut Random) -> String {
    use aquatint_ir::{Op, Rule};
    let mut all = pieces(input);
    let of_class = |class: Class| (0..all.len()).filter(|&i| all[i].0 == class).collect::<Vec<_>>();
    match random.below(8) {
        0..=2 => {
            let ops: Vec<usize> = of_class(Class::Word)
                .into_iter()
                .filter(|&i| Op::from_name(all[i].1).is_some_and(|op| op.row().rule != Rule::Special))
                .collect();
            if !ops.is_empty() {
                let at = random.of(&ops);
                let rule = Op::from_name(all[at].1).map(|op| op.row().rule);
                let like: Vec<&str> =
                    Op::ALL.iter().filter(|op| Some(op.row().rule) == rule).map(|op| op.name()).collect();
                all[at].1 = random.of(&like);
            }
        }
        3..=5 => {
            // Where each value is defined, with the text of its type.
            let mut types = Vec::new();
            for i in of_class(Class::Value) {
                if all.get(i + 1).is_some_and(|next| next.1 == ":") {
                    let end = (i + 2..all.len()).find(|&j| all[j].1 == "=" || all[j].1 == "\n" || all[j].1 == ")");
                    types.push((i, all[i].1, all[i + 2..end.unwrap_or(i + 2)].iter().map(|p| p.1).collect::<String>()));
                }
            }
            let uses: Vec<usize> = of_class(Class::Value)
                .into_iter()
                .filter(|&i| all.get(i + 1).is_none_or(|next| next.1 != ":"))
                .collect();
            if !uses.is_empty() && !types.is_empty() {
                let at = random.of(&uses);
                let ty = types.iter().rev().find(|def| def.0 < at && def.1 == all[at].1).map(|def| &def.2);
                let like: Vec<&str> =
                    types.iter().filter(|def| def.0 < at && Some(&def.2) == ty).map(|def| def.1).collect();
                if !like.is_empty() {
                    all[at].1 = random.of(&like);
                }
            }
        }
        6 => {
            let numbers = of_class(Class::Number);
            if !numbers.is_empty() {
                all[random.of(&numbers)].1 = random.of(NUMBERS);
            }
        }
        _ => return nested(input, random),
    }
    all.iter().map(|piece| piece.1).collect()
}

/// Puts an effect, a loop or a branch at the place of a line's end, or the line itself into one.
fn nested(input: &str, random: &mut Random) -> String {
    let mut all: Vec<&str> = input.split_inclusive('\n').collect();
    if all.is_empty() {
        return String::new();
    }
    let at = random.below(all.len());
    let (before, after) = random.of(&[
        ("if true {\n", "yield\n} else { }\n"),
        ("if false {\n", "yield\n} else { }\n"),
        ("loop {\n", "break\n} continuing { next }\n"),
        ("switch 1 { case 1 {\n", "yield } default { yield } }\n"),
        ("loop {\nif true {\nbreak\n} else { }\n", "continue\n} continuing { next }\n"),
        ("switch 2 { case 1 {\n", "fallthrough } case 2, default { yield } }\n"),
        ("if true { return } else { }\n", ""),
        ("if true { discard yield } else { }\n", ""),
    ]);
    // Around instructions without results, a right module stays one.
    let end = (at + random.below(3)).min(all.len());
    all.insert(end, after);
    all.insert(at, before);
    all.concat()
}

// ---- tokens

const VERSIONS: &[u32] = &[
    0xFFFE_0101,
    0xFFFE_0200,
    0xFFFE_0201,
    0xFFFE_02FF,
    0xFFFE_0300,
    0xFFFE_03FF,
    0xFFFF_0101,
    0xFFFF_0102,
    0xFFFF_0103,
    0xFFFF_0104,
    0xFFFF_0200,
    0xFFFF_0201,
    0xFFFF_02FF,
    0xFFFF_0300,
    0xFFFF_03FF,
];
const FLOATS: &[u32] =
    &[0, 0x8000_0000, 0x3F80_0000, 0xBF80_0000, 0x7F80_0000, 0x7FC0_0000, 1, 0x4B80_0000, 0xFF7F_FFFF];
const INDICES: &[u32] = &[0, 1, 2, 3, 4, 5, 7, 8, 11, 12, 15, 16, 31, 32, 255, 256, 2047];

/// Words of blocks: what opens one, and what closes it.
const BLOCKS: &[(&[u32], &[u32])] = &[
    (&[0x0100_0028, 0xE0E4_0800], &[0x0000_002B]),
    (&[0x0202_0029, 0x8000_0000, 0x8055_0000], &[0x0000_002B]),
    (&[0x0202_0029, 0x8000_0000, 0x8055_0000, 0x0100_0001], &[0x0000_002A, 0x0000_002B]),
    (&[0x0100_0026, 0xF0E4_0000], &[0x0000_0027]),
    (&[0x0200_001B, 0xF0E4_0800, 0xF0E4_0000], &[0x0000_001D]),
    (&[0x0100_0026, 0xF0E4_0000], &[0x0202_002D, 0x8000_0000, 0x8055_0000, 0x0000_0027]),
    (&[0x0100_0019, 0xA0E4_1000], &[0x0000_001C, 0x0100_001E, 0xA0E4_1000]),
];

fn is_opcode(words: &[u32], at: usize) -> bool {
    at > 0 && words[at] >> 31 == 0 && opcode::Opcode::from_number(words[at] as u16).is_some()
}

/// Changes registers, opcodes and whole instructions; moves, copies and nests instructions.
pub fn tokens(data: &mut [u8], size: usize, max_size: usize, seed: u32, plain: Plain) -> usize {
    let random = &mut Random::new(seed);
    if size < 12 || random.below(3) == 0 {
        return plain(data, size, max_size);
    }
    let (body, trailing) = data[..size].split_at(size & !3);
    let mut words: Vec<u32> = body.as_chunks::<4>().0.iter().map(|&word| u32::from_le_bytes(word)).collect();
    let trailing = trailing.to_vec();
    for _ in 0..1 + random.below(4) {
        token(&mut words, random);
    }
    let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    bytes.extend(trailing);
    if random.below(16) == 0 {
        bytes.push(random.next() as u8);
    }
    put(data, &bytes, max_size)
}

fn token(words: &mut Vec<u32>, random: &mut Random) {
    let opcodes: Vec<usize> = (1..words.len()).filter(|&at| is_opcode(words, at)).collect();
    let parameters: Vec<usize> = (1..words.len()).filter(|&at| words[at] >> 31 != 0).collect();
    let (Some(_), Some(_)) = (opcodes.first(), parameters.first()) else {
        let at = random.below(words.len());
        words[at] = random.of(VERSIONS);
        return;
    };
    let (at, word) = (random.of(&opcodes), random.of(&parameters));
    let next = opcodes.iter().copied().find(|&other| other > at).unwrap_or(words.len());
    match random.below(16) {
        0 => words[0] = random.of(VERSIONS),
        1 => words[word] = words[random.of(&parameters)],
        2 => words[word] = words[word] & !0x7FF | random.of(INDICES),
        // Kind of register.
        3 => words[word] = words[word] & !0x7000_1800 | (random.below(8) as u32) << 28 | (random.below(4) as u32) << 11,
        // Swizzle, or mask and shift.
        4 => words[word] = words[word] & !0x00FF_0000 | (random.below(256) as u32) << 16,
        5 => words[word] = words[word] & !0x0F00_0000 | (random.below(16) as u32) << 24,
        // Relative address, with the word that says by what where the version has one.
        6 => {
            words[word] ^= 0x2000;
            if random.below(2) == 0 {
                words.insert(word + 1, random.of(&[0xB000_0000, 0xF0E4_0800, 0xB055_0000]));
            }
        }
        7 => {
            let row = opcode::ROWS[random.below(opcode::ROWS.len())];
            words[at] = words[at] & !0xFFFF | u32::from(row.number);
        }
        // An opcode of the same shape.
        8 | 9 => {
            let Some(old) = opcode::Opcode::from_number(words[at] as u16) else { return };
            let old = old.row();
            let like: Vec<_> = opcode::ROWS
                .iter()
                .filter(|row| (row.sources, row.destination) == (old.sources, old.destination))
                .map(|row| row.number)
                .collect();
            words[at] = words[at] & !0xFFFF | u32::from(random.of(&like));
        }
        // Control bits, predicate, co-issue.
        10 => words[at] ^= random.of(&[0x1_0000, 0x2_0000, 0x4_0000, 0x1000_0000, 0x4000_0000, 0x0100_0000]),
        11 => drop(words.drain(at..next)),
        12 | 13 => {
            let copy = words[at..next].to_vec();
            let to = random.of(&opcodes);
            words.splice(to..to, copy);
        }
        14 => {
            let (open, close) = random.of(BLOCKS);
            let last = opcodes.iter().copied().filter(|&other| other >= at).nth(random.below(6)).unwrap_or(next);
            words.splice(last..last, close.iter().copied());
            words.splice(at..at, open.iter().copied());
        }
        _ => {
            let row = opcode::ROWS[random.below(opcode::ROWS.len())];
            let operands = usize::from(row.sources) + usize::from(row.destination != DestinationRule::None);
            let mut new = vec![u32::from(row.number) | (operands as u32) << 24];
            for _ in 0..operands {
                new.push(words[random.of(&parameters)]);
            }
            if matches!(row.number, 81 | 48) {
                new.truncate(2);
                new.extend([random.of(FLOATS), random.of(FLOATS), random.of(FLOATS), random.of(FLOATS)]);
                new[0] = u32::from(row.number) | 5 << 24;
            }
            words.splice(at..at, new);
        }
    }
    if !words.contains(&END) {
        words.push(END);
    }
}

/// Words of assembly.
pub const ASSEMBLY: &[&str] = &[
    "mov",
    "add",
    "mul",
    "mad",
    "dp3",
    "dp4",
    "rcp",
    "pow",
    "cmp",
    "cnd",
    "sincos",
    "m4x4",
    "m3x2",
    "texld",
    "texldp",
    "texldl",
    "texldd",
    "texkill",
    "texcoord",
    "tex",
    "texbem",
    "texm3x2pad",
    "texm3x2tex",
    "if",
    "if_lt",
    "else",
    "endif",
    "rep",
    "endrep",
    "loop",
    "endloop",
    "break",
    "break_ge",
    "breakp",
    "setp_gt",
    "call",
    "callnz",
    "label",
    "ret",
    "phase",
    "nop",
    "mova",
    "dcl_2d",
    "dcl_cube",
    "dcl_texcoord1",
    "dcl_color",
    "dcl_position",
    "def",
    "defi",
    "defb",
    "r0",
    "r31",
    "v0",
    "v15",
    "c0",
    "c255",
    "c8191",
    "i0",
    "b0",
    "s0",
    "s15",
    "t0",
    "oC0",
    "oDepth",
    "oPos",
    "oT0",
    "oD1",
    "oFog",
    "o0",
    "o11",
    "a0.x",
    "aL",
    "p0",
    "l0",
    "vPos",
    "vFace",
    "vs_1_1",
    "vs_2_x",
    "vs_3_0",
    "ps_1_1",
    "ps_1_4",
    "ps_2_0",
    "ps_3_0",
    "ps_3_sw",
    "mov_sat",
    "mov_pp",
    "mul_x2",
    "add_d8_sat",
    "r0_bx2",
    "r0_abs",
    "r0_dz",
];

/// Words of the IR: all operations, and what else stands in a text.
pub fn ir_words() -> &'static [&'static str] {
    static WORDS: std::sync::LazyLock<Vec<&'static str>> = std::sync::LazyLock::new(|| {
        let others = [
            "bool",
            "i16",
            "u16",
            "i32",
            "u32",
            "i64",
            "u64",
            "f16",
            "f32",
            "f64",
            "vec2",
            "vec3",
            "vec4",
            "mat2x2",
            "mat3x4",
            "mat4x4",
            "array",
            "ptr",
            "function",
            "private",
            "uniform",
            "storage",
            "workgroup",
            "input",
            "output",
            "push",
            "texture_2d",
            "texture_3d",
            "texture_cube",
            "texture_2d_array",
            "texture_depth_2d",
            "texture_2d_ms",
            "texel_buffer",
            "sampler",
            "sampler_cmp",
            "true",
            "false",
            "zero",
            "x",
            "y",
            "z",
            "w",
            "case",
            "default",
            "precise",
            "relaxed",
            "flat",
            "vertex",
            "fragment",
            "compute",
            "writable",
            "row_major",
            "sample.level",
            "sample.bias",
            "sample.grad",
            "sample.compare",
            "sample.offset",
            "gather.x",
            "gather.compare.x",
            "fetch.level",
            "ddx.fine",
            "ddy.coarse",
            "atomic.add",
            "atomic.compare_exchange",
            "yield",
            "break",
            "next",
            "continue",
            "return",
            "discard",
            "terminate",
            "unreachable",
            "fallthrough",
        ];
        aquatint_ir::Op::ALL.iter().map(|op| op.name()).chain(others).collect()
    });
    &WORDS
}
