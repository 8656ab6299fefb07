//! Primitive assembly: from a vertex or index sequence to points, lines and triangles.

/// How vertices join. The discriminant is the `D3DPRIMITIVETYPE` number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Topology {
    /// Each vertex a point.
    PointList = 1,
    /// Each two vertices a line.
    LineList = 2,
    /// Each vertex after the first ends a line.
    LineStrip = 3,
    /// Each three vertices a triangle.
    TriangleList = 4,
    /// Each vertex after the second ends a triangle; every second one is turned so that all wind alike.
    TriangleStrip = 5,
    /// Each vertex after the second ends a triangle with the one before and the first.
    TriangleFan = 6,
}

impl Topology {
    /// The topology of a `D3DPRIMITIVETYPE` number (1 to 6).
    pub fn from_d3d9(number: u32) -> Option<Topology> {
        Some(match number {
            1 => Topology::PointList,
            2 => Topology::LineList,
            3 => Topology::LineStrip,
            4 => Topology::TriangleList,
            5 => Topology::TriangleStrip,
            6 => Topology::TriangleFan,
            _ => return None,
        })
    }

    /// Vertices that a Direct3D 9 draw of that many primitives takes; `None` on overflow.
    pub fn vertices_of(self, primitives: u32) -> Option<u32> {
        match self {
            Topology::PointList => Some(primitives),
            Topology::LineList => primitives.checked_mul(2),
            Topology::TriangleList => primitives.checked_mul(3),
            _ if primitives == 0 => Some(0),
            Topology::LineStrip => primitives.checked_add(1),
            Topology::TriangleStrip | Topology::TriangleFan => primitives.checked_add(2),
        }
    }
}

/// Which vertex gives flat attributes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Provoking {
    /// The first (Direct3D, Vulkan, Metal). Of triangle `i` in a strip that is vertex `i`, in a fan vertex `i + 1`.
    #[default]
    First,
    /// The last (OpenGL).
    Last,
}

/// The sequence that is assembled.
#[derive(Clone, Copy, Debug)]
pub enum Elements<'a> {
    /// Vertices one after another.
    Range {
        /// The first vertex.
        first: u32,
        /// How many.
        count: u32,
    },
    /// Vertices by index.
    Indices {
        /// The indices.
        indices: &'a [u32],
        /// Added to each (wrapping, as the APIs have it).
        base: i32,
        /// The index that ends a strip, before `base` is added. For 16-bit indices that is 0xFFFF.
        restart: Option<u32>,
    },
}

/// An assembled primitive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Primitive {
    /// Vertex numbers; only the first `count` count.
    pub vertices: [u32; 3],
    /// 1 a point, 2 a line, 3 a triangle.
    pub count: u8,
    /// The vertex whose flat attributes hold.
    pub provoking: u32,
    /// The number of the primitive within the draw.
    pub id: u32,
}

/// Hands each primitive of a sequence to `each`, in order. An incomplete last primitive is dropped.
pub fn assemble(topology: Topology, elements: Elements<'_>, provoking: Provoking, mut each: impl FnMut(Primitive)) {
    let mut run = Run { topology, provoking, length: 0, held: [0; 3], next_id: 0 };
    match elements {
        Elements::Range { first, count } => {
            (0..count).filter_map(|i| run.push(first.wrapping_add(i))).for_each(each);
        }
        Elements::Indices { indices, base, restart } => {
            for &index in indices {
                if Some(index) == restart {
                    run.length = 0;
                } else if let Some(primitive) = run.push(index.wrapping_add_signed(base)) {
                    each(primitive);
                }
            }
        }
    }
}

/// The state between two vertices.
struct Run {
    topology: Topology,
    provoking: Provoking,
    /// Vertices since the start or the last restart.
    length: u64,
    held: [u32; 3],
    next_id: u32,
}

impl Run {
    fn push(&mut self, vertex: u32) -> Option<Primitive> {
        let position = self.length;
        self.length += 1;
        let [a, b, _] = self.held;
        let last_provokes = self.provoking == Provoking::Last;
        let (vertices, count) = match self.topology {
            Topology::PointList => ([vertex, 0, 0], 1),
            Topology::LineList | Topology::LineStrip => {
                self.held[0] = vertex;
                if position == 0 || (self.topology == Topology::LineList && position.is_multiple_of(2)) {
                    return None;
                }
                ([a, vertex, 0], 2)
            }
            Topology::TriangleList => {
                let corner = (position % 3) as usize;
                self.held[corner] = vertex;
                if corner < 2 {
                    return None;
                }
                (self.held, 3)
            }
            Topology::TriangleStrip => {
                self.held = [b, vertex, 0];
                if position < 2 {
                    return None;
                }
                // The odd triangles are turned by exchanging the two vertices that do not provoke.
                let turned = if last_provokes { [b, a, vertex] } else { [a, vertex, b] };
                (if position.is_multiple_of(2) { [a, b, vertex] } else { turned }, 3)
            }
            Topology::TriangleFan => {
                match position {
                    0 => self.held[0] = vertex,
                    _ => self.held[1] = vertex,
                }
                if position < 2 {
                    return None;
                }
                (if last_provokes { [a, b, vertex] } else { [b, vertex, a] }, 3)
            }
        };
        let id = self.next_id;
        self.next_id = self.next_id.wrapping_add(1);
        let provoking = if last_provokes { vertices[usize::from(count) - 1] } else { vertices[0] };
        Some(Primitive { vertices, count, provoking, id })
    }
}
