//! Pools behind the trait `Allocator` of allocator-api2, for its `Box` and `Vec`. Compares contents with the global allocator's, then the
//! times of both: `cargo run --release -p acedia-integrations --example blocks`. With `--quick`, only the first.

mod allocator;

use std::hint::black_box;
use std::sync::mpsc::sync_channel;
use std::time::Instant;

use allocator::Pools;
use allocator_api2::alloc::{Allocator, Global};
use allocator_api2::boxed::Box as BoxIn;
use allocator_api2::vec::Vec as VecIn;

trait Memory: Allocator + Copy + Send + Sync + 'static {}
impl<A: Allocator + Copy + Send + Sync + 'static> Memory for A {}

type Eight<A> = BoxIn<[u64; 8], A>;

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

/// The contents of vectors after random steps: new ones, pushes, shorter ones, clones and drops.
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

/// Nanoseconds of one of `count` equal parts.
fn time(count: u32, run: impl FnOnce()) -> f64 {
    let start = Instant::now();
    run();
    start.elapsed().as_secs_f64() * 1e9 / f64::from(count)
}

fn pairs<A: Memory>(memory: A) -> f64 {
    time(20_000, || {
        for n in 0..20_000 {
            drop(black_box(BoxIn::new_in([n; 8], memory)));
        }
    })
}

fn thousands<A: Memory>(memory: A) -> f64 {
    let mut random = Random(7);
    let mut order: Vec<usize> = (0..1000).collect();
    for n in (1..1000).rev() {
        order.swap(n, random.below(n + 1));
    }
    let mut held: Vec<Option<Eight<A>>> = (0..1000).map(|_| None).collect();
    time(10_000, || {
        for _ in 0..10 {
            held.fill_with(|| Some(BoxIn::new_in([1; 8], memory)));
            for &nth in &order {
                held[nth] = None;
            }
        }
    })
}

fn growing<A: Memory>(memory: A) -> f64 {
    time(200, || {
        for _ in 0..200 {
            let mut numbers = VecIn::new_in(memory);
            for n in 0..1000_u64 {
                numbers.push(n);
            }
            black_box(&numbers);
        }
    })
}

fn two_threads<A: Memory>(memory: A) -> f64 {
    time(20_000, || {
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| pairs(memory));
            }
        });
    })
}

fn across<A: Memory>(memory: A) -> f64 {
    let (to, from) = sync_channel::<Vec<Eight<A>>>(4);
    time(20_000, || {
        std::thread::scope(|scope| {
            scope.spawn(move || from.into_iter().for_each(drop));
            for n in 0..100 {
                let batch = (0..200).map(|_| BoxIn::new_in([n; 8], memory)).collect();
                to.send(batch).expect("the other thread receives");
            }
            drop(to);
        });
    })
}

/// A name, and the work with either memory.
type Work = (&'static str, [fn() -> f64; 2]);

fn main() {
    let (global, pooled) = (history(Global, 20_000), history(Pools, 20_000));
    assert!(global == pooled, "they differ");
    let here = std::thread::spawn(|| history(Pools, 20_000));
    assert!(history(Pools, 20_000) == global && here.join().is_ok_and(|other| other == global));
    let stats = Pools::stats();
    assert!(stats.iter().all(|(_, stats)| stats.live == 0), "all is freed");
    let blocks: u64 = stats.iter().map(|(_, stats)| stats.kept).sum();
    println!("the same after 20000 steps, in {blocks} blocks");
    if std::env::args().any(|argument| argument == "--quick") {
        return;
    }
    let works: [Work; 5] = [
        (
            "a box of 64 bytes, made and dropped",
            [|| pairs(Global), || pairs(Pools)],
        ),
        (
            "one of 1000, dropped in random order",
            [|| thousands(Global), || thousands(Pools)],
        ),
        (
            "a vector that grows to 8000 bytes",
            [|| growing(Global), || growing(Pools)],
        ),
        (
            "a box on each of two threads",
            [|| two_threads(Global), || two_threads(Pools)],
        ),
        ("a box that another thread drops", [|| across(Global), || across(Pools)]),
    ];
    for (name, work) in works {
        // In turns, so that both meet the same machine.
        let least = (0..101).fold([f64::MAX; 2], |least, _| {
            [least[0].min(work[0]()), least[1].min(work[1]())]
        });
        println!("{name}: {:.1} ns global, {:.1} ns from pools", least[0], least[1]);
    }
}
