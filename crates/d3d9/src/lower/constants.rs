//! Constant files: which registers the shader reads, where they lie in the uniform block, and the values that it defines.

use super::options::Options;
use super::reflection::{Def, RegisterFile, RegisterRange};
use crate::tokens::{DefinitionValue, Instruction, Opcode, RegisterKind, Shader};
use aquatint_base::HashMap;
use smallvec::SmallVec;

/// How many consecutive registers a source of an opcode stands for (the matrices of `m4x4` and its kin).
pub const fn rows_of(opcode: Opcode, source: usize) -> u16 {
    if source != 1 {
        return 1;
    }
    match opcode {
        Opcode::M4x4 | Opcode::M3x4 => 4,
        Opcode::M4x3 | Opcode::M3x3 => 3,
        Opcode::M3x2 => 2,
        _ => 1,
    }
}

/// Registers of one file, as bits.
#[derive(Clone, Default)]
struct Bits(SmallVec<[u64; 4]>);

impl Bits {
    fn set(&mut self, index: u16) {
        let word = usize::from(index) / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (index % 64);
    }

    fn clear(&mut self, index: u16) {
        if let Some(word) = self.0.get_mut(usize::from(index) / 64) {
            *word &= !(1 << (index % 64));
        }
    }

    fn iter(&self) -> impl Iterator<Item = u16> + '_ {
        self.0.iter().enumerate().flat_map(|(word, &bits)| {
            let mut rest = bits;
            std::iter::from_fn(move || {
                if rest == 0 {
                    return None;
                }
                let bit = rest.trailing_zeros();
                rest &= rest - 1;
                Some((word * 64) as u16 + bit as u16)
            })
        })
    }
}

/// The constants of a shader.
pub struct ConstantFiles {
    /// c#.
    pub floats: RegisterFile,
    /// i#.
    pub ints: RegisterFile,
    /// b#.
    pub bools: RegisterFile,
    /// Defined floats: last def of each register.
    pub float_defs: Vec<Def<[u32; 4]>>,
    /// Defined ints.
    pub int_defs: Vec<Def<[u32; 4]>>,
    /// Defined bools.
    pub bool_defs: Vec<Def<bool>>,
    float_index: HashMap<u16, [u32; 4]>,
    /// The arrays of the CTAB that relative addresses stay in; empty where they reach the whole file.
    pub arrays: Vec<(u16, u16)>,
    /// Registers in the file of this version.
    file_size: u16,
}

impl ConstantFiles {
    /// The value of a defined c#.
    pub fn float_def(&self, register: u16) -> Option<[u32; 4]> {
        if self.float_index.is_empty() {
            self.float_defs.iter().find(|d| d.register == register).map(|d| d.bits)
        } else {
            self.float_index.get(&register).copied()
        }
    }

    /// What a relative address with this base can reach, and where it lies in the packed array.
    pub fn reach(&self, base: u16) -> RegisterRange {
        let (first, count) = covering(&self.arrays, base).unwrap_or((0, self.file_size));
        let packed = self.floats.packed_index(first).unwrap_or(0);
        RegisterRange { first, count, packed: packed as u16 }
    }

    /// The value of a defined i#.
    pub fn int_def(&self, register: u16) -> Option<[u32; 4]> {
        self.int_defs.iter().find(|d| d.register == register).map(|d| d.bits)
    }

    /// The value of a defined b#.
    pub fn bool_def(&self, register: u16) -> Option<bool> {
        self.bool_defs.iter().find(|d| d.register == register).map(|d| d.bits)
    }
}

/// The array that holds a register.
fn covering(arrays: &[(u16, u16)], register: u16) -> Option<(u16, u16)> {
    arrays.iter().copied().find(|&(first, count)| (first..first.saturating_add(count)).contains(&register))
}

/// Sets the value of a register: the last def wins.
fn define<T: Copy>(defs: &mut Vec<Def<T>>, places: &mut HashMap<u16, usize>, register: u16, bits: T) {
    match places.get(&register) {
        Some(&place) => defs[place].bits = bits,
        None => {
            places.insert(register, defs.len());
            defs.push(Def { register, bits });
        }
    }
}

