//! Things that are spawned and destroyed.

/// The data of one thing.
pub(super) type Words = [u64; 8];

/// A way to have things.
pub(super) trait World: 'static {
    /// The name in the tables.
    const NAME: &'static str;
    /// Names a thing.
    type Id: Copy;

    /// Nothing in it yet.
    fn new() -> Self;
    /// Makes a thing, with all that happens then.
    fn spawn(&mut self) -> Self::Id;
    /// Destroys it, with all that happens then.
    fn destroy(&mut self, id: Self::Id);
}
