// at most 21 lines: to use a handle of a pool without a class, call the pool: `pool.with(handle, …)`, `pool.get(handle, &pin())`
use acedia::Pool;

static NAMES: Pool<String> = Pool::new();

fn main() {
    NAMES.allocate().handle().with(|name| name.len());
}
