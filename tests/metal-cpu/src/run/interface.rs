//! The C functions that compiled shaders call, and the state that they act on.

use super::schedule::{self, Threads, VALUE};
use super::signature::StageKind;
use aquatint_exec::compare::Compare;
use aquatint_exec::texture::{Address, Coord, Detail, Dimension, Filter, MipFilter, Sampler, Texture};

/// Textures and samplers of one stage. Handle n is element n − 1.
#[derive(Debug, Default)]
pub(super) struct Objects {
    pub(super) textures: Vec<Texture>,
    pub(super) samplers: Vec<Sampler>,
}

/// What runs now.
struct World {
    threads: *mut Threads,
    objects: *mut Objects,
    stage: StageKind,
    unbound: Texture,
    nearest: Sampler,
}

static mut WORLD: *mut World = std::ptr::null_mut();

/// Says what the next threads are and what they see.
///
/// # Safety
/// `threads` and `objects` stay where they are while shaders run, and are not touched meanwhile.
pub(super) unsafe fn enter(threads: *mut Threads, objects: *mut Objects, stage: StageKind) {
    // SAFETY: the process runs shaders on one thread.
    unsafe {
        if WORLD.is_null() {
            WORLD = Box::into_raw(Box::new(World {
                threads,
                objects,
                stage,
                unbound: Texture::unbound(Dimension::D2),
                nearest: Sampler { seamless: true, ..Sampler::default() },
            }));
        }
        let world = &mut *WORLD;
        (world.threads, world.objects, world.stage) = (threads, objects, stage);
        schedule::RUNNING = threads;
    }
}

/// The running thread's world. Only used between switches.
unsafe fn world<'a>() -> &'a mut World {
    // SAFETY: `enter` came first.
    unsafe { &mut *WORLD }
}

/// `aq_sample` of `runtime.h`.
#[repr(C)]
pub(super) struct How {
    at: [f32; 3],
    layer: u32,
    offset: [i32; 3],
    lod: u32,
    level_or_bias: f32,
    ddx: [f32; 3],
    ddy: [f32; 3],
    min_lod: f32,
    reference: f32,
    component: u32,
}

/// `aq_sampler_state` of `runtime.h`.
#[repr(C)]
pub(super) struct Written {
    min: u32,
    mag: u32,
    mip: u32,
    address: [u32; 3],
    border: u32,
    compare: u32,
    unnormalised: u32,
    anisotropy: u32,
    min_lod: f32,
    max_lod: f32,
}

impl Written {
    /// The sampler of a `constexpr sampler`; numbers are the enumerators' of the header.
    fn sampler(&self) -> Sampler {
        let filter = |number: u32| if number == 0 { Filter::Point } else { Filter::Linear };
        let address = |number: u32| match number {
            1 => Address::Clamp, // clamp_to_edge
            2 => Address::Wrap,
            3 => Address::Mirror,
            _ => Address::Border, // clamp_to_zero, clamp_to_border
        };
        let compare = [
            Compare::Never,
            Compare::Less,
            Compare::LessEqual,
            Compare::Greater,
            Compare::GreaterEqual,
            Compare::Equal,
            Compare::NotEqual,
            Compare::Always,
        ];
        let black = [0.0, 0.0, 0.0, 1.0];
        Sampler {
            min: filter(self.min),
            mag: filter(self.mag),
            mip: match self.mip {
                0 => MipFilter::None,
                1 => MipFilter::Point,
                _ => MipFilter::Linear,
            },
            address: self.address.map(address),
            border: [[0.0; 4], black, [1.0; 4]].get(self.border as usize).copied().unwrap_or_default(),
            lod_bias: 0.0,
            min_lod: self.min_lod,
            max_lod: self.max_lod,
            max_anisotropy: self.anisotropy.max(1),
            compare: compare.get(self.compare as usize).copied().unwrap_or(Compare::Never),
            unnormalised: self.unnormalised != 0,
            seamless: true,
        }
    }
}

