//! The forms of a [`Key`] outside the process: a number that a `double` represents, and hexadecimal digits.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use crate::pool::Key;

/// Slots and lives of [`Key::to_safe_integer`]. Slots of 64 bytes below this number fill 4 GiB.
const SAFE_SLOTS: u64 = 1 << 26;
const SAFE_LIVES: u64 = 1 << 27;

const _: () = assert!(SAFE_SLOTS * SAFE_LIVES == 1 << 53);

impl Key {
    /// The key as a number below 2⁵³, which a `double` represents exactly: for JavaScript, Lua and other programs' JSON.
    ///
    /// ```text
    ///  52            26 25             0
    /// ┌────────────────┬────────────────┐
    /// │ life 1..2²⁷    │ slot index     │
    /// └────────────────┴────────────────┘
    /// ```
    ///
    /// `None` if the slot index is 2²⁶ or more, or the life is 2²⁷ or more. Slot indices stay below 2²⁶ while the process has
    /// fewer than 67,108,864 slots of up to 56 bytes. (A larger object uses several indices.) The keys of a slot have this form
    /// during its first 134,217,727 lives. A key is never truncated: if it does not fit, this returns `None`, and you can use
    /// [its text](#impl-LowerHex-for-Key) instead. Costs a shift and two comparisons.
    ///
    /// ```
    /// use acedia::pool::{Key, Pool};
    ///
    /// let pool: Pool<u64> = Pool::new();
    /// let owner = pool.allocate();
    /// let number = owner.key().to_safe_integer().expect("a first life of a low slot");
    /// assert!(number < 1 << 53);
    /// assert_eq!(Key::from_safe_integer(number), Some(owner.key()));
    /// assert_eq!(Key::from_safe_integer(1 << 53), None);
    /// ```
    #[must_use]
    pub const fn to_safe_integer(self) -> Option<u64> {
        let (life, index) = (self.life().get() as u64, self.index() as u64);
        if life < SAFE_LIVES && index < SAFE_SLOTS {
            Some(life * SAFE_SLOTS + index)
        } else {
            None
        }
    }

    /// The key for which [`to_safe_integer`](Self::to_safe_integer) returns this number. `None` if there is no such key:
    /// the number is 2⁵³ or more, or its life is 0.
    ///
    /// Any number is valid input, as for [`from_bits`](Self::from_bits). But do not pass the result of `to_bits`: if it is
    /// below 2⁵³, it may be mistaken for another key. Use one of the two forms for each purpose, never both.
    #[must_use]
    pub fn from_safe_integer(number: u64) -> Option<Self> {
        let (life, index) = (number / SAFE_SLOTS, number % SAFE_SLOTS);
        if life < SAFE_LIVES {
            Self::from_bits(life << u32::BITS | index)
        } else {
            None
        }
    }
}

impl fmt::LowerHex for Key {
    /// The bits of [`to_bits`](Key::to_bits), always in 16 digits. `{:#x}` puts `0x` before them. `FromStr` reads both.
    ///
    /// ```
    /// use acedia::pool::{Key, Pool};
    ///
    /// let pool: Pool<u64> = Pool::new();
    /// let key = pool.allocate().key();
    /// let text = format!("{key:x}");
    /// assert_eq!(text.len(), 16);
    /// assert_eq!(text.parse(), Ok(key));
    /// assert!(text[1..].parse::<Key>().is_err());
    /// ```
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{:016x}", if f.alternate() { "0x" } else { "" }, self.to_bits())
    }
}

impl FromStr for Key {
    type Err = ParseKeyError;

    /// Reads the text of `{:x}` or `{:#x}`: 16 hexadecimal digits in either case, with `0x` before them or not.
    ///
    /// Any text is valid input. A shorter or longer text is refused, so a truncated text never names another key.
    ///
    /// # Errors
    ///
    /// [`ParseKeyError`] if the text has another form, or if no pool can ever issue its bits.
    fn from_str(text: &str) -> Result<Self, ParseKeyError> {
        let digits = text.strip_prefix("0x").unwrap_or(text);
        // `from_str_radix` alone accepts a plus sign.
        if digits.len() != 16 || digits.starts_with('+') {
            return Err(ParseKeyError(()));
        }
        let bits = u64::from_str_radix(digits, 16).map_err(|_| ParseKeyError(()))?;
        Self::from_bits(bits).ok_or(ParseKeyError(()))
    }
}

/// The error of parsing a text that is not a [`Key`] or a [`Handle`](crate::Handle).
///
/// ```
/// use acedia::pool::Key;
///
/// let error = "slot 3, life 7".parse::<Key>().unwrap_err();
/// assert_eq!(error.to_string(), "not the 16 hexadecimal digits of a key");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseKeyError(());

impl fmt::Display for ParseKeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not the 16 hexadecimal digits of a key")
    }
}

impl Error for ParseKeyError {}
