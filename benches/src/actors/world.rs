//! Things that are spawned and destroyed.

/// What a thing has of its own.
pub(super) type Words = [u64; 8];

/// A way to have things.
pub(super) trait World: 'static {
    /// The name in the tables.
    const NAME: &'static str;
    /// Who is meant.
    type Id: Copy;

    /// Nothing in it yet.
    fn new() -> Self;
    /// Makes a thing, with all that happens then.
    fn spawn(&mut self) -> Self::Id;
    /// Destroys it, with all that happens then.
    fn destroy(&mut self, id: Self::Id);
}
