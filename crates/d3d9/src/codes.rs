//! Diagnostic codes of the Direct3D 9 front-end.

use aquatint_base::{Code, Kind};

/// A damaged constant table.
pub static E_CTAB: Code = Code {
    id: "E-CTAB",
    kind: Kind::Invalid,
    title: "damaged constant table",
    explanation: "A shader's CTAB comment breaks the layout of the D3DX constant table: an offset outside the comment, a \
        name without its NUL, a type that contains itself, registers outside the widest file. The table only names \
        things, so what is damaged is dropped and the shader is translated without it. Recompile the shader, or strip \
        the comment, to be rid of the warning.",
};

/// A damaged preshader or expression.
pub static E_PRES: Code = Code {
    id: "E-PRES",
    kind: Kind::Invalid,
    title: "damaged preshader",
    explanation: "A PRES comment or an FX expression blob cannot be read: a part is missing or cut off, an operand names a \
        table that does not exist, a count is outside its bounds. A shader is translated all the same, but the \
        registers that its preshader would have computed must come from the application.",
};

/// A damaged effect.
pub static E_FX: Code = Code {
    id: "E-FX",
    kind: Kind::Invalid,
    title: "damaged effect",
    explanation: "An fx_2_0 effect breaks its container's layout: an offset outside the data area, a count that the rest \
        of the file cannot hold, a resource for a state that does not exist. What could be read is still listed; a bad \
        resource is skipped.",
};
