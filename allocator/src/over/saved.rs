//! Handles with the random number of their process, to be saved where a later run may read them.

use std::hash::{BuildHasher, RandomState};

use crate::over::handle_forms::HandleError;
use crate::pool::Handle;
use crate::sync::plain::{AtomicU64, Ordering};

/// The random number of this process and this copy of acedia. The standard library takes its random numbers from the system. Where the system has
/// none, this module is absent.
fn session() -> u64 {
    /// 0 before the number is drawn. Not a `OnceLock`, because a forked child could wait for a thread that it does not
    /// have.
    static SESSION: AtomicU64 = AtomicU64::new(0);
    // Relaxed, all: the word is all there is to see. Of threads that make a number at the same time, one determines it.
    let known = SESSION.load(Ordering::Relaxed);
    if known != 0 {
        return known;
    }
    let fresh = RandomState::new().hash_one(0).max(1);
    let settled = SESSION.compare_exchange(0, fresh, Ordering::Relaxed, Ordering::Relaxed);
    settled.map_or_else(|earlier| earlier, |_| fresh)
}

impl<T> Handle<T> {
    /// The handle with the random number of this process, in 16 bytes. Use it for a file or a message that another process
    /// may read, such as a later run of the program. Unlike the bits of [`to_bits`](Self::to_bits), these bytes never name
    /// an object of another process, or of another copy of acedia in this process.
    ///
    /// The first call of the process asks the system for random bytes; later ones copy two words.
    ///
    /// ```
    /// use acedia::{Handle, HandleError, Pool};
    ///
    /// let pool: Pool<u64> = Pool::new();
    /// let owner = pool.allocate();
    /// let mut saved = owner.handle().to_saved();
    /// assert_eq!(Handle::from_saved(saved), Ok(owner.handle()));
    /// saved[0] ^= 1;
    /// assert_eq!(Handle::<u64>::from_saved(saved), Err(HandleError::Session));
    /// ```
    #[must_use]
    pub fn to_saved(self) -> [u8; 16] {
        let word = u128::from(session()) << 64 | u128::from(self.to_bits());
        word.to_be_bytes()
    }

    /// The handle with these bytes of [`to_saved`](Self::to_saved).
    ///
    /// Any bytes are valid input. The number of the process is not a secret: a program that reads one saved handle can forge others,
    /// as with [`from_bits`](Self::from_bits). A forked process has the number of its parent. Costs two comparisons.
    ///
    /// # Errors
    ///
    /// [`HandleError::Session`] if another process or another copy of acedia saved the handle, and [`HandleError::Impossible`] if no pool can ever
    /// issue it.
    pub fn from_saved(saved: [u8; 16]) -> Result<Self, HandleError> {
        let word = u128::from_be_bytes(saved);
        if word >> 64 != u128::from(session()) {
            return Err(HandleError::Session);
        }
        #[expect(clippy::cast_possible_truncation, reason = "the low half is the bits")]
        Self::from_bits(word as u64).ok_or(HandleError::Impossible)
    }
}
