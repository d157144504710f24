//! [`HeldBack`]: the freed objects that wait for readers, by pool.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt;

use crate::class::Class;
use crate::pool::{PinnedThread, holding};

/// The freed objects that wait for readers, for each pool of the process: the result of [`held_back`].
///
/// Pools are sorted by the bytes that wait in them, the most first. It prints as a table:
///
/// ```text
/// readers hold back 1275 freed objects, 20400 bytes
/// objects  bytes  pool         oldest pin
///    1020  16320  Game.Rocket  thread 'mixer', pinned for 1.500 s at src/main.rs:7:21
///     255   4080  u64          none; they become free when a guard ends, or at the next allocation
/// ```
#[derive(Clone, Debug, Default)]
#[must_use = "a report does nothing by itself"]
pub struct HeldBack(Vec<HeldPool>);

/// The freed objects of one pool that wait for readers: see [`HeldBack`].
#[derive(Clone, Debug)]
pub struct HeldPool {
    class: Option<&'static Class>,
    name: &'static str,
    objects: u64,
    bytes: u64,
    pin: Option<PinnedThread>,
}

impl HeldBack {
    /// The pools, sorted by their bytes, the most first.
    #[must_use]
    pub fn pools(&self) -> &[HeldPool] {
        &self.0
    }

    /// The number of waiting objects in all pools.
    #[must_use]
    pub fn objects(&self) -> u64 {
        self.0.iter().map(HeldPool::objects).sum()
    }

    /// The bytes of these objects: see [`HeldPool::bytes`].
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.0.iter().map(HeldPool::bytes).sum()
    }

    /// Whether no waiting object is counted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl HeldPool {
    /// The class of the objects, if the pool is that of a class.
    #[must_use]
    pub fn class(&self) -> Option<&'static Class> {
        self.class
    }

    /// The name of the class, or of the type of the objects.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The number of objects that wait: [`Stats::waiting`](crate::Stats::waiting) of the pool.
    #[must_use]
    pub fn objects(&self) -> u64 {
        self.objects
    }

    /// The bytes of these objects, without memory that the objects own elsewhere.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The pin that is held longest in the domain of the pool, with its thread. If no thread is pinned, this is `None`, and the
    /// objects wait for guards, or for a thread that finalizes them.
    #[must_use]
    pub fn oldest_pin(&self) -> Option<&PinnedThread> {
        self.pin.as_ref()
    }

    fn fmt_pin(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.pin {
            Some(pin) => write!(f, "{pin}"),
            None => f.write_str("none; they become free when a guard ends, or at the next allocation"),
        }
    }
}

impl fmt::Display for HeldPool {
    /// `readers hold back 1020 freed objects of Game.Rocket, 16320 bytes; oldest pin: thread 'mixer', pinned for 1.500 s at
    /// src/main.rs:7:21`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (objects, bytes) = (self.objects, self.bytes);
        let name = self.name();
        write!(
            f,
            "readers hold back {objects} freed objects of {name}, {bytes} bytes; oldest pin: "
        )?;
        self.fmt_pin(f)
    }
}

impl fmt::Display for HeldBack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("readers hold back no freed object (the counts omit up to 255 per thread and pool)");
        }
        let (objects, bytes) = (self.objects(), self.bytes());
        write!(f, "readers hold back {objects} freed objects, {bytes} bytes")?;
        let names = self.0.iter().map(|pool| pool.name().len());
        let name = names.max().unwrap_or_default().max("pool".len());
        let bytes = bytes.to_string().len().max("bytes".len());
        write!(f, "\nobjects  {:>bytes$}  {:name$}  oldest pin", "bytes", "pool")?;
        for pool in &self.0 {
            write!(
                f,
                "\n{:>7}  {:>bytes$}  {:name$}  ",
                pool.objects,
                pool.bytes,
                pool.name()
            )?;
            pool.fmt_pin(f)?;
        }
        Ok(())
    }
}

/// The freed objects of all pools that wait for readers, and the pins for which they wait. Use it to find a thread that hangs or
/// sleeps under a pin.
///
/// ```
/// use acedia::pool::{Pool, pin};
/// use acedia::held_back;
///
/// let pool: Pool<u64> = Pool::new();
/// let pinned = pin(); // this could be a thread that hangs
/// for _ in 0..1000 {
///     pool.allocate().key();
/// }
/// let report = held_back();
/// assert_eq!((report.pools()[0].name(), report.objects()), ("u64", 765));
/// let line = report.pools()[0].to_string();
/// // readers hold back 765 freed objects of u64, 12240 bytes; oldest pin: thread 'main',
/// // pinned for 0.000 s at src/main.rs:6:14
/// assert!(
///     line.starts_with(
///         "readers hold back 765 freed objects of u64, 12240 bytes; oldest pin: thread "
///     ),
///     "{line}"
/// );
/// drop(pinned);
/// pool.settle();
/// assert!(held_back().is_empty());
/// ```
///
/// The numbers are those of [`Stats::waiting`](crate::Stats::waiting), so up to 255 objects of each thread and pool are not counted.
/// [`Pool::waiting_at_most`](crate::pool::Pool::waiting_at_most) and
/// [`Object::WAITING_AT_MOST`](crate::Object::WAITING_AT_MOST) limit them.
///
/// # Cost
///
/// Under a lock, one load for each pool of the process. For each domain in which objects wait, also the cost of
/// [`Domain::pinned_threads`](crate::pool::Domain::pinned_threads).
pub fn held_back() -> HeldBack {
    // Pools of one domain have the same pins.
    let mut pins = BTreeMap::new();
    let pools = holding().into_iter().map(|pool| HeldPool {
        class: pool.about.downcast_ref(),
        name: pool.name,
        objects: pool.objects,
        bytes: pool.bytes,
        pin: pins
            .entry(std::ptr::from_ref(pool.pins))
            .or_insert_with(|| pool.pins.oldest_pin())
            .clone(),
    });
    let mut pools: Vec<_> = pools.collect();
    pools.sort_by_key(|pool| Reverse(pool.bytes));
    HeldBack(pools)
}
