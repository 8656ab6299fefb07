//! Blob to preshader.

use aquatint_base::{Diagnostic, Diags, Severity, SourceId};
use smallvec::SmallVec;

use super::opcode::{DIV, OpInfo};
use super::{Instruction, Operand, OutputInfo, Place, Preshader, Table};
use crate::codes;
use crate::ctab::bytes::Bytes;
use crate::ctab::{self, leading_comments};

/// Scalars of the widest file that an output can lie in: 8192 registers.
const OUTPUT_SCALARS: u32 = 4 * 8192;

/// Whether `word` opens an expression or preshader stream (1.1).
pub const fn is_expression(word: u32) -> bool {
    matches!(word, 0x4658_0200 | 0x4658_0201)
}

/// Reads the payload of a `PRES` comment: what follows the FourCC, `base` its byte offset in the input `source`.
/// Damage drops the preshader with a warning of [`codes::E_PRES`]: its shader is translated all the same.
pub fn parse(payload: &[u8], base: u32, source: SourceId, diags: &mut Diags) -> Option<Preshader> {
    parse_blob(payload, base, source, Severity::Warning, diags)
}

/// Reads an expression stream, in a comment, an effect or a file of its own, and reports damage as `severity`. The
/// parts are found by FourCC in any order; a damaged constant table or `PRSI` is dropped with a warning.
pub fn parse_blob(
    blob: &[u8],
    base: u32,
    source: SourceId,
    severity: Severity,
    diags: &mut Diags,
) -> Option<Preshader> {
    let bytes = Bytes { data: blob, base, source };
    let mut reader = Reader { bytes, severity, diags };
    let Some(version) = bytes.u32(0).filter(|&word| is_expression(word)) else {
        let word = bytes.u32(0).unwrap_or(0);
        let message = if word >> 16 == 0x5458 {
            format!("texture shaders (version {word:08X}) are not supported")
        } else {
            format!("preshader version {word:08X} does not exist, 46580200 and 46580201 do")
        };
        reader.report(0, 4, message);
        return None;
    };

    let mut parts = [None; 4];
    let mut end = 4;
    for comment in leading_comments(blob) {
        end = comment.offset + comment.payload.len();
        for (part, four_cc) in parts.iter_mut().zip([b"CTAB", b"PRSI", b"CLIT", b"FXLC"]) {
            if part.is_none() && &comment.four_cc == four_cc {
                *part = Some(Bytes { data: comment.payload, base: base.saturating_add(comment.offset as u32), source });
            }
        }
    }
    if bytes.u32(end as u64) != Some(0xFFFF) {
        let message = "preshader has no end token after its comments";
        let place = bytes.span(end as u64, 4);
        reader.diags.push(Diagnostic::warning(&codes::E_PRES, message).at(place, "preshader"));
    }
    let [table, info, literals, code] = parts;
    let Some(code) = code else {
        reader.report(0, blob.len() as u64, "preshader has no FXLC comment, which holds its instructions".into());
        return None;
    };
    let inputs = table.and_then(|part| {
        let table = ctab::parse(part.data, part.base, source, reader.diags)?;
        table.check_version(version, part.span(0, part.len()), reader.diags);
        Some(table)
    });
    let literals = match literals {
        Some(part) => Reader { bytes: part, severity, diags: reader.diags }.literals()?,
        None => Vec::new(),
    };
    let output_info = info.and_then(|part| {
        let found = output_info(&part);
        if found.is_none() {
            let warning = Diagnostic::warning(&codes::E_PRES, "PRSI comment is cut off");
            reader.diags.push(warning.at(part.span(0, part.len()), "this comment"));
        }
        found
    });
    let instructions = Reader { bytes: code, severity, diags: reader.diags }.instructions()?;
    Some(Preshader { version, inputs, literals, instructions, output_info })
}

/// Words 0 and 3 are the first register and the count, word 6 the number of ranges, which follow; two zeros end it.
fn output_info(bytes: &Bytes<'_>) -> Option<OutputInfo> {
    let count = u64::from(bytes.u32(24)?);
    bytes.slice(28, count * 8)?;
    let range = |i: u64| Some((bytes.u32(28 + 8 * i)?, bytes.u32(32 + 8 * i)?));
    let ranges = (0..count).map(range).collect::<Option<_>>()?;
    Some(OutputInfo { first: bytes.u32(0)?, count: bytes.u32(12)?, ranges })
}

struct Reader<'a, 'd> {
    bytes: Bytes<'a>,
    severity: Severity,
    diags: &'d mut Diags,
}

