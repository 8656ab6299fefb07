//! System values: which stages have them, and as what (A7, D8).

use aquatint_ir::types::{self as ir, Scalar, TypeId};
use aquatint_ir::{Builtin, Stage};

/// What a semantic means in a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// A value with a location.
    Located,
    /// A colour target: the location is the semantic's index.
    Target,
    /// A built-in of that IR type.
    Builtin(Builtin, TypeId),
    /// Clip or cull distances, which are packed into one array.
    Distances(Builtin),
    /// Depth with a promise.
    Depth(aquatint_ir::DepthMode),
    /// Known, and of no use here.
    Invalid,
    /// Known, and of a stage that is not supported.
    OtherStage,
    /// No system value of that name.
    Unknown,
}

/// A row: the lower-case name, stage, whether it is an input, meaning.
type Row = (&'static str, Stage, bool, Meaning);

const U3: TypeId = ir::vector(Scalar::U32, 3);

const fn b(builtin: Builtin, ty: TypeId) -> Meaning {
    Meaning::Builtin(builtin, ty)
}

use Stage::{Compute, Fragment, Vertex};

static ROWS: &[Row] = &[
    ("sv_vertexid", Vertex, true, b(Builtin::VertexIndex, ir::U32)),
    ("sv_instanceid", Vertex, true, b(Builtin::InstanceIndex, ir::U32)),
    ("sv_instanceid", Vertex, false, Meaning::Located),
    ("sv_instanceid", Fragment, true, Meaning::Located),
    ("sv_startvertexlocation", Vertex, true, b(Builtin::BaseVertex, ir::I32)),
    ("sv_startinstancelocation", Vertex, true, b(Builtin::BaseInstance, ir::U32)),
    ("sv_position", Vertex, true, Meaning::Located),
    ("sv_position", Vertex, false, b(Builtin::Position, ir::VEC4F)),
    ("sv_position", Fragment, true, b(Builtin::Position, ir::VEC4F)),
    ("sv_clipdistance", Vertex, false, Meaning::Distances(Builtin::ClipDistance)),
    ("sv_culldistance", Vertex, false, Meaning::Distances(Builtin::CullDistance)),
    ("sv_rendertargetarrayindex", Vertex, false, b(Builtin::Layer, ir::U32)),
    ("sv_rendertargetarrayindex", Fragment, true, b(Builtin::Layer, ir::U32)),
    ("sv_viewportarrayindex", Vertex, false, b(Builtin::ViewportIndex, ir::U32)),
    ("sv_viewportarrayindex", Fragment, true, b(Builtin::ViewportIndex, ir::U32)),
    ("sv_isfrontface", Fragment, true, b(Builtin::FrontFacing, ir::BOOL)),
    ("sv_sampleindex", Fragment, true, b(Builtin::SampleIndex, ir::U32)),
    ("sv_coverage", Fragment, true, b(Builtin::SampleMask, ir::U32)),
    ("sv_coverage", Fragment, false, b(Builtin::SampleMask, ir::U32)),
    ("sv_primitiveid", Fragment, true, b(Builtin::PrimitiveId, ir::U32)),
    ("sv_barycentrics", Fragment, true, b(Builtin::Barycentric, ir::vector(Scalar::F32, 3))),
    ("sv_viewid", Vertex, true, b(Builtin::ViewIndex, ir::U32)),
    ("sv_viewid", Fragment, true, b(Builtin::ViewIndex, ir::U32)),
    ("sv_target", Fragment, false, Meaning::Target),
    ("sv_depth", Fragment, false, Meaning::Depth(aquatint_ir::DepthMode::Any)),
    ("sv_depthgreaterequal", Fragment, false, Meaning::Depth(aquatint_ir::DepthMode::Greater)),
    ("sv_depthlessequal", Fragment, false, Meaning::Depth(aquatint_ir::DepthMode::Less)),
    ("sv_stencilref", Fragment, false, b(Builtin::FragStencil, ir::U32)),
    ("sv_dispatchthreadid", Compute, true, b(Builtin::GlobalInvocation, U3)),
    ("sv_groupid", Compute, true, b(Builtin::WorkgroupId, U3)),
    ("sv_groupthreadid", Compute, true, b(Builtin::LocalInvocation, U3)),
    ("sv_groupindex", Compute, true, b(Builtin::LocalIndex, ir::U32)),
];

/// System values that exist, and are of no use to the supported stages.
static OTHERS: &[&str] = &[
    "sv_innercoverage",
    "sv_shadingrate",
    "sv_gsinstanceid",
    "sv_outputcontrolpointid",
    "sv_domainlocation",
    "sv_tessfactor",
    "sv_insidetessfactor",
    "sv_cullprimitive",
    "sv_dispatchgrid",
    "sv_stencilref",
];

/// What a semantic means as an input or output of a stage. The name is in lower case.
pub fn meaning(name: &str, stage: Stage, input: bool) -> Meaning {
    if !name.starts_with("sv_") {
        return match (stage, input) {
            (Fragment, false) | (Compute, _) => Meaning::Invalid,
            _ => Meaning::Located,
        };
    }
    match ROWS.iter().find(|row| row.0 == name && row.1 == stage && row.2 == input) {
        Some(row) => row.3,
        None if ROWS.iter().any(|row| row.0 == name) => Meaning::Invalid,
        None if OTHERS.contains(&name) => Meaning::OtherStage,
        None => Meaning::Unknown,
    }
}

/// Direct3D 9's name as the system value that it is (A7.8).
pub fn legacy(name: &str, stage: Stage, input: bool) -> Option<&'static str> {
    match (name, stage, input) {
        ("color", Fragment, false) => Some("sv_target"),
        ("depth", Fragment, false) => Some("sv_depth"),
        ("position", Vertex, false) => Some("sv_position"),
        ("vpos", Fragment, true) => Some("sv_position"),
        _ => None,
    }
}

/// The names of system values, for suggestions.
pub fn names() -> impl Iterator<Item = &'static str> {
    ROWS.iter().map(|row| row.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn d8_directions() {
        assert_eq!(meaning("sv_position", Vertex, false), b(Builtin::Position, ir::VEC4F));
        assert_eq!(meaning("sv_target", Vertex, false), Meaning::Invalid);
        assert_eq!(meaning("sv_nonsense", Vertex, false), Meaning::Unknown);
        assert_eq!(meaning("texcoord", Fragment, true), Meaning::Located);
        assert_eq!(meaning("texcoord", Fragment, false), Meaning::Invalid);
        assert_eq!(meaning("sv_tessfactor", Vertex, false), Meaning::OtherStage);
    }
}
