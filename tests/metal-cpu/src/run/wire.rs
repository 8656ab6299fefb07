//! Values as bytes, between this process and the one that runs shaders: little-endian, lengths first. Both run on the same
//! machine, which is little-endian.

const _: () = assert!(cfg!(target_endian = "little"));

/// A value that can travel.
pub(super) trait Wire: Sized {
    /// Appends the value.
    fn put(&self, to: &mut Vec<u8>);
    /// Takes the value off the front; `None` if the bytes are not one.
    fn take(from: &mut &[u8]) -> Option<Self>;
    /// Appends all of them.
    fn put_all(all: &[Self], to: &mut Vec<u8>) {
        all.iter().for_each(|item| item.put(to));
    }
    /// Takes that many.
    fn take_all(count: usize, from: &mut &[u8]) -> Option<Vec<Self>> {
        // Each item takes a byte at least, so that a broken count reserves nothing.
        let mut all = Vec::with_capacity(count.min(from.len()));
        for _ in 0..count {
            all.push(Self::take(from)?);
        }
        Some(all)
    }
}

macro_rules! numbers {
    ($($kind:ty),*) => {$(
        impl Wire for $kind {
            fn put(&self, to: &mut Vec<u8>) {
                to.extend_from_slice(&self.to_le_bytes());
            }
            fn take(from: &mut &[u8]) -> Option<Self> {
                let (bytes, rest) = from.split_first_chunk()?;
                *from = rest;
                Some(Self::from_le_bytes(*bytes))
            }
            // Whole blocks: buffers and textures are large.
            fn put_all(all: &[Self], to: &mut Vec<u8>) {
                // SAFETY: numbers are plain bytes, which a little-endian machine stores as they travel.
                to.extend_from_slice(unsafe { std::slice::from_raw_parts(all.as_ptr().cast(), size_of_val(all)) });
            }
            fn take_all(count: usize, from: &mut &[u8]) -> Option<Vec<Self>> {
                let (bytes, rest) = from.split_at_checked(count.checked_mul(size_of::<Self>())?)?;
                *from = rest;
                let mut all = vec![Self::default(); count];
                // SAFETY: as above; the vector has room for exactly these bytes.
                unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), all.as_mut_ptr().cast(), bytes.len()) };
                Some(all)
            }
        }
    )*};
}
numbers!(u8, u32, i32, u64, f32);

impl Wire for bool {
    fn put(&self, to: &mut Vec<u8>) {
        u8::from(*self).put(to);
    }
    fn take(from: &mut &[u8]) -> Option<Self> {
        Some(u8::take(from)? != 0)
    }
}

impl Wire for usize {
    fn put(&self, to: &mut Vec<u8>) {
        (*self as u64).put(to);
    }
    fn take(from: &mut &[u8]) -> Option<Self> {
        usize::try_from(u64::take(from)?).ok()
    }
}

impl Wire for String {
    fn put(&self, to: &mut Vec<u8>) {
        self.len().put(to);
        to.extend_from_slice(self.as_bytes());
    }
    fn take(from: &mut &[u8]) -> Option<Self> {
        let length = usize::take(from)?;
        let (bytes, rest) = from.split_at_checked(length)?;
        *from = rest;
        String::from_utf8(bytes.to_vec()).ok()
    }
}

impl<T: Wire> Wire for Vec<T> {
    fn put(&self, to: &mut Vec<u8>) {
        self.len().put(to);
        T::put_all(self, to);
    }
    fn take(from: &mut &[u8]) -> Option<Self> {
        let length = usize::take(from)?;
        T::take_all(length, from)
    }
}

impl<T: Wire> Wire for Option<T> {
    fn put(&self, to: &mut Vec<u8>) {
        self.is_some().put(to);
        if let Some(value) = self {
            value.put(to);
        }
    }
    fn take(from: &mut &[u8]) -> Option<Self> {
        Some(if bool::take(from)? { Some(T::take(from)?) } else { None })
    }
}

impl<T: Wire, const N: usize> Wire for [T; N] {
    fn put(&self, to: &mut Vec<u8>) {
        self.iter().for_each(|item| item.put(to));
    }
    fn take(from: &mut &[u8]) -> Option<Self> {
        let mut whole = true;
        let all: [Option<T>; N] = std::array::from_fn(|_| {
            let item = if whole { T::take(from) } else { None };
            whole &= item.is_some();
            item
        });
        whole.then(|| all.map(|item| item.unwrap_or_else(|| unreachable!("all items are there"))))
    }
}

impl<A: Wire, B: Wire> Wire for (A, B) {
    fn put(&self, to: &mut Vec<u8>) {
        self.0.put(to);
        self.1.put(to);
    }
    fn take(from: &mut &[u8]) -> Option<Self> {
        Some((A::take(from)?, B::take(from)?))
    }
}

/// Implements [`Wire`] for a struct whose fields all travel.
macro_rules! wire_struct {
    ($name:ty { $($field:ident),* $(,)? }) => {
        impl $crate::run::wire::Wire for $name {
            fn put(&self, to: &mut Vec<u8>) {
                $($crate::run::wire::Wire::put(&self.$field, to);)*
            }
            fn take(from: &mut &[u8]) -> Option<Self> {
                Some(Self { $($field: $crate::run::wire::Wire::take(from)?),* })
            }
        }
    };
}

/// Implements [`Wire`] for an enum whose variants hold nothing.
macro_rules! wire_enum {
    ($name:ident { $($variant:ident),* $(,)? }) => {
        impl $crate::run::wire::Wire for $name {
            fn put(&self, to: &mut Vec<u8>) {
                const ALL: &[$name] = &[$($name::$variant),*];
                let place = ALL.iter().position(|one| one == self).unwrap_or(0);
                to.push(place as u8);
            }
            fn take(from: &mut &[u8]) -> Option<Self> {
                const ALL: &[$name] = &[$($name::$variant),*];
                ALL.get(usize::from(u8::take(from)?)).copied()
            }
        }
    };
}

pub(super) use {wire_enum, wire_struct};

/// A value as bytes.
pub(super) fn encode(value: &impl Wire) -> Vec<u8> {
    let mut bytes = Vec::new();
    value.put(&mut bytes);
    bytes
}
