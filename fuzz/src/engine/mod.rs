//! Operations on several pools at a time, compared with a naive model.
//!
//! The model has no slots and no magazines. For every handle ever issued, it keeps the number of the life that the handle
//! names, and whether that life goes on and is visible. The pools must agree with it for every handle, issued or not.

pub mod any;
mod driver;
mod model;
mod object;
mod op;
mod step;

use std::sync::Arc;

use acedia::PoolPolicy;
use acedia::pool::{Global, Hooks, Plain, Pool, pin};

use driver::Driver;
use model::Model;
use object::{Ended, Ending, Numbered, Object};
use op::POOLS;

pub use op::Op;

/// Applies each operation to the pool of its number, and to the model.
///
/// # Panics
///
/// If they disagree.
pub fn run(ops: &[(u8, Op)]) {
    let mut model = Model::default();
    // Handles of pools that are gone stay dead in those that come after.
    let (first, second) = ops.split_at(ops.len() / 2);
    let halves: &[&[(u8, Op)]] = if ops.iter().any(|(_, op)| matches!(op, Op::Another)) {
        &[first, second]
    } else {
        &[ops]
    };
    for half in halves {
        run_pools(half, &mut model);
    }
}

fn run_pools(ops: &[(u8, Op)], model: &mut Model) {
    let plain: Arc<Pool<Object>> = Arc::new(Pool::new());
    let limited: Arc<Pool<Object>> = Arc::new(Pool::new().keep(PoolPolicy::KeepAtMost(3)));
    let bounded: Arc<Pool<Object>> = Arc::new(Pool::new().bounded(20));
    let ended: Arc<Pool<Ended, Ending>> = Arc::new(Pool::with_hooks());
    let mut of_any_class = any::Driver::default();
    let mut drivers: [Driver<'_, Object, Plain>; 3] = [
        Driver::new(0, &plain, None),
        Driver::new(1, &limited, None),
        Driver::new(2, &bounded, Some(20)),
    ];
    let mut ending = Driver::new(3, &ended, None);
    let mut pins = Vec::new();
    for (pool, op) in ops {
        match op {
            Op::Pin if pins.len() < 5 => pins.push(pin()),
            Op::Unpin => drop(pins.pop()),
            Op::Any(op) => of_any_class.step(op),
            _ => match pool % POOLS {
                3 => ending.step(model, op, &pins),
                id => drivers[usize::from(id)].step(model, op, &pins),
            },
        }
    }
    for driver in &drivers {
        driver.check(model);
    }
    ending.check(model);
    let pinned = pin();
    for &name in &model.list {
        for driver in &drivers {
            driver.look(model, name, &pinned);
        }
        ending.look(model, name, &pinned);
    }
    drop(pinned);
    pins.clear();
    for driver in drivers {
        driver.finish(model);
    }
    ending.finish(model);
    of_any_class.finish();
    [plain, limited, bounded].into_iter().for_each(outlive);
    outlive(ended);
}

/// A guard that owns its pool may be the last user of it.
fn outlive<T: Numbered, H: Hooks<T, Readers = Global>>(pool: Arc<Pool<T, H>>) {
    let handle = pool.allocate_with(|object| object.object_mut().fill(1)).into_manual();
    let guard = pool.guard_owned(handle).expect("it is alive");
    drop(pool);
    assert_eq!(guard.object().read(), 1);
}
