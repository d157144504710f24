//! The face of sharded-slab's `Slab` and `Pool` over pools of ours, in safe code. For 64-bit systems: a key is a `usize`.
#![forbid(unsafe_code)]

use std::fmt;
use std::marker::PhantomData;
use std::mem;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, OnceLock};

use acedia::pool::{self as engine, Dropping, Guard, GuardsOnly, Hooks, Key, OwnedGuard, Reserved, Value, Values};

/// Has no effect: a pool has no pages, no limit of threads and no choice of bits.
pub trait Config: 'static {
    const MAX_THREADS: usize = 0;
    const MAX_PAGES: usize = 0;
    const INITIAL_PAGE_SIZE: usize = 0;
    const RESERVED_BITS: usize = 0;
}

pub struct DefaultConfig;
impl Config for DefaultConfig {}

pub struct Slab<T: Send + Sync + 'static, C: 'static = DefaultConfig>(Values<T, GuardsOnly>, PhantomData<fn() -> C>);

fn key(bits: usize) -> Option<Key> {
    Handle::from_bits(bits as u64)
}

fn bits(key: Key) -> usize {
    key.to_bits() as usize
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
        Slab(engine::Pool::with_hooks(), PhantomData)
    }
}

impl<T: Send + Sync + 'static, C: 'static> Slab<T, C> {
    pub const USED_BITS: usize = 64;

    pub fn insert(&self, value: T) -> Option<usize> {
        Some(bits(self.0.insert(value).into_manual()))
    }

    pub fn vacant_entry(&self) -> Option<VacantEntry<'_, T>> {
        self.0.try_reserve().ok().map(VacantEntry)
    }

    pub fn get(&self, bits: usize) -> Option<Entry<'_, T>> {
        self.0.guard(key(bits)?).map(held)
    }

    pub fn get_owned(self: Arc<Self>, bits: usize) -> Option<OwnedEntry<T, C>> {
        OwnedGuard::new(&self, |slab| &slab.0, key(bits)?).map(held)
    }

    pub fn contains(&self, bits: usize) -> bool {
        key(bits).is_some_and(|key| self.0.contains(key))
    }

    pub fn remove(&self, bits: usize) -> bool {
        key(bits).is_some_and(|key| self.0.free(key).is_ok())
    }

    pub fn take(&self, bits: usize) -> Option<T> {
        self.0.take(key(bits)?).ok()
    }

    pub fn unique_iter(&mut self) -> impl Iterator<Item = &T> {
        self.0.iter_mut().map(|(_, value)| &**value)
    }
}

impl<T: Send + Sync + 'static, C> fmt::Debug for Slab<T, C> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

pub struct VacantEntry<'a, T: Send + Sync + 'static>(Reserved<'a, Value<T>, Dropping<GuardsOnly>>);

impl<T: Send + Sync + 'static> VacantEntry<'_, T> {
    pub fn key(&self) -> usize {
        bits(self.0.handle())
    }

    pub fn insert(self, value: T) {
        self.0.insert(value).into_manual();
    }
}

/// A guard of an object that has the value inside.
pub struct Held<G> {
    guard: G,
}

fn held<G>(guard: G) -> Held<G> {
    Held { guard }
}

pub type Entry<'a, T> = Held<Guard<'a, Value<T>>>;
pub type OwnedEntry<T, C = DefaultConfig> = Held<OwnedGuard<Value<T>, Slab<T, C>>>;
pub type Ref<'a, T> = Held<Guard<'a, Place<T>>>;
pub type OwnedRef<T, C = DefaultConfig> = Held<OwnedGuard<Place<T>, Pool<T, C>>>;

impl<G: Deref<Target: Deref>> Deref for Held<G> {
    type Target = <G::Target as Deref>::Target;
    fn deref(&self) -> &Self::Target {
        &self.guard
    }
}

impl<T: fmt::Debug, G: Deref<Target: Deref<Target = T>>> fmt::Debug for Held<G> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, formatter)
    }
}

