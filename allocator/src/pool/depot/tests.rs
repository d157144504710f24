use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use crate::pool::{Global, Hooks, Pool, directory};

/// The number that the next pool gets.
fn next_number() -> u32 {
    let pool: Pool<u64> = Pool::new();
    drop(pool.allocate());
    directory::pool_number(pool.untyped.depot.get().expect("it was used").tag)
}

/// User code that runs while a pool is made may panic: the number of the pool is borrowed later, or returned.
fn leaks_no_number<H: Hooks<u64>>() {
    const PANICS: u32 = 1_100;
    let before = next_number();
    for _ in 0..PANICS {
        let pool: Pool<u64, H> = Pool::with_hooks();
        assert!(catch_unwind(AssertUnwindSafe(|| drop(pool.allocate()))).is_err());
    }
    // Other tests make pools meanwhile.
    assert!(next_number() < before + PANICS, "numbers were lost");
}

macro_rules! panicking {
    ($hooks:ident: $($function:tt)*) => {{
        struct $hooks;
        impl Hooks<u64> for $hooks {
            type Readers = Global;

            $($function)*
        }
        leaks_no_number::<$hooks>();
    }};
}

#[test]
fn panics_in_hooks_leak_no_pool_numbers() {
    panicking! { Name:
        fn make() -> u64 {
            0
        }

        fn name() -> &'static str {
            resume_unwind(Box::new("on purpose"))
        }
    }
    panicking! { About:
        fn make() -> u64 {
            0
        }

        fn about() -> &'static (dyn std::any::Any + Send + Sync) {
            resume_unwind(Box::new("on purpose"))
        }
    }
    panicking! { Make:
        fn make() -> u64 {
            resume_unwind(Box::new("on purpose"))
        }
    }
}