/// The functions, in the order of `aq_table` in `runtime/runtime.cpp`.
#[repr(C)]
pub(super) struct Table {
    exchange: unsafe extern "C" fn(u32, *const u8, u32, *mut u64, *const usize) -> *const u8,
    lane: unsafe extern "C" fn(u32) -> u32,
    lanes: unsafe extern "C" fn(u32) -> u32,
    barrier: unsafe extern "C" fn(u32, u32, *const usize),
    discard: unsafe extern "C" fn(),
    is_helper: unsafe extern "C" fn() -> u32,
    stage: unsafe extern "C" fn() -> u32,
    sample: unsafe extern "C" fn(u64, u64, *const Written, *const How, *mut u32, u32, *const usize),
    lod: unsafe extern "C" fn(u64, u64, *const Written, *const How, *mut f32, *const usize),
    read: unsafe extern "C" fn(u64, *const u32, u32, u32, u32, *mut u32),
    write: unsafe extern "C" fn(u64, *const u32, u32, u32, *const u32),
    query: unsafe extern "C" fn(u64, u32, u32) -> u32,
}

/// The table that shaders get.
pub(super) static TABLE: Table =
    Table { exchange, lane, lanes, barrier, discard, is_helper, stage, sample, lod, read, write, query };

// SAFETY of all below: only called by shaders on fibers of the world's threads, with pointers to locals of theirs.

unsafe extern "C" fn exchange(
    scope: u32,
    mine: *const u8,
    size: u32,
    active: *mut u64,
    frame: *const usize,
) -> *const u8 {
    unsafe {
        let mine = std::slice::from_raw_parts(mine, size as usize);
        let (all, set) = schedule::wait(world().threads, scope, mine, frame);
        active.write(set);
        all.cast()
    }
}

unsafe extern "C" fn lane(scope: u32) -> u32 {
    unsafe { (*world().threads).lane(scope) }
}

unsafe extern "C" fn lanes(scope: u32) -> u32 {
    unsafe { if scope == schedule::QUAD { 4 } else { (*world().threads).simd() } }
}

unsafe extern "C" fn barrier(scope: u32, _flags: u32, frame: *const usize) {
    unsafe {
        schedule::wait(world().threads, scope, &[], frame);
    }
}

unsafe extern "C" fn discard() {
    unsafe { (*world().threads).discard() }
}

unsafe extern "C" fn is_helper() -> u32 {
    unsafe { u32::from((*world().threads).is_helper()) }
}

unsafe extern "C" fn stage() -> u32 {
    unsafe { world().stage as u32 }
}

/// The texture of a handle.
unsafe fn texture<'a>(handle: u64) -> &'a Texture {
    unsafe {
        let world = world();
        let place = (handle as usize).wrapping_sub(1);
        let objects = &*world.objects;
        objects.textures.get(place).unwrap_or(&world.unbound)
    }
}

/// Calls `with` with the sampler of a handle, or the one that the source describes.
unsafe fn with_sampler<R>(handle: u64, state: *const Written, with: impl FnOnce(&Sampler) -> R) -> R {
    unsafe {
        if !state.is_null() {
            return with(&(*state).sampler());
        }
        let world = world();
        let place = (handle as usize).wrapping_sub(1);
        let objects = &*world.objects;
        with(objects.samplers.get(place).unwrap_or(&world.nearest))
    }
}

