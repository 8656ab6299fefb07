//! A compiled function with its arguments in memory.

use super::interface::{Objects, TABLE, Table};
use super::job::{Image, Stage, Written};
use super::plan::{BUILTINS, Plan};
use super::signature::StageKind;
use super::wire::{Wire, wire_struct};
use libloading::Library;
use std::path::PathBuf;

/// Words of all builtins.
pub(super) const BUILTIN_WORDS: usize = BUILTINS.len() * 4;

/// `aq_call` of `metal/entry.h`.
#[repr(C)]
#[derive(Clone, Debug, Default)]
pub(super) struct Call {
    buffers: u64,
    textures: u64,
    samplers: u64,
    memory: u64,
    input: u64,
    output: u64,
    builtins: u64,
}

/// Bytes aligned for any vector.
#[derive(Debug)]
pub(super) struct Memory {
    words: Vec<u128>,
    length: usize,
}

impl Memory {
    /// Zeros.
    pub(super) fn zeroed(length: usize) -> Memory {
        // Some zeros behind, so that a vector at the end may be read whole.
        Memory { words: vec![0; length / 16 + 17], length }
    }

    fn of(bytes: &[u8]) -> Memory {
        let mut made = Memory::zeroed(bytes.len());
        made.bytes_mut().copy_from_slice(bytes);
        made
    }

    fn bytes(&self) -> &[u8] {
        // SAFETY: the words hold at least that many bytes.
        unsafe { std::slice::from_raw_parts(self.words.as_ptr().cast(), self.length) }
    }

    /// The bytes.
    pub(super) fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: as above.
        unsafe { std::slice::from_raw_parts_mut(self.words.as_mut_ptr().cast(), self.length) }
    }

    /// Where they lie.
    pub(super) fn address(&mut self) -> u64 {
        self.words.as_mut_ptr() as u64
    }
}

/// A compiled function: the shared object, and how it is called.
#[derive(Clone, Debug)]
pub(super) struct Function {
    pub(super) library: PathBuf,
    pub(super) plan: Plan,
}

wire_struct!(Function { library, plan });

impl Wire for PathBuf {
    fn put(&self, to: &mut Vec<u8>) {
        self.to_string_lossy().into_owned().put(to);
    }
    fn take(from: &mut &[u8]) -> Option<Self> {
        String::take(from).map(PathBuf::from)
    }
}

/// A function, its resources, and one argument record a thread.
pub(super) struct Bound {
    pub(super) plan: Plan,
    pub(super) entry: unsafe extern "C" fn(*mut u8),
    pub(super) objects: Objects,
    buffers: Vec<(u32, Memory)>,
    buffer_table: Vec<u64>,
    texture_table: Vec<u64>,
    sampler_table: Vec<u64>,
    pub(super) memory_table: Vec<u64>,
    calls: Vec<Call>,
    input: Vec<u32>,
    output: Vec<u32>,
    builtins: Vec<u32>,
    /// Keeps the code.
    _library: Library,
}

