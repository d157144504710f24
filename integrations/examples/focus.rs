//! The focus handles of a user interface: counted by hand in `RwLock<SlotMap<Id, AtomicUsize>>`, and as owners of a pool. Both are run in
//! turns, and must agree.

use std::hint::black_box;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, RwLock};
use std::time::Instant;

use acedia::pool::{Key, Owner, Plain, Pool};
use slotmap::{SlotMap, new_key_type};

new_key_type! { struct FocusId; }

/// By hand. A new handle needs the write lock; a clone, a drop and a look-up need the read lock.
#[derive(Default)]
struct CountedMap(RwLock<SlotMap<FocusId, AtomicUsize>>);

struct CountedHandle {
    id: FocusId,
    map: Arc<CountedMap>,
}

impl CountedHandle {
    fn new(map: &Arc<CountedMap>) -> Self {
        let id = map.0.write().unwrap().insert(AtomicUsize::new(1));
        Self {
            id,
            map: Arc::clone(map),
        }
    }

    fn is_focusable(map: &CountedMap, id: FocusId) -> bool {
        map.0.read().unwrap().contains_key(id)
    }
}

impl Clone for CountedHandle {
    fn clone(&self) -> Self {
        self.map.0.read().unwrap()[self.id].fetch_add(1, Ordering::SeqCst);
        Self {
            id: self.id,
            map: Arc::clone(&self.map),
        }
    }
}

impl Drop for CountedHandle {
    fn drop(&mut self) {
        let is_last = self.map.0.read().unwrap()[self.id].fetch_sub(1, Ordering::SeqCst) == 1;
        // Another thread may come between the two locks, so the count is read once more.
        if is_last {
            let mut map = self.map.0.write().unwrap();
            if map.get(self.id).is_some_and(|count| count.load(Ordering::SeqCst) == 0) {
                map.remove(self.id);
            }
        }
    }
}

/// On a pool: the owner is the count, and the key is the weak handle.
static FOCUS: Pool<()> = Pool::new();
type Focus = Owner<'static, (), Plain>;

const ELEMENTS: usize = 1_000;

/// One frame: every element is made anew, cloned once, asked for, and dropped, and the stale handle is asked for.
fn by_hand(map: &Arc<CountedMap>) -> usize {
    let elements: Vec<_> = (0..ELEMENTS).map(|_| CountedHandle::new(map)).collect();
    let clones: Vec<_> = elements.iter().map(CountedHandle::clone).collect();
    let ids: Vec<_> = elements.iter().map(|element| element.id).collect();
    drop(elements);
    let alive = ids.iter().filter(|&&id| CountedHandle::is_focusable(map, id)).count();
    drop(clones);
    alive + ids.iter().filter(|&&id| CountedHandle::is_focusable(map, id)).count()
}

fn on_a_pool() -> usize {
    let elements: Vec<Focus> = (0..ELEMENTS).map(|_| FOCUS.allocate()).collect();
    let clones: Vec<Focus> = elements.iter().map(Focus::clone).collect();
    let keys: Vec<Key> = elements.iter().map(Focus::key).collect();
    drop(elements);
    let alive = keys.iter().filter(|&&key| FOCUS.contains(key)).count();
    drop(clones);
    alive + keys.iter().filter(|&&key| FOCUS.contains(key)).count()
}

/// The nanoseconds of an element in one round.
fn time(frames: usize, mut frame: impl FnMut() -> usize) -> (f64, usize) {
    let start = Instant::now();
    let alive = (0..frames).map(|_| black_box(frame())).sum();
    #[expect(clippy::cast_precision_loss, reason = "a small number")]
    let elements = (frames * ELEMENTS) as f64;
    (start.elapsed().as_secs_f64() * 1e9 / elements, alive)
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn frames() -> Result<usize, lexopt::Error> {
    use lexopt::prelude::{Long, ValueExt};
    let mut frames = 200;
    let mut parser = lexopt::Parser::from_env();
    while let Some(argument) = parser.next()? {
        match argument {
            Long("frames") => frames = parser.value()?.parse()?,
            other => return Err(other.unexpected()),
        }
    }
    Ok(frames)
}

fn main() -> ExitCode {
    let frames = match frames() {
        Ok(frames) => frames,
        Err(error) => {
            eprintln!("focus: {error}; the only option is --frames N, the frames of a round (200)");
            return ExitCode::from(2);
        }
    };
    let map = Arc::new(CountedMap::default());
    let (mut by_hand_times, mut pool_times) = (Vec::new(), Vec::new());
    for _ in 0..21 {
        let (hand, alive_by_hand) = time(frames, || by_hand(&map));
        let (pool, alive_on_pool) = time(frames, on_a_pool);
        // All are alive while they have an owner, and none is afterwards.
        if alive_by_hand != frames * ELEMENTS || alive_on_pool != alive_by_hand {
            eprintln!("focus: {alive_by_hand} alive by hand, {alive_on_pool} on the pool");
            return ExitCode::FAILURE;
        }
        by_hand_times.push(hand);
        pool_times.push(pool);
    }
    let (hand, pool) = (median(by_hand_times), median(pool_times));
    println!(
        "by hand {hand:.1} ns, on a pool {pool:.1} ns an element: {:.1} times faster",
        hand / pool
    );
    ExitCode::SUCCESS
}
