//! Sets of lanes: bits in words of 64.

/// Words that hold `lanes` bits.
pub(super) fn words(lanes: usize) -> usize {
    lanes.div_ceil(64)
}

/// Calls `each` for every lane of the set, in order.
#[inline]
pub(super) fn for_each(mask: &[u64], mut each: impl FnMut(usize)) {
    for (word, &bits) in mask.iter().enumerate() {
        let mut bits = bits;
        while bits != 0 {
            each(word * 64 + bits.trailing_zeros() as usize);
            bits &= bits - 1;
        }
    }
}

/// Whether the set holds the lane.
#[inline]
pub(super) fn has(mask: &[u64], lane: usize) -> bool {
    mask.get(lane / 64).is_some_and(|word| word >> (lane % 64) & 1 != 0)
}

/// Puts a lane in, or takes it out.
#[inline]
pub(super) fn set(mask: &mut [u64], lane: usize, member: bool) {
    if let Some(word) = mask.get_mut(lane / 64) {
        let bit = 1 << (lane % 64);
        *word = if member { *word | bit } else { *word & !bit };
    }
}

/// Whether no lane is in the set.
#[inline]
pub(super) fn is_empty(mask: &[u64]) -> bool {
    mask.iter().all(|&word| word == 0)
}

/// Makes the set the lanes 0 to `count`.
pub(super) fn fill(mask: &mut [u64], count: usize) {
    for (word, bits) in mask.iter_mut().enumerate() {
        let here = count.saturating_sub(word * 64).min(64) as u32;
        *bits = if here == 0 { 0 } else { u64::MAX >> (64 - here) };
    }
}