/// Collects the constants of a shader (sheet 4.1, 4.2). `arrays` are the register ranges that a CTAB names as arrays or
/// matrices; they matter with [`Options::pack_by_ctab`] only.
pub fn collect(shader: &Shader, options: &Options, arrays: &[(u16, u16)]) -> ConstantFiles {
    let version = shader.version;
    let file_size = match (version.is_software(), version.is_pixel(), version.major) {
        (true, _, _) => 8192,
        (_, false, _) => 256,
        (_, true, 3) => 224,
        (_, true, 2) => 32,
        (_, true, _) => 8,
    };
    let mut files = ConstantFiles {
        floats: RegisterFile::default(),
        ints: RegisterFile::default(),
        bools: RegisterFile::default(),
        float_defs: Vec::new(),
        int_defs: Vec::new(),
        bool_defs: Vec::new(),
        float_index: HashMap::default(),
        arrays: Vec::new(),
        file_size,
    };
    let mut places: [HashMap<u16, usize>; 3] = Default::default();
    for definition in &shader.definitions {
        let register = definition.register.index;
        match definition.value {
            DefinitionValue::Float(bits) => define(&mut files.float_defs, &mut places[0], register, bits),
            DefinitionValue::Int(bits) => {
                define(&mut files.int_defs, &mut places[1], register, bits.map(|lane| lane as u32));
            }
            DefinitionValue::Bool(word) => define(&mut files.bool_defs, &mut places[2], register, word != 0),
        }
    }
    if files.float_defs.len() > 8 {
        files.float_index = files.float_defs.iter().map(|d| (d.register, d.bits)).collect();
    }
    let mut used = Used::default();
    for instruction in &shader.instructions {
        used.instruction(instruction);
    }
    if used.relative {
        files.floats.relative = true;
        let known = options.pack_by_ctab && !used.more_bases;
        let reached: Option<Vec<_>> = used.relative_bases.iter().map(|&base| covering(arrays, base)).collect();
        if let Some(reached) = reached.filter(|_| known) {
            for &(first, count) in &reached {
                (first..first.saturating_add(count)).for_each(|register| used.floats.set(register));
            }
            files.arrays = reached;
            files.arrays.sort_unstable();
            files.arrays.dedup();
        } else {
            (0..file_size).for_each(|register| used.floats.set(register));
        }
    } else {
        for def in &files.float_defs {
            used.floats.clear(def.register);
        }
    }
    for def in &files.int_defs {
        used.ints.clear(def.register);
    }
    for def in &files.bool_defs {
        used.bools.clear(def.register);
    }
    for (register, known) in options.bools.iter().enumerate() {
        if known.is_some() {
            used.bools.clear(register as u16);
        }
    }
    files.floats.ranges = ranges(used.floats.iter());
    files.ints.ranges = ranges(used.ints.iter());
    files.bools.ranges = ranges(used.bools.iter());
    files
}

#[derive(Default)]
struct Used {
    floats: Bits,
    ints: Bits,
    bools: Bits,
    relative: bool,
    relative_bases: Vec<u16>,
    /// Whether there are more bases than the list holds.
    more_bases: bool,
}

/// Bases of relative addresses that are told apart; it keeps the search in their list short.
const MOST_BASES: usize = 64;

impl Used {
    fn instruction(&mut self, instruction: &Instruction) {
        for (position, source) in instruction.sources.iter().enumerate() {
            let index = source.register.index;
            match source.register.kind {
                RegisterKind::Const if source.relative.is_some() => {
                    self.relative = true;
                    if !self.relative_bases.contains(&index) {
                        self.more_bases |= self.relative_bases.len() == MOST_BASES;
                        self.relative_bases.truncate(MOST_BASES - 1);
                        self.relative_bases.push(index);
                    }
                }
                RegisterKind::Const => {
                    for row in 0..rows_of(instruction.opcode, position) {
                        if let Some(register) = index.checked_add(row).filter(|&r| r < 8192) {
                            self.floats.set(register);
                        }
                    }
                }
                RegisterKind::ConstInt => self.ints.set(index),
                RegisterKind::ConstBool => self.bools.set(index),
                _ => {}
            }
        }
    }
}

/// Adjacent registers merged, in order.
fn ranges(registers: impl Iterator<Item = u16>) -> Vec<RegisterRange> {
    let mut all: Vec<RegisterRange> = Vec::new();
    for (packed, register) in (0u16..).zip(registers) {
        match all.last_mut() {
            Some(last) if last.first + last.count == register => last.count += 1,
            _ => all.push(RegisterRange { first: register, count: 1, packed }),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reflection_used_constants_packing() {
        let all = ranges([0, 1, 2, 7, 8, 200].into_iter());
        let file = RegisterFile { ranges: all, relative: false };
        assert_eq!(file.ranges.len(), 3);
        assert_eq!(file.packed_count(), 6);
        assert_eq!(file.packed_index(8), Some(4));
        assert_eq!(file.packed_index(200), Some(5));
        assert_eq!(file.packed_index(3), None);
        assert_eq!(file.registers().collect::<Vec<_>>(), [0, 1, 2, 7, 8, 200]);
    }
}
