//! Pools behind the trait `Allocator` of allocator-api2, for its `Vec`. Compares the vectors with those of the global allocator:
//! `cargo run -p acedia-integrations --example blocks`.

mod allocator;

use allocator::Pools;
use allocator_api2::alloc::{Allocator, Global};
use allocator_api2::vec::Vec as VecIn;

trait Memory: Allocator + Copy + Send + Sync + 'static {}
impl<A: Allocator + Copy + Send + Sync + 'static> Memory for A {}

/// Marsaglia's xorshift.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).expect("31 bits") % end
    }
}

/// The contents of vectors after random creations, pushes, truncations, clones and drops.
fn history<A: Memory>(memory: A, steps: usize) -> Vec<Vec<usize>> {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let mut all: Vec<VecIn<usize, A>> = Vec::new();
    for step in 0..steps {
        let nth = random.below(all.len().max(1));
        match random.below(6) {
            0 => all.push(VecIn::new_in(memory)),
            1 if all.len() > 50 => drop(all.swap_remove(nth)),
            2 if !all.is_empty() => {
                let count = random.below(all[nth].len() + 1);
                all[nth].truncate(count);
                all[nth].shrink_to_fit();
            }
            3 if !all.is_empty() => all.push(all[nth].clone()),
            _ if !all.is_empty() => {
                let most = 1 << random.below(13);
                let count = random.below(most);
                all[nth].extend((0..count).map(|n| step ^ n));
            }
            _ => {}
        }
    }
    all.iter().map(|one| one.to_vec()).collect()
}

fn main() {
    let (global, pooled) = (history(Global, 20_000), history(Pools, 20_000));
    assert!(global == pooled, "they differ");
    let here = std::thread::spawn(|| history(Pools, 20_000));
    assert!(history(Pools, 20_000) == global && here.join().is_ok_and(|other| other == global));
    let stats = Pools::stats();
    assert!(stats.iter().all(|(_, stats)| stats.live == 0), "all is freed");
    let blocks: u64 = stats.iter().map(|(_, stats)| stats.kept).sum();
    println!("the same after 20000 steps, in {blocks} blocks");
}
