//! The opcode table (sheet 2.3): one row an opcode, in the order of the opcode numbers.

use super::{Stage, TexldKind, Version};

/// What an opcode does to its operands, as the sheet groups them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// A formula for each lane of the mask.
    Lanes,
    /// One source lane in, one result to all written lanes.
    Scalar,
    /// One scalar to all written lanes, from several source lanes.
    Replicate,
    /// A fixed formula for each lane.
    Vector,
    /// A matrix product; source 1 stands for several consecutive registers.
    Matrix,
    /// Branches, loops, calls.
    Flow,
    /// Reads a texture or handles texture coordinates.
    Texture,
    /// Writes the depth.
    Depth,
    /// `dcl`.
    Declaration,
    /// `def`, `defi`, `defb`.
    Definition,
    /// `nop`, `phase`, and the comment and end tokens.
    Marker,
}

/// How an opcode treats its destination token.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DestinationRule {
    /// It has none.
    None,
    /// It writes it.
    Written,
    /// It has a destination-shaped token that it reads (`texkill`), or reads and spoils (`texdepth`).
    Operand,
}

/// Inclusive range of versions of one stage, as (major, minor); `None` where the stage lacks the opcode.
type Range = Option<((u8, u8), (u8, u8))>;

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The opcode.
    pub opcode: Opcode,
    /// Its number in bits 15 to 0.
    pub number: u16,
    /// Its name; `texcoord` and `tex` have others in later versions ([`Opcode::name_in`]).
    pub name: &'static str,
    /// Its destination.
    pub destination: DestinationRule,
    /// The number of sources, the largest where a version decides.
    pub sources: u8,
    /// Vertex shader versions that have it.
    pub vertex: Range,
    /// Pixel shader versions that have it.
    pub pixel: Range,
    /// What it does.
    pub kind: Kind,
    /// Instruction slots that it takes, before the rules of [`Opcode::slots`].
    pub slots: u8,
}

const ALL: Range = Some(((1, 0), (3, 255)));
const FROM_1_2: Range = Some(((1, 2), (3, 255)));
const FROM_2_0: Range = Some(((2, 0), (3, 255)));
const FROM_2_X: Range = Some(((2, 1), (3, 255)));
const FROM_3_0: Range = Some(((3, 0), (3, 255)));
const PS_1_0_TO_1_3: Range = Some(((1, 0), (1, 3)));
const PS_1_0_TO_1_4: Range = Some(((1, 0), (1, 4)));
const PS_1_2_TO_1_3: Range = Some(((1, 2), (1, 3)));
const PS_1_3: Range = Some(((1, 3), (1, 3)));
const PS_1_4: Range = Some(((1, 4), (1, 4)));
const ABSENT: Range = None;
/// "– (decode)": in no version of the stage, yet decoded and run with a warning.
const DECODE: Range = Some(((255, 255), (255, 255)));

use DestinationRule::{None as N, Operand as O, Written as D};

