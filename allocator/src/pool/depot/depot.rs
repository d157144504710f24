//! [`Depot`]: the record of one pool that all threads share. The floors above have its behaviour.

use std::ptr::NonNull;

use crate::AllocateError;
use crate::pool::depot::numbers::Numbers;
use crate::pool::list::capacity::Capacity;
use crate::pool::list::deferred::Deferred;
use crate::pool::list::local::Local;
use crate::pool::list::policy::PoolPolicy;
use crate::pool::list::stock::Stock;
use crate::pool::memory::chunk::Chunk;
use crate::pool::memory::shape::{About, Shape};
use crate::pool::memory::shared::{Shared, WeakShared};
use crate::pool::memory::slot::Slot;
use crate::pool::memory::span::Span;
use crate::pool::reading::census::Census;
use crate::pool::reading::mode;
use crate::pool::word::tag::{self, Refused};
use crate::sync::plain::{AtomicBool, Ordering};
use crate::sync::{AtomicPtr, Mutex, bug};

/// The shared part of a pool.
pub(in crate::pool) struct Depot {
    pub(in crate::pool) tag: u64,
    pub(in crate::pool) shape: &'static Shape,
    /// What the hooks say of the objects.
    pub(in crate::pool) about: About,
    pub(in crate::pool) me: WeakShared<Depot>,
    /// The pool's only chunk, for readers. None as soon as there are more: most keys would be of others.
    pub(in crate::pool) only: AtomicPtr<u8>,
    pub(in crate::pool) stock: Stock,
    /// Objects that wait for pins before they can be finished one by one: a finalizer, a limit, or the last life.
    pub(in crate::pool) deferred: Deferred,
    pub(in crate::pool) cold: Mutex<Cold>,
    pub(in crate::pool) guarding: Census,
    /// `Cold::kept` may have some.
    pub(in crate::pool) any_kept: AtomicBool,
    /// A limit is in force: threads keep no lists.
    pub(in crate::pool) managed: AtomicBool,
    pub(in crate::pool) capacity: Capacity,
    pub(in crate::pool) numbers: Numbers,
}

/// What is under the depot's lock.
#[derive(Default)]
pub(in crate::pool) struct Cold {
    pub(in crate::pool) chunks: Vec<NonNull<Chunk>>,
    /// Runs of slots that never had an object, or whose chunk was given back.
    pub(in crate::pool) fresh: Vec<(u32, u32)>,
    /// Slots whose object was dropped.
    pub(in crate::pool) blank: Vec<u32>,
    /// Slots with a free object that are in no magazine, last freed last: all of them while the pool is managed; otherwise those
    /// that a thread without magazines put away.
    pub(in crate::pool) kept: Vec<u32>,
    pub(in crate::pool) policy: PoolPolicy,
    pub(in crate::pool) locals: Vec<Shared<Local>>,
}

impl Cold {
    pub(in crate::pool) fn chunks(&self) -> impl Iterator<Item = &Chunk> {
        // SAFETY: the depot owns its chunks, and whoever sees this list has the depot.
        self.chunks.iter().map(|chunk| unsafe { chunk.as_ref() })
    }
}

// SAFETY: the raw pointers are chunks that the depot owns; their words are atomic, and their objects are `Send + Sync`,
// which `Pool` demands of every type it is made for.
unsafe impl Send for Depot {}

// SAFETY: as above; the list of chunks is under a lock.
unsafe impl Sync for Depot {}

impl Depot {
    /// The shared part of a new pool, if there is memory for it, and if the process has not a hundred thousand pools already.
    pub(in crate::pool) fn create(
        shape: &'static Shape,
        policy: PoolPolicy,
        capacity: Option<usize>,
    ) -> Result<Shared<Self>, AllocateError> {
        // The user's code, so before anything is taken or locked.
        let about = (shape.about)();
        mode::prepare();
        Shared::try_cyclic(shape.no_memory(size_of::<Self>()), |me| {
            let tag = tag::borrow().map_err(|refused| match refused {
                Refused::Places => shape.no_number(),
                Refused::Memory(bytes) => shape.no_memory(bytes),
            })?;
            Ok(Self::new(me, tag, (shape, about), policy, capacity))
        })
    }

    fn new(
        me: &WeakShared<Self>,
        tag: u64,
        (shape, about): (&'static Shape, About),
        policy: PoolPolicy,
        capacity: Option<usize>,
    ) -> Self {
        Self {
            tag,
            shape,
            about,
            me: me.clone(),
            only: AtomicPtr::new(std::ptr::null_mut()),
            stock: Stock::new(shape),
            deferred: Deferred::new(),
            cold: Mutex::new(Cold {
                policy,
                ..Cold::default()
            }),
            guarding: Census::new(),
            any_kept: AtomicBool::new(false),
            managed: AtomicBool::new(capacity.is_some() || policy != PoolPolicy::KeepAll),
            capacity: Capacity::new(capacity),
            numbers: Numbers::default(),
        }
    }

    /// The pool's only chunk, for readers.
    #[inline]
    pub(in crate::pool) fn only_span(&self) -> Span {
        // Acquire pairs with `grow` (Release): who sees the chunk sees its memory. An old answer is as true for every key
        // that was handed to the caller: the one that names another chunk was made after the answer changed.
        Span::from_raw(self.only.load(Ordering::Acquire))
    }

    pub(in crate::pool) fn is_managed(&self) -> bool {
        self.managed.load(Ordering::Relaxed)
    }

    /// The tag, with its mark if the pool is managed.
    pub(in crate::pool) fn marked_tag(&self) -> u64 {
        self.tag | if self.is_managed() { tag::MANAGED } else { 0 }
    }

    /// Enters a thread's magazines. `false` if there is no memory to do so.
    pub(in crate::pool) fn add_local(&self, local: &Shared<Local>) -> bool {
        let mut cold = self.cold.lock();
        let reserved = cold.locals.try_reserve(1).is_ok();
        if reserved {
            // Under the lock: from here on, whoever changes the census changes this copy.
            if !bug("new_magazines_unaware") {
                local.guarding.set(self.guarding.value());
            }
            cold.locals.push(Shared::clone(local));
        }
        reserved
    }

    /// Puts back a slot without an object.
    pub(in crate::pool) fn put_blank(&self, index: u32) {
        if !bug("leak_on_free") {
            self.cold.lock().blank.push(index);
        }
    }
}

impl Chunk {
    /// The pool's shared part, which owns the chunk.
    #[inline]
    pub(in crate::pool) fn depot(&self) -> &Depot {
        // SAFETY: the depot owns its chunks, so it outlives every use of one.
        unsafe { self.depot.cast().as_ref() }
    }
}

impl Slot {
    /// The depot of the slot's pool.
    #[inline]
    pub(in crate::pool) fn depot(&self) -> &Depot {
        self.chunk().depot()
    }
}