impl Reader<'_, '_> {
    fn report(&mut self, at: u64, len: u64, message: String) {
        let span = self.bytes.span(at, len);
        self.diags.push(Diagnostic::new(self.severity, &codes::E_PRES, message).at(span, "preshader"));
    }

    fn literals(&mut self) -> Option<Vec<f64>> {
        let count = u64::from(self.bytes.u32(0).unwrap_or(0));
        let Some(found) = self.bytes.slice(4, 8 * count) else {
            self.report(0, 4, format!("{count} literals do not fit a CLIT comment of {} bytes", self.bytes.len()));
            return None;
        };
        Some(found.chunks_exact(8).filter_map(|b| Some(f64::from_le_bytes(b.try_into().ok()?))).collect())
    }

    fn instructions(&mut self) -> Option<Vec<Instruction>> {
        let count = u64::from(self.bytes.u32(0).unwrap_or(0));
        // The shortest instruction, of no inputs, is 5 words.
        if self.bytes.len() < 4 || 20 * count > self.bytes.len() - 4 {
            self.report(0, 4, format!("{count} instructions do not fit an FXLC comment of {} bytes", self.bytes.len()));
            return None;
        }
        let mut all = Vec::with_capacity(count as usize);
        let mut at = 4;
        for _ in 0..count {
            let start = at;
            let Some(word) = self.bytes.u32(at) else { return self.cut(start) };
            let number = (word >> 20 & 0x7FF) as u16;
            let Some(op) = OpInfo::find(number) else {
                self.report(start, 4, format!("preshader operation {number:03X} does not exist"));
                return None;
            };
            let components = word & 0xFFFF;
            if !(1..=4).contains(&components) {
                self.report(start, 4, format!("`{}` works on {components} components, 1 to 4 are possible", op.name));
                return None;
            }
            let Some(inputs) = self.bytes.u32(at + 4) else { return self.cut(start) };
            if !op.takes(inputs as usize) {
                self.report(start, 8, format!("`{}` has {inputs} inputs, which it cannot take", op.name));
                return None;
            }
            if number == DIV {
                let message = "`div` gives a quotient here, the native evaluator gives 0";
                let place = self.bytes.span(start, 8);
                self.diags.push(Diagnostic::warning(&codes::E_PRES, message).at(place, "preshader"));
            }
            at += 8;
            let mut operands = SmallVec::new();
            for _ in 0..inputs {
                operands.push(self.operand(&mut at)?);
            }
            let output = self.operand(&mut at)?;
            let place = output.place;
            if output.index.is_some() {
                self.report(start, at - start, format!("output of `{}` is indexed, which no compiler emits", op.name));
                return None;
            }
            if !matches!(place.table, Table::OutputFloat | Table::OutputBool | Table::OutputInt | Table::Temporary) {
                let message = format!("`{}` writes table `{}`, which is read-only", op.name, place.table.name());
                self.report(start, at - start, message);
                return None;
            }
            if place.offset > OUTPUT_SCALARS - 4 {
                let message = format!("`{}` writes scalar {}, past the widest register file", op.name, place.offset);
                self.report(start, at - start, message);
                return None;
            }
            let (scalar, components) = (word >> 31 != 0, components as u8);
            all.push(Instruction { op, scalar, components, inputs: operands, output: place });
        }
        Some(all)
    }

    fn cut<T>(&mut self, at: u64) -> Option<T> {
        self.report(at, 4, "preshader ends inside an instruction".into());
        None
    }

    fn operand(&mut self, at: &mut u64) -> Option<Operand> {
        let start = *at;
        let Some(kind) = self.bytes.u32(start) else { return self.cut(start) };
        *at += 4;
        match kind {
            0 => Some(Operand { place: self.place(at)?, index: None }),
            1 => {
                let index = self.place(at)?;
                Some(Operand { place: self.place(at)?, index: Some(index) })
            }
            _ => {
                self.report(start, 4, format!("preshader operand begins with {kind}, 0 and 1 are possible"));
                None
            }
        }
    }

    fn place(&mut self, at: &mut u64) -> Option<Place> {
        let start = *at;
        let (Some(number), Some(offset)) = (self.bytes.u32(start), self.bytes.u32(start + 4)) else {
            return self.cut(start);
        };
        *at += 8;
        let Some(table) = Table::from_number(number) else {
            self.report(start, 4, format!("preshader table {number} does not exist, 1 to 7 do"));
            return None;
        };
        Some(Place { table, offset })
    }
}