impl<T: PartialEq, G: Deref<Target: Deref<Target = T>>> PartialEq<T> for Held<G> {
    fn eq(&self, other: &T) -> bool {
        **self == *other
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

/// A place of a [`Pool`]. A value is changed outside of it and then moved in, because a reservation borrows its pool, and `&mut` needs a
/// sole owner. Its memory stays with the place from life to life.
pub struct Place<T> {
    value: OnceLock<T>,
    cleared: T,
}

impl<T> Deref for Place<T> {
    type Target = T;
    fn deref(&self) -> &T {
        self.value.get().expect("a guard of it needs the value")
    }
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

pub struct Pool<T: Clear + Default + Send + Sync + 'static, C: 'static = DefaultConfig>(
    engine::Pool<Place<T>, Clearing>,
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
    fn begin(&self) -> Option<(Key, T)> {
        let mut value = None;
        let take = |place: &mut Place<T>| value = Some(mem::take(&mut place.cleared));
        let key = self.0.try_allocate_with(take).ok()?.into_manual();
        Some((key, value?))
    }

    pub fn create(&self) -> Option<RefMut<'_, T>> {
        let (key, value) = self.begin()?;
        Some(Created::new(self.0.guard(key)?, key, value))
    }

    pub fn create_owned(self: Arc<Self>) -> Option<OwnedRefMut<T, C>> {
        let (key, value) = self.begin()?;
        Some(Created::new(OwnedGuard::new(&self, |pool| &pool.0, key)?, key, value))
    }

    pub fn create_with(&self, init: impl FnOnce(&mut T)) -> Option<usize> {
        let mut created = self.create()?;
        init(&mut created);
        Some(created.handle())
    }

    pub fn get(&self, bits: usize) -> Option<Ref<'_, T>> {
        let guard = self.0.guard(key(bits)?)?;
        guard.value.get().is_some().then(|| held(guard))
    }

    pub fn get_owned(self: Arc<Self>, bits: usize) -> Option<OwnedRef<T, C>> {
        let guard = OwnedGuard::new(&self, |pool| &pool.0, key(bits)?)?;
        guard.value.get().is_some().then(|| held(guard))
    }

    pub fn clear(&self, bits: usize) -> bool {
        key(bits).is_some_and(|key| self.0.free(key).is_ok())
    }
}

/// A value that is not in its place yet. Nobody else can read it.
pub struct Created<T, G: Deref<Target = Place<T>>> {
    /// Both until `put`.
    guard: Option<G>,
    value: Option<T>,
    key: Key,
}

pub type RefMut<'a, T> = Created<T, Guard<'a, Place<T>>>;
pub type OwnedRefMut<T, C = DefaultConfig> = Created<T, OwnedGuard<Place<T>, Pool<T, C>>>;

impl<T, G: Deref<Target = Place<T>>> Created<T, G> {
    fn new(guard: G, key: Key, value: T) -> Self {
        Self {
            guard: Some(guard),
            value: Some(value),
            key,
        }
    }

    pub fn key(&self) -> usize {
        bits(self.key)
    }

    fn put(&mut self) -> Option<G> {
        let (guard, value) = (self.guard.take()?, self.value.take()?);
        assert!(guard.value.set(value).is_ok(), "only this one sets it");
        Some(guard)
    }

    pub fn downgrade(mut self) -> Held<G> {
        held(self.put().expect("both are there"))
    }
}

impl<T, G: Deref<Target = Place<T>>> Deref for Created<T, G> {
    type Target = T;
    fn deref(&self) -> &T {
        self.value.as_ref().expect("until `put`")
    }
}

impl<T, G: Deref<Target = Place<T>>> DerefMut for Created<T, G> {
    fn deref_mut(&mut self) -> &mut T {
        self.value.as_mut().expect("until `put`")
    }
}

impl<T, G: Deref<Target = Place<T>>> Drop for Created<T, G> {
    fn drop(&mut self) {
        self.put();
    }
}

impl<T: PartialEq, G: Deref<Target = Place<T>>> PartialEq<T> for Created<T, G> {
    fn eq(&self, other: &T) -> bool {
        **self == *other
    }
}

impl<T: fmt::Debug, G: Deref<Target = Place<T>>> fmt::Debug for Created<T, G> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, formatter)
    }
}

pub mod pool {
    pub use super::{OwnedRef, OwnedRefMut, Ref, RefMut};
}

// Stand-ins for parts of the library that its tests use, and for its model checker: a model runs many times, with threads of the system.

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