impl Bound {
    /// Loads a shared object and lays out the arguments for that many threads.
    pub(super) fn new(function: &Function, stage: &Stage, kind: StageKind, threads: usize) -> Result<Bound, String> {
        let Function { library, plan } = function.clone();
        if plan.stage != kind {
            return Err(format!("'{}' is a {:?} function, not a {kind:?} function", stage.entry, plan.stage));
        }
        // SAFETY: the library is a compiled shader, whose initialisers compute constants.
        let library = unsafe { Library::new(library) }.map_err(|e| e.to_string())?;
        // SAFETY: the symbols have these types.
        let entry = unsafe {
            let set =
                library.get::<unsafe extern "C" fn(*const Table)>(b"aq_set_table\0").map_err(|e| e.to_string())?;
            set(&raw const TABLE);
            *library.get::<unsafe extern "C" fn(*mut u8)>(plan.symbol.as_bytes()).map_err(|e| e.to_string())?
        };
        let mut objects = Objects::default();
        let mut buffer_table = vec![0_u64; 64];
        let mut texture_table = vec![0_u64; 256];
        let mut sampler_table = vec![0_u64; 64];
        let put = |table: &mut Vec<u64>, index: u32, value: u64| {
            table
                .get_mut(index as usize)
                .map(|place| *place = value)
                .ok_or_else(|| format!("index {index} is too large"))
        };
        let mut buffers: Vec<(u32, Memory)> =
            stage.buffers.iter().map(|(index, bytes)| (*index, Memory::of(bytes))).collect();
        for (index, memory) in &mut buffers {
            put(&mut buffer_table, *index, memory.address())?;
        }
        for (index, image) in &stage.textures {
            let made = image.texture().map_err(|e| format!("texture {index}: {e}"))?;
            objects.textures.push(made);
            put(&mut texture_table, *index, objects.textures.len() as u64)?;
        }
        for (index, sampler) in &stage.samplers {
            objects.samplers.push(sampler.clone());
            put(&mut sampler_table, *index, objects.samplers.len() as u64)?;
        }
        for resource in &plan.buffers {
            for index in resource.index..resource.index + resource.count {
                if buffer_table.get(index as usize).is_none_or(|&address| address == 0) {
                    return Err(format!("buffer {index} ('{}') is not given", resource.name));
                }
            }
        }
        let mut bound = Bound {
            input: vec![0; plan.in_words * threads],
            output: vec![0; plan.out_words * threads],
            builtins: vec![0; BUILTIN_WORDS * threads],
            plan,
            entry,
            objects,
            buffers,
            buffer_table,
            texture_table,
            sampler_table,
            memory_table: vec![0; 64],
            calls: Vec::new(),
            _library: library,
        };
        for thread in 0..threads {
            let word = |all: &mut Vec<u32>, stride: usize| {
                // SAFETY: within the vector, or its end.
                unsafe { all.as_mut_ptr().add(thread * stride) as u64 }
            };
            bound.calls.push(Call {
                buffers: bound.buffer_table.as_mut_ptr() as u64,
                textures: bound.texture_table.as_mut_ptr() as u64,
                samplers: bound.sampler_table.as_mut_ptr() as u64,
                memory: bound.memory_table.as_mut_ptr() as u64,
                input: word(&mut bound.input, bound.plan.in_words),
                output: word(&mut bound.output, bound.plan.out_words),
                builtins: word(&mut bound.builtins, BUILTIN_WORDS),
            });
        }
        Ok(bound)
    }

    /// The argument records of the first threads.
    pub(super) fn arguments(&mut self, threads: usize) -> impl Iterator<Item = *mut u8> + use<> {
        let start = self.calls.as_mut_ptr();
        // SAFETY: `threads` is at most the number of records.
        (0..threads.min(self.calls.len())).map(move |i| unsafe { start.add(i).cast() })
    }

    /// A thread's input words.
    pub(super) fn input(&mut self, thread: usize) -> &mut [u32] {
        let stride = self.plan.in_words;
        self.input.get_mut(thread * stride..(thread + 1) * stride).unwrap_or_default()
    }

    /// A thread's results.
    pub(super) fn output(&self, thread: usize) -> &[u32] {
        let stride = self.plan.out_words;
        self.output.get(thread * stride..(thread + 1) * stride).unwrap_or_default()
    }

    /// Forgets the results of earlier runs.
    pub(super) fn clear_output(&mut self) {
        self.output.fill(0);
    }

    /// Sets a builtin of a thread; `first` comes from [`super::plan::builtin`].
    pub(super) fn set_builtin(&mut self, thread: usize, first: usize, words: &[u32]) {
        let start = thread * BUILTIN_WORDS + first;
        if let Some(place) = self.builtins.get_mut(start..start + words.len()) {
            place.copy_from_slice(words);
        }
    }

    /// Whether the function may write memory.
    pub(super) fn writes_memory(&self) -> bool {
        self.plan.buffers.iter().chain(&self.plan.textures).any(|resource| resource.writable)
    }

    /// Buffers that the function may write.
    pub(super) fn writable(&mut self) -> Vec<(*mut u8, usize)> {
        let plan = &self.plan;
        let writable =
            |index: u32| plan.buffers.iter().any(|r| r.writable && (r.index..r.index + r.count).contains(&index));
        let all = self.buffers.iter_mut().filter(|(index, _)| writable(*index));
        all.map(|(_, memory)| (memory.address() as *mut u8, memory.length)).collect()
    }

    /// What has been written.
    pub(super) fn written(&self) -> Written {
        let holds = |all: &[super::plan::Resource], index: u32| {
            all.iter().any(|r| r.writable && (r.index..r.index + r.count).contains(&index))
        };
        let mut textures = Vec::new();
        for (index, &handle) in self.texture_table.iter().enumerate() {
            let texture = (handle as usize).checked_sub(1).and_then(|place| self.objects.textures.get(place));
            if let Some(texture) = texture
                && holds(&self.plan.textures, index as u32)
            {
                textures.push((index as u32, Image::of(texture)));
            }
        }
        let buffers = self.buffers.iter().filter(|(index, _)| holds(&self.plan.buffers, *index));
        Written { buffers: buffers.map(|(index, memory)| (*index, memory.bytes().to_vec())).collect(), textures }
    }
}
