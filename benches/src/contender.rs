//! The operations of a contender that workloads use.

/// A way to make and free objects of one payload.
///
/// Each thread has a value of its own. Pools are leaked: they live as long as the process, as the `static` pool of a
/// class does, so that an owner needs no lifetime and can be sent to another thread.
pub(crate) trait Contender: Sized + 'static {
    /// The name in the tables.
    const NAME: &'static str;
    /// Bytes that one live object takes by the contender's layout, where that is known without running it.
    const LAYOUT_BYTES: Option<usize> = None;
    /// Must be given back to [`free`](Self::free).
    type Owner: 'static;

    /// A new, empty pool.
    fn new() -> Self;

    /// Makes or recycles an object and fills it from `seed`. Contenders with handles make one.
    fn allocate(&mut self, seed: u64) -> Self::Owner;

    /// Ends the object's life.
    fn free(&mut self, owner: Self::Owner);
}

/// A contender that several threads may use at once: every thread has a clone.
pub(crate) trait Shared: Contender<Owner: Send> + Clone + Send + Sync {}

/// A contender whose objects can be read through a checked handle.
pub(crate) trait Readable: Contender {
    /// The handle.
    type Key: Clone + 'static;
    /// Held around any number of reads; `()` where every read protects itself.
    type Pin;

    /// The object's handle.
    fn key(&self, owner: &Self::Owner) -> Self::Key;

    /// Begins a series of reads.
    fn pin(&self) -> Self::Pin;

    /// A function that reads under the pin: it gives the first word of the object, or `None` if its life has ended.
    fn reader(&self, pin: &Self::Pin) -> impl Fn(&Self::Key) -> Option<u64>;

    /// Reads a list of handles under the pin: how many led to an object, and what they held together.
    #[inline]
    fn read_all(&self, pin: &Self::Pin, keys: &[Self::Key]) -> (usize, u64) {
        let read = self.reader(pin);
        let (mut alive, mut sum) = (0, 0);
        for key in keys {
            if let Some(word) = read(key) {
                alive += 1;
                sum += word;
            }
        }
        (alive, sum)
    }
}
