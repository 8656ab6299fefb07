//! The fx_2_0 effect container (`.fxb`, `.fxo`, effects in `.xnb`): parameters, techniques, passes, states, and every
//! shader in them (sheet 5.4).
//!
//! | module | holds |
//! |---|---|
//! | [`model`] | an effect as data |
//! | [`states`] | the list of state operations |
//! | [`container`] | what an effect may lie in: XNA wrappers, `.xnb`, and the DXBC blobs of `.mgfxo` files |
//! | [`parse`](mod@parse) | bytes to effect: the structure area |
//! | `values` | bytes to effect: types and values in the data area |
//! | `resources` | bytes to effect: objects and resources |
//! | [`path`] | parameters by name, such as `arr[1].member` |
//! | [`shaders`] | every shader, with how it was found |
//! | [`bind`] | sampler bindings, and parameter values as registers |
//! | [`print`](mod@print) | the listing |

pub mod bind;
pub mod container;
pub mod model;
pub mod parse;
pub mod path;
pub mod print;
mod resources;
pub mod shaders;
pub mod states;
mod values;

pub use bind::{Registers, SamplerBinding, Upload};
pub use container::{Embedded, EmbeddedKind, embedded};
pub use model::{
    Annotation, Content, Effect, FxType, Object, Parameter, Pass, Resource, State, Target, Technique, Value,
};
pub use parse::parse;
pub use path::Place;
pub use print::print;
pub use shaders::{EffectShader, Found, PassShader, Stage};
