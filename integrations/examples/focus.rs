//! The keyboard focus of a user interface, twice: as a locked map that counts owners by hand, and as a class. Compares the results,
//! then the times: `cargo run --release -p acedia-integrations --example focus`. With `--quick`, compares only the results.
#![forbid(unsafe_code)]

use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, RwLock};
use std::time::{Duration, Instant};

use acedia::{Handle, Object, Owned, class};
use slotmap::{SlotMap, new_key_type};

/// An owner of something that can have the focus, as elements of the interface hold it.
trait Owning: Clone + Send {
    type Map: Sync;
    type Id: Copy + Eq;
    fn new(map: &Self::Map) -> Self;
    fn id(&self) -> Self::Id;
    fn is_alive(map: &Self::Map, id: Self::Id) -> bool;
    /// Called once per frame.
    fn frame(map: &Self::Map);
}

new_key_type! {
    struct FocusId;
}

type Counts = Arc<RwLock<SlotMap<FocusId, AtomicUsize>>>;

/// A write lock for each new id, a read lock for each clone and drop, and a write lock in each frame, which removes ids without owners.
struct ByHand(FocusId, Counts);

impl Clone for ByHand {
    fn clone(&self) -> Self {
        self.1.read().expect("no panic")[self.0].fetch_add(1, Ordering::SeqCst);
        Self(self.0, Arc::clone(&self.1))
    }
}

impl Drop for ByHand {
    fn drop(&mut self) {
        self.1.read().expect("no panic")[self.0].fetch_sub(1, Ordering::SeqCst);
    }
}

impl Owning for ByHand {
    type Map = Counts;
    type Id = FocusId;
    fn new(map: &Counts) -> Self {
        let id = map.write().expect("no panic").insert(AtomicUsize::new(1));
        Self(id, Arc::clone(map))
    }
    fn id(&self) -> FocusId {
        self.0
    }
    fn is_alive(map: &Counts, id: FocusId) -> bool {
        let map = map.read().expect("no panic");
        map.get(id).is_some_and(|count| count.load(Ordering::SeqCst) > 0)
    }
    fn frame(map: &Counts) {
        map.write()
            .expect("no panic")
            .retain(|_, count| count.load(Ordering::SeqCst) > 0);
    }
}

/// The same as a class: the pool is the map, the owner counts, and the handle is the id.
#[derive(Default)]
struct Focus;

impl Object for Focus {
    class!(Focus, "Focus.Focus");
}

impl Owning for Owned<Focus> {
    type Map = ();
    type Id = Handle<Focus>;
    fn new((): &()) -> Self {
        Focus::allocate()
    }
    fn id(&self) -> Handle<Focus> {
        self.handle()
    }
    fn is_alive((): &(), id: Handle<Focus>) -> bool {
        id.is_allocated()
    }
    fn frame((): &()) {}
}

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

/// Which of all ids are alive, after each of `steps` random steps.
fn history<T: Owning>(map: &T::Map, steps: usize) -> Vec<Vec<bool>> {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let (mut owners, mut ids) = (Vec::<T>::new(), Vec::new());
    (0..steps)
        .map(|_| {
            match random.below(4) {
                0 => {
                    owners.push(T::new(map));
                    ids.push(owners[owners.len() - 1].id());
                }
                1 if !owners.is_empty() => owners.push(owners[random.below(owners.len())].clone()),
                2 if !owners.is_empty() => drop(owners.swap_remove(random.below(owners.len()))),
                _ => T::frame(map),
            }
            ids.iter().map(|id| T::is_alive(map, *id)).collect()
        })
        .collect()
}

/// The time in which each of `threads` threads makes elements, clones each four times, looks it up, and drops it.
fn work<T: Owning>(map: &T::Map, threads: usize) -> Duration {
    let start = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                for _ in 0..200 {
                    for _ in 0..100 {
                        let first = T::new(map);
                        let clones: [T; 4] = std::array::from_fn(|_| first.clone());
                        black_box(T::is_alive(map, black_box(first.id())));
                        drop(black_box(clones));
                    }
                    T::frame(map);
                }
            });
        }
    });
    start.elapsed()
}

fn main() {
    let counts = Counts::default();
    let (by_hand, pooled) = (history::<ByHand>(&counts, 2000), history::<Owned<Focus>>(&(), 2000));
    assert!(by_hand == pooled, "they differ");
    let last = &pooled[pooled.len() - 1];
    let alive = last.iter().filter(|alive| **alive).count();
    assert!(alive > 0 && alive < last.len(), "some are alive, and some are not");
    println!("the same after each of 2000 steps; {alive} of {} ids alive", last.len());
    if std::env::args().any(|argument| argument == "--quick") {
        return;
    }
    for threads in [1, 2] {
        // Alternating, so that both run under the same load.
        let mut runs: Vec<_> = (0..31)
            .map(|_| (work::<ByHand>(&counts, threads), work::<Owned<Focus>>(&(), threads)))
            .collect();
        runs.sort_by(|one, other| {
            let ratio = |run: &(Duration, Duration)| run.0.as_secs_f64() / run.1.as_secs_f64();
            ratio(one).total_cmp(&ratio(other))
        });
        let each = |time: Duration| time.as_secs_f64() * 1e9 / 20_000.0;
        let (by_hand, pooled) = runs[runs.len() / 2];
        println!(
            "{threads} threads: {:.0} ns by hand, {:.0} ns as a class, for each element; the ratio is {:.1}",
            each(by_hand),
            each(pooled),
            by_hand.as_secs_f64() / pooled.as_secs_f64()
        );
    }
}
