//! The errors of allocation and access, with their messages.

use std::error::Error;
use std::fmt;
use std::panic::Location;

use crate::life_version::LifeVersion;
use crate::pool::Handle;

/// Why no object could be allocated.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AllocateError {
    /// The system has no memory for another chunk of slots.
    Memory {
        /// The type of the objects.
        type_name: &'static str,
        /// The number of bytes that were requested.
        bytes: usize,
    },
    /// The pool is bounded, and as many objects are in use as it allows.
    Full {
        /// The type of the objects.
        type_name: &'static str,
        /// The limit of objects in use.
        capacity: usize,
    },
    /// More freed objects wait for readers than the pool allows
    /// ([`Pool::waiting_at_most`](crate::pool::Pool::waiting_at_most)), and no object is free.
    HeldBack {
        /// The type of the objects.
        type_name: &'static str,
        /// The number of freed objects that wait.
        waiting: u64,
        /// The limit.
        most: usize,
    },
    /// The process has used up the slot numbers, or has a million pools. There are about 4.3 billion slot numbers for objects of
    /// up to 56 bytes, and half as many for each doubling of the size. With 32-bit pointers there are one sixteenth as many slot
    /// numbers, and about 30,000 pools.
    Exhausted {
        /// The type of the objects.
        type_name: &'static str,
    },
}

impl fmt::Display for AllocateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Memory { type_name, bytes } => {
                write!(
                    f,
                    "no memory for more objects of {type_name}: the system refused a request for {bytes} bytes"
                )
            }
            Self::Full { type_name, capacity } => {
                write!(
                    f,
                    "the pool of {type_name} is full: all {capacity} objects of its bound are in use"
                )
            }
            Self::HeldBack {
                type_name,
                waiting,
                most,
            } => {
                write!(
                    f,
                    "{waiting} freed objects of {type_name} are waiting for readers, and the pool allows at most {most}; drop pins and guards sooner"
                )
            }
            Self::Exhausted { type_name } => {
                write!(
                    f,
                    "no slot number or pool number is left for another object of {type_name}"
                )
            }
        }
    }
}

impl Error for AllocateError {}

/// Why a handle does not resolve to an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// The life has ended, and the slot has had no visible life since.
    Freed,
    /// The life has ended, and the slot has had another visible life since. After a [collection](crate::Pool::collect), this
    /// can replace [`Freed`](Self::Freed) and [`NeverIssued`](Self::NeverIssued).
    Reused,
    /// The life is hidden: its slot is reserved but not filled, or its object is borrowed exclusively. Made-up bits can
    /// also name a slot's next life; they cannot be told from a hidden life.
    Hidden,
    /// The handle belongs to another pool.
    Foreign,
    /// No pool has issued the handle so far: the bits were made up.
    NeverIssued,
    /// The object is alive, but belongs to an owner and cannot be freed, taken or reclaimed by handle.
    Owned,
    /// The object is alive, and a thread may be reading it.
    Read,
}

impl fmt::Display for Reason {
    /// Prints the end of a sentence whose subject is the object: `was freed`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Freed => "was freed",
            Self::Reused => "is stale: its slot has gone on to a later life",
            Self::Hidden => "is hidden: reserved but not filled yet, or borrowed exclusively",
            Self::Foreign => "belongs to another pool",
            Self::NeverIssued => "was never issued",
            Self::Owned => "has an owner, so it cannot be freed or taken through a handle",
            Self::Read => "may have readers: a guard, or a pin in its domain",
        })
    }
}

/// A handle did not resolve to an object.
///
/// ```
/// use acedia::{Pool, Reason, pin};
///
/// let pool: Pool<u64> = Pool::new();
/// let handle = pool.allocate().handle();
/// let error = pool.try_get(handle, &pin()).unwrap_err();
/// assert_eq!(error.reason(), Reason::Freed);
/// assert!(error.to_string().contains("u64 in slot"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct AccessError {
    pub(crate) reason: Reason,
    pub(crate) type_name: &'static str,
    pub(crate) handle: Handle<()>,
    pub(crate) now: Option<LifeVersion>,
    pub(crate) allocated: Option<&'static Location<'static>>,
    pub(crate) freed: Option<&'static Location<'static>>,
}

impl AccessError {
    /// Why there is no object.
    #[must_use]
    pub fn reason(&self) -> Reason {
        self.reason
    }

    /// The bits of the handle of the failed access: see [`Handle::from_bits`](crate::Handle::from_bits).
    #[must_use]
    pub fn bits(&self) -> u64 {
        self.handle.to_bits()
    }

    /// The number of the visible life of the slot, if it has one.
    #[must_use]
    pub fn current_life(&self) -> Option<u32> {
        self.now.map(LifeVersion::get)
    }

    /// Where the object was allocated, even if it still has an owner. Only builds with debug assertions record this. The
    /// location of a freed object is lost when its slot is reused after a later life that had a handle.
    ///
    /// ```
    /// use acedia::{Pool, pin};
    ///
    /// let pool: Pool<u64> = Pool::new();
    /// let first = pool.allocate();
    /// let stale = first.handle();
    /// first.free();
    /// let next = pool.allocate();
    /// assert_eq!(next.handle().index(), stale.index());
    /// let error = pool.try_get(stale, &pin()).unwrap_err();
    /// if cfg!(debug_assertions) {
    ///     // u64 in slot 0, life 1, is stale (its slot is now in life 2); allocated at
    ///     // src/main.rs:4:18; freed at src/main.rs:6:7
    ///     assert!(error.allocated_at().unwrap().line() < error.freed_at().unwrap().line());
    /// }
    /// ```
    #[must_use]
    pub fn allocated_at(&self) -> Option<&'static Location<'static>> {
        self.allocated
    }

    /// Where the object was freed, under the conditions of [`allocated_at`](Self::allocated_at). A drop records no place,
    /// because a destructor does not know its caller: call `owner.free()` instead.
    #[must_use]
    pub fn freed_at(&self) -> Option<&'static Location<'static>> {
        self.freed
    }
}

impl fmt::Display for AccessError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in {}, ", self.type_name, self.handle)?;
        match (self.reason, self.now) {
            (Reason::Reused, Some(life)) => write!(f, "is stale (its slot is now in life {life})")?,
            (reason, _) => write!(f, "{reason}")?,
        }
        if let Some(at) = self.allocated {
            write!(f, "; allocated at {at}")?;
            match self.freed {
                Some(at) => write!(f, "; freed at {at}")?,
                None if self.reason == Reason::Owned => {}
                None => f.write_str("; freed by a drop")?,
            }
        }
        Ok(())
    }
}

impl fmt::Debug for AccessError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AccessError({:?}: {self})", self.reason)
    }
}

impl Error for AccessError {}