macro_rules! opcodes {
    ($($(#[$doc:meta])* $variant:ident $number:literal $name:literal $destination:ident $sources:literal $vertex:ident $pixel:ident $kind:ident $slots:literal;)*) => {
        /// An opcode.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Opcode {
            $(#[doc = concat!("`", $name, "`, number ", stringify!($number), ".")] $(#[$doc])* $variant,)*
        }

        /// All rows, in the order of [`Opcode`].
        pub static ROWS: &[Row] = &[
            $(Row {
                opcode: Opcode::$variant, number: $number, name: $name, destination: $destination, sources: $sources,
                vertex: $vertex, pixel: $pixel, kind: Kind::$kind, slots: $slots,
            },)*
        ];
    };
}

opcodes! {
    Nop 0 "nop" N 0 ALL ALL Marker 1;
    Mov 1 "mov" D 1 ALL ALL Lanes 1;
    Add 2 "add" D 2 ALL ALL Lanes 1;
    Sub 3 "sub" D 2 ALL ALL Lanes 1;
    Mad 4 "mad" D 3 ALL ALL Lanes 1;
    Mul 5 "mul" D 2 ALL ALL Lanes 1;
    Rcp 6 "rcp" D 1 ALL FROM_2_0 Scalar 1;
    Rsq 7 "rsq" D 1 ALL FROM_2_0 Scalar 1;
    Dp3 8 "dp3" D 2 ALL ALL Replicate 1;
    Dp4 9 "dp4" D 2 ALL FROM_1_2 Replicate 1;
    Min 10 "min" D 2 ALL FROM_2_0 Lanes 1;
    Max 11 "max" D 2 ALL FROM_2_0 Lanes 1;
    Slt 12 "slt" D 2 ALL DECODE Lanes 1;
    Sge 13 "sge" D 2 ALL DECODE Lanes 1;
    Exp 14 "exp" D 1 ALL FROM_2_0 Scalar 1;
    Log 15 "log" D 1 ALL FROM_2_0 Scalar 1;
    Lit 16 "lit" D 1 ALL ABSENT Vector 3;
    Dst 17 "dst" D 2 ALL ABSENT Vector 1;
    Lrp 18 "lrp" D 3 FROM_2_0 ALL Lanes 1;
    Frc 19 "frc" D 1 ALL FROM_2_0 Lanes 1;
    M4x4 20 "m4x4" D 2 ALL FROM_2_0 Matrix 4;
    M4x3 21 "m4x3" D 2 ALL FROM_2_0 Matrix 3;
    M3x4 22 "m3x4" D 2 ALL FROM_2_0 Matrix 4;
    M3x3 23 "m3x3" D 2 ALL FROM_2_0 Matrix 3;
    M3x2 24 "m3x2" D 2 ALL FROM_2_0 Matrix 2;
    Call 25 "call" N 1 FROM_2_0 FROM_2_X Flow 2;
    CallNz 26 "callnz" N 2 FROM_2_0 FROM_2_X Flow 3;
    Loop 27 "loop" N 2 FROM_2_0 FROM_3_0 Flow 3;
    Ret 28 "ret" N 0 FROM_2_0 FROM_2_X Flow 1;
    EndLoop 29 "endloop" N 0 FROM_2_0 FROM_3_0 Flow 2;
    Label 30 "label" N 1 FROM_2_0 FROM_2_X Flow 0;
    Dcl 31 "dcl" D 0 ALL FROM_2_0 Declaration 0;
    Pow 32 "pow" D 2 FROM_2_0 FROM_2_0 Scalar 3;
    Crs 33 "crs" D 2 FROM_2_0 FROM_2_0 Vector 2;
    /// Three sources in 2_x, one or three in 3_0.
    Sgn 34 "sgn" D 3 FROM_2_0 ABSENT Lanes 3;
    Abs 35 "abs" D 1 FROM_2_0 FROM_2_0 Lanes 1;
    Nrm 36 "nrm" D 1 FROM_2_0 FROM_2_0 Vector 3;
    /// Three sources in 2_x, one in 3_0.
    SinCos 37 "sincos" D 3 FROM_2_0 FROM_2_0 Scalar 8;
    Rep 38 "rep" N 1 FROM_2_0 FROM_2_X Flow 3;
    EndRep 39 "endrep" N 0 FROM_2_0 FROM_2_X Flow 2;
    If 40 "if" N 1 FROM_2_0 FROM_2_X Flow 3;
    IfC 41 "if" N 2 FROM_2_X FROM_2_X Flow 3;
    Else 42 "else" N 0 FROM_2_0 FROM_2_X Flow 1;
    EndIf 43 "endif" N 0 FROM_2_0 FROM_2_X Flow 1;
    Break 44 "break" N 0 FROM_2_X FROM_2_X Flow 1;
    BreakC 45 "break" N 2 FROM_2_X FROM_2_X Flow 3;
    Mova 46 "mova" D 1 FROM_2_0 ABSENT Lanes 1;
    DefB 47 "defb" D 0 FROM_2_0 FROM_2_X Definition 0;
    DefI 48 "defi" D 0 FROM_2_0 FROM_2_X Definition 0;
    /// `texcoord` in ps_1_0 to ps_1_3, `texcrd` in ps_1_4.
    TexCoord 64 "texcoord" D 1 ABSENT PS_1_0_TO_1_4 Texture 1;
    TexKill 65 "texkill" O 0 ABSENT ALL Texture 1;
    /// `tex` in ps_1_0 to ps_1_3, `texld` from ps_1_4 on, `texldp` and `texldb` from ps_2_0 on.
    Tex 66 "texld" D 2 ABSENT ALL Texture 1;
    TexBem 67 "texbem" D 1 ABSENT PS_1_0_TO_1_3 Texture 1;
    TexBemL 68 "texbeml" D 1 ABSENT PS_1_0_TO_1_3 Texture 2;
    TexReg2Ar 69 "texreg2ar" D 1 ABSENT PS_1_0_TO_1_3 Texture 1;
    TexReg2Gb 70 "texreg2gb" D 1 ABSENT PS_1_0_TO_1_3 Texture 1;
    TexM3x2Pad 71 "texm3x2pad" D 1 ABSENT PS_1_0_TO_1_3 Texture 1;
    TexM3x2Tex 72 "texm3x2tex" D 1 ABSENT PS_1_0_TO_1_3 Texture 1;
    TexM3x3Pad 73 "texm3x3pad" D 1 ABSENT PS_1_0_TO_1_3 Texture 1;
    TexM3x3Tex 74 "texm3x3tex" D 1 ABSENT PS_1_0_TO_1_3 Texture 1;
    TexM3x3Spec 76 "texm3x3spec" D 2 ABSENT PS_1_0_TO_1_3 Texture 1;
    TexM3x3VSpec 77 "texm3x3vspec" D 1 ABSENT PS_1_0_TO_1_3 Texture 1;
    ExpP 78 "expp" D 1 ALL ABSENT Scalar 1;
    LogP 79 "logp" D 1 ALL ABSENT Scalar 1;
    Cnd 80 "cnd" D 3 ABSENT PS_1_0_TO_1_4 Lanes 1;
    Def 81 "def" D 0 ALL ALL Definition 0;
    TexReg2Rgb 82 "texreg2rgb" D 1 ABSENT PS_1_2_TO_1_3 Texture 1;
    TexDp3Tex 83 "texdp3tex" D 1 ABSENT PS_1_2_TO_1_3 Texture 1;
    TexM3x2Depth 84 "texm3x2depth" D 1 ABSENT PS_1_3 Depth 1;
    TexDp3 85 "texdp3" D 1 ABSENT PS_1_2_TO_1_3 Texture 1;
    TexM3x3 86 "texm3x3" D 1 ABSENT PS_1_2_TO_1_3 Texture 1;
    TexDepth 87 "texdepth" O 0 ABSENT PS_1_4 Depth 1;
    Cmp 88 "cmp" D 3 ABSENT FROM_1_2 Lanes 1;
    Bem 89 "bem" D 2 ABSENT PS_1_4 Vector 2;
    Dp2Add 90 "dp2add" D 3 ABSENT FROM_2_0 Replicate 2;
    Dsx 91 "dsx" D 1 ABSENT FROM_2_X Lanes 2;
    Dsy 92 "dsy" D 1 ABSENT FROM_2_X Lanes 2;
    TexLdd 93 "texldd" D 4 ABSENT FROM_2_X Texture 3;
    SetP 94 "setp" D 2 FROM_2_X FROM_2_X Lanes 1;
    TexLdl 95 "texldl" D 2 FROM_3_0 FROM_3_0 Texture 2;
    BreakP 96 "breakp" N 1 FROM_2_X FROM_2_X Flow 3;
    Phase 0xFFFD "phase" N 0 ABSENT PS_1_4 Marker 0;
}

/// Number of the comment token.
pub const COMMENT: u16 = 0xFFFE;
/// The end token.
pub const END: u32 = 0x0000_FFFF;
/// Number of the phase token.
pub const PHASE: u16 = 0xFFFD;

/// Row by opcode number, `u8::MAX` where there is none.
#[allow(clippy::indexing_slicing)] // Evaluated by the compiler.
static BY_NUMBER: [u8; 97] = {
    let mut table = [u8::MAX; 97];
    let mut i = 0;
    while i < ROWS.len() {
        let number = ROWS[i].number as usize;
        if number < table.len() {
            table[number] = i as u8;
        }
        i += 1;
    }
    table
};

impl Opcode {
    /// The opcode of that number, of any stage.
    #[inline]
    pub fn from_number(number: u16) -> Option<Self> {
        if number == PHASE {
            return Some(Opcode::Phase);
        }
        let row = *BY_NUMBER.get(usize::from(number))?;
        ROWS.get(usize::from(row)).map(|row| row.opcode)
    }

    /// Its row.
    #[inline]
    #[allow(clippy::indexing_slicing)]
    pub fn row(self) -> &'static Row {
        // `ROWS` is written in the order of the enumeration (a test holds that), so the index exists.
        &ROWS[self as usize]
    }

    /// Its number.
    pub fn number(self) -> u16 {
        self.row().number
    }

    /// What it does.
    pub fn kind(self) -> Kind {
        self.row().kind
    }

    fn range(self, stage: Stage) -> Range {
        match stage {
            Stage::Vertex => self.row().vertex,
            Stage::Pixel => self.row().pixel,
        }
    }

    /// Whether some version of the stage knows it, or older tables list it there.
    pub fn exists_in(self, stage: Stage) -> bool {
        self.range(stage).is_some()
    }

    /// Whether the version has it.
    pub fn allowed_in(self, version: Version) -> bool {
        self.range(version.stage).is_some_and(|(first, last)| {
            version.at_least(first.0, first.1) && (version.major, version.minor) <= (last.0, last.1)
        })
    }

    /// The versions of a stage that have it, in words.
    pub fn versions(self, stage: Stage) -> String {
        let name = |(major, minor)| match stage {
            Stage::Vertex => Version::vertex(major, minor).name(),
            Stage::Pixel => Version::pixel(major, minor).name(),
        };
        match self.range(stage) {
            None => format!("no {} version", stage.name()),
            Some(range) if Some(range) == DECODE => format!("no {} version", stage.name()),
            Some(((1, 0), (3, _))) => format!("every {} version", stage.name()),
            Some((first, (3, _))) => format!("{} and later", name(first)),
            Some((first, last)) if first == last => name(first).to_owned(),
            Some((first, last)) => format!("{} to {}", name(first), name(last)),
        }
    }

    /// Its name in assembly of that version, without suffixes (sheet 6.3).
    pub fn name_in(self, version: Version, texld: TexldKind) -> &'static str {
        match self {
            Opcode::TexCoord if version.is_ps_1_4() => "texcrd",
            Opcode::Tex if version.is_ps_1_0_to_1_3() => "tex",
            Opcode::Tex => match texld {
                TexldKind::Plain => "texld",
                TexldKind::Project => "texldp",
                TexldKind::Bias => "texldb",
            },
            _ => self.row().name,
        }
    }

    /// The numbers of sources that it can have in that version: fewest and most; nothing between exists.
    pub fn source_counts(self, version: Version) -> (u8, u8) {
        let most = self.row().sources;
        match self {
            Opcode::TexCoord => {
                let count = u8::from(!version.is_ps_1_0_to_1_3());
                (count, count)
            }
            Opcode::Tex if version.is_ps_1_0_to_1_3() => (0, 0),
            Opcode::Tex if version.is_ps_1_4() => (1, 1),
            // The length decides in both majors: native code has either form.
            Opcode::Sgn | Opcode::SinCos if version.major > 1 => (1, 3),
            _ => (most, most),
        }
    }

    /// Instruction slots in that version (sheet 1.11). `cube` tells texldl of a cube map; predication costs one more.
    pub fn slots(self, version: Version, cube: bool) -> u32 {
        let slots = match self {
            Opcode::Cmp | Opcode::Dp4 if version.is_ps_1_0_to_1_3() => 2,
            Opcode::Lrp if version.major >= 2 => 2,
            Opcode::TexLdl if cube => 5,
            _ => self.row().slots,
        };
        u32::from(slots)
    }

    /// Whether it takes part of the texture slots of pixel shaders.
    pub fn is_texture(self) -> bool {
        matches!(self.kind(), Kind::Texture | Kind::Depth) && self != Opcode::TexDepth
    }

    /// Whether it carries a comparison in its controls.
    pub fn has_comparison(self) -> bool {
        matches!(self, Opcode::IfC | Opcode::BreakC | Opcode::SetP)
    }

    /// Whether it takes exactly one lane of each source (`pow`, `rcp` …), so that its swizzle should replicate.
    pub fn is_scalar(self) -> bool {
        self.kind() == Kind::Scalar
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_in_the_order_of_the_enumeration_and_of_the_numbers() {
        for (i, row) in ROWS.iter().enumerate() {
            assert_eq!(row.opcode as usize, i);
            assert_eq!(Opcode::from_number(row.number), Some(row.opcode));
        }
        assert!(ROWS.windows(2).all(|pair| pair[0].number < pair[1].number));
        for number in (49..64).chain([75]).chain(97..0xFFFD) {
            assert_eq!(Opcode::from_number(number), None, "{number}");
        }
    }

    #[test]
    fn versions_of_an_opcode() {
        assert!(Opcode::SetP.allowed_in(Version::vertex(2, 255)) && !Opcode::SetP.allowed_in(Version::vertex(2, 0)));
        assert!(Opcode::Cnd.allowed_in(Version::pixel(1, 4)) && !Opcode::Cnd.allowed_in(Version::pixel(2, 0)));
        assert!(!Opcode::Slt.allowed_in(Version::pixel(3, 0)) && Opcode::Slt.exists_in(Stage::Pixel));
        assert!(!Opcode::Lit.exists_in(Stage::Pixel) && !Opcode::Tex.exists_in(Stage::Vertex));
        assert_eq!(Opcode::Cmp.versions(Stage::Pixel), "ps_1_2 and later");
        assert_eq!(Opcode::TexM3x3.versions(Stage::Pixel), "ps_1_2 to ps_1_3");
        assert_eq!(Opcode::Slt.versions(Stage::Pixel), "no ps version");
    }
}
