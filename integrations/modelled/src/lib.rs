//! A mailbox for one message, made of an atomic word and a pool: a program on top of the pools, whose interleavings loom
//! or shuttle explores.
//!
//! ```sh
//! # On threads of the system.
//! cargo test -p acedia-modelled
//! export RUSTFLAGS="--cfg acedia_loom"
//! # Every interleaving.
//! cargo test --release -p acedia-modelled --lib
//! # Random interleavings of more threads.
//! cargo test --release -p acedia-modelled --lib --features shuttle
//! ```
#![forbid(unsafe_code)]

mod sync;

use acedia::{Handle, Pool};

use sync::{AtomicU64, Ordering};

/// Holds at most one message. Any thread may put one, or take it.
#[derive(Debug)]
pub struct Mailbox {
    messages: Pool<u64>,
    /// The bits of the handle of the message, or 0.
    newest: AtomicU64,
}

impl Default for Mailbox {
    fn default() -> Self {
        Self {
            messages: Pool::new(),
            newest: AtomicU64::new(0),
        }
    }
}

impl Mailbox {
    /// Puts a message in, and returns the message that it replaces.
    pub fn put(&self, message: u64) -> Option<u64> {
        let owner = self.messages.allocate_with(|place| *place = message);
        let handle = owner.into_manual();
        // Release: a thread that takes the handle may read the message.
        self.open(self.newest.swap(handle.to_bits(), Ordering::AcqRel))
    }

    /// Takes the message out.
    pub fn take(&self) -> Option<u64> {
        self.open(self.newest.swap(0, Ordering::Acquire))
    }

    /// Like [`take`](Self::take), but with a bug: a message that is put between the two steps is lost.
    #[cfg(test)]
    fn take_in_two_steps(&self) -> Option<u64> {
        let bits = self.newest.load(Ordering::Acquire);
        self.newest.store(0, Ordering::Release);
        self.open(bits)
    }

    /// Ends the life of the message. `None` if there is none, or if another thread has ended it.
    fn open(&self, bits: u64) -> Option<u64> {
        let owner = self.messages.reclaim(Handle::from_bits(bits)?).ok()?;
        Some(*owner)
    }
}

#[cfg(test)]
mod tests;
