//! The interface of sharded-slab's `Slab` and `Pool` over our pools, in safe code. For 64-bit systems: a key is a `usize`.
#![forbid(unsafe_code)]

use std::fmt;
use std::marker::PhantomData;
use std::mem;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, OnceLock};

use acedia::pool::{GuardsOnly, Hooks, self as engine};
use acedia::{Guard, Handle, Reserved, Values};

/// Has no effect: our pools have no pages, no limit of threads and no choice of bits.
pub trait Config: 'static {
    const MAX_THREADS: usize = 0;
    const MAX_PAGES: usize = 0;
    const INITIAL_PAGE_SIZE: usize = 0;
    const RESERVED_BITS: usize = 0;
}

pub struct DefaultConfig;
impl Config for DefaultConfig {}

pub struct Slab<T: Send + Sync + 'static, C: 'static = DefaultConfig>(Values<T, GuardsOnly>, PhantomData<fn() -> C>);

fn handle<T>(key: usize) -> Option<Handle<T>> {
    Handle::from_bits(key as u64)
}

fn key<T>(handle: Handle<T>) -> usize {
    handle.to_bits() as usize
}

impl<T: Send + Sync + 'static> Default for Slab<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Send + Sync + 'static> Slab<T> {
    pub fn new() -> Self {
        Self::new_with_config()
    }

    pub fn new_with_config<C>() -> Slab<T, C> {
        Slab(Values::in_domain(), PhantomData)
    }
}

impl<T: Send + Sync + 'static, C: 'static> Slab<T, C> {
    pub const USED_BITS: usize = 64;

    pub fn insert(&self, value: T) -> Option<usize> {
        Some(key(self.0.insert(value).into_manual()))
    }

    pub fn vacant_entry(&self) -> Option<VacantEntry<'_, T>> {
        self.0.try_reserve().ok().map(VacantEntry)
    }

    pub fn get(&self, key: usize) -> Option<Entry<'_, T>> {
        self.0.guard(handle(key)?).map(Held)
    }

    pub fn get_owned(self: Arc<Self>, key: usize) -> Option<OwnedEntry<T, C>> {
        Guard::holding(&self, |slab| &*slab.0, handle(key)?).map(Held)
    }

    pub fn contains(&self, key: usize) -> bool {
        handle(key).is_some_and(|handle| self.0.contains(handle))
    }

    pub fn remove(&self, key: usize) -> bool {
        handle(key).is_some_and(|handle| self.0.free(handle).is_ok())
    }

    pub fn take(&self, key: usize) -> Option<T> {
        self.0.take(handle(key)?).ok()
    }

    pub fn unique_iter(&mut self) -> impl Iterator<Item = &T> {
        self.0.iter_mut().map(|(_, value)| &*value)
    }
}

impl<T: Send + Sync + 'static, C> fmt::Debug for Slab<T, C> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

pub struct VacantEntry<'a, T: Send + Sync + 'static>(Reserved<T, &'a Values<T, GuardsOnly>>);

impl<T: Send + Sync + 'static> VacantEntry<'_, T> {
    pub fn key(&self) -> usize {
        key(self.0.handle())
    }

    pub fn insert(self, value: T) {
        let _ = self.0.insert(value).into_manual();
    }
}

/// A guard that is compared and printed as its value.
pub struct Held<G>(G);

pub type Entry<'a, T> = Held<Guard<T, &'a Values<T, GuardsOnly>>>;
pub type OwnedEntry<T, C = DefaultConfig> = Held<Guard<T, Arc<Slab<T, C>>>>;

impl<T, G: Deref<Target = T>> Deref for Held<G> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: fmt::Debug, G: Deref<Target = T>> fmt::Debug for Held<G> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.deref().fmt(formatter)
    }
}

impl<T: PartialEq, G: Deref<Target = T>> PartialEq<T> for Held<G> {
    fn eq(&self, other: &T) -> bool {
        *self.0 == *other
    }
}

pub trait Clear {
    fn clear(&mut self);
}

impl Clear for String {
    fn clear(&mut self) {
        String::clear(self);
    }
}

/// A place of a [`Pool`]. A value is changed outside of its place and then moved in, because a reservation borrows its pool, and
/// `&mut` needs a sole owner. The place keeps the value's memory.
pub struct Place<T> {
    value: OnceLock<T>,
    cleared: T,
}

pub struct Clearing;

impl<T: Clear + Default + 'static> Hooks<Place<T>> for Clearing {
    type Readers = GuardsOnly;

    fn make() -> Place<T> {
        Place {
            value: OnceLock::new(),
            cleared: T::default(),
        }
    }

    const END: Option<fn(&mut Place<T>)> = Some(|place| {
        if let Some(mut value) = place.value.take() {
            value.clear();
            place.cleared = value;
        }
    });
}

type Places<T> = engine::Pool<Place<T>, Clearing>;

pub struct Pool<T: Clear + Default + Send + Sync + 'static, C: 'static = DefaultConfig>(
    Places<T>,
    PhantomData<fn() -> C>,
);

impl<T: Clear + Default + Send + Sync + 'static> Pool<T> {
    pub fn new() -> Self {
        Self::new_with_config()
    }

    pub fn new_with_config<C>() -> Pool<T, C> {
        Pool(engine::Pool::with_hooks(), PhantomData)
    }
}

