//! Depth and stencil: state, tests and updates.

use super::Band;
use crate::compare::Compare;

/// An offset that is added to a polygon's depth.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DepthBias {
    /// The constant part.
    pub constant: f32,
    /// `constant` counts in the least steps that the depth format resolves (Vulkan, Metal, Direct3D 10); otherwise it is
    /// a depth (Direct3D 9).
    pub in_steps: bool,
    /// Times the greater of |∂z/∂x| and |∂z/∂y|.
    pub slope: f32,
    /// If positive the most, if negative the least that the sum may be; 0 is no bound.
    pub clamp: f32,
}

/// The depth test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DepthState {
    /// Test at all; off, nothing is written either.
    pub test: bool,
    /// Write where the test passes.
    pub write: bool,
    /// New depth against stored depth.
    pub compare: Compare,
    /// Added to triangles.
    pub bias: DepthBias,
}

impl Default for DepthState {
    fn default() -> Self {
        Self { test: false, write: true, compare: Compare::LessEqual, bias: DepthBias::default() }
    }
}

/// What becomes of a stencil value. The discriminant is the `D3DSTENCILOP` number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum StencilOp {
    /// It stays.
    #[default]
    Keep = 1,
    /// 0.
    Zero = 2,
    /// The reference.
    Replace = 3,
    /// One more, at most 255.
    IncrementClamp = 4,
    /// One less, at least 0.
    DecrementClamp = 5,
    /// All bits inverted.
    Invert = 6,
    /// One more, 0 after 255.
    IncrementWrap = 7,
    /// One less, 255 after 0.
    DecrementWrap = 8,
}

impl StencilOp {
    /// All operations, in the order of their numbers.
    pub const ALL: [StencilOp; 8] = [
        StencilOp::Keep,
        StencilOp::Zero,
        StencilOp::Replace,
        StencilOp::IncrementClamp,
        StencilOp::DecrementClamp,
        StencilOp::Invert,
        StencilOp::IncrementWrap,
        StencilOp::DecrementWrap,
    ];

    /// The operation of a `D3DSTENCILOP` number (1 to 8).
    pub fn from_d3d9(number: u32) -> Option<StencilOp> {
        Self::ALL.get((number as usize).checked_sub(1)?).copied()
    }

    fn apply(self, stored: u8, reference: u8) -> u8 {
        match self {
            StencilOp::Keep => stored,
            StencilOp::Zero => 0,
            StencilOp::Replace => reference,
            StencilOp::IncrementClamp => stored.saturating_add(1),
            StencilOp::DecrementClamp => stored.saturating_sub(1),
            StencilOp::Invert => !stored,
            StencilOp::IncrementWrap => stored.wrapping_add(1),
            StencilOp::DecrementWrap => stored.wrapping_sub(1),
        }
    }
}

/// The stencil test of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StencilFace {
    /// Masked reference against masked stored value.
    pub compare: Compare,
    /// Where the stencil test fails.
    pub fail: StencilOp,
    /// Where it passes and the depth test fails.
    pub depth_fail: StencilOp,
    /// Where both pass.
    pub pass: StencilOp,
    /// The reference.
    pub reference: u8,
    /// Bits that are compared.
    pub read_mask: u8,
    /// Bits that are written.
    pub write_mask: u8,
}

impl Default for StencilFace {
    fn default() -> Self {
        Self {
            compare: Compare::Always,
            fail: StencilOp::Keep,
            depth_fail: StencilOp::Keep,
            pass: StencilOp::Keep,
            reference: 0,
            read_mask: 0xFF,
            write_mask: 0xFF,
        }
    }
}

/// The stencil tests of both sides. One-sided stencil is two equal ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StencilState {
    /// Front faces, points and lines.
    pub front: StencilFace,
    /// Back faces.
    pub back: StencilFace,
}

/// The tests of one primitive.
pub(super) struct Tests {
    pub depth: DepthState,
    pub stencil: Option<StencilFace>,
}

impl Tests {
    /// Whether nothing is tested or written.
    pub fn is_off(&self) -> bool {
        !self.depth.test && self.stencil.is_none()
    }

    /// Whether a failing pixel leaves the stencil as it is, so that failing early or never being drawn is the same.
    pub fn failure_is_silent(&self) -> bool {
        self.stencil.is_none_or(|face| {
            face.write_mask == 0 || (face.fail == StencilOp::Keep && face.depth_fail == StencilOp::Keep)
        })
    }

    /// Tests one pixel, whose depth is quantised; changes depth and stencil unless it is only a look.
    pub fn run(&self, band: &mut Band<'_>, pixel: usize, depth: f32, reference: Option<u8>, update: bool) -> bool {
        let stored_depth = band.depth.as_deref().and_then(|values| values.get(pixel)).copied();
        let depth_passes = match stored_depth {
            Some(stored) if self.depth.test => self.depth.compare.test(depth, stored),
            _ => true,
        };
        let mut passes = depth_passes;
        if let (Some(face), Some(stored)) =
            (self.stencil, band.stencil.as_deref_mut().and_then(|values| values.get_mut(pixel)))
        {
            let reference = reference.unwrap_or(face.reference);
            let stencil_passes = face.compare.test(reference & face.read_mask, *stored & face.read_mask);
            let op = match (stencil_passes, depth_passes) {
                (false, _) => face.fail,
                (true, false) => face.depth_fail,
                (true, true) => face.pass,
            };
            if update {
                *stored = (*stored & !face.write_mask) | (op.apply(*stored, reference) & face.write_mask);
            }
            passes &= stencil_passes;
        }
        if update
            && passes
            && self.depth.test
            && self.depth.write
            && let Some(stored) = band.depth.as_deref_mut().and_then(|values| values.get_mut(pixel))
        {
            *stored = depth;
        }
        passes
    }
}
