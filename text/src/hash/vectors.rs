//! DJB2 in vectors of 32 bytes, on x86-64 machines with AVX2.

use std::arch::x86_64::__m256i;
use std::sync::LazyLock;

use pulp::NullaryFnOnce;
use pulp::x86::V3;

use super::words::power;

/// The number of bytes from which on vectors are faster than words.
pub(super) const LONG: usize = 128;

/// The number of vectors that are summed independently of each other.
const VECTORS: usize = LONG / 32;

/// The processor's token, if it has AVX2. Takes a load and a comparison, except at the first call.
#[inline]
pub(super) fn machine() -> Option<V3> {
    static MACHINE: LazyLock<Option<V3>> = LazyLock::new(V3::try_new);
    *MACHINE
}

/// Continues from `hash` with the codes of ASCII: a multiple of [`LONG`] bytes.
pub(super) fn hash(machine: V3, hash: u32, bytes: &[u8]) -> u32 {
    machine.vectorize(Sum { machine, hash, bytes })
}

/// 32 codes: eight sums of four neighbors.
#[inline]
fn neighbors(machine: V3, codes: __m256i) -> __m256i {
    let pairs = machine
        .avx2
        ._mm256_maddubs_epi16(codes, pulp::cast([u16::from_le_bytes([33, 1]); 16]));
    machine.avx2._mm256_madd_epi16(pairs, pulp::cast([[33 * 33, 1u16]; 8]))
}

/// A sum over blocks of [`LONG`] bytes.
struct Sum<'a> {
    machine: V3,
    hash: u32,
    bytes: &'a [u8],
}

impl NullaryFnOnce for Sum<'_> {
    type Output = u32;

    #[inline]
    fn call(self) -> u32 {
        let avx2 = self.machine.avx2;
        // From one block to the next, every sum moves by the codes of a block.
        let factor = pulp::cast([power(128); 8]);
        let mut sums = [[0u32; 8]; VECTORS];
        // The hash so far takes the place of the last code of an imaginary block before the first.
        sums[VECTORS - 1][7] = self.hash;
        let mut sums: [__m256i; VECTORS] = sums.map(pulp::cast);
        for block in self.bytes.chunks_exact(LONG) {
            for (sum, vector) in sums.iter_mut().zip(block.chunks_exact(32)) {
                let codes = vector.first_chunk::<32>().map_or(*sum, |codes| pulp::cast(*codes));
                let moved = avx2._mm256_mullo_epi32(*sum, factor);
                *sum = avx2._mm256_add_epi32(moved, neighbors(self.machine, codes));
            }
        }
        // The last sum is in its place. Each one before it must move by one more vector of codes. The same holds for the lanes.
        let step = pulp::cast([power(32); 8]);
        let sum = sums.into_iter().reduce(|whole, sum| {
            let moved = avx2._mm256_mullo_epi32(whole, step);
            avx2._mm256_add_epi32(moved, sum)
        });
        let lanes: [u32; 8] = sum.map_or([0; 8], pulp::cast);
        let moved = lanes.into_iter().zip([7, 6, 5, 4, 3, 2, 1, 0]);
        moved.fold(0, |sum, (lane, lanes)| {
            sum.wrapping_add(lane.wrapping_mul(power(lanes * 4)))
        })
    }
}
