//! [`Name`]: the name of a tag or a state.

use std::fmt;
use std::hash::{Hash, Hasher};

/// A short name. Comparisons ignore ASCII case. The empty name and `"None"` are [`NONE`](Self::NONE).
///
/// ```
/// use acedia_actors::Name;
///
/// assert_eq!(Name::new("Idle"), Name::new("IDLE"));
/// assert_eq!(Name::new("Idle").as_str(), "Idle");
/// assert!(Name::new("none").is_none());
/// ```
#[derive(Clone, Copy)]
#[doc(alias = "name")]
pub struct Name(&'static str);

impl Name {
    /// No name.
    pub const NONE: Self = Self("");

    /// The name with this spelling.
    #[must_use]
    pub const fn new(text: &'static str) -> Self {
        match text.as_bytes() {
            [b'N' | b'n', b'O' | b'o', b'N' | b'n', b'E' | b'e'] => Self::NONE,
            _ => Self(text),
        }
    }

    /// Whether this is [`NONE`](Self::NONE).
    #[must_use]
    pub const fn is_none(self) -> bool {
        self.0.is_empty()
    }

    /// The name as it was spelled. `"None"` for [`NONE`](Self::NONE).
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        if self.is_none() { "None" } else { self.0 }
    }
}

impl Default for Name {
    fn default() -> Self {
        Self::NONE
    }
}

impl From<&'static str> for Name {
    fn from(text: &'static str) -> Self {
        Self::new(text)
    }
}

impl PartialEq for Name {
    fn eq(&self, other: &Self) -> bool {
        self.0.eq_ignore_ascii_case(other.0)
    }
}

impl Eq for Name {}

impl Hash for Name {
    fn hash<H: Hasher>(&self, state: &mut H) {
        for byte in self.0.bytes() {
            state.write_u8(byte.to_ascii_lowercase());
        }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}'", self.as_str())
    }
}

#[cfg(feature = "serde")]
mod saved {
    use std::borrow::Cow;
    use std::collections::HashSet;
    use std::sync::{Mutex, PoisonError};

    use serde::de::{Deserialize, Deserializer};
    use serde::ser::{Serialize, Serializer};

    use super::Name;
    use crate::value::keyed::Keyed;

    impl Serialize for Name {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_str(self.0)
        }
    }

    /// Deserializing leaks each spelling once, because a name is a `&'static str`.
    impl<'de> Deserialize<'de> for Name {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            static SPELLINGS: Mutex<Option<HashSet<&'static str, Keyed>>> = Mutex::new(None);
            let text = Cow::<'de, str>::deserialize(deserializer)?;
            let mut spellings = SPELLINGS.lock().unwrap_or_else(PoisonError::into_inner);
            let spellings = spellings.get_or_insert_default();
            let spelling = spellings.get(&*text).copied().unwrap_or_else(|| {
                let kept: &'static str = Box::leak(text.into_owned().into_boxed_str());
                spellings.insert(kept);
                kept
            });
            Ok(Self::new(spelling))
        }
    }
}
