//! The contenders, one file each.
//!
//! The macros apply one generic function to all contenders of a payload:
//! `all!(case, Text)` is `vec![case::<Acedia<Text, Kept, true>>(), …, case::<Counted<Text, false>>(), …]`.

#![allow(
    clippy::inline_always,
    reason = "as a call, which the compiler makes of it for some of them, it costs one contender what it spares another"
)]

mod acedia;
mod arc;
mod boxed;
mod concurrent_slotmap;
mod dashmap;
mod generational_box;
mod handle;
mod idr_ebr;
mod lockfree_object_pool;
mod numbers;
mod opool;
mod papaya;
mod plurality;
mod reference;
mod sharded_slab;
mod slotmap;

pub(crate) use self::{
    acedia::{Acedia, Finalized, Guarded, Kept, Many},
    arc::Counted,
    boxed::Boxed,
    concurrent_slotmap::SharedSlots,
    dashmap::Dash,
    generational_box::{AnyThread, Generational, OneThread},
    handle::ByHandle,
    idr_ebr::Idr,
    lockfree_object_pool::Linear,
    opool::Opool,
    papaya::Papaya,
    plurality::Plural,
    reference::Reference,
    sharded_slab::ShardedSlab,
    slotmap::Slots,
};

/// A `Box` from each allocator.
macro_rules! boxes {
    ($case:ident, $Payload:ty) => {{
        use $crate::contenders::Boxed;
        vec![
            $case::<Boxed<$Payload, std::alloc::System>>(),
            $case::<Boxed<$Payload, mimalloc::MiMalloc>>(),
            #[cfg(feature = "allocators")]
            $case::<Boxed<$Payload, tikv_jemallocator::Jemalloc>>(),
            #[cfg(feature = "allocators")]
            $case::<Boxed<$Payload, snmalloc_rs::SnMalloc>>(),
        ]
    }};
}

/// Every contender, for what one thread does.
macro_rules! all {
    ($case:ident, $Payload:ty) => {{
        use $crate::contenders::{Generational, OneThread, Slots};
        let mut cases = $crate::contenders::shared!($case, $Payload);
        cases.extend([$case::<Slots<$Payload>>(), $case::<Generational<$Payload, OneThread>>()]);
        cases
    }};
}

/// Every contender that several threads can use at once.
macro_rules! shared {
    ($case:ident, $Payload:ty) => {{
        use $crate::contenders::*;
        let mut cases = vec![
            $case::<Acedia<$Payload, Kept, true>>(),
            $case::<Acedia<$Payload, Kept, false>>(),
            $case::<Acedia<$Payload, Finalized, true>>(),
            $case::<Acedia<$Payload, Finalized, false>>(),
        ];
        cases.extend($crate::contenders::boxes!($case, $Payload));
        cases.extend([
            $case::<Counted<$Payload, false>>(),
            $case::<Counted<$Payload, true>>(),
            $case::<ShardedSlab<$Payload>>(),
            $case::<Idr<$Payload>>(),
            $case::<Generational<$Payload, AnyThread>>(),
            $case::<SharedSlots<$Payload>>(),
            $case::<Linear<$Payload>>(),
            $case::<Opool<$Payload>>(),
            $case::<Plural<$Payload>>(),
            $case::<Papaya<$Payload>>(),
            $case::<Dash<$Payload>>(),
        ]);
        cases
    }};
}

/// Every contender that holds a million objects in reasonable time. The others search or drop what is beyond their pool.
macro_rules! roomy {
    ($case:ident, $Payload:ty) => {{
        use $crate::contenders::*;
        let mut cases = vec![$case::<Acedia<$Payload, Kept, true>>()];
        cases.extend($crate::contenders::boxes!($case, $Payload));
        cases.extend([
            $case::<Counted<$Payload, false>>(),
            $case::<ShardedSlab<$Payload>>(),
            $case::<Idr<$Payload>>(),
            $case::<Generational<$Payload, AnyThread>>(),
            $case::<Generational<$Payload, OneThread>>(),
            $case::<Slots<$Payload>>(),
            $case::<SharedSlots<$Payload>>(),
            $case::<Plural<$Payload>>(),
            $case::<Papaya<$Payload>>(),
            $case::<Dash<$Payload>>(),
        ]);
        cases
    }};
}

/// Every contender under which some of very many objects come and go in reasonable time.
macro_rules! recycling {
    ($case:ident, $Payload:ty) => {{
        use $crate::contenders::*;
        let mut cases = vec![
            $case::<Acedia<$Payload, Kept, true>>(),
            $case::<Acedia<$Payload, Kept, false>>(),
        ];
        cases.extend($crate::contenders::boxes!($case, $Payload));
        cases.extend([
            $case::<Counted<$Payload, false>>(),
            $case::<ShardedSlab<$Payload>>(),
            $case::<Idr<$Payload>>(),
            $case::<Slots<$Payload>>(),
            $case::<SharedSlots<$Payload>>(),
            $case::<Plural<$Payload>>(),
            $case::<Papaya<$Payload>>(),
            $case::<Dash<$Payload>>(),
        ]);
        cases
    }};
}

/// Every contender whose handles are checked.
macro_rules! checked {
    ($case:ident, $Payload:ty) => {{
        use $crate::contenders::{Generational, OneThread, Slots};
        let mut cases = $crate::contenders::checked_on_any_thread!($case, $Payload);
        cases.extend([$case::<Slots<$Payload>>(), $case::<Generational<$Payload, OneThread>>()]);
        cases
    }};
}

/// Every contender whose handles are checked, on any thread.
macro_rules! checked_on_any_thread {
    ($case:ident, $Payload:ty) => {{
        use $crate::contenders::*;
        vec![
            $case::<Acedia<$Payload, Kept, true>>(),
            $case::<Counted<$Payload, false>>(),
            $case::<ShardedSlab<$Payload>>(),
            $case::<Idr<$Payload>>(),
            $case::<Generational<$Payload, AnyThread>>(),
            $case::<SharedSlots<$Payload>>(),
            $case::<Papaya<$Payload>>(),
            $case::<Dash<$Payload>>(),
        ]
    }};
}

pub(crate) use {all, boxes, checked, checked_on_any_thread, recycling, roomy, shared};