impl<T: Clear + Default + Send + Sync + 'static, C> Pool<T, C> {
    fn begin(&self) -> Option<(Handle<Place<T>>, T)> {
        let mut value = None;
        let take = |place: &mut Place<T>| value = Some(mem::take(&mut place.cleared));
        let handle = self.0.try_allocate_with(take).ok()?.into_manual();
        Some((handle, value?))
    }

    pub fn create(&self) -> Option<RefMut<'_, T>> {
        let (handle, value) = self.begin()?;
        Placed::new(self.0.guard(handle)?, key(handle), Some(value))
    }

    pub fn create_owned(self: Arc<Self>) -> Option<OwnedRefMut<T, C>> {
        let (handle, value) = self.begin()?;
        Placed::new(self.guard_owned(handle)?, key(handle), Some(value))
    }

    fn guard_owned(self: &Arc<Self>, handle: Handle<Place<T>>) -> Option<Guard<Place<T>, Arc<Self>>> {
        Guard::holding(self, |pool| &pool.0, handle)
    }

    pub fn create_with(&self, init: impl FnOnce(&mut T)) -> Option<usize> {
        let mut created = self.create()?;
        init(&mut created);
        Some(created.key)
    }

    pub fn get(&self, key: usize) -> Option<Ref<'_, T>> {
        Placed::new(self.0.guard(handle(key)?)?, key, None)
    }

    pub fn get_owned(self: Arc<Self>, key: usize) -> Option<OwnedRef<T, C>> {
        Placed::new(self.guard_owned(handle(key)?)?, key, None)
    }

    pub fn clear(&self, key: usize) -> bool {
        handle(key).is_some_and(|handle| self.0.free(handle).is_ok())
    }
}

/// A value in its place, or still outside. No other thread can read a value outside.
pub struct Placed<T, G: Deref<Target = Place<T>>> {
    guard: G,
    outside: Option<T>,
    key: usize,
}

pub type Ref<'a, T> = Placed<T, Guard<Place<T>, &'a Places<T>>>;
pub type RefMut<'a, T> = Ref<'a, T>;
pub type OwnedRef<T, C = DefaultConfig> = Placed<T, Guard<Place<T>, Arc<Pool<T, C>>>>;
pub type OwnedRefMut<T, C = DefaultConfig> = OwnedRef<T, C>;

impl<T, G: Deref<Target = Place<T>>> Placed<T, G> {
    fn new(guard: G, key: usize, outside: Option<T>) -> Option<Self> {
        let has_value = outside.is_some() || guard.value.get().is_some();
        has_value.then_some(Self { guard, outside, key })
    }

    pub fn key(&self) -> usize {
        self.key
    }

    pub fn downgrade(mut self) -> Self {
        self.put();
        self
    }

    fn put(&mut self) {
        if let Some(value) = self.outside.take() {
            assert!(self.guard.value.set(value).is_ok(), "only this one sets it");
        }
    }
}

impl<T, G: Deref<Target = Place<T>>> Deref for Placed<T, G> {
    type Target = T;
    fn deref(&self) -> &T {
        let value = self.outside.as_ref().or_else(|| self.guard.value.get());
        value.expect("outside or inside")
    }
}

impl<T, G: Deref<Target = Place<T>>> DerefMut for Placed<T, G> {
    fn deref_mut(&mut self) -> &mut T {
        self.outside.as_mut().expect("of a `RefMut`")
    }
}

impl<T, G: Deref<Target = Place<T>>> Drop for Placed<T, G> {
    fn drop(&mut self) {
        self.put();
    }
}

impl<T: PartialEq, G: Deref<Target = Place<T>>> PartialEq<T> for Placed<T, G> {
    fn eq(&self, other: &T) -> bool {
        **self == *other
    }
}

impl<T: fmt::Debug, G: Deref<Target = Place<T>>> fmt::Debug for Placed<T, G> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(formatter)
    }
}

pub mod pool {
    pub use super::{OwnedRef, OwnedRefMut, Ref, RefMut};
}

// Stand-ins for parts of the library that its tests use, and for its model checker: a model runs many times on system threads.

pub mod clear {
    pub use super::Clear;
}

pub mod cfg {
    pub use super::Config;
    pub trait CfgPrivate: Config {
        fn debug() -> &'static str {
            "without effect"
        }
    }
    impl<C: Config> CfgPrivate for C {}
}

pub mod page {
    pub mod slot {
        pub struct Generation<C>(C);
        impl<C> Generation<C> {
            pub const MASK: usize = usize::MAX << 32;
        }
    }
}

pub mod sync {
    pub mod alloc {
        #[derive(Default)]
        pub struct Track<T>(T);

        impl<T> Track<T> {
            pub fn new(value: T) -> Self {
                Self(value)
            }

            pub fn get_ref(&self) -> &T {
                &self.0
            }

            pub fn get_mut(&mut self) -> &mut T {
                &mut self.0
            }
        }

        impl<T: crate::Clear> crate::Clear for Track<T> {
            fn clear(&mut self) {
                self.0.clear();
            }
        }
    }
}

pub trait Pack {}

pub mod tid {
    pub fn with<R>(_: usize, run: impl FnOnce() -> R) -> R {
        run()
    }
}

pub mod loom {
    pub use std::{sync, thread};
    pub mod model {
        #[derive(Default)]
        pub struct Builder {
            pub max_branches: usize,
        }

        impl Builder {
            pub fn new() -> Self {
                Self::default()
            }

            pub fn check(self, model: impl Fn()) {
                for _ in 0..50 {
                    model();
                }
            }
        }
    }
}

pub use util as test_util;

pub mod util {
    pub struct TinyConfig;
    impl crate::Config for TinyConfig {}

    pub fn run_model(name: &str, model: impl Fn()) {
        run_builder(name, crate::loom::model::Builder::new(), model);
    }

    pub fn run_builder(_: &str, builder: crate::loom::model::Builder, model: impl Fn()) {
        builder.check(model);
    }
}

#[allow(unused_macros)]
macro_rules! test_println {
    ($($argument:tt)*) => { let _ = format_args!($($argument)*); };
}
#[allow(unused_macros)]
macro_rules! test_dbg {
    ($value:expr) => { drop($value) };
}
