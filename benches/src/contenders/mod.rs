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

/// A case for each of the named contenders.
macro_rules! cases {
    ($case:ident, $Payload:ty, $($Contender:ident$(<$($option:tt),+>)?)+) => {{
        use $crate::contenders::*;
        vec![$($case::<$Contender<$Payload $(, $($option),+)?>>()),+]
    }};
}

/// Every contender, for what one thread does.
macro_rules! all {
    ($case:ident, $Payload:ty) => {{
        let mut cases = $crate::contenders::shared!($case, $Payload);
        cases.extend($crate::contenders::cases!($case, $Payload, Slots Generational<OneThread>));
        cases
    }};
}

/// Every contender that several threads can use at once.
macro_rules! shared {
    ($case:ident, $Payload:ty) => {{
        use $crate::contenders::{boxes, cases};
        let mut cases = cases!($case, $Payload,
            Acedia<Kept, true> Acedia<Kept, false> Acedia<Finalized, true> Acedia<Finalized, false>);
        cases.extend(boxes!($case, $Payload));
        cases.extend(cases!($case, $Payload,
            Counted<false> Counted<true> ShardedSlab Idr Generational<AnyThread> SharedSlots Linear Opool Plural Papaya Dash));
        cases
    }};
}

/// Every contender that holds a million objects in reasonable time. The others search or drop what is beyond their pool.
macro_rules! roomy {
    ($case:ident, $Payload:ty) => {{
        use $crate::contenders::{boxes, cases};
        let mut cases = cases!($case, $Payload, Acedia<Kept, true>);
        cases.extend(boxes!($case, $Payload));
        cases.extend(cases!($case, $Payload,
            Counted<false> ShardedSlab Idr Generational<AnyThread> Generational<OneThread> Slots SharedSlots Plural Papaya Dash));
        cases
    }};
}

/// Every contender under which some of very many objects come and go in reasonable time.
macro_rules! recycling {
    ($case:ident, $Payload:ty) => {{
        use $crate::contenders::{boxes, cases};
        let mut cases = cases!($case, $Payload, Acedia<Kept, true> Acedia<Kept, false>);
        cases.extend(boxes!($case, $Payload));
        cases.extend(cases!($case, $Payload, Counted<false> ShardedSlab Idr Slots SharedSlots Plural Papaya Dash));
        cases
    }};
}

/// Every contender whose handles are checked.
macro_rules! checked {
    ($case:ident, $Payload:ty) => {{
        let mut cases = $crate::contenders::checked_on_any_thread!($case, $Payload);
        cases.extend($crate::contenders::cases!($case, $Payload, Slots Generational<OneThread>));
        cases
    }};
}

/// Every contender whose handles are checked, on any thread.
macro_rules! checked_on_any_thread {
    ($case:ident, $Payload:ty) => {
        $crate::contenders::cases!($case, $Payload,
            Acedia<Kept, true> Counted<false> ShardedSlab Idr Generational<AnyThread> SharedSlots Papaya Dash)
    };
}

pub(crate) use {all, boxes, cases, checked, checked_on_any_thread, recycling, roomy, shared};
