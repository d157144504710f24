// at most 34 lines: error[E0277]: the objects of this pool or class can be read only through guards: use `guard` or `try_guard`
use acedia::pool::{GuardsOnly, Plain};
use acedia::{Pool, pin};

fn main() {
    let pool: Pool<u64, Plain<GuardsOnly>> = Pool::with_hooks();
    let pinned = pin();
    let _reader = pool.reader(&pinned);
}
