//! The forms of a [`Handle`] outside the process: a number that a `double` represents, and hexadecimal digits.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use crate::pool::Handle;

/// The limits of slots and lives in [`Handle::to_safe_integer`]. 2²⁶ slots of 64 bytes fill 4 GiB.
const SAFE_SLOTS: u64 = 1 << 26;
const SAFE_LIVES: u64 = 1 << 27;

const _: () = assert!(SAFE_SLOTS * SAFE_LIVES == 1 << 53);

impl<T> Handle<T> {
    /// The handle as a number below 2⁵³, which a `double` represents exactly: for JavaScript, Lua and other programs' JSON.
    ///
    /// ```text
    ///  52            26 25             0
    /// ┌────────────────┬────────────────┐
    /// │ life 1..2²⁷    │ slot index     │
    /// └────────────────┴────────────────┘
    /// ```
    ///
    /// `None` if the slot index is 2²⁶ or more, or the life is 2²⁷ or more. Slot indices stay below 2²⁶ while the process has
    /// fewer than 67 million slots for objects of up to 56 bytes. (A larger object uses several indices.) A slot reaches life 2²⁷
    /// after 134,217,727 lives. A handle is never truncated: for a handle that does not fit, use
    /// [its text](#impl-LowerHex-for-Handle). Costs a shift and two comparisons.
    ///
    /// ```
    /// use acedia::{Handle, Pool};
    ///
    /// let pool: Pool<u64> = Pool::new();
    /// let owner = pool.allocate();
    /// let number = owner.handle().to_safe_integer().expect("a first life of a low slot");
    /// assert!(number < 1 << 53);
    /// assert_eq!(Handle::from_safe_integer(number), Some(owner.handle()));
    /// assert_eq!(Handle::<u64>::from_safe_integer(1 << 53), None);
    /// ```
    #[must_use]
    pub const fn to_safe_integer(self) -> Option<u64> {
        let (life, index) = (self.life() as u64, self.index() as u64);
        if life < SAFE_LIVES && index < SAFE_SLOTS {
            Some(life * SAFE_SLOTS + index)
        } else {
            None
        }
    }

    /// The handle for which [`to_safe_integer`](Self::to_safe_integer) returns this number. `None` if there is no such handle:
    /// the number is 2⁵³ or more, or its life is 0.
    ///
    /// Any number is valid input, as for [`from_bits`](Self::from_bits). But do not pass the result of `to_bits`: if it is
    /// below 2⁵³, it may be mistaken for another handle.
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

impl<T> fmt::LowerHex for Handle<T> {
    /// The bits of [`to_bits`](Handle::to_bits), always in 16 digits. `{:#x}` puts `0x` before them. `FromStr` reads both forms.
    ///
    /// ```
    /// use acedia::{Handle, Pool};
    ///
    /// let pool: Pool<u64> = Pool::new();
    /// let handle = pool.allocate().handle();
    /// let text = format!("{handle:x}");
    /// assert_eq!(text.len(), 16);
    /// assert_eq!(text.parse(), Ok(handle));
    /// assert!(text[1..].parse::<Handle<u64>>().is_err());
    /// ```
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{:016x}", if f.alternate() { "0x" } else { "" }, self.to_bits())
    }
}

impl<T> FromStr for Handle<T> {
    type Err = HandleError;

    /// Reads the text of `{:x}` or `{:#x}`: 16 hexadecimal digits in either case, with or without `0x` before them.
    ///
    /// Any text is valid input. A shorter or longer text is refused, so a truncated text never names another handle.
    ///
    /// # Errors
    ///
    /// [`HandleError::Text`] if the text has another form, [`HandleError::Impossible`] if no pool can ever issue its bits.
    fn from_str(text: &str) -> Result<Self, HandleError> {
        let digits = text.strip_prefix("0x").unwrap_or(text);
        // `from_str_radix` alone accepts a plus sign.
        if digits.len() != 16 || digits.starts_with('+') {
            return Err(HandleError::Text);
        }
        let bits = u64::from_str_radix(digits, 16).map_err(|_| HandleError::Text)?;
        Self::from_bits(bits).ok_or(HandleError::Impossible)
    }
}

/// Why a text is not a [`Handle`].
///
/// ```
/// use acedia::{Handle, HandleError};
///
/// let error = "slot 3, life 7".parse::<Handle<u64>>().unwrap_err();
/// assert_eq!(error, HandleError::Text);
/// assert_eq!(error.to_string(), "not the 16 hexadecimal digits of a handle");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HandleError {
    /// The text is not 16 hexadecimal digits.
    Text,
    /// No pool can ever issue the handle.
    Impossible,
}

impl fmt::Display for HandleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Text => "not the 16 hexadecimal digits of a handle",
            Self::Impossible => "no pool can issue a handle with these bits",
        })
    }
}

impl Error for HandleError {}
