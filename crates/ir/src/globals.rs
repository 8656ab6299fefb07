//! Module-scope variables: stage inputs and outputs, resources, private and workgroup variables.

use crate::constants::ConstantId;
use crate::op::named_enum;
use crate::types::{Space, TypeId};
use aquatint_base::{Id, Name, Span};

/// The id of a global.
pub type GlobalId = Id<Global>;

named_enum! {
    /// A shader stage.
    Stage {
        /// Vertex.
        Vertex = "vertex",
        /// Fragment (pixel).
        Fragment = "fragment",
        /// Compute.
        Compute = "compute",
    }
}

named_enum! {
    /// An input or output that the pipeline itself makes or takes.
    Builtin {
        /// `vec4<f32>`: vertex output, clip-space position, y up; fragment input, window coordinates with pixel centres at
        /// halves, depth, and 1/w.
        Position = "position",
        /// f32 output of the vertex stage.
        PointSize = "point_size",
        /// `array<f32, n>`: distances to user clip planes, vertex output.
        ClipDistance = "clip_distance",
        /// `array<f32, n>`: cull distances, vertex output.
        CullDistance = "cull_distance",
        /// u32 vertex input.
        VertexIndex = "vertex_index",
        /// u32 vertex input.
        InstanceIndex = "instance_index",
        /// i32 vertex input.
        BaseVertex = "base_vertex",
        /// u32 vertex input.
        BaseInstance = "base_instance",
        /// bool fragment input.
        FrontFacing = "front_facing",
        /// `vec2<f32>` fragment input: place within a point.
        PointCoord = "point_coord",
        /// u32 fragment input.
        SampleIndex = "sample_index",
        /// u32 fragment input or output.
        SampleMask = "sample_mask",
        /// u32 fragment input.
        PrimitiveId = "primitive_id",
        /// `vec3<f32>` fragment input.
        Barycentric = "barycentric",
        /// u32: render-target layer.
        Layer = "layer",
        /// u32: viewport number.
        ViewportIndex = "viewport_index",
        /// u32: view number of multiview.
        ViewIndex = "view_index",
        /// f32 fragment output.
        FragDepth = "frag_depth",
        /// u32 fragment output.
        FragStencil = "frag_stencil",
        /// `vec3<u32>` compute input.
        GlobalInvocation = "global_invocation",
        /// `vec3<u32>` compute input.
        WorkgroupId = "workgroup_id",
        /// `vec3<u32>` compute input.
        LocalInvocation = "local_invocation",
        /// u32 compute input.
        LocalIndex = "local_index",
        /// `vec3<u32>` compute input.
        WorkgroupCount = "workgroup_count",
    }
}

named_enum! {
    /// How a fragment input is interpolated.
    Interpolation {
        /// Perspective-correct.
        Perspective = "perspective",
        /// Linear in screen space.
        Linear = "linear",
        /// The provoking vertex's value.
        Flat = "flat",
    }
}

named_enum! {
    /// Where a fragment input is evaluated.
    Sampling {
        /// The pixel centre.
        Center = "center",
        /// Somewhere inside the covered part of the pixel.
        Centroid = "centroid",
        /// The sample; the stage runs once a sample.
        Sample = "sample",
    }
}

/// The source language's name of an input or output: Direct3D 9's usage and index, HLSL's semantic.
/// Stages are linked by it, and Metal output names its members after it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Usage {
    /// Lower-case name, such as `texcoord`.
    pub name: Name,
    /// The number behind it.
    pub index: u32,
}

/// What a stage input or output is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Io {
    /// Location between stages, of a vertex attribute, or of a colour target. Exactly one of this and `builtin` is set.
    pub location: Option<u32>,
    /// The built-in that it is.
    pub builtin: Option<Builtin>,
    /// The source's name.
    pub usage: Option<Usage>,
    /// How it is interpolated (fragment inputs and vertex outputs).
    pub interpolation: Interpolation,
    /// Where it is evaluated.
    pub sampling: Sampling,
    /// For colour outputs: index of the blend source (dual-source blending).
    pub blend_index: u32,
    /// The position must be computed the same way in every shader that computes it the same way in the source.
    pub invariant: bool,
}

impl Io {
    /// A plain input or output at a location.
    pub const fn at(location: u32) -> Self {
        Self {
            location: Some(location),
            builtin: None,
            usage: None,
            interpolation: Interpolation::Perspective,
            sampling: Sampling::Center,
            blend_index: 0,
            invariant: false,
        }
    }

    /// A built-in.
    pub const fn built_in(builtin: Builtin) -> Self {
        Self { location: None, builtin: Some(builtin), ..Self::at(0) }
    }

    /// Names it.
    #[must_use]
    pub const fn named(mut self, name: Name, index: u32) -> Self {
        self.usage = Some(Usage { name, index });
        self
    }
}

named_enum! {
    /// Direct3D's register class of a resource.
    RegisterClass {
        /// Constant buffers.
        B = "b",
        /// Textures and read-only buffers.
        T = "t",
        /// Samplers.
        S = "s",
        /// Read-write buffers and textures.
        U = "u",
    }
}

/// Where a resource is bound.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Binding {
    /// Register class.
    pub class: RegisterClass,
    /// First register.
    pub register: u32,
    /// Register space (descriptor set).
    pub space: u32,
}

/// What kind of variable a global is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GlobalKind {
    /// A stage input.
    Input(Io),
    /// A stage output.
    Output(Io),
    /// A buffer, texture or sampler. For a storage buffer `writable` says whether stores are allowed.
    Resource {
        /// Where it is bound.
        binding: Binding,
        /// Whether stores and atomics are allowed.
        writable: bool,
        /// Whether a hidden counter goes with it (append and consume).
        counter: bool,
    },
    /// The push-constant block.
    Push,
    /// Shared by a workgroup, undefined at first.
    Workgroup,
    /// One a invocation; zero, or the constant, at first.
    Private(Option<ConstantId>),
}

/// A module-scope variable. As a value it is a pointer to its type in its space, or the handle itself.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Global {
    /// Unique within the module.
    pub name: Name,
    /// The type that lies there, or the handle type.
    pub ty: TypeId,
    /// The type of the global as a value: a pointer, or the handle type.
    pub value_ty: TypeId,
    /// The address space.
    pub space: Space,
    /// What it is.
    pub kind: GlobalKind,
    /// Where it was declared.
    pub span: Span,
}

impl Global {
    /// The input or output attributes, if it is one.
    pub fn io(&self) -> Option<&Io> {
        match &self.kind {
            GlobalKind::Input(io) | GlobalKind::Output(io) => Some(io),
            _ => None,
        }
    }

    /// The binding, if it is a resource.
    pub fn binding(&self) -> Option<Binding> {
        match self.kind {
            GlobalKind::Resource { binding, .. } => Some(binding),
            _ => None,
        }
    }
}
