//! The contenders that allocate and free (acedia, its five peers and the bare loop), and the content of their objects.
//!
//! Pools are leaked. They live as long as the process, as a class's `static` pool does, so an owner needs no lifetime and can be
//! sent to another thread.

#![expect(
    clippy::inline_always,
    reason = "so that each contender is inlined into the measured loop"
)]

use std::{array, fmt, hint::black_box, marker::PhantomData, sync::Arc};

use acedia::pool::{Global, Hooks};
use acedia::{Owned, Pool};
use sharded_slab::Clear;
use slotmap::{DefaultKey, SlotMap};

use crate::measure::{ACEDIA, BARE};

/// Allocates and frees objects of one payload. Each thread has its own value.
pub(crate) trait Contender: Sized + 'static {
    /// The name in the tables.
    const NAME: &'static str;
    /// Must be passed to [`free`](Self::free).
    type Owner: 'static;

    /// A new, empty pool.
    fn new() -> Self;
    /// Allocates or recycles an object and fills it from `seed`.
    fn allocate(&mut self, seed: u64) -> Self::Owner;
    /// Ends the object's life.
    fn free(&mut self, owner: Self::Owner);
}

/// A contender that several threads may use at once: every thread has a clone.
pub(crate) trait Shared: Contender<Owner: Send> + Clone + Send + Sync {}
impl<C: Contender<Owner: Send> + Clone + Send + Sync> Shared for C {}

/// Content that is filled at the start of every life. Contenders that recycle objects call `empty` and `fill`, so that inner memory
/// is kept. The others call `make` and drop.
pub(crate) trait Payload: Clear + Clone + Default + fmt::Debug + Send + Sync + 'static {
    /// Whether it owns memory.
    #[cfg_attr(not(feature = "jemalloc"), expect(dead_code, reason = "for jemalloc"))]
    const OWNS: bool;
    /// A new object.
    fn make(seed: u64) -> Self;
    /// Writes the content of a life into an object that is empty.
    fn fill(&mut self, seed: u64);
    /// Clears the content, and keeps the inner memory.
    fn empty(&mut self);
}

/// `N` words.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Words<const N: usize>(pub(crate) [u64; N]);

impl<const N: usize> Default for Words<N> {
    fn default() -> Self {
        Self([0; N])
    }
}

impl<const N: usize> Clear for Words<N> {
    fn clear(&mut self) {}
}

impl<const N: usize> Payload for Words<N> {
    const OWNS: bool = false;

    #[inline(always)]
    fn make(seed: u64) -> Self {
        Self(array::from_fn(|place| seed.wrapping_add(place as u64)))
    }

    #[inline(always)]
    fn fill(&mut self, seed: u64) {
        *self = Self::make(seed);
    }

    #[inline(always)]
    fn empty(&mut self) {}
}

/// A `String` of 64 bytes.
#[derive(Debug, Clone, Default)]
pub(crate) struct Text(String);

const TEXT: &str = "a handle names a slot and a life, and a life never comes again..";

impl Clear for Text {
    fn clear(&mut self) {
        self.0.clear();
    }
}

impl Payload for Text {
    const OWNS: bool = true;

    #[inline(always)]
    fn make(_: u64) -> Self {
        Self(black_box(TEXT).to_owned())
    }

    #[inline(always)]
    fn fill(&mut self, _: u64) {
        self.0.push_str(black_box(TEXT));
    }

    #[inline(always)]
    fn empty(&mut self) {
        self.0.clear();
    }
}

