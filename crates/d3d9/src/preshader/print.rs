//! Preshader text (6.7).

use std::fmt::Write;

use super::{Instruction, Operand, Place, Preshader, Table};
use crate::ctab;

/// What the `oc` table stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Destination {
    /// The constants of a shader: `c33`.
    Shader,
    /// The value of an expression: `expr0`.
    Expression,
}

/// Appends the block that stands before a shader's own disassembly (6.4, point 2): parameters, `preshader`, one
/// instruction a line.
pub fn print(preshader: &Preshader, out: &mut String) {
    if let Some(table) = preshader.inputs.as_ref().filter(|table| !table.constants.is_empty()) {
        out.push_str("//\n");
        ctab::print::tables(table, out);
    }
    out.push_str("    preshader\n");
    for line in preshader.disassemble(Destination::Shader) {
        let _ = writeln!(out, "    {line}");
    }
    let count = preshader.instructions.len();
    let _ = writeln!(out, "\n// approximately {count} instruction{} used", if count == 1 { "" } else { "s" });
}

impl Preshader {
    /// The instructions, one a line without indentation.
    pub fn disassemble(&self, destination: Destination) -> impl Iterator<Item = String> {
        self.instructions.iter().map(move |instruction| self.line(instruction, destination))
    }

    fn line(&self, instruction: &Instruction, destination: Destination) -> String {
        let mut out = format!("{} ", instruction.op.name);
        self.place(instruction.output, instruction.written(), None, destination, &mut out);
        for (i, input) in instruction.inputs.iter().enumerate() {
            out.push_str(", ");
            self.operand(input, instruction.read(i), destination, &mut out);
        }
        out
    }

    fn operand(&self, operand: &Operand, lanes: u8, destination: Destination, out: &mut String) {
        let Place { table, offset } = operand.place;
        if table == Table::Immediate && operand.index.is_none() {
            out.push('(');
            for lane in 0..u32::from(lanes) {
                let literal = self.literals.get((offset as usize).saturating_add(lane as usize)).unwrap_or(&0.0);
                // The shortest digits that read back to the same number.
                let _ = write!(out, "{}{literal:?}", if lane == 0 { "" } else { ", " });
            }
            out.push(')');
            return;
        }
        self.place(operand.place, lanes, operand.index, destination, out);
    }

    fn place(&self, place: Place, lanes: u8, index: Option<Place>, destination: Destination, out: &mut String) {
        let name = match (place.table, destination) {
            (Table::OutputFloat, Destination::Shader) => "c",
            (Table::OutputFloat, Destination::Expression) => "expr",
            (table, _) => table.name(),
        };
        let (register, lane) = (place.offset / 4, place.offset % 4);
        let _ = write!(out, "{name}{register}");
        if let Some(index) = index {
            out.push('[');
            self.place(index, 1, None, destination, out);
            out.push(']');
        }
        let lanes = u32::from(lanes);
        if place.table == Table::OutputBool || (lane == 0 && lanes == 4) {
            return;
        }
        out.push('.');
        for lane in lane..lane + lanes {
            // A run that crosses into the next register, which no compiler emits, names its lanes as x+ and so on.
            out.push(['x', 'y', 'z', 'w'][lane as usize % 4]);
            if lane > 3 {
                out.push('+');
            }
        }
    }
}
