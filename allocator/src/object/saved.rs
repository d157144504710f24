//! Keys and handles with the random number of their process, to be saved where a later run may read them.

use std::error::Error;
use std::fmt;
use std::hash::{BuildHasher, RandomState};

use super::handle::Handle;
use super::object::Object;
use crate::pool::Key;
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

impl Key {
    /// The key with the random number of this process, in 16 bytes. Use it for a file or a message that another process
    /// may read, such as a later run of the program. Unlike the bits of [`to_bits`](Self::to_bits), these bytes never name
    /// an object of another process, or of another copy of acedia in this process.
    ///
    /// The first call of the process asks the system for random bytes; later ones copy two words.
    ///
    /// ```
    /// use acedia::SavedKeyError;
    /// use acedia::pool::{Key, Pool};
    ///
    /// let pool: Pool<u64> = Pool::new();
    /// let owner = pool.allocate();
    /// let mut saved = owner.key().to_saved();
    /// assert_eq!(Key::from_saved(saved), Ok(owner.key()));
    /// saved[0] ^= 1;
    /// assert_eq!(Key::from_saved(saved), Err(SavedKeyError::Session));
    /// ```
    #[must_use]
    pub fn to_saved(self) -> [u8; 16] {
        let word = u128::from(session()) << 64 | u128::from(self.to_bits());
        word.to_be_bytes()
    }

    /// The key with these bytes of [`to_saved`](Self::to_saved).
    ///
    /// Any bytes are valid input. The number of the process is not a secret: a program that reads one saved key can forge others,
    /// as with [`from_bits`](Self::from_bits). A forked process has the number of its parent. Costs two comparisons.
    ///
    /// # Errors
    ///
    /// [`SavedKeyError::Session`] if another process or another copy of acedia saved the key, and [`SavedKeyError::Impossible`] if no pool can ever
    /// issue it.
    pub fn from_saved(saved: [u8; 16]) -> Result<Self, SavedKeyError> {
        let word = u128::from_be_bytes(saved);
        if word >> 64 != u128::from(session()) {
            return Err(SavedKeyError::Session);
        }
        #[expect(clippy::cast_possible_truncation, reason = "the low half is the key")]
        Self::from_bits(word as u64).ok_or(SavedKeyError::Impossible)
    }
}

impl<T: Object> Handle<T> {
    /// The handle with the random number of this process, in 16 bytes: see [`Key::to_saved`].
    ///
    /// ```
    /// use acedia::{Handle, Object, class};
    ///
    /// #[derive(Default)]
    /// struct Door;
    /// impl Object for Door { class!(Door, "Doc.SavedDoor"); }
    ///
    /// let door = Door::allocate();
    /// let saved = door.handle().to_saved();
    /// assert_eq!(Handle::from_saved(saved), Ok(door.handle()));
    /// ```
    #[must_use]
    pub fn to_saved(self) -> [u8; 16] {
        self.key().to_saved()
    }

    /// The handle with these bytes of [`to_saved`](Self::to_saved). Costs two comparisons. The bytes do not name the class:
    /// a handle that was saved as one of another class resolves to `None`.
    ///
    /// # Errors
    ///
    /// As [`Key::from_saved`].
    pub fn from_saved(saved: [u8; 16]) -> Result<Self, SavedKeyError> {
        Key::from_saved(saved).map(Self::of_key)
    }
}

/// Why [`Key::from_saved`] or [`Handle::from_saved`] rejected the bytes.
///
/// ```
/// use acedia::SavedKeyError;
/// use acedia::pool::Key;
///
/// let error = Key::from_saved([0; 16]).unwrap_err();
/// assert_eq!(error, SavedKeyError::Session);
/// assert_eq!(
///     error.to_string(),
///     "the key was saved by another process or another copy of acedia"
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SavedKeyError {
    /// Another process saved the key, such as an earlier run of the program, or another copy of acedia in this process.
    Session,
    /// No pool can ever issue the key.
    Impossible,
}

impl fmt::Display for SavedKeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Session => "the key was saved by another process or another copy of acedia",
            Self::Impossible => "no pool can issue the saved key",
        })
    }
}

impl Error for SavedKeyError {}
