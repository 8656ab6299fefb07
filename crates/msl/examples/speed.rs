//! How long it takes to raise and print a Direct3D 9 shader of about 2000 IR instructions, in nanoseconds an instruction.
//! Run with `cargo run --release -p aquatint-msl --example speed`.

use aquatint_base::Diags;
use aquatint_ir::types::{self, MemberLayout, Space, Struct, Texture, Type, VEC4F};
use aquatint_ir::{
    Attr, Binding, Builder, EntryPoint, Function, GlobalKind, Io, Module, Op, RegisterClass, SampleAttr, Scalar, Stage,
};
use std::time::Instant;

fn resource(class: RegisterClass) -> GlobalKind {
    let binding = Binding { class, register: 0, space: 0 };
    GlobalKind::Resource { binding, writable: false, counter: false }
}

/// A chain of what a long pixel shader does: constants, swizzles, multiply-adds, reciprocals, samples.
fn shader(rounds: usize) -> Module {
    let mut module = Module::new();
    let array = module.types.intern(Type::Array { element: VEC4F, length: Some(224), stride: 16 });
    let name = module.names.intern("Uniforms");
    let member = module.names.intern("uniforms_float4");
    let layout = Some(MemberLayout { offset: 0, matrix_stride: 0, row_major: false });
    let members = vec![types::Member { name: member, ty: array, layout }];
    let id = module.types.structs.push(Struct { name, members, size: 224 * 16 });
    let block = module.types.intern(Type::Struct(id));
    let uniforms = module.add_global("uniforms", block, Space::Uniform, resource(RegisterClass::B));
    let input = module.add_global("v0", VEC4F, Space::Input, GlobalKind::Input(Io::at(0)));
    let output = module.add_global("oC0", VEC4F, Space::Output, GlobalKind::Output(Io::at(0)));
    let texture = module.types.intern(Type::Texture(Texture::sampled(types::Dim::D2)));
    let sampler = module.types.intern(Type::Sampler { comparison: false });
    let texture = module.add_global("s0", texture, Space::Handle, resource(RegisterClass::T));
    let sampler = module.add_global("s0.smp", sampler, Space::Handle, resource(RegisterClass::S));
    let main = module.names.intern("main");
    let function = module.functions.push(Function::new(main, types::VOID));
    module.entry_points.push(EntryPoint {
        name: main,
        stage: Stage::Fragment,
        function,
        workgroup_size: [0; 3],
        depth: Default::default(),
        early_tests: false,
    });
    Builder::edit(&mut module, function, |b| {
        use aquatint_ir::Value;
        let mut value = b.load(Value::global(input));
        let mut other = value;
        for round in 0..rounds {
            let (member, index) = (b.u32(0), b.u32(round as u32 % 224));
            let pointer = b.access(Value::global(uniforms), member);
            let pointer = b.access(pointer, index);
            let constant = b.load(pointer);
            let swizzled = b.shuffle(constant, &[0, 0, 0, 0]);
            let product = b.op(Op::FmaLegacy, &[value, swizzled, other]);
            other = match round % 4 {
                0 => {
                    let at = b.shuffle(product, &[0, 1]);
                    let attr = Attr::Sample(SampleAttr::default());
                    b.value(Op::Sample, attr, &[Value::global(texture), Value::global(sampler), at], VEC4F)
                }
                1 => {
                    let x = b.extract(product, 3);
                    let r = b.op(Op::RcpD3d9, &[x]);
                    let r = b.splat(r, 4);
                    b.op(Op::FMulLegacy, &[product, r])
                }
                2 => {
                    let d = b.op(Op::DotLegacy, &[product, value]);
                    let xyz = b.shuffle(product, &[0, 1, 2]);
                    b.construct(types::vector(Scalar::F32, 4), &[xyz, d])
                }
                _ => {
                    let negated = b.op(Op::FNeg, &[other]);
                    let sum = b.op(Op::FAdd, &[product, negated]);
                    b.op(Op::FSaturate, &[sum])
                }
            };
            value = product;
        }
        let sum = b.op(Op::FAdd, &[value, other]);
        b.store(Value::global(output), sum);
        b.terminate(Op::Return, &[]);
    });
    module
}

fn main() {
    let options = aquatint_msl::Options::direct3d9();
    for rounds in [25, 250, 2500] {
        let module = shader(rounds);
        let count = module.functions.as_slice()[0].insts.len();
        let mut diags = Diags::new();
        let text = aquatint_msl::write(&module, "main", &options, &mut diags);
        assert!(text.is_some() && !diags.has_errors());
        let passes = (4_000_000 / count).max(20);
        let mut times = Vec::with_capacity(passes);
        let mut bytes = 0;
        for _ in 0..passes {
            // As after a reader: the module is fresh, and in the cache.
            let module = module.clone();
            let start = Instant::now();
            bytes = aquatint_msl::write_owned(module, "main", &options, &mut diags).map_or(0, |t| t.len());
            times.push(start.elapsed().as_nanos());
        }
        times.sort_unstable();
        let each = times[passes / 2] as f64;
        println!(
            "{count:6} instructions: {:8.1} us, {:5.1} ns an instruction, {} bytes of text",
            each / 1000.0,
            each / count as f64,
            bytes
        );
    }
}
