//! The SPIR-V writer: check, raise, encode.
//!
//! | module | holds |
//! |---|---|
//! | [`check`] | what SPIR-V or this writer cannot do: every `Unsupported` comes from here |
//! | [`raise`] | the list of passes that turn a module into what the encoder takes |
//! | [`encode`] | words, and no decisions |
//!
//! Known deviations from the IR's total meaning, where Vulkan leaves a result open and a guard would cost every shader:
//!
//! - Transcendental functions have the target's accuracy, `fdiv` and `frem` too (`frem` is `x - y * trunc(x / y)`), and
//!   `fma` may be fused or not. Domain errors (`sqrt`, `log2`, `asin` out of their domain) are NaN on all devices we know.
//! - The sign of zero: of `fmin` and `fmax` of zeros, and of an infinity that is a power of minus zero.
//! - Without `precise`, a device may contract `a * b + c`, and may treat denormals, and (without
//!   [`Options::float_controls`]) NaN and infinities, as it likes; all devices we know keep the latter two.
//! - `ddx` and `ddy` are the target's choice unless coarse or fine is asked for. A `sample` at coordinates that are NaN or
//!   huge is the device's affair.
//! - `fetch`, `image.load` and `image.store` out of range need `robustImageAccess` (or `robustImageAccess2`); a load
//!   through an index into a runtime array without elements needs `robustBufferAccess`. All other indices are guarded here.
//! - `pack.half2x16` and conversions to f16 round as the device does.
//!
//! Clip-space y points down in Vulkan and the shader does not flip: draw with a viewport of negative height.

pub mod check;
pub mod codes;
pub mod encode;
pub mod raise;

use aquatint_base::Diags;
use aquatint_ir::{Module, RegisterClass};

/// The Vulkan version that the output is for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Hash)]
pub enum Environment {
    /// Vulkan 1.1: SPIR-V 1.3.
    #[default]
    Vulkan1_1,
    /// Vulkan 1.2: SPIR-V 1.5.
    Vulkan1_2,
    /// Vulkan 1.3: SPIR-V 1.6.
    Vulkan1_3,
}

impl Environment {
    /// The version word of the module's header.
    pub const fn spirv_version(self) -> u32 {
        match self {
            Environment::Vulkan1_1 => 0x0001_0300,
            Environment::Vulkan1_2 => 0x0001_0500,
            Environment::Vulkan1_3 => 0x0001_0600,
        }
    }

    /// The environment of that name: `vulkan1.1`, `vulkan1.2`, `vulkan1.3`.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "vulkan1.1" => Some(Environment::Vulkan1_1),
            "vulkan1.2" => Some(Environment::Vulkan1_2),
            "vulkan1.3" => Some(Environment::Vulkan1_3),
            _ => None,
        }
    }

    /// `vulkan1.1` and so on, as `spirv-val --target-env` takes it.
    pub const fn name(self) -> &'static str {
        match self {
            Environment::Vulkan1_1 => "vulkan1.1",
            Environment::Vulkan1_2 => "vulkan1.2",
            Environment::Vulkan1_3 => "vulkan1.3",
        }
    }
}

/// Options of the writer.
#[derive(Clone, Debug)]
pub struct Options {
    /// What the output is for.
    pub environment: Environment,
    /// Binding number = register + shift, by register class b, t, s, u. Vulkan numbers all resources of a set together, so
    /// the defaults keep the classes apart.
    pub shifts: [u32; 4],
    /// Whether to name things (`OpName`).
    pub names: bool,
    /// Whether to ask for signed zeros, infinities and NaN to be kept, and for the module's treatment of denormals
    /// (`SPV_KHR_float_controls`). The device must support it for the float widths that the module uses; without it most
    /// devices keep them all the same, and may not.
    pub float_controls: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { environment: Environment::default(), shifts: [0, 16, 32, 48], names: true, float_controls: false }
    }
}

impl Options {
    /// The Vulkan binding of a register; the largest number where it would be past that ([`write()`] refuses those).
    pub const fn binding(&self, class: RegisterClass, register: u32) -> u32 {
        register.saturating_add(self.shift(class))
    }

    const fn shift(&self, class: RegisterClass) -> u32 {
        self.shifts[match class {
            RegisterClass::B => 0,
            RegisterClass::T => 1,
            RegisterClass::S => 2,
            RegisterClass::U => 3,
        }]
    }
}

/// Writes one entry point and all that it reaches as a SPIR-V module.
///
/// # Errors
/// `None` and diagnostics in `diags` when the module has no such entry point or uses what cannot be written.
pub fn write(module: &Module, entry: &str, options: &Options, diags: &mut Diags) -> Option<Vec<u32>> {
    write_owned(module.clone(), entry, options, diags)
}

/// [`write()`] for a module that is not needed afterwards: it is changed in place.
pub fn write_owned(mut module: Module, entry: &str, options: &Options, diags: &mut Diags) -> Option<Vec<u32>> {
    let index = check::check(&module, entry, options, diags)?;
    let function = module.entry_points[index].function;
    if !raise::raise(&mut module, function, diags) {
        return None;
    }
    Some(encode::encode(&module, index, options))
}
