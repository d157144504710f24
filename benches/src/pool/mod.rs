//! Allocating, freeing and reading objects of pools.

mod allocate;
mod read;
mod threads;
mod whole;

use crate::contenders::{Text, Words};
use crate::measure::{BARE, Row, limited, row};

/// All rows. The limits are wide, because processors differ and a machine is rarely idle. They catch a chain of dependent loads,
/// which instruction counts do not show: such a chain made a pair 2.6 times (Zen 5) to 4 times (Emerald Rapids) as slow as the bare
/// loop.
pub static ROWS: &[Row] = &[
    limited(
        "pair, 16 B",
        allocate::pairs::<Words<2>>,
        &[(BARE, 2.5), ("mimalloc", 1.2)],
    ),
    limited(
        "pair, 64 B",
        allocate::pairs::<Words<8>>,
        &[(BARE, 2.5), ("mimalloc", 1.2)],
    ),
    row("pair, String of 64", allocate::pairs::<Text>),
    row(
        "pair without a handle, 64 B",
        allocate::pairs_without_handles::<Words<8>>,
    ),
    limited("two pools in turns, 16 B", allocate::two_pools, &[("mimalloc", 2.2)]),
    row("1,000 pools in turn, 16 B", allocate::thousand_pools),
    row(
        "replace 1 of 1,000 in eight pools at random, 64 B",
        allocate::random_pools,
    ),
    row("pair of a pool with a bound, 16 B", allocate::bounded),
    row("bursts of 2,000, 16 B", allocate::bursts::<Words<2>>),
    row("bursts of 2,000, 64 B", allocate::bursts::<Words<8>>),
    row("bursts of 2,000, String of 64", allocate::bursts::<Text>),
    row(
        "replace at random, 100,000 of 16 B",
        allocate::replacements::<Words<2>, 100_000>,
    ),
    row(
        "replace at random, 1,000,000 of 16 B",
        allocate::replacements::<Words<2>, 1_000_000>,
    ),
    row(
        "replace at random, 100,000 of 64 B",
        allocate::replacements::<Words<8>, 100_000>,
    ),
    row("grow to 100,000 of 16 B", allocate::growth),
    row("make a pool, one object, drop it", allocate::small_pools),
    row("make a pool, 1,000 values of 64 B, drop it", whole::make_and_drop),
    limited("clone an owner and drop the clone", allocate::clones, &[("Arc", 1.3)]),
    // Several threads allocate. No thread has pinned yet: afterwards each free checks for pins, as in the last rows.
    row("churn on two threads, 64 B", threads::churn::<Words<8>>),
    row("churn on two threads, String of 64", threads::churn::<Text>),
    row("hand over, 64 B", threads::handoff::<Words<8>>),
    row("hand over, String of 64", threads::handoff::<Text>),
    limited("read 1,000, Reader::get", read::by_reader::<1_000>, &[("slotmap", 3.0)]),
    row("read 1,000, Pool::get", read::by_get::<1_000>),
    row("read 1,000, Handle::get", read::by_handle::<1_000>),
    row("read 1,000, Pool::guard", read::by_guard),
    row("read 1,000 stale handles", read::stale),
    row("read 1,000, PlainPool::load", read::by_copy),
    row("set 1 of 1,000, PlainOwned::set", read::set),
    row("read 1,000,000, Reader::get", read::by_reader::<1_000_000>),
    row("read 1,000,000, Handle::get", read::by_handle::<1_000_000>),
    row("read 1,000,000, get_many", read::by_get_many),
    row("visit 100,000, iter_mut", whole::iter_mut),
    row("visit 100,000, iter", whole::iter::<100_000>),
    row("visit 8, iter", whole::iter::<8>),
    row("len", whole::len),
    row("visit 100,000, retain all", whole::retain),
    row("insert 10,000 and clear, by &mut", whole::clear),
    row("add and remove, by &mut", whole::add_and_remove),
    row("replace 1 of 1,000, by &mut", whole::replace),
    row("get_mut of 1,000, by &mut", whole::get_mut::<1_000>),
    row("get_mut of 100,000, by &mut", whole::get_mut::<100_000>),
    row("insert and free by handle, by &", whole::insert_and_free),
    // Several threads read. From here on, each free in the process checks for pins.
    row("read one object on two cores", threads::hot),
    row("clones of two objects on two threads, 64 B", threads::clones),
    row("sessions on two threads", threads::sessions),
    row(
        "pair beside 1,000 pins a second, 16 B",
        threads::beside_short_pins::<false>,
    ),
    row(
        "pair with a finalizer beside 1,000 pins a second, 16 B",
        threads::beside_short_pins::<true>,
    ),
    row(
        "pair with a finalizer beside pins without a pause, 16 B",
        threads::beside_many_pins,
    ),
];
