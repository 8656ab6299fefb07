//! The notation of signatures.
//!
//! `abs` reads `N*:=`: one parameter, numeric, of any shape; the result has the type of the group. A signature is
//! parameters separated by commas, a colon, and the result. A parameter is marks, then a class, then an extent.
//!
//! | mark | means |
//! |---|---|
//! | `>` | an out parameter |
//! | `&` | a place in memory that is changed |
//! | `?` | this and the following are optional |
//!
//! | class | means |
//! |---|---|
//! | `N` `F` `I` `B` `A` | number, float, integer, bool, any of them: the group, whose kinds and shapes combine to one type (B0.1) |
//! | `D` | double, as a group |
//! | `f` `u` `i` `b` `d` `h` `s` `w` | float, uint, int, bool, double, half, int16_t, uint16_t |
//!
//! | extent | means |
//! |---|---|
//! | none | a scalar |
//! | `1` to `4` | a vector of that many |
//! | `n` | the scalar or vector that the group has |
//! | `*` | the shape that the group has, matrices as well |
//! | `q` | a square matrix, of the group |
//!
//! Results may also be `=` (the type of the group), `.` (the group's kind, scalar), `v` (nothing), `!` (the operation says).

/// What a parameter takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// Numbers, of the group.
    Number,
    /// Floats, of the group; integers convert.
    Float,
    /// Integers, of the group.
    Integer,
    /// Bool, of the group; numbers convert.
    Bool,
    /// Anything, of the group.
    Any,
    /// Double, of the group.
    Double,
    /// A kind of its own.
    Fixed(crate::types::Kind),
}

/// The shape that goes with a class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// That many elements; 1 is a scalar.
    Lanes(u8),
    /// The group's scalar or vector.
    Vector,
    /// The group's shape.
    Shape,
    /// The group's square matrix.
    Square,
}

/// A parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Param {
    /// What it takes.
    pub class: Class,
    /// Of what shape.
    pub extent: Extent,
    /// Whether it is written only.
    pub out: bool,
    /// Whether it is a place that is changed.
    pub place: bool,
    /// Whether it may be left out.
    pub optional: bool,
}

impl Param {
    /// Whether it belongs to the group.
    pub const fn grouped(&self) -> bool {
        !matches!(self.class, Class::Fixed(_))
    }
}

/// The result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Returns {
    /// The type of the group.
    Group,
    /// The scalar of the group's kind.
    GroupScalar,
    /// Nothing.
    Void,
    /// What the operation says.
    Special,
    /// A kind and a shape.
    Of(crate::types::Kind, Extent),
}

/// A signature.
#[derive(Clone, Debug)]
pub struct Signature {
    /// Parameters in order.
    pub params: smallvec::SmallVec<[Param; 6]>,
    /// The result.
    pub returns: Returns,
}

impl Signature {
    /// Reads the notation. What does not read is skipped; a test reads the whole table.
    pub fn parse(text: &str) -> Option<Signature> {
        let (params, result) = text.split_once(':')?;
        let mut all = smallvec::SmallVec::new();
        let mut optional = false;
        for part in params.split(',').filter(|p| !p.is_empty()) {
            let (mut out, mut place) = (false, false);
            let mut chars = part.chars().peekable();
            while let Some(&mark @ ('>' | '&' | '?')) = chars.peek() {
                match mark {
                    '>' => out = true,
                    '&' => place = true,
                    _ => optional = true,
                }
                chars.next();
            }
            let class = class(chars.next()?)?;
            let extent = extent(chars.next())?;
            all.push(Param { class, extent, out, place, optional });
        }
        let mut chars = result.chars();
        let returns = match chars.next()? {
            '=' => Returns::Group,
            '.' => Returns::GroupScalar,
            'v' => Returns::Void,
            '!' => Returns::Special,
            letter => match class(letter)? {
                Class::Fixed(kind) => Returns::Of(kind, extent(chars.next())?),
                _ => return None,
            },
        };
        Some(Signature { params: all, returns })
    }

    /// The least number of arguments.
    pub fn required(&self) -> usize {
        self.params.iter().take_while(|p| !p.optional).count()
    }
}

fn class(letter: char) -> Option<Class> {
    use crate::types::Kind;
    Some(match letter {
        'N' => Class::Number,
        'F' => Class::Float,
        'I' => Class::Integer,
        'B' => Class::Bool,
        'A' => Class::Any,
        'D' => Class::Double,
        'f' => Class::Fixed(Kind::Float),
        'u' => Class::Fixed(Kind::Uint),
        'i' => Class::Fixed(Kind::Int),
        'b' => Class::Fixed(Kind::Bool),
        'd' => Class::Fixed(Kind::Double),
        'h' => Class::Fixed(Kind::Half),
        's' => Class::Fixed(Kind::Int16),
        'w' => Class::Fixed(Kind::Uint16),
        _ => return None,
    })
}

fn extent(letter: Option<char>) -> Option<Extent> {
    Some(match letter {
        None => Extent::Lanes(1),
        Some('n') => Extent::Vector,
        Some('*') => Extent::Shape,
        Some('q') => Extent::Square,
        Some(digit @ '1'..='4') => Extent::Lanes(digit as u8 - b'0'),
        Some(_) => return None,
    })
}