/// The level of detail; the quad's threads come together for an implicit one.
unsafe fn detail(how: &How, frame: *const usize) -> Detail {
    match how.lod {
        1 => Detail::Level(how.level_or_bias),
        2 => Detail::Gradient { ddx: how.ddx, ddy: how.ddy, bias: 0.0, min_lod: how.min_lod },
        _ => unsafe {
            if world().stage != StageKind::Fragment {
                return Detail::ZERO;
            }
            let mut mine = [0_u8; 12];
            for (to, from) in mine.as_chunks_mut::<4>().0.iter_mut().zip(how.at) {
                *to = from.to_ne_bytes();
            }
            let (all, set) = schedule::wait(world().threads, schedule::QUAD, &mine, frame);
            if set != 15 {
                return Detail::ZERO;
            }
            let at = [0, 1, 2, 3].map(|lane| {
                let value: [u8; VALUE] = *all.add(lane);
                let float = |k: usize| f32::from_ne_bytes(std::array::from_fn(|i| value[4 * k + i]));
                Coord::new([float(0), float(1), float(2)])
            });
            Detail::of_quad(&at, how.level_or_bias, how.min_lod)
        },
    }
}

fn coord(how: &How) -> Coord {
    Coord { at: how.at, layer: how.layer as f32, offset: how.offset }
}

/// `what`: 0 sample, 1 compare, 2 gather, 3 gather and compare.
unsafe extern "C" fn sample(
    handle: u64,
    sampler: u64,
    state: *const Written,
    how: *const How,
    words: *mut u32,
    what: u32,
    frame: *const usize,
) {
    unsafe {
        let how = &*how;
        let detail = if what < 2 { detail(how, frame) } else { Detail::ZERO };
        let texture = texture(handle);
        let at = coord(how);
        let answer = with_sampler(sampler, state, |sampler| match what {
            0 if texture.is_integer() => texture.sample_bits(sampler, &at, &detail),
            0 => texture.sample(sampler, &at, &detail).map(f32::to_bits),
            1 => [texture.sample_compare(sampler, &at, &detail, how.reference).to_bits(), 0, 0, 0],
            2 => texture.gather_bits(sampler, &at, how.component as usize),
            _ => texture.gather_compare(sampler, &at, how.reference).map(f32::to_bits),
        });
        words.cast::<[u32; 4]>().write_unaligned(answer);
    }
}

unsafe extern "C" fn lod(
    handle: u64,
    sampler: u64,
    state: *const Written,
    how: *const How,
    answers: *mut f32,
    frame: *const usize,
) {
    unsafe {
        let how = &*how;
        let detail = detail(how, frame);
        let texture = texture(handle);
        let query = with_sampler(sampler, state, |sampler| texture.query_lod(sampler, &coord(how), &detail));
        answers.cast::<[f32; 2]>().write_unaligned([query.level, query.lambda]);
    }
}

/// Texel coordinates as the texture wants them: beyond `i32` there are no texels.
fn texel(at: [u32; 3]) -> [i32; 3] {
    at.map(|i| i32::try_from(i).unwrap_or(i32::MAX))
}

unsafe extern "C" fn read(handle: u64, at: *const u32, layer: u32, level: u32, sample: u32, words: *mut u32) {
    unsafe {
        let [layer, level, sample] = texel([layer, level, sample]);
        let at = texel(at.cast::<[u32; 3]>().read_unaligned());
        let texel = texture(handle).fetch_bits(at, layer, level, sample);
        words.cast::<[u32; 4]>().write_unaligned(texel);
    }
}

unsafe extern "C" fn write(handle: u64, at: *const u32, layer: u32, level: u32, words: *const u32) {
    unsafe {
        if (*world().threads).is_helper() {
            return;
        }
        let place = (handle as usize).wrapping_sub(1);
        let objects = &mut *world().objects;
        if let Some(texture) = objects.textures.get_mut(place) {
            let [layer, level, _] = texel([layer, level, 0]);
            let at = texel(at.cast::<[u32; 3]>().read_unaligned());
            texture.store_bits(at, layer, level, 0, words.cast::<[u32; 4]>().read_unaligned());
        }
    }
}

unsafe extern "C" fn query(handle: u64, what: u32, level: u32) -> u32 {
    unsafe {
        let texture = texture(handle);
        let size = texture.size(level);
        match what {
            0 => size.width,
            1 => size.height,
            2 => size.depth,
            3 => texture.shape().layers,
            4 => texture.levels(),
            _ => texture.shape().samples,
        }
    }
}