/// Acedia's pool. With `HANDLE`, each allocation includes a handle. With `END`, the pool has a finalizer.
#[derive(Debug, Clone)]
pub(crate) struct Acedia<P: Payload, const HANDLE: bool = true, const END: bool = false>(&'static Pool<P, Kept<END>>);

/// The object is emptied when its life begins, or, with a finalizer, when it ends.
#[derive(Debug, Clone)]
pub(crate) struct Kept<const END: bool>;

impl<P: Payload, const END: bool> Hooks<P> for Kept<END> {
    type Readers = Global;
    const END: Option<fn(&mut P)> = if END { Some(P::empty) } else { None };

    fn make() -> P {
        P::default()
    }

    #[inline(always)]
    fn begin(object: &mut P) {
        if !END {
            object.empty();
        }
    }
}

impl<P: Payload, const HANDLE: bool, const END: bool> Contender for Acedia<P, HANDLE, END> {
    const NAME: &'static str = ACEDIA;
    type Owner = Owned<P, &'static Pool<P, Kept<END>>>;

    fn new() -> Self {
        Self(Box::leak(Box::new(Pool::with_hooks())))
    }

    #[inline(always)]
    fn allocate(&mut self, seed: u64) -> Self::Owner {
        let owner = self.0.allocate_with(|object| object.fill(seed));
        if HANDLE {
            black_box(owner.handle());
        }
        owner
    }

    #[inline(always)]
    fn free(&mut self, owner: Self::Owner) {
        drop(owner);
    }
}

/// The least work of a pool with generations: a stack of free objects, and a generation next to each object.
// Each thread has its own free objects, which is the least work while no object changes threads.
#[derive(Debug, Clone)]
pub(crate) struct Bare<P>(Vec<Box<(i64, P)>>);

impl<P: Payload> Contender for Bare<P> {
    const NAME: &'static str = BARE;
    type Owner = Box<(i64, P)>;

    fn new() -> Self {
        Self(Vec::new())
    }

    #[inline(always)]
    fn allocate(&mut self, seed: u64) -> Self::Owner {
        let mut room = self.0.pop().unwrap_or_default();
        room.0 = -room.0;
        room.1.empty();
        room.1.fill(seed);
        room
    }

    #[inline(always)]
    fn free(&mut self, mut owner: Self::Owner) {
        owner.0 = -1 - owner.0;
        self.0.push(owner);
    }
}

/// `slotmap`: for one thread, with a key for every object.
#[derive(Debug)]
pub(crate) struct Slots<P>(SlotMap<DefaultKey, P>);

impl<P: Payload> Contender for Slots<P> {
    const NAME: &'static str = "slotmap";
    type Owner = DefaultKey;

    fn new() -> Self {
        Self(SlotMap::new())
    }

    #[inline(always)]
    fn allocate(&mut self, seed: u64) -> DefaultKey {
        self.0.insert(P::make(seed))
    }

    #[inline(always)]
    fn free(&mut self, owner: DefaultKey) {
        self.0.remove(owner);
    }
}

/// `sharded_slab::Pool`: objects are cleared and kept, with a key for every object.
#[derive(Debug, Clone)]
pub(crate) struct Slab<P: Payload>(&'static sharded_slab::Pool<P>);

impl<P: Payload> Contender for Slab<P> {
    const NAME: &'static str = "sharded-slab";
    type Owner = usize;

    fn new() -> Self {
        Self(Box::leak(Box::default()))
    }

    #[inline(always)]
    fn allocate(&mut self, seed: u64) -> usize {
        self.0
            .create_with(|object| object.fill(seed))
            .expect("the shard has room")
    }

    #[inline(always)]
    fn free(&mut self, owner: usize) {
        self.0.clear(owner);
    }
}

/// An `Arc`: a `Box` in mimalloc plus a reference count.
#[derive(Debug, Clone)]
pub(crate) struct Counted<P>(PhantomData<P>);

impl<P: Payload> Contender for Counted<P> {
    const NAME: &'static str = "Arc";
    type Owner = Arc<P>;

    fn new() -> Self {
        Self(PhantomData)
    }

    #[inline(always)]
    fn allocate(&mut self, seed: u64) -> Arc<P> {
        Arc::new(P::make(seed))
    }

    #[inline(always)]
    fn free(&mut self, owner: Arc<P>) {
        drop(owner);
    }
}

/// A `Box` of the process's allocator, which is mimalloc.
#[derive(Debug, Clone)]
pub(crate) struct Boxed<P>(PhantomData<P>);

impl<P: Payload> Contender for Boxed<P> {
    const NAME: &'static str = "mimalloc";
    type Owner = Box<P>;

    fn new() -> Self {
        Self(PhantomData)
    }

    #[inline(always)]
    fn allocate(&mut self, seed: u64) -> Box<P> {
        Box::new(P::make(seed))
    }

    #[inline(always)]
    fn free(&mut self, owner: Box<P>) {
        drop(owner);
    }
}

/// `$case` for acedia and its peers, without slotmap if `shared`. jemalloc gets only payloads that own no memory, because a
/// `String` allocates from mimalloc.
macro_rules! contenders {
    ($case:ident, $P:ty $(, $argument:expr)?) => {{
        let mut cases = $crate::contenders::contenders!(shared $case, $P $(, $argument)?);
        cases.insert(1, $case::<$crate::contenders::Slots<$P>>($($argument)?));
        cases
    }};
    (shared $case:ident, $P:ty $(, $argument:expr)?) => {{
        #[cfg_attr(not(feature = "jemalloc"), expect(unused_mut, reason = "for jemalloc"))]
        let mut cases = vec![
            $case::<$crate::contenders::Acedia<$P>>($($argument)?),
            $case::<$crate::contenders::Slab<$P>>($($argument)?),
            $case::<$crate::contenders::Counted<$P>>($($argument)?),
            $case::<$crate::contenders::Boxed<$P>>($($argument)?),
            $case::<$crate::contenders::Bare<$P>>($($argument)?),
        ];
        #[cfg(feature = "jemalloc")]
        if !<$P as $crate::contenders::Payload>::OWNS {
            cases.push($case::<$crate::contenders::jemalloc::Boxed<$P>>($($argument)?));
        }
        cases
    }};
}
pub(crate) use contenders;

/// A box in jemalloc's memory. Its calls are those of a program whose `#[global_allocator]` is jemalloc.
#[cfg(feature = "jemalloc")]
pub(crate) mod jemalloc {
    use std::alloc::{GlobalAlloc, Layout, handle_alloc_error};
    use std::marker::PhantomData;
    use std::ptr::NonNull;

    use tikv_jemallocator::Jemalloc;

    use super::{Contender, Payload};

    #[derive(Debug, Clone)]
    pub(crate) struct Boxed<P>(PhantomData<P>);

    #[derive(Debug)]
    pub(crate) struct JeBox<P>(NonNull<P>);

    // SAFETY: a `JeBox` owns its object as a `Box` does, and jemalloc frees a block on any thread.
    unsafe impl<P: Send> Send for JeBox<P> {}

    impl<P> Drop for JeBox<P> {
        #[inline(always)]
        fn drop(&mut self) {
            // SAFETY: the object was written in `allocate` and is dropped once, here.
            unsafe { self.0.drop_in_place() };
            // SAFETY: the memory came from `Jemalloc.alloc` with this layout, and is freed once, here.
            unsafe { Jemalloc.dealloc(self.0.as_ptr().cast(), Layout::new::<P>()) };
        }
    }

    impl<P: Payload> Contender for Boxed<P> {
        const NAME: &'static str = "jemalloc";
        type Owner = JeBox<P>;

        fn new() -> Self {
            Self(PhantomData)
        }

        #[inline(always)]
        fn allocate(&mut self, seed: u64) -> JeBox<P> {
            const { assert!(size_of::<P>() > 0) };
            // SAFETY: the layout has a size above 0.
            let block = unsafe { Jemalloc.alloc(Layout::new::<P>()) };
            let place = NonNull::new(block.cast()).unwrap_or_else(|| handle_alloc_error(Layout::new::<P>()));
            // SAFETY: new memory of the size and alignment of a `P`, to which no other pointer exists.
            unsafe { place.write(P::make(seed)) };
            JeBox(place)
        }

        #[inline(always)]
        fn free(&mut self, owner: JeBox<P>) {
            drop(owner);
        }
    }
}
