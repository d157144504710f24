//! [`Random`]: pseudo-random numbers, the same in every run.

use serde::{Deserialize, Serialize};

/// The generator "splitmix64".
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Random(u64);

impl Random {
    /// The `stream`-th of the generators that belong to `seed`.
    pub(crate) fn new(seed: u64, stream: u64) -> Self {
        let mut random = Self(seed ^ stream.wrapping_mul(0xD1B5_4A32_D192_ED03));
        Self(random.next())
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^ (bits >> 31)
    }

    /// A number in `0..bound`; `bound` must not be 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        let scaled = (u128::from(self.next()) * bound as u128) >> 64;
        usize::try_from(scaled).expect("below a usize")
    }

    /// A number in `-size..size`.
    pub(crate) fn spread(&mut self, size: f32) -> f32 {
        let steps = u16::try_from(self.next() >> 48).expect("16 bits");
        (f32::from(steps) / 32_768.0 - 1.0) * size
    }
}
