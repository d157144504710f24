//! Who reads through handles besides the thread that measures, which decides how the engine reuses what is freed.

use acedia_allocator::pool::{Pool, pin};
use std::thread;

/// Makes this a process in which this thread and another one have read under a pin. The other has left since, which the
/// engine notices within some milliseconds of freeing.
///
/// With `guards` the other thread made a guard too. A guard may be anywhere, so from then on the engine looks around
/// for everything that it reuses: the dearest case.
///
/// # Panics
///
/// If no thread can be started.
pub fn readers(guards: bool) {
    drop(pin());
    thread::spawn(move || {
        drop(pin());
        if guards {
            let pool: Pool<u64> = Pool::new();
            let owner = pool.allocate();
            assert!(pool.guard(owner.key()).is_some());
        }
    })
    .join()
    .expect("reading does not panic");
}
